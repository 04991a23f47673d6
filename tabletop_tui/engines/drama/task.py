"""A test prepared on the challenge screen: one leads, others lend a hand, work with them or add to the drama."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Dice, Event, Refused
from ...rules.order import turn_of
from .building import (
    able_ones,
    attribute_choices,
    best_approach,
    difficulty_choices,
    own_approaches,
    own_passions,
    own_penalties,
    own_points,
    resist_choices,
    resisting,
    side,
)
from .crew import (
    add_gift,
    crew,
    free_hands,
    helpers,
    targets,
    task_givers,
    task_now,
    task_sides,
)
from .dice import throw
from .penalties import able
from .points import spend
from .reading import waiting
from .verdict import finish
from .world import ATTRIBUTES, DramaWorld, Entry, Piece, Roll, RollKind, Task

# ---- events


class TaskChanged(Event, tag="task_changed"):
    """The test that is being prepared is another, or none."""

    task: Task | None
    what: str = ""

    def apply(self, world: DramaWorld) -> DramaWorld:
        return world.live(task=self.task)

    def says(self, world: DramaWorld) -> str:
        return self.what


# ---- actions


def _open(world: DramaWorld) -> str:
    return waiting(world) or ("" if world.now.task else "no test is being prepared")


def _led(world: DramaWorld) -> str:
    task = world.now.task
    return _open(world) or ("" if task and task.lead else "nobody leads yet")


class OpenTask(Action, tag="task"):
    """Prepare a test that several may take part in."""

    title = "open a test"
    key = "o"
    screens = ("challenge",)
    leads_to = "challenge"
    name: Annotated[str, Meta(max_length=80)]
    difficulty: Annotated[str, Ask(difficulty_choices)] = "some"
    stakes: Annotated[str, Meta(max_length=200)] = ""
    target: Annotated[str, Ask(targets, "resisted by")] = ""
    resist: Annotated[str, Ask(resist_choices, "resists with")] = ""

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        chain = world.now.complex
        return waiting(world) or ("a complex test is under way" if chain and not chain.outcome else "")

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        if not self.name.strip():
            raise Refused("a test needs a name", remedy="Say what is tried.")
        if self.target:
            resisting(world, self.target, self.resist)
        task = Task(self.name.strip(), self.stakes.strip(), self.difficulty, self.target, self.resist)
        return (TaskChanged(task, f"{task.name}: {task.difficulty}"),)


class Lead(Action, tag="lead"):
    """Say who leads the test and with what; everybody else can help."""

    title = "lead"
    key = "l"
    screens = ("challenge",)
    who: Annotated[str, Ask(able_ones)]
    using: Annotated[str, Ask(own_approaches)]
    attribute: Annotated[str, Ask(attribute_choices)] = ""

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return _open(world)

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        task, entry = task_now(world), Entry(self.using, self.attribute)
        side(world, self.who, entry)
        # a new lead takes the old one's place; a helper who takes the lead no longer helps
        crew = {w: e for w, e in task.crew.items() if w not in (self.who, task.lead)}
        hands = {w: a for w, a in task.hands.items() if w != self.who}
        gifts = {w: g for w, g in task.gifts.items() if g.to in crew or g.to == self.who}
        led = replace(task, lead=self.who, crew={self.who: entry, **crew}, hands=hands, gifts=gifts)
        return (TaskChanged(led, f"{world.name(self.who)} leads with {self.using.rpartition(':')[2]}"),)


class LendHand(Action, tag="lend"):
    """Lend a hand: an attribute is added to the lead's pool."""

    title = "lend a hand"
    key = "h"
    screens = ("challenge",)
    who: Annotated[str, Ask(free_hands)]
    attribute: Annotated[str, Ask(attribute_choices)] = ""

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return _led(world)

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        task = task_now(world)
        which = self.attribute or lead_attribute(world, task)
        crew = {w: e for w, e in task.crew.items() if w != self.who}
        gifts = {w: g for w, g in task.gifts.items() if g.to in crew}
        lent = replace(task, hands={**task.hands, self.who: which}, crew=crew, gifts=gifts)
        return (TaskChanged(lent, f"{world.name(self.who)} lends a hand with {which}"),)


def lead_attribute(world: DramaWorld, task: Task) -> str:
    """The attribute that the lead uses."""
    entry = task.crew[task.lead]
    if entry.using in ATTRIBUTES:
        return entry.using
    skill = world.sheets[task.lead].skills.get(entry.using)
    return entry.attribute or (skill.attribute if skill else "Social")


class WorkTogether(Action, tag="work_together"):
    """Work together: roll a pool of your own with the full resistance; the nets add up, negatives too."""

    title = "work together"
    key = "w"
    screens = ("challenge",)
    who: Annotated[str, Ask(free_hands)]
    using: Annotated[str, Ask(own_approaches)] = ""
    attribute: Annotated[str, Ask(attribute_choices)] = ""

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return _led(world)

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        task = task_now(world)
        entry = Entry(self.using or default_work(world, self.who, task), self.attribute)
        side(world, self.who, entry)
        joined = replace(task, crew={**task.crew, self.who: entry})
        return (TaskChanged(joined, f"{world.name(self.who)} works with them: {entry.using.rpartition(':')[2]}"),)


