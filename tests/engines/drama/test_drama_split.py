"""Splits: parts, shares, what each opponent answers with, what goes into the named part."""

from __future__ import annotations

import pytest
from drama_abbey import abbey, do
from msgspec.structs import replace

from tabletop_tui.conformance import check_odds
from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.campaign import DramaRules, DramaSheet, Skill
from tabletop_tui.engines.drama.contest import NewContest
from tabletop_tui.engines.drama.opposed import Oppose
from tabletop_tui.engines.drama.penalties import GainPenalty
from tabletop_tui.engines.drama.split import Split
from tabletop_tui.engines.drama.world import DramaNow, DramaWorld, Roll
from tabletop_tui.rules import Refused, check, choices, fields, offers


def roll_of(world: DramaWorld) -> Roll:
    assert world.now.roll is not None
    return world.now.roll


def small(**skills: int) -> DramaWorld:
    """Four people with one base die each and a skill of their own on top: pools small enough to walk."""
    sheets = {
        who: DramaSheet(name, player, attributes={"Social": 1}, skills={"Wits": Skill(skills.get(who, 0), "Social")})
        for who, name, player in (("a", "Ann", "Ana"), ("b", "Bo", ""), ("c", "Cy", "Cleo"), ("d", "Di", ""))
    }
    return DramaWorld(DramaRules(), DramaNow(), sheets)


def test_a_split_pool_meets_each_opponent_with_its_part_and_all_resistance() -> None:
    world = do(abbey(), GainPenalty("william", "cold", 2))
    sides = Split("william", "Hunting", ("hugh", "porter"), shares="4 2").sides(world)
    assert [(s.count("base"), s.count("resistance")) for s in sides.values() if s.who == "william"] == [
        (4, 2),
        (2, 2),
    ]
    after = do(world, Split("william", "Hunting", ("hugh", "porter")), *[6, 6, 6, 3, 3], *[1] * 6, *[1] * 5, *[6] * 6)
    assert [v.winner for v in roll_of(after).verdicts.values()] == ["william/1", "porter"]


def test_resistance_can_be_divided_by_house_rule() -> None:
    world = do(abbey(split_resistance="divided"), GainPenalty("william", "cold", 3))
    sides = Split("william", "Hunting", ("hugh", "porter")).sides(world)
    assert [s.count("resistance") for s in sides.values() if s.who == "william"] == [2, 1]


