"""What the sheets draw."""

from __future__ import annotations

from ....kit.common import is_secret
from ....rules import Counter, Line, Refused, Section, SheetView, as_facts
from ..building import DIRECT, attribute, foundation
from ..campaign import ATTRIBUTES, POOLS
from ..dice import pool_words
from ..penalties import BROKEN, able, level
from ..world import DramaWorld, Entry, Penalty, many, person


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
    lived = ((name, Entry(DIRECT + name, "Social"), f"×{count}") for name, count in sheet.backgrounds.items())
    sections = {
        "attributes": [attribute_line(a, attribute(sheet, a)) for a in ATTRIBUTES],
        "skills": [used_line(world, who, n, Entry(n), str(s.value)) for n, s in sheet.skills.items()],
        "backgrounds": [used_line(world, who, *one) for one in lived],  # with Social as the example
        "passions": [Line(label=n, value=f"{d} drama", because="two 1s backfire") for n, d in sheet.passions.items()],
        "advantages": [Line(label=n, value="3 drama", because="for a Drama Point") for n in sheet.advantages],
        "penalties": [penalty_line(p) for p in them.penalties.values()],
    }
    facts = [f"played by {sheet.player}"] if sheet.player else []
    return SheetView(
        title=sheet.name,
        facts=as_facts((*facts, sheet.about)),
        counters=(
            Counter(name="penalty dice", value=carried, most=None, tone="warn" if carried else "", note=broken),
            *points,
            *pools,
        ),
        sections=tuple(Section(title=title, lines=tuple(lines)) for title, lines in sections.items() if lines),
        secret=is_secret(world, who),
    )


def attribute_line(name: str, value: int) -> Line:
    """An attribute, and the pool of a test on it alone."""
    return Line(label=name, value=str(value), because=f"alone: 2 × {value} = {max(value * 2, 0)} base")


def used_line(world: DramaWorld, who: str, name: str, entry: Entry, value: str) -> Line:
    """A skill or background with the pool that it makes."""
    try:
        pieces, _ = foundation(world, who, entry)
    except Refused as refused:
        return Line(label=name, value=value, because=refused.what, tone="warn")
    because = " · ".join(f"{p.source}: {pool_words(p)}" for p in pieces)
    return Line(label=name, value=f"{value}: {pool_words(*pieces)}", because=because)


def penalty_line(penalty: Penalty) -> Line:
    """What is carried, and since why."""
    return Line(label=penalty.cause, value=many(penalty.dice, "penalty"), because="in every test", tone="warn")
