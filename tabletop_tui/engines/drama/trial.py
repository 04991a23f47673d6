"""Tests made in one go: attribute, unopposed, resisted and opposed tests, and a pool split among several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Refused
from ...rules.order import turn_of
from .building import (
    able_ones,
    apart,
    approaches,
    attribute_choices,
    best_approach,
    difficulty_choices,
    own_approaches,
    own_passions,
    own_penalties,
    own_points,
    passions_of,
    points_of,
    resist_choices,
    side,
)
from .crew import task_sides
from .dice import throw
from .points import spend
from .reading import waiting
from .verdict import finish
from .world import ATTRIBUTES, DramaWorld, Entry, Gift, Piece, Roll, Side, Task

Some = Annotated[int, Meta(ge=0, le=20)]
"""Situational dice: for one test."""
Words = Annotated[str, Meta(max_length=120)]


def others(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else who can act."""
    return [c for c in able_ones(world, fields) if c.value != fields.get("who")]


def bystanders(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else, broken or not."""
    return [Choice("", "nobody"), *(Choice(w, world.name(w)) for w in world.present() if w != fields.get("who"))]


def free_hands(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else who can act, or nobody."""
    return [Choice("", "nobody"), *others(world, fields)]


def givers(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever could add to the drama: anybody, whether they are in it or not."""
    why = "" if world.rules.drama_dice_each else "this table gives no drama dice away"
    return [Choice(w, world.name(w), why) for w in world.present()]


def their_approaches(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the other one can use."""
    return approaches(world, fields.get("against", ""))


def their_passions(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Passions of the other one."""
    return passions_of(world, fields.get("against", ""))


def their_points(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Drama Points of the other one."""
    return points_of(world, fields.get("against", ""))


def gifts(who: Sequence[str], to: str, reason: str) -> dict[str, Gift]:
    """Drama dice from some people, all for one reason."""
    if who and not reason.strip():
        raise Refused("a drama die needs a reason", remedy="Say how it adds to the drama.")
    return {giver: Gift(to, reason.strip()) for giver in who}


class MakeTest(Action, tag="test"):
    """Roll a test: an attribute or a skill against a difficulty, resisted by somebody or not."""

    title = "test"
    key = "e"
    screens = ("table",)
    who: Annotated[str, Ask(able_ones)]
    using: Annotated[str, Ask(own_approaches)]
    attribute: Annotated[str, Ask(attribute_choices)] = ""
    difficulty: Annotated[str, Ask(difficulty_choices)] = "some"
    resisted_by: Annotated[str, Ask(bystanders)] = ""
    resist: Annotated[str, Ask(resist_choices, "resists with")] = ""
    hand: Annotated[str, Ask(free_hands, "lends a hand")] = ""
    passion: Annotated[str, Ask(own_passions)] = ""
    point: Annotated[str, Ask(own_points, "Drama Point")] = ""
    turned: Annotated[str, Ask(own_penalties, "penalty that helps")] = ""
    more_base: Some = 0
    more_resistance: Some = 0
    more_drama: Some = 0
    because: Words = ""
    given_by: Annotated[tuple[str, ...], Ask(givers, "drama dice from")] = ()
    reason: Words = ""

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return waiting(world)

    def task(self, world: DramaWorld) -> Task:
        """The same test as one that was prepared."""
        more = Piece(self.because.strip() or "situation", self.more_base, self.more_resistance, self.more_drama)
        entry = Entry(self.using, self.attribute, self.passion, self.point, self.turned)
        hands = {self.hand: hand_attribute(world, self.who, entry)} if self.hand else {}
        name = f"{world.name(self.who)}, {self.using.rpartition(':')[2]}"
        return Task(
            name,
            "",
            self.difficulty,
            self.resisted_by,
            self.resist,
            self.who,
            {self.who: entry},
            hands,
            gifts(self.given_by, self.who, self.reason),
            more,
        )

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        task = self.task(world)
        sides = {key: throw(dice, one) for key, one in task_sides(world, task).items()}
        spent = [spend(world, self.who, "a Drama Point for drama dice")] if self.point else []
        for event in spent:
            world = event.apply(world)
        return (*spent, *finish(world, Roll("test", sides, what=task.name, turn=turn_of(world))))


def hand_attribute(world: DramaWorld, lead: str, entry: Entry) -> str:
    """The attribute that a helper adds: the one the lead uses."""
    if entry.using in ATTRIBUTES:
        return entry.using
    skill = world.sheets[lead].skills.get(entry.using)
    return entry.attribute or (skill.attribute if skill else "Social")


class Oppose(Action, tag="oppose"):
    """Roll two pools against each other: two net successes or more, and more than the other."""

    title = "opposed test"
    key = "o"
    screens = ("table",)
    who: Annotated[str, Ask(able_ones)]
    using: Annotated[str, Ask(own_approaches)]
    against: Annotated[str, Ask(others)]
    their_using: Annotated[str, Ask(their_approaches)]
    attribute: Annotated[str, Ask(attribute_choices)] = ""
    their_attribute: Annotated[str, Ask(attribute_choices)] = ""
    passion: Annotated[str, Ask(own_passions)] = ""
    their_passion: Annotated[str, Ask(their_passions)] = ""
    point: Annotated[str, Ask(own_points, "Drama Point")] = ""
    their_point: Annotated[str, Ask(their_points, "their Drama Point")] = ""
    turned: Annotated[str, Ask(own_penalties, "penalty that helps")] = ""
    more_base: Some = 0
    more_resistance: Some = 0
    more_drama: Some = 0
    their_base: Some = 0
    their_resistance: Some = 0
    their_drama: Some = 0
    because: Words = ""
    given_by: Annotated[tuple[str, ...], Ask(givers, "drama dice from")] = ()
    reason: Words = ""

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return waiting(world)

    def sides(self, world: DramaWorld) -> dict[str, Side]:
        """Both pools before they fall."""
        why = self.because.strip() or "situation"
        mine = [Piece(why, self.more_base, self.more_resistance, self.more_drama)]
        theirs = Piece(why, self.their_base, self.their_resistance, self.their_drama)
        given = gifts(self.given_by, self.who, self.reason)
        mine += [Piece(f"{world.name(w)}: {g.reason}", drama=g.dice) for w, g in given.items()]
        entry = Entry(self.using, self.attribute, self.passion, self.point, self.turned)
        other = Entry(self.their_using, self.their_attribute, self.their_passion, self.their_point)
        keys = (self.who, self.against)
        first, second = apart(side(world, self.who, entry, mine), side(world, self.against, other, [theirs]), keys)
        return {self.who: first, self.against: second}

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        before = self.sides(world)
        sides = {key: throw(dice, one) for key, one in before.items()}
        spent: list[Event] = [
            spend(world, who, "a Drama Point for drama dice")
            for who, point in ((self.who, self.point), (self.against, self.their_point))
            if point
        ]
        for event in spent:
            world = event.apply(world)
        names = [one.name for one in sides.values()]
        return (*spent, *finish(world, Roll("opposed", sides, what=" against ".join(names), turn=turn_of(world))))


class Split(Action, tag="split"):
    """Divide a base pool among several opponents: each part is an opposed test of its own."""

    title = "split a pool"
    key = "s"
    screens = ("table",)
    who: Annotated[str, Ask(able_ones)]
    using: Annotated[str, Ask(own_approaches)]
    against: Annotated[tuple[str, ...], Ask(others)]
    attribute: Annotated[str, Ask(attribute_choices)] = ""
    shares: Annotated[str, Meta(max_length=40)] = ""
    """Base dice against each, in the order named; empty for as even as it goes."""

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return waiting(world) or ("" if len(world.present()) > 2 else "there are not two opponents")

    def sides(self, world: DramaWorld) -> dict[str, Side]:
        """The parts, and each opponent's best pool."""
        if len(self.against) < 2:
            raise Refused("a pool is split among two opponents or more", remedy="Name them, or make an opposed test.")
        whole = side(world, self.who, Entry(self.using, self.attribute))
        dice = share_out(whole.count("base"), len(self.against), self.shares)
        parted = even(whole.count("resistance"), len(self.against))
        found: dict[str, Side] = {}
        for number, foe in enumerate(self.against):
            part = [Piece(f"{whole.pieces[0].source}, split" if whole.pieces else "split", dice[number])]
            if world.rules.split_resistance == "full":
                part += [replace(p, base=0) for p in whole.pieces if p.resistance]
            elif parted[number]:
                part.append(Piece("resistance, split", resistance=parted[number]))
            keys = (f"{self.who}-{number + 1}", foe)
            theirs = side(world, foe, Entry(best_approach(world, foe)))
            first, second = apart(replace(whole, pieces=tuple(part)), theirs, keys)
            if any(one.name == second.name for one in found.values()):
                second = replace(second, name=f"{theirs.name} ({number + 1})")
            found[keys[0]], found[keys[1]] = first, second
        return found

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        sides = {key: throw(dice, one) for key, one in self.sides(world).items()}
        what = f"{world.name(self.who)} against {len(self.against)}"
        return finish(world, Roll("opposed", sides, what=what, turn=turn_of(world)))


def even(dice: int, parts: int) -> list[int]:
    """As even as it goes, the first ones getting more."""
    return [dice // parts + (i < dice % parts) for i in range(parts)]


def share_out(dice: int, parts: int, shares: str) -> list[int]:
    """A base pool divided, at least one die each."""
    if dice < parts:
        raise Refused(f"{dice} base dice cannot be split among {parts}", remedy="Each part needs at least one die.")
    if not shares.strip():
        return even(dice, parts)
    words = shares.replace(",", " ").split()
    if not all(word.isdecimal() and len(word) < 4 for word in words):
        raise Refused(f"shares are whole numbers, not {shares!r}", remedy="Write 3 2, say.")
    found = [int(word) for word in words]
    if len(found) != parts or sum(found) != dice or min(found) < 1:
        raise Refused(
            f"{shares!r} does not split {dice} dice among {parts}", remedy="One number each, at least 1, adding up."
        )
    return found


ACTIONS: tuple[type[Action], ...] = (MakeTest, Oppose, Split)
