"""After a contest: what losing costs, for each loser or for all of them, and the next round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.ahead import after, next_id
from ...kit.common import ConditionBegan, is_secret
from ...rules import Action, Ask, Choice, Condition, Dice, Event, Refused
from .contest import ContestChanged, cannot, effect_left, opened, spelled
from .harm import harm
from .hiding import out_of_sight
from .social import fresh_pairs, used_up
from .world import Defender, Effect, FenWorld

ALL = "all"


def rolled(world: FenWorld) -> str:
    """Why nothing can follow from the contest yet; empty where it can."""
    contest = world.now.contest
    if contest is None:
        return "no contest is open"
    return "" if contest.fallen else "the contest has not been rolled"


def every(count: int) -> str:
    """All of several, in words."""
    return {2: "both", 3: "all three"}.get(count, f"all {count}")


def who_lost(count: int) -> str:
    """Several defenders who lost, in words."""
    return f"{'the one' if count == 1 else every(count)} who lost"


def losers(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """All defenders who lost, then each of them; then the aggressor, who has lost to whoever held."""
    contest = world.now.contest
    if contest is None or contest.fallen is None:
        return []
    done, left, beaten = "applied to them already", contest.unstruck, contest.beaten
    found = [Choice(w, world.name(w), "" if w in left else done) for w in beaten]
    if beaten:
        found.insert(0, Choice(ALL, who_lost(len(beaten)), "" if left else done))
    if len(beaten) < len(contest.defenders):
        found.append(Choice(contest.who, world.name(contest.who), done if contest.struck else ""))
    return found


class EffectStruck(Event, tag="effect_struck"):
    """A loser of the contest suffers what was agreed."""

    rule = "the effects of a contest are each defender's own"
    who: str
    words: str = ""
    """Damage and wounds, where nothing else tells of them; a condition tells itself."""

    def apply(self, world: FenWorld) -> FenWorld:
        contest = world.now.contest
        if contest is not None and self.who == contest.who:
            return world.live(contest=replace(contest, struck=True))
        if contest is None or self.who not in contest.defenders:
            return world
        struck = replace(contest.defenders[self.who], applied=True)
        return world.live(contest=replace(contest, defenders={**contest.defenders, self.who: struck}))

    def _words(self, world: FenWorld) -> str:
        return f"{world.name(self.who)} suffers {self.words}" if self.words else ""

    def says(self, world: FenWorld) -> str:
        return "" if out_of_sight(world, self.who) else self._words(world)

    def whispers(self, world: FenWorld) -> str:
        return self._words(world) if out_of_sight(world, self.who) else ""


class AfterRoll(Action):
    """Something that follows from the dice of a contest."""

    screens = ("contest",)
    when = staticmethod(rolled)


class Apply(AfterRoll, tag="apply"):
    """Let one loser, or all of them, suffer: the prepared effect, or what is named here."""

    title = "apply the effect"
    key = "a"
    who: Annotated[str, Ask(losers)]
    condition: Annotated[str, Meta(max_length=120)] = ""
    hurt: Annotated[int, Meta(ge=0, le=1_000)] = 0
    wounds: Annotated[int, Meta(ge=0, le=100)] = 0

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        contest = opened(world)
        effect = Effect(self.condition.strip(), self.hurt, self.wounds)
        if effect == Effect():
            effect = contest.effect
        if not effect.words:
            raise Refused("no effect was prepared or named", remedy="Name a condition, damage or wounds.")
        events: list[Event] = []
        for who in contest.unstruck if self.who == ALL else [self.who]:
            more = _strike(world, who, effect)
            events += more
            world = after(world, more)  # so that two of the same name get different conditions
        return tuple(events)


def _strike(world: FenWorld, who: str, effect: Effect) -> list[Event]:
    # where everybody reads the HP themselves, nothing is told twice
    told = replace(effect, condition="").words if is_secret(world, who) else ""
    events: list[Event] = [EffectStruck(who, told)]
    if effect.condition:
        events.append(ConditionBegan(next_id(who, world.now.conditions), Condition(who, effect.condition)))
    if effect.hurt or effect.wounds:
        events += harm(world, who, effect.hurt, effect.wounds)
    return events


def cannot_go_on(world: FenWorld) -> str:
    """Why a contest cannot have another round; empty where it can."""
    contest = world.now.contest
    if contest is None or contest.fallen is None:
        return rolled(world)
    if why := cannot(world, contest.who):
        return f"{world.name(contest.who)} is {why}"
    return "" if any(not cannot(world, w) for w in contest.defenders) else "nobody is left who could defend"


class NextRound(AfterRoll, tag="next_round"):
    """Go on with the contest: everybody rolls again, a social one with a different pair of skills."""

    title = "next round"
    key = "g"
    when = staticmethod(cannot_go_on)
    warns = staticmethod(effect_left)
    contest: Annotated[str, Ask(fresh_pairs, other=True), Meta(max_length=160)]

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        contest = opened(world)
        skill, using = spelled(world, self.contest)
        if why := used_up(world, f"{skill}/{using}"):
            raise Refused(why, remedy="Choose another pair of skills.")
        able = [w for w in contest.defenders if not cannot(world, w)]
        gone = [world.name(w) for w in contest.defenders if w not in able]
        again = replace(
            contest,
            skill=skill,
            using=using,
            round=contest.round + 1,
            fallen=None,
            struck=False,
            defenders={w: Defender() for w in able},
            unseen=tuple(w for w in contest.unseen if w in (contest.who, *able)),
        )
        without = f", without {', '.join(gone)}" if gone else ""
        return (ContestChanged(again, f"Round {again.round} of the contest: {again.pair}{without}"),)
