"""Challenge and Timer: how many dice, how many rounds, and the comparison when time is up."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from ...kit.common import moment
from ...kit.order import FOES, HEROES
from ...kit.turn_events import RoundBegan
from ...rules import Dice, Event, Refused
from .able import TableAction
from .initiative import passes_on
from .world import MOST_CHALLENGE, No1World


class ChallengeSet(Event, tag="challenge_set"):
    """The scene is more dangerous, or less; or its time is another."""

    rule = "the BAMF sets Challenge, the number of dice of every roll, and a Timer in rounds"
    challenge: int
    timer: int | None = None

    def apply(self, world: No1World) -> No1World:
        return world.live(
            challenge=self.challenge,
            turns=replace(world.now.turns, timer=self.timer),
            verdict=world.now.verdict if self.timer == 0 else "",
        )

    def says(self, world: No1World) -> str:
        now, words = world.now, []
        if self.challenge != now.challenge:
            words.append(f"Challenge {now.challenge} → {self.challenge}")
        if self.timer != now.turns.timer:
            words.append("no Timer" if self.timer is None else f"Timer {self.timer}")
        return ", ".join(words)


def verdict(momentum: int, entropy: int) -> str:
    """Which way a scene turns."""
    return "level" if momentum == entropy else HEROES if momentum > entropy else FOES


VERDICTS = {
    HEROES: "the scene turns the heroes' way",
    FOES: "the scene turns the foes' way",
    "level": "the scene hangs in the balance",
}


class SceneTurned(Event, tag="scene_turned"):
    """Momentum and Entropy were compared."""

    rule = "at Timer 0, and at the end, the larger of Momentum and Entropy says which way the scene turns"
    verdict: str
    momentum: int
    entropy: int

    def apply(self, world: No1World) -> No1World:
        return world.live(verdict=self.verdict)

    def says(self, world: No1World) -> str:
        return f"Momentum {self.momentum}, Entropy {self.entropy}: {VERDICTS.get(self.verdict, self.verdict)}"


class TimeUp(Event, tag="time_up"):
    """The last round is over."""

    rule = "the Timer drops by 1 at the end of a round; at 0 Momentum and Entropy are compared"

    def apply(self, world: No1World) -> No1World:
        return world.live(turns=replace(world.now.turns, timer=0, current=""))

    def says(self, world: No1World) -> str:
        return f"Round {world.now.turns.round} is over, and the Timer has run out"


def turned(momentum: int, entropy: int) -> SceneTurned:
    """The comparison."""
    return SceneTurned(verdict(momentum, entropy), momentum, entropy)


def retimed(world: No1World, challenge: int, timer: int | None, momentum: int, entropy: int) -> tuple[Event, ...]:
    """Challenge and Timer are others. A Timer brought to 0 ends the round; more time after that begins another."""
    turns = world.now.turns
    changed = ChallengeSet(challenge, timer)
    if turns.timer == 0 and timer != 0:
        return (changed, *passes_on(turns), RoundBegan(turns.round + 1, timer))
    if timer != 0 or turns.timer == 0:
        return (changed,)
    ended = moment(world, "end", turns.current) if turns.current else ()
    return (changed, *ended, *moment(world, "round"), TimeUp(), turned(momentum, entropy))


class SetChallenge(TableAction, tag="set"):
    """Set Challenge, and the Timer of the encounter that runs, without paying. More time begins another round."""

    title = "set Challenge"
    key = "c"
    challenge: Annotated[int, Meta(ge=1, le=MOST_CHALLENGE)]
    timer: Annotated[int, Meta(ge=-1, le=100, description="as it is")] = -1
    no_timer: bool = False
    """The encounter goes on without a limit."""

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        turns = world.now.turns
        if (self.timer >= 0 or self.no_timer) and not turns.running:
            raise Refused("no encounter is running, so there is no Timer", remedy="Begin one, or leave it out.")
        timer = None if self.no_timer else turns.timer if self.timer < 0 else self.timer
        if (self.challenge, timer) == (world.now.challenge, turns.timer):
            raise Refused("that is how it stands already")
        return retimed(world, self.challenge, timer, world.now.momentum, world.now.entropy)
