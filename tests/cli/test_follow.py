"""`tabletop log --follow`: a stream of what is done, and what a script can make of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread

import playing
import pytest

from tabletop_tui.cli import main
from tabletop_tui.rules import parse, tag_of
from tabletop_tui.storage.log import sessions
from tabletop_tui.storage.open_campaign import OpenCampaign

HOOK = playing.PROJECT / "docs" / "hooks" / "announce.py"
Stream = subprocess.Popen[str]


@pytest.fixture
def opened(root: Path) -> Iterator[OpenCampaign]:
    campaign = OpenCampaign(root)
    yield campaign
    campaign.close()


@pytest.fixture
def follow(root: Path) -> Iterator[Callable[..., Stream]]:
    """`tabletop log … --follow`, which has begun to follow when this returns."""
    begun: list[Stream] = []

    def start(*words: str) -> Stream:
        argv = [sys.executable, "-m", "tabletop_tui", "log", str(root), "--follow", "--last", "1", *words]
        one = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, stderr=subprocess.PIPE)
        begun.append(one)
        assert one.stdout is not None
        assert "it begins" in one.stdout.readline()  # the last of what was done before
        return one

    yield start
    for one in begun:
        one.kill()
        one.communicate()


def note(opened: OpenCampaign, text: str, secret: str = "false") -> None:
    kind = next(k for k in opened.engine.actions if tag_of(k) == "note")
    opened.do(parse(kind, {"text": text, "secret": secret}))


def line(stream: Stream) -> dict[str, object]:
    assert stream.stdout is not None
    found: dict[str, object] = json.loads(stream.stdout.readline())
    return found


def test_entries_come_as_they_are_written(opened: OpenCampaign, follow: Callable[..., Stream]) -> None:
    note(opened, "it begins")
    stream = follow("--json")
    for words in ("one", "two"):
        note(opened, words)
        entry = line(stream)
        assert entry["action"] == {"do": "note", "text": words}
    opened.undo()
    assert line(stream)["action"] == {"do": "undo", "to": 2}


def test_a_seats_stream_has_what_it_may_know_and_no_gap(opened: OpenCampaign, follow: Callable[..., Stream]) -> None:
    note(opened, "it begins")
    stream = follow("--json", "--seat", "ana")
    note(opened, "the butler did it", "true")
    note(opened, "it rains")
    entry = line(stream)
    assert entry["number"] == 2
    assert entry["action"] == "note"
    assert "rains" in str(entry["said"])
    assert "butler" not in json.dumps(entry)


def test_a_session_that_is_begun_is_followed(root: Path, opened: OpenCampaign, follow: Callable[..., Stream]) -> None:
    note(opened, "it begins")
    stream = follow("--json")
    assert main(["session", str(root)]) == 0
    opened.look()
    note(opened, "a new evening")
    assert "a new evening" in json.dumps(line(stream))
    assert len(sessions(root)) == 2


def test_a_log_that_is_replaced_by_a_copy_goes_on(opened: OpenCampaign, follow: Callable[..., Stream]) -> None:
    note(opened, "it begins")
    stream = follow("--json")
    path = opened.log.path
    copy = path.with_suffix(".copy")
    shutil.copy(path, copy)
    os.replace(copy, path)
    note(opened, "after it")
    assert "after it" in json.dumps(line(stream))


def test_it_ends_when_nobody_reads_any_more(opened: OpenCampaign, follow: Callable[..., Stream]) -> None:
    note(opened, "it begins")
    stream = follow()
    assert stream.stdout is not None
    stream.stdout.close()
    stream.stdout = None
    assert stream.wait(20) == 0


def test_damage_is_told_and_ends_it(opened: OpenCampaign, follow: Callable[..., Stream]) -> None:
    note(opened, "it begins")
    gm, seat = follow(), follow("--seat", "Ana")
    with opened.log.path.open("ab") as log:
        log.write(b'{"seq":2}\n')
    assert "line 3 is damaged" in gm.communicate(timeout=20)[1]
    assert seat.communicate(timeout=20)[1] == "The log is damaged. Tell the GM.\n"
    assert (gm.returncode, seat.returncode) == (1, 1)


def test_a_seat_is_somebody_who_plays(root: Path, opened: OpenCampaign) -> None:
    for seat in ("", "Zoe"):
        done = playing.command("log", root, "--follow", "--seat", seat)
        assert done.returncode == 1
        assert "Choose from" in done.stderr


# ---- the example


class Lamp(HTTPServer):
    """What the example posts to."""

    def __init__(self) -> None:
        self.got: Queue[dict[str, object]] = Queue()
        super().__init__(("127.0.0.1", 0), Taken)


class Taken(BaseHTTPRequestHandler):
    server: Lamp

    def do_POST(self) -> None:
        self.server.got.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_words: object) -> None:
        pass


@pytest.fixture
def lamp() -> Iterator[Lamp]:
    server = Lamp()
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_example_posts_what_is_said_and_survives_a_lamp_that_is_away(
    opened: OpenCampaign, follow: Callable[..., Stream], lamp: Lamp
) -> None:
    note(opened, "it begins")
    stream = follow("--json", "--seat", "Ana")
    url = f"http://127.0.0.1:{lamp.server_port}/"
    hook = subprocess.Popen([sys.executable, HOOK, url], stdin=stream.stdout)
    try:
        note(opened, "hidden", "true")
        note(opened, "the gate opens")
        assert "the gate opens" in str(lamp.got.get(timeout=20)["content"])
    finally:
        hook.kill()
        hook.wait()
    words = [sys.executable, str(HOOK), url, "--only", "roll,undo", "--send", '{"on": true}']
    opened.undo()
    story = playing.command("log", opened.root, "--json").stdout
    subprocess.run(words, input=story, text=True, check=True, timeout=30)
    assert lamp.got.get(timeout=20) == {"on": True}
    assert lamp.got.empty()
    away = subprocess.run([sys.executable, HOOK, "http://127.0.0.1:9/"], input=story, text=True, timeout=60)
    assert away.returncode == 0
