"""now.toml: the live state as people read and edit it, and which entry of which session it is a picture of."""

from __future__ import annotations

from typing import Any

import msgspec
import tomli_w

from ..rules import Engine, Model
from ..session import picture
from .reading import Document, parse

HEAD = """\
# The live state of the table, written by the program after every action and yours to edit at any time.
# Save, and the change is shown, logged and applied; undo takes it back. Leave [picture] as it is.

"""


class Picture(Model):
    """Which moment the file shows."""

    session: str
    entry: int


def render(now: Any, session: str, entry: int) -> bytes:
    """The file's bytes."""
    body = {"picture": {"session": session, "entry": entry}, **picture(now)}
    return (HEAD + tomli_w.dumps(body)).encode()


class NowFile:
    """now.toml as it was read."""

    def __init__(self, raw: bytes, engine: Engine) -> None:
        self.raw = raw
        document = parse("now.toml", raw)
        self.document: Document = document
        self.picture: Picture | None = None
        self.data: dict[str, Any] | None = None
        """The live state as plain data, normalised by the engine's record; None where the file is broken."""
        if document.data is None:
            return
        body = dict(document.data)
        shown = body.pop("picture", None)
        document.data = body
        document.fit(engine.now)
        document.problems = [
            p if not p.warning else msgspec.structs.replace(p, warning=False) for p in document.problems
        ]
        try:
            self.picture = msgspec.convert(shown, Picture)
        except msgspec.ValidationError:
            document.problems.append(_no_picture())
        if not document.broken:
            self.data = picture(msgspec.convert(body, engine.now, str_keys=True))


def _no_picture() -> Any:
    from .reading import FileProblem

    return FileProblem(
        "now.toml",
        1,
        1,
        "[picture] is missing or changed, so nobody can tell which moment this was",
        "Put it back as it was, or delete the file: it is written anew from the log.",
    )
