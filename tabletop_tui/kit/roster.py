"""The roster of a table: in which order people are listed, in which part of it, and whom they stand with."""

import re
from collections.abc import Iterable
from typing import Any

from ..rules import Action, Option, Person
from ..rules.views import Allegiance

TURN_ORDER, OUTSIDE = "turn order", "not in the order"
PARTY, HERE, ELSEWHERE, OTHERS = "the party", "here", "elsewhere", "everybody else"


def listed(world: Any) -> list[str]:
    """Everybody who is about: the turn order first; without one the party, those of the scene, and the others."""
    turns, named = world.now.turns, _named(world)
    rest = [who for who in world.present() if who not in turns.fighters]
    rest.sort(key=lambda who: (not world.sheets[who].player, who not in named))
    return [who for who in (*turns.order, *rest) if who in world.sheets]


def section(world: Any, who: str) -> str:
    """The part of the roster in which somebody stands."""
    turns = world.now.turns
    if turns.running:
        return TURN_ORDER if who in turns.fighters else OUTSIDE
    if world.sheets[who].player:
        return PARTY
    named = _named(world)
    return OTHERS if not named else HERE if who in named else ELSEWHERE


def _named(world: Any) -> tuple[str, ...]:
    """Whom the scene that is on names."""
    scene = world.scenes.get(world.now.scene)
    return scene.people() if scene else ()


def allegiance(world: Any, who: str) -> Allegiance:
    """Players' characters are the party; whoever stands on their side is with them; all others are foes."""
    sheet, fighters = world.sheets.get(who), world.now.turns.fighters
    if sheet and sheet.player:
        return "party"
    mine = fighters.get(who)
    friends = {f.side for w, f in fighters.items() if w in world.sheets and world.sheets[w].player}
    return "other" if mine and mine.side in friends else "foe"


def kind(world: Any, who: str) -> str:
    """What several of a kind share: the name without its number. Players' characters are one of a kind."""
    sheet = world.sheets.get(who)
    return "" if sheet is None or sheet.player else re.sub(r"\s+\d+$", "", sheet.name)


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
