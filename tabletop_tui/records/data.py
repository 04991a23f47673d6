"""A record as numbers: JSON for programs, CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import Any

import msgspec

from ..rules import Handful
from .luck import Luck
from .recap import Recap
from .record import Record
from .words import dice_words, heading

VERSION = 1
"""Of the JSON's keys. Keys may be added under one version; none is renamed or taken away."""

_FORMULA = ("=", "+", "-", "@", "\t", "\n")


def as_json(record: Record) -> str:
    """The record for programs. Every key is always there; chances and luck are 0 to 1 in full precision."""
    data = {
        "record": VERSION,
        "campaign": record.campaign,
        "session": record.session,
        "engine": record.engine,
        "game": record.game,
        "began": record.began,
        "ended": record.ended,
        "for": record.reader,
        "notes": record.notes,
        "taken_back": record.taken_back,
        "recap": _recap(record.recap) if record.recap else None,
        "scenes": [
            {
                "title": heading(record, c),
                "about": c.about,
                "entries": [
                    {
                        "number": b.number,
                        "at": b.at,
                        "by": b.by,
                        "action": b.action,
                        "kind": b.kind,
                        "said": b.said,
                        "whispered": b.whispered,
                        "undone": b.undone,
                        "dice": [_hand(h) for h in b.dice],
                    }
                    for b in c.beats
                ],
            }
            for c in record.chapters
        ],
        "counters": [
            {"name": s.name, "most": s.most, "entries": s.entries, "values": s.values} for s in record.series
        ],
        "rolls": [
            {
                "number": r.entry,
                "who": r.who,
                "action": r.action,
                "result": r.result,
                "chance": r.chance,
                "hoped": r.hoped,
                "luck": r.luck,
            }
            for r in record.rolls
        ],
        "luck": [_luck(one) for one in record.luck],
        "together": _luck(record.together) if record.together else None,
        "tallies": [
            {
                "action": t.action,
                "group": t.group,
                "counts": t.counts,
                "numbers": t.numbers,
                "above": t.above,
                "total": t.total,
                "most": t.most,
            }
            for t in record.tallies
        ],
        "dice": [{"sides": d.sides, "count": d.count, "mean": d.mean, "expected": d.expected} for d in record.dice],
    }
    return msgspec.json.format(msgspec.json.encode(data), indent=1).decode() + "\n"


def _recap(recap: Recap) -> dict[str, Any]:
    return {
        "scenes": [{"title": p.title, "lines": p.lines} for p in recap.passages],
        "turning": recap.turning,
        "now": recap.now,
        "counters": recap.counters,
        "lasting": recap.lasting,
    }


def _hand(hand: Handful) -> dict[str, Any]:
    return {"why": hand.why, "sides": hand.sides, "faces": hand.faces, "typed": hand.typed, "secret": hand.secret}


def _luck(one: Luck) -> dict[str, Any]:
    return {"who": one.who, "rolls": one.rolls, "expected": one.expected, "hopes": one.hopes, "luck": one.luck}


def cell(text: str) -> str:
    """Text that no spreadsheet runs as a formula: one that could begin one gets an apostrophe in front."""
    return f"'{text}" if text.startswith(_FORMULA) or text.lstrip().startswith(_FORMULA) else text


def columns(record: Record) -> list[str]:
    """A name of its own for each counter: two clocks may share one."""
    seen: Counter[str] = Counter()
    out = []
    for one in record.series:
        seen[one.name] += 1
        out.append(one.name if seen[one.name] == 1 else f"{one.name} ({seen[one.name]})")
    return out


def as_csv(record: Record) -> str:
    """A row an entry, with every counter as it stood after it."""
    gm = record.reader == "gm"
    head = ["number", "at", "by", "scene", "action", "kind", "said", *(["whispered"] if gm else []), "dice"]
    head += ["undone"] if record.undone else []
    rows: list[list[Any]] = [[*head, *map(cell, columns(record))]]
    at = {number: place for place, number in enumerate(record.series[0].entries)} if record.series else {}
    for chapter in record.chapters:
        scene = cell(heading(record, chapter))
        for b in chapter.beats:
            said = [cell("\n".join(b.said)), *([cell("\n".join(b.whispered))] if gm else [])]
            dice = cell("; ".join(f"{h.why} {dice_words(h.sides)}: {' '.join(map(str, h.faces))}" for h in b.dice))
            place = at.get(b.number)
            counters = ["" if place is None or s.values[place] is None else s.values[place] for s in record.series]
            undone = ["yes" if b.undone else ""] if record.undone else []
            rows.append([b.number, b.at, cell(b.by), scene, cell(b.action), b.kind, *said, dice, *undone, *counters])
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()
