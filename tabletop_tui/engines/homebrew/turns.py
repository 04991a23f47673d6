"""Who acts when: down a list, by number, side by side, or picked by whoever acted; and what begins with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from ...kit import order
from ...kit.common import ClockSet, EnterScene, moment, unseen
from ...kit.order import side_of
from ...kit.told import Told
from ...kit.turn_events import EncounterBegan, RoundBegan, TurnBegan
from ...rules import Action, Ask, Choice, Dice, Event, Fighter, Refused, Turns
from .bands import hits_at, how
from .conditions import over_with
from .dice import read, throw
from .effects import Doing
from .game import Effects
from .gives import ready, sources
from .rolls import waits
from .scope import Scope
from .world import HomebrewWorld, is_out, roll_title, side

SHORTER = {
    "turn": ("turn",),
    "round": ("turn", "round"),
    "scene": ("turn", "round", "scene"),
    "challenge": ("challenge",),
    "contest": ("contest",),
}
"""The spans whose limits begin anew with each."""


class SpanBegan(Told, tag="span_began"):
    """A turn, a round, a scene, a challenge or a contest began: what is limited in it may be done again."""

    span: str

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        over = SHORTER.get(self.span, (self.span,))
        return world.live(used={span: held for span, held in world.now.used.items() if span not in over})


def began(doing: Doing, span: str, who: str = "") -> None:
    """Limits begin anew, and the game's own moment happens."""
    if any(s in doing.world.now.used for s in SHORTER[span]):
        doing.happen(SpanBegan(span))
    moments = doing.world.rules.moments
    effects: dict[str, Effects] = {"turn": moments.turn, "round": moments.round, "scene": moments.scene}
    if effects.get(span):
        here = [who] if who else doing.world.players()
        shared = {k: v for k, v in effects[span].items() if k in doing.world.rules.shared}
        own = {k: v for k, v in effects[span].items() if k not in shared}
        doing.do(shared, Scope(doing.world, who))
        for one in here:
            doing.do(own, Scope(doing.world, one))


def heed_all(doing: Doing) -> None:
    """The turn order knows who is out after conditions ended."""
    for who in tuple(doing.world.now.turns.fighters):
        doing.heed(who)


# ---- the order


def number_for(doing: Doing, who: str, roll: str) -> int:
    """What somebody rolls for the turn order."""
    world, rule = doing.world, doing.world.rules.rolls[roll]
    scope = Scope(world, who, lead=who, roll=roll)
    dice = ready(scope, rule, list(sources(scope, rule, {}, {})))
    why = f"{world.name(who)}, {roll_title(world.rules, roll)}"
    return read(
        throw(doing.dice, why, dice.mine, secret=unseen(world, who), of=who), how(rule), hits_at(rule, scope)
    ).value


class Begin(order.BeginEncounter, tag="begin"):
    """Begin a turn order: those named, or everybody who is about."""

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        if world.rules.turns.order == "free":
            return "nobody keeps a turn order in this game"
        return waits(world) or super().when(world)

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        doing, rule = Doing(world, dice), world.rules.turns
        who = list(self.who or world.present())
        numbers: dict[str, int] = {}
        holder = ""
        if rule.order == "number" and rule.roll:
            numbers = {w: number_for(doing, w, rule.roll) for w in who}
            ties = {w: [-Scope(world, w).look_up("", stat).plus for stat in rule.tie] for w in who}
            who.sort(key=lambda w: (-numbers[w], ties[w]))
        elif rule.order in ("sides", "popcorn"):
            holder = self._first_side(doing, who)
            who.sort(key=lambda w: side_of(world, w) != holder)
        fighters = {w: Fighter(side_of(world, w), out=is_out(world, w), number=numbers.get(w)) for w in who}
        if not any(not f.out for f in fighters.values()):
            raise Refused("nobody of those can act", remedy="Name somebody who can.")
        mode: Any = rule.order if rule.order in ("sides", "popcorn") else "listed"
        turns = Turns(
            mode=mode, round=1, timer=self.timer or None, holder=holder, order=tuple(who), fighters=fighters
        )
        doing.happen(EncounterBegan(turns))
        began(doing, "round")
        if mode != "popcorn":
            up(doing, turns.may_go()[0])
        return tuple(doing.events)

    def _first_side(self, doing: Doing, who: Sequence[str]) -> str:
        rule, world = doing.world.rules.turns, doing.world
        sides = list(dict.fromkeys(side_of(world, w) for w in who))
        rank = {name: rule.tie.index(name) if name in rule.tie else len(rule.tie) for name in sides}
        numbers = dict.fromkeys(sides, 0)
        if rule.roll:
            for name in sides:
                first = next(w for w in who if side_of(world, w) == name)
                numbers[name] = number_for(doing, first, rule.roll)
        return min(sides, key=lambda name: (-numbers[name], rank[name]))


