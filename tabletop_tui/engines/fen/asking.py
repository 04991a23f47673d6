"""Numbers that a form proposes, so that it opens with something that can be done."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from ...rules import Ask, Field
from ...rules.ask import Chooser
from .world import FenWorld


def _typed(most: int, field: Field, _world: FenWorld, _fields: Mapping[str, Any]) -> Field:
    return replace(field, kind="number", low=0, high=most)


def proposing(first: Chooser, label: str = "", *, most: int) -> Ask:
    """Asks for a number from 0 on that is typed; the first choice is what stands there until then."""
    return Ask(first, label, first=True, shape=partial(_typed, most))
