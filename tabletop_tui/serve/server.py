"""The SSH server: any key may knock, known keys and right codes get a seat, and a seat is all that there is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import asyncssh

from ..rules import TableError, clean
from ..storage.disk import PRIVATE, Disk, write_file
from ..storage.user.invitations import Invitations
from ..storage.user.seat_keys import PublicKey, forced, read_keys
from .limits import Limits
from .terminal import Terminal

KEYLESS = (
    "You need an SSH key first, once for this computer. Make one, and press Enter at its questions:\r\n"
    "    ssh-keygen -t ed25519\r\nThen come again.\r\n"
)
ASK = "This key is not known here yet.\r\nThe code of your invitation: "
FAREWELL = 5.0
"""Seconds that a client has to end a connection after its session."""
LONGEST = 64
"""Characters of a code that somebody types."""


def host_key(path: Path) -> asyncssh.SSHKey:
    """The server's own key: made when it is first needed, and kept for its owner alone."""
    try:
        return asyncssh.read_private_key(path)
    except FileNotFoundError:
        key = asyncssh.generate_private_key("ssh-ed25519")
        write_file(path, key.export_private_key(), Disk(), mode=PRIVATE)
        return key
    except (asyncssh.KeyImportError, OSError) as error:
        raise TableError(
            f"the server's own key cannot be read: {error}",
            where=str(path),
            remedy="Delete it to have a new one made; players' ssh will then warn that it changed.",
        ) from None


class Reception:
    """What all connections share: who is connected, what is counted, and who is told."""

    def __init__(self, campaign: Path, invitations: Invitations, limits: Limits, tell: Callable[[str], None]) -> None:
        self.campaign, self.invitations, self.limits, self.tell = campaign, invitations, limits, tell
        self.connections: set[Connection] = set()
        self.seated: dict[SeatSession, str] = {}
        """Everybody who has a terminal, by name."""
        self.closing = False
        self._noisy: set[str] = set()

    def admits(self, address: str) -> bool:
        """May one more connection from an address be talked to?"""
        strangers = [one for one in self.connections if not one.seat]
        beside = sum(one.address == address for one in strangers)
        why = ""
        if not self.limits.arrivals.count(address):
            why = f"too many connections from {address}: some are refused"
        elif beside >= self.limits.neighbours:
            why = f"too many strangers from {address}: some are refused"
        elif len(self.connections) >= self.limits.connections or len(strangers) >= self.limits.strangers:
            why = "too many connections: some are refused"
        if not why:
            self._noisy.discard(address)
        elif address not in self._noisy and len(self._noisy) < 100:
            self._noisy.add(address)  # told once, until one comes in again
            self.tell(why)
        return not why

    def has_room(self, seat: str) -> bool:
        """May a seat have one more terminal?"""
        return sum(name == seat for name in self.seated.values()) < self.limits.terminals

    async def close(self) -> None:
        """Everybody leaves."""
        self.closing = True
        leaving = {session.host for session in self.seated}
        for one in self.connections - leaving:
            one.close()
        await asyncio.gather(*(session.leave() for session in tuple(self.seated)))
        closed = [asyncio.create_task(one.conn.wait_closed()) for one in tuple(self.connections)]
        if closed:  # a client that is cut off forgets the last words, so it may end the line itself
            await asyncio.wait(closed, timeout=FAREWELL)
        for one in tuple(self.connections):
            one.close()


