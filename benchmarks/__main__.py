"""`python -m benchmarks`: a table of what things cost, each beside a reference in the same run."""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path

import msgspec

from . import data
from .chances import dice, odds
from .measure import Row, number
from .screens import commands, idle, keys, line, seats, starting
from .storage import acting, folding, opening

Part = Callable[[Path, bool], Iterator[Row]]
PARTS: dict[str, Part] = {
    "start": starting, "commands": commands, "keys": keys, "line": line, "idle": idle, "open": opening,
    "fold": folding, "act": acting, "odds": odds, "dice": dice, "seats": seats,
}  # fmt: skip
ONCE = ("line", "idle", "seats")
"""Parts whose figures are bytes, megabytes, or of a whole minute."""
SEVERAL = {"odds": 4, "fold": 2}
"""Parts of small figures, which a process's place in memory moves by a quarter: so many processes a round."""
ROUNDS = 3
"""How often the others are measured, in processes of their own and spread over the run: a slow minute of the machine
strikes one of them, an unlucky place in its memory one process."""


def shown(row: Row) -> str:
    """A line of the table, in Markdown."""
    beside = number(row.beside, row.unit) if row.beside is not None else "–"
    ratio = f"{row.ratio:.2f}×" if row.ratio is not None else "–"
    budget = f"{row.budget} {'✓' if row.kept else '✗ missed'}" if row.budget else "–"
    return f"| {row.what} | {number(row.ours, row.unit)} | {beside} {row.reference} | {ratio} | {budget} |"


def apart(name: str, quick: bool, place: Path) -> list[Row]:
    """The rows of a part, measured by a process of its own: Home lists nothing of the other parts."""
    own = tempfile.mkdtemp(prefix=f"{name}-", dir=place)
    homes = {"XDG_DATA_HOME": own, "XDG_CONFIG_HOME": own, data.KEPT: str(place)}
    argv = [sys.executable, "-m", "benchmarks", "--part", name, "--json", *(["--quick"] if quick else [])]
    done = subprocess.run(argv, env={**os.environ, **homes}, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=list[Row])


def every(wanted: Sequence[str], quick: bool) -> list[Row]:
    """All rows, in the order of the table; what was measured in several rounds is put together."""
    again = [name for name in wanted if name not in ONCE]
    once = [name for name in wanted if name in ONCE]
    rounds = 1 if quick else ROUNDS
    often = [name for name in again for _ in range(1 if quick else SEVERAL.get(name, 1))]
    turns = [[*often, *once[n::rounds]] for n in range(rounds)]
    found: dict[str, dict[str, list[Row]]] = {name: {} for name in wanted}
    with tempfile.TemporaryDirectory() as place:
        for n, turn in enumerate(turns, 1):
            for name in turn:
                print(f"\rround {n} of {rounds}: {name:<12}", end="", file=sys.stderr, flush=True)
                for row in apart(name, quick, Path(place)):
                    found[name].setdefault(row.what, []).append(row)
    print("\r" + " " * 40, end="\r", file=sys.stderr, flush=True)
    return [row.among(others) for name in wanted for row, *others in found[name].values()]


def main(words: Sequence[str] | None = None) -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="some of them; all where none is named")
    parser.add_argument("--quick", action="store_true", help="smaller data and fewer repetitions: about a minute")
    parser.add_argument("--strict", action="store_true", help="exit 1 where a budget is missed")
    parser.add_argument("--json", action="store_true", help="as JSON, to compare two commits")
    parser.add_argument("--part", choices=[*PARTS], help=argparse.SUPPRESS)
    asked = parser.parse_args(words)
    if asked.part:
        with tempfile.TemporaryDirectory() as place:
            rows = list(PARTS[asked.part](Path(place), asked.quick))
    else:
        rows = every(asked.parts or [*PARTS], asked.quick)
    if asked.json:
        print(msgspec.json.encode(rows).decode())
    else:
        cores = os.cpu_count()
        print(f"{date.today()}, Python {platform.python_version()}, {platform.machine()}, {cores} cores\n")
        print("| what | ours | beside | ratio | budget |\n| --- | ---: | ---: | ---: | --- |")
        print("\n".join(map(shown, rows)))
    return 1 if asked.strict and not all(row.kept for row in rows) else 0


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # the same hashes in every run: they move small figures by a fifth
        os.environ["PYTHONHASHSEED"] = "0"
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # a user's Python keeps what it has compiled
        os.execv(sys.executable, [sys.executable, "-m", "benchmarks", *sys.argv[1:]])
    sys.exit(main())
