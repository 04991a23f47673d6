"""What the sheets of the No1 system show."""

from __future__ import annotations

from collections import Counter as Tally

from ....kit.common import is_secret
from ....rules import Counter, Line, Section, SheetView, as_facts
from ..dice import challenge_dice
from ..manoeuvres import closed, owners, promise
from ..world import SIDES, No1World, focus_of, is_about, ranks_left, sheet_of, zone_name, zone_of


def sheet_view(world: No1World, who: str) -> SheetView | None:
    """A character in full, with how each number came to be."""
    sheet = sheet_of(world, who)
    if sheet is None:
        return None
    focus = focus_of(world, who)
    skills = tuple(
        Line(
            label=name,
            value=f"{rating}  d{SIDES[rating]}",
            because=f"{challenge_dice(world)}d{SIDES[rating]} at Challenge {world.now.challenge}",
        )
        for name, rating in sorted(sheet.skills.items(), key=lambda s: -s[1])
    )
    traits = tuple(
        Line(
            label=name,
            value=f"{ranks_left(world, who, name)}/{ranks}",
            because="focused: rerolls 1s" if name == focus else "ranks left",
        )
        for name, ranks in sheet.traits.items()
    )
    talents = tuple(
        Line(
            label=plan.name,
            value=f"{plan.cost} Momentum",
            because=closed(world, id_) or promise(plan),
            tone="muted" if closed(world, id_) else "good",
        )
        for id_, plan in world.rules.manoeuvres.items()
        if who in (owners(world, id_) or ((who,) if sheet.player else ()))
    )
    held = tuple(
        Line(label=c.what, value=f"{c.left} left" if c.ends else "until removed", because="condition", tone="warn")
        for c in world.now.conditions.values()
        if c.who == who
    )
    played = f"played by {sheet.player}" if sheet.player else ""
    sections = {"skills": skills, "traits": traits, "talents": talents, "conditions": held}
    return SheetView(
        title=world.name(who),
        facts=as_facts((played, sheet.about, standing(world, who))),
        counters=(Counter(name="Hazard", value=sheet.hazard, tone="bad"),) if sheet.hazard else (),
        sections=tuple(Section(title=title, lines=lines) for title, lines in sections.items() if lines),
        secret=is_secret(world, who),
    )


def standing(world: No1World, who: str) -> str:
    """Where somebody stands; of identical foes how many where, the hidden ones only while the sheet is the GM's."""
    if who in world.now.positions:
        return f"stands in {zone_name(world, zone_of(world, who))}"
    kind = [w for w, sheet in world.now.copies.items() if sheet == who and is_about(world, w)]
    shown = [w for w in kind if is_secret(world, who) or not world.is_hidden(w)]
    often = Tally(zone_of(world, w) for w in shown)
    return ", ".join(f"{often[id_]} in {zone.name}" for id_, zone in world.now.zones.items() if often[id_])
