"""Would an action drop what is prepared or half done, or does the game warn of it? Then it is asked first."""

from __future__ import annotations

from ..rules import Action, ChallengeView, ContestView, Kind, Refused
from .table import Table

KINDS: tuple[Kind, ...] = ("challenge", "contest")


def warning(table: Table, action: Action) -> str:
    """Why an action should be meant, in a sentence; empty where nothing is lost, or where it is refused anyway.

    What a player does drops nothing, and the GM's preparations are not theirs to hear of.
    """
    if table.seat:
        return ""
    try:
        table.engine.check(action, table.world)
    except Refused:
        return ""
    return table.engine.warns(type(action), table.world) or dropped(table, action)


def dropped(table: Table, action: Action) -> str:
    """What an action without dice would replace or put away, in a sentence; empty where nothing."""
    open_now = {kind: what for kind in KINDS if (what := _prepared(table, kind, table.world))}
    if not open_now:
        return ""
    after = table.after(action)
    if after is None:
        return ""
    for kind, (title, words) in open_now.items():
        later = table.view(kind, world=after)
        if not isinstance(later, ChallengeView | ContestView):
            continue
        again = type(action).leads_to == kind and not later.outcome and not _prepared(table, kind, after)
        if later.title != title or again:
            return f"{title} is open: {words}. Drop it?"
    return ""


def _prepared(table: Table, kind: Kind, world: object) -> tuple[str, str] | None:
    view = table.view(kind, world=world)
    if isinstance(view, ChallengeView) and view.title and not view.outcome:
        helpers = sum(any(c.chosen for c in row.cells) for row in view.support.rows) if view.support else 0
        if view.hands or view.prompt:
            return view.title, "its dice are rolled"
        if view.lead:
            return view.title, view.lead + (f", {helpers} help" if helpers else "")
    if isinstance(view, ContestView) and view.title and not view.outcome:
        if view.hands or view.prompt:
            return view.title, "its dice are rolled"
        lines = sum(bid.remove is not None for party in view.parties for bid in party.bids)
        if lines:
            return view.title, f"{lines} line{'s' if lines > 1 else ''} put in"
    return None
