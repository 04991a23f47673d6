"""Verify: a log that was tampered with does not pass; golden logs of earlier versions still do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import playing
import pytest
from msgspec.structs import replace

from tabletop_tui import plugins
from tabletop_tui.rules import Refused
from tabletop_tui.session import Codec, Table, verify
from tabletop_tui.storage.log import LogFile, plain_header, scan, sessions

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.jsonl"))


@pytest.fixture
def played(table: Table) -> Table:
    playing.act(table, "open challenge=the-gate/hold")
    playing.act(table, "lead who=mira skill=Warding")
    playing.act(table, "support who=rook how=encourage")
    playing.act(table, "roll")
    playing.act(table, "settle")
    return table


def verdict(table: Table, entries: list[Any]) -> Any:
    return verify(table.engine, table.header, entries)


def test_an_honest_log_passes_and_says_what_was_checked(played: Table) -> None:
    found = verdict(played, played.timeline.entries)
    assert (found.wrong, found.entries, found.actions) == ("", 5, 5)
    assert found.dice >= 7


def test_a_long_one_tells_how_far_it_is(table: Table) -> None:
    for _ in range(1_000):
        playing.act(table, "note text=on")
    told: list[tuple[int, int]] = []
    verify(table.engine, table.header, table.timeline.entries, lambda done, of: told.append((done, of)))
    assert told == [(500, 1_000), (1_000, 1_000)]


def test_reading_a_long_one_tells_how_far_it_is_and_can_be_ended(table: Table) -> None:
    for _ in range(1_000):
        playing.act(table, "hurt who=mira points=1" if table.last % 2 else "heal who=mira points=1")
    told: list[tuple[int, int]] = []
    Table(table.engine, table.header, table.timeline.entries, progress=lambda done, of: told.append((done, of)))
    assert told
    assert all(of == 1_000 for _, of in told)
    assert told == sorted(told)

    def leave(done: int, of: int) -> None:
        raise Refused(f"enough after {done} of {of}")

    with pytest.raises(Refused, match="enough after"):
        Table(table.engine, table.header, table.timeline.entries, progress=leave)


def test_a_changed_face_is_caught(played: Table) -> None:
    entries = list(played.timeline.entries)
    hand = entries[3].dice[0]
    faces = (hand.faces[0] % 6 + 1, *hand.faces[1:])
    entries[3] = replace(entries[3], dice=(replace(hand, faces=faces), *entries[3].dice[1:]))
    found = verdict(played, entries)
    assert found.at == 4
    assert "the seed gives" in found.wrong


def test_a_changed_face_that_claims_to_be_typed_in_is_caught_by_its_events(played: Table) -> None:
    entries = list(played.timeline.entries)
    hand = entries[3].dice[0]
    faces = (hand.faces[0] % 4 + 2, *hand.faces[1:])
    forged = replace(hand, faces=faces, typed=len(faces))
    entries[3] = replace(entries[3], dice=(forged, *entries[3].dice[1:]))
    assert verdict(played, entries).at == 4


def test_a_changed_event_is_caught(played: Table) -> None:
    entries = list(played.timeline.entries)
    lead = entries[1].events[0]
    entries[1] = replace(entries[1], events=(replace(lead, who="rook"),))
    found = verdict(played, entries)
    assert (found.at, found.wrong) == (2, "its event 1 differs from what its action and dice give")


@pytest.mark.parametrize("place", range(4))
def test_a_removed_entry_is_caught(played: Table, place: int) -> None:
    entries = list(played.timeline.entries)
    del entries[place]
    found = verdict(played, entries)
    assert found.wrong
    assert found.at == place + 2


def test_a_wrong_seed_is_caught(played: Table) -> None:
    header = replace(played.header, seed="another")
    assert "the seed gives" in verify(played.engine, header, played.timeline.entries).wrong


def test_an_undo_to_nowhere_is_caught(played: Table) -> None:
    played.undo()
    entries = list(played.timeline.entries)
    entries[-1] = replace(entries[-1], action=replace(entries[-1].action, to=77))
    assert "not in its past" in verdict(played, entries).wrong


def test_an_action_that_could_not_be_done_then_is_caught(played: Table) -> None:
    entries = list(played.timeline.entries)
    entries[0] = replace(entries[0], action=replace(entries[0].action, challenge="the-gate/climb"))
    assert "would be refused" in verdict(played, entries).wrong


def test_missing_dice_are_caught(played: Table) -> None:
    entries = list(played.timeline.entries)
    entries[3] = replace(entries[3], dice=entries[3].dice[:1])
    assert "asks for more dice" in verdict(played, entries).wrong


def test_dice_without_faces_and_faces_without_dice_are_caught(played: Table) -> None:
    entries = list(played.timeline.entries)
    at = next(i for i, e in enumerate(entries) if e.dice)
    hand = entries[at].dice[0]
    for wrong in (
        replace(hand, faces=hand.faces[1:]),
        replace(hand, sides=(), faces=(3,)),
        replace(hand, sides=tuple(0 for _ in hand.sides)),
    ):
        entries[at] = replace(entries[at], dice=(wrong,))
        assert "its dice do not fit" in verdict(played, entries).wrong


def check_log(path: Path) -> None:
    engine = plugins.load(plain_header(scan(path.read_bytes()).header, path).engine)
    file = LogFile(path, Codec(engine), write=False)
    assert not scan(path.read_bytes()).damage
    found = verify(engine, file.header, file.entries)
    assert not found.wrong, f"entry {found.at}: {found.wrong}"
    assert found.entries == len(path.read_bytes().splitlines()) - 1


def test_there_are_golden_logs() -> None:
    assert any(path.name.startswith("tiers") for path in GOLDEN)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda p: p.stem)
def test_a_golden_log_still_verifies(path: Path) -> None:
    check_log(path)


@pytest.mark.parametrize("campaign", playing.samples(), ids=lambda p: p.name)
def test_every_log_of_a_sample_verifies(campaign: Path) -> None:
    for path in sessions(campaign):
        check_log(path)


def test_a_log_of_other_rules_is_not_at_fault_for_them(played: Table) -> None:
    """Rules are mended; what was played stays played, and its dice and states are still checked."""
    entries = list(played.timeline.entries)
    entries[0] = replace(entries[0], action=replace(entries[0].action, challenge="the-gate/climb"))
    older = replace(played.header, version="before")
    found = verify(played.engine, older, entries)
    assert (found.wrong, found.otherwise > 0) == ("", True)
    assert "would be refused" in verify(played.engine, played.header, entries).wrong
    at = next(i for i, e in enumerate(entries) if e.dice)
    hand = entries[at].dice[0]
    entries[at] = replace(entries[at], dice=(replace(hand, faces=(hand.faces[0] % 4 + 1, *hand.faces[1:])),))
    assert "the seed gives" in verify(played.engine, older, entries).wrong


@pytest.mark.parametrize("change", [{"faces": (1,)}, {"faces": ()}, {"sides": (6, 6, 6, 6)}, {"sides": (0, 0)}])
def test_dice_that_do_not_fit_each_other_are_a_sentence(table: Table, change: dict[str, Any]) -> None:
    entry = playing.act(table, "oppose who=mira skill=Warding against=rook using=Dodge")
    hands = (replace(entry.dice[0], **change), *entry.dice[1:])
    wrong = replace(entry, dice=hands)
    assert "its dice do not fit" in verify(table.engine, table.header, [wrong]).wrong
