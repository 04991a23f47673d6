"""After a contest: what losing costs."""

from __future__ import annotations

import pytest
from fen_table import Do, view_of
from msgspec.structs import replace

from tabletop_tui.engines.fen.contest import NewContest, RollContest
from tabletop_tui.engines.fen.effects import ALL, Apply, losers, who_lost
from tabletop_tui.engines.fen.hiding import EnterScene
from tabletop_tui.engines.fen.prepared import Open
from tabletop_tui.engines.fen.rounds import BeginFight
from tabletop_tui.engines.fen.world import FenScene, FenWorld, person
from tabletop_tui.kit.order import Hide, Reveal
from tabletop_tui.rules import Dice, Refused


def on(world: FenWorld, do: Do, scene: FenScene) -> FenWorld:
    """The world with one more scene, which is on."""
    return do(replace(world, scenes={**world.scenes, "here": scene}), EnterScene("here"))


def test_the_effect_strikes_all_losers_at_once(world: FenWorld, do: Do) -> None:
    world = do(world, Open("ford/scare"))
    world = do(world, RollContest(), 7, 6, 3, 2)
    world = do(world, Apply(ALL))
    assert {c.who for c in world.now.conditions.values()} == {"wight", "thief"}
    assert (person(world, "wight").hp, person(world, "wight").wounds) == (7, 1)
    assert (person(world, "thief").hp, person(world, "thief").wounds) == (4, 1)


def test_two_who_lost_are_both_of_them(world: FenWorld, do: Do) -> None:
    world = do(do(world, Open("ford/scare")), RollContest(), 7, 6, 3, 2)
    assert view_of("contest", world).prompt.options[0].label == "shaken, 2 damage, 1 wound: both who lost"
    assert [who_lost(count) for count in (1, 2, 3)] == ["the one who lost", "both who lost", "all three who lost"]


def test_the_effect_strikes_one_loser_alone_and_only_once(world: FenWorld, do: Do) -> None:
    world = do(world, Open("ford/scare"))
    world = do(world, RollContest(), 7, 6, 3, 2)
    world = do(world, Apply("thief", "afraid of the dark"))
    assert [c.what for c in world.now.conditions.values()] == ["afraid of the dark"]
    with pytest.raises(Refused, match="applied to them already"):
        do(world, Apply("thief"))
    world = do(world, Apply(ALL))
    assert person(world, "thief").hp == 6
    assert person(world, "wight").hp == 7


def test_an_effect_that_nobody_named_is_refused(world: FenWorld, do: Do) -> None:
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    world = do(world, RollContest(), 7, 6, 3)
    with pytest.raises(Refused, match="no effect was prepared"):
        do(world, Apply("wight"))


def test_an_aggressor_who_beat_nobody_is_the_loser(world: FenWorld, do: Do) -> None:
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    world = do(world, RollContest(), 1, 1, 3)
    assert person(do(world, Apply("wren", "", 3)), "wren").hp == 11


def test_an_aggressor_who_lost_to_somebody_is_struck_once(world: FenWorld, do: Do) -> None:
    world = do(do(world, EnterScene("ford")), Open("ford/scare"))
    partly = do(world, RollContest(), 2, 2, 7, 1)  # the wight holds, the thief does not
    assert [(c.value, c.closed) for c in losers(partly, {})] == [("all", ""), ("thief", ""), ("wren", "")]
    struck = do(partly, Apply("wren"))
    with pytest.raises(Refused, match="applied to them already"):
        do(struck, Apply("wren"))


def test_players_are_not_told_of_a_surprise_or_a_blow_they_cannot_see(world: FenWorld, do: Do) -> None:
    ambush = FenScene("Ambush", sides={"heroes": ("wren",), "foes": ("thief",)}, hidden=("thief",))
    world = on(world, do, ambush)
    began, readied = BeginFight(surprised=("foes",)).resolve(world, Dice())
    assert readied.says(began.apply(world)) == ""
    fight = do(do(world, BeginFight(nobody_surprised=True)), Reveal("thief"))
    rolled = do(do(fight, NewContest("wren", "fight/will", ("thief",), "he runs")), RollContest(), 7, 7, 1)
    struck, *_ = Apply("thief", hurt=2).resolve(do(rolled, Hide("thief")), Dice())  # out of sight again
    unseen = do(rolled, Hide("thief"))
    assert (struck.says(unseen), struck.whispers(unseen)) == ("", "Thief suffers 2 damage")
    assert struck.says(rolled) == "Thief suffers 2 damage"
