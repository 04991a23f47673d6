"""When the program itself fails: the details go to a file, people get a sentence."""

from __future__ import annotations

import traceback
from datetime import datetime

from .paths import data_home


def report(error: BaseException) -> str:
    """Write the details down, without local variables as those hold secrets, and say where they are."""
    try:
        place = data_home() / "crashes"
        place.mkdir(parents=True, exist_ok=True)
        path = place / f"{datetime.now():%Y-%m-%d-%H%M%S}.txt"
        path.write_text("".join(traceback.format_exception(error)), encoding="utf-8")
        where = f"Details are in {path}."
    except OSError as failed:
        where = f"The details could not be written: {failed.strerror}."
    return f"Something went wrong in the program itself ({type(error).__name__}). {where} What was saved is safe."
