"""The scene page: where we are, who is here, what is prepared, what could come next. The GM's alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace
from textual.app import ComposeResult

from ...kit.scenes import Note
from ...rules import Action, Option, Person, Refused, SheetView
from ...session import local_time
from ...session.scenes import Ready, SceneLook, SceneRow, best_lead, enter, look_at, scene_rows, visits
from ..commands import Command, Where
from ..commands.catalogue import command
from ..commands.record import moves
from ..drawing.text import begun, cells
from ..panels.bars import Said
from ..panels.ground import Columns
from ..panels.scene import Here, ScenePanel, ScenePeople, Scenes, Shown
from ..playing import Playing
from ..thinking import think
from .ahead import named
from .page import Page

BAND = 2
"""How much of what is prepared the band proposes."""
NOTES = 4
"""Of the log's notes that are shown beside those of the file."""
LOOKED_BACK = 2_000
"""Entries among which they are looked for: more than an evening has."""


CARDS = 6
"""Sheets that are shown below the scene, where there is room."""
ROOMY = 22
"""Rows from which there is."""
WIDE = 90
"""Columns from which there is room for chances."""
LONGEST = 30
"""Cells of a name in the band: the page has them all, and what the band says comes first."""
SLIM = 76
"""Columns below which the band has no room for the names of what is prepared."""


