"""What a seat gets over SSH, and what it is refused: by OpenSSH's server and by `tabletop serve` alike."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import struct
import subprocess
import termios
from contextlib import suppress
from functools import partial
from pathlib import Path

import level
import openssh
import pytest
from doors import Door, Served, until
from lines import Lines, checked

from tabletop_tui.storage.open_campaign import OpenCampaign

ATTEMPTS = level.many(4, 20, 1_000)
"""TABLETOP_TESTS=all tries as often as somebody who means it."""
ASKED = level.many(20, 40, 1_000)


# ---- what there is


def test_a_seats_screen_arrives_and_leaving_it_ends_the_line(door: Door) -> None:
    ana = door.sit()
    ana.sees("Ana's seat")
    assert len(door.processes()) == 1
    ana.send("q")
    ana.until(lambda: ana.status is not None, "the end of the line")
    assert ana.status == 0
    until(lambda: not door.processes(), "no process is left")


def test_a_window_that_is_made_larger_is_drawn_larger(door: Door) -> None:
    ana = door.sit(size=(80, 24))
    ana.sees("Ana's seat")
    ana.screen.resize(30, 100)
    fcntl.ioctl(ana.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    ana.until(
        lambda: len(ana.screen.display[0].rstrip()) > 95 and ana.screen.display[0].rstrip().endswith("Ana's seat"),
        "the first row as wide as the window",
    )


def test_a_terminal_that_can_do_nothing_gets_lines(door: Door) -> None:
    ana = door.sit(term="dumb")
    ana.sees("Ana's seat: you play")
    ana.send("quit\n")
    ana.until(lambda: ana.status is not None, "the end of the line")
    assert ana.status == 0
    assert b"\x1b" not in ana.raw


def test_a_client_that_is_killed_leaves_no_process(door: Door) -> None:
    some = [door.sit(), door.sit()]
    for one in some:
        one.sees("Ana's seat")
    assert len(door.processes()) == 2
    for one in some:
        one.signal(signal.SIGKILL)
    until(lambda: not door.processes(), "the seats ended")


# ---- what there is not


def nothing_came_of(done: subprocess.CompletedProcess[bytes]) -> None:
    assert done.returncode != 0
    assert b"uid=" not in done.stdout
    assert b"Ember" not in done.stdout


@pytest.mark.parametrize(
    "words", level.some([("id",), ("-T",), ("sh", "-c", "id"), ("-T", "exec bash")], 1, turn=3), ids=" ".join
)
def test_no_command_is_run(door: Door, words: tuple[str, ...]) -> None:
    options = [w for w in words if w == "-T"]
    nothing_came_of(door.run(*options, openssh.me(), *[w for w in words if w != "-T"]))
    until(lambda: not door.processes(), "no process is left")


def test_a_command_with_a_terminal_is_not_run_either(door: Door) -> None:
    one = door.sit("-tt", "-o", "RemoteCommand=id; sh")
    one.until(lambda: one.status is not None or "Ana's seat" in one.text(), "refused, or the seat in its place")
    assert b"uid=" not in one.raw


def test_no_file_is_sent_or_fetched(door: Door, tmp_path: Path) -> None:
    if not (shutil.which("scp") and shutil.which("sftp")):
        pytest.skip("needs scp and sftp: apt-get install openssh-client")
    mine, theirs = tmp_path / "mine.txt", tmp_path / "theirs.txt"
    mine.write_text("a file of the player's")
    got = tmp_path / "got.toml"
    where = openssh.me()
    for old in ((), ("-O",)):  # by SFTP, and by the older protocol
        nothing_came_of(door.run(*old, str(mine), f"{where}:{theirs}", program="scp"))
        nothing_came_of(door.run(*old, f"{where}:{door.campaign}/campaign.toml", str(got), program="scp"))
    nothing_came_of(door.run("-b", os.devnull, where, program="sftp"))
    nothing_came_of(door.run(where, "-s", "sftp"))
    assert not theirs.exists()
    assert not got.exists()


def test_nothing_is_forwarded_to_the_servers_network(door: Door, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as inside, socket.socket() as free:
        inside.settimeout(0.0)
        free.bind(("127.0.0.1", 0))
        mine, target = free.getsockname()[1], inside.getsockname()[1]
        free.close()
        line = door.sit("-L", f"127.0.0.1:{mine}:127.0.0.1:{target}", "-L", f"{tmp_path}/sock:127.0.0.1:{target}")
        line.sees("Ana's seat")
        for way in (("127.0.0.1", mine), f"{tmp_path}/sock"):
            with socket.socket(socket.AF_INET if isinstance(way, tuple) else socket.AF_UNIX) as out:
                out.settimeout(20)
                out.connect(way)  # the client's own end: it is there
                with suppress(ConnectionResetError):
                    assert out.recv(100) == b"", "closed, as the server opened nothing"
        with pytest.raises(BlockingIOError):
            inside.accept()


@pytest.mark.parametrize("way", level.some(["127.0.0.1:0:127.0.0.1:9", "{tmp}/far:127.0.0.1:9"], 1))
def test_nothing_listens_at_the_server_for_a_player(door: Door, tmp_path: Path, way: str) -> None:
    done = door.run("-N", "-o", "ExitOnForwardFailure=yes", "-R", way.format(tmp=tmp_path), openssh.me())
    assert done.returncode == 255
    assert not (tmp_path / "far").exists()


def test_no_agent_and_no_environment_reach_the_seat(door: Door, tmp_path: Path) -> None:
    if not shutil.which("ssh-agent"):
        pytest.skip("needs ssh-agent: apt-get install openssh-client")
    sock = tmp_path / "agent"
    agent = subprocess.Popen(["ssh-agent", "-D", "-a", sock], stdout=subprocess.DEVNULL)
    try:
        until(sock.exists, "the agent listens")
        words = ["-A", "-o", f"IdentityAgent={sock}", "-o", "IdentitiesOnly=no"]
        ana = door.sit(*words, "-o", "SetEnv=LD_PRELOAD=/tmp/x.so PYTHONSTARTUP=/tmp/x.py TABLETOP_ASCII=1 EDITOR=sh")
        ana.sees("Ana's seat")
        env = door.environment()
        assert not {"SSH_AUTH_SOCK", "LD_PRELOAD", "PYTHONSTARTUP", "TABLETOP_ASCII", "DISPLAY"} & set(env)
        assert env.get("EDITOR") != "sh"
    finally:
        agent.terminate()
        agent.wait(10)


# ---- who may not


def test_a_strangers_key_gets_no_seat(door: Door) -> None:
    one = door.sit(key=door.stranger)
    if isinstance(door, Served):
        one.sees("The code of your invitation")
        one.send("\x03")
    one.until(lambda: one.status is not None, "the end of the line")
    assert one.status != 0
    assert b"Ember" not in one.raw
    assert not door.processes()


def test_a_key_that_was_removed_gets_no_seat(door: Door) -> None:
    import playing

    into = () if isinstance(door, Served) else ("--into", door.place / "authorized_keys")
    done = playing.command("seats", "remove", "Ana", "--campaign", door.campaign, "--yes", *into)
    assert done.returncode == 0, done.stderr
    nothing_came_of(door.run("-T", openssh.me()))
    assert not door.processes()


def test_many_attempts_get_nothing_and_ana_still_sits_down(door: Door) -> None:
    """With `serve` most of them are not even talked to: so many from one address are refused at once."""
    for _ in range(ATTEMPTS):
        done = door.run("-T", "-b", "127.0.0.2", openssh.me(), key=door.stranger)
        nothing_came_of(done)
    assert not door.processes()
    ana = door.sit()
    ana.sees("Ana's seat")


def test_a_flood_of_questions_is_one_question_at_a_time(door: Door) -> None:
    ana = Lines(terminal=door.sit(term="dumb", size=(200, 50)))
    ana.hears("seat: you play")
    attacks = [f"attack who=mira skill={skill} against=rook\n" for skill in ("Lore", "Dodge")]
    for place in range(0, ASKED, 20):  # a terminal holds no more
        ana.terminal.send("".join(attacks * 10) + f"end-{place}\n")
        ana.until(partial(lambda place: f"'end-{place}'" in ana.transcript, place), "the end of it")
    assert "one question a second is enough" in ana.transcript.casefold()
    gm = OpenCampaign(door.campaign)
    assert len(gm.table.proposals()) == 1
    gm.close()
    asked = checked(door.campaign).count("proposed")
    assert 1 <= asked < ASKED
