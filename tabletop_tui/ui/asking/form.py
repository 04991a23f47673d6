"""An action's fields as lines that come filled in: Enter does it at once, and each line can be changed before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from textual.content import Content

from ...rules import Action, Dice, DiceNeeded, Field, Odds, Refused
from ...session import Preview, Table
from ...session.meant import Meant
from ..commands import Command, Layer, Where
from ..commands.record import moves
from ..panels.bars import Said
from .draft import NUMBERED, OTHER, Draft
from .form_lines import form_lines, rows_wanted, sentence
from .host import Asked, FormUser
from .listing import Hit

USUAL = 13
"""Rows that a form has on a small screen, unless it wants more."""


class Form(Draft, Asked):
    """The fields of an action."""

    def __init__(
        self,
        kind: type[Action],
        table: Table,
        user: FormUser,
        preset: Mapping[str, object] | None = None,
        meant: Meant | None = None,
        title: str = "",
    ) -> None:
        super().__init__(kind, table, preset, meant)
        self.title = title or self.title
        self.user = user
        self.inline = self.one is None
        self.pointed: Callable[[int], object] | None = None
        """Who stands in a row of the roster, where the page has one."""
        self.rolls = False
        """Does it ask for dice? Known at once, so that a key typed ahead means what it will mean."""
        self.long = False

    def changed(self) -> None:
        """Draw it, and work out what it would do now."""
        self.look()
        self.host.redraw()

    def moved_on(self) -> None:
        """The table may have changed under it: what it would do then is worked out anew."""
        if (world := self.table.seen()) is not self.world:
            self.world = world
            self._refill()
            self.look()

    def look(self) -> None:
        """Work out what it would do now."""
        self.odds, self.told, self.wrong, self.refused = None, (), "", ""
        self.long = self.long or rows_wanted(self) > USUAL  # it does not shrink again: nothing jumps
        action = self.action()
        self.rolls = action is not None and self._asks_dice(action)
        if action is not None:
            self.user.weigh(action, partial(self._weighed, action))

    def _asks_dice(self, action: Action) -> bool:
        if self.kind not in self.table.engine.actions:  # what is filled in is something else than an action
            return False
        try:
            self.table.engine.resolve(action, self.world, Dice())
        except DiceNeeded:
            return True
        except Refused:
            return False
        return False

    def _weighed(self, action: Action, preview: Preview) -> None:
        if self.host.asked is self and self.action() == action:  # chances of what stands there, and of nothing else
            self.odds, self.refused, self.wrong = preview.odds, preview.refused, self.wrong or preview.fault
            self.told = preview.said
            self.host.redraw()
            if self.odds is not None and (aim := self.aim):
                self._weigh_targets(action, aim)

    def _weigh_targets(self, action: Action, aim: Field) -> None:
        """The chance against everybody whom a digit reaches, as it would be if they were chosen."""
        made: dict[object, Action] = {}
        for choice in self.open(aim)[:NUMBERED]:
            if choice.value == self.answers.get(aim.name):
                made[choice.value] = action
            elif choice.value is not OTHER and (other := self.made(self.filler.fill(self.aimed(aim, choice.value)))):
                made[choice.value] = other
        self.user.weigh_each(made, partial(self._weighed_each, action))

    def _weighed_each(self, action: Action, found: Mapping[object, Odds]) -> None:
        if self.host.asked is self and self.action() == action:
            self.hopes = {value: odds.hope for value, odds in found.items()}
            self.host.redraw()

    # ---- changing

    def step(self, by: int) -> None:
        """The next answer of the line under the cursor."""
        field = self.line
        if field is None:
            return
        free = self.open(field)
        if field.kind == "choices":
            self.under = (self.under + by) % max(len(free), 1)
        elif free:
            now = self.answers.get(field.name, field.default)
            at = next((i for i, c in enumerate(free) if c.value == now), -1 if by > 0 else 0)
            self.take(field, free[(at + by) % len(free)])
        self.changed()

    def choose(self, place: int) -> None:
        """The choice of a digit, and on to the next line."""
        field = self.line
        if field is None or place >= len(free := self.open(field)):
            return
        self.take(field, free[place])
        if field.kind != "choices" and not self.typing:
            self.go(self.onward())
        self.changed()

    def point(self, place: tuple[int, ...]) -> None:
        """Somebody in the roster was clicked: they are the target."""
        aim = self.aim
        found = self.pointed(place[0]) if self.pointed and aim else None
        if aim is not None and (choice := next((c for c in self.open(aim) if c.value == found), None)):
            self.take(aim, choice)
            self.changed()

    # ---- keys

    def layer(self) -> Layer:
        """Enter does it; the line under the cursor takes digits, arrows or text."""
        verb = self.title if self.one and not self.inline else "roll" if self.rolls else "do it"
        verb = "go on" if any(f is not self.line for f in self.missing) else verb
        words = self.writes and self.line is not None and self.line.kind != "number"
        enter = ("enter", "r") if self.rolls and not words else ("enter",)
        refused = "" if self.missing or self.wrong else self.refused.rstrip(".")
        out = [Command("form.do", enter, verb, self._do, refused, where="band", section="")]
        if self.rolls and not words:
            out.append(Command("form.type", ("t",), "type dice", self._type, where="band", section=""))
        out += self._band_commands() if self.one and not self.inline else self._line_commands()
        if self.pointed:
            out.append(Command("table.point", (), "", where="hidden", point=self.point, effect="look"))
        return Layer("form", tuple(out), self._rest if self.writes else self._letter, text_first=words)

    def _band_commands(self) -> list[Command]:
        out = []
        aim = self.aim
        if aim is not None and len(self.open(aim)) > 1:
            out += moves("form", "somebody else", self._aim)
        if len(self.fields) > 1 + (aim is not None):
            out.append(Command("form.more", ("tab",), "more", self._more, effect="look", section=""))
        return out

    def _aim(self, by: int) -> None:
        self.wrong = self.write()
        if (aim := self.aim) is None:
            return
        values = [c.value for c in self.open(aim)]
        now = self.answers.get(aim.name)
        at = values.index(now) if now in values else -1 if by > 0 else 0
        self.put(aim, values[(at + by) % len(values)])
        self.changed()

    def _more(self) -> None:
        self.wrong = self.write()
        self.inline = True
        self.changed()

    def _line_commands(self) -> list[Command]:
        out: list[Command] = []
        field = self.line
        if field is None:
            return out
        if not self.writes:
            for i in range(min(len(self.open(field)), NUMBERED)):
                run = partial(self.choose, i)
                out.append(Command(f"form.{i + 1}", (str(i + 1),), field.label, run, group=field.label, section=""))
            if len(self.open(field)) > 1:
                for key, by in (("left", -1), ("right", 1)):
                    group = "move" if field.kind == "choices" else "change it"
                    step = partial(self.step, by)
                    out.append(Command(f"form.{key}", (key,), key, step, group=group, section=""))
            if field.kind == "choices":
                out.append(Command("form.tick", ("space",), "tick", self._tick, section=""))
            elif len(self.open(field)) > 1:
                change = partial(self.step, 1)
                out.append(Command("form.change", ("space",), "change it", change, where="list", section=""))
        if len(self.fields) > 1:
            out += moves("form", "line", self._move)
            where: Where = "footer" if self.writes else "list"
            ahead = partial(self._move, 1)
            out.append(Command("form.next", ("tab",), "next line", ahead, effect="look", where=where, section=""))
        out.append(Command("form.point", (), "", where="hidden", point=self._clicked, effect="look", section=""))
        return out

    def _clicked(self, place: tuple[int, ...]) -> None:
        """A line, or a choice of the line under the cursor, was clicked."""
        if len(place) == 1:
            self._move(place[0] - self.at)
        else:
            self.choose(place[1])

    def _tick(self) -> None:
        free = self.open(self.line) if self.line else []
        if free and self.line:
            self.take(self.line, free[self.under % len(free)])
        self.changed()

    def _move(self, by: int) -> None:
        required = self.writes and self.line is not None and (self.line.required or self.unsaid is not None)
        wrong = "" if required and not self.field.text.strip() else self.write()  # what must be said can wait
        if not wrong:
            self.go(self.at + by)
        self.changed()
        self.wrong = wrong
        self.host.redraw()

    async def _rest(self, key: str, character: str | None) -> bool:
        used = self.field.key(key, character)
        if used:
            before = dict(self.answers)
            wrong = self.write()
            if not wrong and self.answers != before:
                self.changed()
            self.wrong = wrong
            self.host.redraw()
        return used

    async def _letter(self, key: str, character: str | None) -> bool:
        """A letter on a line of choices: the beginning of words of one's own, where the form takes any."""
        if not character or not character.isalpha() or (line := self.line) is None:
            return False
        other = next((c for c in self.open(line) if c.value is OTHER), None)
        text = next((i for i, f in enumerate(self.fields) if f.kind == "text" and not self.own.get(f.name)), -1)
        if other is not None:
            self.take(line, other)
        elif text >= 0:
            self.go(text)
        else:
            self.wrong = "a digit chooses, or ← and →"
            self.host.redraw()
            return True
        self.changed()
        return await self._rest(key, character)

    async def _do(self) -> None:
        if wrong := self.write():
            self.wrong = wrong
            self.host.redraw()
            return
        if self.missing:
            before, ahead = self.line, self.next_open(self.at)
            self.go(ahead if ahead >= 0 else self.first_missing)
            self.changed()
            if before is not None and self.line is before:
                self.wrong = f"{before.label}: this has to be said first"
                self.host.redraw()
            return
        if (action := self.action()) is None:
            self.host.redraw()
            return
        self.wrong = await self.user.do_form(action)
        if self.wrong:  # nothing that was typed is lost: it can be mended, and the reason read where it has room
            self.inline = True
            self.host.redraw()

    async def _type(self) -> None:
        if (action := self.action()) is not None:
            self.host.close()
            await self.user.type_dice(action)

    def paste(self, text: str) -> None:
        """Into the text field, where one is open."""
        if self.writes:
            self.field.type(text)

    # ---- looks

    def said(self) -> Said:
        """What Enter would do."""
        return sentence(self, in_band=not self.inline)

    def lines(self, width: int, height: int, hit: Hit) -> list[Content]:
        """A line a field, then what it all comes to."""
        return form_lines(self, width, height, hit)
