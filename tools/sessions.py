"""Plays the sample campaigns: a whole evening each, through the program's own actions, with seeded dice.

python tools/sessions.py                   all of them, into campaigns/<name>/played/
python tools/sessions.py ember-road        some of them
python tools/sessions.py --check           says whether what is there is what would be played; exits 1 if not

The people who play are in tools/evenings. They react to the dice, so that an evening can be played again
when a rule has changed. The same program plays the same evening, byte by byte: the dice and the clock depend on
the seed alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from evenings import EVENINGS, kept, played


def main(words: Sequence[str] | None = None) -> int:
    """Play, and write or compare."""
    parser = argparse.ArgumentParser(description="Play the sample campaigns' evenings.")
    parser.add_argument("names", nargs="*", metavar="campaign", help=f"of {', '.join(EVENINGS)}; all where none is")
    parser.add_argument("--check", action="store_true", help="compare with what is there; exit 1 where it differs")
    asked = parser.parse_args(words)
    if unknown := [name for name in asked.names if name not in EVENINGS]:
        parser.error(f"there is no evening of {unknown[0]!r}; choose from: {', '.join(EVENINGS)}")
    differs = False
    for name in asked.names or EVENINGS:
        log, path = played(name), kept(name)
        same = path.is_file() and path.read_bytes() == log
        if not asked.check and not same:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(log)
        differs |= not same
        how = "as it was" if same else "differs" if asked.check else "written"
        entries = len(log.splitlines()) - 1
        print(f"{name}: {entries} entries, {len(log):,} bytes: {how}")
    return int(asked.check and differs)


if __name__ == "__main__":
    sys.exit(main())
