"""How a challenge moves on with each roll that is made for it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ...kit.told import Told
from ...rules import Event
from .effects import Doing
from .game import Band
from .scope import Scope
from .world import Challenge, HomebrewWorld, Plan

WON, LOST = "won", "lost"


def plan_title(world: HomebrewWorld, plan: Plan) -> str:
    """What a challenge is called."""
    rule = world.rules.challenges.get(plan.challenge)
    return plan.name or (rule.title if rule else "") or plan.challenge


class Tried(Told, tag="tried"):
    """Somebody rolled for the challenge."""

    rule = "successes and failures are counted until there are enough of one"
    who: str
    band: str
    wins: int
    losses: int
    outcome_name: str = ""

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        now = world.now.challenge
        if now is None:
            return world
        done = replace(
            now,
            rolled={**now.rolled, self.who: self.band},
            last=self.who,
            wins=self.wins,
            losses=self.losses,
            outcome=self.outcome_name,
            lead=now.lead if self.outcome_name else "",
            stats=now.stats if self.outcome_name else {},
            supports=now.supports if self.outcome_name else {},  # each roll has its own help
            using=(),
        )
        return world.live(challenge=done)

    def words(self, world: HomebrewWorld) -> str:
        now = world.now.challenge
        rule = world.rules.challenges.get(now.plan.challenge) if now else None
        if now is None or rule is None:
            return ""
        if self.outcome_name:
            return f"{plan_title(world, now.plan)}: {self.outcome_name}"
        return f"{plan_title(world, now.plan)}: {self.wins} of {rule.wins}, {self.losses} of {rule.losses} against it"


EVENTS: tuple[type[Event], ...] = (Tried,)


def counts(band: Band) -> tuple[int, int]:
    """How many successes and failures a band counts."""
    wins = int(band.tone in ("good", "warn")) if band.wins is None else band.wins
    losses = int(band.tone == "bad") if band.losses is None else band.losses
    return wins, losses


def decided(now: Challenge, world: HomebrewWorld, wins: int, losses: int, band: str) -> str:
    """How a challenge came out; empty while it goes on."""
    rule = world.rules.challenges[now.plan.challenge]
    if wins >= rule.wins:
        return WON if rule.who != "lead" or rule.wins > 1 else band or WON
    if losses >= rule.losses or (rule.who != "in turn" and rule.wins == 1):
        return LOST if rule.who != "lead" or rule.wins > 1 else band or LOST
    return ""


def tried(doing: Doing, who: str, bands: Mapping[str, Band], counted: Band, scope: Scope) -> None:
    """A roll counted: the challenge moves on, or is over."""
    now = doing.world.now.challenge
    if now is None or now.outcome:
        return
    rule = doing.world.rules.challenges[now.plan.challenge]
    some = [counts(band) for band in bands.values()] if rule.who == "all together" else [counts(counted)]
    wins, losses = now.wins + sum(w for w, _ in some), now.losses + sum(x for _, x in some)
    outcome = decided(now, doing.world, wins, losses, counted.title)
    won = wins >= rule.wins
    doing.happen(Tried(who, counted.title, wins, losses, outcome))
    for name, band in bands.items():
        if counts(band)[1]:
            doing.do(rule.failed, scope.but(world=doing.world, who=name))
    if outcome:
        doing.do(rule.won if won else rule.lost, scope.but(world=doing.world))
