"""The story: by scene, without what was taken back, and for players without what was hidden."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import level
import msgspec
import playing
import pytest
from msgspec.structs import replace

from tabletop_tui.kit.common import Note, Noted
from tabletop_tui.records.data import as_csv, as_json
from tabletop_tui.records.markdown import markdown
from tabletop_tui.records.page import page
from tabletop_tui.records.record import Beat, Record, plain_record, record
from tabletop_tui.session import AnyEntry, Change, Codec, Entry, PlainEntry, Redo, Table, Timeline, Undo

FORMS = (markdown, page, as_json, as_csv)


def beats(told: Record) -> list[Beat]:
    return [beat for chapter in told.chapters for beat in chapter.beats]


def lines(told: Record) -> list[str]:
    return [line for beat in beats(told) for line in (*beat.said, *beat.whispered)]


def test_a_scene_begins_a_chapter_and_what_is_before_stands_under_the_sessions_name(table: Table) -> None:
    scene = next(iter(table.world.scenes))
    playing.act(table, "note", text="we arrive")
    playing.act(table, f"scene scene={scene}")
    playing.act(table, "note", text="we are there")
    told = record(table.timeline)
    assert [(c.title, len(c.beats)) for c in told.chapters] == [("", 1), (table.world.scenes[scene].title, 2)]
    text = markdown(told)
    assert text.index("## Session 2026-01-15-1") < text.index("we arrive") < text.index("we are there")


def test_undone_steps_are_counted_and_not_told(table: Table) -> None:
    for text in ("one", "two", "three", "four"):
        playing.act(table, "note", text=text)
    table.undo(to=1)
    playing.act(table, "note", text="five")
    told = record(table.timeline)
    assert lines(told) == ["one", "five"]
    assert told.taken_back == 3
    assert all("3 steps were taken back." in form(told) for form in (markdown, page))


def test_what_was_undone_is_told_where_it_is_asked_for(table: Table) -> None:
    playing.act(table, "note", text="one")
    playing.act(table, "note", text="two")
    table.undo()
    told = record(table.timeline, undone=True)
    assert lines(told) == ["one", "two", "Undone: two"]
    assert [b.undone for b in beats(told)] == [False, True, False]
    assert "*(taken back)* two" in markdown(told)
    assert "undone" in page(told)
    assert ",undone," in as_csv(told).splitlines()[0]
    assert ",undone," not in as_csv(record(table.timeline)).splitlines()[0]


def test_dice_that_were_undone_count_nowhere(session: Table) -> None:
    some, all_of_it = record(session.timeline), record(session.timeline, undone=True)
    assert all_of_it.beats > some.beats
    assert (all_of_it.dice, all_of_it.luck, all_of_it.series) == (some.dice, some.luck, some.series)


def test_a_step_that_was_done_again_is_told(table: Table) -> None:
    playing.act(table, "note", text="one")
    table.undo()
    table.redo()
    told = record(table.timeline)
    assert (lines(told), told.taken_back) == (["one"], 0)


def test_a_record_begins_with_the_session_in_short(table: Table) -> None:
    table.name("before the bridge")
    told = record(table.timeline)
    assert told.recap is not None
    text = markdown(told)
    assert text.index("## In short") < text.index("★ before the bridge") < text.index("### ◆ before the bridge")
    assert page(told).index("<h2>In short</h2>") < page(told).index('id="scene-1"')


def test_a_named_moment_is_a_heading(table: Table) -> None:
    playing.act(table, "note", text="we wait")
    table.name("before the bridge")
    told = record(table.timeline)
    assert [b.kind for b in beats(told)] == ["note", "moment"]
    assert "### ◆ before the bridge" in markdown(told)
    assert "◆ before the bridge</h3>" in page(told)


def test_who_did_it_and_when_stand_with_every_step(table: Table) -> None:
    table.do(Note("we wait"), by="Ada")
    told = record(table.timeline)
    assert (beats(told)[0].by, beats(told)[0].at) == ("Ada", table.timeline.entries[0].at)
    assert "19:00 **Ada** we wait" in markdown(told)


def test_hand_edits_of_the_gms_things_are_the_gms(table: Table) -> None:
    mine = next(who for who, sheet in table.world.sheets.items() if sheet.player)
    table.edited([Change(("sheets", mine, "about"), None, "limps")])
    npc = next(who for who, sheet in table.world.sheets.items() if not sheet.player)
    table.edited([Change(("sheets", npc, "about"), None, "is the traitor")])
    assert [b.kind for b in beats(record(table.timeline))] == ["edit", "edit"]
    for form in FORMS:
        assert "limps" in form(record(table.timeline, "players"))
        assert "traitor" in form(record(table.timeline))
        assert "traitor" not in form(record(table.timeline, "players"))


def test_the_story_without_its_engine_is_the_same_story(session: Table) -> None:
    codec = Codec(session.engine)
    plain = [msgspec.json.decode(codec.line(e), type=PlainEntry) for e in session.timeline.entries]
    for reader in ("gm", "players"):
        told = plain_record(session.header, plain, reader, undone=True)
        assert [b.undone for b in beats(told)] == [
            b.undone for b in beats(record(session.timeline, reader, undone=True))
        ]
        whole, found = record(session.timeline, reader), plain_record(session.header, plain, reader)
        assert [replace(b, title="") for b in beats(found)] == [replace(b, title="") for b in beats(whole)]
        assert (found.taken_back, found.dice) == (whole.taken_back, whole.dice)
        assert (found.series, found.luck, found.tallies) == ((), (), ())


def test_a_session_in_which_nothing_happened_is_a_record_too(table: Table) -> None:
    for reader in ("gm", "players"):
        told = record(table.timeline, reader)
        assert not told.chapters
        assert all(form(told) for form in FORMS)


def test_odds_that_an_engine_fails_to_give_cost_the_totals_and_not_the_record(table: Table) -> None:
    class Broken(type(table.engine.inner)):  # type: ignore[misc]
        def odds(self, world: Any, action: Any) -> Any:
            raise ZeroDivisionError

        def view(self, kind: Any, world: Any, about: str = "") -> Any:
            raise ZeroDivisionError

    playing.act(table, "oppose who=mira skill=Warding against=rook using=Dodge")
    playing.act(table, "settle")
    line = Timeline(Broken(), table.header)
    line.extend(table.timeline.entries)
    told = record(line)
    assert lines(told) == lines(record(table.timeline))
    assert (told.rolls, told.series) == ((), ())
    assert "no chances for 1 of the rolls" in told.notes[0]


# ---- what players may read


def otherwise(world: Any) -> Any:
    """The same world as players know it: scenes, clocks, tracks and the GM's characters hide other things."""
    now = world.now
    clocks = {
        i: replace(c, name="other", filled=1 - min(c.filled, 1)) if c.secret else c for i, c in now.clocks.items()
    }
    tracks = {i: replace(t, name="other", value=t.value + 1) if t.secret else t for i, t in now.tracks.items()}
    sheets = {
        who: s if s.player else replace(s, about="quite another", **_numbers(s)) for who, s in world.sheets.items()
    }
    scenes = {i: replace(s, secret="quite another") for i, s in world.scenes.items()}
    return replace(world, now=replace(now, clocks=clocks, tracks=tracks), sheets=sheets, scenes=scenes)


