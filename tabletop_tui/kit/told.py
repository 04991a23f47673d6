"""Events that are told in one sentence: to everybody, or where they are a secret to the GM alone."""

from typing import Any, TypeVar

from msgspec.structs import replace

from ..rules import Event, World
from .seen import unseen

W = TypeVar("W", bound=World[Any, Any, Any, Any])


class Told(Event):
    """Extend it, say the sentence in `words`, and where it is a secret in `is_secret`."""

    def words(self, world: Any) -> str:
        """The event in words, told of the world before it; may be empty."""
        return ""

    def is_secret(self, world: Any) -> bool:
        """Is it for the GM alone?"""
        return False

    def open_words(self, world: Any) -> str:
        """What everybody is told in place of a secret; nothing, unless an event says otherwise."""
        return ""

    def says(self, world: Any) -> str:
        """The sentence, where everybody may read it."""
        return self.open_words(world) if self.is_secret(world) else self.words(world)

    def whispers(self, world: Any) -> str:
        """The sentence, where it is a secret."""
        return self.words(world) if self.is_secret(world) else ""


class ToldOf(Told):
    """Told of somebody: to the GM alone where players do not see them."""

    who: str

    def is_secret(self, world: Any) -> bool:
        """Where they are unseen."""
        return unseen(world, self.who)


def altered(world: W, name: str, **changes: Any) -> W:
    """The world with a record of its live state changed, for `apply`; as it is where that record is not there."""
    found = getattr(world.now, name)
    return world if found is None else world.live(**{name: replace(found, **changes)})
