"""Scenes as the GM looks at them: where we are, what is prepared there and how it came out, what could come next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any, Literal

from ..kit.scenes import in_order
from ..rules import Action, ChallengeView, ContestView, Kind, Model, Prepared, Refused, TableView, tag_of
from ..rules.views import KINDS
from .follow import goes_on
from .outlook import outlook
from .table import Table

LOOKED_AT = 300
"""Entries after something was begun in which its outcome is looked for."""


class Ready(Model):
    """Something prepared, and what has become of it in this session."""

    prepared: Prepared
    state: Literal["", "open", "done"] = ""
    how: str = ""
    """How it came out, in a word or two."""

    @property
    def short(self) -> str:
        """The same in a word, for where there is no room."""
        return {"": "", "open": "● open", "done": "played"}[self.state]

    @property
    def words(self) -> str:
        """What has become of it; empty where it was not played."""
        return f"{self.short}: {self.how}" if self.how else self.short


class Visit(Model):
    """A scene that was set in this session, and when."""

    scene: str
    at: str
    """As the log has it; empty where the session began in it."""


class SceneRow(Model):
    """A scene in the list of all."""

    id: str
    title: str
    state: Literal["", "here", "been"] = ""
    left: int = 0
    """How much of what was prepared there has not been played."""


class SceneLook(Model):
    """One scene in full."""

    id: str
    title: str
    about: str = ""
    secret: str = ""
    notes: tuple[str, ...] = ()
    ready: tuple[Ready, ...] = ()
    next: tuple[SceneRow, ...] = ()
    since: str = ""
    """When it was set last, as the log has it; empty where it is not the one that is on."""


def enter(table: Table, scene: str) -> Action | None:
    """The action that sets a scene; None where the game has none."""
    kind = next((k for k in table.engine.actions if tag_of(k) == "scene"), None)
    return kind(scene=scene) if kind is not None else None


def visits(table: Table) -> list[Visit]:
    """The scenes of this session in the order in which they were set."""
    line = table.timeline
    out, on, moved = [], "", {0, *line.moved}
    for seq in (seq for seq in line.past(to=table.head) if seq in moved):
        scene = line.worlds[seq].now.scene
        if scene and scene != on:
            out.append(Visit(scene, line.entries[seq - 1].at if seq else ""))
        on = scene
    return out


def scene_rows(table: Table) -> list[SceneRow]:
    """Every prepared scene, each before those that could come next after it."""
    world = table.world
    been = {visit.scene for visit in visits(table)}
    begun = _begun(table)
    rows = []
    for id in in_order(world):
        state: Literal["", "here", "been"] = "here" if id == world.now.scene else "been" if id in been else ""
        left = sum(not _taken_up(table, p, begun) for p in table.engine.prepared(world, id))
        rows.append(SceneRow(id, world.scenes[id].title, state, left))
    return rows


def unplayed(table: Table, id: str) -> list[Prepared]:
    """What a scene has ready, could be begun now and was not in this session."""
    able = [p for p in table.engine.prepared(table.world, id) if not p.closed]
    begun = _begun(table) if able else []
    return [p for p in able if not _taken_up(table, p, begun)]


def to_set(table: Table) -> list[Prepared]:
    """The scenes that could be set, as something to begin."""
    world, openings = table.world, [(id, enter(table, id)) for id in in_order(table.world)]
    return [Prepared(what="scene", name=world.scenes[id].title, action=action) for id, action in openings if action]


def coming(table: Table) -> list[Prepared]:
    """What could be begun: what the scene that is on has ready and was not played; while none is on, the scenes.

    A game that fails to say what is prepared has nothing that could be begun: its pages say why.
    """
    scene = table.world.now.scene
    with suppress(Refused):
        return [] if table.seat else unplayed(table, scene) if scene else to_set(table)
    return []


def look_at(table: Table, id: str) -> SceneLook | None:
    """A scene with all that is known of it; None where there is none of that name."""
    world = table.world
    scene = world.scenes.get(id)
    if scene is None:
        return None
    begun = _begun(table)
    ready = tuple(_ready(table, p, begun) for p in table.engine.prepared(world, id))
    others = [n for n in scene.next if n in world.scenes and n != id]
    if not others:  # what is not said is in the order of the files
        ids = in_order(world)
        others = ids[ids.index(id) + 1 :][:1]
    since = next((v.at for v in reversed(visits(table)) if v.scene == id), "") if id == world.now.scene else ""
    return SceneLook(
        id,
        scene.title,
        scene.about,
        scene.secret,
        scene.notes,
        ready,
        tuple(SceneRow(n, world.scenes[n].title) for n in others),
        since,
    )


def became(table: Table, openings: Iterable[Action]) -> list[Ready]:
    """What has become of each thing that an action opens: nothing yet, open, or played and how it came out."""
    begun = _begun(table)
    return [_ready(table, Prepared(what="", name="", action=action), begun) for action in openings]


def _begun(table: Table, head: int | None = None) -> list[tuple[int, Action]]:
    """What was done in this session and not undone, the newest first."""
    line = table.timeline
    path = line.past(to=table.head if head is None else head)
    return [(seq, line.entries[seq - 1].action) for seq in reversed(path) if seq]


def _openings(action: Action, begun: list[tuple[int, Action]]) -> Iterator[int]:
    """The entries that began something prepared, the last one first. What was asked in a form may differ."""
    said = {name: value for name in action.__struct_fields__ if (value := getattr(action, name))}
    for seq, done in begun:
        if type(done) is type(action) and all(getattr(done, name) == value for name, value in said.items()):
            yield seq


def _taken_up(table: Table, prepared: Prepared, begun: list[tuple[int, Action]]) -> bool:
    """Is something open, or was it played? As `_ready` says it, and quick wherever dice fell: lists ask it often."""
    line = table.timeline
    for seq in _openings(prepared.action, begun):
        path = line.past(seq, table.head)
        rolled = next((before for before, at in pairwise(path) if line.entries[at - 1].dice), 0)
        if rolled and _on(table, prepared, line.worlds[rolled]) == _on(table, prepared, line.worlds[seq]):
            return True
    return bool(_ready(table, prepared, begun).state)


def _ready(table: Table, prepared: Prepared, begun: list[tuple[int, Action]], head: int | None = None) -> Ready:
    """What was opened by mistake and closed again before any dice fell was not played.

    A what-if goes on from what was played at the table that it was taken from.
    """
    for seq in _openings(prepared.action, begun):
        how, over, rolled = _came_out(table, prepared, seq, head)
        if how or rolled or not over:
            return Ready(prepared, "done" if over or how else "open", how)
    if table.taken_from is None:
        return Ready(prepared)
    origin, at = table.taken_from
    earlier = _ready(origin, prepared, _begun(origin, at), at)
    if earlier.state != "open":
        return earlier
    how, over, _ = _came_out(table, prepared, 0, head)
    return Ready(prepared, "done" if over or how else "open", how)


def _kind(prepared: Prepared) -> Kind:
    """The view on which something is played."""
    return next((kind for kind in KINDS if kind == prepared.action.leads_to), "table")


def _on(table: Table, prepared: Prepared, world: Any) -> str:
    """The title of what is played on the view of something; empty for nothing. Turns have none of their own."""
    kind = _kind(prepared)
    if kind == "table":
        return "turns" if world.now.turns.running else ""
    view = table.engine.view(kind, world)
    return view.title if isinstance(view, ChallengeView | ContestView) else ""


def _came_out(table: Table, prepared: Prepared, seq: int, head: int | None = None) -> tuple[str, bool, bool]:
    """How something ended, whether it is off the table, and whether dice fell before it was."""
    kind = _kind(prepared)
    line, how, known, title, rolled = table.timeline, "", "", None, False
    for at in line.past(seq, table.head if head is None else head)[:LOOKED_AT]:
        world = line.worlds[at]
        rolled |= at != seq and bool(line.entries[at - 1].dice)
        if kind == "table":
            if not world.now.turns.running:
                view = table.engine.view("table", world)
                return (view.outcome.title if isinstance(view, TableView) and view.outcome else "", True, rolled)
            continue
        view = table.engine.view(kind, world)
        if not isinstance(view, ChallengeView | ContestView):
            return known, True, rolled
        title = title or view.title
        if view.title != title:
            return known, True, rolled
        part = isinstance(view, ChallengeView) and goes_on(view)  # a contest may be left after any round
        how = view.outcome.title if view.outcome and not part else ""
        known = how or known
    return how, False, rolled


def best_lead(table: Table, prepared: Prepared, world: Any) -> float | None:
    """The best chance that anybody has to lead a challenge that is not open yet. Slow: off the UI thread."""
    after = table.after(prepared.action, world)
    if after is None or prepared.action.leads_to != "challenge":
        return None
    view = table.view("challenge", world=after)
    found = outlook(table, "challenge", after, view)
    return found.leads.get(found.best_lead) if found.leads else None
