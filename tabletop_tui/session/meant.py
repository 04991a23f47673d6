"""What a form means before anybody has said anything: whoever is up, the one under the cursor, what was done last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..rules import Action, Choice, Field, Model, Person, TableView, fields
from .table import Table

BACK = 400
"""Entries of the log that are looked through for what was done last."""


class Meant(Model):
    """Whom a page means: who is up, who is under the cursor, and everybody in the order of the roster."""

    up: str = ""
    under: str = ""
    people: tuple[Person, ...] = ()
    also: Mapping[str, object] = {}
    """What else it means, by the names of fields."""
    allies: tuple[str, ...] = ()
    """Who stands with the one under the cursor, and would sooner act for them than others."""
    pointed: bool = False
    """Did somebody put the cursor there? Whoever it is, they are meant then."""


def meant_at(table: Table) -> Meant:
    """Whom a table itself means: whoever is up."""
    view = table.view("table")
    people = view.people if isinstance(view, TableView) else ()
    return Meant(next((p.id for p in people if p.current), ""), "", people)


def against(people: Sequence[Person], who: str) -> list[Person]:
    """Everybody else as somebody's targets: the other side first, those of it who are out or away last; then one's
    own."""
    me = next((p for p in people if p.id == who), None)
    rest = [p for p in people if p.id != who]
    place = {p.id: i for i, p in enumerate(rest)}
    return sorted(rest, key=lambda p: (_distance(me, p), p.away, p.out, place[p.id]))


def _distance(me: Person | None, other: Person) -> int:
    """Foes before those who stand elsewhere, and those before one's own."""
    if me is None or opposed(me, other):
        return 0
    return 1 if me.allegiance != other.allegiance else 2


def opposed(one: Person, other: Person) -> bool:
    """Do two stand against each other?"""
    if one.allegiance and other.allegiance:
        return (one.allegiance == "foe") != (other.allegiance == "foe")
    return one.side != other.side


def chosen(choices: Iterable[Choice], value: object, people: Sequence[Person] = ()) -> Choice | None:
    """The open choice that means a value: the same, or somebody by their name where the game asks for names."""
    names = {value, *(p.name for p in people if p.id == value)}
    return next((c for c in choices if not c.closed and c.value in names), None)


