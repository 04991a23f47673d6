"""The engine of Tiers of Power: what it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from ...kit import common, order
from ...rules import Action, Engine, Event, Kind, Problem, View
from . import (
    attack,
    bonus,
    challenge,
    challenge_roll,
    consequences,
    health,
    initiative,
    opposed,
    points,
    progress,
    settle,
    support,
    views,
)  # fmt: skip
from .bench import TiersBench
from .odds import odds
from .problems import problems
from .reference import REFERENCE
from .scene import prepared
from .seats import seen_by
from .starter import STARTER
from .world import TiersNow, TiersRules, TiersScene, TiersSheet, TiersWorld, person


class Tiers(Engine):
    """Tiers of Power."""

    name = "tiers"
    title = "Tiers of Power"
    version = "7"
    rules = TiersRules
    sheet = TiersSheet
    scene = TiersScene
    now = TiersNow
    reference = REFERENCE
    starter = STARTER
    actions: ClassVar[tuple[type[Action], ...]] = (
        challenge.Open, challenge.Improvise, challenge.Lead, support.GiveSupport, support.Withdraw,
        challenge.DeclareBonus, challenge_roll.RollChallenge, challenge_roll.Reroll, challenge.Close,
        initiative.PassTurn, attack.Attack, opposed.Oppose, initiative.RollOrder, initiative.BeginTurns,
        order.EndEncounter, settle.Settle, settle.Buy, settle.ForceReroll, settle.Claim, settle.Strike,
        points.Spend, points.ForcedSpend, points.Boost, bonus.AwardBonus, health.Hurt, health.Heal,
        consequences.RecordConsequence, consequences.RewordConsequence, consequences.EndConsequence, order.Delay,
        initiative.JoinTurns, order.Leave, order.Reveal, order.Hide, progress.GainLevel, progress.LearnRank,
        progress.LearnSkill, *common.ACTIONS,
    )  # fmt: skip
    events: ClassVar[tuple[type[Event], ...]] = (
        challenge.ChallengeOpened, challenge.ChallengeClosed, challenge.LeadChosen, support.Supported,
        challenge.BonusDeclared, challenge_roll.ChallengeEnded, opposed.Rolled, opposed.Settled, settle.Claimed,
        points.PointsChanged, bonus.BonusChanged, health.HpChanged, consequences.ConsequenceChanged, points.Boosted,
        initiative.OrderRolled, progress.LevelGained, progress.RankLearned, *order.EVENTS, *common.EVENTS,
    )  # fmt: skip

    def start(self, world: TiersWorld) -> TiersNow:
        """Everybody is there; temporary Consequences have a session less."""
        first = not world.now.people
        people = {w: person(world, w) for w in world.sheets} if first else consequences.next_session(world)
        return replace(world.now, people=people)

    def problems(self, world: TiersWorld) -> Sequence[Problem]:
        """What does not fit after a hand edit."""
        return tuple(problems(world))

    def policy(self, world: TiersWorld) -> Action | None:
        """Reroll as a sensible Lead does, then let it count."""
        roll = world.now.roll
        if roll is None or roll.stage == "done":
            return None
        return challenge_roll.default_reroll(world, roll) if roll.stage == "reroll" else settle.Settle()

    odds = staticmethod(odds)
    prepared = staticmethod(prepared)
    seen_by = staticmethod(seen_by)
    bench = staticmethod(TiersBench)

    def view(self, kind: Kind, world: TiersWorld, about: str = "") -> View | None:
        """Table, challenge and sheets; this game has no social contest."""
        if kind == "challenge":
            return views.challenge_view(world)
        if kind == "table":
            return views.table_view(world)
        return views.sheet_view(world, about) if kind == "sheet" else None


ENGINE = Tiers()
