"""`tabletop seats`: the lines that give keys their seats, for hostile names and paths too."""

from __future__ import annotations

import json
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import playing
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop_tui.rules import Refused
from tabletop_tui.storage.user.seat_keys import KeyFile, PublicKey, forced, key_lines, read_keys, seat_line, seat_of

ANA = (
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBtesNYhR03y55AJOXZQtgcSCPVVnKmEXSLlYW9q2TG4 ana@laptop\n",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBtesNYhR03y55AJOXZQtgcSCPVVnKmEXSLlYW9q2TG5 ana@phone\n",
)
KEY = read_keys(ANA[0])[0]
HOSTILE = [
    'O\'Brien "the Axe"',
    "$(touch owned)",
    "`id`",
    "a;b&c|d",
    "\\",
    'x\\"',
    "-rf",
    "tab\\tle",
    "ж 龍",
    "100%",
    "#",
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "ssh" / "authorized_keys"


def seats(*words: str | Path, root: Path, file: Path, key: str = "") -> subprocess.CompletedProcess[str]:
    """`tabletop seats …` with a file of keys of its own."""
    more: list[str | Path] = ["--campaign", root, "--into", file]
    if key:
        sent = file.parent.parent / "sent.pub"
        sent.write_text(key)
        more += ["--key", sent]
    return playing.command("seats", *words, *more)


def test_the_line_is_shown_first_and_written_when_asked(root: Path, file: Path) -> None:
    shown = seats("add", "Ana", root=root, file=file, key=ANA[0])
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith('restrict,pty,command="')
    assert not file.exists()
    done = seats("add", "ana", "--yes", root=root, file=file, key=ANA[0])
    assert done.returncode == 0, done.stderr
    assert file.read_text() == shown.stdout.splitlines()[0] + "\n"
    assert f'--seat=Ana" {ANA[0].strip()}' in file.read_text()  # as the sheet spells the name
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_the_list_says_who_sits_where_and_who_has_no_key(root: Path, file: Path) -> None:
    for key in ANA:  # two machines
        assert seats("add", "Ana", "--yes", root=root, file=file, key=key).returncode == 0
    listed = seats("list", root=root, file=file).stdout.splitlines()
    assert [line.split()[0] for line in listed[:2]] == ["Ana", "Ana"]
    assert "ana@phone" in listed[1]
    assert all(line.endswith("no key yet") for line in listed[2:])
    data = json.loads(playing.command("seats", "list", "--json", "--campaign", root, "--into", file).stdout)
    assert [row["key"] for row in data["seats"]] == [read_keys(key)[0].fingerprint for key in ANA]
    assert data["without"] == [line.split()[0] for line in listed[2:]]


def test_removing_takes_out_the_seats_lines_and_nothing_else(root: Path, file: Path) -> None:
    file.parent.mkdir()
    before = '# mine\nfrom="10.*" ssh-rsa AAAAB3 me\n\nssh-ed25519 broken\n'
    file.write_text(before)
    assert seats("add", "Ana", "--yes", root=root, file=file, key=ANA[0]).returncode == 0
    assert seats("add", "Ana", "--yes", root=root, file=file, key=ANA[1]).returncode == 0
    asked = seats("remove", "Ana", root=root, file=file)
    assert "--yes" in asked.stdout
    assert file.read_text() != before
    assert seats("remove", "Ana", "--yes", root=root, file=file).returncode == 0
    assert file.read_text() == before
    again = seats("remove", "Ana", "--yes", root=root, file=file)
    assert again.returncode == 1
    assert "has no key" in again.stderr


def test_a_key_that_may_do_more_in_an_earlier_line_gets_no_seat(root: Path, file: Path) -> None:
    """sshd takes the first line that has the key: the seat's would never be looked at."""
    file.parent.mkdir()
    file.write_text(ANA[0])
    done = seats("add", "Ana", "--yes", root=root, file=file, key=ANA[0])
    assert done.returncode == 1
    assert f"{file}:1" in done.stderr
    assert file.read_text() == ANA[0]


def test_a_key_sits_at_one_seat(root: Path, file: Path) -> None:
    others = [name for name in players(root) if name != "Ana"]
    assert seats("add", "Ana", "--yes", root=root, file=file, key=ANA[0]).returncode == 0
    again = seats("add", "Ana", "--yes", root=root, file=file, key=ANA[0])
    assert "already" in again.stderr
    other = seats("add", others[0], "--yes", root=root, file=file, key=ANA[0])
    assert "the seat of Ana" in other.stderr
    assert len(file.read_text().splitlines()) == 1


def players(root: Path) -> list[str]:
    return sorted({s.player for s in playing.world(root).sheets.values() if s.player})


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n", "private key"),
        ("hello", "line 1 is not a public SSH key"),
        ("ssh-ed25519 AAAA", "not a public SSH key"),
        (f'command="sh" {ANA[0]}', "not a public SSH key"),
        (ANA[0].replace("ssh-ed25519 ", "ssh-rsa "), "not a public SSH key"),
        ("", "no key in it"),
    ],
)
def test_what_is_not_a_public_key_is_refused(root: Path, file: Path, sent: str, why: str) -> None:
    path = file.parent.parent / "sent.pub"
    path.write_text(sent)
    done = playing.command("seats", "add", "Ana", "--campaign", root, "--into", file, "--key", path)
    assert done.returncode == 1
    assert why in done.stderr


