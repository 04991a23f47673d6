"""A character in full, with how each number came to be."""

from __future__ import annotations

from collections.abc import Iterable

from ....kit.common import is_secret, statuses
from ....rules import Counter, Line, Section, SheetView, as_facts
from ..consequences import lasts
from ..dice import die_words
from ..skills import rating
from ..world import (
    TIERS,
    Tier,
    TiersSheet,
    TiersWorld,
    hp_per_level,
    level,
    most_hp,
    multiplier,
    number,
    person,
    tier_of,
)


def sheet_view(world: TiersWorld, who: str) -> SheetView | None:
    """A character in full, with how each number came to be; what they carry and are under comes first."""
    sheet = world.sheets.get(who)
    if sheet is None:
        return None
    them, tier, rules = person(world, who), tier_of(world, who), world.rules
    levels = {t: n for t in TIERS if (n := level(sheet, t))}
    sums = " + ".join(str(levels[t] * hp_per_level(rules, t)) for t in sheet.levels if t in levels)
    hp = Counter(
        name="HP",
        value=them.hp,
        most=most_hp(world, who),
        tone="bad" if them.hp == 0 else "",
        note=f"({sums})" if "+" in sums else "",
    )
    sections = {
        "Consequences": [
            Line(label="", value=c.what, because=lasts(c), tone="warn") for c in them.consequences.values()
        ],
        "conditions": [Line(label="", value=s.what, because=s.until) for s in statuses(world, who)],
        "levels": [
            Line(label=t, value=f"{n}{callings(sheet, t)}", because=f"{n} × {hp_per_level(rules, t)} HP")
            for t, n in levels.items()
        ],
        "skills": skill_lines(world, who, sheet.skills),
        "items": skill_lines(world, who, sheet.items),
    }
    played = f"played by {sheet.player}" if sheet.player else ""
    return SheetView(
        title=sheet.name,
        facts=as_facts((f"{tier} tier, damage × {multiplier(rules, tier)}", played, sheet.about)),
        counters=(hp, Counter(name="Bonus Dice", value=them.bonus_dice)) if sheet.player else (hp,),
        sections=tuple(Section(title=title, lines=tuple(lines)) for title, lines in sections.items() if lines),
        secret=is_secret(world, who),
    )


def callings(sheet: TiersSheet, tier: Tier) -> str:
    """The callings of a tier, where its levels carry their names."""
    held = sheet.levels.get(tier, 0)
    return "" if isinstance(held, int) else f"  {', '.join(f'{name} {n}' for name, n in held.items())}"


def skill_lines(world: TiersWorld, who: str, names: Iterable[str]) -> list[Line]:
    """Skills or items at every tier, the highest first."""
    sheet = world.sheets[who]
    lines = []
    for name in names:
        ranks = sheet.skills.get(name) or sheet.items.get(name) or {}
        for tier in sorted(ranks, key=number, reverse=True):
            if found := rating(world, who, f"{name}:{tier}"):
                value = f"{tier} {found.rank}  {die_words(tier, found.rank)}"
                legacy = " + 1: legacy of rank 5 one tier below" if found.legacy else ""
                lines.append(Line(label=name, value=value, because=f"rank {ranks[tier]}{legacy}"))
    return lines
