"""Which SSH key sits at which seat: lines of an `authorized_keys` file that force `tabletop play` on a login.

OpenSSH reads them from `~/.ssh/authorized_keys`, and `tabletop serve` keeps the same lines in the user's data folder:
one format for both, so that one command lists and removes them.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from ...rules import Model, Refused, TableError
from ..disk import PRIVATE, Disk, private_folder, write_file
from .paths import data_home, typed_path

CONFINED = "restrict,pty"
"""No forwarding of any kind, no agent, no rc file; a terminal, as the screens need one."""
TYPES = (
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "ssh-rsa",
    "sk-ssh-ed25519@openssh.com",
    "sk-ecdsa-sha2-nistp256@openssh.com",
)
MOST = 1 << 20
"""Bytes of a file of keys."""
HOW = "Ask for the line of ~/.ssh/id_ed25519.pub; ssh-keygen -t ed25519 makes one."


class PublicKey(Model):
    """A player's key: the half that may be known to everybody."""

    type: str
    data: str
    comment: str = ""

    @property
    def fingerprint(self) -> str:
        """As `ssh-keygen -l` shows it."""
        digest = hashlib.sha256(base64.b64decode(self.data)).digest()
        return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")


class SeatKey(Model):
    """A line that gives a key a seat."""

    seat: str
    campaign: Path
    key: PublicKey
    line: int
    """Its number in the file, from 1."""


class KeyLine(Model):
    """A line with a key, ours or not."""

    number: int
    key: PublicKey
    command: str
    """What is forced on it; empty where the key may do anything."""


# ---- reading


def read_keys(text: str) -> list[PublicKey]:
    """The public keys that somebody sent; raises in words where there is something else."""
    if "PRIVATE KEY" in text:
        raise Refused("this is a private key, which nobody else should ever see", remedy=HOW)
    lines = [line.strip() for line in text.splitlines()]
    found = [_key(line, n) for n, line in enumerate(lines, 1) if line and not line.startswith("#")]
    if not found:
        raise Refused("there is no key in it", remedy=HOW)
    return found


def _key(line: str, number: int) -> PublicKey:
    key = _public(line)
    if key is None:
        raise Refused(f"line {number} is not a public SSH key", remedy=HOW)
    return key


def _public(words: str) -> PublicKey | None:
    """`TYPE BASE64 comment`, where the base64 holds what the type says."""
    type, _, rest = words.strip().partition(" ")
    data, _, comment = rest.strip().partition(" ")
    try:
        blob = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None
    name = type.encode()
    if type not in TYPES or blob[: 4 + len(name)] != len(name).to_bytes(4, "big") + name or len(blob) < 40:
        return None
    return PublicKey(type, data, "".join(c for c in comment.strip() if c.isprintable()))


def key_lines(text: str) -> list[KeyLine]:
    """Every line of an authorized_keys file that has a key, with what is forced on it."""
    out = []
    for number, line in enumerate(text.split("\n"), 1):
        words = line.strip()
        if not words or words.startswith("#"):
            continue
        options = "" if _public(words) else words[: _end_of_options(words)]
        if key := _public(words[len(options) :]):
            out.append(KeyLine(number, key, _command(options)))
    return out


def _end_of_options(line: str) -> int:
    """Where the first space stands that is not in quotes, as sshd looks for it."""
    quoted, at = False, 0
    while at < len(line) and (quoted or line[at] not in " \t"):
        if line.startswith('\\"', at):
            at += 1
        elif line[at] == '"':
            quoted = not quoted
        at += 1
    return at


def _command(options: str) -> str:
    """The value of `command="…"`: within the quotes only `\\"` is written for something else."""
    at = 0
    while at < len(options):
        end = at
        quoted = False
        while end < len(options) and (quoted or options[end] != ","):
            if options.startswith('\\"', end):
                end += 1
            elif options[end] == '"':
                quoted = not quoted
            end += 1
        name, _, value = options[at:end].partition("=")
        if name.lower() == "command" and len(value) > 1 and value[0] == value[-1] == '"':
            return value[1:-1].replace('\\"', '"')
        at = end + 1
    return ""


def seat_of(line: KeyLine) -> SeatKey | None:
    """Whose seat a line gives away; None where it is not one of ours."""
    try:
        words = shlex.split(line.command)
    except ValueError:
        return None
    if len(words) < 3 or words[-3] != "play" or not words[-1].startswith("--seat="):
        return None
    return SeatKey(words[-1].removeprefix("--seat="), Path(words[-2]), line.key, line.number)


# ---- writing


