"""The engine of the No1 system: what it is made of."""

from __future__ import annotations

from typing import ClassVar

from ...kit import common, order
from ...rules import Action, Engine, Event
from . import advantages, cast, challenge, contest, encounter, hazards, initiative, manoeuvres, roll, spending, views
from .bench import No1Bench
from .dice import default_reroll
from .odds import odds
from .problems import problems
from .reference import REFERENCE
from .scene import prepared
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

    def policy(self, world: No1World) -> Action | None:
        """With a rank for every 1, reroll them one after the other; with fewer, let go."""
        pending = world.now.roll
        if pending is None or not pending.pending:
            return None
        dice = default_reroll(world, pending)
        return roll.Reroll(dice) if dice else roll.LetGo()

    problems = staticmethod(problems)
    odds = staticmethod(odds)
    prepared = staticmethod(prepared)
    seen_by = staticmethod(seen_by)
    bench = staticmethod(No1Bench)
    view = staticmethod(views.view)


ENGINE = No1()
