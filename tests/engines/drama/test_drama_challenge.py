"""Helping each other, and complex tests, as the challenge screen plays them."""

from __future__ import annotations

import pytest
from drama_abbey import abbey, do, table

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.after import LetStand, Pay
from tabletop_tui.engines.drama.chain import GiveUp, OpenChain
from tabletop_tui.engines.drama.crew import task_sides
from tabletop_tui.engines.drama.penalties import GainPenalty
from tabletop_tui.engines.drama.task import (
    AddDrama,
    CloseTask,
    Lead,
    LendHand,
    OpenTask,
    PutIn,
    RollTask,
    Situation,
    StepBack,
    WorkTogether,
)
from tabletop_tui.engines.drama.world import Complex, DramaWorld, Penalty, Side
from tabletop_tui.rules import Action, ChallengeView, Refused, check
from tabletop_tui.session.verify import verify

NIGHT = "the-night-office/night"


def after(world: DramaWorld, *steps: Action) -> DramaWorld:
    for step in steps:
        check(step, world)
        world = do(world, step)
    return world


def view_of(world: DramaWorld) -> ChallengeView:
    view = ENGINE.view("challenge", world)
    assert isinstance(view, ChallengeView)
    return view


def sides(world: DramaWorld) -> dict[str, Side]:
    assert world.now.task is not None
    return task_sides(world, world.now.task)


def chain_of(world: DramaWorld) -> Complex:
    assert world.now.complex is not None
    return world.now.complex


def wall() -> DramaWorld:
    return after(abbey(), OpenTask("The wall", "difficult", "over it unseen"), Lead("william", "Hunting"))


def test_a_hand_adds_the_attribute_that_the_lead_uses() -> None:
    world = after(wall(), LendHand("edmund"))
    assert [(p.source, p.base) for p in sides(world)["william"].pieces if p.base] == [
        ("Agility 3 + Hunting 3", 6),
        ("Brother Edmund lends a hand: Agility", 2),
    ]


def test_those_who_work_together_have_the_full_resistance_each() -> None:
    world = after(wall(), WorkTogether("edmund", "Stealth"), Situation("rain", 1, 2))
    found = {w: (s.count("base"), s.count("resistance")) for w, s in sides(world).items()}
    assert found == {"william": (7, 6), "edmund": (3, 6)}


def test_a_helper_who_takes_the_lead_no_longer_helps() -> None:
    world = after(wall(), LendHand("edmund"), Lead("edmund", "Stealth"))
    assert world.now.task is not None
    assert (world.now.task.lead, list(world.now.task.crew), world.now.task.hands) == ("edmund", ["edmund"], {})


def test_the_matrix_shows_what_each_helper_would_bring() -> None:
    view = view_of(after(wall(), WorkTogether("joan")))
    assert view.support is not None
    rows = {row.who: row.cells for row in view.support.rows}
    assert [c.label for c in rows["Brother Edmund"]] == ["+2 base", "rolls too"]
    assert rows["Joan"][1].chosen
    assert rows["Joan"][1].action == StepBack("joan")
    assert view.roll == RollTask()


def test_drama_dice_passions_and_points_go_into_the_pool() -> None:
    world = after(
        wall(),
        AddDrama("joan", "william", "a hymn covers the noise"),
        PutIn("william", "Margery of the mill", "plain"),
    )
    assert sides(world)["william"].count("drama") == 4
    rolled = do(world, RollTask(), *[6] * 6, *[3] * 4, *[2] * 4)
    assert rolled.now.people["william"].drama_points == 0
    with pytest.raises(Refused, match="has given to this test"):
        check(AddDrama("joan", "william", "again"), world)


def test_the_broken_cannot_roll_what_they_prepared() -> None:
    world = do(wall(), GainPenalty("william", "despair", 10))
    assert "broken" in view_of(world).roll_closed
    with pytest.raises(Refused, match="broken"):
        do(world, RollTask())


