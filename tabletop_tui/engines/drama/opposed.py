"""Opposed tests: two pools against each other, each with whoever helps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from ...kit.asking import of
from ...kit.order import turn_of
from ...rules import Action, Ask, Choice, Dice, Event, Of, Refused
from .aid import default_work, gifts, givers, others
from .building import (
    DIRECT,
    INDIRECT,
    able_ones,
    apart,
    approaches,
    attribute_choices,
    gift_pieces,
    own_approaches,
    own_passions,
    own_penalties,
    own_points,
    passions_of,
    penalties_of,
    points_of,
    side,
    their_attribute_choices,
    used_attribute,
)  # fmt: skip
from .challenge import Some, Words
from .outcome import waiting
from .points import spend
from .settle import thrown
from .task import hand_piece
from .world import DramaWorld, Entry, Piece, Roll, Side

their_approaches = of("against", approaches)
their_passions = of("against", passions_of)
their_points = of("against", points_of)
their_penalties = of("against", penalties_of)


def mate_approaches(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What somebody can use who works together with the first side."""
    return approaches(world, fields.get("together") or "", mate_attribute(fields.get("attribute") or ""))


def their_mate_approaches(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What somebody can use who works together with the other side."""
    return approaches(world, fields.get("their_together") or "", mate_attribute(fields.get("their_attribute") or ""))


def mate_attribute(lead: str) -> str:
    """The attribute of a background with which somebody works together: the Lead's, or Social."""
    return lead or "Social"


def aides(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who can act, and has nothing else to do in this test."""
    busy: set[str] = {fields.get("together", ""), fields.get("their_together", "")}
    for name in ("hands", "their_hands"):
        busy |= set(fields.get(name, ()))
    against = fields.get("against", ())
    busy |= {against} if isinstance(against, str) else set(against)
    return [c for c in others(world, fields) if c.value not in busy]


def mates(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The same, or nobody."""
    return [Choice("", "nobody"), *aides(world, fields)]


def other_givers(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever could add to the drama and has not done so for the first side."""
    given = fields.get("given_by", ())
    return [replace(c, closed="gives to the other side") if c.value in given else c for c in givers(world, fields)]


def mate_side(world: DramaWorld, who: str, using: str, lead: Entry, key: str, extra: Piece) -> dict[str, Side]:
    """The pool of somebody who works together with a side: the full resistance, and what they use themselves."""
    if not who:
        return {}
    using = using or default_work(world, who, lead.using)
    which = mate_attribute(lead.attribute) if using.startswith((DIRECT, INDIRECT)) else ""
    return {who: replace(side(world, who, Entry(using, which), [replace(extra, base=0, drama=0)]), joins=key)}


def helped(
    world: DramaWorld, who: str, entry: Entry, hands: Sequence[str], given_by: Sequence[str], reason: str
) -> list[Piece]:
    """Helping hands, and drama dice from others, for one side of an opposed test."""
    which = used_attribute(world, who, entry)
    lent = [hand_piece(world, hand, which, entry.using) for hand in hands]
    return [*lent, *gift_pieces(world, gifts(given_by, who, reason), who)]


def each_once(world: DramaWorld, *who: str) -> None:
    """Refuse somebody who would do two things in one test."""
    named = [one for one in who if one]
    if twice := next((one for one in named if named.count(one) > 1), ""):
        raise Refused(f"{world.name(twice)} cannot do two things in one test", remedy="Name each once.")


def one_side(world: DramaWorld, mine: Sequence[str], theirs: Sequence[str]) -> None:
    """Refuse somebody who would give drama dice to both sides."""
    if both := next((one for one in mine if one in theirs), ""):
        raise Refused(f"{world.name(both)} gives to one side of a test", remedy="Name them on one side.")


class Oppose(Action, tag="oppose"):
    """Roll two pools against each other: two net successes or more, and more than the other."""

    title = "opposed test"
    key = "o"
    screens = ("table",)
    done_by, done_with, done_to = "who", "using", "against"
    toward = "against"
    asks = True
    when = staticmethod(waiting)
    who: Annotated[str, Ask(able_ones)]
    using: Annotated[str, Ask(own_approaches)]
    against: Annotated[str, Ask(others)]
    their_using: Annotated[str, Ask(their_approaches, "their skill"), Of("against")]
    attribute: Annotated[str, Ask(attribute_choices, first=True)] = ""
    their_attribute: Annotated[str, Ask(their_attribute_choices, first=True)] = ""
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
    their_turned: Annotated[str, Ask(their_penalties, "their penalty that helps")] = ""
    their_given_by: Annotated[tuple[str, ...], Ask(other_givers, "drama dice for them from")] = ()
    hands: Annotated[tuple[str, ...], Ask(aides, "lend a hand")] = ()
    their_hands: Annotated[tuple[str, ...], Ask(aides, "lend them a hand")] = ()
    together: Annotated[str, Ask(mates, "works together")] = ""
    together_using: Annotated[str, Ask(mate_approaches, "works with")] = ""
    their_together: Annotated[str, Ask(mates, "works together with them")] = ""
    their_together_using: Annotated[str, Ask(their_mate_approaches, "works there with")] = ""

    def sides(self, world: DramaWorld) -> dict[str, Side]:
        """All pools before they fall."""
        each_once(world, self.who, self.against, *self.hands, *self.their_hands, self.together, self.their_together)
        one_side(world, self.given_by, self.their_given_by)
        why = self.because.strip() or "situation"
        mine = Piece(why, self.more_base, self.more_resistance, self.more_drama)
        theirs = Piece(why, self.their_base, self.their_resistance, self.their_drama)
        entry = Entry(self.using, self.attribute, self.passion, self.point, self.turned)
        other = Entry(self.their_using, self.their_attribute, self.their_passion, self.their_point, self.their_turned)
        keys = (self.who, self.against)
        lent = helped(world, self.who, entry, self.hands, self.given_by, self.reason)
        their_lent = helped(world, self.against, other, self.their_hands, self.their_given_by, self.reason)
        first = side(world, self.who, entry, [mine, *lent])
        first, second = apart(first, side(world, self.against, other, [theirs, *their_lent]), keys)
        return {
            self.who: first,
            self.against: second,
            **mate_side(world, self.together, self.together_using, entry, self.who, mine),
            **mate_side(world, self.their_together, self.their_together_using, other, self.against, theirs),
        }

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        also = (*self.hands, *self.their_hands, *self.given_by, *self.their_given_by)
        sides, spenders = self.sides(world), ((self.who, self.point), (self.against, self.their_point))
        what = " against ".join(sides[key].name for key in (self.who, self.against))
        roll = Roll("opposed", sides, what=what, turn=turn_of(world), also=also)
        return thrown(world, dice, roll, [spend(world, who) for who, point in spenders if point])


ACTIONS: tuple[type[Action], ...] = (Oppose,)
