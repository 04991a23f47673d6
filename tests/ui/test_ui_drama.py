"""Drama in History by keyboard: a social contest of two rounds, hidden lines, and a complex test."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from textual.pilot import Pilot
from waiting import opened, playing, press_until

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.contest_lines import ShowLines
from tabletop_tui.rules import Bid, ContestView, Counter, Option, Party, as_facts
from tabletop_tui.session import Codec, verify
from tabletop_tui.storage.log import LogFile, sessions
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.asking.form import Form
from tabletop_tui.ui.asking.host import Confirm
from tabletop_tui.ui.pages.contest import ContestPage
from tabletop_tui.ui.panels.panel import Panel
from tabletop_tui.ui.panels.parts import PartsPanel

LEDGER = ["D", "2"]
"""To the contest page; the almoner's ledger."""


def contest(app: TabletopApp) -> ContestPage:
    page = playing(app).page
    assert isinstance(page, ContestPage)
    return page


def drawn(app: TabletopApp, *panels: Panel[Any]) -> str:
    """What stands on the panels in sight, line by line; on all of them where none is named."""
    shown = panels or tuple(p for p in app.screen.query(Panel) if p.display and p.size.height and p.region.height)
    return "\n".join(p.render_line(y).text.rstrip() for p in shown for y in range(p.size.height))


async def lead(app: TabletopApp, pilot: Pilot[None], *words: str) -> None:
    """Choose the Lead whose row has these words."""
    page = playing(app).page
    rows = [pick.label for pick in page.list.picks]  # type: ignore[attr-defined]
    place = next(i for i, label in enumerate(rows) if all(word in label for word in words))
    by = place - page.list.cursor  # type: ignore[attr-defined]
    await pilot.press(*["down" if by > 0 else "up"] * abs(by), "enter")


async def settled(app: TabletopApp, pilot: Pilot[None]) -> str:
    """The screen once the chances have come."""
    await pilot.pause()
    await app.workers.wait_for_complete()
    await pilot.pause()
    return drawn(app)


async def write(pilot: Pilot[None], words: str) -> None:
    await pilot.press(*("space" if c == " " else c for c in words), "enter")


def entries(folder: Path) -> Any:
    return LogFile(sessions(folder)[-1], Codec(ENGINE), write=False)


# ---- the social contest


