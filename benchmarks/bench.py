"""What the dice workbench costs: `python benchmarks/bench.py`. Each row is measured in a fresh process, uncached."""

from __future__ import annotations

import subprocess
import sys

ROWS = (
    ("10d20 / 10d20", "300 ms"),
    ("5d20 / 5d20", "50 ms"),
    ("1d4+1d8+1d12+2d20 / 2d6+1d8+2d10", "50 ms"),
    ("5d12 vs 5d12 tiers", "50 ms"),
    ("5d12+1omega reroll 2 fortunate tiers", "50 ms"),
    ("5d8 hazard 5 ranks 3 no1", "50 ms"),
    ("9Bd 6Rd 4Dd vs 9Bd 6Rd 4Dd", "50 ms"),
    ("5d20 vs 5d20", "50 ms"),
    ("20d20kh10", ""),
    ("1000d6", ""),
    ("1000d20 fen", ""),
    ("1000d1000", "off the UI thread"),
)

ONE = """
import sys, time
from tabletop_tui import plugins
from tabletop_tui.rules import Benches
benches = Benches(tuple(plugins.load_all().engines.values()))
from tabletop_tui.rules import plain
begun = time.perf_counter()
reading = benches.read(sys.argv[1])
read = time.perf_counter()
chances = reading.work()
print((read - begun) * 1000, (time.perf_counter() - read) * 1000, len(chances.table))
"""


def main() -> None:
    """A table."""
    print(f"{'expression':<42} {'read':>9} {'chances':>11} {'values':>8}   limit")
    for text, limit in ROWS:
        done = subprocess.run([sys.executable, "-c", ONE, text], capture_output=True, text=True, check=True)
        read, work, values = done.stdout.split()
        print(f"{text:<42} {float(read):>6.1f} ms {float(work):>8.1f} ms {int(values):>8,}   {limit}")


if __name__ == "__main__":
    main()
