"""The complex test: a chain of dimensions, each with its resistance, its attempts and their prices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.ahead import after
from ...kit.asking import said, sure
from ...kit.told import Told
from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .campaign import ComplexPlan, Dimension, Price
from .outcome import waiting
from .penalties import gain
from .world import Complex, DramaWorld, Piece, Roll, Task, hides, hides_roll, in_scenes, many, of_task

Penalty = Annotated[int, Meta(ge=0, le=10, title="in penalty dice")]
MOST_DIMENSIONS = 20
MOST_ATTEMPTS = 2
EASIER = 2
"""Resistance that the second attempt of a complex test is spared."""


def complex_plans(world: DramaWorld) -> dict[str, ComplexPlan]:
    """Prepared complex tests."""
    return in_scenes(world, lambda scene: scene.complex)


def complex_choices(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Prepared complex tests."""
    return [Choice(i, p.name, plan_closed(world, p)) for i, p in complex_plans(world).items()]


def plan_closed(world: DramaWorld, plan: ComplexPlan) -> str:
    """Why a prepared complex test cannot be opened: it has nothing in it, or it is the one that was locked last."""
    chain = world.now.complex
    if not plan.dimensions:
        return "it has no dimensions"
    return f"locked at {dimension_of(chain).name}" if chain and chain.plan == plan and is_locked(chain) else ""


def dimension_of(chain: Complex) -> Dimension:
    """The dimension that is tried, or was tried last."""
    return chain.plan.dimensions[chain.at]


def is_locked(chain: Complex) -> bool:
    """Did the last attempt at a dimension fail? What was given up is not locked."""
    return bool(chain.outcome) and chain.tried >= min(dimension_of(chain).attempts, MOST_ATTEMPTS)


def attempt_task(chain: Complex) -> Task:
    """The next attempt, ready for somebody to lead it."""
    return Task(dimension_of(chain).name, chain.plan.stakes, chain=True)


def dimension_piece(chain: Complex) -> Piece:
    """The resistance of the dimension that is tried; the second attempt has less."""
    dimension = dimension_of(chain)
    dice = max(dimension.resistance - (EASIER if chain.tried else 0), 0)
    return Piece(dimension.name, resistance=dice, note="second attempt" if chain.tried else "first attempt")


class ComplexChanged(Told, tag="complex_changed"):
    """A complex test was opened or closed."""

    complex: Complex | None
    task: Task | None
    what: str

    def apply(self, world: DramaWorld) -> DramaWorld:
        return world.live(complex=self.complex, task=self.task)

    def words(self, world: DramaWorld) -> str:
        return self.what

    def is_secret(self, world: DramaWorld) -> bool:
        return hides(world, of_task(world.now.task))


class Attempted(Event, tag="attempted"):
    """An attempt at a dimension of a complex test was made."""

    rule = "success opens the next dimension; a failed second attempt locks the test"
    passed: bool
    complex: Complex
    words: str
    task: Task | None = None
    """The next attempt, where there is one."""

    def apply(self, world: DramaWorld) -> DramaWorld:
        return world.live(complex=self.complex, task=self.task)

    def says(self, world: DramaWorld) -> str:
        return "" if hides_roll(world) else self.words

    def whispers(self, world: DramaWorld) -> str:
        return self.words if hides_roll(world) else ""


class OpensTest(Action):
    """Puts a test on the challenge page in the place of one that was not rolled, once no complex one runs."""

    screens = ("challenge",)
    leads_to = "challenge"

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        chain = world.now.complex
        return waiting(world) or (f"{chain.plan.name} is under way" if chain and not chain.outcome else "")

    @classmethod
    def warns(cls, world: DramaWorld) -> str:
        task = world.now.task
        return f"{task.name} is prepared and not rolled. Leave it?" if task and not task.chain else ""


class OpenComplex(OpensTest, tag="complex"):
    """Open a prepared complex test: its first dimension is tried."""

    title = "complex test"
    key = "x"
    plan: Annotated[str, Ask(complex_choices, "complex test")]

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        chain = Complex(complex_plans(world)[self.plan])
        first = chain.plan.dimensions[0]
        return (ComplexChanged(chain, attempt_task(chain), f"{chain.plan.name}: {first.name} comes first"),)


