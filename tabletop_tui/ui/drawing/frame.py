"""What the terminal shows, cell by cell, so that only what differs is sent: over a line every byte is waited for.

Textual sends whole lines with the colours of every piece of them; a cursor that moves changes some thirty cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat

from rich.cells import cell_len, get_character_cell_size
from rich.color import Color, ColorSystem
from rich.console import Console
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.strip import Strip

from ...rules import Model

GAP = 5
"""So many cells that have not changed are sent again where that is shorter than moving over them."""


class Look(Model):
    """How a cell is drawn, in the codes of a terminal."""

    attributes: str = ""
    ink: str = "39"
    ground: str = "49"


PLAIN = Look()
Cell = tuple[str, Look]
"""A character, with those that stand on it; empty behind one that is two cells wide."""


class Ready(CompositorUpdate):
    """An update that is text already."""

    def __init__(self, text: str) -> None:
        self.text = text

    def render_segments(self, console: Console) -> str:
        """The text."""
        del console
        return self.text

    def __rich__(self) -> str:
        """As everything that Textual displays can be."""
        return self.text


class Frame:
    """The cells as they were sent last. A terminal that may show something else has to be forgotten."""

    def __init__(self, colours: ColorSystem = ColorSystem.TRUECOLOR) -> None:
        self.colours = colours
        self.size = (0, 0)
        self._rows: list[list[Cell | None]] = []
        self._looks: dict[Style, Look] = {}

    def forget(self) -> None:
        """Nothing is known of what the terminal shows: all of it is sent again."""
        self.size = (0, 0)

    def changes(self, update: ChopsUpdate | LayoutUpdate, size: tuple[int, int]) -> str:
        """What has to be sent so that the terminal shows an update; empty where it shows it already."""
        if size != self.size:
            self.size = size
            self._rows = [[None] * size[0] for _ in range(size[1])]
        out: list[str] = []
        self._sent = PLAIN
        for x, y, strip in _pieces(update):
            if y < len(self._rows):
                self._draw(x, y, self._cells(strip)[: max(size[0] - x, 0)], out)
        if out and self._sent != PLAIN:
            out.append("\x1b[0m")
        return "".join(out)

    def _draw(self, x: int, y: int, cells: list[Cell], out: list[str]) -> None:
        row = self._rows[y]
        old = row[x : x + len(cells)]
        if old == cells:
            return
        row[x : x + len(cells)] = cells
        changed = [i for i, (new, was) in enumerate(zip(cells, old, strict=True)) if new != was]
        for first, after in _runs(changed):
            while first and not cells[first][0]:
                first -= 1  # the second half of a wide character is sent with its first
            out.append(f"\x1b[{y + 1};{x + first + 1}H")
            for text, look in cells[first:after]:
                if look is not self._sent and look != self._sent:
                    out.append(_turn(self._sent, look))
                    self._sent = look
                out.append(text)

    def _cells(self, strip: Strip) -> list[Cell]:
        found: list[Cell] = []
        for text, style, control in strip:
            if control:
                continue
            look = self._look(style) if style is not None else PLAIN
            if text.isascii() or cell_len(text) == len(text):
                found.extend(zip(text, repeat(look)))
                continue
            for one in text:
                width = get_character_cell_size(one)
                if width:
                    found.extend(((one, look), *((("", look),) * (width - 1))))
                elif found:  # it stands on the character before it
                    found[-1] = (found[-1][0] + one, found[-1][1])
        return found

    def _look(self, style: Style) -> Look:
        found = self._looks.get(style)
        if found is None:
            attributes = Style(
                bold=style.bold, dim=style.dim, italic=style.italic, underline=style.underline, blink=style.blink,
                reverse=style.reverse, conceal=style.conceal, strike=style.strike,
            )  # fmt: skip
            codes = attributes._make_ansi_codes(self.colours)
            found = Look(codes, self._codes(style.color, "39"), self._codes(style.bgcolor, "49", ground=True))
            self._looks[style] = found
        return found

    def _codes(self, colour: Color | None, otherwise: str, *, ground: bool = False) -> str:
        if colour is None:
            return otherwise
        return ";".join(colour.downgrade(self.colours).get_ansi_codes(foreground=not ground))


def _turn(old: Look, new: Look) -> str:
    """From one look to another, in as few codes as will do."""
    if old.attributes != new.attributes:
        parts = ["0", new.attributes] if new.attributes else ["0"]
        parts += [code for code, usual in ((new.ink, "39"), (new.ground, "49")) if code != usual]
    else:
        parts = [code for code, was in ((new.ink, old.ink), (new.ground, old.ground)) if code != was]
    return f"\x1b[{';'.join(parts)}m"


def _runs(places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Neighbours together, and those with but few cells between them."""
    first = after = -1
    for place in places:
        if first < 0:
            first = place
        elif place - after > GAP:
            yield first, after
            first = place
        after = place + 1
    if first >= 0:
        yield first, after


def _pieces(update: ChopsUpdate | LayoutUpdate) -> Iterator[tuple[int, int, Strip]]:
    """Column, row and strip of all that an update draws, as Textual itself would send it."""
    if isinstance(update, LayoutUpdate):
        for y, line in enumerate(update.strips, update.region.y):
            x = update.region.x
            for strip in line:
                yield x, y, strip
                x += strip.cell_length
        return
    for y, x1, x2 in update.spans:
        for end, (x, piece) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            if piece is not None and x <= x2 and end > x1:
                whole = x1 <= x < x2 and end <= x2
                yield x, y, piece if whole else piece.crop(0, min(end, x2) - x)
