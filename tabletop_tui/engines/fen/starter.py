"""The files of a new campaign of Fen: commented, short, and ready to play."""

STARTER = {
    "campaign.toml": """\
# The campaign. Everything here is yours to edit, also while you play.
title = "{title}"
engine = "fen"
theme = "marsh"

# House rules: all of them, with their defaults. Leave a line as it is and the usual ruling holds.
[rules]
# order = ["increments", "doubled", "additional", "fewer", "non-explosive"]   # in which changes to dice are made
# skills = ["articulate", "cognition", "dodge", "fight", "notice", "shoot", "vigor", "will"]   # offered to all
# initiative_skills = ["notice", "dodge"]   # what rolls for a side
# rotation = true             # each of a side rolls once before anyone does so again
# tie_to_players = true       # equal initiative: the players' side first
# surprised = "no turn"       # or "last", or "nothing": what surprise costs in round one
# minor_actions = 1           # in a turn
# major_actions = 1
# reactions = 1               # in a round
# temporary_first = true      # temporary points are spent before HP
# wound_skill = "vigor"       # wounds end at its largest die,
# wound_limit = "half"        # or "whole": at half of it or at all of it
# wound_at_zero = true        # whoever is brought to 0 HP takes a wound
# attack_skills = ["fight", "shoot"]
# dodge_skill = "dodge"
# attack_explodes = true
# breakage = true             # shields and armour wear down
# social_skills = ["articulate", "will", "cognition", "notice"]   # two of these, with articulate or will, are social
# pairs_once = true           # a social contest never uses a pair of skills twice; false: not twice in a row
# open_npcs = false           # true: players see the dice and HP of your characters

# Clocks fill up until something happens. `secret = true` keeps one from the players.
[clocks.dusk]
name = "Dusk"
size = 6
""",
    "characters/wren.toml": """\
# One character a file; the file's name is the id by which the program knows them.
name = "Wren"
player = "Ana"            # leave it out for one of yours
hp = 14

# The game's own are articulate, cognition, dodge, fight, notice, shoot, vigor and will; any other name will do.
[skills]                  # dice of d4, d6, d8, d10, d12 and d20; what is missing rolls 1d4
fight = "2d8"
dodge = "1d4+1d8"
notice = "2d6"
vigor = "1d8"             # half of its largest die is where wounds end: 4
articulate = "1d6"

[weapons.spear]
dice = "1d6"
skill = "fight"           # or "shoot"

[shield]                  # met first by a blow that was not dodged
name = "Wicker shield"
defense = 3

[armour]
name = "Oiled leather"
defense = 2
""",
    "characters/teal.toml": """\
name = "Teal"
player = "Ben"
hp = 11

[skills]
shoot = "2d6+1d8"
dodge = "2d8"
notice = "3d6"
vigor = "1d6"
articulate = "2d8"
will = "1d8"

[weapons.sling]
dice = "1d6"
skill = "shoot"
""",
    "characters/ferryman.toml": """\
name = "The ferryman"     # no player: one of yours
hp = 9

[skills]
fight = "2d6"
will = "2d6"
cognition = "1d8"
vigor = "1d8"

[weapons.pole]
dice = "1d8"
""",
    "scenes/the-ferry.toml": """\
title = "The ferry"
about = "A flat boat, a rope across the water, and a price that nobody has named yet."
secret = "He has been told to keep them on this bank until dark."     # for you alone

# Should it come to blows: who is on which side. Name a side in `surprised` for an ambush.
[sides]
heroes = ["wren", "teal"]
foes = ["ferryman"]

# A contest: the aggressor's skill, a stroke, the defender's.
[contests.passage]
title = "A fair price"
contest = "articulate/will"
who = "teal"
against = ["ferryman"]
stakes = "he takes them across before dusk"
risk = "he asks for the shield"

[contests.unseen]
title = "Past him in the reeds"
contest = "dodge/notice"
who = "wren"
against = ["ferryman"]
hidden = true             # your dice stay behind the screen
effect = { condition = "looking the wrong way" }
""",
}
