"""Home: what was left, your campaigns, the samples and what each shows, and how to begin one of your own."""

from __future__ import annotations

from datetime import date, datetime
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace
from textual.content import Content

from ...rules import Model
from ...storage.user.survey import Found
from ..asking.listing import Listing
from ..commands import Press, key_for
from ..drawing.text import ACCENT, DIM, INK, abreast, cells, fit, flow, heading, line, raised, spread, told, with_more
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


FIRST = "about a minute until the first roll"


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

    @property
    def mine(self) -> bool:
        """Is there one of one's own?"""
        return any(not pick.value.sample for pick in self.list.picks)


TALL = 25
"""Rows from which what is under the cursor is told at length."""
ROOMY = 36
"""Rows from which that stands beside the list, where it is wide enough."""
LONGEST = 26
"""Cells that a title has at least."""


class Detail(NamedTuple):
    """How much is told of each campaign: as much as there is room for."""

    about: bool = False
    """What one's own are about, below each."""
    shows: bool = False
    """What samples show, below each."""
    gap: bool = False
    begin: bool = False
    """How to begin one of one's own, which the footer has too."""


DETAIL = (
    Detail(about=True, shows=True, gap=True, begin=True),
    Detail(about=True, shows=True, begin=True),
    Detail(shows=True, begin=True),
    Detail(shows=True),
    Detail(),
)


MOST_FAILED = 4
"""Lines of what failed to load; how many more there are is told."""


