"""How a table stands, in words: through what its views show, never through an engine's own fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..rules import ChallengeView, ContestView, Counter, Engine, Matrix, Party, Person, TableView, clean, strip


class Standing(NamedTuple):
    """The pages of a table at one moment, each as far as the game has it."""

    table: TableView | None = None
    challenge: ChallengeView | None = None
    contest: ContestView | None = None


def standing(engine: Engine, world: Any, *, stripped: bool = False) -> Standing:
    """How a world stands, for the GM or stripped of secrets. A page that the engine cannot show is left out."""
    found: list[Any] = []
    for kind in ("table", "challenge", "contest"):
        try:
            view = engine.view(kind, world)
        except Exception:  # an engine that fails on one page costs that page
            view = None
        found.append(strip(view) if stripped else view)
    return Standing(*found)


def counter_words(counter: Counter) -> str:
    """A counter as it stands: "The pass closes 2 of 6"; marked where players cannot see it."""
    most = f" of {counter.most}" if counter.most is not None else ""
    return clean(f"{'~ ' if counter.secret else ''}{counter.name} {counter.value}{most}")


# ---- two standings compared


def compared(before: Standing, after: Standing) -> list[tuple[str, str]]:
    """What is different: who or what, and how. Empty where both pages show the same."""
    rows: list[tuple[str, str]] = []
    old, new = before.table or TableView(), after.table or TableView()
    if old.title != new.title:
        rows.append(("the scene", _from_to(old.title, new.title)))
    rows += _facts(old, new)
    rows += _people(old.people, new.people)
    rows += _counters(old.counters, new.counters)
    rows += [(place, words) for place, words in _counters(old.places, new.places) if _in_both(place, old, new)]
    rows += _page("the challenge", before.challenge, after.challenge)
    rows += _page("the contest", before.contest, after.contest)
    return [(clean(what), clean(words)) for what, words in rows]


def _from_to(before: str, after: str, nothing: str = "nothing") -> str:
    return f"{before or nothing} → {after or nothing}"


def _facts(old: TableView, new: TableView) -> Iterator[tuple[str, str]]:
    first, second = (", ".join(fact.text for fact in view.facts) for view in (old, new))
    if first != second:
        yield "the table", _from_to(first, second)
    up, then = (" and ".join(p.name for p in view.people if p.current) for view in (old, new))
    if old.banner != new.banner:  # it says whose turn it is, or which side's
        yield "now", _from_to(old.banner, new.banner)
    elif up != then:
        yield "whose turn", _from_to(up, then, "nobody's")


def _in_both(place: str, *views: TableView) -> bool:
    """Places come and go with their scene, which is told already."""
    return all(any(one.name == place for one in view.places) for view in views)


def _people(old: Sequence[Person], new: Sequence[Person]) -> Iterator[tuple[str, str]]:
    before, after = {p.id: p for p in old}, {p.id: p for p in new}
    for id_ in dict.fromkeys((*before, *after)):
        one, two = before.get(id_), after.get(id_)
        if one is None or two is None:
            there = two or one
            assert there is not None
            yield there.name, "is there" if two else "is not there"
        elif words := "; ".join(_person(one, two)):
            yield two.name, words


def _person(one: Person, two: Person) -> Iterator[str]:
    if one.out != two.out:
        yield "is out" if two.out else "is no longer out"
    measured = list(_meters(one.meters, two.meters))
    yield from measured
    had, has = ({s.what for s in p.conditions} for p in (one, two))
    if new := [s.what for s in two.conditions if s.what not in had]:
        yield f"now {', '.join(map(repr, new))}"
    if gone := [s.what for s in one.conditions if s.what not in has]:
        yield f"no longer {', '.join(map(repr, gone))}"
    # the note is the meters in short, or a place
    note = one.note or one.secret_note, two.note or two.secret_note
    if not measured and note[0] != note[1]:
        yield _from_to(*note, "nowhere")
    yield from _marked(_marks(one), _marks(two))


def _marked(first: Sequence[str], second: Sequence[str]) -> Iterator[str]:
    gone, new = [mark for mark in first if mark not in second], [mark for mark in second if mark not in first]
    if len(gone) == len(new) == 1:
        yield f"{gone[0]} → {new[0]}"
        return
    if new:
        yield f"now {', '.join(new)}"
    if gone:
        yield f"no longer {', '.join(gone)}"


def _meters(old: Sequence[Counter], new: Sequence[Counter]) -> Iterator[str]:
    before, after = {c.name: c.value for c in old}, {c.name: c.value for c in new}
    for name in dict.fromkeys((*before, *after)):
        # a meter that is not shown is one that does not matter: as a rule it is at 0
        first, second = before.get(name, 0), after.get(name, 0)
        if first != second:
            yield f"{first} → {second} {name}"


def _marks(person: Person) -> list[str]:
    """Marks that say what neither a condition nor a meter does."""
    told = {s.what for s in person.conditions} | {f"{c.name} {c.value}/{c.most}" for c in person.meters}
    return [mark for mark in person.marks if mark not in told]


def numbered(counters: Iterable[Counter]) -> dict[tuple[str, int], Counter]:
    """Counters by name: two clocks may share one, and the first of them stays the first."""
    found: dict[tuple[str, int], Counter] = {}
    for counter in counters:
        nth = sum(name == counter.name for name, _ in found)
        found[counter.name, nth] = counter
    return found


def _counters(old: Sequence[Counter], new: Sequence[Counter]) -> Iterator[tuple[str, str]]:
    before, after = numbered(old), numbered(new)
    for key in dict.fromkeys((*before, *after)):
        one, two = before.get(key), after.get(key)
        if one is None or two is None:
            yield key[0], f"{two.value}, new" if two else "is not there"
        elif (one.value, one.most) != (two.value, two.most):
            most = f" of {two.most}" if two.most is not None else ""
            yield key[0], f"{one.value} → {two.value}{most}"


def _page(
    name: str, before: ChallengeView | ContestView | None, after: ChallengeView | ContestView | None
) -> Iterator[tuple[str, str]]:
    first, second = _open(before), _open(after)
    if first != second:
        yield name, _from_to(first, second)
    if isinstance(before, ChallengeView) and isinstance(after, ChallengeView) and before.title == after.title:
        if before.lead != after.lead:
            yield f"{name}'s {after.words.lead}", _from_to(before.lead, after.lead, "nobody")
        if words := "; ".join(_marked(_put_in(before), _put_in(after))):
            yield name, words
    if isinstance(before, ContestView) and isinstance(after, ContestView) and before.title == after.title:
        brought = {party.id: _brought(party) for party in before.parties}
        for party in after.parties:
            if words := "; ".join(_marked(brought.get(party.id, ()), _brought(party))):
                yield party.name, words


def _brought(party: Party) -> list[str]:
    return [f"{bid.source} ({bid.dice})" for bid in party.bids]


def _put_in(view: ChallengeView) -> list[str]:
    """Who supports in which way, and what else was switched before the roll."""
    matrix = view.support or Matrix(columns=(), rows=())
    helps = [
        f"{row.who}: {column}"
        for row in matrix.rows
        for column, cell in zip(matrix.columns, row.cells, strict=False)
        if cell.chosen
    ]
    return helps + [option.label for option in view.extras if option.chosen]


def _open(view: ChallengeView | ContestView | None) -> str:
    """What stands on the page: its title, and how it came out or what it waits for."""
    if view is None:
        return ""
    how = view.outcome.title if view.outcome else view.prompt.text if view.prompt else ""
    return f"{view.title} ({how})" if view.title and how else view.title or how
