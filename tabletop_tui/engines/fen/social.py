"""Social use: words against wits, and which pairs of skills a contest of words has used up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...rules import Choice
from .dice import parse_pair
from .world import Contest, FenWorld, has_skill, known_skills


def pairs(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every contest of two known skills, as `fight/vigor`; what the aggressor can do best stands first."""
    skills = known_skills(world)
    sheet = world.sheets.get(fields.get("who", "") or (world.now.contest.who if world.now.contest else ""))
    own = {s.casefold() for s in sheet.skills} if sheet else set()
    first = sorted(skills, key=lambda s: s.casefold() not in own)
    return [Choice(f"{mine}/{theirs}") for mine in first for theirs in skills]


def is_social(world: FenWorld, pair: str) -> bool:
    """Words against wits: two social skills on either side, articulate or will among them where there are those."""
    skills = {s.casefold() for s in parse_pair(pair)}
    social = {s.casefold() for s in world.rules.social_skills}
    spoken = social & {"articulate", "will"}
    return skills <= social and bool(not spoken or skills & spoken)


def fresh_pairs(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Pairs of skills, closed where a social contest has used them up.

    Once it is under way only the social ones, the nearest to the last one first; any other can be typed.
    """
    found, contest = [Choice(c.value, "", used_up(world, c.value)) for c in pairs(world, fields)], world.now.contest
    if contest is None or not contest.used or not is_social(world, contest.pair):
        return found
    who = contest.who
    # by what players know too: whoever defends may be the GM's
    return sorted(
        (c for c in found if is_social(world, c.value)),
        key=lambda c: (not has_skill(world, who, parse_pair(c.value)[0]), strays(contest, c.value)),
    )


def strays(contest: Contest, pair: str) -> tuple[bool, int, bool]:
    """How far a pair is from that of a contest: the same one last, one skill changed, two skills that differ."""
    mine, theirs = (skill.casefold() for skill in parse_pair(pair))
    changed = (mine != contest.skill.casefold()) + (theirs != contest.using.casefold())
    return not changed, changed, mine == theirs


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
