"""Where play goes on."""

from __future__ import annotations

import playing

from tabletop_tui.session.follow import page_of_play

PAGES = ("table", "challenge", "contest", "people", "log")


def test_the_answer_to_a_prepared_roll_is_waited_for_on_the_page_that_rolled_it() -> None:
    """Both the table and the challenge show its dice: what is being done comes first."""
    table = playing.table(playing.samples("drama")[0])
    playing.act(table, "complex plan=the-night-office/night")
    playing.act(table, "lead who=joan using=Letters")
    playing.act(table, "roll_task", (1, 1, 1, 5, 1, 1, 6, 6))
    asking = [page for page in ("table", "challenge", "contest") if getattr(table.view(page), "prompt", None)]
    assert asking == ["table", "challenge"]
    assert page_of_play(table, PAGES, table.view) == "challenge"
