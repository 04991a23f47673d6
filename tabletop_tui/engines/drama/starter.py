"""The files of a new campaign of Drama in History: commented, short, and ready to play."""

STARTER = {
    "campaign.toml": """\
# The campaign. Everything here is yours to edit, also while you play.
title = "{title}"
engine = "drama"
theme = "vellum"

# House rules: leave a line out and the usual ruling holds. All of them, with their defaults:
[rules]
# price = 1                       # penalty dice that make a success of a marginal result
# weak_attribute = "lower"        # or "half": when an attribute is weak beside its skill
# split_resistance = "full"       # or "divided": resistance in each part of a split pool
# hours_per_die = 3               # hours of sleep that take a penalty die away
# drama_dice_each = 1             # drama dice that one person may give to one test
# narrative_cap = "mechanical"    # or "none": may role-play bring more dice than attribute and skill?
# contest_penalty = 1             # the fewest penalty dice for losing a round of a contest
# grit_penalty = 1                # penalty dice, for fatigue, that spending the last Grit brings
# recovery_dice = 1               # penalty dice that a successful recovery test takes away
# pool_test = "present"           # or "full": the base dice of a currency pool test
# open_npcs = false               # true: players see your characters' Composure, passions and chances

# A kind of line of your own for social contests: base dice, or drama dice.
# [rules.lines.omen]
# label = "an omen"
# dice = "drama"

# Clocks fill up until something happens. `secret = true` keeps one from the players.
[clocks.suspicion]
name = "The abbot grows suspicious"
size = 4
""",
    "characters/joan.toml": """\
# One character a file; the file's name is the id by which the program knows them.
name = "Joan"
player = "Ana"              # leave it out for an NPC
drama_points = 2
advantages = ["A letter of the bishop"]     # makes a Drama Point worth three dice

[attributes]                # 0 where it is not written; 2 is average
Physical = 2
Agility = 2
Mental = 2
Social = 3

# Any name will do: Awareness, Bargaining, Brawling, Courtesy, Dancing, Hunting, Insight, Letters, Riding, Stealth …
[skills]                    # value, and the attribute that it usually goes with
Insight = { value = 2, attribute = "Social" }
Courtesy = { value = 2, attribute = "Social" }
Letters = { value = 3, attribute = "Mental" }

[backgrounds]               # a way of life, and how many times it was lived
"Town life" = 2

[passions]                  # drama dice that each is worth
justice = 2
""",
    "characters/william.toml": """\
name = "William"
player = "Ben"
drama_points = 1
grit = 4

[attributes]
Physical = 2
Agility = 3
Mental = 2
Social = 1

[skills]
Riding = { value = 2, attribute = "Agility" }
Awareness = { value = 2, attribute = "Mental" }
""",
    "characters/hugh.toml": """\
name = "Prior Hugh"         # no player: one of yours
composure = 6               # what he argues with; at 0 he yields

[attributes]
Mental = 3
Social = 3

[skills]
Authority = { value = 3, attribute = "Social" }
""",
    "scenes/the-ledger.toml": """\
title = "The ledger"
about = "A cold parlour, a locked chest, and a prior who would rather be at prayer."
secret = "The pages of last winter are in another hand."     # for you alone
cast = ["hugh"]

# A social contest: what each wants, and what losing costs.
# kinds of line: character, fact, bond, passion, place, risk
[contests.ledger]
name = "The almoner's ledger"

[contests.ledger.first]
who = "joan"
wants = "to see the ledger"
risks = "her welcome in the house"

[contests.ledger.second]
who = "hugh"
wants = "her silence"
risks = "the key"

# Lines that are ready beforehand; whatever else is said at the table becomes one there.
[[contests.ledger.second.lines]]
kind = "place"
text = "his parlour, his rules"
dice = 1
hidden = true             # the players learn of it when the dice fall

# A complex test: dimensions in a row. `penalty` is in penalty dice; attempts = 1 allows no second try.
[complex.read]
name = "Read the ledger by night"
stakes = "whose hand wrote it"

[[complex.read.dimensions]]
name = "Into the muniment room"
resistance = 2
first = { words = "an hour of the night" }
second = { words = "another hour", penalty = 1 }
failure = { words = "the porter wakes" }

[[complex.read.dimensions]]
name = "Find the hand"
resistance = 4
first = { words = "the last candle" }
second = { penalty = 2 }
failure = { words = "a page is torn" }
""",
}
