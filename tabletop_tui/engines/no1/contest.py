"""Contests of one against one: called, accepted or declined, fought over a few rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from ...kit.asking import sure
from ...kit.cast import met
from ...kit.common import plural
from ...kit.told import altered
from ...rules import Action, Ask, Choice, Dice, Event, Of
from .able import fighting_it_out, waits
from .dice import challenge_dice, die_of
from .roll import skills_of
from .spending import moved
from .world import Bout, Duel, No1World, cast, is_hero, sheet_of, side

TAKES, LEVEL, YIELDS = "takes the round", "level", "loses the round"


def whose(result: str) -> str:
    """How a round went, and for whom."""
    return result if result == LEVEL else f"challenger {result}"


def challenger(world: No1World, _fields: Mapping[str, Any]) -> str:
    """Who called the contest."""
    return world.now.duel.challenger if world.now.duel else ""


def called_out(world: No1World, fields: Mapping[str, Any]) -> str:
    """Who was called out to it."""
    return world.now.duel.other if world.now.duel else ""


# ---- a contest is called


def duellists(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody in sight."""
    return [Choice(w, world.name(w), _absent(world, w)) for w in cast(world)]


def opponents(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody in sight on the other side."""
    mine = side(world, fields.get("who", ""))
    return [Choice(w, world.name(w), _absent(world, w)) for w in cast(world) if side(world, w) != mine]


def _absent(world: No1World, who: str) -> str:
    fighter = world.now.turns.fighters.get(who)
    if fighter and fighter.out:
        return "is out of the fight"
    return "is hidden: reveal them first" if world.is_hidden(who) else ""


def traits_of(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The challenger's Traits; somebody without any calls it in general."""
    sheet = sheet_of(world, fields.get("who", ""))
    return [Choice(t) for t in (sheet.traits if sheet and sheet.traits else ("mettle",))]


class ContestCalled(Event, tag="contest_called"):
    """Somebody challenged somebody."""

    rule = "a challenger calls a contest of one against one and names its Trait"
    challenger: str
    other: str
    trait: str

    def apply(self, world: No1World) -> No1World:
        return world.live(duel=Duel(self.challenger, self.other, self.trait))

    def says(self, world: No1World) -> str:
        return f"{world.name(self.challenger)} challenges {world.name(self.other)} to a contest of {self.trait}"


class ContestAnswered(Event, tag="contest_answered"):
    """The contest was accepted, or declined."""

    rule = "declining gives the challenger's side Momentum or Entropy; accepted, two dice are its rounds"
    faces: tuple[int, ...] = ()
    """Empty where it was declined."""

    def apply(self, world: No1World) -> No1World:
        if not self.faces:
            return altered(world, "duel", stage="over", declined=True)
        return altered(world, "duel", stage="fought", rounds=sum(self.faces))

    def says(self, world: No1World) -> str:
        name = world.name(called_out(world, {}))
        if not self.faces:
            return f"{name} declines the contest"
        return f"{name} accepts: {' + '.join(map(str, self.faces))} = {plural(sum(self.faces), 'round')}"


class BoutFought(Event, tag="bout_fought"):
    """A round of the contest."""

    rule = "both roll Challenge dice; most hits takes the round; a skill used again costs a hit for each earlier use"
    duel: Duel
    result: str
    """How it went for the challenger."""

    def apply(self, world: No1World) -> No1World:
        return world.live(duel=self.duel)

    def says(self, world: No1World) -> str:
        duel = self.duel
        shown = " against ".join(f"{plural(b.hits, 'hit')} for {world.name(w)}" for w, b in duel.bouts.items())
        how = {TAKES: f"{world.name(duel.challenger)} takes it", YIELDS: f"{world.name(duel.other)} takes it"}
        return f"Round {duel.round} of {duel.rounds}: {shown}: {how.get(self.result, LEVEL)}"

    def outcome(self) -> Mapping[str, str | int]:
        return {"outcome": whose(self.result)}


class ContestWon(Event, tag="contest_won"):
    """The contest is over; level is a draw."""

    rule = "most rounds wins the contest; the winner's side gains Momentum or Entropy; level is a draw"
    winner: str = ""

    def apply(self, world: No1World) -> No1World:
        return altered(world, "duel", stage="over", winner=self.winner)

    def says(self, world: No1World) -> str:
        return f"{world.name(self.winner)} wins the contest" if self.winner else "The contest is a draw"


class CallContest(Action, tag="contest"):
    """Call somebody of the other side out: a contest of one against one over a Trait."""

    title = "contest"
    key = "l"
    screens = ("table", "contest")
    leads_to = "contest"
    done_by = "who"
    who: Annotated[str, Ask(duellists)]
    against: Annotated[str, Ask(opponents)]
    trait: Annotated[str, Ask(traits_of)]

    @classmethod
    def when(cls, world: No1World) -> str:
        return waits(world) or fighting_it_out(world)

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        called = ContestCalled(self.who, self.against, self.trait)
        return (called, *met(called.apply(world)))


class ContestReply(Action):
    """What somebody who was called out says."""

    screens = ("contest",)
    actor = staticmethod(called_out)

    @classmethod
    def when(cls, world: No1World) -> str:
        duel = world.now.duel
        return waits(world) or ("" if duel and duel.stage == "called" else "nobody has been called out")


class Accept(ContestReply, tag="accept"):
    """Accept the contest: both roll a die, and the sum is the number of its rounds."""

    title = "accept"
    key = "a"

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        die = world.rules.contest_die
        return (ContestAnswered(dice.roll("rounds of the contest", die, die)),)


class Decline(ContestReply, tag="decline"):
    """Decline the contest: the challenger's side gains Momentum or Entropy."""

    title = "decline"
    key = "d"

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        return (ContestAnswered(), gain(world, challenger(world, {}), world.rules.contest_decline))


def gain(world: No1World, who: str, points: int) -> Event:
    """What a side wins: Momentum for the players', Entropy for the others."""
    return moved(world, momentum=points) if is_hero(world, who) else moved(world, entropy=points)


class ContestLeft(Event, tag="contest_left"):
    """The contest came to nothing."""

    rule = "a contest that cannot be finished is nobody's, by the BAMF's word"

    def apply(self, world: No1World) -> No1World:
        return world.live(duel=None)

    def says(self, world: No1World) -> str:
        return "The contest is called off: nobody wins it"


class CallOff(Action, tag="call_off"):
    """Call the contest off: nobody wins it and no counter moves."""

    title = "call it off"
    key = "x"
    screens = ("contest",)

    @classmethod
    def when(cls, world: No1World) -> str:
        return waits(world) or ("" if fighting_it_out(world) else "no contest is under way")

    @classmethod
    def warns(cls, world: No1World) -> str:
        duel = world.now.duel
        fought = (
            f"{duel.round} of {plural(duel.rounds, 'round')} fought" if duel and duel.rounds else "not answered yet"
        )
        return f"The contest is not over, {fought}. Call it off?"

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        return (ContestLeft(),)


# ---- its rounds


def challenger_skills(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The challenger's skills, with what using one again would cost."""
    duel = world.now.duel
    return priced(world, duel, duel.challenger) if duel else []


def other_skills(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The other one's skills, with what using one again would cost."""
    duel = world.now.duel
    return priced(world, duel, duel.other) if duel else []


def cost(world: No1World, duel: Duel, who: str, skill: str) -> int:
    """Hits that a skill costs for its earlier uses."""
    return duel.used.get(who, {}).get(skill, 0) * world.rules.contest_repeat


def priced(world: No1World, duel: Duel, who: str) -> list[Choice]:
    """Skills for a round; the fresh ones first, the best of them first."""
    found = [
        replace(c, label=f"{c.words}, costs {plural(n, 'hit')}") if (n := cost(world, duel, who, c.value)) else c
        for c in skills_of(world, who)
    ]
    return sorted(found, key=lambda c: cost(world, duel, who, c.value))


def best(world: No1World, duel: Duel, who: str) -> str:
    """The skill that costs least and counts most."""
    return str(priced(world, duel, who)[0].value)


class FightBout(Action, tag="bout"):
    """Fight a round of the contest: both roll Challenge dice with a skill."""

    title = "fight a round"
    key = "b"
    screens = ("contest",)
    skill: Annotated[str, Ask(challenger_skills, "challenger's skill", first=True), Of(owner=challenger)] = ""
    using: Annotated[str, Ask(other_skills, "other's skill", first=True), Of(owner=called_out)] = ""

    @classmethod
    def actor(cls, world: No1World, fields: Mapping[str, Any]) -> str:
        # against one of the GM's it is the player who asks for the round
        first = challenger(world, fields)
        sheet = world.sheets.get(first)
        return first if sheet and sheet.player else called_out(world, fields)

    @classmethod
    def when(cls, world: No1World) -> str:
        duel = world.now.duel
        return waits(world) or ("" if duel and duel.stage == "fought" else "no contest is being fought")

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        duel = sure(world.now.duel)
        first = _bout(world, dice, duel, duel.challenger, self.skill)
        second = _bout(world, dice, duel, duel.other, self.using)
        result = TAKES if first.hits > second.hits else YIELDS if first.hits < second.hits else LEVEL
        won = dict(duel.won)
        if result != LEVEL:
            taker = duel.challenger if result == TAKES else duel.other
            won[taker] = won.get(taker, 0) + 1
        fought = replace(
            duel,
            round=duel.round + 1,
            won=won,
            used=used_after(duel, first.skill, second.skill),
            bouts={duel.challenger: first, duel.other: second},
        )
        bout = BoutFought(fought, result)
        return (bout, *_ended(world, fought)) if fought.round >= fought.rounds else (bout,)


def used_after(duel: Duel, skill: str, using: str) -> dict[str, dict[str, int]]:
    """How often each skill was used, by who, after a round with these."""
    used = {who: dict(duel.used.get(who, {})) for who in (duel.challenger, duel.other)}
    for who, name in ((duel.challenger, skill), (duel.other, using)):
        used[who][name] = used[who].get(name, 0) + 1
    return used


def _bout(world: No1World, dice: Dice, duel: Duel, who: str, skill: str) -> Bout:
    sides = die_of(world, who, skill)
    name = world.name(who)
    faces = dice.roll(f"{name}: {skill}" if skill else name, *[sides] * challenge_dice(world), of=who)
    less = cost(world, duel, who, skill)
    hits = sum(f >= world.rules.target for f in faces)
    return Bout(skill, sides, faces, max(hits - less, 0), less)


def _ended(world: No1World, duel: Duel) -> tuple[Event, ...]:
    ours, theirs = duel.won.get(duel.challenger, 0), duel.won.get(duel.other, 0)
    if ours == theirs:
        return (ContestWon(),)
    winner = duel.challenger if ours > theirs else duel.other
    return (ContestWon(winner), gain(world, winner, world.rules.contest_win))
