"""Hiding: a contest with somebody unseen in it is whispered, and whoever is found is seen."""

from __future__ import annotations

from typing import Any

import pytest
from fen_table import Do, view_of
from msgspec.structs import replace

from tabletop_tui.engines.fen import ENGINE, scene
from tabletop_tui.engines.fen.attack import Attack
from tabletop_tui.engines.fen.changes import Modify
from tabletop_tui.engines.fen.contest import Close, Defend, NewContest, RollContest, StandAside
from tabletop_tui.engines.fen.harm import Hurt, Mend, Wound
from tabletop_tui.engines.fen.hiding import EnterScene, lies_in_wait
from tabletop_tui.engines.fen.prepared import Open, prepared
from tabletop_tui.engines.fen.rounds import BeginFight, EndFight
from tabletop_tui.engines.fen.world import FenScene, FenWorld, Plan, person
from tabletop_tui.kit.order import Hide, Reveal
from tabletop_tui.kit.seen import unseen
from tabletop_tui.rules import Dice, Refused, check, strip


@pytest.fixture
def weir(world: FenWorld, do: Do) -> FenWorld:
    """The thief lies in wait; no fight has begun."""
    return do(world, EnterScene("weir"))


@pytest.fixture
def fight(weir: FenWorld, do: Do) -> FenWorld:
    """The thief fights unseen."""
    return do(weir, BeginFight())


def told(world: FenWorld, action: Any, *faces: Any) -> Any:
    """What everybody reads, what the GM reads, the dice that players see, and the world after it."""
    check(action, world)
    dice, said, whispered = Dice(faces), [], []
    for event in action.resolve(world, dice):
        said.append(event.says(world))
        whispered.append(event.whispers(world))
        world = event.apply(world)
    assert not dice.unused
    seen = [h.why for h in dice.rolled if not h.secret]
    return [w for w in said if w], [w for w in whispered if w], seen, world


@pytest.mark.parametrize("place", ["weir", "fight"])
def test_an_unseen_one_begins_to_hide_and_stays_unseen_where_nobody_meets_it(
    request: pytest.FixtureRequest, place: str
) -> None:
    world = request.getfixturevalue(place)
    said, whispered, _, world = told(world, NewContest("thief", "dodge/notice", ("wren", "teal")))
    assert said == []
    assert whispered == ["Thief against Wren, Teal, dodge/notice"]
    assert "Thief" not in str(strip(ENGINE.view("contest", world)))
    assert "thief" not in [p.id for p in strip(ENGINE.view("table", world)).people]
    assert strip(ENGINE.odds(world, RollContest())) is None
    said, whispered, seen, world = told(world, RollContest(), 6, 5, 1, 1, 1, 1, 1)
    assert (said, seen) == ([], [])
    assert whispered == ["dodge/notice: Thief 6→5 = 11; Wren 1 1 = 2: beaten; Teal 1 1 1 = 3: beaten"]
    assert lies_in_wait(world, "thief")
    assert "Thief" not in str(strip(ENGINE.view("contest", world)))
    said, whispered, _, _ = told(world, Close())
    assert (said, len(whispered)) == ([], 1)


def test_who_begins_behind_the_screen_unmet_hides_though_no_scene_says_so(world: FenWorld) -> None:
    assert unseen(world, "thief")
    assert not lies_in_wait(world, "thief")
    open_, _, _, shown = told(world, NewContest("thief", "dodge/notice", ("wren",)))
    assert open_ == ["Thief against Wren, dodge/notice"], "a contest before everybody shows them"
    assert not unseen(shown, "thief")
    said, whispered, _, world = told(world, NewContest("thief", "dodge/notice", ("wren", "teal"), hidden=True))
    assert (said, whispered) == ([], ["Thief against Wren, Teal, dodge/notice"])
    assert "Thief" not in str(strip(ENGINE.view("contest", world)))
    said, _, _, hid = told(world, RollContest(), 6, 5, 1, 1, 1, 1, 1)
    assert said == []
    _, _, _, hid = told(hid, Close())
    assert unseen(hid, "thief"), "nobody found them"
    said, _, _, found = told(world, RollContest(), 1, 4, 4, 1, 1, 1)
    assert "Thief is found" in said
    assert not unseen(found, "thief")


@pytest.mark.parametrize("place", ["weir", "fight"])
def test_who_is_met_by_any_seeker_is_found_and_seen(request: pytest.FixtureRequest, place: str, do: Do) -> None:
    world = request.getfixturevalue(place)
    world = do(world, NewContest("thief", "dodge/notice", ("wren", "teal")))
    said, whispered, seen, world = told(world, RollContest(), 3, 1, 1, 1, 1, 1)  # 3 against 2 and 3
    assert said == ["Thief is found"]
    assert len(whispered) == 1
    assert seen == []
    assert not lies_in_wait(world, "thief")
    assert "Thief" in str(strip(ENGINE.view("contest", world))), "from now on it is open to all eyes"
    world = do(world, BeginFight()) if place == "weir" else world
    assert not world.now.turns.fighters["thief"].hidden


@pytest.mark.parametrize("place", ["weir", "fight"])
def test_an_unseen_one_answers_who_seeks_and_is_found_by_being_beaten(
    request: pytest.FixtureRequest, place: str, do: Do
) -> None:
    world = request.getfixturevalue(place)
    world = do(world, NewContest("wren", "notice/dodge", ("thief",)))
    held = told(world, RollContest(), 1, 2, 3)
    assert held[0] == []
    assert lies_in_wait(held[3], "thief")
    said, _, _, after = told(world, RollContest(), 1, 3, 3)
    assert said == ["Thief is found"]
    assert not lies_in_wait(after, "thief")


