"""The same table with other secrets: for each game, all that a GM can keep to themselves is changed at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tabletop_tui.engines.tiers.world import most_hp
from tabletop_tui.kit.hurt import how_hurt
from tabletop_tui.kit.seen import is_secret, unseen
from tabletop_tui.rules import Clock, Track

SAMPLES = {"tiers": "ember-road", "no1": "cinder-pass", "drama": "abbey-of-lynn", "fen": "fen-lanterns"}


def twist(name: str, world: Any, chance: random.Random) -> Any:
    """A twin of a world."""
    return TWISTS[name](_shared(world, chance), chance)


def _word(chance: random.Random) -> str:
    return "".join(chance.choice("abcdefghij") for _ in range(6))


def _shared(world: Any, chance: random.Random) -> Any:
    """Other scenes, what only the GM reads of this one, secret clocks and tracks, names of the unseen."""
    now = world.now
    scenes = {
        i: replace(s, secret=_word(chance), notes=(_word(chance),))
        if i == now.scene
        else replace(s, title=_word(chance), about=_word(chance), secret=_word(chance))
        for i, s in world.scenes.items()
    }
    scenes[_word(chance)] = replace(next(iter(scenes.values())), title=_word(chance), cast=())
    clocks = {i: c for i, c in now.clocks.items() if not c.secret}
    tracks = {i: t for i, t in now.tracks.items() if not t.secret}
    clocks[_word(chance)] = Clock(_word(chance), 6, chance.randint(0, 6), secret=True)
    tracks[_word(chance)] = Track(_word(chance), chance.randint(0, 9), secret=True)
    known = {*now.in_sight(), *now.turns.fighters}  # somebody who was seen and hid is known by name
    known |= {*now.more.values(), *getattr(now, "copies", {}).values()}  # and so is the kind of which one is seen
    known |= {who for pair in getattr(now, "won", {}) for who in pair.split("/")}
    hidden = {who for who, f in now.turns.fighters.items() if f.hidden} - set(now.in_sight())
    sheets = {
        who: replace(s, name=_word(chance), about=_word(chance))
        if not s.player and unseen(world, who) and (who in hidden or who not in known)
        else s
        for who, s in world.sheets.items()
    }
    return replace(world, scenes=scenes, sheets=sheets, now=replace(now, clocks=clocks, tracks=tracks))


def _as_hurt(chance: random.Random, was: int, of: int, most: int) -> int:
    """Other HP of another most, of somebody who looks just as hurt: that lies open."""
    return chance.choice([hp for hp in range(most + 1) if how_hurt(hp, most) == how_hurt(was, of)])


def _of_the_gm(world: Any) -> list[str]:
    return [who for who in world.sheets if is_secret(world, who)]


# ---- Tiers of Power

TWISTED_HP = 450
"""Of nine beta levels."""


def _tiers(world: Any, chance: random.Random) -> Any:
    challenge, roll = world.now.challenge, world.now.roll
    inside = {challenge.lead, *challenge.supports} if challenge else set()
    rolling = {roll.first.who, roll.second.who} if roll else set()  # what they rolled and did lies open
    sheets, people = dict(world.sheets), dict(world.now.people)
    for who in _of_the_gm(world):
        if who in inside | rolling:
            continue
        skills = {_word(chance): {"beta": chance.randint(1, 5)}, "Warding": {"gamma": chance.randint(1, 5)}}
        sheets[who] = replace(
            sheets[who], levels={"beta": TWISTED_HP // 50}, skills=skills, items={_word(chance): {"alpha": 1}}
        )
        if who in people:
            hp = _as_hurt(chance, people[who].hp, most_hp(world, who), TWISTED_HP)
            people[who] = replace(people[who], hp=hp, boosts={_word(chance): 2})
    if challenge:
        plan = replace(challenge.plan, complication=_word(chance), failure=_word(chance))
        fallen = roll is not None and roll.kind == "challenge"
        if challenge.outcome or fallen:
            plan = challenge.plan  # the complication is told when it strikes
        elif plan.hidden:
            plan = replace(plan, tier=chance.choice(["beta", "delta", "omega"]), dice=chance.randint(1, 9))
        challenge = replace(challenge, plan=plan)
    return replace(world, sheets=sheets, now=replace(world.now, people=people, challenge=challenge))


# ---- No1


def _no1(world: Any, chance: random.Random) -> Any:
    now = world.now
    duel = {now.duel.challenger, now.duel.other} if now.duel else set()
    sheets = {
        who: replace(s, skills={_word(chance): chance.randint(0, 4)}, traits={_word(chance): 3}, focus="", about="x")
        if is_secret(world, who) and who not in duel and who not in {now.copies.get(w) for w in duel}
        else s
        for who, s in world.sheets.items()
    }
    spent = {w: r for w, r in now.spent.items() if not is_secret(world, w)}
    return replace(world, sheets=sheets, now=replace(now, spent=spent))


# ---- Drama in History


def _drama(world: Any, chance: random.Random) -> Any:
    now = world.now
    inside = set(now.in_sight())
    sheets, people = dict(world.sheets), dict(now.people)
    for who in _of_the_gm(world):
        if who in inside:
            continue
        passions = {_word(chance): chance.randint(1, 5)}
        sheets[who] = replace(sheets[who], attributes={"Social": chance.randint(0, 9)}, passions=passions)
        if who in people:
            people[who] = replace(people[who], drama_points=chance.randint(0, 9), composure=chance.randint(1, 9))
    return replace(world, sheets=sheets, now=replace(now, people=people))


# ---- Fen


def _fen(world: Any, chance: random.Random) -> Any:
    now = world.now
    standing = {one.who for one in now.rounds.standing.values()}
    inside = standing | (set(now.contest.parties) if now.contest else set())
    sheets, people = dict(world.sheets), dict(now.people)
    for who in _of_the_gm(world):
        if who in inside:
            continue
        skills = {name: f"{chance.randint(1, 5)}d{chance.choice([4, 6, 20])}" for name in sheets[who].skills}
        skills["vigor"] = sheets[who].skills.get("vigor", "1d4")  # who is down of wounds is down for all to see
        most, was = chance.randint(3, 900), sheets[who].hp
        sheets[who] = replace(sheets[who], hp=most, skills=skills, shield=None, armour=None)
        if who in people:
            people[who] = replace(people[who], hp=_as_hurt(chance, people[who].hp, was, most), temporary=3)
    return replace(world, sheets=sheets, now=replace(now, people=people))


TWISTS: dict[str, Callable[[Any, random.Random], Any]] = {"tiers": _tiers, "no1": _no1, "drama": _drama, "fen": _fen}
