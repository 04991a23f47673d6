"""What would never end: stats worked out from themselves, questions that lead back to them, rings of meters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...rules import Problem
from .game import Effects, HomebrewRules
from .language import TermError, amount, owned
from .mentions import effects_of

Graph = dict[tuple[str, str], set[tuple[str, str]]]
"""What leads to what, by kind and name."""


def loop_problems(rules: HomebrewRules) -> Iterator[Problem]:
    """All of it."""
    for group, rule in rules.stats.items():
        for stat in rule.worked:
            if ring := _ring(_stats(rules), ("stats", stat)):
                words = " and ".join(repr(name) for _, name in ring[1:]) or "itself"
                yield Problem(("rules", "stats", group, "is", stat), f"it is worked out from itself, by {words}")
    graph = _graph(rules)
    told: set[tuple[str, str]] = set()
    for node in graph:
        ring = _ring(graph, node)
        if not ring or told & set(ring) or (len(ring) == 1 and node[0] in ("meters", "shared")):
            continue
        told |= set(ring)
        kind, name = node
        words = ", then ".join(f"{_KINDS[k]} {n!r}" for k, n in ring[1:] or ring)
        if any(k == "options" for k, _ in ring):
            moved = next((n for k, n in ring if k in ("meters", "shared")), "")
            remedy = f'Set it back where its end is told, before it asks: full = {{ {moved} = "to 0", ask = [ … ] }}.'
            what = f"it never ends: it leads to {words}, and so back to it"
            yield Problem(("rules", kind, name), what, remedy if moved else "Ask something else there.")
        else:
            yield Problem(("rules", kind, name), f"its end moves {ring[1][1]!r}, which comes back to it")


_KINDS = {"rolls": "the roll", "options": "the option", "meters": "the meter", "shared": "the counter"}


def _stats(rules: HomebrewRules) -> Graph:
    graph: Graph = {}
    for rule in rules.stats.values():
        for stat, value in rule.worked.items():
            try:
                names = [name for _, name in amount(value).names()]
            except TermError:
                names = []
            graph["stats", stat] = {("stats", name) for name in names}
    return graph


def _graph(rules: HomebrewRules) -> Graph:
    """Rolls ask for options, options roll and ask again, meters do something at their ends."""
    graph: Graph = {}
    for name, roll in rules.rolls.items():
        graph["rolls", name] = {one for effects in effects_of(roll) for one in _led_to(rules, effects)}
    for name, option in rules.options.items():
        led = {one for effects in (option.does, option.costs) for one in _led_to(rules, effects)}
        graph["options", name] = led | ({("rolls", option.roll)} if option.roll else set())
    for kind, meters in (("meters", rules.meters), ("shared", rules.shared)):
        for name, meter in meters.items():
            graph[kind, name] = {one for effects in (meter.full, meter.empty) for one in _led_to(rules, effects)}
    return graph


def _led_to(rules: HomebrewRules, effects: Effects) -> Iterator[tuple[str, str]]:
    for key, value in effects.items():
        name = owned(key)[1]
        if name == "ask" and not isinstance(value, int | str):
            yield from (("options", option) for option in value if option in rules.options)
        for kind, meters in (("meters", rules.meters), ("shared", rules.shared)):
            if name in meters and (meters[name].full or meters[name].empty):
                yield kind, name


def _ring(graph: Mapping[tuple[str, str], set[tuple[str, str]]], start: tuple[str, str]) -> list[tuple[str, str]]:
    """A way from somewhere back to itself; empty where there is none."""
    paths = [[start]]
    seen: set[tuple[str, str]] = set()
    while paths:
        path = paths.pop()
        for following in sorted(graph.get(path[-1], ())):
            if following == start:
                return path
            if following not in seen:
                seen.add(following)
                paths.append([*path, following])
    return []
