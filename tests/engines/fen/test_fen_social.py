"""Social use: stakes first, one roll a round, and another pair of skills in the next."""

from __future__ import annotations

import re

import pytest
from fen_table import Do, Make, contest_in
from msgspec.structs import replace

from tabletop_tui.engines.fen.contest import Choose, NameStakes, NewContest, RollContest
from tabletop_tui.engines.fen.effects import NextRound
from tabletop_tui.engines.fen.hiding import EnterScene
from tabletop_tui.engines.fen.prepared import Open
from tabletop_tui.engines.fen.reference import REFERENCE
from tabletop_tui.engines.fen.social import fresh_pairs, is_social, used_up
from tabletop_tui.engines.fen.views.contest import go_on
from tabletop_tui.engines.fen.world import FenWorld, Plan
from tabletop_tui.rules import Refused


def test_articulate_against_will_is_social_and_hiding_is_not(world: FenWorld) -> None:
    assert is_social(world, "articulate/will")
    assert is_social(world, "will/cognition")
    assert is_social(world, "notice/articulate"), "on either side"
    assert not is_social(world, "dodge/notice")
    assert not is_social(world, "cognition/notice")


def test_a_social_contest_needs_its_stakes_first(world: FenWorld, do: Do) -> None:
    world = do(world, NewContest("teal", "articulate/will", ("thief",)))
    with pytest.raises(Refused, match="name the stakes first"):
        do(world, RollContest())
    world = do(world, NameStakes("he lets go", "the boat"))
    assert contest_in(do(world, RollContest(), 3, 4, 2)).beaten == ["thief"]


def test_a_next_round_needs_a_different_pair_and_the_refusal_names_the_round(world: FenWorld, do: Do) -> None:
    world = do(world, Open("ford/plea"))
    world = do(world, RollContest(), 3, 4, 2)
    with pytest.raises(Refused, match="articulate/will was used in round 1"):
        do(world, NextRound("articulate/will"))
    world = do(world, NextRound("articulate/cognition"))
    world = do(world, RollContest(), 3, 4, 2)
    assert contest_in(world).round == 2
    with pytest.raises(Refused, match="articulate/will was used in round 1"):
        do(world, NextRound("articulate/will"))
    with pytest.raises(Refused, match="articulate/cognition was used in round 2"):
        do(world, NextRound("articulate/cognition"))


def test_the_next_round_offers_prepared_pairs_first_then_those_that_change_one_skill(world: FenWorld, do: Do) -> None:
    skills = {"articulate": "2d8", "cognition": "1d6", "notice": "3d6", "will": "1d6"}
    teal, thief = (replace(world.sheets[who], skills=skills) for who in ("teal", "thief"))
    ready = replace(world.scenes["ford"], contests={**world.scenes["ford"].contests, "stare": Plan("will/notice")})
    world = replace(world, sheets={**world.sheets, "teal": teal, "thief": thief})

    def offered(world: FenWorld) -> list[str]:
        world = do(do(do(world, EnterScene("ford")), Open("ford/plea")), RollContest(), 3, 4, 2)
        return [o.label.removeprefix("go on, ") for o in go_on(world, contest_in(world))]

    near = ["articulate/cognition", "articulate/notice", "cognition/will", "notice/will"]
    assert offered(world) == near
    assert offered(replace(world, scenes={**world.scenes, "ford": ready})) == ["will/notice", *near[:3]]


def test_the_list_for_the_next_round_has_social_pairs_alone_and_the_nearest_first(world: FenWorld, do: Do) -> None:
    world = do(world, Open("ford/plea"))
    before = [c.value for c in fresh_pairs(world, {})]
    assert "fight/vigor" in before, "nothing is rolled yet: it may become another contest"
    world = do(world, RollContest(), 3, 4, 2)
    found = fresh_pairs(world, {})
    assert [c.value for c in found if not c.closed][:2] == ["articulate/cognition", "articulate/notice"]
    assert [c.value for c in found if c.closed] == ["articulate/will"]
    assert all(is_social(world, c.value) for c in found)
    assert len(found) == 12, "of four skills, without the four pairs of cognition and notice"
    assert contest_in(do(world, NextRound("fight/vigor"))).pair == "fight/vigor", "any other can be typed"


def test_the_printed_rules_name_the_pairs_that_are_social(world: FenWorld) -> None:
    words = REFERENCE.split("**Words.**")[1].split("\n\n")[0]
    named = re.findall(r"[a-z]+/[a-z]+", words)
    assert named
    assert all(is_social(world, pair) for pair in named)
    assert "on either side" in " ".join(words.split())


def test_choosing_a_used_pair_by_another_door_is_refused_too(world: FenWorld, do: Do) -> None:
    world = do(world, Open("ford/plea"))
    world = do(do(world, RollContest(), 3, 4, 2), NextRound("will/will"))
    with pytest.raises(Refused, match="used in round 1"):
        do(world, Choose("articulate/will"))


def test_a_table_may_forbid_only_the_round_before(table: Make, do: Do) -> None:
    world = do(table(pairs_once=False), Open("ford/plea"))
    world = do(do(world, RollContest(), 3, 4, 2), NextRound("articulate/notice"))
    assert "round 1" in used_up(world, "articulate/will")
    world = do(world, RollContest(), 3, 4, 2)
    assert contest_in(do(world, NextRound("articulate/will"))).round == 3


def test_a_fight_may_use_the_same_pair_again(world: FenWorld, do: Do) -> None:
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    world = do(world, RollContest(), 1, 1, 3)
    assert contest_in(do(world, NextRound("fight/vigor"))).round == 2


def test_a_table_with_social_skills_of_its_own_has_social_contests(table: Make) -> None:
    assert is_social(table(social_skills=("charm", "wit")), "charm/wit")
    assert not is_social(table(), "cognition/notice")
