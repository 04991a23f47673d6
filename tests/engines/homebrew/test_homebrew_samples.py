"""The sample games of this engine at the table, as a game master meets them."""

from __future__ import annotations

import playing

from tabletop_tui.engines.homebrew.options import Use
from tabletop_tui.rules import Action, Odds, Prompt, TableView, fields
from tabletop_tui.session import Table


def sample(name: str) -> Table:
    """The GM's table at the beginning of a sample's first evening."""
    (root,) = [path for path in playing.samples("homebrew") if path.name == name]
    return playing.table(root)


def view(table: Table) -> TableView:
    found = table.view("table")
    assert isinstance(found, TableView)
    return found


def prompt(table: Table) -> Prompt:
    found = view(table).prompt
    assert found is not None
    return found


def odds(table: Table, action: Action) -> Odds:
    found = table.odds(action)
    assert found is not None
    return found


def test_the_partys_resolve_is_offered_to_heroes_alone() -> None:
    table = sample("broken-causeway")
    playing.act(table, "roll roll=attack who=eel whom=hale stat=tail", (5,))
    assert view(table).prompt is None, "the eel has missed, and that is all"
    playing.act(table, "roll roll=attack who=hale whom=eel stat=axe", (2,))
    assert prompt(table).options[0].label == "Resolve: roll again"


def test_the_crews_coin_pays_for_nobody_elses_vices() -> None:
    table = sample("lamplighters")
    field = next(f for f in fields(Use) if f.name == "who")
    found = {c.value: c.closed for c in table.choices(Use, field, {"option": "indulge"})}
    assert found == {"marchetta": "", "quill": "", "sable": "", "warden-holt": "only when hero"}
