"""The roll of a challenge: of whoever leads or tries, or of everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from ...kit.asking import sure
from ...kit.told import Told
from ...rules import Action, Ask, Choice, Dice, Event
from .asking import before, split
from .bands import facts_of, outcome_of
from .challenge import party, planning, rule_of
from .dice import throw
from .effects import Doing, gives_away
from .game import Band
from .gives import Source
from .leading import support_scope
from .making import Order, clash, make, prepare
from .progress import tried
from .scope import Scope, scope_of
from .thrown import faces
from .world import Challenge, HomebrewWorld, Made, Throw, roll_title, stats_of


class GroupRolled(Told, tag="group_rolled"):
    """Everybody rolled; one roll counts for all."""

    rule = "the best or the worst roll is everybody's"
    rolled: dict[str, str]
    """Everybody's dice in words."""
    bands: dict[str, str]
    counted: str
    """Whose roll it is that counts; empty where all do."""
    made: Made
    thrown: dict[str, Throw] = {}

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        now = world.now.challenge
        return world.live(roll=self.made, challenge=replace(now, thrown=self.thrown) if now else None)

    def words(self, world: HomebrewWorld) -> str:
        each = "; ".join(f"{world.name(w)} {dice}, {self.bands[w]}" for w, dice in self.rolled.items())
        whose = f". {world.name(self.counted)}'s roll counts" if self.counted else ""
        return f"Everybody rolls: {each}{whose}"

    def is_secret(self, world: HomebrewWorld) -> bool:
        return gives_away(world, *self.rolled)

    def outcome(self) -> Mapping[str, str | int]:
        return {"outcome": self.made.band}


def given(world: HomebrewWorld) -> tuple[Source, ...]:
    """What supporters give."""
    now = world.now.challenge
    out = []
    for who, support in now.supports.items() if now else ():
        option = world.rules.options.get(support.how)
        for what, value in option.gives.items() if option else ():
            title = f"{world.name(who)}, {option.title or support.how}" if option else support.how
            out.append(Source(title, what, value, support_scope(world, who, support.stat)))
    return tuple(out)


def order_for(world: HomebrewWorld, who: str, stats: Mapping[str, str]) -> Order:
    """What somebody rolls for the challenge."""
    now = sure(world.now.challenge)
    says = {name: str(said) for name, said in now.plan.says.items()}
    roll = rule_of(world, now).roll
    helped = {support.how: 1 for support in now.supports.values()}
    taken, helpers = split(now.using if who == now.lead else ())
    return Order(roll, who, "", stats, says, taken, helpers, "challenge", given(world), helped)


class UsingChanged(Told, tag="using_changed"):
    """The lead has chosen other options before the roll."""

    using: tuple[str, ...]
    option: str

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        now = world.now.challenge
        return world.live(challenge=replace(now, using=self.using)) if now else world

    def words(self, world: HomebrewWorld) -> str:
        label = next((c.words for c in lead_before(world, {}) if c.value == self.option), self.option)
        return f"{label}: {'chosen' if self.option in self.using else 'not after all'}"


