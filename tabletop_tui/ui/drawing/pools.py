"""Pools, chances and dice, as every screen draws them."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from msgspec import structs
from textual.content import Content

from ...rules import Face, Group, Hand, Model, Odds, Outcome, Pool, percent
from .text import ACCENT, DIM, INK, TONES, bar, cells, fit, flow, line, safe

LEAST_BAR = 4
"""Cells in which a bar says something."""
LEAST_NOTE = 8
"""Cells in which the beginning of a remark says something."""
DICE = 6
"""Cells of the column of dice: what is longer is no dice, "reroll 1s", and stands by itself."""
LONGEST_DICE = 12
"""Cells for which the names beside them give way: "12 resist"."""
CERTAIN = 1 - 1e-9
PICKED = "bold $on-accent on $tone-accent"
"""A die that was picked."""


def pool_lines(pools: Sequence[Pool], width: int) -> list[Content]:
    """A line a part: where the dice come from, the dice, a remark; with several pools under their owners."""
    parts = [part for pool in pools for part in pool.parts]
    dice = max((cells(p.dice) for p in parts if cells(p.dice) <= DICE), default=0)
    # a remark is cut before a name: where the dice come from is what is looked for; a number is not cut at all
    own = max((cells(p.dice) for p in parts if cells(p.dice) <= LONGEST_DICE), default=dice)
    name = min(max((cells(p.source) for p in parts), default=0), max(width - own - 4, 10))
    out: list[Content] = []
    for pool in pools:
        if len(pools) > 1 and [p.source for p in pool.parts] != [pool.who]:  # it has a name of its own
            out.append(line((f" {pool.who}", INK)))
        for p in pool.parts:
            thrown = fit(p.dice, max(dice, cells(p.dice)))
            left = width - name - cells(thrown) - 5
            note = f"  {fit(p.note, min(cells(p.note), left))}" if left >= min(cells(p.note), LEAST_NOTE) else ""
            out.append(
                line(
                    (f" {fit(p.source, name)}  ", DIM if p.tone in ("", "good") else INK),
                    (thrown, f"bold {TONES[p.tone]}"),
                    (note, DIM),
                )
            )
    return out


def chance_lines(odds: Odds | None, width: int, waiting: str = "", compact: bool = False) -> list[Content]:
    """A row an outcome, the number before the bar; "at least"s beside each other. Compact: all so, without bars."""
    if odds is None:
        return [line((f" {waiting}", DIM))] if waiting else []
    out: list[Content] = []
    groups = [g if not i or g.at_least else _beside(g, odds.groups[0]) for i, g in enumerate(odds.groups)]
    groups = [g for g in groups if g.chances]
    if compact:
        named = [bool(i) and len(g.chances) > 1 for i, g in enumerate(groups)]
        return [one for g, name in zip(groups, named, strict=True) for one in _group_lines(g, width, name)]
    rows = [g for g in groups if not g.at_least]
    # a number is never cut: a long label gives way, and so does the bar
    name = min(max((cells(c.label) for g in rows for c in g.chances), default=0), max(width - 9, 4))
    for group in rows:
        for c in group.chances:
            room = max(width - name - 10, 0)
            out.append(
                line(
                    (f" {fit(c.label, name)} ", INK),
                    (f"{percent(c.chance):>6} ", f"bold {INK}"),
                    *(bar(c.chance, min(room, 24), c.tone) if room >= LEAST_BAR else ()),
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
    """A group besides the outcome: of a yes or no the first half says it; what cannot happen is left out, and what is
    certain is no chance."""
    first = group.chances[0]
    if len(group.chances) == 2:
        if first.label == outcome.chances[0].label:  # the same outcome on other terms
            return structs.replace(group, chances=(structs.replace(first, label=group.name),))
        told = (structs.replace(first, label=f"{group.name}: {first.label}"),) if first.chance else ()
        return structs.replace(group, chances=told)
    return structs.replace(group, chances=tuple(c for c in group.chances if 0 < c.chance < CERTAIN))


def hand_lines(hands: Sequence[Hand], picked: set[int], cursor: int, width: int) -> list[Content]:
    """A row of dice a hand. Picked dice stand in brackets; the one under the cursor is underlined."""
    dice = max((_wide(h) for h in hands), default=0)
    name = min(max((cells(h.who) for h in hands), default=0), max(width // 3, width - dice - 3, 8))
    out = []
    for row, hand in enumerate(hands):
        pieces, kind = [], ""
        for i, face in enumerate(hand.faces):
            piece = _die(face, on=row == 0 and i in picked, here=row == 0 and i == cursor)
            if face.group != kind:
                kind = face.group
                piece = line((f"{kind} ", DIM)) + piece
            pieces.append(piece)
        if hand.total:
            pieces.append(line((" = ", DIM), (hand.total, f"bold {INK}")))
        out += flow(pieces, width, line((f" {fit(hand.who, name)}  ", f"bold {INK}")), name + 3)
    return out


def _wide(hand: Hand) -> int:
    """Cells that its dice and their total take on one line."""
    kinds = sum(cells(kind) + 1 for kind in {face.group for face in hand.faces} if kind)
    return kinds + sum(cells(f.text + _signs(f)) + 3 for f in hand.faces) + cells(hand.total) + 3


def boxed_lines(hands: Sequence[Hand], picked: set[int], cursor: int, width: int) -> list[Content]:
    """The same with each die in a box, three rows a hand; nothing where they do not fit beside each other."""
    name = min(max((cells(h.who) for h in hands), default=0), max(width // 3, 8))
    out: list[Content] = []
    for row, hand in enumerate(hands):
        top = foot = Content(" " * (name + 3))
        dice, kind = line((f" {fit(hand.who, name)}  ", f"bold {INK}")), ""
        for i, face in enumerate(hand.faces):
            if face.group != kind:
                kind = face.group
                blank = " " * (cells(kind) + 1)
                top, dice, foot = top + blank, dice + line((f"{kind} ", DIM)), foot + blank
            on, here = row == 0 and i in picked, row == 0 and i == cursor
            text = f" {face.text}{_signs(face)} "
            frame, corners = ("━", "┏┓┗┛┃") if on else ("─", "┌┐└┘│")
            style = ACCENT if on else TONES[face.tone]
            shown = PICKED if on else f"bold {style}"  # bold accent alone would mean a key
            edge = frame * cells(text)
            top = top + line((f"{corners[0]}{edge}{corners[1]} ", style))
            dice = dice + line(
                (corners[4], style), (text, f"{shown}{' underline' if here else ''}"), (f"{corners[4]} ", style)
            )
            foot = foot + line((f"{corners[2]}{edge}{corners[3]} ", style))
        if hand.total:
            dice = dice + line((" = ", DIM), (hand.total, f"bold {INK}"))
        if dice.cell_length > width:
            return []
        out += [top, dice, foot]
    return out


TINTS = {"good": "$good-tint", "bad": "$bad-tint", "warn": "$warn-tint"}
"""Behind an outcome or a chosen cell: a fifth of the tone, never all of it."""
SIGNS = {"good": "+", "bad": "!"}


def _signs(face: Face) -> str:
    """Besides its colour."""
    return SIGNS.get(face.tone, "") + ("'" if face.rerolled else "")


def _die(face: Face, on: bool, here: bool) -> Content:
    """A die: picked in brackets, underlined under the cursor, with a sign besides its colour."""
    text = f"[{face.text}{_signs(face)}]" if on else f" {face.text}{_signs(face)} "
    style = PICKED if on else f"{TONES[face.tone]} on $bar"
    return line((text, style + (" underline" if here else "")), (" ", ""))


class Answer(Model):
    """An answer to a prompt, as it is listed."""

    key: str
    label: str
    note: str = ""
    closed: str = ""
    hope: float | None = None
    """The chance that it leads to."""
    id: str = ""
    """What a click on it runs."""


def answer_lines(answers: Sequence[Answer], width: int) -> list[Content]:
    """A row an answer: its key, what it does, what it costs or leads to. A choice is never cut for a remark."""
    keys = max((cells(a.key) for a in answers), default=0) or 1
    room = max(width - keys - 3, 8)
    name = min(max((cells(a.label) for a in answers), default=0), room)
    out = []
    for a in answers:
        hope = f"  {percent(a.hope):>5}" if a.hope is not None else ""
        note = f"  {a.closed or a.note}" if a.closed or a.note else ""
        label = fit(a.label, name)
        if cells(hope) + cells(note) + name > room:
            label = fit(a.label, min(cells(a.label), room - min(cells(hope), room // 2)))
            note = fit(note, max(room - cells(label) - cells(hope), 0)).rstrip() if a.closed else ""
        sign, style = (fit("–", keys), DIM) if a.closed else (fit(a.key, keys), f"bold {ACCENT}")
        said = [(f" {sign} ", style), (label, DIM if a.closed else INK), (hope, f"bold {INK}"), (note, DIM)]
        out.append(line(*said))
    return out


def outcome_lines(outcome: Outcome, width: int, most: int = 12) -> list[Content]:
    """How it came out: one tinted line, then all that is to be said of it, as far as there is room.

    A sentence that is cut says so.
    """
    sign = {"good": "✓", "bad": "✗"}.get(outcome.tone, "●")
    style = f"bold {TONES[outcome.tone]} on {TINTS.get(outcome.tone, '$tint')}"
    detail = outcome.secret_detail or outcome.detail
    detail = detail if detail.casefold() != outcome.title.casefold() else ""
    said = [(piece, INK) for piece in wrap(safe(detail), max(width - 2, 12))]
    head = f"{sign} {outcome.title.upper()}"
    if len(said) == 1 and cells(head) + cells(said[0][0]) + 4 <= width:
        tail = said.pop()[0]
        gap = max(width - 2 - cells(head) - cells(tail), 1)
        rows = [line((" ", ""), (head, style), (" " * gap, style), (tail, f"{INK} on {style.split()[-1]}"))]
    else:
        rows = [line((" ", ""), (fit(head, max(width - 2, 4)), style))]
    said += [(piece, DIM) for piece in wrap(safe(outcome.next), max(width - 2, 12))]
    if 1 < most <= len(said):
        piece, tone = said[most - 2]
        said[most - 2 :] = [(f"{wrap(piece, max(width - 4, 10))[0]} …", tone)]
    return [*rows, *(line((f" {piece}", tone)) for piece, tone in said)][:most]
