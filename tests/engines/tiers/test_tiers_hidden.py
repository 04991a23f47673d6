"""Hidden foes: what is rolled by or against one names nobody to players until it is revealed."""

from __future__ import annotations

from typing import Any

import playing
import pytest
from msgspec.structs import replace
from tiers_worlds import hero, npc, world

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.attack import Attack
from tabletop_tui.engines.tiers.challenge import Improvise, Lead
from tabletop_tui.engines.tiers.initiative import BeginTurns, JoinTurns
from tabletop_tui.engines.tiers.opposed import Oppose
from tabletop_tui.engines.tiers.settle import Settle
from tabletop_tui.kit.order import EndEncounter, Hide, Leave, Reveal, hidden_ones
from tabletop_tui.kit.seen import unseen
from tabletop_tui.rules import KINDS, ChallengeView, Refused, TableView
from tabletop_tui.session import Table, begin

NAMES = ("Assassin", "Twin")


def ambush() -> Table:
    here = world(
        mira=hero("Mira", Dodge={"alpha": 2}, Blade={"alpha": 2}),
        rook=hero("Rook", "Ben", Dodge={"alpha": 1}),
        foe=npc("Assassin", Knife={"beta": 2}, levels={"alpha": 1}),
        twin=npc("Twin", Knife={"beta": 1}, levels={"alpha": 1}),
    )
    header = begin(ENGINE, here, campaign="x", session="1", at=playing.EVENING)
    table = Table(ENGINE, replace(header, world=here), clock=playing.evening())
    table.do(BeginTurns(("mira", "rook")))
    table.do(JoinTurns("foe", hidden=True))
    table.do(JoinTurns("twin", hidden=True))
    return table


def known(table: Table) -> tuple[list[str], Any]:
    """All that Ana's seat has read, and the table that it sees."""
    seat = Table(ENGINE, table.header, table.timeline.entries, clock=playing.evening(), seat="Ana")
    return [line for step in seat.history() for line in (*step.said, *step.dice)], seat.view("table")


def check_nobody_is_named(table: Table) -> None:
    lines, view = known(table)
    for name in NAMES:
        assert not [line for line in lines if name.lower() in line.lower()]
        assert name.lower() not in repr(view).lower().replace("'foe'", "")


def test_an_attack_by_a_hidden_one_names_nobody_from_roll_to_wound() -> None:
    table = ambush()
    table.do(Attack("foe", "Knife", "mira", "Dodge"), (5, 3, 1, 2), roll=False)
    check_nobody_is_named(table)
    assert known(table)[0][-2:] == [
        "Somebody unseen attacks Mira (Dodge): Mira 1 2 = 2",
        "Mira: Dodge: 1 2",
    ]
    assert known(table)[1].prompt.text == "Somebody unseen wins."
    assert [hand.who for hand in known(table)[1].hands] == ["Mira"]
    table.do(Settle())
    check_nobody_is_named(table)
    assert known(table)[0][-2:] == ["Somebody unseen wins, 3 damage", "Mira: HP 50 → 47"]
    assert known(table)[1].outcome.title == "somebody unseen wins"


def test_an_attack_on_a_hidden_one_names_nobody_also_when_it_falls() -> None:
    table = ambush()
    table.do(Attack("mira", "Blade", "foe", "Knife"), (4, 1, 1, 1, 4), roll=False)
    table.do(Settle())
    table.do(Attack("mira", "Blade", "foe", "Knife"), (4, 1, 1, 1, 4), roll=False)
    table.do(Settle())
    assert table.world.now.people["foe"].hp == 0
    check_nobody_is_named(table)
    assert known(table)[0][-1] == "Mira wins"


def test_two_hidden_ones_among_themselves_are_not_told_of() -> None:
    table = ambush()
    before = known(table)
    table.do(Oppose("foe", "Knife", "twin", "Knife"), (5, 3, 1), roll=False)
    assert known(table) == before
    table.do(Settle())
    assert known(table) == before


def test_the_gm_reads_all_of_it() -> None:
    table = ambush()
    table.do(Attack("foe", "Knife", "mira", "Dodge"), (5, 3, 1, 2), roll=False)
    assert table.history()[-1].said[-1] == (
        "Assassin (Knife) attacks Mira (Dodge): Assassin 5 3 = 5 against Mira 1 2 = 2"
    )
    view = table.view("table")
    assert isinstance(view, TableView)
    assert view.prompt is not None
    assert view.prompt.text == "Assassin wins by 3: 3 damage."
    assert [hand.who for hand in view.hands] == ["Assassin", "Mira"]


