"""Building a pool: attribute, skill or background, difficulty, penalties, passions, Drama Points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ...kit.asking import of
from ...rules import Choice, Refused, suggest
from .campaign import ATTRIBUTES, COMPOSURE, POOLS, DramaRules, DramaSheet
from .penalties import able
from .world import DramaWorld, Entry, Gift, Piece, Side, person

DIFFICULTIES: dict[str, Piece] = {
    "very easy": Piece("very easy", base=4),
    "straightforward": Piece("straightforward", base=2),
    "some": Piece("some difficulty"),
    "troublesome": Piece("troublesome", resistance=2),
    "difficult": Piece("difficult", resistance=4),
    "very challenging": Piece("very challenging", resistance=6),
    "extremely hard": Piece("extremely hard", resistance=8),
    "formidable": Piece("formidable", resistance=10),
}


POINT_DICE = {"plain": 1, "connection": 2, "advantage": 3}
"""Drama dice for a Drama Point spent before the roll."""


MOST_BACKGROUNDS = 3


DIRECT, INDIRECT, POOL = "direct:", "indirect:", "pool:"
"""What stands before a background that fits, one that is a stretch, and a currency pool."""


def able_ones(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, closed where they are broken."""
    return [Choice(w, world.name(w), able(world, w)) for w in world.present()]


def approaches(world: DramaWorld, who: str, lived: str = "") -> list[Choice]:
    """All that somebody can build a pool on; `lived` is the attribute of a background, by default the best one."""
    sheet = world.sheets.get(who)
    if sheet is None:
        return []
    found = [
        Choice(n, f"{n} {s.value} ({s.attribute} {attribute(sheet, s.attribute)})") for n, s in sheet.skills.items()
    ]
    which = lived or best_attributes(sheet)[0]
    for name, count in sheet.backgrounds.items():
        with_it = f"({which} {attribute(sheet, which)})"
        found.append(Choice(DIRECT + name, f"{name} ×{count}, fits {with_it}"))
        found.append(Choice(INDIRECT + name, f"{name} ×{count}, a stretch {with_it}"))
    found += [Choice(a, f"{a} alone: 2 × {attribute(sheet, a)}") for a in ATTRIBUTES]
    argues = not sheet.player and sheet.composure > 0
    for pool in POOLS:
        if getattr(sheet, pool) and not (argues and pool == "composure"):
            dice = pool_dice(world, who, pool)
            found.append(Choice(POOL + pool, f"{pool} {dice}, a currency pool", "" if dice else "none is left"))
    if argues:
        left = person(world, who).composure
        found.insert(0, Choice(COMPOSURE, f"{COMPOSURE} {left}", "" if left > 0 else "none is left"))
    return found


def attributes_for(world: DramaWorld, who: str, using: str) -> list[Choice]:
    """The attribute in place of the skill's usual one; a background has none of its own: the best comes first."""
    sheet, lived = world.sheets.get(who), using.startswith((DIRECT, INDIRECT))
    names = best_attributes(sheet) if sheet and lived else ATTRIBUTES
    return [Choice("", "the usual one", "a background needs an attribute" if lived else ""), *map(Choice, names)]


def best_attributes(sheet: DramaSheet) -> list[str]:
    """Somebody's attributes, the highest first; of equal ones Social, with which one argues."""
    return sorted(ATTRIBUTES, key=lambda name: (-attribute(sheet, name), name != "Social"))


