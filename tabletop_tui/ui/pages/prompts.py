"""A prompt as commands: Enter is its default, letters and digits its options, arrows and digits pick dice."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from functools import partial
from typing import Protocol

from ...rules import Option, Prompt
from ..commands import Command, key_for
from ..drawing.pools import Answer, numbered
from ..drawing.text import cells, with_enter
from ..panels.bars import Said, arranged
from ..playing import Playing

MOST_PICKED = 9
"""Dice that a digit can pick."""


class Prompted(Protocol):
    """A page, as far as a prompt needs it."""

    play: Playing

    @property
    def answers(self) -> bool:
        """Is the prompt for this seat to answer?"""

    def said(self) -> Said:
        """The band's sentence."""

    picked: set[int]

    @property
    def choosable(self) -> list[int]:
        """The places of the dice that can be picked."""

    def options(self, prompt: Prompt) -> Sequence[Option]:
        """Its answers as they stand."""

    def take(self, place: int) -> Awaitable[None]:
        """Answer it."""

    def toggle(self, place: int) -> None:
        """Pick a die, or put it back."""

    def move_die(self, step: int) -> None:
        """Another die under the cursor."""

    def type_answer(self) -> Awaitable[None]:
        """Real dice for it."""

    def asks_dice(self, prompt: Prompt) -> bool:
        """Does any answer ask for dice?"""

    @property
    def die(self) -> int:
        """The place of the die under the cursor."""


def default(options: Sequence[Option], seat: str) -> int:
    """The place of Enter's answer: the first that is open. At a seat it is the first of all or none: where the GM
    would let a roll count, a player's Enter must not spend anything."""
    if seat and options[0].closed:
        return -1
    return next((i for i, option in enumerate(options) if not option.closed), 0)


def listed(page: Prompted, prompt: Prompt, hopes: Mapping[int, tuple[float, str]]) -> tuple[Answer, ...]:
    """Its answers as they are listed, with the chance that each leads to; keys only for whoever may answer."""
    digits = {place: str(number) for number, place in enumerate(numbered(prompt), 1)}
    options = page.options(prompt)
    first, out = default(options, page.play.game.table.seat), []
    for place, o in enumerate(options):
        key = o.key or ("" if prompt.pick else digits[place])
        id = f"prompt.{place + 1}"
        key = key_for(id, "" if key == "enter" else key)
        if place == first:
            key = with_enter(key, id)
        if o.closed or not page.answers:
            key = ""
        hope, of = hopes.get(place, (None, ""))
        out.append(Answer(key, o.secret_label or o.label, o.secret_note or o.note or of, o.closed, hope))
    return tuple(out)


def prompt_commands(page: Prompted, prompt: Prompt) -> tuple[Command, ...]:
    """What can be pressed while a prompt waits."""
    digits = {place: str(number) for number, place in enumerate(numbered(prompt), 1)}
    options = page.options(prompt)
    first = default(options, page.play.game.table.seat)
    out = []
    for place, option in enumerate(options):
        own = option.key or ("" if prompt.pick else digits[place])
        keys = [key for key in (own,) if key and (not key.isdigit() or int(key) <= MOST_PICKED)]
        keys = ["enter", *(k for k in keys if k != "enter")] if place == first else keys
        label = option.secret_label or option.label
        run = partial(page.take, place)
        out.append(Command(f"prompt.{place + 1}", tuple(keys), label, run, option.closed, where="band"))
    if page.asks_dice(prompt):
        out.append(Command("prompt.type", ("t",), "type dice", page.type_answer, where="band"))
    if prompt.pick and not all(option.closed for option in prompt.options):
        out += _picking(page)
    return tuple(out)


def _picking(page: Prompted) -> list[Command]:
    free = page.choosable
    out = [
        Command(
            f"prompt.die.{p + 1}",
            (str(p + 1),),
            "leave it" if p in page.picked else "pick",
            partial(page.toggle, p),
            group="leave it" if p in page.picked else "pick a die",
            section="",
        )
        for p in sorted(free, key=lambda p: p in page.picked)  # those that one key word is of stand together
        if p < MOST_PICKED
    ]
    if len(free) > 1:
        left, right = partial(page.move_die, -1), partial(page.move_die, 1)
        out.append(Command("prompt.left", ("left",), "die", left, effect="look", group="another die", section=""))
        out.append(Command("prompt.right", ("right",), "die", right, effect="look", group="another die", section=""))
    if len(free) > 1 or (free and not out):  # of one die its digit says it all
        word = "leave it" if page.die in page.picked else "pick it"
        out.append(Command("prompt.pick", ("space",), word, lambda: page.toggle(page.die), section=""))
    return out


def in_band(page: Prompted, prompt: Prompt, width: int) -> bool:
    """Is there room in the band for all of its sentence beside its answers?"""
    chips = [(o.key, o.secret_label or o.label) for o in page.options(prompt) if not o.closed]
    if default(page.options(prompt), page.play.game.table.seat) >= 0:
        chips[:1] = [("enter", label) for _, label in chips[:1]]
    chips += [("t", "type dice")] if page.asks_dice(prompt) else []
    widths = [cells(key or "1") + cells(label) + 3 for key, label in chips]
    return arranged(page.said(), widths, width)[0] == prompt.text
