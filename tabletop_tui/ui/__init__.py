"""Textual: the app, its screens and widgets. Nothing outside this folder imports it but the command line."""

from __future__ import annotations


def run(campaign: str = "", seat: str = "") -> int:
    """Open the screens; returns the program's exit status."""
    import gc

    gc.disable()  # nothing that starting up makes is garbage; the collector goes on after the first frame
    from .app import TabletopApp

    app = TabletopApp(campaign, seat)
    app.run()
    if app.parting:
        import sys

        print(app.parting, file=sys.stderr)
    return app.return_code or 0
