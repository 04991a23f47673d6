"""Actions and events of a turn order that goes down a list; other games build theirs from the same events."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ..rules import Action, Ask, Choice, Dice, Event, Fighter, Refused, Turns
from .cast import CopiesAdded, met, more_of
from .conditions import ConditionTicked, moment
from .turn_events import EncounterBegan, EncounterEnded, FighterChanged, RoundBegan, TurnBegan

HEROES, FOES = "heroes", "foes"
HowMany = Annotated[int, Meta(ge=1, le=50, title="how many")]


def side_of(world: Any, who: str) -> str:
    """Players' characters are heroes, all others foes, unless a game says otherwise."""
    sheet = world.sheets.get(who)
    return HEROES if sheet and sheet.player else FOES


PAST = "past"
"""In place of a turn: of what fell before play went on elsewhere."""


def turn_of(world: Any) -> str:
    """Which turn it is, as everybody sees it; empty outside encounters. What fell in another one is news no more."""
    turns: Turns = world.now.turns
    seen = [w for w in turns.begun if w in turns.fighters and not turns.fighters[w].hidden]
    return f"{turns.round}/{seen[-1] if seen else ''}" if turns.running else ""


def as_seen(world: Any) -> Any:
    """The world with its turn order as the players know it; the same world where nobody hides.

    While a hidden one acts, whoever the players saw last stays up; before anybody did in this round, in a listed
    order, the first whom they will see is up already. Nobody marked, or an empty banner, would tell that somebody
    is there. Hidden ones stay among the fighters, so that whoever asks still learns that they are hidden.
    """
    turns: Turns = world.now.turns
    hidden = {w for w, f in turns.fighters.items() if f.hidden}
    if not hidden:
        return world
    order = tuple(w for w in turns.order if w not in hidden)
    begun = tuple(w for w in turns.begun if w not in hidden)
    seen = replace(turns, order=order, begun=begun)
    if turns.current in hidden:
        seen = replace(seen, current="")
        before = [w for w in begun[-1:] if w in order and turns.fighters[w].acted and not turns.fighters[w].out]
        for up in before or (seen.waiting()[:1] if turns.mode == "listed" else ()):
            seen = replace(seen.change(up, acted=False), current=up)
    return world.live(turns=seen)


