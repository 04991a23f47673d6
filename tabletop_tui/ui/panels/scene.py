"""The panels of the scene page: the scenes and who is here at the left, the scene itself at the right."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

from textual.content import Content

from ...rules import Model, SheetView, percent
from ...session.scenes import Ready, SceneLook, SceneRow
from ..commands import Press
from ..drawing.text import ACCENT, DIM, INK, cells, fit, heading, line, safe, spread, with_more
from .card import sheet_lines
from .panel import Panel

Line = tuple[Content, str]
"""What is drawn, and the command that a click on it presses."""
MARKS = {"here": "●", "been": "✓", "": " "}


class Here(Model):
    """Somebody who is in the scene."""

    mark: str
    name: str
    note: str = ""
    quiet: bool = False


class Scenes(Model):
    """All scenes, who is in the one that is looked at, and what the GM noted."""

    rows: tuple[SceneRow, ...] = ()
    cursor: int = 0
    people: tuple[Here, ...] = ()
    notes: tuple[str, ...] = ()
    played: tuple[tuple[str, str], ...] = ()
    """Time and title of each scene of the session."""


class Section(NamedTuple):
    """What stands under a heading."""

    head: list[Content]
    body: list[Content]

    @property
    def rows(self) -> int:
        """As many as it takes."""
        return len(self.head) + len(self.body)


def fitted(sections: Sequence[Section], room: int, width: int) -> list[Content]:
    """As much as there is room for, no heading alone; how much more there is stands on the last row."""
    out: list[Content] = []
    left = sum(len(one.body) for one in sections)
    for head, body in sections:
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
        for title, rows in (
            ("who is here", [_person(one, width) for one in part.people]),
            ("your notes", [row for note in part.notes for row in _note(note, width)]),
        ):
            sections += [Section([Content(""), heading(title, width)], rows)] if rows else []
        if part.played and sum(one.rows for one in sections) + len(part.played) + 2 <= room:
            rows = [line((f" {at}  ", DIM), (fit(title, width - 8), INK)) for at, title in part.played]
            sections.append(Section([Content(""), heading("played so far", width)], rows))
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


def _note(note: str, width: int) -> list[Content]:
    pieces = wrap(safe(note), max(width - 4, 12)) or [""]
    return [line((" · " if not i else "   ", DIM), (text, INK)) for i, text in enumerate(pieces)]


def _person(one: Here, width: int) -> Content:
    style = DIM if one.quiet else INK
    tail = f"{one.note} " if one.note else ""
    if cells(tail) > width // 3 and cells(one.name) + cells(tail) + 4 > width:
        tail = ""  # dropped whole rather than cut, and a long one rather than the name
    name = fit(one.name, max(width - 4 - cells(tail), 6))
    return line((f" {one.mark} ", DIM if one.quiet else ACCENT), (name, style), (f" {tail}", DIM))


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
        gap: list[Line] = [(Content(""), "")] if self.size.height >= 22 else []
        title = line((f" {part.look.title}", f"bold {INK}"))
        out: list[Line] = [(spread(title, line((f"{part.since} ", DIM)), width), "")]
        for block in (
            _told("read aloud", part.look.about, ACCENT, f"bold {INK}", width),
            _told("~ only you", part.look.secret, DIM, INK, width),
            _prepared(part, part.look, width, bool(gap)),
            _next(part, part.look, width),
        ):
            out += [*gap, *block] if block else []
        for card in part.cards:
            shown: list[Line] = [(one, "") for one in sheet_lines(card, width, short=True)]
            if len(out) + len(gap) + len(shown) <= self.size.height:
                out += [*gap, *shown]
        for at, (_content, press) in enumerate(out):
            if press:
                self.spot(at, Press(press))
        return [content for content, _press in out]


def _told(title: str, text: str, bar: str, style: str, width: int) -> list[Line]:
    """Text under its heading, with a bar beside it."""
    parts = [piece for part in text.strip().splitlines() for piece in wrap(safe(part), max(width - 4, 20)) or [""]]
    body = [(line((" ▎", bar), (piece, style)), "") for piece in parts]
    return [(heading(title, width), ""), *body] if body else []


def _prepared(part: Shown, look: SceneLook, width: int, roomy: bool) -> list[Line]:
    """What a digit opens, and the key that adds more."""
    kinds = [cells(r.prepared.what) for r in look.ready]
    kind = max([*kinds, cells("add") if part.add else 0])
    out: list[Line] = []
    for i, ready in enumerate(look.ready):
        chance = part.chances[i] if i < len(part.chances) else None
        out.append((_row(i + 1, ready, kind, chance, width), f"scene.open.{i + 1}"))
        if roomy and ready.prepared.stakes and ready.state != "done":
            out.append((line((f"{' ' * (kind + 4)}at stake: {ready.prepared.stakes}", DIM)), ""))
    if part.add:
        words = "a foe, a challenge, a clock …"
        out.append((line((f" {part.add} ", f"bold {ACCENT}"), (f"{fit('add', kind)} {words}", DIM)), "add"))
    note = "a digit opens it" if look.ready else ""
    return [(heading("prepared here", width, note=note), ""), *out] if out else []


def _next(part: Shown, look: SceneLook, width: int) -> list[Line]:
    """The scenes that a digit sets."""
    out: list[Line] = []
    for digit, row in enumerate(look.next, part.first_next):
        key = line((f" {digit} " if digit <= 9 else "   ", f"bold {ACCENT}"))
        out.append((key + line(("scene ", DIM), (row.title, INK)), f"scene.open.{digit}"))
    return [(heading("could come next", width), ""), *out] if out else []


def _row(digit: int, ready: Ready, kind: int, chance: float | None, width: int) -> Content:
    p = ready.prepared
    done = ready.state == "done"
    key = line((f" {digit} " if digit <= 9 else "   ", f"bold {ACCENT}" if not p.closed else DIM))
    note = ready.words or (f"– {p.closed}" if p.closed else p.note)
    name = key + line((f"{fit(p.what, kind)} ", DIM), (p.name, DIM if done or p.closed else f"bold {INK}"))
    hope = line((f"{percent(chance)} ", f"bold {INK}")) if chance is not None and not ready.state else Content("")
    room = width - name.cell_length - hope.cell_length
    more = "" if ready.state or p.closed else p.more
    at_length = f"{note} · {more}" if note and more else note or more
    words = next((w for w in (at_length, note) if cells(w) + 3 <= room), "")
    return spread(name, line((f"{words} ", DIM)) + hope, width) if words or chance is not None else name
