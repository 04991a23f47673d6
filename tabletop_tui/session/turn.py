"""Who writes holds the lock, and knows all that others wrote before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..plugins import EngineFault
from ..rules import Refused

if TYPE_CHECKING:
    from .table import Table


class Turn:
    """The lock is held and all that others wrote is folded in."""

    def __init__(self, table: Table, same_session: bool, back: bool) -> None:
        self.table, self.same_session, self.back = table, same_session, back

    def __enter__(self) -> None:
        if self.table.journal.closed:
            raise Refused(f"this table is read-only: {self.table.journal.closed}")
        self.lock = self.table.journal.lock()
        self.lock.__enter__()
        try:
            before = self.table.header
            self.table.catch_up()
            if self.same_session and self.table.header is not before:
                raise Refused(
                    "meanwhile a new session was begun, and what you meant is in the one before",
                    remedy="Look at the table, then do it again.",
                )
            if self.table.fault and self.table.seat:
                raise Refused("the game has failed", remedy="The GM knows more.")
            if self.table.fault and not self.back:
                raise Refused(self.table.fault.what, remedy="Undo goes back to before it; nothing else can be done.")
        except BaseException:
            self.lock.__exit__(None, None, None)
            raise

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        self.lock.__exit__(None, None, None)
        if self.table.seat and isinstance(error, EngineFault):  # its words may tell what only the GM knows
            raise Refused("the game failed at this", remedy="Tell the GM.") from None
