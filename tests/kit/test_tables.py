"""Rollable tables: what falls, how likely it is, for whose eyes, and what a file can do wrong."""

from __future__ import annotations

from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import msgspec
import playing
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop_tui.kit import tables as kit
from tabletop_tui.kit.common import RollTable
from tabletop_tui.kit.table_problems import problems
from tabletop_tui.rules import Dice, DiceNeeded, RandomRow, RandomTable, Refused, roller
from tabletop_tui.session import Change, Codec, EditRefused, Table, verify
from tabletop_tui.storage import campaign as folder
from tabletop_tui.storage.open_campaign import OpenCampaign


def rows(*texts: str) -> tuple[RandomRow, ...]:
    return tuple(RandomRow(text) for text in texts)


def on(**texts: str) -> tuple[RandomRow, ...]:
    return tuple(RandomRow(text, on=span[1:].replace("_", "-")) for span, text in texts.items())


def whats(tables: dict[str, RandomTable]) -> list[str]:
    return [problem.what for problem in problems(tables)]


WEATHER = RandomTable("Weather", dice="2d6", rows=on(_2_4="storm", _5_9="grey", _10_12="clear"))
NAMES = RandomTable("Names", rows=(RandomRow("Ada", 3), RandomRow("Ben")))


# ---- what falls


@pytest.mark.parametrize(("faces", "text"), [((1, 1), "storm"), ((2, 3), "grey"), ((6, 6), "clear")])
def test_dice_choose_the_row_that_is_on_their_total(faces: tuple[int, ...], text: str) -> None:
    assert kit.roll({"weather": WEATHER}, "weather", Dice(faces)).text == text


@pytest.mark.parametrize(("face", "text"), [(1, "Ada"), (3, "Ada"), (4, "Ben")])
def test_without_dice_the_weights_are_the_sides_of_one_die(face: int, text: str) -> None:
    tray = Dice((face,))
    assert kit.roll({"names": NAMES}, "names", tray).text == text
    assert [hand.sides for hand in tray.rolled] == [(4,)]


def test_a_row_calls_another_table_and_throws_dice() -> None:
    meet = RandomTable("Meet", rows=rows("{names} and {2d6+1} mules"))
    assert kit.roll({"meet": meet, "names": NAMES}, "meet", Dice((4, 2, 5))).text == "Ben and 8 mules"


def test_real_dice_are_asked_for_one_throw_after_the_other() -> None:
    meet = RandomTable("Meet", rows=rows("{names} and {2d6} mules"))
    with pytest.raises(DiceNeeded) as need:
        kit.roll({"meet": meet, "names": NAMES}, "meet", Dice((4,)))
    assert (need.value.why, need.value.sides) == ("Meet", (6, 6))


@given(weights=st.lists(st.integers(1, 6), min_size=1, max_size=6), sides=st.integers(2, 6), dice=st.integers(1, 3))
def test_chances_are_those_of_rolling_every_way(weights: list[int], sides: int, dice: int) -> None:
    weighted = RandomTable("W", rows=tuple(RandomRow(str(i), w) for i, w in enumerate(weights)))
    low, high = dice, dice * sides
    middle = (low + high) // 2
    ranged = RandomTable(
        "R", dice=f"{dice}d{sides}", rows=on(**{f"_{low}_{middle}": "low", f"_{middle + 1}+": "high"})
    )
    ranges = {"t": ranged}
    if low == middle:  # one die of two sides: its first row is a single number
        ranges["t"] = msgspec.structs.replace(ranged, rows=on(**{f"_{low}": "low", f"_{low + 1}+": "high"}))
    for table, throw in (({"t": weighted}, (sum(weights),)), (ranges, (sides,) * dice)):
        assert not list(problems(table))
        found = dict.fromkeys((row.text for row in table["t"].rows), 0.0)
        if len(table["t"].rows) == 1:
            throw = ()
        for faces in product(*(range(1, s + 1) for s in throw)):
            found[kit.roll(table, "t", Dice(faces)).text] += 1 / prod(throw)
        assert list(found.values()) == pytest.approx(kit.chances(table["t"]))
        assert sum(kit.chances(table["t"])) == pytest.approx(1)


# ---- for whose eyes


def test_what_a_secret_table_gives_is_the_gms_also_where_an_open_one_calls_it() -> None:
    tables = {
        "fog": RandomTable("Fog", rows=rows("in it: {plots}, {1d4} steps away")),
        "plots": RandomTable("Plots", secret=True, rows=rows("the abbot, {1d6} times", "nobody")),
    }
    tray = Dice((1, 3, 2))
    fell = kit.roll(tables, "fog", tray)
    assert fell == kit.Fallen("in it: the abbot, 3 times, 2 steps away", "in it: …, 2 steps away", 0)
    assert [(hand.why, hand.secret) for hand in tray.rolled] == [("Plots", True), ("Plots", True), ("Fog", False)]
    assert kit.roll(tables, "plots", Dice((2,))).open == ""


