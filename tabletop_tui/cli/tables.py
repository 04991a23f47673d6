"""`tabletop roll CAMPAIGN --table weather`, and its chances: a campaign's own rollable tables."""

from __future__ import annotations

import os
from argparse import Namespace
from typing import Any

from ..kit.tables import RollTable, odds_of
from ..kit.tables import roll as rolled
from ..rules import Choice, Dice, Odds, RandomTable, Refused, roller, suggest
from . import acting
from .words import odds_data, out_json, say, show_odds


def _find(args: Namespace) -> tuple[Any, RandomTable]:
    """The world of the campaign that is named, and the table."""
    if len(args.words) != 1:
        raise Refused("a table needs its campaign, and nothing else", remedy=f"{args.command} CAMPAIGN --table NAME")
    args.campaign = args.words[0]
    table = acting.peek(args)
    found = table.world.tables.get(args.table)
    if found is None:
        known = [Choice(name) for name in table.world.tables]
        remedy = suggest(args.table, known) if known else "Write tables/weather.toml, say; see docs/files.md."
        raise Refused(f"there is no table {args.table!r}", where=args.campaign, remedy=remedy)
    return table.world, found


def odds(args: Namespace) -> int:
    """How likely each row is."""
    found = Odds((odds_of(_find(args)[1]),))
    if args.json:
        out_json(odds_data(found))
    else:
        show_odds(found)
    return 0


def roll(args: Namespace) -> int:
    """Roll on a table: in no log, unless it is asked for."""
    world, table = _find(args)
    if args.log:
        return _log(args)
    seed = os.urandom(16).hex()
    rolls = []
    for number in range(args.times):
        dice = Dice((), roller(seed, number))
        fell = rolled(world.tables, args.table, dice)
        rolls.append({"text": fell.text, "open": fell.open, "dice": dice.rolled})
    if args.json:
        out_json({"table": args.table, "title": table.title, "rolls": rolls})
        return 0
    for one in rolls:
        say(f"{table.title}: {one['text']}")
    return 0


def _log(args: Namespace) -> int:
    with acting.at_table(args) as campaign:
        for _ in range(args.times):
            entry = campaign.do(RollTable(args.table, secret=args.log == "gm"))
            acting.tell_entry(entry, args.json)
    return 0
