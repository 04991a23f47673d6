"""A page in a real browser: it draws, asks for nothing, and runs nothing that a name says."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import playing
import pytest
from msgspec.structs import replace

from tabletop_tui.records.page import page
from tabletop_tui.records.record import record
from tabletop_tui.session import Table

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)

pytestmark = pytest.mark.skipif(not BROWSER, reason="needs Chromium: apt-get install chromium")


@pytest.fixture
def asked() -> Iterator[tuple[int, list[str]]]:
    """A server of this machine, its port, and everything that was asked of it."""
    paths: list[str] = []

    class Listener(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1], paths
    server.shutdown()
    thread.join()
    server.server_close()


def draw(file: Path) -> tuple[str, str]:
    """The document as the browser holds it after loading, and what it wrote to its console."""
    done = subprocess.run(
        [
            BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
            f"--user-data-dir={file.parent / 'profile'}", "--enable-logging=stderr", "--virtual-time-budget=2000",
            "--dump-dom", file.as_uri(),
        ],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2_000:]
    return done.stdout, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)


def test_a_hostile_name_is_inert_text_in_a_browser(root: Path, tmp_path: Path, asked: tuple[int, list[str]]) -> None:
    port, paths = asked
    attack = (
        f"<script>document.title='owned'</script><img src=http://127.0.0.1:{port}/name "
        f"onerror=\"document.title='owned'\"><link rel=stylesheet href=http://127.0.0.1:{port}/css>"
    )
    base = playing.table(root)
    sheets = {who: replace(s, name=attack) if who == "mira" else s for who, s in base.header.world.sheets.items()}
    table = Table(base.engine, replace(base.header, world=replace(base.header.world, sheets=sheets)))
    playing.act(table, "note", text=attack)
    playing.act(table, "oppose who=mira skill=Warding against=rook using=Dodge")
    playing.act(table, "settle")
    told = page(record(table.timeline))
    file = tmp_path / "record.html"
    file.write_text(told, encoding="utf-8")
    document, console = draw(file)
    assert f"<title>{'The Gate'}, 2026-01-15-1</title>" in document
    assert "&lt;script&gt;document.title='owned'&lt;/script&gt;" in document
    assert "<script" not in document
    assert console == ""
    assert not paths

    # the same page with the attack let in: the console and the server would have told, and the page's policy holds
    file.write_text(told.replace("</main>", f"{attack}</main>"), encoding="utf-8")
    document, console = draw(file)
    assert "Content Security Policy" in console
    assert "<title>owned" not in document
    assert not paths

    # and without the policy it does its harm, so that this test can fail
    policy = next(line for line in told.splitlines() if "Content-Security-Policy" in line)
    file.write_text(told.replace(policy, "").replace("</main>", f"{attack}</main>"), encoding="utf-8")
    document, _ = draw(file)
    assert "<title>owned" in document
    assert "/name" in paths
