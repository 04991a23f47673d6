"""The table page: who is there, whose turn it is, what is being done and what just fell."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.timer import Timer

from ...records import series
from ...rules import Action, Option, TableView, percent
from ...session.meant import Meant
from ...session.ways import said_by
from ..asking.form import Form
from ..asking.host import Asked, Question
from ..commands import Command, key_for
from ..commands.catalogue import command
from ..commands.record import moves
from ..drawing.text import begun
from ..panels.bars import Said
from ..panels.card import Beside, Card
from ..panels.ground import Columns, Rows
from ..panels.plot import PlotPanel
from ..panels.roster import Present, Roster, Row, Target, rows
from ..panels.stage import Dice as DicePart
from ..panels.stage import Stage
from ..playing import Playing
from .ahead import Ahead, named
from .view_page import ViewPage

JUMP = 10
WIDE = 90
"""Columns from which the chances against some others are told too."""


class TablePage(ViewPage[TableView]):
    """Any engine with a table view."""

    DEFAULT_CSS = """
    TablePage #left { width: 35; height: 1fr; background: $surface; }
    TablePage #left Roster { width: 1fr; }
    TablePage #left Card { display: none; height: 8; background: $surface; }
    TablePage #right { width: 1fr; height: 1fr; }
    TablePage .work, TablePage AskPanel { height: 14; }
    TablePage Stage { height: 1fr; }
    TablePage PlotPanel { display: none; }
    """
    kind = "table"
    shape = TableView

    def __init__(self, play: Playing, **kwargs: Any) -> None:
        super().__init__(play, **kwargs)
        self.roster, self.stage, self.card, self.plot = Roster(), Stage(), Card(), PlotPanel()
        self.cursor = 0
        self.pointed = False
        """Did somebody move the cursor since the turn began, to one who is not out since?"""
        self.up = ""
        self.opened: frozenset[str] = frozenset()
        """Groups that are shown one by one."""
        self.rows: list[Row] = rows(self.view.people, self.opened)
        self._go_to(self._own())
        self.form: Form | None = None
        self.ahead = Ahead(play, self.view, self.draw_stage)
        self._plotting: Timer | None = None

    def compose(self) -> ComposeResult:
        """Who, left; what is being done, right; what happened below it."""
        with Columns():
            with Rows(id="left"):
                yield self.roster
                yield self.card
            with Rows(id="right"):
                yield self.ask_panel
                with Rows(classes="work"):
                    yield self.stage
                    yield self.plot
                yield self.log_panel

    # ---- looks

    def update_view(self) -> None:
        """Read the view again; when somebody else is up, the cursor goes to whom they would act against."""
        super().update_view()
        view, under = self.view, self.under
        before, self.rows = self.rows, rows(view.people, self.opened)
        up = next((p.id for p in view.people if p.current), "")
        if up != self.up:
            self.up, self.pointed = up, False
            under = self._first(under)
        elif up and not self.pointed:  # whom they would act against may have fallen, or stand again after undo
            under = self._first(under)
        was = next((row.person.out for row in before if row.person.id == under), False)
        now = next((p.out for p in view.people if p.id == under), False)
        self.pointed = self.pointed and was == now
        self._go_to(under)
        self._look_ahead()
        self._draw()
        self.draw_stage()
        self._plot_soon()

    def _first(self, under: str) -> str:
        """Where the cursor begins: on whom whoever is up would act against, while nobody is up on one's own."""
        view, up = self.view, self.up
        if up:
            return up if self.play.keyless else self.ahead.target(view, up)
        return self._own() or next((p.id for p in view.people if p.may_go), under)

    def _own(self) -> str:
        """At a player's seat, the first of their characters; of several one who may go."""
        table = self.game.table
        mine = [p for p in self.view.people if table.rights().owns(p.id)] if table.seat else []
        return next((p.id for p in mine if p.may_go), mine[0].id if mine else "")

    def _look_ahead(self) -> None:
        self.ahead.look(self.view, self.meant(), wide=self.room.width >= WIDE)

    def dice_part(self) -> DicePart:
        """With what whoever is up can do, or what could happen."""
        part = replace(super().dice_part(), lasting=self.view.conditions)
        if self.tray or (self.view.prompt and self.view.roll is None):
            return replace(part, scene=self.ahead.scene())
        doing, view, shown = self.ahead.doing(), self.view, self.roll_action
        if view.roll is not None and type(shown) is type(view.roll):
            odds = self.outlook.odds if shown is view.roll else self.ahead.odds.get(shown)
            waiting = "working out the chances …" if odds is None and self.thinking else ""
            doing = replace(doing, pools=view.pools, odds=odds, waiting=waiting)
        return replace(part, doing=doing)

    @property
    def roll_action(self) -> Action | None:
        """What stands on the stage: against the one under the cursor, in games whose rolls have a target."""
        return self.ahead.shown if self.ahead.ways else self.view.roll

    def _roll_keys(self) -> tuple[Command, ...]:
        """`r` and `t`; where the roll begins something, `r` is called so, and Enter stands there for it."""
        begins = next((o.label for o in self.view.acts if o.key == "enter" and o.action == self.view.roll), "")
        found = self.roll_commands(begins or "roll")
        return tuple(replace(c, where="list") if begins and c.keys == ("r",) else c for c in found)

    def _plot_soon(self) -> None:
        """The plot can wait until nothing else has to be drawn; it is not shown on small screens."""
        if self._plotting is not None:
            self._plotting.stop()
        if self.is_mounted and self.screen.has_class("-tall"):
            self._plotting = self.set_timer(0.4, self._plot)

    def _plot(self) -> None:
        found = tuple(series(self.game.table, 48))
        self.plot.show(found)
        self.plot.set_class(any(one.moved for one in found), "-moved")

    @property
    def under(self) -> str:
        """Whoever is under the cursor."""
        return self.rows[self.cursor].person.id if self.rows else ""

    def _go_to(self, who: str) -> None:
        """Put the cursor on somebody's row, or leave it about where it is."""
        self.cursor = min(self._row_of(who, self.cursor), max(len(self.rows) - 1, 0))

    def _row_of(self, who: str, otherwise: int = -1) -> int:
        found = (i for i, row in enumerate(self.rows) if any(who in (p.id, p.name) for p in row.people))
        return next(found, otherwise)

    def _draw(self) -> None:
        self._draw_roster()
        self._draw_card()

    def _draw_roster(self) -> None:
        view, form = self.view, self.form
        turns = any(p.current or p.may_go for p in view.people)
        note = view.facts[0].text if view.facts and turns else ""
        secrets = not self.game.table.seat
        at, keyless, keyed = self.cursor, self.play.keyless, self.play.plays
        shown = Present(
            tuple(self.rows), at, view.places, view.places_title, note, secrets=secrets, keyless=keyless, keyed=keyed
        )
        if form is not None and form.aim:
            target = self._row_of(str(form.answers.get(form.kind.done_to, "")), self.cursor)
            shown = replace(shown, cursor=target, targets=self._targets(form))
        self.roster.show(shown)

    def _targets(self, form: Form) -> dict[int, Target] | None:
        """The rows of those who can be chosen in a form: their digits, while they are asked for, and the chances."""
        if not form.inline or (form.rolls and not form.hopes and not form.refused):
            return None  # one number is asked for, or the chances are on their way: the roster is drawn once
        if (aim := form.aim) is None:
            return None
        asked = form.line is aim and not form.writes
        out: dict[int, Target] = {}
        for i, choice in enumerate(form.open(aim)[:9]):
            hope = form.hopes.get(choice.value)
            row = self._row_of(str(choice.value))
            if row >= 0 and row not in out:
                key = key_for(f"form.{i + 1}", str(i + 1)) if asked else ""
                out[row] = Target(key, percent(hope) if hope is not None else "")
        aimed = self._row_of(str(form.answers.get(aim.name, "")))
        if aimed >= 0 and aimed not in out and form.odds is not None and form.odds.hoped:
            out[aimed] = Target("", percent(form.odds.hope))  # whoever is meant, however far down they stand
        return out

    def show_form(self, form: Form | None) -> None:
        """The roster becomes the list of those whom it can be done to."""
        if form is not None and form is not self.form:
            form.pointed = partial(self._value, form)
            form.shown = frozenset(name for row in self.rows for name in (row.person.id, row.person.name))
        if form is not None or self.form is not None:
            self.form = form
            self._draw_roster()
            self._follow(form)
            asking, was = form if form is not None and form.inline else None, self.stage.asking
            self.stage.asking = asking
            if asking or was:
                self.stage.redraw()

    def _follow(self, form: Form | None) -> None:
        """While one number is asked for in the band, the cursor goes along with whom it is about."""
        if form is None or form.inline or form.aim is None:
            return
        row = self._row_of(str(form.answers.get(form.kind.done_to, "")), self.cursor)
        if row != self.cursor:
            self.cursor = row
            self._moved()

    def draws(self, asked: Asked) -> bool:
        """Forms, on the stage."""
        return isinstance(asked, Form)

    def _value(self, form: Form, row: int) -> object:
        names = {n for p in self.rows[row].people[:1] for n in (p.id, p.name)} if row < len(self.rows) else set()
        aim = form.aim
        return next((c.value for c in form.open(aim) if c.value in names), None) if aim else None

    def _draw_card(self) -> None:
        who = self.up if self.play.keyless else self.under
        if self.game.table.seat and not any(p.id == who and p.allegiance == "party" for p in self.view.people):
            who = self._own() or who  # of a foe a player's sheet says nothing
        lasting = next((p.conditions for p in self.view.people if p.id == who), ())
        self.card.show(Beside(self.game.sheet(who), lasting=lasting))

    def said(self) -> Said:
        """What must be answered, else whose turn it is."""
        banner = self.view.banner
        if self.view.prompt:
            return replace(super().said(), tail=(banner,) if self.up else ())  # else the question says it
        if there := self.waits():
            return Said(f"The {begun(there)} waits for an answer", tail=(banner,))
        other = self.ahead.elsewhere()
        idle = f"{other[1]} is open" if other else banner or "Nobody is acting"
        up = f"{self.ahead.called(self.up)} is up" if self.up else idle
        return Said(up, tail=(banner,) if banner != up else ())

    # ---- commands

    def commands(self) -> tuple[Command, ...]:
        """Act, roll, move through the roster, open a group."""
        lettered = self._lettered()
        out = [c for c in lettered if c.where == "band"]
        out += [*self._act_commands(), *self._roll_keys()] if not self.view.prompt else []
        out += [c for c in lettered if c.where != "band"]
        if len(self.rows) > 1:
            out += moves("table", "who", self._move)
        if len(self.rows) > JUMP:
            out += moves("table", "", self._move, {"pageup": -JUMP, "pagedown": JUMP})
            out.append(command("table.find", self._find))
        row = self.rows[self.cursor] if self.rows else None
        if row and len(row.people) > 1:
            out.append(command("table.open", partial(self._open, True)))
        if row and row.opened:
            out.append(command("table.close", partial(self._open, False)))
        out.append(Command("table.point", (), "", effect="look", where="hidden", point=self._point))
        return tuple(out)

    def _lettered(self) -> list[Command]:
        """Acts with a letter of their own, as in a game whose rolls are data; or with Enter, while nobody is up."""
        return [
            Command(
                f"table.act.{i + 1}",
                (o.key,),
                o.secret_label or o.label,
                partial(self.play.press, o, title=o.label),
                o.closed,
                where="band" if o.key == "enter" else "footer",
                help=o.note,
                section="do",
            )
            for i, o in enumerate(self.view.acts)
            if o.key and o.key != type(o.action).key
        ]

    def _act_commands(self) -> list[Command]:
        """Enter does what is likeliest; digits do it in another way, or open what the scene has ready."""
        out: list[Command] = []
        found, first = self.ahead.ways, self.ahead.first
        if there := self.waits():
            return [command("table.go_on", partial(self.play.show_page, there), label="go there")]
        if other := self.ahead.elsewhere():
            out.append(command("table.go_on", partial(self.play.show_page, other[0])))
        if first is not None and (found is None or first is not found.option):
            label = f"{'ask: ' * self.asks_for(first)}{first.secret_label or first.label}"
            out.append(command("table.act", partial(self.play.press, first), label=label, help=first.note))
        if found is not None:
            if first is found.option:
                title = f"{'ask: ' * self.asks_for(first)}{self.ahead.title}"
                out.append(command("table.act", partial(self._act, found.chosen), label=title))
            for i, way in enumerate(found.rows):
                run = partial(self._act, i)
                out.append(Command(f"table.way.{i + 1}", (str(i + 1),), way.label, run, group="how", section=""))
        else:
            for i, p in enumerate(self.ahead.ready()):
                run = partial(self._begin, i)
                out.append(Command(f"table.ready.{i + 1}", (str(i + 1),), named(p), run, where="band"))
        return out

    def asks_for(self, option: Option) -> bool:
        """Does a seat only ask the GM for it?"""
        table, kind = self.game.table, type(option.action)
        return bool(table.seat) and any(o.how == "ask" for o in table.offers() if o.kind is kind)

    async def _act(self, place: int) -> None:
        """The form of what whoever is up would do in one of the ways."""
        found = self.ahead.ways
        if found is None or place >= len(found.rows):
            return
        kind, way = type(found.option.action), found.rows[place]
        roles = {name: found.answers[name] for name in (kind.done_by, kind.done_to) if name in found.answers}
        said = {**said_by(found.option), **roles, kind.done_with: way.value}
        await self.play.start(kind, said, title=found.option.label)

    async def _begin(self, place: int) -> None:
        if place < len(ready := self.ahead.ready()):
            # what a scene has ready may ask more; a scene is named already
            begin = self.play.begin if self.game.world.now.scene else self.play.attempt
            await begin(ready[place].action)

    def foremost(self) -> tuple[type[Action], ...]:
        """The game's actions that stand in the band: what else whoever is up can do."""
        return () if self.view.prompt else tuple(type(o.action) for o in self.ahead.acts if o is not self.ahead.first)

    def enters(self) -> type[Action] | None:
        """Whatever is likeliest, while somebody is up and no prompt waits."""
        if self.view.prompt:
            return super().enters()
        return type(self.ahead.first.action) if self.ahead.first else None

    def _move(self, step: int) -> None:
        self.cursor = min(max(self.cursor + step, 0), max(len(self.rows) - 1, 0))
        self._moved()

    def _moved(self) -> None:
        """The cursor first: it is what the eye follows; then whom it would be done to."""
        self.pointed = True
        self._look_ahead()
        self._draw_roster()
        self.call_after_refresh(self._after_move)

    def _after_move(self) -> None:
        self._draw_card()
        self.draw_stage()

    def _point(self, place: tuple[int, ...]) -> None:
        self.cursor = min(place[0], max(len(self.rows) - 1, 0))
        self._moved()

    def _find(self) -> None:
        async def go(text: str) -> None:
            wanted = text.casefold()
            at = next((i for i, row in enumerate(self.rows) if wanted in row.name.casefold()), -1)
            if at < 0:
                self.play.tell(f"Nobody here has {text} in their name.")
            else:
                self.cursor = at
                self._moved()

        self.play.host.ask(Question("find", go, hint="a part of the name"))

    def _open(self, wide: bool) -> None:
        """Show a group one by one, or together again."""
        group, who = self.rows[self.cursor].person.group, self.under
        if group:
            self.opened = self.opened | {group} if wide else self.opened - {group}
            self.rows = rows(self.view.people, self.opened)
            self._go_to(who)
            self._draw()

    def meant(self) -> Meant:
        """Whoever is up, and whoever is under the cursor."""
        return Meant(self.up, self.under, self.view.people, pointed=self.pointed)
