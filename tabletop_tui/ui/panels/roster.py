"""The roster: one list in turn order, each row with a side mark, several of a kind in one row; then the places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from textwrap import wrap
from typing import Any

from textual.content import Content

from ...rules import Counter, Model, Person, Status
from ..commands import Press, key_for
from ..drawing.text import ACCENT, DIM, FAINT, INK, TONES, Span, cells, fit, heading, line, safe
from .panel import Panel

METER = 4
"""Cells of a meter."""


class Row:
    """A row of the roster: one person, or several who differ in nothing but their number."""

    def __init__(self, people: tuple[Person, ...], opened: bool = False) -> None:
        self.people = people
        self.opened = opened
        """One of several who are shown singly because somebody asked."""

    @cached_property
    def name(self) -> str:
        """The name, without its number where the row is of several."""
        number = self.people[0].number
        front = "" if number is None else f"{number:>2} "  # the initiative, in games that count it
        if len(self.people) == 1:
            return front + self.people[0].name
        shared = []
        for words in zip(*(p.name.split() for p in self.people), strict=False):
            if len(set(words)) > 1:
                break
            shared.append(words[0])
        return front + (" ".join(shared) or self.people[0].name)

    @property
    def count(self) -> str:
        """How many there are, where there are several."""
        return f" ×{len(self.people)}" if len(self.people) > 1 else ""

    def fitted(self, width: int) -> str:
        """The name and the count in so many cells: a long name is cut, never the count."""
        name = min(cells(self.name), max(width - cells(self.count), 1))
        return fit(fit(self.name, name) + self.count, width)

    @property
    def person(self) -> Person:
        """Who stands for the row: whoever may go, else the first."""
        return next((p for p in self.people if p.may_go), self.people[0])

    @property
    def section(self) -> str:
        """The heading that it stands under."""
        return self.people[0].section or self.people[0].side

    @cached_property
    def meter(self) -> tuple[int, int, int | None] | None:
        """What is left, the least and the most, of all of them together; none where a remark takes its place."""
        first = [p.meters[0] for p in self.people if p.meters and not _note(p)]
        if not first:
            return None
        most = None if first[0].most is None else sum(m.most or 0 for m in first)
        return sum(m.value for m in first), sum(m.least for m in first), most

    @cached_property
    def each(self) -> list[int]:
        """What each has left."""
        return [p.meters[0].value for p in self.people if p.meters]

    @property
    def apart(self) -> bool:
        """Has each its own number? Of two that differ: of more there is no room for it everywhere."""
        return len(self.each) == 2 and len(set(self.each)) == 2

    def number(self, full: bool) -> str:
        """The meter's number, with its end where there is room."""
        if self.meter is None:
            return ""
        if self.apart:
            return " ".join(map(str, self.each))  # who of them is hurt matters more than what they have together
        value, _, most = self.meter
        return f"{value}/{most}" if full and most is not None else str(value)

    @cached_property
    def lasting(self) -> list[Status]:
        """What lasts on them."""
        return [c for p in self.people for c in p.conditions]

    def remarks(self, wide: bool) -> list[tuple[str, str]]:
        """What else is to be seen, the most important first: in words, and the sign where these find no room."""
        p, more = self.people[0], self.lasting
        sign = f"!{len(more)}" if more else ""
        words = more[0].what if len(more) == 1 and wide and cells(more[0].what) <= 18 else sign
        each = "" if self.apart else " ".join(map(str, self.each))
        found = [
            (_note(p), _note(p).partition(f" {SECRET} ")[0].partition(", ")[0]),
            (words, sign),
            (each if wide and len(self.people) > 1 else "", ""),
        ]
        found += [(mark, "") for mark in p.marks]
        return [one for one in found if one[0]]

    def short(self) -> list[str]:
        """What should find room in every row: a note, how many conditions, a short mark, a secret's mark."""
        p = self.people[0]
        found = [_note(p), f"!{len(self.lasting)}" if self.lasting else ""]
        found += [mark for mark in p.marks if cells(mark) <= SHORT][:1]
        return [one for one in (*found, SECRET if p.secret else "") if one]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Row) and (self.people, self.opened) == (other.people, other.opened)


