"""The contract holds: random play, exact odds, undo."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from math import prod
from typing import Any

import level
import msgspec
import pytest
from msgspec.structs import replace
from no1_table import do, fight, gone, one, sheets, table

from tabletop_tui.conformance import check_engine, check_odds, play
from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1 import odds as closed_form
from tabletop_tui.engines.no1.challenge import SetChallenge
from tabletop_tui.engines.no1.contest import Accept, CallContest, FightBout
from tabletop_tui.engines.no1.dice import Throw
from tabletop_tui.engines.no1.encounter import Begin, EnterScene
from tabletop_tui.engines.no1.initiative import Next
from tabletop_tui.engines.no1.manoeuvres import UseManoeuvre
from tabletop_tui.engines.no1.roll import Act, LetGo, Reroll, Shift
from tabletop_tui.engines.no1.world import No1World, Roll, Zone
from tabletop_tui.plugins import fault
from tabletop_tui.rules import offers


def test_the_engine_keeps_the_contract() -> None:
    check_engine(ENGINE)
    assert fault(ENGINE, "no1") == ""


@pytest.mark.parametrize("seed", range(level.many(12, 120, 1_000)))
def test_random_play_from_an_encounter(seed: int) -> None:
    world = fight({"foes_move_counters": bool(seed % 2)}, "foes" if seed % 3 else "heroes", momentum=4, entropy=4)
    for _ in play(ENGINE, world, seed, 25):
        pass


@pytest.mark.parametrize("seed", range(level.many(6, 30, 300)))
def test_random_play_from_nothing(seed: int) -> None:
    for before, action, events, after in play(ENGINE, table(), seed, 40):
        folded = before
        for event in events:
            folded = event.apply(folded)
        assert folded == after, action


@pytest.mark.parametrize("seed", range(level.many(6, 30, 300)))
def test_a_table_that_was_edited_by_hand_and_has_no_problems_plays_on(seed: int) -> None:
    chance = random.Random(seed)
    world = fight(momentum=3, entropy=3, advantages={"heroes": {"span": 2, "bank": 1}})
    for *_, after in play(ENGINE, world, seed, 15):
        world = after
    for number in range(8):
        data = msgspec.to_builtins(world.now)
        for _ in range(chance.randint(1, 3)):
            tamper(data, chance)
        try:
            now = msgspec.convert(data, ENGINE.now)
        except msgspec.ValidationError:
            continue  # it would not even load
        edited = replace(world, now=now)
        if not [p for p in ENGINE.problems(edited) if not p.warning]:
            for _ in play(ENGINE, edited, seed * 100 + number, 6):
                pass


def tamper(data: dict[str, Any], chance: random.Random) -> None:
    """Take something out, or write another value, anywhere in a file."""
    here: Any = data
    while here:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        key = chance.choice(keys)
        inner = here[key]
        if isinstance(inner, dict | list | tuple) and inner and chance.random() < 0.7:
            here = inner
            continue
        if isinstance(here, tuple):
            return
        if chance.random() < 0.5:
            del here[key]
        elif isinstance(inner, bool):
            here[key] = not inner
        elif isinstance(inner, int):
            here[key] = chance.choice((-1, 0, 1, inner + 1, 7, 2000))
        elif isinstance(inner, str):
            here[key] = chance.choice(("", "rook", "Warden 1", "spy", "frodo", "span", "heroes", "level"))
        return


def test_no_two_actions_of_a_screen_share_a_key_and_none_takes_the_screens_own() -> None:
    for screen in ("table", "contest"):
        keys = [a.key for a in ENGINE.actions if screen in a.screens and a.key]
        assert len(keys) == len(set(keys))
        assert not set(keys) & set("rtuq0123456789?")


def test_every_event_of_the_rules_says_which_rule_made_it() -> None:
    own = [e for e in ENGINE.events if e.__module__.startswith("tabletop_tui.engines.no1")]
    assert [e.__name__ for e in own if not e.rule] == []


# ---- odds


def hero(count: int, rating: int, hazards: int, ranks: int, **now: Any) -> No1World:
    world = sheets(table(challenge=count), rook=one(rating, ranks))
    return world.live(zones={"z": Zone("z", {"h": hazards})}, positions={"rook": "z"}, **now)


GRID = [
    (count, rating, hazards, ranks)
    for count, rating in ((1, 0), (1, 2), (1, 4), (2, 0), (2, 1), (2, 2), (3, 1))
    for hazards in (0, 1, 2)
    for ranks in (0, 1, 2, 3)
    if (4 + 2 * rating) ** count * 4**hazards <= 1100
]


@pytest.mark.parametrize(("count", "rating", "hazards", "ranks"), level.some(GRID, 17))
def test_odds_of_a_roll_are_those_of_every_face(count: int, rating: int, hazards: int, ranks: int) -> None:
    world = hero(count, rating, hazards, ranks)
    assert world.sheets["rook"].player
    check_odds(ENGINE, world, Act("rook", "Do"))


@pytest.mark.parametrize("how", ["defy", "advantage"])
def test_odds_of_a_shift_are_those_of_every_face(how: Any) -> None:
    check_odds(ENGINE, hero(2, 1, 1, 1), Shift("rook", how, "Do"))


def test_odds_with_bonus_hits_defied_dice_and_a_modifier() -> None:
    world = hero(2, 1, 2, 1, boosts={"rook": 1}, defied={"rook": 1})
    check_odds(ENGINE, world, Act("rook", "Do", modifier=-1))


@pytest.mark.parametrize("who", ["ogre", "Warden 1"])
def test_odds_of_a_foes_roll(who: str) -> None:
    for house in (False, True):
        world = do(fight({"foes_move_counters": house}, "foes"), Next(who))
        check_odds(ENGINE, world, Act(who))


@pytest.mark.parametrize("target", [2, 3, 5, 7])
def test_odds_follow_the_house_target(target: int) -> None:
    world = sheets(table({"target": target}, challenge=2), rook=one(1, 1))
    check_odds(ENGINE, world, Act("rook", "Do"))


@pytest.mark.parametrize("action", [Reroll((0,)), Reroll((0, 2)), Reroll((2,)), Reroll(), LetGo()])
def test_odds_of_a_reroll_on_the_table(action: Any) -> None:
    world = do(hero(2, 2, 1, 3), Act("rook", "Do"), 1, 5, 1)
    check_odds(ENGINE, world, action)


@pytest.mark.parametrize("tie", ["heroes", "foes"])
def test_odds_of_the_opening_test(tie: str) -> None:
    check_odds(ENGINE, table({"opening_tie": tie}), Begin("bridge"))


def test_odds_of_a_contests_round() -> None:
    world = do(do(fight(), CallContest("rook", "ogre", "Proud")), Accept(), 2, 2)
    check_odds(ENGINE, world, FightBout("Strike", "Smash"))
    world = do(world, FightBout("Strike", "Smash"), 5, 5, 4, 1)
    check_odds(ENGINE, world, FightBout("Strike", "Smash"))


@pytest.mark.parametrize("entropy", [0, 5, 30])
def test_odds_of_a_check(entropy: int) -> None:
    world = do(fight(momentum=3, entropy=entropy), SetChallenge(2, 1))
    check_odds(ENGINE, world, UseManoeuvre("leap"))


def test_what_rolls_nothing_has_no_odds() -> None:
    assert ENGINE.odds(fight(), Next("rook")) is None
    assert ENGINE.odds(table(), Act("frodo")) is None
    assert ENGINE.odds(table(), Act("rook", "Flying")) is None


@cache
def again(sides: tuple[int, ...], ranks: int, target: int) -> dict[tuple[bool, int], float]:
    """By plain enumeration: what becomes of dice that show 1, as (clean, hits)."""
    if not sides or len(sides) > ranks:
        return {(not sides, 0): 1.0}
    *rest, largest = sides  # one die at a time, the largest first
    out: dict[tuple[bool, int], float] = {}
    for face in range(1, largest + 1):
        ones = tuple(sides) if face == 1 else tuple(rest)
        for (clean, more), p in again(ones, ranks - 1, target).items():
            key = (clean, more + (face >= target))
            out[key] = out.get(key, 0.0) + p / largest
    return out


def thrown(sides: tuple[int, ...], ranks: int, target: int) -> dict[tuple[bool, int], float]:
    out: dict[tuple[bool, int], float] = {}
    ways = 1
    for side in sides:
        ways *= side
    for faces in product(*(range(1, s + 1) for s in sides)):
        ones = tuple(sorted(s for s, f in zip(sides, faces, strict=True) if f == 1))
        hits = sum(f >= target for f in faces)
        for (clean, more), p in again(ones, ranks, target).items():
            key = (clean, hits + more)
            out[key] = out.get(key, 0.0) + p / ways
    return out


@pytest.mark.parametrize(
    ("throw", "ranks"),
    [
        (Throw(4, 6, 2), 2),
        (Throw(3, 8, 3), 1),
        (Throw(3, 12, 2), 3),
        (Throw(2, 10, 4), 4),
        (Throw(5, 4, 2), 3),
        (Throw(6, 6, 0), 2),
    ],
)
def test_bigger_pools_agree_with_plain_enumeration(throw: Throw, ranks: int) -> None:
    exact = thrown((throw.sides,) * throw.count + (4,) * throw.hazards, ranks, 4)
    clean, plain, hits = closed_form.chances(throw, ranks, 4)
    assert clean == pytest.approx(sum(p for (c, _), p in exact.items() if c), abs=1e-12)
    assert plain == pytest.approx((1 - 1 / throw.sides) ** throw.count * 0.75**throw.hazards, abs=1e-12)
    for n, p in hits:
        assert p == pytest.approx(sum(q for (_, h), q in exact.items() if h == n), abs=1e-12)


@pytest.mark.parametrize(
    ("faces", "ranks", "dice"), [((1, 1, 5, 1), 3, (0,)), ((1, 1, 5, 1), 4, (0, 3)), ((2, 3, 4, 1), 2, (3,))]
)
def test_a_reroll_on_the_table_agrees_with_plain_enumeration(
    faces: tuple[int, ...], ranks: int, dice: tuple[int, ...]
) -> None:
    """Three d6 and a Hazard die; the dice named fall, and the default goes on from there."""
    world = do(hero(3, 1, 1, ranks), Act("rook", "Do"), *faces)
    sides = (6, 6, 6, 4)
    clean = 0.0
    for fell in product(*(range(1, sides[i] + 1) for i in dice)):
        now = dict(enumerate(faces)) | dict(zip(dice, fell, strict=True))
        ones = tuple(sorted(sides[i] for i, face in now.items() if face == 1))
        share = prod(1 / sides[i] for i in dice)
        clean += share * sum(p for (ok, _), p in again(ones, ranks - len(dice), 4).items() if ok)
    odds = ENGINE.odds(world, Reroll(dice))
    assert odds is not None
    assert odds.hope == pytest.approx(clean, abs=1e-12)
    check_odds(ENGINE, world, Reroll(dice))


def test_odds_of_a_roll_without_the_initiative_and_with_nobody_to_seize_it() -> None:
    for house in (True, False):
        rules = {"momentum_needs_initiative": house, "shift_momentum": True}
        foes = ("ogre", "Warden 1", "Warden 2", "Warden 3", "spy")
        world = do(gone(fight(rules, "foes"), *foes), Next("mira"))
        check_odds(ENGINE, world, Act("mira"))
        check_odds(ENGINE, world, Shift("mira", "defy"))
    alone = do(do(table(challenge=2), Begin()), Next("mira"))
    check_odds(ENGINE, alone, Act("mira"))


def test_odds_in_a_scene_outside_encounters_have_its_hazards() -> None:
    check_odds(ENGINE, do(table(challenge=1), EnterScene("bridge")), Act("rook", "Sneak"))


def test_pending_state_is_offered_as_reroll_and_let_go_alone() -> None:
    world = do(hero(1, 1, 0, 1), Act("rook", "Do"), 1)
    assert isinstance(world.now.roll, Roll)
    ready = {o.tag for o in offers(ENGINE.actions, world) if not o.closed}
    assert {"reroll", "let_go"} <= ready
    assert not {"act", "shift", "begin", "waypoint", "manoeuvre", "contest"} & ready
