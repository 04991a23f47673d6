"""`python -m tabletop_tui`."""

import os
import sys

# `python -m` looks into the working directory first, which may be a campaign's folder: no code is taken from there
sys.path[:] = [place for place in sys.path if place not in ("", os.getcwd())]

from .cli import entry  # noqa: E402  # not before the line above

entry()