class AddDimension(OpensTest, tag="dimension"):
    """Make up a complex test at the table, dimension by dimension: the first begins it, others go to its end."""

    title = "make up a complex test"
    key = "a"
    when = staticmethod(waiting)
    name: Annotated[str, Meta(max_length=80, title="dimension")]
    resistance: Annotated[int, Meta(ge=0, le=20)] = 0
    attempts: Annotated[int, Meta(ge=1, le=2)] = 2
    first: Annotated[str, Meta(max_length=120, title="price of the first attempt")] = ""
    first_penalty: Penalty = 0
    second: Annotated[str, Meta(max_length=120, title="price of the second attempt")] = ""
    second_penalty: Penalty = 0
    failure: Annotated[str, Meta(max_length=120, title="cost of failure")] = ""
    failure_penalty: Penalty = 0
    hint: Annotated[str, Meta(max_length=80)] = ""
    test: Annotated[str, Meta(max_length=80, title="name of the whole test", description="the dimension's")] = ""
    stakes: Annotated[str, Meta(max_length=200)] = ""

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        one = Dimension(
            said(self.name, "a dimension needs a name", "Say what is tried."),
            self.resistance,
            Price(self.first.strip(), self.first_penalty),
            Price(self.second.strip(), self.second_penalty),
            Price(self.failure.strip(), self.failure_penalty),
            self.attempts,
            self.hint.strip(),
        )
        chain, task = world.now.complex, world.now.task
        if chain is None or chain.outcome in ("partial", "failed"):
            plan = ComplexPlan(self.test.strip() or one.name, (one,), self.stakes.strip())
            begun = Complex(plan)
            return (ComplexChanged(begun, attempt_task(begun), f"{plan.name}: {one.name} comes first"),)
        plan = replace(chain.plan, dimensions=(*chain.plan.dimensions, one))
        if len(plan.dimensions) > MOST_DIMENSIONS:
            raise Refused(f"{chain.plan.name} has {MOST_DIMENSIONS} dimensions already")
        longer = replace(chain, plan=plan)
        if chain.outcome == "full":  # all of it was done: it goes on
            longer = replace(longer, at=len(chain.plan.dimensions), tried=0, outcome="")
            task = attempt_task(longer)
        return (ComplexChanged(longer, task, f"{plan.name}: then {one.name}"),)


class GiveUp(Action, tag="give_up"):
    """Give the complex test up: what was done stays done."""

    title = "give up"
    key = "g"
    screens = ("challenge",)

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        chain = world.now.complex
        return waiting(world) or ("" if chain and not chain.outcome else "no complex test is under way")

    @classmethod
    def warns(cls, world: DramaWorld) -> str:
        chain = world.now.complex
        return f"{chain.plan.name} ends here, and stays locked. Give it up?" if chain else ""

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        chain = sure(world.now.complex)
        ended = replace(chain, outcome="partial" if chain.at else "failed")
        return (ComplexChanged(ended, None, f"{chain.plan.name} is given up: {ended.outcome}"),)


def attempted(world: DramaWorld, chain: Complex, roll: Roll, passed: bool) -> tuple[list[Event], list[str]]:
    """An attempt was rolled: its price, what failing costs, what comes next; and the same in words."""
    dimension = dimension_of(chain)
    lead = next(iter(roll.sides.values())).who
    tried = chain.tried + 1
    price = dimension.first if tried == 1 else dimension.second
    events, cost = pay(world, lead, price, dimension.name)
    told = [f"price of the attempt: {cost}"] if cost else []
    then = complex_after(chain, dimension, tried, passed)
    if then.outcome and not passed:
        more, cost = pay(after(world, events), lead, dimension.failure, f"{dimension.name} failed")
        events += more
        told += [f"cost of failure: {cost}"] if cost else []
    words = attempt_words(then, dimension, passed)
    return [*events, Attempted(passed, then, words, None if then.outcome else attempt_task(then))], [*told, words]


def complex_after(chain: Complex, dimension: Dimension, tried: int, passed: bool) -> Complex:
    """Where a complex test stands after an attempt."""
    last = chain.at + 1 >= len(chain.plan.dimensions)
    if passed:
        return replace(chain, at=chain.at if last else chain.at + 1, tried=0, outcome="full" if last else "")
    if tried >= min(dimension.attempts, MOST_ATTEMPTS):
        return replace(chain, tried=tried, outcome="partial" if chain.at else "failed")
    return replace(chain, tried=tried)


def attempt_words(then: Complex, dimension: Dimension, passed: bool) -> str:
    """What an attempt did to the chain."""
    if passed and not then.outcome:
        return f"{dimension.name} is done: {then.plan.dimensions[then.at].name} opens"
    if then.outcome:
        return f"{then.plan.name}: {then.outcome}" + ("" if passed else f", locked at {dimension.name}")
    less = min(EASIER, dimension.resistance)
    return f"{dimension.name}: one attempt left" + (f", with {many(less, 'resistance')} less" if less else "")


def pay(world: DramaWorld, who: str, price: Price, cause: str) -> tuple[list[Event], str]:
    """A price is paid: its events, and what it was in words."""
    return (list(gain(world, who, cause, price.penalty)) if price.penalty > 0 else []), price_words(price)


def price_words(price: Price) -> str:
    """What something costs, on a line."""
    words = [price.words] if price.words else []
    return ", ".join([*words, many(price.penalty, "penalty")] if price.penalty > 0 else words)


ACTIONS: tuple[type[Action], ...] = (OpenComplex, AddDimension, GiveUp)


EVENTS: tuple[type[Event], ...] = (ComplexChanged, Attempted)
