"""The engine of Tiers of Power: what it is made of, its odds, its policy and what does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from ...rules import Action, Bench, Chance, Engine, Event, Group, Kind, Odds, Part, Pool, Problem, View, common, order
from . import after, challenge, climax, contest, initiative, points, support, views
from .bench import TiersBench
from .climax import COMPLICATIONS, FAILURE, OUTCOMES, REDUCED, SUCCESS, result_of
from .contest import Attack, Oppose
from .dice import tie_to_first
from .odds import highest, led, margins
from .reference import REFERENCE
from .starter import STARTER
from .world import (
    Challenge,
    Tier,
    TiersNow,
    TiersRules,
    TiersScene,
    TiersSheet,
    TiersWorld,
    known_skills,
    multiplier,
    next_tier,
    person,
    rating,
    tier_of,
)


class Tiers(Engine):
    """Tiers of Power."""

    name = "tiers"
    title = "Tiers of Power"
    version = "2"
    rules = TiersRules
    sheet = TiersSheet
    scene = TiersScene
    now = TiersNow
    reference = REFERENCE
    starter = STARTER
    actions: ClassVar[tuple[type[Action], ...]] = (
        challenge.Open,
        challenge.Improvise,
        challenge.Lead,
        support.GiveSupport,
        support.Withdraw,
        challenge.DeclareBonus,
        climax.RollChallenge,
        climax.Reroll,
        challenge.Close,
        initiative.PassTurn,
        contest.Attack,
        contest.Oppose,
        initiative.RollOrder,
        initiative.BeginTurns,
        order.EndEncounter,
        after.Settle,
        after.Buy,
        after.ForceReroll,
        after.Claim,
        after.Strike,
        points.Spend,
        points.ForcedSpend,
        points.Boost,
        points.AwardBonus,
        points.Hurt,
        points.Heal,
        points.EndConsequence,
        order.Delay,
        initiative.JoinTurns,
        order.Leave,
        order.Reveal,
        *common.ACTIONS,
    )
    events: ClassVar[tuple[type[Event], ...]] = (
        challenge.ChallengeOpened,
        challenge.ChallengeClosed,
        challenge.LeadChosen,
        support.Supported,
        challenge.BonusDeclared,
        climax.ChallengeEnded,
        contest.Rolled,
        contest.Settled,
        contest.Claimed,
        points.PointsChanged,
        points.BonusChanged,
        points.HpChanged,
        points.ConsequenceChanged,
        points.Boosted,
        initiative.OrderRolled,
        *order.EVENTS,
        *common.EVENTS,
    )

    def start(self, world: TiersWorld) -> TiersNow:
        """Everybody is there; temporary Consequences have a session less."""
        first = not world.now.people
        people = {w: person(world, w) for w in world.sheets} if first else points.next_session(world)
        return replace(world.now, people=people)

    def problems(self, world: TiersWorld) -> Sequence[Problem]:
        """What does not fit after a hand edit."""
        return [*_sheet_problems(world), *_now_problems(world)]

    def policy(self, world: TiersWorld) -> Action | None:
        """Reroll as a sensible Lead does, then let it count."""
        roll = world.now.roll
        if roll is None or roll.stage == "done":
            return None
        return climax.default_reroll(world, roll) if roll.stage == "reroll" else after.Settle()

    def odds(self, world: TiersWorld, action: Action) -> Odds | None:
        """Exact odds of a challenge's roll, an opposed roll or an attack."""
        if isinstance(action, climax.RollChallenge) and world.now.challenge and world.now.challenge.lead:
            return _challenge_odds(world, world.now.challenge)
        if isinstance(action, Oppose | Attack):
            return _clash_odds(world, action)
        return initiative.order_odds(world, action) if isinstance(action, initiative.RollOrder) else None

    def bench(self, world: TiersWorld | None = None) -> Bench:
        """Dice expressions of this game."""
        return TiersBench(world)

    def view(self, kind: Kind, world: TiersWorld, about: str = "") -> View | None:
        """Table, challenge and sheets; this game has no social contest."""
        if kind == "challenge":
            return views.challenge_view(world)
        if kind == "table":
            return views.table_view(world)
        return views.sheet_view(world, about) if kind == "sheet" else None


