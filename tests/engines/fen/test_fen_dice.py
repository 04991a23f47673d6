from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop_tui.engines.fen.dice import (
    MOST_EXPLOSIONS,
    ORDER,
    SCALE,
    Die,
    Mods,
    Throw,
    change,
    fall,
    parse_dice,
    parse_pair,
    parse_roll,
    shifted,
)
from tabletop_tui.rules import Dice, DiceNeeded, Refused
from tabletop_tui.workbench import BadDice


def rolled(text: str, **mods: Any) -> str:
    return change(parse_dice(text), Mods(**mods)).words


# ---- the worked examples


def test_an_additional_die_makes_1d4_into_2d4() -> None:
    assert rolled("1d4", additional=1) == "2d4"


def test_an_additional_die_is_of_the_largest_size_present() -> None:
    assert rolled("1d4+1d8+1d20", additional=1) == "1d4+1d8+2d20"


def test_one_non_explosive_of_3d8_is_1d8_that_does_not_explode() -> None:
    assert change(parse_dice("3d8"), Mods(non_explosive=1)) == Throw((8,), explosive=False)


def test_two_non_explosive_of_3d8_are_2d8() -> None:
    assert change(parse_dice("3d8"), Mods(non_explosive=2)) == Throw((8, 8), explosive=False)


# ---- the rules around them


def test_one_up_from_d4_is_d6_and_one_down_stays_d4() -> None:
    assert rolled("1d4", increments=1) == "1d6"
    assert rolled("1d4", increments=-1) == "1d4"


def test_increments_are_held_at_the_upper_end() -> None:
    assert rolled("1d12+1d4", increments=3) == "1d10+1d20"
    assert rolled("1d20", increments=5) == "1d20"


@pytest.mark.parametrize("size", SCALE)
@pytest.mark.parametrize("steps", range(-6, 7))
def test_increments_step_along_the_scale(size: int, steps: int) -> None:
    place = SCALE.index(size)
    want = SCALE[0] if place + steps < 0 else SCALE[-1] if place + steps > 5 else SCALE[place + steps]
    assert shifted(Throw((size,)), steps).sizes == (want,)


def test_fewer_dice_go_from_the_largest_one_at_a_time() -> None:
    assert rolled("1d4+2d8", fewer=1) == "1d4+1d8"
    assert rolled("1d4+2d8", fewer=2) == "1d4"


def test_fewer_than_one_die_is_that_die_twice_and_the_lower() -> None:
    assert rolled("1d4+2d8", fewer=3) == "1d4, twice, the lower"
    assert rolled("1d8", fewer=1) == rolled("1d8", fewer=7) == "1d8, twice, the lower"


def test_doubled_dice_are_twice_the_number_of_each() -> None:
    assert rolled("1d4+2d8", doubled=True) == "2d4+4d8"


def test_changes_come_in_the_usual_order() -> None:
    assert rolled("1d6", increments=1, doubled=True, additional=1, fewer=2) == "1d8"


def test_the_order_is_the_tables_choice() -> None:
    throw, mods = parse_dice("1d6"), Mods(doubled=True, additional=1)
    assert change(throw, mods).words == "3d6"
    assert change(throw, mods, ("increments", "additional", "doubled", "fewer", "non-explosive")).words == "4d6"


def by_hand(sizes: list[int], mods: Mods, order: tuple[str, ...]) -> tuple[list[int], bool, bool]:
    """The same rules once more, as somebody would do it with dice in their hand."""
    scale, explosive, twice = [4, 6, 8, 10, 12, 20], True, False
    for step in order:
        if step == "increments":
            for _ in range(abs(mods.increments)):
                for i, size in enumerate(sizes):
                    at = scale.index(size)
                    if mods.increments > 0 and size != 20:
                        sizes[i] = scale[at + 1]
                    if mods.increments < 0 and size != 4:
                        sizes[i] = scale[at - 1]
        elif step == "doubled" and mods.doubled:
            sizes = [size for size in sizes for _ in "12"]
        elif step == "additional":
            for _ in range(mods.additional):
                sizes.append(max(sizes))
        elif step == "fewer":
            for _ in range(mods.fewer):
                if len(sizes) > 1:
                    sizes.remove(max(sizes))
                else:
                    twice = True
        elif step == "non-explosive" and mods.non_explosive:
            sizes, explosive = [max(sizes)] * mods.non_explosive, False
    return sorted(sizes), explosive, twice


