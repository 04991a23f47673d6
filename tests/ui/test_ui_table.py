"""The table page: one list, what can be done with its chances, and how many keys things take."""

from __future__ import annotations

import re
from pathlib import Path

import playing
import pytest
from msgspec.structs import replace
from textual.pilot import Pilot
from waiting import drawn, opened, press_until

from tabletop_tui.rules import Counter, Person, Status, tag_of
from tabletop_tui.session.meant import Filler, Meant
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.asking.form import Form
from tabletop_tui.ui.pages.table import TablePage
from tabletop_tui.ui.panels.roster import Sizes, _row, rows
from tabletop_tui.ui.screens.play import PlayScreen


async def settled(pilot: Pilot[None]) -> str:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    return drawn(pilot.app)


async def fight(pilot: Pilot[None], keys: str = "") -> PlayScreen:
    """Everybody in the order of the roster; Brother Odo is up."""
    await opened(pilot)
    await pilot.press("T", "g", "enter", *keys)
    screen = pilot.app.screen
    assert isinstance(screen, PlayScreen)
    return screen


def said(screen: PlayScreen) -> str:
    return screen.game.table.timeline.entries[-1].said[0]


def table(screen: PlayScreen) -> TablePage:
    page = screen.page
    assert isinstance(page, TablePage)
    return page


