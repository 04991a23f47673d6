"""The user's own editor, on one file of the campaign."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported


def editor() -> str:
    """The command of the user's own editor; empty where none is set."""
    return os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""


def edit(app: App[Any], path: Path) -> str:
    """Open a file and wait; a sentence where that cannot be done here."""
    try:
        words = shlex.split(editor())
    except ValueError as error:  # a quotation mark that nothing closes
        return f"EDITOR is {editor()!r}, which is not a command: {error}. Set it to yours."
    if not words:
        return f"No editor is set. Set EDITOR to yours, or edit {path} in another window: saving is noticed."
    if shutil.which(words[0]) is None:
        return f"There is no program {words[0]!r} to edit with. Set EDITOR to yours."
    why = ""
    try:
        with app.suspend():  # what is raised in here would leave the terminal to nobody
            try:
                ended = subprocess.run([*words, str(path)], check=False).returncode
                why = f"{words[0]} ended with an error ({ended}). What it saved counts." if ended else ""
            except OSError as error:
                why = f"{words[0]} does not start: {error.strerror}. Set EDITOR to yours."
    except SuspendNotSupported:
        return f"An editor cannot be opened from here. Edit {path} in another window: it is noticed when you save."
    return why
