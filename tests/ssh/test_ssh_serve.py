"""`tabletop serve`: invitations, limits, its own key, and how it ends."""

from __future__ import annotations

import os
import signal
import socket
import stat
import sys
from contextlib import suppress
from pathlib import Path

import openssh
import playing
import pytest
from doors import Served, until
from ptys import Terminal

from tabletop_tui.serve.limits import KEPT, Limits, Rate
from tabletop_tui.storage.user.seat_keys import read_keys, serve_home, serve_keys

# ---- invitations


def test_an_invitation_names_the_address_that_is_listened_at(served: Served) -> None:
    assert f"    ssh -p {served.port} 127.0.0.1\n" in served.said


def test_a_code_gives_an_unknown_key_a_seat_and_the_key_is_remembered(served: Served) -> None:
    new = served.sit(key=served.stranger)
    new.sees("The code of your invitation")
    new.send("x\x7f" + served.code("Ben").upper().replace("-", " ") + "\r")  # as somebody types it who reads it
    new.sees("Ben's seat")
    new.send("q")
    new.until(lambda: new.status is not None, "the end of the line")
    again = served.sit(key=served.stranger)
    again.sees("Ben's seat")
    assert b"code" not in again.raw


@pytest.mark.parametrize("first", ["wrong-one", "", "1' OR '1'='1", "\x1b[A\x00é"])
def test_a_wrong_code_gets_two_more_tries_and_no_seat(served: Served, first: str) -> None:
    one = served.sit(key=served.stranger)
    for code in (first, "aaaa-aaaa", "bbbb-bbbb"):
        one.until(lambda: one.text().rstrip().endswith(":"), "a question")
        one.send(code + "\r")
        one.until(lambda: one.status is not None or one.text().count("not an open") > 0, "an answer")
        one.pump()
    one.until(lambda: one.status is not None, "the end of the line")
    assert one.status != 0
    assert not served.processes()
    assert not serve_keys().seats()


def test_a_code_is_good_for_one_key(served: Served) -> None:
    code = served.code("Ben")
    ben = served.sit(key=served.stranger)
    ben.sees("The code")
    ben.send(code + "\r")
    ben.sees("Ben's seat")
    other = served.sit(key=served.ana)
    other.sees("The code")
    other.send(code + "\r")
    other.sees("This is not an open invitation")
    other.send(code + "\r" + served.code("Dana") + "\r")  # the third try is right
    other.sees("Dana's seat")


def test_what_is_typed_ahead_of_an_answer_is_no_key_of_the_screen(served: Served) -> None:
    one = served.sit(key=served.stranger)
    one.sees("The code")
    one.send(served.code("Ben") + "\rqqqq")
    one.sees("Ben's seat")
    assert one.status is None


def test_guessing_codes_ends_after_ten_from_one_address(served: Served) -> None:
    for _ in range(4):
        one = served.sit("-b", "127.0.0.3", key=served.stranger)
        one.sees("The code")
        one.send("aaaa-aaaa\rbbbb-bbbb\rcccc-cccc\r")
        one.ends()
    late = served.sit("-b", "127.0.0.3", key=served.stranger)
    late.sees("The code")
    late.send(served.code("Ben") + "\r")  # a right one is not looked at any more
    late.until(lambda: late.status is not None, "the end of the line")
    assert b"Too many wrong codes" in late.raw
    elsewhere = served.sit(key=served.stranger)
    elsewhere.sees("The code")
    elsewhere.send(served.code("Ben") + "\r")
    elsewhere.sees("Ben's seat")


def test_one_more_invitation_counts_at_once(served: Served) -> None:
    done = playing.command("serve", served.campaign, "--invite", "ana")
    assert done.stdout.startswith("Ana, once: code ")
    assert done.stdout.split()[-1] == served.code("Ana"), "the open one is shown again"
    one = served.sit(key=served.ana)
    one.sees("The code")
    one.send(served.code("Ana") + "\r")
    one.sees("Ana's seat")
    more = playing.command("serve", served.campaign, "--invite", "Ana").stdout.split()[-1]
    assert more != served.code("Ana")
    phone = served.sit(key=served.stranger)
    phone.sees("The code")
    phone.send(more + "\r")
    phone.sees("Ana's seat")
    assert {k.key.data for k in serve_keys().seats()} == {
        read_keys(key.with_suffix(".pub").read_text())[0].data for key in (served.ana, served.stranger)
    }


def test_somebody_without_a_key_is_told_how_to_make_one(served: Served) -> None:
    none = served.place / "none"
    one = Terminal([w for w in served.line(openssh.me(), key=none) if w != "-q"], {}, (80, 24))
    served.opened.append(one)
    one.until(lambda: one.status is not None, "the end of the line")
    assert b"ssh-keygen -t ed25519" in one.raw
    assert one.status == 255


# ---- limits


def test_a_seat_has_three_terminals_and_no_more(served: Served) -> None:
    one = served.sit(key=served.stranger)
    one.sees("The code")
    one.send(served.code("Ben") + "\r")
    one.sees("Ben's seat")
    for _ in range(2):
        served.sit(key=served.stranger).sees("Ben's seat")
    late = served.sit(key=served.stranger)
    late.until(lambda: late.status is not None, "the end of the line")
    assert b"Close one of them" in late.raw
    assert len(served.processes()) == 3


