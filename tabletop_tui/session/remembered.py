"""What the engine answered about a state: states never change, so nothing is asked twice."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

from ..rules import Refused

T = TypeVar("T")
_NOTHING = object()
STATES = 8
"""As far back as people usually undo."""


class Remembered:
    """Answers about the last few states that were asked about: an undo goes back to one of them."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[object, dict[Hashable, Any]], ...] = ()

    def _answers(self, state: object) -> dict[Hashable, Any]:
        kept = self._kept
        if kept and kept[0][0] is state:
            return kept[0][1]
        # whoever comes back to a state tries again what failed there
        back = next((list(answers.items()) for known, answers in kept if known is state), ())
        answers = {question: answer for question, answer in back if not isinstance(answer, Refused)}
        others = [one for one in kept if one[0] is not state]
        self._kept = ((state, answers), *others[: STATES - 1])  # replaced at once: other threads ask too
        return answers

    def get(self, state: object, question: Hashable, ask: Callable[[], T]) -> T:
        """The answer that was given before, or the one that is given now; a failure too: it may have taken long."""
        answers = self._answers(state)
        try:
            known = answers.get(question, _NOTHING)
        except TypeError:  # an answer so far that cannot be looked up, such as a list
            return ask()
        if isinstance(known, Refused):
            raise known
        if known is not _NOTHING:
            return cast(T, known)
        try:
            found = ask()
        except Refused as no:
            answers[question] = no
            raise
        answers[question] = found
        return found
