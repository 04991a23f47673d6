"""Where play goes on."""

from __future__ import annotations

import playing

from tabletop_tui.rules import ChallengeView
from tabletop_tui.session import Table
from tabletop_tui.session.follow import place_of_play

PAGES = ("table", "challenge", "contest", "people", "log")


def test_the_answer_to_a_prepared_roll_is_waited_for_on_the_page_that_rolled_it() -> None:
    """Both the table and the challenge show its dice: what is being done comes first."""
    table = playing.table(playing.samples("drama")[0])
    playing.act(table, "complex plan=the-night-office/night")
    playing.act(table, "lead who=joan using=Letters")
    playing.act(table, "roll_task", (1, 1, 1, 5, 1, 1, 6, 6))
    asking = [page for page in ("table", "challenge", "contest") if getattr(table.view(page), "prompt", None)]
    assert asking == ["table", "challenge"]
    assert place_of_play(table, PAGES, table.view).page == "challenge"


def test_a_challenge_of_which_another_try_follows_is_open_and_one_that_is_over_is_not() -> None:
    table = playing.table(next(root for root in playing.samples("homebrew") if root.name == "broken-causeway"))
    playing.act(table, "open plan=1-the-first-gap/gap")
    assert place_of_play(table, PAGES, table.view).open == {"challenge": "Over the gap"}
    came = None
    for _ in range(6):
        lead = next(option.action for option in challenge(table).leads if not option.closed)
        table.do(lead)
        roll = challenge(table).roll
        assert roll is not None
        table.do(roll, (15,))
        came = challenge(table).outcome
        assert came is not None
        assert place_of_play(table, PAGES, table.view).open == ({"challenge": "Over the gap"} if came.goes_on else {})
    assert came is not None
    assert not came.goes_on


def challenge(table: Table) -> ChallengeView:
    view = table.view("challenge")
    assert isinstance(view, ChallengeView)
    return view
