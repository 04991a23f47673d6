"""The contest page: what each party wants, what each brings line by line, the chances, the dice."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import structs
from textual.app import ComposeResult

from ...rules import Action, Bid, ContestView, Option, Party, percent, values
from ...session.meant import Meant
from ..asking.listing import Pick
from ..asking.tray import Tray
from ..commands import Command, Layer, key_for
from ..commands.catalogue import command
from ..commands.record import Done, moves
from ..drawing.text import begun, cells, spoken
from ..panels.bars import Said
from ..panels.contest import Add, Bidding, Cards, ContestChances
from ..panels.ground import Rows
from ..panels.parties import Parties, PartiesPanel, parties_rows
from ..panels.stage import Stage, dice_rows
from ..playing import Playing
from .picking import PickPage
from .supporting import open_picks

LEAST_LOG, LEAST_PARTIES, LEAST_CHANCES = 3, 4, 6
"""Rows that they keep, however much the others need."""
TOLD = 6
"""Rows of the log in which a round is told: what was shown, the dice, who won."""
LEAST_CARD, MOST_CARD = 4, 12
ROOMY = 24
"""Rows from which the log has enough of them."""
BESIDE = 16
"""Cells of the band that neither a question nor the answer that Enter takes has."""
MOST_CARDS = 5
"""Sheets in short that are looked up for the rows below the dice."""


class ContestPage(PickPage[ContestView]):
    """Any engine with a contest view."""

    DEFAULT_CSS = """
    ContestPage #contest { height: auto; }
    ContestPage Cards { display: none; }
    """
    kind = "contest"
    shape = ContestView

    def __init__(self, play: Playing, **kwargs: Any) -> None:
        super().__init__(play, **kwargs)
        self.parties, self.bidding = PartiesPanel(), ContestChances()
        self.stage, self.cards = Stage(), Cards()
        self.at, self.under = self._own(), 0

    def compose(self) -> ComposeResult:
        """A list of prepared contests, else the contest."""
        yield self.ask_panel
        with Rows(classes="work"):
            yield self.pick
            with Rows(id="contest"):
                yield self.parties
                yield self.bidding
                yield self.stage
                yield self.cards
        yield self.log_panel

    # ---- looks

    def update_view(self) -> None:
        """Read the view again; the cursor stays in its party and goes to a line that was just added."""
        before, title = self.active, self.view.title
        super().update_view()
        view = self.view
        if view.title != title:
            self.at, self.under = self._own(), 0
        self.at = min(self.at, max(len(view.parties) - 1, 0))
        bids = self.active.bids if self.active else ()
        if before and self.active and before.id == self.active.id and len(bids) > len(before.bids):
            self.under = next((i for i, bid in enumerate(bids) if bid not in before.bids), self.under)
        if before != self.active and self.asking and self.asking is not self.active:
            self.at = view.parties.index(self.asking)  # one has chosen: the question goes to the next
            bids = self.active.bids if self.active else ()
        self.under = min(self.under, max(len(bids) - 1, 0))
        self._list()
        self.draw_stage()
        self.lay_out()

    def _own(self) -> int:
        """The party that a player's seat begins with: its own, or the first."""
        table = self.game.table
        mine = (i for i, party in enumerate(self.view.parties) if table.seat and table.rights().owns(party.id))
        return next(mine, 0)

    @property
    def active(self) -> Party | None:
        """The party that keys are meant for."""
        parties = self.view.parties
        return parties[self.at] if self.at < len(parties) else None

    @property
    def bid(self) -> Bid | None:
        """The line under the cursor that can be taken out; of one of many, the last that can be."""
        party = self.active
        if party is None:
            return None
        bids = party.bids[self.under : self.under + 1] if self._beside or not self.at else party.bids
        return next((bid for bid in reversed(bids) if bid.remove), None)

    @property
    def _beside(self) -> bool:
        """Do two parties stand beside each other?"""
        return len(self.view.parties) == 2

    @property
    def asking(self) -> Party | None:
        """Who has to choose something before it can be rolled: the party under the cursor before any other."""
        around = (*self.view.parties[self.at :], *self.view.parties[: self.at])
        return next((p for p in around if p.asks and any(o.best and not o.closed for o in p.adds)), None)

    @property
    def best(self) -> Option | None:
        """What Enter chooses for it."""
        return next((o for o in self.asking.adds if o.best), None) if self.asking else None

    def draw(self) -> None:
        """The parties, their chances and their cards."""
        view, odds = self.view, self.outlook.odds
        waiting = "working out the chances …" if self.thinking and view.roll is not None else ""
        if view.odds_secret and self.game.table.seat and not self.fallen:
            waiting = "something is hidden: no chances"
        groups = {p.group: p.id for p in view.parties if p.group}
        found = [g for g in odds.groups if g.name in groups and g.chances] if odds else []
        own = {groups[g.name]: percent(g.chances[0].chance) for g in found}
        rest = structs.replace(odds, groups=tuple(g for g in odds.groups if g.name not in groups)) if odds else None
        at = -1 if self.play.keyless else self.at
        self.parties.show(Parties(view.parties, at, self.under, own))
        adds = tuple(
            Add(
                key_for(f"contest.add.{i + 1}", o.key) if self.play.plays else "",
                o.secret_label or o.label,
                o.secret_note or o.note,
                o.closed,
                o is self.best,
            )
            for i, o in enumerate(self.active.adds if self.active else ())
        )
        whose = self.active.name if self.active else ""
        fallen = self.fallen
        shown = () if fallen else adds
        asks = self.active.asks if self.active and self.active is self.asking and self.play.plays else ""
        self.bidding.show(Bidding(rest, waiting or view.roll_closed, whose, shown, fallen and not self._tall, asks))
        if self.cards.display:
            around = [*view.parties[self.at :], *view.parties[: self.at]]
            self.cards.show(self.game.sheets(party.id for party in around[:MOST_CARDS]))

    @property
    def fallen(self) -> bool:
        """Do dice lie there, or are they being typed? Until then their room is the chances'."""
        view = self.view
        return bool(view.hands or view.prompt or view.outcome or self.tray)

    @property
    def _tall(self) -> bool:
        return self.room.height >= 29

    def lay_out(self) -> None:
        """As many rows as each panel needs, whoever is under the cursor; what is left is the log's, or the card's."""
        view, fallen, tall = self.view, self.fallen, self._tall
        width, height = max(self.room.width, 20), max(self.room.height, 16)
        beside = self.is_mounted and self.screen.has_class("-wide")
        log = 0 if beside else TOLD if fallen and height >= 20 else LEAST_LOG
        room = height - log
        parties = parties_rows(view.parties, width)
        dice = min(dice_rows(self.dice_part(), width), room - LEAST_PARTIES) if fallen else 0
        if not fallen:
            digits = max((sum(o.key.isdigit() for o in party.adds) for party in view.parties), default=0)
            rows = 1 + max(digits, LEAST_CHANCES)
            if beside or height >= ROOMY:  # what cannot be added has room, too
                rows = max(rows, 1 + max((len(party.adds) for party in view.parties), default=0))
        else:  # of dice that have fallen there are no chances, unless more are to follow
            rows = 0 if view.roll is None else 8 if tall else 4
        chances = min(rows, max(room - dice - min(parties, 7), 3))
        parties = min(parties, max(room - dice - chances, LEAST_PARTIES))
        rest = room - parties - chances - dice
        cards = min(rest, MOST_CARD if log else rest) if width >= 70 and tall and self.active else 0
        self.stage.display, self.bidding.display = fallen, chances > 0
        self.cards.display = cards >= LEAST_CARD
        sizes = (self.parties, parties), (self.bidding, chances), (self.stage, dice), (self.cards, cards)
        for panel, size in sizes:
            panel.styles.height = size
        self.draw()

    def show_tray(self, tray: Tray | None) -> None:
        """Typed dice need room."""
        super().show_tray(tray)
        self.lay_out()

    def _list(self) -> None:
        if self.view.title:
            self.hide_list()
        else:
            self.show_list(self.prepared, *open_picks(self.game.table, self.view.open))

    def said(self) -> Said:
        """Whose line is being built, or what must be answered."""
        view = self.view
        if view.prompt:
            return super().said()
        if there := self.waits():
            return Said(f"The {begun(there)} waits for an answer")
        if not view.title:
            return Said("Which contest?" if view.open else "No contest is prepared")
        if view.outcome:
            return Said(spoken(view.outcome.title))
        if self.asking:
            return Said(self.asking.asks)
        return Said("Ready to roll" if view.roll is not None else begun(view.roll_closed) or view.title)

    # ---- commands

    def asks(self) -> Layer | None:
        """The prompt, or a list to choose from."""
        if self.list is None:
            return super().asks()
        return Layer("list", self.rows_of(self.list, "open"))

    def _moved(self) -> None:
        self._list()

    def _chosen(self, pick: Pick[Option]) -> Done:
        self.at = self.under = 0
        return self.play.press(pick.value)

    def commands(self) -> tuple[Command, ...]:
        """Add, take out, roll, move."""
        view = self.view
        out: list[Command] = []
        if view.title and not view.prompt:
            going = self.going()
            if going is not None:
                out.append(going)
            elif best := self.best:
                note = best.secret_note or best.note
                name = best.secret_label or best.label
                asks = cells(self.asking.asks) if self.asking else 0
                if asks + cells(f"{name}, {note}") > self.app.size.width - BESIDE:  # the question comes first
                    name = "take the best"
                label = f"{name}{f', {note}' if note else ''}"
                out.append(command("contest.best", partial(self.play.press, best), label=label))
            if view.roll is not None or not view.outcome:
                out += self.roll_commands()
            out += self._adds()
            bid = self.bid
            if bid is not None and bid.remove is not None:
                run = partial(self.play.attempt, bid.remove)
                out.append(command("contest.take_out", run, instead=self.action_of(bid.remove)))
            over = view.outcome and view.roll is None
            on = next((o for o in view.extras if not o.closed), None) if over else None
            extras = {i: o for i, o in enumerate(view.extras) if o is not on}
            out += self.option_commands("contest.extra", extras)
            if on is not None:
                both = tuple(key for key in ("enter" if going is None else "", on.key) if key) if on.key else ()
                out.append(command("contest.on", partial(self.play.press, on), keys=both, label=on.label))
        return (*out, *self._moves())

    def _adds(self) -> list[Command]:
        return [
            Command(
                f"contest.add.{i + 1}",
                (o.key,) if o.key else (),
                o.secret_label or o.label,
                partial(self.play.press, o),
                o.closed,
                where="band" if self.game.table.seat else "footer",
                group="" if not o.key.isdigit() else "choose" if self.active is self.asking else "add",
            )
            for i, o in enumerate(self.active.adds if self.active else ())
        ]

    def _moves(self) -> list[Command]:
        view = self.view
        out: list[Command] = []
        if not view.title:
            return out
        if len(view.parties) > 1:
            for key, alias, step in (("left", "shift+tab", -1), ("right", "tab", 1)):
                run = partial(self._side, step)
                out.append(
                    Command(f"contest.{key}", (key, alias), key, run, effect="look", group="whose", section="")
                )
        if len(self._places) > 1:
            out += moves("contest", "line", self._step)
        out.append(Command("contest.line", (), "", effect="look", where="hidden", point=self._point))
        return out

    def foremost(self) -> tuple[type[Action], ...]:
        """Once a round is over: what can be done of contests alone, which is how one is put away."""
        view = self.view
        if view.prompt or not view.outcome or view.roll is not None:
            return super().foremost()
        on = {type(o.action) for o in view.extras}
        return tuple(k for k in self.game.table.engine.actions if k.screens == (self.kind,) and k not in on)

    def meant(self) -> Meant:
        """Whom and which line a form means at first: those under the cursor; of the roll, what the page shows."""
        if self.active is None:
            return Meant()
        line_ = values(self.bid.remove) if self.bid and self.bid.remove else {}
        roll = values(self.view.roll) if self.view.roll is not None else {}
        also = {**roll, **line_, "party": self.active.id, "who": self.active.id}
        return Meant(also=also, allies=self._allies(self.active.id))

    def _allies(self, id: str) -> tuple[str, ...]:
        """Everybody else of somebody's side."""
        people = self.game.at_table().people
        sides = {p.id: p.allegiance for p in people}
        return tuple(p.id for p in people if p.id != id and p.allegiance == sides.get(id))

    def _side(self, step: int) -> None:
        self._go(self.at + step, 0)

    @property
    def _places(self) -> list[tuple[int, int]]:
        """Where ↑ and ↓ go: the lines of the party; with many, the first one's lines and then each of the others."""
        own = [(0 if not self._beside else self.at, i) for i in range(len(self._lines))]
        return own if self._beside else [*(own or [(0, 0)]), *((at, 0) for at in range(1, len(self.view.parties)))]

    @property
    def _lines(self) -> tuple[Bid, ...]:
        """The lines that the cursor can be among."""
        parties = self.view.parties
        return parties[self.at if self._beside else 0].bids if parties else ()

    def _step(self, step: int) -> None:
        """Another line of the party, or another of many."""
        places = self._places
        here = (self.at, self.under)
        self._go(*places[(places.index(here) + step) % len(places) if here in places else 0])

    def _go(self, at: int, under: int) -> None:
        if not self.view.parties:
            return
        self.at = at % len(self.view.parties)
        bids = self.active.bids if self.active else ()
        self.under = under % len(bids) if bids else 0
        self.lay_out()

    def _point(self, place: tuple[int, ...]) -> None:
        self._go(place[0], place[1])
