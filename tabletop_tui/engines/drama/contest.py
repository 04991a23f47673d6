"""The social contest: goals, one opposed test a round, going on, yielding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import astuple, replace

from ...kit.ahead import next_id
from ...kit.asking import said
from ...kit.cast import met
from ...kit.told import Told
from ...rules import Action, Ask, Dice, Event
from .campaign import ContestPlan, PartyPlan
from .contest_pools import (
    WithPools,
    arguers,
    contest_choices,
    contest_now,
    contest_plans,
    contest_sides,
    counting,
    default_using,
    line_piece,
    other_ones,
    unready,
)
from .outcome import waiting
from .points import spend
from .settle import thrown
from .world import Contest, ContestLine, DramaWorld, Party, Roll, hides, of_contest


class ContestChanged(Told, tag="contest_changed"):
    """A contest was opened, went on or was closed."""

    contest: Contest | None
    what: str = ""

    def apply(self, world: DramaWorld) -> DramaWorld:
        return world.live(contest=self.contest)

    def words(self, world: DramaWorld) -> str:
        return self.what

    def is_secret(self, world: DramaWorld) -> bool:
        return hides(world, (*of_contest(self.contest), *of_contest(world.now.contest)))

    def aside(self) -> bool:
        """Before a roll it only says what was hidden until then."""
        return self.contest is not None and self.contest.rolled


class PartyChanged(Event, tag="party_changed"):
    """A party's pool is another."""

    who: str
    party: Party
    what: str = ""
    whisper: str = ""

    def apply(self, world: DramaWorld) -> DramaWorld:
        contest = world.now.contest
        if contest is None or self.who not in contest.parties:
            return world
        return world.live(contest=replace(contest, parties={**contest.parties, self.who: self.party}))

    def says(self, world: DramaWorld) -> str:
        return "" if self.is_secret(world) else self.what

    def whispers(self, world: DramaWorld) -> str:
        return self.whisper or (self.what if self.is_secret(world) else "")

    def is_secret(self, world: DramaWorld) -> bool:
        """Does somebody hidden take part?"""
        return hides(world, (*of_contest(world.now.contest), *self.party.hands, *self.party.crew, *self.party.gifts))


def change(world: DramaWorld, who: str, what: str, whisper: str = "", **fields: Any) -> PartyChanged:
    """A party with some of it replaced."""
    party = contest_now(world).parties[who]
    return PartyChanged(who, replace(party, **fields), what, whisper)


def new_line(lines: Mapping[str, ContestLine], line: ContestLine) -> dict[str, ContestLine]:
    """One line more. Hidden ones are numbered apart: an open line's number must not give their count away."""
    return {**lines, next_id("hidden" if line.hidden else "line", lines): line}


def seat(world: DramaWorld, plan: PartyPlan) -> Party:
    """A party as it sits down."""
    lines: dict[str, ContestLine] = {}
    for line in plan.lines:
        lines = new_line(lines, ContestLine(*astuple(line)))
    return Party(plan.wants, plan.risks, default_using(world, plan.who), lines=lines)


def opened(world: DramaWorld, plan: ContestPlan) -> tuple[Event, ...]:
    """The contest is on the table."""
    both = (plan.first, plan.second)
    contest = Contest(plan.name, plan.first.who, plan.second.who, {p.who: seat(world, p) for p in both})
    wants = "; ".join(f"{world.name(p.who)} wants {p.wants}" for p in both if p.wants)
    return (ContestChanged(contest, f"Contest: {plan.name}" + (f". {wants}" if wants else "")),)


class OpensContest(Action):
    """Puts a contest on the table while none is open."""

    screens = ("contest",)
    leads_to = "contest"

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return waiting(world) or ("a contest is open" if world.now.contest else "")


class OpenContest(OpensContest, tag="contest"):
    """Open a prepared contest."""

    title = "open a contest"
    key = "o"
    plan: Annotated[str, Ask(contest_choices, "contest")]

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        return opened(world, contest_plans(world)[self.plan])


