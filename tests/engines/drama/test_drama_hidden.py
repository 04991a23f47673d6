"""What somebody hidden does is told to the GM alone, in the log and on every screen."""

from __future__ import annotations

import pytest
from drama_abbey import abbey, table

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.challenge import Lead, MakeTest, OpenTask, RollTask
from tabletop_tui.engines.drama.contest import NewContest, RollContest
from tabletop_tui.engines.drama.contest_lines import AddLine, Argue
from tabletop_tui.engines.drama.momentum import NameAdvantage
from tabletop_tui.engines.drama.opposed import Oppose
from tabletop_tui.engines.drama.penalties import GainPenalty
from tabletop_tui.engines.drama.recovery import Recover
from tabletop_tui.engines.drama.split import Split
from tabletop_tui.kit.order import BeginEncounter, Join, Reveal
from tabletop_tui.rules import KINDS, Action, Kind, strip
from tabletop_tui.session.reader import read
from tabletop_tui.session.table import Table

SECRETS = ("porter", "Porter", "PORTER")


def ambush() -> Table:
    """Three in the order, and the porter in the dark."""
    play = table(abbey())
    play.do(BeginEncounter(("joan", "william", "hugh")))
    play.do(Join("porter", hidden=True))
    return play


STEPS: dict[str, list[Action]] = {
    "a test": [MakeTest("porter", "Awareness")],
    "a prepared test": [OpenTask("The stairs"), Lead("porter", "Brawling"), RollTask()],
    "a test that he resists": [
        OpenTask("Past him", target="porter", resist="Mental"),
        Lead("joan", "Agility"),
        RollTask(),
    ],
    "an opposed test": [Oppose("joan", "Agility", "porter", "Awareness")],
    "help": [Oppose("joan", "Agility", "hugh", "Mental", their_hands=("porter",))],
    "work": [Oppose("joan", "Agility", "hugh", "Mental", their_together="porter", their_together_using="Awareness")],
    "a drama die": [Oppose("joan", "Agility", "hugh", "Mental", given_by=("porter",), reason="a cough in the dark")],
    "a split": [Split("joan", "Letters", ("hugh", "porter"))],
    "penalties": [GainPenalty("porter", "cold", 2), Recover("porter")],
    "a contest": [
        NewContest("joan", "porter", "the way in", name="At the gate"),
        Argue("joan", "Insight"),
        AddLine("joan", "fact", "the bell"),
        NameAdvantage("porter", "the dark"),
        RollContest(),
    ],
}


@pytest.mark.parametrize("what", STEPS)
def test_what_somebody_hidden_does_is_told_to_the_gm_alone(what: str) -> None:
    play = ambush()
    for step in STEPS[what]:
        entry = play.do(step)
        while (answer := play.engine.policy(play.world)) is not None:
            assert play.timeline.last < 200, "it asks without end"
            assert not any(secret in line for line in entry.said for secret in SECRETS), entry.said
            entry = play.do(answer)
        assert not any(secret in line for line in entry.said for secret in SECRETS), entry.said
        assert all(hand.secret for hand in entry.dice), "their dice are the GM's, whatever else is told of the entry"
        assert "net" not in " ".join(entry.said), "nor the dice of whoever they met"
        for kind in KINDS:
            seen = str(strip(ENGINE.view(kind, play.world, "joan")))
            assert not any(secret in seen for secret in SECRETS), (kind, seen)
    assert any(secret in line for e in play.timeline.entries for line in e.whispered for secret in SECRETS)


def test_the_players_record_has_no_dice_of_a_roll_that_somebody_hidden_is_in() -> None:
    play = ambush()
    entry = play.do(Oppose("joan", "Agility", "porter", "Awareness", point="plain"))
    assert any("Joan" in line for line in entry.said), "her Drama Point is no secret"
    known = read(play.timeline.entries, players=True)[-1]
    assert known.said == entry.said
    assert not known.dice


def test_once_they_are_revealed_it_is_told_to_everybody() -> None:
    play = ambush()
    play.do(Reveal("porter"))
    entry = play.do(MakeTest("porter", "Awareness"))
    assert entry.said[0].startswith("The porter, Awareness:")
    assert not entry.whispered


@pytest.mark.parametrize("what", ["an opposed test", "a contest", "a prepared test"])
def test_dice_that_fell_in_the_dark_stay_the_gms_when_she_is_found(what: str) -> None:
    play = ambush()
    for step in STEPS[what]:
        play.do(step)
    entry = play.do(Reveal("porter"))
    while (answer := play.engine.policy(play.world)) is not None:
        entry = play.do(answer)
        assert "net" not in " ".join(entry.said), "what comes of it is told to the GM alone too"
    for kind in KINDS:
        view = ENGINE.view(kind, play.world, "joan")
        seen = strip(view)
        assert not getattr(seen, "hands", ()), kind
        assert getattr(seen, "outcome", None) is None, kind
    page: Kind = "contest" if what == "a contest" else "table" if what == "an opposed test" else "challenge"
    assert getattr(ENGINE.view(page, play.world), "hands", ()), "the GM still sees them"
    play.do(MakeTest("joan", "Agility"))
    assert getattr(strip(ENGINE.view("table", play.world)), "hands", ()), "the next roll is everybody's"
