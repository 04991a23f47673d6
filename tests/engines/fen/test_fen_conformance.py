from __future__ import annotations

from collections import Counter

import level
import msgspec
import pytest
from fen_table import Do, Make, view_of

from tabletop_tui.conformance import check_engine, check_secrets, play
from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.attack import Attack
from tabletop_tui.engines.fen.contest import NewContest, RollContest
from tabletop_tui.engines.fen.engine import Fen
from tabletop_tui.engines.fen.hiding import EnterScene
from tabletop_tui.engines.fen.initiative import RollInitiative, Stand
from tabletop_tui.engines.fen.prepared import Open
from tabletop_tui.engines.fen.rounds import BeginFight
from tabletop_tui.engines.fen.turns import NextTurn
from tabletop_tui.engines.fen.world import FenScene, FenWorld, Guard, Weapon
from tabletop_tui.kit.hurt import as_known
from tabletop_tui.rules import KINDS, Dice, strip, tag_of


def test_the_engine_has_all_its_parts() -> None:
    check_engine(ENGINE)


def test_keys_are_single_letters_and_leave_the_screens_own_alone() -> None:
    for screen in KINDS:
        keys = [k.key for k in ENGINE.actions if screen in k.screens and k.key]
        assert len(keys) == len(set(keys)), screen
        assert all(len(k) == 1 and k.isalpha() and k not in "rtuq" for k in keys)


HOUSES = [
    {},
    {"order": ["fewer", "non-explosive", "additional", "doubled", "increments"], "open_npcs": True},
    {"surprised": "last", "rotation": False, "tie_to_players": False, "temporary_first": False},
    {"surprised": "nothing", "wound_limit": "whole", "wound_at_zero": False, "pairs_once": False, "reactions": 0},
]


@pytest.mark.parametrize("seed", range(level.many(12, 110, 1_000)))
def test_random_play_keeps_the_contract(table: Make, seed: int) -> None:
    world = table(**HOUSES[seed % len(HOUSES)])
    for before, action, _, after in play(ENGINE, world, seed, steps=35):
        odds = ENGINE.odds(before, action)
        for group in odds.groups if odds else ():
            assert all(-1e-12 <= c.chance <= 1 + 1e-12 for c in group.chances)
            if not group.at_least:
                assert abs(sum(c.chance for c in group.chances) - 1) < 1e-9
        assert not [p for p in ENGINE.problems(after) if not p.warning]


FIGHT = "begin stand initiative next join act attack leave reveal mend hurt heal modify"
TALK = "open contest defend stand_aside stakes skills roll_contest apply next_round modify help"

HIDE = "scene contest defend roll_contest begin reveal end"


def few(tags: str) -> Fen:
    """The engine with some of its actions only, so that random play gets deep into them."""
    kinds = tuple(k for k in ENGINE.actions if tag_of(k) in tags.split())
    made: Fen = type("Few", (Fen,), {"actions": kinds})()
    return made


@pytest.mark.long
def test_random_play_comes_to_everything_that_there_is(table: Make) -> None:
    none_here = {"tick", "track", "clock_moved", "track_moved", "roll_table", "table_rolled"}
    wanted = {tag_of(k) for k in (*ENGINE.actions, *ENGINE.events)} - none_here
    seen, often = Counter[str](), level.many(1, 2, 2)
    for engine, seeds in ((ENGINE, 12), (few(FIGHT), 12), (few(TALK), 8), (few(HIDE), 8)):
        for seed in range(200, 200 + seeds):
            if all(seen[tag] >= often for tag in wanted):
                return
            for _, action, events, _ in play(engine, table(), seed, steps=70):
                seen[tag_of(type(action))] += 1
                seen.update(tag_of(type(e)) for e in events)
    assert not {tag for tag in wanted if seen[tag] < often}


