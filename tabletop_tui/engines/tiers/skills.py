"""Skills and items: a tier and a rank, legacy included, and what somebody can use."""

from ...rules import Choice, Model, Refused
from .world import TIERS, Ranks, Tier, TiersRules, TiersWorld, number, person


class Rating(Model):
    """A skill or item as it is used."""

    skill: str
    tier: Tier
    rank: int
    legacy: bool = False

    @property
    def words(self) -> str:
        """As it is spoken of."""
        return f"{self.skill} {self.tier} {self.rank}".strip()


def rating(world: TiersWorld, who: str, skill: str) -> Rating | None:
    """A skill or item by name, at its highest tier or at the one named after a colon; with legacy."""
    name, _, wanted = skill.partition(":")
    sheet = world.sheets[who]
    ranks = sheet.skills.get(name)
    legacy = ranks is not None
    ranks = ranks or sheet.items.get(name)
    if not ranks:
        unlisted = world.rules.unlisted_skills and not wanted and name in known_skills(world)
        return Rating(name, "alpha", 1) if unlisted else None
    held = [t for t in ranks if wanted in ("", t)]
    if not held:
        return None
    tier = max(held, key=number)
    return Rating(name, tier, *(ranked(world.rules, ranks, tier) if legacy else (ranks[tier], False)))


def ranked(rules: TiersRules, ranks: Ranks, tier: Tier) -> tuple[int, bool]:
    """The rank of a skill in a tier, and whether legacy raised it: rank 5 one tier below gives +1."""
    below = TIERS[number(tier) - 1] if number(tier) else tier
    if below == tier or below not in ranks:
        return ranks[tier], False
    before = ranked(rules, ranks, below)[0] if rules.legacy_chains else ranks[below]
    return (min(ranks[tier] + 1, rules.most_rank), True) if before >= 5 else (ranks[tier], False)


def known_skills(world: TiersWorld) -> list[str]:
    """Every skill that anybody has."""
    return sorted({name for sheet in world.sheets.values() for name in sheet.skills})


def has_skill(world: TiersWorld, who: str, skill: str) -> bool:
    """Is it a skill of theirs, or one that the house lets anybody use? An item of the same name is not."""
    name = skill.partition(":")[0]
    return name in world.sheets[who].skills or (
        world.rules.unlisted_skills and name not in world.sheets[who].items and name in known_skills(world)
    )


def held(world: TiersWorld, who: str, skill: str) -> Rating:
    """A skill or item that somebody must have."""
    found = rating(world, who, skill)
    if found is None:
        raise Refused(f"{world.name(who)} has no {skill}", remedy="Choose a skill of theirs.")
    return found


def boost_of(world: TiersWorld, who: str, skill: str) -> int:
    """Ranks that somebody's next roll of a skill or item gains."""
    them = person(world, who)
    return them.boost + them.boosts.get(skill.partition(":")[0], 0)


def rated(world: TiersWorld, who: str, *, items: bool = True) -> list[tuple[str, Rating]]:
    """The skills, and items where they count, of somebody, as they are chosen; lower tiers by name and tier."""
    sheet = world.sheets.get(who)
    if sheet is None:
        return []
    own = {**sheet.skills, **(sheet.items if items else {})}
    names = [*own]
    if world.rules.unlisted_skills:
        names += [s for s in known_skills(world) if s not in names]
    top = [r for r in (rating(world, who, n) for n in names) if r]
    lower = [
        r
        for name, ranks in own.items()
        for tier in sorted(ranks, key=number, reverse=True)[1:]
        if (r := rating(world, who, f"{name}:{tier}"))
    ]
    return [(r.skill, r) for r in top] + [(f"{r.skill}:{r.tier}", r) for r in lower]


def abilities(world: TiersWorld, who: str, *, items: bool = True) -> list[Choice]:
    """The same to choose from, boosts beside them."""
    return [ability(world, who, value, r) for value, r in rated(world, who, items=items)]


def ability(world: TiersWorld, who: str, value: str, found: Rating) -> Choice:
    """A skill or item to choose, its boost beside it."""
    more = boost_of(world, who, found.skill)
    return Choice(value, f"{found.words} +{more}" if more else found.words)
