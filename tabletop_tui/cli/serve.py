"""`tabletop serve`: seats over SSH from the GM's own machine."""

from __future__ import annotations

import sys
from argparse import Namespace

from ..rules import TableError
from ..serve import Options
from ..serve import serve as run_server
from ..session import check_seat
from ..storage.user.invitations import Invitations, shown
from ..storage.user.paths import locate
from .seats import players
from .words import say


def serve(args: Namespace) -> int:
    """Serve a campaign's seats, or write one more invitation for a server that runs already."""
    root = locate(args.campaign)
    if args.invite:
        seat = check_seat(args.invite, players(root))
        say(f"{seat}, once: code {shown(Invitations(root).invite(seat).code)}")
        return 0
    if not args.no_screen and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise TableError(
            "your own screen needs a terminal", remedy="tabletop serve CAMPAIGN --no-screen serves without it."
        )
    options = Options(port=args.port, listen=args.listen, name=args.name, screen=not args.no_screen)
    return run_server(root, options)
