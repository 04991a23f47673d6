"""A page of one of the engine's views: its dice, its prompts, and what is picked among them.

A prompt is commands: Enter is its default, letters and digits its options, arrows and digits pick dice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any, Generic, TypeVar

from msgspec import structs

from ...rules import Action, ChallengeView, ContestView, Counter, Odds, Option, Prompt, Refused, TableView, values
from ..asking.tray import Tray
from ..commands import Command, Layer, Where, key_for
from ..commands.catalogue import action_id, command
from ..commands.record import moves
from ..drawing.pools import Answer
from ..drawing.text import begun, cells, with_enter
from ..panels.bars import Said, arranged
from ..panels.stage import Dice as DicePart
from ..panels.stage import Stage
from ..playing import Playing
from .page import Chances, Page

V = TypeVar("V", TableView, ChallengeView, ContestView)
MOST_PICKED = 9
"""Dice that a digit can pick."""


def default(options: Sequence[Option], seat: str) -> int:
    """The place of Enter's answer: the first that is open. At a seat it is the first of all or none: where the GM
    would let a roll count, a player's Enter must not spend anything."""
    if seat and options[0].closed:
        return -1
    return next((i for i, option in enumerate(options) if not option.closed), 0)


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
        self._hope: tuple[object, set[int], tuple[float, str] | None] = (None, set(), None)
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
            self._hope = (world, picked, (found[0].hope, found[0].hoped_words) if 0 in found else None)
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
        first, count = prompt.options[0], len(self.picked)
        label = f"go on with {'no die' if not count else '1 die' if count == 1 else f'{count} dice'} picked"
        key = first.key if self.picked else ""  # the letter of the rules' own choice must not drop what was picked
        action = self.picked_action(prompt)
        mine = Option(label=label, action=action, key=key, closed=first.closed, secret=first.secret)
        replaced = bool(self.picked) or first.key in ("", "enter")
        return (mine, *prompt.options[1:]) if replaced else (mine, *prompt.options)

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
        return Layer("prompt", self._prompt_commands(self.view.prompt)) if self.view.prompt else None

    def _prompt_commands(self, prompt: Prompt) -> tuple[Command, ...]:
        """What can be pressed while a prompt waits."""
        options = self.options(prompt)
        first = default(options, self.game.table.seat)
        out: list[Command] = []
        for place, (option, own) in enumerate(zip(options, _keys(prompt, options), strict=True)):
            keys: tuple[str, ...] = (own,) if own and not (own.isdigit() and int(own) > MOST_PICKED) else ()
            keys = ("enter", *(key for key in keys if key != "enter")) if place == first else keys
            label, run = option.secret_label or option.label, partial(self.take, place)
            out.append(Command(f"prompt.{place + 1}", keys, label, run, option.closed, where="band"))
        if self.asks_dice(prompt):
            out.append(Command("prompt.type", ("t",), "type dice", self.type_answer, where="band"))
        if prompt.pick and not all(option.closed for option in prompt.options):
            out += self._picking()
        return tuple(out)

    def _picking(self) -> list[Command]:
        free = self.choosable
        out = [
            Command(
                f"prompt.die.{p + 1}",
                (str(p + 1),),
                "leave it" if p in self.picked else "pick",
                partial(self.toggle, p),
                group="leave it" if p in self.picked else "pick a die",
                section="",
            )
            for p in sorted(free, key=lambda p: p in self.picked)  # those that one key word is of stand together
            if p < MOST_PICKED
        ]
        if len(free) > 1:
            out += moves("prompt", "another die", self.move_die, {"left": -1, "right": 1})
        if len(free) > 1 or (free and not out):  # of one die its digit says it all
            word = "leave it" if self.die in self.picked else "pick it"
            out.append(Command("prompt.pick", ("space",), word, lambda: self.toggle(self.die), section=""))
        return out

    def enters(self) -> type[Action] | None:
        """What Enter answers a prompt with."""
        prompt = self.view.prompt
        if prompt is None or not self.answers:
            return None
        first = default(options := self.options(prompt), self.game.table.seat)
        return type(options[first].action) if first >= 0 else None

    def roll_commands(self, verb: str = "roll") -> tuple[Command, ...]:
        """`r` rolls what the view offers, `t` types it in."""
        view, name = self.view, self.kind
        roll = self.roll_action if view.roll is not None else None
        closed = getattr(view, "roll_closed", "")
        if roll is None:
            closed = closed or ("the GM's" if self.game.table.seat and view.title else f"open a {name} first")
        elif not self.game.table.seat:
            closed = ""  # to a player, whose it is
        theirs = roll is not None and self.game.table.standing(type(roll), values(roll)).how == "no"
        if isinstance(view, TableView) and (roll is None or theirs):
            return ()  # a table without one, or with somebody else's, leaves the letters to the engine
        return (
            command(f"{name}.roll", self._roll, closed, label=verb),
            command(f"{name}.type", self._type, closed),
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
        """Options of a view: those without a key of their own are clicked, or found in the list of everything."""
        out = []
        for i, o in options.items():
            keys, run = (o.key,) if o.key else (), partial(self.play.press, o)
            where: Where = "footer" if o.key else "list"
            out.append(Command(f"{name}.{i + 1}", keys, o.secret_label or o.label, run, o.closed, where=where))
        return tuple(out)

    def action_of(self, action: Action) -> str:
        """The id of the engine's action that an option of a page stands for: the page's own way takes its place."""
        return action_id(self.game.table.engine, type(action))

    # ---- looks

    def draw(self) -> None:
        """What may look otherwise once chances are known, but for the stage."""

    def take_chances(self, chances: Chances) -> None:
        """Chances have come."""
        self.chances = chances
        self.draw()
        self.draw_stage()

    def facts(self) -> tuple[str, ...]:
        """What the view says of itself, then its title."""
        return tuple(x for x in (*(fact.text for fact in self.view.facts), self.view.title) if x)

    def counters(self) -> tuple[Counter, ...]:
        """The view's own."""
        return self.view.counters

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
            view.prompt.text if view.prompt and not self._in_band(view.prompt) else "",
            self._listed(view.prompt) if view.prompt else (),
            view.outcome or (view.prompt.so_far if view.prompt else None),
            view.outcome is not None,
            tuple(sorted(self.picked)) if self.answers else (),
            self.die if self.answers else -1,
            self.tray.part if self.tray else None,
            yours=self.answers,
        )

    def _in_band(self, prompt: Prompt) -> bool:
        """Is there room in the band for all of its sentence beside its answers?"""
        options = self.options(prompt)
        chips = [(o.key, o.secret_label or o.label) for o in options if not o.closed]
        if default(options, self.game.table.seat) >= 0:
            chips[:1] = [("enter", label) for _, label in chips[:1]]
        chips += [("t", "type dice")] if self.asks_dice(prompt) else []
        widths = [cells(key or "1") + cells(label) + 3 for key, label in chips]
        return arranged(self.said(), widths, self.app.size.width)[0] == prompt.text

    def _listed(self, prompt: Prompt) -> tuple[Answer, ...]:
        """Its answers, with the chance that each leads to; keys only for whoever may answer."""
        options, hopes = self.options(prompt), self._hopes(prompt)
        first, out = default(options, self.game.table.seat), []
        for place, (o, own) in enumerate(zip(options, _keys(prompt, options), strict=True)):
            id = f"prompt.{place + 1}"
            key = key_for(id, "" if own == "enter" else own)
            if place == first:
                key = with_enter(key, id)
            if o.closed or not self.answers:
                key = ""
            hope, of = hopes.get(place, (None, ""))
            note = o.secret_note or o.note or of
            out.append(Answer(key, o.secret_label or o.label, note, o.closed, hope, id if self.answers else ""))
        return tuple(out)

    def _hopes(self, prompt: Prompt) -> dict[int, tuple[float, str]]:
        """The chance that each answer leads to, and what it is of, as far as it is known."""
        known, shown = self.outlook.prompt, self.options(prompt)
        found = {shown.index(o): known[i] for i, o in enumerate(prompt.options) if i in known and o in shown}
        world, picked, hope = self._hope
        if shown is not prompt.options and world is self.game.world and picked == self.picked and hope is not None:
            found[0] = hope
        return found

    def draw_stage(self) -> None:
        """Hand the stage its part."""
        self.stage.show(self.dice_part())


def _keys(prompt: Prompt, options: Sequence[Option]) -> list[str]:
    """The key of each answer: its own or a digit; while dice are picked, digits are theirs."""
    digits = count(1)
    return [o.key or ("" if prompt.pick else str(next(digits))) for o in options]