def test_a_prepared_test_can_be_left_alone() -> None:
    assert after(wall(), CloseTask()).now.task is None


# ---- complex tests


def begin() -> DramaWorld:
    return after(abbey(), OpenChain(NIGHT), Lead("edmund", "Stealth"))


def test_success_opens_the_next_dimension() -> None:
    world = do(begin(), RollTask(), 6, 6, 6, 3, 3)
    assert (chain_of(world).at, chain_of(world).tried) == (1, 0)
    view = view_of(world)
    assert view.facts[0] == "The third lock: attempt 1 of 2"
    assert [o.label for o in view.parts] == ["Past the porter", "The third lock", "Whose hand?"]
    assert [(o.chosen, o.closed) for o in view.parts] == [(True, "done"), (False, ""), (False, "locked")]
    assert view.parts[1].note.startswith("attempt 1 of 2 · 4 resist · Agility alone")
    assert "first attempt: a candle · second: the last candle, 1 penalty die · failing: a pick" in view.parts[1].note
    assert "one attempt" in view.parts[2].note
    assert [o.label for o in view.extras] == ["give up"]


def test_the_second_attempt_has_two_resistance_dice_less_and_its_price() -> None:
    world = do(begin(), RollTask(), 1, 1, 1, 1, 1)
    assert chain_of(world).tried == 1
    world = after(world, Lead("edmund", "Stealth"))
    assert sides(world)["edmund"].count("resistance") == 0
    world = do(world, RollTask(), 6, 6, 1)
    assert chain_of(world).at == 1
    assert world.now.people["edmund"].penalties == {"penalty-1": Penalty("Past the porter", 1)}


def test_a_failed_second_attempt_locks_the_test() -> None:
    world = after(do(begin(), RollTask(), 1, 1, 1, 1, 1), Lead("edmund", "Stealth"))
    world = do(world, RollTask(), 1, 1, 1)
    assert chain_of(world).outcome == "failed"
    assert world.now.task is None
    assert world.now.people["edmund"].carried == 2, "the second attempt's price, and the cost of failure"
    assert view_of(world).facts == ("outcome: failed",)


def test_locked_after_a_dimension_is_partial_and_giving_up_too() -> None:
    world = do(begin(), RollTask(), 6, 6, 6, 3, 3)
    assert chain_of(after(world, GiveUp())).outcome == "partial"
    assert chain_of(after(begin(), GiveUp())).outcome == "failed"


def test_all_dimensions_done_is_full_through_the_table() -> None:
    play = table(abbey())
    play.do(OpenChain(NIGHT))
    play.do(Lead("edmund", "Stealth"))
    play.do(RollTask(), [6, 6, 6, 3, 3], roll=False)
    play.do(Lead("william", "Agility"))
    play.do(LendHand("edmund"))
    play.do(RollTask(), [6] * 10 + [1, 2, 3, 4], roll=False)
    play.do(Lead("joan", "Letters"))
    entry = play.do(RollTask(), [6, 5, 5, 1, 1, 1, 1, 2], roll=False)
    assert not chain_of(play.world).outcome, "a marginal result waits for its price"
    assert "wait" in OpenChain.when(play.world)
    assert entry.said
    play.do(Pay("joan"))
    assert chain_of(play.world).outcome == "full"
    assert not verify(ENGINE, play.header, play.timeline.entries).wrong


def test_a_single_attempt_locks_at_once() -> None:
    world = do(begin(), RollTask(), 6, 6, 6, 3, 3)
    world = do(after(world, Lead("william", "Agility")), RollTask(), *[6] * 6, *[3] * 4)
    world = do(after(world, Lead("edmund", "Latin")), RollTask(), *[1] * 5, *[3] * 3)
    assert chain_of(world).outcome == "partial"
    assert world.now.people["edmund"].carried == 2


def test_a_marginal_attempt_that_nobody_pays_for_fails() -> None:
    world = do(begin(), RollTask(), 6, 3, 3, 3, 3)
    assert chain_of(do(world, LetStand())).tried == 1
