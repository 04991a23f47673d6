"""A GM and three players at one live table, all of them in linear mode: whole scenes of every game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from lines import Lines, checked


class Seated(NamedTuple):
    """The GM, and the players in the order in which they sat down."""

    root: Path
    gm: Lines
    players: tuple[Lines, ...]

    def all_hear(self, words: str) -> None:
        """Everybody hears it, whoever did it."""
        for one in (self.gm, *self.players):
            one.hears(words)

    def gets_up(self) -> list[str]:
        """They leave; nothing was drawn, and what they did verifies."""
        for one in (*self.players, self.gm):
            assert one.quits() == 0
            assert one.drawn == ""
        return checked(self.root)


@pytest.fixture
def sit(sample: Callable[[str], Path], linear: Callable[..., Lines]) -> Callable[..., Seated]:
    """Sit down at a sample."""

    def down(name: str, *players: str) -> Seated:
        root = sample(name)
        gm = linear(root)
        gm.hears(">")
        seats = [linear(root, "--seat", player) for player in players]
        for player, one in zip(players, seats, strict=True):
            one.hears(f"{player}'s seat: you play")
        return Seated(root, gm, tuple(seats))

    return down


Sit = Callable[..., Seated]


# ---- Tiers of Power


def test_a_challenge_of_tiers(sit: Sit) -> None:
    table = sit("ember-road", "Ana", "Ben", "Dana")
    gm, (ana, ben, dana) = table.gm, table.players
    gm.types("open")
    gm.chooses("Hold the gate")
    table.all_hear("At stake: the gate holds until dawn.")
    ana.chooses("Mira, Warding beta")
    assert "Chances: success 36 %; with complications 37 %; failure 27 %." in ben.hears("How does Rook help?")
    dana.hears("How does Sefa help?")
    ben.chooses("Rook, direct")
    table.all_hear("Reroll 1")
    dana.chooses("Sefa, indirect")
    table.all_hear("Reduce 2")
    ana.types("roll")
    ana.hears("Mira: Warding: 3 d6. Type what they show")
    ana.types("5 5 4")
    table.all_hear("Mira 5 5 4 ")
    assert ben.heard.count("5 5 4") == 1  # dice that a sentence names are not told besides
    ana.chooses("keep the dice")
    gm.hears("let it count")
    gm.chooses("let it count")
    table.all_hear("Hold the gate: ")
    assert table.gets_up()[:5] == ["open", "lead", "support", "support", "roll"]


def test_a_fight_of_tiers(sit: Sit) -> None:
    table = sit("ember-road", "Ana", "Ben", "Dana")
    gm, (ana, ben, dana) = table.gm, table.players
    gm.types("begin who=mira,rook,sefa,reaver")
    ana.hears("Mira is up: what do you do?")
    ben.hears("You are next.")
    dana.hears("You are second.")
    ana.types("attack")
    ana.answers({"skill?": "Warding beta", "against?": "Ash reaver, unhurt"})
    gm.hears("Ana asks: attack, Mira, Ash reaver, Warding beta 3. Type allow Ana")
    gm.types("allow Ana")
    gm.chooses("Spear")
    gm.types("")
    assert "Chances: hurts 59 %; wins, no harm 8 %; loses 32 %." in gm.hears("Mira: Warding: 3 d6.")
    gm.types("3 3 3")
    gm.types("1 1 1")
    table.all_hear("Mira wins by 2: 10 damage.")
    gm.chooses("let it count")
    table.all_hear("Ash reaver is badly hurt.")
    assert "HP 20 to 10" in gm.heard
    assert "HP 20" not in dana.transcript
    ana.types("next")
    ben.hears("Rook is up: what do you do?")
    ben.types("attack")
    ben.answers({"skill?": "Shooting", "against?": "Ash reaver, badly hurt"})
    gm.hears("Type allow Ben")
    gm.types("allow Ben")
    gm.answers({"it uses?": "Spear", "Rook: ": "3 3 3 3", "Ash reaver: ": "1 1 1"})
    gm.chooses("let it count")
    table.all_hear("Rook wins.")
    ben.types("next")
    dana.hears("Sefa is up: what do you do?")
    gm.hears("Ben: Sefa is up.")
    gm.types("end")
    gm.answers({})
    assert {"begin", "attack", "settle", "next", "end"} <= set(table.gets_up())


# ---- No1


@pytest.mark.long
def test_a_fight_of_no1(sit: Sit) -> None:
    table = sit("cinder-pass", "Iris", "Lene", "Marek")
    gm, (iris, lene, marek) = table.gm, table.players
    gm.types("scene scene=1-the-ash-bridge")
    gm.types("begin first=heroes")
    table.all_hear("Which of the heroes goes next?")
    iris.chooses("Brann")
    assert "Chances: no 1, 94 %; a 1, 6 %." in iris.hears("Brann Holloway is up: what do you do?")
    lene.hears("You have not acted yet.")
    assert "Roll." not in lene.heard  # it is Brann's
    iris.types("act")
    iris.answers({"Brann Holloway: ": "1 4 4"})
    table.all_hear("A die shows 1: reroll?")
    assert "1. reroll it" not in marek.heard
    iris.chooses("reroll it")
    iris.hears("die 1 shows 1.")
    iris.types("list")  # a word where places are asked for does nothing
    iris.hears("Type at most 2 of the places")
    iris.types("1")
    iris.answers({"Brann Holloway": "5"})
    table.all_hear("Say what the hits do")
    lene.chooses("Oda Fenn")
    lene.hears("Oda Fenn is up: what do you do?")
    gm.hears("Lene: Oda Fenn is up.")
    gm.types("end")
    gm.answers({})
    done = table.gets_up()
    assert done[-1] == "end"
    assert {"begin", "next", "act", "reroll"} <= set(done)


# ---- Drama in History


@pytest.mark.long
def test_a_test_of_drama(sit: Sit) -> None:
    table = sit("abbey-of-lynn", "Ana", "Ben", "Cleo")
    gm, (ana, ben, cleo) = table.gm, table.players
    gm.types("task name=Open the chest")
    table.all_hear("Open the chest")
    ana.chooses("Joan, Letters")
    table.all_hear("Joan leads with Letters.")
    ben.hears("How does William help?")
    ben.chooses("William, lend a hand")
    table.all_hear("William lends a hand")
    cleo.chooses("drama die")
    cleo.answers({"words:": "the lamp is going out"})
    table.all_hear("the lamp is going out")
    ana.types("roll")
    ana.hears("Type what they show")
    ana.answers({"Joan: ": "6 6 5 5 5 5 5 5 5"})
    table.all_hear("Success")
    assert {"task", "lead", "lend", "roll_task"} <= set(table.gets_up())


@pytest.mark.long
def test_a_social_contest_of_drama(sit: Sit) -> None:
    table = sit("abbey-of-lynn", "Ana", "Ben", "Cleo")
    gm, (ana, ben, cleo) = table.gm, table.players
    gm.chooses("The parlour")
    gm.types("contest")
    table.all_hear("Joan wants to see the ledger")
    ana.chooses("Letters")
    ben.hears("Joan argues with Letters.")
    ana.chooses("in character")
    ana.types("The seal is false")
    table.all_hear("in character: The seal is false")
    assert "take out" not in ben.heard  # it is Joan's
    ben.chooses("lend a hand")
    ben.answers({})
    table.all_hear("William lends Joan a hand")
    cleo.chooses("drama die")
    cleo.types("she is brave")
    table.all_hear("adds to the drama for Joan: she is brave.")
    gm.types("roll")
    gm.answers({"Joan: ": "5 5 5 5 5 5 5 5 5 5", "Prior Hugh: ": "1 1 1 1 1 1 1"})
    table.all_hear("Joan wins")
    assert "Composure" not in ben.transcript
    assert {"contest", "argue", "line", "stand_by", "drama_die", "roll_contest"} <= set(table.gets_up())


# ---- Fen


@pytest.mark.long
def test_a_fight_of_fen(sit: Sit) -> None:
    table = sit("fen-lanterns", "Ana", "Ben", "Caro")
    gm, (ana, ben, caro) = table.gm, table.players
    gm.types("scene scene=the-causeway")
    gm.types("begin")
    gm.hears("who, now the scene's sides.")
    gm.types(".")
    gm.types("begin nobody_surprised=yes")
    table.all_hear("Who rolls initiative for each side?")
    caro.chooses("Sedge, notice 3d8")
    table.all_hear("Sedge rolls for the keepers with notice.")
    gm.chooses("roll initiative")
    assert "Chances: keepers 83 %; thieves 3 %; drowned 14 %." in gm.hears("keepers: Sedge, notice: 3 d8.")
    gm.types("7 7 7 1")
    gm.hears("3 d8, and 4 were typed.")
    gm.types("7 7 7")
    gm.types("1")
    gm.types("1 1")
    table.all_hear("Initiative: keepers, then thieves")
    assert "drowned" not in caro.transcript
    ana.chooses("Wren Tallow")
    ana.hears("Wren Tallow is up: what do you do?")
    ana.chooses("attack")
    ana.chooses("lamp-pole")
    ana.chooses("Mire thief, unhurt")
    ana.hears("Wren Tallow: lamp-pole: 3 d8.")
    ana.types("7 7 7")
    table.all_hear("Wren Tallow attacks Mire thief (lamp-pole): 7 7 7 = 21 against dodge")
    gm.types("hurt who=thief-2 damage=1")
    table.all_hear("Mire thief with the net is hurt.")
    gm.types("hurt who=thief-2 damage=50")
    table.all_hear("Mire thief with the net is down.")
    ana.types("next")
    ben.hears("Teal is up: what do you do?")
    gm.hears("Ana: Teal is up.")
    gm.types("end")
    gm.answers({})
    assert {"begin", "stand", "initiative", "next", "attack", "hurt", "end"} <= set(table.gets_up())


@pytest.mark.long
def test_a_social_contest_of_fen(sit: Sit) -> None:
    table = sit("fen-lanterns", "Ana", "Ben", "Caro")
    gm, (ana, ben, _) = table.gm, table.players
    gm.types("scene scene=the-toll-house")
    gm.types("open contest=the-toll-house/ledger")
    gm.answers({})
    table.all_hear("Teal against Reeve Oswin, articulate/will. At stake: he opens the ledger.")
    assert "Chances: won 60 %; lost 40 %." in gm.heard
    ana.types("help")
    ana.types("do help")
    ana.answers({"whom?": "Teal"})
    table.all_hear("Teal, next throw: doubled.")
    ben.types("roll")
    ben.hears("Teal")
    ben.answers({"Teal": "5 5 5 5 5 5"})
    table.all_hear("Teal 5 5 5 5 5 5 = 30; ")  # the reeve's dice are real ones, and he holds now and then
    won = ": holds" not in ben.heard
    table.all_hear("Teal wins." if won else "Teal loses.")
    assert "2d8" not in ben.transcript  # the reeve's will
    assert {"open", "help", "roll_contest"} <= set(table.gets_up())
