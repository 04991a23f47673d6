"""A roll on the table: what its 1s cost, what can be done about it before it counts, and how it counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from ...kit.ahead import after
from ...kit.asking import sure
from ...kit.cast import met
from ...kit.told import Told, altered
from ...rules import Action, Ask, Choice, Dice, Event
from ...rules.ask import Chooser
from .complex import attempted
from .contest_round import round_result
from .dice import drama_ones, number, ones_price, side_words, throw_all
from .momentum import won
from .outcome import OPPOSED, SUCCESS, compare, pairs, payable, pending, raisable, reading, total, undecided
from .penalties import gain, lose
from .points import spend
from .world import DramaWorld, Roll, Side, Verdict, hides, hides_roll, of_roll


class Rolled(Told, tag="rolled"):
    """Dice lie on the table."""

    rule = "base 5, 6: +1; resistance 1, 2: −1; drama 4, 5, 6: +1, a 6 rolls on, a 1: −1 and a penalty die"
    roll: Roll
    what: str = ""

    def apply(self, world: DramaWorld) -> DramaWorld:
        return world.live(roll=self.roll, unseen_roll=self.is_secret(world))

    def is_secret(self, world: DramaWorld) -> bool:
        before = world.now.roll
        goes_on = before is not None and before.stage == "choose" and world.now.unseen_roll
        return goes_on or hides(world, of_roll(self.roll))

    def words(self, world: DramaWorld) -> str:
        dice = "; ".join(side_words(side) for side in self.roll.sides.values())
        head = self.what or self.roll.what
        return f"{head}: {dice}" if head else dice


class Settled(Event, tag="settled"):
    """The roll counts."""

    rule = "two net successes succeed, one is marginal; opposed: two or more and more than the other"
    verdicts: dict[str, Verdict]
    groups: dict[str, str | int]
    words: str
    after: tuple[str, ...] = ()
    whispered: tuple[str, ...] = ()

    def apply(self, world: DramaWorld) -> DramaWorld:
        return altered(
            world, "roll", stage="done", verdicts=self.verdicts, after=self.after, whispered=self.whispered
        )

    def says(self, world: DramaWorld) -> str:
        return "" if hides_roll(world) else self.told()

    def whispers(self, world: DramaWorld) -> str:
        return self.told() if hides_roll(world) else ""

    def told(self) -> str:
        """The words as they are read: a net below 0 is kept with a hyphen, as in logs of before."""
        net = self.groups.get("net", 0)
        return self.words.replace(f"(net {net})", f"(net {number(net)})") if isinstance(net, int) else self.words

    def outcome(self) -> Mapping[str, str | int]:
        return self.groups


def thrown(world: DramaWorld, dice: Dice, roll: Roll, first: Sequence[Event] = ()) -> tuple[Event, ...]:
    """The pools of a roll fall: what comes first, such as spending Drama Points, and what comes of them."""
    fallen = replace(roll, sides=throw_all(world, dice, roll.sides, roll.also))
    return (*first, *finish(after(world, first), fallen))


def finish(world: DramaWorld, roll: Roll, what: str = "", *, fell: bool = True) -> tuple[Event, ...]:
    """Dice lie there; what their 1s cost; and the end of it, where nobody has anything to choose."""
    events: list[Event] = [Rolled(roll, what)]
    here = after(world, events)
    if fell:
        for side in roll.sides.values():
            cost = ones_cost(here, side)
            events += cost
            here = after(here, cost)
        if not hides_roll(here):
            events += met(here)
    if not (payable(here, roll) or raisable(here, roll) or undecided(here, roll)):
        events += settle(here, roll)
    return tuple(events)


def ones_cost(world: DramaWorld, side: Side) -> tuple[Event, ...]:
    """The penalty dice that the 1s of a pool bring."""
    dice, cause = ones_price(side)
    return gain(world, side.who, cause, dice) if side.who in world.sheets else ()


def settle(world: DramaWorld, roll: Roll) -> tuple[Event, ...]:
    """The roll counts as it lies."""
    if roll.kind in OPPOSED:
        return _settle_pairs(world, roll)
    successes = total(roll)
    outcome = reading(successes)
    lead = next(iter(roll.sides))
    paid = any(side.paid for side in roll.sides.values())
    words = f"{roll.what or roll.sides[lead].name}: {outcome}{', at a price' if paid else ''} (net {successes})"
    groups: dict[str, str | int] = {"outcome": outcome, "net": successes, "drama 1s": drama_ones(roll.sides[lead])}
    follow: list[Event] = []
    then: list[str] = []
    if roll.kind == "complex" and world.now.complex is not None:
        follow, then = attempted(world, world.now.complex, roll, outcome == SUCCESS)
    if roll.kind == "recovery" and outcome == SUCCESS:
        who = roll.sides[lead].who
        follow = list(lose(world, who, world.rules.recovery_dice))
    return (Settled({lead: Verdict(outcome, "", successes)}, groups, words, tuple(then)), *follow)


def _settle_pairs(world: DramaWorld, roll: Roll) -> tuple[Event, ...]:
    verdicts: dict[str, Verdict] = {}
    groups: dict[str, str | int] = {}
    words, single = [], len(pairs(roll.sides)) == 1
    for key, other in pairs(roll.sides):
        verdict, label, lead = compare(world, roll, key, other)
        verdicts[key] = verdict
        if single:
            groups = {"outcome": label, "level": lead, "drama 1s": drama_ones(roll.sides[key])}
        else:
            groups[f"against {roll.sides[other].name}"] = label
        words.append(pair_words(roll, key, verdict))
    if roll.kind == "contest" and world.now.contest is not None:
        follow, then, quiet = round_result(world, world.now.contest, roll, next(iter(verdicts.values())))
    else:
        follow, then, quiet = [], [], []
    moved = won(world, roll, verdicts.values())
    return (Settled(verdicts, groups, "; ".join(words), tuple(then), tuple(quiet)), *follow, *moved)


def pair_words(roll: Roll, key: str, verdict: Verdict) -> str:
    """How an opposed test came out, in a sentence."""
    if not verdict.winner:
        other = roll.sides[key].against
        return f"Neither {roll.sides[key].name} nor {roll.sides[other].name} gets there"
    name = roll.sides[verdict.winner].name
    return f"A draw, and it is {name}'s ({verdict.by})" if verdict.by else f"{name} wins by {verdict.level}"


def _with(roll: Roll, key: str, side: Side) -> Roll:
    return replace(roll, sides={**roll.sides, key: side})


def sides_of(keys: Callable[[DramaWorld, Roll], list[str]]) -> Chooser:
    """Some sides of the roll that waits for a choice."""

    def choices(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
        roll = pending(world)
        return [Choice(k, roll.sides[k].name) for k in keys(world, roll)] if roll else []

    return choices


raisers, payers = sides_of(raisable), sides_of(payable)
level_ones = sides_of(lambda world, roll: [key for pair in undecided(world, roll) for key in pair])


class WithRoll(Action):
    """What is done with dice that wait for a choice."""

    screens: ClassVar[tuple[str, ...]] = ("table", "challenge", "contest")

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return "" if pending(world) else "no dice wait for a choice"

    @classmethod
    def actor(cls, world: DramaWorld, fields: Mapping[str, Any]) -> str:
        """Whoever the named side is."""
        roll = pending(world)
        side = roll.sides.get(str(fields.get("side", ""))) if roll else None
        return side.who if side else ""

    def roll(self, world: DramaWorld) -> Roll:
        """The dice."""
        return sure(pending(world))


class LetStand(WithRoll, tag="let_stand"):
    """Let the dice count as they lie; a draw that is still level goes to whoever began."""

    title = "let it stand"
    key = "k"

    @classmethod
    def actor(cls, world: DramaWorld, fields: Mapping[str, Any]) -> str:
        """A player lets dice stand that nobody else has a say in; where others rolled too, the GM does."""
        roll = pending(world)
        rolled = {side.who for side in roll.sides.values()} if roll else set()
        return next(iter(rolled)) if len(rolled) == 1 else ""

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        return settle(world, self.roll(world))


class Raise(WithRoll, tag="raise"):
    """Spend a Drama Point: one base 4 counts as a 5."""

    title = "raise a 4"
    key = "b"
    side: Annotated[str, Ask(raisers, "whose")]

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        roll = self.roll(world)
        side = roll.sides[self.side]
        place = next(i for i, d in enumerate(side.dice) if d.pool == "base" and d.face == 4 and not d.raised)
        raised = tuple(replace(d, raised=True) if i == place else d for i, d in enumerate(side.dice))
        spent = spend(world, side.who, "a Drama Point makes a 5 of a 4")
        changed = _with(roll, self.side, replace(side, dice=raised))
        return (spent, *finish(spent.apply(world), changed, "A 4 counts as a 5", fell=False))


class Pay(WithRoll, tag="pay"):
    """Pay the price: one net success counts as two, for penalty dice."""

    title = "pay the price"
    key = "i"
    side: Annotated[str, Ask(payers, "whose")]

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        roll = self.roll(world)
        side = roll.sides[self.side]
        cost = gain(world, side.who, "paid the price", world.rules.price)
        changed = _with(roll, self.side, replace(side, paid=True))
        return (*cost, *finish(after(world, cost), changed, f"{side.name} pays the price", fell=False))


class Favour(WithRoll, tag="favour_draw"):
    """A draw that is level in everything: the GM picks who has it."""

    title = "give the draw"
    key = "v"
    screens = ("table", "contest")

    @classmethod
    def actor(cls, world: DramaWorld, fields: Mapping[str, Any]) -> str:
        return ""

    side: Annotated[str, Ask(level_ones, "to whom")]
    reason: Annotated[str, Meta(max_length=120)] = ""

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        roll = self.roll(world)
        key = next(first for first, second in undecided(world, roll) if self.side in (first, second))
        changed = replace(roll, picks={**roll.picks, key: self.side})
        why = f": {self.reason.strip()}" if self.reason.strip() else ""
        return finish(world, changed, f"The GM gives the draw to {roll.sides[self.side].name}{why}", fell=False)


ACTIONS: tuple[type[Action], ...] = (LetStand, Raise, Pay, Favour)


EVENTS: tuple[type[Event], ...] = (Rolled, Settled)
