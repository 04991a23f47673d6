"""One live table over real SSH clients: everybody acts at once, lines drop, and nothing that was said is lost."""

from __future__ import annotations

import re
import signal
import time
from collections import Counter
from functools import partial

import level
import openssh
from doors import Door
from lines import Lines, checked

from tabletop_tui.rules import parse, tag_of
from tabletop_tui.storage.log import open_log, sessions
from tabletop_tui.storage.open_campaign import OpenCampaign

ACTIONS = level.many(30, 60, 300)
"""TABLETOP_TESTS=all plays for longer."""
PLAYERS = ("Ben", "Chris", "Dana")
SAID = re.compile(r"word-\d+")


class Player:
    """Somebody at a linear seat at the other end of a line."""

    def __init__(self, door: Door, name: str) -> None:
        self.door, self.name = door, name
        self.key = door.place / name
        self.connects()

    def connects(self) -> None:
        self.lines = Lines(terminal=self.door.sit(key=self.key, term="dumb", size=(200, 50)))
        self.lines.hears("seat: you play")

    def says(self, line: str, answer: str) -> None:
        """Until the table has taken it: a seat may not do all that it likes in a second, so it tries in the next."""
        taken, later = f"\n{answer}", "Wait a"
        for _ in range(50):
            now = int(time.time())
            self.lines.types(line)
            self.lines.until(lambda: taken in self.lines.heard or later in self.lines.heard, "an answer")
            if taken in self.lines.heard:
                return
            self.lines.until(partial(lambda second: int(time.time()) > second, now), "the next second")
        raise AssertionError(f"the table never took {line!r}")


def test_three_players_and_a_gm_act_at_once_and_two_lines_drop(door: Door) -> None:
    for name in PLAYERS:
        door.lets_in(name, openssh.new_key(door.place / name))
    players = [Player(door, name) for name in PLAYERS]
    gm = OpenCampaign(door.campaign)
    note = next(kind for kind in gm.engine.actions if tag_of(kind) == "note")
    taken: list[str] = []
    for number in range(ACTIONS):
        word = f"word-{number}"
        if number % 4 == 3:
            for asked in gm.table.proposals():
                gm.decline(asked.seq, "not now")
            gm.do(parse(note, {"text": word}))
        else:
            one = players[number % 4]
            if number % 16 == 1:
                one.says("attack who=tam skill=Lore against=mira", "Chris asks: attack")
            one.says(f"note text={word}", word)
        taken.append(word)
        if number in (ACTIONS // 3, ACTIONS // 2):  # a line drops, and they come back
            players[number % 3].lines.terminal.signal(signal.SIGKILL)
            players[number % 3].connects()
    for one in players:
        one.lines.until(partial(lambda one: taken[-1] in one.lines.transcript, one), "the last word")
    gm.look()
    gm.close()
    checked(door.campaign)
    log = open_log(sessions(door.campaign)[-1])
    told = [line for entry in log.entries for line in entry.said if SAID.search(line)]
    assert [SAID.findall(line)[0] for line in told] == taken, "each once, in the order of the table"
    for one in players:
        heard = [line for line in one.lines.transcript.splitlines() if SAID.search(line) and "note text" not in line]
        order = list(dict.fromkeys(word for line in heard for word in SAID.findall(line)))
        assert order == [word for word in taken if word in order], "everybody hears the same in the same order"
        assert Counter(order)[taken[-1]] == 1
