"""The files of a new campaign of the No1 system: commented, short, and ready to play."""

STARTER = {
    "campaign.toml": """\
# The campaign. Everything here is yours to edit, also while you play.
title = "{title}"
engine = "no1"
theme = "ember"

# House rules, all of them, with their usual values: take the # away from a line to change it.
[rules]
# target = 4                        # a die that shows this or more is a hit
# plain_die = 6                     # the die where no skill is named
# momentum_needs_initiative = true  # false: a clean roll earns Momentum whoever holds the Initiative
# foes_move_counters = false        # true: foes' rolls move Momentum and Entropy as well
# shift_momentum = false            # true: a clean Shift earns Momentum too
# shift_after_seizure = false       # true: whoever loses the Initiative may still take their Shift
# opening_tie = "heroes"            # or "foes": who acts first when the opening test is level
# keep_counters = true              # false: an encounter begins with both counters at 0
# own_hazard = true                 # false: a creature that is a hazard does not roll its own dice
# hidden_hazards = false            # true: creatures that nobody has seen add their dice too
# own_advantage = true              # false: an advantage is for the others, not for whoever made it
# advantage_uses = ["hits", "hazard", "entropy"]   # what one can be spent on
# challenge_cost = 3                # Entropy for +1 Challenge
# clock_cost = 1                    # Entropy for a segment of a clock
# contest_die = 4                   # both roll it: the sum is the number of rounds of a contest
# contest_repeat = 1                # hits that a skill costs for each earlier use in the contest
# contest_win = 5                   # Momentum or Entropy for winning a contest
# contest_decline = 2               # the same for the challenger's side when it is declined
# open_npcs = false                 # true: players see your characters' skills, Traits and chances

# What players can buy with Momentum. A condition and a check are optional.
[rules.manoeuvres.regroup]
name = "Regroup"
cost = 3
condition = "momentum > entropy"
effects = { entropy = -2 }

[rules.manoeuvres.lucky-break]       # a talent: only for those who name it on their sheets
name = "Lucky break"
cost = 1
effects = { entropy = -1 }

[rules.manoeuvres.stall]
name = "Stall for time"
cost = 2
condition = "timer == 1"
check = "greater than challenge + entropy"   # on a d20; the cost is gone either way
effects = { timer = 1 }

# Clocks fill up until something happens. `secret = true` keeps one from the players.
[clocks.patrol]
name = "The patrol returns"
size = 6
""",
    "characters/mira.toml": """\
# One character a file; the file's name is the id by which the program knows them.
name = "Mira"
player = "Ana"            # leave it out for an NPC

# Any name will do: Climb, Command, Endure, Lore, Notice, Shoot, Sneak, Strike …
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
talents = ["lucky-break"] # described in campaign.toml

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
hazards = { "swaying planks" = 2 }

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
