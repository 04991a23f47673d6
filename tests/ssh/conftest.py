"""Seats over SSH: the same campaign behind OpenSSH's server and behind `tabletop serve`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import level
import openssh
import playing
import pytest
from doors import Door, Served

from tabletop_tui.storage.open_campaign import OpenCampaign

SAMPLE = playing.PROJECT / "campaigns" / "ember-road"


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """A campaign whose first session was begun by the GM."""
    target = (tmp_path / "ember-road").resolve()
    shutil.copytree(SAMPLE, target, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    OpenCampaign(target).close()
    return target


@pytest.fixture
def served(campaign: Path, tmp_path: Path) -> Iterator[Served]:
    """`tabletop serve`, with all invitations open."""
    pytest.importorskip("asyncssh", reason="needs asyncssh: pip install 'tabletop-tui[serve]'")
    if not (openssh.CLIENT and openssh.KEYGEN):
        pytest.skip("needs ssh: apt-get install openssh-client")
    one = Served(campaign, tmp_path / "ssh")
    one.start()
    yield one
    one.close()
    one.stop()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Either server; quick tests try this refusal with the one and that with the other."""
    if "door" in metafunc.fixturenames:
        doors = level.some(["sshd", "serve"], 1, 2, turn=len(metafunc.function.__name__))
        metafunc.parametrize("door", doors, indirect=True)


@pytest.fixture
def door(request: pytest.FixtureRequest, campaign: Path, tmp_path: Path) -> Iterator[Door]:
    """Either server, with Ana's key known to it by `tabletop seats add`."""
    with ExitStack() as stack:
        if request.param == "serve":
            one: Door = request.getfixturevalue("served")
            one.lets_in("Ana", one.ana)
        else:
            if not (openssh.SERVER and openssh.CLIENT and openssh.KEYGEN):
                pytest.skip("needs an SSH server: apt-get install openssh-server")
            one = Door(campaign, tmp_path / "ssh")
            one.lets_in("Ana", one.ana)
            one.port = stack.enter_context(openssh.sshd(one.place, one.place / "authorized_keys"))
            stack.callback(one.close)
        yield one
