"""A page of the play screen: what all of them share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from msgspec import structs
from textual.containers import Vertical
from textual.content import Content

from ..rules import Action, Counter, Hand, Kind, Prompt
from ..session import Outlook
from .game import Game
from .overlays import Lister
from .panel import Panel
from .pools import hand_lines, numbered, outcome_lines, prompt_lines
from .text import DIM, heading, line
from .tray import Tray

if TYPE_CHECKING:
    from .play import PlayScreen

KeyItem = tuple[str, str, bool, bool]
"""Key, label, closed, and whether it always stays on the key bar."""


class Stage(Panel):
    """The dice: how they lie, what is asked, how it came out. Shown: hands, prompt, outcome, tick."""

    DEFAULT_CSS = "Stage { height: 5; }"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.picked: set[int] = set()
        self.cursor = 0
        self.tray: Tray | None = None
        self.hopes: Mapping[int, float] = {}
        """The chances of what the prompt offers, as far as they are known."""
        self._prompt: Prompt | None = None

    def prepare(self, view: Any) -> None:
        """A new view: the rules' default is picked at first."""
        if view.prompt != self._prompt or view.hands != getattr(self, "_hands", None):
            self._prompt, self._hands, self.hopes = view.prompt, view.hands, {}
            first = view.hands[0].faces if view.hands else ()
            picks = bool(view.prompt and view.prompt.pick)
            self.picked = {i for i, f in enumerate(first) if f.chosen} if picks else set()
            self.cursor = (
                min(self.picked, default=next((i for i, f in enumerate(first) if f.choosable), -1)) if picks else -1
            )
        self.touch(view)

    def touch(self, view: Any) -> None:
        """Show it with what is picked now."""
        tray = self.tray and (tuple(self.tray.faces), self.tray.typing, self.tray.wrong)
        hopes = self.hopes if view.prompt and self._untouched(view.hands, view.prompt) else {}
        self.show(view.hands, view.prompt, view.outcome, tuple(sorted(self.picked)), self.cursor, tray, hopes)

    def _untouched(self, hands: Sequence[Hand], prompt: Prompt) -> bool:
        """Are the dice picked that the rules would pick? The chances, and the words, are of those."""
        first = hands[0].faces if hands else ()
        return not prompt.pick or self.picked == {i for i, f in enumerate(first) if f.chosen}

    def toggle(self, place: int, view: Any) -> None:
        """Pick a die, or put it back."""
        faces = view.hands[0].faces
        if 0 <= place < len(faces) and faces[place].choosable:
            self.cursor = place
            if place in self.picked:
                self.picked.discard(place)
            else:
                while view.prompt and len(self.picked) >= max(view.prompt.most, 1):
                    self.picked.discard(max(self.picked))
                self.picked.add(place)
        self.touch(view)

    def move(self, step: int, view: Any) -> None:
        """Another die under the cursor."""
        free = [i for i, f in enumerate(view.hands[0].faces) if f.choosable]
        if free:
            at = free.index(self.cursor) if self.cursor in free else -1
            self.cursor = free[(at + step) % len(free)]
        self.touch(view)

    def lines(self, width: int) -> list[Content]:
        """Dice, question and outcome."""
        hands, prompt, outcome, *_, hopes = self.shown or ((), None, None, {})
        if prompt and prompt.pick and not self._untouched(hands, prompt):
            words = f"with the {len(self.picked)} picked" if self.picked else "with none picked"
            first = structs.replace(prompt.options[0], label=words)
            prompt = structs.replace(prompt, options=(first, *prompt.options[1:]))
        out = [heading("dice", width, active=bool(prompt or self.tray))]
        if self.tray:
            return out + self.tray.lines(width)
        out += hand_lines(hands, self.picked, self.cursor, width)
        if prompt and outcome:  # what just happened, then what is asked
            out += [*outcome_lines(outcome, width, large=False)[:1], *prompt_lines(prompt, width, hopes)]
        elif prompt:
            out += prompt_lines(prompt, width, hopes)
        elif outcome:
            out += outcome_lines(outcome, width, large=self.size.height - len(out) >= 6)
        elif not hands:
            out.append(line((" no dice on the table", DIM)))
        return out


