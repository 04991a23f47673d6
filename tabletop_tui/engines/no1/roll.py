"""The roll: Actions and Shifts, rerolls of 1s, and what comes of it, in the order in which it happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.asking import of, sure
from ...kit.common import plural
from ...kit.order import sighted
from ...rules import Action, Ask, Choice, Dice, Event, Of, Refused
from .able import TableAction, out_of_time, turn_used, waits
from .advantages import Prepared, made, put
from .dice import cast_dice, fall_again, hits, throw_of
from .hazards import Moved, zone_choices
from .spending import moved
from .world import (
    SIDES,
    How,
    No1World,
    Opening,
    Roll,
    RollKind,
    cast,
    focus_of,
    is_hero,
    other_side,
    ranks_left,
    sheet_of,
    side,
    spent_on,
    zone_of,
)

KEPT, LOST = "Initiative kept", "lost"
CLEAN, ONE = "no 1", "a 1"
GAIN, RISK, NOTHING = "Momentum +1", "Entropy +1", "no change"
WITHOUT = "without ranks"
VERBS = {"action": "acts", "defy": "defies danger", "advantage": "looks for an advantage", "move": "moves"}


def labels(kind: RollKind, away: bool = False) -> tuple[str, str]:
    """What the two outcomes are called; a Shift never loses the Initiative, nor does a side that has not got it."""
    return (KEPT, LOST) if kind == "action" and not away else (CLEAN, ONE)


def away(world: No1World, who: str) -> bool:
    """Is there no Initiative to lose: the other side holds it, or nobody is in sight there to seize it?"""
    turns, mine = world.now.turns, side(world, who)
    others = (f for f in turns.fighters.values() if f.side != mine and not f.out and not f.hidden)
    return not turns.running or turns.holder != mine or not any(others)


# ---- who, with what


def _turn(world: No1World, done: Mapping[str, int], word: str) -> Sequence[Choice]:
    """Whoever is up and has it left; outside of encounters everybody."""
    turns = world.now.turns
    if not turns.running:
        return [Choice(w, world.name(w)) for w in cast(world)]
    up = f"it is {world.name(turns.current)}'s turn" if turns.current else "nobody has been picked to go"
    none_left = f"{world.name(turns.current)} has no {word} left this round"
    spent = none_left if done.get(turns.current) == turns.round else ""
    names = sorted(turns.order, key=lambda w: w != turns.current)
    return [Choice(w, world.name(w), spent if w == turns.current else up) for w in names]


def actors(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever is up and has their Action left; outside of encounters everybody."""
    return _turn(world, world.now.taken, "Action")


