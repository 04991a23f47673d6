"""What a form holds while it is filled in: the answers, what follows from them, the line under the cursor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ...rules import Action, Choice, Field, Odds, Refused, fields, tag_of
from ...session import Table
from ...session.meant import Filler, Meant, chosen
from .field import TextField

OTHER = object()
"""In place of a choice: any text."""
DIGITS = "0123456789-"
NUMBERED = 9
"""Choices that a digit reaches."""
FEW = 2
"""Fields that may be left out beside a question that is asked in the band."""


class Draft:
    """The fields of an action, filled in as far as anybody said or they can be guessed."""

    def __init__(
        self,
        kind: type[Action],
        table: Table,
        preset: Mapping[str, object] | None = None,
        meant: Meant | None = None,
    ) -> None:
        self.kind, self.table = kind, table
        self.world = table.seen()
        self.title = kind.title or tag_of(kind)
        self.about = " ".join((kind.__doc__ or "").split())
        self.meant = meant or Meant()
        self.filler = Filler(table, kind, self.meant)
        self.fields: tuple[Field, ...] = ()
        """As they are asked after the answers so far."""
        self.own: dict[str, object] = dict(preset or {})
        """What somebody answered; the rest follows it."""
        self.wrong = ""  # what is wrong with what was typed, or why it was refused
        self.refused = ""  # why it would be refused as it stands
        self.wrote = False  # was a text typed into it?
        self.odds: Odds | None = None
        self.told: tuple[str, ...] = ()
        """What it would change, where that is certain."""
        self.hopes: dict[object, float] = {}
        """The chance against each target, by its value."""
        self.closed = table.engine.when(kind, self.world)
        self.answers: dict[str, object] = {}
        self.under = 0
        """Which of several choices is under the cursor, where more than one can be ticked."""
        self.shown: frozenset[object] = frozenset()
        """Who stands there: their digits are drawn in the roster."""
        self.field = TextField()
        self.typing = False  # is any other text being typed in place of a choice?
        self.at = 0
        self._refill()
        self.sure = all(len(self.open(f)) == 1 for f in self.required if f.name not in self.own)
        """Is there nothing to choose?"""
        self.one = self._one()
        self.go(self.fields.index(self.one) if self.one else self._first())

    # ---- what is asked

    def _asked(self) -> tuple[Field, ...]:
        """Who, to whom and with what first, then what must be said, then the rest; what is not asked is left out."""
        kind = self.kind
        roles = [name for name in (kind.done_by, kind.done_to, kind.done_with) if name]
        found = sorted(self.filler.fields(self.answers), key=lambda f: not f.required)
        return tuple(sorted(found, key=lambda f: roles.index(f.name) if f.name in roles else len(roles)))

    def _refill(self) -> None:
        """What nobody answered follows what somebody did."""
        line = self.line
        try:
            self.answers = self.filler.fill(self.own)
            self.fields = self._asked()
        except Refused as no:
            self.answers, self.wrong = dict(self.own), str(no)
            self.fields = self.fields or fields(self.kind)
        names = [f.name for f in self.fields]
        self.at = names.index(line.name) if line and line.name in names else min(self.at, max(len(names) - 1, 0))

    def _one(self) -> Field | None:
        """The one number or word that matters, where everything else is known: it is asked in the band."""
        open_ = [f for f in self.fields if f.required and f.name not in self.answers]
        rest = [f for f in self.fields if not f.required]
        aim = self.kind.done_to
        known = {aim, self.kind.done_by, *self.own}
        known |= {f.name for f in self.required if f.kind == "choice" and len(self.open(f)) == 1}
        sure = all(f.name in known or f in open_ for f in self.required)
        if len(open_) == 1 and sure and len(rest) <= FEW and self._plain(open_[0]):
            return open_[0]
        if not open_ and aim and rest and len(rest) <= FEW and [f.name for f in self.fields if f.required] == [aim]:
            return rest[0] if rest[0].kind == "number" else None
        return None

    def _plain(self, field: Field) -> bool:
        """Is a field typed: a number, a text, or any words where there is nothing to choose from?"""
        return field.kind in ("number", "text") or [c.value for c in self.choices(field)] == [OTHER]

    def _first(self) -> int:
        """The line under the cursor at first: what is still open, whom it is done to, or the first choice."""
        if self.missing:
            first = self.fields.index(self.missing[0])
            return open_ if 0 <= (open_ := self.next_open(-1)) < first else first
        said = {self.kind.done_by, *self.own}
        several = [i for i, f in enumerate(self.fields) if len(self.open(f)) > 1 and f.name not in said]
        named = [i for i in several if self.fields[i].name == self.kind.done_to]
        must = [i for i in several if self.fields[i].required]
        roles = (self.kind.done_to, self.kind.done_with)
        said_for = [i for i, f in enumerate(self.fields) if f.name in roles and len(self.open(f)) > 1]
        return next(iter((*named, *must, *several, *said_for)), 0)

    @property
    def missing(self) -> list[Field]:
        """Fields that must be answered and are not; one that is being typed may be so by now."""
        return [f for f in self.fields if (f.required and f.name not in self.answers) or f is self.unsaid]

    @property
    def unsaid(self) -> Field | None:
        """The line that takes words in place of a choice, while there are none: nothing is meant then."""
        field = self.line
        wordless = field is not None and field.kind == "choice" and self.typing and not self.field.text.strip()
        return field if wordless and field is not None and not self._plain(field) else None

    def next_open(self, after: int) -> int:
        """The next line that must be answered and that only the form has answered so far, if anybody; or none."""
        roles = (self.kind.done_by, self.kind.done_to, self.kind.done_with)
        for place, field in list(enumerate(self.fields))[after + 1 :]:
            guessed = field.required and field.name not in self.own and field.name not in roles
            if guessed and self._can_answer(field) and (field.name not in self.answers or len(self.open(field)) > 1):
                return place
        return -1

    def _can_answer(self, field: Field) -> bool:
        """Is there anything to choose? What somebody defends with waits until it is said who that is."""
        return field.ask is None or bool(self.open(field))

    @property
    def first_missing(self) -> int:
        """The place of the first line that must be answered, is not, and can be."""
        found = next((f for f in self.missing if self._can_answer(f)), self.missing[0])
        return self.fields.index(found)

    def onward(self) -> int:
        """The line after one that was answered: what must be said, or the next of the first choices; or it stays."""
        roles = (self.kind.done_by, self.kind.done_to, self.kind.done_with)
        for place, field in list(enumerate(self.fields))[self.at + 1 :]:
            known = field.name in self.own or field.name in self.meant.also
            first = field.name in roles or (field.required and not known)
            if first and (field.name not in self.answers or len(self.open(field)) > 1):
                return place
        return self.at

    @property
    def aim(self) -> Field | None:
        """The field that names whom it is done to, where that is asked now."""
        return next((f for f in self.fields if f.name == self.kind.done_to), None)

    @property
    def line(self) -> Field | None:
        """The field under the cursor."""
        return self.fields[self.at] if self.at < len(self.fields) else None

    @property
    def required(self) -> list[Field]:
        """Fields that must be answered."""
        return [f for f in self.fields if f.required]

    @property
    def typed(self) -> bool:
        """Was text typed that would be lost?"""
        text, line = self.field.text if self.writes else "", self.line
        return self.wrote or bool(text and line and text != str(self.answers.get(line.name, line.default)))

    @property
    def writes(self) -> bool:
        """Is the line under the cursor typed?"""
        return self.line is not None and (self.line.kind in ("number", "text") or self.typing)

    def choices(self, field: Field) -> Sequence[Choice]:
        """The answers to a field; none, and the reason, where the engine fails to give them."""
        if field.kind == "yes" and field.ask is None:
            return [Choice(False, "no"), Choice(True, "yes")]
        try:
            found = self.filler.choices(field, self.answers)
        except Refused as no:
            self.wrong = str(no)
            return ()
        other = field.ask is not None and field.ask.other
        return [*found, Choice(OTHER, "something else …")] if other else found

    def open(self, field: Field) -> list[Choice]:
        """Those that can be taken; of several of a kind in the roster the one who stands for them."""
        found = [c for c in self.choices(field) if not c.closed] if field.kind != "number" else []
        if not self.shown or field.name != self.kind.done_to:
            return found
        behind = {name for p in self.meant.people for name in (p.id, p.name)} - self.shown
        return [c for c in found if c.value not in behind]

    def action(self) -> Action | None:
        """The action, once everything that must be answered is."""
        return None if self.missing else self.made(self.answers)

    def made(self, answers: Mapping[str, object]) -> Action | None:
        """The action that some answers make."""
        try:
            asked = {f.name for f in self.fields}
            said = {name: value for name, value in answers.items() if name in asked}
            return msgspec.convert(said, self.kind, str_keys=True)
        except msgspec.ValidationError as error:
            self.wrong = str(error)
            return None

    def aimed(self, aim: Field, value: object) -> dict[str, object]:
        """What somebody answered, with this target: what does not fit the target is not said any more."""
        own, answers = {**self.own, aim.name: value}, {**self.answers, aim.name: value}
        for field in self.fields:
            fixed = field.ask is not None and not field.ask.other and field.kind == "choice"
            if not fixed or field is aim or field.name not in own:
                continue
            if chosen(self.filler.choices(field, answers), own[field.name]) is None:
                del own[field.name]
        return own

    # ---- changing

    def go(self, place: int) -> None:
        """Another line; a number or a text that stands there is replaced by typing."""
        self.at = place % max(len(self.fields), 1)
        self.under = 0
        field = self.line
        self.typing = field is not None and field.kind == "choice" and self._plain(field)
        if field is not None and self.writes:
            self.field = TextField(only=DIGITS if field.kind == "number" else "", fresh=True)
            if (value := self.answers.get(field.name, field.default)) not in (None, ""):
                self.field.set(str(value))

    def put(self, field: Field, value: object) -> None:
        """Answer a field."""
        self.own = self.aimed(field, value) if field.name == self.kind.done_to else {**self.own, field.name: value}
        self._refill()

    def take(self, field: Field, choice: Choice) -> None:
        """A choice was made."""
        if choice.value is OTHER:
            self.typing = True
            self.field = TextField(fresh=True)
        elif field.kind == "choices":
            had = self.answers.get(field.name, field.default or ())
            ticked = list(had) if isinstance(had, tuple | list) else []
            ticked = [v for v in ticked if v != choice.value] if choice.value in ticked else [*ticked, choice.value]
            self.put(field, tuple(ticked))
        else:
            self.put(field, choice.value)

    def write(self) -> str:
        """Take what is typed into the line under the cursor; why it cannot be, where it cannot."""
        field, text = self.line, self.field.text.strip()
        if field is None or not self.writes:
            return ""
        if not text and not field.required and field is not self.unsaid:
            self.own.pop(field.name, None)  # nothing was typed: it stays as it was meant
        elif field.kind == "number":
            try:
                number = int(text[:8])
            except ValueError:
                return "a whole number is needed"
            if not field.low <= number <= field.high:
                return f"from {field.low} to {field.high}"
            self.own[field.name] = number
        elif field is self.unsaid or (field.required and not text and not field.hint):
            return "please type something"
        else:
            self.own[field.name] = text
            self.wrote = self.wrote or bool(text)
        self._refill()
        return ""

    def words(self, field: Field) -> str:
        """An answer as people read it."""
        value = self.answers.get(field.name, field.default)
        if field.ask is not None or field.kind == "yes":
            known = {c.value: c.words for c in self.choices(field) if c.value is not OTHER}
            if isinstance(value, tuple | list):
                nobody = "" if field.required else field.hint  # whom it means then
                return ", ".join(known.get(one, str(one)) for one in value) or nobody or "–"
            return known.get(value, str(value)) or "–" if value is not None else "–"
        return str(value) if value not in ("", None, ()) else "–"
