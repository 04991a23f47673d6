"""The cast: who is about, who has left, and several of one sheet."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ..rules import COPY, Action, Ask, Choice, Dice, Event
from ..rules.model import numbered
from .seen import is_secret
from .told import Told, ToldOf


def anybody(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who is about."""
    return [Choice(who, world.name(who)) for who in world.present()]


def outside_the_order(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who is about, closed where they stand in the turn order."""
    why = dict.fromkeys(world.now.turns.fighters, "in the turn order: take them out of it first")
    return [Choice(who, world.name(who), why.get(who, "")) for who in world.present()]


def the_retired(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who has been retired."""
    return [Choice(who, world.name(who)) for who in world.now.retired]


def originals(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody of the GM's with a sheet of their own."""
    own = [who for who in world.present() if who not in world.now.more and not world.sheets[who].player]
    return [Choice(who, world.name(who)) for who in own]


class Retired(ToldOf, tag="retired"):
    """Somebody left the cast, or came back."""

    away: bool = True

    def apply(self, world: Any) -> Any:
        """They are away, or back."""
        rest = tuple(w for w in world.now.retired if w != self.who)
        return world.live(retired=(*rest, self.who) if self.away else rest)

    def words(self, world: Any) -> str:
        """Who, and which way."""
        return f"{world.name(self.who)} {'leaves the cast' if self.away else 'is back'}"


class Met(Event, tag="met"):
    """Players have seen some of the GM's own, and go on knowing them; or lose sight of them again."""

    who: tuple[str, ...]
    lost: bool = False

    def apply(self, world: Any) -> Any:
        """They are known, or no longer."""
        rest = out_of_mind(world, self.who)
        return rest if self.lost else rest.live(met=(*rest.now.met, *self.who))


def out_of_mind(world: Any, hidden: Iterable[str]) -> Any:
    """The world in which some are hidden: players no longer see them about either."""
    known = world.now.met
    gone = set(hidden) & set(known)
    return world.live(met=tuple(who for who in known if who not in gone)) if gone else world


def met(world: Any, also: Iterable[str] = ()) -> tuple[Event, ...]:
    """Whoever of the GM's own stands before everybody's eyes now: to be told before they no longer do."""
    now = world.now
    fighters = (who for who, fighter in now.turns.fighters.items() if not fighter.hidden)
    stood = dict.fromkeys((*fighters, *now.in_sight(), *also))
    new = [w for w in stood if w in world.sheets and is_secret(world, w) and not world.is_hidden(w)]
    new = [w for w in new if w not in now.met]
    return (Met(tuple(new)),) if new else ()


class CopiesAdded(Told, tag="copies_added"):
    """There are more of one sheet."""

    of: str
    copies: tuple[str, ...]

    def apply(self, world: Any) -> Any:
        """Each has a sheet of the same values under a name with a number."""
        made = {who: numbered(world.sheets[self.of], who) for who in self.copies if self.of in world.sheets}
        live = world.live(more={**world.now.more, **dict.fromkeys(self.copies, self.of)})
        return replace(live, sheets={**world.sheets, **made})

    def words(self, world: Any) -> str:
        """How many of whom."""
        return f"{len(self.copies)} × {world.name(self.of)} added"

    def is_secret(self, world: Any) -> bool:
        """Whom the GM prepares is the GM's until they stand in the order."""
        return True


class Retire(Action, tag="retire"):
    """Take somebody out of the cast; the sheet stays."""

    title = "retire"
    done_to = "who"
    who: Annotated[str, Ask(outside_the_order)]

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """They are away."""
        return (Retired(self.who),)


class BringBack(Action, tag="bring_back"):
    """Bring somebody who was retired back into the cast."""

    title = "bring back"
    who: Annotated[str, Ask(the_retired)]

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """They are back."""
        return (Retired(self.who, away=False),)


def more_of(world: Any, who: str, count: int) -> tuple[str, ...]:
    """Ids for so many more of one sheet, numbered on from the last."""
    taken = [int(one.rpartition(COPY)[2]) for one, of in world.now.more.items() if of == who]
    first = max(taken, default=1) + 1
    return tuple(f"{who}{COPY}{first + i}" for i in range(count))


class AddCopies(Action, tag="more"):
    """Add more of one sheet: four wardens from one file, each with live state of its own."""

    title = "more of a kind"
    of: Annotated[str, Ask(originals, "of")]
    count: Annotated[int, Meta(ge=1, le=50, title="how many more")] = 1

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """They are numbered on from the last."""
        return (CopiesAdded(self.of, more_of(world, self.of, self.count)),)


ACTIONS: tuple[type[Action], ...] = (Retire, BringBack, AddCopies)
EVENTS: tuple[type[Event], ...] = (Retired, Met, CopiesAdded)
