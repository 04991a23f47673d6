"""A hand-written file as a form: every key that it can have, with its value or what holds without it.

Each change is one step at the table. Everything else in the file stays as it is.
"""

from __future__ import annotations

import typing
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Literal

import msgspec
from textual.content import Content

from ...rules import Action, Ask, RandomTable, TableError
from ...storage.campaign.folder import file_of
from ...storage.campaign.preparing import add_part, put, take_out, value_at
from ...storage.toml.layout import Path as Keys
from ...storage.toml.shape import bare
from ..asking.host import Asked, Choose, Host, Question
from ..asking.listing import Hit, Listing, Pick
from ..commands import Command, Layer, Press, UserKeys
from ..commands.record import Done
from ..drawing.text import DIM, heading, line, scrolled, told, with_more
from ..editor import editor
from ..panels.bars import Said
from ..playing import Playing
from .records import answers, ask_record, at, described, is_open, is_record, singular, table_of, value_of, whole
from .rows import Row, row_lines
from .values import BETWEEN, LINE, named, names_elsewhere, read, shown

NOTE = 2
"""Lines below the rows that tell what the key under the cursor is for."""


class Editor(Asked):
    """One table of a file at a time; the way up leads to the list of files."""

    about = "Every key that the file can have. Each change is written at once, everything else stays as it is."
    tall = True

    def __init__(self, screen: Playing, unit: tuple[str, ...] = (), path: Keys = ()) -> None:
        self.screen, self.unit, self.path = screen, unit, path
        self.inner = Host(self._redraw)
        self.wrong = ""
        """Why the last change was refused."""
        self.unreadable = ""
        """What is wrong with the file: empty fields would look as if all were lost."""
        self.seen: object = None
        self.list: Listing[Row] = Listing("", [], name="editing")
        self._fill()

    # ---- what there is

    @property
    def campaign(self) -> Any:
        """The files as they were last read."""
        return self.screen.game.campaign.campaign if self.screen.game.campaign else None

    @property
    def kind(self) -> Any:
        """The type of the table that is shown."""
        engine = self.screen.game.table.engine
        return table_of(at(engine, whole(engine, self.unit, RandomTable), self.path))

    @property
    def title(self) -> str:  # type: ignore[override]  # it changes with where one is
        """The file, and where in it."""
        if not self.unit:
            return "files of the campaign"
        return " › ".join([file_of(self.unit), *(str(p) for p in self.path)])

    def _fill(self) -> None:
        campaign = self.campaign
        here = self.list.here.value.path if self.list.here else ()
        unit = self.list.here.value.unit if self.list.here else ()
        rows = self._files() if not self.unit else self._rows()
        at = next((n for n, row in enumerate(rows) if (row.path, row.unit) == (here, unit)), self.list.cursor)
        self.list = Listing("", [Pick(row, row.label) for row in rows], at, "editing")
        self.seen = campaign
        self.unreadable = next(iter(self.screen.game.problems_of(file_of(self.unit))), "") if self.unit else ""

    def _files(self) -> list[Row]:
        out = []
        for unit, document in self.campaign.documents.items():
            data = document.data or {}
            name = str(data.get("name") or data.get("title") or "") if isinstance(data, dict) else ""
            note = "" if not document.broken else str(document.problems[0])
            out.append(Row(name or file_of(unit), (), words=file_of(unit), note=note, open=True, unit=unit))
        folders = list(dict.fromkeys(row.unit[0] for row in out))
        return sorted(out, key=lambda row: (folders.index(row.unit[0]), row.label.casefold()))

    def _rows(self) -> list[Row]:
        document = self.campaign.documents.get(self.unit)
        if document is not None and document.data is None:
            return []
        data = value_at(document.data if document else None, self.path)
        kind = self.kind
        engine = self.screen.game.table.engine
        if is_record(kind):
            out = []
            told = described(kind)
            for field in msgspec.structs.fields(kind):
                key, path = field.encode_name, (*self.path, field.encode_name)
                one, held = at(engine, kind, (key,)), data.get(key) if isinstance(data, Mapping) else None
                default = field.default if field.default_factory is msgspec.NODEFAULT else ()
                words = shown(held) if held is not None else f"({shown(default)})" if shown(default) else ""
                out.append(
                    Row(key.replace("_", " "), path, one, held, words, told.get(field.name, ""), is_open(one, held))
                )
            known = {row.path[-1] for row in out}
            more = [k for k in data if k not in known] if isinstance(data, Mapping) else []
            return out + [
                Row(k, (*self.path, k), str, data[k], shown(data[k]), "not known to the game") for k in more
            ]
        args = typing.get_args(kind)
        inner = args[1] if typing.get_origin(kind) is dict else args[0] if args else str
        listed = data if isinstance(data, list | tuple) else ()  # anything else does not belong there
        held = data.items() if isinstance(data, Mapping) else enumerate(listed)
        return [Row(named(k, v), (*self.path, k), inner, v, shown(v), "", is_open(inner, v)) for k, v in held]

    # ---- keys

    @property
    def leaves(self) -> bool:
        """While a value is asked for, Esc is that question's."""
        return self.inner.asked is None

    @property
    def typed(self) -> bool:
        """What is typed belongs to the inner question."""
        return False

    def layer(self) -> Layer:
        """The rows; or what is asked of one."""
        if (asked := self.inner.layer()) is not None:
            return asked
        if self.seen is not self.campaign:
            self._fill()
        here = self.list.here
        row = here.value if here else None
        label = "open" if row and row.open else "change"
        rows = self.list.commands(self._take, self._redraw, verb="change" if self.unit else "open", enter=label)
        out = [
            Command(
                "editing.up",
                ("left", "backspace"),
                "back",
                self._up,
                "" if self.unit else "this is the top",
                effect="look",
                section="",
            )
        ]
        if self.unit and (typing.get_origin(self.kind) in (dict, tuple, list)):
            word = singular(str(self.path[-1]))
            label = f"add {'an' if word[:1] in 'aeiou' else 'a'} {word}"
            out.append(Command("editing.add", ("+",), label, self._add, section=""))
        if row is not None and row.path:
            why = "" if row.value is not None else "it is not written"
            out.append(Command("editing.out", ("delete", "x"), "take out", self._out, why, section=""))
        if self.unit and editor():
            out.append(Command("editing.own", ("o",), "your editor", self._own, section=""))
        undo = UserKeys.by_id.get("undo", "u")
        out.append(Command("editing.undo", (undo,), "undo", self._undo, where="end", section=""))
        return Layer("editing", (*rows, *out))

    def _redraw(self) -> None:
        self.host.redraw()

    def _up(self) -> None:
        was = self.path
        if self.path:
            self.path = self.path[:-1]
        else:
            self.unit, was = (), ()
        self.list.cursor, self.wrong = 0, ""
        self._fill()
        self.list.cursor = next((n for n, p in enumerate(self.list.picks) if p.value.path == was), 0)
        self._redraw()

    def _take(self, pick: Pick[Row]) -> Done:
        row, self.wrong = pick.value, ""
        if row.open:
            self.unit, self.path = row.unit or self.unit, row.path
            self.list.cursor = 0
            self._fill()
            self._redraw()
            return None
        if bare(row.kind) is bool:
            default = row.words.strip("()") == "yes"
            return self._put(row.path, not (row.value if row.value is not None else default))
        self._ask(row.kind, row.label, partial(self._put, row.path), row.value)
        return None

    def _ask(self, kind: Any, label: str, then: Callable[[Any], Awaitable[None]], held: Any = None) -> None:
        """Ask for a value of a type."""
        plain, extras = bare(value_of(kind)), typing.get_args(kind)[1:] if hasattr(kind, "__metadata__") else ()
        ask = next((one for one in extras if isinstance(one, Ask)), None)
        world = self.screen.game.world
        if is_record(plain):
            self._form(plain, label, then)
        elif typing.get_origin(plain) is dict:
            key, inner = typing.get_args(plain)

            async def keyed(name: Any) -> None:
                async def valued(value: Any) -> None:
                    await then({name: value})

                self._ask(inner, f"{label} {name}", valued)

            self._ask(key, label, keyed)
        elif typing.get_origin(plain) is Literal or (ask and typing.get_origin(plain) is None):
            some = (
                [(c.value, c.words) for c in ask.choices(world, {})]
                if ask
                else [(v, str(v)) for v in typing.get_args(plain)]
            )
            at = next((n for n, (v, _) in enumerate(some) if v == held), 0)
            self.inner.ask(Choose(label, [Pick(v, words) for v, words in some], then, at))
        elif plain is bool:
            self.inner.ask(Choose(label, [Pick(True, "yes"), Pick(False, "no")], then))
        else:
            listed = typing.get_origin(plain) in (tuple, list)
            if listed and held is not None and not isinstance(held, list | tuple):
                held = (held,)
            text = "" if held is None else str(held).replace("\n", LINE)
            mark = LINE if listed and any(BETWEEN in str(one) for one in held or ()) else BETWEEN
            text = f"{mark} ".join(map(str, held or ())) if listed else text
            hint = f"with {mark} between" if listed else f"{LINE} is a new line" if plain is str else ""

            async def typed(answer: str) -> bool:
                try:
                    await then(read(answer, plain, value_of(kind)))
                except TableError as error:
                    self.wrong = str(error)
                return not self.wrong  # what was typed waits until it can be written

            self.inner.ask(Question(label, typed, text, hint, fresh=plain is int))

    def _form(self, kind: type[msgspec.Struct], label: str, then: Callable[[Any], Awaitable[None]]) -> None:
        async def filled(form: Action) -> str:
            self.inner.close()
            await then(answers(form))
            return ""

        ask_record(self.inner, self.screen.game.table, kind, label, filled)

    def _add(self) -> None:
        kind, label = self.kind, singular(str(self.path[-1]))
        args = typing.get_args(kind)
        if typing.get_origin(kind) is dict:

            async def keyed(name: Any) -> None:
                self._ask(args[1], f"{label} {name}", partial(self._put, (*self.path, name)))

            self._named(label, partial(self._ask, args[0], f"{label}: its name", keyed), keyed)
        else:
            make = partial(add_part, self.campaign, self.unit, self.path, label)

            async def added(value: Any) -> None:
                await self._done(lambda: make(value))

            self._ask(args[0], label, added)

    def _named(self, label: str, ask: Callable[[], None], then: Callable[[str], Awaitable[None]]) -> None:
        """A name that other files of the kind have in the same place, or one that is typed."""
        known = names_elsewhere(self.campaign.documents, self.unit, self.path)
        title = f"{label}: choose a name, or type one"
        chosen = Choose(title, [Pick(name, name) for name in known], then, words=ask)
        self.inner.ask(chosen) if known else ask()

    async def _put(self, path: Keys, value: Any) -> None:
        if value == "" or value == []:
            await self._done(lambda: take_out(self.campaign, self.unit, path))
        else:
            await self._done(lambda: put(self.campaign, self.unit, path, value))

    async def _out(self) -> None:
        here = self.list.here
        if here is not None:
            path = here.value.path
            await self._done(lambda: take_out(self.campaign, self.unit, path))

    async def _done(self, work: Callable[[], Any]) -> None:
        game, self.wrong = self.screen.game, ""
        try:
            what = work()
            if what.patches and isinstance(found := await game.tried(game.preparing(what)), str):
                self.wrong = found
        except TableError as error:
            self.wrong = str(error)
        self.screen.saved()
        self._fill()
        self._redraw()

    async def _undo(self) -> None:
        await self.screen.undo()
        self._fill()
        self._redraw()

    async def _own(self) -> None:
        await self.screen.open_editor(file_of(self.unit))
        self._fill()
        self._redraw()

    # ---- looks

    def said(self) -> Said:
        """What is asked, or what stands under the cursor."""
        if self.inner.asked is not None:
            return self.inner.said()
        here = self.list.here
        where = here.value.words if here and here.value.unit else self.title
        empty = "There is something wrong with the file" if self.unreadable else "Nothing is written here"
        return Said(here.label if here else empty, tail=(where,))

    def paste(self, text: str) -> None:
        """Into the inner question."""
        if self.inner.asked is not None:
            self.inner.asked.paste(text)

    def lines(self, width: int, height: int, hit: Hit) -> list[Content]:
        """The rows, and what the one under the cursor is for."""
        if self.seen is not self.campaign and self.inner.asked is None:
            self._fill()
        head = [heading(self.title, width, active=True)]
        inner = self.inner.asked
        if inner is not None and inner.inline:
            return [*head, *inner.lines(width, height - 1, hit)]
        below = self._below(width)
        room = max(height - len(head) - len(below), 3)
        picks = self.list.picks
        top = self.list.top = scrolled(self.list.top, self.list.cursor, len(picks), room)
        after = min(top + room, len(picks))
        rows = row_lines([pick.value for pick in picks], top, after, self.list.cursor, width)
        for place in range(top, after):
            hit(len(head) + place - top, Press("editing.take", (place,)))
        if not rows and not (self.wrong or self.unreadable):
            rows = [line((" nothing is written here yet: + adds", DIM))]
        rows = with_more(rows, top, len(picks) - top - len(rows) if picks else 0, width)
        return [*head, *rows, *below, *self._text(width, height - len(head) - len(rows) - len(below))]

    def _text(self, width: int, room: int) -> list[Content]:
        """The file itself, where there is room for it."""
        document = self.campaign.documents.get(self.unit)
        if document is None or room < 6:
            return []
        shown = document.text.splitlines()[: room - 2]
        return [Content(""), heading("the file", width), *(line((f" {text}", DIM)) for text in shown)]

    def _below(self, width: int) -> list[Content]:
        if wrong := self.wrong or self.unreadable:
            return told(wrong, "$bad", width, sign="✗ ")
        return told(self.list.here.value.note, DIM, width)[:NOTE] if self.list.here else []
