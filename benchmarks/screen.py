"""How fast the screens are, beside a bare Textual app with as many widgets, in the same run.

    python benchmarks/screen.py

Start to first useful frame (limit 1.35 times the bare app's) and key to repaint (limit twice), with 200 characters
and a log of 20,000 actions, and at a turn order of 200. Then replay: any entry of a log of 100,000 actions on the
screen within 100 ms of the key, in less than 300 MB. Both apps run in a pseudo-terminal as they do for a user. The
bare app has the same layout, filled with plain text, and on a key it does what a plain app does: it refreshes the
panel on the left.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path
from typing import Any

from tabletop_tui import plugins
from tabletop_tui.rules import tag_of
from tabletop_tui.storage.desk import Desk
from tabletop_tui.storage.disk import Disk
from tabletop_tui.storage.paths import copy_demo, demos

ROOT = Path(__file__).resolve().parent.parent
BARE = """
from textual.app import App
from textual.widget import Widget
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content

class Panel(Widget):
    DEFAULT_CSS = "Panel { height: 1fr; }"
    n = 0
    def render(self):
        width, height = self.size
        rows = [Content.assemble((f"READY {self.n} line {i} ", "bold"), "x" * (width - 20)) for i in range(height)]
        return Content(chr(10)).join(rows)

class Bare(App):
    CSS = "#top, #meters, #bar { height: 1; } #page { height: 19; } #roster { width: 34; } #stage { height: 12; }"
    def compose(self):
        yield Panel(id="top")
        yield Panel(id="meters")
        with Container(id="body"):
            with Container(id="page"):
                with Horizontal():
                    yield Panel(id="roster")
                    with Vertical():
                        yield Panel(id="stage")
                        yield Panel()
            yield Panel()
            for _ in range(12):  # pages that wait out of sight
                hidden = Panel()
                hidden.display = False
                yield hidden
        yield Panel(id="bar")
    def on_key(self, event):
        panel = self.query_one("#roster")
        panel.n += 1
        panel.refresh()

Bare().run()
"""


KEYS = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "redo": "\x12"}


# a user's Python keeps what it has compiled; without this an editable install would be compiled at every start
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def spawn(argv: list[str]) -> tuple[int, int]:
    """A program on a pty of 100 × 30."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execvpe(argv[0], argv, {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"})
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    return pid, fd


def read_until(fd: int, done: bytes, limit: float = 30.0) -> bytes:
    """Everything drawn until some bytes have come."""
    data, end = b"", time.perf_counter() + limit
    while done not in data and time.perf_counter() < end:
        if select.select([fd], [], [], 0.05)[0]:
            try:
                data += os.read(fd, 65536)
            except OSError:
                break
    return data


def drain(fd: int, quiet: float = 0.15) -> bytes:
    """Everything drawn until nothing comes for a while."""
    data = b""
    while select.select([fd], [], [], quiet)[0]:
        try:
            data += os.read(fd, 65536)
        except OSError:
            break
    return data


def start(argv: list[str], word: bytes) -> float:
    """Milliseconds from start to a useful frame."""
    begin = time.perf_counter()
    pid, fd = spawn(argv)
    read_until(fd, word)
    took = (time.perf_counter() - begin) * 1000
    end(pid, fd)
    return took


def keys(argv: list[str], word: bytes, presses: list[str], before: str = "") -> tuple[list[float], int, float]:
    """Milliseconds from each key to the first bytes drawn, bytes drawn a key, and megabytes at the end."""
    pid, fd = spawn(argv)
    read_until(fd, word)
    drain(fd, 1.5)
    for key in before.split():
        os.write(fd, KEYS.get(key, key).encode())
        drain(fd)
    times, size = [], 0
    for key in presses:
        begin = time.perf_counter()
        os.write(fd, key.encode())
        select.select([fd], [], [], 5)
        times.append((time.perf_counter() - begin) * 1000)
        size += len(drain(fd))
    status = Path(f"/proc/{pid}/status").read_text()
    most = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    end(pid, fd)
    return times, size // len(presses), most / 1024


def end(pid: int, fd: int) -> None:
    """Away with it."""
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(fd)


