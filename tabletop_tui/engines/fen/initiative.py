"""Initiative: one of each side rolls for it, each in turn before anyone repeats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from ...kit.told import Told
from ...rules import Action, Ask, Choice, Dice, Event, Turns
from .changes import spent
from .dice import fall, parse_dice
from .distribution import mean
from .rounds import InFight, is_players, is_unseen
from .world import FenWorld, Standing, fight, skill_dice, skill_throw


def rolling_sides(world: FenWorld) -> list[str]:
    """The sides that roll in this round: all that can act, but for those that surprise keeps from it."""
    turns, rules = fight(world), world.rules
    sides = [s for s in turns.sides() if turns.members(s)]
    if turns.round != 1 or rules.surprised == "nothing":
        return sides
    ready = [s for s in sides if s not in world.now.rounds.surprised]
    return ready or sides  # nobody is there any more who surprised them


def may_stand(world: FenWorld, side: str) -> list[str]:
    """Who may roll for a side."""
    turns = fight(world)
    return turns.may_speak(side) if world.rules.rotation else turns.members(side)


def unrolled(world: FenWorld) -> str:
    """Why nobody can be named to roll; empty while initiative is to be rolled."""
    if why := InFight.when(world):
        return why
    if world.now.rounds.sequence:
        return "initiative has been rolled in this round"
    return "" if rolling_sides(world) else "nobody is left who could act"


def candidates(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who fights on a side that rolls; closed where others of it come first."""
    turns, found = fight(world), []
    for side in rolling_sides(world):
        allowed = may_stand(world, side)
        for who in turns.members(side):
            closed = "" if who in allowed else "rolled already; others of the side come first"
            found.append(Choice(who, f"{world.name(who)} for the {side}", closed))
    return found


def initiative_skills(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Notice or dodge."""
    return [Choice(skill) for skill in world.rules.initiative_skills]


def better_skill(world: FenWorld, who: str) -> str:
    """The initiative skill with the higher average, as somebody sensible would choose."""
    return max(world.rules.initiative_skills, key=lambda s: mean(parse_dice(skill_dice(world, who, s))))


def stander(world: FenWorld, side: str) -> Standing:
    """Who rolls for a side: who was named, or else the first who may."""
    named = world.now.rounds.standing.get(side)
    if named and named.who in may_stand(world, side):
        return named
    who = may_stand(world, side)[0]
    return Standing(who, better_skill(world, who))


class StoodUp(Told, tag="stood_up"):
    """Somebody will roll for their side."""

    rule = "each of a side rolls in turn before anyone repeats"
    side: str
    standing: Standing

    def apply(self, world: FenWorld) -> FenWorld:
        rounds = world.now.rounds
        return world.live(rounds=replace(rounds, standing={**rounds.standing, self.side: self.standing}))

    def words(self, world: FenWorld) -> str:
        return f"{world.name(self.standing.who)} rolls for the {self.side} with {self.standing.skill}"

    def is_secret(self, world: FenWorld) -> bool:
        return world.is_hidden(self.standing.who)


class Stand(Action, tag="stand"):
    """Name who rolls initiative for a side in this round."""

    title = "say who rolls"
    key = "s"
    screens = ("table",)
    done_by = "who"
    who: Annotated[str, Ask(candidates)]
    skill: Annotated[str, Ask(initiative_skills)]

    @classmethod
    def when(cls, world: FenWorld) -> str:
        alone = len(rolling_sides(world)) == 1
        return unrolled(world) or ("one side has the round to itself: nobody has to roll" if alone else "")

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        side = world.now.turns.fighters[self.who].side
        return (StoodUp(side, Standing(self.who, self.skill)),)


class InitiativeRolled(Event, tag="initiative_rolled"):
    """The sides act in this order."""

    rule = "the highest side first; a tie goes to the players' side; a surprised side has no turn in round one"
    standing: dict[str, Standing]
    sequence: tuple[str, ...]
    spoke: dict[str, tuple[str, ...]]

    def apply(self, world: FenWorld) -> FenWorld:
        first = self.sequence[0] if self.sequence else ""
        turns = replace(world.now.turns, holder=first, current="", spoke=self.spoke)
        rounds = replace(world.now.rounds, standing=self.standing, sequence=self.sequence)
        return world.live(turns=turns, rounds=rounds)

    def _rolls(self, world: FenWorld, *, hidden: bool) -> list[str]:
        """What was rolled for each side, of those whom everybody sees or of the others."""
        return [
            f"{side}: {world.name(s.who)}" + (f" {s.fallen.words}" if s.fallen else "")
            for side, s in self.standing.items()
            if (is_unseen(world, side) or world.is_hidden(s.who)) == hidden
        ]

    def says(self, world: FenWorld) -> str:
        rolls = self._rolls(world, hidden=False)
        shown = [s for s in self.sequence if not is_unseen(world, s)]
        head = f"Initiative: {', then '.join(shown)}"
        # where only one is seen to roll nobody is told of it: it would tell that there is somebody else
        return f"{head} ({'; '.join(rolls)})" if len(rolls) > 1 else head

    def whispers(self, world: FenWorld) -> str:
        rolls = self._rolls(world, hidden=True)
        if not rolls and not any(is_unseen(world, s) for s in self.sequence):
            return ""
        rolls += self._rolls(world, hidden=False) if len(self.standing) - len(rolls) == 1 else []
        return f"With the unseen: {', then '.join(self.sequence)}" + (f" ({'; '.join(rolls)})" if rolls else "")

    def outcome(self) -> Mapping[str, str | int]:
        return {"first": self.sequence[0]}


def tie_order(world: FenWorld, sides: Sequence[str]) -> list[str]:
    """Sides as ties between them are settled: the players' first, unless the table rules otherwise."""
    return sorted(sides, key=lambda side: is_players(world, side) != world.rules.tie_to_players)


class RollInitiative(Action, tag="initiative"):
    """Roll for the sides; where nobody was named for one, the next in the rotation rolls."""

    title = "roll initiative"
    key = "i"
    screens = ("table",)
    when = staticmethod(unrolled)

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        turns = fight(world)
        sides = rolling_sides(world)
        standing = {}
        for side in sides if len(sides) > 1 else ():  # a side that nobody contends with need not roll
            one = stander(world, side)
            throw = skill_throw(world, one.who, one.skill)
            why = f"{side}: {world.name(one.who)}, {one.skill}"
            fallen = fall(dice, why, throw, secret=world.is_hidden(one.who), of=one.who)
            standing[side] = replace(one, fallen=fallen)
        totals = {side: s.fallen.total for side, s in standing.items() if s.fallen}
        sequence = sorted(tie_order(world, sides), key=lambda side: -totals.get(side, 0))
        if turns.round == 1 and world.rules.surprised == "last":
            sequence += [s for s in turns.sides() if turns.members(s) and s not in sequence]
        spoke = {**turns.spoke, **{side: _spoken(turns, side, s.who) for side, s in standing.items()}}
        rolled = InitiativeRolled(standing, tuple(sequence), spoke)
        return (rolled, *(event for s in standing.values() for event in spent(world, s.who, "any")))


def _spoken(turns: Turns, side: str, who: str) -> tuple[str, ...]:
    """Who has rolled; when all of the side have, the rotation begins anew."""
    done = turns.spoke.get(side, ())
    return (who,) if who in done else (*done, who)
