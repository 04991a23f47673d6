"""The doctor: every damage is found, has a way out, and after it the campaign is played on."""

from __future__ import annotations

from pathlib import Path

import playing
import pytest

from tabletop_tui.cli import main
from tabletop_tui.kit.common import Note
from tabletop_tui.rules import TableError
from tabletop_tui.storage.log import scan, sessions, with_crc
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.safety.backups import back_up, backups


@pytest.fixture
def played(root: Path) -> Path:
    """Three notes and an injury; now.toml shows entry 4, and the backup is of entry 2."""
    desk = OpenCampaign(root)
    desk.table.do(Note("one"))
    desk.table.do(Note("two"))
    back_up(root, playing.EVENING, begun=True)
    desk.table.do(Note("three"))
    playing.act(desk.table, "hurt who=mira points=30")
    desk.publish()
    desk.close()
    return root


def hp(root: Path) -> int:
    return int(OpenCampaign(root).table.world.now.people["mira"].hp)


def doctor(root: Path, *words: str) -> int:
    return main(["doctor", str(root), *words])


def goes_on(root: Path) -> bool:
    """The doctor has nothing to say any more, and play goes on."""
    desk = OpenCampaign(root)
    desk.table.do(Note("on"))
    assert desk.publish()
    desk.close()
    return doctor(root) == 0


BROKEN = {"empty": b"", "a newline": b"\n", "no log": b"hello\n", "zeros": b"\0" * 5000, "torn": b'{"log":"tab'}


