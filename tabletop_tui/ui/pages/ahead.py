"""What could be done at the table next: the ways of whoever is up, with chances, and what the scene has ready."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from ...kit.scenes import in_order
from ...rules import Action, Odds, Option, Person, Prepared, TableView
from ...session.meant import Meant, against, opposed
from ...session.scenes import coming
from ...session.ways import Ways, aimed, ways
from ..commands import key_for
from ..commands.catalogue import action_id
from ..drawing.pools import Answer
from ..drawing.text import with_enter
from ..panels.doing import Doing, WayLine
from ..playing import Playing

COLUMNS = 3
"""Against how many the chances are told where there is room: whoever is meant, and others."""
READY = 3
"""Of what the scene has ready, that the table offers."""


def named(prepared: Prepared) -> str:
    """What something is called beside its key: its kind is said where that is not clear, as of a fight."""
    own = prepared.action.leads_to in ("challenge", "contest")
    return prepared.name if own else f"{prepared.what}: {prepared.name}"


def _told(prepared: Prepared) -> Answer:
    return Answer("", prepared.name, " · ".join(x for x in (prepared.what, prepared.note) if x))


class Ahead:
    """Looked at again whenever the table changes or the cursor moves."""

    def __init__(self, play: Playing, view: TableView, arrived: Callable[[], None]) -> None:
        self.play, self.game = play, play.game
        self.view = view
        self.arrived = arrived
        """Chances have come: they can be drawn."""
        self.meant = Meant()
        self.ways: Ways | None = None
        self._others: tuple[Answer, ...] | None = None
        """What else can be done; found out when it is first drawn."""
        self._ready: tuple[object, tuple[Prepared, ...]] = (None, ())
        self.weighed = False
        """Have all chances come that can be told?"""
        self._weighed: tuple[object, dict[Action, Odds]] = (None, {})
        self._looked: tuple[object, Meant, bool] = (None, Meant(), False)

    def look(self, view: TableView, meant: Meant, *, wide: bool) -> None:
        """The ways to act, and the chances of each as soon as they are worked out."""
        before, self._looked = self._looked, (view, meant, wide)
        if before[0] is view and before[1:] == (meant, wide) and (self.ways is None or self.weighed):
            return  # another page was in front meanwhile
        self.view, self.meant, self.ways = view, meant, None
        self._others, self.weighed = None, False
        main = next((o for o in self.acts if type(o.action).done_with), None)
        if main is None or view.prompt or not meant.up or self.play.place.asks:
            return
        self.ways = ways(self.game.table, main, meant, COLUMNS if wide else 1)
        wanted = [a for row in self.ways.rows for a in row.actions if a is not None] if self.ways else []
        missing: dict[object, Action] = {a: a for a in wanted if a not in self.odds}
        self.weighed = not missing
        if missing:
            self.play.weigh_each(missing, partial(self._take, self.game.world))

    @property
    def acts(self) -> list[Option]:
        """What could be done; at a player's seat some of it is somebody else's."""
        return [option for option in self.view.acts if not option.closed]

    @property
    def first(self) -> Option | None:
        """What Enter does while somebody is up: the likeliest, unless it goes where an answer is waited for."""
        return self.acts[0] if self.meant.up and self.acts and not self.play.place.asks else None

    def elsewhere(self) -> tuple[str, str] | None:
        """The page and the name of a challenge or contest that is open while nobody is up here."""
        return None if self.meant.up or self.view.prompt else next(iter(self.play.place.open.items()), None)

    @property
    def shown(self) -> Action | None:
        """What would be done in the way that was used last, or the first; none where more has to be said."""
        return self.ways.rows[self.ways.chosen].actions[0] if self.ways else None

    @property
    def odds(self) -> dict[Action, Odds]:
        """Chances by the action, of the present state."""
        return self._weighed[1] if self._weighed[0] is self.game.world else {}

    def _take(self, world: object, found: Mapping[Any, Odds]) -> None:
        """Chances have come; they count where nothing has happened since."""
        if world is self.game.world:
            self._weighed = (world, {**self.odds, **found})
            self.weighed = True
            self.arrived()

    def target(self, view: TableView, who: str) -> str:
        """Whom somebody would act against: the last one that they did, or the first of the other side."""
        mine = Meant(who, "", view.people)
        for option in (o for o in view.acts if type(o.action).done_with):
            _, target = aimed(self.game.table, option, mine)
            person = next((p for p in view.people if target and target in (p.id, p.name)), None)
            if person is not None:
                return person.id
        me = next((p for p in view.people if p.id == who), None)
        return next((p.id for p in against(view.people, who) if me and opposed(me, p) and not (p.out or p.away)), who)

    def called(self, who: str) -> str:
        """Somebody's name; nothing where they are not on the table: a seat may not even know of them."""
        return next((p.name for p in self.view.people if who in (p.id, p.name)), "")

    @property
    def title(self) -> str:
        """What would be done, and to whom."""
        if self.ways is None:
            return ""
        option, whom = self.ways.option, self.called(self.ways.target)
        return " ".join(filter(None, (option.label, type(option.action).toward if whom else "", whom)))

    def scene(self) -> Doing:
        """Where we are; while no scene is on, the first that could be set."""
        world, view = self.game.world, self.view
        if world.now.scene or self.meant.up or self.game.table.seat or not world.scenes:
            told = Doing(scene=view.title, about=view.about, secret=view.secret_about)
            besides = self._in_scene() if world.now.scene and self.meant.up else ()
            return replace(told, ready=tuple(map(_told, besides)))
        first = world.scenes[in_order(world)[0]]
        return Doing(scene=first.title, where="not set yet", about=first.about, secret=first.secret)

    def doing(self) -> Doing:
        """The stage's record of it all; without keys where nothing can be done."""
        told = self._doing()
        if self.play.plays:
            return told
        ways = tuple(replace(way, key="", id="") for way in told.ways)
        return replace(told, ways=ways, others=tuple(replace(other, key="", id="") for other in told.others))

    def _doing(self) -> Doing:
        view, found = self.view, self.ways
        told = replace(self.scene(), reminders=view.reminders)
        if self._others is None:
            self._others = self._find_others()
        told = replace(told, others=self._others)
        who = found.who if found and self.game.table.seat else self.meant.up  # at a seat the ways are its own
        me = next((p for p in view.people if p.id == who), None)
        if me is None:
            return told
        told = replace(told, who=me.name, facts=self._facts(me), lasting=view.conditions)
        if found is None:
            return told
        odds, enter = self.odds, self.first is found.option
        lines = tuple(
            WayLine(
                f"table.way.{i + 1}",
                with_enter(key, "table.act") if enter and i == found.chosen else key,
                way.label,
                tuple(odds[a].hope if a in odds else None for a in way.actions),
                i == found.chosen,
            )
            for i, way in enumerate(found.rows)
            for key in [key_for(f"table.way.{i + 1}", str(i + 1))]
        )
        names = tuple(self.called(c) for c in found.columns)
        hint = "↑↓ somebody else" if found.target and len(view.people) > 2 else ""
        more = f"{found.more} more: {self.play.key_of(action_id(self.game.table.engine, type(found.option.action)))}"
        rest = " · ".join(x for x in (found.rest, more if found.more else "") if x)
        return replace(told, title=self.title, hint=hint, columns=names, ways=lines, rest=rest, weighed=self.weighed)

    def _facts(self, me: Person) -> str:
        sheet = self.game.world.sheets.get(me.id)
        player = sheet.player if sheet else ""
        return " · ".join(x for x in (player, *me.marks, *(c.what for c in me.conditions[:2])) if x)

    def _find_others(self) -> tuple[Answer, ...]:
        """Everything else that can be done, by its letter; what the scene has ready, by digits while nobody is up.

        At a table without people nothing comes before adding somebody.
        """
        if not (self.view.people or self.game.table.seat):
            add, edit = self.play.key_of("add"), self.play.key_of("edit")
            first = Answer(add, "add people, a scene, a challenge", "each becomes a file", id="add")
            return first, Answer(edit, "edit the campaign's files", "title, house rules", id="edit")
        shown = self.ways.option if self.ways else None
        enter, out = with_enter("", "table.go_on") if self.elsewhere() else "", list[Answer]()
        for page, title in self.play.place.open.items():
            out.append(Answer(enter or self.play.key_of(page), title, f"{page} · open", id=page))
            enter = ""
        out += [
            replace(self._key(place, option), label=option.label, note=option.note or self._whom(option))
            for place, option in enumerate(self.view.acts)
            if not option.closed and option is not shown
        ]
        for i, p in enumerate(self.ready()):
            id = f"table.ready.{i + 1}"
            out.append(replace(_told(p), key=key_for(id, str(i + 1)), id=id))
        return tuple(out)

    def _key(self, place: int, option: Option) -> Answer:
        """What reaches an act: the user's own key in place of the game's, and Enter where it does it; and a click."""
        kind = type(option.action)
        id = action_id(self.game.table.engine, kind) if option.key == kind.key else f"table.act.{place + 1}"
        key = key_for(id, "" if option.key == "enter" else option.key)
        if option is self.first:
            key, id = with_enter(key, "table.act"), "table.act"
        elif option.key == "enter":
            key = with_enter(key, id)
        return Answer(key, "", id=id)

    def _whom(self, option: Option) -> str:
        """Who would do something to whom, while nobody is up."""
        if self.meant.up or not type(option.action).done_with:
            return ""
        who, target = aimed(self.game.table, option, self.meant)
        found = {name: p for p in self.view.people for name in (p.id, p.name)}
        me, them = found.get(who), found.get(target)
        return f"{me.name} → {them.name}" if me and them and me is not them else ""

    def ready(self) -> tuple[Prepared, ...]:
        """What the scene that is on has ready, while nobody is up; while none is on, the scenes."""
        scene = self.game.world.now.scene
        if self.play.place.asks:  # first somebody answers
            return ()
        return () if self.meant.up or not (scene or self.view.prompt is None) else self._in_scene()

    def _in_scene(self) -> tuple[Prepared, ...]:
        """What was not played yet of the scene that is on; while none is on, the scenes. The GM's alone."""
        world = self.game.world
        if self._ready[0] is not world:
            self._ready = (world, tuple(coming(self.game.table)[:READY]))
        return self._ready[1]
