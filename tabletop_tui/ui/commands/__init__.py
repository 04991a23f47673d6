"""Commands are data: what can be pressed, clicked, found and remapped is one list, and every bar reads it."""

from .deck import Deck, Item, Layer, face_of
from .record import Command, Effect, Press, UserKeys, Where, faced, key_for

__all__ = [
    "Command",
    "Deck",
    "Effect",
    "Item",
    "Layer",
    "Press",
    "UserKeys",
    "Where",
    "face_of",
    "faced",
    "key_for",
]