class NewContest(OpensContest, tag="new_contest"):
    """Begin a contest that was not prepared: who, with whom, what each wants and what losing costs."""

    title = "new contest"
    done_by = "who"
    asks = True
    key = "n"
    who: Annotated[str, Ask(arguers)]
    against: Annotated[str, Ask(other_ones)]
    wants: Annotated[str, Meta(max_length=120)]
    their_wants: Annotated[str, Meta(max_length=120)] = ""
    risks: Annotated[str, Meta(max_length=120)] = ""
    their_risks: Annotated[str, Meta(max_length=120)] = ""
    name: Annotated[str, Meta(max_length=80)] = ""

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return super().when(world) or ("" if len(world.present()) > 1 else "there is nobody to argue with")

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        wants = said(self.wants, "a contest needs a goal", "Say what they want.")
        name = self.name.strip() or f"{world.name(self.who)} and {world.name(self.against)}"
        first = PartyPlan(self.who, wants, self.risks.strip())
        second = PartyPlan(self.against, self.their_wants.strip(), self.their_risks.strip())
        return opened(world, ContestPlan(name, first, second))


class RollContest(WithPools, tag="roll_contest"):
    """Roll the round: hidden lines are shown, both pools fall."""

    title = "roll the round"
    screens = ()
    when = staticmethod(unready)

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        contest = contest_now(world)
        what, sides = f"{contest.name}, round {contest.round}", contest_sides(world, contest)
        shown = {w: rolled(world, w, p) for w, p in contest.parties.items()}
        begun = replace(contest, parties=shown, rolled=True)
        changed = ContestChanged(begun, shown_words(world, contest, rolling=True))
        spent = [spend(world, w) for w, p in contest.parties.items() if p.point]
        return thrown(world, dice, Roll("contest", sides, what=what, also=of_contest(contest)), [changed, *spent])


def rolled(world: DramaWorld, who: str, party: Party) -> Party:
    """A party whose dice fall: the lines that count are open; those that had no room are kept for the next round."""
    counted = counting(world, who, party)
    kept = {i: line for i, line in party.lines.items() if i not in counted}
    return replace(party, lines=revealed(replace(party, lines=counted)), kept=kept)


def revealed(party: Party) -> dict[str, ContestLine]:
    """All lines, open."""
    return {i: replace(line, hidden=False) for i, line in party.lines.items()}


def shown_words(world: DramaWorld, contest: Contest, *, rolling: bool = False) -> str:
    """What was hidden, in words; empty where nothing was. A roll shows what counts in it."""
    shown = [
        f"{world.name(w)}: {line_piece(world, line).source} ({line.dice})"
        for w, party in contest.parties.items()
        for line in (counting(world, w, party) if rolling else party.lines).values()
        if line.hidden
    ]
    return f"Shown: {'; '.join(shown)}" if shown else ""


class GoOn(Action, tag="go_on"):
    """Go on with the contest: another round, with another skill and other advantages."""

    title = "go on"
    key = "g"
    screens = ("contest",)

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        contest = world.now.contest
        if contest is None:
            return "no contest is open"
        if contest.yielded:
            return f"{world.name(contest.yielded)} has yielded"
        return waiting(world) or ("" if contest.rolled else "this round has not been rolled")

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        contest = contest_now(world)
        parties = {
            w: Party(p.wants, p.risks, default_using(world, w), lines=p.kept, used=p.used)
            for w, p in contest.parties.items()
        }
        number = contest.round + 1
        went_on = replace(contest, parties=parties, round=number, rolled=False)
        return (ContestChanged(went_on, f"{contest.name}: round {number}"),)


class CloseContest(Action, tag="end_contest"):
    """Close the contest."""

    title = "close"
    key = "c"
    screens = ("contest",)

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return waiting(world) or ("" if world.now.contest else "no contest is open")

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        return (*met(world), ContestChanged(None, f"{contest_now(world).name} is over"))


ACTIONS: tuple[type[Action], ...] = (OpenContest, NewContest, RollContest, GoOn, CloseContest)


EVENTS: tuple[type[Event], ...] = (ContestChanged, PartyChanged)