def difficulty_choices(_world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The table of difficulties."""
    return [Choice(name, f"{name} {_sign(piece)}".strip()) for name, piece in DIFFICULTIES.items()]


def _sign(piece: Piece) -> str:
    return f"+{piece.base} base" if piece.base else f"{piece.resistance} resist" if piece.resistance else ""


def passions_of(world: DramaWorld, who: str) -> list[Choice]:
    """Passions on somebody's sheet."""
    sheet = world.sheets.get(who)
    found = sheet.passions.items() if sheet else ()
    return [Choice("", "none"), *(Choice(name, f"{name}, {dice} drama") for name, dice in found)]


def points_of(world: DramaWorld, who: str) -> list[Choice]:
    """How a Drama Point can be spent before the roll; how many a player's character has is no secret."""
    sheet = world.sheets.get(who)
    if sheet is None:
        return [Choice("", "none")]
    left = person(world, who).drama_points
    why, note = ("", f"1 of {left}" if sheet.player else "") if left > 0 else ("no Drama Points left", "")
    ways = {"plain": "+1 drama", "connection": "+2 drama, with a connection"}
    ways |= {f"advantage:{name}": f"+3 drama, {name}" for name in sheet.advantages}
    return [Choice("", "none"), *(Choice(way, words, why, note) for way, words in ways.items())]


def penalties_of(world: DramaWorld, who: str) -> list[Choice]:
    """Penalties that could help for once."""
    carried = person(world, who).penalties if who in world.sheets else {}
    return [Choice("", "none"), *(Choice(i, f"{p.cause} {p.dice}") for i, p in carried.items())]


own_approaches = of("who", approaches)
own_passions = of("who", passions_of)
own_points = of("who", points_of)
own_penalties = of("who", penalties_of)


def attribute_choices(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Attributes for what somebody uses."""
    return attributes_for(world, fields.get("who") or "", fields.get("using") or "")


def their_attribute_choices(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Attributes for what the other one uses."""
    return attributes_for(world, fields.get("against") or "", fields.get("their_using") or "")


def resist_choices(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The attribute or skill with which somebody resists."""
    sheet = world.sheets.get(fields.get("target") or fields.get("resisted_by") or "")
    if sheet is None:
        return [Choice("", "nobody resists")]
    skills = [Choice(n, f"{n} {s.value}") for n, s in sheet.skills.items()]
    return [*(Choice(a, f"{a} {attribute(sheet, a)}") for a in ATTRIBUTES), *skills]


def attribute(sheet: DramaSheet, name: str) -> int:
    """An attribute; one that is not written is 0."""
    return sheet.attributes.get(name, 0)


def used_attribute(world: DramaWorld, who: str, entry: Entry) -> str:
    """The attribute that somebody uses, and that a helping hand adds."""
    if entry.using in ATTRIBUTES:
        return entry.using
    skill = world.sheets[who].skills.get(entry.using)
    return entry.attribute or (skill.attribute if skill else "Social")


def pool_dice(world: DramaWorld, who: str, pool: str) -> int:
    """The base dice of a currency pool test."""
    of = person(world, who) if world.rules.pool_test == "present" else world.sheets[who]
    return int(getattr(of, pool))


def weak(rules: DramaRules, value: int, skill: int) -> Piece | None:
    """The resistance that a weak attribute brings to a skill."""
    if value <= 0:
        return Piece("attribute 0 or less", resistance=2)
    below = value < skill if rules.weak_attribute == "lower" else value * 2 <= skill
    return Piece("attribute below the skill", resistance=1) if below else None


def foundation(world: DramaWorld, who: str, entry: Entry) -> tuple[tuple[Piece, ...], int]:
    """Attribute and skill, background, twice the attribute, or Composure; and the attribute in play."""
    sheet = world.sheets[who]
    using = entry.using
    if entry.attribute and entry.attribute not in ATTRIBUTES:
        raise Refused(
            f"there is no attribute {entry.attribute!r}",
            remedy=suggest(entry.attribute, [Choice(a) for a in ATTRIBUTES]),
        )
    if using in ATTRIBUTES:
        value = attribute(sheet, using)
        return (Piece(using, max(value * 2, 0), note=f"2 × {value}"),), value
    if using in sheet.skills:
        return _trained(world, sheet, using, entry.attribute)
    for prefix, indirect in ((DIRECT, False), (INDIRECT, True)):
        name = using.removeprefix(prefix)
        if using.startswith(prefix) and name in sheet.backgrounds:
            return _lived(sheet, name, entry.attribute, indirect)
    pool = using.removeprefix(POOL)
    if using.startswith(POOL) and pool in POOLS and getattr(sheet, pool):
        return (Piece(f"{pool}, a currency pool", pool_dice(world, who, pool)),), 0
    if using == COMPOSURE and not sheet.player and sheet.composure > 0:
        return (Piece(COMPOSURE, max(person(world, who).composure, 0)),), attribute(sheet, "Social")
    remedy = suggest(using, approaches(world, who))
    raise Refused(f"{sheet.name} has no skill or background {using!r}", remedy=remedy)


def _trained(world: DramaWorld, sheet: DramaSheet, name: str, other: str) -> tuple[tuple[Piece, ...], int]:
    skill = sheet.skills[name]
    which = other or skill.attribute
    value = attribute(sheet, which)
    trained = Piece(f"{which} {value} + {name} {skill.value}", max(value + skill.value, 0))
    slow = weak(world.rules, value, skill.value)
    return ((trained, slow) if slow else (trained,)), value


def _lived(sheet: DramaSheet, name: str, which: str, indirect: bool) -> tuple[tuple[Piece, ...], int]:
    if not which:
        raise Refused(f"{name} is a background: it needs an attribute to go with", remedy="Say which attribute.")
    value = attribute(sheet, which)
    count = min(sheet.backgrounds[name], MOST_BACKGROUNDS)
    pieces = [Piece(f"{which} {value} + {name} ×{count}", max(value + count, 0))]
    if indirect:
        pieces.append(Piece(f"{name} is a stretch", resistance=count))
    if value <= 0:
        pieces.append(Piece("attribute 0 or less", resistance=2))
    elif count > value:
        pieces.append(Piece("more backgrounds than the attribute", resistance=1))
    return tuple(pieces), value


def carried(world: DramaWorld, who: str, turned: str = "") -> list[Piece]:
    """Penalty dice, in every test; one cause may be turned into drama dice."""
    found = []
    for i, penalty in person(world, who).penalties.items():
        if i == turned:
            found.append(Piece(f"{penalty.cause}, for once a help", drama=penalty.dice))
        else:
            found.append(Piece(f"penalty: {penalty.cause}", resistance=penalty.dice))
    return found


def put_in(world: DramaWorld, who: str, entry: Entry) -> list[Piece]:
    """Passion and Drama Point."""
    sheet, found = world.sheets[who], []
    if entry.passion:
        if entry.passion not in sheet.passions:
            raise Refused(
                f"{sheet.name} has no passion {entry.passion!r}",
                remedy=suggest(entry.passion, passions_of(world, who)),
            )
        found.append(Piece(f"passion: {entry.passion}", drama=sheet.passions[entry.passion]))
    if entry.point:
        found.append(point_piece(world, who, entry.point))
    return found


def point_piece(world: DramaWorld, who: str, point: str) -> Piece:
    """The dice of a Drama Point spent before the roll."""
    way, _, name = point.partition(":")
    if way not in POINT_DICE or (way == "advantage" and name not in world.sheets[who].advantages):
        raise Refused(f"a Drama Point cannot be spent on {point!r}", remedy=suggest(point, points_of(world, who)))
    if person(world, who).drama_points < 1:
        raise Refused(f"{world.name(who)} has no Drama Points left")
    words = {"plain": "Drama Point", "connection": "Drama Point, a connection"}.get(way, f"Drama Point, {name}")
    return Piece(words, drama=POINT_DICE[way])


def gift_pieces(world: DramaWorld, gifts: Mapping[str, Gift], to: str) -> list[Piece]:
    """Drama dice that others give to somebody."""
    return [Piece(f"{world.name(w)}: {g.reason}", drama=g.dice) for w, g in gifts.items() if g.to == to]


def side(world: DramaWorld, who: str, entry: Entry, others: Sequence[Piece] = ()) -> Side:
    """Somebody's whole pool before its dice fall."""
    base, value = foundation(world, who, entry)
    pieces = (*base, *others, *put_in(world, who, entry), *carried(world, who, entry.turned))
    sheet = world.sheets[who]
    kept = tuple(p for p in pieces if p.base or p.resistance or p.drama)
    return Side(who, sheet.name, kept, (), value, bool(entry.passion), bool(sheet.player))


def resisting(world: DramaWorld, target: str, with_what: str) -> Piece | None:
    """The stat or skill of whoever resists, as resistance dice."""
    sheet = world.sheets.get(target)
    if sheet is None:
        return None
    if with_what in sheet.skills:
        dice = sheet.skills[with_what].value
    elif with_what in ATTRIBUTES:
        dice = attribute(sheet, with_what)
    else:
        raise Refused(
            f"{sheet.name} cannot resist with {with_what!r}", remedy="Name an attribute or one of their skills."
        )
    return Piece(f"{sheet.name} resists: {with_what}", resistance=max(dice, 0))


def best_approach(world: DramaWorld, who: str) -> str:
    """The skill or attribute with the most base dice: what somebody uses whom nobody asks."""
    sheet = world.sheets[who]
    ways = [*sheet.skills, *ATTRIBUTES]
    return max(ways, key=lambda using: foundation(world, who, Entry(using))[0][0].base)


def apart(first: Side, second: Side, keys: tuple[str, str]) -> tuple[Side, Side]:
    """Two sides against each other; where both have one name, the second is told apart."""
    name = f"{second.name} (2)" if first.name == second.name else second.name
    return replace(first, against=keys[1]), replace(second, against=keys[0], name=name)
