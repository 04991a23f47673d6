"""The exact chances of a contest, an attack and initiative, as the screens show them."""

from __future__ import annotations

from itertools import accumulate
from math import prod

from ...rules import Chance, Group, Odds, Part, Pool, Tone
from .attack import Attack, attack_skill, attack_throw, dodge_throw, meet, weapon_of
from .contest import against
from .dice import Throw
from .harm import down_at
from .odds import beats, distribution, lower, many
from .rounds import is_players, rolling_sides, stander, tie_order
from .world import (
    PARTS,
    Contest,
    FenWorld,
    defense,
    guard,
    has_skill,
    is_down,
    is_hidden,
    is_secret,
    person,
    skill_dice,
    skill_throw,
)

BANDS = (1, 2, 4, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100)
"""Damage worth a row; those with less than one chance in a thousand are left out."""


# ---- pools


def skill_part(world: FenWorld, who: str, skill: str) -> Part:
    """The dice of a skill and where they come from."""
    note = "" if has_skill(world, who, skill) else "not on the sheet"
    return Part(skill, skill_dice(world, who, skill), note, "" if not note else "muted")


def pool(world: FenWorld, who: str, parts: list[Part], throw: Throw) -> Pool:
    """Everything that somebody throws, with what is done to it."""
    mods = person(world, who).mods
    if mods.parts:
        parts = [*parts, Part(", ".join(mods.parts), throw.words, "what falls", "good")]
    return Pool(world.name(who), tuple(parts), secret=is_secret(world, who))


def skill_pool(world: FenWorld, who: str, skill: str) -> Pool:
    """The pool of a plain skill."""
    return pool(world, who, [skill_part(world, who, skill)], skill_throw(world, who, skill))


# ---- contests


def contest_odds(world: FenWorld, contest: Contest) -> Odds:
    """For each defender won or lost; for many also at least k of them, on one roll of the aggressor."""
    mine = skill_throw(world, contest.who, contest.skill)
    theirs = {w: skill_throw(world, w, contest.using) for w in contest.defenders}
    pools = [skill_pool(world, contest.who, contest.skill)]
    pools += [skill_pool(world, w, contest.using) for w in contest.defenders]
    wins = {w: beats(mine, throw) for w, throw in theirs.items()}
    if len(theirs) == 1:
        groups = [_won("outcome", next(iter(wins.values())))]
    else:
        exactly = many(mine, list(theirs.values()))
        groups = [_all_some_none(exactly), _at_least(exactly)]
        groups += [_won(against(w), p) for w, p in wins.items()]
    secret = contest_is_secret(world, contest)
    return Odds(tuple(groups), tuple(pools), secret=secret)


def contest_is_secret(world: FenWorld, contest: Contest) -> bool:
    """Chances that come of dice which only the GM knows are the GM's."""
    return any(is_secret(world, w) for w in (contest.who, *contest.defenders))


def _won(name: str, p: float) -> Group:
    return Group(name, (Chance("won", p, "good"), Chance("lost", 1 - p, "bad")))


def _all_some_none(exactly: list[float]) -> Group:
    every, none = exactly[-1], exactly[0]
    some = max(1 - every - none, 0.0)
    return Group(
        "outcome",
        (Chance("beats all", every, "good"), Chance("beats some", some, "warn"), Chance("beats none", none, "bad")),
    )


def _at_least(exactly: list[float]) -> Group:
    reach = list(accumulate(reversed(exactly)))[::-1]
    n = len(exactly) - 1
    return Group("beaten", tuple(Chance(f"≥{k} of {n}", reach[k], value=k) for k in range(1, n + 1)), at_least=True)


# ---- attacks


def attack_odds(world: FenWorld, action: Attack) -> Odds:
    """Dodged, stopped or through; what comes through; whether the target goes down."""
    throw, dodge = attack_throw(world, action.who, action.weapon), dodge_throw(world, action.against)
    force = distribution(throw)
    dodge_below = lower(dodge, len(force))
    damage: dict[int, float] = {}
    hit = 0.0
    for total, p in enumerate(force):
        q = p * dodge_below[total]
        hit += q
        through, _ = meet(world, action.against, total)
        damage[through] = damage.get(through, 0.0) + q
    through_all = sum(p for d, p in damage.items() if d)
    groups = [
        Group(
            "outcome",
            (
                Chance("through", through_all, "good"),
                Chance("stopped", max(hit - through_all, 0.0), "warn"),
                Chance("dodged", 1 - hit, "bad"),
            ),
        ),
        _target(world, action.against, damage),
    ]
    reach = [(k, sum(p for d, p in damage.items() if d >= k)) for k in BANDS]
    rows = tuple(Chance(f"≥{k}", p, value=k) for k, p in reach if p >= 0.001)
    if rows:
        groups.append(Group("damage", rows, at_least=True))
    secret = is_secret(world, action.who) or is_secret(world, action.against)
    return Odds(tuple(groups), _attack_pools(world, action, throw), secret=secret)


def _target(world: FenWorld, who: str, damage: dict[int, float]) -> Group:
    need = down_at(world, who)
    down = 1.0 if is_down(world, who) else sum(p for d, p in damage.items() if d >= need)
    return Group("target", (Chance("down", down, "good"), Chance("stands", 1 - down, "muted")))


def _attack_pools(world: FenWorld, action: Attack, throw: Throw) -> tuple[Pool, ...]:
    who, target = action.who, action.against
    item = weapon_of(world, who, action.weapon)
    parts = [Part(action.weapon, item.dice, item.about)] if item else []
    parts.append(skill_part(world, who, attack_skill(world, who, action.weapon)))
    mine = pool(world, who, parts, throw)
    theirs = skill_pool(world, target, world.rules.dodge_skill)
    worn = [
        Part(worn_item.name, f"−{n}", f"{part}, defense", "warn")
        for part in PARTS
        if (worn_item := guard(world, target, part)) and (n := defense(world, target, part))
    ]
    return mine, Pool(theirs.who, (*theirs.parts, *worn), theirs.secret)


# ---- initiative


def initiative_odds(world: FenWorld) -> Odds | None:
    """Which side acts first."""
    sides = tie_order(world, rolling_sides(world))
    if len(sides) < 2:
        return None
    standing = {side: stander(world, side) for side in sides}
    throws = {side: skill_throw(world, s.who, s.skill) for side, s in standing.items()}
    tables = {side: distribution(throw) for side, throw in throws.items()}
    size = max(map(len, tables.values()))
    less = {side: lower(throw, size + 1) for side, throw in throws.items()}
    chances = []
    for place, side in enumerate(sides):
        # a side that ties are settled for must only be met by the later ones, and must beat the earlier ones
        first = sum(
            p * prod(less[o][total + (sides.index(o) > place)] for o in sides if o != side)
            for total, p in enumerate(tables[side])
        )
        tone: Tone = "good" if is_players(world, side) else "bad"
        chances.append(Chance(side, first, tone))
    chances.sort(key=lambda c: c.tone != "good")
    ours = [standing[side] for side in sorted(standing, key=lambda side: not is_players(world, side))]
    pools = tuple(skill_pool(world, s.who, s.skill) for s in ours if not is_hidden(world, s.who))
    secret = any(is_secret(world, s.who) or is_hidden(world, s.who) for s in standing.values())
    return Odds((Group("first", tuple(chances)),), pools, secret=secret)
