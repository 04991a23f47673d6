"""The table: in which order people are listed, in which part of it, whom they stand with; its scene and its round."""

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from ..rules import Action, ChallengeView, ContestView, Option, Person, Prepared, Status, TableView
from ..rules.views import Allegiance
from .conditions import until

V = TypeVar("V", TableView, ChallengeView, ContestView)
_NUMBERED = re.compile(r"\s+\d+$")
TURN_ORDER, OUTSIDE = "turn order", "not in the order"
PARTY, HERE, ELSEWHERE, OTHERS = "the party", "here", "elsewhere", "everybody else"


def listed(world: Any) -> list[str]:
    """Everybody who is about: the turn order first; without one the party, those of the scene, and the others."""
    turns, named = world.now.turns, frozenset(_named(world))
    rest = [who for who in world.present() if who not in turns.fighters]
    rest.sort(key=lambda who: (not world.sheets[who].player, who not in named))
    return [who for who in (*turns.order, *rest) if who in world.sheets]


class Roster:
    """What the rows of a roster share, worked out once for all of them."""

    def __init__(self, world: Any, ready: Iterable[str] = ()) -> None:
        now, fighters = world.now, world.now.turns.fighters
        self.world, self.ready, self.named = world, frozenset(ready), frozenset(_named(world))
        self.friends = {f.side for w, f in fighters.items() if w in world.sheets and world.sheets[w].player}
        self.met = frozenset((*now.met, *now.in_sight()))
        self.conditions: dict[str, list[Status]] = {}
        for c in now.conditions.values():
            self.conditions.setdefault(c.who, []).append(Status(what=c.what, until=until(c, world)))

    def person(self, who: str, *, marks: Iterable[str] = (), conditions: Iterable[Status] = (), **own: Any) -> Person:
        """Somebody's row; `own` is what the game itself knows of them, or sees in another way."""
        sheet, turns = self.world.sheets.get(who), self.world.now.turns
        fighter, player = turns.fighters.get(who), bool(sheet and sheet.player)
        # whom the GM has prepared is nobody's business until they stand on the table
        unseen = fighter.hidden if fighter else not (player or self.world.rules.open_npcs or who in self.met)
        section = self.section(who)
        usual: dict[str, Any] = {
            "side": fighter.side if fighter else "heroes" if player else "others",
            "section": section,
            "away": section in (OUTSIDE, ELSEWHERE),
            "allegiance": self.allegiance(who),
            "group": kind(self.world, who),
            "current": who == turns.current,
            "acted": bool(fighter and fighter.acted),
            "may_go": who in self.ready,
            "secret": unseen,
            "marks": (*marks,),
            "conditions": (*self.conditions.get(who, ()), *conditions),
        }
        return Person(id=who, name=self.world.name(who), **{**usual, **own})

    def section(self, who: str) -> str:
        """The part of the roster in which somebody stands."""
        turns = self.world.now.turns
        if turns.running:
            return TURN_ORDER if who in turns.fighters else OUTSIDE
        if self.world.sheets[who].player:
            return PARTY
        return OTHERS if not self.named else HERE if who in self.named else ELSEWHERE

    def allegiance(self, who: str) -> Allegiance:
        """Players' characters are the party; whoever stands on their side is with them; all others are foes."""
        sheet, mine = self.world.sheets.get(who), self.world.now.turns.fighters.get(who)
        if sheet and sheet.player:
            return "party"
        return "other" if mine and mine.side in self.friends else "foe"


def _named(world: Any) -> tuple[str, ...]:
    """Whom the scene that is on names, and all the copies of them."""
    scene = world.scenes.get(world.now.scene)
    people = scene.people() if scene else ()
    return (*people, *(who for who, of in world.now.more.items() if of in people))


def kind(world: Any, who: str) -> str:
    """What several of a kind share: the name without its number. Players' characters are one of a kind."""
    sheet = world.sheets.get(who)
    return "" if sheet is None or sheet.player else _NUMBERED.sub("", sheet.name)


def names(world: Any, some: Iterable[str]) -> str:
    """Who they are, several of a kind together: "Ash reaver ×3, The bridge ogre"."""
    found: dict[str, list[str]] = {}
    for who in some:
        found.setdefault(kind(world, who) or who, []).append(world.name(who))
    return ", ".join(all_[0] if len(all_) == 1 else f"{group} ×{len(all_)}" for group, all_ in found.items())


def fight(world: Any, scene: str, action: Action, *, what: str = "fight", note: str = "") -> list[Prepared]:
    """The turns of those whom a scene names, as something that it has ready; nothing where it names nobody."""
    others = [who for who in world.here(scene) if not world.sheets[who].player]
    elsewhere = "" if scene == world.now.scene else "set the scene first"
    closed = elsewhere or type(action).when(world)
    return [Prepared(what=what, name=names(world, others), action=action, note=note, closed=closed)] if others else []


def acts(world: Any, *actions: tuple[Action, str]) -> tuple[Option, ...]:
    """What could be done, each with a remark: those of the actions that can be done now, by their own letters."""
    able = [(action, note) for action, note in actions if not type(action).when(world)]
    return tuple(Option(label=type(a).title, action=a, key=type(a).key, note=note) for a, note in able)


def together(people: Iterable[Person]) -> tuple[Person, ...]:
    """People of a kind beside each other, where nothing else gives them an order; no secret changes it."""
    found: dict[object, list[Person]] = {}
    for p in people:
        alike = (p.section, p.side, p.group, p.acted, p.out, p.may_go, p.note, p.secret)
        found.setdefault(alike if p.group and not p.current else p.id, []).append(p)
    return tuple(p for some in found.values() for p in some)


def scenery(world: Any) -> dict[str, Any]:
    """What a table view says of the scene that is on: `TableView(…, **scenery(world))`."""
    scene = world.scenes.get(world.now.scene)
    return {"title": scene.title, "about": scene.about, "secret_about": scene.secret} if scene else {}


def rounds(world: Any) -> list[str]:
    """The round and the timer, as facts."""
    turns = world.now.turns
    now = [f"round {turns.round}"] if turns.running else []
    return now if turns.timer is None else [*now, f"timer {turns.timer}"]


def both(world: Any, seen: Any, draw: Callable[[Any], V]) -> V:
    """A view as the GM has it, and in it what players see where that is another world."""
    mine = draw(world)
    return mine if seen is world else replace(mine, seen=draw(seen))