async def test_a_social_contest_of_two_rounds_by_keyboard_with_typed_dice(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER)
        text = await settled(app, pilot)
        assert "Joan · wants: to see the ledger" in text
        assert "wants: her silence until the" in text
        assert "if lost: her welcome in the house" in text
        assert "if lost: the key to the chest" in text
        assert re.search(r"What does Joan argue with\? +enter Social 3 \+ Letters 3: 6 base, 30 %", text)
        assert "2  Social 3 + Courtesy 2: 5 base" in text
        assert "3↵ Social 3 + Letters 3: 6 base" in text

        await pilot.press("2")
        text = await settled(app, pilot)
        assert re.search(r"Social 3 \+ Courtesy 2 +5 base", text)
        assert re.search(r"Joan wins +22 %", text), "exact, and there before the roll"
        assert re.search(r"2 fact or leverage +1 base, \+8", text), "what one more line would do"

        # a narrative advantage, one key and its words
        await pilot.press("2")
        await write(pilot, "the seal is broken")
        text = await settled(app, pilot)
        assert re.search(r"fact or leverage: the seal.* 1 base", text)
        assert "narrative ■···· 1 of 5" in text
        assert re.search(r"Joan wins +30 %", text)

        # William contributes a drama die
        await pilot.press("d", "tab")
        form = playing(app).host.asked
        assert isinstance(form, Form)
        await pilot.press(*["up"] * [field.name for field in form.fields].index("reason"))
        assert form.line is not None
        assert form.line.name == "who"
        william = next(i for i, c in enumerate(form.open(form.line)) if c.words == "William")
        await pilot.press(str(william + 1))
        await write(pilot, "he coughs")
        text = await settled(app, pilot)
        assert re.search(r"William: he coughs +1 drama", text)
        assert "6 base + 1 drama" in text
        assert re.search(r"level +≥1 \d+ %", text)
        assert re.search(r"drama 1s +≥1 20 %", text)

        # real dice; the drama 6 rolls on in sight
        await pilot.press("t", *"655321", "6")
        text = drawn(app)
        assert "Joan: a drama 6 rolls on" in text
        await pilot.press("4", *"6543221", "enter")
        text = await settled(app, pilot)
        assert "6→4" in text
        assert "= net 5" in text
        assert "= net 2" in text
        assert "✓ JOAN WINS BY 3" in text
        assert "Prior Hugh: 3 penalty dice (discombobulated); Composure 6 → 3; momentum: Joan" in text
        assert "Joan gets: to see the ledger. Prior Hugh loses: the key to the chest" in text
        assert "his parlour" in text, "what was hidden is shown"
        assert re.search(r"enter go on +c close", text), "another round, or an end"
        assert text.count("go on") == 1, "one key of it is told"

        # the next round refuses what was used, and says when
        await pilot.press("g")
        text = await settled(app, pilot)
        assert re.search(r"–  Social 3 \+ Courtesy 2.* used in round 1", text)
        assert "used: Courtesy (round 1)" in text
        assert re.search(r"penalty: discombobulated +3 resist", text)
        await pilot.press("2")
        assert "used in round 1" in playing(app).message
        await pilot.press("1")
        assert "momentum: Joan" in await settled(app, pilot)
        await pilot.press("1")
        await write(pilot, "The seal is BROKEN")
        await pilot.press("enter")
        # the form stays as it was typed, with the reason
        assert "used 'The seal is BROKEN' in round 1" in getattr(playing(app).host.asked, "refused", "")
        await pilot.press("escape")
        assert "Drop what you typed?" in drawn(app)
        await pilot.press("y")

        # a bond, and a passion at one key
        await pilot.press("3")
        await write(pilot, "he owes my father")
        await pilot.press("enter")
        await pilot.press("4")
        text = await settled(app, pilot)
        assert re.search(r"passion: justice +2 drama", text)
        assert "draw (Joan by momentum)" in text

        # a draw, decided by momentum; a drama 1 costs a penalty die
        await pilot.press("t", *"556123", *"12", *"563", *"456", "enter")
        text = await settled(app, pilot)
        assert "A DRAW, AND IT IS JOAN'S" in text
        told = " ".join(text.split())
        assert "Joan: 1 penalty die (drama); Prior Hugh: 1 penalty die (discombobulated); Composure 3 → 2" in told
        assert "distracted: 1 penalty die" in text
        now = playing(app).game.world.now
        assert (now.people["joan"].carried, now.people["hugh"].carried, now.people["hugh"].composure) == (1, 4, 2)
    log = entries(abbey)
    verdict = verify(ENGINE, log.header, log.entries)
    assert not verdict.wrong, verdict
    assert verdict.typed == verdict.dice == 29


async def test_any_line_is_taken_out_again_from_the_screen(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER, "1", "1")
        await write(pilot, "meek")
        await pilot.press("enter")
        page = contest(app)
        assert "▸in character: meek" in drawn(app, page.parties), "the cursor is on what was just added"
        await pilot.press("l", "1", "enter")  # Brother Edmund lends a hand
        assert re.search(r"Brother Edmund lends a hand.* 2 base", drawn(app, page.parties))
        assert "8 base" in drawn(app, page.parties)
        await pilot.press("x")
        assert "lends a hand" not in drawn(app, page.parties)
        await press_until(pilot, "up", lambda: "▸in character: meek" in drawn(app, page.parties), "the line")
        await pilot.press("backspace")
        assert "meek" not in drawn(app, page.parties)
        assert "5 base" in drawn(app, page.parties)
        # the other party's line, hidden as it is
        await pilot.press("tab", "down")
        assert "▸~ place or company" in drawn(app, page.parties)
        await pilot.press("x")
        assert "~ place" not in drawn(app, page.parties)
        await pilot.press("u", "u", "u")
        assert "lends a hand" in drawn(app, page.parties)


async def test_a_click_is_the_same_as_its_keys(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER)
        page = contest(app)
        await settled(app, pilot)
        await pilot.click(page.bidding, offset=(40, 1))  # the first skill
        assert playing(app).game.world.now.contest.parties["joan"].using == "Insight"
        await pilot.click(page.parties, offset=(50, 2))
        assert "▸~ place or company" in drawn(app, page.parties)
        await settled(app, pilot)
        await pilot.click(page.bidding, offset=(60, 4))  # his passion, at once
        assert "passion: the good name" in drawn(app, page.parties)
        await pilot.press("C", "1")
        parts = playing(app).query_one(PartsPanel)
        await pilot.pause()
        await pilot.click(parts, offset=(26, 0))
        assert playing(app).message == "The third lock: locked."


