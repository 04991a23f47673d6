"""A player's form: it asks only what is theirs to say, of what they know, and ends in an action or in a question."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from msgspec.structs import replace

from ...rules import Action
from ...session import Table
from ...session.meant import Meant
from ..commands import Layer
from .form import Form
from .host import FormUser

Propose = Callable[[type[Action], Mapping[str, object]], Awaitable[str]]
"""Asks the GM for an action; why not, where it was refused."""


class PlayersForm(Form):
    """An action that a player fills in; where it is not theirs to do at once, they ask the GM for it."""

    def __init__(
        self,
        kind: type[Action],
        table: Table,
        user: FormUser,
        propose: Propose,
        *,
        preset: Mapping[str, object] | None = None,
        meant: Meant | None = None,
        title: str = "",
    ) -> None:
        self.propose = propose
        super().__init__(kind, table, user, preset, meant, title)

    @property
    def said_so_far(self) -> dict[str, object]:
        """What has been answered and is asked."""
        asked = {field.name for field in self.fields}
        return {name: value for name, value in self.answers.items() if name in asked}

    @property
    def asks(self) -> bool:
        """Is it for the GM to allow?"""
        return self.table.standing(self.kind, self.said_so_far).how == "ask"

    def action(self) -> Action | None:
        """The action; none where the GM completes it."""
        return None if self.asks else super().action()

    def layer(self) -> Layer:
        """Enter asks, where it is not theirs to do."""
        layer = super().layer()
        if not self.asks or self.missing:
            return layer
        commands = [c for c in layer.commands if c.id != "form.type"]
        return replace(
            layer, commands=tuple(replace(c, label="ask the GM") if c.id == "form.do" else c for c in commands)
        )

    async def _do(self) -> None:
        if not self.asks or self.missing or (wrong := self.write()):
            await super()._do()
            return
        wrong = await self.propose(self.kind, self.said_so_far)
        if wrong:
            self.wrong = wrong
            self.host.redraw()
        else:
            self.host.close()
