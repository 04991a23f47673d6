"""The engine of the No1 system: what it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ...rules import Action, Bench, Engine, Event, Kind, Odds, Problem, View, common, order
from . import cards, cast, duel, encounter, hazards, manoeuvres, roll, spending, views
from .bench import No1Bench
from .dice import default_reroll
from .odds import odds
from .problems import problems
from .reference import REFERENCE
from .starter import STARTER
from .world import No1Now, No1Rules, No1Scene, No1Sheet, No1World


class No1(Engine):
    """The No1 system."""

    name = "no1"
    title = "No1"
    version = "2"
    rules = No1Rules
    sheet = No1Sheet
    scene = No1Scene
    now = No1Now
    reference = REFERENCE
    starter = STARTER
    actions: ClassVar[tuple[type[Action], ...]] = (
        encounter.Begin,
        roll.Act,
        roll.Shift,
        roll.Reroll,
        roll.LetGo,
        encounter.Next,
        spending.SpendAdvantage,
        manoeuvres.UseManoeuvre,
        spending.SpendEntropy,
        encounter.EndRound,
        cast.Delay,
        cast.Skip,
        cast.Down,
        cast.DropIn,
        cast.Reveal,
        hazards.Place,
        hazards.SetHazard,
        hazards.AddZone,
        cast.Afflict,
        spending.SetChallenge,
        spending.Adjust,
        spending.Waypoint,
        duel.CallContest,
        duel.Accept,
        duel.Decline,
        duel.FightBout,
        duel.CallOff,
        encounter.End,
        # identical foes have no sheet each, so conditions are put on people by an action of this game's own
        *(a for a in common.ACTIONS if a is not common.BeginCondition),
    )
    events: ClassVar[tuple[type[Event], ...]] = (
        encounter.Mustered,
        encounter.InitiativeTaken,
        encounter.InitiativePassed,
        encounter.RoundCut,
        encounter.TimeUp,
        encounter.EncounterClosed,
        roll.Rolled,
        roll.Rerolled,
        roll.Settled,
        hazards.Moved,
        hazards.ZoneChanged,
        spending.CountersMoved,
        spending.ChallengeSet,
        spending.SceneTurned,
        spending.AdvantagesChanged,
        spending.Prepared,
        spending.WaypointReached,
        manoeuvres.Manoeuvred,
        cast.Joined,
        cast.Passed,
        duel.ContestCalled,
        duel.ContestAnswered,
        duel.BoutFought,
        duel.ContestWon,
        duel.ContestLeft,
        *order.EVENTS,
        *common.EVENTS,
    )

    def problems(self, world: No1World) -> Sequence[Problem]:
        """What does not fit after a hand edit."""
        return problems(world)

    def policy(self, world: No1World) -> Action | None:
        """With a rank for every 1, reroll them all; with fewer, let go."""
        pending = world.now.roll
        if pending is None or not pending.pending:
            return None
        dice = default_reroll(world, pending)
        return roll.Reroll(dice) if dice else roll.LetGo()

    def odds(self, world: No1World, action: Action) -> Odds | None:
        """Exact odds of everything that rolls."""
        return odds(world, action)

    def bench(self, world: No1World | None = None) -> Bench:
        """Dice expressions of this game."""
        return No1Bench(world)

    def view(self, kind: Kind, world: No1World, about: str = "") -> View | None:
        """Table, contest and sheets; this game has no co-operative challenge."""
        if kind == "table":
            return views.table_view(world)
        if kind == "contest":
            return cards.contest_view(world)
        return cards.sheet_view(world, about) if kind == "sheet" else None


ENGINE = No1()
