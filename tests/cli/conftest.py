"""A shell, and a table that waits for a roll."""

from __future__ import annotations

from pathlib import Path

import pytest
from shells import Shell


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.fixture
def led(root: Path, shell: Shell) -> Path:
    """A challenge that waits for its roll."""
    shell.fine("act", root, "open", "challenge=the-gate/hold")
    shell.fine("act", root, "lead", "who=mira", "skill=Warding")
    return root
