"""What rules do to the table: meters, counters, clocks, conditions, the timer, the Initiative, a question."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...kit.ahead import next_id
from ...kit.common import ClockMoved, ConditionBegan, ConditionTicked, is_secret, unseen
from ...kit.told import Told
from ...rules import Condition, Dice, Event, Refused
from .conditions import ends_of
from .dice import read, spelled, throw
from .game import Effects
from .language import owned, target
from .meters import MeterMoved, SharedMoved, is_hidden_meter, meter_title
from .scope import Scope, held, meter_ends, meter_value, shared_value
from .world import HomebrewWorld, Question, is_out, side

RESERVED = ("clock", "timer", "condition", "cure", "initiative", "ask")
"""Effects that are no meters."""
MOST_QUESTIONS = 20


class Asked(Told, tag="asked"):
    """Somebody has to choose."""

    questions: tuple[Question, ...]

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(asked=self.questions)


class InitiativePassed(Told, tag="initiative_passed"):
    """The other side may act."""

    side: str

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(turns=replace(world.now.turns, holder=self.side))

    def words(self, world: HomebrewWorld) -> str:
        return f"The Initiative goes to the {self.side}"


class TimerMoved(Told, tag="timer_moved"):
    """There are more or fewer rounds left."""

    timer: int

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(turns=replace(world.now.turns, timer=self.timer))

    def words(self, world: HomebrewWorld) -> str:
        return f"Timer {self.timer}"


class OutChanged(Told, tag="out_changed"):
    """Somebody is out of the fight, or back in it."""

    who: str
    out: bool

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        turns = world.now.turns
        return world.live(turns=turns.change(self.who, out=self.out)) if self.who in turns.fighters else world


class Measured(Told, tag="measured"):
    """What an option does to a meter or a counter: the dice that fell for it, and where nothing changes."""

    who: str
    """Empty for a counter of the table."""
    meter: str
    fell: str = ""
    stays: int | None = None

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world

    def words(self, world: HomebrewWorld) -> str:
        title = meter_title(world, self.meter)
        head = f"{world.name(self.who)}: {title}" if self.who else title
        stays = f"stays {self.stays}" if self.stays is not None else ""
        return f"{head} {', '.join(filter(None, (self.fell, stays)))}"

    def is_secret(self, world: HomebrewWorld) -> bool:
        return is_hidden_meter(world, self.who, self.meter) or gives_away(world, self.who)


EVENTS: tuple[type[Event], ...] = (Asked, InitiativePassed, TimerMoved, OutChanged, Measured, MeterMoved, SharedMoved)


class Doing:
    """Effects one after the other: the world as it stands after each, and the events that led there."""

    def __init__(self, world: HomebrewWorld, dice: Dice, *, why: str = "", secret: bool = False) -> None:
        self.world, self.dice, self.why, self.secret = world, dice, why, secret
        self.events: list[Event] = []
        self.fired: set[tuple[str, str]] = set()
        """Ends that have happened: each at most once in one action."""

    def happen(self, *events: Event) -> None:
        """Something happened."""
        for event in events:
            self.world = event.apply(self.world)
            self.events.append(event)

    def move(self, who: str, meter: str, value: int, scope: Scope | None = None) -> tuple[Event, ...]:
        """Somebody's meter, or the table's where nobody is named; held at its ends, which may do something."""
        was = meter_value(self.world, who, meter) if who else shared_value(self.world, meter)
        value = held(self.world, who, meter, value)
        if value == was:
            return tuple(self.events)
        self.happen(MeterMoved(who, meter, value, was) if who else SharedMoved(meter, value, was))
        least, most = meter_ends(self.world, who, meter)
        rule = self.world.rules.meters[meter] if who else self.world.rules.shared[meter]
        effects = rule.full if value == most else rule.empty if value == least else {}
        if effects and (who, meter) not in self.fired:
            self.fired.add((who, meter))
            here = scope or Scope(self.world)
            self.do(effects, here.but(world=self.world, who=who or here.who))
        return tuple(self.events)

    def do(self, effects: Effects, scope: Scope, *, tells: bool = False) -> tuple[Event, ...]:
        """All of some effects, in the order written; with `tells`, also what dice fell and what changes nothing."""
        for key, value in effects.items():
            self._one(key, value, scope.but(world=self.world), tells)
        return tuple(self.events)

    def pay(self, costs: Effects, scope: Scope, what: str) -> None:
        """The same, refused where there is no room for all of it."""
        if why := unpaid(costs, scope.but(world=self.world)):
            raise Refused(f"{what} cannot be paid for: {why}")
        self.do(costs, scope)

    def _one(self, key: str, value: int | str | tuple[str, ...] | list[str], scope: Scope, tells: bool) -> None:
        owner, name = owned(key)
        if name == "ask":
            self._ask(tuple(value) if not isinstance(value, int | str) else (str(value),), scope)
        elif name == "clock" or name.startswith("clock "):
            self._clock(name[6:] or scope_clock(scope), value, scope)
        elif name == "initiative":
            self._pass(scope)
        elif name == "timer":
            timer = self.world.now.turns.timer
            if timer is not None:
                self.happen(TimerMoved(max(min(self._value(value, timer, scope), 10_000), 0)))
        elif name in ("condition", "cure"):
            for who in self._whom(owner, scope):
                (self._begin if name == "condition" else self._cure)(who, str(value))
        elif name in self.world.rules.shared:
            self._meter("", name, value, scope, tells)
        else:
            for who in self._whom(owner, scope):
                self._meter(who, name, value, scope, tells)

    def _meter(self, who: str, name: str, value: object, scope: Scope, tells: bool) -> None:
        was = meter_value(self.world, who, name) if who else shared_value(self.world, name)
        wanted, fell = self._worked(value, was, scope)
        stays = held(self.world, who, name, wanted) == was
        if tells and (fell or stays):
            self.happen(Measured(who, name, fell, was if stays else None))
        self.move(who, name, wanted, scope)

    def _value(self, value: object, was: int, scope: Scope) -> int:
        """Where an effect leads from where something stands."""
        return self._worked(value, was, scope)[0]

    def _worked(self, value: object, was: int, scope: Scope) -> tuple[int, str]:
        """The same, and the dice that fell for it in words."""
        assert isinstance(value, int | str)
        fixed, term = target(value)
        spec = scope.but(world=self.world).spec(term)
        number, fell = spec.plus, ""
        if spec.groups:
            secret = self.secret or is_total_secret(
                self.world, scope.who
            )  # their numbers would be told by their dice
            number = read(throw(self.dice, self.why or spelled(spec), spec, secret=secret, of=scope.who), "sum").value
            fell = f"{spelled(spec)} = {number}".replace("-", "−")
        return (number if fixed else was + number), fell

    def _whom(self, owner: str, scope: Scope) -> Iterator[str]:
        if owner == "all":
            yield from [who for who in self.world.players() if not is_out(self.world, who)]
        elif (who := scope.person(owner)) in self.world.sheets:
            yield who

    def _ask(self, options: tuple[str, ...], scope: Scope) -> None:
        questions = self.world.now.asked
        if len(questions) < MOST_QUESTIONS:
            one = Question(
                scope.who, options, scope.whom, scope.roll, dict(scope.stats), dict(scope.says), dict(scope.facts)
            )
            self.happen(Asked((*questions, one)))

    def _clock(self, name: str, value: object, scope: Scope) -> None:
        clock = self.world.now.clocks.get(name)
        if clock is not None:
            filled = min(max(self._value(value, clock.filled, scope), 0), clock.size)
            if filled != clock.filled:
                self.happen(ClockMoved(name, filled))

    def _pass(self, scope: Scope) -> None:
        turns = self.world.now.turns
        mine = side(self.world, scope.who)
        others = [s for s in turns.sides() if s != mine] if turns.running else []
        if others and turns.holder == mine:
            self.happen(InitiativePassed(others[0]))

    def _begin(self, who: str, name: str) -> None:
        if any(c.who == who and c.what == name for c in self.world.now.conditions.values()):
            return
        ends, left = ends_of(self.world.rules, name)
        free = next_id(who, self.world.now.conditions)
        self.happen(ConditionBegan(free, Condition(who, name, ends, left)))
        self.heed(who)

    def _cure(self, who: str, name: str) -> None:
        for one, condition in list(self.world.now.conditions.items()):
            if condition.who == who and condition.what == name:
                self.happen(ConditionTicked(one, 0))
        self.heed(who)

    def heed(self, who: str) -> None:
        """The turn order knows who is out."""
        fighter = self.world.now.turns.fighters.get(who)
        if fighter is not None and fighter.out != (out := is_out(self.world, who)):
            self.happen(OutChanged(who, out))


def scope_clock(scope: Scope) -> str:
    """The clock that was chosen for a roll."""
    return scope.says.get("clock", "")


def unpaid(costs: Effects, scope: Scope) -> str:
    """Why costs cannot be paid; empty where they can: a meter or counter has no room for all of it."""
    world = scope.world
    for key, value in costs.items():
        owner, name = owned(key)
        if name in RESERVED or name.startswith("clock ") or not isinstance(value, int | str):
            continue
        who = "" if name in world.rules.shared else scope.person(owner)
        if (who and who not in world.sheets) or (not who and name not in world.rules.shared):
            return "nobody is there to pay it"
        was = meter_value(world, who, name) if who else shared_value(world, name)
        fixed, term = target(value)
        spec = scope.spec(term)
        if spec.groups:
            continue  # how much it is, the dice say
        wanted = spec.plus if fixed else was + spec.plus
        if held(world, who, name, wanted) != wanted:
            return f"{meter_title(world, name)} is {was}"
    return ""


def is_total_secret(world: HomebrewWorld, who: str) -> bool:
    """Is what somebody's dice come to the GM's alone? What the GM rolls in nobody's name is not."""
    return bool(who) and is_secret(world, who)


def gives_away(world: HomebrewWorld, *some: str) -> bool:
    """Is somebody among these whom players do not see?"""
    return any(who in world.sheets and unseen(world, who) for who in some if who)
