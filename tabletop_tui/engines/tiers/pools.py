"""What somebody rolls, and where each die comes from: the dice that fall and the ones that a screen shows."""

from ...kit.common import is_secret
from ...rules import Event, Part, Pool, Tone
from .bonus import BonusChanged
from .dice import die_words
from .points import Boosted
from .skills import boost_of, held
from .world import Side, Tier, TiersWorld, next_tier, person, tier_of

Some = tuple[list[Tier], Part]
"""Dice of a pool that come from one source, and how a screen shows them."""


def some(source: str, tier: Tier, count: int, note: str, *, tone: Tone = "", secret: bool = False) -> Some:
    """So many dice of a tier."""
    return [tier] * count, Part(source=source, dice=die_words(tier, count), note=note, tone=tone, secret=secret)


def side(world: TiersWorld, who: str, skill: str) -> Side:
    """A side before its dice fall."""
    found, sheet = held(world, who, skill), world.sheets[who]
    return Side(sheet.name, found.skill, found.tier, found.rank, (), who, bool(sheet.player))


def sources(world: TiersWorld, who: str, skill: str, bonus: bool) -> list[Some]:
    """One die a rank, boosted ones included, and the Bonus Die last."""
    found = held(world, who, skill)
    legacy = " (legacy +1)" if found.legacy else ""
    out = [some(found.skill, found.tier, found.rank, f"{found.tier} {found.rank}{legacy}")]
    if boost := boost_of(world, who, found.skill):
        out.append(some("boost", found.tier, boost, "2 Complication Points", secret=True))
    if bonus:
        base = found.tier if world.rules.bonus_die_from == "skill" else tier_of(world, who)
        out.append(some("Bonus Die", next_tier(base), 1, next_tier(base), tone="good"))
    return out


def pool(world: TiersWorld, who: str, skill: str, bonus: bool) -> list[Tier]:
    """The dice that somebody rolls."""
    return [tier for dice, _ in sources(world, who, skill, bonus) for tier in dice]


def shown(world: TiersWorld, who: str, skill: str, bonus: bool, *more: Part) -> Pool:
    """Somebody's pool for a view; what the GM's own can do is a secret."""
    mine = [part for _, part in sources(world, who, skill, bonus)]
    return Pool(who=world.name(who), parts=(*mine, *more), secret=is_secret(world, who))


def used_up(world: TiersWorld, who: str, skill: str, bonus: bool) -> list[Event]:
    """A Bonus Die, and the boost of just this skill, are gone once the dice have fallen."""
    them, name = person(world, who), skill.partition(":")[0]
    events: list[Event] = [BonusChanged(who, them.bonus_dice - 1)] if bonus else []
    events += [Boosted(who, 0)] if them.boost else []
    return events + ([Boosted(who, 0, name)] if them.boosts.get(name) else [])
