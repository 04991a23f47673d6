"""Building lines: every string from a file or a player goes through `Content`, never through markup."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from textwrap import wrap

from rich.cells import cell_len
from textual.content import Content
from textual.content import Span as Mark

from ...rules import clean
from ..commands import UserKeys, key_for

INK, DIM, FAINT, ACCENT = "$ink", "$dim", "$faint", "$tone-accent"
TONES = {"": INK, "good": "$good", "warn": "$warn", "bad": "$bad", "muted": DIM}
BARS = {"good": "█", "warn": "▓", "bad": "▒", "": "█", "muted": "░"}

Span = tuple[str, str]
"""Text and its style."""

_ASCII: dict[int, int | str] = dict(
    str.maketrans(
        "▶●○■□▲×→·█▓▒░─✓✗◆▸│★↶−–“”▁▂▃▄▅▆▇▴▾━▏‹›←↑↓▎┌┐└┘┏┓┗┛┃",
        '*@o#-^x>.#+=:-+x&>|*<--""_.:-=+*^v=|<><^v|++++++++|',
    )
)
_ASCII |= {ord("≥"): ">=", ord("↵"): "/enter", ord("…"): "..."}
CUT = {ord("…"): ">"}
"""The sign of a cut has one cell, in plain characters, too."""


class Glyphs:
    """Whether only plain characters may be drawn."""

    plain = False


def line(*spans: Span) -> Content:
    """A line of styled pieces; whatever they hold is text and nothing else."""
    pieces, marks, at = [], [], 0
    for text, style in spans:
        pieces.append(piece := safe(text))
        since, at = at, at + len(piece)
        if style:
            marks.append(Mark(since, at, style))
    return Content("".join(pieces), marks)


def safe(text: str) -> str:
    """One line without control characters; in plain characters where those were asked for."""
    if not text.isprintable():
        text = clean(text).replace("\n", " ").replace("\t", " ")
    return text.translate(_ASCII) if Glyphs.plain else text


def with_enter(key: str, id: str) -> str:
    """A key beside Enter, or Enter alone, which runs the command of this id unless the user has another key for it.

    In plain characters its sign is a word that needs something before it.
    """
    if id in UserKeys.by_id:
        return key or key_for(id, "enter")
    return f"{key}↵" if key or not Glyphs.plain else "enter"


def begun(text: str) -> str:
    """With a capital where it begins."""
    return text[:1].upper() + text[1:]


def spoken(title: str) -> str:
    """An outcome's title as a sentence begins with it: a word in capitals alone has one; of more, names would lose
    theirs."""
    return title.capitalize() if title.isupper() and " " not in title else begun(title)


def fit(text: str, width: int) -> str:
    """Text cut or filled to exactly so many cells."""
    text = safe(text)
    if text.isascii() and len(text) <= width:
        return text.ljust(width)
    text = Content(text).truncate(width, ellipsis=True, pad=True).plain if width > 0 else ""
    return text.translate(CUT) if Glyphs.plain else text


def cells(text: str) -> int:
    """How wide a text is drawn."""
    return cell_len(safe(text))


def spread(left: Content, right: Content, width: int) -> Content:
    """Left and right on one line; the right one is dropped whole where there is no room."""
    room = width - right.cell_length
    if right.cell_length == 0 or room < 8:
        return left.truncate(width, ellipsis=True)
    return left.truncate(room - 1, ellipsis=True, pad=True) + Content(" ") + right


def abreast(left: Iterable[Content], right: Iterable[Content], width: int, gap: int = 1) -> list[Content]:
    """Lines beside each other, the left ones in so many cells."""
    rows = zip_longest(left, right, fillvalue=Content(""))
    return [one.truncate(width, ellipsis=True, pad=True) + Content(" " * gap) + other for one, other in rows]


def heading(title: str, width: int, active: bool = False, note: str = "") -> Content:
    """A rule with a title: the whole frame that a panel has. Active: the band asks about what stands below it.

    The note at its right end is dropped whole where there is no room for it.
    """
    name = fit(title, min(cells(title), max(width - 4, 1)))
    room = max(width - cells(name) - 3, 0)  # rows end one cell before the edge, too
    tail = line((f" {note}", DIM)) if note and cells(note) + 3 <= room else Content("")
    rule = ("━" if active else "─") * max(room - tail.cell_length, 0)
    return line((f" {name} ", f"bold {INK}" if active else DIM), (rule, DIM if active else "$rule-line")) + tail


def raised(content: Content) -> Content:
    """A line on the raised surface: the row under a cursor."""
    pieces: list[Span] = []
    at, text = 0, content.plain
    for span in sorted(content.spans):
        pieces += [(text[at : span.start], "on $raised")] if span.start > at else []
        pieces.append((text[max(span.start, at) : span.end], f"{span.style} on $raised"))
        at = max(at, span.end)
    return line(*pieces, (text[at:], "on $raised"))


def flow(pieces: Iterable[Content], width: int, first: Content | None = None, indent: int = 0) -> list[Content]:
    """Pieces beside each other, on as many lines as they need; none is cut. The first line may have a beginning."""
    lines = [Content("") if first is None else first]
    room = lines[0].cell_length
    for piece in pieces:
        if lines[-1].cell_length + piece.cell_length > width and lines[-1].cell_length > room:
            lines.append(Content(" " * indent))
            room = indent
        lines[-1] = lines[-1] + piece
    return lines


def told(words: str, style: str, width: int, most: int | None = None, *, sign: str = "") -> list[Content]:
    """A sentence under its sign, in so many lines at most; what is left out is owned up to."""
    pieces = wrap(safe(words), max(width - 2 - cells(sign), 12), max_lines=most, placeholder=" …")
    return [line((f" {' ' * cells(sign) if i else sign}{piece}", style)) for i, piece in enumerate(pieces)]


def scrolled(top: int, at: int, count: int, room: int) -> int:
    """The first row of a window on a list, moved from another only as far as the cursor needs."""
    return max(min(top, at, max(count - room, 0)), at - room + 1)


def with_more(rows: list[Content], above: int, below: int, width: int) -> list[Content]:
    """A window on a list: its first and last row say how many there are beyond them, so that nothing hides."""
    for at, count, sign in ((0, above, "▴"), (-1, below, "▾")):
        if count and rows:
            words = line((f" {sign} {count} more ", DIM))
            rows[at] = rows[at].truncate(max(width - words.cell_length, 1), ellipsis=True, pad=True) + words
    return rows


def change(delta: float) -> str:
    """A change in chance: +4 %."""
    points = round(delta * 100)
    if points == 0:
        return "±0"
    return f"{'+' if points > 0 else '−'}{abs(points)}"


def bar(chance: float, width: int, tone: str) -> list[Span]:
    """A bar whose filling tells the tone without its colour."""
    full = round(chance * width)
    return [(BARS[tone] * full, TONES[tone]), ("·" * (width - full), FAINT)]


def share(hope: float, width: int, tone: str = DIM) -> list[Span]:
    """A chance as a line, where a list has one beside each row."""
    full = round(hope * width)
    return [("━" * full, tone), ("─" * (width - full), FAINT)]


def join(parts: Iterable[Content], gap: str = "  ") -> Content:
    """Pieces beside each other."""
    return Content(gap).join(list(parts))
