"""Social use: words against wits, and which pairs of skills a contest of words has used up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...rules import Choice
from .dice import parse_pair
from .world import FenWorld, known_skills


def pairs(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every contest of two known skills, as `fight/vigor`; what the aggressor can do best stands first."""
    skills = known_skills(world)
    sheet = world.sheets.get(fields.get("who", "") or (world.now.contest.who if world.now.contest else ""))
    own = {s.casefold() for s in sheet.skills} if sheet else set()
    first = sorted(skills, key=lambda s: s.casefold() not in own)
    return [Choice(f"{mine}/{theirs}") for mine in first for theirs in skills]


def is_social(world: FenWorld, pair: str) -> bool:
    """Words against wits: two social skills, articulate or will among them where the table has those."""
    skills = {s.casefold() for s in parse_pair(pair)}
    social = {s.casefold() for s in world.rules.social_skills}
    spoken = social & {"articulate", "will"}
    return skills <= social and bool(not spoken or skills & spoken)


def fresh_pairs(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Pairs of skills, closed where a social contest has used them up."""
    return [Choice(c.value, "", used_up(world, c.value)) for c in pairs(world, fields)]


def used_up(world: FenWorld, pair: str) -> str:
    """Why a pair of skills cannot be rolled in this contest; empty where it can."""
    contest = world.now.contest
    if contest is None or not is_social(world, pair):
        return ""
    before = {name.casefold(): at for name, at in contest.used.items()}
    at = before.get(pair.casefold(), 0)
    coming = contest.round + (contest.fallen is not None)
    if not at or not (world.rules.pairs_once or at == coming - 1):
        return ""
    return f"{pair} was used in round {at}; a social contest needs another pair"