class Quick(Disk):
    """These logs are only made to be read: their thousands of syncs are left out."""

    def sync(self, fd: int) -> None:
        """Nothing."""
        del fd


def sample(name: str, root: Path) -> Path:
    """A copy of a sample."""
    return copy_demo(next(p for p in demos() if p.name == name), root)


def kinds(engine: str) -> dict[str, Any]:
    """A game's actions by their words."""
    return {tag_of(k): k for k in plugins.load(engine).actions}


def crowd(root: Path) -> Path:
    """A turn order of 200 in the No1 system."""
    target = sample("cinder-pass", root)
    desk = Desk(target, disk=Quick())
    do = kinds("no1")
    desk.table.do(do["begin"]("1-the-ash-bridge"))
    for who, count in (("ash-runner", 100), ("duke-pike", 89)):
        desk.table.do(do["join"](who, count, "far"))
    desk.table.do(do["next"](next(w for w in desk.table.world.now.turns.may_go())))
    desk.publish()
    desk.close()
    return target


def big_campaign(root: Path, people: int = 192, actions: int = 20_000) -> Path:
    """Many characters and many actions."""
    target = sample("ember-road", root)
    text = (target / "characters" / "reaver.toml").read_text()
    for i in range(people):
        (target / "characters" / f"reaver-{i:03}.toml").write_text(text.replace("Ash reaver", f"Ash reaver {i}"))
    desk = Desk(target, disk=Quick())
    do = kinds("tiers")
    who = [w for w in desk.table.world.sheets if w.startswith("reaver")]
    for i in range(actions):
        kind, points = ("hurt", 3) if i % 2 == 0 else ("heal", 2)
        desk.table.do(do[kind](who[i % len(who)], points))
    desk.publish()
    desk.close()
    return target


def main() -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory() as place:
        os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = place
        bare = [sys.executable, "-c", BARE]
        small = sample("ember-road", Path(place) / "small")
        ours = [sys.executable, "-m", "tabletop_tui", "play", str(small)]
        start(ours, b"complications")  # the first start compiles and begins the session
        pairs = [(start(bare, b"READY"), start(ours, b"complications")) for _ in range(7)]
        a, b = (statistics.median(x) for x in zip(*pairs, strict=True))
        print(f"start to first useful frame   bare {a:6.0f} ms   ours {b:6.0f} ms   ratio {b / a:.2f}  (limit 1.35)")
        big = big_campaign(Path(place) / "big")
        argv = [sys.executable, "-m", "tabletop_tui", "play", str(big)]
        fight = [sys.executable, "-m", "tabletop_tui", "play", str(crowd(Path(place) / "crowd"))]
        times, *_ = keys(bare, b"READY", ["x"] * 40)
        base = statistics.median(times)
        down, up = KEYS["down"], KEYS["up"]
        for name, words, presses, before in (
            ("move the roster's cursor", (argv, b"complications"), [down] * 40, ""),
            ("undo", (argv, b"complications"), ["u"] * 20, ""),
            ("cursor, a turn order of 200", (fight, b"Momentum"), [up, down] * 20, "down down down"),
            ("cursor, one by one", (fight, b"Momentum"), [down] * 40, "down " * 9 + "right"),
            ("undo and redo, of 200", (fight, b"Momentum"), ["u", KEYS["redo"]] * 10, ""),
        ):
            took, size, _ = keys(*words, presses, before)
            mid = statistics.median(took)
            ratio = f"ratio {mid / base:.2f}  (limit 2)"
            print(f"{name:<28}  bare {base:6.1f} ms   ours {mid:6.1f} ms   {ratio}   {size} bytes a key")
        long = big_campaign(Path(place) / "long", 0, 100_000)
        watch = [sys.executable, "-m", "tabletop_tui", "replay", str(long)]
        seeks = ["\x1b[F", "\x1b[D", "\x1b[5~", "\x1b[H", "\x1b[C", "\x1b[6~"] * 6
        took, size, most = keys(watch, b"REPLAY", seeks)
        print(
            f"seek among 100,000 entries    median {statistics.median(took):.1f} ms, longest {max(took):.1f} ms "
            f"(limit 100)   {most:.0f} MB (limit 300)   {size} bytes a key"
        )


if __name__ == "__main__":
    main()
