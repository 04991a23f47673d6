"""The parties of a contest: each with its lines of dice, or one of them against a list of many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

from msgspec import structs
from textual.content import Content

from ...rules import Bid, Model, Party
from ..commands import Press
from ..drawing.meters import meter
from ..drawing.text import DIM, INK, TONES, abreast, cells, fit, heading, line, safe
from .panel import Panel

HERE = f"bold {INK} on $raised"
GAP = 2
"""Columns between the parties."""
EVERYTHING = 1_000
"""Rows in which there is room for all that is told of a party."""


class Parties(Model):
    """The parties, whose line is under the cursor, and each party's own chance by its id."""

    parties: tuple[Party, ...] = ()
    at: int = 0
    under: int = 0
    own: Mapping[str, str] = {}


class PartiesPanel(Panel[Parties]):
    """The parties beside each other, or one against a list of many."""

    DEFAULT_CSS = "PartiesPanel { height: 8; }"

    split = 0

    def lines(self, width: int) -> list[Content]:
        """Two columns."""
        shown = self.part or Parties()
        parties, at, under, own = shown.parties, shown.at, shown.under, shown.own
        if not parties:
            return [heading("parties", width), line((" nobody yet", DIM))]
        self.split = width // 2 - 1
        left, bids = party_lines(parties[0], self.split, self.size.height, at == 0, under)
        for y, i in bids.items():
            self.spot(y, Press("contest.line", (0, i)), 0, self.split + 1)
        room = width - self.split - GAP
        if len(parties) == 2:
            right, bids = party_lines(parties[1], room, self.size.height, at == 1, under)
            found = {y: (1, i) for y, i in bids.items()}
        else:
            top = max(at - max(self.size.height - 1, 1), 0)
            right = [heading("against", room)]
            right += [many_line(p, room, at == i + 1, own.get(p.id, "")) for i, p in enumerate(parties[1:])][top:]
            right += [line((" nobody yet", DIM))] if len(parties) == 1 else []
            found = {y: (y + top, 0) for y in range(1, len(parties) - top)}
        for y, place in found.items():
            self.spot(y, Press("contest.line", place), self.split + 1)
        return abreast(left, right, self.split, GAP)


def parties_rows(parties: Sequence[Party], width: int) -> int:
    """How many rows it takes to show everything of them."""
    split = width // 2 - 1
    many = len(parties) > 2
    beside = [len(party_lines(party, split, EVERYTHING, active=False, under=0)[0]) for party in parties[: 2 - many]]
    return max(2, *beside, len(parties) if many else 2)


def party_lines(
    party: Party, width: int, height: int, active: bool, under: int
) -> tuple[list[Content], dict[int, int]]:
    """One party: what it wants, its lines of dice, what they come to, what losing costs; and where each line stands.

    What there is no room for is left out whole, the least needed first.
    """
    title = f"{party.name} · wants: {party.wants}" if party.wants else party.name
    short = cells(title) > width - 4
    tail = total_lines(party, width)
    room = max(height - 1 - len(tail) - len(party.bids), 0)
    told: list[Content] = []
    says = [(f"if lost: {party.risks}" if party.risks else ""), " · ".join((*party.marks, *party.secret_marks))]
    for words in (f"wants: {party.wants}" if short and party.wants else "", *says):
        pieces = wrap(safe(words), max(width - 1, 10))
        if pieces and len(pieces) > room - len(told):
            pieces = [_whole(words, width - 1)] if room > len(told) else []
        told += [line((f" {piece}", DIM)) for piece in pieces]
    shown = max(height - 1 - len(tail) - len(told), 1)
    top = min(max(under - shown + 1, 0) if active else 0, max(len(party.bids) - shown, 0))
    bids = party.bids[top : top + shown]
    lines_move = active and len(party.bids) > 1
    out = [party_title(party.name if short and told else title, width, active and not lines_move)]
    out += [bid_line(bid, width, lines_move and top + i == under) for i, bid in enumerate(bids)]
    places = {i + 1: top + i for i in range(len(bids))}
    return out + tail + told, places


def party_title(title: str, width: int, here: bool) -> Content:
    """A party's name, under the cursor where it has no lines to move among."""
    drawn = heading(title, width)
    return line((f"▸{drawn.plain[1:]}", HERE)) if here else drawn


def _whole(words: str, width: int) -> str:
    """What fits of several remarks, each whole; of a single one its beginning."""
    kept = ""
    for piece in words.split(" · "):
        longer = f"{kept} · {piece}" if kept else piece
        kept = longer if cells(longer) <= width else kept
    return kept or fit(words, width)


def bid_line(bid: Bid, width: int, here: bool) -> Content:
    """A source in words, and its dice at the right edge; signed where players do not see it."""
    name = f"~ {bid.source}" if bid.secret else bid.source
    room = max(width - cells(bid.dice) - 3, 6)
    if bid.note and cells(name) + cells(bid.note) + 2 <= room:
        name = f"{name}  {bid.note}"
    if here:
        return line((f"▸{fit(name, room)} {bid.dice} ", HERE))
    return line((f" {fit(name, room)} ", DIM if bid.secret else INK), (bid.dice, f"bold {TONES[bid.tone]}"))


def total_lines(party: Party, width: int) -> list[Content]:
    """All dice together, how the party fared, and its meter: on one line where they fit."""
    total, gauge = party.secret_total or party.total, party.secret_meter or party.meter
    differs = party.secret_total and party.total not in ("", party.secret_total)
    seen = f"  players see {party.total}" if differs else ""
    first = line(
        (f" {total}", f"bold {INK}"),
        (seen, DIM),
        (f"  {sign(party)} {party.result}" if party.result else "", f"bold {TONES[party.tone]}"),
    )
    out = [first] if total or party.result else []
    if gauge is None:
        return out
    if gauge.most is not None and not gauge.note:
        gauge = structs.replace(gauge, note=f"of {gauge.most}")
    drawn = line((" ", "")) + meter(gauge)
    if out and first.cell_length + drawn.cell_length + 2 <= width:
        return [first + line((" " * (width - first.cell_length - drawn.cell_length - 1), "")) + drawn]
    return [*out, drawn]


def sign(party: Party) -> str:
    """How a party fared, without a colour."""
    return {"good": "✓", "bad": "✗"}.get(party.tone, "·")


def many_line(party: Party, width: int, here: bool, chance: str) -> Content:
    """One of many on one line: its dice and the chance against it, then what it came to."""
    total = party.secret_total or party.total
    hidden = "~ " if party.bids and party.bids[0].secret else ""
    dice = f"{hidden}{party.bids[0].source} {party.bids[-1].dice}" if party.bids else ""  # the last is what falls
    tail = f"{total}  {party.result}".strip() if party.result else chance
    if (marks := (*party.marks, *party.secret_marks)) and party.result:
        tail += f" · {', '.join(marks)}"
    room = max(width - cells(tail) - 5, 6)
    name = party.name
    if dice:  # the dice are what matters: a long name gives way
        name = f"{fit(name, min(cells(name), max(room - cells(dice) - 2, 8)))}  {dice}"
    if here:
        return line((f"▸{sign(party)} {fit(name, room)} {tail} ", HERE))
    return line(
        (f" {sign(party)} ", TONES[party.tone]),
        (fit(name, room), INK),
        (f" {tail}", f"bold {TONES[party.tone]}"),
    )
