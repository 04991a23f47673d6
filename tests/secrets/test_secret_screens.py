"""What a player's seat draws at a real terminal, on every page, list and step: no planted secret in its bytes."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import level
import planting
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ui"))

from ptys import Terminal

PAGES = "TCDPL"
KEYS = ["\x1b[B" * 6, "\x1b[C", "\x1b[6~", "\x1b[H", "\r", "123", "/", "\x1b"]


@pytest.fixture
def seat(tmp_path: Path, planted: planting.Planted) -> Iterator[list[Terminal]]:
    """Terminals of one test, closed behind it."""
    opened: list[Terminal] = []
    yield opened
    for one in opened:
        one.close()


def terminal(opened: list[Terminal], tmp_path: Path, *words: str) -> Terminal:
    homes = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    one = Terminal([sys.executable, "-m", "tabletop_tui", *words], homes, (120, 40))
    opened.append(one)
    return one


def drawn_after(one: Terminal, keys: str) -> None:
    """Send keys and take in what is drawn until it is quiet."""
    one.send(keys)
    for _ in range(400):
        size = len(one.raw)
        one.pump(0.15)
        if size == len(one.raw):
            break
    else:
        raise AssertionError(f"it draws without end after {keys!r}")
    assert one.status is None, f"{keys!r} ended it"


def test_no_page_list_or_help_of_a_seat_draws_a_secret(
    planted: planting.Planted, seat: list[Terminal], tmp_path: Path
) -> None:
    worlds = planted.table().timeline.worlds
    player = planted.players[0]
    one = terminal(seat, tmp_path, "play", str(planted.root), "--seat", player)
    one.sees(f"{player}'s seat")
    for page in level.some(PAGES, 1, 0, len(planted.secrets)):
        drawn_after(one, page)
        for keys in KEYS:
            drawn_after(one, keys)
    for keys in (" ", "\x1b[6~", "\x1b", "?", "\x1b[6~", "\x1b[6~", "\x1b", "%"):
        drawn_after(one, keys)
    assert len(one.raw) > level.many(10_000, 20_000, 20_000), "something was drawn"
    assert planted.found(one.raw, *worlds) == []


@pytest.mark.parametrize("flag", ["--look", "--show"])
def test_nor_does_a_screen_that_only_looks_on(
    planted_by_name: Callable[[str], planting.Planted], tmp_path: Path, flag: str
) -> None:
    planted = planted_by_name("cinder-pass")
    opened: list[Terminal] = []
    try:
        one = terminal(opened, tmp_path, "play", str(planted.root), flag)
        one.until(lambda: len(one.raw) > 4_000, "something drawn")
        for keys in (*PAGES, " ", "\x1b[6~"):
            drawn_after(one, keys)
        assert planted.found(one.raw, *planted.table().timeline.worlds) == []
    finally:
        for each in opened:
            each.close()


def test_no_step_of_a_seats_replay_draws_a_secret(
    planted: planting.Planted, seat: list[Terminal], tmp_path: Path
) -> None:
    worlds = planted.table().timeline.worlds
    player = planted.players[-1]
    one = terminal(seat, tmp_path, "replay", str(planted.log), "--seat", player)
    one.sees("REPLAY")
    drawn_after(one, "\x1b[H")
    for _ in range(level.many(2, 12, 12)):
        for page in ("T", "C", "D", "L"):
            drawn_after(one, page)
        drawn_after(one, "\x1b[C" * level.many(40, 12, 12))
    assert planted.found(one.raw, *worlds) == []


def test_the_gms_own_screen_draws_them_so_that_looking_for_them_means_something(
    planted_by_name: Callable[[str], planting.Planted], tmp_path: Path
) -> None:
    planted = planted_by_name("cinder-pass")
    shutil.copytree(planted.root, tmp_path / "gm")
    opened: list[Terminal] = []
    try:
        one = terminal(opened, tmp_path, "play", str(tmp_path / "gm"))
        one.sees("undo")
        for page in "PL":
            drawn_after(one, page)
        assert planted.found(one.raw, *planted.table().timeline.worlds)
    finally:
        for each in opened:
            each.close()