def forced(campaign: Path, seat: str) -> list[str]:
    """The program that a seat's login runs, and nothing else.

    `-P` keeps Python from looking for modules in the folder that a login begins in.
    """
    return [sys.executable, "-P", "-m", "tabletop_tui", "play", str(campaign.resolve()), f"--seat={seat}"]


def seat_line(campaign: Path, seat: str, key: PublicKey) -> str:
    """The line for an authorized_keys file, for any name and path that can stand in one."""
    command = shlex.join(forced(campaign, seat))
    if not command.isprintable():
        raise Refused(
            f"{command!r} cannot stand in one line of a file", remedy="Rename the campaign's folder, or the player."
        )
    quoted = command.replace('"', '\\"')
    return f'{CONFINED},command="{quoted}" {key.type} {key.data} {key.comment or seat}'


class KeyFile:
    """An authorized_keys file: what is not ours in it stays as it is, to the byte."""

    def __init__(self, path: Path, disk: Disk | None = None, *, first_counts: bool = True) -> None:
        self.path, self.disk = path, disk or Disk()
        self.first_counts = first_counts
        """A login gets the first line that has its key, whichever campaign that names: so it is with sshd."""

    def text(self) -> str:
        """What it says now; empty where there is none yet."""
        try:
            if self.path.stat().st_size > MOST:
                raise TableError("it is too large for a file of keys", where=str(self.path))
            return self.path.read_bytes().decode("utf-8", "surrogateescape")
        except FileNotFoundError:
            return ""

    def seats(self, campaign: Path | None = None) -> list[SeatKey]:
        """The seats in it, of one campaign or of all."""
        found = [seat for line in key_lines(self.text()) if (seat := seat_of(line))]
        return [one for one in found if campaign is None or _same(one.campaign, campaign)]

    def find(self, key: PublicKey, campaign: Path) -> KeyLine | None:
        """The line that a login with this key gets: the first that has it."""
        for line in key_lines(self.text()):
            seat = seat_of(line)
            if line.key.data == key.data and (self.first_counts or (seat and _same(seat.campaign, campaign))):
                return line
        return None

    def seat(self, key: PublicKey, campaign: Path) -> str:
        """Who sits at a campaign with a key; empty for nobody."""
        line = self.find(key, campaign)
        found = seat_of(line) if line else None
        return found.seat if found and _same(found.campaign, campaign) else ""

    def add(self, campaign: Path, seat: str, key: PublicKey, *, write: bool = True) -> str:
        """The line that gives a key a seat, written at the end; raises where the key has another line.

        A key that may do more in an earlier line would get that: the seat would be no confinement.
        """
        line = seat_line(campaign, seat, key)
        if there := self.find(key, campaign):
            known = seat_of(there)
            if known and known.seat == seat and _same(known.campaign, campaign):
                raise Refused(f"{seat} sits here with this key already", where=f"{self.path}:{there.number}")
            what = f"the seat of {known.seat} at {known.campaign.name}" if known else "another login"
            raise Refused(
                f"this key is used for {what} already, and a login gets the first line that has its key",
                where=f"{self.path}:{there.number}",
                remedy="Take that line out, or ask for a key of its own: ssh-keygen -t ed25519 -f ~/.ssh/tabletop.",
            )
        if write:
            text = self.text()
            self._write(text + ("\n" if text and not text.endswith("\n") else "") + line + "\n")
        return line

    def remove(self, seats: Sequence[SeatKey]) -> None:
        """Take lines out; the rest stays as it is."""
        gone = {one.line for one in seats}
        self._write("\n".join(line for n, line in enumerate(self.text().split("\n"), 1) if n not in gone))

    def _write(self, text: str) -> None:
        place = Path(os.path.realpath(self.path))  # a link stays a link
        private_folder(place.parent)
        mode = place.stat().st_mode & 0o777 if place.exists() else PRIVATE
        # nobody but its owner may write it, or sshd does not read it
        write_file(place, text.encode("utf-8", "surrogateescape"), self.disk, mode=mode & ~0o022)


def _same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def openssh_keys(word: str = "") -> KeyFile:
    """The keys that log in to this account."""
    return KeyFile(typed_path(word) if word else Path.home() / ".ssh" / "authorized_keys")


def serve_home() -> Path:
    """Where `tabletop serve` keeps its own key, the keys of players, and open invitations."""
    return data_home() / "serve"


def serve_keys() -> KeyFile:
    """The keys that `tabletop serve` knows."""
    return KeyFile(serve_home() / "authorized_keys", first_counts=False)