def every_mod() -> Any:
    return product((-1, 0, 1, 2), (False, True), (0, 1, 2), (0, 1, 2, 3), (0, 1, 2))


@pytest.mark.parametrize("text", ["1d4", "2d4", "1d4+1d6", "2d4+1d12", "1d20"])
def test_every_combination_of_changes_in_the_usual_order(text: str) -> None:
    for values in every_mod():
        mods = Mods(*values)
        got = change(parse_dice(text), mods)
        assert (list(got.sizes), got.explosive, got.twice) == by_hand(list(parse_dice(text).sizes), mods, ORDER), mods


@pytest.mark.parametrize("order", list(permutations(ORDER)), ids=lambda order: "-".join(o[0] for o in order))
def test_every_combination_of_changes_in_every_order(order: Any) -> None:
    for values in product((-1, 1), (False, True), (0, 1), (0, 2), (0, 2)):
        mods = Mods(*values)
        got = change(parse_dice("1d4+1d8"), mods, order)
        assert (list(got.sizes), got.explosive, got.twice) == by_hand([4, 8], mods, order), mods


# ---- reading


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3d8", "3d8"),
        ("1d4+1d8", "1d4+1d8"),
        (" 1d8 + d4 ", "1d4+1d8"),
        ("2D6+1d6", "3d6"),
        ("1000d4", "1000d4"),
    ],
)
def test_dice_text_reads(text: str, words: Any) -> None:
    assert parse_dice(text).words == words


@pytest.mark.parametrize(
    ("text", "at", "what"),
    [
        ("", 0, "dice are missing here"),
        ("3x8", 1, "'x' where a d was expected"),
        ("3d", 2, "the number of sides is missing"),
        ("1d8+", 4, "dice are missing here"),
        ("2d7", 2, "the game has no d7"),
        ("1001d6", 0, "more than 1,000 dice"),
        ("600d6+500d4", 6, "more than 1,000 dice"),
        ("0d6", 0, "there are no dice"),
        ("3d8!", 3, "'!' does not belong"),
        ("³d8", 0, "where a d was expected"),
        ("9" * 5000 + "d6", 0, "more than 1,000 dice"),
    ],
)
def test_bad_dice_point_at_the_character(text: str, at: int, what: str) -> None:
    with pytest.raises(BadDice, match=what) as bad:
        parse_dice(text)
    assert bad.value.at == at
    assert f"character {at + 1}" in str(bad.value)
    assert bad.value.remedy


@given(st.lists(st.sampled_from(SCALE), min_size=1, max_size=30))
def test_dice_read_back_from_their_words(sizes: Any) -> None:
    throw = Throw(tuple(sorted(sizes)))
    assert parse_dice(throw.words) == throw


@given(st.text(alphabet="0123456789dD+ abfewr²３-", max_size=20))
def test_whatever_is_typed_reads_or_is_pointed_at(text: str) -> None:
    bad = None
    try:
        parse_roll(text)
    except BadDice as error:
        bad = error
    assert bad is None or (0 <= bad.at <= len(text) and bad.remedy)


def test_an_expression_reads_with_what_is_done_to_it() -> None:
    assert parse_roll("2d8+1d4 additional 1 fewer 2").words == "1d4+1d8"
    assert parse_roll("1d6 up 2 doubled").words == "2d10"
    assert parse_roll("3d8 non-explosive 2").words == "2d8, not explosive"
    assert parse_roll("1d8 down fewer").words == "1d6, twice, the lower"


def test_words_that_are_no_change_are_pointed_at() -> None:
    with pytest.raises(BadDice, match="'fewr'") as bad:
        parse_roll("2d8 fewr 2")
    assert bad.value.at == 4
    with pytest.raises(BadDice, match="never doubled twice"):
        parse_roll("1d8 doubled doubled")


