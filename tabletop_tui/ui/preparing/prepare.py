"""What is prepared at the table: the list of what can be added, the forms for it, and the way to any file."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ...rules import Action, Ask, Choice, Model, Scene, TableError, fields, offers, tag_of
from ...session import NOBODY_YET
from ...storage.campaign.preparing import Preparation, add_part, bring, copies, new_file, new_sheet
from ..commands import key_for
from ..playing import Playing
from .adding import Addable, Adding
from .editing import Editor
from .records import Part, answers, ask_record, form_of, parts

Make = Callable[[Action], Preparation]
Then = Callable[[Preparation], Awaitable[None]]
LIVE = {"add_clock": "clock", "add_track": "track", "zone": "zone"}
"""What stands on the table in no file: the tags of the actions that put it there, and what it is called."""


def sheets_like(world: Any, _fields: Mapping[str, Any]) -> list[Choice]:
    """An example of the game's own, then everybody who has a sheet."""
    return [
        Choice("", "an example, to write over"),
        *(Choice(w, world.name(w)) for w in world.present() if w not in world.now.more),
    ]


class NewHero(Model):
    """A player's character, with a sheet of its own to fill in."""

    name: str
    player: Annotated[str, msgspec.Meta(title="played by", description=NOBODY_YET)]
    like: Annotated[str, Ask(sheets_like, "numbers of")] = ""


class NewNpc(Model):
    """One of the GM's own, with a sheet of its own to fill in."""

    name: str
    like: Annotated[str, Ask(sheets_like, "numbers of")] = ""


class NewScene(Model):
    """A place and a moment: what is read aloud, and what only you know."""

    title: str
    about: Annotated[str, msgspec.Meta(title="read aloud")] = ""
    secret: Annotated[str, msgspec.Meta(title="only you")] = ""


class NewTable(Model):
    """Names, weather, complications: one of its rows comes up. E adds weights and dice."""

    title: str
    rows: Annotated[str, msgspec.Meta(title="what can come up, with ; between")]
    about: Annotated[str, msgspec.Meta(title="when to roll on it")] = ""
    secret: Annotated[bool, msgspec.Meta(title="for your eyes")] = False


