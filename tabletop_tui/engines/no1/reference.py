"""The No1 system at a glance, in our own words."""

REFERENCE = """\
# No1

**Roll.** As many dice as the **Challenge**, plus or minus modifiers, never fewer than one. The skill's rating picks
the die: 0 d4 · 1 d6 · 2 d8 · 3 d10 · 4 d12; without a skill a d6. Each die at 4 or more is a **hit**.

**Hazards.** Add a d4 for every point of hazard in your zone, creatures that are hazards included. They count like the
rest: a 4 is a hit, and a 1 is a 1.

**The 1.** When any die shows 1, a rank of the focused Trait makes one such die fall again, as often as ranks last.
Ranks return at a Waypoint.

| at the end | Initiative | players' roll |
| --- | --- | --- |
| no 1 | your team keeps it | Momentum +1 |
| any 1 | the other team seizes it | Entropy +1, once |

Hits count in both rows. Foes roll by the same rules; their rolls leave the two counters alone.

## Encounters

The GM names a Challenge and a Timer in rounds. Both teams roll Challenge dice to open; more hits goes first, a tie is
the players'. Whoever has just acted picks the next of the team; nobody goes twice in a round. A team that seizes the
Initiative picks from those who have not gone; a team of which nobody is left in the fight holds nothing. Whoever was
picked and has not rolled may still step back. When all have gone, the Timer drops by one. At 0 the higher of Momentum
and Entropy says which way the scene turns.

**A turn** is one Shift and one Action. A Shift rolls too; its 1s cost 1 Entropy but never the Initiative, and a clean
one earns no Momentum.

| Shift | its hits |
| --- | --- |
| Defy Danger | come off the Hazard dice of your next roll |
| Create an Advantage | are advantages in this zone, for any teammate here |
| move | you change zones either way |

**An advantage** buys +1d4 hits on the next roll, or one Hazard die less on it, or takes 1 Entropy away.

## Spending

**Entropy** is the GM's: 3 for +1 Challenge, 1 for a segment of a clock, or any amount for a turn of the story, always
with a reason. **Momentum** is the players': manoeuvres and talents of the campaign, each with a cost, sometimes with
a condition or a check on a d20. The cost is gone even when the check fails. Nothing drops below 0.

## Contests

Call somebody of the other side out and name a Trait. Declining gives the challenger's side 2 (Momentum for heroes,
Entropy for foes). Accepting: each rolls a d4, together they are the number of rounds. In a round both roll Challenge
dice with a skill; more hits takes it. A skill that you have used before costs a hit for each time. Most rounds wins 5
Momentum or 5 Entropy; level is a draw. One that cannot be finished is called off, and nobody wins it.

## Conditions of manoeuvres

Numbers, `momentum` `entropy` `challenge` `timer` `round`, `+ - *`, brackets, `> >= < <= == !=` (or *greater than*,
*at least*, *less than*, *at most*, *equal to*), joined by `and`, `or`, `not`. A check leaves out the left side:
`greater than challenge + entropy`.
"""
