"""Fen at a glance, in our own words."""

REFERENCE = """\
# Fen

**Dice.** A skill is dice: 3d8, or 1d4+1d8. Add all of them up. A die that shows its maximum falls again and adds, as
often as it does so. A skill that is not on your sheet is 1d4.

**What is done to dice**, in this order unless the table rules otherwise:

| word | what happens |
| --- | --- |
| up, down n | each die n steps along d4 d6 d8 d10 d12 d20, held at the ends |
| doubled | a helper's aid: twice the number of each die, once only |
| additional n | n more of the largest size |
| fewer n | n less of the largest size, down to one die; any left over: throw it twice, keep the lower |
| non-explosive n | n dice of the largest size, and none of them explodes |

**Contests** are written *skill/skill*: fight/vigor, dodge/notice. The aggressor's skill stands first and must be
higher; a tie is the defender's. Against many, the aggressor rolls once and every defender alone, and each is won or
lost alone.

**Words.** Articulate or will against will, cognition or notice is a social contest. Name the stakes first. One roll a
round, and each further round needs another pair of skills.

## Fights

**Sides act whole.** Each round one of each side stands up and rolls notice or dodge. All of a side take their turn at
this before anyone does it again. The highest side acts first; a tie goes to the players' side. A surprised side does
not roll in round one and has no turn in it.

**A turn** is a minor and a major action. Everybody has one reaction a round.

**Attack.** Weapon dice and fight or shoot in one throw, against the target's dodge. If dodge meets it, nothing
happens. Otherwise the shield takes off its defense, then the armour; the rest comes off HP. Whatever was exceeded
loses 1 defense, and at 0 it is broken.

**Harm.** Temporary points go before HP. At 0 HP you are down and take a wound. Wounds are a tally that ends at half
your vigor die: with d8, at 4.
"""