class Preparing:
    """Adding and editing, for whatever page is in front."""

    def __init__(self, screen: Playing) -> None:
        self.screen = screen

    @property
    def _campaign(self) -> Any:
        assert self.screen.game.campaign is not None
        return self.screen.game.campaign.campaign

    # ---- adding

    def add(self, who: str = "") -> None:
        """Ask what; somebody may stand under the cursor already."""
        self.screen.host.ask(Adding(self._addables(), self.screen.game.world.name(who) if who else ""))

    def _addables(self) -> list[Addable]:
        return [*self._people(), *self._things()]

    def _people(self) -> list[Addable]:
        """More of the GM's own; while turns are taken, everybody who is not in the order."""
        world = self.screen.game.world
        inside, under = world.now.turns.fighters, self.screen.scene_under
        place = world.scenes.get(under)
        named = self.screen.game.table.engine.here(world, under) if place else []
        join, people = self._join(), self.screen.game.at_table().people
        out = []
        for who in world.present():
            if who in world.now.more or (world.sheets[who].player and (join is None or who in inside)):
                continue
            own = not world.sheets[who].player
            count = sum(who in (p.id, p.group, world.original(p.id)) for p in people if p.id in inside)
            there = f"{count} in the order" if count > 1 else "in the order" if count else ""
            there = there or ("not in the order" if join else "")
            hides = bool(join and own and "hidden" in join.__struct_fields__)
            run = partial(self._bring, who)
            note = there or ("one more" if own else "")
            if own and not there and place and who not in named:
                note = f"into {place.title}"
            closed = "" if join or place or not self._into_scene() else "set a scene first"
            out.append(Addable(world.name(who), note, run, own, hides, closed=closed))
        return out

    def _into_scene(self) -> bool:
        """Do more of somebody stand in a scene's file, rather than at the table?"""
        engine = self.screen.game.table.engine
        return engine.scene.bringing is not Scene.bringing and not any(tag_of(k) == "more" for k in engine.actions)

    def _join(self) -> type[Action] | None:
        """The game's way to let somebody into the turns that are being taken; not while another scene is read."""
        game = self.screen.game
        if not game.world.now.turns.running or self.screen.scene_under != game.world.now.scene:
            return None
        kind = next((k for k in game.table.engine.actions if tag_of(k) == "join"), None)
        return kind if kind and not game.table.engine.when(kind, game.world) else None

    async def _bring(self, who: str, count: int, hidden: bool) -> None:
        game, join = self.screen.game, self._join()
        if join is not None:
            known = {f.name for f in fields(join)}
            given = {"who": who, "hidden": hidden, "count": count}
            if count == 1 or "count" in known:
                await self.screen.attempt(msgspec.convert({k: v for k, v in given.items() if k in known}, join))
                return
        await self.do(lambda: self._more(who, count), game.world.name(who))

    def _more(self, who: str, count: int) -> Preparation:
        """As copies that share a sheet or as numbers of the scene, as the game has it; else as files of their own."""
        game = self.screen.game
        numbered = any(tag_of(k) == "more" for k in game.table.engine.actions)
        if numbered or self._into_scene():
            scene = self.screen.scene_under
            return bring(self._campaign, game.world, who, count, numbered=numbered, scene=scene)
        return copies(self._campaign, who, count)

    def _things(self) -> list[Addable]:
        table = self.screen.game.table
        engine, scene = table.engine, self.screen.scene_under
        title = table.world.scenes[scene].title if scene in table.world.scenes else ""
        npc = f"one of yours, in {title}" if title and self.screen.front == "scene" else "one of yours"
        out = [
            Addable("new hero", "a player's character", self._form(NewHero, "new hero", self._sheet, self._see)),
            Addable("new NPC or foe", npc, self._form(NewNpc, "new NPC", self._sheet, self._see)),
            Addable("scene", "a place and a moment", self._form(NewScene, "new scene", self._scene)),
        ]
        none = "set a scene first" if table.world.scenes else "add a scene, and set it"
        tags = {tag_of(kind): kind for kind in engine.actions}
        live = {label: tags[tag] for tag, label in LIVE.items() if tag in tags}
        for part in parts(engine.scene):
            make = partial(self._part, scene, part)
            run = self._form(part.kind, f"{part.label} in {title}", make)
            label = f"scene's {part.label}" if part.label in live else part.label
            closed = offers((form_of(part.kind, part.label),), table.world)[0].closed if title else none
            out.append(Addable(label, f"in {title}" if title else "", run, closed=closed))
        out += [Addable(label, "on the table, from now", partial(self._start, kind)) for label, kind in live.items()]
        out.append(Addable("rollable table", "names, weather", self._form(NewTable, "new table", self._table)))
        return out

    def _form(
        self, kind: type[msgspec.Struct], title: str, make: Make, then: Then | None = None
    ) -> Callable[[int, bool], Awaitable[None]]:
        async def ask(_count: int, _hidden: bool) -> None:
            made = partial(self._write, make, then or self._made)
            ask_record(self.screen.host, self.screen.game.table, kind, title, made)

        return ask

    async def _write(self, make: Make, then: Then, form: Action) -> str:
        """Write what a form makes; why not, where it was refused."""
        game = self.screen.game
        try:
            what = make(form)
        except TableError as error:
            return str(error)
        if isinstance(found := await game.tried(game.preparing(what)), str):
            return found
        self.screen.host.close()
        self.screen.saved()
        await then(what)
        return ""

    async def _start(self, kind: type[Action], _count: int, _hidden: bool) -> None:
        await self.screen.start(kind)

    def _sheet(self, form: Action) -> Preparation:
        held = answers(form)
        player = held["player"] or NOBODY_YET if "player" in held else ""
        scene = self.screen.scene_under if self.screen.front == "scene" and not player else ""
        return new_sheet(self._campaign, held["name"], player, held.get("like", ""), scene)

    def _scene(self, form: Action) -> Preparation:
        return new_file(self._campaign, "scenes", answers(form))

    def _table(self, form: Action) -> Preparation:
        held = answers(form)
        rows = [{"text": text.strip()} for text in held.pop("rows").split(";") if text.strip()]
        return new_file(self._campaign, "tables", {**held, "rows": rows})

    def _part(self, scene: str, part: Part, form: Action) -> Preparation:
        return add_part(self._campaign, ("scenes", scene), part.path, part.label, answers(form))

    # ---- what was done

    async def do(self, work: Callable[[], Preparation], who: str = "") -> bool:
        """Write it and say so."""
        try:
            what = await asyncio.to_thread(work)
        except TableError as error:
            self.screen.tell(str(error))
            return False
        if not await self.screen.game.drive(self.screen.game.preparing(what)):
            return False
        self.screen.saved()
        await self._made(what)
        return True

    async def _made(self, what: Preparation) -> None:
        files = ", ".join(patch.file for patch in what.patches)
        back = f"{key_for('undo', 'u')} takes it back"
        self.screen.tell(f"{files} · {back}" if files else "", "good", logged=what.words)

    async def _see(self, what: Preparation) -> None:
        await self.screen.show_sheet(Path(what.patches[0].file).stem)
        await self._made(what)

    # ---- any file

    def edit(self, unit: tuple[str, ...] = ()) -> None:
        """The form of a file, or the list of files."""
        self.screen.host.ask(Editor(self.screen, unit))
