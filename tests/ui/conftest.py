"""A sample campaign to play on, and a real terminal to play it in."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from ptys import Terminal

from tabletop_tui.storage.open_campaign import OpenCampaign

SAMPLE = Path(__file__).parents[2] / "campaigns" / "ember-road"


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    target = tmp_path / "ember-road"
    shutil.copytree(SAMPLE, target, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    return target


@pytest.fixture
def abbey(tmp_path: Path) -> Path:
    target = tmp_path / "abbey-of-lynn"
    shutil.copytree(SAMPLE.with_name(target.name), target, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    return target


@pytest.fixture
def at_nine(campaign: Path) -> OpenCampaign:
    """The campaign, opened before with a clock that stands still: pictures of it are always the same."""
    return OpenCampaign(campaign, clock=lambda: datetime(2026, 11, 15, 19, 4, tzinfo=UTC))


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Start `tabletop …` in a terminal of its own."""
    opened: list[Terminal] = []

    def start(*words: str, size: tuple[int, int] = (80, 24), **env: str) -> Terminal:
        homes = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
        one = Terminal([sys.executable, "-m", "tabletop_tui", *words], {**homes, **env}, size)
        opened.append(one)
        return one

    yield start
    for one in opened:
        one.close()
