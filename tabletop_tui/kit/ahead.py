"""Looking ahead: the world after some events, whether something would be refused, and the next free number."""

from collections.abc import Callable, Container, Iterable
from itertools import count
from typing import Any, ParamSpec, TypeVar

from ..rules import Event, Refused, World

P = ParamSpec("P")
W = TypeVar("W", bound=World[Any, Any, Any, Any])


def after(world: W, events: Iterable[Event]) -> W:
    """The world after some events."""
    for event in events:
        world = event.apply(world)
    return world


def refusal(attempt: Callable[P, object], *given: P.args, **named: P.kwargs) -> str:
    """Why something would be refused; empty where it would not."""
    try:
        attempt(*given, **named)
    except Refused as refused:
        return refused.what
    return ""


def next_id(stem: str, taken: Container[str]) -> str:
    """The first of stem-1, stem-2, … that is not taken."""
    return next(found for number in count(1) if (found := f"{stem}-{number}") not in taken)
