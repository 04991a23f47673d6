"""The table: who, how they are, what just fell."""

from __future__ import annotations

from ....kit.common import is_secret, lasting, plural
from ....kit.hurt import condition_of
from ....kit.order import EndEncounter, as_seen, turn_of
from ....kit.roster import Roster, acts, both, listed, rounds, scenery
from ....rules import Action, Counter, Person, Reminder, Status, TableView, as_facts
from ..attack import Attack
from ..consequences import carried_lines, lasts
from ..initiative import PassTurn, RollOrder
from ..opposed import Oppose, both_hidden
from ..world import Roll, TiersWorld, most_hp, person
from .roll import counters, hands, outcome, prompt


def table_view(world: TiersWorld) -> TableView:
    """The table screen: who, how they are, what just fell."""
    return both(world, as_seen(world), lambda one: _table_view(one, veil=one is not world))


def _table_view(world: TiersWorld, *, veil: bool) -> TableView:
    """As the GM sees it, or veiled: somebody hidden has no name."""
    turns = world.now.turns
    roll, roster = world.now.roll, Roster(world, turns.may_go())
    lies = roll is not None and roll.kind != "challenge" and not _past(world, roll)
    lies = lies and not (veil and roll and both_hidden(world, roll))
    return TableView(
        banner=f"{world.name(turns.current)} is up" if turns.current else "",
        facts=as_facts(rounds(world)),
        counters=counters(world),
        people=tuple(person_view(roster, world, w) for w in listed(world)),
        hands=hands(world) if lies else (),
        prompt=prompt(world, veil=veil) if lies or roll is None or roll.stage == "done" else None,
        outcome=outcome(world, veil=veil) if lies else None,
        conditions=(*lasting(world), *carried_lines(world)),
        **scenery(world),
        later=reminders(world),
        acts=acts(world, *doable(world)),
    )


def doable(world: TiersWorld) -> list[tuple[Action, str]]:
    """What could be done, the likeliest first: an attack, or the next turn once whoever is up has rolled."""
    up = world.now.turns.current
    oppose = (Oppose(up, "", "", ""), "two skills, no harm")
    if not up:
        return [(Attack("", "", "", ""), ""), oppose, (RollOrder(""), "one skill decides")]
    passing = (PassTurn(), next_words(world))
    if all_beaten(world):
        return [(EndEncounter(), "nobody is left to fight"), passing]
    if has_rolled(world):
        return [passing, (Attack(up, "", "", ""), "again"), oppose]
    return [(Attack(up, "", "", ""), ""), oppose, passing]


def all_beaten(world: TiersWorld) -> bool:
    """Are all out who stood in the order against whoever is up?"""
    turns = world.now.turns
    mine = turns.fighters[turns.current].side
    against = [f for w in turns.order if (f := turns.fighters[w]).side != mine]
    return bool(against) and all(f.out for f in against)


def has_rolled(world: TiersWorld) -> bool:
    """Does the last roll count already, and did whoever is up begin it in this turn?"""
    roll = world.now.roll
    if roll is None or roll.kind == "challenge" or roll.stage != "done":
        return False
    return roll.first.who == world.now.turns.current and not _past(world, roll)


def next_words(world: TiersWorld) -> str:
    """Who comes next."""
    after = world.now.turns.waiting()
    return world.name(after[0]) if after else "a new round"


def reminders(world: TiersWorld) -> tuple[Reminder, ...]:
    """Bonus Dice are given by the hour."""
    every = world.rules.bonus_every
    if not every or not world.players():
        return ()
    text = f"{plural(every, 'minute')} without an award: a Bonus Die for everybody?"
    return (Reminder(text=text, since="award", minutes=every),)


def _past(world: TiersWorld, roll: Roll) -> bool:
    """Is a roll settled, and of another turn?"""
    return roll.stage == "done" and roll.turn != turn_of(world)


def person_view(roster: Roster, world: TiersWorld, who: str) -> Person:
    """A row of the roster."""
    them, secret, most = person(world, who), is_secret(world, who), most_hp(world, who)
    carried = tuple(
        Status(what=c.what, until="" if c.lasting else lasts(c), tone="warn") for c in them.consequences.values()
    )
    boosted = tuple(
        Status(what=f"+{n} {skill}", until="for its next roll", secret=True) for skill, n in them.boosts.items()
    )
    out = them.hp <= 0
    return roster.person(
        who,
        note=condition_of(world, who, them.hp, most),
        secret_note=f"{them.hp}/{most}" if secret else "",
        marks=(f"+{them.bonus_dice}d",) if them.bonus_dice else (),
        out=out,
        meters=(Counter(name="HP", value=them.hp, most=most, tone="bad" if out else "", secret=secret),),
        conditions=(*carried, *boosted),
    )
