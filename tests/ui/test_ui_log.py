"""The log page: the entry under the cursor is told whole, and says who reads what."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from waiting import drawn, opened

from tabletop_tui.rules import tag_of
from tabletop_tui.session import Table
from tabletop_tui.storage.log import open_log, played
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.game import Game
from tabletop_tui.ui.pages.log import LogPage

SAMPLE = Path(__file__).parents[2] / "campaigns" / "ember-road"


@pytest.fixture
def evening() -> Table:
    """A whole evening at Ember Road."""
    file = open_log(played(SAMPLE)[0])
    return Table(file.codec.engine, file.header, file.entries)


async def at_entry(pilot: Pilot[None], table: Table, seq: int) -> list[str]:
    """The rows of the log page with the cursor on an entry."""
    app = pilot.app
    assert isinstance(app, TabletopApp)
    screen = await app.open_game(Game(table, "evening"))
    await screen.show_page("log")
    page = screen.page
    assert isinstance(page, LogPage)
    await pilot.pause()
    page.show_entry(seq)
    page.update_view()
    panel = page.panel
    return [one.plain for one in panel.lines(panel.size.width)[: panel.size.height]]


def longest(table: Table) -> int:
    return max(table.timeline.past()[1:], key=lambda seq: len((*table.timeline.entries[seq - 1].said, "")[0]))


async def test_the_entry_under_the_cursor_is_whole_and_its_details_stand_below_its_words(evening: Table) -> None:
    seq = longest(evening)
    entry = evening.timeline.entries[seq - 1]
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        rows = await at_entry(pilot, evening, seq)
        (at,) = [i for i, row in enumerate(rows) if row.startswith("▸")]
        told = " ".join(" ".join(rows[at:]).split())
        assert " ".join(entry.said[0].split()) in told
        begins = rows[at].index(entry.said[0][:8]) if not entry.by else rows[at].index(entry.by)
        assert begins == 17
        assert len(rows[at + 1]) - len(rows[at + 1].lstrip()) == begins


@pytest.mark.parametrize("seq", [1, 43, 161])
async def test_all_that_is_told_of_the_entry_under_the_cursor_is_in_sight(evening: Table, seq: int) -> None:
    entry = evening.timeline.entries[seq - 1]
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        rows = " ".join(" ".join(await at_entry(pilot, evening, seq)).split())
        for text in (*entry.said, *entry.whispered):
            assert " ".join(text.split()) in rows


async def test_what_only_the_gm_reads_is_marked_below_what_everybody_does(evening: Table) -> None:
    entry = next(e for e in evening.timeline.entries if e.said and e.whispered and evening.may_know(e))
    app = TabletopApp()
    async with app.run_test(size=(140, 45)) as pilot:
        rows = [row.strip() for row in await at_entry(pilot, evening, entry.seq)]
        assert f"~ {entry.whispered[0]}" in rows


async def test_it_says_at_which_entry_one_is_and_offers_the_export_in_the_band(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "L")
        assert "you are at entry 1" in drawn(app)
        assert "o export" in drawn(app).splitlines()[-2]


async def test_who_asks_for_something_is_named_once(campaign: Path) -> None:
    OpenCampaign(campaign).close()
    app = TabletopApp(str(campaign), seat="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        table = (await opened(pilot)).game.table
        attack = next(kind for kind in table.engine.actions if tag_of(kind) == "attack")
        table.propose(attack, {"who": "mira", "skill": "Warding", "against": "tam"})
        await pilot.press("L")
        (row,) = [row for row in drawn(app).splitlines() if "Ana asks:" in row and "▸" in row]
        assert "Ana: Ana asks" not in row
