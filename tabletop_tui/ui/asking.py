"""What lies over a page: a form, a list, a question, or real dice to type. It takes every key while it lies there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.worker import WorkType

from ..rules import Action
from .overlays import CANCEL, DONE, ROLL, TYPE, Form, Lister, Question
from .page import KeyItem
from .panel import Panel
from .text import heading
from .tray import Tray

if TYPE_CHECKING:
    from .play import PlayScreen

Then = Callable[[Any], Awaitable[None]]
Overlay = Form | Question | Lister | Tray


class OverlayPanel(Panel):
    """What lies over the page."""

    DEFAULT_CSS = """
    OverlayPanel { display: none; height: 17; }
    """

    overlay: Form | Question | Lister | None = None

    def lines(self, width: int) -> list[Content]:
        """The overlay's own lines."""
        if self.overlay is None:
            return []
        if isinstance(self.overlay, Lister):
            body = self.overlay.lines(width, self.size.height - 1, self.rows, 1)
            return [heading(self.overlay.title, width, active=True), *body]
        return self.overlay.lines(width, self.size.height, self.rows)


class Asking:
    """The one thing that is being asked, if any."""

    def __init__(self, screen: PlayScreen) -> None:
        self.screen, self.panel = screen, OverlayPanel()
        self.overlay: Overlay | None = None
        self.then: Then | None = None

    # ---- putting it there, and taking it away

    def ask(self, overlay: Question | Lister, then: Then) -> None:
        """Ask something; `then` gets the answer."""
        self.overlay, self.then = overlay, then
        self._show()

    def form(self, form: Form) -> None:
        """Ask for an action's fields; what it would do is worked out as soon as it is known."""
        self.overlay = form
        self._show()
        self._weigh(form)

    def dice(self, *actions: Action) -> None:
        """Real dice, typed on the dice, for the first of these actions that asks for any."""
        screen, stage = self.screen, self.screen.stage
        if stage is None:
            screen.tell("Dice are typed on the table or challenge page.", "warning")
            return
        trays = [Tray(action, screen.game.world) for action in actions]
        tray = next((t for t in trays if t.sides), trays[0])
        if tray.complete or tray.wrong:
            screen.tell(tray.wrong or "No dice are asked for here.", "warning")
            return
        self.overlay = stage.tray = tray
        stage.touch(screen.page.view)

    def close(self) -> None:
        """Nothing is asked any more."""
        self.overlay, self.then = None, None
        if stage := self.screen.stage:
            stage.tray = None
            stage.touch(self.screen.page.view)
        self._show()

    def table_changed(self) -> None:
        """Somebody did something at another terminal: dice that are not asked for any more are not waited for."""
        over, world = self.overlay, self.screen.game.world
        if isinstance(over, Tray) and over.world is not world and over.stale(world):
            self.close()
            self.screen.tell("The table has moved on: no dice are asked for now.", "warning")

    def _show(self) -> None:
        if not isinstance(self.overlay, Tray):  # dice are typed on the page's own
            self.panel.overlay = self.overlay
            self.screen.set_class(self.overlay is not None, "-overlay")
            self.screen.page.display = self.overlay is None
            self.panel.redraw()

    # ---- keys

    def keys(self) -> list[KeyItem]:
        """What can be pressed."""
        if isinstance(self.overlay, Tray):
            return [
                ("0-9", "the faces", False, False),
                ("enter", self.overlay.enters, False, False),
                ("esc", "leave", False, False),
            ]
        return [("1-9 ↑↓ enter", "choose", False, False), ("esc", "leave", False, False)]

    @property
    def writing(self) -> bool:
        """Is a text being typed?"""
        over = self.overlay
        return isinstance(over, Question) or (
            isinstance(over, Form) and over.asking is not None and over.list is None
        )

    @property
    def about(self) -> tuple[str, str]:
        """What is being asked, and what it is for."""
        over = self.overlay
        if isinstance(over, Form):
            return over.title, " ".join((over.kind.__doc__ or "").split())
        return ("dice", over.why) if isinstance(over, Tray) else (over.title if over else "", "")

    async def key(self, key: str, character: str | None) -> None:
        """Hand the key on, and do what it comes to."""
        over = self.overlay
        assert over is not None
        if character == "?" and not self.writing:
            self.screen.action_help()
            return
        result = over.key(key, character)
        if result == CANCEL:
            self.close()
        elif isinstance(over, Tray):
            await self._tray(over, result)
        elif isinstance(over, Form):
            await self._form(over, result)
        elif result == DONE:
            await self._finish(over.picked if isinstance(over, Lister) else over.text.strip())
        else:
            self._show()

    def paste(self, text: str) -> None:
        """Pasted text goes where text is being typed."""
        if isinstance(self.overlay, Form | Question):
            self.overlay.paste(text)
            self._show()

    async def click(self, place: int) -> None:
        """A click on a row of a list."""
        over = self.overlay
        if isinstance(over, Lister):
            if over.pick(place) == DONE:
                await self._finish(over.picked)
        elif isinstance(over, Form) and over.list:
            over.list.cursor = place
            await self.key("enter", None)

    async def _finish(self, answer: Any) -> None:
        then = self.then
        self.close()
        if then is not None:
            await then(answer)

    async def _form(self, form: Form, result: str) -> None:
        action = form.action()
        if result == TYPE and action is not None:
            self.close()
            self.dice(action)
        elif result == DONE and action is not None:
            if await self.screen.game.do(action, tell=form.refuse):
                self.close()
                await self.screen.done(action)
            else:  # nothing that was typed is lost: it can be mended
                self._show()
        else:
            form.odds = None
            self._show()
            self._weigh(form)

    def _weigh(self, form: Form) -> None:
        if (action := form.action()) is None:
            return

        async def weigh() -> None:
            preview = await asyncio.to_thread(self.screen.game.table.preview, action)
            if form is self.overlay:
                form.odds, form.wrong = preview.odds, preview.refused
                self._show()

        work: WorkType[None] = weigh  # uncalled: one that is overtaken would never be awaited
        self.screen.run_worker(work, group="weigh", exclusive=True)

    async def _tray(self, tray: Tray, result: str) -> None:
        if result in (DONE, ROLL):
            self.close()
            await self.screen.perform(tray.action, tray.faces, roll=result == ROLL)
        elif stage := self.screen.stage:
            stage.touch(self.screen.page.view)
