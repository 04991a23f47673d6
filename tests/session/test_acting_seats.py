"""Players at their seats: what they do at once, what they ask for, and all that the table refuses them."""

from __future__ import annotations

from typing import Any

import playing
import pytest

from tabletop_tui.rules import DiceNeeded, Refused, fields, parse, tag_of
from tabletop_tui.session import SPECTATOR, Table, verify

EMBER = playing.PROJECT / "campaigns" / "ember-road"


def kind(table: Table, tag: str) -> Any:
    return next(k for k in table.engine.actions if tag_of(k) == tag)


def do(table: Table, words: str, dice: tuple[int, ...] = (), **more: str) -> Any:
    """Act from a seat, as on its command line."""
    tag, *pairs = words.split()
    return table.do(parse(kind(table, tag), dict(p.split("=", 1) for p in pairs) | more), dice)


def ask(table: Table, words: str, **more: Any) -> Any:
    tag, *pairs = words.split()
    return table.propose(kind(table, tag), dict(p.split("=", 1) for p in pairs) | more)


@pytest.fixture
def three() -> list[Table]:
    gm, ana, ben = playing.seats(EMBER, "Ana", "Ben")
    playing.act(gm, "scene scene=the-gate")
    playing.act(gm, "improvise name=Fog tier=beta dice=3")
    for seat in (ana, ben):
        seat.catch_up()
    return [gm, ana, ben]


# ---- at once


def test_a_player_leads_supports_and_rolls_for_their_own_character(three: list[Table]) -> None:
    gm, ana, ben = three
    assert do(ana, "lead who=mira skill=Warding").by == "Ana"
    assert do(ben, "support who=rook how=encourage").by == "Ben"
    ana.catch_up()
    assert do(ana, "roll").dice
    gm.catch_up()
    ben.catch_up()
    assert gm.world == ben.world == ana.world
    assert not verify(gm.engine, gm.header, gm.timeline.entries).wrong


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("lead who=rook skill=Warding", "Rook's"),
        ("hurt who=mira points=3", "the GM's"),
        ("scene scene=the-bridge", "the GM's"),
        ("tick clock=pass", "the GM's"),
        ("roll", "the GM's"),  # nobody leads yet
        ("settle", "the GM's"),
        ("level who=mira tier=alpha", "the GM's"),
        ("reveal who=ogre", "the GM's"),
    ],
)
def test_what_is_somebody_elses_is_refused_by_the_table_itself(three: list[Table], words: str, why: str) -> None:
    _, ana, _ = three
    before = ana.timeline.last
    with pytest.raises(Refused, match="is not yours to do") as no:
        do(ana, words)
    assert why in no.value.what
    assert ana.timeline.last == before


def test_no_seat_undoes_redoes_names_edits_or_forks_what_is_not_its_own(three: list[Table]) -> None:
    gm, ana, _ = three
    for work in (lambda: ana.redo(), lambda: ana.name("x"), lambda: ana.edited(()), lambda: ana.fork()):
        with pytest.raises(Refused, match="is the GM's"):
            work()
    with pytest.raises(Refused, match="nothing of yours"):
        ana.undo()
    for work in (lambda: ana.accept(1), lambda: ana.word("Ben", "hello")):
        with pytest.raises(Refused, match="is the GM's"):
            work()
    assert ana.catch_up() == 0
    assert gm.timeline.last == 2


def test_nobody_writes_in_anothers_name_from_a_seat(three: list[Table]) -> None:
    _, ana, _ = three
    entry = ana.do(parse(kind(ana, "note"), {"text": "hello"}), by="Ben")
    assert entry.by == "Ana"


def test_a_spectator_and_a_table_that_looks_on_do_nothing() -> None:
    gm, looker = playing.seats(EMBER, SPECTATOR)
    with pytest.raises(Refused, match="a spectator looks on"):
        do(looker, "note text=hello")
    assert all(offer.how == "no" and offer.closed for offer in looker.offers())
    _, ana = playing.seats(EMBER, "Ana", players="look")
    with pytest.raises(Refused, match="players look on"):
        do(ana, "note text=hello")
    assert gm.timeline.last == 0


def test_a_table_where_players_propose_does_notes_at_once_and_asks_for_the_rest() -> None:
    gm, ana = playing.seats(EMBER, "Ana", players="propose")
    playing.act(gm, "improvise name=Fog tier=beta dice=3")
    do(ana, "note text=hello")
    with pytest.raises(Refused, match="for the GM to allow"):
        do(ana, "lead who=mira skill=Warding")
    ask(ana, "lead who=mira skill=Warding")
    gm.catch_up()
    gm.accept(gm.proposals()[0].seq)
    assert gm.world.now.challenge.lead == "mira"


# ---- choices and offers


def test_a_form_of_a_seat_offers_its_own_characters_and_nothing_of_the_unseen(three: list[Table]) -> None:
    gm, ana, _ = three
    attack = kind(ana, "attack")
    who, _, against, using, *_ = fields(attack)
    assert [c.value for c in ana.choices(attack, who, {})] == ["mira"]
    assert {c.value for c in ana.choices(attack, against, {"who": "mira"})} == {"rook", "sefa", "tam", "odo"}
    assert ana.choices(attack, using, {"who": "mira", "against": "ogre"}) == ()
    playing.act(gm, "begin who=mira,ogre")
    ana.catch_up()
    assert "ogre" in {c.value for c in ana.choices(attack, against, {"who": "mira"})}


