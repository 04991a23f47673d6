"""Commands in this process, as a shell would see them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop_tui.cli import main


class Shell:
    """Runs commands in this process and keeps what they printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: str | Path) -> tuple[int, str, str]:
        try:
            status = main([str(word) for word in words])
        except SystemExit as left:
            status = int(left.code or 0)
        out, err = self.capsys.readouterr()
        assert "Traceback" not in out + err
        return status, out, err

    def fine(self, *words: str | Path) -> str:
        status, out, err = self(*words)
        assert status == 0, err
        return out

    def sentence(self, *words: str | Path) -> str:
        """A refusal: something on standard error, nothing on standard output, and a status that says so."""
        status, out, err = self(*words)
        assert status in (1, 2), (status, out, err)
        assert err.strip()
        assert not out
        return err
