"""How the command line speaks: coloured on a terminal, plain in a pipe, never with a control character in it.

Everything that is printed goes out through here: nothing else in this folder writes to a stream.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import msgspec

from ..rules import HOSTILE, Odds, Prompt, clean, percent, tag_of, values

CODES = {"bold": "1", "good": "32", "warn": "33", "bad": "31", "muted": "2", "": ""}
LONG = 5_000
"""Steps from which on the work takes long enough to wonder."""


def coloured(stream: TextIO) -> bool:
    """Only where a person looks, and has not asked for none."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, tone: str = "", stream: TextIO | None = None) -> str:
    """Text in a tone; whatever it holds cannot control the terminal."""
    safe = clean(text)
    code = CODES.get(tone, "")
    return f"\x1b[{code}m{safe}\x1b[0m" if code and coloured(stream or sys.stdout) else safe


def forgiving_streams() -> None:
    """Let a terminal that cannot show a character show a question mark: no sentence is lost to an old locale."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def say(text: str = "", tone: str = "") -> None:
    """A line on standard output."""
    print(paint(text, tone))


def complain(text: str, tone: str = "bad") -> None:
    """A line on standard error."""
    print(paint(text, tone, sys.stderr), file=sys.stderr)


def out_json(data: Any) -> None:
    """Data on one line, for programs."""
    print(json_text(data))


def json_text(data: Any) -> str:
    """JSON that controls no terminal and that any terminal can show: what could is escaped, so the data stay as they
    are."""
    text = HOSTILE.sub(_escaped, msgspec.json.encode(data).decode())
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = "".join(c if c.isascii() else _escape(c) for c in text)
    return text


def _escaped(found: re.Match[str]) -> str:
    return _escape(found[0])


def _escape(character: str) -> str:
    """As JSON writes a character that it does not show: beyond U+FFFF by two."""
    pair = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{pair[i : i + 4]}" for i in range(0, len(pair), 4))


def progress(words: str = "") -> None:
    """How far long work is, on a terminal's last line; nothing takes it away again."""
    print(f"\r{clean(words):<40}" + ("" if words else "\r"), end="", file=sys.stderr, flush=True)


@contextmanager
def telling() -> Iterator[Progress | None]:
    """Tell how far long work is while it is done, where somebody looks."""
    shown = Progress() if sys.stderr.isatty() else None
    try:
        yield shown
    finally:
        if shown:
            shown.end()


class Progress:
    """How far long work is, on a terminal's last line."""

    shown = False

    def __call__(self, done: int, of: int) -> None:
        """Say it, where the work is long."""
        if of >= LONG:
            self.shown = True
            progress(f"{done * 100 // of:3d} % of {of:,} steps")

    def end(self) -> None:
        """Take the line away again."""
        if self.shown:
            progress()


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
    """What the game waits for, and the commands that answer; without a campaign the answers alone."""
    say(prompt.text, "warn")
    for option in prompt.options:
        if not option.closed:
            command = f"tabletop act {campaign} {command_for(option.action):<32} " if campaign else ""
            say(f"  {command}{option.label}")