def twin(world: FenWorld) -> FenWorld:
    """The same table as players know it; the GM's characters have other dice, HP and things."""
    other = {"fight": "4d12", "dodge": "3d20", "will": "1d4", "vigor": "1d20", "notice": "5d4", "lore": "1d6"}
    sheets = {
        w: s
        if s.player
        else msgspec.structs.replace(
            s,
            hp=99,
            skills={**other, "vigor": f"3{s.skills.get('vigor', '1d4')[1:]}"},  # who is down is down for all to see
            weapons={"maul": Weapon("3d12")},
            shield=Guard("Gate", 9),
            armour=None,
            about="a secret",
        )
        for w, s in world.sheets.items()
    }
    people = {
        w: p
        if sheets[w].player
        else msgspec.structs.replace(p, hp=as_known(p.hp, world.sheets[w].hp, 99), temporary=p.temporary + 5)
        for w, p in world.now.people.items()
    }
    scenes = {i: msgspec.structs.replace(s, secret="otherwise") for i, s in world.scenes.items()}
    return msgspec.structs.replace(
        world, sheets=sheets, scenes=scenes, now=msgspec.structs.replace(world.now, people=people)
    )


@pytest.mark.parametrize("seed", range(300, 300 + level.many(6, 25, 250)))
def test_players_never_see_what_is_the_gms(table: Make, seed: int) -> None:
    engine = (ENGINE, few(FIGHT), few(TALK))[seed % 3]
    for _, _, _, after in play(engine, table(), seed, steps=25):
        check_secrets(ENGINE, after, twin(after))


def test_the_twin_would_be_told_apart_by_the_gm(world: FenWorld) -> None:
    assert ENGINE.view("table", world) != view_of("table", twin(world))
    assert strip(ENGINE.view("sheet", world, "wight")) is None
    assert strip(ENGINE.view("sheet", world, "wren")) is not None


def test_odds_that_come_of_secret_dice_are_secret(world: FenWorld, do: Do) -> None:
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    assert strip(ENGINE.odds(world, RollContest())) is None
    assert strip(ENGINE.odds(world, Attack("wren", "spear", "thief"))) is None
    world = do(world, NewContest("wren", "fight/vigor", ("teal",)))
    assert strip(ENGINE.odds(world, RollContest())) is not None


def test_a_table_may_open_the_gms_dice(table: Make, do: Do) -> None:
    world = do(table(open_npcs=True), NewContest("wren", "fight/vigor", ("wight",)))
    assert strip(ENGINE.odds(world, RollContest())) is not None
    assert strip(ENGINE.view("sheet", world, "wight")) is not None


def test_the_hidden_dice_of_a_hidden_contest_are_not_told(world: FenWorld, do: Do) -> None:
    world = do(world, Open("ford/sneak"))
    dice = Dice((2, 3, 5, 3, 2))
    rolled, *_ = RollContest().resolve(world, dice)
    assert [h.secret for h in dice.rolled] == [False, True, True, True]
    assert "Wight rolls unseen" in rolled.says(world)
    assert "Wight 5 = 5" in rolled.whispers(world)
    after = rolled.apply(world)
    assert [h.who for h in strip(ENGINE.view("contest", after)).hands] == ["Wren"]


def test_a_side_that_is_all_hidden_is_not_told(world: FenWorld, do: Do) -> None:
    sides = {"heroes": ("wren", "teal"), "foes": ("thief", "second"), "drowned": ("wight",)}
    scene = FenScene("The weir", sides=sides, hidden=("wight",))
    world = msgspec.structs.replace(world, scenes={"weir": scene})
    world = do(do(world, EnterScene("weir")), BeginFight())
    said = []
    for action, faces in [
        (Stand("wren", "notice"), ()),
        (Stand("thief", "dodge"), ()),
        (Stand("wight", "notice"), ()),
        (RollInitiative(), (2, 2, 3, 5)),
        (NextTurn(), ()),
        (NextTurn(), ()),
    ]:
        for event in action.resolve(world, Dice(faces)):
            said.append(event.says(world))
            assert "drowned" not in said[-1]
            assert "Wight" not in said[-1]
        world = do(world, action, *faces)
        shown = str(strip(ENGINE.view("table", world)))
        assert "drowned" not in shown
        assert "Wight" not in shown
    assert world.now.rounds.sequence[0] == "drowned"  # it did roll, and acted first


def test_who_lies_in_wait_in_a_scene_is_not_on_the_players_roster(world: FenWorld, do: Do) -> None:
    world = msgspec.structs.replace(world, scenes={"weir": FenScene("The weir", hidden=("wight",))})
    world = do(world, EnterScene("weir"))
    assert "wight" in [p.id for p in view_of("table", world).people]
    assert "wight" not in [p.id for p in strip(ENGINE.view("table", world)).people]
