"""The GM at play: what players ask for stands in the band on every page, and is answered without leaving it."""

from __future__ import annotations

from functools import partial

from ...rules import Action, Refused, tag_of
from ...session import Proposal, Step, players_of
from ...session.proposals import UNDO
from ...session.seats import read_fields
from ..asking.form import Form
from ..asking.host import Choose, Question
from ..asking.listing import Pick, undoing
from ..commands import Layer
from ..commands.catalogue import command
from ..panels.bars import Said
from ..playing import Playing
from .mode import Mode, shortened

ANSWERS = frozenset(("asked.accept", "asked.decline", "asked.look"))


class Answering(Mode):
    """Play, with players at their seats. The three keys are nobody else's: a question arrives unasked."""

    def __init__(self, play: Playing) -> None:
        self.play = play

    def waiting(self) -> list[Proposal]:
        """What is asked for, the oldest first."""
        return self.play.game.table.proposals()

    def layer(self) -> Layer:
        """`y`, `N` and `A`, while somebody waits; and a word to one player."""
        words = (
            command("asked.word", self.say, section="players"),
            command("asked.whisper", self.whisper, section="players"),
        )
        if not (waiting := self.waiting()):
            return Layer("asked", words)
        # beside a decision of the GM's own they say whom they answer
        whom = f" to {waiting[0].by}" if self.play.front in self.play.place.asks else ""
        return Layer(
            "asked",
            (
                *words,
                command("asked.accept", self.accept, self.cannot(), label=f"yes{whom}", section="players"),
                command("asked.decline", self.decline, label=f"no{whom}", section="players"),
                command("asked.look", self.look, section="players"),
            ),
        )

    def said(self) -> Said | None:
        """The oldest question, unless the GM has a decision of their own to make."""
        waiting = self.waiting()
        if not waiting:
            return None
        first = waiting[0]
        tail = [f"not now: {why}"] if (why := self.cannot()) else []
        since = len(self._undone(first)) - 1
        tail += [f"with {since} step{'s' if since > 1 else ''} since"] if since > 0 else []
        tail += [f"{len(waiting) - 1} more"] if len(waiting) > 1 else []
        # the rows of what is asked have all of it: the answers stay beside the question
        short = f"{first.by} asks: {shortened(first.words)}"
        return Said(f"{first.by} asks: {first.words}", True, short, tuple(tail), keys=ANSWERS)

    def cannot(self) -> str:
        """Why the oldest cannot be done as things stand; empty where it can."""
        table = self.play.game.table
        try:
            for first in self.waiting()[:1]:
                if first.action != UNDO:
                    action = table.completion(first)
                    if why := table.engine.when(type(action), table.world):
                        return why
                    table.engine.check(action, table.world)
        except Refused as no:
            return no.what
        return ""

    def say(self) -> None:
        """Turn to one player, before everybody: "Ana, how does Mira help?"."""
        self._to_whom("say to", secret=False)

    def whisper(self) -> None:
        """Tell one player something that nobody else reads."""
        self._to_whom("whisper to", secret=True)

    def _to_whom(self, verb: str, *, secret: bool) -> None:
        names = players_of(self.play.game.world.sheets.values())

        async def chosen(name: str) -> None:
            async def said(text: str) -> bool:
                if done := await self.play.game.drive(lambda on: on.word(name, text, secret=secret)):
                    self.play.saved()
                return done is not None

            self.play.host.ask(Question(f"{verb} {name}", said))

        self.play.host.ask(Choose(f"{verb} whom?", [Pick(name, name) for name in names], chosen))

    async def accept(self) -> None:
        """Do the oldest; where that takes back more than was asked for, after a question."""
        for first in self.waiting()[:1]:
            if len(self._undone(first)) > 1:
                self._ask_undo(first)
            else:
                await self.play.accept(first.seq)

    def _undone(self, asked: Proposal) -> list[Step]:
        """What taking something back would undo: it and all that was done since."""
        return self.play.game.table.undone_by(asked.fields["to"]) if asked.action == UNDO else []

    def _ask_undo(self, asked: Proposal) -> None:
        async def answered(yes: bool) -> None:
            if yes:
                await self.play.accept(asked.seq)

        undone = self._undone(asked)
        picks = [Pick(False, "no, leave it"), undoing(undone)]
        told = [(*step.said, step.action)[0] for step in undone]
        self.play.host.ask(Choose(f"{asked.by} asks: {asked.words}", picks, answered, told=told))

    def decline(self) -> None:
        """Say no to the oldest, and why."""
        for first in self.waiting()[:1]:
            why = partial(self._decline, first.seq)
            self.play.host.ask(Question(f"No to {first.by}, because", why, "not now", fresh=True, enter="say no"))

    async def _decline(self, seq: int, why: str) -> bool:
        return await self.play.decline(seq, why) or all(one.seq != seq for one in self.waiting())

    def look(self) -> None:
        """The oldest in its form, filled in."""
        table = self.play.game.table
        first = next(iter(self.waiting()), None)
        kind = next((k for k in table.engine.actions if first and tag_of(k) == first.action), None)
        if first is None or kind is None:
            if first and first.action == UNDO:
                self._ask_undo(first)
            return
        form = Form(kind, table, _Accepting(self.play, first.seq), read_fields(kind, first.fields))
        self.play.host.ask(form)
        form.changed()


class _Accepting:
    """Does what a form says as the answer to a proposal."""

    def __init__(self, play: Playing, seq: int) -> None:
        self.play, self.seq = play, seq
        self.weigh, self.weigh_each = play.weigh, play.weigh_each

    async def do_form(self, action: Action) -> str:
        """Accept it as it stands now."""
        return await self.play.accept(self.seq, action, close=True)

    async def type_dice(self, *actions: Action) -> None:
        """As any form; the dice are those of the answer."""
        await self.play.type_dice(*actions, throw=self._throw)

    async def _throw(self, action: Action, dice: tuple[int, ...], roll: bool) -> None:
        await self.play.accept(self.seq, action, dice, roll=roll)
