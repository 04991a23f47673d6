"""The files of a new home-brew campaign: a small complete game, commented."""

STARTER = {
    "campaign.toml": """\
# The campaign. [rules] is the game itself: change it, also while you play.
# `tabletop rules homebrew --guide` tells all of it.
title = "{title}"
engine = "homebrew"

# What stands on a sheet: three traits, each from -1 to 3.
[rules.stats.trait]
names = ["bold", "clever", "kind"]
least = -1
most = 3

# What goes up and down. At 4 wounds somebody is out.
[rules.meters.wounds]
title = "Wounds"
most = 4
full = { condition = "out" }

# What the whole table shares.
[rules.shared.luck]
title = "Luck"
usual = 2
most = 5

[rules.conditions.out]
ends = "scene"
out = true                    # takes no turns, makes no rolls

# A roll. `trait` is the group above: the form asks which one.
[rules.rolls.try]
title = "Try something risky"
key = "a"                     # its letter on the table page
dice = "2d6 + trait"
bands = [
  { at = 10, title = "yes", tone = "good", say = "You do it." },
  { at = 7, title = "yes, but", tone = "warn", say = "You do it, at a price.", does = { clock = 1 } },
  { title = "no", tone = "bad", say = "It goes wrong.", does = { wounds = 1 } },
]

# Something to do about it before it counts.
[rules.options.lucky]
title = "Roll a die again"
offered = "after"
when = "hero and result < 10" # the luck is the players'; nothing is asked where it went well
limit = "1 a roll"
costs = { luck = -1 }
gives = { reroll = 1 }

# Something to do at any time.
[rules.options.breathe]
title = "Catch your breath"
offered = "any time"
limit = "1 a scene"
does = { wounds = -1 }

# Something to take on together, on the challenge page: one leads, the others help.
[rules.challenges.together]
title = "Together"
roll = "try"
keywords = ["dark"]           # what one of these may be marked with: 1 in sums where it is, else 0
wins = 3
losses = 2

[rules.options.help]
title = "Help"
offered = "support"
gives = { bonus = "1 if dark else 2" }

# Who acts when: free, listed, number, sides or popcorn.
[rules.turns]
order = "listed"

[clocks.storm]
name = "The storm breaks"
size = 6
""",
    "characters/ana.toml": """\
# One character a file; the file's name is the id by which the program knows them.
name = "Ana"
player = "Ines"               # leave it out for one of yours

[stats.trait]
bold = 2
clever = 1
kind = -1
""",
    "characters/bo.toml": """\
name = "Bo"
player = "Jon"

[stats.trait]
bold = 0
clever = 2
kind = 1
""",
    "characters/warden.toml": """\
name = "The warden"           # no player: one of yours

[stats.trait]
bold = 1
""",
    "scenes/the-gate.toml": """\
title = "The gate"
about = "Rain, torches, and a gate that is about to close."
secret = "The warden has been paid."        # for you alone
cast = ["warden"]

[challenges.through]
challenge = "together"
name = "Through before it closes"
stakes = "everybody is inside"
keywords = ["dark"]
""",
}