def default_work(world: DramaWorld, who: str, task: Task) -> str:
    """The lead's skill where they have it, else what they are best at."""
    using = task.crew[task.lead].using
    known = using in world.sheets[who].skills or using in ATTRIBUTES
    return using if known else best_approach(world, who)


class StepBack(Action, tag="step_back"):
    """Somebody no longer helps."""

    title = "step back"
    screens = ("challenge",)
    who: Annotated[str, Ask(helpers)]

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return _led(world)

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        task = task_now(world)
        hands = {w: a for w, a in task.hands.items() if w != self.who}
        crew = {w: e for w, e in task.crew.items() if w != self.who}
        gifts = {w: g for w, g in task.gifts.items() if g.to in crew}
        return (
            TaskChanged(replace(task, hands=hands, crew=crew, gifts=gifts), f"{world.name(self.who)} steps back"),
        )


class PutIn(Action, tag="put_in"):
    """Put a passion, a Drama Point or a penalty that helps for once into a test before it is rolled."""

    title = "passion or point"
    key = "p"
    screens = ("challenge",)
    who: Annotated[str, Ask(crew)]
    passion: Annotated[str, Ask(own_passions)] = ""
    point: Annotated[str, Ask(own_points, "Drama Point")] = ""
    turned: Annotated[str, Ask(own_penalties, "penalty that helps")] = ""

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return _led(world)

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        task = task_now(world)
        entry = replace(task.crew[self.who], passion=self.passion, point=self.point, turned=self.turned)
        side(world, self.who, entry)
        what = [
            self.passion and f"passion {self.passion}",
            self.point and "a Drama Point",
            self.turned and "a penalty",
        ]
        words = ", ".join(w for w in what if w) or "nothing more"
        put = replace(task, crew={**task.crew, self.who: entry})
        return (TaskChanged(put, f"{world.name(self.who)} puts in {words}"),)


class Situation(Action, tag="situation"):
    """Situational dice, for this one test."""

    title = "situation"
    key = "m"
    screens = ("challenge",)
    because: Annotated[str, Meta(max_length=120)]
    base: Annotated[int, Meta(ge=0, le=20)] = 0
    resistance: Annotated[int, Meta(ge=0, le=20)] = 0
    drama: Annotated[int, Meta(ge=0, le=20)] = 0

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return _open(world)

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        piece = Piece(self.because.strip() or "situation", self.base, self.resistance, self.drama)
        return (TaskChanged(replace(task_now(world), more=piece), f"The situation: {piece.source}"),)


class AddDrama(Action, tag="add_drama"):
    """Add to the drama: give a drama die to somebody in the test, with a reason."""

    title = "drama die"
    key = "d"
    screens = ("challenge",)
    who: Annotated[str, Ask(task_givers, "from")]
    to: Annotated[str, Ask(crew)]
    reason: Annotated[str, Meta(max_length=120)]

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return _led(world)

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        task = task_now(world)
        gift = add_gift(task.gifts, self.who, self.to, self.reason, world.rules.drama_dice_each)
        what = f"{world.name(self.who)} adds to the drama for {world.name(self.to)}: {self.reason.strip()}"
        return (TaskChanged(replace(task, gifts={**task.gifts, self.who: gift}), what),)


class RollTask(Action, tag="roll_task"):
    """Roll the test that was prepared."""

    title = "roll the test"

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return _led(world)

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        task = task_now(world)
        for who in (*task.crew, *task.hands):
            if why := able(world, who):
                raise Refused(f"{world.name(who)} is {why}", remedy="Let them step back, or choose another lead.")
        sides = {key: throw(dice, one) for key, one in task_sides(world, task).items()}
        events: list[Event] = [
            spend(world, who, "a Drama Point for drama dice") for who, entry in task.crew.items() if entry.point
        ]
        events.append(TaskChanged(None))
        for event in events:
            world = event.apply(world)
        kind: RollKind = "complex" if task.chain else "together" if len(sides) > 1 else "test"
        roll = Roll(kind, sides, what=task.name, turn=turn_of(world))
        return (*events, *finish(world, roll))


class CloseTask(Action, tag="close_task"):
    """Take the prepared test off the table without rolling it."""

    title = "close"
    key = "c"
    screens = ("challenge",)

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        task = world.now.task
        return _open(world) or ("it belongs to the complex test" if task and task.chain else "")

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        return (TaskChanged(None, f"{task_now(world).name} is left alone"),)


ACTIONS: tuple[type[Action], ...] = (
    OpenTask, Lead, LendHand, WorkTogether, StepBack, PutIn, Situation, AddDrama, RollTask, CloseTask,
)  # fmt: skip
EVENTS: tuple[type[Event], ...] = (TaskChanged,)
