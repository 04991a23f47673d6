"""Random play with undo and redo, before a referee who derives every outcome again from the rules' words.

TABLETOP_TESTS=all plays 5,000 steps; some hundred by default.
"""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import level
import msgspec
import pytest
from no1_referee import Referee, compared, fighters, running
from no1_table import table
from test_no1_session import sit_down

from tabletop_tui.conformance import random_action
from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.world import No1World
from tabletop_tui.rules import Dice, Refused, tag_of

HOUSES: tuple[dict[str, Any], ...] = (
    {},
    {"momentum_needs_initiative": False, "shift_after_seizure": True, "shift_momentum": True},
    {"foes_move_counters": True, "hidden_hazards": True, "own_hazard": False, "target": 5},
    {"own_advantage": False, "contest_die": 6, "contest_repeat": 2, "plain_die": 8, "opening_tie": "foes"},
)
STEPS = level.many(240, 480, 5_000) // (len(HOUSES) * 2)
CHECKS = {"leap": lambda face, now: face > now.get("challenge", 1) + now.get("entropy", 0)}
ROLLS = ("act", "shift", "reroll", "let_go")


def plain(found: Any) -> Any:
    return msgspec.to_builtins(found, str_keys=True)


def numbers(now: dict[str, Any]) -> dict[str, Any]:
    """What the rules speak of, in one form whoever tells it."""
    turns, roll, duel = now.get("turns", {}), now.get("roll") or {}, now.get("duel") or {}
    faces = roll.get("faces", [die["face"] for die in roll.get("dice", ())])
    kept = {name: now.get(name, {}) for name in ("positions", "defied", "boosts", "spent", "shifted", "taken")}
    held = {side: zones for side, zones in now.get("advantages", {}).items() if zones}
    return kept | {
        "counters": (now.get("momentum", 0), now.get("entropy", 0), now.get("challenge", 1)),
        "turns": (turns.get("round", 0), turns.get("timer"), turns.get("holder", ""), turns.get("current", "")),
        "acted": {who for who, f in fighters(now).items() if f.get("acted")},
        "hidden": {who for who, f in fighters(now).items() if f.get("hidden")},
        "advantages": held,
        "roll": (faces, roll.get("pending", False), roll.get("hits", 0), roll.get("clean", False)),
        "duel": (
            duel.get("stage"),
            duel.get("rounds", 0),
            duel.get("round", 0),
            duel.get("won", {}),
            duel.get("used", {}),
        ),
        "winner": duel.get("winner", ""),
        "verdict": now.get("verdict", ""),
    }


def lying(now: dict[str, Any]) -> dict[str, Any]:
    """The roll that waits, as the referee knows it."""
    roll = now["roll"]
    named = {name: roll.get(name, "") for name in ("kind", "who", "trait", "to")}
    return {**named, "faces": [die["face"] for die in roll["dice"]], "bonus": roll.get("bonus", 0)}


def judged(referee: Referee, now: dict[str, Any], action: dict[str, Any], hands: Any) -> dict[str, Any] | None:
    """What must come of an action; None where the rules leave it to the table."""
    faces = [face for _, fell in hands for face in fell]
    match action["do"]:
        case "act" | "shift":
            return {**referee.rolled(now, action, hands), "verdict": ""}
        case "reroll":
            places = action.get("dice", ())
            return referee.rerolled(now, lying(now), places, faces) if places else referee.counts(now, lying(now))
        case "let_go":
            return referee.counts(now, lying(now))
        case "end_round":
            return referee.round_ends(now)
        case "set":
            timer = now["turns"].get("timer") if action.get("timer", -1) < 0 else action["timer"]
            return referee.timed(now, action["challenge"], None if action.get("no_timer") else timer)
        case "manoeuvre":
            return referee.manoeuvre(now, action, faces)
        case "advantage":
            return referee.advantage(now, action)
        case "accept" | "decline" | "bout":
            return referee.contest(now, action, hands)
        case "waypoint":
            return {**now, "spent": {}}
        case "adjust":
            counter, verdict = action["counter"], now.get("verdict", "") if running(now) else ""
            return {**now, counter: max(now.get(counter, 0) + action["by"], 0), "verdict": verdict}
    return None


