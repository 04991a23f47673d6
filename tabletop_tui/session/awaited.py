"""What the table waits for from a seat, or when it will."""

from collections.abc import Callable, Sequence

from ..rules import ChallengeView, ContestView, Model, Person, Row, TableView, View

PLACES = ("next", "second", "third", "fourth", "fifth", "sixth")


class Awaited(Model):
    """A sentence for a seat."""

    text: str
    mine: bool = False
    """Is it this seat's to act?"""
    when: str = ""
    """When it will be, where somebody else is up."""


def is_asked(row: Row) -> bool:
    """Does somebody have a way to help, and has chosen none?"""
    return not any(cell.chosen for cell in row.cells) and any(not cell.closed for cell in row.cells)


def awaited(view: View | None, owns: Callable[[str], bool]) -> Awaited | None:
    """What to tell a seat that plays those whom it `owns`, on the page of play; None where nothing is to be said."""
    if isinstance(view, ChallengeView) and view.support and view.lead and not (view.prompt or view.outcome):
        row = next((row for row in view.support.rows if owns(row.id) and is_asked(row)), None)
        return Awaited(f"How does {row.who} help?", True) if row else None
    if isinstance(view, ContestView) and not (view.prompt or view.outcome or view.hands):
        return _in_contest(view, owns)
    if not isinstance(view, TableView) or view.prompt:
        return None
    people = view.people
    up = next((p for p in people if p.current), None)
    if up is None:
        return None
    if owns(up.id):
        return Awaited(f"{up.name} is up: what do you do?", True)
    when = _when(people, up, owns)
    return Awaited(f"{up.name} is up. {when}".strip(), when=when)


def _in_contest(view: ContestView, owns: Callable[[str], bool]) -> Awaited | None:
    """What a seat's own party has to choose, could add or roll, or whom its character could help."""
    able = [party for party in view.parties if any(not option.closed for option in party.adds)]
    mine = next((party for party in able if owns(party.id)), None)
    if mine:
        return Awaited(mine.asks or f"What does {mine.name} add?", True)
    if able:
        return Awaited(f"How do you help {able[0].name}?", True)
    ready = view.roll is not None and not view.roll_closed  # to somebody else it is closed
    rolls = next((party for party in view.parties if ready and owns(party.id)), None)
    return Awaited(f"{rolls.name} can roll.", True) if rolls else None


def _when(people: Sequence[Person], up: Person, owns: Callable[[str], bool]) -> str:
    """When a seat's own character has a turn: by its place, where the order is known."""
    order = [p for p in people if p.section == up.section and not p.out]
    at = order.index(up) if up in order else 0
    waiting = [p for p in (*order[at + 1 :], *order[:at]) if not p.acted]
    place = next((i for i, p in enumerate(waiting) if owns(p.id)), -1)
    if place < 0:
        return ""
    if sum(p.may_go for p in order) > 1:
        return "You have not acted yet."
    return f"You are {PLACES[place]}." if place < len(PLACES) else f"You are number {place + 1} after that."
