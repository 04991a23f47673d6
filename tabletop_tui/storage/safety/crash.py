"""When the program or an engine fails: the details go to a file, people get a sentence."""

from __future__ import annotations

import traceback
from datetime import datetime
from pathlib import Path

from ...plugins import EngineFault
from ..disk import Disk, private_folder, write_file
from ..user.paths import data_home


def report(error: BaseException) -> str:
    """Write the details down, without local variables as those hold secrets, and say where they are."""
    try:
        where = f"Details are in {_write(''.join(traceback.format_exception(error)))}."
    except OSError as failed:
        where = f"The details could not be written: {failed.strerror}."
    return f"Something went wrong in the program itself ({type(error).__name__}). {where} What was saved is safe."


def note(fault: EngineFault) -> None:
    """Write down how an engine failed, and what it was asked; where that cannot be, its sentence has to do."""
    details = "".join(traceback.format_exception(fault.__cause__ or fault))
    try:
        _write(f"{fault.what}\n\nasked: {fault.about}\n\n{details}")
    except OSError:
        return


def _write(text: str) -> Path:
    place = data_home() / "crashes"
    private_folder(place)
    stem, number = f"{datetime.now():%Y-%m-%d-%H%M%S}", 1
    while (path := place / (f"{stem}.txt" if number == 1 else f"{stem}-{number}.txt")).exists():
        number += 1
    write_file(path, text.encode(errors="replace"), Disk(), sync=False)
    return path