def test_somebody_who_only_keeps_the_line_open_keeps_nobody_else_out(served: Served) -> None:
    held = [socket.create_connection(("127.0.0.1", served.port), 10) for _ in range(Limits.neighbours)]
    for one in held:
        assert one.recv(1)  # the server's greeting
    with socket.create_connection(("127.0.0.1", served.port), 10) as late, suppress(ConnectionResetError):
        assert late.recv(1) == b""
    elsewhere = served.sit("-b", "127.0.0.2", key=served.stranger)
    elsewhere.sees("The code of your invitation")
    for one in held:
        one.close()


def test_a_connection_has_one_session(served: Served) -> None:
    path = str(served.place / "shared")
    one = served.sit("-M", "-S", path, key=served.stranger)
    one.sees("The code")
    one.send(served.code("Ben") + "\r")
    one.sees("Ben's seat")
    second = served.run("-S", path, "-T", openssh.me(), key=served.stranger)
    assert b"Ben" not in second.stdout
    assert len(served.processes()) == 1


def test_a_rate_counts_each_address_by_itself_and_forgets() -> None:
    now = [0.0]
    rate = Rate(3, 60.0, lambda: now[0])
    assert [rate.count("a") for _ in range(4)] == [True, True, True, False]
    assert rate.count("b")
    now[0] = 60.0
    assert rate.count("a")
    assert not rate.full("a")


def test_a_flood_of_addresses_is_not_remembered_without_end() -> None:
    rate = Rate(3, 60.0, lambda: 0.0)
    assert all(rate.count(str(n)) for n in range(KEPT))
    assert not rate.count("one more")


def test_the_limits_let_a_table_of_players_in() -> None:
    assert Limits.connections >= 20
    assert Limits.strangers > 2 * Limits.neighbours


# ---- its key, and what it keeps


def test_the_servers_key_is_made_once_and_is_its_owners_alone(served: Served) -> None:
    key = serve_home() / "host_key"
    kept = key.read_bytes()
    assert served.stop() == 0
    served.start()
    assert key.read_bytes() == kept
    for path in (key, serve_home() / "invitations.json"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(serve_home().stat().st_mode) == 0o700


def test_the_fingerprint_is_what_a_client_shows(served: Served) -> None:
    one = Terminal(
        [
            openssh.CLIENT,
            *("-F", "none", "-p", str(served.port), "-o", f"UserKnownHostsFile={served.place}/none"),
            *("-o", "StrictHostKeyChecking=ask", "-i", str(served.ana), openssh.me()),
        ],
        {},
        (120, 24),
    )
    served.opened.append(one)
    one.sees("key fingerprint is")
    told = next(line for line in served.said if "SHA256:" in line).split()[-1]
    assert told in one.text()


def test_invitations_stay_open_over_a_restart(served: Served) -> None:
    code = served.code("Eli")
    assert served.stop() == 0
    served.start()
    assert served.code("Eli") == code


# ---- how it ends


def test_when_it_ends_every_seat_ends(served: Served) -> None:
    ana = served.sit(key=served.ana)
    ana.sees("The code")
    ana.send(served.code("Ana") + "\r")
    ana.sees("Ana's seat")
    assert served.stop(signal.SIGTERM) == 0
    assert not served.processes()
    ana.until(lambda: ana.status is not None, "the end of the line")
    assert b"\x1b[?1049l" in ana.raw, "the player's own screen is back"
    assert ana.raw.rstrip().endswith(b"The table is closed.")


def test_when_it_is_killed_every_seat_ends(served: Served) -> None:
    ana = served.sit(key=served.ana)
    ana.sees("The code")
    ana.send(served.code("Ana") + "\r")
    ana.sees("Ana's seat")
    served.stop(signal.SIGKILL)
    until(lambda: not served.processes(), "the seat ended")


def test_the_gms_screen_runs_in_the_same_terminal(campaign: Path, tmp_path: Path) -> None:
    pytest.importorskip("asyncssh", reason="needs asyncssh: pip install 'tabletop-tui[serve]'")
    words = ["-m", "tabletop_tui", "serve", str(campaign), "--listen", "127.0.0.1", "--port", "0"]
    gm = Terminal([sys.executable, *words], {}, (100, 40))
    try:
        gm.sees("press Enter")
        gm.send("\r")
        gm.sees("attack")
        os.kill(gm.pid, signal.SIGINT)  # an editor that runs in the screen is meant by it: serving goes on
        gm.send("?")
        gm.sees("help")
        assert gm.signal(signal.SIGTERM) == 0
        assert b"\x1b[?1049l" in gm.raw
    finally:
        gm.close()


def test_a_port_that_is_taken_is_told(served: Served) -> None:
    done = playing.command(
        "serve", served.campaign, "--no-screen", "--listen", "127.0.0.1", "--port", str(served.port)
    )
    assert done.returncode == 1
    assert f"port {served.port} cannot be used" in done.stderr
    assert "--port" in done.stderr


def test_without_asyncssh_it_says_what_to_install(campaign: Path, tmp_path: Path) -> None:
    (tmp_path / "asyncssh.py").write_text("raise ImportError('not here')\n")
    done = playing.command("serve", campaign, "--no-screen", path=str(tmp_path))
    assert done.returncode == 1
    assert "pip install 'tabletop-tui[serve]'" in done.stderr
    assert "'.[serve]' in a checkout" in done.stderr


def test_without_a_terminal_it_says_how_to_serve_alone(campaign: Path) -> None:
    done = playing.command("serve", campaign)
    assert done.returncode == 1
    assert "--no-screen" in done.stderr
