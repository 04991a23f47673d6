"""Home: what was left, your campaigns, the samples and what each shows, and how to begin one of your own."""

from __future__ import annotations

from datetime import date, datetime
from textwrap import wrap
from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual.content import Content

from ...rules import Model
from ...storage.user.survey import Found
from ..asking.listing import Listing
from ..commands import Press
from ..drawing.text import ACCENT, DIM, INK, cells, fit, flow, heading, line, raised, safe, spread, with_more
from .panel import Panel

if TYPE_CHECKING:
    from ...records.recap import Recap

WIDEST = 98
"""Columns that are easy to read; wider screens have the list in the middle, or the last session beside it."""
SIDE = 44
"""Columns of how it went."""
WELCOME = (
    "You run the game; this keeps the table. It shows whose turn it is, what can be done, and the exact chances "
    "before anybody rolls. Everything can be undone, and nothing is lost when the terminal closes."
)


class Own(Model):
    """A way to begin one's own."""

    key: str
    id: str
    label: str
    about: str


class Campaigns(Model):
    """What was found, what failed to load, and whether Home is still looking."""

    list: Listing[Found]
    stands: object
    """What can be compared of the list."""
    own: tuple[Own, ...] = ()
    recap: Recap | None = None
    """Of the last session of the one under the cursor."""
    left: Found | None = None
    """The one that was played last."""
    left_at: str = ""
    """Where that was left."""
    failed: tuple[str, ...] = ()
    waiting: bool = False
    messages: tuple[Content, ...] = ()
    today: date = date.min


TALL, CARD = 25, 7
"""Rows from which what is under the cursor is told at length, and the rows that takes."""