def beginning(world: HomebrewWorld) -> str:
    """The side that begins: as the game says, else whoever of them stands first in the order."""
    rule, sides = world.rules.turns, world.now.turns.sides()
    named = [name for name in rule.tie if name in sides]
    return named[0] if named and not rule.roll else sides[0]  # where they rolled for it, the winners stand first


def up(doing: Doing, who: str) -> None:
    """Somebody's turn begins."""
    doing.happen(TurnBegan(who))
    doing.happen(*moment_at(doing.world, "start", who))
    began(doing, "turn", who)
    heed_all(doing)


def moment_at(world: HomebrewWorld, ends: str, who: str = "") -> tuple[Event, ...]:
    """What a turn's start or end does to conditions; a start that TurnBegan has just marked is one."""
    turns = world.now.turns
    if ends == "start":
        world = world.live(turns=replace(turns, begun=tuple(w for w in turns.begun if w != who)))
    return moment(world, ends, who)


def may_go(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who can be next; whoever the rules put next stands first."""
    turns = world.now.turns
    first = turns.may_go()
    some = first if turns.mode == "popcorn" else [*first, *(w for w in turns.waiting() if w not in first)]
    return [Choice(w, world.name(w)) for w in some]


class Next(order.NextTurn, tag="next"):
    """End the turn; the next one is up, or whoever is named."""

    who: Annotated[str, Ask(may_go)] = ""

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world) or super().when(world)

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        doing, turns = Doing(world, dice), world.now.turns
        again = set(turns.begun)
        if turns.current:
            doing.happen(*moment(world, "end", turns.current))
            heed_all(doing)
        turns = doing.world.now.turns
        name = self.who or next(iter(turns.may_go()), "")
        if not name:
            doing.happen(*moment(doing.world, "round"))
            timer = None if turns.timer is None else max(turns.timer - 1, 0)
            doing.happen(RoundBegan(turns.round + 1, timer))
            heed_all(doing)
            began(doing, "round")
            again = set()
            turns = doing.world.now.turns
            if turns.mode == "sides":  # the same one begins every round
                turns = replace(turns, holder=beginning(doing.world))
            name = next(iter(turns.may_go()), "")
            if not name:
                return tuple(doing.events)  # the last of them is out
            turns = doing.world.now.turns
        holder = side(doing.world, name)
        if turns.mode == "sides" and holder != turns.holder:
            doing.happen(SideUp(holder))
        if name in again:  # back from a delay: what ends at its start has ended
            doing.happen(TurnBegan(name))
        else:
            up(doing, name)
        return tuple(doing.events)


class SideUp(Told, tag="side_up"):
    """The next side acts."""

    side: str

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(turns=replace(world.now.turns, holder=self.side))


class Join(order.Join, tag="join"):
    """Put somebody into the running order, hidden or not."""

    key = ""

    def out(self, world: HomebrewWorld, who: str) -> bool:
        return is_out(world, who)


class Leave(order.Leave, tag="leave"):
    """Take somebody out of the running order."""

    key = ""


class Delay(order.Delay, tag="delay"):
    """Whoever is up waits until after somebody else."""

    key = ""


class End(order.EndEncounter, tag="end"):
    """End the encounter: no more turn order."""

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        doing = Doing(world, dice)
        doing.happen(*super().resolve(world, dice))
        return tuple(doing.events)


# ---- scenes


class ToScene(EnterScene, tag="scene"):
    """Move to a prepared scene: what ends with a scene ends, and its clocks are put on the table."""

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world)

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        doing = Doing(world, dice)
        doing.happen(*super().resolve(world, dice), *over_with(world, "scene"))
        for name, clock in world.scenes[self.scene].clocks.items():
            if name not in world.now.clocks:
                doing.happen(ClockSet(name, clock))
        heed_all(doing)
        began(doing, "scene")
        return tuple(doing.events)


ACTIONS: tuple[type[Action], ...] = (Begin, Next, Delay, Join, Leave, order.Reveal, order.Hide, End)
EVENTS: tuple[type[Event], ...] = (SpanBegan, SideUp, *order.EVENTS)