class CampaignPanel(Panel[Campaigns]):
    """One list in two groups; what is wrong, and what there is to say, at the bottom."""

    DEFAULT_CSS = "CampaignPanel { height: 1fr; }"
    cursor_row = 0
    """Where the cursor was drawn."""
    detail = Detail()
    """With how much detail."""

    def lines(self, width: int) -> list[Content]:
        """The list, with what is under the cursor beside it where there is room."""
        part, height = self.part, self.size.height
        if part is None:
            return []
        if part.waiting:
            return [line((" looking …", DIM))]
        beside = part.mine and width >= WIDEST + SIDE - 4 and height >= ROOMY
        room = width - SIDE if beside else min(width, WIDEST)
        margin = 0 if beside or width <= WIDEST + 4 else (width - room) // 2
        below = self._below(part, room)
        card = _card(part, room) if part.mine and height - len(below) >= TALL and not beside else []
        body = self._window(self._body(part, room, height - len(below), card), height - len(below), room)
        gap = max(height - len(body) - len(below), 0)
        out = [Content(" " * margin) + one for one in [*body, *[Content("")] * gap, *below]]
        if not beside:
            return out
        side = [*_card(part, SIDE - 1, narrow=True, long=self.detail.about), Content(""), *_went(part, SIDE - 1)]
        return abreast(out, side, room)

    def _window(self, body: list[Content], height: int, width: int) -> list[Content]:
        """More than fits: the part around the cursor, between rows that say how many there are beyond."""
        height = max(height, 1)
        first = min(max(self.cursor_row - height // 2, 0), max(len(body) - height, 0))
        above = {s.press for s in self.spots if s.row <= first} if first else set()
        below = {s.press for s in self.spots if s.row >= first + height - 1} if first + height < len(body) else set()
        self.spots = [replace(s, row=s.row - first) for s in self.spots if not {s.press} & (above | below)]
        shown = body[first : first + height]
        for at in (*((0,) if above else ()), *((-1,) if below else ())):
            shown[at] = Content("")
        return with_more(shown, len(above), len(below), width)

    def _body(self, part: Campaigns, width: int, height: int, card: list[Content]) -> list[Content]:
        """With as much detail as fits, or the least of it."""
        out: list[Content] = []
        for self.detail in DETAIL:
            self.spots = []
            out = self._listed(part, width, height, self.detail, card)
            if len(out) <= height:
                break
        return out

    def _listed(self, part: Campaigns, width: int, height: int, detail: Detail, card: list[Content]) -> list[Content]:
        picks = part.list.picks
        own = [n for n, pick in enumerate(picks) if not pick.value.sample]
        samples = [n for n, pick in enumerate(picks) if pick.value.sample]
        groups = [("your campaigns", "", own, detail.about)]
        title, note = ("samples", "what each one shows" if detail.shows else "") if own else ("play a sample", FIRST)
        groups.append((title, note, samples, detail.shows))
        out = _head(part, width, tall=height >= TALL + 1)
        for title, note, some, long in groups:
            if some:
                out.append(heading(title, width, note=note))
                out += self._rows(part, some, width, long=long, gap=long and detail.gap, at=len(out))
                out.append(Content(""))
        out += [*card, Content("")] if card else []
        return [*out, *self._begin(part, width, len(out))] if detail.begin or not own else out[:-1]

    def _rows(self, part: Campaigns, some: list[int], width: int, *, long: bool, gap: bool, at: int) -> list[Content]:
        out: list[Content] = []
        for place in some:
            found, here = part.list.picks[place].value, place == part.list.cursor
            words = found.shows if found.sample else found.about
            rows = [_row(part, place, width, long=long)]
            if long or (here and found.sample):
                rows += told(words, INK if here else DIM, width, sign="  ")[:2]
            self.cursor_row = at + len(out) if here else self.cursor_row
            for one in rows:
                self.spot(at + len(out), Press("home.take", (place,)))
                one = one.truncate(width, ellipsis=True, pad=True)
                out.append(raised(one) if here else one)
            if gap and place != some[-1]:
                out.append(Content(""))
        return out

    def _begin(self, part: Campaigns, width: int, at: int) -> list[Content]:
        out = [heading("or begin your own", width)]
        name = max((cells(own.label) for own in part.own), default=0) + 3
        notes = all(3 + name + cells(own.about) <= width for own in part.own)
        for own in part.own:
            self.spot(at + len(out), Press(own.id))
            about = own.about if notes else ""
            out.append(
                line(
                    (f" {key_for(own.id, own.key)} ", f"bold {ACCENT}"),
                    (fit(own.label, name), f"bold {INK}"),
                    (about, DIM),
                )
            )
        return out

    def _below(self, part: Campaigns, width: int) -> list[Content]:
        """What is wrong with the one under the cursor, what failed to load, and what there is to say."""
        here = part.list.here.value if part.list.here else None
        below: list[Content] = []
        if here is not None and here.problems:
            below.append(heading(f"{len(here.problems)} problem{'s' if len(here.problems) > 1 else ''}", width))
            for p in here.problems[:3]:
                below += told(p, "$bad", width, sign="✗ ")
        for words in part.failed[:MOST_FAILED]:
            below += told(words, "$warn", width, sign="▲ ")
        if more := len(part.failed) - MOST_FAILED:
            below += told(f"{more} more: see tabletop check", "$warn", width, sign="▲ ") if more > 0 else []
        return [*below, *part.messages]


def _head(part: Campaigns, width: int, *, tall: bool) -> list[Content]:
    left = part.left
    above = [Content("")] if tall else []
    if left is None:
        return [*above, line((" Welcome to the table.", f"bold {INK}")), *told(WELCOME, DIM, width), Content("")]
    when = line((f"{_when(left.played, part.today)} ", DIM))
    out = [*above, spread(line((f" {left.title} is where you left it.", f"bold {INK}")), when, width)]
    return [*out, *told(part.left_at, DIM, width)[:2], Content("")]


def _row(part: Campaigns, place: int, width: int, *, long: bool) -> Content:
    """One of them: title, game and what there is of it; a column goes whole before a letter of another."""
    all_ = [pick.value for pick in part.list.picks]
    found, here = all_[place], place == part.list.cursor
    facts = [_facts(one, all_, part.today) for one in all_]
    title = min(max((cells(one.title) for one in all_), default=0), max(LONGEST, width // 3), width - 4)
    game = max((cells(one.engine) for one in all_), default=0)
    most = max(sum(cells(text) + 2 for text in some if text) for some in facts)
    game = game if 3 + title + 2 + game + most <= width else 0
    bold = here or long or not found.sample
    row = line(
        ("▸" if here else " ", ACCENT),
        (f"{part.list.key(place)} ", f"bold {ACCENT}"),
        (fit(found.title, title), f"bold {INK}" if bold else INK),
        (f"  {fit(found.engine, game)}" if game else "", DIM),
    )
    left = width - row.cell_length
    if found.problems:
        return spread(row, line((f"{_wrong(found)} ", "$bad")), width)
    if found.sample and part.mine and not long and not here and cells(found.shows) + 2 <= left:
        return row + line((f"  {found.shows}", DIM))
    first, last = facts[place]
    row += line((f"  {first}" if first and cells(first) + 2 <= left else "", DIM))
    fits = cells(last) + 2 <= width - row.cell_length
    return spread(row, line((f"{last} ", DIM)), width) if last and fits else row


def _facts(found: Found, all_: list[Found], today: date) -> tuple[str, str]:
    """What there is of one, beside its name and at the right end."""
    if found.sample:
        return "", _holds(found)
    count = f"session {found.count}" if found.count else "not played yet"
    folder = _folder(found, all_)
    return f"in {folder} · {count}" if folder else count, _when(found.played, today)


def _wrong(found: Found) -> str:
    return f"✗ {len(found.problems)} problem{'s' if len(found.problems) > 1 else ''}"


def _card(part: Campaigns, width: int, *, narrow: bool = False, long: bool = False) -> list[Content]:
    """What is under the cursor, and what it is about where the list has not told it. Narrow: a row for each thing."""
    here = part.list.here.value if part.list.here else None
    if here is None or here.problems:
        return []
    out = [heading(here.title, width, note="under the cursor")]
    about = told(here.about or here.shows, INK, width) if here.sample or not long else []
    out += about if narrow else about[:2]
    people = [line((f"{name} ", f"bold {INK}"), (f"{player}   ", DIM)) for name, player in here.party]
    clocks = [line((f"{words}   ", INK)) for words in part.recap.counters] if part.recap else []
    for label, some in (("party", people), ("clocks", clocks)):
        head = line((f" {label:<8}", DIM))
        rows = [(head if not n else Content(" " * 9)) + one.rstrip() for n, one in enumerate(some)]
        out += rows if narrow else flow(some, width, head, 9) if some else []
    if here.sample:
        pieces = wrap("a copy of it is played, always the same one", max(width - 10, 20))
        return [*out, *(line((f" {'' if n else 'sample':<8}{piece}", DIM)) for n, piece in enumerate(pieces))]
    *above, last = str(here.path).split("/")
    return [
        *out,
        *flow([line((one, DIM)) for one in (*(f"{a}/" for a in above), last)], width, line((" folder  ", DIM)), 9),
    ]


def _went(part: Campaigns, width: int) -> list[Content]:
    """The last session of the one under the cursor in short; what stands elsewhere on the screen is left out."""
    here = part.list.here.value if part.list.here else None
    if part.recap is None or here is None:
        return []
    out = [heading("how it went", width, note=f"session {here.count}")]
    recap = replace(part.recap, counters=(), now="" if here is part.left else part.recap.now)
    for passage in recap.parts:
        if passage.title:
            out.append(line((f" {passage.title}", f"bold {INK}")))
        for words in passage.lines:
            out += told(words, DIM, width, sign="  ")
    return out


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
