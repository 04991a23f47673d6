"""What forms of several games ask: of somebody whom another field names, in words that must be said."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ..rules import Choice, Refused

T = TypeVar("T")


def of(
    field: str, choices: Callable[[Any, str], Sequence[Choice]]
) -> Callable[[Any, Mapping[str, Any]], Sequence[Choice]]:
    """The choices of whomever, or whatever, a field names: `Ask(of("who", skills))`."""
    return lambda world, fields: choices(world, fields.get(field) or "")


def said(text: str, what: str, remedy: str) -> str:
    """What was said, without blanks around it; refuses to go on without a word."""
    if not text.strip():
        raise Refused(what, remedy=remedy)
    return text.strip()


def sure(found: T | None) -> T:
    """What must be there: without it `when` closes the action."""
    assert found is not None
    return found