def not_fighting(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, closed where they are in the order already."""
    inside = world.now.turns.fighters
    return [Choice(w, world.name(w), "in the order already" if w in inside else "") for w in world.present()]


def newcomers(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, closed where they are in the order already; of the GM's own there can be one more."""
    inside, out = world.now.turns.fighters, []
    for who in world.present():
        again = who not in world.now.more and not world.sheets[who].player
        closed = "in the order already" if who in inside and not again else ""
        out.append(Choice(who, world.name(who), closed, "one more" if who in inside and again else ""))
    return out


def joined(world: Any, who: str, count: int, fighter: Callable[[str], Fighter]) -> tuple[Event, ...]:
    """Somebody comes into the order, or several of a kind: those who are about first, then new ones."""
    turns: Turns = world.now.turns
    if world.sheets[who].player and count > 1:
        raise Refused(f"{world.name(who)} is one of a kind", remedy="Let one join.")
    own = world.original(who)  # of a copy there are no copies
    kind = dict.fromkeys((who, own, *(w for w, of in world.now.more.items() if of == own)))
    ready = [w for w in kind if w not in turns.fighters and world.is_here(w)][:count]
    fresh = more_of(world, own, count - len(ready))
    events: list[Event] = [CopiesAdded(own, fresh)] if fresh else []
    last = len(turns.order)
    names = [*ready, *fresh]
    return (*events, *(FighterChanged(w, fighter(w), last + n, "joins") for n, w in enumerate(names)))


def fighting(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody in the order."""
    return [Choice(w, world.name(w)) for w in world.now.turns.order]


def next_choices(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who has not acted yet; whoever the rules put next stands first."""
    turns: Turns = world.now.turns
    first = turns.may_go()
    return [Choice(w, world.name(w)) for w in [*first, *(w for w in turns.waiting() if w not in first)]]


def whoever_is_up(world: Any, fields: Mapping[str, Any]) -> str:
    """As `Action.actor`: it is for them to do."""
    del fields
    return str(world.now.turns.current)


class InOrder(Action):
    """Something that is done while a turn order runs."""

    @classmethod
    def when(cls, world: Any) -> str:
        """While an encounter runs."""
        return "" if world.now.turns.running else "there is no turn order"


def taking_part(world: Any) -> list[str]:
    """The players' characters and those of the scene that is on; everybody where it names nobody."""
    scene = world.scenes.get(world.now.scene)
    found: list[str] = world.here() if scene and scene.people() else world.present()
    return found


def listed_turns(world: Any, order: tuple[str, ...], timer: int, out: Sequence[str] = ()) -> tuple[Event, ...]:
    """Round one of a turn order that goes down a list; whoever is first of those who are not out is up."""
    fighters = {w: Fighter(side_of(world, w), out=w in out) for w in order}
    first = next((w for w in order if w not in out), "")
    if not first:
        raise Refused("nobody of those can act", remedy="Name somebody who can.")
    begun = EncounterBegan(Turns(round=1, timer=timer or None, order=order, fighters=fighters))
    return (begun, TurnBegan(first), *moment(begun.apply(world), "start", first))


class BeginEncounter(Action, tag="begin"):
    """Begin a turn order: those named, in that order; first of them is up."""

    title = "begin turns"
    key = "g"
    screens = ("table",)
    leads_to = "table"
    who: Annotated[tuple[str, ...], Ask(not_fighting), Meta(description="players and the scene's cast")] = ()
    timer: Annotated[int, Meta(ge=0, le=100, description="no limit")] = 0

    @classmethod
    def when(cls, world: Any) -> str:
        """When none runs."""
        if world.now.turns.running:
            return "an encounter is running"
        return "" if world.present() else "there is nobody to put into it"

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """Round one; where nobody is named the players' characters and those of the scene, or else everybody."""
        order = self.who or tuple(taking_part(world))
        return listed_turns(world, order, self.timer, [w for w in order if self.out(world, w)])

    def out(self, world: Any, who: str) -> bool:
        """Is somebody out of the fight before it begins? A game whose people can be down says so."""
        return False


class NextTurn(InOrder, tag="next"):
    """End the turn; the next in the order is up, or whoever is named."""

    swift = True
    title = "next"
    key = "n"
    screens = ("table",)
    actor = staticmethod(whoever_is_up)
    who: Annotated[str, Ask(next_choices)] = ""

    @classmethod
    def when(cls, world: Any) -> str:
        """While somebody can act."""
        return super().when(world) or (
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


class Delay(InOrder, tag="delay"):
    """Whoever is up waits until after somebody else."""

    title = "delay"
    key = "d"
    screens = ("table",)
    actor = staticmethod(whoever_is_up)
    after: Annotated[str, Ask(next_choices)]

    @classmethod
    def when(cls, world: Any) -> str:
        """While somebody is up."""
        return super().when(world) or ("" if world.now.turns.current else "nobody is up")

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """They move down the order and the next one is up."""
        turns: Turns = world.now.turns
        who = turns.current
        rest = [w for w in turns.order if w != who]
        place = rest.index(self.after) + 1
        up = next(iter(turns.waiting()))
        delays = FighterChanged(who, turns.fighters[who], place, "delays")
        return (delays, TurnBegan(up), *moment(world, "start", up))


class Join(InOrder, tag="join"):
    """Put somebody into the running order, hidden or not."""

    title = "join"
    key = "j"
    screens = ("table",)
    who: Annotated[str, Ask(newcomers)]
    hidden: bool = False
    count: HowMany = 1

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """They act last."""

        def fighter(who: str) -> Fighter:
            out = who in world.sheets and self.out(world, who)
            return Fighter(side_of(world, self.who), out=out, hidden=self.hidden)

        return joined(world, self.who, self.count, fighter)

    def out(self, world: Any, who: str) -> bool:
        """As at the beginning."""
        return False


class Leave(InOrder, tag="leave"):
    """Take somebody out of the running order."""

    title = "leave"
    key = "l"
    screens = ("table",)
    who: Annotated[str, Ask(fighting)]

    @classmethod
    def when(cls, world: Any) -> str:
        """While an encounter runs; its last one cannot leave."""
        last = len(world.now.turns.order) == 1
        return super().when(world) or ("one is left in the order: end the encounter" if last else "")

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """They are out of it."""
        return (*met(world), FighterChanged(self.who, None, 0, "leaves the order"))


def hidden_ones(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever is in the order and hidden."""
    return [Choice(w, world.name(w)) for w in world.now.turns.order if world.is_hidden(w)]


def seen_ones(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever is in the order and seen, the GM's own first."""
    seen = [w for w in world.now.turns.order if not world.is_hidden(w)]
    players = world.players()
    return [Choice(w, world.name(w)) for w in sorted(seen, key=lambda w: w in players)]


def changed(world: Any, who: str, what: str, **changes: bool) -> FighterChanged:
    """Somebody changes and keeps their place in the order."""
    turns: Turns = world.now.turns
    return FighterChanged(who, replace(turns.fighters[who], **changes), turns.order.index(who), what)


def sighted(world: Any, who: str, *, hidden: bool) -> FighterChanged:
    """Somebody is seen from now on, or no longer."""
    return changed(world, who, "is gone from sight" if hidden else "appears", hidden=hidden)


class Reveal(InOrder, tag="reveal"):
    """Show somebody who is hidden to the players."""

    title = "reveal"
    done_to = "who"
    who: Annotated[str, Ask(hidden_ones)]

    @classmethod
    def when(cls, world: Any) -> str:
        """While somebody hides."""
        return super().when(world) or ("" if hidden_ones(world, {}) else "nobody is hidden")

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """They are seen."""
        return (sighted(world, self.who, hidden=False),)


class Hide(InOrder, tag="hide"):
    """Hide somebody in the turn order from the players, until they are revealed."""

    title = "hide"
    done_to = "who"
    who: Annotated[str, Ask(seen_ones)]

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """They are unseen."""
        return (sighted(world, self.who, hidden=True),)


class EndEncounter(InOrder, tag="end"):
    """End the encounter: no more turn order."""

    title = "end turns"
    key = "x"
    screens = ("table",)

    @classmethod
    def warns(cls, world: Any) -> str:
        """It ends for all."""
        return f"The encounter is in round {world.now.turns.round}. End it?"

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """There is no order; conditions that count turns end with it."""
        ended = tuple(ConditionTicked(i, 0) for i, c in world.now.conditions.items() if c.ends)
        return (*ended, *met(world), EncounterEnded())


ACTIONS: tuple[type[Action], ...] = (BeginEncounter, NextTurn, Delay, Join, Leave, Reveal, Hide, EndEncounter)
EVENTS: tuple[type[Event], ...] = (EncounterBegan, EncounterEnded, TurnBegan, RoundBegan, FighterChanged)