async def test_a_players_seat_sees_neither_hidden_lines_nor_what_would_give_them_away(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER, "1")
        text = await settled(app, pilot)
        assert "~ place or company" in text
        assert "7 base" in text
        assert "narrative ■····· 1 of 6" in text
        assert "1 base, +8" in text, "the GM knows the chances"
    seat = TabletopApp(str(abbey), seat="Cleo")
    async with seat.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D")
        text = await settled(seat, pilot)
        assert "Joan · wants: to see the ledger" in text
        assert "holds something" in text
        assert "something is hidden: no chances" in text
        assert "his p" not in text
        assert "7 base" not in text
        assert "of 6" not in text, "the cap of a meter is Composure too"
        assert not re.search(r"→ \d", text)
        assert not re.search(r"\d %", text)


async def test_a_hand_is_lent_by_the_side_that_it_is_lent_to(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER, "l")
        assert "Brother Edmund lends Joan a hand" in await settled(app, pilot)
        await pilot.press("escape", "right", "l")
        assert "The porter lends Prior Hugh a hand" in await settled(app, pilot), "no hero, unless somebody says so"


async def test_lines_are_entered_hidden_and_shown_at_once(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER, "1", "6")
        await pilot.press(*("a", "space", *"bluff"), "tab", "down", "down", "2", "enter")  # hidden
        page = contest(app)
        assert "~ bold risk: a bluff" in drawn(app, page.parties)
        assert playing(app).game.table.timeline.entries[-1].said == ("Joan holds something back",)
        await pilot.press("h")
        assert isinstance(playing(app).host.asked, Confirm), "a stray key shows nothing"
        await pilot.press("y")
        assert "~ bold" not in drawn(app, page.parties)
        assert playing(app).game.table.timeline.entries[-1].action == ShowLines()


async def test_a_marginal_result_offers_its_price_and_a_4_its_drama_point(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER, "1", "t", *"64111", *"1111111", "enter")
        text = drawn(app)
        assert "Joan 1, Prior Hugh 0." in text
        assert "Joan pays: 1 penalty die" in text
        assert "Joan: 4 → 5 for a Drama Point" in text
        await pilot.press("b")
        assert "4↑5" in drawn(app)
        assert "JOAN WINS BY 2" in drawn(app)
        await pilot.press("u", "i")
        text = drawn(app)
        assert "counts as 2" in text
        assert "JOAN WINS BY 2" in drawn(app)
        assert playing(app).game.world.now.people["joan"].carried == 1


NUMBERS = re.compile(r"\d+")


