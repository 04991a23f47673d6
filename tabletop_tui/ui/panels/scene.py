"""The panels of the scene page: the scenes and who is here at the left, the scene itself at the right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple

from textual.content import Content

from ...rules import Model, SheetView, percent
from ...rules.views import Allegiance
from ...session.scenes import Ready, SceneLook, SceneRow
from ..commands import Press, key_for
from ..drawing.text import ACCENT, DIM, INK, cells, fit, heading, line, safe, spread, with_more
from .card import sheet_lines
from .panel import Panel
from .roster import MARKS as SIDES
from .roster import SECRET

MARKS = {"here": "●", "been": "✓", "": " "}


class Here(Model):
    """Somebody who is in the scene."""

    allegiance: Allegiance
    name: str
    note: str = ""
    quiet: bool = False
    secret: bool = False
    """Can players not see them?"""


class Scenes(Model):
    """All scenes, who is in the one that is looked at, and what the GM noted."""

    rows: tuple[SceneRow, ...] = ()
    cursor: int = 0
    people: tuple[Here, ...] = ()
    notes: tuple[tuple[str, bool], ...] = ()
    """And whether players cannot read them."""
    played: tuple[tuple[str, str], ...] = ()
    """Time and title of each scene of the session."""


class Section(NamedTuple):
    """What stands under a heading."""

    head: list[Content]
    body: list[Content]
    presses: Mapping[int, str] = {}
    """The commands that clicks on rows of the body press."""


def _rows(sections: Iterable[Section]) -> int:
    return sum(len(one.head) + len(one.body) for one in sections)


def fitted(sections: Sequence[Section], room: int, width: int) -> list[Content]:
    """As much as there is room for, no heading alone; how much more there is stands on the last row."""
    out: list[Content] = []
    left = sum(len(one.body) for one in sections)
    for head, body, _ in sections:
        take = min(room - len(out) - len(head), len(body))
        if take > 0:
            out += [*head, *body[:take]]
            left -= take
        if take < len(body):
            break
    return with_more(out, 0, left, width)


class ScenePeople(Panel[Scenes]):
    """Where we were, are and could be; who is here."""

    DEFAULT_CSS = "ScenePeople { width: 28; height: 1fr; background: $surface; }"

    def lines(self, width: int) -> list[Content]:
        """Scenes first; the rest as far as there is room."""
        part = self.part or Scenes()
        room = max(self.size.height, 4)
        scenes = self._scenes(part, width, max(room - 1 - len(part.people) - 4, 3))
        sections = [Section([heading("scenes", width, note=str(len(part.rows)))], scenes)]
        played = [line((f" {at}  ", DIM), (fit(title, width - 8), INK)) for at, title in part.played]
        for title, rows in (
            ("who is here", [_person(one, width) for one in part.people]),
            ("your notes", [row for note in part.notes for row in _note(*note, width)]),
            ("played so far", played),
        ):
            if rows and (rows is not played or _rows(sections) + len(rows) + 2 <= room):
                sections.append(Section([Content(""), heading(title, width)], rows))
        return fitted(sections, room, width)

    def _scenes(self, part: Scenes, width: int, room: int) -> list[Content]:
        first = max(min(part.cursor - room // 2, len(part.rows) - room), 0)
        shown = list(enumerate(part.rows))[first : first + room]
        out: list[Content] = []
        for i, row in shown:
            here = i == part.cursor
            ground = " on $raised" if here else ""
            note = "here" if row.state == "here" else f"{row.left} left" if row.left and row.state else ""
            style = f"{'bold ' if row.state == 'here' or here else ''}{DIM if row.state == 'been' else INK}{ground}"
            self.spot(1 + len(out), Press("scene.point", (i,)))
            out.append(
                line(
                    ("▸" if here else " ", f"{ACCENT}{ground}"),
                    (f"{MARKS[row.state]} ", f"{ACCENT if row.state == 'here' else DIM}{ground}"),
                    (fit(row.title, max(width - 5 - cells(note), 4)), style),
                    (f" {note} ", f"{DIM}{ground}"),
                )
            )
        return with_more(out, first, max(len(part.rows) - first - room, 0), width)


def _note(note: str, own: bool, width: int) -> list[Content]:
    sign = SECRET if own else "·"
    pieces = wrap(safe(note), max(width - 4, 12)) or [""]
    return [line((f" {sign} " if not i else "   ", DIM), (text, INK)) for i, text in enumerate(pieces)]


def _person(one: Here, width: int) -> Content:
    mark, tone = SIDES[one.allegiance]
    own = f"{SECRET} " if one.secret else ""
    tail = f"{one.note} {own}" if one.note else own
    if cells(tail) > width // 3 and cells(one.name) + cells(tail) + 4 > width:
        tail = own  # dropped whole rather than cut, and a long one rather than the name
    name = fit(one.name, max(width - 4 - cells(tail), 6))
    return line((f" {mark} ", DIM if one.quiet else tone), (name, DIM if one.quiet else INK), (f" {tail}", DIM))


class Shown(Model):
    """One scene, and the chances of what is prepared there as far as they are known."""

    look: SceneLook | None = None
    since: str = ""
    chances: tuple[float | None, ...] = ()
    first_next: int = 1
    """The digit of the first scene that could come next."""
    add: str = ""
    """The key that adds something; empty where nothing can be added."""
    cards: tuple[SheetView, ...] = ()
    """The sheets of those whom the scene names, shown where there is room."""
    keys: bool = True
    """Can anything be opened? Where one only looks, no key stands beside it."""
    cannot: str = ""
    """Why no other scene can be set now."""


class ScenePanel(Panel[Shown]):
    """What is read aloud, what only the GM knows, what is prepared, what could come next."""

    DEFAULT_CSS = "ScenePanel { width: 1fr; height: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """Air between the parts where there is room for it."""
        part = self.part or Shown()
        if part.look is None:
            words = "No scene is prepared yet."
            more = f"Press {part.add} to add one, or write scenes/the-gate.toml." if part.add else ""
            return [heading("scene", width), line((f" {words}", INK)), line((f" {more}", DIM))]
        height, look = self.size.height, part.look
        gap = [Content("")] if height >= 22 else []
        told = [
            Section([*gap, heading("read aloud", width)], _told(look.about, ACCENT, f"bold {INK}", width)),
            Section([*gap, heading("~ only you", width)], _told(look.secret, DIM, INK, width)),
        ]
        kind = max(
            cells(word) for word in ("add", *(r.prepared.what for r in look.ready), *("scene" for _ in look.next))
        )
        opens = [_prepared(part, look, width, kind, gap), _next(part, look, width, kind, gap)]
        opens = [one for one in opens if one.body]
        told = _shortened([one for one in told if one.body], height - 1 - _rows(opens))
        title = line((f" {look.title}", f"bold {INK}"))
        room = width - title.cell_length - 2  # a name is not cut for a remark
        since = next((one for one in (part.since, part.since.partition(" since")[0]) if cells(one) <= room), "")
        shown = [Section([], [spread(title, line((f"{since} " if since else "", DIM)), width)]), *told, *opens]
        for card in part.cards:
            sheet = Section(gap, sheet_lines(card, width, short=True))
            shown += [sheet] if _rows((*shown, sheet)) <= height else []
        for at, one in enumerate(shown):
            top = _rows(shown[:at]) + len(one.head)
            for row, press in one.presses.items():
                self.spot(top + row, Press(press))
        return fitted(shown, height, width)


LEAST_TOLD = 2
"""Rows of a text that are kept, where there is no room for all of it."""


def _shortened(told: list[Section], room: int) -> list[Section]:
    """What is told gives way to what can be opened, the GM's own first; what is left out is owned up to."""
    over, out = _rows(told) - room, []
    for head, body, _ in reversed(told):
        cut = max(min(over, len(body) - LEAST_TOLD), 0)
        kept = body[: len(body) - cut]
        over -= cut
        out.append(Section(head, [*kept[:-1], kept[-1] + line((" …", DIM))] if cut else kept))
    return out[::-1]


