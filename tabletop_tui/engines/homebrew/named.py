"""What the things of a game may be called: names that sums can use, each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...rules import Problem
from .effects import RESERVED
from .game import HomebrewRules, Says
from .language import NAME, WORDS
from .mentions import MOST_ASKED, span_of
from .spans import BUILT

MOST_OF_A_KIND = 60
"""Groups, meters, rolls, options and so on in one game."""
Path = tuple[str | int, ...]


def name_problems(rules: HomebrewRules) -> Iterator[Problem]:
    """What cannot be called so, or is called so twice."""
    taken = dict[str, str]()
    kinds: list[tuple[Path, Iterable[str], str]] = [(("stats",), rules.stats, "stats")]
    for group, rule in rules.stats.items():
        kinds.append((("stats", group, "names"), rule.names, f"stats.{group}"))
        kinds.append((("stats", group, "is"), rule.worked, f"stats.{group}"))
    for part in ("meters", "shared", "conditions", "options"):
        held: Mapping[str, object] = rules.lasting if part == "conditions" else getattr(rules, part)
        kinds.append(((part,), held, part))
    for part in ("rolls", "challenges", "contests"):
        yield from _many(part, len(getattr(rules, part)))
    for path, names, where in kinds:
        yield from _many(where, len(list(names)))
        for place, name in enumerate(names):
            at = ("rules", *path, place if path[-1] == "names" else name)
            yield from name_problem(at, name, spaces=where == "conditions")
            if name in taken:
                yield Problem(at, f"{name!r} is in {taken[name]} already", "Give one of them another name.")
            taken.setdefault(name, where)
    for name, roll in rules.rolls.items():
        yield from name_problem(("rules", "rolls", name), name, free=True)
        yield from _asks(("rules", "rolls", name, "asks"), roll.asks, taken)
    for name, option in rules.options.items():
        yield from _asks(("rules", "options", name, "asks"), option.asks, taken)
    for name, challenge in rules.challenges.items():
        for place, word in enumerate(challenge.keywords):
            at = ("rules", "challenges", name, "keywords", place)
            yield from name_problem(at, word)
            if word in taken:
                yield Problem(at, f"{word!r} is in {taken[word]} already", "Give one of them another name.")


def _many(what: str, count: int) -> Iterator[Problem]:
    if count > MOST_OF_A_KIND:
        where = ("rules", *what.split("."))
        yield Problem(where, f"{count} of these are too many", f"At most {MOST_OF_A_KIND}.")


def _asks(at: Path, asks: Says, taken: Mapping[str, str]) -> Iterator[Problem]:
    if len(asks) > MOST_ASKED:
        yield Problem(at, f"{len(asks)} questions are too many for one roll", f"At most {MOST_ASKED}.")
    for name, ask in asks.items():
        yield from name_problem((*at, name), name)
        if name in taken:
            yield Problem((*at, name), f"{name!r} is in {taken[name]} already", "Give one of them another name.")
        if isinstance(ask, str):
            span = span_of(ask)
            if ask not in ("dice", "words") and span is None:
                remedy = 'Write a list of words, "5 to 30", "dice" or "words".'
                yield Problem((*at, name), f"{ask!r} is nothing that can be asked", remedy)
            elif span and not -10_000 <= span[0] < span[1] <= 10_000:
                yield Problem((*at, name), f"from {span[0]} to {span[1]} is not a range", "From less to more.")
        else:
            if not 1 <= len(ask) <= 30 or len(set(ask)) < len(ask) or not all(w.strip() for w in ask):
                yield Problem((*at, name), "the words of a list are one to thirty different ones", "Name each once.")
            for word in ask:
                if word in taken:
                    what = f"{word!r} is in {taken[word]} already"
                    yield Problem((*at, name), what, "Use another word.")


def name_problem(at: Path, name: str, *, spaces: bool = False, free: bool = False) -> Iterator[Problem]:
    """Why something cannot be called so."""
    if not name.strip() or len(name) > 40:
        yield Problem(at, "a name has one to forty letters", "Rename it.")
    elif free:
        return  # no sum names it
    elif not spaces and not NAME.fullmatch(name):
        yield Problem(at, f"{name!r} is not a name that a sum could use", "Letters, digits, - and _; a letter first.")
    elif name in WORDS or name in BUILT or name in RESERVED:
        yield Problem(at, f"{name!r} is a word of the language", "Rename it.")


def one_of(at: Path, value: object, known: Iterable[str], what: str) -> Iterator[Problem]:
    """A name that has to be one of some others."""
    names = tuple(known)
    if not isinstance(value, str) or value not in names:
        yield Problem(at, f"{value!r} is not {what}", "" if names else "There is none yet.", False, str(value), names)
