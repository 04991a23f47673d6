"""Export from the app: which form, for whom, where to; then a sentence that says where it went."""

from __future__ import annotations

import asyncio
import os
from itertools import count
from pathlib import Path

from ..records.logs import FORMS, check_target, record_of, save, written
from ..records.record import Reader
from ..rules import TableError
from ..storage.user.paths import typed_path
from .asking.host import Choose, Confirm, Question
from .asking.listing import Pick
from .playing import Playing


def ask_export(play: Playing) -> None:
    """Ask what is needed, one after the other, and write the record of the log that is on the screen."""
    log = play.game.log
    if log is None or play.game.table.seat:
        play.tell("There is no log here to export.")
        return

    async def formed(form: str) -> None:
        async def read_by(reader: Reader) -> None:
            async def placed(word: str) -> bool:
                return await _placed(play, log, form, reader, word)

            hint = "~ is your home"
            play.host.ask(Question("To which file?", placed, str(_free(log, form, reader)), hint))

        readers = [
            Pick[Reader]("gm", "for the GM", "secrets and all"),
            Pick[Reader]("players", "for the players", "without what was hidden from them"),
        ]
        play.host.ask(Choose(f"Export as {form}: for whom?", readers, read_by))

    forms = [Pick(form, form, about) for form, about in FORMS.items()]
    play.host.ask(Choose("Export this session as what?", forms, formed))


def _free(log: Path, form: str, reader: Reader) -> Path:
    """A name that is not taken, in the working directory, or at home where nothing can be written there."""
    try:
        here = Path.cwd()
    except FileNotFoundError:
        here = Path.home()
    here = here if os.access(here, os.W_OK) else Path.home()
    campaign = log.resolve().parent.parent.name
    stem = f"{campaign}-{log.stem}" + ("-players" if reader == "players" else "")
    names = (f"{stem}.{form}" if n == 1 else f"{stem}-{n}.{form}" for n in count(1))
    return next(here / name for name in names if not (here / name).exists())


async def _placed(play: Playing, log: Path, form: str, reader: Reader, word: str) -> bool:
    async def write() -> None:
        await _write(play, log, form, reader, target)

    try:
        target = typed_path(word)
        await asyncio.to_thread(check_target, target, log)
        taken = await asyncio.to_thread(target.exists)
    except (TableError, OSError, ValueError) as error:  # much that can be typed is no file's name
        play.tell(str(error))
        return False
    if taken:
        play.host.ask(
            Confirm(
                f"There is a file {target.name} already. Write over it?", "yes: write over it", "no, leave it", write
            )
        )
        return True
    return await _write(play, log, form, reader, target)


async def _write(play: Playing, log: Path, form: str, reader: Reader, target: Path) -> bool:
    def work() -> tuple[int, int, list[str]]:
        made, wrong = record_of(log, reader)
        data = written(made, form)
        save(target, data)
        return made.beats, len(data), wrong

    try:
        steps, size, wrong = await asyncio.to_thread(work)
    except TableError as error:
        play.tell(str(error))
        return False
    told = f"Exported to {target}: {steps} steps, {size:,} bytes."
    play.tell(" ".join([told, *wrong]), "bad" if wrong else "good")
    return True
