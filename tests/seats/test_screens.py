"""A GM and three players at one live table, each with the real screens on a terminal of 80×24, by keys alone."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import playing
import pytest
from lines import checked
from ptys import Terminal

ENTER, UP, DOWN = "\r", "\x1b[A", "\x1b[B"
A_SECOND = 1.5
"""A seat may do or ask one thing a second."""


class Seat:
    """Somebody's screen and keys."""

    def __init__(self, root: Path, player: str = "") -> None:
        argv = [sys.executable, "-m", "tabletop_tui", "play", str(root), *(["--seat", player] if player else [])]
        self.player = player
        self.terminal = Terminal(argv, {}, (80, 24))
        self.sees(f"{player}'s seat" if player else "? help")

    @property
    def band(self) -> str:
        """Whose turn it is, or what is asked."""
        return self.terminal.text().splitlines()[-2]

    def sees(self, *words: str) -> None:
        """All of it stands there at the same time."""
        self.terminal.until(lambda: all(one in self.terminal.text() for one in words), f"{words}")

    def is_told(self, words: str) -> None:
        """In the band."""
        self.terminal.until(lambda: words in self.band, words)

    def sees_no(self, words: str) -> None:
        self.terminal.until(lambda: words not in self.terminal.text(), f"no {words}")

    def presses(self, keys: str, then: str) -> None:
        """Keys, and what they bring that was not there before."""
        assert then not in self.terminal.text(), f"{then} stands there already\n{self.terminal.text()}"
        self.terminal.send(keys)
        self.sees(then)


class Seated:
    """The GM and the players, in the order in which they sat down."""

    def __init__(self, root: Path, *players: str) -> None:
        self.root = root
        self.gm = Seat(root)
        self.players = [Seat(root, player) for player in players]

    def does(self, one: Seat, keys: str, then: str) -> None:
        """Keys of one, and what all of them see that was not there before."""
        for other in (self.gm, *self.players):
            other.sees_no(then)
        one.terminal.send(keys)
        for other in (self.gm, *self.players):
            other.sees(then)

    @property
    def world(self) -> Any:
        """The state of the table, from its log."""
        return playing.read(self.root).world

    @property
    def log(self) -> list[str]:
        """What was done; it verifies."""
        return checked(self.root)


Sit = Callable[..., Seated]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """Sit down at a sample that nobody has played."""
    opened: list[Seated] = []

    def down(name: str, *players: str) -> Seated:
        root = tmp_path / name
        shutil.copytree(playing.PROJECT / "campaigns" / name, root, ignore=shutil.ignore_patterns("sessions"))
        opened.append(Seated(root, *players))
        return opened[-1]

    yield down
    for table in opened:
        for one in (table.gm, *table.players):
            one.terminal.close()


@pytest.mark.long
def test_a_challenge_of_tiers(sit: Sit) -> None:
    table = sit("ember-road", "Ana", "Ben", "Dana")
    gm, (ana, ben, dana) = table.gm, table.players
    for one, mine in ((ana, "Mira"), (ben, "Rook"), (dana, "Sefa")):
        one.sees(f"▸  ● {mine}")
    gm.presses("S", "read aloud")
    gm.presses(ENTER, "you are here")
    table.does(gm, "1", "Hold the gate: who leads?")
    ana.sees("▸↵ Mira · Warding beta 3 ", "★ best", "– Sefa · Crafting charlie 2 ", "Sefa's")
    ben.sees("▸↵ Rook · Stealth alpha 5")
    dana.sees("▸↵ Sefa · Hammer beta 4            57 % ━", "★ best", "2 Sefa · Crafting charlie 2       51 % ━")
    table.does(ana, "1", "Mira leads · Warding beta 3")
    assert table.log == ["scene", "open", "lead"]
    ana.is_told("▶ Mira leads · Warding beta 3: 36 %    r roll   t type dice")
    ben.is_told("▲ How does Rook help?   1 2 4  support")
    dana.is_told("▲ How does Sefa help?   2 4  support")
    table.does(ben, "4", "● Fortunate")
    ben.is_told("▶ Mira leads")  # it was answered, and can still be changed
    table.does(ben, "1", "● Reroll 1")
    table.does(dana, "2", "● Reduce 2")
    supports = table.world.now.challenge.supports
    assert {who: help.how for who, help in supports.items()} == {"rook": "direct", "sefa": "indirect"}
    ana.is_told(": 60 %")
    dana.presses("r", "✗ roll: Mira's.")
    dana.terminal.send(UP)
    dana.sees_no("✗ roll: Mira's.")
    ana.presses("t", "Mira: Warding  3 to go")
    ana.presses("554", "typed 5 5 4")
    table.does(ana, ENTER, "Mira            5   5")
    ana.sees("5   5  [4]")
    ben.sees("5   5   4")  # what is picked is hers to say
    gm.sees("rerolls to choose: Mira 5 5 4")
    ana.is_told("▲ Choose up to 1 die to reroll.   enter  reroll and go on  k  keep the dice")
    for one in (ben, dana):
        one.is_told("▶ Choose up to 1 die to reroll. Mira's to answer.")
    ana.terminal.send("k")
    for one in (ana, ben, dana):
        one.is_told("The GM's to answer.")
    gm.is_told("enter  let it count")
    gm.presses(ENTER, "next challenge")
    assert table.log == ["scene", "open", "lead", *["support"] * 3, "roll", "reroll", "settle"]
    told = playing.read(table.root).timeline.entries[-1].said[0]
    how = told.removeprefix("Hold the gate: ").partition(" (")[0]
    for one in (gm, ana, ben, dana):
        one.sees(how, told.partition(" (")[0])


