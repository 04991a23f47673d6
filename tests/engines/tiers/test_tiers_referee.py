"""Random play with undo and redo, before a referee who derives every outcome again from the rules' words.

TABLETOP_TESTS=all plays 5,000 steps; some hundred by default.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import level
import msgspec
import playing
import pytest
from msgspec.structs import replace
from tiers_referee import Referee
from tiers_worlds import hero, npc, world

from tabletop_tui.conformance import random_action
from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.challenge_roll import RollChallenge
from tabletop_tui.engines.tiers.world import TiersRules
from tabletop_tui.kit.common import Note
from tabletop_tui.rules import Refused, tag_of
from tabletop_tui.session import Table, begin

HOUSES: tuple[dict[str, Any], ...] = (
    {},
    {"tie_rank": "pool", "unlisted_skills": True, "least_opposition": 0, "legacy_chains": False, "most_rank": 6},
    {"bonus_die_from": "skill", "reroll_once": False, "points_above_ten": False, "bought_margin": 3},
    {"buy_in_challenge": True, "omega_explodes_at": 12, "omega_hp": 9_000, "omega_multiplier": 7},
)
STEPS = level.many(320, 640, 5_000) // len(HOUSES)
RARE = 0.08
"""How often something else than these is done: by chance alone clocks, notes and scenes would fill the game."""
OWN = (
    "attack", "oppose", "settle", "roll", "reroll", "lead", "support", "improvise", "force_reroll", "buy", "claim",
    "strike", "boost", "forced_spend", "bonus", "award", "roll_order", "level", "rank", "learn",
)  # fmt: skip


def company(house: dict[str, Any]) -> Any:
    return world(
        {},
        TiersRules(**house),
        mira=hero(
            "Mira", bonus=3, levels={"alpha": 3, "beta": 1}, Warding={"beta": 4, "alpha": 5}, Lore={"alpha": 4}
        ),
        rook=hero("Rook", "Ben", bonus=1, Warding={"alpha": 1}, Dodge={"alpha": 5, "beta": 4, "charlie": 1}),
        sil=hero(
            "Sil", "Cho", bonus=2, levels={"omega": 1, "alpha": {"Cook": 2}}, Song={"omega": 1}, Lore={"beta": 1}
        ),
        guard=npc("Guard", {"Mail": {"alpha": 2}}, {"alpha": 9}, Spear={"gamma": 2}, Dodge={"alpha": 1}),
        ogre=npc("Ogre", {"Hide": {"beta": 1}}, {"charlie": 1}, Club={"beta": 2}),
    ).live(complications=9)


def plain(found: Any) -> Any:
    return msgspec.to_builtins(found, str_keys=True)


def referee(here: Any) -> Referee:
    return Referee(plain(here.rules), plain(here.sheets))


def act_of(action: Any, here: Any) -> dict[str, Any]:
    """An action as plain data, with who takes part where the table decides it."""
    act: dict[str, Any] = plain(action)
    if act["do"] == "roll_order":
        able = [w for w in here.present() if here.now.people[w].hp > 0]
        act["taking_part"] = [w for w in act.get("who") or able if w in able]
    return act


def choose(table: Table, chance: random.Random) -> Any:
    """Something that can be done; what the rules speak of rather than the rest, and rolls are often let count."""
    answer = ENGINE.policy(table.world)
    if answer is not None and chance.random() < 0.5:
        return answer
    challenge = table.world.now.challenge
    if challenge and challenge.lead and not RollChallenge.when(table.world) and chance.random() < 0.25:
        return RollChallenge()
    for _ in range(25):
        action: Any = random_action(ENGINE, table.world, chance)
        tag = tag_of(type(action)) if action else ""
        there = table.world.now.turns.fighters
        copies = tag == "more" or (tag == "join" and (action.count > 1 or action.who in there))
        if not copies and (tag in OWN or chance.random() < RARE):  # the referee knows no copies
            return action
    return Note("nothing happens")


def step(table: Table, chance: random.Random, judged: Counter[str]) -> None:
    """One action, judged; the states before and after it are compared with what the referee says."""
    before = table.world
    action = choose(table, chance)
    try:
        entry = table.do(action)
    except Refused:
        return
    faces = [face for hand in entry.dice for face in hand.faces]
    ruling = referee(before)
    state = {**ruling.full(plain(before.now)), "away": before.now.retired}
    expected = ruling.judge(state, act_of(action, before), faces)
    if expected is None:
        return
    judged[tag_of(type(action))] += 1
    expected.pop("away")
    after = referee(table.world)
    found = after.full(plain(table.world.now))
    for name, value in expected.items():
        assert found[name] == value, f"{name} after {action!r} with {faces}"


@pytest.mark.parametrize("house", HOUSES, ids=lambda h: next(iter(h), "usual"))
def test_random_play_comes_out_as_the_words_of_the_rules_say(house: dict[str, Any]) -> None:
    here = company(house)
    header = replace(begin(ENGINE, here, campaign="x", session="1", at=playing.EVENING), world=here)
    table = Table(ENGINE, header, clock=playing.evening())
    chance = random.Random(7)
    judged: Counter[str] = Counter()
    for number in range(STEPS):
        step(table, chance, judged)
        if number % 13 == 12 and table.head:
            states = table.timeline.worlds
            target = table.timeline.before_last_change()
            table.undo()
            assert table.world == states[target]
            if chance.random() < 0.5:
                table.redo()
    assert judged.total() > STEPS // 2, judged
    assert len(judged) > 10, judged


def test_the_referee_shares_no_code_with_the_engine() -> None:
    text = Path(__file__).with_name("tiers_referee.py").read_text()
    assert "import tabletop_tui" not in text
    assert "from tabletop_tui" not in text
