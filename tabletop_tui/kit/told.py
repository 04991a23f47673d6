"""Events that are told in one sentence: to everybody, or where they are a secret to the GM alone."""

from typing import Any

from ..rules import Event


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
