"""Of foes whose numbers are the GM's, players read a word for how hurt they are."""

from __future__ import annotations

from typing import Any

import playing
import pytest
from msgspec.structs import replace
from playing import sure

from tabletop_tui.conformance.seats import check_twins
from tabletop_tui.kit.hurt import as_known, how_hurt
from tabletop_tui.plugins import guarded
from tabletop_tui.rules import Person, TableView, fields, strip
from tabletop_tui.session import Table

FOES = {
    "ember-road": (("begin who=mira,reaver",), "reaver", "hurt who=reaver points={}", (5, 5, 9, 1)),
    "fen-lanterns": (("scene scene=the-causeway", "begin"), "thief-1", "hurt who=thief-1 damage={}", (2, 2, 3, 1)),
}
"""Of each game with HP how its fight begins, a foe, and harm that leaves it hurt, badly hurt, still so, down."""


@pytest.mark.parametrize(
    ("left", "most", "word"),
    [
        (10, 10, "unhurt"),
        (12, 10, "unhurt"),
        (9, 10, "hurt"),
        (6, 10, "hurt"),
        (5, 10, "badly hurt"),
        (1, 10, "badly hurt"),
        (0, 10, "down"),
        (1, 1, "unhurt"),
        (1, 2, "badly hurt"),
    ],
)
def test_the_word_follows_from_the_share_that_is_left(left: int, most: int, word: str) -> None:
    assert how_hurt(left, most) == word


@pytest.mark.parametrize("known", [3, 10])
def test_what_stands_for_a_number_has_its_word_and_nothing_else_of_it(known: int) -> None:
    for most in range(1, 60):
        for left in range(most + 1):
            assert how_hurt(as_known(left, most, known), known) == how_hurt(left, most)
    assert len({as_known(left, 59, known) for left in range(60)}) == 4


def of_foe(table: Table, foe: str) -> Person:
    view = table.view("table")
    assert isinstance(view, TableView)
    return next(p for p in view.people if p.id == foe)


@pytest.mark.parametrize("name", FOES)
def test_a_seat_reads_a_word_wherever_the_gm_reads_a_number(name: str) -> None:
    begin, foe, hurt, harm = FOES[name]
    gm, ana = playing.seats(playing.PROJECT / "campaigns" / name, "Ana")
    for words in begin:
        playing.act(gm, words)
    attack = next(offer.kind for offer in ana.offers() if offer.tag == "attack")
    against = next(field for field in fields(attack) if field.name == "against")
    told = []
    for points, word in zip((0, *harm), ("unhurt", "hurt", "badly hurt", "badly hurt", "down"), strict=True):
        if points:
            playing.act(gm, hurt.format(points))
        ana.catch_up()
        assert (of_foe(ana, foe).note, of_foe(ana, foe).meters) == (word, ())
        assert of_foe(gm, foe).meters[0].most
        notes = {choice.value: choice.note or choice.closed for choice in ana.choices(attack, against, {})}
        assert word in notes[foe]
        told.append(ana.history()[-1].said)
    called = gm.world.name(foe)
    assert told[1:3] == [(f"{called} is hurt",), (f"{called} is badly hurt",)]
    assert not any(any(sign.isdecimal() for sign in line.replace(called, "")) for said in told[1:] for line in said)


@pytest.mark.parametrize("name", FOES)
def test_a_campaign_that_opens_the_gms_numbers_shows_them(name: str) -> None:
    begin, foe, hurt, harm = FOES[name]
    table = playing.table(playing.PROJECT / "campaigns" / name, seat="Ana")
    rules = replace(table.world.rules, open_npcs=True)
    table = Table(table.engine, replace(table.header, world=replace(table.header.world, rules=rules)), seat="Ana")
    for words in begin:
        playing.act(table, words)
    playing.act(table, hurt.format(harm[0]))
    found = of_foe(table, foe)
    meter = found.meters[0]
    assert found.note == f"{meter.value}/{meter.most}"


@pytest.mark.parametrize("name", FOES)
def test_twins_may_differ_in_hp_within_a_word_and_not_beyond(name: str) -> None:
    begin, _, hurt, harm = FOES[name]

    def after(points: int) -> Table:
        table = playing.table(playing.PROJECT / "campaigns" / name)
        for words in begin:
            playing.act(table, words)
        playing.act(table, hurt.format(points))
        return table

    worlds = [after(points).world for points in (harm[0], harm[0] - 1, sum(harm[:2]))]
    engine = guarded(after(1).engine).inner
    check_twins(engine, worlds[0], worlds[1], "Ana")
    with pytest.raises(AssertionError, match="gives a secret away"):
        check_twins(engine, worlds[0], worlds[2], "Ana")


@pytest.mark.parametrize(("left", "word"), [(8, "unhurt"), (7, "hurt"), (4, "badly hurt"), (0, "down")])
def test_a_home_brew_game_tells_it_of_the_meter_that_puts_people_out(left: int, word: str) -> None:
    table = playing.table(playing.PROJECT / "campaigns" / "broken-causeway", seat="Ana")
    world = table.world
    foe = next(who for who, sheet in world.sheets.items() if not sheet.player)
    here = world.live(met=(foe,))
    most = sure(of_world(table, here, foe).meters[0].most)
    found = of_world(table, here.live(meters={foe: {"hp": most * left // 8}}), foe)
    assert found.note == word
    assert strip(found).meters == ()


def of_world(table: Table, world: Any, foe: str) -> Person:
    view = table.engine.view("table", world)
    assert isinstance(view, TableView)
    return next(p for p in view.people if p.id == foe)