def test_one_unseen_defender_makes_all_of_it_the_gms(weir: FenWorld, do: Do) -> None:
    world = do(weir, NewContest("wren", "notice/dodge", ("wight",)))
    assert "Wight" in str(strip(ENGINE.view("contest", world)))
    said, _, _, world = told(world, Defend("thief"))
    assert said == []
    assert "Wight" not in str(strip(ENGINE.view("contest", world)))
    said, _, _, world = told(world, StandAside("thief"))
    assert said == [], "not even that somebody stood aside"
    assert "Wight" in str(strip(ENGINE.view("contest", world)))


def test_who_was_seen_in_a_fight_does_not_lie_in_wait_after_it(fight: FenWorld, do: Do) -> None:
    assert lies_in_wait(do(fight, EndFight()), "thief")
    world = do(do(fight, Reveal("thief")), EndFight())
    assert not lies_in_wait(world, "thief")
    assert not do(world, BeginFight()).now.turns.fighters["thief"].hidden


def test_whoever_was_seen_stays_known_until_they_lie_in_wait_again(fight: FenWorld, do: Do) -> None:
    after = do(do(fight, Reveal("thief")), EndFight())
    assert "thief" in after.now.met
    assert not unseen(after, "thief")
    ambush = replace(after, scenes={**after.scenes, "again": FenScene("Again", hidden=("thief",))})
    ambush = ambush.live(found=())
    assert unseen(do(ambush, EnterScene("again")), "thief")


def test_a_blow_is_struck_before_all_eyes(fight: FenWorld, do: Do) -> None:
    for action in (Attack("thief", "unarmed", "wren", "nothing"), Attack("wren", "spear", "thief", "nothing")):
        with pytest.raises(Refused, match="reveal them first"):
            do(fight, action)


@pytest.mark.parametrize(
    "action", [Hurt("wren", 1), Wound("wren"), Modify("wren", additional=1), Mend("wight", "armour")]
)
def test_what_is_done_to_somebody_unseen_is_whispered(fight: FenWorld, do: Do, action: Any) -> None:
    for who in ("wren", "wight"):
        fight = do(fight, Hide(who))
    worn = replace(person(fight, "wight"), guards={"armour": 1})
    fight = fight.live(people={**fight.now.people, "wight": worn})
    said, whispered, _, _ = told(fight, action)
    assert said == []
    assert len(whispered) == 1


@pytest.mark.parametrize("place", ["weir", "fight"])
@pytest.mark.parametrize("throw", ["any", "contest"])
def test_what_is_done_to_dice_does_not_tell_that_somebody_hides_from_them(
    request: pytest.FixtureRequest, place: str, throw: Any, do: Do
) -> None:
    """Neither in the log nor on the roster or the sheet, until somebody is found or it was rolled."""
    world = do(request.getfixturevalue(place), NewContest("thief", "dodge/notice", ("wren",)))
    said, whispered, _, changed = told(world, Modify("wren", additional=1, throw=throw))
    assert (said, len(whispered)) == ([], 1)
    assert ENGINE.seen_by(changed, "Ana") == ENGINE.seen_by(world, "Ana")
    for kind, about in (("table", ""), ("sheet", "wren"), ("contest", "")):
        views: Any = [ENGINE.view(kind, here, about) for here in (world, changed)]  # type: ignore[arg-type]
        assert views[0] != views[1], "the GM sees it"
        assert strip(views[0]) == strip(views[1]), kind
    assert told(world, Modify("teal", additional=1, throw=throw))[0], "who is not in it"
    assert told(world, Modify("wren", additional=1, throw="dodge"))[0], "what is for other throws"
    open_ = do(request.getfixturevalue(place), NewContest("wight", "fight/vigor", ("wren",)))
    assert told(open_, Modify("wren", additional=1, throw=throw))[0], "a contest that everybody sees"


def test_nobody_strikes_or_is_struck_who_lies_in_wait(weir: FenWorld, do: Do) -> None:
    for blow in (Attack("wren", "spear", "thief"), Attack("thief", "unarmed", "wren")):
        with pytest.raises(Refused, match="lies in wait: begin the fight first"):
            check(blow, weir)


def test_a_prepared_contest_says_who_is_left_out_of_it(weir: FenWorld) -> None:
    plan = Plan("notice/dodge", "Who is there?", "wren", ("wight", "thief"))
    world = replace(weir, scenes={**weir.scenes, "weir": replace(weir.scenes["weir"], contests={"seek": plan})})
    (choice,) = [c for c in prepared(world, {}) if c.value == "weir/seek"]
    assert choice.note == "without Thief, unseen"
    assert "without Thief, unseen" in scene.prepared(world, "weir")[0].note
    said, whispered, _, after = told(world, Open("weir/seek"))
    assert list(after.now.contest.defenders) == ["wight"]
    assert whispered == ["Prepared for it too, and left out while unseen: Thief"]
    assert "Thief" not in " ".join(said)
    (option,) = [o for o in view_of("contest", world).open if o.action == Open("weir/seek")]
    assert option.note == "notice/dodge, without Thief, unseen"
