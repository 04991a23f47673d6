"""The table: who, how they are, what can be rolled, what just fell."""

from __future__ import annotations

from ....kit.common import is_secret, lasting
from ....kit.hurt import how_hurt
from ....kit.order import as_seen, turn_of
from ....kit.roster import Roster, acts, both, listed, rounds, scenery
from ....rules import Counter, Option, Person, Pool, TableView, Tone, as_facts, fields, shaped
from ..asking import GM, cannot, cost_words
from ..by_hand import Save, due_saves
from ..effects import gives_away
from ..foretold import effect_words
from ..game import OptionRule
from ..letters import letters
from ..mentions import is_nobodys
from ..meters import left_of, meter_title, wounds
from ..options import Use, any_time, option_closed, takers
from ..rolls import Roll, waits
from ..scope import Scope, meter_ends, meter_value
from ..turns import Next
from ..world import HomebrewWorld, Made, is_out, roll_title
from .roll import counters, hands, outcome, prompt


def table_view(world: HomebrewWorld) -> TableView:
    """The table screen."""
    return both(world, as_seen(world), _table_view)


def _table_view(world: HomebrewWorld) -> TableView:
    turns = world.now.turns
    facts = rounds(world)
    facts += [f"Initiative: {turns.holder}"] if turns.running and turns.mode == "popcorn" else []
    made, roster = world.now.roll, Roster(world, turns.may_go())
    lies = made if made is not None and made.of != "challenge" and not _past(world, made) else None
    asks = prompt(world) if lies or not made or made.of != "challenge" or world.now.asked else None
    roll = plain_roll(world, turns.current) if turns.current and not waits(world) else None
    return TableView(
        banner=f"{world.name(turns.current)} is up" if turns.current else "",
        facts=as_facts(facts),
        counters=counters(world),
        people=tuple(person_view(roster, world, w) for w in listed(world)),
        hands=hands(world, lies) if lies else (),
        prompt=asks,
        outcome=outcome(world, lies) if lies and not gives_away(world, lies.who) else None,
        conditions=lasting(world),
        **scenery(world),
        # it has nobody to name: the pool only keeps the roll from players
        pools=(Pool(who="", parts=(), secret=True),) if roll and is_secret(world, turns.current) else (),
        roll=roll,
        acts=() if waits(world) else deeds(world),
    )


def _past(world: HomebrewWorld, made: Made) -> bool:
    """Does a roll count already, and is it of another turn?"""
    return made.stage == "done" and made.turn != turn_of(world)


def plain_roll(world: HomebrewWorld, who: str) -> Roll | None:
    """The game's first roll, where it asks nothing; what is to be chosen, a stat or a target, the screen lists."""
    name = next((name for name, rule in world.rules.rolls.items() if rule.offered == "any time"), "")
    if not name or world.rules.rolls[name].by == "gm" or who not in world.sheets or cannot(world, who):
        return None
    asked = [f for f in fields(Roll) if f.name not in ("roll", "who", "using")]
    said = {"roll": name, "who": who}
    return None if any(shaped(f, world, said) for f in asked) else Roll(name, who)


def deeds(world: HomebrewWorld) -> tuple[Option, ...]:
    """What the game has, and the next turn: first where whoever is up has rolled in this one, else last."""
    after = acts(world, (Next(), next_words(world)), *saves(world))
    made, up = world.now.roll, world.now.turns.current
    rolled = bool(up) and made is not None and made.who == up and made.turn == turn_of(world)
    return (*after, *own_deeds(world)) if rolled else (*own_deeds(world), *reversed(after))


def saves(world: HomebrewWorld) -> list[tuple[Save, str]]:
    """What whoever is up could end by a save: it stands beside the next turn, so that nobody forgets it."""
    due = [str(choice.value) for choice in due_saves(world, {})]
    up, conditions = world.now.turns.current, world.now.conditions
    return [(Save(one), f"to end {conditions[one].what}") for one in due if up and conditions[one].who == up][:1]


def next_words(world: HomebrewWorld) -> str:
    """Who comes next."""
    return next((world.name(who) for who in world.now.turns.may_go()), "a new round")


def own_deeds(world: HomebrewWorld) -> tuple[Option, ...]:
    """Every roll and option of the game that can be pressed here, each with its letter."""
    keys, rules = letters(world.rules), world.rules
    rolls = [
        Option(
            label=roll_title(rules, name),
            action=Roll(name, GM if is_nobodys(rules, name) else ""),
            key=keys["rolls", name],
            note=rule.about,
            secret=rule.by == "gm",
        )
        for name, rule in rules.rolls.items()
        if rule.offered == "any time"
    ]
    options = [
        Option(
            label=option.title or name,
            action=Use(name, GM if option.by == "gm" else ""),
            key=keys["options", name],
            note=option_note(world, option, None),
            secret_note=option_note(world, option, world.now.turns.current),
            closed=_closed(world, name),
            secret=option.by == "gm",
        )
        for name, option in any_time(world).items()
    ]
    return (*rolls, *options)


def option_note(world: HomebrewWorld, option: OptionRule, who: str | None) -> str:
    """What an option does and costs: with somebody's numbers, or in terms, which are true at every seat."""
    known = who is not None and who in world.sheets and not is_secret(world, who)
    does = effect_words(world, option.does, Scope(world, who, lead=who) if who is not None and known else None)
    return ", ".join(filter(None, (does, cost_words(option, Scope(world)))))


def _closed(world: HomebrewWorld, name: str) -> str:
    """Why an option is closed: to whoever is up, as its letter means them; else where nobody could take it."""
    up = world.now.turns.current
    if up in world.sheets and world.rules.options[name].by != "gm":
        return option_closed(world, name, up)
    found = takers(world, {"option": name})
    if any(not choice.closed for choice in found):
        return ""
    return next((choice.closed for choice in found), "nobody is there")


def person_view(roster: Roster, world: HomebrewWorld, who: str) -> Person:
    """A row of the roster."""
    fighter, meters = world.now.turns.fighters.get(who), person_meters(world, who)
    first = meters[0] if meters else None
    note = (f"{first.value}/{first.most}" if first.most is not None else str(first.value)) if first else ""
    secret, name = bool(first and first.secret), wounds(world.rules)
    look = how_hurt(*left_of(world, who, meter_value(world, who, name))) if name and is_secret(world, who) else ""
    return roster.person(
        who,
        note=look if secret else note,
        secret_note=note if secret else "",
        out=is_out(world, who),
        number=fighter.number if fighter else None,
        meters=meters,
    )


def person_meters(world: HomebrewWorld, who: str) -> tuple[Counter, ...]:
    """Somebody's meters."""
    out = []
    for name, rule in world.rules.meters.items():
        least, most = meter_ends(world, who, name)
        value = meter_value(world, who, name)
        bad = (rule.empty and value == least) or (rule.full and value == most)
        tone: Tone = "bad" if bad else ""
        out.append(
            Counter(
                name=meter_title(world, name),
                value=value,
                most=most,
                least=min(least, 0),
                tone=tone,
                secret=rule.secret or is_secret(world, who),
            )
        )
    return tuple(out)
