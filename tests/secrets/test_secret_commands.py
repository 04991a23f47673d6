"""Every command that can speak to players tells them no secret, whatever is asked of it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import level
import planting
import playing
import pytest

from tabletop_tui.cli import main, parser
from tabletop_tui.rules import HOSTILE

FLAGS = {"--seat": "{seat}", "--players": None, "--for": "players", "--look": None, "--show": None}
"""The flags that say who reads, and how each says that it is a player."""
FORMS: dict[str, list[list[str]]] = {
    "play": [[]],
    "log": [[], ["--json"], ["--last", "7"], ["--last", "7", "--json"], ["--all"]],
    "replay": [
        ["--text"],
        ["--text", "--all"],
        ["--to", "0"],
        ["--to", "9"],
        ["--to", "40"],
        ["--to", "99999"],
        ["--verify"],
    ],
    "export": [["--as", form, *more] for form in ("md", "html", "json", "csv") for more in ([], ["--all"])],
    "recap": [[], ["--json"]],
    "offers": [
        [],
        ["--json"],
        *([word] for word in ("note", "roll", "support", "attack", "condition", "test", "act")),
    ],
    "act": [
        ["nonsense"],
        ["note", "txt=x"],
        *([word, "who=x"] for word in ("roll", "support", "attack", "test", "act")),
    ],
    "undo": [["--to", "0"]],
    "decline": [["1"], ["99999"]],
}
"""Other words of each such command."""


def commands() -> dict[str, argparse.ArgumentParser]:
    found = next(a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    return dict(found.choices)


def for_players() -> Iterator[tuple[str, str]]:
    """Each command that has such a flag, with the flag."""
    for name, one in commands().items():
        for action in one._actions:
            players = action.choices and "players" in action.choices
            for flag in action.option_strings:
                if flag in FLAGS or players:
                    yield name, flag


def test_every_flag_that_says_who_reads_is_tried() -> None:
    assert {name for name, _ in for_players()} == set(FORMS)
    assert {flag for _, flag in for_players()} == set(FLAGS)
    words = [
        a.help or "" for one in commands().values() for a in one._actions if not set(a.option_strings) & set(FLAGS)
    ]
    others = {"what the player reads", "as the sheet names its player"}  # names of players, and words to them
    found = {help for help in words if "player" in help.lower()} - others
    assert not found, "a flag for players that is not tried here"


@pytest.mark.parametrize(("name", "flag"), list(for_players()))
def test_no_command_for_players_tells_a_secret(
    planted: planting.Planted, capfdbinary: pytest.CaptureFixture[bytes], name: str, flag: str
) -> None:
    value = FLAGS[flag]
    said = [flag] if value is None else [flag, value.format(seat=planted.players[0])]
    worlds = planted.table().timeline.worlds
    told = b""
    turn = len(planted.secrets)
    for more in level.some(FORMS[name], 2, 0, turn):
        for log in level.some((planted.root, planted.log), 1, 2, turn):
            main([name, str(log), *more, *said])
            found = b"".join(capfdbinary.readouterr())
            told += found
            shown = planted.found(found.replace(str(planted.root).encode(), b""), *worlds)
            assert not shown, (more, shown)
    assert told


def test_the_state_at_an_entry_is_what_a_seat_knew_then(
    planted: planting.Planted, capsys: pytest.CaptureFixture[str]
) -> None:
    seat = planted.players[0]
    table = planted.table(seat)
    for number, step in list(enumerate(table.history(), 1))[:: level.many(18, 6, 1)]:
        assert main(["replay", str(planted.log), "--seat", seat, "--to", str(number)]) == 0
        worlds = table.timeline.worlds[: step.seq + 1]
        assert not planted.found(capsys.readouterr().out, *worlds), step


def test_a_players_lines_are_numbered_without_a_gap(
    planted: planting.Planted, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["log", str(planted.root), "--players", "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["number"] for line in lines] == list(range(1, len(lines) + 1))
    assert not any({"events", "whispered", "seq"} & set(line) for line in lines)
    main(["log", str(planted.root), "--json"])
    assert len(capsys.readouterr().out.splitlines()) > len(lines)


# ---- seats


def snapshot(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


@pytest.mark.parametrize("seat", ["", "  ", "Zoe", "Ana; rm -rf", "\x1b]0;x\x07"])
@pytest.mark.parametrize("words", ["play", "replay", "replay --to 3", "log"])
def test_a_seat_that_no_sheet_names_is_refused_with_a_sentence(
    planted: planting.Planted, capsys: pytest.CaptureFixture[str], words: str, seat: str
) -> None:
    before = snapshot(planted.root)
    name, *more = words.split()
    assert main([name, str(planted.root), *more, "--seat", seat]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert err.count("\n") == 1
    assert not HOSTILE.search(err.rstrip("\n"))
    if not seat.strip() or name != "play":  # of the others `play` says it when the screens are open
        assert "a seat needs the name of a player" in err or "nobody here is played by" in err
    assert snapshot(planted.root) == before, "nothing is written"


def test_a_seat_cannot_verify(planted: planting.Planted, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(planted.log), "--seat", planted.players[0], "--verify"]) == 1
    assert "--verify is the GM's" in capsys.readouterr().err


def test_a_damaged_log_tells_players_nothing_of_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = playing.starter(tmp_path / "gate")
    assert main(["act", str(table), "note", "text=it rains"]) == 0
    assert main(["act", str(table), "note", "text=the abbot lies", "secret=yes"]) == 0
    log = next((table / "sessions").glob("*.jsonl"))
    log.write_bytes(log.read_bytes().replace(b"abbot", b"abbey"))
    capsys.readouterr()
    assert main(["log", str(table), "--players"]) == 1
    out, err = capsys.readouterr()
    assert "it rains" in out
    assert err == "The log is damaged. Tell the GM.\n"
