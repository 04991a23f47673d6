"""Fixtures for every test: a home of its own, a starter campaign, and how many examples Hypothesis tries."""

from __future__ import annotations

import os
from pathlib import Path

import playing
import pytest
from hypothesis import HealthCheck, settings

from tabletop_tui import plugins
from tabletop_tui.rules import Engine
from tabletop_tui.session import Table

_SLOW = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
settings.register_profile("quick", max_examples=25, deadline=None, suppress_health_check=_SLOW)
settings.register_profile("ci", max_examples=30, deadline=None, suppress_health_check=_SLOW)
settings.register_profile("thorough", max_examples=5000, deadline=None, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's real campaigns, keys or crash reports are touched."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("NO_COLOR", raising=False)


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
