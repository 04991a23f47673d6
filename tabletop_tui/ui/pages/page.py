"""A page: a view plus a list of commands. It draws the one and offers the other; it holds no rule."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import structs
from textual.events import Resize
from textual.geometry import Size

from ...rules import (
    Action,
    ChallengeView,
    ContestView,
    Counter,
    Kind,
    Model,
    Odds,
    Option,
    Prompt,
    Refused,
    TableView,
    values,
)
from ...session import Outlook
from ..asking.filling import Meant
from ..asking.form import Form
from ..asking.host import Asked, AskPanel
from ..asking.tray import Tray
from ..commands import Command, Layer
from ..commands.catalogue import action_id
from ..drawing.text import begun
from ..panels.bars import Said
from ..panels.ground import Rows
from ..panels.log import LogPanel
from ..panels.stage import Dice as DicePart
from ..panels.stage import Stage
from ..playing import Playing
from .prompts import in_band, listed, prompt_commands

V = TypeVar("V", TableView, ChallengeView, ContestView)


class Chances(Model):
    """Chances with the state that they belong to: beside another one they are never drawn."""

    world: object
    outlook: Outlook


class Page(Rows):
    """What all pages share."""

    DEFAULT_CSS = """
    Page { height: 1fr; background: $background; }
    Page.-asking .work { display: none; }
    Page.-asking AskPanel { display: block; }
    Page.-tall-asking LogPanel { display: none; }
    """
    kind: ClassVar[Kind | None] = None
    title: ClassVar[str] = ""

    def __init__(self, play: Playing, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.play, self.game = play, play.game
        self.ask_panel, self.log_panel = AskPanel(), LogPanel()
        self.chances: Chances | None = None
        self.stage: Stage | None = None
        self._room = Size(0, 0)

    @property
    def room(self) -> Size:
        """How much room it has; while another page is in front, how much it had."""
        self._room = self.size
        return self._room

    def on_resize(self, event: Resize) -> None:
        """What fits is found out anew, unless it was reckoned with."""
        if event.size and event.size != self._room:
            self._room = event.size
            self.call_after_refresh(self._measured)

    def _measured(self) -> None:
        self.update_view()
        self.play.draw_bars()  # a list that was made anew has its own keys

    @property
    def outlook(self) -> Outlook:
        """The chances of the present state, as far as they are known."""
        known = self.chances
        return known.outlook if known and known.world is self.game.world else Outlook()

    @property
    def thinking(self) -> bool:
        """Are the chances of the present state still being worked out?"""
        return self.chances is None or self.chances.world is not self.game.world

    def update_view(self) -> None:
        """Read the view again and hand each panel its part."""

    def take_chances(self, chances: Chances) -> None:
        """Chances have come."""
        self.chances = chances

    def commands(self) -> tuple[Command, ...]:
        """What can be pressed here."""
        return ()

    def asks(self) -> Layer | None:
        """A prompt or a list that has the keys before all else here."""
        return None

    def said(self) -> Said:
        """The band's sentence."""
        return Said(self.title)

    def facts(self) -> tuple[str, ...]:
        """What stands at the right of the tabs, the most important first."""
        return ()

    def counters(self) -> tuple[Counter, ...]:
        """The game's counters."""
        view = self.game.view("table")
        return view.counters if isinstance(view, TableView) else ()

    def meant(self) -> Meant:
        """Whom and what a form means at first."""
        return Meant()

    def draws(self, asked: Asked) -> bool:
        """Does the page draw what is asked on its own stage? Then nothing moves and less is sent."""
        return False

    def foremost(self) -> tuple[type[Action], ...]:
        """The game's actions that stand in the band."""
        return ()

    def enters(self) -> type[Action] | None:
        """The game's action that Enter does: the footer need not have its letter, too."""
        return None

    def show_form(self, form: Form | None) -> None:
        """A form is open beside the page's own panels, or gone."""

    @property
    def unit(self) -> tuple[str, ...]:
        """The file of what is looked at, by its place in the world; empty where that is the whole table."""
        return ()

    @property
    def scene(self) -> str:
        """The scene that is looked at."""
        return str(self.game.world.now.scene)

    @property
    def entry(self) -> int:
        """The entry that is looked at."""
        return self.game.table.head

    def go_to(self, who: str) -> None:
        """Show somebody, where the page shows one."""

    def show_entry(self, seq: int) -> None:
        """Bring an entry of the log into sight, where the page shows it."""

    def show_tray(self, tray: Tray | None) -> None:
        """Dice are typed on the page's own, where it has any."""


