"""Aid on the challenge screen: lending a hand, working together."""

from __future__ import annotations

import pytest
from drama_abbey import abbey, by_night, do

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.aid import AddDrama, LendHand, StepBack, WorkTogether, WorkWith
from tabletop_tui.engines.drama.challenge import Lead, OpenTask, PutIn, RollTask, Situation
from tabletop_tui.engines.drama.penalties import GainPenalty
from tabletop_tui.engines.drama.points import Award
from tabletop_tui.engines.drama.task import task_sides
from tabletop_tui.engines.drama.world import DramaWorld, Side
from tabletop_tui.kit.common import Retire
from tabletop_tui.rules import Action, ChallengeView, Refused, check


def after(world: DramaWorld, *steps: Action) -> DramaWorld:
    for step in steps:
        check(step, world)
        world = do(world, step)
    return world


def sides(world: DramaWorld) -> dict[str, Side]:
    assert world.now.task is not None
    return task_sides(world, world.now.task)


def wall() -> DramaWorld:
    return after(abbey(), OpenTask("The wall", "difficult", "over it unseen"), Lead("william", "Hunting"))


def view_of(world: DramaWorld) -> ChallengeView:
    view = ENGINE.view("challenge", world)
    assert isinstance(view, ChallengeView)
    return view


def test_nobody_broken_or_gone_lends_a_hand() -> None:
    lent = do(by_night(), LendHand("joan"))
    for world in (do(lent, GainPenalty("joan", "exhaustion", 10)), do(lent, Retire("joan"))):
        with pytest.raises(Refused, match="Joan is"):
            do(world, RollTask(), *[1] * 20)


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
    view = view_of(after(wall(), WorkTogether("joan", "Letters")))
    assert view.support is not None
    rows = {row.who: row.cells for row in view.support.rows}
    assert [c.label for c in rows["Brother Edmund"]] == ["+2 base", "rolls too"]
    assert rows["Joan"][1].chosen
    assert rows["Joan"][1].action == StepBack("joan")
    assert view.roll == RollTask()


def test_a_helper_without_the_leads_skill_says_which_one_they_use() -> None:
    view = view_of(wall())
    assert view.support is not None
    cell = next(row.cells[1] for row in view.support.rows if row.id == "joan")
    assert cell.action == WorkWith("joan", ""), "its form asks for the skill"
    with pytest.raises(Refused, match=r"Joan does not have Hunting\. Say which skill they use"):
        do(wall(), WorkTogether("joan"))
    assert sides(after(wall(), WorkWith("joan", "Letters")))["joan"].count("base") == 6
    alone = after(abbey(), OpenTask("The cart"), Lead("william", "Physical"), WorkTogether("joan"))
    assert sides(alone)["joan"].count("base") == 2, "everybody has attributes"


def test_a_hand_that_is_broken_or_gone_closes_the_roll_and_the_odds_say_so() -> None:
    lent = after(wall(), LendHand("edmund"))
    for world in (do(lent, GainPenalty("edmund", "despair", 10)), do(lent, Retire("edmund"))):
        assert "Brother Edmund is" in view_of(world).roll_closed
        assert view_of(world).roll is None
        with pytest.raises(Refused, match="Brother Edmund is"):
            ENGINE.odds(world, RollTask())


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


def test_a_drama_point_that_is_spent_elsewhere_closes_the_roll() -> None:
    put = after(wall(), PutIn("william", "", "plain"))
    assert RollTask.when(put) == ""
    spent = after(put, Award("william", -1))
    assert RollTask.when(spent) == view_of(spent).roll_closed == "William has no Drama Points left"
