"""What the sheets draw."""

from __future__ import annotations

from ....kit.common import is_secret
from ....rules import Counter, Line, Refused, Section, SheetView, as_facts
from ..building import DIRECT, attribute, foundation
from ..campaign import ATTRIBUTES, POOLS, DramaSheet
from ..dice import pool_words
from ..penalties import BROKEN, able, level
from ..world import DramaWorld, Entry, Person, many, person


def sheet_view(world: DramaWorld, who: str) -> SheetView | None:
    """A character in full, with how each pool comes to be."""
    sheet = world.sheets.get(who)
    if sheet is None:
        return None
    them = person(world, who)
    carried = them.carried
    broken = "cannot act" if able(world, who) else "acts although broken" if carried >= BROKEN else level(carried)
    points = (Counter(name="Drama Points", value=them.drama_points),) if sheet.player else ()
    pools = tuple(
        Counter(name=pool, value=getattr(them, pool), most=getattr(sheet, pool))
        for pool in POOLS
        if getattr(sheet, pool)
    )
    sections = [
        Section(title="attributes", lines=attribute_lines(sheet)),
        Section(
            title="skills",
            lines=tuple(used_line(world, who, n, Entry(n), str(s.value)) for n, s in sheet.skills.items()),
        ),
        Section(title="backgrounds", lines=background_lines(world, who, sheet)),
        Section(
            title="passions",
            lines=tuple(
                Line(label=n, value=f"{d} drama", because="two 1s backfire") for n, d in sheet.passions.items()
            ),
        ),
        Section(
            title="advantages",
            lines=tuple(Line(label=n, value="3 drama", because="for a Drama Point") for n in sheet.advantages),
        ),
        Section(title="penalties", lines=penalty_lines(them)),
    ]
    facts = [f"played by {sheet.player}"] if sheet.player else []
    return SheetView(
        title=sheet.name,
        facts=as_facts((*facts, sheet.about)),
        counters=(
            Counter(name="penalty dice", value=carried, most=None, tone="warn" if carried else "", note=broken),
            *points,
            *pools,
        ),
        sections=tuple(s for s in sections if s.lines),
        secret=is_secret(world, who),
    )


def attribute_lines(sheet: DramaSheet) -> tuple[Line, ...]:
    """Attributes, and the pool of a test on each alone."""
    return tuple(
        Line(label=a, value=str(value), because=f"alone: 2 × {value} = {max(value * 2, 0)} base")
        for a in ATTRIBUTES
        for value in [attribute(sheet, a)]
    )


def used_line(world: DramaWorld, who: str, name: str, entry: Entry, value: str) -> Line:
    """A skill or background with the pool that it makes."""
    try:
        pieces, _ = foundation(world, who, entry)
    except Refused as refused:
        return Line(label=name, value=value, because=refused.what, tone="warn")
    because = " · ".join(f"{p.source}: {pool_words(p)}" for p in pieces)
    return Line(label=name, value=f"{value}: {pool_words(*pieces)}", because=because)


def background_lines(world: DramaWorld, who: str, sheet: DramaSheet) -> tuple[Line, ...]:
    """Backgrounds in place of a skill, with Social as the example."""
    return tuple(
        used_line(world, who, name, Entry(DIRECT + name, "Social"), f"×{count}")
        for name, count in sheet.backgrounds.items()
    )


def penalty_lines(them: Person) -> tuple[Line, ...]:
    """What is carried, and since why."""
    return tuple(
        Line(label=p.cause, value=many(p.dice, "penalty"), because="in every test", tone="warn")
        for p in them.penalties.values()
    )
