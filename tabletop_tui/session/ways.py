"""The ways to do what whoever is up would do: a skill or a weapon each, against whoever is meant and some others."""

from __future__ import annotations

import msgspec

from ..rules import Action, Model, Option, Refused, fields, values
from .meant import Filler, Meant, against, opposed
from .table import Table

MOST = 6
"""Ways that are listed, and the digits that choose them."""


class Way(Model):
    """A skill or a weapon, and the action with it against each of those in the columns."""

    value: object
    label: str
    note: str
    actions: tuple[Action | None, ...]


class Ways(Model):
    """What would be done, by whom, to whom and how."""

    option: Option
    who: str
    target: str
    columns: tuple[str, ...]
    """The ids of those against whom it could be done, whoever is meant first."""
    rows: tuple[Way, ...]
    chosen: int
    """The way that was used last, or the first."""
    rest: str
    """What else is meant: what the other one uses."""
    answers: dict[str, object]
    more: int = 0
    """Ways that are not listed here: the form has them all."""


def aimed(table: Table, option: Option, meant: Meant) -> tuple[str, str]:
    """Who would do something, and to whom; empty where nobody is meant."""
    kind = type(option.action)
    if not kind.done_to:
        return "", ""
    try:
        answers = Filler(table, kind, meant).fill(said_by(option))
    except Refused:  # the engine fails: the form says why
        return "", ""
    return str(answers.get(kind.done_by, "")), str(answers.get(kind.done_to, ""))


def said_by(option: Option) -> dict[str, object]:
    """What the option itself says."""
    return {name: value for name, value in values(option.action).items() if value not in ("", ())}


def ways(table: Table, option: Option, meant: Meant, columns: int) -> Ways | None:
    """The ways to do something; none where the game lists nothing to do it with, or nobody can."""
    kind = type(option.action)
    if not kind.done_with:
        return None
    said = said_by(option)
    filler = Filler(table, kind, meant)
    try:
        answers = filler.fill(said)
        found = {f.name: f for f in fields(kind)}
        every = [c for c in filler.choices(found[kind.done_with], answers) if not c.closed]
        free = every[:MOST]
        who, target = str(answers.get(kind.done_by, "")), str(answers.get(kind.done_to, ""))
        targets = _columns(meant, who, target, columns) if kind.done_to else ("",)
        roles = {name: answers[name] for name in (kind.done_by,) if name in answers}
        rows = []
        for c in free:
            made = [_made(filler, kind, {**said, **roles, kind.done_with: c.value}, t, meant) for t in targets]
            rows.append(Way(c.value, c.words, c.note, tuple(made)))
        rest = [
            f
            for f in found.values()
            if f.required and f.name not in (*said, kind.done_by, kind.done_with, kind.done_to)
        ]
        words = []
        for field in (f for f in rest if f.name in answers):
            label = {c.value: c.words for c in filler.choices(field, answers)}
            words.append(f"{field.label} {label.get(answers[field.name], answers[field.name])}")
    except Refused:  # the engine fails: the form says why
        return None
    at = next((i for i, w in enumerate(rows) if w.value == answers.get(kind.done_with)), 0)
    more = len(every) - len(free)
    return Ways(option, who, target, targets, tuple(rows), at, ", ".join(words), answers, more) if rows else None


def _columns(meant: Meant, who: str, target: str, most: int) -> tuple[str, ...]:
    """Whoever is meant, and the first others of the other side; of several of a kind one."""
    me = next((p for p in meant.people if p.id == who), None)
    names = {p.id: p for p in meant.people}
    ids = [target if target in names else next((p.id for p in meant.people if p.name == target), target)]
    groups = {names[i].group for i in ids if i in names and names[i].group}
    for p in against(meant.people, who):
        if p.id not in ids and me and opposed(me, p) and not (p.out or p.away) and p.group not in groups:
            ids.append(p.id)
            groups |= {p.group} if p.group else set()
    return tuple(ids[:most])


def _made(filler: Filler, kind: type[Action], said: dict[str, object], target: str, meant: Meant) -> Action | None:
    """The whole action against somebody; none where it cannot be aimed at them."""
    aim = next((f for f in fields(kind) if f.name == kind.done_to), None)
    if aim is not None and target:
        names = {target, *(p.name for p in meant.people if p.id == target)}
        choice = next((c for c in filler.choices(aim, said) if c.value in names and not c.closed), None)
        if choice is None:
            return None
        said = {**said, aim.name: choice.value}
    answers = filler.fill(said)
    if any(f.required and f.name not in answers for f in fields(kind)):
        return None
    made: Action = msgspec.convert(answers, kind, str_keys=True)
    return made