async def test_an_attack_with_defaults_takes_two_keys(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await fight(pilot)
        await pilot.press("enter", "enter")
        assert said(screen).startswith("Brother Odo (Healing) attacks Ash reaver (Spear)")


async def test_an_attack_on_another_with_another_skill_takes_four(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await fight(pilot)
        await pilot.press("a", "3", "2", "enter")
        assert said(screen).startswith("Brother Odo (Lore) attacks The bridge ogre")


async def test_the_last_target_and_the_last_skill_are_remembered(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await fight(pilot)
        await pilot.press("a", "3", "2", "enter", "enter")
        page = table(screen)
        await press_until(pilot, "n", lambda: page.up == "rook", "Rook's turn")
        await press_until(pilot, "n", lambda: page.up == "odo", "Odo's turn")
        assert page.under == "ogre"
        await pilot.press("enter", "enter")
        assert said(screen).startswith("Brother Odo (Lore) attacks The bridge ogre")


def test_nobody_is_proposed_as_a_target_once_every_foe_is_out(campaign: Path) -> None:
    table = playing.table(campaign)
    kinds = {tag_of(kind): kind for kind in table.engine.actions}
    people = tuple(
        somebody(name, allegiance=side, out=side == "foe")
        for name, side in (("mira", "party"), ("rook", "party"), ("reaver", "foe"), ("ogre", "foe"))
    )
    people = (*people, somebody("cinder-priest", allegiance="foe", section="elsewhere", away=True))
    attack = kinds["attack"]
    assert attack.done_to not in Filler(table, attack, Meant("mira", "rook", people)).fill({"who": "mira"})
    standing = (*people[:3], replace(people[3], out=False), people[4])
    assert Filler(table, attack, Meant("mira", "rook", standing)).fill({"who": "mira"})[attack.done_to] == "ogre"


async def test_whoever_is_under_the_cursor_is_hurt_with_three_keys_and_healed_by_what_was_typed(
    campaign: Path,
) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await fight(pilot)
        assert table(screen).under == "reaver"
        await pilot.press("e", "7", "enter")
        assert screen.game.world.now.people["reaver"].hp == 13
        await pilot.press("h", "1", "0", "enter")
        assert screen.game.world.now.people["reaver"].hp == 20


async def test_a_clock_moves_with_two_keys_and_its_digit_stands_on_it(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        await pilot.press(".")
        assert "2 ~ The Ash King wakes" in drawn(app)
        await pilot.press("2")
        assert [c.filled for c in screen.game.world.now.clocks.values()] == [0, 1]
        await pilot.press(".", "-", "2")
        assert [c.filled for c in screen.game.world.now.clocks.values()] == [0, 0]


async def test_the_chances_of_whoever_is_up_stand_there_before_any_key(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await fight(pilot)
        text = await settled(pilot)
        assert "attack Ash reaver" in text
        assert re.search(r"1↵ Healing alpha 5 +53 %", text)
        await pilot.press("down", "down")
        text = await settled(pilot)
        assert "attack The bridge ogre" in text
        assert table(screen).under == "ogre"


async def test_a_form_leaves_the_roster_in_sight_with_the_chance_against_each(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await fight(pilot, "a")
        text = await settled(pilot)
        form = screen.host.asked
        assert isinstance(form, Form)
        assert re.search(r"▸1 ◆ Ash reaver +━+ +53 %", text)
        assert re.search(r" 2 ◆ Cinder priest +━+ +\d+ %", text), "foes come first, in the table's order"
        assert re.search(r" 4 ● Mira", text)
        row = next(i for i, r in enumerate(table(screen).rows) if r.person.id == "ogre")
        form.point((row,))
        assert form.answers["against"] == "ogre"


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 45)], ids=str)
async def test_after_an_attack_counts_both_how_it_came_out_and_the_ways_to_act_are_in_sight(
    campaign: Path, size: tuple[int, int]
) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=size) as pilot:
        screen = await fight(pilot)
        assert re.search(r" or ─+", await settled(pilot))
        await pilot.press("enter", "enter", "enter")  # an attack, its roll, and it counts
        text = await settled(pilot)
        assert " WINS" in text
        ways = [item for item in screen.deck.items if item.group == "how"]
        assert ways, "its digits are keys, so its rows are in sight"
        assert all(re.search(rf" {item.keys[0]}↵? +{re.escape(item.label)} ", text) for item in ways)


async def test_those_outside_the_order_stand_in_a_group_of_their_own(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("T", "g", "1", "3", "8", "enter")
        text = await settled(pilot)
        order, _, rest = text.partition("not in the order")
        assert "● Rook" in order
        assert "● Mira" in rest
        assert re.search(r"◆ Cinder priest .*~", rest), "whom players do not see is marked"


def somebody(name: str, **more: object) -> Person:
    return Person(id=name, name=name, **more)  # type: ignore[arg-type]


def test_neighbours_of_a_kind_share_a_row_and_others_do_not() -> None:
    people = [somebody(f"Bully {n}", group="Bully", section="turn order") for n in (1, 2, 3)]
    people.insert(2, somebody("Rook", section="turn order"))
    assert [row.name + row.count for row in rows(people, frozenset())] == ["Bully ×2", "Rook", "Bully 3"]
    assert len(rows(people, frozenset(["Bully"]))) == 4


def test_a_condition_or_a_secret_whose_words_find_no_room_keeps_its_sign() -> None:
    carried = (Status(what="a wrenched back"),)
    shown = rows([somebody("Mira of the old bridge", marks=("+1d",), conditions=carried, secret=True)], frozenset())
    narrow, wide = (str(_row(shown[0], False, Sizes.of(shown, width, False), None)) for width in (42, 70))
    assert narrow.endswith(" !1 +1d ~ ")
    assert wide.endswith(" a wrenched back +1d ~ only you ")


def test_two_hundred_rows_keep_whoever_is_up_and_the_cursor_in_the_window() -> None:
    from tabletop_tui.ui.panels.roster import Present, Roster, _entries

    people = [somebody(f"p{n}", section="turn order", acted=n < 40, current=n == 40) for n in range(200)]
    shown = tuple(rows(people, frozenset()))
    roster = Roster()
    for cursor in (0, 45, 120, 199):
        window, _, _ = roster._window(_entries(shown, 20), Present(shown, cursor), 20)
        assert cursor in window
        assert 40 in window


def test_of_a_few_of_a_kind_each_has_its_own_number_where_they_differ() -> None:
    def reaver(n: int, hp: int) -> Person:
        meter = Counter(name="HP", value=hp, most=20)
        return Person(id=f"reaver#{n}", name=f"Ash reaver {n}", group="Ash reaver", meters=(meter,))

    few, many = [reaver(1, 20), reaver(2, 3)], [reaver(n, 20 - n) for n in range(5)]
    assert [row.number(full=True) for row in rows(few, frozenset())] == ["20 3"]
    assert [row.number(full=False) for row in rows([reaver(1, 20), reaver(2, 20)], frozenset())] == ["40"]
    assert [row.number(full=False) for row in rows(many, frozenset())] == ["90"]