@pytest.mark.parametrize("what", BROKEN)
def test_a_log_of_which_nothing_is_left_comes_back_out_of_the_backup(
    played: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log = sessions(played)[-1]
    log.write_bytes(BROKEN[what])
    with pytest.raises(TableError, match=r"doctor CAMPAIGN --mend"):
        OpenCampaign(played)
    assert doctor(played) == 1
    assert "--mend" in capsys.readouterr().err
    assert doctor(played, "--mend") == 0
    told = capsys.readouterr().out
    assert "goes on after entry 2, with lines out of the backup" in told
    assert "whatever was played after that is lost" in told
    assert "the state in now.toml, of entry 4, is taken over after entry 2" in told
    assert hp(played) == 70
    assert goes_on(played)
    assert BROKEN[what] in [path.read_bytes() for path in log.parent.glob("*.damaged*")]


@pytest.mark.parametrize("what", BROKEN)
def test_without_a_backup_a_new_session_begins_from_now_toml(
    played: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (played / "backups").iterdir():
        path.unlink()
    sessions(played)[-1].write_bytes(BROKEN[what])
    assert doctor(played, "--mend") == 0
    told = capsys.readouterr().out
    assert "session 002-" in told
    assert "from the state in now.toml: what led to it is lost, the state is not" in told
    assert hp(played) == 70
    assert goes_on(played)


def test_without_either_it_begins_where_the_session_before_ended(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    OpenCampaign(played, new_session=True).publish()
    for path in (played / "backups").iterdir():
        path.unlink()
    (played / "now.toml").write_text("broken")
    sessions(played)[-1].write_bytes(b"")
    assert doctor(played, "--mend") == 0
    told = capsys.readouterr().out
    assert "from where the session before it ended: what was played since then is lost" in told
    assert "kept as now.toml.kept" in told
    assert (played / "now.toml.kept").read_text() == "broken"
    assert hp(played) == 70
    assert goes_on(played)


def test_a_damaged_header_is_put_right_out_of_a_backup_without_loss(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = sessions(played)[-1]
    whole = log.read_bytes()
    log.write_bytes(whole.replace(b'"seed"', b'"sead"', 1))
    assert doctor(played, "--mend") == 0
    assert "nothing is lost" in capsys.readouterr().out
    assert log.read_bytes() == whole
    assert goes_on(played)


@pytest.mark.parametrize("line", [1, 2])
@pytest.mark.parametrize("how", ["changed", "deleted", "doubled"])
def test_a_line_that_a_backup_has_is_put_right_without_loss(played: Path, line: int, how: str) -> None:
    log = sessions(played)[-1]
    lines = log.read_bytes().splitlines(keepends=True)
    broken = {"changed": [lines[line].replace(b"note", b"nope")], "deleted": [], "doubled": [lines[line]] * 2}[how]
    log.write_bytes(b"".join([*lines[:line], *broken, *lines[line + 1 :]]))
    assert doctor(played) == 1
    assert doctor(played, "--mend") == 0
    assert log.read_bytes() == b"".join(lines)
    assert goes_on(played)


def test_a_line_that_no_backup_has_ends_the_log_and_the_state_is_taken_over(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = sessions(played)[-1]
    log.write_bytes(log.read_bytes().replace(b"three", b"threw"))
    assert doctor(played, "--mend") == 0
    told = capsys.readouterr().out
    assert "goes on after entry 2; whatever was played after that is lost" in told
    assert "the state in now.toml, of entry 4, is taken over after entry 2" in told
    assert hp(played) == 70
    assert goes_on(played)


def test_a_log_cut_at_a_lines_end_is_found_also_when_it_has_grown_again(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = sessions(played)[-1]
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:3]))
    now = (played / "now.toml").read_bytes()
    assert doctor(played) == 1
    for number in range(5):
        assert main(["act", str(played), "note", f"text=more {number}"]) == 0
        assert doctor(played) == 1, number
        assert "shows entry 4 of session" in capsys.readouterr().err
    assert (played / "now.toml").read_bytes() == now
    assert not any("hand" in str(entry.whispered) for entry in OpenCampaign(played).table.timeline.entries)
    assert doctor(played, "--mend") == 0
    assert "the file is kept as now.toml.kept" in capsys.readouterr().out
    assert (played / "now.toml.kept").read_bytes() == now
    assert goes_on(played)


def put_in_place(log: Path, data: bytes) -> None:
    """As a sync program does it."""
    beside = log.with_suffix(".part")
    beside.write_bytes(data)
    beside.replace(log)


def test_an_older_log_in_its_place_is_found_and_what_was_saved_comes_back(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = OpenCampaign(played)
    log, older = desk.log.path, desk.log.path.read_bytes()
    desk.do(Note("late"))
    saved = log.read_bytes()
    put_in_place(log, older)
    desk.look()
    desk.close()
    assert doctor(played) == 1
    told = capsys.readouterr().err
    assert ".replaced-" in told
    assert "--mend" in told
    assert doctor(played, "--mend") == 0
    assert "nothing is lost" in capsys.readouterr().out
    assert log.read_bytes() == saved
    assert goes_on(played)


def test_what_was_saved_before_another_log_went_on_is_named(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = OpenCampaign(played)
    log, older = desk.log.path, desk.log.path.read_bytes()
    desk.do(Note("late"))
    put_in_place(log, older)
    desk.look()
    desk.close()
    assert main(["act", str(played), "note", "text=instead"]) == 0
    assert doctor(played, "--mend") == 0
    capsys.readouterr()
    assert doctor(played) == 0
    told = capsys.readouterr().out
    (kept,) = log.parent.glob("*.replaced-*")
    assert f"{kept.name}: holds what was saved and is not in {log.name}" in told
    assert main(["replay", str(kept), "--text"]) == 0
    assert "late" in capsys.readouterr().out


def test_a_cut_log_that_has_grown_again_is_told_of_by_its_backup_alone(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, copy = sessions(played)[-1], backups(played)[-1].stem
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:2]))  # the backup has one entry more
    (played / "now.toml").unlink()
    assert main(["act", str(played), "note", "text=instead"]) == 0
    capsys.readouterr()
    assert doctor(played) == 0
    assert f"the backup {copy}: holds what was saved and is not in" in capsys.readouterr().out


@pytest.mark.parametrize("copy", ["beside", "backup", "none"])
def test_a_log_that_is_gone_comes_back_where_there_is_a_copy(
    played: Path, copy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = OpenCampaign(played)
    desk.log.path.unlink()
    with pytest.raises(TableError, match="not saved"):
        desk.do(Note("into nowhere"))
    desk.close()
    if copy != "beside":
        next((played / "sessions").glob("*.gone-*")).unlink()
    for path in backups(played)[-1:] if copy == "backup" else backups(played) if copy == "none" else ():
        path.unlink()
    assert doctor(played, "--mend") == (copy == "none")
    said = capsys.readouterr()
    if copy == "none":
        assert "--from-now" in said.err
        return
    entries = 4 if copy == "beside" else 2
    assert f"with {entries} entries" in said.out
    assert hp(played) == 70
    assert goes_on(played)


@pytest.mark.parametrize("what", ["a folder", "a link to nowhere"])
def test_a_log_whose_name_something_else_has_comes_back_too(played: Path, what: str) -> None:
    log = sessions(played)[-1]
    log.unlink()
    log.mkdir() if what == "a folder" else log.symlink_to("nowhere")
    assert doctor(played, "--mend") == 0
    assert hp(played) == 70
    assert goes_on(played)


def test_nothing_is_brought_back_to_where_now_toml_leads_astray(played: Path, tmp_path: Path) -> None:
    now = played / "now.toml"
    session = sessions(played)[-1].stem
    sessions(played)[-1].unlink()
    now.write_text(now.read_text().replace(f'"{session}"', f'"{session}.x/../../../astray"'))
    before = sorted(tmp_path.rglob("*"))
    assert doctor(played, "--mend") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_crlf_is_told_by_the_doctor_and_needs_no_mending(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = sessions(played)[-1]
    whole = log.read_bytes()
    log.write_bytes(whole.replace(b"\n", b"\r\n"))
    assert doctor(played) == 0
    assert "CRLF" in capsys.readouterr().out
    assert goes_on(played)
    assert log.read_bytes().startswith(whole)


def test_crlf_and_damage_are_mended_together(played: Path) -> None:
    log = sessions(played)[-1]
    whole = log.read_bytes()
    log.write_bytes(whole.replace(b"one", b"ona").replace(b"\n", b"\r\n"))
    assert doctor(played, "--mend") == 0
    assert log.read_bytes() == whole
    assert goes_on(played)


def test_a_line_that_is_nested_without_end_is_told(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = sessions(played)[-1]
    data = log.read_bytes()
    chain = scan(data).chain
    deep = b'{"seq":5,"at":"x","action":{"do":"edited","changes":[{"path":["now"],"after":'
    deep += b"[" * 100_000 + b"]" * 100_000 + b"}]}}"
    log.write_bytes(data + with_crc(deep, chain[-1])[0])
    assert doctor(played) == 1
    told = capsys.readouterr().err
    assert "entry 5" in told
    assert "nested too deeply" in told
    for words in (["log"], ["log", "--json"], ["offers"]):
        assert main([words[0], str(played), *words[1:]]) in (0, 1)
    assert main(["replay", str(log), "--verify"]) == 1
    assert "nested too deeply" in capsys.readouterr().err


UNREADABLE = Path("/proc/self/mem")
"""A plain file that nobody can read from its beginning, not even root."""


@pytest.mark.skipif(not UNREADABLE.exists(), reason="needs Linux")
@pytest.mark.parametrize("words", ["doctor", "doctor --mend", "log", "replay --verify", "offers", "session"])
def test_a_log_that_cannot_be_read_is_told_in_a_sentence(
    played: Path, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log = sessions(played)[-1]
    log.unlink()
    log.symlink_to(UNREADABLE)
    name, *more = words.split()
    assert main([name, str(played), *more]) == 1
    told = capsys.readouterr().err
    assert "cannot be read: Input/output error" in told
    assert "Check that it is" in told


def test_sessions_that_are_gone_are_told_and_gone_on_from(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sessions(played)[-1].unlink()
    assert main(["offers", str(played)]) in (0, 1)
    assert doctor(played) == 1
    assert "--from-now" in capsys.readouterr().err
    assert main(["session", str(played)]) == 1
    assert main(["session", str(played), "--from-now"]) == 0
    assert hp(played) == 70
    assert goes_on(played)