def outside_verdict(now: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """A comparison of an encounter that is over says nothing of counters that have moved since."""
    moved = any(now.get(name, 0) != after.get(name, 0) for name in ("momentum", "entropy"))
    return {**after, "verdict": ""} if moved and not running(after) else after


def began(
    now: dict[str, Any], after: dict[str, Any], action: dict[str, Any], hands: Any, rules: dict[str, Any]
) -> None:
    """The opening: more hits acts first, a tie is the house's; everybody has their turn before them."""
    assert (after["turns"]["round"], after.get("momentum", 0)) == (1, now.get("momentum", 0))
    assert not any(f.get("acted") for f in fighters(after).values())
    if hands:
        first, second = (sum(f >= rules.get("target", 4) for f in fell) for _, fell in hands)
        tie = rules.get("opening_tie", "heroes")
        assert after["turns"]["holder"] == ("heroes" if first > second else "foes" if first < second else tie)
    elif action.get("first", "roll") in {f["side"] for f in fighters(after).values()}:
        assert after["turns"]["holder"] == action["first"]


def went(now: dict[str, Any], after: dict[str, Any], who: str) -> None:
    """Nobody goes twice in a round, nor before the side with the Initiative has gone."""
    turns, there = now["turns"], fighters(now)
    assert not there[who].get("acted")
    waiting = {
        w
        for w, f in there.items()
        if not (f.get("acted") or f.get("out") or f.get("hidden")) and w != turns.get("current")
    }
    if there[who]["side"] != turns["holder"]:
        assert not [w for w in waiting if there[w]["side"] == turns["holder"]]
    assert after["turns"]["current"] == who


def look(referee: Referee, before: No1World, action: Any, entry: Any, after: No1World) -> str:
    now, then, doing = plain(before.now), plain(after.now), plain(action)
    hands = [(hand.sides, hand.faces) for hand in entry.dice]
    if running(now) and doing["do"] in ("act", "shift"):
        done = now.get("taken" if doing["do"] == "act" else "shifted", {})
        assert now["turns"]["current"] == doing["who"]
        assert done.get(doing["who"]) != now["turns"]["round"], "one Shift and one Action a turn"
    if doing["do"] == "begin":
        began(now, then, doing, hands, referee.rules)
    if doing["do"] == "next":
        went(now, then, doing["who"])
    if doing["do"] == "end":
        assert then["verdict"] == compared(now)
    expected = judged(referee, now, doing, hands)
    if expected is not None:
        found, wanted = numbers(then), numbers(outside_verdict(now, expected))
        assert found == wanted, {name: (found[name], wanted[name]) for name in found if found[name] != wanted[name]}
    return str(doing["do"]) if expected is not None else ""


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("house", range(len(HOUSES)))
def test_a_referee_agrees_with_every_outcome(house: int, seed: int) -> None:
    begin = table(HOUSES[house], momentum=3, entropy=3)
    referee = Referee(plain(begin.rules), plain(begin.sheets), plain(begin.scenes), CHECKS)
    session, chance = sit_down(begin), random.Random(f"{house} {seed}")
    agreed: set[str] = set()
    steps = 0
    while steps < STEPS:
        before = session.world
        if chance.random() < 0.1 and session.timeline.past():
            session.undo()
            assert session.world == session.at(session.timeline.head)
            if chance.random() < 0.7:
                session.redo()
                assert session.world == before
            continue
        action = chosen(before, chance)
        try:
            entry = session.do(action)
        except Refused:
            continue
        steps += 1
        agreed.add(look(referee, before, action, entry, session.world))
    assert len(agreed) > (12 if STEPS > 500 else 6), agreed


KINDS = {tag_of(kind): kind for kind in ENGINE.actions}
OFTEN = (*ROLLS * 3, *("begin", "next", "end_round") * 2, "advantage", "manoeuvre", "set", "waypoint", "adjust")
SOMETIMES = ("contest", "accept", "decline", "bout", "bout", "end", "scene", "reveal", "down", "join", "place")


def chosen(world: No1World, chance: random.Random) -> Any:
    """Something at random of what the rules speak of, else anything."""
    for _ in range(20):
        kind = KINDS[chance.choice((*OFTEN, *SOMETIMES))]
        action = random_action(SimpleNamespace(actions=(kind,)), world, chance)  # type: ignore[arg-type]
        if action is not None:
            return action
    return random_action(ENGINE, world, chance)


def test_the_referee_sees_what_is_wrong() -> None:
    """It is no use where it agrees with everything."""
    world = table(challenge=2)
    referee = Referee(plain(world.rules), plain(world.sheets), plain(world.scenes), CHECKS)
    action = ENGINE.actions[1]("rook", "Strike")
    dice = Dice((5, 5))
    after = world
    for event in action.resolve(world, dice):
        after = event.apply(after)
    found = numbers(plain(after.now))
    right = judged(referee, plain(world.now), plain(action), [(h.sides, h.faces) for h in dice.rolled])
    assert right is not None
    assert found == numbers(right)
    wrong = judged(referee, plain(world.now), plain(action), [((8, 8), (5, 1))])
    assert wrong is not None
    assert found != numbers(wrong)