@pytest.mark.parametrize(
    ("against", "shares", "sentence"),
    [
        (("hugh",), "", "two opponents or more"),
        (("hugh", "porter"), "5 0", "does not split"),
        (("hugh", "porter"), "-1 7", "whole numbers"),
        (("hugh", "porter"), "1000 2", "whole numbers"),
        (("hugh", "porter", "joan"), "3 3", "does not split"),
    ],
)
def test_bad_shares(against: tuple[str, ...], shares: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        Split("william", "Hunting", against, shares=shares).sides(abbey())


def test_each_opponent_answers_with_what_the_gm_chooses_the_best_is_proposed() -> None:
    action = Split("william", "Hunting", ("hugh", "porter"))
    best = action.sides(abbey())
    assert (best["hugh"].pieces[0].source, best["porter"].pieces[0].source) == (
        "Social 3 + Authority 3",
        "Physical",
    )
    chosen = replace(action, answers=("hugh:Latin", "porter:Awareness"))
    check(chosen, abbey())
    sides = chosen.sides(abbey())
    assert sides["hugh"].pieces[0].source == "Mental 3 + Latin 2"
    assert sides["porter"].pieces[0].source == "Mental 1 + Awareness 2"
    with pytest.raises(Refused, match="answers once"):
        replace(action, answers=("hugh:Latin", "hugh:Authority")).sides(abbey())


def test_extras_of_a_split_go_into_the_named_part() -> None:
    world = do(abbey(), GainPenalty("william", "drink", 2))
    action = Split(
        "william", "Hunting", ("hugh", "porter"), into="porter", passion="Margery of the mill", point="plain",
        turned="penalty-1", hands=("edmund",), given_by=("joan",), reason="a shout",
    )  # fmt: skip
    check(action, world)
    sides = action.sides(world)
    first, second = sides["william/1"], sides["william/2"]
    assert (first.count("base"), first.count("resistance"), first.count("drama")) == (3, 2, 0)
    assert (second.count("base"), second.count("resistance"), second.count("drama")) == (5, 0, 6)
    assert (first.passion, second.passion) == (False, True)
    rolled = do(world, action, *[1] * 5, *[1] * 6, *[1] * 5, *[2] * 6, *[1] * 6)
    assert rolled.now.people["william"].drama_points == 0


def test_the_opponent_of_the_named_part_may_put_in_a_passion_or_a_point() -> None:
    action = Split(
        "porter", "Brawling", ("joan", "william"), into="joan", their_passion="justice", their_point="plain"
    )
    check(action, abbey())
    sides = action.sides(abbey())
    assert (sides["joan"].count("drama"), sides["william"].count("drama")) == (3, 0)
    dice = [*[1] * 3, *[1] * sides["joan"].count("base"), 2, 2, 2, *[1] * 2, *[1] * sides["william"].count("base")]
    assert do(abbey(), action, *dice).now.people["joan"].drama_points == 1


def test_a_sheet_that_is_called_like_a_part_fights_for_itself() -> None:
    world = abbey()
    sheets = {**world.sheets, "william-1": replace(world.sheets["porter"], name="Another William")}
    sides = Split("william", "Hunting", ("william-1", "hugh")).sides(replace(world, sheets=sheets))
    assert list(sides) == ["william/1", "william-1", "william/2", "hugh"]
    assert {s.against for s in sides.values()} == set(sides)


def test_a_split_moves_the_momentum_of_each_pair() -> None:
    action = Split("william", "Hunting", ("hugh", "porter"))
    after = do(abbey(), action, *[6, 6, 6], *[1] * 6, *[1] * 3, *[6] * 6)
    assert after.now.won == {"hugh/william": "william", "porter/william": "porter"}


@pytest.mark.parametrize("rule", ["full", "divided"])
def test_the_odds_of_a_split_with_extras_equal_the_walk(rule: str) -> None:
    world = replace(small(a=1), rules=replace(DramaRules(), split_resistance=rule))
    check_odds(
        ENGINE, world, Split("a", "Wits", ("b", "d"), into="d", answers=("b:Wits", "d:Wits"), more_resistance=1)
    )


def test_both_kinds_of_aid_are_open_to_either_side_of_the_named_part() -> None:
    action = Split(
        "william", "Hunting", ("hugh", "porter"), into="porter", answers=("porter:Brawling",), together="edmund",
        together_using="Stealth", their_hands=("joan",), more_resistance=1,
    )  # fmt: skip
    check(action, abbey())
    sides = action.sides(abbey())
    assert (sides["edmund"].joins, sides["edmund"].count("base"), sides["edmund"].count("resistance")) == (
        "william/2",
        3,
        1,
    )
    assert sides["porter"].pieces[1].source == "Joan lends a hand: Physical"
    rolled = do(abbey(), action, *[1] * 3, *[1] * 6, 6, 1, 1, 3, *[1] * 6, 6, 1, 1, 3)
    assert roll_of(rolled).verdicts["william/2"].winner == "william/2", "one and one"
    with pytest.raises(Refused, match="cannot do two things"):
        replace(action, their_together="edmund").sides(abbey())


def test_what_an_opponent_puts_in_goes_into_the_first_part_where_none_is_named() -> None:
    world = do(abbey(), GainPenalty("hugh", "wine", 2))
    split = Split(
        "joan", "Letters", ("hugh", "porter"), their_passion="the good name of the house", their_turned="penalty-1",
        given_by=("william",), their_given_by=("edmund",), reason="a hush",
    )  # fmt: skip
    check(split, world)
    pools = {key: (s.count("resistance"), s.count("drama")) for key, s in split.sides(world).items()}
    assert pools["hugh"] == (0, 2 + 2 + 1)
    assert pools["joan/1"] == (0, 1)
    assert pools["porter"][1] == pools["joan/2"][1] == 0
    with pytest.raises(Refused, match="gives to the other side"):
        check(replace(split, their_given_by=("william",)), world)


def test_a_pool_that_has_no_two_dice_is_not_offered_for_a_split() -> None:
    with pytest.raises(Refused, match="too few dice to divide"):
        check(Split("a", "Wits", ("b", "c")), small())
    check(Split("a", "Wits", ("b", "c")), small(a=1))


def test_an_opponent_who_has_an_answer_is_not_offered_another() -> None:
    so_far = {"who": "a", "using": "Wits", "against": ("b", "c"), "answers": ("b:Wits",)}
    (field,) = (f for f in fields(Split) if f.name == "answers")
    closed = {c.value: c.closed for c in choices(field, small(a=2, b=1, c=1), so_far)}
    assert (closed["b:Wits"], closed["c:Wits"]) == ("", "")
    del closed["b:Wits"]
    assert {why for value, why in closed.items() if value.startswith("b:")} == {"Bo answers once"}


def test_alone_there_is_nobody_to_oppose_to_split_against_or_to_argue_with() -> None:
    world = small()
    alone = replace(world, sheets={"a": world.sheets["a"]})
    assert {offer.tag: offer.closed for offer in offers((Oppose, Split, NewContest), alone)} == {
        "oppose": "there is nobody to do it to",
        "split": "there are not two opponents",
        "new_contest": "there is nobody to argue with",
    }
    assert {offer.closed for offer in offers((Oppose, Split, NewContest), world)} == {""}
