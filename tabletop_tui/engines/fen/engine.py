"""The engine of Fen: what it is made of."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from ...kit import common, order
from ...kit.turn_events import EncounterBegan
from ...rules import Action, Engine, Event
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
    version = "6"
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
        rounds.FightBegan,
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
        *(kind for kind in order.EVENTS if kind is not EncounterBegan),  # its own speaks of no order
        *common.EVENTS,
    )

    def start(self, world: FenWorld) -> FenNow:
        """Everybody is there, as the last session left them or fresh from the sheet."""
        return replace(world.now, people={w: person(world, w) for w in world.sheets})

    problems = staticmethod(problems)
    odds = staticmethod(odds)
    prepared = staticmethod(prepared_in)
    seen_by = staticmethod(seen_by)
    bench = staticmethod(FenBench)
    view = staticmethod(view)


ENGINE = Fen()