def test_once_revealed_they_are_named() -> None:
    table = ambush()
    table.do(Reveal("foe"))
    table.do(Attack("foe", "Knife", "mira", "Dodge"), (5, 3, 1, 2), roll=False)
    assert any("Assassin" in line for line in known(table)[0])


def test_reveal_lists_those_who_are_hidden_and_a_revealed_one_stays_known_after_the_fight() -> None:
    table = ambush()
    assert [c.value for c in hidden_ones(table.world, {})] == ["foe", "twin"]
    table.do(Reveal("foe"))
    assert [c.value for c in hidden_ones(table.world, {})] == ["twin"]
    table.do(EndEncounter())
    assert table.world.now.met == ("foe",)
    view = known(table)[1]
    assert isinstance(view, TableView)
    assert [person.id for person in view.people if person.id in ("foe", "twin")] == ["foe"]


def test_whoever_leaves_the_order_stays_known_and_one_who_comes_back_hidden_is_not_seen() -> None:
    table = ambush()
    table.do(Reveal("foe"))
    table.do(Leave("foe"))
    assert not unseen(table.world, "foe")
    table.do(JoinTurns("foe", hidden=True))
    assert unseen(table.world, "foe")


def test_a_hidden_one_takes_on_no_challenge_in_everybodys_sight() -> None:
    table = ambush()
    table.do(Improvise("Hold", "alpha", 2))
    with pytest.raises(Refused, match="reveal them first"):
        table.do(Lead("foe", "Knife"))


def test_the_challenge_page_does_not_tell_of_an_attack() -> None:
    table = ambush()
    table.do(Improvise("Hold", "alpha", 2))
    table.do(Attack("foe", "Knife", "mira", "Dodge"), (5, 3, 1, 2), roll=False)
    seat = Table(ENGINE, table.header, table.timeline.entries, clock=playing.evening(), seat="Ana")
    assert "assassin" not in repr(seat.view("challenge")).lower()


def test_a_seat_can_look_at_what_it_knows_while_a_hidden_one_attacks_or_leads() -> None:
    table = ambush()
    table.do(Improvise("Cross the yard", "alpha", 1))
    table.do(Lead("mira", "Blade"))
    table.do(Hide("mira"))
    views = {kind: ENGINE.view(kind, ENGINE.seen_by(table.world, "Ben")) for kind in KINDS[:3]}
    assert isinstance(views["challenge"], ChallengeView)
    assert views["challenge"].lead == ""
    table.do(Reveal("mira"))
    table.do(Attack("foe", "Knife", "mira", "Dodge"), (5, 3, 1, 2), roll=False)
    for kind in KINDS[:3]:
        assert ENGINE.view(kind, ENGINE.seen_by(table.world, "Ben")) is not None or kind == "contest"


def test_whom_players_fought_outside_a_turn_order_they_go_on_knowing() -> None:
    here = world(mira=hero("Mira", Blade={"alpha": 2}), foe=npc("Bandit", Knife={"alpha": 1}))
    header = begin(ENGINE, here, campaign="x", session="1", at=playing.EVENING)
    table = Table(ENGINE, replace(header, world=here), clock=playing.evening())
    assert unseen(table.world, "foe")
    table.do(Attack("mira", "Blade", "foe", "Knife"))
    table.do(Settle())
    assert not unseen(table.world, "foe")
    table.do(Improvise("A wall", "alpha", 1))
    table.do(Lead("mira", "Blade"))
    assert not unseen(table.world, "foe"), "also once another roll lies there"


def test_a_challenge_that_is_over_shows_no_answers_of_an_attack() -> None:
    here = world(mira=hero("Mira", Blade={"alpha": 2}), foe=npc("Bandit", Knife={"alpha": 1}))
    header = begin(ENGINE, here, campaign="x", session="1", at=playing.EVENING)
    table = Table(ENGINE, replace(header, world=here), clock=playing.evening())
    table.do(Improvise("A wall", "alpha", 1))
    table.do(Attack("mira", "Blade", "foe", "Knife"))
    challenge, at_table = ENGINE.view("challenge", table.world), ENGINE.view("table", table.world)
    assert isinstance(challenge, ChallengeView)
    assert isinstance(at_table, TableView)
    assert challenge.prompt is None
    assert at_table.prompt is not None
