"""What a reader may know of a log: players know what was said to everybody, and nothing has a gap."""

from __future__ import annotations

import msgspec
import playing
import pytest
from msgspec.structs import replace

from tabletop_tui.kit.scenes import Note
from tabletop_tui.rules import Refused
from tabletop_tui.session import NOBODY_YET, PlainEntry, Reader, Replay, Table, check_seat, players_of, read


def seated(table: Table, seat: str = "Ana") -> Table:
    return Table(table.engine, table.header, table.timeline.entries, seat=seat)


def plain(table: Table) -> list[PlainEntry]:
    """The same entries as they are read without the engine."""
    return [msgspec.json.decode(msgspec.json.encode(e), type=PlainEntry) for e in table.timeline.entries]


@pytest.fixture
def evening(table: Table) -> Table:
    """Open and secret steps, a moment, and some of all of it undone and done again."""
    playing.act(table, "note", text="it rains")  # 1
    playing.act(table, "note", text="the captain is paid", secret="yes")  # 2
    table.name("before the bridge")  # 3
    playing.act(table, "note", text="it pours")  # 4
    playing.act(table, "note", text="he opens the postern", secret="yes")  # 5
    table.undo(to=1)  # 6: four steps, of which players know one
    table.redo(to=4)  # 7
    table.undo(to=3)  # 8
    table.redo()  # 9
    table.undo(to=0)  # 10
    playing.act(table, "note", text="the sun is out")  # 11
    return table


def test_a_player_numbers_their_own_lines_and_hidden_ones_leave_no_gap(evening: Table) -> None:
    steps = seated(evening).history()
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert [step.number for step in evening.history()] == list(range(1, 12)), "the GM's are the entries' own"


def test_undo_and_redo_tell_players_of_what_they_know_alone(evening: Table) -> None:
    told = [line for step in seated(evening).history() for line in step.said]
    assert told == [
        "it rains",
        "it pours",
        "Undone: it pours",
        "Done again: it pours",
        "Undone: it pours",
        "Done again: it pours",
        "Undone: 2 steps",
        "the sun is out",
    ]


def test_moments_are_the_gms(evening: Table) -> None:
    evening.name("the traitor is among them", at=11)
    assert "the traitor" in repr(evening.history())
    assert "the traitor" not in repr(seated(evening).history())
    assert "before the bridge" in repr(evening.history())
    assert "before the bridge" not in repr(seated(evening).history())
    assert all(not step.name for step in seated(evening).history())


def test_a_moment_of_an_older_log_which_said_it_to_everybody_is_the_gms_too(table: Table) -> None:
    entry = table.name("before the bridge")
    old = msgspec.structs.replace(entry, said=entry.whispered, whispered=())
    assert not read([old], players=True)
    assert read([old], players=False)


def test_an_undo_of_hidden_steps_alone_did_not_happen(table: Table) -> None:
    playing.act(table, "note", text="it rains")
    playing.act(table, "note", text="the captain is paid", secret="yes")
    table.undo()
    table.redo()
    assert [step.said for step in seated(table).history()] == [("it rains",)]


def test_a_log_without_its_engine_is_told_in_the_same_way(evening: Table) -> None:
    for players in (True, False):
        with_engine = read(evening.timeline.entries, players=players)
        without = read(plain(evening), players=players)
        assert with_engine == without


def test_going_along_step_by_step_is_going_along_at_once(evening: Table) -> None:
    for players in (True, False):
        reader = Reader(players=players)
        for entry in evening.timeline.entries:
            reader.take([entry])
        found = [reader.told(e) for e in evening.timeline.entries if reader.knows(e.seq)]
        assert found == read(evening.timeline.entries, players=players)


def test_a_seats_replay_stands_at_what_it_knows_and_nowhere_else(evening: Table) -> None:
    file = evening.timeline
    gm = Replay(evening.engine, evening.header, file.entries)
    seat = Replay(evening.engine, evening.header, file.entries, seat="Ana")
    for one in (gm, seat):
        assert one.length < one.length + one.undone
        one.show_all(True)
    assert gm.length == 11
    assert seat.length == 8
    seat.seek(2)
    assert seat.entry is not None
    assert seat.entry.said == ("it pours",)
    assert [step.number for step in seat.history()] == [1, 2]
    assert seat.find_mark("moment") == 0
    assert seat.find_text("postern") == 0
    assert seat.place_of(11) == 8
    gm.seek(5)
    assert gm.last == 5
    assert gm.find_mark("moment", forward=False) == 3


def test_a_seat_is_somebody_whom_a_sheet_names(table: Table) -> None:
    players = [sheet.player for sheet in table.world.sheets.values()]
    assert check_seat(" ana ", players) == "Ana"
    for wrong, words in (
        ("", "a seat needs the name of a player"),
        ("  ", "a seat needs"),
        ("Zoe", "played by 'Zoe'"),
    ):
        with pytest.raises(Refused, match=words) as refused:
            check_seat(wrong, players)
        assert "Choose from: Ana" in str(refused.value)


def test_nobody_sits_at_the_seat_of_a_hero_whom_nobody_plays_yet(table: Table) -> None:
    mira = next(sheet for sheet in table.world.sheets.values() if sheet.player)
    sheets = [mira, replace(mira, player=NOBODY_YET), replace(mira, player="")]
    assert players_of(sheets) == [mira.player]
    with pytest.raises(Refused, match="nobody here is played by 'nobody yet'"):
        check_seat(NOBODY_YET, [sheet.player for sheet in sheets])


def test_a_replay_tells_of_somebody_what_has_happened_and_not_what_comes() -> None:
    table = playing.table(playing.samples("tiers")[0])
    for points in ("3", "5", "7"):
        playing.act(table, "hurt", who="mira", points=points)
    replay = Replay(table.engine, table.header, table.timeline.entries)
    for place in range(4):
        replay.seek(place)
        assert [step.seq for step in replay.steps_of("mira", 0, 9)] == [1, 2, 3][:place]
    assert [step.seq for step in replay.steps_of("mira", 0, 2)] == [2, 3]
    seat = Replay(table.engine, table.header, table.timeline.entries, seat="Ana")
    seat.seek(3)
    assert seat.steps_of("mira", 0, 9) == []


def test_what_others_did_to_somebody_is_among_what_happened_to_them() -> None:
    table = playing.table(playing.samples("tiers")[0])
    playing.act(table, "attack who=rook skill=Shooting against=reaver using=Dodge", (3, 2, 1, 1, 1, 1))
    while table.engine.waits(table.world):
        playing.act(table, "settle")
    lost = [seq for seq in range(1, table.last + 1) if table.at(seq).now.people != table.at(seq - 1).now.people]
    assert lost, "the attack did not hurt"
    assert set(lost) <= {step.seq for step in table.steps_of("reaver", 0, 20)}


def test_a_player_reads_their_own_secret_note_and_nobody_elses() -> None:
    gm, ana, eli = playing.seats(playing.PROJECT / "campaigns" / "ember-road", "Ana", "Eli")
    ana.do(Note("I took the key", secret=True))
    gm.do(Note("she thinks so", secret=True))
    for table in (gm, ana, eli):
        table.catch_up()
    assert [step.said for step in ana.history()] == [("~ I took the key",)]
    assert [step.said for step in eli.history()] == []
    assert len(gm.history()) == 2
