"""The files of a new campaign of the No1 system: commented, short, and ready to play."""

STARTER = {
    "campaign.toml": """\
# The campaign. Everything here is yours to edit, also while you play.
title = "{title}"
engine = "no1"
theme = "ember"

# House rules: leave a line out and the usual ruling holds. The ones that tables change most, with their defaults:
[rules]
# target = 4                  # a die that shows this or more is a hit
# plain_die = 6               # the die where no skill is named
# opening_tie = "heroes"      # or "foes": who acts first when the opening test is level
# shift_momentum = false      # true: a clean Shift adds Momentum too
# foes_move_counters = false  # true: foes' rolls move Momentum and Entropy as well
# own_hazard = true           # false: a creature that is a hazard does not roll its own dice
# challenge_cost = 3          # Entropy for +1 Challenge

# What players can buy with Momentum. A condition and a check are optional.
[rules.manoeuvres.regroup]
name = "Regroup"
cost = 3
condition = "momentum > entropy"
effects = {{ entropy = -2 }}

[rules.manoeuvres.stall]
name = "Stall for time"
cost = 2
condition = "timer == 1"
check = "greater than challenge + entropy"   # on a d20; the cost is gone either way
effects = {{ timer = 1 }}

# Clocks fill up until something happens. `secret = true` keeps one from the players.
[clocks.patrol]
name = "The patrol returns"
size = 6
""",
    "characters/mira.toml": """\
# One character a file; the file's name is the id by which the program knows them.
name = "Mira"
player = "Ana"            # leave it out for an NPC

[skills]                  # rating 0 to 4: d4, d6, d8, d10, d12
Strike = 2
Notice = 1

[traits]                  # ranks; each rerolls one die that shows 1, until the next Waypoint
Stubborn = 2
""",
    "characters/rook.toml": """\
name = "Rook"
player = "Ben"
focus = "Lucky"           # the Trait that rolls lean on; the first one where this is left out

[skills]
Shoot = 3
Sneak = 2

[traits]
Proud = 1
Lucky = 2
""",
    "characters/guard.toml": """\
name = "Guard"            # no player: one of yours

[skills]
Spear = 1
""",
    "characters/ogre.toml": """\
name = "Ogre"
hazard = 1                # it is a hazard: everybody in its zone rolls a d4 more

[skills]
Smash = 2

[traits]
Rage = 1
""",
    "scenes/the-bridge.toml": """\
title = "The bridge"
about = "Ropes, wet planks, and something large on the far side."
secret = "The third plank from the end is sawn through."     # for you alone
challenge = 3             # dice in every roll
timer = 4                 # rounds; 0 for no limit

[zones.bank]
name = "near bank"

[zones.span]
name = "span"
hazards = {{ "swaying planks" = 2 }}

[heroes]                  # where they begin; whoever is not named stands in the first zone
rook = "span"

[foes.guard]              # the name of their sheet
zone = "span"
count = 3                 # three of them, each with a turn

[foes.ogre]
zone = "span"
hidden = true             # you reveal it, or its first roll does
""",
}
