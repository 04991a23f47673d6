"""The planted campaigns: made once, looked at by every test of what a player's seat is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import planting
import pytest

SAMPLES = ("ember-road", "cinder-pass", "abbey-of-lynn", "fen-lanterns", "salt-road")


@pytest.fixture(scope="session")
def planted_by_name(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], planting.Planted]:
    """A planted campaign by the name of its sample."""
    made: dict[str, planting.Planted] = {}
    place = tmp_path_factory.mktemp("planted")

    def get(name: str) -> planting.Planted:
        if name not in made:
            made[name] = planting.plant(name, place)
        return made[name]

    return get


@pytest.fixture(params=SAMPLES)
def planted(request: pytest.FixtureRequest, planted_by_name: Callable[[str], planting.Planted]) -> planting.Planted:
    """Each of the planted campaigns; nobody may write into it."""
    return planted_by_name(str(request.param))


@pytest.fixture
def root(planted: planting.Planted) -> Path:
    """Its folder."""
    return planted.root
