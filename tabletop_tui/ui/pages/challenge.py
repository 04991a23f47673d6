"""The challenge page: a Lead, supporters, both pools, the chances of it all, and the dice."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from msgspec.structs import replace
from textual.app import ComposeResult

from ...rules import Action, ChallengeView, Option, percent
from ...session import outlook
from ...session.awaited import is_asked
from ..asking.host import Choose
from ..asking.listing import Pick
from ..asking.tray import Tray
from ..commands import Command, Layer, Where
from ..commands.catalogue import command
from ..commands.record import moves
from ..drawing.text import begun, spoken
from ..panels.bars import Said
from ..panels.card import Beside, Card
from ..panels.chances import ChancePanel, Hopes, Leading, LeadPanel
from ..panels.ground import Columns, Rows
from ..panels.matrix import MatrixPanel, Support
from ..panels.prospect import ProspectPanel
from ..panels.stage import Stage, dice_rows
from ..playing import Playing
from .page import Chances
from .parts import Choosing, PartsPage
from .supporting import (
    asked_cells,
    best_pick,
    extra_lines,
    heights,
    lead_picks,
    open_picks,
    prospect,
    row_after,
    skill_picks,
    skilled,
)

LEAST_STAGE = 5
"""Rows that it has in any case."""
LEAST_LOG = 7
"""Rows that larger dice leave to what happened."""


class ChallengePage(PartsPage):
    """Any engine with a challenge view."""

    DEFAULT_CSS = """
    ChallengePage #doing { height: auto; }
    ChallengePage #head { height: 6; }
    ChallengePage Card { display: none; }
    ChallengePage.-over MatrixPanel, ChallengePage.-without MatrixPanel { display: none; }
    """
    kind = "challenge"
    shape = ChallengeView

    def __init__(self, play: Playing, **kwargs: Any) -> None:
        super().__init__(play, **kwargs)
        self.lead, self.chance = LeadPanel(), ChancePanel()
        self.matrix, self.stage, self.card = MatrixPanel(), Stage(), Card()
        self.prospect = ProspectPanel()
        self.head = Columns(id="head")
        self.row = 0
        self.wants: Choosing = ""
        """What the user asked to choose, though nothing makes it necessary."""
        self.led = False
        """Was the cursor of the list moved? Until then it stands on the best Lead."""
        self._about: tuple[str, str, object, tuple[str, ...]] = ("", "", None, ())

    def compose(self) -> ComposeResult:
        """A list while something is to be picked, else the challenge."""
        yield self.ask_panel
        with Rows(classes="work"):
            yield self.parts
            yield self.pick
            with Rows(id="doing"):
                with self.head:
                    yield self.lead
                    yield self.chance
                yield self.matrix
                yield self.stage
                yield self.prospect
                yield self.card
        yield self.log_panel

    # ---- looks

    def update_view(self) -> None:
        """Read the view again; a list whose question is answered closes."""
        super().update_view()
        view = self.view
        about = (view.title, view.lead, view.outcome, tuple(o.label for o in view.open))
        if about != self._about:  # play went on: what was asked for before is not asked any more
            # with another skill of the same Lead those who help are the same
            same = self._about[0] == view.title and bool(self._about[1]) == bool(view.lead)
            self._about, self.wants, self.led = about, "", False
            self.row = self.row if same else 0
        rows = view.support.rows if view.support else ()
        self.row = min(self.row, max(len(rows) - 1, 0))
        self.matrix.styles.height = min(max(len(rows), 1), 9) + 2
        self.update_parts()
        self.draw()
        self.draw_stage()

    @property
    def choosing(self) -> Choosing:
        """What is to be chosen now: because nothing else can be done, or because somebody asked."""
        view = self.view
        if view.prompt:
            return ""
        if not view.title or self.wants == "challenge":
            return "challenge"
        if not view.leads:
            return ""
        return "lead" if self.wants == "lead" or not (view.lead or view.outcome) else ""

    def draw(self) -> None:
        """All of it again."""
        view, look = self.view, self.outlook
        self._list()
        over = bool(view.prompt or view.outcome)
        active = not over and not self.play.keyless
        self.set_class(over, "-over")
        self.set_class(view.support is None and bool(view.extras), "-without")  # who helps stands among the chances
        self.set_class(over or self.tray is not None, "-dice")
        self.prospect.show(prospect(view, look, thinking=self.thinking))
        self.lead.show(Leading(view.lead, view.pools))
        self.chance.show(Hopes(look.odds, self._waiting(), view.stakes, extra_lines(view, look), self.play.plays))
        rows = view.support.rows if view.support else ()
        # once the dice lie there nobody helps any more: it is about whoever led
        who = rows[self.row].id if self.row < len(rows) and active else view.led_by
        self.card.show(Beside(self.game.sheet(who), view.about, view.secret_about))
        asked = asked_cells(view.support, () if self.game.table.seat else self.game.table.proposals())
        cells, plays = {} if over else look.cells, self.play.plays
        self.matrix.show(Support(view.support, cells, self.row, active, plays, asked, bool(view.lead)))
        self.draw_parts(bool(view.parts) and self.choosing != "challenge")
        self._lay_out()

    def show_tray(self, tray: Tray | None) -> None:
        """Typed dice need room."""
        opened = (tray is None) != (self.tray is None)
        super().show_tray(tray)
        if opened:
            self.draw()

    def _lay_out(self) -> None:
        """The dice give way before what happened does: that is where messages stand."""
        if not self.is_attached or self.screen.has_class("-wide") or not self.room.height:
            return
        parts = len(self.parts.lines(self.room.width)) if self.parts.display else 0
        head, stage = heights(self.view, self.room, parts)
        if self.view.prompt or self.view.outcome:  # rows that dice and answers leave empty are the log's
            free = self.room.height - parts - head - LEAST_LOG
            need = max(dice_rows(self.dice_part(), self.room.width, free), LEAST_STAGE)
            stage = max(min(stage, need), min(need, free))
        for panel in (self.head, self.lead, self.chance):
            panel.styles.height = head
        self.stage.styles.height = stage

    def _waiting(self) -> str:
        view = self.view
        if view.roll is None:
            return view.roll_closed if view.lead and not (view.prompt or view.outcome) else ""
        if view.odds_secret and self.game.table.seat:
            return "the difficulty is hidden"
        return "working out the chances …" if self.thinking else ""

    def _list(self) -> None:
        """The list of what is to be chosen."""
        view, choosing = self.view, self.choosing
        if choosing == "challenge":
            self.show_list(self.prepared, *open_picks(self.game.table, view.open))
        elif choosing == "lead":
            picks = lead_picks(view, self.outlook, thinking=self.thinking)
            cursor = next((i for i, p in enumerate(picks) if not p.closed), 0)
            best = best_pick(view, self.outlook, thinking=self.thinking)
            if best is not None:
                picks, cursor = [best, *picks], 0
            title = f"{view.title}: who leads?"
            self.show_list(title, picks, cursor, stays=self.led, proposed=best is not None)
        else:
            self.hide_list()

    def facts(self) -> tuple[str, ...]:
        """The challenge and its difficulty."""
        return (self.view.title,) if self.view.title else ()

    @property
    def difficulty(self) -> tuple[str, ...]:
        """What is known of it, at the end of the band."""
        return tuple(x for x in (*(fact.text for fact in self.view.facts), self.view.secret_facts) if x)

    def said(self) -> Said:
        """Who leads and with what chance, or what is to be chosen."""
        view = self.view
        if view.prompt:
            return super().said()
        if there := self.waits():
            return Said(f"The {begun(there)} waits for an answer")
        if self.choosing == "lead":
            return Said("Who leads?", bool(self.wants), tail=self.difficulty)
        if self.choosing == "challenge":
            return Said("Which challenge?" if view.open else "No challenge is prepared", bool(self.wants))
        if view.outcome:
            part = view.parts and view.outcome.goes_on  # its outcome names it
            whole = "" if part else f": {view.title}"
            return Said(f"{spoken(view.outcome.title)}{whole}", tail=self.difficulty)
        odds = self.outlook.odds
        chance = percent(odds.hope) if odds and view.roll is not None else ""
        return Said(view.lead or view.title, chance=chance, tail=self.difficulty)

    # ---- commands

    def asks(self) -> Layer | None:
        """The prompt, or a list that is to be chosen from."""
        if self.list is None:
            return super().asks()
        lead = self.choosing == "lead"
        rows = self.rows_of(self.list, "lead" if lead else "open")
        if lead and not self.waits():
            rows = tuple(replace(c, run=self._best) if c.keys == ("enter",) else c for c in rows)
        leave = Command("challenge.leave", ("escape",), "leave", self._leave, effect="look", section="")
        return Layer("list", (*rows, leave) if self.wants else rows)

    def _moved(self) -> None:
        self.led = True
        self.draw()

    async def _best(self) -> None:
        """Enter: whoever is under the cursor, which is the best Lead until it was moved. Chances are waited for, so
        that a burst of keys leads as slow typing does."""
        if self.thinking and not self.led:
            world, view = self.game.world, self.view
            found = await asyncio.to_thread(outlook, self.game.table, "challenge", world, view)
            self.take_chances(Chances(world, found))
        if self.list and self.list.here and not self.list.here.closed:
            await self._chosen(self.list.here)

    def _leave(self) -> None:
        self.wants = ""
        self.draw()

    async def _chosen(self, pick: Pick[Option]) -> None:
        opens, self.wants, self.led = self.choosing == "challenge", "", False
        if not (opens and pick.key == "open"):
            await self.play.press(pick.value)
        self.draw()  # where it was refused, nothing else closes the list

    def commands(self) -> tuple[Command, ...]:
        """Support, roll, lead, open another, the parts."""
        view = self.view
        out: list[Command] = []
        if view.prompt:
            return (self.part_looked_at(),) if view.parts else ()
        if self.list is None:
            out += self._doing()
        elif self.choosing == "lead" and view.parts:
            out += self.part_commands()
        if view.leads and view.title:
            ids, run = self.action_of(view.leads[0].action), partial(self.want, "lead")
            why = "choose from the list" if self.choosing == "lead" else ""
            out.append(command("challenge.lead", run, why, instead=ids))
            if why:  # the list has what is usual, the form has everything: a background in place of a skill, say
                how = "lead with anything: by its form"
                out.append(command("challenge.skill", self._another_way, label="another way", help=how))
        if view.open and view.title:
            ids, run = self.action_of(view.open[0].action), partial(self.want, "challenge")
            why = "choose from the list" if self.choosing == "challenge" else ""
            out.append(command("challenge.browse", run, why, instead=ids))
        return tuple(out)

    async def _another_way(self) -> None:
        """The form for whoever is under the cursor."""
        here = self.list.here if self.list else None
        action = (here.value if here else self.view.leads[0]).action
        by = type(action).done_by
        await self.play.start(type(action), {by: getattr(action, by)} if by else None)

    def _doing(self) -> list[Command]:
        view = self.view
        out: list[Command] = []
        if going := self.going():
            out.append(going)
        elif view.outcome:
            wants: Choosing = "lead" if view.leads and not view.lead else "challenge"
            word = "who tries next" if wants == "lead" else view.words.again
            if wants == "lead" or any(not o.closed for o in view.open):
                out.append(command("challenge.on", partial(self.want, wants), label=word))
        else:
            out += self.roll_commands()
            out += self._supports()
            out += self.option_commands("challenge.extra", dict(enumerate(view.extras)))
        if view.parts:
            out += self.part_commands()
        return out

    def _supports(self) -> list[Command]:
        matrix = self.view.support
        if matrix is None or not matrix.rows:
            return []
        row = matrix.rows[min(self.row, len(matrix.rows) - 1)]
        where: Where = "band" if self.game.table.seat and is_asked(row) else "footer"
        out = [
            Command(
                f"challenge.support.{c + 1}",
                (str(c + 1),),
                f"{row.who}: {column}",
                partial(self._support, c),
                row.cells[c].closed,
                where=where,
                group="ask for it" if row.cells[c].asks else "support",
            )
            for c, column in enumerate(matrix.columns[:9])
        ]
        if skilled(row):
            why = "" if skill_picks(self.game.table, matrix, row) else "what is left needs no skill"
            out.append(command("challenge.skill", self._with_skill, why))
        if len(matrix.rows) > 1:
            out += moves("challenge", "who helps", self._row)
        out.append(Command("challenge.row", (), "", effect="look", where="hidden", point=self._point_row))
        out.append(Command("challenge.cell", (), "", where="hidden", point=self._point_cell))
        return out

    def want(self, what: Choosing) -> None:
        """Somebody asks to choose."""
        self.wants = what
        self.draw()

    def _row(self, step: int) -> None:
        if self.view.support and self.view.support.rows:
            self.row = (self.row + step) % len(self.view.support.rows)
        self.draw()

    def _point_row(self, place: tuple[int, ...]) -> None:
        self.row = place[0]
        self.draw()

    async def _point_cell(self, place: tuple[int, ...]) -> None:
        self.row = place[0]
        await self._support(place[1])

    async def _support(self, column: int) -> None:
        """A support action of the supporter under the cursor; then on to the next one."""
        matrix = self.view.support
        if matrix is None or self.row >= len(matrix.rows) or column >= len(matrix.columns):
            return
        row = matrix.rows[self.row]
        option = row.cells[column]
        if option.closed:
            self.play.tell(f"{row.who}: {option.closed}.")
            return
        self.row = row_after(matrix, self.row, self.game.table.seat)
        await self.play.press(option)

    def _with_skill(self) -> None:
        """A list of skills: a digit helps with it, and on to the next one."""
        matrix = self.view.support
        if matrix is None:
            return
        row = matrix.rows[min(self.row, len(matrix.rows) - 1)]

        async def support(action: Action) -> None:
            self.row = row_after(matrix, self.row, self.game.table.seat)
            await self.play.attempt(action)

        picks = skill_picks(self.game.table, matrix, row)
        self.play.host.ask(Choose(f"{row.who} helps with what?", picks, support))
