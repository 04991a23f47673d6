"""What players ask the GM for: beside the undo chain, accepted as the action itself, or declined."""

from __future__ import annotations

import playing
import pytest
from test_acting_seats import EMBER, ask, do, kind

from tabletop_tui.rules import Refused
from tabletop_tui.session import Codec, Reader, Table, read, verify


@pytest.fixture
def two() -> list[Table]:
    gm, ana = playing.seats(EMBER, "Ana")
    playing.act(gm, "begin who=mira,ogre,rook")
    ana.catch_up()
    return [gm, ana]


def asked(two: list[Table], words: str = "attack who=mira skill=Warding against=ogre") -> int:
    gm, ana = two
    seq = ask(ana, words).seq
    gm.catch_up()
    return int(seq)


def test_a_proposal_moves_neither_the_state_nor_undo_nor_redo(two: list[Table]) -> None:
    gm, _ = two
    playing.act(gm, "hurt who=mira points=1")
    gm.undo()
    world, head, ahead = gm.world, gm.head, gm.timeline.ahead
    asked(two)
    assert (gm.world, gm.head, gm.timeline.ahead) == (world, head, ahead)
    gm.redo()
    gm.undo()
    gm.undo(0)
    assert gm.proposals()


def test_an_acceptance_is_the_action_itself_completed_by_the_one_who_asked(two: list[Table]) -> None:
    gm, ana = two
    seq = asked(two)
    entry = gm.accept(seq)
    assert (entry.by, entry.answers, entry.action.against) == ("Ana", seq, "ogre")
    assert entry.action.using, "the ogre's defence is filled in"
    ana.catch_up()
    assert not gm.proposals()
    assert ana.asked().state == "accepted"  # type: ignore[union-attr]
    assert not verify(gm.engine, gm.header, gm.timeline.entries).wrong


def test_undoing_an_acceptance_opens_it_again_and_redoing_it_closes_it(two: list[Table]) -> None:
    gm, _ = two
    seq = asked(two)
    gm.accept(seq)
    gm.undo()
    assert [one.seq for one in gm.proposals()] == [seq]
    gm.redo()
    assert not gm.proposals()
    with pytest.raises(Refused, match="nobody waits"):
        gm.accept(seq)


def test_the_gm_changes_what_was_asked_for(two: list[Table]) -> None:
    gm, _ = two
    seq = asked(two)
    meant = gm.completion(gm.proposals()[0])
    other = type(meant)("mira", meant.skill, "rook", "Dodge")  # type: ignore[attr-defined]
    entry = gm.accept(seq, other)
    assert (entry.action.against, entry.answers) == ("rook", seq)


def test_the_gm_says_no_with_a_reason_and_the_player_reads_it(two: list[Table]) -> None:
    gm, ana = two
    seq = asked(two)
    gm.decline(seq, "it is too dark")
    ana.catch_up()
    found = ana.asked()
    assert found is not None
    assert (found.state, found.why) == ("declined", "it is too dark")
    assert any("too dark" in line for step in ana.history() for line in step.said)


def test_one_proposal_a_seat_is_open_and_the_last_counts(two: list[Table]) -> None:
    gm, ana = two
    first = asked(two)
    with pytest.raises(Refused, match="you have asked for that"):
        ask(ana, "attack who=mira skill=Warding against=ogre")
    second = asked(two, "attack who=mira skill=Warding against=rook")
    assert [one.seq for one in gm.proposals()] == [second]
    with pytest.raises(Refused, match="nobody waits"):
        gm.accept(first)
    ana.decline(second)
    gm.catch_up()
    assert not gm.proposals()
    assert ana.asked().state == "taken back"  # type: ignore[union-attr]


def test_nobody_takes_back_what_another_asked(two: list[Table]) -> None:
    gm, ana = two
    seq = asked(two)
    ben = Table(gm.engine, gm.header, gm.timeline.entries, seat="Ben")
    with pytest.raises(Refused, match="somebody else"):
        ben.decline(seq)
    assert ana.asked().state == "open"  # type: ignore[union-attr]


def test_a_thousand_questions_in_a_second_are_one(two: list[Table]) -> None:
    gm, ana = two
    ana.clock = lambda: playing.EVENING
    refused = 0
    for index in range(1_000):
        try:
            ask(ana, f"attack who=mira skill=Warding against={('ogre', 'rook')[index % 2]}")
        except Refused:
            refused += 1
    assert refused == 999
    gm.catch_up()
    assert len(gm.proposals()) == 1


def test_what_is_not_the_players_to_say_cannot_be_asked_for(two: list[Table]) -> None:
    _, ana = two
    for words, why in (
        ("attack who=rook skill=Shooting against=ogre", "Rook's"),
        ("hurt who=ogre points=5", "the GM's"),
    ):
        with pytest.raises(Refused, match="is not yours") as no:
            ask(ana, words, **({"points": 5} if "hurt" in words else {}))
        assert why in no.value.what
    with pytest.raises(Refused, match="not for you to say"):
        ask(ana, "attack who=mira skill=Warding against=ogre using=Club")
    with pytest.raises(Refused, match="against cannot be 'priest'"):
        ask(ana, "attack who=mira skill=Warding against=priest")
    with pytest.raises(Refused, match="needs against"):
        ask(ana, "attack who=mira skill=Warding")


def test_a_closed_prompt_or_an_attack_without_a_defence_is_asked_for_rather_than_done(two: list[Table]) -> None:
    _, ana = two
    with pytest.raises(Refused, match="for the GM to allow"):
        do(ana, "attack who=mira skill=Warding against=ogre using=Club")


def test_proposals_come_back_from_their_lines(two: list[Table]) -> None:
    gm, _ = two
    seq = asked(two)
    gm.accept(seq)
    codec = Codec(gm.engine)
    again = Table(gm.engine, gm.header, [codec.entry(codec.line(e)) for e in gm.timeline.entries])
    assert again.world == gm.world
    assert again.proposals() == gm.proposals() == []
    again.undo()
    assert [one.seq for one in again.proposals()] == [seq]


# ---- words to one player


def test_the_gm_turns_to_a_player_and_whispers_to_one(two: list[Table]) -> None:
    gm, ana = two
    gm.word("ana", "how does Mira help?")
    gm.word("Ana", "the ogre knows you", secret=True)
    ana.catch_up()
    told = [line for step in ana.history() for line in step.said]
    assert "Ana, how does Mira help?" in told
    assert "Ana, the ogre knows you" in told
    ben = Table(gm.engine, gm.header, gm.timeline.entries, seat="Ben")
    assert not any("knows you" in line for step in ben.history() for line in step.said)
    players = read(gm.timeline.entries, players=True)
    assert not any("knows you" in line for one in players for line in one.said)
    reader = Reader(players=True, seat="Ben")
    reader.take(gm.timeline.entries)
    assert [one.number for one in players] == list(range(1, len(players) + 1))
    with pytest.raises(Refused, match="nobody here is played by"):
        gm.word("Zoe", "hello")
    assert kind(gm, "note")


def test_what_was_taken_back_already_is_not_asked_for_any_more(two: list[Table]) -> None:
    gm, ana = two
    gm.accept(asked(two))
    ana.catch_up()
    ana.propose_undo()
    gm.catch_up()
    assert [one.words[:9] for one in gm.proposals()] == ["take back"]
    gm.undo()
    ana.catch_up()
    assert not gm.proposals()
    assert ana.asked().state == "accepted"  # type: ignore[union-attr]
    gm.redo()
    assert [one.action for one in gm.proposals()] == ["undo"]
