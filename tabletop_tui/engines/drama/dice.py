"""Base, resistance and drama dice: throwing them and reading them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from ...rules import Dice, Refused
from .world import MOST_CHAIN, MOST_POOL, SUCCESSES, WHICH, Die, DramaWorld, Piece, Side, hides


def faces_of(die: Die) -> tuple[int, ...]:
    """Every face of a die and of the dice that it brought; a base 4 that was raised counts as a 5."""
    return (5 if die.raised else die.face, *die.again)


def worth(die: Die) -> int:
    """What a die adds to the net."""
    if die.pool == "base":
        return int(faces_of(die)[0] >= 5)
    if die.pool == "resistance":
        return -int(die.face <= 2)
    return sum((face >= 4) - (face == 1) for face in faces_of(die))


def net(side: Side) -> int:
    """Net successes as the dice lie."""
    return sum(worth(die) for die in side.dice)


def result(side: Side) -> int:
    """Net successes as they count: the price makes two of one."""
    found = net(side)
    return SUCCESSES if side.paid and found == 1 else found


def drama_ones(side: Side) -> int:
    """How many drama dice show a 1."""
    return sum(face == 1 for die in side.dice if die.pool == "drama" for face in faces_of(die))


def backfires(side: Side) -> bool:
    """A passion backfires when two or more drama dice show a 1."""
    return side.passion and drama_ones(side) >= 2


def ones_price(side: Side) -> tuple[int, str]:
    """Penalty dice for the 1s on drama dice, and their cause: one each, two where a passion backfires."""
    ones = drama_ones(side)
    return (2 * ones, "passion backfired") if backfires(side) else (ones, "drama")


def throw_all(world: DramaWorld, dice: Dice, sides: Mapping[str, Side], also: Iterable[str] = ()) -> dict[str, Side]:
    """All pools of a roll fall; the dice are for the GM's eyes where somebody hidden takes part in it."""
    secret = hides(world, (*(side.who for side in sides.values()), *also))
    return {key: throw(dice, side, secret=secret) for key, side in sides.items()}


def throw(dice: Dice, side: Side, *, secret: bool = False) -> Side:
    """A pool falls: base, resistance and drama dice, then every 6 of the drama dice rolls on."""
    pools = [which for which in WHICH for _ in range(side.count(which))]
    for which in WHICH:
        if (count := side.count(which)) > MOST_POOL:
            raise Refused(f"{count} {which} dice for {side.name} are too many", remedy=f"At most {MOST_POOL}.")
    order = ", ".join(f"{side.count(which)} {which}" for which in WHICH if side.count(which))
    faces = dice.roll(f"{side.name}: {order}", *[6] * len(pools), secret=secret, of=side.who)
    fallen = [Die(pool, face) for pool, face in zip(pools, faces, strict=True)]
    return roll_on(dice, replace(side, dice=tuple(fallen)), secret=secret)


def roll_on(dice: Dice, side: Side, *, secret: bool = False) -> Side:
    """Each 6 brings one more drama die, in handfuls, until none shows a 6 or the chain is cut."""
    fallen = list(side.dice)
    places = [i for i, die in enumerate(fallen) if die.pool == "drama" and die.face == 6]
    brought, cut = 0, False
    while places and brought < MOST_CHAIN:
        cut = len(places) > MOST_CHAIN - brought
        places = places[: MOST_CHAIN - brought]
        faces = dice.roll(f"{side.name}: a drama 6 rolls on", *[6] * len(places), secret=secret, of=side.who)
        brought += len(faces)
        for place, face in zip(places, faces, strict=True):
            fallen[place] = replace(fallen[place], again=(*fallen[place].again, face))
        places = [place for place, face in zip(places, faces, strict=True) if face == 6]
    return replace(side, dice=tuple(fallen), chain_cut=cut or bool(places))


def number(value: int) -> str:
    """Net successes as they are written, with a minus sign where they are below 0."""
    return f"{value}".replace("-", "−")


def die_words(die: Die) -> str:
    """A die as it is written: 6→4 rolled on, 4↑5 was raised."""
    if die.raised:
        return f"{die.face}↑5"
    return "→".join(map(str, (die.face, *die.again)))


def side_words(side: Side) -> str:
    """A pool that fell: base · resistance · drama, and its net."""
    groups = [" ".join(die_words(d) for d in side.dice if d.pool == which) for which in WHICH]
    shown = [f"{text} {which}" for which, text in zip(WHICH, groups, strict=True) if text]
    cut = f" (the chain of 6s stops at {MOST_CHAIN} dice)" if side.chain_cut else ""
    return f"{side.name} {' · '.join(shown) or 'no dice'}{cut} = net {number(result(side))}"


def pool_words(*pieces: Piece) -> str:
    """Dice as they are written: 5 base, 1 resist, 2 drama."""
    base, resistance, drama = (sum(getattr(piece, which) for piece in pieces) for which in WHICH)
    counts = ((base, "base"), (resistance, "resist"), (drama, "drama"))
    return " + ".join(f"{n} {what}" for n, what in counts if n) or "–"
