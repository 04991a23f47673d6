"""The stage of the table while no dice wait: who is up and what they can do, or the scene and what could happen."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from textual.content import Content

from ...rules import Line, Model, Odds, Pool, percent
from ..drawing.pools import Answer, chance_lines, pool_lines
from ..drawing.text import ACCENT, DIM, INK, TONES, cells, fit, heading, line, safe, share, spread, with_more
from .panel import Clicks

ABOUT, SECRET = 3, 2
"""Lines of a scene and of its secret beside what could happen."""
EVERYTHING = 100
"""So many times that, where there is room: all of it."""
BAR = 17
"""Cells of a bar."""
CHANCE = 7
"""Cells of the chance before it."""
MOST_NAME = 16
"""Cells of a column's name."""


class WayLine(Model):
    """A skill or a weapon, with the chance against each of the columns."""

    id: str
    """What a click on it runs."""
    key: str
    label: str
    hopes: tuple[float | None, ...]
    chosen: bool = False


class Doing(Model):
    """What the stage tells while nobody has to answer."""

    who: str = ""
    facts: str = ""
    scene: str = ""
    where: str = "you are here"
    about: str = ""
    secret: str = ""
    reminders: tuple[str, ...] = ()
    title: str = ""
    hint: str = ""
    columns: tuple[str, ...] = ()
    ways: tuple[WayLine, ...] = ()
    rest: str = ""
    weighed: bool = False
    """Have all chances come that can be told?"""
    pools: tuple[Pool, ...] = ()
    odds: Odds | None = None
    """What the first letter rolls, in games that say so, and its chances in full."""
    waiting: str = ""
    others: tuple[Answer, ...] = ()
    ready: tuple[Answer, ...] = ()
    """What the scene has ready besides, to be read: it has no keys here."""
    lasting: tuple[Line, ...] = ()


def head_rows(doing: Doing, width: int) -> int:
    """Rows that who or where takes above dice that lie there."""
    return len(_head(doing, width))


def doing_rows(doing: Doing, width: int) -> int:
    """Rows that who or where and what can be done take beside dice that lie there."""
    return len(_head(doing, width)) + len(_others(doing, width, Clicks()))


def doing_lines(doing: Doing, width: int, height: int, fell: Sequence[Content], clicks: Clicks) -> list[Content]:
    """From the top: who or where, the dice that lie there, the ways to act, and the rest of what can be done.

    Nothing where the ways find no room below the dice.
    """
    head = _head(doing, width)
    room = height - len(head) - (len(fell) or doing_rows(doing, width) - len(head))
    ways = [*_ways(doing, width, clicks), *roll_lines(doing, width, room)]
    if fell and ways and len(ways) > room:
        return []
    others = _others(doing, width, clicks, beside=bool(ways))
    spare = height - len(head) - len(fell) - len(ways) - len(others)
    if spare < 0:
        left = others[: max(len(others) + spare, 0)]
        # no heading with nothing under it; and what is left out is owned up to
        others = with_more(left, 0, len(others) - len(left), width) if len(left) > 1 else []
    gaps = max(min(spare, 2), 0)
    longer = (_head(doing, width, often) for often in (EVERYTHING, 2))
    head = next((told for told in longer if len(told) - len(head) <= spare - gaps), head)
    out = [*head, *([line(("", ""))] if gaps and head and (ways or fell) else []), *fell, *ways]
    out += [*([line(("", ""))] if gaps > 1 and others and out else []), *others]
    out += lasting_lines(doing.lasting, width, height - len(out))
    told = doing.who and (doing.about or doing.secret)
    return [*out, *scene_lines(doing, width, height - len(out))] if told else out


def lasting_lines(lasting: Sequence[Line], width: int, room: int) -> list[Content]:
    """What lasts on whom and when it ends, as far as there is room."""
    if not lasting or room < 2:
        return []
    rows = [((f" {x.label}  ", INK), (x.value, TONES[x.tone]), (f"  {x.because}", DIM)) for x in lasting]
    return [heading("until it ends", width), *(line(*row) for row in rows)][:room]


def roll_lines(doing: Doing, width: int, room: int) -> list[Content]:
    """The pool of what would be rolled, and its chances: in full where there is room."""
    if not doing.pools and doing.odds is None:
        return []
    pools = pool_lines(doing.pools, width)
    full = chance_lines(doing.odds, width, doing.waiting)
    if len(pools) + len(full) + len(doing.ways) + 2 > room:
        full = chance_lines(doing.odds, width, doing.waiting, compact=True)
    return [*pools, *full]


def _head(doing: Doing, width: int, often: int = 1) -> list[Content]:
    told = [line((f" ~ {piece}", INK)) for r in doing.reminders for piece in wrap(safe(r), max(width - 4, 20))]
    if doing.who:
        left = line((f" {doing.who}", f"bold {INK}"), (f"  {doing.facts}" if doing.facts else "", DIM))
        return [left.truncate(width, ellipsis=True), *told]
    return [*_scene(doing, width, often * ABOUT, often * SECRET), *told]


