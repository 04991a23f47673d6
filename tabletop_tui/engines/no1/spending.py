"""Momentum, Entropy and advantages: how they move and what they buy; Waypoints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Refused
from ...rules.common import ClockMoved, clock_choices
from ...rules.order import FOES, HEROES, RoundBegan
from .world import MOST_CHALLENGE, USES, No1World, Use, cast, is_hero, plural, side, waits, zone_name, zone_of

# ---- the counters


class CountersMoved(Event, tag="counters_moved"):
    """Momentum or Entropy went up or down."""

    rule = "a clean action adds 1 Momentum, a roll with a 1 left adds 1 Entropy; nothing goes below 0"
    momentum: int
    entropy: int
    why: str = ""
    quiet: bool = False
    """Only the GM is told why."""

    def apply(self, world: No1World) -> No1World:
        now = world.now
        return world.live(
            momentum=self.momentum,
            entropy=self.entropy,
            momentum_moved=self.momentum - now.momentum,
            entropy_moved=self.entropy - now.entropy,
            verdict=now.verdict if now.turns.running else "",  # an old comparison is not of these numbers
        )

    def _words(self, world: No1World, why: str) -> str:
        now = world.now
        moves = [("Momentum", now.momentum, self.momentum), ("Entropy", now.entropy, self.entropy)]
        words = ", ".join(f"{name} {old} → {new}" for name, old, new in moves if old != new)
        return f"{why}: {words}" if why and words else words or why

    def says(self, world: No1World) -> str:
        return self._words(world, "" if self.quiet else self.why)

    def whispers(self, world: No1World) -> str:
        return self._words(world, self.why) if self.quiet and self.why else ""


def moved(world: No1World, momentum: int = 0, entropy: int = 0, why: str = "") -> CountersMoved:
    """The counters moved by so much, never below 0."""
    now = world.now
    return CountersMoved(max(now.momentum + momentum, 0), max(now.entropy + entropy, 0), why)


class ChallengeSet(Event, tag="challenge_set"):
    """The scene is more dangerous, or less; or its time is another."""

    rule = "the GM sets Challenge, the number of dice of every roll, and a Timer in rounds"
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


def time_up(world: No1World, timer: int | None, momentum: int, entropy: int) -> tuple[Event, ...]:
    """The comparison, where the Timer has just run out."""
    if timer != 0 or world.now.turns.timer == 0:
        return ()
    return (SceneTurned(verdict(momentum, entropy), momentum, entropy),)


class SetChallenge(Action, tag="set"):
    """Set Challenge, and the Timer of the encounter that runs, without paying. More time begins another round."""

    title = "set Challenge"
    key = "c"
    screens = ("table",)
    challenge: Annotated[int, Meta(ge=1, le=MOST_CHALLENGE)]
    timer: Annotated[int, Meta(ge=-1, le=100, description="as it is")] = -1
    no_timer: bool = False
    """The encounter goes on without a limit."""

    @classmethod
    def when(cls, world: No1World) -> str:
        return waits(world)

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        turns = world.now.turns
        if (self.timer >= 0 or self.no_timer) and not turns.running:
            raise Refused("no encounter is running, so there is no Timer", remedy="Begin one, or leave it out.")
        timer = None if self.no_timer else turns.timer if self.timer < 0 else self.timer
        if (self.challenge, timer) == (world.now.challenge, turns.timer):
            raise Refused("that is how it stands already")
        changed = ChallengeSet(self.challenge, timer)
        if turns.timer == 0 and timer != 0 and not turns.current:  # its last round was over
            return (changed, RoundBegan(turns.round + 1, timer))
        return (changed, *time_up(world, timer, world.now.momentum, world.now.entropy))


class Adjust(Action, tag="adjust"):
    """Move Momentum or Entropy by hand: a reward, a slip of the pen, a ruling."""

    title = "adjust a counter"
    counter: Literal["momentum", "entropy"]
    by: Annotated[int, Meta(ge=-1_000, le=1_000)]
    why: Annotated[str, Meta(max_length=200)] = ""

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        why = self.why.strip() or "By the GM's word"
        return (moved(world, **{self.counter: self.by}, why=why),)


# ---- the GM spends Entropy


def entropy_uses(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What Entropy can buy now."""
    now, rules = world.now, world.rules
    full = "Challenge is as high as it goes" if now.challenge >= MOST_CHALLENGE else ""
    clocks = "" if now.clocks else "there are no clocks"
    if now.clocks and all(c.filled >= c.size for c in now.clocks.values()):
        clocks = "every clock is full"
    return [
        Choice(
            "challenge", f"+1 Challenge ({rules.challenge_cost})", full or _short(now.entropy, rules.challenge_cost)
        ),
        Choice("clock", f"tick a clock ({rules.clock_cost})", clocks or _short(now.entropy, rules.clock_cost)),
        Choice("story", "something else, in words"),
    ]


