"""Challenges that several take on together: how one is prepared, opened and put away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.told import Told
from ...rules import Action, Ask, Choice, Dice, Event, Field
from .asking import asked_at, cannot, says_at
from .asking import say_shape as roll_say_shape
from .game import ChallengeRule
from .mentions import asks_of
from .progress import plan_title
from .rolls import spoken, waits
from .turns import SpanBegan
from .world import Challenge, HomebrewWorld, Plan, challenge_kinds


class ChallengeOpened(Told, tag="challenge_opened"):
    """A challenge lies on the table."""

    plan: Plan

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(challenge=Challenge(self.plan))

    def words(self, world: HomebrewWorld) -> str:
        stakes = f". At stake: {self.plan.stakes}" if self.plan.stakes else ""
        return f"Challenge: {plan_title(world, self.plan)}{stakes}"


class ChallengeClosed(Told, tag="challenge_closed"):
    """The challenge was put away."""

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(challenge=None)

    def words(self, world: HomebrewWorld) -> str:
        now = world.now.challenge
        return f"{plan_title(world, now.plan)} is {'over' if now.outcome else 'dropped'}" if now else ""


def plans(world: HomebrewWorld) -> dict[str, Plan]:
    """The challenges that are prepared: those of the scene that is on first."""
    out: dict[str, Plan] = {}
    for scene in sorted(world.scenes, key=lambda name: name != world.now.scene):
        some = world.scenes[scene].challenges.items()
        out |= {f"{scene}/{name}": plan for name, plan in some if plan.challenge in world.rules.challenges}
    return out


def plan_choices(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Prepared challenges."""
    return [Choice(name, plan_title(world, plan), is_open(world, plan)) for name, plan in plans(world).items()]


def is_open(world: HomebrewWorld, plan: Plan) -> str:
    """Why a prepared challenge cannot be opened: it lies there, and would begin anew. Empty where it can."""
    now = world.now.challenge
    same = now is not None and not now.outcome and replace(now.plan, says=plan.says) == plan
    return "open already" if same else ""


def rule_of(world: HomebrewWorld, now: Challenge) -> ChallengeRule:
    """The kind of a challenge."""
    return world.rules.challenges[now.plan.challenge]


def score(world: HomebrewWorld, now: Challenge) -> tuple[str, ...]:
    """How far it has come; nothing where one roll settles it."""
    rule = rule_of(world, now)
    if rule.wins == 1 and rule.who != "in turn":
        return ()
    return (f"{now.wins} of {rule.wins} done", f"{now.losses} of {rule.losses} failed")


def half_done(world: HomebrewWorld) -> str:
    """What would be lost with the challenge that is open, as a question; empty where nothing would."""
    now = world.now.challenge
    if now is None or now.outcome:
        return ""
    words = score(world, now) if now.wins or now.losses else ()
    words += (f"{world.name(now.lead)} leads",) if now.lead else ()
    words += (f"{len(now.supports)} help",) if now.supports else ()
    return f"{plan_title(world, now.plan)} is open: {', '.join(words)}. Drop it?" if words else ""


def planning(world: HomebrewWorld) -> str:
    """Why nothing can be prepared for a challenge; empty where it can."""
    now = world.now.challenge
    if now is None:
        return "no challenge is open"
    return waits(world) or ("the challenge is over" if now.outcome else "")


def party(world: HomebrewWorld) -> list[str]:
    """Who can take it on."""
    return [who for who in world.players() if not cannot(world, who)]


