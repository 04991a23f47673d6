"""Manoeuvres and talents: campaign data that players pay for with Momentum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import asdict

from ...kit.order import turn_of
from ...kit.problems import MOST
from ...rules import Ask, Choice, Dice, Event
from .able import TableAction
from .challenge import retimed
from .expressions import NO_LIMIT, TermError, condition, needed, passes
from .spending import CountersMoved
from .world import MOST_CHALLENGE, Check, Manoeuvre, No1World, cast, is_about, is_hero

CHECK = 20
"""The sides of the die of a check."""
MOST_TIMER = 100
WORKS, FAILS = "succeeds", "fails"


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


def owners(world: No1World, id_: str) -> set[str]:
    """Whose talent it is: those who name it on their sheets; nobody's where it is everybody's."""
    plan = world.rules.manoeuvres.get(id_)
    return {*(plan.of if plan else ()), *(who for who, sheet in world.sheets.items() if id_ in sheet.talents)}


def users(world: No1World, id_: str) -> list[str]:
    """Who can use it: the players' side as far as it is in the fight, and of a talent those whose it is."""
    team, theirs = [w for w in cast(world) if is_hero(world, w) and is_about(world, w)], owners(world, id_)
    return [w for w in team if not theirs or w in theirs]


def closed(world: No1World, id_: str) -> str:
    """Why a manoeuvre cannot be used now; empty where it can."""
    now, plan = world.now, world.rules.manoeuvres[id_]
    if plan.cost > now.momentum:
        return f"{now.momentum} of {plan.cost} Momentum"
    if owners(world, id_) and not users(world, id_):
        return "nobody here has it"
    if plan.effects.timer and now.turns.timer is None:
        return "there is no Timer"
    values = numbers(world)
    try:
        needs = condition(plan.condition) if plan.condition else None
    except TermError as wrong:
        return f"its condition cannot be read: {wrong.what}"
    try:
        passes(plan.check or "> 0", CHECK, values)
    except TermError as wrong:
        return f"its check cannot be read: {wrong.what}"
    if needs is None or needs.holds(values):
        return ""
    names = needs.names()
    shown = ", ".join(f"{n} {'has no limit' if values[n] == NO_LIMIT else values[n]}" for n in names)
    return f"needs {plan.condition}" + (f" ({shown})" if shown else "")


