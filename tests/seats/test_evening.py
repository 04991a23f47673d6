"""A GM and players at one log, all at random: it verifies, and everybody comes to the same state."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import playing
import pytest
from twists import SAMPLES

from tabletop_tui.conformance import random_action
from tabletop_tui.conformance.seats import own_action
from tabletop_tui.plugins import guarded
from tabletop_tui.rules import Refused, fields
from tabletop_tui.session import Proposed, Table, verify


def seat_acts(seat: Table, chance: random.Random, done: Counter[str]) -> None:
    """Something that a player does, asks for, or takes back."""
    engine = guarded(seat.engine).inner
    if chance.random() < 0.5:
        asks = [offer.kind for offer in seat.offers() if offer.how == "ask" and not offer.closed]
        if not asks:
            return
        kind = chance.choice(asks)
        so_far: dict[str, Any] = {}
        for field in fields(kind):
            free = [c.value for c in seat.choices(kind, field, so_far) if not c.closed]
            if free and field.kind == "choice" and seat.shaped(kind, field, so_far):
                so_far[field.name] = chance.choice(free)
        seat.propose(kind, so_far)
        done["asked"] += 1
    elif (action := own_action(engine, seat.world, seat.seat, chance)) is not None:
        seat.do(action)
        done["done"] += 1


def gm_acts(gm: Table, chance: random.Random, done: Counter[str]) -> None:
    """The GM answers, undoes, or goes on."""
    waiting = gm.proposals()
    if waiting and chance.random() < 0.7:
        if chance.random() < 0.8:
            gm.accept(waiting[0].seq)
            done["accepted"] += 1
        else:
            gm.decline(waiting[0].seq, "no")
            done["declined"] += 1
    elif chance.random() < 0.1:
        gm.undo()
        done["undone"] += 1
    elif (action := random_action(gm.engine, gm.world, chance)) is not None:
        gm.do(action)


@pytest.mark.parametrize("name", SAMPLES)
def test_an_evening_of_everybody_at_once_verifies_and_everybody_agrees(name: str) -> None:
    root = playing.PROJECT / "campaigns" / SAMPLES[name]
    names = sorted({s.player for s in playing.world(root).sheets.values() if s.player})[:3]
    gm, *seats = playing.seats(root, *names)
    chance, done, refused = random.Random(name), Counter[str](), 0
    for _ in range(500):
        one = chance.choice([gm, gm, *seats])
        if chance.random() < 0.8:
            one.catch_up()
        try:
            if one is gm:
                gm_acts(gm, chance, done)
            else:
                seat_acts(one, chance, done)
        except Refused:
            refused += 1
    for one in (gm, *seats):
        one.catch_up()
    assert all(one.world == gm.world for one in seats)
    assert all(one.timeline.ahead == gm.timeline.ahead and one.proposals() == gm.proposals() for one in seats)
    verdict = verify(gm.engine, gm.header, gm.timeline.entries)
    assert not verdict.wrong
    assert min(done[what] for what in ("asked", "done", "undone")) > 3, done
    assert done["accepted"] + done["declined"] > 3, done
    for entry in gm.timeline.entries:
        if entry.answers:
            asked = gm.timeline.entries[entry.answers - 1]
            assert isinstance(asked.action, Proposed)
            assert asked.by == entry.by
