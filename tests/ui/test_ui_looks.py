"""Pictures of every screen; `--snapshot-update` draws them anew after a change that was looked at."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import level
import pytest
from textual.pilot import Pilot
from waiting import opened, until

from tabletop_tui.rules import tag_of
from tabletop_tui.storage.log import sessions
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.bench.screen import Workbench
from tabletop_tui.ui.screens.home import HomeScreen

SAMPLES = Path(__file__).parents[2] / "campaigns"
SIZES = [(80, 24), (100, 30), (140, 45)]


def prepared(tmp_path: Path, sample: str, *steps: tuple[Any, ...]) -> Path:
    """A sample with some actions done by a clock that stands still: its picture is always the same."""
    root = tmp_path / sample
    shutil.copytree(SAMPLES / sample, root, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    desk = OpenCampaign(root, clock=lambda: datetime(2026, 11, 15, 19, 4, tzinfo=UTC))
    kinds = {tag_of(k): k for k in desk.engine.actions}
    for tag, values, *dice in steps:
        desk.table.do(kinds[str(tag)](*values), tuple(dice), roll=False)
    desk.publish()
    desk.close()
    return root


def shown(value: str | tuple[int, int]) -> str:
    """The name of a picture's file."""
    return value if isinstance(value, str) else f"{value[0]}x{value[1]}"


LED = (
    ("scene", ("the-gate",)),
    ("open", ("the-gate/hold",)),
    ("lead", ("mira", "Warding")),
    ("support", ("rook", "direct")),
)
ROLLED = (*LED, ("support", ("tam", "indirect")), ("roll", (), 5, 2, 4, 6, 3, 2))
SETTLED = (*ROLLED, ("reroll", ((1,),), 6, 4, 1), ("settle", ()))
FIGHT = (("scene", ("the-bridge",)), ("begin", ()), ("condition", ("ogre", "blinded")))
SCREENS = {
    "table": ("ember-road", (("scene", ("the-gate",)), ("hurt", ("mira", 30))), []),
    "somebody up": ("ember-road", FIGHT, []),
    "hurt": ("ember-road", FIGHT, ["e", "7"]),
    "clock": ("ember-road", FIGHT, ["full_stop"]),
    "attack": ("ember-road", FIGHT, ["a"]),
    "struck": ("ember-road", (*FIGHT, ("attack", ("odo", "Lore", "ogre", "Thick hide"), 3, 2, 1, 5, 4)), []),
    "all actions": ("ember-road", (), ["T", "space"]),
    "form": ("ember-road", (), ["T", "a", "down", "down"]),
    "prepared challenges": ("ember-road", (), ["C"]),
    "challenge": ("ember-road", LED, ["C"]),
    "reroll": ("ember-road", ROLLED, []),
    "outcome": ("ember-road", SETTLED, ["C"]),
    "sheets": ("ember-road", (), ["P", "down"]),
    "history": ("ember-road", SETTLED, ["L"]),
    "help": ("ember-road", (), ["question_mark"]),
    "contests": ("abbey-of-lynn", (), ["D"]),
    "no1 table": ("cinder-pass", (), ["T"]),
    "fen table": ("fen-lanterns", (), ["T"]),
    "drama table": ("abbey-of-lynn", (), ["T"]),
    "no1 acting": ("cinder-pass", (("begin", ("1-the-ash-bridge",), 4, 4, 1, 4, 1, 1), ("next", ("brann",))), ["T"]),
    "fen round": ("fen-lanterns", (("scene", ("the-causeway",)), ("begin", ())), ["T"]),
    "drama contest": (
        "abbey-of-lynn",
        (("contest", ("the-night-office/gatehouse",)), ("argue", ("edmund", "Latin"))),
        ["D"],
    ),
    "complex test": ("abbey-of-lynn", (("complex", ("the-night-office/night",)),), ["C"]),
    "one against many": ("fen-lanterns", (("scene", ("the-causeway",)), ("open", ("the-causeway/flare",))), ["D"]),
}


@pytest.mark.parametrize(
    ("name", "size"),
    [(name, size) for n, name in enumerate(SCREENS) for size in level.some(SIZES, 1, 3, n)],
    ids=shown,
)
def test_it_looks_as_it_did(
    snap_compare: Callable[..., bool], tmp_path: Path, name: str, size: tuple[int, int]
) -> None:
    sample, steps, keys = SCREENS[name]
    root = prepared(tmp_path, sample, *steps)

    async def ready(pilot: Pilot[None]) -> None:
        await opened(pilot)
        await pilot.press(*keys)
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()

    assert snap_compare(TabletopApp(str(root)), terminal_size=size, run_before=ready)


@pytest.mark.parametrize("size", level.some(SIZES, 1, turn=1), ids=shown)
def test_a_replay_looks_as_it_did(snap_compare: Callable[..., bool], tmp_path: Path, size: tuple[int, int]) -> None:
    root = prepared(tmp_path, "ember-road", *SETTLED)
    app = TabletopApp()
    app.log_path = str(sessions(root)[-1])

    async def ready(pilot: Pilot[None]) -> None:
        await opened(pilot)
        await pilot.press("right", "right", "right", "right")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=ready)


@pytest.mark.parametrize("size", level.some(SIZES, 1), ids=shown)
def test_the_workbench_looks_as_it_did(
    snap_compare: Callable[..., bool], tmp_path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def ready(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: isinstance(pilot.app.screen, HomeScreen), "home")
        await pilot.press("percent_sign")
        await until(pilot, lambda: isinstance(pilot.app.screen, Workbench), "the workbench")
        await pilot.press("5", "B", "d", "space", "3", "R", "d", "space", "2", "D", "d")
        await pilot.pause(0.3)
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()

    assert snap_compare(TabletopApp(), terminal_size=size, run_before=ready)


def test_home_looks_as_it_did(
    snap_compare: Callable[..., bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def ready(pilot: Pilot[None]) -> None:
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()

    assert snap_compare(TabletopApp(), terminal_size=(80, 24), run_before=ready)


def test_no_colour_is_needed_to_read_the_challenge(
    snap_compare: Callable[..., bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    root = prepared(tmp_path, "ember-road", *ROLLED)

    async def ready(pilot: Pilot[None]) -> None:
        await opened(pilot)
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()

    assert snap_compare(TabletopApp(str(root)), terminal_size=(80, 24), run_before=ready)
