"""The tools that look at the code itself find nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import playing
import pytest


def tool(*words: str) -> subprocess.CompletedProcess[str]:
    beside = Path(sys.executable).parent / words[0]
    found = str(beside) if beside.exists() else shutil.which(words[0])
    if found is None:
        pytest.skip(f"{words[0]} is not installed")
    return subprocess.run(
        [found, *words[1:]], cwd=playing.PROJECT, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


@pytest.mark.parametrize(
    "words",
    [
        ("mypy",),
        ("ruff", "check", "tabletop_tui", "tests", "docs", "benchmarks"),
        ("ruff", "format", "--check", "tabletop_tui", "tests", "docs", "benchmarks"),
        ("lint-imports",),
    ],
    ids=" ".join,
)
def test_the_code_is_clean(words: tuple[str, ...]) -> None:
    done = tool(*words)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_wheel_would_hold_the_samples_and_themes() -> None:
    text = (playing.PROJECT / "pyproject.toml").read_text()
    for folder in ("campaigns", "themes"):
        assert f'"{folder}" = "tabletop_tui/_bundled/{folder}"' in text
        assert (playing.PROJECT / folder).is_dir()
