"""Random bursts of keys, clicks and resizes, as fast as a line delivers them: no crash and no blank screen.

TABLETOP_TESTS=all sends 10,000; some dozen by default.
"""

from __future__ import annotations

import random
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import level
import pytest
from ptys import Terminal
from textual.events import Key, MouseDown, MouseUp, Resize
from textual.geometry import Size
from textual.keys import _character_to_key
from waiting import drawn, opened

from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.ui.app import TabletopApp

SAMPLES = Path(__file__).parents[2] / "campaigns"
GAMES = {
    "ember-road": "Ana",
    "cinder-pass": "Iris",
    "abbey-of-lynn": "Cleo",
    "fen-lanterns": "Caro",
    "lamplighters": "Teo",
}
BURSTS = level.many(80, 320, 10_000) // (len(GAMES) * 2)
NAMED = ["enter", "escape", "up", "down", "left", "right", "pageup", "pagedown", "home", "end", "tab", "shift+tab"]
NAMED += ["backspace", "delete", "ctrl+p", "ctrl+p", "space", "space", "ctrl+r", "ctrl+t", "ctrl+u", "ctrl+w"]
TYPED = "abcdefghijklmnoprstuvwxyz0123456789TCDSHPLBNA%?/=+-.[]é "
SIZES = [(60, 20), (80, 24), (100, 30), (140, 45), (40, 10), (200, 60)]


def key(rng: random.Random) -> Key:
    if rng.random() < 0.4:
        name = rng.choice(NAMED)
        return Key(name, " " if name == "space" else None)
    character = rng.choice(TYPED)
    return Key(_character_to_key(character), character)


def burst(rng: random.Random, app: TabletopApp) -> None:
    driver = app._driver
    assert driver is not None
    width, height = app.size
    for _ in range(rng.randint(1, 12)):
        kind = rng.random()
        if kind < 0.75:
            driver.send_message(key(rng))
        elif kind < 0.97:
            x, y = rng.randrange(max(width, 1)), rng.randrange(max(height, 1))
            for event in (MouseDown, MouseUp):
                driver.send_message(event(None, x, y, 0, 0, 1, False, False, False, x, y))
        else:
            size = Size(*rng.choice(SIZES))
            driver._size = size
            driver.send_message(Resize(size, size))


def filled(app: TabletopApp) -> int:
    """How many rows of the screen have something on them."""
    return len([row for row in drawn(app).splitlines() if row.strip()])


@pytest.mark.parametrize("seated", [False, True], ids=["gm", "seat"])
@pytest.mark.parametrize("game", GAMES)
async def test_no_burst_crashes_it_or_leaves_the_screen_blank(
    game: str, seated: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDITOR", "true")
    rng = random.Random(f"1{game}{seated}")
    sent = opened_times = 0
    while sent < BURSTS:
        root = tmp_path / f"{opened_times}" / game
        shutil.copytree(SAMPLES / game, root, ignore=shutil.ignore_patterns("sessions", "now.toml", "played"))
        OpenCampaign(root).close()
        app = TabletopApp(str(root), seat=GAMES[game] if seated else "")
        opened_times += 1
        async with app.run_test(size=rng.choice(SIZES)) as pilot:
            await opened(pilot)
            for _ in range(min(BURSTS - sent, 150)):  # then a fresh campaign: undo and redo make a log long
                burst(rng, app)
                sent += 1
                await pilot.pause()
                assert app._exception is None, f"burst {sent}"
                if app._exit:  # `q` left the program
                    break
                for _ in range(500):  # a screen that was just opened is drawn in a moment
                    if app._exit or filled(app) >= 3:
                        break
                    await pilot.pause(0.01)
                assert app._exit or filled(app) >= 3, f"{app.screen} is blank after burst {sent}"
        shutil.rmtree(root.parent)


def test_keys_and_clicks_typed_ahead_of_the_list_of_everything_reach_it(
    tmp_path: Path, terminal: Callable[..., Terminal]
) -> None:
    root = tmp_path / "ember-road"
    shutil.copytree(SAMPLES / "ember-road", root, ignore=shutil.ignore_patterns("sessions", "now.toml", "played"))
    one = terminal("play", str(root))
    one.sees("? help")
    for ahead in ("\x1b[6~", "\x1b[B\x1b[6~\x1b[5~", "\x1b[<0;9;9M\x1b[<0;9;9m" * 2):
        one.send(f"\x10{ahead}")  # ctrl+p, and the rest of it in the same breath
        one.sees("Type to find")
        one.send("\x1b[<0;79;2M\x1b[<0;79;2m" * 2)  # two clicks beside what can be chosen
        one.send("undo")
        one.sees("undo")
        one.send("\x1b")
        one.until(lambda: "Type to find" not in one.text(), "the list is gone")
        one.sees("? help")
    one.send("q")
    one.sees("Ember Road")
    assert one.signal(signal.SIGTERM) == 0


FIGHT = "t441411 enter 1 r enter n 1 r enter enter n down down a enter escape"
CONTEST = "D 2 1 2 the space seal enter 3 afriend enter r enter enter"
CHALLENGE = "C 3 4 2 4 2 r enter enter enter C o escape"
WHOLE = {
    "fight": ("cinder-pass", FIGHT),
    "contest": ("abbey-of-lynn", CONTEST),
    "challenge": ("ember-road", CHALLENGE),
}
BYTES = {"enter": "\r", "escape": "\x1b", "space": " ", "down": "\x1b[B"}


def single(keys: str) -> list[str]:
    """Words are keys; what is no name of one is typed letter by letter."""
    return [key for word in keys.split() for key in ([word] if word in BYTES else word)]


@pytest.mark.parametrize("what", level.some(list(WHOLE), 1))
async def test_one_burst_of_bytes_does_what_slow_typing_does(
    what: str, tmp_path: Path, terminal: Callable[..., Terminal]
) -> None:
    """With the same seed the same dice fall: a whole fight, contest or challenge ends in the same state."""
    sample, keys = WHOLE[what]
    fast, slow = tmp_path / "fast" / sample, tmp_path / "slow" / sample
    shutil.copytree(SAMPLES / sample, fast, ignore=shutil.ignore_patterns("sessions", "now.toml", "played"))
    OpenCampaign(fast).close()
    shutil.copytree(fast, slow)
    app = TabletopApp(str(slow))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        for key in single(keys):
            await pilot.press(key)
        await pilot.pause()
    typed = OpenCampaign(slow, write=False).table
    assert typed.last > 3, "something was played"
    one = terminal("play", str(fast))
    one.sees("? help")
    one.send("".join(BYTES.get(key, key) for key in single(keys) if key != "escape"))
    one.until(lambda: OpenCampaign(fast, write=False).table.last >= typed.last, f"{typed.last} entries")
    assert one.signal(signal.SIGTERM) == 0
    burst = OpenCampaign(fast, write=False).table
    assert [e.action for e in burst.timeline.entries] == [e.action for e in typed.timeline.entries]
    assert burst.world.now == typed.world.now
