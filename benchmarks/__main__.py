"""`python -m benchmarks`: a table of what things cost, each beside a reference in the same run."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path

import msgspec

from .chances import dice, odds
from .measure import Row, number
from .screens import idle, keys, line, seats, starting
from .storage import acting, folding, opening

Part = Callable[[Path, bool], Iterator[Row]]
PARTS: dict[str, Part] = {
    "start": starting, "keys": keys, "line": line, "idle": idle, "open": opening, "fold": folding, "act": acting,
    "odds": odds, "dice": dice, "seats": seats,
}  # fmt: skip


TWICE = ("odds", "keys", "act")
"""Parts of small figures: they are measured at the beginning, too, and what was disturbed less counts."""


def shown(row: Row) -> str:
    """A line of the table, in Markdown."""
    beside = number(row.beside, row.unit) if row.beside is not None else "–"
    ratio = f"{row.ratio:.2f}×" if row.ratio is not None else "–"
    budget = f"{row.budget} {'✓' if row.kept else '✗ missed'}" if row.budget else "–"
    return f"| {row.what} | {number(row.ours, row.unit)} | {beside} {row.reference} | {ratio} | {budget} |"


def measured(name: str, place: str, quick: bool) -> Iterator[Row]:
    """The rows of a part, in a folder of its own: Home lists nothing of the other parts."""
    os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = own = tempfile.mkdtemp(prefix=f"{name}-", dir=place)
    return PARTS[name](Path(own), quick)


def main(words: Sequence[str] | None = None) -> int:
    """Measure, and print each row as it comes."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="some of them; all where none is named")
    parser.add_argument("--quick", action="store_true", help="smaller data and fewer repetitions: about a minute")
    parser.add_argument("--strict", action="store_true", help="exit 1 where a budget is missed")
    parser.add_argument("--json", action="store_true", help="as JSON, to compare two commits")
    asked = parser.parse_args(words)
    rows: list[Row] = []
    if not asked.json:
        cores = os.cpu_count()
        print(f"{date.today()}, Python {platform.python_version()}, {platform.machine()}, {cores} cores\n")
        print("| what | ours | beside | ratio | budget |\n| --- | ---: | ---: | ---: | --- |")
    with tempfile.TemporaryDirectory() as place:
        wanted = asked.parts or [*PARTS]
        early = {row.what: row for name in TWICE if name in wanted for row in measured(name, place, asked.quick)}
        for name in wanted:
            for found in measured(name, place, asked.quick):
                row = found.less(early[found.what]) if found.what in early else found
                rows.append(row)
                if not asked.json:
                    print(shown(row), flush=True)
    if asked.json:
        print(msgspec.json.encode(rows).decode())
    return 1 if asked.strict and not all(row.kept for row in rows) else 0


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # the same hashes in every run: they move small figures by a fifth
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "benchmarks", *sys.argv[1:]])
    sys.exit(main())
