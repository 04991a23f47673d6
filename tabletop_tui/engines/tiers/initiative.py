"""Turn order by an opposed roll of one skill: everybody rolls it, the highest die goes first."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from ...rules import Action, Ask, Chance, Choice, Dice, Event, Fighter, Group, Odds, Part, Pool, Refused, Turns
from ...rules.common import moment
from ...rules.order import BeginEncounter, EncounterBegan, Join, NextTurn, TurnBegan, not_fighting, side_of
from .contest import waits
from .dice import explode, throw_side
from .odds import highest
from .views import die_words
from .world import Side, Tier, TiersWorld, known_skills, number, person, rating


def skills(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The skill that the house rolls for turns, then every skill that anybody has."""
    house = world.rules.order_skill
    return [Choice(s) for s in [*([house] if house else []), *(s for s in known_skills(world) if s != house)]]


def taking_part(world: TiersWorld) -> list[str]:
    """The players' characters and the cast of the scene that is on; everybody where it has none."""
    scene = world.scenes.get(world.now.scene)
    cast = [w for w in scene.cast if w in world.present()] if scene else []
    found = [*world.players(), *cast] if cast else world.present()
    return [w for w in found if not is_out(world, w)]


def is_out(world: TiersWorld, who: str) -> bool:
    """Whoever has no HP left takes no turns."""
    return person(world, who).hp == 0


class OrderRolled(Event, tag="order_rolled"):
    """Everybody rolled for their place in the turn order."""

    rule = "everybody rolls the skill; the highest die goes first; ties: tier, rank, players before the GM's own"
    skill: str
    results: dict[str, int]
    first: str
    clears: bool = False
    """What lay on the table is of before."""

    def apply(self, world: TiersWorld) -> TiersWorld:
        return world.live(roll=None) if self.clears else world

    def says(self, world: TiersWorld) -> str:
        return f"Turns by {self.skill}: {', '.join(f'{world.name(w)} {n}' for w, n in self.results.items())}"

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
    skill: Annotated[str, Ask(skills, first=True)]
    who: Annotated[tuple[str, ...], Ask(not_fighting), Meta(description="players and the scene's cast")] = ()
    timer: Annotated[int, Meta(ge=0, le=100, description="no limit")] = 0

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return waits(world) or BeginEncounter.when(world)

    def sides(self, world: TiersWorld) -> list[Side]:
        """Everybody's pool, in the order in which ties are broken; who lacks the skill rolls it as alpha 1."""
        found = []
        for who in [w for w in self.who if not is_out(world, w)] or taking_part(world):
            held = rating(world, who, self.skill)
            tier: Tier = held.tier if held else "alpha"
            sheet = world.sheets[who]
            found.append(Side(sheet.name, self.skill, tier, held.rank if held else 1, (), who, bool(sheet.player)))
        return sorted(found, key=lambda s: (-number(s.tier), -s.rank, not s.player))

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        sides = self.sides(world)
        if not sides:
            raise Refused("nobody is named", remedy="Name those who take part.")
        thrown = [throw_side(dice, s, [s.tier] * s.rank) for s in sides]
        results = {s.who: explode(world.rules, dice, s).result for s in thrown}
        order = tuple(sorted(results, key=lambda w: -results[w]))  # stable: ties stay as they stand
        fighters = {w: Fighter(side_of(world, w), out=is_out(world, w)) for w in order}
        begun = EncounterBegan(Turns(round=1, timer=self.timer or None, order=order, fighters=fighters))
        rolled = OrderRolled(self.skill, {w: results[w] for w in order}, world.name(order[0]), clears=True)
        return (rolled, begun, TurnBegan(order[0]), *moment(begun.apply(world), "start", order[0]))


class BeginTurns(BeginEncounter, tag="begin"):
    """Begin a turn order: those named, in that order; first of them is up."""

    def out(self, world: TiersWorld, who: str) -> bool:
        return is_out(world, who)


class PassTurn(NextTurn, tag="next"):
    """End the turn; the next in the order is up, or whoever is named."""

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return waits(world) or super().when(world)


class JoinTurns(Join, tag="join"):
    """Put somebody into the running order, hidden or not."""

    def out(self, world: TiersWorld, who: str) -> bool:
        return is_out(world, who)


def order_odds(world: TiersWorld, action: RollOrder) -> Odds:
    """Who goes first: those before somebody in the order of ties must stay below, those after may draw level."""
    sides = action.sides(world)
    pmfs = [highest(world.rules, [s.tier] * s.rank) for s in sides]
    chances: dict[str, tuple[float, bool]] = {}
    for i, side in enumerate(sides):
        p = sum(
            p * _product(_below(pmfs[j], value - (j < i)) for j in range(len(sides)) if j != i)
            for value, p in pmfs[i].items()
        )
        chances[side.name] = (chances.get(side.name, (0.0, False))[0] + p, side.player)
    pools = tuple(
        Pool(s.name, (Part(s.name, die_words(s.tier, s.rank), f"{s.skill}, {s.tier} {s.rank}"),), secret=not s.player)
        for s in sides
    )
    named = tuple(Chance(first_words(name), p, "good" if mine else "bad") for name, (p, mine) in chances.items())
    return Odds((Group("first", named),), pools, secret=any(p.secret for p in pools))


def _below(pmf: Mapping[int, float], value: int) -> float:
    return sum(p for v, p in pmf.items() if v <= value)


def _product(factors: Any) -> float:
    out = 1.0
    for one in factors:
        out *= one
    return out
