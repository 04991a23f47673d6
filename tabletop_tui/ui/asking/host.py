"""The one thing that is being asked, if any: it takes every key while it is there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from textwrap import wrap
from typing import Generic, Protocol, TypeVar

from msgspec.structs import replace
from textual.content import Content

from ...rules import Action, Odds
from ...session import Preview
from ..commands import Command, Layer, Press, key_for
from ..commands.record import Done
from ..drawing.text import ACCENT, DIM, INK, begun, cells, heading, line, safe, told, with_more
from ..panels.bars import Said
from ..panels.panel import Panel
from .field import TextField
from .listing import Hit, Listing, Pick

T = TypeVar("T")
Then = Callable[[T], Awaitable[None]]
Answered = Callable[[str], Awaitable[bool | None]]
"""What is done with a text; False where it was refused: then it is asked for again, with the text as it stood."""


class Asked:
    """Something that is asked. It belongs to a host while it is open."""

    title = ""
    about = ""
    """What it is for, in help."""
    inline = True
    """It takes the place of a page's stage; else it is drawn on the page's own dice, or in the band alone."""
    tall = False
    """It needs far more rows than a form: the log goes."""
    long = False
    """It needs some more rows: the log makes room."""
    solid = True
    """Keys that it has no use for do nothing; else they mean what they mean on the page."""
    host: Host

    def layer(self) -> Layer:
        """What can be pressed; the host adds Esc."""
        raise NotImplementedError

    def said(self) -> Said:
        """The band's sentence."""
        return Said(self.title)

    def lines(self, width: int, height: int, hit: Hit) -> list[Content]:
        """How it looks."""
        return []

    def paste(self, text: str) -> None:
        """Text from the clipboard, where there is a field for it."""

    @property
    def typed(self) -> bool:
        """Was something typed that would be lost?"""
        return False

    @property
    def leaves(self) -> bool:
        """Does Esc leave it without an answer?"""
        return True


class Host:
    """Puts a question, hands it the keys, and takes it away when it is answered."""

    def __init__(self, show: Callable[[], None]) -> None:
        self.asked: Asked | None = None
        self.dropping = False
        """Is it asked whether what was typed may be dropped?"""
        self._show = show

    def ask(self, asked: Asked) -> None:
        """Ask this now."""
        asked.host = self
        self.asked, self.dropping = asked, False
        self._show()

    def close(self) -> None:
        """Nothing is asked any more."""
        self.asked, self.dropping = None, False
        self._show()

    def redraw(self) -> None:
        """What is asked looks different now."""
        self._show()

    def leave(self) -> None:
        """Away with it; what was typed is not dropped without a question."""
        if self.asked is not None and self.asked.typed and not self.dropping:
            self.dropping = True
            self._show()
        else:
            self.close()

    def layer(self) -> Layer | None:
        """The front layer, while something is asked."""
        if self.asked is None:
            return None
        if self.dropping:
            return Layer(
                "dropping",
                (
                    Command("asking.drop", ("y",), "drop it", self.close, where="band"),
                    Command("asking.stay", ("n", "enter", "escape"), "go on", self._stay, where="band"),
                ),
                solid=True,
                free=True,
            )
        layer = self.asked.layer()
        leave = Command("asking.leave", ("escape",), "leave", self.leave, effect="look", where="band", section="")
        more = (leave,) if self.asked.leaves else ()
        return replace(layer, commands=(*layer.commands, *more), solid=self.asked.solid, free=True)

    def _stay(self) -> None:
        self.dropping = False
        self._show()

    def said(self) -> Said:
        """The band's sentence."""
        if self.dropping:
            return Said("Drop what you typed?", loud=True)
        return self.asked.said() if self.asked else Said()


class FormUser(Protocol):
    """The screen, as far as a form needs it."""

    async def do_form(self, action: Action) -> str:
        """Do it; why not, where it was refused."""

    def weigh(self, action: Action, then: Callable[[Preview], None]) -> None:
        """Work out what it would do, off the UI thread."""

    def weigh_each(self, actions: Mapping[object, Action], then: Callable[[Mapping[object, Odds]], None]) -> None:
        """The chances of each of these, off the UI thread."""

    async def type_dice(self, *actions: Action) -> None:
        """Ask for real dice."""


