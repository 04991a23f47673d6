"""The pages of the table, read as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ..rules import (
    Bid,
    ChallengeView,
    ContestView,
    Fact,
    Party,
    Person,
    SheetView,
    TableView,
    View,
)
from .words import counter, counters, hand, listed, outcome, pool, sentence

NOTHING = ("", "–")
"""What stands in a place where there is nothing to tell."""


def read(view: View) -> list[str]:
    """A page as lines; empty ones are left out."""
    if isinstance(view, TableView):
        said = table(view)
    elif isinstance(view, ChallengeView):
        said = challenge(view)
    elif isinstance(view, ContestView):
        said = contest(view)
    else:
        said = sheet(view)
    return [line for line in said if line]


def table(view: TableView) -> list[str]:
    """Who is there, what they have, what just fell."""
    return [
        sentence(view.title, *_facts(view.facts)),
        sentence(view.banner),
        view.about,
        _secret(view.secret_about),
        counters(view.counters),
        *(person(one) for one in view.people),
        sentence(f"{view.places_title}: {'; '.join(counter(one) for one in view.places)}") if view.places else "",
        *(sentence(f"{one.label}: {one.value}", one.because) for one in view.conditions),
        *(hand(one) for one in view.hands),
        *(pool(one) for one in view.pools),
        *(outcome(view.outcome) if view.outcome else ()),
        *(sentence(f"Remember: {text}") for text in view.reminders),
    ]


def person(one: Person) -> str:
    """Somebody of the roster in a sentence."""
    signs = [
        "up now" if one.current else "",
        "out" if one.out else "",
        "has acted" if one.acted else "",
        "may go" if one.may_go and not one.current else "",
    ]
    meters = [counter(replace(meter, secret=meter.secret and not one.secret)) for meter in one.meters]
    lasting = [f"{c.what} {c.until}".strip() for c in one.conditions]
    number = f"initiative {one.number}" if one.number is not None else ""
    note = "" if meters or one.out else one.secret_note or one.note  # the first meter says the same
    said = {f"{meter.name} {meter.value}/{meter.most}" for meter in one.meters}
    marks = [mark for mark in one.marks if mark not in said]
    hidden = "hidden from players" if one.secret else ""
    return sentence(one.name, one.section or one.side, *signs, note, *meters, number, *marks, *lasting, hidden)


def challenge(view: ChallengeView) -> list[str]:
    """What is attempted, by whom, with which dice."""
    helps = [
        f"{row.who} with {cell.label}"
        for row in (view.support.rows if view.support else ())
        for cell in row.cells
        if cell.chosen
    ]
    return [
        sentence(view.title, *_facts(view.facts)) or f"No {view.words.again.split()[-1]} is open.",
        _secret(view.secret_facts),
        sentence(f"{view.words.stakes}: {view.stakes}") if view.stakes else "",
        view.about,
        _secret(view.secret_about),
        sentence(f"{view.words.lead}: {view.lead}") if view.lead else "",
        sentence(f"{view.words.support}: {listed(helps)}") if helps else "",
        *(
            sentence(part.label, "done" if part.chosen else "", part.closed, part.note, part.secret_note)
            for part in view.parts
        ),
        counters(view.counters),
        *(pool(one) for one in view.pools),
        *(hand(one) for one in view.hands),
        *(outcome(view.outcome) if view.outcome else ()),
        "" if view.roll is not None or not view.title or view.outcome else sentence(view.roll_closed),
    ]


def contest(view: ContestView) -> list[str]:
    """Who wants what, and what each has put in."""
    return [
        sentence(view.title, *_facts(view.facts)) or "No contest is open.",
        *(line for one in view.parties for line in party(one)),
        counters(view.counters),
        *(hand(one) for one in view.hands),
        *(outcome(view.outcome) if view.outcome else ()),
        "" if view.roll is not None or not view.title or view.outcome else sentence(view.roll_closed),
    ]


def party(one: Party) -> list[str]:
    """A party of a contest."""
    wants = f"wants {one.wants}" if one.wants else ""
    risks = f"risks {one.risks}" if one.risks else ""
    meter = one.secret_meter or one.meter
    bids = "; ".join(bid(line) for line in one.bids)
    total = one.secret_total or one.total
    total = "" if total in NOTHING else total
    return [
        sentence(one.name, one.side, wants, risks, *one.marks, *one.secret_marks, one.result),
        sentence(f"{one.name} has {bids}" if bids else "", f"in all {total}" if total else "")
        if bids or total
        else "",
        sentence(f"{one.name}: {counter(meter)}") if meter else "",
    ]


def bid(one: Bid) -> str:
    """A line that was put in."""
    return ", ".join(word for word in (one.source, one.dice, one.note) if word not in NOTHING)


def sheet(view: SheetView) -> list[str]:
    """Somebody in full."""
    out = [sentence(view.title, *_facts(view.facts)), counters(view.counters)]
    for section in view.sections:
        out.append(sentence(f"{section.title}:"))
        for line in section.lines:
            because = f" ({line.because})" if line.because else ""
            out.append(sentence(f"{line.label}: {line.value}{because}" if line.label else f"{line.value}{because}"))
    return out


def _facts(facts: Sequence[Fact]) -> list[str]:
    return [fact.text for fact in facts]


def _secret(text: str) -> str:
    return f"For the GM alone: {text}" if text else ""
