"""The exact chances of a contest, an attack and initiative, as the screens show them."""

from __future__ import annotations

from itertools import accumulate
from math import prod

from ...kit.common import is_secret
from ...rules import Action, Chance, Group, Odds, Part, Pool, Refused, Tone
from .attack import Attack, attack_skill, attack_throw, dodge_throw, meet, weapon_of
from .contest import RollContest, against
from .dice import Mods, Throw
from .distribution import at_least, beats, distribution, lower, many
from .harm import down_at
from .hiding import is_whispered
from .initiative import RollInitiative, rolling_sides, stander, tie_order
from .rounds import is_players
from .skill import RollSkill
from .world import (
    PARTS,
    Contest,
    FenWorld,
    Throws,
    changes_for,
    defense,
    guard,
    has_skill,
    is_down,
    skill_dice,
    skill_mods,
    skill_throw,
)

BANDS = (1, 2, 4, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100)
"""Damage worth a row; those with less than one chance in a thousand are left out."""


def odds(world: FenWorld, action: Action) -> Odds | None:
    """Exact odds of a contest, an attack or initiative; None also where the dice are too many to count."""
    try:
        if isinstance(action, RollContest):
            now = world.now.contest
            return contest_odds(world, now) if now and now.defenders else None
        if isinstance(action, Attack):
            known = action.who in world.sheets and action.against in world.sheets
            return attack_odds(world, action) if known else None
        if isinstance(action, RollInitiative):
            return initiative_odds(world) if world.now.turns.running else None
        if isinstance(action, RollSkill):
            return skill_odds(world, action) if action.who in world.sheets else None
    except Refused:
        return None
    return None


# ---- pools


def skill_part(world: FenWorld, who: str, skill: str) -> Part:
    """The dice of a skill and where they come from."""
    note = "" if has_skill(world, who, skill) else "not on the sheet"
    return Part(source=skill, dice=skill_dice(world, who, skill), note=note, tone="" if not note else "muted")


def pool(world: FenWorld, who: str, parts: list[Part], throw: Throw, changed: list[str]) -> Pool:
    """Everything that somebody throws, with what is done to it."""
    if changed:
        parts = [*parts, Part(source="in all", dice=throw.words, note=", ".join(changed), tone="good")]
    return Pool(who=world.name(who), parts=tuple(parts), secret=is_secret(world, who))


def skill_pool(world: FenWorld, who: str, skill: str, kind: Throws = "any") -> Pool:
    """The pool of a plain skill."""
    changed = skill_mods(world, who, kind).parts
    return pool(world, who, [skill_part(world, who, skill)], skill_throw(world, who, skill, kind), changed)


# ---- contests


def contest_odds(world: FenWorld, contest: Contest) -> Odds:
    """For each defender won or lost; for many also at least k of them, on one roll of the aggressor."""
    mine = skill_throw(world, contest.who, contest.skill, "contest")
    theirs = {w: skill_throw(world, w, contest.using, "contest") for w in contest.defenders}
    pools = [skill_pool(world, contest.who, contest.skill, "contest")]
    pools += [skill_pool(world, w, contest.using, "contest") for w in contest.defenders]
    wins = {w: beats(mine, throw) for w, throw in theirs.items()}
    if len(theirs) == 1:
        groups = [_won("outcome", next(iter(wins.values())))]
    else:
        exactly = many(mine, list(theirs.values()))
        groups = [_all_some_none(exactly), _at_least(exactly)]
        groups += [_won(against(w), p) for w, p in wins.items()]
    hopes = (groups[0].chances[0].label,)
    return Odds(tuple(groups), tuple(pools), secret=contest_is_secret(world, contest), hopes=hopes)


def contest_is_secret(world: FenWorld, contest: Contest) -> bool:
    """Chances that come of dice which only the GM knows are the GM's."""
    return is_whispered(world, contest) or any(is_secret(world, w) for w in contest.parties)


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


