"""`python -m tabletop_tui`."""

import sys

from .cli import main

sys.exit(main())