def _challenge_odds(world: TiersWorld, now: Challenge) -> Odds:
    first, second = climax.sides(world, now)
    count = first.rank + person(world, now.lead).boost
    bonus = next_tier(first.tier) if now.bonus else None
    mine = led(world.rules, first.tier, count, bonus, support.rerolls(now), support.fortunate(now))
    dice = support.opposing(world, now)
    theirs = highest(world.rules, [now.plan.tier] * dice)
    tie_first = _tie(world, first.tier, first.rank, count + now.bonus, now.plan.tier, second.rank, dice)
    chances = dict.fromkeys(OUTCOMES, 0.0)
    for gap, p in margins(mine, theirs).items():
        won = gap > 0 or (gap == 0 and tie_first)
        chances[result_of(now, won, abs(gap))[0]] += p
    shown = [SUCCESS, REDUCED if chances[REDUCED] else COMPLICATIONS, FAILURE]
    group = Group("outcome", tuple(Chance(o, chances[o], views.TONES[o]) for o in shown))
    return Odds((group,), views.pools(world, now), secret=views.odds_secret(world, now))


def _tie(
    world: TiersWorld, tier: Tier, rank: int, dice: int, other_tier: Tier, other_rank: int, other_dice: int
) -> bool:
    """Who wins a tie, before any die has fallen."""
    from .world import Die, Side

    first = Side("", "", tier, rank, (Die(tier, 1),) * dice)
    return tie_to_first(world.rules, first, Side("", "", other_tier, other_rank, (Die(other_tier, 1),) * other_dice))


def _clash_odds(world: TiersWorld, action: Oppose | Attack) -> Odds:
    mine = contest.pool(world, action.who, action.skill, action.bonus)
    theirs = contest.pool(world, action.against, action.using, action.their_bonus)
    first, second = contest.side(world, action.who, action.skill), contest.side(world, action.against, action.using)
    gaps = margins(highest(world.rules, mine), highest(world.rules, theirs))
    tie_first = _tie(world, first.tier, first.rank, len(mine), second.tier, second.rank, len(theirs))
    wins = sum(p for gap, p in gaps.items() if gap > 0 or (gap == 0 and tie_first))
    groups = [Group("outcome", (Chance("wins", wins, "good"), Chance("loses", 1 - wins, "bad")))]
    if isinstance(action, Attack):
        groups += _damage_odds(world, action, gaps)
    pools = (
        _pool(world, action.who, action.skill, action.bonus),
        _pool(world, action.against, action.using, action.their_bonus),
    )
    # what the GM's own can do is a secret, and so is every chance that tells of it
    return Odds(tuple(groups), pools, secret=any(pool.secret for pool in pools))


def _damage_odds(world: TiersWorld, action: Attack, gaps: dict[int, float]) -> list[Group]:
    each = multiplier(world.rules, tier_of(world, action.who))
    hp = person(world, action.against).hp
    possible = [g for g in sorted(gaps) if g > 0]
    bands = sorted({1, 2, 3, 4, 6, 8, max(possible, default=1)} & set(possible))
    at_least = tuple(
        Chance(f"≥{g * each}", sum(p for gap, p in gaps.items() if gap >= g), value=g * each) for g in bands
    )
    out = sum(p for gap, p in gaps.items() if gap > 0 and gap * each >= hp)
    target = Group("target", (Chance("out", out, "good"), Chance("stands", 1 - out, "muted")))
    return [target, Group("damage", at_least, at_least=True)]


def _pool(world: TiersWorld, who: str, skill: str, bonus: bool) -> Pool:
    found = rating(world, who, skill)
    assert found is not None
    parts = [
        Part(
            found.skill,
            views.die_words(found.tier, found.rank),
            f"{found.tier} {found.rank}{views.legacy(found.legacy)}",
        )
    ]
    if boost := person(world, who).boost:
        parts.append(Part("boost", views.die_words(found.tier, boost), "2 Complication Points", secret=True))
    if bonus:
        left = person(world, who).bonus_dice
        parts.append(Part("Bonus Die", views.die_words(next_tier(found.tier), 1), f"1 of {left}", "good"))
    return Pool(world.name(who), tuple(parts), secret=not world.sheets[who].player)


