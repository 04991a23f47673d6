"""The user's own editor, on one file of the campaign."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported


def editor() -> str:
    """The command of the user's own editor; empty where none is set."""
    return os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""


def edit(app: App[Any], path: Path) -> str:
    """Open a file and wait; a sentence where that cannot be done here."""
    words = shlex.split(editor())
    if not words:
        return f"No editor is set. Set EDITOR to yours, or edit {path} in another window: saving is noticed."
    try:
        with app.suspend():
            subprocess.run([*words, str(path)], check=False)
    except SuspendNotSupported:
        return f"An editor cannot be opened from here. Edit {path} in another window: it is noticed when you save."
    except OSError as error:
        return f"{words[0]} does not start: {error.strerror}. Set EDITOR to yours."
    return ""
