from __future__ import annotations

from typing import Any

import msgspec
import pytest
from fen_table import Do, Make, contest_in

from tabletop_tui.conformance import play
from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.contest import NewContest, RollContest
from tabletop_tui.engines.fen.dice import Die, Fallen, Mods
from tabletop_tui.engines.fen.rounds import BeginFight
from tabletop_tui.engines.fen.world import FenScene, FenWorld, Guard, Plan, Rounds, Standing, Weapon

replace = msgspec.structs.replace


def sheet(world: FenWorld, **changes: Any) -> FenWorld:
    return replace(world, sheets={**world.sheets, "wren": replace(world.sheets["wren"], **changes)})


def them(world: FenWorld, **changes: Any) -> FenWorld:
    people = {**world.now.people, "wren": replace(world.now.people["wren"], **changes)}
    return world.live(people=people)


def found(world: FenWorld, *path: Any) -> Any:
    match = [p for p in ENGINE.problems(world) if p.path == path]
    assert match, [p.path for p in ENGINE.problems(world)]
    assert match[0].what
    assert match[0].remedy or match[0].known
    return match[0]


def test_a_table_that_fits_has_no_problems(world: FenWorld) -> None:
    assert ENGINE.problems(world) == []


@pytest.mark.parametrize(
    ("dice", "what"),
    [
        ("3x8", "character 2: 'x' where a d was expected"),
        ("2d7", "character 3: the game has no d7"),
        ("1001d6", "more than 1,000 dice"),
        ("", "character 1: dice are missing"),
        ("1d8 additional 1", "character 5: 'a' does not belong"),
    ],
)
def test_dice_that_do_not_read_are_pointed_at(world: FenWorld, dice: str, what: str) -> None:
    assert what in found(sheet(world, skills={"fight": dice}), "sheets", "wren", "skills", "fight").what
    broken = sheet(world, weapons={"spear": Weapon(dice)})
    assert what in found(broken, "sheets", "wren", "weapons", "spear", "dice").what


@pytest.mark.parametrize("name", ["", " fight", "a/b"])
def test_names_that_a_contest_could_not_write(world: FenWorld, name: str) -> None:
    found(sheet(world, skills={name: "1d4"}), "sheets", "wren", "skills", name)


def test_skills_that_differ_in_capitals_only(world: FenWorld) -> None:
    found(sheet(world, skills={"fight": "1d4", "Fight": "1d6"}), "sheets", "wren", "skills", "Fight")


def test_numbers_on_a_sheet_that_cannot_be(world: FenWorld) -> None:
    found(sheet(world, hp=0), "sheets", "wren", "hp")
    found(sheet(world, shield=Guard("Targe", -1)), "sheets", "wren", "shield", "defense")
    assert found(
        sheet(world, weapons={"x": Weapon("1d4", "will")}), "sheets", "wren", "weapons", "x", "skill"
    ).warning


@pytest.mark.parametrize("key", ["hp", "temporary", "wounds", "minor", "major", "reactions"])
def test_live_numbers_below_nothing(world: FenWorld, key: str) -> None:
    assert "cannot be -1" in found(them(world, **{key: -1}), "now", "people", "wren", key).what


def test_other_live_state_that_cannot_be(world: FenWorld) -> None:
    found(them(world, guards={"shield": -1}), "now", "people", "wren", "guards", "shield")
    found(them(world, mods=Mods(fewer=-1)), "now", "people", "wren", "mods", "fewer")
    found(them(world, mods=Mods(increments=9)), "now", "people", "wren", "mods", "increments")
    assert found(them(world, hp=500), "now", "people", "wren", "hp").warning
    stranger = world.live(people={**world.now.people, "nobody": world.now.people["wren"]})
    assert found(stranger, "now", "people", "nobody").warning


def test_house_rules_that_cannot_be(world: FenWorld) -> None:
    found(replace(world, rules=replace(world.rules, order=("fewer",))), "rules", "order")
    found(replace(world, rules=replace(world.rules, initiative_skills=())), "rules", "initiative_skills")
    found(replace(world, rules=replace(world.rules, attack_skills=())), "rules", "attack_skills")
    found(replace(world, rules=replace(world.rules, skills=("a/b",))), "rules", "skills", 0)


