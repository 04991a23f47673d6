"""How the command line speaks: coloured on a terminal, plain in a pipe, never with a control character in it."""

from __future__ import annotations

import os
import sys
from typing import Any, TextIO

from ..rules import Odds, Prompt, clean, percent, tag_of, values

CODES = {"bold": "1", "good": "32", "warn": "33", "bad": "31", "muted": "2", "": ""}


def coloured(stream: TextIO) -> bool:
    """Only where a person looks, and has not asked for none."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, tone: str = "", stream: TextIO | None = None) -> str:
    """Text in a tone; whatever it holds cannot control the terminal."""
    safe = clean(text)
    code = CODES.get(tone, "")
    return f"\x1b[{code}m{safe}\x1b[0m" if code and coloured(stream or sys.stdout) else safe


def say(text: str = "", tone: str = "") -> None:
    """A line on standard output."""
    print(paint(text, tone))


def complain(text: str) -> None:
    """A line on standard error."""
    print(paint(text, "bad", sys.stderr), file=sys.stderr)


def show_odds(odds: Odds) -> None:
    """Pools with where each die comes from, then the chances."""
    for pool in odds.pools:
        say(pool.who, "bold")
        for part in pool.parts:
            say(f"  {part.source:<16} {part.dice:<10} {part.note}".rstrip())
    for group in odds.groups:
        say(group.name, "bold")
        width = max((len(c.label) for c in group.chances), default=0)
        for c in group.chances:
            bar = "█" * round(c.chance * 30)
            print(f"  {paint(c.label):<{width}}  {percent(c.chance):>6}  {paint(bar, c.tone)}".rstrip())


def odds_data(odds: Odds) -> dict[str, Any]:
    """Odds for programs: full precision."""
    return {
        "groups": {g.name: {c.label: c.chance for c in g.chances} for g in odds.groups},
        "pools": [
            {"who": p.who, "parts": [{"source": q.source, "dice": q.dice} for q in p.parts]} for p in odds.pools
        ],
    }


def command_for(action: Any) -> str:
    """The words that perform an action on the command line."""
    out = [tag_of(type(action))]
    for name, value in values(action).items():
        if value in ("", (), None, False):
            continue
        word = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        out.append(f"{name}={word!r}" if " " in word else f"{name}={word}")
    return " ".join(out)


def show_prompt(prompt: Prompt, campaign: str) -> None:
    """What the game waits for, and the commands that answer."""
    say(prompt.text, "warn")
    for option in prompt.options:
        if not option.closed:
            say(f"  tabletop act {campaign} {command_for(option.action):<32} {option.label}")