class Connection(asyncssh.SSHServer):
    """One connection: a key that has proved itself, and at most one session."""

    def __init__(self, reception: Reception) -> None:
        self.reception = reception
        self.key: PublicKey | None = None
        self.seat = ""
        """Who it is; empty for a stranger."""
        self.address = ""
        self._admitted = self._asked = self._sessions = False
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Before anything is talked about."""
        self.conn = conn
        peer = conn.get_extra_info("peername")
        self.address = str(peer[0]) if peer else "?"
        self._admitted = self.reception.admits(self.address)
        if not self._admitted:
            conn.abort()
            return
        self.reception.connections.add(self)
        self._timer = asyncio.get_running_loop().call_later(self.reception.limits.patience, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over; its session hears of it by itself."""
        del exc
        self.reception.connections.discard(self)
        if self._timer:
            self._timer.cancel()

    def _give_up(self) -> None:
        if not any(session.host is self for session in self.reception.seated):
            self.close()

    def close(self) -> None:
        """End it."""
        self.conn.close()

    def close_soon(self) -> None:
        """Its session is over: a client ends it by itself, and one that does not is not waited for."""
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(FAREWELL, self.close)

    # ---- who is it

    def public_key_auth_supported(self) -> bool:
        """Keys are what people are known by."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Any key will do: that it is theirs is proved by its signature, and strangers are asked for a code."""
        del username
        try:
            (self.key,) = read_keys(key.export_public_key().decode())
        except TableError:
            return False
        self.seat = self.reception.invitations.keys.seat(self.key, self.reception.campaign)
        return True

    def password_auth_supported(self) -> bool:
        """There are no passwords."""
        return False

    def kbdint_auth_supported(self) -> bool:
        """Only to tell those who have no key how to make one."""
        return True

    def get_kbdint_challenge(
        self, username: str, lang: str, submethods: str
    ) -> tuple[str, str, str, list[tuple[str, bool]]] | bool:
        """Tell it once."""
        del username, lang, submethods
        if self._asked:
            return False
        self._asked = True
        return "", KEYLESS, "", []

    def validate_kbdint_response(self, username: str, responses: object) -> bool:
        """Whatever they answer, there is no way in without a key."""
        del username, responses
        return False

    # ---- what do they want: every other request is refused by asyncssh, as nothing here takes it

    def session_requested(self) -> SeatSession | bool:
        """One session a connection."""
        if self._sessions or self.key is None:
            return False
        self._sessions = True
        return SeatSession(self)