def _told(text: str, bar: str, style: str, width: int) -> list[Content]:
    """Text with a bar beside it."""
    parts = [piece for part in text.strip().splitlines() for piece in wrap(safe(part), max(width - 4, 20)) or [""]]
    return [line((" ▎", bar), (piece, style)) for piece in parts]


def _prepared(part: Shown, look: SceneLook, width: int, kind: int, gap: list[Content]) -> Section:
    """What a digit opens, and the key that adds more."""
    out: list[Content] = []
    presses: dict[int, str] = {}
    for i, ready in enumerate(look.ready):
        chance = part.chances[i] if i < len(part.chances) else None
        presses[len(out)] = f"scene.open.{i + 1}"
        closed = "" if ready.state == "open" else ready.prepared.closed
        row = _row(_key(i + 1, part.keys, closed), ready, kind, chance, width)
        out.append(row)
        if closed and closed not in row.plain:
            out.append(line((f"{' ' * (kind + 4)}– {closed}", DIM)))
        if gap and ready.prepared.stakes and ready.state != "done":
            out.append(line((f"{' ' * (kind + 4)}at stake: {ready.prepared.stakes}", DIM)))
    if part.add:
        words = "a foe, a scene, a clock …"
        presses[len(out)] = "add"
        out.append(line((f" {part.add} ", f"bold {ACCENT}"), (f"{fit('add', kind)} {words}", DIM)))
    note = "a digit opens it" if look.ready and part.keys else ""
    return Section([*gap, heading("prepared here", width, note=note)], out, presses)


def _next(part: Shown, look: SceneLook, width: int, kind: int, gap: list[Content]) -> Section:
    """The scenes that a digit sets."""
    digits = list(enumerate(look.next, part.first_next))
    out = [
        _key(n, part.keys, part.cannot)
        + line((f"{fit('scene', kind)} ", DIM), (row.title, DIM if part.cannot else INK))
        for n, row in digits
    ]
    presses = {i: f"scene.open.{n}" for i, (n, _) in enumerate(digits)}
    return Section([*gap, heading("could come next", width)], out, presses)


def _key(digit: int, works: bool, closed: str = "") -> Content:
    key = "–" if closed else key_for(f"scene.open.{digit}", str(digit)) if digit <= 9 and works else " "
    return line((f" {key} ", DIM if closed else f"bold {ACCENT}"))


def _row(key: Content, ready: Ready, kind: int, chance: float | None, width: int) -> Content:
    p = ready.prepared
    done = ready.state == "done"
    note = ready.words or (f"– {p.closed}" if p.closed else p.note)
    name = key + line((f"{fit(p.what, kind)} ", DIM), (p.name, DIM if done or p.closed else f"bold {INK}"))
    told = percent(chance) if chance is not None and not ready.state else ""
    hope = line(("best ", DIM), (f"{told} ", f"bold {INK}")) if told else Content("")
    room = width - name.cell_length - hope.cell_length - (2 if told else 0)
    more = "" if ready.state or p.closed else p.more
    at_length = f"{note} · {more}" if note and more else note or more
    words = next((w for w in (at_length, note, ready.short) if cells(w) + 3 <= room), "")
    words = f"{words} · " if words and told else f"{words} "
    return spread(name, line((words, DIM)) + hope, width) if words.strip() or told else name