class PickPanel(Panel):
    """A list to choose from. Shown: a tick that changes with it."""

    DEFAULT_CSS = "PickPanel { height: 1fr; min-height: 6; }"

    lister: Lister | None = None
    hint: str = ""

    def lines(self, width: int) -> list[Content]:
        """The list under its title."""
        if self.lister is None:
            return []
        out = [heading(self.lister.title, width, active=True)]
        body = self.lister.lines(width, self.size.height - 2, self.rows, 1)
        out += body or [line((f" {self.hint or 'nothing to choose from'}", DIM))]
        if body and self.hint:
            out.append(line((f" {self.hint}", DIM)))
        return out


class Page(Vertical):
    """One of the pages: draws a view, turns keys into actions. It holds no rule."""

    DEFAULT_CSS = "Page { height: auto; background: $background; }"
    kind: Kind | None = None
    title = ""

    def __init__(self, game: Game, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.game = game
        self.view: Any = None
        self.outlook = Outlook()
        self.reading = False
        """Is a text being typed here? Then letters are text."""

    @property
    def play(self) -> PlayScreen:
        """The screen that every page lives on."""
        return cast("PlayScreen", self.screen)

    def update_view(self) -> None:
        """Read the view again and hand each panel its part."""

    def update_outlook(self, outlook: Outlook) -> None:
        """Chances have come."""

    def hints(self) -> dict[str, Any]:
        """What a form means at first, by the names of fields."""
        return {}

    def show_entry(self, seq: int) -> None:
        """Bring an entry of the log into sight, where the page shows it."""

    async def key(self, key: str, character: str | None) -> bool:
        """Handle a key; False where it is not this page's."""
        return False

    async def click(self, meaning: Any) -> None:
        """Handle a click on a panel's row."""

    def keys(self) -> list[KeyItem]:
        """What can be pressed here."""
        return []

    def facts(self) -> tuple[str, str]:
        """Title and facts for the top line."""
        return self.title, ""

    def counters(self) -> tuple[tuple[Counter, ...], str]:
        """Counters and banner."""
        view = self.game.table.view("table")
        return getattr(view, "counters", ()), ""

    async def roll_key(self, character: str | None, what: str) -> bool:
        """`r` rolls what the view offers, `t` types it in, and an extra's letter presses that; else False."""
        view = self.view
        if character in ("r", "t"):
            if view.roll is None:  # a table without one leaves the letters to the engine
                self.game.tell(f"Not yet: {view.roll_closed or f'open a {what} first'}.", "warning")
            elif character == "r":
                await self.play.perform(view.roll)
            else:
                self.play.type_dice(view.roll)
            return True
        option = next((o for o in getattr(view, "extras", ()) if o.key and o.key == character), None)
        if option is None or view.prompt:
            return False
        await self.play.press(option)
        return True

    async def answer(self, stage: Stage, key: str, character: str | None) -> bool:
        """Keys of a prompt: Enter is its default, letters its other options, arrows and digits pick dice."""
        prompt: Prompt | None = self.view.prompt
        if prompt is None:
            return False
        if prompt.pick and key in ("left", "right"):
            stage.move(1 if key == "right" else -1, self.view)
        elif prompt.pick and key == "space":
            stage.toggle(stage.cursor, self.view)
        elif prompt.pick and character and character in "123456789":
            stage.toggle(int(character) - 1, self.view)
        elif character and character in "123456789" and int(character) <= len(numbered(prompt)):
            await self.take(stage, prompt, numbered(prompt)[int(character) - 1])
        elif key == "enter":
            await self.take(stage, prompt, 0)
        elif character == "t":
            actions = [self.picked_action(stage, prompt), *(o.action for o in prompt.options if not o.closed)]
            self.play.type_dice(*actions)
        else:
            place = next((i for i, o in enumerate(prompt.options) if o.key == character and character), -1)
            if place < 0:
                return False
            await self.take(stage, prompt, place)
        return True

    @staticmethod
    def picked_action(stage: Stage, prompt: Prompt) -> Action:
        """The prompt's default, with the dice that were picked."""
        action = prompt.options[0].action
        if prompt.pick:
            action = structs.replace(action, **{prompt.pick: tuple(sorted(stage.picked))})
        return action

    async def take(self, stage: Stage, prompt: Prompt, place: int) -> None:
        """Perform an option of the prompt, with the dice that were picked."""
        option = prompt.options[place]
        action = self.picked_action(stage, prompt) if place == 0 else option.action
        if option.closed:
            self.game.tell(option.closed, "warning")
        else:
            await self.play.attempt(action)
