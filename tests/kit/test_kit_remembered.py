"""What follows from records alone is worked out once for the very same ones."""

from __future__ import annotations

import playing
from msgspec.structs import replace

from tabletop_tui.engines.tiers.world import most_hp
from tabletop_tui.kit.remembered import remembered


def test_it_is_worked_out_once_for_the_same_records_and_again_for_others() -> None:
    asked: list[tuple[str, ...]] = []

    @remembered
    def names(sheets: dict[str, int], rules: list[int]) -> tuple[str, ...]:
        asked.append(tuple(sheets))
        return (*sheets, *map(str, rules))

    some, others, rules = {"ann": 1}, {"ann": 1}, [3]
    assert names(some, rules) == names(some, rules) == ("ann", "3")
    assert len(asked) == 1
    assert names(others, rules) == names(some, rules) == names(others, rules)
    assert len(asked) == 2, "equal is not the same: it may have been read anew"
    names(some, [3])
    assert len(asked) == 3


def test_few_are_kept() -> None:
    asked: list[int] = []

    @remembered
    def first(numbers: list[int]) -> int:
        asked.append(numbers[0])
        return numbers[0]

    lists = [[n] for n in range(20)]
    assert [first(one) for one in lists] == list(range(20))
    assert first(lists[-1]) == 19
    assert first(lists[0]) == 0
    assert asked == [*range(20), 0]


def test_hp_follow_a_sheet_that_was_replaced() -> None:
    (sample,) = playing.samples("tiers")
    world = playing.world(sample)
    who = world.players()[0]
    before = most_hp(world, who)
    sheet = world.sheets[who]
    fewer = replace(world, sheets={**world.sheets, who: replace(sheet, levels={"alpha": 1})})
    assert most_hp(fewer, who) == 10
    assert most_hp(world, who) == before