class ScenePage(Page):
    """Every game has scenes."""

    DEFAULT_CSS = """
    ScenePage .work { height: 1fr; }
    ScenePage AskPanel { height: 1fr; }
    ScenePage LogPanel { height: auto; min-height: 0; max-height: 50%; }
    """

    def __init__(self, play: Playing, **kwargs: Any) -> None:
        super().__init__(play, **kwargs)
        self.people, self.panel = ScenePeople(), ScenePanel()
        self.cursor = ""
        """The id of the scene that is looked at: a list that changes its order does not move it."""
        self.rows: tuple[SceneRow, ...] = ()
        self.look: SceneLook | None = None
        self.hopes: tuple[object, str, tuple[float | None, ...]] = (None, "", ())
        """The chances of the best Lead, with the state and the scene that they belong to."""
        self.on = ""

    def compose(self) -> ComposeResult:
        """Scenes and people left, the scene right."""
        yield self.ask_panel
        with Columns(classes="work"):
            yield self.people
            yield self.panel
        yield self.log_panel

    # ---- looks

    @property
    def scene(self) -> str:
        """The one under the cursor."""
        return self.cursor

    @property
    def unit(self) -> tuple[str, ...]:
        """Its file."""
        return ("scenes", self.cursor) if self.cursor else ()

    def update_view(self) -> None:
        """Read everything again; the cursor follows the scene that is set."""
        table, world = self.game.table, self.game.world
        try:
            self.rows = tuple(scene_rows(table))
            on = world.now.scene
            if on != self.on or self.cursor not in world.scenes:
                self.on, self.cursor = on, on if on in world.scenes else next((row.id for row in self.rows), "")
            self.look = look_at(table, self.cursor)
        except Refused as fault:  # the engine fails: the page stays as it was
            self.game.tell(str(fault), "bad")
        self._draw()
        self._think()

    def _draw(self) -> None:
        look = self.look
        at = next((i for i, row in enumerate(self.rows) if row.id == self.cursor), 0)
        self.people.show(Scenes(self.rows, at, self._here(), self._notes(), self._played()))
        since = f"you are here since {local_time(look.since)}" if look and look.since else ""
        if look and not since:
            since = "you are here" if look.id == self.game.world.now.scene else "not set"
        ready = len(look.ready) if look else 0
        keys = self.play.plays
        cannot = next((self._cannot_set(row.id) for row in look.next), "") if look else ""
        self.panel.show(Shown(look, since, self._chances(), ready + 1, self._add_key(), self._cards(), keys, cannot))

    def _cards(self) -> tuple[SheetView, ...]:
        """The sheets of the GM's characters who are here."""
        world = self.game.world
        there = self.game.table.engine.here(world, self.cursor) if self.look else []
        others = [who for who in there if not world.sheets[who].player]
        return self.game.sheets(others[:CARDS]) if self.room.height >= ROOMY else ()

    def _chances(self) -> tuple[float | None, ...]:
        world, scene, found = self.hopes
        return found if self._roomy and world is self.game.world and scene == self.cursor else ()

    @property
    def _roomy(self) -> bool:
        return self.room.width >= WIDE

    def _think(self) -> None:
        """The chances of the best Lead of each challenge, off the UI thread, where there is room to show them."""
        look, world, table = self.look, self.game.world, self.game.table
        if look is None or not look.ready or not self._roomy or self.hopes[:2] == (world, look.id):
            return

        def hopes() -> tuple[float | None, ...]:
            return tuple(best_lead(table, r.prepared, world) if not r.state else None for r in look.ready)

        async def weigh() -> None:
            try:
                self.hopes = (world, look.id, await asyncio.to_thread(hopes))
            except Refused:  # the engine fails: no chances
                return
            self._draw()

        think(self, "scene", weigh)

    def _here(self) -> tuple[Here, ...]:
        """The party in one row, then everybody whom the scene names, those of a kind together."""
        world = self.game.world
        seen = {p.id: p for p in self.game.at_table().people}
        there = self.game.table.engine.here(world, self.cursor)
        party = [who for who in there if world.sheets[who].player]
        out = [Here("party", "the party", str(len(party)))] if party else []
        kinds: dict[tuple[str, Here], list[str]] = {}
        for who in there:
            if who not in party:
                person, hidden = seen.get(who) or Person(id=who, name=world.name(who)), world.is_hidden(who)
                note, quiet = "hidden" if hidden else _number(person), hidden or person.out
                like = Here(person.allegiance, "", note, quiet, hidden or person.secret)
                kinds.setdefault((person.group or who, like), []).append(world.name(who))
        for (kind, like), some in kinds.items():
            out.append(replace(like, name=some[0] if len(some) == 1 else f"{kind} ×{len(some)}"))
        return tuple(out)

    def _notes(self) -> tuple[tuple[str, bool], ...]:
        """Those of the scene's file, and the last ones of the log; and whether they are the GM's alone."""
        line, head = self.game.table.timeline, self.game.table.head
        done = (line.entries[seq - 1].action for seq in line.past(max(head - LOOKED_BACK, 0), head) if seq)
        written = [(a.text, a.secret) for a in done if isinstance(a, Note)]
        return (*((note, True) for note in (self.look.notes if self.look else ())), *written[-NOTES:])

    def _played(self) -> tuple[tuple[str, str], ...]:
        scenes = self.game.world.scenes
        return tuple(
            (local_time(v.at) or "–", scenes[v.scene].title) for v in visits(self.game.table) if v.scene in scenes
        )

    def said(self) -> Said:
        """Which scene is set, or whether another one is to be."""
        look = self.look
        if look is None:
            return Said("No scene is prepared")
        if page := self.waits():
            return Said(f"The {begun(page)} waits for an answer")
        if look.id == self.game.world.now.scene:
            there = self._elsewhere()
            return Said(there[1] if there else f"{look.title} is set")
        why = self._cannot_set(look.id)
        return Said(f"{look.title}: not now", tail=(why,)) if why else Said(f"Set {look.title}?")

    def facts(self) -> tuple[str, ...]:
        """The round, where one runs."""
        return tuple(fact.text for fact in self.game.at_table().facts)

    def _roll_table(self) -> None:
        from ..bench.tables import ask_table

        ask_table(self.play)

    # ---- commands

    def commands(self) -> tuple[Command, ...]:
        """Set a scene, open what is prepared, look at another."""
        out: list[Command] = []
        look, on = self.look, self.game.world.now.scene
        if len(self.rows) > 1:
            out += moves("scene", "scenes", self._move)
        if look is not None:
            if look.id != on and not self.waits():
                run = partial(self._enter, look.id)
                out.append(command("scene.set", run, self._cannot_set(look.id)))
            elif there := self._elsewhere():
                go = partial(self.play.show_page, there[0])
                out.append(command("scene.go_on", go, label=there[2]))
            out += self._openings(look, on)
        if note := self._note():
            out.append(command("scene.note", partial(self.play.press, note, title=note.label)))
        if self.game.world.tables and not self.game.table.seat:
            out.append(command("scene.table", self._roll_table))
        out.append(Command("scene.point", (), "", effect="look", where="hidden", point=self._point))
        return tuple(out)

    def _elsewhere(self) -> tuple[str, str, str] | None:
        """The page where somebody must answer, or where something is open; what is to be said of it, and of Enter."""
        if there := self.waits():
            return there, "", "go there"
        found = next(iter(self.play.place.open.items()), None)
        return (found[0], f"{found[1]} is open", "go on with it") if found else None

    def _cannot_set(self, scene: str) -> str:
        """Why a scene cannot be set now; empty where it can."""
        table = self.game.table
        if (action := enter(table, scene)) is None:
            return "this game sets no scenes"
        return next((offer.closed for offer in table.offers() if offer.kind is type(action)), "")

    def _openings(self, look: SceneLook, on: str) -> list[Command]:
        """A digit for each thing that is prepared and for each scene that could come next."""
        out: list[Command] = []
        proposed = [r for r in look.ready if not r.state and not r.prepared.closed][:BAND] if look.id == on else []
        for digit, ready in enumerate(look.ready[:9], 1):
            p = ready.prepared
            where: Where = "band" if ready in proposed else "footer"
            group = "" if ready in proposed else "open"
            id, run = f"scene.open.{digit}", partial(self._begin, ready)
            short = where == "band" and (self.room.width < SLIM or cells(named(p)) > LONGEST)
            label = p.what if short else named(p)
            closed = "" if ready.state == "open" else p.closed  # it is gone to
            out.append(Command(id, (str(digit),), label, run, closed, "play", where, group))
        for digit, row in enumerate(look.next, len(look.ready) + 1):
            if digit <= 9:
                label = f"go to {row.title}"
                id, run = f"scene.open.{digit}", partial(self._enter, row.id)
                out.append(Command(id, (str(digit),), label, run, self._cannot_set(row.id), "play", "footer", "open"))
        return out

    def _note(self) -> Option | None:
        known = Note in self.game.table.engine.actions
        return Option(label="note for you alone", action=Note("", secret=True)) if known else None

    def _add_key(self) -> str:
        return self.play.key_of("add")

    async def _begin(self, ready: Ready) -> None:
        p = ready.prepared
        if ready.state == "open" and p.action.leads_to in self.play.names:
            await self.play.show_page(p.action.leads_to)
        else:
            await self.play.press(Option(label=p.name, action=p.action, closed=p.closed))

    async def _enter(self, scene: str) -> None:
        action: Action | None = enter(self.game.table, scene)
        if action is not None:
            await self.play.attempt(action)

    def _move(self, step: int) -> None:
        ids: Sequence[str] = [row.id for row in self.rows]
        at = ids.index(self.cursor) if self.cursor in ids else 0
        self._look_at(ids[min(max(at + step, 0), len(ids) - 1)])

    def _point(self, place: tuple[int, ...]) -> None:
        if place[0] < len(self.rows):
            self._look_at(self.rows[place[0]].id)

    def _look_at(self, scene: str) -> None:
        self.cursor = scene
        self.update_view()


def _number(person: Person) -> str:
    """The number that matters: the first meter, or the note."""
    if person.meters:
        return f"{person.meters[0].value} {person.meters[0].name}"
    return person.secret_note or person.note
