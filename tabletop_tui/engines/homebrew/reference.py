"""Home-brew rules at a glance."""

REFERENCE = """\
# Home-brew

The game is the `[rules]` table of campaign.toml. `tabletop rules homebrew --guide` tells all of it.

- **Rolls** stand on the table page, each with its letter. A form asks what the roll mentions: who, with which stats,
  against whom, which clock, and what helps. Enter rolls, `t` takes the dice that you rolled yourself.
- **Bands** say what a result means. The first that fits counts, and what it does happens by itself.
- **Before it counts** the game offers what can still be done: roll dice again, push, pay for a better band.
- **When the game asks** somebody to choose, Enter takes the first answer.
- **Meters** are everybody's own, counters the table's. `j` moves a meter by hand.
- **Turns**: `g` begins them, `n` is next, `x` ends them.
- **Challenges** are taken on together on their page, **contests** are fought out in rounds on theirs. There the
  challenge or the contest itself counts: no clock is asked, and only one that the game names moves.
"""