def known(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every manoeuvre and talent with its cost, then what it does, and why it is closed."""
    return [Choice(i, p.name, closed(world, i), price(p)) for i, p in world.rules.manoeuvres.items()]


def price(plan: Manoeuvre) -> str:
    """What it costs, first; then what it does, or that a d20 decides: its chances tell the rest, with more room."""
    if plan.check:
        return f"{plan.cost} Momentum, d{CHECK}"
    return f"costs {plan.cost}: {effect_words(plan)}".removesuffix(": ")


def who_can(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Those who can use it, whoever is up first."""
    ready = users(world, fields.get("manoeuvre", ""))
    return [Choice(w, world.name(w)) for w in sorted(ready, key=lambda w: w != world.now.turns.current)]


def moment_of(world: No1World) -> str:
    """Which turn it is; when time is up the last one is over."""
    return f"{turn_of(world)}{world.now.verdict}" if world.now.turns.running else ""


def used(world: No1World) -> Check | None:
    """The manoeuvre that lies on the table: until somebody rolls or is up, another round begins or time is up."""
    checked = world.now.checked
    return checked if checked and checked.turn == moment_of(world) else None


class Manoeuvred(Event, tag="manoeuvred"):
    """Somebody used a manoeuvre or a talent."""

    rule = "manoeuvres and talents cost Momentum; some need a check on a d20; the cost is paid either way"
    name: str
    who: str = ""
    face: int = 0
    """The d20 of its check; 0 where it has none."""
    works: bool = True
    cost: int = 0
    needs: str = ""
    """What the d20 had to show; empty in logs of older versions."""

    def apply(self, world: No1World) -> No1World:
        if self.face and not self.needs:
            return world
        paid = {**numbers(world), "momentum": max(world.now.momentum - self.cost, 0)}
        used = Check(self.name, self.face, self.needs, self.works, self.who, moment_of(world), paid)
        return world.live(checked=used, opening=None, momentum_moved=0, entropy_moved=0)

    def says(self, world: No1World) -> str:
        who = f"{world.name(self.who)}: " if self.who else ""
        needs = f" ({self.needs})" if self.needs else ""
        check = f", {self.face} on the d20{needs}: it {WORKS if self.works else FAILS}" if self.face else ""
        paid = f" for {self.cost} Momentum" if self.cost else ""
        return f"{who}{self.name}{paid}{check}"

    def outcome(self) -> Mapping[str, str | int]:
        return {"outcome": WORKS if self.works else FAILS}


class UseManoeuvre(TableAction, tag="manoeuvre"):
    """Use a manoeuvre or a talent: pay its Momentum, make its check if it has one, and its effects hold."""

    title = "manoeuvre"
    key = "m"
    done_by = "who"
    manoeuvre: Annotated[str, Ask(known)]
    who: Annotated[str, Ask(who_can, first=True)] = ""

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        plan = world.rules.manoeuvres[self.manoeuvre]
        who = self.who
        if not who and owners(world, self.manoeuvre):
            who = users(world, self.manoeuvre)[0]
        face = dice.roll(plan.name, CHECK, of=who)[0] if plan.check else 0
        values = after_cost(world, plan)
        works = not plan.check or passes(plan.check, face, values)
        needs = needed(plan.check, values) if plan.check else ""
        return (Manoeuvred(plan.name, who, face, works, plan.cost, needs), *outcome_events(world, plan, works))


def changes(plan: Manoeuvre, paid: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """What its effects move, from which number to which; `paid` are the numbers once its cost is paid."""
    ends = {"momentum": (0, MOST), "entropy": (0, MOST), "timer": (0, MOST_TIMER), "challenge": (1, MOST_CHALLENGE)}
    moves = ((name, by, *ends[name]) for name, by in asdict(plan.effects).items() if by)
    return {name: (paid[name], min(max(paid[name] + by, least), most)) for name, by, least, most in moves}


def outcome_events(world: No1World, plan: Manoeuvre, works: bool) -> list[Event]:
    """The cost, and the effects where it came off."""
    now, paid = world.now, after_cost(world, plan)
    new = {**paid, **{name: to for name, (_, to) in changes(plan, paid).items() if works}}
    momentum, entropy, challenge = new["momentum"], new["entropy"], new["challenge"]
    timer = None if now.turns.timer is None else new["timer"]
    events: list[Event] = []
    if (momentum, entropy) != (now.momentum, now.entropy):
        events.append(CountersMoved(momentum, entropy))
    if (challenge, timer) != (now.challenge, now.turns.timer):
        events += retimed(world, challenge, timer, momentum, entropy)
    return events


def effect_words(plan: Manoeuvre) -> str:
    """What it does, on a line: Entropy −2, Timer +1; in words where no number tells it."""
    return _on_a_line({name: _signed(by) for name, by in asdict(plan.effects).items() if by}) or plan.about


def change_words(plan: Manoeuvre, paid: Mapping[str, int]) -> str:
    """What it does to these numbers, on a line: nothing goes below 0, so Entropy −2 may be Entropy −1, or none."""
    return _on_a_line(moves(plan, paid)) or plan.about


def moves(plan: Manoeuvre, paid: Mapping[str, int]) -> dict[str, str]:
    """How it moves each of its numbers from where they stand: −1, +2, or stays at 0."""
    found = changes(plan, paid).items()
    return {name: _signed(new - old) if new != old else f"stays at {old}" for name, (old, new) in found}


def _signed(by: int) -> str:
    return f"{'+' if by > 0 else '−'}{abs(by)}"


def _on_a_line(told: Mapping[str, str]) -> str:
    """Each number with its move, Momentum last: its cost is told beside it."""
    return ", ".join(f"{name.title()} {told[name]}" for name in sorted(told, key=lambda name: name == "momentum"))


def promise(plan: Manoeuvre) -> str:
    """What it would do, and what the d20 has to show for it."""
    words = effect_words(plan)
    return f"{words}; d20 {plan.check}" if plan.check and words else words