def test_a_fight_of_tiers(sit: Sit) -> None:
    table = sit("ember-road", "Ana", "Ben", "Dana")
    gm, (ana, ben, dana) = table.gm, table.players
    gm.presses("g", "begin turns ━")
    gm.presses("2346", "Mira, Rook, Sefa, Ash reaver")
    table.does(gm, ENTER, "turn order ─")
    ana.is_told("▲ Mira is up: what do you do?   enter  ask: attack Ash reaver  n  next")
    ben.is_told("▶ Mira is up. You are next.")
    dana.is_told("▶ Mira is up. You are second.")
    ana.presses(ENTER, "ask the GM")
    ana.presses(ENTER, "You asked: attack · Mira · Ash reaver · Warding beta 3.")
    gm.is_told("▲ Ana asks: attack · Mira")
    gm.presses("A", "it uses    Spear alpha 3")
    gm.presses("t", "Mira: Warding  3 to go")
    gm.presses("333", "Ash reaver: Spear  3 to go")
    gm.presses("111", "all dice entered")
    table.does(gm, ENTER, "Mira wins by 2: 10 damage.")
    gm.is_told("enter  let it count")
    ana.is_told("▶ Mira wins by 2: 10 damage. The GM's to answer.")
    table.does(gm, ENTER, "damage to Ash reaver")
    for one in (ana, ben, dana):
        one.sees("badly hurt", "Ash reaver is badly hurt")
    ana.terminal.send("n")
    ben.is_told("▲ Rook is up: what do you do?")
    ana.is_told("▶ Rook is up.")
    dana.is_told("▶ Rook is up. You are next.")
    ben.presses("2", "skill      Stealth alpha 5")
    ben.presses(ENTER, "You asked: attack · Rook · Ash reaver · Stealth alpha 5.")
    gm.is_told("▲ Ben asks: attack · Rook")
    gm.presses("At", "Rook: Stealth  5 to go")
    gm.presses("33333111", "all dice entered")
    table.does(gm, ENTER, "Rook wins by 2: 2 damage.")
    table.does(gm, ENTER, "damage to Ash reaver")
    ben.terminal.send("n")
    dana.is_told("▲ Sefa is up: what do you do?")
    dana.presses(ENTER, "ask the GM")
    dana.presses(ENTER, "You asked: attack · Sefa")
    gm.is_told("▲ Dana asks: attack · Sefa")
    dana.terminal.send("x")  # she has thought better of it
    dana.is_told("▲ Sefa is up: what do you do?")
    gm.is_told("▶ Sefa is up")
    dana.terminal.send("n")
    for one in (ana, ben, dana):
        one.is_told("▶ Ash reaver is up.")
    gm.presses(ENTER, "attack ━")
    gm.presses("t", "Ash reaver: Spear  3 to go")
    gm.presses("222", "2 2 2")
    gm.terminal.send(ENTER)
    gm.is_told("enter  let it count")
    gm.terminal.send(ENTER)
    gm.is_told("▶ Ash reaver is up")
    attacks = [e for e in playing.read(table.root).timeline.entries if type(e.action).__name__ == "Attack"]
    assert [(e.by, e.action.who, bool(e.answers)) for e in attacks] == [
        ("Ana", "mira", True),
        ("Ben", "rook", True),
        ("", "reaver", False),
    ]
    assert [hand.faces for hand in attacks[1].dice] == [(3, 3, 3, 3, 3), (1, 1, 1)]
    assert table.world.now.people["reaver"].hp == 8
    gm.presses("x", "yes: end turns")
    gm.terminal.send("y")
    for one, mine in ((ana, "Mira"), (ben, "Rook"), (dana, "Sefa")):
        one.is_told("Nobody is acting")
        one.sees(f"▸  ● {mine}")
        assert b"8/20" not in one.terminal.raw
    assert table.log == [
        "begin", "proposed", "attack", "settle", "next", "proposed", "attack", "settle", "next",
        "proposed", "declined", "next", "attack", "settle", "end",
    ]  # fmt: skip