@pytest.fixture
def stormy(root: Path) -> Path:
    (root / "tables").mkdir()
    (root / "tables" / "weather.toml").write_text(
        'title = "Weather"\ndice = "1d6"\n[[rows]]\non = "1-5"\ntext = "rain"\n[[rows]]\non = 6\ntext = "{plots}!"\n'
    )
    (root / "tables" / "plots.toml").write_text('title = "Plots"\nsecret = true\nrows = [{ text = "a dragon" }]\n')
    return root


def test_a_roll_stands_in_the_log_with_its_dice_and_verifies(stormy: Path) -> None:
    table = playing.table(stormy)
    entry = table.do(RollTable("weather"), (3,))
    assert (entry.said, entry.whispered, entry.dice[0].faces) == (("Weather: rain",), (), (3,))
    hidden = table.do(RollTable("weather", secret=True), (3,))
    assert (hidden.said, hidden.whispered, hidden.dice[0].secret) == ((), ("Weather: rain",), True)
    half = table.do(RollTable("weather"), (6,))
    assert (half.said, half.whispered) == (("Weather: …!",), ("Weather: a dragon!",))
    for _ in range(20):
        table.do(RollTable("weather"))
    assert not verify(table.engine, table.header, table.timeline.entries).wrong


def test_a_player_reads_what_is_open_and_nothing_else(stormy: Path) -> None:
    gm = playing.table(stormy)
    for action, faces in ((RollTable("weather", secret=True), (2,)), (RollTable("weather"), (6,))):
        gm.do(action, faces)
    seat = Table(gm.engine, gm.header, gm.timeline.entries, seat="Ana")
    assert [step.said for step in seat.history()] == [("Weather: …!",)]


def test_every_game_can_roll_on_every_table_of_its_sample() -> None:
    for root in playing.samples():
        table = playing.table(root)
        assert len(table.world.tables) == 2
        for name in table.world.tables:
            table.do(RollTable(name))
            table.undo()
        assert not verify(table.engine, table.header, table.timeline.entries).wrong


def test_a_header_without_tables_still_reads(table: Table) -> None:
    line = msgspec.json.encode(table.header)
    assert b'"tables"' not in line
    assert Codec(table.engine).header(line).world.tables == {}


def test_a_campaign_without_tables_closes_the_action_with_its_reason(table: Table) -> None:
    offer = next(o for o in table.offers() if o.kind is RollTable)
    assert "no tables" in offer.closed


# ---- what a file can do wrong


@pytest.mark.parametrize(
    ("table", "what"),
    [
        (RandomTable("T"), "a table needs rows"),
        (RandomTable("T", rows=rows("a {b")), "a brace has no partner"),
        (RandomTable("T", rows=rows(" ")), "a row needs a text"),
        (RandomTable("T", rows=rows("{2d}")), "there is no table '2d'"),
        (RandomTable("T", rows=rows("{}")), "the braces are empty"),
        (RandomTable("T", rows=rows("{99d6}")), "99d6 are too many dice for a table"),
        (RandomTable("T", rows=rows("{t2}")), "there is no table 't2'"),
        (RandomTable("T", rows=(RandomRow("a", 0),)), "a weight cannot be 0"),
        (RandomTable("T", rows=(RandomRow("a", on=3),)), "the table says no dice that this could be on"),
        (RandomTable("T", dice="1d6", rows=rows("a")), "what of 1d6 is this for?"),
        (RandomTable("T", dice="six", rows=on(_1="a")), "'six' is not understood"),
        (RandomTable("T", dice="1d4", rows=on(_1_2="a", _2_4="b")), "another row has 2 already"),
        (RandomTable("T", dice="1d4", rows=on(_1_2="a")), "no row has 3, 4"),
        (RandomTable("T", dice="1d4", rows=on(_1_4="a", _9="b")), "1d4 cannot show 9"),
        (RandomTable("T", dice="1d4", rows=on(_1_4="a", _x="b")), "'x' is not a range"),
        (RandomTable("T", dice="1d4", rows=on(_4_1="a")), "'4-1' ends before it begins"),
        (RandomTable("T", rows=rows(*["a"] * 1_001)), "1001 rows are too many"),
        (RandomTable("T", rows=rows("a" * 1_001)), "one roll on it can give 1001 characters"),
    ],
)
def test_a_mistake_is_told_in_words(table: RandomTable, what: str) -> None:
    assert what in whats({"t": table})


def test_a_loop_is_told_with_the_tables_in_it() -> None:
    loop = {"a": RandomTable("A", rows=rows("x", "{b}")), "b": RandomTable("B", rows=rows("{a}"))}
    assert whats(loop) == ["the tables call each other without end: a → b → a"]
    assert whats({"a": RandomTable("A", rows=rows("{a}"))}) == ["the tables call each other without end: a → a"]


