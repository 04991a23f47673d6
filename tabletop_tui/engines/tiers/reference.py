"""Tiers of Power at a glance, in our own words."""

REFERENCE = """\
# Tiers of Power

**Tiers.** alpha d4 · beta d6 · charlie d8 · delta d10 · gamma d12 · omega d6+d20 (one die, 2–26).
A skill has a tier and a rank from 1 to 5: roll that many dice of that tier. Skills are the table's own words:
Shooting, Dodge, Warding, Lore. Items (mail, a shield) have tier and rank as well, and attack and defend.

**Rolling.** A die at its maximum is rolled once more and added; the second roll does not explode. Only the single
highest die counts. Higher result wins; the difference is the *margin*. Ties: higher tier of the skill, then higher
rank as written, then whoever began. A tie-break wins by 0.

**Health.** Each level gives HP: 10, 50, 250, 1,250, 6,250, 31,250 from alpha up. Your tier is the highest in which
you have a level. Damage = margin × the attacker's multiplier (1, 5, 25, 125, 625, 3,125). At 0 you are out. A level
gained at the table raises HP and their maximum; levels may carry callings, and only their sum counts.

**Legacy.** Rank 5 in a skill gives +1 rank in the same skill one tier up, up to rank 5. It chains: a rank 5 that was
reached with legacy counts.

**Bonus Dice.** One an hour, or as an award. Say so before the roll: add one die of the tier above your own.

**Complication Points.** The GM gains 2 when a player buys success after a failed roll, 2 for each failure
preparation, and may claim 1 when a lower tier beats a higher one by 2 or more in an attack. The GM spends 1 to
reroll a player's die (each die once), 2 for +1 rank on the next roll of one skill or item of an NPC, 5 for a
dramatic failure with a Consequence for a session or two, 10 for a catastrophe that lasts. A gain at 10 or more forces
a spend by a d10: 1–3 → 1, 4–6 → 2, 7–9 → 5, 10 → 10.

**Turns.** Everybody rolls one skill, the highest die goes first; whoever lacks the skill goes last.

## Challenges

The difficulty is a pool: a tier and a number of dice. One **Lead** rolls; everybody else supports once, without dice.

| support | skill | gives |
| --- | --- | --- |
| direct | the Lead's | Reroll 1, or 2 above the challenge's tier; the best one counts |
| indirect | another | Reduce 1, or 2 above the challenge's tier; twice a challenge; adds up |
| prepare | another | Increase 1 and 2 Complication Points; softens a failure |
| encourage | none | Fortunate: natural 1s are rerolled, once |

*time-sensitive*: no preparing · *delicate*: Reduce is always 1 · *complex*: three indirect assists · *unstable*:
every failed roll brings its full complication.

Order: both roll → Fortunate → up to N dice again, none twice → explosions → compare. The challenge keeps at least one
die.

**Outcomes.** The Lead wins: success. Loses by less than 4: success with complications, reduced if somebody prepared.
Loses by 4 or more: outright failure, and the Lead carries a temporary penalty.

## House rules

Keys of `[rules]` in campaign.toml: `open_npcs` players see the GM's numbers · `omega_hp`, `omega_multiplier`,
`omega_explodes_at` the omega tier · `most_rank` where rank with legacy stops · `legacy_chains` · `tie_rank` written
or pool · `points_above_ten` · `reroll_once` · `bonus_die_from` character or skill · `bonus_every` minutes to a
reminder · `unlisted_skills` as alpha 1 · `order_skill` for turns · `least_opposition` dice of a challenge ·
`lead_bonus_die` · `buy_in_challenge` · `bought_margin`.
"""
