"""`tabletop serve`: an SSH server on the GM's machine that knows seats, and nothing else.

Each connection gets a process on a pseudo-terminal that runs `tabletop play CAMPAIGN --seat NAME`: there is no shell,
no command, no file, no forwarding and no environment to ask for.
"""

from __future__ import annotations

from pathlib import Path

from ..rules import Model, TableError

PORT = 8022


class Options(Model, kw_only=True):
    """How to serve."""

    port: int = PORT
    """0 for any that is free."""
    listen: str = ""
    """The address to listen at; all of this machine's where empty."""
    name: str = ""
    """What players type to reach this machine; its address is found where empty."""
    screen: bool = True
    """The GM's own screen in this terminal; otherwise it only serves, and says who comes and goes."""


def serve(campaign: Path, options: Options) -> int:
    """Serve a campaign's seats until the GM leaves."""
    try:
        import asyncssh  # noqa: F401  # whether it is there is all that is asked
    except ImportError:
        raise TableError(
            "serving needs one more package",
            remedy="Install it: pip install 'tabletop-tui[serve]', or '.[serve]' in a checkout.",
        ) from None
    import asyncio

    from .host import Host

    return asyncio.run(Host(campaign, options).run())