def made_up() -> ContestView:
    """A contest of no game that there is: five kinds of line, one of them unheard of."""
    action = ShowLines()
    kinds = ("a glance", "a debt", "an oath", "a song", "a dream of bees")
    adds = tuple(
        Option(label=kind, action=action, key=str(70 + i)[-1], note=f"{i + 41} wax") for i, kind in enumerate(kinds)
    )
    first = Party(
        id="joan",
        name="Ann",
        wants="the hive",
        risks="77 stings",
        bids=tuple(Bid(source=f"{kind}, held", dice=f"{31 + i} wax", remove=action) for i, kind in enumerate(kinds)),
        total="185 wax",
        meter=Counter(name="sweetness", value=6, most=8),
        marks=("stung 19 times",),
        adds=adds,
    )
    second = Party(id="hugh", name="Bee", wants="peace", bids=(Bid(source="buzz", dice="57 hum"),), total="57 hum")
    return ContestView(
        title="The hive",
        facts=as_facts(("verse 13",)),
        parties=(first, second),
        counters=(Counter(name="pollen", value=21, most=25),),
    )


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_screen_has_no_number_that_the_view_has_not_and_takes_any_kind_of_line(
    abbey: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await pilot.press("D")
        page, view = contest(app), made_up()
        monkeypatch.setattr(page, "read", lambda: view)
        playing(app).changed()
        await pilot.pause()
        text = drawn(app, page.parties, page.bidding, page.stage)
        known = set(NUMBERS.findall(str(msgspec.to_builtins(view, enc_hook=str))))
        assert known.issuperset(NUMBERS.findall(text)), text
        assert "a dream of bees, held" in text
        assert re.search(r"4 a dream of bees +45 wax", text)
        assert "sweetness ■■■■■■·· 6 of 8" in text
        assert "if lost: 77 stings" in text
        await pilot.press("down", "down", "down", "down")
        assert "▸a dream of bees, held" in drawn(app, page.parties)
        await pilot.press("right")
        assert "▸Bee" in drawn(app, page.parties), "its only line has no others to move among"


# ---- complex tests and helpers


async def test_a_complex_test_by_keyboard(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C", "1")
        text = await settled(app, pilot)
        assert "[▶ Past the porter]    – The third lock     – Whose hand?" in text
        assert "attempt 1 of 2 · 2 resist · Stealth, or a good story · first attempt:" in text
        assert "Read the ledger by night: who leads?" in text
        assert "★ best" in text
        assert len({row.index(" %") for row in text.splitlines() if re.search(r"· .* \d+ %", row)}) == 1, "a column"
        await lead(app, pilot, "Brother Edmund", "Stealth")
        text = await settled(app, pilot)
        assert "Brother Edmund leads · Stealth" in text
        assert re.search(r"Joan +\+2 base +\+21", text), "a hand, and what it changes"
        assert "p put in" in text.splitlines()[-1]
        await pilot.press("p")
        assert "passion or point" in drawn(app, playing(app).page.ask_panel)
        await pilot.press("escape", "enter")
        assert "who leads?" not in drawn(app), "somebody does"
        await pilot.press("1")  # Joan lends a hand
        assert "● +2 base" in await settled(app, pilot)
        await pilot.press("t", *"66633", *"33", "enter")
        text = await settled(app, pilot)
        assert "✓ PAST THE PORTER: SUCCESS" in text
        assert "Brother Edmund, net 3; price of the attempt: the first psalm; Past the porter" in text
        assert " ✓ Past the porter    [▶ The third lock]    – Whose hand?" in text

        # Enter goes on to the next attempt; what is done or locked says so when it is pressed
        await pilot.press("enter")
        assert "who leads?" in drawn(app)
        await pilot.press("escape")
        assert "✓ PAST THE PORTER: SUCCESS" in drawn(app)
        await pilot.press("enter", "1")  # Edmund, Latin
        text = await settled(app, pilot)
        assert "nothing rolled yet" in text, "the last attempt has made room"
        await pilot.press("right", "enter")
        assert playing(app).message == "Whose hand?: locked."
        assert "locked · one attempt · 2 resist · Letters or Latin" in drawn(app)
        await pilot.press("right", "enter")
        assert playing(app).message == "Past the porter: done."

        # the first attempt at the lock fails, the second has two resistance dice less and its price
        await pilot.press("t", *"11111", *"33333", "enter")
        text = await settled(app, pilot)
        assert "✗ THE THIRD LOCK: FAILURE" in text
        assert "attempt 2 of 2" in text
        await pilot.press("enter", "1")
        text = await settled(app, pilot)
        assert re.search(r"The third lock +2 resist", text)
        await pilot.press("t", *"66111", *"333", "enter")
        text = await settled(app, pilot)
        assert " ✓ Past the porter     ✓ The third lock    [▶ Whose hand?]" in text
        assert playing(app).game.world.now.people["edmund"].carried == 1

        # there is one attempt at the last; its failure leaves the test partial
        await pilot.press("enter", "1", "t", *"11111", *"3333", "enter")
        text = await settled(app, pilot)
        assert "locked at Whose hand?" in text
        assert "PARTIAL SUCCESS" in text
    log = entries(abbey)
    assert not verify(ENGINE, log.header, log.entries).wrong


async def test_working_together_adds_the_nets(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C", "o")
        await write(pilot, "lift the cart")
        await settled(app, pilot)
        await lead(app, pilot, "Brother Edmund", "Physical")
        await pilot.press("down", "2")  # William works with him
        text = await settled(app, pilot)
        assert "● rolls too" in text
        await pilot.press("t", *"6111")
        assert "William" in drawn(app), "his dice are asked for"
        william = len(playing(app).host.asked.sides)  # type: ignore[union-attr]
        await pilot.press("6", *"1" * (william - 1), "enter")
        text = await settled(app, pilot)
        assert "= net 1" in text
        assert "SUCCESS" in text


# ---- bad input, on the screen and on the command line


async def test_the_sign_of_a_secret_stands_before_what_players_do_not_read_alone(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(140, 45)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "1", "enter", "t", *"5555511111155", "enter", "c", "T")
        await pilot.pause()
        assert "distracted 3 ~ Composure" in drawn(app)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert re.search(r"Prior Hugh +distracted 3", drawn(app)), "what finds no room is left out, not both"
