"""What a user waits for: the first frame, a key, bytes on the line, an idle table, memory."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from . import data
from .measure import Row, cut, in_turn, on_one_core, ranked
from .terminal import BARE, Picture, Screen, first_frame, running, tabletop

READY = b"READY"
LAUNCHES = 3
"""How often a round starts the programs: a process keeps for good what luck it had with its place in memory."""

TABLES = 4
"""That are idle beside as many bare apps: what CPU one uses depends on its luck, too."""

WARM = 60
"""Keys that the bare app gets first: the garbage of its start is collected among them, ours is before the first."""


def starting(place: Path, quick: bool) -> Iterator[Row]:
    """From the command to a frame that is of use."""
    root = data.sample("ember-road", place / "start")
    again = 2 if quick else 6
    for what, argv, words in (
        ("a table", tabletop("play", str(root)), b"complications"),
        ("Home", tabletop(), b"sample"),
        ("a seat", tabletop("play", str(root), "--seat", "Ana"), b"seat"),
    ):
        first_frame(argv, words)  # the first start compiles, and begins the session
        bare, ours = in_turn(partial(first_frame, BARE, READY), partial(first_frame, argv, words), again)
        yield Row(f"start: {what}", ours, "ms", bare, "a bare Textual app", 1.25)


def commands(place: Path, quick: bool) -> Iterator[Row]:
    """Commands that print something and end, beside what every one of them imports."""
    root, again = data.sample("ember-road", place / "commands"), 3 if quick else 12
    plain = [sys.executable, "-c", "import msgspec, argparse"]
    for asked in (["--help"], ["roll", "3d6"], ["check", str(root)]):
        bare, ours = in_turn(partial(took, plain), partial(took, tabletop(*asked)), again)
        yield Row(f"tabletop {asked[0]}", ours, "ms", bare, "importing msgspec and argparse", 2)


def took(argv: list[str]) -> float:
    """Milliseconds of a program that ends by itself."""
    begun = time.perf_counter()
    subprocess.run(argv, check=True, capture_output=True)
    return (time.perf_counter() - begun) * 1000


class Typed(NamedTuple):
    """Keys whose time is taken, and the key of the bare app that stands beside them."""

    what: str
    pressed: tuple[str, ...]
    beside: str
    most: float
    before: str = ""
    after: str = ""


def keys(place: Path, quick: bool) -> Iterator[Row]:
    """From a key to what it draws: 200 combatants, and a log of 20,000 actions. Ours and the bare app take turns."""
    on_one_core()
    long = data.lengthened(data.starter(place / "keys", 190), 2_000 if quick else 20_000)
    crowd = data.crowd(place / "crowd")
    table = (
        Typed("cursor, 200 people", ("down", "up"), "x", 1.3),
        Typed("page change", ("P", "T"), "p", 1.3),
        Typed("undo and redo", ("u", "redo"), "a", 1.5),
        Typed("a form's field", ("down", "up"), "f", 1.3, before="e"),
    )
    fight = (
        Typed("undo and redo, a fight of 200", ("u", "redo"), "a", 1.5),
        Typed("cursor, a fight of 200", ("up", "down"), "x", 1.3, before="down"),
    )
    again = 6 if quick else 24  # even: it ends where it began
    for _ in range(1 if quick else LAUNCHES):
        with running(BARE, READY) as bare:
            for _ in range(WARM):
                bare.press("a", 0.005)
            for root, words, typed in ((long, b"complications", table), (crowd, b"Momentum", fight)):
                with running(tabletop("play", str(root)), words) as ours:
                    ours.rest(1.0)
                    for one in typed:
                        yield from _typed(ours, bare, one, again, (50,) if quick else (50, 95))


def _typed(ours: Screen, bare: Screen, one: Typed, again: int, percents: tuple[int, ...]) -> Iterator[Row]:
    if one.before:
        ours.press(one.before)
    pairs = [(ours.press(one.pressed[n % 2], 0.04)[0], bare.press(one.beside, 0.012)[0]) for n in range(again + 2)]
    del pairs[:2]  # whatever is done for the first time is done then
    for percent in percents:  # the slow ones say something among many alone
        name = "median" if percent == 50 else f"p{percent}"
        yield ranked(f"key: {one.what}, {name}", pairs, percent, "a bare Textual app", one.most)


def line(place: Path, quick: bool) -> Iterator[Row]:
    """What goes over the line at 100 × 30, beside the cells that changed, drawn once."""
    del quick
    root = data.sample("ember-road", place / "line")
    with running(tabletop("play", str(root)), b"complications") as ours:
        ours.rest(1.0)
        picture = Picture()
        picture.least(ours.raw)
        for what, pressed in (
            ("a cursor move", ("down",)),
            ("an action", ("e", "1", "enter")),
            ("a page change", ("P",)),
            ("the page that one is on", ("P",)),
        ):
            # each key has a frame of its own: a form is drawn, and drawn over again
            frames = [ours.press(key)[1] for key in pressed]
            least = sum(picture.least(drawn) for drawn in frames)
            sent = sum(map(len, frames))
            most = 2.0 if least else None
            yield Row(f"line: {what}", sent, "bytes", least or None, "the changed cells, once", most)


def idle(place: Path, quick: bool) -> Iterator[Row]:
    """Tables at which nothing happens, and as many bare apps at the same time."""
    seconds, many = (3, 1) if quick else (60, TABLES)
    with ExitStack() as stack:
        bare = [stack.enter_context(running(BARE, READY)) for _ in range(many)]
        roots = [data.sample("ember-road", place / f"idle-{n}") for n in range(many)]
        ours = [stack.enter_context(running(tabletop("play", str(root)), b"complications")) for root in roots]
        for one in ours:
            one.rest(1.0)
        before, begun = [sum(one.cpu() for one in some) for some in (ours, bare)], time.perf_counter()
        time.sleep(seconds)  # nothing is to happen: what they do meanwhile is what is measured
        after, lasted = [sum(one.cpu() for one in some) for some in (ours, bare)], time.perf_counter() - begun
        mine, plain = ((now - was) / lasted / many * 100 for now, was in zip(after, before, strict=True))
        drawn = sum(len(one.rest(0.1)) for one in ours)
        memory, least = (mean(one.memory() for one in some) for some in (ours, bare))
    yield Row(f"idle for {seconds} s: drawn", drawn, "bytes", None, "", 0)
    yield Row(f"idle for {seconds} s: CPU", mine, "% CPU", plain, "a bare Textual app", 2)
    yield Row("memory: idle", memory, "MB", least, "a bare Textual app", 40, True)
    many = 10_000 if quick else 100_000
    long = data.lengthened(data.starter(place / "heavy"), many)
    with running(tabletop("play", str(long)), b"complications") as screen:
        screen.rest(1.0)
        yield Row(f"memory: {many:,} actions", screen.memory(), "MB", least, "a bare Textual app", 120, True)


def seats(place: Path, quick: bool) -> Iterator[Row]:
    """Twenty seats at one table: how long until an action is on every screen."""
    from tabletop_tui.storage.open_campaign import OpenCampaign

    root = data.sample("ember-road", place / "seats")
    desk = OpenCampaign(root)
    many, actions = (4, 4) if quick else (20, 20)
    argv = tabletop("play", str(root), "--seat", "Ana")
    open_now = [Screen(argv) for _ in range(many)]
    try:
        for one in open_now:
            one.until(b"seat", 120)
        for n, one in enumerate(open_now):
            one.rest(0.05 if n else 1.0)
        alone, slowest = [], []
        for n in range(actions):
            words = chr(ord("a") + n) * 16  # a terminal is sent only the cells that differ from what stood there
            begun = time.perf_counter()
            desk.do(data.action(f"note text={words}"))
            arrived = _arrive(open_now, words.encode(), begun)
            alone.append(arrived[0])
            slowest += arrived
            for one in open_now:
                one.rest(0.05)
        before = sum(one.cpu() for one in open_now)
        began = time.perf_counter()
        while time.perf_counter() - began < (2 if quick else 10):
            for one in open_now:
                one.rest(0.02)
        spent = (sum(one.cpu() for one in open_now) - before) / (time.perf_counter() - began) * 100
        memory = mean(one.memory() for one in open_now)
    finally:
        for one in open_now:
            one.close()
        desk.close()
    yield Row(f"{many} seats: action to a screen, median", median(slowest), "ms", None, "", 200)
    yield Row(f"{many} seats: action to a screen, p95", cut(slowest, 95), "ms", None, "", 500)
    yield Row(f"{many} seats: the first screen, median", median(alone))
    yield Row(f"{many} seats: idle CPU of all", spent, "% CPU", None, "", 10)
    yield Row("memory: a seat", memory, "MB")


def _arrive(screens: list[Screen], words: bytes, begun: float) -> list[float]:
    """When some words were drawn on each screen, in milliseconds, the first one first."""
    waiting, out = list(screens), []
    while waiting and time.perf_counter() - begun < 10:
        for one in list(waiting):
            one.rest(0.001)
            if words in one.raw:
                out.append((time.perf_counter() - begun) * 1000)
                waiting.remove(one)
    if waiting:
        raise TimeoutError(f"{len(waiting)} seats did not show the action within ten seconds")
    return out
