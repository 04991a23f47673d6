"""How hurt somebody looks: the word that players read where the number is the GM's."""

from typing import Any

from .seen import is_secret

UNHURT, HURT, BADLY_HURT, DOWN = "unhurt", "hurt", "badly hurt", "down"


def how_hurt(left: int, most: int) -> str:
    """A word for what is left of somebody's most: from half of it on they are badly hurt."""
    if left <= 0:
        return DOWN
    if left >= most:
        return UNHURT
    return HURT if left * 2 > most else BADLY_HURT


def as_known(left: int, most: int, known: int) -> int:
    """What stands for `left` of `most` in a world as players know it, where the most is `known`, at least 3."""
    return {DOWN: 0, BADLY_HURT: 1, HURT: known - 1, UNHURT: known}[how_hurt(left, most)]


def condition_of(world: Any, who: str, left: int, most: int) -> str:
    """How somebody is: in numbers, or as a word where these are the GM's."""
    return how_hurt(left, most) if is_secret(world, who) else f"{left}/{most}"


def shows(name: str, *, before: int, after: int, most: int) -> str:
    """What everybody sees when somebody's number changes that is the GM's: nothing, where they look as before."""
    word = how_hurt(after, most)
    return "" if word == how_hurt(before, most) else f"{name} is {word}"
