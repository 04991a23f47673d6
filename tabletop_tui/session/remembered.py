"""What the engine answered about a state: states never change, so nothing is asked twice."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

from ..rules import Refused

T = TypeVar("T")
_NOTHING = object()


class Remembered:
    """Answers about the state that was asked about last; those about another one are forgotten with it."""

    def __init__(self) -> None:
        self._kept: tuple[object, dict[Hashable, Any]] = (None, {})

    def get(self, state: object, question: Hashable, ask: Callable[[], T]) -> T:
        """The answer that was given before, or the one that is given now; a failure too: it may have taken long."""
        kept = self._kept
        if kept[0] is not state:
            # state and answers are replaced together: other threads ask too
            kept = self._kept = (state, {})
        try:
            known = kept[1].get(question, _NOTHING)
        except TypeError:  # an answer so far that cannot be looked up, such as a list
            return ask()
        if isinstance(known, Refused):
            raise known
        if known is not _NOTHING:
            return cast(T, known)
        try:
            found = ask()
        except Refused as no:
            kept[1][question] = no
            raise
        kept[1][question] = found
        return found