def rows(people: Sequence[Person], opened: frozenset[str]) -> list[Row]:
    """People as rows. Neighbours of a kind share one, unless it was opened; what they have left is added up."""
    out: list[Row] = []
    last: object = None
    for p in people:
        alone = not p.group or p.current or p.group in opened
        alike = (
            None if alone else (p.section, p.side, p.group, p.number, _note(p), p.acted, p.out, p.may_go, p.secret)
        )
        if alike is not None and alike == last and _most(p) == _most(out[-1].people[0]):
            out[-1] = Row((*out[-1].people, p))
        else:
            out.append(Row((p,), bool(p.group) and p.group in opened))
        last = alike
    return out


def _most(p: Person) -> int | None:
    return p.meters[0].most if p.meters else None


class Target(Model):
    """Somebody who can be chosen in the form that is open: the digit that does it, and the chance against them."""

    digit: str
    chance: str = ""


class Present(Model):
    """Who is there, who is under the cursor, and the places."""

    rows: tuple[Row, ...] = ()
    cursor: int = 0
    places: tuple[Counter, ...] = ()
    places_title: str = ""
    note: str = ""
    """At the right of the first heading: the round."""
    targets: Mapping[int, Target] | None = None
    """By row, while somebody is chosen in a form."""
    secrets: bool = True
    """Does whoever looks see what is the GM's own?"""
    keyless: bool = False
    """Does nobody type there?"""
    keyed: bool = True
    """Are its keys told? Where nobody plays, some of them have other uses."""


class Roster(Panel[Present]):
    """Only rows in sight are drawn: two hundred cost what twenty do."""

    DEFAULT_CSS = "Roster { width: 35; height: 1fr; background: $surface; }"

    top = 0

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.place_lines = lru_cache(maxsize=16)(place_lines)
        """Places seldom change, and wrapping what is said of them takes a while."""

    def lines(self, width: int) -> list[Content]:
        """A heading for each section, a row a person or several of a kind, then the places."""
        part = self.part or Present()
        shown = part.rows
        spare = self.size.height - len(shown) - len({row.section for row in shown})
        below = list(self.place_lines(part.places, part.places_title, width, spare))
        room = max(self.size.height - len(below), 3)
        entries = _entries(shown, room)
        window, above, beneath = self._window(entries, part, room)
        seen = [shown[i] for i in window if i >= 0]
        sizes = Sizes.of(seen, width, part.targets is not None)
        out: list[Content] = []
        for i in window:
            if i >= 0:
                self.spot(len(out), Press("table.point", (i,)))
                target = (part.targets or {}).get(i)
                out.append(_row(shown[i], i == part.cursor and not part.keyless, sizes, target))
            elif i == GAP:
                out.append(line(("", "")))
            else:
                first = -2 - i
                title = shown[first].section or "everybody"
                out.append(heading(title, width, note="" if first else part.note))
        hidden = {0} if above else set()
        hidden |= {len(out) - 1} if beneath else set()
        self.spots = [spot for spot in self.spots if spot.row not in hidden]
        if above:
            out[0] = line((f"   ▴ {_beyond(shown, entries, window, above=True)}", DIM))
        if beneath:
            finds = f" · {key_for('table.find', '/')} finds by name" if part.keyed else ""
            out[-1] = line((f"   ▾ {_beyond(shown, entries, window, above=False)}{finds}", DIM))
        if len(out) + 4 <= room and width >= ROOMY:
            out += [line(("", "")), *_legend(part)[: max(room - len(out) - 1, 0)]]
        return out + below

    def _window(self, entries: list[int], part: Present, room: int) -> tuple[list[int], bool, bool]:
        """The part of the list around the cursor; whoever is up is always in it."""
        at = next((n for n, i in enumerate(entries) if i == part.cursor), 0)
        self.top = max(min(self.top, max(at - 2, 0), max(len(entries) - room, 0)), at - room + 2, 0)
        if self.top + room > len(entries):
            self.top = max(len(entries) - room, 0)
        window = entries[self.top : self.top + room]
        above, beneath = self.top > 0, self.top + room < len(entries)
        up = next((i for i in entries if i >= 0 and part.rows[i].person.current), -1)
        if up >= 0 and len(window) > 3:
            hidden = [*window[: 1 * above], *window[len(window) - 1 * beneath :]]  # where the counts stand
            if up not in window or up in hidden:
                before = entries.index(up) < entries.index(part.cursor)
                window[1 if before else -2] = up
        return window, above, beneath


