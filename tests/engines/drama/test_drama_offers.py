"""What is offered can be done: nothing to take out of a contest, nothing to hide in it."""

from __future__ import annotations

import playing

from tabletop_tui.session import Table


def closed(table: Table, tag: str) -> str:
    return next(offer.closed for offer in table.offers() if offer.tag == tag)


def test_a_contest_without_lines_has_none_to_take_out_or_hide() -> None:
    table = playing.table(playing.PROJECT / "campaigns" / "abbey-of-lynn")
    playing.act(table, "contest plan=the-night-office/gatehouse")
    assert closed(table, "strike_line") == "nothing was put in"
    assert closed(table, "hide_line") == "no line is open"
    playing.act(table, "line party=edmund kind=fact", text="the seal is broken")
    assert closed(table, "strike_line") == ""
    assert closed(table, "hide_line") == ""