@pytest.mark.long
def test_a_social_contest_of_drama(sit: Sit) -> None:
    table = sit("abbey-of-lynn", "Ana", "Ben", "Cleo")
    gm, (ana, ben, cleo) = table.gm, table.players
    gm.presses("S", "read aloud")
    gm.presses(ENTER, "you are here")
    table.does(gm, "1", "Joan · wants: to see the ledger")
    ana.is_told("▲ What does Joan argue with?   enter  Social 3 + Letters 3: 6 base")
    for one in (ben, cleo):
        one.is_told("▲ How do you help Joan?   d  drama die  l  lend a hand")
        one.sees("– Social 3 + Letters 3: 6 base  Joan's")
    table.does(ana, "3", "Joan argues with Letters")
    ana.presses("1", "Joan: in character (base): text")
    ana.presses("The seal is false", "The seal is false▏")
    table.does(ana, ENTER, "in character: The seal is false")
    table.does(ben, "l", "William lends a hand")
    cleo.presses("d", "Drama die Brother Edmund: reason")
    cleo.presses("she is brave", "reason she is brave")
    table.does(cleo, ENTER, "Brother Edmund: she is brave")
    assert table.log == ["scene", "contest", "argue", "line", "stand_by", "drama_die"]
    for one in (ana, ben, cleo):
        one.sees("9 base + 1 drama", "something is hidden: no chances")
    gm.sees("Joan wins             60 %")
    gm.presses("t", "Joan: 9 base, 1 drama  10 to go")
    gm.presses("5" * 10, "Prior Hugh: 7 base  7 to go")
    gm.presses("1" * 7, "all dice entered")
    table.does(gm, ENTER, "✓ JOAN WINS BY 10")
    for one in (ana, ben, cleo):
        one.is_told("▶ Joan wins by 10")
        one.sees("wins by 10", "✗ loses", "Joan gets: to see the ledger")
        assert b"Composure" not in one.terminal.raw
    assert table.log[-1] == "roll_contest"


@pytest.mark.long
def test_a_social_contest_of_fen(sit: Sit) -> None:
    table = sit("fen-lanterns", "Ana", "Ben", "Caro")
    gm, (ana, ben, caro) = table.gm, table.players
    gm.presses("S", "read aloud")
    gm.presses(DOWN + ENTER, "you are here")
    table.does(gm, "1", "Teal · wants: he opens the ledger")
    ben.is_told("▲ Teal can roll.   r  roll  t  type dice")
    for one in (ana, caro):
        one.is_told("▶ Whose oil is that?")
    ana.presses("r", "✗ roll: ")  # it is Teal's
    assert table.log == ["scene", "open"]
    ben.presses("t", "Teal: articulate  3 to go")
    ben.presses("555", "typed 5 5 5")
    ben.terminal.send(ENTER)
    for one in (gm, ana, ben, caro):
        one.sees("5   5   5   = 15")
    won = bool(table.world.now.contest.beaten)
    for one in (gm, ana, ben, caro):
        one.is_told("Teal wins." if won else "Teal loses.")
    for one in (ana, ben, caro):
        assert b"will 2d8" not in one.terminal.raw
    assert table.log == ["scene", "open", "roll_contest"]


def test_a_request_is_in_sight_and_answered_while_the_gm_has_a_roll_to_decide(sit: Sit) -> None:
    table = sit("ember-road", "Ana")
    gm, (ana,) = table.gm, table.players
    ana.presses("a", "required")
    ana.presses("2" + ENTER, "You asked")
    asked = monotonic()
    gm.sees("Ana asks")
    gm.presses("y", "before it counts")
    ana.sees("before it counts")
    ana.terminal.until(lambda: monotonic() > asked + A_SECOND, "the time for another question")
    ana.presses("u", "x take it back")
    gm.sees("Ana asks", "y yes to Ana  N no to Ana")
    gm.is_told("let it count")
    gm.presses("y", "Undone: ")
    assert playing.read(table.root).timeline.head == 0
