"""The engine of the No1 system: what it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ...kit import common, order
from ...rules import Action, Engine, Event, Kind, Odds, Prepared, Problem, View
from ...workbench import Bench
from . import advantages, cast, challenge, contest, encounter, hazards, initiative, manoeuvres, roll, spending, views
from .bench import No1Bench
from .dice import default_reroll
from .odds import odds
from .problems import problems
from .reference import REFERENCE
from .scene import prepared as prepared_in
from .seats import seen_by
from .starter import STARTER
from .world import No1Now, No1Rules, No1Scene, No1Sheet, No1World

OWN_INSTEAD = (common.BeginCondition, common.AddCopies, common.EnterScene)
"""Identical foes share one sheet here, and scenes have zones: the actions for them are this game's own."""


class No1(Engine):
    """The No1 system."""

    name = "no1"
    title = "No1"
    version = "4"
    rules = No1Rules
    sheet = No1Sheet
    scene = No1Scene
    now = No1Now
    reference = REFERENCE
    starter = STARTER
    actions: ClassVar[tuple[type[Action], ...]] = (
        encounter.Begin, roll.Act, roll.Shift, roll.Reroll, roll.LetGo, initiative.Next,
        advantages.SpendAdvantage, manoeuvres.UseManoeuvre, spending.SpendEntropy,
        encounter.EndRound, initiative.Delay, initiative.Skip,
        cast.Down, cast.DropIn, cast.Reveal, cast.Hide,
        hazards.Place, hazards.SetHazard, hazards.AddZone, cast.Afflict,
        challenge.SetChallenge, spending.Adjust, spending.Waypoint,
        contest.CallContest, contest.Accept, contest.Decline, contest.FightBout, contest.CallOff,
        encounter.End, encounter.EnterScene,
        *(action for action in common.ACTIONS if action not in OWN_INSTEAD),
    )  # fmt: skip
    events: ClassVar[tuple[type[Event], ...]] = (
        encounter.Mustered, encounter.InitiativeTaken, encounter.RoundCut, challenge.TimeUp,
        encounter.EncounterClosed, encounter.ZonesLaid, initiative.InitiativePassed, initiative.Passed,
        roll.Rolled, roll.Rerolled, roll.Settled,
        hazards.Moved, hazards.ZoneChanged, cast.Joined,
        spending.CountersMoved, spending.WaypointReached, challenge.ChallengeSet, challenge.SceneTurned,
        advantages.AdvantagesChanged, advantages.Prepared, manoeuvres.Manoeuvred,
        contest.ContestCalled, contest.ContestAnswered, contest.BoutFought, contest.ContestWon, contest.ContestLeft,
        *order.EVENTS,
        *common.EVENTS,
    )  # fmt: skip

    def start(self, world: No1World) -> No1Now:
        """A scene that is on has its zones in play."""
        now = world.now
        scene = world.scenes.get(now.scene)
        if scene is None or not scene.zones or now.zones or now.turns.running:
            return now
        return encounter.laid(world, now.scene).apply(world).now

    def problems(self, world: No1World) -> Sequence[Problem]:
        """What does not fit after a hand edit."""
        return problems(world)

    def policy(self, world: No1World) -> Action | None:
        """With a rank for every 1, reroll them one after the other; with fewer, let go."""
        pending = world.now.roll
        if pending is None or not pending.pending:
            return None
        dice = default_reroll(world, pending)
        return roll.Reroll(dice) if dice else roll.LetGo()

    def odds(self, world: No1World, action: Action) -> Odds | None:
        """Exact odds of everything that rolls."""
        return odds(world, action)

    def prepared(self, world: No1World, scene: str) -> Sequence[Prepared]:
        """What a scene has ready."""
        return prepared_in(world, scene)

    def seen_by(self, world: No1World, seat: str) -> No1World:
        """What players know."""
        return seen_by(world, seat)

    def bench(self, world: No1World | None = None) -> Bench:
        """Dice expressions of this game."""
        return No1Bench(world)

    def view(self, kind: Kind, world: No1World, about: str = "") -> View | None:
        """Table, contest and sheets; this game has no co-operative challenge."""
        return views.view(kind, world, about)


ENGINE = No1()
