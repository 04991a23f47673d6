"""Splitting: a base pool divided among several opponents, each part an opposed test of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.order import turn_of
from ...rules import Action, Ask, Choice, Dice, Event, Refused
from ...rules.ask import Chooser
from .aid import givers, others
from .building import (
    DIRECT,
    INDIRECT,
    able_ones,
    apart,
    approaches,
    attribute_choices,
    best_approach,
    own_approaches,
    own_passions,
    own_penalties,
    own_points,
    passions_of,
    penalties_of,
    points_of,
    side,
)  # fmt: skip
from .challenge import Some, Words
from .opposed import (
    aides,
    each_once,
    helped,
    mate_approaches,
    mate_side,
    mates,
    one_side,
    other_givers,
    their_mate_approaches,
)
from .outcome import waiting
from .points import spend
from .settle import thrown
from .world import DramaWorld, Entry, Piece, Roll, Side


def of_named(choices: Callable[[DramaWorld, str], list[Choice]]) -> Chooser:
    """Choices of the opponent into whose part it goes: the first where none is named."""
    return lambda world, fields: choices(world, fields.get("into") or next(iter(fields.get("against", ())), ""))


their_passions, their_points, their_penalties = map(of_named, (passions_of, points_of, penalties_of))


def divisible(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What somebody can build a pool on, closed where it has no two dice to divide."""
    found = []
    for choice in own_approaches(world, fields):
        lived = str(choice.value).startswith((DIRECT, INDIRECT))  # its attribute is said later
        whole = 2 if lived or choice.closed else side(world, fields["who"], Entry(choice.value)).count("base")
        found.append(choice if whole >= 2 else replace(choice, closed="too few dice to divide"))
    return found


