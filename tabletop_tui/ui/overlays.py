"""What can lie over a page: a form, a list to choose from, a question. Plain objects without focus.

Each takes keys one after the other, so a burst of keys over a slow line does what slow typing does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from textual.content import Content

from ..rules import Action, Choice, Field, Odds, choices, fields, tag_of
from .pools import chance_lines, pool_lines
from .text import ACCENT, DIM, FAINT, INK, cells, fit, heading, join, keycap, line, with_more

DONE, CANCEL, ROLL, TYPE = "done", "cancel", "roll", "type"
OTHER = object()
"""In place of a choice: any text."""


class Lister:
    """A list with a cursor: digits choose the first nine, arrows and Enter any."""

    def __init__(
        self, title: str, items: Sequence[tuple[str, str, str]], values: Sequence[Any], cursor: int = 0
    ) -> None:
        self.title = title
        self.items = list(items)
        """(label, note, why it is closed)."""
        self.values = list(values)
        self.cursor = min(max(cursor, 0), max(len(self.items) - 1, 0))
        self.top = 0
        self.picked: Any = None

    def key(self, key: str, character: str | None) -> str:
        """DONE when `picked` was chosen."""
        if key in ("down", "up"):
            self.cursor = (self.cursor + (1 if key == "down" else -1)) % max(len(self.items), 1)
        elif key in ("pagedown", "pageup"):
            self.cursor = min(max(self.cursor + (8 if key == "pagedown" else -8), 0), max(len(self.items) - 1, 0))
        elif key == "escape":
            return CANCEL
        elif key == "enter":
            return self.pick(self.cursor)
        elif character and character in "123456789" and int(character) <= len(self.items):
            return self.pick(int(character) - 1)
        return ""

    def pick(self, place: int) -> str:
        """Choose one, unless it is closed."""
        self.cursor = place
        if not 0 <= place < len(self.items) or self.items[place][2]:
            return ""
        self.picked = self.values[place]
        return DONE

    def lines(self, width: int, height: int, rows: dict[int, Any], offset: int = 0) -> list[Content]:
        """The part of the list around the cursor."""
        room = max(height, 1)
        self.top = min(max(self.top, self.cursor - room + 1), self.cursor)
        name = min(max((cells(label) for label, _, _ in self.items), default=0), max(width - 22, 12))
        out: list[Content] = []
        end = min(self.top + room, len(self.items))
        for place in range(self.top, end):
            label, note, closed = self.items[place]
            here = place == self.cursor
            number = f"{place + 1}" if place < 9 else " "
            style = FAINT if closed else f"bold {INK}" if here else INK
            rows[offset + len(out)] = place
            out.append(
                line(
                    ("▸" if here else " ", ACCENT),
                    (f"{number} ", FAINT if closed else f"bold {ACCENT}"),
                    (fit(label, name), style),
                    (f"  – {closed}" if closed else "", FAINT),
                    (f"  {note}" if note else "", FAINT if closed else DIM),
                )
            )
        return with_more(out, self.top, len(self.items) - end, width)


class Form:
    """An action's fields, asked one after the other; then its odds, and Enter does it."""

    def __init__(
        self,
        kind: type[Action],
        world: Any,
        preset: dict[str, Any] | None = None,
        hints: dict[str, Any] | None = None,
    ) -> None:
        self.kind, self.world = kind, world
        self.fields = fields(kind)
        self.answers: dict[str, Any] = dict(preset or {})
        self.hints = hints or {}
        """Where the cursor stands at first."""
        self.asking: Field | None = None
        self.list: Lister | None = None
        self.ticked: list[Any] = []
        """In the order in which they were ticked: in a turn order that is what counts."""
        self.text = ""
        self.wrong = ""
        self.odds: Odds | None = None
        self.closed = kind.when(world)
        self.at = 0
        """Which of the fields that may be left out is under the cursor."""
        self.proposed: set[str] = set()
        """Answers that the form gave by itself; they follow what is answered before them."""
        self.next()

    @property
    def title(self) -> str:
        """What is being done."""
        return self.kind.title or tag_of(self.kind)

    def next(self) -> None:
        """Ask the next required field that has no answer; none left means ready."""
        for field in self.fields:
            if field.required and field.name not in self.answers:
                self.ask(field)
                if self.list and field.kind == "choice":
                    free = [i for i, item in enumerate(self.list.items) if not item[2]]
                    if len(free) == 1:  # nothing to choose between
                        self.answers[field.name] = self.list.values[free[0]]
                        continue
                return
        self.asking = None
        self.list = None
        self._propose()

    def _propose(self) -> None:
        for field in self.optional:
            mine = field.name not in self.answers or field.name in self.proposed
            if mine and field.ask is not None and field.ask.first:
                free = [c.value for c in choices(field, self.world, self.answers) if not c.closed]
                if free:
                    self.proposed.add(field.name)
                    self.answers[field.name] = free[0]

    def ask(self, field: Field) -> None:
        """Put one question."""
        self.asking, self.text, self.wrong, self.list = field, "", "", None
        if field.kind in ("choice", "choices", "yes"):
            answers: Sequence[Choice] = choices(field, self.world, self.answers)
            if field.ask is not None and field.ask.other:
                answers = [*answers, Choice(OTHER, "something else …")]
            wanted = self.answers.get(field.name, self.hints.get(field.name))
            cursor = next((i for i, c in enumerate(answers) if c.value == wanted), -1)
            if cursor < 0:
                cursor = next((i for i, c in enumerate(answers) if not c.closed), 0)
            self.list = Lister(
                field.label, [(c.words, c.note, c.closed) for c in answers], [c.value for c in answers], cursor
            )
            self.ticked = list(self.answers.get(field.name) or ()) if field.kind == "choices" else []
        elif field.name in self.answers:
            self.text = str(self.answers[field.name])

    def refuse(self, words: str, _severity: str) -> None:
        """It could not be done: the reason stands in the form."""
        self.wrong = words

    @property
    def optional(self) -> list[Field]:
        """Fields that may be left as they are."""
        return [f for f in self.fields if not f.required]

    def action(self) -> Action | None:
        """The action, once everything that must be answered is."""
        if self.asking is not None:
            return None
        made: Action = msgspec.convert(self.answers, self.kind, str_keys=True)
        return made

    def key(self, key: str, character: str | None) -> str:
        """DONE, TYPE or CANCEL, or nothing yet."""
        if key == "escape":
            return CANCEL
        if self.asking is None:
            return self._ready_key(key, character)
        if self.list is not None:
            return self._list_key(key, character)
        return self._text_key(key, character)

    def _ready_key(self, key: str, character: str | None) -> str:
        if key == "enter" or character == "r":
            return DONE
        if character == "t":
            return TYPE
        if key == "backspace":
            required = [f for f in self.fields if f.required]
            if required:
                self.answers.pop(required[-1].name, None)
                self.next_after_back(required[-1])
        elif key in ("up", "down") and self.optional:
            self.at = (self.at + (1 if key == "down" else -1)) % len(self.optional)
        elif (key == "space" and self.optional) or (
            character and character in "123456789" and int(character) <= len(self.optional)
        ):
            self.at = self.at if key == "space" else int(str(character)) - 1
            field = self.optional[self.at]
            if field.kind == "yes":
                self.answers[field.name] = not self.answers.get(field.name, field.default)
            else:
                self.ask(field)
                only = self.list and len(self.list.items) == 2 and set(self.list.values) == {True, False}
                if only and self.list:  # a switch: no need to open it
                    self.asking, wanted = None, not self.answers.get(field.name, field.default)
                    at = self.list.values.index(wanted)
                    self.wrong = self.list.items[at][2]
                    if not self.wrong:
                        self.answers[field.name] = wanted
                    self.list = None
        return ""

    def next_after_back(self, field: Field) -> None:
        """One step back: ask again what was answered last."""
        self.ask(field)

    def _list_key(self, key: str, character: str | None) -> str:
        assert self.list is not None
        assert self.asking is not None
        if key == "backspace":
            self._back()
            return ""
        if self.asking.kind == "choices":
            return self._tick_key(key, character)
        if self.list.key(key, character) == DONE:
            if self.list.picked is OTHER:
                self.list = None
                return ""
            self._set(self.asking, self.list.picked)
        return ""

    def _set(self, field: Field, value: Any) -> None:
        self.answers[field.name] = value
        self.proposed.discard(field.name)
        self.next()

    def _tick_key(self, key: str, character: str | None) -> str:
        assert self.list is not None
        assert self.asking is not None
        if key == "enter":
            self.answers[self.asking.name] = tuple(self.ticked)
            self.next()
        elif self.list.key("enter" if key == "space" else key, character) == DONE:
            if self.list.picked in self.ticked:
                self.ticked.remove(self.list.picked)
            else:
                self.ticked.append(self.list.picked)
        return ""

    def _text_key(self, key: str, character: str | None) -> str:
        field = self.asking
        assert field is not None
        if key == "backspace":
            if not self.text:
                self._back()
            self.text = self.text[:-1]
        elif key == "ctrl+u":
            self.text = ""
        elif key == "enter":
            self._answer(field)
        elif character and character.isprintable() and (field.kind != "number" or character in "0123456789-"):
            self.text += character
            self.wrong = ""
        return ""

    def paste(self, text: str) -> None:
        """Text from the clipboard, into a text field."""
        if self.asking is not None and self.list is None:
            self.text += "".join(c for c in text if c.isprintable())

    def _answer(self, field: Field) -> None:
        if field.kind == "number" and not self.text and not field.required:
            self.answers.pop(field.name, None)  # nothing was typed: it stays as it was meant
        elif field.kind == "number":
            try:
                number = int(self.text[:8])
            except ValueError:
                self.wrong = "a whole number is needed"
                return
            if not field.low <= number <= field.high:
                self.wrong = f"from {field.low} to {field.high}"
                return
            self.answers[field.name] = number
        elif field.required and not self.text.strip():
            self.wrong = "a word or two are needed"
            return
        else:
            self.answers[field.name] = self.text.strip()
        self.next()

    def _back(self) -> None:
        names = [f for f in self.fields if f.required]
        place = next((i for i, f in enumerate(names) if f is self.asking), 0)
        if place > 0:
            self.answers.pop(names[place - 1].name, None)
            self.ask(names[place - 1])

    def lines(self, width: int, height: int, rows: dict[int, Any]) -> list[Content]:
        """Answers so far, the question, or what it all comes to."""
        out = [heading(self.title, width, active=True)]
        for field in self.fields:
            if field.required and field.name in self.answers:
                out.append(line((f" {field.label}  ", DIM), (self._words(field), f"bold {INK}"), *self._note(field)))
        if self.closed:
            out.append(line((f" – {self.closed}", "$bad")))
        if self.asking is not None:
            out += self._question(width, height - len(out), rows, len(out))
        else:
            out += self._ready(width, height - len(out))
        return out

    def _words(self, field: Field) -> str:
        value = self.answers.get(field.name, field.default)
        if field.ask is not None:
            words = {c.value: c.words for c in choices(field, self.world, self.answers)}
            if not isinstance(value, tuple):
                return words.get(value, str(value)) or "–"
            return ", ".join(words.get(one, str(one)) for one in value) or "–"
        if isinstance(value, bool):
            return "yes" if value else "no"
        return str(value) if value not in ("", None, ()) else "–"

    def _note(self, field: Field) -> list[tuple[str, str]]:
        """What an answer means or brings."""
        value = self.answers.get(field.name, field.default)
        if field.hint and value == field.default:
            return [(f"  {field.hint}", FAINT)]
        if field.ask is None or isinstance(value, tuple):
            return []
        found = next((c for c in choices(field, self.world, self.answers) if c.value == value), None)
        return [(f"  {found.note}", DIM)] if found and found.note else []

    def _question(self, width: int, room: int, rows: dict[int, Any], offset: int) -> list[Content]:
        field = self.asking
        assert field is not None
        out = [line((" ▲ ", ACCENT), (f"{field.label}?", f"bold {INK}"))]
        if self.list is not None:
            body = self.list.lines(width, max(room - 2, 3), rows, offset + 1)
            if field.kind == "choices":
                start = self.list.top
                body = [
                    line(("[x]" if self.list.values[start + i] in self.ticked else "[ ]", ACCENT)) + one
                    for i, one in enumerate(body)
                ]
                out[0] = out[0] + line(("   space or digits tick, enter goes on", DIM))
            return out + (body or [line(("   there is nothing to choose", FAINT))])
        limits = f"  {field.low} to {field.high}" if field.kind == "number" and field.high < 1_000_000 else ""
        limits += f"   {field.default}: {field.hint}" if field.hint else ""
        out.append(line((f"   {self.text}", f"bold {INK}"), ("▏", ACCENT), (limits, FAINT)))
        if self.wrong:
            out.append(line((f"   {self.wrong}", "$bad")))
        return out

    def _ready(self, width: int, height: int) -> list[Content]:
        """What may still be changed, what it comes to, and the keys; the chances are in sight whatever there is."""
        below: list[Content] = [line((f"   {self.wrong}", "$bad"))] if self.wrong else []
        if self.odds is not None:
            pools = pool_lines(self.odds.pools, width)
            full = chance_lines(self.odds, width)
            roomy = height - len(below) - len(pools) - len(full) - 1 >= min(len(self.optional), 3)
            below += [*pools, *(full if roomy else chance_lines(self.odds, width, compact=True))]
        keys = [
            keycap("enter", "roll" if self.odds else "do it"),
            keycap("backspace", "back"),
            keycap("esc", "leave"),
        ]
        if self.odds:
            keys.insert(1, keycap("t", "type dice"))
        room = max(height - len(below) - 1, 2)
        if len(self.optional) > min(room, 9):
            keys.insert(0, keycap("↑↓ space", "change"))
        below.append(line((" ", "")) + join(keys, "   "))
        first = min(max(self.at - room + 1, 0), max(len(self.optional) - room, 0))
        out = []
        for place, field in list(enumerate(self.optional))[first : first + room]:
            number = f"{place + 1}" if place < 9 else " "
            mark = "▸" if place == self.at and len(self.optional) > min(room, 9) else " "
            out.append(
                line(
                    (f"{mark}{number} ", f"bold {ACCENT}"),
                    (f"{field.label}  ", DIM),
                    (self._words(field), INK),
                    *self._note(field),
                )
            )
        return out + below


class Question:
    """One line of text."""

    def __init__(self, title: str, text: str = "", hint: str = "") -> None:
        self.title, self.text, self.hint = title, text, hint

    def key(self, key: str, character: str | None) -> str:
        """DONE when Enter ends a text that is not empty."""
        if key == "escape":
            return CANCEL
        if key == "enter":
            return DONE if self.text.strip() else ""
        if key == "backspace":
            self.text = self.text[:-1]
        elif key == "ctrl+u":
            self.text = ""
        elif character and character.isprintable():
            self.text += character
        return ""

    def paste(self, text: str) -> None:
        """Text from the clipboard."""
        self.text += "".join(c for c in text if c.isprintable())

    def lines(self, width: int, height: int, rows: dict[int, Any]) -> list[Content]:
        """The question and what has been typed."""
        del height, rows
        return [
            heading(self.title, width, active=True),
            line((" ▲ ", ACCENT), (self.text, f"bold {INK}"), ("▏", ACCENT)),
            line((f"   {self.hint}", DIM)),
            line((" ", "")) + join([keycap("enter", "go on"), keycap("esc", "leave")], "   "),
        ]