class SeatSession(asyncssh.SSHServerSession[bytes]):
    """A terminal: a stranger is asked for a code, then the seat's screen runs on it."""

    def __init__(self, host: Connection) -> None:
        self.host, self.reception = host, host.reception
        self._terminal = Terminal(self._show, self._throttle)
        self._kind, self._size = "", (80, 24)
        self._typed: list[str] | None = None
        """What a stranger has typed so far; None while nothing is asked."""
        self._wrong = 0
        self._running: asyncio.Task[None] | None = None

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        """The channel is there."""
        self.chan = chan

    def pty_requested(self, term_type: str, term_size: tuple[int, int, int, int], term_modes: object) -> bool:
        """A terminal of this kind and size."""
        del term_modes
        self._kind, self._size = term_type or "dumb", term_size[:2]
        return True

    def shell_requested(self) -> bool:
        """What `ssh` asks for when it is given no command. There is no shell: there is a seat."""
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """The window has another size."""
        del pixwidth, pixheight
        self._size = width, height
        self._terminal.resize(width, height)

    def session_started(self) -> None:
        """Sit down, or be asked for a code."""
        if not self._kind:
            self._refuse("The table needs a terminal: ssh without -T and without a command.")
        elif self.host.seat:
            self._sit_down()
        else:
            self._typed = []
            self._say(ASK)

    # ---- knocking

    def data_received(self, data: bytes, datatype: int | None) -> None:
        """Keys: for the screen, or of a code."""
        del datatype
        if self._typed is None:
            self._terminal.write(data)
            return
        for letter in data.decode("ascii", "replace"):
            if self._typed is None:
                break  # what is typed ahead is not for the screen: it may be another guess
            self._key(letter)

    def _key(self, letter: str) -> None:
        assert self._typed is not None
        if letter in "\r\n":
            self._knock("".join(self._typed))
        elif letter in "\x03\x04":
            self._refuse("")
        elif letter in "\x7f\b":
            if self._typed:
                self._typed.pop()
                self._say("\b \b")
        elif letter.isascii() and letter.isprintable() and len(self._typed) < LONGEST:
            self._typed.append(letter)
            self._say(letter)

    def _knock(self, code: str) -> None:
        reception, host = self.reception, self.host
        self._typed = []
        self._say("\r\n")
        if reception.limits.guesses.full(host.address):
            reception.tell(f"too many wrong codes from {host.address}: none is looked at for ten minutes")
            self._refuse("Too many wrong codes. Wait ten minutes, and ask the GM for a new one.")
            return
        assert host.key is not None
        try:
            seat = reception.invitations.use(code, host.key)
        except TableError as error:
            reception.tell(str(error))
            self._refuse("The code could not be taken. Tell the GM.")
            return
        if seat:
            host.seat = seat
            reception.tell(f"{seat} came in with an invitation, from {host.address}: {host.key.fingerprint}")
            self._sit_down()
            return
        reception.limits.guesses.count(host.address)
        reception.tell(f"a wrong code, from {host.address}")
        self._wrong += 1
        if self._wrong >= reception.limits.codes:
            self._refuse("This is not an open invitation. Ask the GM for a new one.")
        else:
            self._say("This is not an open invitation. Once more: ")

    # ---- at the table

    def _sit_down(self) -> None:
        self._typed = None
        seat = self.host.seat
        if not self.reception.has_room(seat):
            self._refuse(f"{seat} sits at {self.reception.limits.terminals} terminals already. Close one of them.")
            return
        self.reception.seated[self] = seat
        self._running = asyncio.create_task(self._run(seat))

    async def _run(self, seat: str) -> None:
        reception = self.reception
        reception.tell(f"{seat} sits down, from {self.host.address}")
        status = 1
        try:
            status = await self._terminal.run(forced(reception.campaign, seat), self._kind, *self._size)
        except OSError as error:
            reception.tell(f"no screen for {seat}: {error}")
        finally:
            reception.seated.pop(self, None)
            reception.tell(f"{seat} leaves")
            if self.reception.closing:
                self._say("The table is closed.\r\n")
            if not self.chan.is_closing():
                self.chan.exit(status if 0 <= status < 256 else 1)
            self.host.close_soon()

    async def leave(self) -> None:
        """End the screen, and wait until it has ended."""
        await self._terminal.end(politely=True)
        if self._running:
            await asyncio.wait({self._running})

    def connection_lost(self, exc: Exception | None) -> None:
        """The line dropped, or it was left."""
        del exc
        if self._running:
            self._ending = asyncio.create_task(self._terminal.end())

    def eof_received(self) -> bool:
        """No more keys will come: the line is dropped."""
        self._terminal.hang_up()
        return False

    # ---- bytes

    def _show(self, data: bytes) -> None:
        if not self.chan.is_closing():  # a line that has dropped takes no more
            self.chan.write(data)

    def _say(self, words: str) -> None:
        self._show(words.encode())

    def _refuse(self, words: str) -> None:
        self._typed = None
        if words:
            self._say(clean(words) + "\r\n")
        if not self.chan.is_closing():
            self.chan.exit(1)
        self.host.close_soon()

    def _throttle(self, full: bool) -> None:
        if not self.chan.is_closing():
            (self.chan.pause_reading if full else self.chan.resume_reading)()

    def pause_writing(self) -> None:
        """The line is slow."""
        self._terminal.pause()

    def resume_writing(self) -> None:
        """It takes more."""
        self._terminal.go_on()


async def listen(reception: Reception, key: asyncssh.SSHKey, address: str, port: int) -> asyncssh.SSHAcceptor:
    """Take connections."""
    return await asyncssh.create_server(
        lambda: Connection(reception),
        address or None,
        port,
        server_host_keys=[key],
        server_version="tabletop",
        authorized_client_keys=None,
        host_based_auth=False,
        gss_host=None,
        x509_trusted_certs=None,
        agent_forwarding=False,
        x11_forwarding=False,
        line_editor=False,
        encoding=None,
        login_timeout=30,
        keepalive_interval=15,
        keepalive_count_max=3,
        backlog=50,
    )
