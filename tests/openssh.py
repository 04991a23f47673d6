"""OpenSSH's own programs: keys, clients, and a server of this machine that only tests talk to."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SERVER = shutil.which("sshd") or next((p for p in ("/usr/sbin/sshd",) if Path(p).exists()), "")
CLIENT, KEYGEN = shutil.which("ssh") or "", shutil.which("ssh-keygen") or ""

needs_client = pytest.mark.skipif(not (CLIENT and KEYGEN), reason="needs ssh: apt-get install openssh-client")
needs_server = pytest.mark.skipif(
    not (SERVER and CLIENT and KEYGEN), reason="needs an SSH server: apt-get install openssh-server"
)


def new_key(path: Path) -> Path:
    """A key pair; the public half is beside it."""
    path.parent.mkdir(mode=0o700, exist_ok=True, parents=True)
    subprocess.run([KEYGEN, "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
    return path


def client(port: int, key: Path, *words: str, program: str = "ssh") -> list[str]:
    """The words that run a client with this key alone, and with nothing of whoever runs the tests."""
    known = key.with_name("known")
    options = ["-F", "none", "-o", "StrictHostKeyChecking=no", "-o", f"UserKnownHostsFile={known}", "-q"]
    options += ["-o", "IdentitiesOnly=yes", "-o", "ConnectTimeout=10", "-i", str(key)]
    found = shutil.which(program) or program
    return [found, *options, "-p" if program == "ssh" else "-P", str(port), *words]


def me() -> str:
    """This account at this machine, as a client names it."""
    return f"{getpass.getuser()}@127.0.0.1"


@contextmanager
def sshd(place: Path, keys: Path) -> Iterator[int]:
    """A real SSH server that lets in whoever a file of keys names; its port."""
    new_key(place / "host")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    (place / "config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {place}/host\nPidFile none\nUsePAM no\nStrictModes no\n"
        f"AuthorizedKeysFile {keys}\nPermitRootLogin yes\nPasswordAuthentication no\nPrintMotd no\n"
        "MaxStartups 200\nSubsystem sftp internal-sftp\n"
    )
    server = subprocess.Popen([SERVER, "-D", "-e", "-f", place / "config"], stderr=subprocess.DEVNULL)
    try:
        _wait(port, server)
        yield port
    finally:
        server.terminate()
        server.wait(10)


def _wait(port: int, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if server.poll() is not None:
            pytest.skip(f"the SSH server does not run here (it ended with {server.returncode})")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the SSH server does not answer")
