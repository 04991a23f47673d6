"""What the table screen draws."""

from __future__ import annotations

from typing import Any

from ....kit.common import counters, is_secret, lasting
from ....kit.order import NextTurn, turn_of
from ....kit.roster import Roster, acts, both, listed, rounds, scenery
from ....rules import Counter, TableView, Tone, as_facts
from ....rules import Person as PersonView
from ..campaign import POOLS
from ..challenge import MakeTest
from ..opposed import Oppose
from ..penalties import BROKEN, STRESSED, able, level
from ..world import DramaWorld, many, person
from .challenge import came
from .players import as_players
from .roll import hands, prompt


def table_view(world: DramaWorld) -> TableView:
    """The table: who, how they are, rounds and momentum, what just fell."""
    return both(world, as_players(world), _table_view)


def _table_view(world: DramaWorld) -> TableView:
    now, turns, roll = world.now, world.now.turns, world.now.roll
    of_before = roll is not None and roll.stage == "done" and roll.turn != turn_of(world)
    here = roll if roll and roll.kind != "contest" and not of_before else None
    roster = Roster(world, turns.may_go())
    return TableView(
        **scenery(world),
        banner=f"{world.name(turns.current)} is up" if turns.current else "",
        facts=as_facts((*rounds(world), *momentum(world))),
        counters=counters(world),
        people=tuple(person_view(roster, world, w) for w in listed(world)),
        hands=hands(here),
        prompt=prompt(world) if here else None,
        outcome=came(now.complex if here and here.kind == "complex" else None, now.task, here),
        conditions=lasting(world),
        acts=acts(
            world,
            (Oppose(turns.current, "", "", ""), "two pools"),
            (MakeTest(turns.current, ""), "one pool, a difficulty"),
            *(((NextTurn(), ""),) if turns.current else ()),
        ),
        reminders=tuple(reminder(world, w) for w in world.present() if person(world, w).carried >= STRESSED),
    )


def reminder(world: DramaWorld, who: str) -> str:
    """Of somebody who carries a lot."""
    them = person(world, who)
    return f"{world.name(who)} is {level(them.carried)}: {many(them.carried, 'penalty')} in every test"


def momentum(world: DramaWorld) -> list[str]:
    """Who has momentum over whom, and the advantage that the GM named."""
    found = []
    for pair, winner in world.now.won.items():
        loser = next((who for who in pair.split("/") if who != winner), "")
        found.append(f"momentum: {world.name(winner)} over {world.name(loser)}")
    return [*found, f"advantage: {world.name(world.now.favour)}"] if world.now.favour else found


def person_view(roster: Roster, world: DramaWorld, who: str) -> PersonView:
    """A row of the roster."""
    turns, them, sheet = world.now.turns, person(world, who), world.sheets[who]
    fights = who in turns.fighters
    note = f"{level(them.carried)} {them.carried}" if them.carried else ""
    marks = ["momentum"] if who in world.now.won.values() else []
    marks += [f"{them.drama_points} DP"] if sheet.player and them.drama_points else []
    composure = "" if sheet.player or not sheet.composure else f"Composure {them.composure}"
    both = ", ".join(part for part in (note, composure) if part)
    own = is_secret(world, who)
    secret = both if own and composure else ""
    mine: dict[str, Any] = {} if fights or not turns.running else {"side": "aside"}
    # a story has more than two sides: only those who fight are foes
    mine |= {} if fights or sheet.player else {"allegiance": "other"}
    return roster.person(
        who,
        note=note if own else both,
        secret_note=secret,
        marks=marks,
        out=bool(able(world, who)),
        meters=meters(world, who),
        **mine,
    )


def meters(world: DramaWorld, who: str) -> tuple[Counter, ...]:
    """Penalty dice, and the currency pools on the sheet; the pools of the GM's own are secret."""
    them, sheet, mine = person(world, who), world.sheets[who], is_secret(world, who)
    tone: Tone = "bad" if them.carried >= BROKEN else "warn" if them.carried else ""
    penalties = Counter(name="penalty dice", value=them.carried, most=max(BROKEN, them.carried), tone=tone)
    pools = [(pool, getattr(them, pool), getattr(sheet, pool)) for pool in POOLS if getattr(sheet, pool)]
    return (penalties, *(Counter(name=name, value=value, most=most, secret=mine) for name, value, most in pools))
