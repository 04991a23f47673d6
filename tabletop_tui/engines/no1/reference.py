"""The No1 system at a glance, in our own words."""

REFERENCE = """\
# No1

**Roll.** As many dice as the **Challenge**, plus or minus modifiers, never fewer than one. The skill's rating picks
the die: 0 d4 · 1 d6 · 2 d8 · 3 d10 · 4 d12; without a skill a d6. Each die at 4 or more is a **hit**. Skills and
Traits are the table's own words: Strike, Notice; Stubborn, Lucky.

**Hazards.** Add a d4 for every point of hazard in your zone, creatures that are hazards included once they are seen.
They count like the rest: a 4 is a hit, and a 1 is a 1. Zones and their hazards are in play as long as the scene is,
encounter or not.

**The 1.** When any die shows 1, a rank of the focused Trait makes one such die fall again, as often as ranks last.
Reroll them one at a time: a die that shows 1 again may leave you with too few ranks for the rest. Ranks return at a
Waypoint.

| at the end | Initiative | players' roll |
| --- | --- | --- |
| no 1, and your team holds it | your team keeps it | Momentum +1 |
| no 1, and the other team holds it | it stays there | nothing |
| any 1 | the other team seizes it | Entropy +1, once |

Hits count in every row. Foes roll by the same rules; their rolls leave the two counters alone. Outside encounters
there is no Initiative: a clean Action is Momentum, a 1 is Entropy. Nobody seizes anything while nobody of the other
team is in sight.

## Encounters

The GM, whom this game calls the **BAMF**, names a Challenge and a Timer in rounds. Both teams roll Challenge dice
to open; more hits goes first, a tie is the players'. Whoever has just acted picks the next of the team; nobody goes
twice in a round. A team that seizes the Initiative picks from those who have not gone; a team of which nobody is
left in the fight holds nothing. Whoever was picked and has not rolled may still step back. When all have gone, the
Timer drops by one. At 0 the higher of Momentum and Entropy says which way the scene turns; more time after that
begins another round. Moving to another scene ends the encounter. Setting a scene alone leaves the Challenge as it is:
the scene's own counts from its encounter on.

**A turn** is one Shift and one Action. A Shift rolls too; its 1s cost 1 Entropy but never the Initiative, and a clean
one earns no Momentum. Whoever loses the Initiative has lost a Shift that they had not taken.

| Shift | its hits |
| --- | --- |
| Defy Danger | come off the Hazard dice of your next roll |
| Create an Advantage | are advantages in this zone, for any teammate here |
| move | you change zones either way |

**An advantage** buys +1d4 hits on the next roll, or one Hazard die less on it, or takes 1 Entropy away.

## Spending

**Entropy** is the BAMF's: 3 for +1 Challenge, 1 for a segment of a clock, or any amount for a turn of the story,
always with a reason. **Momentum** is the players': manoeuvres and talents of the campaign (`rules.manoeuvres`), each
with a cost, sometimes with a condition or a check on a d20. The cost is gone even when the check fails. A talent is
for those who name it under `talents` on their sheets; what nobody names is everybody's. Nothing drops below 0.

## Contests

Call somebody of the other side out and name a Trait. Declining gives the challenger's side 2 (Momentum for heroes,
Entropy for foes). Accepting: each rolls a d4, together they are the number of rounds. In a round both roll Challenge
dice with a skill; more hits takes it. A skill that you have used before costs a hit for each time. Most rounds wins 5
Momentum or 5 Entropy; level is a draw. One that cannot be finished is called off, and nobody wins it.

## Conditions of manoeuvres

Numbers, `momentum` `entropy` `challenge` `timer` `round`, `+ - *`, brackets, `> >= < <= == !=` (or *greater than*,
*at least*, *less than*, *at most*, *equal to*), joined by `and`, `or`, `not`. A check leaves out the left side:
`greater than challenge + entropy`.

## House rules

Under `[rules]` in campaign.toml, with their usual values:

| key | usually | what it says |
| --- | --- | --- |
| `target` | 4 | a die that shows this or more is a hit |
| `plain_die` | 6 | the die without a skill, and of the opening test |
| `momentum_needs_initiative` | true | a clean roll of a team that does not hold the Initiative changes nothing |
| `foes_move_counters` | false | a foe's clean Action is 1 Entropy, a foe's 1 is 1 Momentum |
| `shift_momentum` | false | a clean Shift is 1 Momentum too |
| `shift_after_seizure` | false | whoever loses the Initiative keeps a Shift that they had not taken |
| `opening_tie` | "heroes" | who acts first when the opening test is level |
| `keep_counters` | true | a new encounter keeps Momentum and Entropy |
| `own_hazard` | true | a creature that is a hazard rolls its own dice |
| `hidden_hazards` | false | creatures that nobody has seen add their dice |
| `own_advantage` | true | whoever made an advantage may spend it |
| `advantage_uses` | all three | of `hits`, `hazard`, `entropy` |
| `challenge_cost` | 3 | Entropy for +1 Challenge |
| `clock_cost` | 1 | Entropy for a segment of a clock |
| `contest_die` | 4 | two of them are the rounds of a contest |
| `contest_repeat` | 1 | hits that a skill costs for each earlier use |
| `contest_win` | 5 | Momentum or Entropy for the winner's side |
| `contest_decline` | 2 | the same for the challenger's side when it is declined |
| `open_npcs` | false | players see the numbers of the BAMF's characters |
"""
