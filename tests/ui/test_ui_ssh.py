"""Over a real SSH server on this machine: play, lose the line, come back to the same prompt; a seat of one's own."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from ptys import Terminal

from tabletop_tui.cli import main
from tabletop_tui.storage.desk import Desk, sessions

SERVER = shutil.which("sshd") or next((p for p in ("/usr/sbin/sshd",) if Path(p).exists()), "")
CLIENT, KEYGEN = shutil.which("ssh") or "", shutil.which("ssh-keygen") or ""

pytestmark = pytest.mark.skipif(
    not (SERVER and CLIENT and KEYGEN), reason="needs an SSH server: apt-get install openssh-server"
)


@pytest.fixture
def ssh(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Run `tabletop …` at the other end of an SSH connection."""
    place = tmp_path / "ssh"
    place.mkdir(mode=0o700)
    for name in ("host", "user"):
        subprocess.run([KEYGEN, "-q", "-t", "ed25519", "-N", "", "-f", place / name], check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    (place / "config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {place}/host\nPidFile none\nUsePAM no\nStrictModes no\n"
        f"AuthorizedKeysFile {place}/user.pub\nPermitRootLogin yes\nPasswordAuthentication no\nPrintMotd no\n"
    )
    server = subprocess.Popen([SERVER, "-D", "-e", "-f", place / "config"], stderr=subprocess.DEVNULL)
    _wait(port, server)
    opened: list[Terminal] = []

    def run(*words: str, size: tuple[int, int] = (80, 24)) -> Terminal:
        homes = f"XDG_DATA_HOME={tmp_path}/data XDG_CONFIG_HOME={tmp_path}/config TERM=xterm-256color"
        far = f"env {homes} {sys.executable} -m tabletop_tui {' '.join(words)}"
        argv = [CLIENT, "-tt", "-q", "-p", str(port), "-i", str(place / "user"), "-o", "StrictHostKeyChecking=no"]
        argv += ["-o", f"UserKnownHostsFile={place}/known", "-F", "none", f"{getpass.getuser()}@127.0.0.1", far]
        one = Terminal(argv, {}, size)
        opened.append(one)
        return one

    yield run
    for one in opened:
        one.close()
    server.terminate()
    server.wait(10)


def _wait(port: int, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if server.poll() is not None:
            pytest.skip(f"the SSH server does not run here (it ended with {server.returncode})")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the SSH server does not answer")


def test_a_dropped_line_ends_it_cleanly_and_coming_back_means_the_same_prompt(
    campaign: Path, ssh: Callable[..., Terminal]
) -> None:
    one = ssh("play", str(campaign))
    one.sees("attack")
    one.send("C33")  # the third prepared challenge, its third lead
    one.sees("Climbing")
    one.send("2424t623541\r")  # four supporters, and real dice: whether it counts is asked
    one.sees("let it count")
    one.signal(signal.SIGKILL)  # the line drops: nobody says goodbye
    (log,) = sessions(campaign)
    before = log.read_bytes()
    again = ssh("play", str(campaign))
    again.sees("let it count")
    assert log.read_bytes() == before
    again.send("\r")
    again.sees("SUCCESS")
    desk = Desk(campaign, write=False)
    assert desk.table.timeline.last == 8
    desk.close()


def test_what_a_seat_may_not_see_never_comes_down_the_line(campaign: Path, ssh: Callable[..., Terminal]) -> None:
    scene = campaign / "scenes" / "the-bridge.toml"
    scene.write_text(scene.read_text().replace('secret = "', 'secret = "Sssh: ', 1))
    assert main(["act", str(campaign), "scene", "scene=the-bridge"]) == 0
    gm = ssh("play", str(campaign), size=(120, 40))
    gm.sees("Sssh:")
    seat = ssh("play", str(campaign), "--seat", "Ana", size=(120, 40))
    seat.sees("Ember Road")
    for page, word in (("C", "challenge"), ("S", "everybody"), ("H", "history"), ("T", "what lasts")):
        seat.send(page)
        seat.sees(word)
    assert b"Sssh" not in seat.raw
