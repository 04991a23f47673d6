"""What the challenge page lists: what is prepared, who could lead, ways and skills to help with, what is switched."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs
from textual.geometry import Size

from ...rules import Action, ChallengeView, Matrix, Option, Row, fields, tag_of, values
from ...session import Outlook, Proposal, Table
from ...session.scenes import became
from ..asking.listing import Pick
from ..commands import key_for
from ..drawing.pools import pool_lines
from ..drawing.text import change, told
from ..panels.chances import Extra
from ..panels.prospect import LeadLine, Prospect

STAKES = 9
"""Cells before what is at stake."""


def skilled(row: Row) -> list[tuple[int, Option]]:
    """The cells of a supporter that can be done with one skill or another."""
    return [(c, o) for c, o in enumerate(row.cells) if not o.closed and type(o.action).done_with]


def row_after(matrix: Matrix, row: int, seat: str) -> int:
    """The row of the next supporter; at a player's seat of their own, or the same one: it can be changed."""
    after = min(row + 1, len(matrix.rows) - 1)
    return row if seat and all(cell.closed for cell in matrix.rows[after].cells) else after


def asked_cells(matrix: Matrix | None, asked: Sequence[Proposal]) -> frozenset[tuple[int, int]]:
    """The cells that players ask for, by row and column."""
    return frozenset(
        (r, c)
        for r, row in enumerate(matrix.rows if matrix else ())
        for c, cell in enumerate(row.cells)
        if any(_means(p, cell.action) for p in asked)
    )


def _means(asked: Proposal, action: Action) -> bool:
    """Does somebody ask for just this? The skill that it is done with may be another one."""
    said = values(action)
    same = all(said.get(name) == value for name, value in asked.fields.items() if name != type(action).done_with)
    return asked.action == tag_of(type(action)) and same


def skill_picks(table: Table, matrix: Matrix, row: Row) -> list[Pick[Action]]:
    """A row for each way and skill, closed where the game says why."""
    out: list[Pick[Action]] = []
    for c, option in skilled(row):
        kind, said = type(option.action), values(option.action)
        field = next(f for f in fields(kind) if f.name == kind.done_with)
        for choice in table.engine.choices(kind, field, table.seen(), said):
            action = structs.replace(option.action, **{field.name: choice.value})
            out.append(Pick(action, f"{matrix.columns[c]}: {choice.words}", choice.note, choice.closed))
    return out


def open_picks(table: Table, prepared: Sequence[Option]) -> tuple[list[Pick[Option]], int]:
    """What could be opened, and of what was played in this session how it came out; the place of the first that was
    not played yet."""
    played = became(table, (o.action for o in prepared))
    kinds = {type(o.action) for o in prepared}
    whens = {kind: table.engine.when(kind, table.seen()) for kind in kinds}
    picks = [
        Pick(
            o,
            o.secret_label or o.label,
            how.words or o.secret_note or o.note,
            "" if how.state == "open" else o.closed or whens[type(o.action)],
            key=how.state,
        )
        for o, how in zip(prepared, played, strict=True)
    ]
    able = [(bool(how.state), i) for i, (o, how) in enumerate(zip(prepared, played, strict=True)) if not o.closed]
    return picks, min(able, default=(False, 0))[1]


def open_part(parts: Sequence[Option], here: int) -> int:
    """The place of the part that is to be tried; where there is none, the cursor stays."""
    return next((i for i, o in enumerate(parts) if not o.closed and not o.chosen), here)


def lead_picks(view: ChallengeView, look: Outlook, *, thinking: bool) -> list[Pick[Option]]:
    """Who could lead, by person, in an order that does not wait for chances: a digit means the same in a burst.

    Those who cannot at all come last.
    """
    hopes, best = look.leads, _best(view, look)
    people: dict[object, list[tuple[int, Option]]] = {}
    for i, o in enumerate(view.leads):
        people.setdefault(next(iter(values(o.action).values()), ""), []).append((i, o))
    waiting = "…" if thinking else ""
    return [
        Pick(
            o,
            o.secret_label or o.label,
            ("★" if i == best else "") if i in hopes else o.note or waiting,
            o.closed,
            hope=hopes.get(i),
        )
        for some in sorted(people.values(), key=lambda some: all(o.closed for _, o in some))
        for i, o in some
    ]


