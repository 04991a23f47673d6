"""Changing one value of a file that a person wrote: everything else in it stays as it is, to the byte."""

import tomllib
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Self

from ...rules import Model, Refused, TableError
from ...session import Written
from ..disk import Disk, locked, private_folder, write_file, write_over
from ..log import LOCK
from ..toml.layout import Path as Keys
from ..toml.reading import FileProblem, read
from ..toml.shape import near
from ..toml.splice import change, dotted, readable
from . import folder


class Patch(Model):
    """What would be written into one file; nothing is until it is saved."""

    file: str
    """Inside the campaign."""
    old: bytes | None
    """The file as it was read; None where there is none."""
    new: bytes | None
    """The file as it would be; None where it would be taken away."""
    warnings: tuple[FileProblem, ...] = ()

    @classmethod
    def of(cls, one: Written, *, back: bool = False) -> Self:
        """What the log has of a file that the program wrote, to be written again or taken back."""
        old, new = (None if text is None else text.encode() for text in (one.before, one.after))
        return cls(one.file, new, old) if back else cls(one.file, old, new)

    def written(self) -> Written:
        """As the log keeps it. Whoever changes a value has read the file: it is text."""
        before, after = (None if raw is None else raw.decode() for raw in (self.old, self.new))
        return Written(self.file, before, after)

    def diff(self) -> str:
        """The difference as people and programs read it."""
        from difflib import unified_diff

        old, new = (_lines(side) for side in (self.old, self.new))
        return "\n".join(unified_diff(old, new, self.file, self.file if self.new else "taken away", lineterm=""))


def _lines(raw: bytes | None) -> list[str]:
    lines = (raw or b"").decode("utf-8-sig", "replace").split("\n")
    return [line.rstrip("\r") for line in (lines if lines[-1] else lines[:-1])]


def keys(words: str, data: Any) -> Keys:
    """A path as people type it: `skills.Warding.alpha`, with quotes where a name has a dot in it."""
    try:
        parts = _quoted(words) if '"' in words or "'" in words else [part.strip() for part in words.split(".")]
    except tomllib.TOMLDecodeError:
        parts = [""]
    if not all(parts) or len(parts) > 20:
        raise Refused(f"{words!r} is not a path", remedy='Write skills.Warding.alpha, or items."St. Jude".alpha.')
    path: Keys = ()
    for part in parts:
        if isinstance(data, list):
            if not part.isdecimal() or int(part) > len(data):
                raise Refused(f"{dotted(path)} is a list of {len(data)}", remedy="Places count from 0.")
            path = (*path, int(part))
            data = data[int(part)] if int(part) < len(data) else None
        elif isinstance(data, dict) or data is None:
            path = (*path, part)
            data = data.get(part) if data else None
        else:
            raise Refused(f"{dotted(path)} is not a table: nothing can stand in it", remedy="Set it itself.")
    return path


def _quoted(words: str) -> list[str]:
    held: Any = tomllib.loads(f"{words} = 0")
    parts = []
    while isinstance(held, dict):
        (part,) = held
        parts.append(part)
        held = held[part]
    return parts


def plan(root: Path, file: str, words: str, value: str) -> Patch:
    """What setting one value would change; refused where the game could not read the file afterwards."""
    before = folder.load(root)
    if before.newer:
        raise Refused(before.newer, where=folder.MAIN, remedy="Update tabletop-tui.")
    if any(step.meaning for step in before.older):
        raise Refused("the campaign is of an older format", where=folder.MAIN, remedy="tabletop migrate comes first.")
    document = next((d for d in before.documents.values() if d.name == file), None)
    if document is None or document.raw is None:
        names = [d.name for d in before.documents.values()]
        told = "now.toml is the table's: an action changes it, or your editor" if file == folder.NOW else ""
        raise Refused(told or f"the campaign has no file {file!r}", remedy="" if told else near(file, names))
    readable(document)
    path = keys(words, document.data)
    patch = Patch(file, document.raw, change(document.raw, file, path, value))
    return Patch(file, patch.old, patch.new, warnings(before, folder.load(root, {file: patch.new})))


def warnings(before: folder.Campaign, after: folder.Campaign) -> tuple[FileProblem, ...]:
    """What a change of the files would bring to be warned of; refused where the game could not read them then."""
    places = {(p.file, p.line, p.column) for p in before.errors}
    known = {(p.file, p.what) for p in before.problems}
    fresh = [p for p in after.problems if (p.file, p.what) not in known]
    for problem in fresh:
        if not problem.warning and (problem.file, problem.line, problem.column) not in places:
            raise Refused(f"it would not fit: {problem.what}", where=problem.place, remedy=problem.remedy)
    return tuple(p for p in fresh if p.warning)


def save(root: Path, patch: Patch, disk: Disk | None = None, *, keep: bool = True) -> None:
    """Write it: the new file takes the place of the old one at once or not at all.

    The old one is kept as `.bak`, unless something else has it: the log.
    """
    disk = disk or Disk()
    path = root / patch.file
    lock = root / "sessions" / LOCK
    try:
        if not path.parent.resolve().is_relative_to(root.resolve()):
            raise Refused("its folder is a link that leads out of the campaign", where=patch.file)
        with locked(lock) if lock.exists() else nullcontext():
            found = read(root, patch.file).raw if path.exists() or path.is_symlink() else None
            if found != patch.old:
                raise _changed(patch)
            real = path.resolve()
            if patch.old is not None and keep:
                mode = real.stat().st_mode & 0o777
                write_file(real.with_name(real.name + ".bak"), patch.old, disk, mode=mode)
            if patch.new is None:
                real.unlink()
            elif patch.old is None:
                private_folder(real.parent)
                write_file(real, patch.new, disk)
            elif not write_over(real, patch.new, patch.old, disk):
                raise _changed(patch)
    except OSError as error:
        raise TableError(
            f"it was not written: {error.strerror}",
            where=patch.file,
            remedy="The file is as it was, or beside it as .bak.",
        ) from None


def _changed(patch: Patch) -> Refused:
    return Refused("the file has been changed meanwhile", where=patch.file, remedy="Look at it, then do it again.")
