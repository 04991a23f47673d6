"""`tabletop play X --show` on a large screen: it follows play, shows what players may see, and has no keys."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import playing
import pytest
from ptys import Terminal

from tabletop_tui.cli import main
from tabletop_tui.rules import KINDS
from tabletop_tui.session.follow import place_of_play

Show = Callable[[str], "Shown"]
KEYED = re.compile(r"▸|↵|→ opens|^ *[1-9] [A-Z]|[1-4] (direct|indirect)|^ *[a-z] +[a-z]+ [a-z]+ *$|your choice")


class Shown:
    """A sample on a television; the GM acts somewhere else."""

    def __init__(self, root: Path) -> None:
        self.root = root
        assert main(["session", str(root)]) == 0
        argv = [sys.executable, "-m", "tabletop_tui", "play", str(root), "--show"]
        self.terminal = Terminal(argv, {}, (140, 45))
        self.terminal.sees("looking on")

    def act(self, *words: str) -> None:
        assert main(["act", str(self.root), *words]) == 0

    def keys(self) -> list[str]:
        """The rows that begin with a key or a cursor, or have a digit before a column."""
        return [row for row in self.terminal.text().splitlines() if KEYED.search(row)]

    def sees(self, *words: str) -> None:
        """All of it stands there at the same time."""
        self.terminal.until(lambda: all(one in self.terminal.text() for one in words), f"{words}")


@pytest.fixture
def show(tmp_path: Path) -> Iterator[Show]:
    opened: list[Shown] = []

    def start(name: str) -> Shown:
        target = tmp_path / name
        shutil.copytree(playing.PROJECT / "campaigns" / name, target, ignore=shutil.ignore_patterns("sessions"))
        opened.append(Shown(target))
        return opened[-1]

    yield start
    for one in opened:
        one.terminal.close()


def test_it_follows_from_a_challenge_to_a_fight_and_back(show: Show) -> None:
    one = show("ember-road")
    one.act("open", "challenge=the-gate/hold")
    one.sees("Hold the gate: who leads?")
    one.act("lead", "who=mira", "skill=Warding")
    one.sees("Mira", "36 %")
    one.act("support", "who=rook", "how=direct")
    one.sees("43 %", "Reroll 1")
    one.act("begin", "who=mira,rook,reaver")
    one.sees("Mira is up", "unhurt", "round 1")
    one.act("hurt", "who=reaver", "points=15")
    one.sees("badly hurt", "Ash reaver is badly hurt")
    one.act("hurt", "who=mira", "points=15")
    one.sees(" 135")
    assert "5/20" not in one.terminal.text()
    one.act("next")
    one.sees("Rook is up")
    one.act("end")
    one.act("open", "challenge=the-gate/captain")
    one.sees("Read the captain")
    assert "charlie, 2 dice" not in one.terminal.text()  # a hidden difficulty


def test_it_follows_a_contest_from_its_stakes_to_its_end(show: Show) -> None:
    one = show("abbey-of-lynn")
    one.act("scene", "scene=the-parlour")
    one.sees("The parlour")
    one.act("contest", "plan=the-parlour/ledger")
    one.sees("The almoner's ledger", "to see the ledger", "her silence until the visitation")
    one.act("argue", "party=joan", "using=Letters")
    one.sees("Letters")
    assert "lend a hand" not in one.terminal.text()  # a key of somebody's
    one.act("line", "party=joan", "kind=character", "text=The seal is false")
    one.sees("The seal is false")
    one.act("roll_contest")
    one.sees("= net")


def test_a_key_does_nothing_and_none_is_offered(show: Show) -> None:
    one = show("ember-road")
    one.act("begin", "who=mira,rook,reaver")
    one.sees("Mira is up")
    foot = one.terminal.text().splitlines()[-4:]
    assert not any(word in line for line in foot for word in ("space", "undo", "help", "next"))
    one.terminal.send("nau")
    one.act("note", "text=The rain stops")
    one.sees("The rain stops", "Mira is up")
    assert playing.actions(playing.read(one.root)) == ["begin", "note"]


def test_nothing_on_it_is_a_key_or_a_cursor(show: Show) -> None:
    one = show("ember-road")
    one.act("open", "challenge=the-gate/hold")
    one.sees("Hold the gate: who leads?", "36 %")
    assert one.keys() == []
    one.act("lead", "who=mira", "skill=Warding")
    one.act("support", "who=rook", "how=direct")
    one.sees("43 %", "direct", "Reroll 1")
    assert one.keys() == []
    one.act("roll", "--dice", "5 5 4 1 1 1 1")
    one.sees("keep the dice", "to be answered")
    assert one.keys() == []
    one.act("reroll")
    one.sees("let it count")
    assert one.keys() == []
    one.act("settle")
    one.act("begin", "who=mira,rook,reaver")
    one.sees("Mira is up", "round 1")
    assert one.keys() == []


def test_a_contest_on_it_has_no_keys_either(show: Show) -> None:
    one = show("abbey-of-lynn")
    one.act("contest", "plan=the-parlour/ledger")
    one.sees("The almoner's ledger", "to see the ledger")
    one.act("argue", "party=joan", "using=Letters")
    one.sees("Letters")
    assert one.keys() == []


def test_a_blow_that_is_settled_keeps_to_the_fight_while_a_challenge_is_open(show: Show) -> None:
    one = show("ember-road")
    one.act("open", "challenge=the-gate/hold")
    one.act("begin", "who=mira,rook,reaver")
    one.act("attack", "who=mira", "skill=Warding", "against=reaver", "using=Spear", "--dice", "3,3,3,1,1,1")
    one.act("settle")
    one.sees("Ash reaver is badly hurt", "turn order")
    table = playing.read(one.root)
    assert place_of_play(table, KINDS, table.view).page == "table"
