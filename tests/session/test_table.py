"""The table: acting, dice that are typed in, forks, seats and following another process."""

from __future__ import annotations

from pathlib import Path

import playing
import pytest
from msgspec.structs import replace

from tabletop_tui.kit.common import Note
from tabletop_tui.rules import DiceNeeded, Refused, roller
from tabletop_tui.session import Table, verify
from tabletop_tui.session.entries import AnyEntry, Undo


def ready(table: Table) -> Table:
    """Mira leads with three d6 against four."""
    playing.act(table, "open challenge=the-gate/hold")
    playing.act(table, "lead who=mira skill=Warding")
    return table


def test_typed_dice_are_used_in_the_order_asked_for_and_logged_as_typed(table: Table) -> None:
    entry = playing.act(ready(table), "roll", dice=(5, 2, 3, 1, 1, 2, 2))
    assert [h.faces for h in entry.dice] == [(5, 2, 3), (1, 1, 2, 2)]
    assert [h.typed for h in entry.dice] == [3, 4]


def test_dice_that_run_dry_say_what_is_needed_and_nothing_is_logged(table: Table) -> None:
    ready(table)
    with pytest.raises(DiceNeeded) as need:
        playing.act(table, "roll", dice=(5, 2))
    assert (need.value.sides, need.value.had) == ((6,), 2)
    assert table.timeline.last == 2


def test_an_explosion_asks_for_its_die_and_the_same_roll_goes_on_with_it(table: Table) -> None:
    ready(table)
    with pytest.raises(DiceNeeded) as need:
        playing.act(table, "roll", dice=(6, 2, 3, 1, 1, 2, 2))
    assert need.value.sides == (6,)
    playing.act(table, "roll", dice=(6, 2, 3, 1, 1, 2, 2, 4))
    assert table.world.now.roll.first.result == 10


def test_dice_that_nobody_asked_for_are_refused(table: Table) -> None:
    ready(table)
    with pytest.raises(Refused, match="1 of the dice given were not asked for: 4"):
        playing.act(table, "roll", dice=(5, 2, 3, 1, 1, 2, 2, 4))
    assert table.timeline.last == 2


@pytest.mark.parametrize("face", [0, -1, 7, 10**9])
def test_a_face_that_a_die_does_not_have_is_refused(table: Table, face: int) -> None:
    with pytest.raises(Refused, match=f"a d6 cannot show {face}"):
        playing.act(ready(table), "roll", dice=(face, 2, 3, 1, 1, 2, 2))


def test_some_dice_typed_and_the_rest_rolled_come_from_the_seed(table: Table) -> None:
    ready(table)
    kind = next(k for k in table.engine.actions if k.__struct_config__.tag == "roll")
    entry = table.do(kind(), (5, 2))
    lead, gate = entry.dice[:2]
    face = roller(table.header.seed, entry.seq)
    assert (lead.typed, gate.typed) == (2, 0)
    assert lead.faces == (5, 2, face(2, 6))
    assert gate.faces == tuple(face(i, 6) for i in range(3, 7))
    assert not verify(table.engine, table.header, table.timeline.entries).wrong


def test_an_action_of_another_game_is_refused(table: Table) -> None:
    with pytest.raises(Refused, match="is not an action of"):
        table.do(Undo(0))


def test_a_refused_action_changes_nothing(table: Table) -> None:
    before = table.world
    with pytest.raises(Refused, match="cannot be done now"):
        playing.act(table, "roll")
    assert table.world is before
    assert table.timeline.last == 0


def test_what_changes_nothing_is_refused_and_not_logged() -> None:
    table = playing.table(next(sample for sample in playing.samples("homebrew") if sample.name == "broken-causeway"))
    with pytest.raises(Refused, match="this changes nothing"):
        playing.act(table, "adjust who=hale meter=hp by=5")
    assert table.timeline.last == 0
    assert playing.act(table, "adjust who=hale meter=hp by=-5").said
    assert playing.act(table, "adjust who=hale meter=hp by=5").said


def test_a_fork_leaves_the_real_table_untouched(table: Table) -> None:
    ready(table)
    before, count = table.world, table.timeline.last
    fork = table.fork()
    playing.wander(fork, 7, 30)
    assert fork.timeline.last > 5
    assert table.world is before
    assert table.timeline.last == count