def _best(view: ChallengeView, look: Outlook) -> int:
    """The place of the best of those who can lead here; -1 while nothing is known."""
    able = {i: hope for i, hope in look.leads.items() if not view.leads[i].closed}
    return max(able, key=lambda i: able[i], default=-1)


def best_pick(view: ChallengeView, look: Outlook, *, thinking: bool) -> Pick[Option] | None:
    """The best of those who can lead, in front of the list; until the chances are known, whoever that will be."""
    if (at := _best(view, look)) >= 0:
        best, hope = view.leads[at], look.leads[at]
        now = max((look.leads.get(i, 0) for i, o in enumerate(view.leads) if o.chosen), default=0)
        word = "best of the others" if now > hope else "best"
        return Pick(best, best.secret_label or best.label, f"★ {word}", hope=hope)
    first = next((o for o in view.leads if not o.closed), None)
    return Pick(first, "the best Lead", "working out the chances …") if first and thinking else None


def prospect(view: ChallengeView, look: Outlook, *, thinking: bool) -> Prospect:
    """Before the roll: what it will mean, and the chance with each who could lead, the present one first."""
    if view.prompt or view.outcome or not view.lead:
        return Prospect()
    able = [i for i, o in enumerate(view.leads) if o.chosen or not o.closed]
    hopes = {i: look.leads[i] for i in able if i in look.leads}
    ranked = sorted(hopes, key=lambda i: (not view.leads[i].chosen, -hopes[i]))
    leads = [LeadLine(o.secret_label or o.label, hopes[i], o.chosen) for i in ranked for o in [view.leads[i]]]
    waiting = "working out the chances …" if thinking else ""
    return Prospect(view.secret_means, tuple(leads), len(able) if thinking else len(leads), waiting)


def extra_lines(view: ChallengeView, look: Outlook) -> tuple[Extra, ...]:
    """What can be switched before the roll: what is chosen first, then what has a key."""
    ranked = sorted(enumerate(view.extras), key=lambda one: (not one[1].chosen, not one[1].key))
    return tuple(
        Extra(
            key_for(f"challenge.extra.{i + 1}", o.key),
            o.label,
            o.chosen,
            o.note,
            o.closed,
            change(d) if (d := look.extras.get(i)) else "",
            i,
        )
        for i, o in ranked
    )


def heights(view: ChallengeView, room: Size, parts: int) -> tuple[int, int]:
    """Rows of the pools and of the dice, beside so many of the parts. Every die's source can be read; while dice wait
    or lie there nobody helps any more, and they have the room of that."""
    tall, over = room.height >= 30, bool(view.prompt or view.outcome)
    rows = len(view.support.rows) if view.support else 0
    without = view.support is None and bool(view.extras)
    matrix = 0 if over or without else min(max(rows, 1), 9) + 2
    pools = 1 + len(pool_lines(view.pools, room.width // 2))
    if view.stakes:  # beside the pools: three chances, what can be put in, and what is at stake
        stakes = len(told(view.stakes, "", room.width // 2 - STAKES))
        pools = max(pools, (1 if over else 4) + len(view.extras) + stakes)
    least = 1 if over else 6 if room.height >= 18 else 5  # what it leaves empty is the dice's
    head = 8 if tall else max(least, min(pools, 8 if over else 7))
    head += 3 if without and not over else 0  # what can be put in has the rows of the support
    wanted = 11 if tall else 10 if over else 5
    return head, max(min(wanted, room.height - parts - head - matrix - 3), 3)
