"""`tabletop replay`: sound logs, old and new ones, torn ones, and what is no log at all."""

from __future__ import annotations

import json
from pathlib import Path

import playing
import pytest

from tabletop_tui.storage.log import scan, with_crc

SAMPLES = sorted((playing.PROJECT / "campaigns").glob("*/played/*.jsonl"))


def rewritten(log: Path, **changes: object) -> None:
    """The same log with another header, its checksums in order."""
    head, *lines = log.read_bytes().splitlines()
    header = {**json.loads(head), **changes}
    header.pop("crc", None)
    out, crc = b"", 0
    for line in (json.dumps(header).encode(), *(line[: line.rindex(b',"crc"')] + b"}" for line in lines)):
        made, crc = with_crc(line, crc)
        out += made
    log.write_bytes(out)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    target = tmp_path / "evening.jsonl"
    target.write_bytes(SAMPLES[0].read_bytes())
    return target


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.parent.parent.name)
def test_every_sample_can_be_told_and_verified_without_its_campaign(path: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone.jsonl"
    alone.write_bytes(path.read_bytes())
    told = playing.command("replay", alone, "--text")
    assert (told.returncode, told.stderr) == (0, "")
    assert len(told.stdout.splitlines()) > 100
    checked = playing.command("replay", alone, "--verify")
    assert checked.returncode == 0
    assert "resolved again to the same events and state" in checked.stdout


def test_where_there_is_no_terminal_it_is_text_by_itself(log: Path) -> None:
    assert playing.command("replay", log).stdout == playing.command("replay", log, "--text").stdout != ""


def test_a_seat_is_told_no_whispers(log: Path) -> None:
    whispered = [w for line in log.read_bytes().splitlines()[1:] for w in json.loads(line).get("whispered", ())]
    assert whispered
    told = playing.command("replay", log, "--text", "--seat", "Ana").stdout
    assert not any(line in told for line in whispered)


def test_a_sample_is_found_by_its_name_before_it_was_copied(tmp_path: Path) -> None:
    done = playing.command("replay", "cinder-pass", "--verify", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("changes", "says"),
    [({"format": 99}, "format 99"), ({"engine": "nobody-has-this"}, "'nobody-has-this' is not installed")],
    ids=["newer", "no engine"],
)
def test_a_log_that_is_newer_or_of_a_game_that_is_not_here_still_shows_its_text(
    log: Path, changes: dict[str, object], says: str
) -> None:
    before = playing.command("replay", log, "--text").stdout
    rewritten(log, **changes)
    assert not scan(log.read_bytes()).damage
    assert playing.command("replay", log).stdout == before
    verified = playing.command("replay", log, "--verify")
    assert verified.returncode == 1
    assert says in verified.stderr
    assert "Traceback" not in verified.stderr


@pytest.mark.parametrize("words", [(), ("--text",), ("--verify",), ("--to", "5")], ids=" ".join)
@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"\0\xff\xfe" * 100, b"{}\n", b'{"log":"other"}\n', b"hello\n", b"[" * 5000, b'{"log":"tabletop"}'],
    ids=["empty", "a newline", "binary", "no header", "another's", "text", "brackets", "half a header"],
)
def test_what_is_no_log_gets_a_sentence(tmp_path: Path, content: bytes, words: tuple[str, ...]) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_bytes(content)
    done = playing.command("replay", path, *words)
    assert done.returncode == 1
    assert "evening.jsonl" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("where", ["a folder", "nothing"])
def test_neither_a_folder_nor_nothing_can_be_watched(tmp_path: Path, where: str) -> None:
    path = tmp_path / "x"
    if where == "a folder":
        path.mkdir()
    done = playing.command("replay", path)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_a_torn_line_and_a_damaged_one_are_named_by_their_place(log: Path) -> None:
    whole = log.read_bytes()
    log.write_bytes(whole[:-20])
    told = playing.command("replay", log, "--text")
    assert told.returncode == 0  # the whole lines are sound
    lines = whole.splitlines(keepends=True)
    lines[40] = lines[40].replace(b'"seq"', b'"sex"')
    log.write_bytes(b"".join(lines))
    for words in (["--text"], ["--verify"]):
        done = playing.command("replay", log, *words)
        assert done.returncode == 1
        assert "line 41" in done.stderr


def test_the_state_after_an_entry_is_shown_and_one_that_is_not_there_is_refused(log: Path) -> None:
    assert "[picture]" not in playing.command("replay", log, "--to", "5").stdout
    done = playing.command("replay", log, "--to", "5000")
    assert done.returncode == 1
    assert "there is no entry 5000" in done.stderr


def test_what_was_undone_is_left_out_unless_it_is_asked_for(root: Path) -> None:
    for words in (("act", root, "note", "text=one"), ("act", root, "note", "text=two"), ("undo", root)):
        assert playing.command(*words).returncode == 0
    for command in (("log", root), ("replay", root, "--text")):
        told = playing.command(*command).stdout
        assert "one" in told
        assert "two" not in told
        assert "2 entries are left out: what was undone, undoing, and what players asked; --all shows them" in told
        assert "Undone: two" in playing.command(*command, "--all").stdout
    assert len(playing.command("log", root, "--json").stdout.splitlines()) == 3
    assert "(taken back)* two" in playing.command("export", root, "--all").stdout
    assert "two" not in playing.command("export", root).stdout
