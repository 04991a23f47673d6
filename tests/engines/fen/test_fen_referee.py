"""Random play with undo and redo, before a referee who derives every outcome again from the rules' words.

TABLETOP_TESTS=all plays 5,000 steps; some hundred by default.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import level
import msgspec
import pytest
from fen_referee import Hands, Referee
from fen_table import Make, view_of

from tabletop_tui.conformance import random_action
from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.engine import Fen
from tabletop_tui.engines.fen.rounds import Join
from tabletop_tui.rules import Refused, tag_of
from tabletop_tui.session import Table, begin

HOUSES: tuple[dict[str, Any], ...] = (
    {},
    {"order": ["fewer", "non-explosive", "additional", "doubled", "increments"], "open_npcs": True, "reactions": 3},
    {"surprised": "last", "rotation": False, "tie_to_players": False, "temporary_first": False, "breakage": False},
    {"surprised": "nothing", "wound_limit": "whole", "wound_at_zero": False, "attack_explodes": False},
)
FIGHT = "scene begin stand initiative next join act attack leave reveal mend hurt heal wound modify end"
TALK = "scene contest open defend stand_aside stakes skills roll_contest apply next_round modify help roll_skill heal"
HIDE = "scene contest roll_contest begin reveal end modify"
STEPS = level.many(240, 480, 5_000) // (len(HOUSES) * 3)


def few(tags: str) -> Fen:
    """The engine with some of its actions only, so that random play gets deep into them."""
    made: Fen = type("Few", (Fen,), {"actions": tuple(k for k in ENGINE.actions if tag_of(k) in tags.split())})()
    return made


def plain(found: Any) -> Any:
    return msgspec.to_builtins(found, str_keys=True)


def full(found: Any) -> Any:
    """With what is left out because it is the default."""
    return {f: plain(getattr(found, f)) for f in found.__struct_fields__}


def named_apart(world: Any) -> Any:
    """The same table, on which no two have the same name."""
    second = msgspec.structs.replace(world.sheets["second"], name="Cutpurse")
    return msgspec.structs.replace(world, sheets={**world.sheets, "second": second})


def makes_copies(action: Any, world: Any) -> bool:
    """Would it put several of one sheet on the table, of whom the referee does not know?"""
    return isinstance(action, Join) and (action.count > 1 or action.who in world.now.turns.fighters)


class Match:
    """A table, the referee beside it, and what the referee has seen of it."""

    def __init__(self, world: Any, seed: int) -> None:
        began = datetime(2026, 11, 16, 18, tzinfo=UTC)
        header = begin(ENGINE, world, campaign="x", session="1", at=began, seed=f"{seed:016x}")
        self.table = Table(ENGINE, header, clock=lambda: began)
        self.referee = Referee(full(world.rules), plain(world.sheets), plain(world.scenes))
        self.states = {0: self.now}
        self.judged: set[str] = set()

    @property
    def now(self) -> dict[str, Any]:
        found: dict[str, Any] = plain(self.table.world.now)
        return found

    def step(self, engine: Fen, chance: random.Random) -> None:
        lot = chance.random()
        line = self.table.timeline
        if lot < 0.08 and line.head:
            entry = self.table.undo()
            assert self.now == self.states[entry.action.to], "undo leads back to what was"
        elif lot < 0.14 and line.ahead:
            entry = self.table.redo()
            assert self.now == self.states[entry.action.to], "redo leads to what was undone"
        else:
            action = random_action(engine, self.table.world, chance)
            if action is None or makes_copies(action, self.table.world):
                return
            before, world = self.now, self.table.world
            try:
                entry = self.table.do(action)
            except Refused:
                assert self.now == before, "what is refused changes nothing"
                return
            self.judge(before, world, entry)
        self.states[self.table.timeline.last] = self.now

    def judge(self, now: dict[str, Any], world: Any, entry: Any) -> None:
        do, after, ref = plain(entry.action), self.now, self.referee
        hands = Hands([(list(h.sides), list(h.faces)) for h in entry.dice])
        self.judged.add(do["do"])
        getattr(self, f"judge_{do['do']}", lambda *_: None)(now, after, do, hands, entry)
        assert not hands.left, f"dice fell that no rule asks for: {hands.left}"
        for who in ref.sheets:  # temporary points and HP within bounds; who is down is so by HP and wounds alone
            them = ref.person(after, who)
            assert 0 <= them["hp"] <= max(ref.sheets[who].get("hp", 10), ref.person(now, who)["hp"])
            assert 0 <= them["wounds"] <= ref.wounds(who)
        self.check_turns(after)
        self.check_hidden(now, after, entry)

    # ---- what must hold after every step

    def check_turns(self, after: dict[str, Any]) -> None:
        turns = after.get("turns", {})
        view = view_of("table", self.table.world)
        rows = {p.id: p for p in view.people}
        for who in turns.get("fighters", {}):
            assert rows[who].out == self.referee.down(after, who)
            assert not (rows[who].out and (rows[who].current or rows[who].may_go)), "nobody who is down has a turn"
        if after.get("rounds", {}).get("sequence"):
            assert {w for w, p in rows.items() if p.may_go} == set(self.referee.next_up(after)[1])

    def check_hidden(self, now: dict[str, Any], after: dict[str, Any], entry: Any) -> None:
        for who, fighter in now.get("turns", {}).get("fighters", {}).items():
            still = after.get("turns", {}).get("fighters", {}).get(who, {}).get("hidden")
            if fighter.get("hidden") and still:
                name = self.referee.sheets[who]["name"]
                assert not any(name in words for words in entry.said), "nobody is told of who hides"
                assert not any(name in h.why for h in entry.dice if not h.secret)
        assert not set(entry.said) & set(entry.whispered), "nothing is told twice"

    def same(self, after: dict[str, Any], people: dict[str, Any]) -> None:
        for who, wanted in people.items():
            found = self.referee.person(after, who)
            for key in ("hp", "temporary", "wounds", "guards", "minor", "major", "reactions"):
                assert found[key] == wanted[key], (who, key, found[key], wanted[key])

    def left(self, after: dict[str, Any], wanted: dict[str, Any]) -> None:
        for who, changes in wanted.items():
            them = self.referee.person(after, who)
            found = {"all any": them.get("mods", {}), **them.get("changes", {})}
            assert {k: v for k, v in found.items() if v} == changes, who

    # ---- each action

    def judge_attack(self, now: Any, after: Any, do: Any, hands: Hands, entry: Any) -> None:
        wanted = self.referee.attack(now, do, hands)
        self.same(after, wanted["people"])
        self.left(after, wanted["left"])
        assert (after["blow"]["result"], after["blow"].get("damage", 0)) == wanted["blow"]

    def judge_roll_contest(self, now: Any, after: Any, do: Any, hands: Hands, entry: Any) -> None:
        wanted = self.referee.contest(now, hands)
        assert [w for w, d in after["contest"]["defenders"].items() if d.get("beaten")] == wanted["beaten"]
        self.left(after, wanted["left"])
        names = [self.referee.sheets[w]["name"] for w in wanted["found"]]
        if wanted["secret"]:
            assert list(entry.said) == [f"{name} is found" for name in names], "hiding is whispered"
            assert all(h.secret for h in entry.dice)
            self.judged.add("hidden contest")
        for who in wanted["found"]:
            self.judged.add("found")
            fighter = after.get("turns", {}).get("fighters", {}).get(who)
            assert not fighter.get("hidden") if fighter else who in after["found"], "whoever is found is seen"
        hid = {w for w, f in now.get("turns", {}).get("fighters", {}).items() if f.get("hidden")}
        still = {w for w, f in after.get("turns", {}).get("fighters", {}).items() if f.get("hidden")}
        assert still == hid - set(wanted["found"])

    def judge_roll_skill(self, now: Any, after: Any, do: Any, hands: Hands, entry: Any) -> None:
        throw = self.referee.throw(now, do["who"], do["skill"], "any", still=do.get("non_explosive", 0))
        total = self.referee.fell(hands, throw)
        told = [words for words in (*entry.said, *entry.whispered) if " rolls " in words]
        assert len(told) == 1
        assert f"= {total}" in told[0]
        self.left(after, {do["who"]: self.referee.spent(now, do["who"], "any")})

    def judge_initiative(self, now: Any, after: Any, do: Any, hands: Hands, entry: Any) -> None:
        standing = after["rounds"].get("standing", {})
        assert list(after["rounds"]["sequence"]) == self.referee.sequence(now, hands, standing)
        assert after["turns"]["holder"] == after["rounds"]["sequence"][0]
        self.left(after, {s["who"]: self.referee.spent(now, s["who"], "any") for s in standing.values()})

    def judge_next(self, now: Any, after: Any, do: Any, hands: Hands, entry: Any) -> None:
        side, free = self.referee.next_up(now)
        if not free:
            assert after["turns"]["round"] == now["turns"]["round"] + 1
            assert not any(f.get("acted") for f in after["turns"]["fighters"].values())
            assert not after.get("rounds", {}).get("sequence"), "each round is rolled for anew"
            people = [self.referee.person(after, w) for w in after["people"]]
            assert not any(p["minor"] or p["major"] or p["reactions"] for p in people)
            return
        assert after["turns"]["holder"] == side
        assert after["turns"]["current"] == (do.get("who") or free[0])
        assert after["turns"]["current"] in free

    def judge_act(self, now: Any, after: Any, do: Any, hands: Hands, entry: Any) -> None:
        key = "reactions" if do["cost"] == "reaction" else do["cost"]
        them = self.referee.person(now, do["who"])
        most = {"minor": "minor_actions", "major": "major_actions", "reactions": "reactions"}[key]
        assert them[key] < self.referee.rules[most]
        assert key == "reactions" or now["turns"]["current"] == do["who"]
        self.same(after, {do["who"]: {**them, key: them[key] + 1}})

    def judge_hurt(self, now: Any, after: Any, do: Any, hands: Hands, entry: Any) -> None:
        self.same(after, {do["who"]: self.referee.harmed(now, do["who"], do["damage"])})

    def judge_heal(self, now: Any, after: Any, do: Any, hands: Hands, entry: Any) -> None:
        them = self.referee.person(now, do["who"])
        most = self.referee.sheets[do["who"]].get("hp", 10)
        them["hp"] = max(them["hp"], min(them["hp"] + do.get("hp", 0), most))
        them["temporary"] += do.get("temporary", 0)
        self.same(after, {do["who"]: them})

    def judge_wound(self, now: Any, after: Any, do: Any, hands: Hands, entry: Any) -> None:
        them = self.referee.person(now, do["who"])
        them["wounds"] = max(0, min(them["wounds"] + do.get("by", 1), self.referee.wounds(do["who"])))
        self.same(after, {do["who"]: them})

    def judge_mend(self, now: Any, after: Any, do: Any, hands: Hands, entry: Any) -> None:
        item = self.referee.sheets[do["who"]][do["part"]]
        assert self.referee.defense(now, do["who"], do["part"]) < item["defense"]
        assert self.referee.defense(after, do["who"], do["part"]) == item["defense"]

    def judge_apply(self, now: Any, after: Any, do: Any, hands: Hands, entry: Any) -> None:
        contest = now["contest"]
        own = {k: do.get(k) for k in ("condition", "hurt", "wounds") if do.get(k)}
        effect = own or contest["effect"]
        beaten = [w for w, d in contest["defenders"].items() if d.get("beaten") and not d.get("applied")]
        who = beaten if do["who"] == "all" else [do["who"]]
        self.same(
            after,
            {w: self.referee.harmed(now, w, effect.get("hurt", 0), effect.get("wounds", 0)) for w in who},
        )
        struck = [c["who"] for i, c in after.get("conditions", {}).items() if i not in now.get("conditions", {})]
        assert sorted(struck) == (sorted(who) if effect.get("condition") else [])

    def judge_modify(self, now: Any, after: Any, do: Any, hands: Hands, entry: Any) -> None:
        scope = "weapon attack" if do.get("of") == "weapon" else f"{do.get('of', 'all')} {do.get('throw', 'any')}"
        them = self.referee.person(now, do["who"])
        held = {} if do.get("clear") else {"all any": them.get("mods", {}), **them.get("changes", {})}
        said = held.get(scope, {})
        sums = {k: said.get(k, 0) + do.get(k, 0) for k in ("increments", "additional", "fewer", "non_explosive")}
        sums["doubled"] = bool(said.get("doubled") or do.get("doubled"))
        held = {**held, scope: {k: v for k, v in sums.items() if v}}
        self.left(after, {do["who"]: {k: v for k, v in held.items() if v}})

    def judge_help(self, now: Any, after: Any, do: Any, hands: Hands, entry: Any) -> None:
        them = self.referee.person(now, do["whom"])
        assert not them.get("mods", {}).get("doubled"), "never doubled twice"
        assert not self.referee.down(now, do["who"])
        assert self.referee.person(after, do["whom"])["mods"] == {**them.get("mods", {}), "doubled": True}

    def judge_begin(self, now: Any, after: Any, do: Any, hands: Hands, entry: Any) -> None:
        scene = self.referee.scenes.get(now.get("scene", ""), {})
        hidden = {w for w, f in after["turns"]["fighters"].items() if f.get("hidden")}
        waits = {w for w in scene.get("hidden", ()) if w not in now.get("found", ())}
        assert hidden == waits & set(after["turns"]["order"])
        assert not any(self.referee.down(now, w) for w in after["turns"]["order"])
        assert after["turns"]["round"] == 1


@pytest.mark.parametrize("house", range(len(HOUSES)))
@pytest.mark.parametrize("tags", [FIGHT, TALK, HIDE], ids=["fight", "talk", "hide"])
def test_every_outcome_is_the_one_that_the_page_gives(table: Make, house: Any, tags: Any) -> None:
    world = named_apart(table(**HOUSES[house]))
    chance, engine, played, seed = random.Random(house), few(tags), 0, 1_000 * house
    judged: set[str] = set()
    while played < STEPS:
        match, seed = Match(world, seed), seed + 1
        for _ in range(min(60, STEPS - played)):
            match.step(engine, chance)
            played += 1
        judged |= match.judged
    assert len(judged) >= 4, "something was played"


def test_the_referee_sees_a_hider_found_and_another_stay_unseen(table: Make) -> None:
    """So that the check above cannot pass by nobody ever hiding."""
    found: set[str] = set()
    for seed in range(40):
        match, chance = Match(named_apart(table()), seed), random.Random(seed)
        for _ in range(30):
            match.step(few(HIDE), chance)
        found |= match.judged
        if {"hidden contest", "found"} <= found:
            return
    raise AssertionError(found)