def lead_before(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the lead can choose before the roll; what is chosen can be dropped again."""
    now = world.now.challenge
    if now is None or not now.lead:
        return ()
    found = before(world, {"roll": rule_of(world, now).roll, "who": now.lead})
    order = order_for(world, now.lead, now.stats)
    return [
        replace(c, closed="" if c.value in now.using else c.closed or _apart(world, order, now.using, str(c.value)))
        for c in found
    ]


def _with(using: Sequence[str], one: str) -> tuple[str, ...]:
    """What is chosen, and one more, in the place of the same taken otherwise."""
    name = next(iter(split((one,))[0]))
    return (*(other for other in using if name not in split((other,))[0]), one)


def _apart(world: HomebrewWorld, order: Order, using: Sequence[str], one: str) -> str:
    """Why an option cannot be chosen beside those that are; empty where it can."""
    taken, helpers = split(_with(using, one))
    after = order._replace(taken=taken, helpers=helpers)
    name = next(iter(split((one,))[0]))
    if why := clash(world, after, name):
        return why
    spoilt = (n for n in taken if n != name and clash(world, after, n) and not clash(world, order, n))
    other = next(spoilt, "")
    return f"not together with {world.rules.options[other].title or other}" if other else ""


class UseBefore(Action, tag="use_before"):
    """Choose an option before the roll of the challenge, or drop it again; it is paid for with the roll."""

    title = "with"
    option: Annotated[str, Ask(lead_before)]

    @classmethod
    def actor(cls, world: HomebrewWorld, fields: Mapping[str, Any]) -> str:
        """Whoever leads."""
        return world.now.challenge.lead if world.now.challenge else ""

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        now = world.now.challenge
        return planning(world) or ("" if now and now.lead else "nobody leads yet")

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        now = sure(world.now.challenge)
        if self.option in now.using:
            return (UsingChanged(tuple(one for one in now.using if one != self.option), self.option),)
        changed = UsingChanged(_with(now.using, self.option), self.option)
        after = changed.apply(world)
        prepare(Doing(after, Dice()), order_for(after, now.lead, now.stats))  # refused where they do not go together
        return (changed,)


def alone(world: HomebrewWorld) -> bool:
    """Does one roll decide, of one who leads or tries?"""
    now = world.now.challenge
    return bool(now and rule_of(world, now).who in ("lead", "in turn"))


class RollChallenge(Action, tag="roll_challenge"):
    """Roll for the challenge: whoever leads, or everybody."""

    title = "roll"

    @classmethod
    def actor(cls, world: HomebrewWorld, fields: Mapping[str, Any]) -> str:
        """Whoever leads."""
        return world.now.challenge.lead if world.now.challenge else ""

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        now = world.now.challenge
        return planning(world) or ("" if now and now.lead else "nobody leads yet")

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        now, doing = world.now.challenge, Doing(world, dice)
        assert now is not None
        if alone(world):
            make(doing, order_for(world, now.lead, now.stats))
        else:
            together(doing, now)
        return tuple(doing.events)


def stats_for(world: HomebrewWorld, who: str, now: Challenge) -> dict[str, str]:
    """With what somebody rolls beside the lead: the same stats, as far as they have them."""
    return {group: stat for group, stat in now.stats.items() if stat in stats_of(world, who, group)}


def together(doing: Doing, now: Challenge) -> None:
    """Everybody rolls; the best or the worst of them counts, or all of them do."""
    world, rule = doing.world, rule_of(doing.world, now)
    roll = world.rules.rolls[rule.roll]
    who = [now.lead, *(w for w in party(world) if w != now.lead)]
    mades: dict[str, Made] = {}
    bands: dict[str, Band] = {}
    for one in who:
        prepared = prepare(doing, order_for(doing.world, one, stats_for(world, one, now)))
        title = f"{world.name(one)}, {roll_title(world.rules, rule.roll)}"
        made = replace(prepared.made, mine=throw(doing.dice, title, prepared.dice.mine, of=one))
        if prepared.dice.theirs is not None and prepared.dice.theirs.groups:
            made = replace(made, theirs=throw(doing.dice, f"against {title}", prepared.dice.theirs))
        scope = scope_of(doing.world, made)
        facts = facts_of(roll, scope, made)
        bands[one] = outcome_of(roll, scope, facts, made.steps)
        mades[one] = replace(made, stage="done", result=facts["result"], margin=facts["margin"])
    places = {one: roll.bands.index(band) if band in roll.bands else 0 for one, band in bands.items()}
    best = (max if rule.who == "worst of all" else min)(who, key=lambda w: places[w])
    counted, made = bands[best], replace(mades[best], band=bands[best].title, tone=bands[best].tone)
    told = {one: faces(mades[one].mine) or "no dice" for one in who}
    whose = "" if rule.who == "all together" else best
    thrown = {one: mades[one].mine for one in who}
    doing.happen(GroupRolled(told, {w: bands[w].title for w in who}, whose, made, thrown))
    scope = scope_of(doing.world, made).but(facts=facts_of(roll, scope_of(doing.world, made), made))
    lead = Scope(
        doing.world, best, lead=now.lead, roll=rule.roll, stats=made.stats, says=made.says, facts=scope.facts
    )
    doing.do(counted.does, lead)
    tried(doing, best, bands, counted, lead)


ACTIONS: tuple[type[Action], ...] = (UseBefore, RollChallenge)
EVENTS: tuple[type[Event], ...] = (UsingChanged, GroupRolled)
