"""Layers of commands, the front one first: which command a key runs, and what the bars may show."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from ...rules import Model
from .record import Command, Press, Where

Rest = Callable[[str, str | None], Awaitable[bool]]
"""Takes the keys that no command of its layer has; True where it used one."""
Closes = Callable[[Command], str]
"""Why the way in which somebody is at a table forbids a command; empty where it does not."""
PASSING = ("help", "home.help")
"""What a solid layer lets through; where text is typed, by a key that is no character."""


class Layer(Model):
    """Commands of one owner."""

    name: str
    commands: tuple[Command, ...]
    rest: Rest | None = None
    solid: bool = False
    """Nothing below is reached, help excepted."""
    text_first: bool = False
    """Typed characters go to `rest` before any command."""
    free: bool = False
    """No mode filters it: it belongs to something that was allowed to begin."""


class Item(Model):
    """A command as bars, help and lists show it: comparable, without anything that runs."""

    id: str
    keys: tuple[str, ...]
    """Those that reach it now, the user's own in place of ours."""
    label: str
    closed: str
    where: Where
    group: str
    help: str
    section: str
    layer: str


def face_of(key: str, character: str | None) -> str:
    """A key press by the name that commands use for it."""
    return character if character and character.isprintable() and character != " " else key


def typed(face: str) -> bool:
    """Is it a character that a text field takes?"""
    return len(face) == 1 or face == "space"


class Deck:
    """The layers as they stand, with the user's own keys and the mode applied. Made anew whenever bars are drawn."""

    def __init__(
        self, layers: Iterable[Layer], mine: Mapping[str, str] | None = None, closes: Closes | None = None
    ) -> None:
        self.mine = mine or {}
        self.layers: list[Layer] = []
        self.items: list[Item] = []
        self.routes: list[dict[str, Command]] = []
        self.commands: dict[str, Command] = {}
        self.clashes: list[tuple[str, str, str]] = []
        """A key, and the ids of two commands that are open at the same time and both want it in one layer."""
        taken: set[str] = set()
        gone: set[str] = set()
        moved: set[str] = set()
        """Keys that were a command's until the user gave it another: what they covered stays covered."""
        texts = solid = False
        for layer in layers:
            kept = [c for c in layer.commands if c.id not in gone and (not solid or c.id in PASSING)]
            kept = [c if layer.free else self._moded(c, closes) for c in kept]
            self.commands = {c.id: c for c in kept} | self.commands
            gone |= {c.instead for c in kept if c.instead}
            texts = texts or layer.text_first
            route = self._route(kept, moved)
            moved |= {key for c in kept if c.id in self.mine for key in c.keys}
            self._show(layer, kept, route, taken, texts)
            taken |= set(route)
            self.layers.append(layer)
            self.routes.append(route)
            solid = solid or layer.solid

    @staticmethod
    def _moded(command: Command, closes: Closes | None) -> Command:
        why = closes(command) if closes else ""
        return replace(command, closed=why, where="hidden") if why else command

    def keys(self, command: Command) -> tuple[str, ...]:
        """The user's own key, or ours."""
        own = self.mine.get(command.id)
        return command.keys if own is None or not command.keys else (own,)

    def _route(self, commands: Sequence[Command], moved: Collection[str] = ()) -> dict[str, Command]:
        """By key: the user's own first, then open ones before closed ones, then the order of the list."""
        route: dict[str, Command] = {}
        for command in sorted(commands, key=lambda c: (c.id not in self.mine, bool(c.closed))):
            for key in self.keys(command):
                if key in moved and command.id not in self.mine:
                    continue
                other = route.setdefault(key, command)
                if other is not command and not other.closed and not command.closed:
                    self.clashes.append((key, other.id, command.id))
        return route

    def _show(
        self, layer: Layer, commands: Sequence[Command], route: Mapping[str, Command], taken: set[str], texts: bool
    ) -> None:
        for c in commands:
            if c.where == "hidden":
                continue  # the mode hides it: its key still says why
            reach = [k for k in self.keys(c) if route.get(k) is c and k not in taken and not (texts and typed(k))]
            where = c.where if reach else "list"
            shown = (c.id, tuple(reach), c.label, c.closed, where, c.group, c.help, c.section, layer.name)
            self.items.append(Item(*shown))

    def find(self, id: str) -> Command | None:
        """A command that can be reached, by its id; as the mode has it."""
        return self.commands.get(id)

    def takes(self, key: str, character: str | None) -> Command | None:
        """The command that a key runs; None where none does."""
        face = face_of(key, character)
        return next((route[face] for route in self.routes if face in route), None)

    async def key(self, key: str, character: str | None, run: Callable[[Command], Awaitable[None]]) -> bool:
        """Hand a key to the front layer that takes it."""
        face = face_of(key, character)
        below = False
        for layer, route in zip(self.layers, self.routes, strict=True):
            rest = None if below else layer.rest
            if layer.text_first and rest and typed(face):
                return await rest(key, character)
            if found := route.get(face):
                await run(found)
                return True
            if rest and await rest(key, character):
                return True
            below = below or layer.solid
        return False

    async def press(self, press: Press, run: Callable[[Command], Awaitable[None]]) -> bool:
        """A click: the same as the key of the command that it names."""
        found = self.find(press.id)
        if found is None:
            return False
        if press.place and found.point is not None and not found.closed:
            if (going := found.point(press.place)) is not None:
                await going
        else:
            await run(found)
        return True

    def shown(self, *where: Where) -> tuple[Item, ...]:
        """What stands in one of the bars: only what works now."""
        return tuple(i for i in self.items if i.where in where and i.keys and not i.closed)
