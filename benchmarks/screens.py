"""What a user waits for: the first frame, a key, bytes on the line, an idle table, memory."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from . import data
from .measure import Row, cut, in_turn
from .terminal import BARE, Screen, first_frame, least_bytes, running, tabletop

READY = b"READY"


def starting(place: Path, quick: bool) -> Iterator[Row]:
    """From the command to a frame that is of use."""
    root = data.sample("ember-road", place / "start")
    again = 3 if quick else 9
    for what, argv, words in (
        ("a table", tabletop("play", str(root)), b"complications"),
        ("Home", tabletop(), b"sample"),
        ("a seat", tabletop("play", str(root), "--seat", "Ana"), b"seat"),
    ):
        first_frame(argv, words)  # the first start compiles, and begins the session
        bare, ours = in_turn(partial(first_frame, BARE, READY), partial(first_frame, argv, words), again)
        yield Row(f"start: {what}", ours, "ms", bare, "a bare Textual app", 1.25)
    plain = [sys.executable, "-c", "import msgspec, argparse"]
    for asked in (["--help"], ["roll", "3d6"], ["check", str(root)]):
        bare, ours = in_turn(partial(took, plain), partial(took, tabletop(*asked)), again)
        yield Row(f"tabletop {asked[0]}", ours, "ms", bare, "importing msgspec and argparse", 2)


def took(argv: list[str]) -> float:
    """Milliseconds of a program that ends by itself."""
    begun = time.perf_counter()
    subprocess.run(argv, check=True, capture_output=True)
    return (time.perf_counter() - begun) * 1000


def keys(place: Path, quick: bool) -> Iterator[Row]:
    """From a key to what it draws: 200 combatants, and a log of 20,000 actions."""
    long = data.lengthened(data.starter(place / "keys", 190), 2_000 if quick else 20_000)
    crowd = data.crowd(place / "crowd")
    again = 10 if quick else 40
    with running(BARE, READY) as bare:
        bare.rest(1.0)
        beside = {key: [bare.press(key)[0] for _ in range(again)] for key in ("x", "p", "f", "a")}
    table = (tabletop("play", str(long)), b"complications")
    fight = (tabletop("play", str(crowd)), b"Momentum")
    for what, (argv, words), before, pressed, as_bare, most in (
        ("cursor, 200 people", table, (), ("down", "up"), "x", 1.3),
        ("cursor, a fight of 200", fight, ("down",), ("up", "down"), "x", 1.3),
        ("page change", table, (), ("P", "T"), "p", 1.3),
        ("a form's field", table, ("e",), ("down", "up"), "f", 1.3),
        ("undo and redo", table, (), ("u", "redo"), "a", 1.5),
        ("undo and redo, a fight of 200", fight, (), ("u", "redo"), "a", 1.5),
    ):
        with running(argv, words) as ours:
            ours.rest(1.5)
            for key in before:
                ours.press(key)
            times = [ours.press(pressed[n % len(pressed)])[0] for n in range(again)]
        mid, late = statistics.median(beside[as_bare]), cut(beside[as_bare], 95)
        yield Row(f"key: {what}, median", statistics.median(times), "ms", mid, "a bare Textual app", most)
        yield Row(f"key: {what}, p95", cut(times, 95), "ms", late, "a bare Textual app", most)


def line(place: Path, quick: bool) -> Iterator[Row]:
    """What goes over the line at 100 × 30, beside the cells that changed, drawn once."""
    del quick
    root = data.sample("ember-road", place / "line")
    with running(tabletop("play", str(root)), b"complications") as ours:
        ours.rest(1.5)
        for what, pressed in (
            ("a cursor move", ("down",)),
            ("an action", ("e", "1", "enter")),
            ("a page change", ("P",)),
            ("the page that one is on", ("P",)),
        ):
            drawn = least = 0
            for key in pressed:  # each has a frame of its own: a form is drawn, and drawn over again
                before = ours.raw
                sent = ours.press(key)[1]
                drawn, least = drawn + len(sent), least + least_bytes(before, sent)
            most = 2.0 if least else None
            yield Row(f"line: {what}", drawn, "bytes", least or None, "the changed cells, once", most)


def idle(place: Path, quick: bool) -> Iterator[Row]:
    """A table at which nothing happens."""
    root = data.sample("ember-road", place / "idle")
    seconds = 6 if quick else 60
    found = {}
    for name, argv, words in (("bare", BARE, READY), ("ours", tabletop("play", str(root)), b"complications")):
        with running(argv, words) as screen:
            screen.rest(2.0)
            before, begun = screen.cpu(), time.perf_counter()
            drawn = screen.rest(seconds if name == "ours" else min(seconds, 20))  # it has nothing to draw, ever
            spent = (screen.cpu() - before) / (time.perf_counter() - begun) * 100
            found[name] = (len(drawn), max(spent, 0.05), screen.memory())
    yield Row(f"idle for {seconds} s: drawn", found["ours"][0], "bytes", None, "", 0)
    yield Row(f"idle for {seconds} s: CPU", found["ours"][1], "% CPU", found["bare"][1], "a bare Textual app", 2)
    yield Row("memory: idle", found["ours"][2], "MB", found["bare"][2], "a bare Textual app", 40, True)
    long = data.lengthened(data.starter(place / "heavy"), 10_000 if quick else 100_000)
    with running(tabletop("play", str(long)), b"complications") as screen:
        screen.rest(2.0)
        many = "10,000" if quick else "100,000"
        yield Row(f"memory: {many} actions", screen.memory(), "MB", found["bare"][2], "a bare Textual app", 120, True)


def seats(place: Path, quick: bool) -> Iterator[Row]:
    """Twenty seats at one table: how long until an action is on every screen."""
    from tabletop_tui.storage.open_campaign import OpenCampaign

    root = data.sample("ember-road", place / "seats")
    desk = OpenCampaign(root)
    many, actions = (5, 5) if quick else (20, 20)
    argv = tabletop("play", str(root), "--seat", "Ana")
    open_now = [Screen(argv) for _ in range(many)]
    try:
        for one in open_now:
            one.until(b"seat", 120)
        for one in open_now:
            one.rest(1.0)
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
        while time.perf_counter() - began < (3 if quick else 20):
            for one in open_now:
                one.rest(0.02)
        spent = (sum(one.cpu() for one in open_now) - before) / (time.perf_counter() - began) * 100
        memory = statistics.mean(one.memory() for one in open_now)
    finally:
        for one in open_now:
            one.close()
        desk.close()
    yield Row(f"{many} seats: action to a screen, median", statistics.median(slowest), "ms", None, "", 200)
    yield Row(f"{many} seats: action to a screen, p95", cut(slowest, 95), "ms", None, "", 500)
    yield Row(f"{many} seats: the first screen, median", statistics.median(alone))
    yield Row(f"{many} seats: idle CPU of all", max(spent, 0.05), "% CPU", None, "", 10)
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
