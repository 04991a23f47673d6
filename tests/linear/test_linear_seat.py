"""A player's seat in linear mode: what it may not know is in none of its bytes."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import level
import planting
import playing
import pytest
from lines import Lines, checked, wander

Sample = Callable[[str], Path]
Linear = Callable[..., Lines]
SAMPLES = sorted(path.name for path in playing.samples())
ONE_OF_EACH = [name for name in SAMPLES if level.LEVEL != "quick" or name not in ("lamplighters", "broken-causeway")]
"""Of the games that are data one."""


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_planted_secrets_are_in_no_line_of_a_seat(name: str, tmp_path: Path, linear: Linear) -> None:
    planted = planting.plant(name, tmp_path)
    seat = planted.players[0]
    table = planted.table()
    worlds = [table.at(seq) for seq in range(table.last + 1)]
    one = linear(planted.root, "--seat", seat)
    one.hears(f"{seat}'s seat")
    people = [table.world.name(who) for who in table.world.present()]
    words = ["help", "list", "all", "read", "read table", "read challenge", "read contest", "odds", "log 500", "roll"]
    for line in [*words, *(f"read {who}" for who in people), *map(str, range(1, 4)), "undo", "redo", "nonsense"]:
        one.types(line)
        one.until(lambda: one.asked, "a question")
        for _ in range(20):
            if one.heard.endswith("\n> "):
                break
            one.types(".")  # a question of its own: look at it, then leave it
            one.until(lambda: one.asked, "a question")
        assert one.heard.endswith("\n> "), f"{line} asks without end"
    assert not planted.found(one.transcript, *worlds)
    assert one.drawn == ""
    assert len(one.transcript) > 2_000


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_whatever_a_seat_types_it_hears_no_secret(name: str, tmp_path: Path, linear: Linear) -> None:
    """Forms, choices, refusals and what comes of proposals, at random."""
    planted = planting.plant(name, tmp_path)
    for place, seat in enumerate(planted.players[: level.many(1, 2, 9)]):
        one = linear(planted.root, "--seat", seat)
        wander(one, place, level.many(15, 40, 400))
        one.until(partial(getattr, one, "asked"), "a question")
        table = planted.table()
        assert not planted.found(one.transcript, *(table.at(seq) for seq in range(table.last + 1)))
        assert one.drawn == ""


# ---- acting


def test_players_take_on_a_challenge_from_their_own_seats(sample: Sample, linear: Linear) -> None:
    root = sample("ember-road")
    gm = linear(root)
    gm.hears(">")
    ana, ben = linear(root, "--seat", "Ana"), linear(root, "--seat", "Ben")
    for one in (ana, ben):
        one.hears("seat: you play")
    gm.hears("Ben sat down.")
    gm.types("open")
    gm.chooses("Hold the gate")
    for one in (ana, ben):
        assert "Hold the gate" in one.hears("At stake: the gate holds until dawn")
    ana.chooses("Mira, Warding beta")
    for one in (gm, ben):
        assert "Ana: Mira leads with Warding" in one.hears("Mira leads")
    ben.chooses("indirect: Reduce")
    for one in (gm, ana):
        assert "Ben: Rook" in one.hears("Reduce")
    ana.types("roll")
    ana.hears("Type what they show")
    ana.types("5 5 4")  # her own dice lie on her table; the challenge's are rolled here
    ana.hears("Mira 5 5 4 ")
    for one in (gm, ben):
        one.hears("Mira 5 5 4 ")
    done = checked(root)
    assert done[:4] == ["open", "lead", "support", "roll"]
    assert ben.quits() == 0
    gm.hears("Ben got up.")
    assert [ana.drawn, ben.drawn, gm.drawn] == ["", "", ""]


def test_what_is_not_a_players_alone_is_asked_of_the_gm(sample: Sample, linear: Linear) -> None:
    root = sample("ember-road")
    gm = linear(root)
    gm.hears(">")
    ana = linear(root, "--seat", "Ana")
    ana.types("hurt")
    ana.hears("the GM's")
    gm.types("begin")
    gm.answers({})
    ana.hears(">")
    ana.types("attack")
    ana.answers({"who?": "Mira", "skill?": "Warding alpha", "against?": "Rook"})
    ana.hears("Ana asks: attack")
    gm.hears("Type allow Ana, or decline Ana and why.")
    gm.types("decline Ana not your friend")
    ana.hears("The GM says no to Ana")
    ana.types("note text=Then I wait")
    ana.hears("Then I wait")
    ana.types("undo")
    assert "Undone" in ana.hears("Undone")
    time.sleep(1.1)  # one question a second is enough
    ana.types("attack")
    ana.answers({"who?": "Mira", "skill?": "Warding alpha", "against?": "Rook"})
    ana.hears("Ana asks: attack")
    gm.hears("Type allow Ana")
    gm.types("allow Ana")
    gm.answers({"it uses?": "Dodge"})
    ana.hears("Mira (Warding")
    gm.types("whisper Ana you hear steps")
    ana.hears("you hear steps")
    done = checked(root)
    assert done.count("attack") == 1
    assert done.count("proposed") == 2


def test_a_seat_has_the_name_of_somebody_who_plays(root: Path) -> None:
    playing.command("session", root)
    done = playing.command("play", root, "--linear", "--seat", "Zoe")
    assert done.returncode == 1
    assert "nobody here is played by 'Zoe'" in done.stderr
    done = playing.command("play", root, "--linear", "--seat", "")
    assert done.returncode == 1


def test_a_number_keeps_its_meaning_while_others_act(sample: Sample, linear: Linear) -> None:
    root = sample("ember-road")
    gm = linear(root)
    gm.hears(">")
    ana, ben = linear(root, "--seat", "Ana"), linear(root, "--seat", "Ben")
    ana.hears("you play")
    ben.hears("you play")
    gm.types("open challenge=the-gate/hold")
    ana.hears("Hold the gate")
    ben.hears("Hold the gate")
    stealth, shooting = ben.number("Rook, Stealth"), ben.number("Rook, Shooting")
    ana.types("lead who=mira skill=Warding")
    ben.hears("How does Rook help?")
    assert (ben.number("Rook, Stealth"), ben.number("Rook, Shooting")) == (stealth, shooting)
    helps = ben.number("Rook, direct")
    assert helps > shooting
    ben.types(str(helps))
    ben.hears("Rook assists with Warding: Reroll 1.")
    ben.types("all")
    ben.hears("Take a support back.")
    withdraw = ben.number("typed withdraw")
    ana.types("note text=Rain at last")
    ben.hears("Rain at last")  # and no other list whose numbers would be taken for those of all
    ben.types(str(withdraw))
    assert "Rook" in ben.hears("no longer")


def test_the_number_of_what_has_gone_does_nothing(sample: Sample, linear: Linear) -> None:
    root = sample("ember-road")
    gm = linear(root)
    gm.hears(">")
    ben = linear(root, "--seat", "Ben")
    ben.hears("you play")
    gm.types("begin who=rook,mira,reaver")
    ben.hears("Rook is up: what do you do?")
    gone = ben.number("next")
    gm.types("next")
    ben.hears("Mira is up.")
    ben.types(str(gone))
    ben.hears(f"{gone} has gone: next")
    assert checked(root) == ["begin", "next"]


def test_a_player_is_asked_all_that_a_home_brew_roll_needs(sample: Sample, linear: Linear) -> None:
    root = sample("salt-road")
    playing.command("act", root, "note", "text=start")
    dora = linear(root, "--seat", "Dora")
    dora.types("1")
    dora.hears("roll, Traits?")
    dora.hears("A number, or nothing for hard:")
    dora.types("")
    dora.answers({})
    dora.quits()
    assert checked(root)[-1] == "roll"