class CampaignPanel(Panel[Campaigns]):
    """One list in two groups; what is wrong, and what there is to say, at the bottom."""

    DEFAULT_CSS = "CampaignPanel { height: 1fr; }"
    cursor_row = 0
    """Where the cursor was drawn."""

    def lines(self, width: int) -> list[Content]:
        """The list, with the last session beside it where there is room."""
        part, height = self.part, self.size.height
        if part is None:
            return []
        if part.waiting:
            return [line((" looking …", DIM))]
        beside = part.recap if width >= WIDEST + SIDE - 4 and height >= 36 else None
        room = width - SIDE if beside else min(width, WIDEST)
        margin = 0 if beside or width <= WIDEST + 4 else (width - room) // 2
        below = self._below(part, room)
        body = self._window(self._body(part, room, height - len(below)), height - len(below))
        gap = max(height - len(body) - len(below), 0)
        out = [Content(" " * margin) + one for one in [*body, *[Content("")] * gap, *below]]
        if beside is None:
            return out
        side = _went(beside, SIDE - 1, height)
        side += [Content("")] * (height - len(side))
        return [
            left.truncate(room, ellipsis=True, pad=True) + Content(" ") + right
            for left, right in zip(out, side, strict=False)
        ]

    def _window(self, body: list[Content], height: int) -> list[Content]:
        """More than fits: the part around the cursor."""
        first = min(max(self.cursor_row - height // 2, 0), max(len(body) - height, 0))
        self.spots = [replace(s, row=s.row - first) for s in self.spots]
        shown = body[first : first + max(height, 1)]
        return with_more(shown, first, max(len(body) - first - height, 0), 40) if len(body) > height else shown

    def _body(self, part: Campaigns, width: int, height: int) -> list[Content]:
        picks = part.list.picks
        mine = [n for n, pick in enumerate(picks) if not pick.value.sample]
        samples = [n for n, pick in enumerate(picks) if pick.value.sample]
        tall = height >= 26
        out = self._head(part, width, tall)
        groups: list[tuple[str, str, list[int], bool]] = []
        if mine:
            groups.append(("your campaigns", "", mine, False))
            need = len(out) + len(mine) + 2 * len(samples) + 3 + (1 + CARD if height >= TALL else 0)
            groups.append(("samples", "what each one shows", samples, need <= height))
        else:
            fits = len(out) + 2 * len(samples) + len(part.own) + 3 <= height
            groups.append(("play a sample", "about a minute until the first roll", samples, fits))
        card = self._card(part, width) if mine and height >= TALL else []
        begin = [] if mine else self._begin(part, width)
        need = len(out) + sum(len(g[2]) + 2 for g in groups)
        room = max(height - need - len(card) - len(begin), 0)
        for title, note, some, two in groups:
            if some:
                out.append(heading(title, width, note=note))
                out += self._rows(part, some, width, two=two, gap=two and room > 2 * len(some) + 2, at=len(out))
                out.append(Content(""))
        if mine:
            return [*out, *card] if card else out[:-1]
        return [*out, *self._begin_at(begin, len(out), part)]

    def _head(self, part: Campaigns, width: int, tall: bool) -> list[Content]:
        left = part.left
        above = [Content("")] if tall else []
        if left is None:
            told = [line((f" {text}", DIM)) for text in wrap(WELCOME, max(width - 2, 20))]
            return [*above, line((" Welcome to the table.", f"bold {INK}")), *told, Content("")]
        when = line((f"{_when(left.played, part.today)} ", DIM))
        out = [*above, spread(line((f" {left.title} is where you left it.", f"bold {INK}")), when, width)]
        out += [line((f" {text}", DIM)) for text in wrap(safe(part.left_at), max(width - 2, 20))[:2]]
        return [*out, Content("")]

    def _rows(self, part: Campaigns, some: list[int], width: int, *, two: bool, gap: bool, at: int) -> list[Content]:
        out: list[Content] = []
        mine = any(not p.value.sample for p in part.list.picks)
        title = min(max((cells(p.value.title) for p in part.list.picks), default=0), 26)
        game = max((cells(p.value.engine) for p in part.list.picks), default=0)
        for place in some:
            found, here = part.list.picks[place].value, place == part.list.cursor
            number = f"{place + 1}" if place < 9 else " "
            style = f"bold {INK}" if here or two or not found.sample else INK
            row = line(
                ("▸" if here else " ", ACCENT),
                (f"{number} ", f"bold {ACCENT}"),
                (fit(found.title, title), style),
                (f"  {fit(found.engine, game)}", DIM),
            )
            if found.problems:
                wrong = f"✗ {len(found.problems)} problem{'s' if len(found.problems) > 1 else ''}"
                row = spread(row, line((f"{wrong} ", "$bad")), width)
            elif found.sample and not two and mine and not here:
                row = row + line((f"  {found.shows}", DIM))
            elif found.sample:
                row = spread(row, line((f"{_holds(found)} ", DIM)), width)
            else:
                count = f"session {found.count}" if found.count else "not played yet"
                if folder := _folder(found, [p.value for p in part.list.picks]):
                    count = f"in {folder} · {count}"
                row = spread(
                    row + line((f"  {count}", DIM)), line((f"{_when(found.played, part.today)} ", DIM)), width
                )
            rows = [row.truncate(width, ellipsis=True, pad=True)]
            if found.shows and (two or (here and found.sample)):
                rows.append(
                    line((f"   {found.shows}", INK if here else DIM)).truncate(width, ellipsis=True, pad=True)
                )
            self.cursor_row = at + 1 + len(out) if here else self.cursor_row
            for one in rows:
                self.spot(at + 1 + len(out), Press("home.take", (place,)))
                out.append(raised(one) if here else one)
            if gap and place != some[-1]:
                out.append(Content(""))
        return out

    def _begin(self, part: Campaigns, width: int) -> list[Content]:
        out = [heading("or begin your own", width)]
        name = max((cells(own.label) for own in part.own), default=0)
        for own in part.own:
            out.append(
                line((f" {own.key} ", f"bold {ACCENT}"), (fit(own.label, name + 3), f"bold {INK}"), (own.about, DIM))
            )
        return out

    def _begin_at(self, rows: list[Content], at: int, part: Campaigns) -> list[Content]:
        for n, own in enumerate(part.own):
            self.spot(at + 1 + n, Press(own.id))
        return rows

    def _card(self, part: Campaigns, width: int) -> list[Content]:
        """What is under the cursor."""
        here = part.list.here.value if part.list.here else None
        if here is None or here.problems:
            return []
        out = [heading(here.title, width, note="under the cursor")]
        about = here.about or here.shows
        out += [line((f" {text}", INK)) for text in wrap(safe(about), max(width - 2, 20))[:2]]
        if here.party:
            people = [line((f"{name} ", f"bold {INK}"), (f"{player}   ", DIM)) for name, player in here.party]
            out += flow(people, width, line((" party   ", DIM)), 9)
        if part.recap and part.recap.counters:
            some = [line((f"{words}   ", INK)) for words in part.recap.counters]
            out += flow(some, width, line((" clocks  ", DIM)), 9)[:2]
        where = "a copy of it is played, always the same one" if here.sample else str(here.path)
        return [*out, line((" folder  " if not here.sample else " sample  ", DIM), (where, DIM))]

    def _below(self, part: Campaigns, width: int) -> list[Content]:
        """What is wrong with the one under the cursor, what failed to load, and what there is to say."""
        here = part.list.here.value if part.list.here else None
        below: list[Content] = []
        if here is not None and here.problems:
            below.append(heading(f"{len(here.problems)} problem{'s' if len(here.problems) > 1 else ''}", width))
            for p in here.problems[:3]:
                below += [line((f" {'✗' if not i else ' '} {t}", "$bad")) for i, t in enumerate(_wrap(p, width))]
        for words in part.failed[:4]:
            below += [line((f" {'▲' if not i else ' '} {t}", "$warn")) for i, t in enumerate(_wrap(words, width))]
        return [*below, *part.messages]


def _went(recap: Recap, width: int, height: int) -> list[Content]:
    """The last session in short."""
    out = [heading("how it went", width, note=recap.session)]
    for passage in recap.parts:
        if passage.title:
            out.append(line((f" {passage.title}", f"bold {INK}")))
        for words in passage.lines:
            out += [line((f"   {text}", DIM)) for text in wrap(safe(words), max(width - 4, 16))]
    return out[:height]


def _holds(found: Found) -> str:
    """How large a sample is: heroes, scenes, hours."""
    parts = [(len(found.party), "hero", "heroes"), (found.scenes, "scene", "scenes"), (found.hours, "hour", "hours")]
    return " · ".join(f"{n} {one if n == 1 else many}" for n, one, many in parts if n)


def _folder(found: Found, all_: list[Found]) -> str:
    """Where a campaign lies, as far as it tells it from those of the same title; empty where none has it."""
    others = [f.path.parts for f in all_ if f.title == found.title and not f.sample and f is not found]
    mine = found.path.parts
    ends = (n for n in range(1, len(mine)) if all(one[-n:] != mine[-n:] for one in others))
    return "/".join(mine[-next(ends, len(mine)) :]) if others else ""


def _when(at: datetime | None, today: date) -> str:
    """A day as people say it."""
    if at is None:
        return ""
    days = (today - at.date()).days
    if days == 0:
        return f"today, {at:%H:%M}"
    if days == 1:
        return f"yesterday, {at:%H:%M}"
    return f"{at.day} {at:%B}" if days < 300 else f"{at.day} {at:%B %Y}"


def _wrap(text: str, width: int) -> list[str]:
    return wrap(safe(text), max(width - 4, 20)) or [""]
