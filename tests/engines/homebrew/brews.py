"""Worlds of home-brew games, from their TOML."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from tabletop_tui import plugins
from tabletop_tui.engines.homebrew.world import HomebrewSheet
from tabletop_tui.rules import Clock, Problem, World

GAMES = Path(__file__).parent / "games"
NAMES = sorted(path.stem for path in GAMES.glob("*.toml"))
ENGINE = plugins.load("homebrew").inner
PEOPLE = {"ana": "Ines", "bo": "Jon", "cy": "Kit", "ogre": "", "wight": ""}


def rules_of(text: str) -> Any:
    """The rules in a campaign's TOML, or in a piece of it."""
    data = tomllib.loads(text)
    return msgspec.convert(data.get("rules", data), ENGINE.rules)


def game(name: str) -> Any:
    """The rules of one of the games beside this file."""
    return rules_of((GAMES / f"{name}.toml").read_text())


def sheet(rules: Any, who: str, **stats: Any) -> Any:
    """A sheet with something in every group; what is given by name stands as it is."""
    groups: dict[str, dict[str, Any]] = {}
    for number, (group, rule) in enumerate(rules.stats.items()):
        names = [n for n in rule.names if n not in rule.worked] or ([] if rule.worked else ["knots", "songs"])
        for place, name in enumerate(names):
            span = rule.most - rule.least + 1
            value: Any = rule.least + (len(who) + 2 * place + number) % min(span, 5)
            if rule.holds == "dice":
                value = f"{1 + (len(who) + place) % 3}d{4 + 2 * (place % 2)}"
            if rule.holds == "words":
                value = "as it is"
            groups.setdefault(group, {})[name] = stats.get(name, value)
    return HomebrewSheet(who.capitalize(), PEOPLE.get(who, ""), stats=groups)


def world_of(rules: Any, people: dict[str, str] | None = None, scenes: Any = None, **stats: Any) -> Any:
    """A world of some rules, with three heroes, two of the GM's own and a clock."""
    sheets = {who: sheet(rules, who, **stats) for who in (people or PEOPLE)}
    now = ENGINE.now(clocks={"tide": Clock("The tide", 6)})
    return World(rules, now, sheets, scenes or {})


def problems(text: str) -> list[Problem]:
    """What is wrong with some rules."""
    return list(ENGINE.problems(World(rules_of(text), ENGINE.now())))