def kind_says(place: int, world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the roll of a challenge asks."""
    return says_at(place, world, {**fields, "roll": _roll_of(world, fields)})


def kind_shape(place: int, field: Field, world: HomebrewWorld, fields: Mapping[str, Any]) -> Field | None:
    """The same, as a field."""
    return roll_say_shape(place, field, world, {**fields, "roll": _roll_of(world, fields)})


def _roll_of(world: HomebrewWorld, fields: Mapping[str, Any]) -> str:
    rule = world.rules.challenges.get(fields.get("challenge", ""))
    return rule.roll if rule else ""


def kind_ask(place: int) -> Ask:
    """The question for one of the things that its roll asks."""
    return Ask(partial(kind_says, place), "say", first=True, shape=partial(kind_shape, place))


def kind_words(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The keywords of a kind of challenge."""
    rule = world.rules.challenges.get(fields.get("challenge", ""))
    return [Choice(word) for word in rule.keywords] if rule else ()


def words_shape(field: Field, world: HomebrewWorld, fields: Mapping[str, Any]) -> Field | None:
    """Only where it has keywords."""
    return field if kind_words(world, fields) else None


def _plan_of(world: HomebrewWorld, fields: Mapping[str, Any]) -> tuple[Plan | None, str]:
    """A prepared challenge that is named, and its roll."""
    plan = plans(world).get(fields.get("plan", ""))
    return plan, world.rules.challenges[plan.challenge].roll if plan else ""


def open_says(place: int, world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the roll of a prepared challenge asks."""
    return says_at(place, world, {**fields, "roll": _plan_of(world, fields)[1]})


def open_shape(place: int, field: Field, world: HomebrewWorld, fields: Mapping[str, Any]) -> Field | None:
    """The same, as a field that must be answered; none where the file has said it."""
    plan, roll = _plan_of(world, fields)
    if plan is None or asked_at(world, roll, place) in plan.says:
        return None
    return roll_say_shape(place, field, world, {**fields, "roll": roll})


def open_ask(place: int) -> Ask:
    """The question for one of the things that its file leaves open."""
    return Ask(partial(open_says, place), "say", first=True, shape=partial(open_shape, place))


class Open(Action, tag="open"):
    """Open a prepared challenge; what its file does not say is asked."""

    title, leads_to = "open a challenge", "challenge"
    warns = staticmethod(half_done)
    plan: Annotated[str, Ask(plan_choices, "challenge")]
    say: Annotated[int | str, open_ask(0)] = ""
    say2: Annotated[int | str, open_ask(1)] = ""
    say3: Annotated[int | str, open_ask(2)] = ""

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world)

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        plan = plans(world)[self.plan]
        asks = world.rules.rolls[world.rules.challenges[plan.challenge].roll].asks
        said = dict(zip(asks_of(asks), (self.say, self.say2, self.say3), strict=False))
        missing = {name: answer for name, answer in said.items() if name not in plan.says}
        found = spoken({name: asks[name] for name in missing}, [*missing.values()])
        return opened(world, replace(plan, says={**plan.says, **found}) if found else plan)


class Improvise(Action, tag="improvise"):
    """Open a challenge that nobody has prepared."""

    title, key, screens, leads_to = "improvise a challenge", "i", ("challenge",), "challenge"
    warns = staticmethod(half_done)
    challenge: Annotated[str, Ask(challenge_kinds)]
    name: Annotated[str, Meta(max_length=60)] = ""
    say: Annotated[int | str, kind_ask(0)] = ""
    say2: Annotated[int | str, kind_ask(1)] = ""
    say3: Annotated[int | str, kind_ask(2)] = ""
    keywords: Annotated[tuple[str, ...], Ask(kind_words, shape=words_shape)] = ()

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world) or ("" if world.rules.challenges else "this game has no challenges")

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        asks = world.rules.rolls[world.rules.challenges[self.challenge].roll].asks
        says: dict[str, int | str] = {**spoken(asks, (self.say, self.say2, self.say3))}
        return opened(world, Plan(self.challenge, self.name.strip(), "", says, self.keywords))


def opened(world: HomebrewWorld, plan: Plan) -> tuple[Event, ...]:
    """A challenge begins; one that was open is over."""
    closed: tuple[Event, ...] = (ChallengeClosed(),) if world.now.challenge else ()
    return (*closed, SpanBegan("challenge"), ChallengeOpened(plan))


class Close(Action, tag="close"):
    """Put the challenge away."""

    title, key, screens = "put it away", "x", ("challenge",)
    warns = staticmethod(half_done)

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world) or ("" if world.now.challenge else "no challenge is open")

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        return (ChallengeClosed(),)


ACTIONS: tuple[type[Action], ...] = (Open, Improvise)
EVENTS: tuple[type[Event], ...] = (ChallengeOpened, ChallengeClosed)