def test_a_fork_from_the_past_begins_there(table: Table) -> None:
    playing.act(table, "tick clock=storm by=2")
    playing.act(table, "tick clock=storm by=3")
    assert table.fork(at=1).world.now.clocks["storm"].filled == 2


def test_a_fork_does_not_show_the_dice_that_will_really_fall(table: Table) -> None:
    ready(table)
    guesses = {playing.act(table.fork(), "roll").dice[0].faces for _ in range(40)}
    assert len(guesses) > 1


def test_a_preview_tells_odds_or_the_refusal_and_touches_no_die(table: Table) -> None:
    kind = next(k for k in table.engine.actions if k.__struct_config__.tag == "roll")
    assert "no challenge is open" in table.preview(kind()).refused
    ready(table)
    odds = table.preview(kind()).odds
    assert odds is not None
    assert sum(c.chance for c in odds.groups[0].chances) == pytest.approx(1, abs=1e-12)
    assert table.timeline.last == 2


def test_two_tables_on_one_log_follow_each_other(root: Path) -> None:
    lines: list[AnyEntry] = []
    first = playing.table(root)
    mine = Table(first.engine, first.header, journal=playing.Shared(lines))
    theirs = Table(first.engine, first.header, journal=playing.Shared(lines))
    mine.do(Note("one"))
    assert theirs.timeline.last == 0
    entry = theirs.do(Note("two"))  # acting catches up first
    assert entry.seq == 2
    assert mine.catch_up() == 1
    assert mine.catch_up() == 0
    assert list(mine.timeline.worlds) == list(theirs.timeline.worlds)


def test_a_player_reads_no_whispers(root: Path) -> None:
    table = playing.table(root)
    playing.act(table, "note", text="the captain is paid", secret="yes")
    playing.act(table, "note", text="it rains")
    assert table.history()[0].said == ("the captain is paid",)
    seat = Table(table.engine, table.header, table.timeline.entries, seat="Ana")
    assert [step.said for step in seat.history()] == [("it rains",)]  # nor that there was one
    table.undo(0)
    table.redo(1)
    seat = Table(table.engine, table.header, table.timeline.entries, seat="Ana")
    assert "captain" not in repr(seat.history())
    assert not any("note" in line for step in seat.history() for line in step.said)


def test_a_player_sees_no_secret_dice(root: Path) -> None:
    table = playing.table(root)
    playing.act(table, "improvise name=Fog tier=gamma dice=3 hidden=yes")
    playing.act(table, "lead who=mira skill=Warding")
    playing.act(table, "roll", dice=(5, 2, 3, 7, 1, 2))
    gm = table.history()[-1]
    player = Table(table.engine, table.header, table.timeline.entries, seat="Ana").history()[-1]
    assert gm.dice == ("Mira: Warding: 5 2 3", "Fog: 7 1 2")
    assert player.dice == ("Mira: Warding: 5 2 3",)
    assert not any("7" in line for line in player.said)


def test_an_undo_said_at_a_players_seat_gives_no_secret_away(root: Path) -> None:
    table = playing.table(root)
    playing.act(table, "note", text="the captain is paid", secret="yes")
    seat = Table(table.engine, table.header, table.timeline.entries, seat="Ana")
    with pytest.raises(Refused, match="nothing of yours") as no:
        seat.undo()
    assert "captain" not in str(no.value)


def test_what_the_gm_undoes_or_redoes_gives_no_secret_away_to_a_player(root: Path) -> None:
    table = playing.table(root)
    playing.act(table, "note", text="the captain is paid", secret="yes")
    table.undo()
    table.redo()
    seat = Table(table.engine, table.header, table.timeline.entries, seat="Ana")
    assert "captain" not in " ".join(line for step in seat.history() for line in step.said)


def test_entries_out_of_their_order_are_not_folded(table: Table) -> None:
    entry = playing.act(table, "note", text="one")
    with pytest.raises(Exception, match="entry 2 is missing; 3 stands in its place"):
        table.timeline.add(replace(entry, seq=3))
