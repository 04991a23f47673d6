"""What a player's seat is shown: no view, odds or line of the history holds what the GM keeps to themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import level
import planting
import playing
import pytest
from msgspec.structs import replace

from tabletop_tui.rules import KINDS, ContestView, Dice, DiceNeeded, Refused, TableView, tag_of
from tabletop_tui.session import Table, outlook


def looks(table: Table, world: Any, *, chances: bool = True) -> Iterator[tuple[str, str]]:
    """Every text that the screens of a seat could draw of a world."""
    for kind in KINDS:
        for about in world.sheets if kind == "sheet" else ("",):
            view = table.view(kind, about, world)
            yield from ((kind, text) for text in planting.drawn(view))
            if chances and kind != "sheet" and view is not None:
                yield from ((f"chances of the {kind}", t) for t in planting.drawn(outlook(table, kind, world, view)))


def test_every_place_for_a_secret_is_planted(planted: planting.Planted) -> None:
    kinds = [one.kind for one in planted.secrets.values()]
    where = " ".join(one.where for one in planted.secrets.values())
    assert {"never", "scene", "person"} <= set(kinds)
    for place in (
        "the file characters/",
        "the title of",
        "the secret of",
        "about ",
        "clocks",
        "tracks",
        "note",
        "moment",
    ):
        assert place in where, place
    gm = planted.table()
    told = "\n".join(
        [text for world in level.some(gm.timeline.worlds, 12, 40) for _, text in looks(gm, world)]
        + [line for step in gm.history() for line in (*step.said, step.name)]
    )
    assert len(set(planting.MARKER.findall(told))) > 25, "the GM sees most of it"


def test_an_evening_from_a_seat_shows_no_secret(planted: planting.Planted) -> None:
    table = planted.table(planted.players[0])
    history = {step.seq: step for step in table.history()}
    secret = set(planted.secrets)
    looked_at = set(level.some(range(len(table.timeline.worlds)), 12, 0, 1))
    for seq, world in enumerate(table.timeline.worlds):
        secret -= planted.opened(world)
        lines = [("history", text) for text in planting.drawn(history[seq])] if seq in history else []
        for where, text in (*(looks(table, world) if seq in looked_at else ()), *lines):
            shown = {m.lower() for m in planting.MARKER.findall(text)} & secret
            assert not shown, (seq, where, text, [planted.secrets[m].where for m in shown])


@pytest.mark.parametrize("seed", range(level.many(1, 3, 30)))
def test_random_play_shows_no_secret_either(planted: planting.Planted, seed: int) -> None:
    table = playing.table(planted.root, seat=planted.players[0])
    secret = set(planted.secrets)
    for step in range(40):
        playing.wander(table, seed * 1000 + step, 1)
        secret -= planted.opened(table.world)
        new = [line for entry in table.history(max(table.last - 1, 0)) for line in planting.drawn(entry)]
        # other dice than an evening's can be so many that their chances take long; what they say is looked at above
        for where, text in (*looks(table, table.world, chances=False), *(("history", line) for line in new)):
            shown = {m.lower() for m in planting.MARKER.findall(text)} & secret
            assert not shown, (
                table.timeline.entries[-1].action,
                where,
                text,
                [planted.secrets[m].where for m in shown],
            )


# ---- what was found


def seated(name: str) -> Table:
    return playing.table(playing.PROJECT / "campaigns" / name, seat="Ana")


def shown(table: Table, kind: Any = "table") -> Any:
    view = table.view(kind)
    assert view is not None
    return view


def test_scenes_that_are_prepared_are_not_offered_to_players() -> None:
    table = seated("cinder-pass")
    told = shown(table)
    assert (told.prompt, told.roll) == (None, None)
    assert not any(o.label.startswith("begin") for o in told.acts)
    gm = table.engine.view("table", table.world)
    assert isinstance(gm, TableView)
    assert (gm.roll, gm.acts[0].label) == (gm.acts[0].action, "begin The ash bridge")


def up(table: Table) -> list[str]:
    return [p.name for p in shown(table).people if p.current]


@pytest.mark.parametrize("name", ["ember-road", "abbey-of-lynn"])
def test_while_a_hidden_one_is_up_whoever_was_seen_last_stays_up(name: str) -> None:
    table = seated(name)
    heroes = table.world.players()
    foe = next(w for w in table.world.sheets if w not in heroes)
    playing.act(table, f"begin who={heroes[0]},{heroes[1]}")
    playing.act(table, f"join who={foe} hidden=yes")
    playing.act(table, f"next who={heroes[1]}")
    before = shown(table)
    playing.act(table, f"next who={foe}")
    assert table.world.now.turns.current == foe
    assert shown(table) == before, "nothing on the page tells that somebody is there"
    assert up(table) == [table.world.name(heroes[1])]
    gm = table.engine.view("table", table.world)
    assert isinstance(gm, TableView)
    assert [p.id for p in gm.people if p.current] == [foe], "the GM sees who is really up"
    assert table.world.name(foe).upper() in gm.banner.upper()


@pytest.mark.parametrize("name", ["ember-road", "abbey-of-lynn"])
def test_a_hidden_one_who_is_first_leaves_the_next_one_up(name: str) -> None:
    table = seated(name)
    heroes = table.world.players()
    foe = next(w for w in table.world.sheets if w not in heroes)
    playing.act(table, f"begin who={foe},{heroes[0]}")
    playing.act(table, f"hide who={foe}")
    assert up(table) == [table.world.name(heroes[0])]
    assert shown(table).banner
    assert [p.may_go for p in shown(table).people if p.id == heroes[0]] == [False]


def test_a_side_that_hides_as_a_whole_does_not_empty_the_banner() -> None:
    table = seated("fen-lanterns")
    playing.act(table, "scene scene=the-causeway")
    playing.act(table, "begin")
    unseen = 0
    for _ in range(30):
        world = table.world
        if not world.now.rounds.sequence:
            playing.act(table, "initiative")
            continue
        fighters = world.now.turns.fighters.values()
        unseen += all(f.hidden for f in fighters if f.side == world.now.turns.holder)
        view = shown(table)
        assert "ACT" in view.banner.upper()
        assert "DROWNED" not in view.banner.upper()
        assert not any(c.name == "drowned" for c in view.places)
        playing.act(table, "next")
    assert unseen


def test_ranks_that_a_foe_has_left_are_not_told() -> None:
    table = seated("cinder-pass")
    playing.act(table, "begin scene=1-the-ash-bridge first=foes")
    foe = next(w for w, f in table.world.now.turns.fighters.items() if f.side == "foes" and not f.hidden)
    playing.act(table, "next", who=foe)
    sheet = table.world.now.copies.get(foe, foe)
    held = replace(table.world.sheets[sheet], traits={"Cunning": 2}, focus="Cunning")
    table.timeline.worlds[-1] = replace(table.world, sheets={**table.world.sheets, sheet: held})
    count = next(n for n in range(1, 80) if falls(table, foe, n))
    playing.act(table, "act", (1, 1, *([4] * (count - 2))), who=foe)
    gm, seat = table.engine.view("table", table.world), shown(table)
    assert isinstance(gm, TableView)
    assert gm.prompt
    assert "2 ranks of Cunning left" in gm.prompt.text
    assert "Cunning" not in " ".join(planting.drawn(seat))
    assert [f.text for f in seat.hands[0].faces] == ["1", "1", *["4"] * (count - 2)], "the dice lie open"
    assert not any(f.chosen or f.choosable for f in seat.hands[0].faces), "nor is which of them could be rerolled"
    assert any(f.chosen for f in gm.hands[0].faces)


def falls(table: Table, who: str, count: int) -> bool:
    """Are so many dice asked for?"""
    kind = next(k for k in table.engine.actions if tag_of(k) == "act")
    try:
        kind(who).resolve(table.world, Dice([4] * count))
    except (DiceNeeded, Refused):
        return False
    return True


def test_the_contest_page_hides_what_the_gms_own_can_do() -> None:
    table = seated("cinder-pass")
    playing.act(table, "begin scene=1-the-ash-bridge")
    foe = next(w for w, f in table.world.now.turns.fighters.items() if f.side == "foes" and not f.hidden)
    playing.act(table, "contest", who=foe, against="brann", trait="mettle")
    playing.act(table, "accept")
    gm, seat = table.engine.view("contest", table.world), shown(table, "contest")
    assert isinstance(gm, ContestView)
    assert gm.roll
    assert gm.extras
    assert [bool(p.bids) for p in gm.parties] == [True, True]
    assert [bool(p.bids) for p in seat.parties] == [False, True]
    assert seat.roll is None
    assert not seat.extras
    assert table.odds(gm.roll) is None


def test_composure_and_passions_of_the_gms_own_are_the_gms_unless_the_campaign_opens_them() -> None:
    def page(opened: bool) -> ContestView:
        table = seated("abbey-of-lynn")
        if opened:
            rules = replace(table.world.rules, open_npcs=True)
            table.timeline.worlds[-1] = replace(table.world, rules=rules)
        playing.act(table, "contest", plan="the-parlour/ledger")
        found = shown(table, "contest")
        assert isinstance(found, ContestView)
        return found

    shut, opened = page(False), page(True)
    hugh = next(p for p in shut.parties if "Hugh" in p.name)
    assert "Composure" not in " ".join(planting.drawn(hugh))
    assert not hugh.total
    assert hugh.meter is None
    assert not hugh.adds
    assert shut.odds_secret
    assert shut.roll is None
    assert "Composure" in " ".join(planting.drawn(next(p for p in opened.parties if "Hugh" in p.name)))
