"""Linear mode: the same table in sentences and numbers, for screen readers, slow lines and pipes.

Nothing is drawn: each change is a line, each question ends in a line, and what others do comes as lines of its own.
"""

from __future__ import annotations


def run(campaign: str, seat: str = "") -> int:
    """Play in lines until the input ends or somebody quits; returns the program's exit status."""
    from ..plugins import on_fault
    from ..storage.safety.crash import note
    from ..storage.user.paths import locate
    from .play import Play
    from .voice import Voice

    on_fault(note)
    play = Play(locate(campaign), seat, Voice())
    try:
        return play.run()
    finally:
        play.close()
