"""The engine of Fen: what it is made of, its odds, its views and what does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from ...rules import Action, Bench, Engine, Event, Kind, Odds, Problem, Refused, View, common, order
from . import attack, contest, effects, harm, modifiers, rounds, spending
from .bench import FenBench
from .chances import attack_odds, contest_odds, initiative_odds
from .contest_view import contest_view
from .problems import problems
from .reference import REFERENCE
from .starter import STARTER
from .views import sheet_view, table_view
from .world import FenNow, FenRules, FenScene, FenSheet, FenWorld, person


class Fen(Engine):
    """Fen."""

    name = "fen"
    title = "Fen"
    version = "2"
    rules = FenRules
    sheet = FenSheet
    scene = FenScene
    now = FenNow
    reference = REFERENCE
    starter = STARTER
    actions: ClassVar[tuple[type[Action], ...]] = (
        contest.Open,
        contest.NewContest,
        contest.Defend,
        contest.StandAside,
        contest.NameStakes,
        contest.Choose,
        contest.RollContest,
        effects.Apply,
        effects.NextRound,
        contest.Close,
        modifiers.Modify,
        modifiers.Help,
        rounds.BeginFight,
        rounds.Stand,
        rounds.RollInitiative,
        rounds.NextTurn,
        rounds.Join,
        spending.Act,
        attack.Attack,
        harm.Hurt,
        harm.Heal,
        harm.Wound,
        harm.Mend,
        order.Leave,
        order.Reveal,
        rounds.EndFight,
        *common.ACTIONS,
    )
    events: ClassVar[tuple[type[Event], ...]] = (
        contest.ContestOpened,
        contest.ContestChanged,
        contest.ContestRolled,
        contest.ContestClosed,
        effects.EffectStruck,
        modifiers.Modified,
        rounds.RoundReadied,
        rounds.StoodUp,
        rounds.InitiativeRolled,
        rounds.SideActs,
        spending.ActionSpent,
        attack.Struck,
        attack.Hit,
        harm.Harmed,
        harm.GuardChanged,
        *order.EVENTS,
        *common.EVENTS,
    )

    def start(self, world: FenWorld) -> FenNow:
        """Everybody is there, as the last session left them or fresh from the sheet."""
        return replace(world.now, people={w: person(world, w) for w in world.sheets})

    def problems(self, world: FenWorld) -> Sequence[Problem]:
        """What does not fit after a hand edit."""
        return problems(world)

    def odds(self, world: FenWorld, action: Action) -> Odds | None:
        """Exact odds of a contest, an attack or initiative; None also where the dice are too many to count."""
        try:
            if isinstance(action, contest.RollContest):
                now = world.now.contest
                return contest_odds(world, now) if now and now.defenders else None
            if isinstance(action, attack.Attack):
                known = action.who in world.sheets and action.against in world.sheets
                return attack_odds(world, action) if known else None
            if isinstance(action, rounds.RollInitiative):
                return initiative_odds(world) if world.now.turns.running else None
        except Refused:
            return None
        return None

    def bench(self, world: FenWorld | None = None) -> Bench:
        """Dice expressions of this game."""
        return FenBench(world)

    def view(self, kind: Kind, world: FenWorld, about: str = "") -> View | None:
        """Table, contest and sheets; this game has no co-operative challenge."""
        if kind == "contest":
            return contest_view(world)
        if kind == "table":
            return table_view(world)
        return sheet_view(world, about) if kind == "sheet" else None


ENGINE = Fen()

__all__ = ["ENGINE", "Fen"]
