"""Players on the command line: they act, ask and take back; the GM lists, accepts, changes and declines."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import playing
import pytest

from tabletop_tui.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """A command about a campaign in which Mira is up against the ogre."""
    root = tmp_path / "ember-road"
    shutil.copytree(playing.PROJECT / "campaigns" / "ember-road", root)

    def run(command: str, *words: str) -> tuple[int, str, str]:
        status = main([command, str(root), *words])
        return (status, *capsys.readouterr())

    assert run("act", "begin", "who=mira,ogre,rook")[0] == 0
    return run


ATTACK = ("attack", "who=mira", "skill=Warding", "against=ogre", "--seat", "ana")


def test_a_seat_does_what_is_its_own_and_asks_for_the_rest(run: Run) -> None:
    assert run("act", *ATTACK)[1] == "Ana asks: attack · Mira · The bridge ogre · Warding beta 3\n"
    assert run("act", "next", "--seat", "Ana")[1] == "The bridge ogre is up\n"


def test_a_seat_is_refused_what_is_not_its_own(run: Run) -> None:
    status, out, err = run("act", "hurt", "who=ogre", "points=4", "--seat", "Ana")
    assert (status, out, err) == (1, "", "hurt is not yours to do: the GM's.\n")
    assert run("act", "next", "--seat", "Ben")[2] == "next is not yours to do: Mira's.\n"
    assert run("act", "note", "text=x", "--dry-run", "--seat", "Ana")[2].startswith("a dry run is the GM's")


@pytest.mark.parametrize("command", ["act", "offers", "undo", "decline"])
@pytest.mark.parametrize("seat", ["", "Zoe", "\x1b]0;x\x07"])
def test_nobody_sits_at_a_seat_that_no_sheet_names(run: Run, command: str, seat: str) -> None:
    words = ("note", "text=x") if command == "act" else ()
    status, out, err = run(command, *words, "--seat", seat)
    assert (status, out) == (1, "")
    assert "Choose from: Ana, Ben, Chris, Dana, Eli." in err


def test_offers_of_a_seat_are_its_own(run: Run) -> None:
    tags = {o["action"]: o["asks"] for o in json.loads(run("offers", "--seat", "Ana", "--json")[1])}
    assert tags == {
        "lead": False, "support": False, "withdraw": False, "next": False, "attack": True, "oppose": True,
        "delay": False, "note": False,
    }  # fmt: skip
    against = json.loads(run("offers", "attack", "who=mira", "--seat", "Ana", "--json")[1])
    assert [c["value"] for c in against["who"]] == ["Mira"]
    assert "cinder-priest" not in json.dumps(against)


def test_the_gm_accepts_as_asked_or_changed_and_declines_with_a_reason(run: Run) -> None:
    run("act", *ATTACK)
    (asked,) = json.loads(run("proposals", "--json")[1])
    assert (asked["by"], asked["fields"]["against"]) == ("Ana", "ogre")
    entry = json.loads(run("accept", str(asked["proposal"]), "using=Club", "--json")[1])
    assert (entry["by"], entry["answers"], entry["action"]["using"]) == ("Ana", asked["proposal"], "Club")
    run("undo")
    assert "no to Ana" in run("decline", "--why", "it is dark")[1]
    assert run("proposals")[1] == "Nobody asks for anything.\n"
    assert run("accept")[2] == "nobody asks for anything.\n"


def test_a_player_takes_back_what_they_asked_for_and_what_they_did(run: Run) -> None:
    run("act", *ATTACK)
    assert run("decline", "--seat", "Ana")[1] == "Ana no longer asks for it\n"
    run("act", "note", "text=hello", "--seat", "Ana")
    assert run("undo", "--seat", "Ana")[1] == "Undone: hello\n"


def test_what_a_seat_did_is_told_without_events_and_whispers(run: Run) -> None:
    data = json.loads(run("act", "note", "text=hello", "--seat", "Ana", "--json")[1])
    assert data["said"] == ["hello"]
    assert not {"events", "whispered", "seq"} & set(data)


def test_a_word_to_one_player_is_read_by_them(run: Run) -> None:
    assert run("word", "ana", "the", "ogre", "knows", "you", "--secret")[0] == 0
    assert "knows you" in run("log", "--seat", "Ana", "--all")[1]
    assert "knows you" not in run("log", "--seat", "Ben", "--all")[1]
    assert "knows you" not in run("log", "--players", "--all")[1]