def _numbers(sheet: Any) -> dict[str, Any]:
    """Every plain number of a sheet, one lower; but a hazard's rating lies open, as dice that players roll."""
    fields = [name for name in sheet.__struct_fields__ if name != "hazard"]
    return {name: value - 1 for name in fields if type(value := getattr(sheet, name)) is int and value > 1}


def twin(table: Table, seed: int) -> Timeline:
    """A session that differs in secrets only: other whispers and hidden dice, more hidden notes, some taken back."""
    chance = random.Random(seed)
    line = Timeline(table.engine, replace(table.header, world=otherwise(table.header.world), seed="another"))
    at: dict[int, int] = {0: 0}
    for entry in table.timeline.entries:
        if chance.random() < 0.3:
            line.add(_hidden(line.last + 1, entry))
            if chance.random() < 0.5:
                line.add(Entry(line.last + 1, entry.at, Undo(line.parents[line.head])))
        action = entry.action
        if isinstance(action, Undo | Redo):
            action = type(action)(at[action.to])
        dice = tuple(replace(h, why="other", faces=tuple(s - f + 1 for s, f in zip(h.sides, h.faces, strict=True)))
                     if h.secret else h for h in entry.dice)  # fmt: skip
        whispered = tuple("other" for _ in entry.whispered)
        line.add(replace(entry, seq=line.last + 1, action=action, dice=dice, whispered=whispered))
        at[entry.seq] = line.last
    return line


def _hidden(seq: int, like: AnyEntry) -> AnyEntry:
    return Entry(seq, like.at, Note("a secret", True), "", (), (Noted("a secret", True),), (), ("a secret",))


@pytest.mark.parametrize("seed", range(level.many(1, 3, 30)))
def test_sessions_that_differ_only_in_secrets_give_players_the_same_record(
    sessions: Callable[..., Table], engine_name: str, seed: int
) -> None:
    table = sessions(engine_name, seed * 10, 160)
    assert any(e.whispered for e in table.timeline.entries)
    other = twin(table, seed)
    players = [record(line, "players") for line in (table.timeline, other)]
    gms = [record(line) for line in (table.timeline, other)]
    for form in FORMS:
        assert form(players[0]) == form(players[1])
        assert form(gms[0]) != form(gms[1])


def test_players_get_no_whisper_no_hidden_die_and_no_roll_of_the_gms(
    sessions: Callable[..., Table], engine_name: str
) -> None:
    for seed in range(level.many(1, 3, 30)):
        table = sessions(engine_name, seed, 160)
        told = record(table.timeline, "players")
        assert not any(b.whispered or any(h.secret for h in b.dice) for b in beats(told))
        mine = {s.name for s in table.world.sheets.values() if s.player}
        assert {roll.who for roll in told.rolls} | {luck.who for luck in told.luck} <= mine
        assert [b.number for b in beats(told)] == list(range(1, told.beats + 1))


def test_a_players_roll_against_hidden_dice_is_not_held_against_the_odds(table: Table) -> None:
    npc = next(who for who, sheet in table.world.sheets.items() if not sheet.player)
    skill = next(iter(table.world.sheets[npc].skills))
    playing.act(table, f"oppose who=mira skill=Warding against={npc}", using=skill)
    playing.act(table, "settle")
    playing.act(table, "oppose who=mira skill=Warding against=rook using=Dodge")
    playing.act(table, "settle")
    assert [roll.entry for roll in record(table.timeline).rolls] == [1, 3]
    told = record(table.timeline, "players")
    assert [roll.entry for roll in told.rolls] == [3]
    assert [tally.counts for tally in told.tallies if tally.group == "outcome"] == [{told.rolls[0].result: 1}]
