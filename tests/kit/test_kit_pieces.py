"""What engines share: clocks and tracks during play, conditions, copies of one sheet, and their problems."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop_tui.kit import asking, common, problems, roster
from tabletop_tui.rules import (
    Choice,
    Clock,
    Condition,
    Dice,
    Fighter,
    Now,
    Refused,
    Rules,
    Scene,
    Sheet,
    Track,
    Turns,
    World,
    fields,
)


class HouseRules(Rules):
    """A game with conditions of its own."""

    conditions = ("prone", "burning")


def table(**now: Any) -> Any:
    sheets = {"ann": Sheet("Ann", "Ann"), "warden": Sheet("Warden"), "ogre": Sheet("Ogre")}
    return World(HouseRules(), Now(**now), sheets, {"gate": Scene("The gate")})


def done(world: Any, action: Any) -> tuple[Any, list[str], list[str]]:
    said, whispered = [], []
    for event in action.resolve(world, Dice()):
        said.append(event.says(world))
        whispered.append(event.whispers(world))
        world = event.apply(world)
    return world, [w for w in said if w], [w for w in whispered if w]


# ---- clocks and tracks


def test_a_clock_is_made_ticked_and_put_away_during_play() -> None:
    world, said, _ = done(table(), common.AddClock("The pass closes!", 6))
    assert (world.now.clocks, said) == (
        {"the-pass-closes": Clock("The pass closes!", 6)},
        ["A new clock: The pass closes! 0/6"],
    )
    world, _, _ = done(world, common.TickClock("the-pass-closes", 2))
    assert [(c.name, c.value, c.most) for c in common.counters(world)] == [("The pass closes!", 2, 6)]
    world, said, _ = done(world, common.PutClockAway("the-pass-closes"))
    assert (world.now.clocks, said) == ({}, ["The pass closes! is put away"])


def test_a_second_clock_of_a_name_has_an_id_of_its_own() -> None:
    world, _, _ = done(table(), common.AddClock("Rain"))
    world, _, _ = done(world, common.AddClock("Rain"))
    assert list(world.now.clocks) == ["rain", "rain-2"]


def test_a_secret_track_is_told_to_the_gm_alone() -> None:
    world, said, whispered = done(table(), common.AddTrack("Doubt", 1, 3, secret=True))
    assert (said, whispered) == ([], ["A new track: Doubt 1"])
    assert common.counters(world)[0].secret
    _, said, whispered = done(world, common.PutTrackAway("doubt"))
    assert (said, whispered) == ([], ["Doubt is put away"])


def test_a_track_does_not_begin_beyond_its_most() -> None:
    with pytest.raises(Refused, match="5 is more than 3"):
        done(table(), common.AddTrack("Doubt", 5, 3))


# ---- conditions


def test_a_condition_of_the_games_own_is_offered_and_any_other_word_will_do() -> None:
    from tabletop_tui.kit.conditions import known_conditions
    from tabletop_tui.rules import check

    assert [c.value for c in known_conditions(table(), {})] == ["prone", "burning"]
    check(common.BeginCondition("ann", "prone"), table())
    check(common.BeginCondition("ann", "wet through"), table())


def test_a_condition_ends_at_the_turn_of_somebody_else() -> None:
    turns = Turns(round=1, order=("ann", "ogre"), fighters={"ann": Fighter("a"), "ogre": Fighter("b")})
    world, _, _ = done(table(turns=turns), common.BeginCondition("ann", "held", "end", 1, "ogre"))
    assert common.lasting(world)[0].because == "until the end of Ogre's turn"
    assert common.moment(world, "end", "ann") == ()
    (ended,) = common.moment(world, "end", "ogre")
    assert ended.apply(world).now.conditions == {}


def test_their_own_turn_needs_no_name() -> None:
    world, _, _ = done(table(), common.BeginCondition("ann", "held", "end", 1, "ann"))
    assert world.now.conditions["ann-1"].whose == ""


class D20Save(common.Save, tag="save"):
    """Ten or more."""

    def passes(self, world: Any, who: str, dice: Dice) -> bool:
        return dice.roll(f"{world.name(who)} saves", 20)[0] >= 10


@pytest.mark.parametrize(
    ("face", "left", "words"), [(10, 0, "Ann is no longer burning"), (9, 1, "Ann is still burning")]
)
def test_a_save_ends_a_condition_or_does_not(face: int, left: int, words: str) -> None:
    world, _, _ = done(table(), common.BeginConditionOrSave("ann", "burning", "save"))
    assert common.statuses(world, "ann")[0].until == "until a save"
    (event,) = D20Save("ann-1").resolve(world, Dice([face]))
    assert (len(event.apply(world).now.conditions), event.says(world)) == (left, words)


# ---- several of one sheet


def test_four_wardens_come_from_one_sheet_each_with_a_name_of_its_own() -> None:
    world, said, whispered = done(table(), common.AddCopies("warden", 3))
    assert (said, whispered) == ([], ["3 × Warden added"])
    assert [world.name(who) for who in world.sheets] == ["Ann", "Warden", "Ogre", "Warden 2", "Warden 3", "Warden 4"]
    assert world.original("warden#3") == "warden"
    world, _, _ = done(world, common.AddCopies("warden"))
    assert "warden#5" in world.sheets


def test_only_the_gms_own_come_in_numbers() -> None:
    from tabletop_tui.rules import check

    with pytest.raises(Refused):
        check(common.AddCopies("ann", 2), table())


def test_copies_follow_their_sheet_when_it_is_edited(tmp_path: Any) -> None:
    import playing

    root = playing.starter(tmp_path / "gate")
    open_table = playing.table(root)
    guard = next(who for who, sheet in open_table.world.sheets.items() if not sheet.player)
    playing.act(open_table, f"more of={guard} count=2")
    from tabletop_tui.session import Change

    before = open_table.world.sheets[guard].about
    open_table.edited([Change(("sheets", guard, "about"), before or None, "taller than you think")])
    assert open_table.world.sheets[f"{guard}#3"].about == "taller than you think"
    open_table.undo()
    open_table.undo()
    assert f"{guard}#2" not in open_table.world.sheets


# ---- problems


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ({"scene": "moon"}, "there is no scene 'moon'"),
        ({"clocks": {"a": Clock("Rain", 4, 5)}}, "the filled segments of a clock cannot be 5"),
        ({"clocks": {"a": Clock("Rain", 0)}}, "the size of a clock cannot be 0"),
        ({"tracks": {"a": Track("Food", -1)}}, "a track cannot be -1"),
        ({"conditions": {"a": Condition("bob", "prone")}}, "nobody is called 'bob'"),
        ({"conditions": {"a": Condition("ann", "prone", "soon")}}, "a condition cannot end by 'soon'"),
        ({"conditions": {"a": Condition("ann", "prone", "end", 0)}}, "what is left of a condition cannot be 0"),
        ({"more": {"warden#2": "ogre"}}, "'warden#2' is not the name of a copy of 'ogre'"),
        ({"more": {"bob#2": "bob"}}, "nobody is called 'bob'"),
        ({"retired": ("ann", "ann")}, "somebody is named twice"),
        ({"turns": Turns(round=1, order=("ann",))}, "'ann' is in the order and not among the fighters"),
        (
            {"turns": Turns(round=1, order=("ann", "ann"), fighters={"ann": Fighter("a")})},
            "'ann' is in the order twice",
        ),
        ({"turns": Turns(round=0, order=("ann",), fighters={"ann": Fighter("a")})}, "the round cannot be 0"),
        ({"turns": Turns(round=1, fighters={"ann": Fighter("a")})}, "'ann' fights and is not in the order"),
        ({"turns": Turns(round=1, order=("ann",), fighters={"ann": Fighter("")})}, "'ann' stands on no side"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_no_table_can_have_is_a_problem(now: dict[str, Any], words: str) -> None:
    assert words in " / ".join(p.what for p in problems.problems(table(**now)))


def test_a_table_as_play_leaves_it_has_none() -> None:
    turns = Turns(round=2, order=("ann", "ogre"), fighters={"ann": Fighter("a"), "ogre": Fighter("b")}, current="ann")
    world = table(
        scene="gate", turns=turns, clocks={"a": Clock("Rain", 4, 4)}, conditions={"a": Condition("ann", "wet")}
    )
    assert list(problems.problems(world)) == []


def test_a_condition_says_in_what_its_time_is_counted() -> None:
    (left,) = (f for f in fields(common.BeginCondition) if f.name == "left")
    assert (left.label, left.hint) == ("after how many", "turns or rounds")


# ---- what forms and views share


def test_words_that_must_be_said_come_without_blanks_and_are_not_left_out() -> None:
    assert asking.said("  over the wall ", "where?", "Say it.") == "over the wall"
    with pytest.raises(Refused, match="where"):
        asking.said("  ", "where?", "Say it.")


def test_choices_are_those_of_whomever_the_field_names() -> None:
    chooser = asking.of("who", lambda world, who: [Choice(who, world.name(who))])
    assert [c.label for c in chooser(table(), {"who": "ogre"})] == ["Ogre"]
    assert [c.label for c in chooser(table(), {})] == [""]


def test_a_view_says_the_scene_and_the_round_that_are_on() -> None:
    turns = Turns(round=2, timer=3, order=("ann",), fighters={"ann": Fighter("heroes")})
    world = table(scene="gate", turns=turns)
    assert roster.scenery(world) == {"title": "The gate", "about": "", "secret_about": ""}
    assert roster.rounds(world) == ["round 2", "timer 3"]
    assert (roster.scenery(table()), roster.rounds(table())) == ({}, [])