def opponents(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Those among whom the pool is split."""
    return [Choice(who, world.name(who)) for who in fields.get("against", ())]


def share_choices(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Ways to divide the base pool: as even as it goes, or nearly all of it against one; any other will do."""
    found, parts = [Choice("", "as even as it goes")], len(fields.get("against", ()))
    try:
        whole = side(world, fields["who"], Entry(fields["using"], fields.get("attribute", "")))
    except (KeyError, Refused):  # not said yet, or it cannot be used so
        return found
    if 2 <= parts < whole.count("base"):
        most = whole.count("base") - parts + 1
        found += [Choice(" ".join(str(most if i == one else 1) for i in range(parts))) for one in range(parts)]
    return found


def answer_choices(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What each opponent can answer with, once; whoever is not named here answers with their best."""
    found, said = [], fields.get("answers", ())
    for foe in fields.get("against", ()):
        best = best_approach(world, foe) if foe in world.sheets else ""
        answers = any(answer.startswith(f"{foe}:") for answer in said)
        for choice in approaches(world, foe):
            value = f"{foe}:{choice.value}"
            if not str(choice.value).startswith((DIRECT, INDIRECT)):  # a background needs an attribute
                note = "the best" if choice.value == best else ""
                closed = f"{world.name(foe)} answers once" if answers and value not in said else choice.closed
                found.append(Choice(value, f"{world.name(foe)}: {choice.words}", closed, note))
    return found


class Split(Action, tag="split"):
    """Divide a base pool among several opponents: each part is an opposed test of its own."""

    title = "split a pool"
    done_by = "who"
    asks = True
    key = "s"
    screens = ("table",)
    who: Annotated[str, Ask(able_ones)]
    using: Annotated[str, Ask(divisible)]
    against: Annotated[tuple[str, ...], Ask(others), Meta(description="two or more")]
    attribute: Annotated[str, Ask(attribute_choices, first=True)] = ""
    shares: Annotated[str, Ask(share_choices, other=True), Meta(max_length=40)] = ""
    """Base dice against each, in the order named; empty for as even as it goes."""
    answers: Annotated[tuple[str, ...], Ask(answer_choices, "they answer with"), Meta(description="the best")] = ()
    into: Annotated[str, Ask(opponents, "what follows goes against"), Meta(description="the first")] = ""
    passion: Annotated[str, Ask(own_passions)] = ""
    point: Annotated[str, Ask(own_points, "Drama Point")] = ""
    turned: Annotated[str, Ask(own_penalties, "penalty that helps")] = ""
    their_passion: Annotated[str, Ask(their_passions)] = ""
    their_point: Annotated[str, Ask(their_points, "their Drama Point")] = ""
    more_base: Some = 0
    more_resistance: Some = 0
    more_drama: Some = 0
    because: Words = ""
    hands: Annotated[tuple[str, ...], Ask(aides, "lend a hand")] = ()
    given_by: Annotated[tuple[str, ...], Ask(givers, "drama dice from")] = ()
    reason: Words = ""
    together: Annotated[str, Ask(mates, "works together")] = ""
    together_using: Annotated[str, Ask(mate_approaches, "works with")] = ""
    their_hands: Annotated[tuple[str, ...], Ask(aides, "lend them a hand")] = ()
    their_together: Annotated[str, Ask(mates, "works together with them")] = ""
    their_together_using: Annotated[str, Ask(their_mate_approaches, "works there with")] = ""
    their_turned: Annotated[str, Ask(their_penalties, "their penalty that helps")] = ""
    their_given_by: Annotated[tuple[str, ...], Ask(other_givers, "drama dice for them from")] = ()

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        free = sum(not one.closed for one in able_ones(world, {}))
        return waiting(world) or ("" if free > 2 else "there are not two opponents")

    def sides(self, world: DramaWorld) -> dict[str, Side]:
        """The parts, and what each opponent answers with."""
        if len(self.against) < 2:
            raise Refused("a pool is split among two opponents or more", remedy="Name them, or make an opposed test.")
        mates = (self.together, self.their_together)
        one_side(world, self.given_by, self.their_given_by)
        each_once(world, self.who, *self.against, *self.hands, *self.their_hands, *mates)
        dice = share_out(side(world, self.who, Entry(self.using, self.attribute)).count("base"), self)
        answers, into = self.answered(world), self.into or self.against[0]
        found: dict[str, Side] = {}
        for number, foe in enumerate(self.against):
            theirs = Entry(answers.get(foe) or best_approach(world, foe))
            lent: list[Piece] = []
            if foe == into:
                theirs = replace(theirs, passion=self.their_passion, point=self.their_point, turned=self.their_turned)
                lent = helped(world, foe, theirs, self.their_hands, self.their_given_by, self.reason)
            # no file's name has a slash in it: a part is never taken for somebody's own side
            keys = (f"{self.who}/{number + 1}", foe)
            first, second = apart(
                self.part(world, number, dice[number], foe == into), side(world, foe, theirs, lent), keys
            )
            if any(one.name == second.name for one in found.values()):
                second = replace(second, name=f"{world.name(foe)} ({number + 1})")
            found[keys[0]], found[keys[1]] = first, second
            if foe == into:
                found |= self.mates(world, keys, theirs)
        return found

    def mates(self, world: DramaWorld, keys: tuple[str, str], theirs: Entry) -> dict[str, Side]:
        """Those who work together with either side of the named part."""
        mine, none = Entry(self.using, self.attribute), Piece("situation")
        more = Piece(self.because.strip() or "situation", resistance=self.more_resistance)
        return {
            **mate_side(world, self.together, self.together_using, mine, keys[0], more),
            **mate_side(world, self.their_together, self.their_together_using, theirs, keys[1], none),
        }

    def part(self, world: DramaWorld, number: int, dice: int, named: bool) -> Side:
        """One part: its base dice, all resistance or a share of it, and in the named part what was put in."""
        entry, extra = Entry(self.using, self.attribute), []
        more = Piece(self.because.strip() or "situation", self.more_base, self.more_resistance, self.more_drama)
        if named:
            entry = replace(entry, passion=self.passion, point=self.point, turned=self.turned)
            extra = [more, *helped(world, self.who, entry, self.hands, self.given_by, self.reason)]
        built = side(world, self.who, entry, extra)
        base, *rest = built.pieces
        pieces = [replace(base, source=f"{base.source}, split", base=dice), *rest]
        if world.rules.split_resistance == "divided":
            mine = built.count("resistance") - (more.resistance if named else 0)
            share = even(mine, len(self.against))[number]
            pieces = [p if named and p == more else replace(p, resistance=0) for p in pieces]
            pieces.append(Piece("resistance, split", resistance=share))
        kept = tuple(p for p in pieces if p.base or p.resistance or p.drama)
        return replace(built, pieces=kept)

    def answered(self, world: DramaWorld) -> dict[str, str]:
        """What the GM chose for some opponents."""
        found: dict[str, str] = {}
        for answer in self.answers:
            foe = next((one for one in self.against if answer.startswith(f"{one}:")), "")
            if not foe or foe in found:
                raise Refused(f"{world.name(foe or answer)} answers once", remedy="Name one skill for each.")
            found[foe] = answer.removeprefix(f"{foe}:")
        return found

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        also = (*self.hands, *self.their_hands, *self.given_by, *self.their_given_by)
        sides, what = self.sides(world), f"{world.name(self.who)} against {len(self.against)}"
        spenders = ((self.who, self.point), (self.into or self.against[0], self.their_point))
        roll = Roll("opposed", sides, what=what, turn=turn_of(world), also=also)
        return thrown(world, dice, roll, [spend(world, who) for who, point in spenders if point])


def even(dice: int, parts: int) -> list[int]:
    """As even as it goes, the first ones getting more."""
    return [dice // parts + (i < dice % parts) for i in range(parts)]


def share_out(dice: int, split: Split) -> list[int]:
    """A base pool divided, at least one die each."""
    parts, shares = len(split.against), split.shares
    if dice < parts:
        raise Refused(f"{dice} base dice cannot be split among {parts}", remedy="Each part needs at least one die.")
    if not shares.strip():
        return even(dice, parts)
    words = shares.replace(",", " ").split()
    if not all(word.isdecimal() and len(word) < 4 for word in words):
        raise Refused(f"shares are whole numbers, not {shares!r}", remedy="Write 3 2, say.")
    found = [int(word) for word in words]
    if len(found) != parts or sum(found) != dice or min(found) < 1:
        what = f"{shares!r} does not split {dice} dice among {parts}"
        raise Refused(what, remedy="One number each, at least 1, adding up.")
    return found


ACTIONS: tuple[type[Action], ...] = (Split,)