GAP = -1
"""In place of a row: an empty line."""
ROOMY = 42
"""Columns from which conditions are told in words."""


def _legend(part: Present) -> tuple[Content, ...]:
    """What the signs mean; nothing is the GM's own at a player's seat."""
    most = max((len(row.people) for row in part.rows), default=1)
    opens = f"{key_for('table.open', '→')} opens ×{most}  " if most > 1 and part.keyed else ""
    own = "  ~ only you" if part.secrets else ""
    signs = (" ● party  ◆ foe  ○ other  ✓ has acted", f" {opens}! condition{own}")
    return tuple(line((text, DIM)) for text in signs)


def _entries(shown: Sequence[Row], room: int) -> list[int]:
    """Rows by their place, headings as −2 − the place of their first row, gaps between sections where they fit."""
    out: list[int] = []
    sections = [row.section for row in shown]
    starts = [i for i, name in enumerate(sections) if not i or sections[i - 1] != name]
    gaps = len(shown) + 2 * len(starts) - 1 <= room
    for i in range(len(shown)):
        if i in starts:
            out += [*([GAP] if gaps and i else []), -2 - i]
        out.append(i)
    return out


def _beyond(shown: Sequence[Row], entries: Sequence[int], window: Sequence[int], *, above: bool) -> str:
    """How many stand above or below what is seen."""
    # the row that says it is not seen; whoever is up may stand in the window out of order
    seen = {i for i in (window[1:] if above else window[:-1]) if i >= 0}
    here = next((n for n, i in enumerate(entries) if i in seen and i != _up(shown)), 0)
    far = [i for n, i in enumerate(entries) if i >= 0 and i not in seen and (n < here) == above]
    count = sum(len(shown[i].people) for i in far)
    if not above:
        return f"{count} more"
    acted = bool(far) and all(shown[i].people[0].acted for i in far)
    return f"{count} above{', all have acted' if acted else ''}"


def _up(shown: Sequence[Row]) -> int:
    return next((i for i, row in enumerate(shown) if row.person.current), -1)


