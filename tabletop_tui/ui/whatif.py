"""What if: a table of its own over the one that it was taken from, marked on every page."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from ..rules import TableError
from ..session import differences, picture
from .overlays import Lister

if TYPE_CHECKING:
    from .play import PlayScreen


async def begin(screen: PlayScreen, at: int) -> None:
    """Fork from an entry and show it."""
    try:
        game = await screen.game.what_if(at)
    except TableError as error:
        screen.tell(str(error), "warning")
        return
    await screen.tabletop.open_game(game)


def compare(screen: PlayScreen) -> None:
    """What is different from how the real table came out, value by value."""
    origin = screen.game.origin
    if origin is None:
        screen.tell("There is nothing to compare with: press w in the history for a what-if.", "warning")
        return
    found = differences(picture(origin.timeline.world.now), picture(screen.game.world.now))
    items = [
        (
            " ".join(map(str, c.path)).replace("_", " "),
            f"{_brief(c.before, c.after)} → {_brief(c.after, c.before)}",
            "",
        )
        for c in found
    ]
    items = items or [("nothing", "both came to the same", "")]

    async def seen(_answer: Any) -> None:
        """It was only to be looked at."""

    screen.ask(Lister("the real table → what if", items, [None] * len(items)), seen)


def leave(screen: PlayScreen) -> None:
    """Ask what becomes of it."""
    items = [
        ("go back, keep it", "its log stands with the campaign's: tabletop replay shows it", ""),
        ("go back, throw it away", "", ""),
        ("stay", "", ""),
    ]

    async def answered(answer: Any) -> None:
        scratch = screen.game.scratch
        if answer == "stay" or scratch is None:
            return
        try:
            if answer == "keep":
                kept = await asyncio.to_thread(scratch.keep)
                screen.app.notify(f"Kept: {kept}", markup=False)
            else:
                await asyncio.to_thread(scratch.throw_away)
        except TableError as error:
            screen.tell(str(error), "error")
            return
        screen.app.call_later(screen.tabletop.action_home)

    screen.ask(Lister("leave this what-if", items, ["keep", "throw", "stay"]), answered)


def _brief(value: Any, other: Any) -> str:
    """A value on a line. What is left out is as it begins: nothing, 0 or no."""
    if value is None and isinstance(other, bool | int):
        return "no" if isinstance(other, bool) else "0"
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        named = next((value[key] for key in ("title", "name", "who") if value.get(key)), None)
        inner = next((v for v in value.values() if isinstance(v, dict)), None)
        return str(named) if named else _brief(inner, None) if inner else "there"
    if isinstance(value, list | tuple):
        return ", ".join(_brief(one, None) for one in value[:6]) + (" …" if len(value) > 6 else "")
    return str(value)
