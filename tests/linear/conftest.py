"""Samples to play in lines."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import playing
import pytest
from lines import Lines


@pytest.fixture
def sample(tmp_path: Path) -> Callable[[str], Path]:
    """A copy of a sample campaign that nobody has played."""

    def copy(name: str) -> Path:
        target = tmp_path / name
        shutil.copytree(playing.PROJECT / "campaigns" / name, target, ignore=shutil.ignore_patterns("sessions"))
        return target

    return copy


@pytest.fixture
def linear() -> Iterator[Callable[..., Lines]]:
    """Sit down in linear mode."""
    opened: list[Lines] = []

    def start(*words: str | Path, term: str = "dumb") -> Lines:
        one = Lines(*words, term=term)
        opened.append(one)
        return one

    yield start
    for one in opened:
        one.close()
