"""A character in full."""

from __future__ import annotations

from ....kit.common import is_secret
from ....rules import Line, Section, SheetView, as_facts
from ..dice import spelled
from ..scope import Scope
from ..world import HomebrewWorld, group_title, stats_of, written
from .table import person_meters


def sheet_view(world: HomebrewWorld, who: str) -> SheetView | None:
    """Stats by group, meters and conditions."""
    sheet = world.sheets.get(who)
    if sheet is None:
        return None
    secret = is_secret(world, who)
    sections = tuple(
        Section(title=group_title(world.rules, group), lines=stat_lines(world, who, group), secret=secret)
        for group in world.rules.stats
        if stats_of(world, who, group)
    )
    return SheetView(
        title=sheet.name,
        facts=as_facts((f"played by {sheet.player}" if sheet.player else "", sheet.about)),
        counters=person_meters(world, who),
        sections=sections,
        secret=secret,
    )


def stat_lines(world: HomebrewWorld, who: str, group: str) -> tuple[Line, ...]:
    """The stats of a group, with how those that are worked out came to be."""
    scope, rule = Scope(world, who), world.rules.stats[group]
    return tuple(
        Line(
            label=stat,
            value=str(written(world, who, group, stat))
            if rule.holds == "words"
            else spelled(scope.stat(who, group, stat)),
            because=str(rule.worked.get(stat, "")),
        )
        for stat in stats_of(world, who, group)
    )
