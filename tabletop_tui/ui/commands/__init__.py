"""Commands are data: what can be pressed, clicked, found and remapped is one list, and every bar reads it."""

from .deck import Deck, Item, Layer, Mode, face_of
from .record import Command, Effect, Press, Where, faced

__all__ = ["Command", "Deck", "Effect", "Item", "Layer", "Mode", "Press", "Where", "face_of", "faced"]
