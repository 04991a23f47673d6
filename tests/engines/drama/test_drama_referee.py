"""Random play with undo and redo, watched by a referee who derives every outcome again from the rules' words."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import level
import msgspec
import pytest
from drama_abbey import BEGINNINGS, table
from drama_referee import Referee, chains, fell, net, ones, reached, team
from msgspec.structs import replace

from tabletop_tui.conformance import random_action
from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.rules import Action, Refused, tag_of
from tabletop_tui.session import Entry

STEPS = level.many(200, 300, 5_000)
DICE = {"test", "oppose", "split", "recovery", "roll_task", "roll_contest", "raise", "pay", "favour_draw"}
SITUATION = ("more_base", "more_resistance", "more_drama", "their_base", "their_resistance", "their_drama")
Data = dict[str, Any]
Won = dict[frozenset[str], str]


def plain(record: Any) -> Data:
    return dict(msgspec.to_builtins(record))


class Watched:
    """A table, what the referee remembers after each entry, and what it has seen."""

    def __init__(self, beginning: str, seed: int) -> None:
        self.table = table(BEGINNINGS[beginning]())
        world = self.table.world
        self.referee = Referee(msgspec.to_builtins(world.rules) | {"weak_attribute": world.rules.weak_attribute},
                               {who: plain(sheet) for who, sheet in world.sheets.items()})  # fmt: skip
        self.rules = world.rules
        self.chance = random.Random(seed)
        self.after: dict[int, tuple[Won, Any]] = {0: ({}, world.now)}
        self.seen = {"rolls": 0, "verdicts": 0, "back": 0, "prices": 0}
        self.pools: Counter[str] = Counter()

    def step(self) -> None:
        """Something that can be done, or undo, or redo."""
        line = self.table.timeline
        if line.head and self.chance.random() < 0.15:
            self.table.undo()
            self.returned()
        elif line.ahead and self.chance.random() < 0.5:
            self.table.redo()
            self.returned()
        elif action := self.chosen():
            self.perform(action)

    def chosen(self) -> Action | None:
        """Half of the time something with dice in it, where that can be had."""
        world = self.table.world
        if (answer := ENGINE.policy(world)) is not None and self.chance.random() < 0.4:
            return answer
        found = random_action(ENGINE, world, self.chance)
        if self.chance.random() < 0.5:
            tries = (random_action(ENGINE, world, self.chance) for _ in range(20))
            found = next((one for one in tries if one and tag_of(type(one)) in DICE), found)
        if found is not None:  # pools as small as at a table, so that results are close
            few = {name: self.chance.randint(0, 1) for name in found.__struct_fields__ if name in SITUATION}
            found = replace(found, **few)
        return found

    def perform(self, action: Action) -> None:
        """Do it, and let the referee look at what came of it."""
        before = plain(self.table.world.now)
        won = dict(self.after[self.table.timeline.head][0])
        try:
            entry = self.table.do(action)
        except Refused:
            return
        assert isinstance(entry, Entry)
        self.watch(plain(entry.action), [plain(e) for e in entry.events], before, won)
        self.after[self.table.timeline.head] = (won, self.table.world.now)

    def returned(self) -> None:
        """Undo and redo lead to the very state that was there."""
        assert self.table.world.now == self.after[self.table.timeline.head][1]
        self.seen["back"] += 1

    # ---- what the rules say of an entry

    def watch(self, do: Data, events: list[Data], before: Data, won: Won) -> None:
        now = plain(self.table.world.now)
        tag = do["do"]
        if tag == "scene":
            won.clear()
        rolled = next((e["roll"] for e in events if e["is"] == "rolled"), None)
        if rolled is not None:
            self.roll(do, rolled, events, before)
        if any(e["is"] == "settled" for e in events):
            self.settled(do, events, before, now, won)
        elif rolled is not None:
            self.waits(now, won)
        if tried := next((e for e in events if e["is"] == "attempted"), None):
            self.attempted(tried, events, before)
        if tag in ("rest", "rest_all"):
            self.rested(do, before, now)
        if tag == "pool":
            spent = do["pool"] == "grit" and self.referee.left(do["who"], "grit", now) == 0
            assert self.total(do["who"], now) == min(
                self.total(do["who"], before) + spent * self.rules.grit_penalty, 99
            )
        recorded = {frozenset(pair.split("/")): who for pair, who in now.get("won", {}).items()}
        assert recorded == won

    def attempted(self, tried: Data, events: list[Data], before: Data) -> None:
        """An attempt at a complex test: where it stands, and what it costs whoever led it."""
        chain, passed = before["complex"], tried["passed"]
        stands = {"at": 0, "tried": 0, "outcome": "", **tried["complex"]}
        stands.pop("plan")
        assert stands == self.referee.attempt(chain, passed)
        name = chain["plan"]["dimensions"][chain.get("at", 0)]["name"]
        causes = (name.casefold(), f"{name} failed".casefold())
        paid = sum(e["by"] for e in events if e["is"] == "penalty_changed" and e["cause"].casefold() in causes)
        lead = next(iter(self.table.world.now.roll.sides.values())).who
        assert paid == self.referee.price(chain, passed) or self.total(lead, plain(self.table.world.now)) == 99
        self.pools["attempts"] += 1

    def total(self, who: str, now: Data) -> int:
        return sum(self.referee.penalties(who, now).values())

    def roll(self, do: Data, roll: Data, events: list[Data], before: Data) -> None:
        """Dice fell, or were changed: the right number of them, and what their 1s cost."""
        self.seen["rolls"] += 1
        for side in roll["sides"].values():
            assert chains(side) or side.get("chain_cut")
        referee = self.referee
        by_words = {"test": referee.test, "oppose": referee.opposed, "split": referee.split}
        by_state = {"roll_task": referee.task, "roll_contest": referee.contest}
        found = {key: fell(side) for key, side in roll["sides"].items()}
        if want := by_words.get(do["do"]):
            assert found == want(do, before)
            self.pools[do["do"]] += 1
        if prepared := by_state.get(do["do"]):
            assert found == prepared(before)
            self.pools[do["do"]] += 1
        if do["do"] == "recovery":
            (side,) = roll["sides"].values()
            physical = max(2 * self.referee.attribute(do["who"], "Physical"), 0)
            assert fell(side) == (physical, self.total(do["who"], before), 0)
        if do["do"] in ("raise", "pay", "favour_draw", "let_stand"):
            return
        for side in roll["sides"].values():
            cost = ones(side) * (2 if side.get("passion") and ones(side) >= 2 else 1)
            gained = [e for e in events if e["is"] == "penalty_changed" and e["who"] == side["who"]]
            causes = ("drama", "passion backfired")
            drama = sum(max(e.get("by", 0), 0) for e in gained if e["cause"].casefold() in causes)
            mine = [s for s in roll["sides"].values() if s["who"] == side["who"]]
            if len(mine) == 1:  # somebody whose pool is split pays for each part
                assert drama == min(cost, 99 - self.total(side["who"], before))

    def settled(self, do: Data, events: list[Data], before: Data, now: Data, won: Won) -> None:
        """The roll counts."""
        roll = now["roll"]
        assert roll["stage"] == "done"
        if roll["kind"] not in ("opposed", "contest"):
            (verdict,) = roll["verdicts"].values()
            found = reached(list(roll["sides"].values()))
            assert verdict["level" if found else "outcome"] == (found or "failure")
            assert verdict["outcome"] == ("success" if found >= 2 else "marginal" if found == 1 else "failure")
            self.seen["verdicts"] += 1
            return
        contest = roll["kind"] == "contest"
        as_it_was = dict(won)
        for key, verdict in roll["verdicts"].items():
            winner, level, draw = self.referee.verdict(roll, before, as_it_was, key)
            assert (verdict.get("winner", ""), verdict.get("level", 0), bool(verdict.get("by"))) == (
                winner,
                level,
                draw,
            )
            self.seen["verdicts"] += 1
            if winner:
                lost = roll["sides"][roll["sides"][winner]["against"]]["who"]
                won[frozenset((roll["sides"][winner]["who"], lost))] = roll["sides"][winner]["who"]
                if contest:
                    self.lost(lost, level, events)

    def lost(self, who: str, level: int, events: list[Data]) -> None:
        """The loser of a round takes penalty dice, and an NPC's Composure drops by the same; at 0 they yield."""
        dice = max(level, self.rules.contest_penalty)
        gained = [e for e in events if e["is"] == "penalty_changed" and e["cause"] == "discombobulated"]
        assert [(e["who"], e["by"]) for e in gained] == [(who, dice)] or sum(e["by"] for e in gained) < dice
        sheet = self.referee.sheets[who]
        if not sheet.get("player") and sheet.get("composure"):
            left = self.referee.left(who, "composure", plain(self.table.world.now))
            (ended,) = (e for e in events if e["is"] == "round_ended")
            assert (ended.get("yielded", "") == who) == (left == 0)

    def waits(self, now: Data, won: Won) -> None:
        """Dice that wait: somebody can still change how it comes out, or the GM has to pick."""
        roll = now["roll"]
        assert roll.get("stage", "choose") == "choose"
        self.seen["prices"] += 1
        sides = roll["sides"]
        if roll["kind"] not in ("opposed", "contest"):
            teams = [list(sides.values())]
            assert any(s.get("player") for s in sides.values())
            assert reached(teams[0]) < 2
            return
        keys = [key for key in sides if sides[key].get("against") in sides]
        level = any(reached(team(roll, k)) == reached(team(roll, sides[k]["against"])) >= 2 for k in keys)
        behind = [k for k in keys if any(s.get("player") for s in team(roll, k))]
        losing = [k for k in behind if self.referee.verdict(roll, now, won, k)[0] != k]
        assert level or losing, "nobody who is ahead is asked"

    def rested(self, do: Data, before: Data, now: Data) -> None:
        """A die for every three hours."""
        gone = do.get("hours", 8) // self.rules.hours_per_die
        players = [
            w for w, s in self.referee.sheets.items() if s.get("player") and w not in before.get("retired", ())
        ]
        for who in [do["who"]] if do["do"] == "rest" else players:
            assert self.total(who, now) == max(self.total(who, before) - gone, 0)


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_a_referee_finds_every_outcome_again(beginning: str) -> None:
    watched = Watched(beginning, 7)
    for _ in range(STEPS // len(BEGINNINGS)):
        watched.step()
    assert watched.seen["rolls"] > 3, watched.seen
    assert watched.seen["verdicts"] > 3, watched.seen
    assert watched.seen["back"] > 1, watched.seen
    assert watched.seen["prices"] > 0 or STEPS < 1_000, watched.seen
    kinds = {"test", "oppose", "split", "roll_task", "roll_contest", "attempts"}
    assert kinds == set(watched.pools) or STEPS < 1_000, watched.pools


def test_the_referee_reads_the_examples() -> None:
    def side(base: list[int], resistance: list[int]) -> Data:
        dice = [{"pool": "base", "face": f} for f in base] + [{"pool": "resistance", "face": f} for f in resistance]
        return {"dice": dice}

    assert net(side([5, 5, 3, 1], [4, 4, 3, 1])) == 1
    assert net(side([6, 5, 2, 2], [5, 2, 1, 1])) == -1
    assert (
        net({"dice": [{"pool": "drama", "face": 6, "again": [4]}, {"pool": "drama", "face": 6, "again": [1]}]}) == 2
    )
