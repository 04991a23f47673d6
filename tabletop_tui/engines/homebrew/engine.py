"""The home-brew engine: what it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from ...kit import common
from ...rules import Action, Dice, Engine, Event, Kind, Odds, Prepared, Problem, View
from . import (
    by_hand,
    challenge,
    contest,
    effects,
    leading,
    options,
    progress,
    rolls,
    rounds,
    scenes,
    thrown,
    together,
    turns,
    views,
)
from .conditions import over_with
from .effects import Doing
from .game import HomebrewRules
from .odds import odds
from .problems import problems
from .reference import REFERENCE
from .schema import Schemas, narrowed
from .scope import Scope
from .seats import seen_by
from .starter import STARTER
from .world import HomebrewNow, HomebrewScene, HomebrewSheet, HomebrewWorld

_OWN = (common.BeginCondition, common.EndCondition, common.EnterScene)
"""Of the kit's actions, those that this game has in its own way."""


class Homebrew(Engine):
    """A game that is written as TOML."""

    name = "homebrew"
    title = "Home-brew"
    version = "6"
    rules = HomebrewRules
    sheet = HomebrewSheet
    scene = HomebrewScene
    now = HomebrewNow
    reference = REFERENCE
    starter = STARTER
    actions: ClassVar[tuple[type[Action], ...]] = (
        rolls.Roll, rolls.Take, rolls.Settle, rolls.Answer, options.Use, by_hand.Save, by_hand.Adjust,
        by_hand.AdjustShared, *challenge.ACTIONS, *leading.ACTIONS, *together.ACTIONS, challenge.Close,
        *contest.ACTIONS, *rounds.ACTIONS, contest.CloseContest,
        *turns.ACTIONS, turns.ToScene, by_hand.PutCondition, by_hand.EndCondition,
        *(action for action in common.ACTIONS if action not in _OWN),
    )  # fmt: skip
    events: ClassVar[tuple[type[Event], ...]] = (
        *thrown.EVENTS, *effects.EVENTS, *challenge.EVENTS, *leading.EVENTS, *together.EVENTS, *contest.EVENTS,
        *rounds.EVENTS, *progress.EVENTS, *turns.EVENTS, *common.EVENTS,
    )  # fmt: skip

    def start(self, world: HomebrewWorld) -> HomebrewNow:
        """A new session: what ends with one has ended, and the game's own moment happens."""
        first = world.now == HomebrewNow(clocks=world.now.clocks, tracks=world.now.tracks)
        doing = Doing(world, Dice())
        if not first:
            doing.happen(*over_with(world, "session"))
            for who in tuple(doing.world.now.turns.fighters):
                doing.heed(who)
            moments = world.rules.moments.session
            for who in doing.world.players():
                doing.do({k: v for k, v in moments.items() if k not in world.rules.shared}, Scope(doing.world, who))
            doing.do({k: v for k, v in moments.items() if k in world.rules.shared}, Scope(doing.world))
        used = {span: held for span, held in doing.world.now.used.items() if span in ("challenge", "contest")}
        return replace(doing.world.now, used=used)

    def problems(self, world: HomebrewWorld) -> Sequence[Problem]:
        """What does not fit after a hand edit, of the game itself or of anything else."""
        return tuple(problems(world))

    def policy(self, world: HomebrewWorld) -> Action | None:
        """What is usual, else the first answer; a roll is let count."""
        return rolls.policy(world)

    def odds(self, world: HomebrewWorld, action: Action) -> Odds | None:
        """Exact odds of a roll."""
        return odds(world, action)

    def prepared(self, world: HomebrewWorld, scene: str) -> Sequence[Prepared]:
        """What a scene has ready."""
        return scenes.prepared(world, scene)

    def seen_by(self, world: HomebrewWorld, seat: str) -> HomebrewWorld:
        """What players know."""
        return seen_by(world, seat)

    def schemas(self, schemas: Schemas, rules: HomebrewRules) -> Schemas:
        """With the names of the campaign's own game."""
        return narrowed(schemas, rules)

    def view(self, kind: Kind, world: HomebrewWorld, about: str = "") -> View | None:
        """Table and sheets; challenges and contests where the game has them."""
        if kind == "challenge":
            return views.challenge_view(world) if world.rules.challenges else None
        if kind == "contest":
            return views.contest_view(world) if world.rules.contests else None
        if kind == "table":
            return views.table_view(world)
        return views.sheet_view(world, about) if kind == "sheet" else None


ENGINE = Homebrew()
