"""Pools, chances and dice, as every screen draws them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

from msgspec import structs
from textual.content import Content

from ..rules import Face, Group, Hand, Odds, Outcome, Pool, Prompt, percent
from .text import ACCENT, DIM, FAINT, INK, TONES, bar, cells, fit, flow, join, keycap, line, safe


def pool_lines(pools: Sequence[Pool], width: int) -> list[Content]:
    """A line a part: where the dice come from, the dice, a remark."""
    parts = [part for pool in pools for part in pool.parts]
    dice = max((cells(p.dice) for p in parts), default=0)
    notes = max((cells(p.note) for p in parts), default=0)
    name = min(max((cells(p.source) for p in parts), default=0), max(width - dice - notes - 5, width // 3, 10))
    return [
        line(
            (f" {fit(p.source, name)}  ", DIM if p.tone in ("", "good") else INK),
            (fit(p.dice, dice), f"bold {TONES[p.tone]}"),
            (f"  {p.note}", FAINT),
        )
        for p in parts
    ]


def chance_lines(odds: Odds | None, width: int, waiting: str = "", compact: bool = False) -> list[Content]:
    """A row an outcome, the number before the bar; "at least"s beside each other. Compact: all so, without bars."""
    if odds is None:
        return [line((f" {waiting}", FAINT))] if waiting else []
    out: list[Content] = []
    groups = [g if not i or g.at_least else _beside(g, odds.groups[0]) for i, g in enumerate(odds.groups)]
    if compact:
        named = [bool(i) and len(g.chances) > 1 for i, g in enumerate(groups)]
        return [one for g, name in zip(groups, named, strict=True) for one in _group_lines(g, width, name)]
    rows = [g for g in groups if not g.at_least]
    name = max((cells(c.label) for g in rows for c in g.chances), default=0)
    for group in rows:
        for c in group.chances:
            room = max(width - name - 10, 4)
            out.append(
                line(
                    (f" {fit(c.label, name)} ", INK),
                    (f"{percent(c.chance):>6} ", f"bold {INK}"),
                    *bar(c.chance, min(room, 24), c.tone),
                )
            )
    return out + [one for group in groups if group.at_least for one in _group_lines(group, width, named=True)]


def _group_lines(group: Group, width: int, named: bool) -> list[Content]:
    """The chances of a group beside each other, on as many lines as they need."""
    first = line((f" {group.name} ", DIM)) if named else Content("")
    pieces = [
        line((f" {c.label} ", DIM), (percent(c.chance), f"bold {INK}"), (" ", ""))
        for c in group.chances
        if c.chance > 0
    ]
    return flow(pieces, width, first, first.cell_length)


def _beside(group: Group, outcome: Group) -> Group:
    """A group besides the outcome: of a yes or no the first half says it; what cannot happen is left out."""
    first = group.chances[0]
    if len(group.chances) == 2:
        same = first.label == outcome.chances[0].label  # the same outcome on other terms
        return structs.replace(
            group, chances=(structs.replace(first, label=group.name if same else f"{group.name}: {first.label}"),)
        )
    return structs.replace(group, chances=tuple(c for c in group.chances if c.chance > 0))


def hand_lines(hands: Sequence[Hand], picked: set[int], cursor: int, width: int) -> list[Content]:
    """A row of dice a hand. Picked dice stand in brackets; the one under the cursor is underlined."""
    name = min(max((cells(h.who) for h in hands), default=0), max(width // 3, 8))
    out = []
    for row, hand in enumerate(hands):
        pieces, kind = [], ""
        for i, face in enumerate(hand.faces):
            piece = _die(face, on=row == 0 and i in picked, here=row == 0 and i == cursor)
            group = next((word for word in face.mark.split() if word not in MARKED), "")
            if group != kind:
                kind = group
                piece = line((f"{group} ", FAINT)) + piece
            pieces.append(piece)
        if hand.total:
            pieces.append(line((" = ", DIM), (hand.total, f"bold {INK}")))
        out += flow(pieces, width, line((f" {fit(hand.who, name)}  ", f"bold {INK}")), name + 3)
    return out


MARKED = ("rerolled", "exploded", "raised")
"""What a die's own sign tells; any other mark names the group of dice that it begins."""
SIGNS = {"good": "+", "bad": "!"}


def _die(face: Face, on: bool, here: bool) -> Content:
    """A die: picked in brackets, underlined under the cursor, with a sign besides its colour."""
    sign = SIGNS.get(face.tone, "") + ("'" if "rerolled" in face.mark.split() else "")
    text = f"[{face.text}{sign}]" if on else f" {face.text}{sign} "
    style = "bold $on-accent on $tone-accent" if on else f"{TONES[face.tone]} on $bar"
    return line((text, style + (" underline" if here else "")), (" ", ""))


def numbered(prompt: Prompt) -> list[int]:
    """The places of the options that have no letter: the digits from 1 press them."""
    return [place for place, option in enumerate(prompt.options) if not option.key]


def prompt_lines(prompt: Prompt, width: int, hopes: Mapping[int, float] | None = None) -> list[Content]:
    """What the game waits for, and the keys that answer; the first one is Enter's too. Hopes: the chance of each."""
    digits = {place: str(number) for number, place in enumerate(numbered(prompt), 1)}
    keys = []
    for place, option in enumerate(prompt.options):
        sign = "" if place or option.closed or option.key == "enter" else "↵"
        hope = f" {percent(hopes[place])}" if hopes and place in hopes else ""
        keys.append(keycap(f"{option.key or digits[place]}{sign}", f"{option.label}{hope}", bool(option.closed)))
    text = line((" ▲ ", ACCENT), (prompt.text, f"bold {INK}"))
    answers = Content("   ") + join(keys, "   ")
    if text.cell_length + answers.cell_length <= width:
        return [text + answers]
    out = [
        line((" ▲ " if not i else "   ", ACCENT), (piece, f"bold {INK}"))
        for i, piece in enumerate(wrap(safe(prompt.text), max(width - 4, 12)))
    ]
    return out + flow((Content(" ") + key + Content(" ") for key in keys), width, Content("  "), 2)


def outcome_lines(outcome: Outcome, width: int, large: bool) -> list[Content]:
    """How it came out; in large where there is room."""
    sign = {"good": "✓", "bad": "✗"}.get(outcome.tone, "●")
    style = f"bold $background on {TONES[outcome.tone]}"
    title = " ".join(outcome.title) if large and len(outcome.title) * 2 < width - 8 else outcome.title
    badge = f"  {sign} {title}  "
    out = []
    if large:
        blank = line((" ", ""), (" " * (width - 2), style))
        pad = max(width - 2 - cells(badge), 0)
        middle = line((" ", ""), (" " * (pad // 2) + badge + " " * (pad - pad // 2), style))
        out += [blank, middle, blank, line((f" {outcome.detail}", INK))]
    else:
        out.append(line((" ", ""), (badge, style), (f"  {outcome.detail}", INK)))
    if outcome.next:
        out.append(line((f" {outcome.next}", DIM)))
    return out