def test_tables_that_call_each_other_too_often_or_too_deep_are_told_once() -> None:
    many = {"leaf": RandomTable("Leaf", rows=rows("x"))}
    many |= {
        "wide": RandomTable("Wide", rows=rows("{leaf}" * 20)),
        "wider": RandomTable("W", rows=rows("{wide}" * 9)),
    }
    assert [what for what in whats(many) if "rolls" in what] == ["one roll on it can lead to 190 rolls"]
    deep = {f"t{i}": RandomTable("T", rows=rows(f"{{t{i + 1}}}")) for i in range(3_000)}
    deep["t3000"] = RandomTable("T", rows=rows("x"))
    assert any("tables call each other in a row" in what for what in whats(deep))


ids = st.sampled_from(["a", "b", "c", "d"])
texts = st.lists(st.one_of(ids.map("{{{}}}".format), st.sampled_from(["{1d4}", "word ", "{", "{z}", ""])), max_size=4)
any_row = st.builds(
    RandomRow, text=texts.map("".join), weight=st.integers(-1, 3), on=st.sampled_from(["", 1, "1-2", "3+", "x"])
)
any_table = st.builds(
    RandomTable,
    title=st.just("T"),
    dice=st.sampled_from(["", "", "1d4", "d", "9"]),
    secret=st.booleans(),
    rows=st.lists(any_row, max_size=3).map(tuple),
)


@given(tables=st.dictionaries(ids, any_table, min_size=1), seed=st.integers(0, 99))
def test_where_nothing_is_wrong_every_table_can_be_rolled_on_and_otherwise_it_is_refused(
    tables: dict[str, RandomTable], seed: int
) -> None:
    fine = not any(not problem.warning for problem in problems(tables))
    for name in tables:
        try:
            fell = kit.roll(tables, name, Dice((), roller("seed", seed)))
            assert "{" not in fell.text
        except Refused:
            assert not fine


def test_the_file_is_named_with_line_and_remedy(stormy: Path) -> None:
    (stormy / "tables" / "plots.toml").write_text('title = "Plots"\nrows = [\n  { text = "{wether}" },\n]\n')
    (problem,) = folder.load(stormy).problems
    assert str(problem).startswith("tables/plots.toml:3:")
    assert "there is no table 'wether'. Did you mean 'weather'?" in str(problem)


def test_a_hostile_text_and_an_unknown_key_are_problems_as_everywhere(stormy: Path) -> None:
    (stormy / "tables" / "plots.toml").write_text('title = "P\\u001b[2J"\nrow = 1\nrows = [{ text = "x" }]\n')
    found = [str(problem) for problem in folder.load(stormy).problems]
    assert any("control a terminal" in words for words in found)
    assert any("the key 'row' is not known" in words for words in found)


def test_a_table_saved_during_play_is_there_and_a_broken_one_changes_nothing(stormy: Path) -> None:
    campaign = OpenCampaign(stormy, disk=playing.NoSync())
    path = stormy / "tables" / "plots.toml"
    path.write_text('title = "Plots"\nrows = [{ text = "a wyrm" }]\n')
    campaign.look()
    assert campaign.table.world.tables["plots"].rows[0].text == "a wyrm"
    path.write_text('title = "Plots"\nrows = [{ text = "{weather}" }]\n')
    edits = campaign.look()
    assert [(p.file, p.line) for p in (*edits.refused, *edits.problems)]
    assert campaign.table.world.tables["plots"].rows[0].text == "a wyrm"
    campaign.close()


def test_an_edit_that_makes_a_loop_is_refused(stormy: Path) -> None:
    table = playing.table(stormy)
    looped: list[dict[str, Any]] = [{"text": "{weather}"}]
    with pytest.raises(EditRefused, match="without end"):
        table.edited([Change(("tables", "plots", "rows"), None, looped)])


# ---- by command


def test_the_command_rolls_tells_chances_and_writes_into_the_log(stormy: Path) -> None:
    assert "1-5: rain" in playing.command("odds", stormy, "--table", "weather").stdout
    assert playing.command("roll", stormy, "--table", "plots").stdout == "Plots: a dragon\n"
    assert not (stormy / "sessions").exists()
    playing.command("roll", stormy, "--table", "plots", "--log", "gm")
    playing.command("roll", stormy, "--table", "weather", "--log", "everybody")
    told = playing.command("log", stormy, "--players").stdout
    assert "Weather:" in told
    assert "dragon" in playing.command("log", stormy).stdout
    assert "dragon" not in told


def test_the_command_names_what_was_probably_meant(stormy: Path) -> None:
    done = playing.command("roll", stormy, "--table", "wether")
    assert (done.returncode, "Did you mean 'weather'?" in done.stderr) == (1, True)