class AskPanel(Panel[Asked]):
    """What is asked, in place of a page's stage."""

    DEFAULT_CSS = "AskPanel { display: none; height: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """Its own lines."""
        return self.part.lines(width, self.size.height, self.spot) if self.part else []


class Question(Asked):
    """One line of text, asked in the band: nothing else on the screen changes."""

    inline = False

    def __init__(
        self,
        title: str,
        then: Answered,
        text: str = "",
        hint: str = "",
        *,
        history: Sequence[str] = (),
        fresh: bool = False,
        enter: str = "go on",
    ) -> None:
        self.title, self.then, self.hint, self.enter = title, then, hint, enter
        self.first = text
        self.field = TextField(text, history=history, fresh=fresh)

    @property
    def typed(self) -> bool:
        """Is there text that was not there at first?"""
        return bool(self.field.text.strip()) and self.field.text != self.first

    def layer(self) -> Layer:
        """Everything that is typed is text."""
        why = "" if self.field.text.strip() else "Nothing is typed yet."
        done = Command("question.done", ("enter",), self.enter, self._done, why, where="band", section="")
        return Layer("question", (done,), self._rest, text_first=True)

    async def _rest(self, key: str, character: str | None) -> bool:
        used = self.field.key(key, character)
        self.host.redraw()
        return used

    async def _done(self) -> None:
        host, text = self.host, self.field.text.strip()
        host.close()
        if await self.then(text) is False and host.asked is None:
            host.ask(self)

    def said(self) -> Said:
        """The question, and what is typed with its cursor; the hint, apart from the keys, whole or not at all."""
        tail = ("", self.hint) if self.hint else ()  # the first part of a tail may be cut, the others go whole
        words = begun(self.title)
        return Said(words if words.endswith("?") else f"{words}:", loud=True, tail=tail, typed=self.field.near)

    def paste(self, text: str) -> None:
        """Into the field."""
        self.field.type(text)


class Choose(Asked, Generic[T]):
    """A list, and what to do with the row that is chosen; a letter begins words of one's own, where it takes any."""

    def __init__(
        self,
        title: str,
        picks: Sequence[Pick[T]],
        then: Then[T],
        cursor: int = 0,
        said: str = "",
        words: Callable[[], None] | None = None,
        told: Sequence[str] = (),
    ) -> None:
        self.title, self.then, self.asks, self.words = title, then, said, words
        self.told = told
        """What it is about, to be read below the list."""
        self.list = Listing(title, picks, cursor)

    def layer(self) -> Layer:
        """Its rows."""
        return Layer("list", self.list.commands(self._take, self.host.redraw), self._letter)

    async def _letter(self, key: str, character: str | None) -> bool:
        if self.words is None or not character or not character.isalpha():
            return False
        self.words()
        if self.host.asked is not None and self.host.asked is not self:
            self.host.asked.paste(character)
            self.host.redraw()
        return True

    def _take(self, pick: Pick[T]) -> Done:
        self.host.close()
        return self.then(pick.value)

    def said(self) -> Said:
        """The question that it answers."""
        return Said(begun(self.asks or self.title), loud=True)

    def lines(self, width: int, height: int, hit: Hit) -> list[Content]:
        """The list under its title."""
        head = [heading(self.title, width, active=True)]
        if cells(self.title) > width - 4:  # a question is never cut
            head = told(self.title, f"bold {INK}", width)
        body = self.list.lines(width, height - len(head), hit, len(head))
        out = [*head, *(body or [line((" nothing to choose from", DIM))])]
        more = [one for words in self.told for one in wrap(safe(words), max(width - 3, 12), drop_whitespace=False)]
        room = height - len(out) - 1
        if more and room > 0:
            out += [line(("", "")), *(line((f"   {one}", DIM)) for one in more[:room])]
            out = with_more(out, 0, max(len(more) - room, 0), width)
        return out


class Reading(Asked):
    """Something to read: Enter and Esc close it, and so does any key that goes on with something else."""

    solid = False

    def __init__(self, title: str, rows: Sequence[tuple[str, str]]) -> None:
        self.title, self.rows, self.top = title, list(rows), 0

    def layer(self) -> Layer:
        """Scroll, and away."""
        done = Command("reading.done", ("enter",), "OK", self.host.close, effect="look", where="band", section="")
        return Layer("reading", (done,), self._rest)

    async def _rest(self, key: str, character: str | None) -> bool:
        steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
        if key not in steps:
            self.host.close()
            return False
        self.top = min(max(self.top + steps[key], 0), max(len(self.rows) - 1, 0))
        self.host.redraw()
        return True

    def lines(self, width: int, height: int, hit: Hit) -> list[Content]:
        """A row each; one that is too long goes on below, as what is told is never cut."""
        body: list[Content] = []
        for label, note in self.rows[self.top :]:
            first, *more = wrap(safe(f"{label}  {note}"), max(width - 2, 20), subsequent_indent="    ") or [label]
            body.append(line((f" {first[: len(label)]}", INK), (first[len(label) :], DIM)))
            body += [line((f" {piece}", DIM)) for piece in more]
        return [heading(self.title, width, active=True, note="↑↓ scroll" if len(self.rows) >= height else ""), *body]


async def _nothing() -> None:
    """The answer was no."""


class Confirm(Asked):
    """Yes or no, before something is put aside or written over: only `y` is a yes."""

    NO = "n", "enter", "escape"

    def __init__(
        self,
        title: str,
        yes: str,
        no: str,
        then: Callable[[], Awaitable[None]],
        otherwise: Callable[[], Awaitable[None]] = _nothing,
    ) -> None:
        self.title, self.words = title, (yes, no)
        self.then, self.otherwise = then, otherwise

    @property
    def leaves(self) -> bool:
        """Esc is a no."""
        return False

    def layer(self) -> Layer:
        """The two answers."""
        yes = Command("confirm.yes", ("y",), "yes", partial(self._answer, self.then), where="band", section="")
        no = Command("confirm.no", self.NO, "no", partial(self._answer, self.otherwise), where="band", section="")
        return Layer("confirm", (yes, no))

    async def _answer(self, then: Callable[[], Awaitable[None]]) -> None:
        self.host.close()
        await then()

    def said(self) -> Said:
        """The question."""
        return Said(self.title, loud=True)

    def lines(self, width: int, height: int, hit: Hit) -> list[Content]:
        """The question, which is never cut, and what each answer does."""
        out = [heading("yes or no?", width, active=True), *told(self.title, f"bold {INK}", width), Content("")]
        for key, id, label in zip("yn", ("confirm.yes", "confirm.no"), self.words, strict=True):
            hit(len(out), Press(id))
            out.append(line((f" {key_for(id, key)} ", f"bold {ACCENT}"), (label, INK)))
        return out