def _short(have: int, cost: int) -> str:
    return "" if have >= cost else f"it costs {cost} Entropy, there is {have}"


def clock_to_tick(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The clocks, where one is to be ticked; a full one is worth nothing more."""
    if fields.get("on") != "clock":
        return ()
    clocks = world.now.clocks
    found = [
        replace(c, closed="it is full" if clocks[c.value].filled >= clocks[c.value].size else "")
        for c in clock_choices(world, fields)
    ]
    return sorted(found, key=lambda c: bool(c.closed))


class SpendEntropy(Action, tag="spend"):
    """The GM spends Entropy, with a reason: raise Challenge, tick a plot clock, or turn the story."""

    title = "spend Entropy"
    key = "e"
    screens = ("table",)
    on: Annotated[str, Ask(entropy_uses)]
    reason: Annotated[str, Meta(max_length=200)]
    clock: Annotated[str, Ask(clock_to_tick, first=True)] = ""
    points: Annotated[int, Meta(ge=0, le=1_000, description="the usual cost; more may be paid")] = 0

    @classmethod
    def when(cls, world: No1World) -> str:
        return waits(world) or ("" if world.now.entropy else "there is no Entropy to spend")

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        now, rules = world.now, world.rules
        if not self.reason.strip():
            raise Refused("Entropy is spent with a reason", remedy="Say what happens in the story.")
        usual = {"challenge": rules.challenge_cost, "clock": rules.clock_cost}.get(self.on, 1)
        if 0 < self.points < usual:
            raise Refused(f"it costs {usual} Entropy", remedy="A table's own price is a key under [rules].")
        cost = self.points or usual
        if cost > now.entropy:
            raise Refused(f"it costs {cost} Entropy, there is {now.entropy}", remedy="Spend less.")
        paid = moved(world, entropy=-cost, why=self.reason.strip())
        if self.on == "challenge":
            return (paid, ChallengeSet(now.challenge + 1, now.turns.timer))
        if self.on == "story":
            return (paid,)
        clock = now.clocks.get(self.clock)
        if clock is None:
            names = ", ".join(c.name for c in now.clocks.values())
            raise Refused("no clock was named", remedy=f"There is: {names}.")
        paid = replace(paid, quiet=clock.secret)  # the reason would tell of a clock that players do not know
        return (paid, ClockMoved(self.clock, min(clock.filled + 1, clock.size)))


# ---- advantages


class AdvantagesChanged(Event, tag="advantages_changed"):
    """A side has more advantages in a zone, or fewer."""

    rule = "Create an Advantage: each hit is one, in the zone, for anybody of the team there to spend"
    side: str
    zone: str
    count: int

    def apply(self, world: No1World) -> No1World:
        mine = {z: n for z, n in world.now.advantages.get(self.side, {}).items() if z != self.zone}
        if self.count:
            mine[self.zone] = self.count
        return world.live(advantages={**world.now.advantages, self.side: mine})

    def says(self, world: No1World) -> str:
        return f"The {self.side} have {plural(self.count, 'advantage')} ({zone_name(world, self.zone)})"


class Prepared(Event, tag="prepared"):
    """Somebody's next roll has fewer Hazard dice, or bonus hits."""

    rule = "Defy Danger takes its hits off the Hazard dice of the next roll; an advantage one die, or adds 1d4 hits"
    who: str
    defied: int
    boosts: int

    def apply(self, world: No1World) -> No1World:
        now = world.now
        return world.live(
            defied=_put(now.defied, self.who, self.defied), boosts=_put(now.boosts, self.who, self.boosts)
        )

    def says(self, world: No1World) -> str:
        parts = []
        if self.defied:
            parts.append(f"{self.defied} Hazard {'die' if self.defied == 1 else 'dice'} less")
        if self.boosts:
            parts.append(f"+{self.boosts}d4 hits")
        return f"{world.name(self.who)}'s next roll: {', '.join(parts)}" if parts else ""


def _put(held: Mapping[str, int], who: str, value: int) -> dict[str, int]:
    rest = {w: n for w, n in held.items() if w != who}
    return {**rest, who: value} if value else rest


def advantages(world: No1World, who: str) -> int:
    """Advantages that somebody can spend: their team's, where they stand."""
    return world.now.advantages.get(side(world, who), {}).get(zone_of(world, who), 0)


def spenders(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who stands where their team has an advantage."""
    return [
        Choice(w, f"{world.name(w)}: {n}") for w in cast(world) if (n := advantages(world, w)) and _seen(world, w)
    ]


def _seen(world: No1World, who: str) -> bool:
    fighter = world.now.turns.fighters.get(who)
    return fighter is None or not (fighter.out or fighter.hidden)


USE_WORDS: dict[Use, str] = {"hits": "+1d4 bonus hits", "hazard": "one Hazard die less", "entropy": "1 Entropy less"}


def advantage_uses(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What an advantage can be spent on."""
    hero = is_hero(world, fields.get("who", ""))
    closed: dict[Use, str] = dict.fromkeys(USES, "")
    closed["entropy"] = (
        "" if hero and world.now.entropy else "there is no Entropy" if hero else "the foes want Entropy"
    )
    return [
        Choice(u, USE_WORDS[u], closed[u] if u in world.rules.advantage_uses else "a house rule leaves it out")
        for u in USES
    ]


class SpendAdvantage(Action, tag="advantage"):
    """Spend an advantage of the team, in the zone: bonus hits or one Hazard die less on the next roll, or Entropy."""

    title = "spend an advantage"
    key = "v"
    screens = ("table",)
    who: Annotated[str, Ask(spenders)]
    on: Annotated[Use, Ask(advantage_uses)]

    @classmethod
    def when(cls, world: No1World) -> str:
        held = any(n for zones in world.now.advantages.values() for n in zones.values())
        return waits(world) or ("" if held else "nobody has an advantage")

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        now = world.now
        mine, zone = side(world, self.who), zone_of(world, self.who)
        spent = AdvantagesChanged(mine, zone, advantages(world, self.who) - 1)
        if self.on == "entropy":
            return (spent, moved(world, entropy=-1, why=f"{world.name(self.who)} spends an advantage"))
        defied, boosts = now.defied.get(self.who, 0), now.boosts.get(self.who, 0)
        more = (defied, boosts + 1) if self.on == "hits" else (defied + 1, boosts)
        return (spent, Prepared(self.who, *more))


# ---- Waypoints


class WaypointReached(Event, tag="waypoint_reached"):
    """A Waypoint began."""

    rule = "spent ranks come back when a Waypoint begins"

    def apply(self, world: No1World) -> No1World:
        return world.live(spent={})

    def says(self, world: No1World) -> str:
        return "A Waypoint: every rank is back"


class Waypoint(Action, tag="waypoint"):
    """Begin a Waypoint: all spent ranks come back."""

    title = "waypoint"
    key = "w"
    screens = ("table",)

    @classmethod
    def when(cls, world: No1World) -> str:
        return waits(world)

    @classmethod
    def warns(cls, world: No1World) -> str:
        return "An encounter is running. Give every rank back now?" if world.now.turns.running else ""

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        return (WaypointReached(),)