def skill_odds(world: FenWorld, action: RollSkill) -> Odds:
    """What a skill alone comes to: at least so much."""
    throw, skill = action.throw(world), action.skill.strip()
    rows = [Chance(f"≥{k}", p, value=k) for k in BANDS if (p := at_least(throw, k)) >= 0.001]
    changed = [*skill_mods(world, action.who, "any").parts]
    changed += Mods(non_explosive=action.non_explosive).parts
    mine = pool(world, action.who, [skill_part(world, action.who, skill)], throw, changed)
    secret = action.hidden or is_secret(world, action.who)
    return Odds((Group("total", tuple(rows), at_least=True),), (mine,), secret=secret, hopes=())  # nothing to beat


# ---- attacks


def attack_odds(world: FenWorld, action: Attack) -> Odds:
    """Dodged, stopped or through; what comes through; whether the target goes down."""
    throw, dodge = attack_throw(world, action.who, action.weapon), dodge_throw(world, action.against)
    force = distribution(throw)
    dodge_below = lower(dodge, len(force)) if dodge else [1.0] * len(force)
    damage: dict[int, float] = {}
    hit = 0.0
    for total, p in enumerate(force):
        q = p * dodge_below[total]
        hit += q
        through, _ = meet(world, action.against, total)
        damage[through] = damage.get(through, 0.0) + q
    through_all = sum(p for d, p in damage.items() if d)
    ends = (
        Chance("through", through_all, "good"),
        Chance("stopped", max(hit - through_all, 0.0), "warn"),
        Chance("dodged", 1 - hit if dodge else 0.0, "bad"),  # sums of floats leave a crumb where nobody can dodge
    )
    groups = [Group("outcome", ends), _target(world, action.against, damage)]
    reach = [(k, sum(p for d, p in damage.items() if d >= k)) for k in BANDS]
    rows = tuple(Chance(f"≥{k}", p, value=k) for k, p in reach if p >= 0.001)
    if rows:
        groups.append(Group("damage", rows, at_least=True))
    secret = is_secret(world, action.who) or is_secret(world, action.against)
    return Odds(tuple(groups), _attack_pools(world, action, throw), secret=secret, hopes=("through",))


def _target(world: FenWorld, who: str, damage: dict[int, float]) -> Group:
    need = down_at(world, who)
    down = 1.0 if is_down(world, who) else sum(p for d, p in damage.items() if d >= need)
    return Group("target", (Chance("down", down, "good"), Chance("stands", 1 - down, "muted")))


def _attack_pools(world: FenWorld, action: Attack, throw: Throw) -> tuple[Pool, ...]:
    who, target = action.who, action.against
    item = weapon_of(world, who, action.weapon)
    parts = [Part(source=action.weapon, dice=item.dice, note=item.about)] if item else []
    parts.append(skill_part(world, who, attack_skill(world, who, action.weapon)))
    found = changes_for(world, who, "attack")
    changed = [*found["all"].parts, *(f"{of}: {word}" for of in ("weapon", "skill") for word in found[of].parts)]
    mine = pool(world, who, parts, throw, changed)
    if is_down(world, target):
        theirs = pool(world, target, [Part(source="down", dice="no dodge")], throw, [])
    else:
        theirs = skill_pool(world, target, world.rules.dodge_skill, "dodge")
    worn = [
        Part(source=worn_item.name, dice=f"−{n}", note=f"{part}, defense", tone="warn")
        for part in PARTS
        if (worn_item := guard(world, target, part)) and (n := defense(world, target, part))
    ]
    return mine, Pool(who=theirs.who, parts=(*theirs.parts, *worn), secret=theirs.secret)


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
    pools = tuple(skill_pool(world, s.who, s.skill) for s in ours if not world.is_hidden(s.who))
    secret = any(is_secret(world, s.who) or world.is_hidden(s.who) for s in standing.values())
    ours_first = tuple(side for side in sides if is_players(world, side))
    return Odds((Group("first", tuple(chances)),), pools, secret=secret, hopes=ours_first)
