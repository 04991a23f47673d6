"""Drama in History at a glance, in our own words."""

REFERENCE = """\
# Drama in History

**Dice.** Only d6, in three pools that are rolled together and never cancelled beforehand.

| pool | counts |
| --- | --- |
| base (Bd) | 5 or 6: +1 |
| resistance (Rd) | 1 or 2: −1 |
| drama (Dd) | 4, 5 or 6: +1; a 6 rolls one more drama die, again and again; a 1: −1 and a penalty die for you |

**Reading.** Net 2 or more succeeds. Net 1 is *marginal*, a "yes, but": a player may take a penalty die and it counts
as 2. Less fails. Opposed: 2 or more, and more than the other; the difference is the *level of success*. Equal at 2 or
more is a draw, and momentum decides it. Neither at 2: both fail.

A price or a Drama Point that cannot change how it comes out is not offered.

**Momentum** is kept for each pair of opponents: whoever won the last round between these two, until the scene
changes; before that the higher attribute in play; else an advantage that the GM names, which ends with the scene
and can be taken back; else the GM picks.

## Building a pool

The attributes are Physical, Agility, Mental and Social; skills are the table's own words: Riding, Insight, Brawling.
Attribute + skill, or twice an attribute where no skill fits. An attribute below its skill brings 1Rd, one of 0
or less 2Rd instead. A background can stand in for a skill, up to three of the same: +1Bd each where it fits,
+1Bd and +1Rd each where it is a stretch, 1Rd more when there are more of them than the attribute.

| difficulty | | difficulty | |
| --- | --- | --- | --- |
| very easy | +4Bd | difficult | 4Rd |
| straightforward | +2Bd | very challenging | 6Rd |
| some | – | extremely hard | 8Rd |
| troublesome | 2Rd | formidable | 10Rd |

*Resisted*: the target's attribute or skill as resistance. *Opposed*: no difficulty. *Split*: divide a base pool
among opponents, at least one die each; resistance counts in full in each part. The GM chooses what each opponent
answers with; passions, points, gifts and a penalty that helps go into one part. *Currency pool*: what is left of
flesh, fortitude, grit or composure is the base pool.

**Passions** bring drama dice. Two or more 1s among them and it backfires: two penalty dice for each 1.

**Drama Points.** Before the roll: +1Dd, +2Dd with a connection, +3Dd with an advantage on the sheet. After it: one
base 4 counts as a 5.

**Penalty dice** add resistance to every test. 1–3 distracted, 4–6 shaken, 7–9 stressed, 10 and more broken: no
acting, unless the GM says so. Three hours of sleep take one away, of one character or of the whole party; so does
the end of its cause. A *recovery test* is Physical alone with nothing but penalty dice against it: success takes one
more. Spending the last Grit brings one, for fatigue. Now and then one helps: for one test its dice are drama dice.

## Helping

*Lend a hand*: your attribute joins the pool (twice, in a test of the attribute alone). *Work together*:
everybody rolls against the full resistance and the nets are added, negatives too; a helper without the Lead's
skill says which one they use. Both are open to either side of an opposed test. *Add to the drama*: anybody may give a
drama die to any test, once, with a reason.

## Social contest

1. Say what each party wants, and what losing costs.
2. Play it out. Each advantage becomes a line with dice: in character, a fact or leverage, a bond, a passion,
   the place or company, a bold risk. At most as many dice as attribute and skill bring; half of the pool is the
   aim. Lines may come before the skill: those for which it has no room wait, and count as soon as it has.
3. Choose the skill. An NPC uses Composure. Others may lend a hand: their Social joins the pool. Anybody may add to
   the drama.
4. Roll once. The loser takes penalty dice equal to the level of success, at least one; an NPC's Composure drops
   by the same. At Composure 0 they yield, and enter no contest until some is back.
5. Go on only with another skill and other advantages. The winner has momentum.

## Complex test

Dimensions in a row, each with resistance, a price for the first and the second attempt, and a cost of failure.
The second attempt has 2Rd less. Success opens the next one; no attempt left locks the test. All done: full.
Some: partial. None: failed.
One can be made up at the table, dimension by dimension.

## House rules

| key | default | what it sets |
| --- | --- | --- |
| `price` | 1 | penalty dice that make a success of a marginal result |
| `weak_attribute` | "lower" | or "half": when an attribute is weak beside its skill |
| `split_resistance` | "full" | or "divided": resistance in each part of a split pool |
| `hours_per_die` | 3 | hours of sleep that take a penalty die away |
| `drama_dice_each` | 1 | drama dice that one person may give to one test |
| `narrative_cap` | "mechanical" | or "none": may role-play bring more dice than attribute and skill? |
| `contest_penalty` | 1 | the fewest penalty dice for losing a round of a contest |
| `grit_penalty` | 1 | penalty dice, for fatigue, that spending the last Grit brings |
| `recovery_dice` | 1 | penalty dice that a successful recovery test takes away |
| `pool_test` | "present" | or "full": the base dice of a currency pool test |
| `lines` | | further kinds of line for contests |
| `open_npcs` | false | players see the GM's characters' Composure, passions and chances |

What somebody hidden does is told to the GM alone.
"""
