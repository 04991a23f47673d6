"""Fixtures for every test: a home of its own, a starter campaign, and how many examples Hypothesis tries."""

from __future__ import annotations

import gc
import os
import sys
import time
from pathlib import Path

if sys.dont_write_bytecode:  # the program is started some hundred times: compiled once, though not beside its source
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(Path(__file__).parents[1] / ".pytest_cache" / "compiled")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    del os.environ["PYTHONDONTWRITEBYTECODE"]

import level
import playing
import pytest
import settling
from hypothesis import HealthCheck, settings

from tabletop_tui import plugins
from tabletop_tui.rules import Engine
from tabletop_tui.session import Table

_SLOW = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
settings.register_profile(
    "level",
    max_examples=level.many(10, 30, 5000),
    deadline=None,
    suppress_health_check=_SLOW,
    derandomize=level.LEVEL != "all",
)
settings.load_profile("level")
settling.install()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """At the quick level one case of each test, another one from test to test, and none of the long ones."""
    if level.LEVEL != "quick":
        return
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    kept = {
        one
        for turn, some in enumerate(cases.values())
        for one in level.some(some, quick=1, turn=turn)
        if len(items) == len(some) or not one.get_closest_marker("long")
    }
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def pytest_collection_finish() -> None:
    """What is there by now stays: looking through all of it for what is not would take a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two at a time for every core: half of their time they wait for a screen."""
    return 2 * (os.cpu_count() or 1)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's real campaigns, keys or crash reports are touched."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TZ", "UTC")  # what is told is told by the clock on the wall
    time.tzset()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A starter campaign of Tiers of Power."""
    return playing.starter(tmp_path / "the-gate")


@pytest.fixture
def tiers() -> Engine:
    """The engine that the core's tests are played with."""
    return plugins.load("tiers")


@pytest.fixture
def table(root: Path) -> Table:
    """A table of the starter campaign that keeps nothing on the disk."""
    return playing.table(root)
