"""`tabletop roll` and `tabletop odds`: dice as they are written in the workbench, with or without a campaign."""

from __future__ import annotations

import os
import re
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..rules import Dice, Engine, Odds, Refused, TableError, clean, percent, roller, tag_of
from ..workbench import BadDice, Benches, Chances, Reading
from .words import complain, odds_data, out_json, say, show_odds

ROWS = 20
"""Of the chart: more values than this share rows."""
WINDOW = 60
"""Characters of a long text that are shown around the one that is wrong."""
MOST_TIMES = 100
PLAIN_SUM = re.compile(r"[0-9dD+\-−\s]+((>=|≥)\s*[0-9]+\s*)?")
NEGLIGIBLE = 5e-5
"""The chart leaves out tails that are rarer than this."""


def odds(args: Namespace) -> int:
    """The exact chances of dice, of a campaign's action, or of a row of its rollable tables."""
    from ..storage.user.paths import is_campaign
    from . import acting, tables

    if args.table:
        return tables.odds(args)
    first, *rest = args.words
    campaign = _campaign(first)
    if campaign and is_campaign(campaign) and not rest:
        remedy = f"tabletop odds {first} ACTION, or dice: tabletop odds {first} 3d6"
        raise Refused("an action or dice are missing after the campaign", where=first, remedy=remedy)
    if not campaign or not rest:
        text = " ".join(args.words)
        return _odds(args, text, Benches(_readers(text)))
    args.campaign, args.action, args.fields = first, rest[0], rest[1:]
    table = acting.peek(args)
    known = {tag_of(kind) for kind in table.engine.actions}
    benches = Benches(_readers(), table.engine, table.world)
    if rest[0] not in known and _dicelike(" ".join(rest), benches):
        return _odds(args, " ".join(rest), benches)
    return acting.odds(args)


def roll(args: Namespace) -> int:
    """Roll dice, which touches nothing of a session, or on a rollable table."""
    if not 1 <= args.times <= MOST_TIMES:
        raise Refused(f"--times {args.times} is out of range", remedy=f"From 1 to {MOST_TIMES}.")
    if args.table:
        from . import tables

        return tables.roll(args)
    if args.log:
        raise Refused("dice without a table stand in no log", remedy="--log goes with --table.")
    text = " ".join(args.words)
    if args.campaign:
        from . import acting

        with acting.at_table(args) as campaign:
            benches = Benches(_readers(), campaign.table.engine, campaign.table.world)
    else:
        benches = Benches(_readers(text))
    found = _read(benches, text)
    if found is None:
        return 1
    seed = os.urandom(16).hex()
    rolls = []
    for number in range(args.times):
        dice = Dice((), roller(seed, number))
        fell = found.throw(dice)
        rolls.append({"value": fell.value, "words": fell.words, "dice": dice.rolled})
    if args.json:
        out_json({"text": text, "read": found.words, "number": found.number, "rolls": rolls})
        return 0
    say(_reading(found), "muted")
    for one in rolls:
        say(f"{one['words']}")
    return 0


def _readers(text: str = "") -> Sequence[Engine]:
    """The games that may read an expression: none where dice and numbers are all there is, so none is loaded."""
    if PLAIN_SUM.fullmatch(text):
        return ()
    from .. import plugins

    return tuple(plugins.load_all().engines.values())


def _campaign(word: str) -> Path | None:
    """The folder that a word names, if it names one."""
    from ..storage.user.paths import locate

    try:
        return locate(word) if word.strip() else None
    except (TableError, OSError, ValueError):  # much that can be typed is no file's name
        return None


def _dicelike(text: str, benches: Benches) -> bool:
    """Does it read, or go wrong only after it has begun to? Otherwise somebody has mistyped an action."""
    try:
        benches.read(text)
    except BadDice as error:
        return "=" not in text and ("/" in text or (error.at > 0 and not text[:1].isalpha()))
    return True


def _read(benches: Benches, text: str) -> Reading | None:
    """An expression, or a sentence with a caret under the character that is wrong."""
    for failure in benches.failed:
        complain(f"{failure}.")
    try:
        return benches.read(text)
    except BadDice as error:
        words = text.split()
        if error.at == 0 and len(words) > 1 and _wordlike(words):
            from ..storage.user.paths import locate

            locate(words[0])  # two plain words were meant as a campaign and an action: say that it is not there
        complain(str(error))
        for one in pointed(text, error.at):
            complain(one)
        return None


def _wordlike(words: list[str]) -> bool:
    return words[0][:1].isalpha() and "/" not in words[0] and all(not w[0].isdigit() for w in words[1:])


def pointed(text: str, at: int) -> tuple[str, str]:
    """A text, or the part of it around a character, and a caret under that character."""
    begin = max(at - WINDOW // 2, 0) if len(text) > WINDOW else 0
    part = text[begin : begin + WINDOW].replace("\n", " ").replace("\t", " ")
    before = ("…" if begin else "") + clean(part[: at - begin])
    return (
        f"  {before}{clean(part[at - begin :])}{'…' if begin + WINDOW < len(text) else ''}",
        f"  {' ' * _cells(before)}^",
    )


def _cells(text: str) -> int:
    """How wide a terminal draws it."""
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _reading(found: Reading) -> str:
    return f"{found.words}  ({found.game})" if found.game else found.words


def _odds(args: Namespace, text: str, benches: Benches) -> int:
    found = _read(benches, text)
    if found is None:
        return 1
    chances = found.work()
    asked = args.at_least if args.at_least is not None else found.goal
    if args.json:
        out_json(_data(text, found, chances, asked))
        return 0
    say(_reading(found), "muted")
    _chart(found, chances)
    low, high = chances.within(0.05)
    say(f"mean {chances.mean:,.2f}, spread {chances.spread:,.2f}, 90 % from {low:,} to {high:,}")
    if asked is not None:
        say(f"at least {asked:,}: {percent(chances.at_least(asked))}", "bold")
    if chances.groups:
        show_odds(Odds(chances.groups))
    return 0


def _chart(found: Reading, chances: Chances) -> None:
    """A row a value, or a few values a row."""
    low, high = chances.within(NEGLIGIBLE)
    step = -(-(high - low + 1) // ROWS)
    rows = []
    for value in range(low, high + 1, step):
        last = min(value + step - 1, high)
        label = f"{value:,}" if value == last else f"{value:,} to {last:,}"
        rows.append((label, chances.at_least(value) - chances.at_least(last + 1)))
    if low > chances.low:
        rows.insert(0, (f"{low - 1:,} or less", 1 - chances.at_least(low)))
    if high < chances.high:
        rows.append((f"{high + 1:,} or more", chances.at_least(high + 1)))
    width = max(len(label) for label, _ in rows)
    most = max(p for _, p in rows)
    say(found.number, "bold")
    for label, p in rows:
        say(f"  {label:>{width}}  {percent(p):>6}  {'█' * round(p / most * 40)}".rstrip())


def _data(text: str, found: Reading, chances: Chances, asked: int | None) -> dict[str, Any]:
    return {
        "text": text,
        "read": found.words,
        "game": found.game,
        "number": found.number,
        "mean": chances.mean,
        "spread": chances.spread,
        "chances": {str(v): p for v, p in chances.pmf.items()},
        "at_least": {} if asked is None else {str(asked): chances.at_least(asked)},
        **odds_data(Odds(chances.groups)),
    }
