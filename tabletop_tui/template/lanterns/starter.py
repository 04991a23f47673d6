"""The files of a new campaign. `{title}` is replaced, and nothing else."""

STARTER = {
    "campaign.toml": """\
title = "{title}"
engine = "lanterns"

[rules]
nerve = 3                   # how much nerve everybody has

[clocks.dark]
name = "The light goes out"
size = 6
""",
    "characters/ada.toml": """\
name = "Ada"
player = "Ana"              # the player's name; leave it out for your own characters
about = "Keeps the oil."

[skills]
climb = 2
calm = 1
""",
    "characters/bo.toml": """\
name = "Bo"
player = "Ben"

[skills]
carry = 3
""",
    "characters/ferryman.toml": """\
name = "The ferryman"
about = "Never says his price first."

[skills]
haggle = 2
""",
    "scenes/the-crossing.toml": """\
title = "The crossing"
about = "Black water, one boat, and a lantern that is almost out."
secret = "The ferryman cannot swim."
cast = ["ferryman"]
""",
}
