"""Turn order by an opposed roll of one skill: everybody rolls it, the highest die goes first."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from ...kit.order import BeginEncounter, Join, NextTurn, listed_turns, not_fighting, taking_part
from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .dice import explode, throw_side
from .opposed import waits
from .pools import pool, side, used_up
from .skills import has_skill, known_skills
from .world import Side, TiersWorld, is_out, number


def skills(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The skill that the house rolls for turns, then the others, those first that most share; closed where nobody who
    stands has it."""
    house, here = world.rules.order_skill, taking_part(world)
    others = [s for s in known_skills(world) if s != house]
    shared = sorted(others, key=lambda s: -sum(has_skill(world, who, s) for who in here))
    stand = [w for w in world.present() if not is_out(world, w)]
    held = {s for s in (house, *others) if any(has_skill(world, who, s) for who in stand)}
    return [Choice(s, "", "" if s in held else "nobody here has it") for s in [*([house] if house else []), *shared]]


class OrderRolled(Event, tag="order_rolled"):
    """Everybody rolled for their place in the turn order."""

    rule = "everybody rolls the skill; the highest die goes first; ties: tier, rank, players before the GM's own"
    skill: str
    results: dict[str, int]
    first: str
    clears: bool = False
    """What lay on the table is of before."""
    last: tuple[str, ...] = ()
    """Those who lack the skill: they go last, without a roll."""

    def apply(self, world: TiersWorld) -> TiersWorld:
        return world.live(roll=None) if self.clears else world

    def says(self, world: TiersWorld) -> str:
        rolled = ", ".join(f"{world.name(w)} {n}" for w, n in self.results.items())
        last = f"; without it, last: {', '.join(map(world.name, self.last))}" if self.last else ""
        return f"Turns by {self.skill}: {rolled}{last}"

    def outcome(self) -> Mapping[str, str | int]:
        return {"first": first_words(self.first)}


def first_words(name: str) -> str:
    """An outcome of the roll."""
    return f"{name} goes first"


class RollOrder(Action, tag="roll_order"):
    """Begin a turn order by an opposed roll: those named roll one skill, the highest die goes first."""

    title = "roll for turns"
    key = "i"
    screens = ("table",)
    leads_to = "table"
    skill: Annotated[str, Ask(skills, first=True)]
    who: Annotated[tuple[str, ...], Ask(not_fighting), Meta(description="players and the scene's cast")] = ()
    timer: Annotated[int, Meta(ge=0, le=100, description="no limit")] = 0

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return waits(world) or BeginEncounter.when(world)

    def taking_part(self, world: TiersWorld) -> list[str]:
        """Those named who can act; where nobody is named, everybody who takes part."""
        return [w for w in self.who or taking_part(world) if not is_out(world, w)]

    def sides(self, world: TiersWorld) -> list[Side]:
        """Those who have the skill, in the order in which ties are broken."""
        able = [side(world, w, self.skill) for w in self.taking_part(world) if has_skill(world, w, self.skill)]
        counted = {s.who: s.rank for s in able}
        if world.rules.tie_rank == "pool":
            counted = {s.who: len(pool(world, s.who, self.skill, False)) for s in able}
        return sorted(able, key=lambda s: (-number(s.tier), -counted[s.who], not s.player))

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        sides = self.sides(world)
        if not sides:
            raise Refused(f"nobody who takes part has {self.skill}", remedy="Choose another skill, or name others.")
        thrown = [throw_side(dice, s, pool(world, s.who, self.skill, False)) for s in sides]
        results = {s.who: explode(world.rules, dice, s).result for s in thrown}
        rolled = sorted(results, key=lambda w: -results[w])  # stable: ties stay as they stand
        last = tuple(w for w in self.taking_part(world) if w not in results)
        order = (*rolled, *sorted(last, key=lambda w: not world.sheets[w].player))
        told = OrderRolled(
            self.skill, {w: results[w] for w in rolled}, world.name(order[0]), True, order[len(rolled) :]
        )
        spent = [event for s in sides for event in used_up(world, s.who, self.skill, False)]
        return (*spent, told, *listed_turns(world, order, self.timer))


class BeginTurns(BeginEncounter, tag="begin"):
    """Begin a turn order: those named, in that order; first of them is up."""

    out = staticmethod(is_out)


class PassTurn(NextTurn, tag="next"):
    """End the turn; the next in the order is up, or whoever is named."""

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return waits(world) or super().when(world)


class JoinTurns(Join, tag="join"):
    """Put somebody into the running order, hidden or not."""

    out = staticmethod(is_out)
