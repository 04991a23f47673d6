"""Invitations of `tabletop serve`: codes that give an unknown key a seat, each once."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from ...rules import Model, TableError
from ..disk import Disk, locked, private_folder, write_file
from .seat_keys import KeyFile, PublicKey, serve_home, serve_keys

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that look alike."""
LENGTH = 8
"""31 letters, 8 times: one guess in 850 thousand million."""
LASTS = timedelta(days=14)


class Invitation(Model):
    """A code that is waiting to be used."""

    code: str
    seat: str
    campaign: str
    made: str


def bare(code: str) -> str:
    """A code as it was typed, without spaces, dashes and capitals."""
    return "".join(c for c in code.lower() if c in LETTERS)


def shown(code: str) -> str:
    """A code as it is read out: k7m2-9xqp."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


class Invitations:
    """The open invitations of one campaign, in a file that only its owner reads.

    In clear, so that they can be shown again: whoever reads this file reads the campaign, too.
    """

    def __init__(
        self,
        campaign: Path,
        *,
        home: Path | None = None,
        keys: KeyFile | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        disk: Disk | None = None,
    ) -> None:
        self.campaign, self.clock, self.disk = campaign.resolve(), clock, disk or Disk()
        home = home or serve_home()
        self.path, self._lock = home / "invitations.json", home / ".lock"
        self.keys = keys or serve_keys()
        private_folder(home)

    def open(self) -> list[Invitation]:
        """Those of this campaign that can be used."""
        return [one for one in self._read() if one.campaign == str(self.campaign)]

    def invite(self, seat: str) -> Invitation:
        """The open invitation of a seat, or a new one."""
        with locked(self._lock, disk=self.disk):
            for one in self.open():
                if one.seat == seat:
                    return one
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            new = Invitation(code, seat, str(self.campaign), self.clock().isoformat())
            self._write([*self._read(), new])
            return new

    def seats(self) -> set[str]:
        """Everybody at this campaign whose key is known."""
        return {one.seat for one in self.keys.seats(self.campaign)}

    def use(self, code: str, key: PublicKey) -> str:
        """Take a code for a key, which is that seat's from now on; the seat, or empty where the code is wrong."""
        wanted = bare(code).encode()
        with locked(self._lock, disk=self.disk):
            found = [one for one in self.open() if hmac.compare_digest(one.code.encode(), wanted)]
            if not found:
                return ""
            (used,) = found[:1]
            self._write([one for one in self._read() if one != used])  # first: a code that fails is used up, too
            self.keys.add(self.campaign, used.seat, key)
        return used.seat

    def _read(self) -> list[Invitation]:
        try:
            found = msgspec.json.decode(self.path.read_bytes(), type=list[Invitation])
        except FileNotFoundError:
            return []
        except msgspec.DecodeError as error:
            raise TableError(
                f"the open invitations cannot be read: {error}", where=str(self.path), remedy="Delete the file."
            ) from None
        limit = self.clock() - LASTS
        return [one for one in found if _moment(one.made) > limit]

    def _write(self, invitations: Sequence[Invitation]) -> None:
        write_file(self.path, msgspec.json.format(msgspec.json.encode(invitations)) + b"\n", self.disk)


def _moment(stamp: str) -> datetime:
    try:
        return datetime.fromisoformat(stamp).astimezone(UTC)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
