"""One small record: a key, what it is called, what it runs, why it is closed, and what it changes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Literal

from ...rules import Model

Effect = Literal["look", "play", "files", "fork"]
"""What a command changes: nothing, the table, the campaign's files, or something of its own beside it: a what-if, a
record. Modes filter by it."""
Where = Literal["band", "footer", "end", "list", "hidden"]
"""Where it is shown: in the band, on the footer, at its end, only in help and the list, or nowhere."""
Done = Awaitable[None] | None


def nothing() -> None:
    """For a command that only says why it cannot be run."""


class Command(Model):
    """Something that can be pressed. `run` reads the state when it is run, not when the command is made."""

    id: str
    """By which it is remapped: undo, table, tiers.attack, challenge.support.2."""
    keys: tuple[str, ...]
    """As they are shown: u, T, %, space, ctrl+r. More than one are aliases."""
    label: str
    run: Callable[[], Done] = nothing
    closed: str = ""
    """Why it cannot be run now."""
    effect: Effect = "play"
    where: Where = "footer"
    group: str = ""
    """Neighbours of one group are one item of a bar: "1-4 support"."""
    help: str = ""
    section: str = "here"
    """The group under which the list of everything has it; empty where the list has no use for it."""
    instead: str = ""
    """The id of a command that it takes the place of, on purpose: that one gives way in silence."""
    point: Callable[[tuple[int, ...]], Done] | None = None
    """Run by a click that points at something: a row, a cell."""


class Press(Model):
    """What a click carries: a command by its id, looked up when the click arrives; and where it pointed."""

    id: str
    place: tuple[int, ...] = ()


FACES = {
    "escape": "esc",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "delete": "del",
}


FAR = {"pageup": "further up", "pagedown": "further down", "home": "to the top", "end": "to the bottom"}
"""What the keys do that go further than an arrow."""


UP_DOWN = {"up": -1, "down": 1}


def moves(name: str, group: str, run: Callable[[int], Done], steps: Mapping[str, int] = UP_DOWN) -> list[Command]:
    """Keys that move a cursor by some steps. Arrows stand together in a bar, what goes further in the list alone."""
    out = []
    for key, step in steps.items():
        where: Where = "list" if key in FAR else "footer"
        shown = "" if key in FAR else group
        id, label = f"{name}.{key}", FAR.get(key, key)
        out.append(Command(id, (key,), label, partial(run, step), "", "look", where, shown, section=""))
    return out


def faced(key: str) -> str:
    """A key as people read it."""
    return FACES.get(key, key)


class UserKeys:
    """The user's own keys, from `config.toml`."""

    by_id: Mapping[str, str] = {}


def key_for(id: str, ours: str) -> str:
    """The key of a command, as it is drawn beside whatever it does: the user's own in place of ours."""
    return faced(UserKeys.by_id[id]) if ours and id in UserKeys.by_id else ours
