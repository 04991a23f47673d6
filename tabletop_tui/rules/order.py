"""Actions and events of a turn order that goes down a list; other games build theirs from the same events."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from .ask import Ask, Choice
from .common import ConditionTicked, moment
from .dice import Dice
from .errors import Refused
from .model import Action, Event
from .turns import Fighter, Turns

HEROES, FOES = "heroes", "foes"


def side_of(world: Any, who: str) -> str:
    """Players' characters are heroes, all others foes, unless a game says otherwise."""
    sheet = world.sheets.get(who)
    return HEROES if sheet and sheet.player else FOES


def turn_of(world: Any) -> str:
    """Which turn it is, as everybody sees it; empty outside encounters. What fell in another one is news no more."""
    turns: Turns = world.now.turns
    seen = [w for w in turns.begun if w in turns.fighters and not turns.fighters[w].hidden]
    return f"{turns.round}/{seen[-1] if seen else ''}" if turns.running else ""


def not_fighting(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, closed where they are in the order already."""
    inside = world.now.turns.fighters
    return [Choice(w, world.name(w), "in the order already" if w in inside else "") for w in world.present()]


def fighting(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody in the order."""
    return [Choice(w, world.name(w)) for w in world.now.turns.order]


def next_choices(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who has not acted yet; whoever the rules put next stands first."""
    turns: Turns = world.now.turns
    first = turns.may_go()
    return [Choice(w, world.name(w)) for w in [*first, *(w for w in turns.waiting() if w not in first)]]


class EncounterBegan(Event, tag="encounter_began"):
    """A turn order was made."""

    turns: Turns

    def apply(self, world: Any) -> Any:
        """It is the order now."""
        return world.live(turns=self.turns)

    def says(self, world: Any) -> str:
        """Who, in order; hidden ones are not named."""
        seen = [world.name(w) for w in self.turns.order if not self.turns.fighters[w].hidden]
        return f"Turn order: {', '.join(seen)}"


class EncounterEnded(Event, tag="encounter_ended"):
    """The turn order is no longer needed."""

    def apply(self, world: Any) -> Any:
        """There is none."""
        return world.live(turns=Turns())

    def says(self, world: Any) -> str:
        """The number of rounds."""
        return f"The encounter ends in round {world.now.turns.round}"


class TurnBegan(Event, tag="turn_began"):
    """Somebody's turn; whoever acted before has acted."""

    who: str

    def apply(self, world: Any) -> Any:
        """They are up."""
        turns: Turns = world.now.turns
        if turns.current:
            turns = turns.with_acted([turns.current])
        begun = turns.begun if self.who in turns.begun else (*turns.begun, self.who)
        return world.live(turns=replace(turns, current=self.who, begun=begun))

    def says(self, world: Any) -> str:
        """Whose turn; the GM alone is told of hidden ones."""
        return "" if _hidden(world, self.who) else f"{world.name(self.who)} is up"

    def whispers(self, world: Any) -> str:
        """Whose turn, where they are hidden."""
        return f"{world.name(self.who)} is up, unseen" if _hidden(world, self.who) else ""


def _hidden(world: Any, who: str) -> bool:
    fighter = world.now.turns.fighters.get(who)
    return bool(fighter and fighter.hidden)


class RoundBegan(Event, tag="round_began"):
    """Everybody may act again."""

    round: int
    timer: int | None = None

    def apply(self, world: Any) -> Any:
        """A new round, nobody has acted."""
        return world.live(turns=replace(world.now.turns.fresh(), round=self.round, timer=self.timer))

    def says(self, world: Any) -> str:
        """The number, and the timer."""
        return f"Round {self.round}" + ("" if self.timer is None else f", timer {self.timer}")


class FighterChanged(Event, tag="fighter_changed"):
    """Somebody joined the order, left it, was revealed, delayed or put elsewhere in it."""

    who: str
    fighter: Fighter | None
    place: int
    what: str = ""

    def apply(self, world: Any) -> Any:
        """The order is as it says."""
        turns: Turns = world.now.turns
        order = [w for w in turns.order if w != self.who]
        fighters = {w: f for w, f in turns.fighters.items() if w != self.who}
        if self.fighter is not None:
            order.insert(self.place, self.who)
            fighters[self.who] = self.fighter
        gone = self.fighter is None or self.fighter.out or self.what == "delays"
        current = "" if turns.current == self.who and gone else turns.current
        return world.live(turns=replace(turns, order=tuple(order), fighters=fighters, current=current))

    def _unseen(self, world: Any) -> bool:
        return self.fighter.hidden if self.fighter else _hidden(world, self.who)

    def says(self, world: Any) -> str:
        """What changed."""
        return "" if self._unseen(world) or not self.what else f"{world.name(self.who)} {self.what}"

    def whispers(self, world: Any) -> str:
        """What changed, of somebody hidden."""
        return f"{world.name(self.who)} {self.what}, unseen" if self._unseen(world) and self.what else ""


def _none_running(world: Any) -> str:
    return "an encounter is running" if world.now.turns.running else ""


def _running(world: Any) -> str:
    return "" if world.now.turns.running else "there is no turn order"


class BeginEncounter(Action, tag="begin"):
    """Begin a turn order: those named, in that order; first of them is up."""

    title = "begin turns"
    key = "g"
    screens = ("table",)
    who: Annotated[tuple[str, ...], Ask(not_fighting), Meta(description="everybody who is about")] = ()
    timer: Annotated[int, Meta(ge=0, le=100, description="no limit")] = 0

    @classmethod
    def when(cls, world: Any) -> str:
        """When none runs."""
        return _none_running(world) or ("" if world.present() else "there is nobody to put into it")

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """Round one; everybody where nobody is named."""
        order = self.who or tuple(world.present())
        fighters = {w: Fighter(side_of(world, w), out=self.out(world, w)) for w in order}
        first = next((w for w in order if not fighters[w].out), "")
        if not first:
            raise Refused("nobody of those can act", remedy="Name somebody who can.")
        turns = Turns(round=1, timer=self.timer or None, order=order, fighters=fighters)
        begun = EncounterBegan(turns)
        return (begun, TurnBegan(first), *moment(begun.apply(world), "start", first))

    def out(self, world: Any, who: str) -> bool:
        """Is somebody out of the fight before it begins? A game whose people can be down says so."""
        return False


class NextTurn(Action, tag="next"):
    """End the turn; the next in the order is up, or whoever is named."""

    swift = True
    title = "next"
    key = "n"
    screens = ("table",)
    who: Annotated[str, Ask(next_choices)] = ""

    @classmethod
    def when(cls, world: Any) -> str:
        """While an encounter runs."""
        return _running(world) or (
            "" if any(not f.out for f in world.now.turns.fighters.values()) else "nobody is left who could act"
        )

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """The turn passes; after the last one a new round begins."""
        turns: Turns = world.now.turns
        events: list[Event] = []
        if turns.current:
            events += moment(world, "end", turns.current)
        up = self.who or next(iter(turns.waiting()), "")
        if not up:
            events += moment(world, "round")
            fresh = RoundBegan(turns.round + 1, None if turns.timer is None else max(turns.timer - 1, 0))
            events.append(fresh)
            world = fresh.apply(world)
            up = next(w for w in turns.order if not turns.fighters[w].out)
        events.append(TurnBegan(up))
        ended = {getattr(e, "id", "") for e in events}
        events += [e for e in moment(world, "start", up) if getattr(e, "id", "") not in ended]
        return tuple(events)


class Delay(Action, tag="delay"):
    """Whoever is up waits until after somebody else."""

    title = "delay"
    key = "d"
    screens = ("table",)
    after: Annotated[str, Ask(next_choices)]

    @classmethod
    def when(cls, world: Any) -> str:
        """While somebody is up."""
        return _running(world) or ("" if world.now.turns.current else "nobody is up")

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """They move down the order and the next one is up."""
        turns: Turns = world.now.turns
        who = turns.current
        rest = [w for w in turns.order if w != who]
        place = rest.index(self.after) + 1
        up = next(iter(turns.waiting()))
        delays = FighterChanged(who, turns.fighters[who], place, "delays")
        return (delays, TurnBegan(up), *moment(world, "start", up))


class Join(Action, tag="join"):
    """Put somebody into the running order, hidden or not."""

    title = "join"
    key = "j"
    screens = ("table",)
    who: Annotated[str, Ask(not_fighting)]
    hidden: bool = False

    @classmethod
    def when(cls, world: Any) -> str:
        """While an encounter runs."""
        return _running(world)

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """They act last."""
        fighter = Fighter(side_of(world, self.who), out=self.out(world, self.who), hidden=self.hidden)
        return (FighterChanged(self.who, fighter, len(world.now.turns.order), "joins"),)

    def out(self, world: Any, who: str) -> bool:
        """As at the beginning."""
        return False


class Leave(Action, tag="leave"):
    """Take somebody out of the running order."""

    title = "leave"
    key = "l"
    screens = ("table",)
    who: Annotated[str, Ask(fighting)]

    @classmethod
    def when(cls, world: Any) -> str:
        """While an encounter runs."""
        return _running(world)

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """They are out of it; the order ends with its last one."""
        if len(world.now.turns.order) == 1:
            raise Refused("they are the last in the order", remedy="End the encounter.")
        return (FighterChanged(self.who, None, 0, "leaves the order"),)


class Reveal(Action, tag="reveal"):
    """Show a hidden one, or hide one again."""

    title = "reveal"
    who: Annotated[str, Ask(fighting)]

    @classmethod
    def when(cls, world: Any) -> str:
        """While an encounter runs."""
        return _running(world)

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """They are seen, or unseen."""
        turns: Turns = world.now.turns
        fighter = turns.fighters[self.who]
        place = turns.order.index(self.who)
        seen = replace(fighter, hidden=not fighter.hidden)
        return (FighterChanged(self.who, seen, place, "appears" if fighter.hidden else "is gone from sight"),)


class EndEncounter(Action, tag="end"):
    """End the encounter: no more turn order."""

    title = "end turns"
    key = "x"
    screens = ("table",)

    @classmethod
    def when(cls, world: Any) -> str:
        """While an encounter runs."""
        return _running(world)

    @classmethod
    def warns(cls, world: Any) -> str:
        """It ends for all."""
        return f"The encounter is in round {world.now.turns.round}. End it?"

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """There is no order; conditions that count turns end with it."""
        ended = tuple(ConditionTicked(i, 0) for i, c in world.now.conditions.items() if c.ends)
        return (*ended, EncounterEnded())


ACTIONS: tuple[type[Action], ...] = (BeginEncounter, NextTurn, Delay, Join, Leave, Reveal, EndEncounter)
EVENTS: tuple[type[Event], ...] = (EncounterBegan, EncounterEnded, TurnBegan, RoundBegan, FighterChanged)
