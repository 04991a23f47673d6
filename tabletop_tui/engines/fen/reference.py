"""Fen at a glance, in our own words."""

REFERENCE = """\
# Fen

**Dice.** A skill is dice: 3d8, or 1d4+1d8. Add all of them up. A die that shows its maximum falls again and adds, as
often as it does so. The game's own skills are articulate, cognition, dodge, fight, notice, shoot, vigor and will; any
other can be named. A skill that is not on your sheet is 1d4.

**What is done to dice**, in this order unless the table rules otherwise:

| word | what happens |
| --- | --- |
| up, down n | each die n steps along d4 d6 d8 d10 d12 d20, held at the ends |
| doubled | a helper's aid: twice the number of each die, once only |
| additional n | n more of the largest size |
| fewer n | n less of the largest size, down to one die; any left over: throw it twice, keep the lower |
| non-explosive n | n dice of the largest size, and none of them explodes |

A change is for all the dice, for the weapon's alone or for the skill's alone, and for the next throw of any kind or
for the next attack, dodge or contest. With a dagger of 1d4 and 3d8 in fight, an additional weapon die makes
2d4 + 3d8. Changes add up; once the throw has fallen they are gone.

**Contests** are written *skill/skill*: fight/vigor, dodge/notice. The aggressor's skill stands first and must be
higher; a tie is the defender's. Against many, the aggressor rolls once and every defender alone, and each is won or
lost alone. Any skill can be named. A skill can also be rolled alone, explosive or not.

**Hiding** is a contest, dodge/notice or notice/dodge, that somebody unseen begins or answers, in a fight too; so is
one behind the GM's screen (`hidden`) that somebody begins whom players have not met. Only the GM reads of it. Whoever
hides and loses to anybody is found, and from then on seen.

**Words.** A contest of two of articulate, will, cognition and notice is social if articulate or will is among them,
on either side: articulate/will, notice/articulate. Name the stakes first. One roll a round, and each further round
needs another pair of skills.

## Fights

**Sides act whole.** Each round one of each side rolls notice or dodge for it. All of a side take their turn at
this before anyone does it again. The highest side acts first; a tie goes to the players' side. A surprised side does
not roll in round one and has no turn in it.

**A turn** is a minor and a major action. Everybody has one reaction a round.

**Attack.** Weapon dice and fight or shoot in one throw, against the target's dodge. If dodge meets it, nothing
happens. Otherwise the shield takes off its defense, then the armour; the rest comes off HP. Whatever was exceeded
loses 1 defense, and at 0 it is broken. Somebody who is down can be struck and does not dodge.

**Harm.** Temporary points go before HP. At 0 HP you are down and take a wound. Wounds are a tally that ends at half
your vigor die: with d8, at 4. Being down follows from HP and wounds, however they changed: no turn, no contest.

## House rules

Keys of `[rules]` in campaign.toml, each with its default:

| key | default | what it decides |
| --- | --- | --- |
| `order` | the table above | the order in which changes to dice are made |
| `skills` | the eight of the game | skills that are offered even where no sheet has them |
| `initiative_skills` | notice, dodge | what may be rolled for a side |
| `rotation` | true | each of a side rolls once before anyone repeats |
| `tie_to_players` | true | equal initiative: the players' side first |
| `surprised` | "no turn" | what surprise costs in round one; "last" or "nothing" |
| `minor_actions`, `major_actions`, `reactions` | 1 each | actions in a turn, reactions in a round |
| `temporary_first` | true | temporary points go before HP |
| `wound_skill`, `wound_limit` | "vigor", "half" | where wounds end: "half" or "whole" of the largest die |
| `wound_at_zero` | true | 0 HP is a wound |
| `attack_skills`, `dodge_skill` | fight and shoot, dodge | what strikes and what dodges |
| `attack_explodes` | true | dice of attacks explode |
| `breakage` | true | shields and armour wear down |
| `social_skills` | articulate, will, cognition, notice | two of these, with articulate or will, are social |
| `pairs_once` | true | a pair of skills is used once; false: not twice in a row |
| `open_npcs` | false | players see the GM's dice and HP |
"""
