"""An action's fields, asked one by one with numbered answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..rules import Action, Choice, Field, fields, tag_of
from .words import sentence

LEAVE = "."
"""Typed alone it leaves a question, and what was being done."""
MANY = 20
"""So many answers are told; more are typed by their words."""
YES, NO = ("yes", "y", "1"), ("no", "n", "2")


Mine = Callable[[Field, Mapping[str, Any]], bool]
"""Is a field for this seat to answer, given the ones before it?"""


class Dropped(Exception):
    """Whoever was asked has thought better of it."""


class Asker:
    """Asks, and gives what was answered in the shape that fields have."""

    def __init__(
        self,
        say: Callable[[str], None],
        ask: Callable[[str], str],
        choices: Callable[[type[Action], Field, Mapping[str, Any]], Sequence[Choice]],
        shaped: Callable[[type[Action], Field, Mapping[str, Any]], Field | None],
        meant: Callable[[type[Action], Mapping[str, Any]], Mapping[str, Any]],
    ) -> None:
        """`shaped` says how a field is asked after some answers, if it is; `meant` fills in what nobody said."""
        self.say, self._ask, self._choices, self._shaped, self._meant = say, ask, choices, shaped, meant

    def line(self, question: str) -> str:
        """A line; a full stop alone leaves."""
        answer = self._ask(question).strip()
        if answer == LEAVE:
            raise Dropped
        return answer

    def yes(self, question: str) -> bool:
        """Yes or no."""
        while True:
            answer = self.line(f"{question} 1 yes, 2 no:").lower()
            if answer in YES or answer in NO:
                return answer in YES
            self.say("Type yes or no.")

    def form(self, kind: type[Action], preset: Mapping[str, Any], mine: Mine) -> dict[str, Any]:
        """What an action's fields were answered with: what must be said, then what may be."""
        answers = dict(preset)
        title = kind.title or tag_of(kind)
        for declared in fields(kind):
            field = self._shaped(kind, declared, answers)
            if field and field.required and field.name not in answers and mine(field, answers):
                answers[field.name] = self.field(kind, field, answers, title)
        for field in self._left(kind, preset, answers, mine):
            if field.ask is not None and field.ask.first:  # what the game proposes
                free = [c.value for c in self._choices(kind, field, answers) if not c.closed]
                answers.update({field.name: free[0]} if free else {})
        self._more(kind, preset, answers, mine)
        return answers

    def _left(
        self, kind: type[Action], preset: Mapping[str, Any], answers: Mapping[str, Any], mine: Mine
    ) -> list[Field]:
        """The fields that are asked and may be left as they are."""
        asked = (self._shaped(kind, declared, answers) for declared in fields(kind) if declared.name not in preset)
        return [f for f in asked if f is not None and not f.required and mine(f, answers)]

    def _more(self, kind: type[Action], preset: Mapping[str, Any], answers: dict[str, Any], mine: Mine) -> None:
        """Fields that may be left as they are."""
        while rest := self._left(kind, preset, answers, mine):
            self.say("You may also say:")
            for number, field in enumerate(rest, 1):
                now = self._told(kind, field, answers)
                self.say(f"{number}. {field.label}, now {now}.")
            answer = self.line("A number, or nothing to go on:")
            if not answer:
                return
            if not (answer.isdecimal() and 1 <= int(answer) <= len(rest)):
                self.say("There is no such number. A full stop alone leaves.")
                continue
            field = rest[int(answer) - 1]
            answers.pop(field.name, None)
            answers[field.name] = self.field(kind, field, answers, kind.title or tag_of(kind))

    def _told(self, kind: type[Action], field: Field, answers: Mapping[str, Any]) -> str:
        value = answers.get(field.name, field.default)
        if value == field.default and field.hint:
            return field.hint
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value in ("", None, ()):
            return "nothing"
        words = {c.value: c.words for c in self._choices(kind, field, answers)} if field.ask is not None else {}
        some = value if isinstance(value, tuple | list) else (value,)
        return ", ".join(str(words.get(one, one)) for one in some)

    def field(self, kind: type[Action], field: Field, answers: Mapping[str, Any], title: str) -> Any:
        """One field's answer."""
        question = f"{title}, {field.label}?"
        if field.kind == "yes":
            return self.yes(question)
        if field.kind == "number":
            return self._number(field, question)
        if field.kind == "text":
            return self._text(field, question)
        found = self._choices(kind, field, answers)
        if field.kind == "choices":
            return self._several(found, question)
        return self._one(found, question, field, self._meant(kind, answers).get(field.name))

    def _number(self, field: Field, question: str) -> int | None:
        limits = f" {field.low} to {field.high}" if field.high < 1_000_000 else " a number"
        while True:
            answer = self.line(f"{question}{limits}:")
            if not answer and not field.required:
                default: int | None = field.default
                return default
            if answer.removeprefix("-").isdecimal() and field.low <= int(answer[:9]) <= field.high:
                return int(answer[:9])
            self.say(sentence("Type a number", f"from {field.low} to {field.high}" if field.high < 1_000_000 else ""))

    def _text(self, field: Field, question: str) -> str:
        while True:
            answer = self.line(f"{question} In your words:")
            if answer or not field.required:
                return answer
            self.say("Type a word or two; a full stop alone leaves.")

    def _number_them(self, found: Sequence[Choice], question: str) -> list[Choice]:
        free = [c for c in found if not c.closed]
        self.say(question)
        for number, choice in enumerate(free[:MANY], 1):
            self.say(f"{number}. {sentence(choice.words, choice.note)}")
        if len(free) > MANY:
            self.say(f"And {len(free) - MANY} more, to {free[-1].words}: type how one begins.")
        if shut := [f"{c.words}, {c.closed}" for c in found if c.closed]:
            self.say(f"Not now: {'; '.join(shut)}.")
        return free

    def one(self, free: Sequence[Choice], question: str) -> Any:
        """One of these, by its number."""
        self._number_them(free, question)
        while (choice := chosen(self.line("A number:"), free)) is None:
            self.say(f"Type a number from 1 to {len(free)}, or a full stop to leave.")
        return choice.value

    def _one(self, found: Sequence[Choice], question: str, field: Field, meant: Any = None) -> Any:
        other = field.ask is not None and field.ask.other
        free = [c for c in found if not c.closed]
        if len(free) == 1 and field.required and not other:
            self.say(f"{question} {free[0].words}, as there is nothing else.")
            return free[0].value
        free = self._number_them(found, question)
        if not free and not other:
            self.say("There is nothing to choose from now.")
            raise Dropped
        usual = next((c for c in free if field.required and c.value == meant), None)
        ways = ["A number", *(["any other words"] if other else [])]
        ways += [f"nothing for {usual.words}"] if usual else []
        while True:
            answer = self.line(f"{', '.join(ways[:-1])}{', or ' if len(ways) > 1 else ''}{ways[-1]}:")
            if (choice := chosen(answer, free)) is not None or (not answer and (choice := usual) is not None):
                return choice.value
            if not answer and not field.required:
                return field.default
            if answer and other:
                return answer
            self.say(f"Type a number from 1 to {len(free)}, or a full stop to leave.")

    def _several(self, found: Sequence[Choice], question: str) -> tuple[Any, ...]:
        free = self._number_them(found, question)
        while True:
            words = self.line("Numbers, in their order, or nothing for none:").replace(",", " ").split()
            picked = [chosen(word, free) for word in words]
            if None not in picked and len(set(words)) == len(words):
                return tuple(choice.value for choice in picked if choice is not None)
            self.say(f"Type each number once, from 1 to {len(free)}.")


def chosen(answer: str, free: Sequence[Choice]) -> Choice | None:
    """A choice by its number, its words, its value, or by how only its words begin."""
    if answer.isdecimal():
        return free[int(answer) - 1] if len(answer) < 6 and 1 <= int(answer) <= len(free) else None
    wanted = answer.casefold()
    if not wanted:
        return None
    same = [c for c in free if wanted in (c.words.casefold(), str(c.value).casefold())]
    alike = same or [c for c in free if c.words.casefold().startswith(wanted)]
    return alike[0] if len(alike) == 1 else None
