"""Every way to look at a session tells times by the clock on the wall; the log itself has UTC."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[2] / "campaigns" / "cinder-pass" / "played" / "bridge-and-bell.jsonl"


def told(zone: str, *words: str) -> str:
    env = os.environ | {"TZ": zone}
    command = [sys.executable, "-m", "tabletop_tui", *words]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("words", [("log", str(SAMPLE)), ("export", str(SAMPLE), "--as", "md")])
def test_times_are_those_of_the_place_where_one_is(words: tuple[str, ...]) -> None:
    here, there = (times(told(zone, *words)) for zone in ("UTC", "Asia/Kolkata"))
    assert here
    assert there == [(minutes + 5 * 60 + 30) % (24 * 60) for minutes in here]


def times(text: str) -> list[int]:
    """The times of day in a text, in minutes."""
    return [int(hour) * 60 + int(minute) for hour, minute in re.findall(r"\b([012]\d):([0-5]\d)\b", text)]