def test_scenes_that_do_not_fit(world: FenWorld) -> None:
    def scene(**changes: Any) -> Any:
        return replace(world, scenes={"x": FenScene("X", **changes)})

    assert found(scene(sides={"a": ("nobody",)}), "scenes", "x", "sides", "a", 0).warning
    found(scene(sides={"a": ("wren",), "b": ("wren",)}), "scenes", "x", "sides", "b", 0)
    assert found(scene(sides={"a": ("wren",)}, surprised=("b",)), "scenes", "x", "surprised", 0).warning
    found(scene(contests={"c": Plan("fight")}), "scenes", "x", "contests", "c", "contest")
    assert found(scene(contests={"c": Plan("a/b", who="nobody")}), "scenes", "x", "contests", "c", "who").warning


def test_contests_that_a_hand_edit_broke(world: FenWorld, do: Do) -> None:
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    rolled = do(world, RollContest(), 3, 3, 2)
    contest = contest_in(world)
    found(world.live(contest=replace(contest, who="nobody")), "now", "contest", "who")
    found(world.live(contest=replace(contest, skill="")), "now", "contest", "skill")
    found(world.live(contest=replace(contest, defenders={"nobody": contest.defenders["wight"]})),
          "now", "contest", "defenders", "nobody")  # fmt: skip
    found(world.live(contest=replace(contest, defenders={"wren": contest.defenders["wight"]})),
          "now", "contest", "defenders", "wren")  # fmt: skip
    half = replace(contest_in(rolled), fallen=None)
    found(world.live(contest=half), "now", "contest", "defenders", "wight")
    odd = replace(contest_in(rolled), fallen=Fallen((Die(8, (9,)),)))
    assert "cannot show 9" in found(world.live(contest=odd), "now", "contest", "fallen").what


def test_turns_that_a_hand_edit_broke(world: FenWorld, do: Do) -> None:
    world = do(world, BeginFight())
    turns = world.now.turns
    found(world.live(turns=replace(turns, order=(*turns.order, "nobody"))), "now", "turns", "order")
    found(world.live(turns=replace(turns, order=turns.order[1:])), "now", "turns", "fighters", turns.order[0])
    found(world.live(turns=replace(turns, order=(*turns.order, turns.order[0]))), "now", "turns", "order")
    found(world.live(turns=replace(turns, current="nobody")), "now", "turns", "current")
    gone = {w: f for w, f in turns.fighters.items() if w != turns.order[0]}
    lost = world.live(turns=replace(turns, fighters=gone), rounds=Rounds(sequence=("heroes",)))
    found(lost, "now", "turns", "order")
    found(world.live(turns=replace(turns, mode="listed")), "now", "turns", "mode")
    rounds = Rounds({"heroes": Standing("nobody", "notice")})
    found(world.live(rounds=rounds), "now", "rounds", "standing", "heroes", "who")


@pytest.mark.parametrize("seed", range(400, 412))
def test_events_apply_to_any_world_without_problems(table: Make, seed: int) -> None:
    """A hand edit may come between: what was resolved before it must still apply after it."""
    fresh = table()
    shrunk = replace(fresh, sheets={"teal": fresh.sheets["teal"]}, now=replace(fresh.now, people={}))
    for _, _, events, _ in play(ENGINE, table(), seed, steps=40):
        for other in (fresh, shrunk):
            for event in events:
                event.apply(other)


def test_a_skill_that_nobody_has_is_found_in_a_prepared_contest(world: FenWorld) -> None:
    scene = next(iter(world.scenes.values()))
    plan = replace(next(iter(scene.contests.values())), contest="fight/wil")
    scenes = {"here": replace(scene, contests={"odd": plan})}
    found = [p for p in ENGINE.problems(replace(world, scenes=scenes)) if p.path[-1] == "contest"]
    assert [(p.path, p.warning) for p in found] == [(("scenes", "here", "contests", "odd", "contest"), True)]
    assert "'wil'" in found[0].what


def test_wounds_and_defense_beyond_what_the_rules_can_make_are_told(world: FenWorld) -> None:
    assert found(them(world, wounds=5), "now", "people", "wren", "wounds").what == (
        "5 wounds are more than the tally has: it ends at 4"
    )
    shield = found(them(world, guards={"shield": 4}), "now", "people", "wren", "guards", "shield")
    assert shield.what == "Targe has 3 defense on the sheet, not 4"
    assert shield.warning