def place_lines(places: tuple[Counter, ...], title: str, width: int, spare: int) -> tuple[Content, ...]:
    """A line a place; all that is to be said of them where there is room to spare."""
    if not places:
        return ()
    name = min(max(cells(p.name) for p in places), width // 2)
    out, full = [], []
    for p in places:
        said, style = safe(p.note) or str(p.value or "–"), TONES[p.tone] if p.value else DIM
        out.append(line((f"  {fit(p.name, name)} ", INK), (f" {said}", style)))
        for i, piece in enumerate(wrap(said, max(width - name - 5, 12))):
            full.append(line((f"  {fit('' if i else p.name, name)} ", INK), (f" {piece}", style)))
    return (heading(title, width), *(full if len(full) < spare else out))


def _note(p: Person) -> str:
    """What is said of them, unless the meter says it already."""
    note = p.secret_note or p.note
    meter = p.meters[0] if p.meters else None
    if meter and note in (f"{meter.value}", f"{meter.value}/{meter.most}"):
        return ""
    if not p.secret_note or p.secret:  # one sign for all that is the GM's
        return note
    known = p.note if p.note and note.startswith(f"{p.note}, ") else ""  # what players read has no sign before it
    return f"{known} {SECRET} {note.removeprefix(f'{known}, ')}".lstrip()


def _meter(value: int, least: int, most: int | None) -> list[Span]:
    """A meter as a line of four, whose length tells it without the colour."""
    if not most:
        return [(" " * METER, "")]
    share = min(max((value - least) / max(most - least, 1), 0.0), 1.0)
    full = max(round(share * METER), 1 if value > least else 0)
    tone = "$good" if share > 0.5 else "$warn" if share > 0.25 else "$bad"
    return [("━" * full, tone), ("─" * (METER - full), FAINT)]


class Sizes(Model):
    """How the columns of the rows in sight are laid out."""

    width: int
    name: int
    number: int
    """Of the meter's number; 0 where nobody has one."""
    targets: bool
    bar: bool = True

    @classmethod
    def of(cls, seen: Sequence[Row], width: int, targets: bool) -> Sizes:
        """The number that matters comes before the end of a long name."""
        has = any(row.meter for row in seen)
        full = width >= ROOMY and not targets
        number = max((cells(row.number(full)) for row in seen), default=0) if has else 0
        tail = max((min(cells(" ".join(row.short())), 7) for row in seen), default=0)
        own = 2 if any(row.person.secret for row in seen) else 0
        taken = 5 + (METER + 2 + number if has else 0) + (7 + own if targets else tail + 2 if tail else 1)
        longest = max((cells(row.name + row.count) for row in seen), default=8)
        bar = targets or width - 5 - min(longest, 10) > METER + 2 + number + own  # else the number says it
        taken = taken if bar or not has else taken - METER - 1
        if targets and longest > width - taken:  # beside the chance the bar says enough
            taken, number = taken - number - 1, 0
            if bar and longest > width - taken:  # and whom it is of comes before the bar
                taken, bar = taken - METER - 1, False
        return cls(width, min(longest, max(width - taken, 10)), number, targets, bar)


SECRET = "~"
"""The mark of what is the GM's own."""
SHORT = 4
"""Cells of a mark that finds room in every row: +1d, 2 DP."""
MARKS = {"party": ("●", "$good"), "foe": ("◆", "$bad"), "other": ("○", DIM), "": (" ", DIM)}


def _row(row: Row, here: bool, sizes: Sizes, target: Target | None) -> Content:
    """The cursor in the gutter, the state beside it, then the side: cursor and turn can be on one row."""
    p = row.people[0]
    sign = "✗" if p.out else "▶" if p.current else "✓" if p.acted else "›" if p.may_go else " "
    quiet = p.out or p.acted
    base = DIM if quiet else INK
    ground = " on $raised" if here else ""
    mark, tone = MARKS[p.allegiance]
    state: Span = (f"{sign} ", DIM if quiet else ACCENT)
    if target is not None:
        state = (f"{target.digit:1} ", f"bold {ACCENT}")
    name = row.fitted(sizes.name)
    spans: list[Span] = [
        ("▸" if here else " ", ACCENT),
        state,
        (f"{mark} ", tone),
        (name, f"{'bold ' if p.current or here else ''}{base}"),
    ]
    width, room = sizes.width, sizes.width - 5 - sizes.name
    own = 2 if p.secret and not sizes.targets else 0  # nobody is read aloud by mistake: the sign is in every row
    need = 1 + sizes.number + (7 if sizes.targets else own)
    if row.meter and (sizes.number or sizes.targets) and room >= need:
        value, least, most = row.meter
        number = row.number(width >= ROOMY and not sizes.targets)
        bar = [(" ", ""), *_meter(value, least, most)] if sizes.bar and room >= METER + need else []
        spans += [*bar, (f" {number:>{sizes.number}}" if sizes.number else "", f"bold {base}")]
    left = width - sum(cells(text) for text, _ in spans) - 1 - own
    tail = (target.chance or ("" if row.meter else _note(p))) if target is not None else ""
    if sizes.targets and p.secret:
        tail = f"{SECRET} {tail}".rstrip()
    pieces: list[tuple[str, str]] = [] if sizes.targets else row.remarks(width >= ROOMY)
    behind = sizes.name - cells(name.rstrip()) if len(spans) == 4 else 0
    for n, piece in enumerate(
        pieces
    ):  # a remark is left out whole rather than cut: the card of whoever is under it has it
        longer = (f"{tail} {said}".strip() for said in piece)
        # the first may stand in what room the name leaves
        tail = next((text for text in longer if cells(text) + 1 <= left + (0 if n else behind)), tail)
    left += own
    if own:
        longer = (f"{tail} {sign}".strip() for sign in (f"{SECRET} only you" if width >= ROOMY else SECRET, SECRET))
        tail = next((text for text in longer if cells(text) + 1 <= left), f"{tail} {SECRET}".strip())
    if (over := cells(tail) + 1 - left) > 0 and behind:
        spans[3] = (name[: -min(over, behind)], spans[3][1])
        left += min(over, behind)
    free = left - cells(tail) - 1 if tail else left
    if len(spans) == 4 and (more := min(cells(row.name + row.count) - sizes.name, free)) > 0:
        spans[3] = (row.fitted(sizes.name + more), spans[3][1])  # nothing else needs the room
        left -= more
    spans.append((f"{tail:>{max(left, 0)}} " if tail else " " * (left + 1), f"bold {INK}" if sizes.targets else DIM))
    return line(*((text, f"{style}{ground}".strip()) for text, style in spans))