class Filler:
    """Fills the fields of an action in, one after the other."""

    def __init__(self, table: Table, kind: type[Action], meant: Meant) -> None:
        self.table, self.kind, self.meant = table, kind, meant
        self._people = {p.id: p for p in meant.people}
        self._places: dict[str, dict[object, int]] = {}
        """By who acts: where everybody else stands among their targets."""

    def choices(self, field: Field, answers: Mapping[str, object]) -> list[Choice]:
        """The answers to a field: targets in the roster's order, those of the other side first."""
        found = list(self.table.choices(self.kind, field, self._before(field, answers)))
        who = str(answers.get(self.kind.done_by) or "")
        if field.name != self.kind.done_to or not self.meant.people or self._helps(field, found, who):
            return found
        place = self._targets(who)
        return sorted(found, key=lambda c: place.get(c.value, len(place)))

    def _helps(self, field: Field, choices: Sequence[Choice], who: str) -> bool:
        """Is it for somebody's own side? The game proposes one of them then, though there are others."""
        if field.name != self.kind.done_to or field.ask is None or not field.ask.first:
            return False
        own = (self._own(who, c.value) for c in choices if not c.closed)
        return next(own, False) and not all(own)

    def _targets(self, who: str) -> dict[object, int]:
        if who not in self._places:
            ranked = against(self.meant.people, who) if who else list(self.meant.people)
            self._places[who] = {name: i for i, p in enumerate(ranked) for name in (p.id, p.name)}
        return self._places[who]

    def _before(self, field: Field, answers: Mapping[str, object]) -> dict[str, object]:
        """The answers that a field's own depend on: those to the fields before it, in their order."""
        names = [f.name for f in fields(self.kind)]
        return {name: answers[name] for name in names[: names.index(field.name)] if name in answers}

    def fields(self, answers: Mapping[str, object]) -> list[Field]:
        """The fields as they are asked after some answers; those that are not asked are left out."""
        found = [self.table.shaped(self.kind, f, answers) for f in fields(self.kind)]
        return [field for field in found if field is not None]

    def fill(self, preset: Mapping[str, object]) -> dict[str, object]:
        """Answers to all that has to be said and can be guessed; numbers and texts where the game proposes one."""
        answers = dict(preset)
        for declared in fields(self.kind):
            field = self.table.shaped(self.kind, declared, answers)
            if field is not None and field.name not in answers and self._guessed(field):
                choices = self.choices(field, answers)
                if (found := self._guess(field, choices, answers)) is not None:
                    answers[field.name] = found.value
        return answers

    def _guessed(self, field: Field) -> bool:
        roles = (self.kind.done_by, self.kind.done_to, self.kind.done_with)
        proposed = bool(field.ask and field.ask.first)
        if field.kind != "choice":
            return proposed and field.kind in ("number", "text")
        return field.required or field.name in roles or proposed

    def _guess(self, field: Field, choices: Sequence[Choice], answers: Mapping[str, object]) -> Choice | None:
        who = str(answers.get(self.kind.done_by) or "")
        if self._helps(field, choices, who):
            under = self.meant.under if self.meant.pointed and self._own(who, self.meant.under) else ""
            return chosen(choices, under) or next((c for c in choices if not c.closed), None)
        for value in self._wanted(field, answers):
            if (found := chosen(choices, value, self.meant.people)) is not None:
                return found
        if field.name == self.kind.done_to and (not field.required or self._beaten(answers)):
            return None  # nobody is meant: it may be left out, or has to be said
        if field.name == self.kind.done_to and self.kind.done_by:
            return next((c for c in choices if not c.closed and not self._own(who, c.value)), None)
        return next((c for c in choices if not c.closed), None)

    def _wanted(self, field: Field, answers: Mapping[str, object]) -> Iterable[object]:
        """What may be meant, the likeliest first."""
        kind, meant = self.kind, self.meant
        away = {name for p in meant.people if p.away for name in (p.id, p.name)}
        if field.name == "who" != kind.done_by and not field.required and field.ask and field.ask.first:
            return  # the game itself says who comes first: whoever it was prepared for
        if field.name in meant.also:
            yield meant.also[field.name]
        if field.name == kind.done_by:
            yield from meant.allies
            yield meant.up
            heroes = {p.id for p in meant.people if p.allegiance == "party"}
            if meant.pointed and meant.under in heroes:
                yield meant.under  # while nobody is up, the cursor is on whoever acts
            if (last := self._last(field, {})) not in away:
                yield last
            yield from sorted((p.id for p in meant.people if p.allegiance == "party"), key=lambda who: who in away)
        elif field.name == kind.done_to:
            who = str(answers.get(kind.done_by) or "")
            if meant.pointed and meant.under != who:
                yield meant.under
            # whoever is out already is nobody's next target; they can still be chosen
            out = away | {p.id for p in meant.people if p.out} if kind.done_by else set()
            if (not kind.done_by or self._foes(who, meant.under)) and meant.under not in out:
                yield meant.under
            if (last := self._last(field, {kind.done_by: who} if who else {})) not in out:
                yield last
            if not self._beaten(answers):
                yield from (p.id for p in against(meant.people, who) if not self._own(who, p.id))
        elif field.name == kind.done_with:
            yield self._last(field, {kind.done_by: answers.get(kind.done_by)})
        elif field.name == "who":
            yield meant.under
        else:
            of = kind.done_to or kind.done_by
            yield self._last(field, {of: answers.get(of)} if of else {})

    def _own(self, who: str, other: object) -> bool:
        """Do two stand on the same side?"""
        me, them = self._people.get(who), self._people.get(str(other))
        return me is not None and them is not None and me is not them and _distance(me, them) == 2

    def _foes(self, who: str, other: str) -> bool:
        me, them = self._people.get(who), self._people.get(other)
        return me is not None and them is not None and me is not them and opposed(me, them)

    def _beaten(self, answers: Mapping[str, object]) -> bool:
        """Is everybody out against whom somebody stands? Neither their own side is meant then, nor any bystander."""
        who = str(answers.get(self.kind.done_by) or "")
        me = next((p for p in self.meant.people if p.id == who), None)
        foes = [p for p in self.meant.people if me and p is not me and opposed(me, p)]
        near = [p for p in foes if not p.away] or foes
        return bool(near) and all(p.out for p in near)

    def _last(self, field: Field, like: Mapping[str, object]) -> Any:
        """What was said the last time that this was done by, or to, the same one."""
        last = self.table.last  # of a replay, the step that is shown
        for entry in reversed(self.table.timeline.entries[max(last - BACK, 0) : last]):
            action = entry.action
            if type(action) is self.kind and all(getattr(action, k) == v for k, v in like.items() if k):
                return getattr(action, field.name)
        return None
