"""Textual: the app, its screens and widgets. Nothing outside this folder imports it but the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .app import TabletopApp


def run(campaign: str = "", seat: str = "", *, show: bool = False) -> int:
    """Open the screens; returns the program's exit status."""
    import gc

    gc.disable()  # nothing that starting up makes is garbage; the collector goes on after the first frame
    from .app import TabletopApp

    app = TabletopApp(campaign, seat)
    app.set_class(show, "-show")
    return _run(app)


def replay(log: str, seat: str = "") -> int:
    """Watch a log; returns the program's exit status."""
    from .app import TabletopApp

    app = TabletopApp(seat=seat)
    app.log_path = log
    return _run(app)


def _run(app: TabletopApp) -> int:
    from ..plugins import on_fault
    from ..storage.safety.crash import note

    on_fault(note)
    app.run()
    if app.parting:
        import sys

        from ..rules import clean

        print(clean(app.parting), file=sys.stderr)
    return app.return_code or 0
