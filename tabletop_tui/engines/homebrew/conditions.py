"""What lasts on somebody: how and when it ends."""

from __future__ import annotations

import re

from ...kit.common import ConditionTicked
from ...rules import Event
from .game import HomebrewRules
from .world import HomebrewWorld

ENDS = {"start of turn": "start", "end of turn": "end", "round": "round", "save": "save"}
_MANY = re.compile(r"([1-9][0-9]?) (?:(start|end)s of turn|(round)s)")
BY_STORY = ("scene", "session")
"""Ends that no turn brings."""
ENDINGS = ("start of turn", "end of turn", "3 ends of turn", "round", "2 rounds", "scene", "session", "save")


def ending(text: str) -> tuple[str, int] | None:
    """When something ends, as the turn order counts it, and after how many of those; None where it cannot be read."""
    if text in ("", *BY_STORY):
        return "", 1
    if text in ENDS:
        return ENDS[text], 1
    match = _MANY.fullmatch(text)
    return (match[2] or match[3], int(match[1])) if match else None


def ends_of(rules: HomebrewRules, name: str) -> tuple[str, int]:
    """When a condition of the game ends; those of the table's own end when they are taken away."""
    rule = rules.lasting.get(name)
    return (ending(rule.ends) if rule else None) or ("", 1)


def over_with(world: HomebrewWorld, span: str) -> tuple[Event, ...]:
    """What ends with a scene, or with a session: then also what ends with its scene."""
    rules = world.rules.lasting
    spans = BY_STORY if span == "session" else (span,)
    ended = [i for i, c in world.now.conditions.items() if c.what in rules and rules[c.what].ends in spans]
    return tuple(ConditionTicked(i, 0) for i in ended)