def test_a_workbench_may_use_other_sizes_but_they_have_no_increments() -> None:
    assert parse_roll("2d7 additional 1", any_size=True).words == "3d7"
    with pytest.raises(Refused, match="no place on the scale"):
        parse_roll("2d7 up 1", any_size=True)
    for text in ("1d1", "1d1001"):
        with pytest.raises(BadDice, match="sides cannot be thrown"):
            parse_dice(text, any_size=True)


def test_what_is_done_to_dice_is_read_as_it_is_written() -> None:
    for values in every_mod():
        mods = Mods(*values)
        steps = f"{'up' if mods.increments > 0 else 'down'} {abs(mods.increments)} " if mods.increments else ""
        counts = (("additional", mods.additional), ("fewer", mods.fewer), ("non-explosive", mods.non_explosive))
        written = steps + "doubled " * mods.doubled + " ".join(f"{word} {n}" for word, n in counts if n)
        assert parse_roll(f"2d8+1d4 {written}") == change(parse_dice("2d8+1d4"), mods)


@pytest.mark.parametrize(
    ("mods", "words"),
    [
        (
            Mods(1, additional=1, fewer=1, non_explosive=1),
            "a step up, one more die, one die fewer, one non-explosive die",
        ),
        (Mods(-2, True, 2, 3, 4), "2 steps down, doubled, 2 more dice, 3 dice fewer, 4 non-explosive dice"),
        (Mods(-1), "a step down"),
        (Mods(), ""),
    ],
)
def test_what_is_done_to_dice_is_said_as_one_says_it(mods: Mods, words: str) -> None:
    assert ", ".join(mods.parts) == words


def test_a_contest_is_two_skills_and_a_stroke() -> None:
    assert parse_pair("fight/vigor") == ("fight", "vigor")
    for text in ("fight", "fight/", "/vigor", "a/b/c"):
        with pytest.raises(BadDice):
            parse_pair(text)


# ---- falling


def test_all_dice_are_summed() -> None:
    assert fall(Dice([3, 5, 2]), "", Throw((8, 8, 8))).total == 10


def test_dice_that_explode_in_one_wave_fall_again_as_one_handful() -> None:
    dice = Dice([4, 8, 3, 4, 8, 1, 5])
    fallen = fall(dice, "Wren: fight", Throw((4, 8, 8)))
    assert [h.sides for h in dice.rolled] == [(4, 8, 8), (4, 8), (4, 8)]
    assert fallen.dice == (Die(4, (4, 4, 1)), Die(8, (8, 8, 5)), Die(8, (3,)))
    assert fallen.total == 33
    assert fallen.words == "4→4→1 8→8→5 3 = 33"


def test_physical_dice_are_asked_for_by_the_wave() -> None:
    with pytest.raises(DiceNeeded) as need:
        fall(Dice([8, 2, 8]), "", Throw((8, 8, 8)))
    assert need.value.sides == (8, 8)
    assert need.value.why.endswith("explodes")


def test_dice_that_do_not_explode_stop_at_their_maximum() -> None:
    assert fall(Dice([8, 8]), "", Throw((8, 8), explosive=False)).total == 16


def test_both_throws_explode_in_full_before_the_lower_is_kept() -> None:
    fallen = fall(Dice([8, 7, 1]), "", Throw((8,), twice=True))
    assert fallen.total == 7  # 8 and 1 more are 9
    fallen = fall(Dice([8, 8, 1, 8, 2]), "", Throw((8,), twice=True))
    assert (fallen.total, fallen.other) == (9, (Die(8, (8, 8, 2)),))


def test_a_die_is_stopped_after_a_hundred_explosions_and_says_so() -> None:
    fallen = fall(Dice([4] * (MOST_EXPLOSIONS + 1)), "", Throw((4,)))
    assert fallen.total == 404
    assert fallen.stopped
    assert "stopped after 100 explosions" in fallen.words


def test_too_many_dice_are_refused() -> None:
    with pytest.raises(Refused, match="too many"):
        change(parse_dice("600d6"), Mods(doubled=True))
