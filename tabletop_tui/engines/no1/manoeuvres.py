"""Manoeuvres and talents: campaign data that players pay for with Momentum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .spending import ChallengeSet, CountersMoved, time_up
from .terms import NO_LIMIT, TermError, condition, passes
from .world import MOST_CHALLENGE, Manoeuvre, No1World, cast, is_hero, waits

CHECK = 20
"""The sides of the die of a check."""
WORKS, FAILS = "comes off", "fails"


def numbers(world: No1World) -> dict[str, int]:
    """The numbers of the table, by the names that conditions use."""
    now, turns = world.now, world.now.turns
    return {
        "momentum": now.momentum,
        "entropy": now.entropy,
        "challenge": now.challenge,
        "timer": NO_LIMIT if turns.timer is None else turns.timer,
        "round": turns.round,
    }


def after_cost(world: No1World, plan: Manoeuvre) -> dict[str, int]:
    """The numbers that a check is made with: the cost is paid first."""
    values = numbers(world)
    return {**values, "momentum": max(values["momentum"] - plan.cost, 0)}


def closed(world: No1World, plan: Manoeuvre) -> str:
    """Why a manoeuvre cannot be used now; empty where it can."""
    now = world.now
    if plan.cost > now.momentum:
        return f"it costs {plan.cost} Momentum, there is {now.momentum}"
    if plan.of and not any(w in plan.of for w in team(world)):
        return "nobody here has it"
    if plan.effects.timer and now.turns.timer is None:
        return "it moves the Timer, and there is none"
    try:
        if not plan.condition or condition(plan.condition).holds(numbers(world)):
            return ""
        values = numbers(world)
        names = condition(plan.condition).names()
    except TermError as wrong:
        return f"its condition cannot be read: {wrong.what}"
    shown = ", ".join(f"{n} {'has no limit' if values[n] == NO_LIMIT else values[n]}" for n in names)
    return f"it needs {plan.condition}" + (f" ({shown})" if shown else "")


def known(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every manoeuvre and talent with its cost, and why it is closed."""
    return [
        Choice(i, f"{p.name} ({p.cost} Momentum)", closed(world, p), effect_words(p))
        for i, p in world.rules.manoeuvres.items()
    ]


def users(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who can use it: the players' side, and of a talent those whose it is."""
    plan, up = world.rules.manoeuvres.get(fields.get("manoeuvre", "")), world.now.turns.current
    return [
        Choice(w, world.name(w), "it is not theirs" if plan and plan.of and w not in plan.of else "")
        for w in sorted(team(world), key=lambda w: w != up)
    ]


def team(world: No1World) -> list[str]:
    """Momentum is the players': their side, as far as it is in the fight."""
    fighters = world.now.turns.fighters
    return [w for w in cast(world) if is_hero(world, w) and not (w in fighters and fighters[w].out)]


class Manoeuvred(Event, tag="manoeuvred"):
    """Somebody used a manoeuvre or a talent."""

    rule = "manoeuvres and talents cost Momentum; some need a check on a d20; the cost is paid either way"
    name: str
    who: str = ""
    face: int = 0
    """The d20 of its check; 0 where it has none."""
    works: bool = True
    cost: int = 0

    def apply(self, world: No1World) -> No1World:
        return world

    def says(self, world: No1World) -> str:
        who = f"{world.name(self.who)}: " if self.who else ""
        check = f", {self.face} on the d20: it {WORKS if self.works else FAILS}" if self.face else ""
        paid = f" for {self.cost} Momentum" if self.cost else ""
        return f"{who}{self.name}{paid}{check}"

    def outcome(self) -> Mapping[str, str | int]:
        return {"outcome": WORKS if self.works else FAILS}


class UseManoeuvre(Action, tag="manoeuvre"):
    """Use a manoeuvre or a talent: pay its Momentum, make its check if it has one, and its effects hold."""

    title = "manoeuvre"
    key = "m"
    screens = ("table",)
    manoeuvre: Annotated[str, Ask(known)]
    who: Annotated[str, Ask(users, first=True)] = ""

    @classmethod
    def when(cls, world: No1World) -> str:
        return waits(world)

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        plan = world.rules.manoeuvres[self.manoeuvre]
        who = self.who
        if plan.of and not who:
            who = next(w for w in team(world) if w in plan.of)
        face = dice.roll(plan.name, CHECK)[0] if plan.check else 0
        try:
            works = not plan.check or passes(plan.check, face, after_cost(world, plan))
        except TermError as wrong:
            raise Refused(f"its check cannot be read: {wrong.what}", remedy=wrong.remedy) from None
        return (Manoeuvred(plan.name, who, face, works, plan.cost), *outcome_events(world, plan, works))


def outcome_events(world: No1World, plan: Manoeuvre, works: bool) -> list[Event]:
    """The cost, and the effects where it came off."""
    now, does = world.now, plan.effects
    momentum, entropy = now.momentum - plan.cost, now.entropy
    events: list[Event] = []
    if works:
        momentum, entropy = max(momentum + does.momentum, 0), max(entropy + does.entropy, 0)
    if (momentum, entropy) != (now.momentum, now.entropy):
        events.append(CountersMoved(momentum, entropy))
    if not works:
        return events
    timer = now.turns.timer
    if timer is not None:
        timer = min(max(timer + does.timer, 0), 100)
    challenge = min(max(now.challenge + does.challenge, 1), MOST_CHALLENGE)
    if (challenge, timer) != (now.challenge, now.turns.timer):
        events.append(ChallengeSet(challenge, timer))
        events += time_up(world, timer, momentum, entropy)
    return events


def effect_words(plan: Manoeuvre) -> str:
    """What it does, on a line: Entropy −2, Timer +1."""
    does = plan.effects
    moves = (
        ("Momentum", does.momentum),
        ("Entropy", does.entropy),
        ("Timer", does.timer),
        ("Challenge", does.challenge),
    )
    words = ", ".join(f"{name} {'+' if by > 0 else '−'}{abs(by)}" for name, by in moves if by)
    return f"{words}; d20 {plan.check}" if plan.check and words else words or plan.about