class ViewPage(Page, Generic[V]):
    """A page of one of the engine's views, with dice and prompts."""

    shape: type[V]
    view: V
    stage: Stage

    def __init__(self, play: Playing, **kwargs: Any) -> None:
        super().__init__(play, **kwargs)
        self.view = self.read()
        self.picked: set[int] = set()
        """Dice of the first hand that were picked for the prompt."""
        self.die = -1
        """The one under the cursor."""
        self.tray: Tray | None = None
        self.seen: object = None
        """The prompt and the dice for which they were picked."""
        self._asks_dice: tuple[object, object, bool] = (None, None, False)
        self._hope: tuple[object, set[int], float | None] = (None, set(), None)
        """The chance of dice that were picked otherwise than the rules would, and the state that it is of."""
        self._pick_first()

    def read(self) -> V:
        """The view as it is now; the last one where the engine fails to give it."""
        assert self.kind is not None
        found = self.game.view(self.kind)
        return found if isinstance(found, self.shape) else getattr(self, "view", None) or self.shape()

    def update_view(self) -> None:
        """Read it again; a new prompt or new dice begin with the rules' own choice."""
        self.view = self.read()
        self._pick_first()

    # ---- dice that are picked

    def _pick_first(self) -> None:
        view = self.view
        if (view.prompt, view.hands) == self.seen:
            return
        self.seen = (view.prompt, view.hands)
        self.picked, self.die = set(), -1
        if view.prompt and view.prompt.pick and view.hands:
            faces = view.hands[0].faces
            self.picked = self._default()
            self.die = min(self.picked, default=next((i for i, f in enumerate(faces) if f.choosable), -1))

    def _default(self) -> set[int]:
        """The dice that the rules would pick: the chances, and the words, are of those."""
        return {i for i, f in enumerate(self.view.hands[0].faces) if f.chosen} if self.view.hands else set()

    @property
    def choosable(self) -> list[int]:
        """The places of the dice that can be picked."""
        return [i for i, f in enumerate(self.view.hands[0].faces) if f.choosable] if self.view.hands else []

    def toggle(self, place: int) -> None:
        """Pick a die, or put it back."""
        prompt = self.view.prompt
        if place in self.choosable and prompt:
            self.die = place
            if place in self.picked:
                self.picked.discard(place)
            else:
                while len(self.picked) >= max(prompt.most, 1):
                    self.picked.discard(max(self.picked))
                self.picked.add(place)
            self._weigh_picked(prompt)
        self.draw_stage()

    def _weigh_picked(self, prompt: Prompt) -> None:
        """The chances that came with the view are of the rules' own choice: those of another are asked for."""
        world, picked = self.game.world, set(self.picked)

        def take(found: Mapping[object, Odds]) -> None:
            self._hope = (world, picked, found[0].hope if 0 in found else None)
            self.draw_stage()

        if picked != self._default():
            self.play.weigh_each({0: self.picked_action(prompt)}, take)

    def move_die(self, step: int) -> None:
        """Another die under the cursor."""
        if free := self.choosable:
            at = free.index(self.die) if self.die in free else -1
            self.die = free[(at + step) % len(free)]
        self.draw_stage()

    def picked_action(self, prompt: Prompt) -> Action:
        """The prompt's default, with the dice that were picked."""
        action = prompt.options[0].action
        if prompt.pick:
            action = structs.replace(action, **{prompt.pick: tuple(sorted(self.picked))})
        return action

    def options(self, prompt: Prompt) -> tuple[Option, ...]:
        """Its answers. Dice that are not those that the rules would pick have one of their own, which is Enter's."""
        if not prompt.pick or self.picked == self._default():
            return prompt.options
        first = prompt.options[0]
        label = f"go on with {f'the {len(self.picked)}' if self.picked else 'none'} picked"
        mine = Option(label=label, action=self.picked_action(prompt), closed=first.closed, secret=first.secret)
        others: tuple[Option, ...] = prompt.options[1:] if first.key in ("", "enter") else prompt.options
        return (mine, *others)

    async def take(self, place: int) -> None:
        """Answer the prompt."""
        if (prompt := self.view.prompt) and place < len(found := self.options(prompt)):
            await self.play.press(found[place])

    async def type_answer(self) -> None:
        """Real dice for the prompt's default, or for the first answer that asks for any."""
        if prompt := self.view.prompt:
            others = [o.action for o in prompt.options if not o.closed]
            await self.play.type_dice(self.picked_action(prompt), *others)

    def asks_dice(self, prompt: Prompt) -> bool:
        """Does any answer ask for dice? Found out once for each prompt."""
        world = self.game.world
        if self._asks_dice[:2] != (prompt, id(world)):
            asks = any(self._rolls(o.action) for o in prompt.options if not o.closed)
            self._asks_dice = (prompt, id(world), asks)
        return self._asks_dice[2]

    def _rolls(self, action: Action) -> bool:
        try:
            return self.game.table.dice_needed(action) is not None
        except Refused:
            return False

    # ---- commands

    def asks(self) -> Layer | None:
        """The prompt's own layer."""
        return Layer("prompt", prompt_commands(self, self.view.prompt)) if self.view.prompt else None

    def roll_commands(self, verb: str = "roll") -> tuple[Command, ...]:
        """`r` rolls what the view offers, `t` types it in."""
        view, name = self.view, self.kind
        roll = self.roll_action if view.roll is not None else None
        closed = getattr(view, "roll_closed", "")
        if roll is None:
            closed = closed or f"open a {name} first"
        elif not self.game.table.seat:
            closed = ""  # to a player, whose it is
        if roll is None and isinstance(view, TableView):
            return ()  # a table without one leaves the letters to the engine
        return (
            Command(f"{name}.roll", ("r",), verb, self._roll, closed, where="band"),
            Command(f"{name}.type", ("t",), "type dice", self._type, closed, where="band"),
        )

    @property
    def roll_action(self) -> Action | None:
        """What `r` rolls and `t` types in."""
        return self.view.roll

    async def _roll(self) -> None:
        if self.roll_action is not None:
            await self.play.attempt(self.roll_action)

    async def _type(self) -> None:
        if self.roll_action is not None:
            await self.play.type_dice(self.roll_action)

    def option_commands(self, name: str, options: Mapping[int, Option]) -> tuple[Command, ...]:
        """Options of a view that have a key of their own."""
        return tuple(
            Command(f"{name}.{i + 1}", (o.key,), o.secret_label or o.label, partial(self.play.press, o), o.closed)
            for i, o in options.items()
            if o.key
        )

    def action_of(self, action: Action) -> str:
        """The id of the engine's action that an option of a page stands for: the page's own way takes its place."""
        return action_id(self.game.table.engine, type(action))

    # ---- looks

    def said(self) -> Said:
        """What must be answered; where that is not for this seat, by whom."""
        prompt = self.view.prompt
        if prompt is None or self.answers:
            # where there is no room for all of it, what is asked stands last
            return Said(prompt.text, True, prompt.text.rpartition(". ")[2]) if prompt else Said(self.title)
        whose = {self.game.table.standing(type(o.action), values(o.action)).why for o in prompt.options}
        theirs = len(whose) == 1 and all(whose) and not self.game.table.rights().looks_on
        return Said(f"{prompt.text} {begun(whose.pop())} to answer." if theirs else prompt.text)

    @property
    def answers(self) -> bool:
        """Is the prompt for this seat to answer?"""
        table, prompt = self.game.table, self.view.prompt
        if not table.seat or prompt is None:
            return not table.seat and self.play.allows("play")
        return not table.rights().looks_on and any(not o.closed for o in prompt.options)

    def show_tray(self, tray: Tray | None) -> None:
        """Draw the dice that are being typed."""
        self.tray = tray
        self.draw_stage()

    def dice_part(self) -> DicePart:
        """The stage's record."""
        view = self.view
        return DicePart(
            view.hands,
            view.prompt.text if view.prompt and not in_band(self, view.prompt, self.app.size.width) else "",
            listed(self, view.prompt, self._hopes(view.prompt)) if view.prompt else (),
            view.outcome,
            tuple(sorted(self.picked)) if self.answers else (),
            self.die if self.answers else -1,
            self.tray.part if self.tray else None,
            yours=self.answers,
        )

    def _hopes(self, prompt: Prompt) -> dict[int, float]:
        """The chance that each answer leads to, as far as it is known."""
        known, shown = self.outlook.prompt, self.options(prompt)
        found = {shown.index(o): known[i] for i, o in enumerate(prompt.options) if i in known and o in shown}
        world, picked, hope = self._hope
        if shown is not prompt.options and world is self.game.world and picked == self.picked and hope is not None:
            found[0] = hope
        return found

    def draw_stage(self) -> None:
        """Hand the stage its part."""
        self.stage.show(self.dice_part())