def test_offers_of_a_seat_say_what_is_done_what_is_asked_for_and_what_is_not_theirs(three: list[Table]) -> None:
    _, ana, _ = three
    how = {offer.tag: offer.how for offer in ana.offers()}
    assert (how["lead"], how["note"], how["attack"], how["hurt"]) == ("do", "do", "ask", "no")


def test_options_of_a_seats_views_are_closed_where_they_are_somebody_elses(three: list[Table]) -> None:
    _, ana, ben = three
    do(ana, "lead who=mira skill=Warding")
    ben.catch_up()
    view = ben.view("challenge")
    assert view is not None
    rows = {row.id: row.cells for row in view.support.rows}  # type: ignore[union-attr]
    assert not rows["rook"][3].closed
    assert all(cell.closed for cell in rows["sefa"])
    assert rows["sefa"][3].closed == "Sefa's"


# ---- refusals


def test_the_real_world_refuses_without_words(three: list[Table]) -> None:
    gm, ana, _ = three
    playing.act(gm, "begin who=mira,rook")
    playing.act(gm, "join who=ogre hidden=yes")
    playing.act(gm, "next who=ogre")  # unseen: Mira is up as far as anybody knows
    ana.catch_up()
    with pytest.raises(Refused) as no:
        do(ana, "next who=rook")
    assert no.value.what == "this needs the GM just now"


def test_an_answer_to_a_table_that_has_moved_on_is_refused_but_help_is_not(three: list[Table]) -> None:
    gm, ana, ben = three
    do(ana, "lead who=mira skill=Warding")
    ben.catch_up()
    do(ben, "support who=rook how=encourage")  # Ana has not seen it
    with pytest.raises(Refused, match="the table has moved on"):
        do(ana, "roll")
    do(ana, "roll")  # now she has
    gm.catch_up()
    assert gm.world.now.roll is not None


def test_what_the_gm_does_unseen_does_not_make_an_answer_stale(three: list[Table]) -> None:
    gm, ana, _ = three
    do(ana, "lead who=mira skill=Warding")
    gm.catch_up()
    playing.act(gm, "note text=secret secret=yes")
    playing.act(gm, "add_clock name=Doom secret=yes")
    do(ana, "roll")


# ---- dice


def test_a_seat_types_its_own_open_dice_and_no_others(three: list[Table]) -> None:
    gm, ana, _ = three
    do(ana, "lead who=mira skill=Warding")
    roll = kind(ana, "roll")()
    need = ana.dice_needed(roll)
    assert isinstance(need, DiceNeeded)
    assert need.why.startswith("Mira")
    entry = ana.do(roll, [2] * len(need.sides))
    mine, theirs, *_ = entry.dice
    assert (mine.of, mine.typed, theirs.of, theirs.typed) == ("mira", len(mine.faces), "", 0)
    gm.catch_up()
    assert not verify(gm.engine, gm.header, gm.timeline.entries).wrong


def test_more_dice_than_its_own_are_refused(three: list[Table]) -> None:
    _, ana, _ = three
    do(ana, "lead who=mira skill=Warding")
    need = ana.dice_needed(kind(ana, "roll")())
    assert need is not None
    with pytest.raises(Refused, match="not asked for"):
        ana.do(kind(ana, "roll")(), [2] * (len(need.sides) + 3))


# ---- taking back


def test_a_seat_takes_back_its_own_last_action_and_nothing_of_anybody_elses(three: list[Table]) -> None:
    gm, ana, ben = three
    do(ana, "lead who=mira skill=Warding")
    do(ana, "note text=hm")
    ana.undo()
    ana.undo()
    gm.catch_up()
    assert gm.world.now.challenge.lead == ""
    do(ana, "lead who=mira skill=Warding")
    do(ben, "note text=hm")
    with pytest.raises(Refused, match="for the GM to take back"):
        ana.undo()  # his note would go with it


def test_what_rolled_or_what_others_built_on_is_for_the_gm_to_take_back(three: list[Table]) -> None:
    gm, ana, ben = three
    do(ana, "lead who=mira skill=Warding")
    do(ben, "support who=rook how=encourage")
    ana.catch_up()
    with pytest.raises(Refused, match="for the GM to take back"):
        ana.undo()
    do(ana, "roll")
    with pytest.raises(Refused, match="for the GM to take back"):
        ana.undo()
    ana.propose_undo()
    gm.catch_up()
    (asked,) = gm.proposals()
    assert asked.words.startswith("take back: ")
    gm.accept(asked.seq)
    assert gm.world.now.roll is None
    assert not gm.proposals()
    ana.catch_up()
    found = ana.asked()
    assert found is not None
    assert found.state == "accepted"


def test_a_flood_from_one_seat_is_refused() -> None:
    now = playing.EVENING
    gm, ana = playing.seats(EMBER, "Ana")
    ana.clock = lambda: now
    for _ in range(8):
        do(ana, "note text=x")
    for _ in range(1_000):
        with pytest.raises(Refused, match="too much at once"):
            do(ana, "note text=x")
    gm.catch_up()
    assert gm.timeline.last == 8
