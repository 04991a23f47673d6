"""The table: who, how they are, what just fell."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ....kit.common import is_secret, lasting, statuses, unseen
from ....kit.order import as_seen, turn_of
from ....kit.roster import acts, allegiance, kind, listed, section
from ....rules import Counter, Person, Reminder, Status, TableView, as_facts
from ..attack import Attack
from ..consequences import carried_lines, lasts
from ..initiative import PassTurn, RollOrder
from ..opposed import Oppose, both_hidden
from ..world import Roll, TiersWorld, is_out, most_hp, person
from .roll import counters, hands, outcome, prompt


def table_view(world: TiersWorld) -> TableView:
    """The table screen: who, how they are, what just fell."""
    seen = as_seen(world)
    mine = _table_view(world)
    return mine if seen is world else replace(mine, seen=_table_view(seen, veil=True))


def _table_view(world: TiersWorld, *, veil: bool = False) -> TableView:
    """As the GM sees it, or veiled: somebody hidden has no name."""
    turns = world.now.turns
    scene = world.scenes.get(world.now.scene)
    banner = f"{world.name(turns.current)} is up" if turns.current else ""
    facts = (f"round {turns.round}",) if turns.running else ()
    if turns.timer is not None:
        facts = (*facts, f"timer {turns.timer}")
    roll, ready = world.now.roll, turns.may_go()
    lies = roll is not None and roll.kind != "challenge" and not _past(world, roll)
    lies = lies and not (veil and roll and both_hidden(world, roll))
    return TableView(
        title=scene.title if scene else "",
        banner=banner,
        facts=as_facts(facts),
        counters=counters(world),
        people=tuple(person_view(world, w, ready) for w in listed(world)),
        hands=hands(world) if lies else (),
        prompt=prompt(world, veil=veil) if lies or roll is None or roll.stage == "done" else None,
        outcome=outcome(world, veil=veil) if lies else None,
        conditions=(*lasting(world), *carried_lines(world)),
        about=scene.about if scene else "",
        secret_about=scene.secret if scene else "",
        later=reminders(world),
        acts=acts(
            world,
            (Attack(turns.current, "", "", ""), ""),
            (Oppose(turns.current, "", "", ""), "two skills, no harm"),
            *(((PassTurn(), next_words(world)),) if turns.current else ((RollOrder(""), "one skill decides"),)),
        ),
    )


def next_words(world: TiersWorld) -> str:
    """Who comes next."""
    after = world.now.turns.waiting()
    return world.name(after[0]) if after else "a new round"


def reminders(world: TiersWorld) -> tuple[Reminder, ...]:
    """Bonus Dice are given by the hour."""
    every = world.rules.bonus_every
    if not every or not world.players():
        return ()
    text = f"{every} minutes without an award: a Bonus Die for everybody?"
    return (Reminder(text=text, since="award", minutes=every),)


def _past(world: TiersWorld, roll: Roll) -> bool:
    """Is a roll settled, and of another turn?"""
    return roll.stage == "done" and roll.turn != turn_of(world)


def person_view(world: TiersWorld, who: str, ready: Sequence[str]) -> Person:
    """A row of the roster."""
    turns, them, sheet = world.now.turns, person(world, who), world.sheets[who]
    fighter, secret = turns.fighters.get(who), is_secret(world, who)
    hp = Counter(
        name="HP", value=them.hp, most=most_hp(world, who), tone="bad" if is_out(world, who) else "", secret=secret
    )
    carried = tuple(
        Status(what=c.what, until="" if c.lasting else lasts(c), tone="warn") for c in them.consequences.values()
    )
    boosted = tuple(
        Status(what=f"+{n} {skill}", until="for its next roll", secret=True) for skill, n in them.boosts.items()
    )
    marks = ["hidden"] if fighter and fighter.hidden else []
    marks += [f"+{them.bonus_dice}d"] if them.bonus_dice else []
    return Person(
        id=who,
        name=sheet.name,
        side=fighter.side if fighter else ("heroes" if sheet.player else "others"),
        section=section(world, who),
        allegiance=allegiance(world, who),
        group=kind(world, who),
        note="" if secret else f"{hp.value}/{hp.most}",
        secret_note=f"{hp.value}/{hp.most}" if secret else "",
        marks=tuple(marks),
        current=who == turns.current,
        acted=bool(fighter and fighter.acted),
        out=is_out(world, who),
        may_go=who in ready,
        # whom the GM has prepared is nobody's business until they stand on the table
        secret=unseen(world, who),
        meters=(hp,),
        conditions=(*statuses(world, who), *carried, *boosted),
    )
