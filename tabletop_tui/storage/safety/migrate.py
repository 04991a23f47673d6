"""Bringing the files of an older campaign up to date on the disk: shown first, the old ones kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from ...rules import Refused
from .. import campaign as folder
from ..campaign.schema import write_schemas
from ..campaign.versions import STEPS, Step, brought_up, format_of
from ..campaign.writeback import Patch, save
from .backups import back_up


def pending(root: Path, steps: Sequence[Step] = STEPS) -> tuple[list[Step], list[Patch]]:
    """The steps that a campaign has before it, and what they would change in its files."""
    found = folder.load(root)
    main = found.documents[("rules",)]
    if found.newer or main.data is None:
        problem = main.problems[0]
        raise Refused(f"it cannot be brought up to date: {problem.what}", where=problem.place, remedy=problem.remedy)
    todo = [step for step in steps if step.to > format_of(main.data)]
    documents = [d for d in (*found.documents.values(), main) if d.raw is not None]
    changed = {d.name: Patch(d.name, d.raw, brought_up(d.name, d.raw or b"", todo)) for d in documents}
    # campaign.toml comes last, as it says that all the others are done
    return todo, [
        p for p in (*[p for n, p in changed.items() if n != main.name], changed[main.name]) if p.old != p.new
    ]


def migrate(root: Path, patches: Sequence[Patch], at: datetime) -> None:
    """Write them, after a backup of the whole campaign; each old file is kept as `.bak` too."""
    back_up(root, at, begun=True)
    for patch in patches:
        save(root, patch)
    engine = folder.load(root).engine
    if engine:
        write_schemas(root, engine)