def _sheet_problems(world: TiersWorld) -> list[Problem]:
    found = []
    for who, sheet in world.sheets.items():
        if not any(sheet.levels.values()):
            found.append(
                Problem(
                    ("sheets", who, "levels"),
                    f"{sheet.name} has no level in any tier, so no HP",
                    "Add alpha = 1, say.",
                )
            )
        if both := sorted(set(sheet.skills) & set(sheet.items)):
            found.append(
                Problem(("sheets", who, "items", both[0]), f"{both[0]} is both a skill and an item", "Rename one.")
            )
        for place in ("skills", "items"):
            for name, ranks in getattr(sheet, place).items():
                if not ranks:
                    found.append(
                        Problem(("sheets", who, place, name), f"{name} has no rank", "Write { alpha = 1 }, say.")
                    )
                if ":" in name or not name.strip():
                    found.append(
                        Problem(
                            ("sheets", who, place, name),
                            "a skill's name cannot be empty or hold a colon",
                            "Rename it.",
                        )
                    )
    for where, scene in world.scenes.items():
        for index, who in enumerate(scene.cast):
            if who not in world.sheets:
                found.append(
                    Problem(
                        ("scenes", where, "cast", index),
                        f"nobody is called {who!r}",
                        "Add their sheet.",
                        warning=True,
                    )
                )
    return found


def _now_problems(world: TiersWorld) -> list[Problem]:
    found, now = [], world.now
    for who, them in now.people.items():
        if who not in world.sheets:
            found.append(
                Problem(
                    ("now", "people", who), f"nobody is called {who!r}", "Add their sheet, or take this out.", True
                )
            )
            continue
        if not them.hp >= 0:
            found.append(Problem(("now", "people", who, "hp"), f"{them.hp} HP are less than none", "0 is out."))
        if them.bonus_dice < 0 or them.boost < 0:
            found.append(Problem(("now", "people", who), "Bonus Dice and boost cannot be negative", "Write 0."))
    for who in now.turns.order:
        if who not in world.sheets or who not in now.turns.fighters:
            found.append(
                Problem(("now", "turns", "order"), f"{who!r} is in the order without being there", "Take it out.")
            )
    if set(now.turns.fighters) - set(now.turns.order):
        found.append(
            Problem(("now", "turns", "fighters"), "somebody fights who is not in the order", "Add them to it.")
        )
    if now.turns.current and now.turns.current not in now.turns.order:
        found.append(
            Problem(("now", "turns", "current"), f"{now.turns.current!r} is not in the order", "Take it out.")
        )
    found += _challenge_problems(world)
    return found


def _challenge_problems(world: TiersWorld) -> list[Problem]:
    now = world.now.challenge
    roll = world.now.roll
    found = []
    if now is not None:
        if now.lead and (now.lead not in world.sheets or rating(world, now.lead, now.skill) is None):
            found.append(
                Problem(
                    ("now", "challenge", "lead"), f"{now.lead!r} cannot lead with {now.skill!r}", "Name one who can."
                )
            )
        found += [
            Problem(("now", "challenge", "supports", who), f"nobody is called {who!r}", "Take it out.")
            for who in now.supports
            if who not in world.sheets
        ]
    if roll is not None:
        if roll.kind == "challenge" and (now is None or not now.lead):
            found.append(
                Problem(("now", "roll"), "a challenge's roll lies there without its challenge", "Take it out.")
            )
        found += [
            Problem(("now", "roll"), f"nobody is called {one.who!r}", "Take the roll out.")
            for one in (roll.first, roll.second)
            if one.who and one.who not in world.sheets
        ]
    return found


ENGINE = Tiers()

__all__ = ["ENGINE", "Tiers", "known_skills"]
