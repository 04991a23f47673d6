"""The engine of Fen: what it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from ...kit import common, order
from ...rules import Action, Engine, Event, Kind, Odds, Prepared, Problem, View
from ...workbench import Bench
from . import attack, changes, contest, effects, harm, hiding, initiative, prepared, rounds, skill, turns
from .bench import FenBench
from .odds import odds
from .problems import problems
from .reference import REFERENCE
from .scene import prepared as prepared_in
from .seats import seen_by
from .starter import STARTER
from .views import view
from .world import FenNow, FenRules, FenScene, FenSheet, FenWorld, person


class Fen(Engine):
    """Fen."""

    name = "fen"
    title = "Fen"
    version = "5"
    rules = FenRules
    sheet = FenSheet
    scene = FenScene
    now = FenNow
    reference = REFERENCE
    starter = STARTER
    actions: ClassVar[tuple[type[Action], ...]] = (
        prepared.Open,
        prepared.OpenBy,
        contest.NewContest,
        contest.Defend,
        contest.StandAside,
        contest.NameStakes,
        contest.Choose,
        contest.RollContest,
        effects.Apply,
        effects.NextRound,
        contest.Close,
        changes.Modify,
        changes.Help,
        rounds.BeginFight,
        initiative.Stand,
        initiative.RollInitiative,
        turns.NextTurn,
        rounds.Join,
        turns.Act,
        attack.Attack,
        skill.RollSkill,
        harm.Hurt,
        harm.Heal,
        harm.Wound,
        harm.Mend,
        order.Leave,
        order.Reveal,
        order.Hide,
        rounds.EndFight,
        hiding.EnterScene,
        *(kind for kind in common.ACTIONS if kind is not common.EnterScene),  # its own loses sight of an ambush
    )
    events: ClassVar[tuple[type[Event], ...]] = (
        contest.ContestOpened,
        contest.ContestChanged,
        contest.ContestRolled,
        contest.ContestClosed,
        effects.EffectStruck,
        changes.Modified,
        hiding.Found,
        skill.SkillRolled,
        rounds.RoundReadied,
        initiative.StoodUp,
        initiative.InitiativeRolled,
        turns.SideActs,
        turns.ActionSpent,
        attack.Struck,
        attack.Hit,
        harm.Harmed,
        harm.WentDown,
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
        """Exact odds of whatever rolls dice."""
        return odds(world, action)

    def prepared(self, world: FenWorld, scene: str) -> Sequence[Prepared]:
        """What a scene has ready."""
        return prepared_in(world, scene)

    def seen_by(self, world: FenWorld, seat: str) -> FenWorld:
        """What players know."""
        return seen_by(world, seat)

    def bench(self, world: FenWorld | None = None) -> Bench:
        """Dice expressions of this game."""
        return FenBench(world)

    def view(self, kind: Kind, world: FenWorld, about: str = "") -> View | None:
        """Table, contest and sheets; this game has no co-operative challenge."""
        return view(kind, world, about)


ENGINE = Fen()

__all__ = ["ENGINE", "Fen"]