def test_a_seat_has_the_name_of_somebody_who_plays_here(root: Path, file: Path) -> None:
    for name in ("Zoe", "", " "):
        done = seats("add", name, root=root, file=file, key=ANA[0])
        assert done.returncode == 1
        assert "Choose from: " in done.stderr


def test_the_key_can_come_on_standard_input_and_a_link_stays_a_link(root: Path, tmp_path: Path, file: Path) -> None:
    file.parent.mkdir()
    real = tmp_path / "real"
    real.write_text("")
    file.symlink_to(real)
    argv = [sys.executable, "-m", "tabletop_tui", "seats", "add", "Ana", "--stdin", "--yes"]
    done = subprocess.run(
        [*argv, "--campaign", root, "--into", file], input=ANA[0], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert file.is_symlink()
    assert "--seat=Ana" in real.read_text()


# ---- quoting


@pytest.mark.parametrize("name", HOSTILE)
def test_a_shell_gets_a_hostile_name_and_path_as_they_are(tmp_path: Path, name: str) -> None:
    """sshd takes the quotes off, and gives the rest to the user's shell."""
    folder = tmp_path / name.replace("/", "_")
    (line,) = key_lines(seat_line(folder, name, KEY))
    ran = subprocess.run(
        ["/bin/sh", "-c", line.command.replace(shlex.quote(forced(folder, name)[0]), "printf '%s\\n'", 1)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert ran.stdout.splitlines() == forced(folder, name)[1:]
    assert not (tmp_path / "owned").exists()


@given(st.text(min_size=1), st.text(min_size=1).filter(lambda s: "\0" not in s))
def test_whatever_is_written_is_read_back_or_refused(name: str, folder: str) -> None:
    path = Path("/", folder.encode("utf-8", "replace").decode())
    try:
        text = seat_line(path, name, KEY)
    except Refused:
        return
    assert "\n" not in text
    (line,) = key_lines(text)
    found = seat_of(line)
    assert found is not None
    assert (found.seat, found.campaign, found.key.data) == (name, path.resolve(), KEY.data)


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="needs ssh-keygen: apt-get install openssh-client")
@pytest.mark.parametrize("name", HOSTILE)
def test_openssh_finds_the_same_key_in_the_line(tmp_path: Path, name: str) -> None:
    file = tmp_path / "keys"
    file.write_text(seat_line(tmp_path / name.replace("/", "_"), name, KEY) + "\n")
    told = subprocess.run(["ssh-keygen", "-lf", file], capture_output=True, text=True)
    assert KEY.fingerprint in told.stdout, told.stderr
    assert len(told.stdout.splitlines()) == 1


def test_a_file_of_keys_with_strange_bytes_keeps_them(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys")
    file.path.write_bytes(b"# \xff\xfe caf\xe9\r\nssh-rsa AAAA x")
    file.add(tmp_path, "Ana", KEY)
    assert file.path.read_bytes().startswith(b"# \xff\xfe caf\xe9\r\nssh-rsa AAAA x\nrestrict,pty")
    assert isinstance(file.seats()[0].key, PublicKey)
