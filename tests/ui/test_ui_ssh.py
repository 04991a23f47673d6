"""Over a real SSH server on this machine: play, lose the line, come back to the same prompt; a seat of one's own."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import openssh
import pytest
from ptys import Terminal

from tabletop_tui.cli import main
from tabletop_tui.storage.log import sessions
from tabletop_tui.storage.open_campaign import OpenCampaign

pytestmark = openssh.needs_server


@pytest.fixture
def ssh(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Run `tabletop …` at the other end of an SSH connection."""
    key = openssh.new_key(tmp_path / "ssh" / "user")
    opened: list[Terminal] = []
    with openssh.sshd(tmp_path / "ssh", key.with_suffix(".pub")) as port:

        def run(*words: str, size: tuple[int, int] = (80, 24)) -> Terminal:
            homes = (f"XDG_DATA_HOME={tmp_path}/data", f"XDG_CONFIG_HOME={tmp_path}/config", "TERM=xterm-256color")
            far = shlex.join(["env", *homes, sys.executable, "-m", "tabletop_tui", *words])
            one = Terminal(openssh.client(port, key, "-tt", openssh.me(), far), {}, size)
            opened.append(one)
            return one

        yield run
        for one in opened:
            one.close()


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
    again.sees("next challenge")
    desk = OpenCampaign(campaign, write=False)
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
    for page, word in (("C", "prepared challenges"), ("P", "everybody"), ("L", "what happened"), ("T", "the party")):
        seat.send(page)
        seat.sees(word)
    assert b"Sssh" not in seat.raw
