"""Advantages, and what waits for somebody's next roll: fewer Hazard dice, bonus hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from ...kit.common import plural
from ...kit.told import ToldOf
from ...rules import Ask, Choice, Dice, Event
from .able import TableAction, waits
from .spending import moved
from .world import MOST_BOOSTS, USES, No1World, Use, cast, is_about, is_hero, side, zone_name, zone_of


class AdvantagesChanged(Event, tag="advantages_changed"):
    """A side has more advantages in a zone, or fewer."""

    rule = "Create an Advantage: each hit is one, in the zone, for anybody of the team there to spend"
    side: str
    zone: str
    count: int
    makers: dict[str, int] = {}
    """How many of them each one made, as far as it is known."""

    def apply(self, world: No1World) -> No1World:
        held = world.now.advantages
        makers = {side: dict(zones) for side, zones in world.now.makers.items() if side != self.side}
        zones = {z: by for z, by in world.now.makers.get(self.side, {}).items() if z != self.zone}
        zones |= {self.zone: self.makers} if self.makers else {}
        return world.live(
            advantages={**held, self.side: put(held.get(self.side, {}), self.zone, self.count)},
            makers=makers | ({self.side: zones} if zones else {}),
        )

    def says(self, world: No1World) -> str:
        return f"The {self.side} have {plural(self.count, 'advantage')} ({zone_name(world, self.zone)})"


class Prepared(ToldOf, tag="prepared"):
    """Somebody's next roll has fewer Hazard dice, or bonus hits."""

    rule = "Defy Danger takes its hits off the Hazard dice of the next roll; an advantage one die, or adds 1d4 hits"
    defied: int
    boosts: int

    def apply(self, world: No1World) -> No1World:
        now = world.now
        return world.live(
            defied=put(now.defied, self.who, self.defied), boosts=put(now.boosts, self.who, self.boosts)
        )

    def words(self, world: No1World) -> str:
        parts = [f"{self.defied} Hazard {'die' if self.defied == 1 else 'dice'} fewer"] if self.defied else []
        parts += [f"+{self.boosts}d4 hits"] if self.boosts else []
        return f"{world.name(self.who)}'s next roll: {', '.join(parts)}" if parts else ""


def put(held: Mapping[str, int], key: str, value: int) -> dict[str, int]:
    """Numbers with another one under a key; 0 takes it out."""
    rest = {k: n for k, n in held.items() if k != key}
    return {**rest, key: value} if value else rest


def advantages(world: No1World, who: str) -> int:
    """Their team's advantages where somebody stands."""
    return world.now.advantages.get(side(world, who), {}).get(zone_of(world, who), 0)


def makers(world: No1World, who: str) -> dict[str, int]:
    """Who of their team made those, and how many each."""
    return world.now.makers.get(side(world, who), {}).get(zone_of(world, who), {})


def spendable(world: No1World, who: str) -> int:
    """How many of them somebody can spend: all, or those that others made."""
    own = 0 if world.rules.own_advantage else makers(world, who).get(who, 0)
    return max(advantages(world, who) - own, 0)


def made(world: No1World, who: str, count: int) -> AdvantagesChanged:
    """Somebody made some."""
    by = makers(world, who)
    total = advantages(world, who) + count
    return AdvantagesChanged(side(world, who), zone_of(world, who), total, put(by, who, by.get(who, 0) + count))


def spent(world: No1World, who: str) -> AdvantagesChanged:
    """Somebody spent one: of those that others made first."""
    by = makers(world, who)
    unknown = advantages(world, who) > sum(by.values())  # nobody knows who made it
    whose = "" if unknown else next(iter(sorted(by, key=lambda w: w == who)), "")
    left = put(by, whose, by[whose] - 1) if whose else by
    return AdvantagesChanged(side(world, who), zone_of(world, who), advantages(world, who) - 1, left)


def spenders(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who stands where their team has an advantage; closed where it is not for them."""
    here = [w for w in cast(world) if is_about(world, w) and not world.is_hidden(w) and advantages(world, w)]
    counts = {w: spendable(world, w) for w in here}
    own = "they made it: it is for the others"
    return [Choice(w, world.name(w), "" if n else own, plural(n, "advantage")) for w, n in counts.items()]


USE_WORDS: dict[Use, str] = {"hits": "+1d4 bonus hits", "hazard": "one Hazard die fewer", "entropy": "1 Entropy less"}


def advantage_uses(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What an advantage can be spent on."""
    wanted = "" if is_hero(world, fields.get("who", "")) else "the foes want Entropy"
    full = world.now.boosts.get(fields.get("who", ""), 0) >= MOST_BOOSTS
    closed = {
        "hits": "no more dice fit into one roll" if full else "",
        "entropy": wanted or ("" if world.now.entropy else "there is no Entropy"),
    }
    allowed = world.rules.advantage_uses
    return [
        Choice(u, USE_WORDS[u], closed.get(u, "") if u in allowed else "a house rule leaves it out") for u in USES
    ]


class SpendAdvantage(TableAction, tag="advantage"):
    """Spend an advantage of the team, in the zone: bonus hits or one Hazard die less on the next roll, or Entropy."""

    title = "advantage"  # short, so that it finds room among what whoever is up can do
    key = "v"
    done_by = "who"
    who: Annotated[str, Ask(spenders)]
    on: Annotated[Use, Ask(advantage_uses)]

    @classmethod
    def when(cls, world: No1World) -> str:
        held = any(n for zones in world.now.advantages.values() for n in zones.values())
        return waits(world) or ("" if held else "nobody has an advantage")

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        now, one_less = world.now, spent(world, self.who)
        if self.on == "entropy":
            return (one_less, moved(world, entropy=-1, why=f"{world.name(self.who)} spends an advantage"))
        defied, boosts = now.defied.get(self.who, 0), now.boosts.get(self.who, 0)
        more = (defied, boosts + 1) if self.on == "hits" else (defied + 1, boosts)
        return (one_less, Prepared(self.who, *more))
