"""The files of a new campaign of Tiers of Power: commented, short, and ready to play."""

STARTER = {
    "campaign.toml": """\
# The campaign. Everything here is yours to edit, also while you play.
title = "{title}"
engine = "tiers"
theme = "ember"

# House rules: leave a line out and the usual ruling holds. All of them, with their defaults:
[rules]
# open_npcs = false           # true: players see your characters' HP, skills and chances
# omega_hp = 31250            # HP for each omega level
# omega_multiplier = 3125     # what the margin of an omega attacker is multiplied by
# omega_explodes_at = 26      # an omega die is d6 + d20; from this sum on it explodes
# most_rank = 5               # where rank with legacy stops
# legacy_chains = true        # a rank 5 that was reached with legacy counts for the next tier
# tie_rank = "written"        # or "pool": what breaks a tie between equal tiers
# points_above_ten = true     # Complication Points count on above 10 until the forced spend
# reroll_once = true          # false: your points may reroll a die that was rerolled before
# bonus_die_from = "character" # or "skill": whose next tier up a Bonus Die is of
# bonus_every = 60            # minutes without an award after which you are reminded; 0: never
# unlisted_skills = false     # true: a skill that is not on the sheet counts as alpha 1
# order_skill = ""            # the skill that is rolled for turns
# least_opposition = 1        # the dice below which a challenge cannot be reduced
# lead_bonus_die = true       # may the Lead of a challenge add a Bonus Die?
# buy_in_challenge = false    # may the Lead buy success for 2 Complication Points?
# bought_margin = 1           # the margin of a success that was bought

# Clocks fill up until something happens. `secret = true` keeps one from the players.
[clocks.storm]
name = "The storm breaks"
size = 6
""",
    "characters/mira.toml": """\
# One character a file; the file's name is the id by which the program knows them.
name = "Mira"
player = "Ana"            # leave it out for an NPC

[levels]                  # HP: 10 for each alpha level, 50 for each beta level, and so on by five
alpha = 5                 # or by calling: alpha = { Soldier = 3, Cook = 2 }
beta = 1

# Any name will do: Climbing, Crafting, Dodge, Healing, Lore, Shooting, Stealth, Swordplay, Warding …
[skills]                  # rank 1 to 5 in a tier; rank 5 gives +1 in the tier above
Warding = { beta = 3 }
Lore = { alpha = 4 }
Dodge = { alpha = 2 }

[items]                   # items roll as skills do
"Oak shield" = { alpha = 3 }
""",
    "characters/rook.toml": """\
name = "Rook"
player = "Ben"

[levels]
alpha = 6

[skills]
Shooting = { alpha = 4 }
Warding = { alpha = 1 }
Dodge = { alpha = 3 }
""",
    "characters/guard.toml": """\
name = "Gate guard"       # no player: one of yours

[levels]
alpha = 2

[skills]
Spear = { alpha = 3 }

[items]
Mail = { alpha = 2 }
""",
    "scenes/the-gate.toml": """\
title = "The gate"
about = "Rain, torches, and a gate that must hold until dawn."
secret = "The captain inside has been paid."     # for you alone
cast = ["guard"]

# A challenge: a tier, a number of dice, and what is at stake.
# keywords: "time-sensitive", "delicate", "complex", "unstable"
[challenges.hold]
name = "Hold the gate"
tier = "beta"
dice = 4
stakes = "the gate holds until dawn"
keywords = ["time-sensitive"]
hidden = false            # true: the players do not see tier and dice
complication = "a hinge gives way"
failure = "an arm in a sling"
""",
}