def scene_lines(doing: Doing, width: int, room: int) -> list[Content]:
    """Where we are after a blank line: whole, at length, in short, or not at all, as there is room for it."""
    for often in (EVERYTHING, 2, 1):
        found = [line(("", "")), *_scene(doing, width, often * ABOUT, often * SECRET)]
        if 1 < len(found) <= room:
            return [*found, *_ready(doing, width, room - len(found))]
    return []


def _ready(doing: Doing, width: int, room: int) -> list[Content]:
    """What the scene has ready, as far as there is room for it."""
    if room < 3 or not doing.ready:
        return []
    out = [line(("", "")), heading("prepared here", width)]
    for a in doing.ready[: room - 2]:
        out.append(_noted(line((f" {a.label}", INK)), a.note, width))
    return out


def _noted(left: Content, note: str, width: int) -> Content:
    """With a remark at the right, which is dropped whole where it does not fit."""
    right = line((f"{note} ", DIM))
    return spread(left, right, width) if left.cell_length + right.cell_length + 1 <= width else left


def _scene(doing: Doing, width: int, about: int, secret: int) -> list[Content]:
    """Where we are, as everybody may read it, and what only the GM knows."""
    if not doing.scene:
        return []
    out = [_noted(line((f" {doing.scene}", f"bold {INK}")), doing.where, width)]
    out += [line((" ▎", ACCENT), (piece, INK)) for piece in _cut(doing.about, width - 3, about)]
    for i, piece in enumerate(_cut(doing.secret, width - 4, secret)):
        out.append(line((" ~ " if not i else "   ", DIM), (piece, DIM)))
    return out


def _cut(text: str, width: int, most: int) -> list[str]:
    """A text in so many lines; what is left out is owned up to."""
    found = wrap(safe(text), max(width, 12))
    if len(found) > most:
        found = [*found[: most - 1], fit(f"{found[most - 1]} …", width).rstrip()]
    return found


def _ways(doing: Doing, width: int, clicks: Clicks) -> list[Content]:
    if not doing.ways:
        return []
    out = [heading(doing.title, width, note=doing.hint)]
    keys = max(cells(w.key) for w in doing.ways)
    room = width - keys - 3
    name = min(max(cells(w.label) for w in doing.ways), max(room - 8, 8))
    told = not doing.weighed or any(hope is not None for w in doing.ways for hope in w.hopes)
    columns = _whole(doing.columns[1:], room - name - CHANCE - BAR // 3) if told else ()
    left = room - name - CHANCE - sum(columns)
    if columns:
        names = "".join(
            f"{fit(c, min(cells(c), n - 1)):>{n}}" for c, n in zip(doing.columns[1:], columns, strict=False)
        )
        first = doing.columns[0] if cells(doing.columns[0]) < CHANCE + left else ""  # the heading names them too
        first = fit(first, CHANCE - 1 + left)
        out.append(line((" " * (keys + 3 + name), ""), (first, f"bold {INK}"), (names, DIM)))
    bar = max(min(left, BAR), 0)
    for w in doing.ways:
        hope = w.hopes[0] if w.hopes else None
        tone = "$good" if w.chosen else DIM
        chance = f" {percent(hope):>5} " if hope is not None else " " * CHANCE if doing.weighed else "     … "
        more = "".join(
            f"{percent(h) if h is not None else '–':>{n}}" for h, n in zip(w.hopes[1:], columns, strict=False)
        )
        drawn = line(
            (f" {fit(w.key, keys)} ", f"bold {ACCENT}"),
            (fit(w.label, name), f"bold {INK}" if w.chosen else INK),
            (chance, f"bold {INK}"),
            *(share(hope or 0, bar, tone) if hope is not None or not doing.weighed else ()),
            (" " * max(left - bar, 0) + more, DIM),
        )
        out.append(clicks.on(drawn, w.id))
    if doing.rest:
        out.append(line((" " * (keys + 2) + doing.rest, DIM)))
    return out


def _whole(names: Sequence[str], room: int) -> tuple[int, ...]:
    """The widths of as many columns as there is room for with their names whole; only an endless one is cut."""
    wide = [min(max(cells(n), 5), MOST_NAME) + 1 for n in names]
    return tuple(wide[: next((n for n in range(len(wide), 0, -1) if sum(wide[:n]) <= room), 0)])


def _others(doing: Doing, width: int, clicks: Clicks, *, beside: bool = True) -> list[Content]:
    """What else can be done: key, name, and a remark. Beside: the ways to act stand there too."""
    if not doing.others:
        return []
    out = [heading("or" if doing.ways and beside else "what could happen" if not doing.who else "then", width)]
    keys = max(cells(a.key) for a in doing.others)
    for a in doing.others:
        left = line((f" {fit(a.key, keys)}  ", f"bold {ACCENT}"), (a.label, INK))
        out.append(clicks.on(_noted(left, a.note, width), a.id))
    return out
