"""`tabletop conform`: the whole conformance kit on one engine, as a page that its author can act on."""

from __future__ import annotations

import sys
from argparse import Namespace

from .. import plugins
from ..conformance import conform
from ..storage.user.paths import locate
from .words import progress, say


def run(args: Namespace) -> int:
    """Try an engine; 1 where there is something to change."""
    engine = plugins.load(args.engine)
    folder = locate(args.campaign) if args.campaign else None
    shown = sys.stderr.isatty()

    def tell(words: str) -> None:
        if shown:
            progress(words)

    report = conform(engine, folder, games=max(args.games, 1), edits=max(args.edits, 1), progress=tell)
    if shown:
        progress()
    say(f"{engine.title} ({engine.name} {engine.version})", "bold")
    for section in report.sections:
        say(f"{'✗' if section.found else '✓'} {section.title}: {section.looked}", "bad" if section.found else "good")
        for finding in section.found:
            say(f"    {finding}")
    count = sum(len(section.found) for section in report.sections)
    say("It keeps the contract." if report.sound else f"{count} to look at.", "good" if report.sound else "bad")
    return 0 if report.sound else 1