def shifters(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever is up and has their Shift left; outside of encounters everybody."""
    return _turn(world, world.now.shifted, "Shift")


def skills_of(world: No1World, who: str) -> list[Choice]:
    """Somebody's skills, the best first, and none."""
    sheet = sheet_of(world, who)
    ranked = sorted(sheet.skills.items(), key=lambda s: -s[1]) if sheet else []
    named = [Choice(name, f"{name} {rating}  d{SIDES[rating]}") for name, rating in ranked]
    return [*named, Choice("", f"no skill  d{world.rules.plain_die}")]


def targets(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The other side, those in the same zone first, by the names that the story uses; anything else is text."""
    who = fields.get("who", "")
    here = zone_of(world, who)
    others = [
        w for w, f in world.now.turns.fighters.items() if f.side != side(world, who) and not f.out and not f.hidden
    ]
    return [Choice(world.name(w)) for w in sorted(others, key=lambda w: zone_of(world, w) != here)]


def zone_to(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Where a move can lead; the other Shifts lead nowhere."""
    return zone_choices(world, fields) if fields.get("how") == "move" else ()


def traits_of(world: No1World, who: str) -> list[Choice]:
    """Somebody's Traits, the focused one first, with the ranks that are left."""
    sheet, focus = sheet_of(world, who), focus_of(world, who)
    traits = sorted(sheet.traits.items(), key=lambda t: t[0] != focus) if sheet else []
    return [Choice(t, f"{t} {ranks_left(world, who, t)}/{ranks}") for t, ranks in traits]


def ways(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The three Shifts."""
    stuck = "" if len(world.now.zones) > 1 else "there is no other zone"
    return [
        Choice("defy", "Defy Danger"),
        Choice("advantage", "Create an Advantage"),
        Choice("move", "move to another zone", stuck),
    ]


# ---- the dice fall


class Rolled(Event, tag="rolled"):
    """Dice lie on the table."""

    rule = "Challenge dice plus modifiers, at least 1; Hazard d4s join in; a die at the target or above is a hit"
    roll: Roll
    round: int = 0

    def apply(self, world: No1World) -> No1World:
        now, roll = world.now, self.roll
        name = "taken" if roll.kind == "action" else "shifted"
        done = {name: {**getattr(now, name), roll.who: self.round}} if self.round else {}
        rest = {"defied": put(now.defied, roll.who, 0), "boosts": put(now.boosts, roll.who, 0)}
        return world.live(roll=roll, checked=None, opening=None, verdict="", **rest, **done)

    def says(self, world: No1World) -> str:
        roll = self.roll
        with_ = f" with {roll.skill}" if roll.skill else ""
        at = f" ({roll.target})" if roll.target else ""
        return f"{world.name(roll.who)} {VERBS[roll.kind]}{with_}{at}: {faces(roll)}"

    def outcome(self) -> Mapping[str, str | int]:
        return {WITHOUT: labels(self.roll.kind, self.roll.away)[bool(self.roll.ones())]}


class Rerolled(Event, tag="rerolled"):
    """Dice that showed 1 fell again."""

    rule = "each unspent rank of the focused Trait buys the reroll of one die that shows 1, again and again"
    roll: Roll
    spent: int
    """Ranks of the Trait that are spent now."""
    count: int

    def apply(self, world: No1World) -> No1World:
        who, spent = self.roll.who, world.now.spent
        mine = {**spent.get(who, {}), self.roll.trait: self.spent}
        return world.live(roll=self.roll, spent={**spent, who: mine})

    def says(self, world: No1World) -> str:
        name = world.name(self.roll.who)
        return f"{name} spends {plural(self.count, 'rank')} of {self.roll.trait}: {faces(self.roll)}"


class Settled(Event, tag="settled"):
    """The roll counts."""

    rule = "no 1 left: the team keeps the Initiative; any 1 left: the other side seizes it; hits count either way"
    roll: Roll
    holder: str = ""
    """Who holds the Initiative now; empty where the roll cannot change it."""
    shift_lost: int = 0
    """The round of which whoever rolled has no Shift left; 0 where they keep it."""

    def apply(self, world: No1World) -> No1World:
        turns, shifted = world.now.turns, world.now.shifted
        if self.holder and turns.running:
            turns = replace(turns, holder=self.holder)
        if self.shift_lost:
            shifted = {**shifted, self.roll.who: self.shift_lost}
        return world.live(roll=self.roll, turns=turns, shifted=shifted)

    def says(self, world: No1World) -> str:
        roll = self.roll
        words = f"{world.name(roll.who)}: {plural(roll.hits, 'hit')}, {'no 1' if roll.clean else 'a 1'}"
        if self.holder and self.holder != world.now.turns.holder:
            return f"{words}: the {self.holder} seize the Initiative"
        return words

    def outcome(self) -> Mapping[str, str | int]:
        roll = self.roll
        settled = labels(roll.kind, roll.away)[not roll.clean]
        return {"outcome": settled, "hits": roll.hits, "counters": roll.moves or NOTHING}


def faces(roll: Roll) -> str:
    """Dice in words, Hazard dice behind a bar, bonus hits last."""
    own = " ".join(str(d.face) for d in roll.dice if not d.hazard)
    hazard = " ".join(str(d.face) for d in roll.dice if d.hazard)
    return own + (f" | {hazard}" if hazard else "") + (f", {plural(roll.bonus, 'bonus hit')}" if roll.bonus else "")


def roll_dice(world: No1World, dice: Dice, plan: Roll, modifier: int) -> tuple[Event, ...]:
    """Both Actions and Shifts: the dice fall, and count at once where there is nothing to choose."""
    throw = throw_of(world, plan.who, plan.skill, modifier)
    fallen, bonus = cast_dice(dice, world.name(plan.who), plan.skill, throw, of=plan.who)
    trait = plan.trait or focus_of(world, plan.who)
    roll = replace(plan, dice=fallen, bonus=bonus, trait=trait, away=away(world, plan.who))
    roll = replace(roll, pending=bool(roll.ones()) and ranks_left(world, roll.who, trait) > 0)
    # whoever rolls is seen: a hidden one gives themselves away
    appears = (sighted(world, roll.who, hidden=False),) if world.is_hidden(roll.who) else ()
    events: tuple[Event, ...] = (*appears, Rolled(roll, world.now.turns.round))
    return events if roll.pending else (*events, *settle(world, roll))


class TurnAction(TableAction):
    """What somebody does in their turn: roll."""

    @classmethod
    def when(cls, world: No1World) -> str:
        return waits(world) or out_of_time(world)


class Act(TurnAction, tag="act"):
    """Take an Action: roll Challenge dice with a skill. A 1 that stays hands the Initiative to the other side."""

    title = "act"
    key = "a"
    done_by, done_with, done_to = "who", "skill", "target"
    toward = "against"
    who: Annotated[str, Ask(actors)]
    skill: Annotated[str, Ask(of("who", skills_of), first=True)] = ""
    target: Annotated[str, Meta(max_length=120), Ask(targets, other=True)] = ""
    modifier: Annotated[int, Meta(ge=-20, le=20), Of(free=True)] = 0
    trait: Annotated[str, Ask(of("who", traits_of), "focused Trait", first=True)] = ""

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        plan = Roll("action", self.who, (), skill=self.skill, trait=self.trait, target=self.target.strip())
        return roll_dice(world, dice, plan, self.modifier)


class Shift(TurnAction, tag="shift"):
    """Take a Shift: Defy Danger, Create an Advantage, or move. A 1 adds Entropy but never loses the Initiative."""

    title = "shift"
    key = "s"
    done_by, done_with = "who", "skill"
    who: Annotated[str, Ask(shifters)]
    how: Annotated[How, Ask(ways)]
    skill: Annotated[str, Ask(of("who", skills_of), first=True)] = ""
    zone: Annotated[str, Ask(zone_to, "to", first=True)] = ""
    modifier: Annotated[int, Meta(ge=-20, le=20), Of(free=True)] = 0
    trait: Annotated[str, Ask(of("who", traits_of), "focused Trait", first=True)] = ""

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        if not self.how:
            raise Refused("which Shift?", remedy="Defy Danger, create an advantage, or move.")
        if self.how == "move" and not self.zone:
            raise Refused("where to?", remedy=f"Zones: {', '.join(world.now.zones)}.")
        to = self.zone if self.how == "move" else ""
        plan = Roll(self.how, self.who, (), skill=self.skill, trait=self.trait, to=to)
        return roll_dice(world, dice, plan, self.modifier)


# ---- 1s: reroll, or let go


class PendingAction(Action):
    """What is done about the 1s of a roll that waits."""

    @classmethod
    def actor(cls, world: No1World, fields: Mapping[str, Any]) -> str:
        return world.now.roll.who if world.now.roll else ""

    @classmethod
    def when(cls, world: No1World) -> str:
        roll = world.now.roll
        return "" if roll and roll.pending else "no roll waits"


def ones(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The dice on the table, by place; only those that show 1 can fall again."""
    roll = world.now.roll
    if roll is None or not roll.pending:
        return []
    return [
        Choice(i, f"{d.face} on a d{d.sides}", "" if d.face == 1 else "it shows no 1")
        for i, d in enumerate(roll.dice)
    ]


class Reroll(PendingAction, tag="reroll"):
    """Spend a rank of the focused Trait for each die named: it shows 1 and falls again. With none the roll counts."""

    title = "reroll"
    dice: Annotated[tuple[int, ...], Ask(ones)] = ()

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        roll = sure(world.now.roll)
        if not self.dice:
            return settle(world, roll)
        left = ranks_left(world, roll.who, roll.trait)
        if len(self.dice) > left:
            raise Refused(f"{len(self.dice)} dice are too many to reroll", remedy=f"{plural(left, 'rank')} left.")
        fallen = fall_again(dice, f"{world.name(roll.who)}: reroll", roll.dice, self.dice, of=roll.who)
        roll = replace(roll, dice=fallen)
        roll = replace(roll, pending=bool(roll.ones()) and left > len(self.dice))
        rerolled = Rerolled(roll, spent_on(world, roll.who, roll.trait) + len(self.dice), len(self.dice))
        return (rerolled,) if roll.pending else (rerolled, *settle(world, roll))


class LetGo(PendingAction, tag="let_go"):
    """Let the roll count with its 1s and keep the ranks."""

    title = "let it count"

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        roll = sure(world.now.roll)
        return settle(world, roll)


# ---- what comes of it


def settle(world: No1World, roll: Roll) -> tuple[Event, ...]:
    """Hits, the Initiative, the counters, and what a Shift was for."""
    clean = not roll.ones()
    moves = counter_move(world, roll.who, roll.kind, clean)
    count = hits(world.rules, roll.dice) + roll.bonus
    done = replace(roll, pending=False, hits=count, clean=clean, moves=moves)
    mine, turns = side(world, roll.who), world.now.turns
    # a clean roll keeps what its side has: where the other side holds the Initiative it stays there
    seized = turns.running and roll.kind == "action" and not (clean or roll.away)
    gone = turns.round if seized and not world.rules.shift_after_seizure else 0
    events: list[Event] = [Settled(done, other_side(mine) if seized else "", gone)]
    if moves:
        events.append(moved(world, momentum=int(moves == GAIN), entropy=int(moves == RISK)))
    if roll.kind == "defy" and count:
        events.append(Prepared(roll.who, count, 0))
    elif roll.kind == "advantage" and count:
        events.append(made(world, roll.who, count))
    elif roll.kind == "move":
        events.append(Moved(roll.who, roll.to))
    return tuple(events)


def counter_move(world: No1World, who: str, kind: RollKind, clean: bool) -> str:
    """Once a roll, however many 1s: which counter goes up; empty for none."""
    rules, turns = world.rules, world.now.turns
    without = turns.running and turns.holder != side(world, who) and rules.momentum_needs_initiative
    if clean and (without or (kind != "action" and not rules.shift_momentum)):
        return ""
    if is_hero(world, who):
        return GAIN if clean else RISK
    return "" if not rules.foes_move_counters else RISK if clean else GAIN


# ---- what a screen asks


def lying(world: No1World) -> Roll | None:
    """The roll that lies on the table: until somebody else is up, or another round begins."""
    now, turns = world.now, world.now.turns
    roll = now.roll
    if roll is None or roll.pending or not turns.running:
        return roll
    # players see no change when a hidden one is up
    last = next((w for w in reversed(turns.begun) if not world.is_hidden(w)), roll.who)
    return roll if turn_used(world, roll.who) and last == roll.who else None


def opened(world: No1World) -> Opening | None:
    """The opening test that lies on the table: until somebody is up, or the first round is over."""
    now = world.now
    begun = any(not world.is_hidden(w) for w in now.turns.begun)
    return now.opening if now.turns.round == 1 and not begun else None


def usual(world: No1World) -> Act | None:
    """The Action that whoever is up would take with their best skill."""
    turns = world.now.turns
    who = turns.current
    if not who or Act.when(world) or world.now.taken.get(who) == turns.round:
        return None
    act = Act(who, str(skills_of(world, who)[0].value))
    try:
        throw_of(world, who, act.skill, 0)
    except Refused:  # more dice than one roll may have
        return None
    return act
