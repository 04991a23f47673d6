"""Who leads a challenge, and who supports how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from msgspec.structs import replace

from ...kit.asking import sure
from ...kit.common import unseen
from ...kit.told import Told
from ...rules import Action, Ask, Choice, Dice, Event, Field, Refused
from .asking import cannot, left_of, stat_choices
from .challenge import party, planning, rule_of
from .effects import Doing, unpaid
from .game import OptionRule
from .language import limit
from .mentions import mentions
from .scope import Scope
from .thrown import Used
from .world import HomebrewWorld, Supporter, group_title, stats_of


class LeadChosen(Told, tag="lead_chosen"):
    """Somebody leads, or tries next."""

    who: str
    stats: dict[str, str] = {}

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        now = world.now.challenge
        if now is None:
            return world
        rest = {who: support for who, support in now.supports.items() if who != self.who}
        return world.live(challenge=replace(now, lead=self.who, stats=self.stats, supports=rest, using=(), thrown={}))

    def words(self, world: HomebrewWorld) -> str:
        stats = ", ".join(self.stats.values())
        return f"{world.name(self.who)} leads{f': {stats}' if stats else ''}"

    def is_secret(self, world: HomebrewWorld) -> bool:
        return unseen(world, self.who)


class Supported(Told, tag="supported"):
    """Somebody supports, or no longer does."""

    who: str
    support: Supporter | None

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        now = world.now.challenge
        if now is None:
            return world
        rest = {who: support for who, support in now.supports.items() if who != self.who}
        mine = {self.who: self.support} if self.support else {}
        return world.live(challenge=replace(now, supports={**rest, **mine}))

    def words(self, world: HomebrewWorld) -> str:
        if self.support is None:
            return f"{world.name(self.who)} no longer supports"
        option = world.rules.options.get(self.support.how)
        title = (option.title if option else "") or self.support.how
        return f"{world.name(self.who)}: {title}{f' with {self.support.stat}' if self.support.stat else ''}"


def leads(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who could lead, or try next: in turn, nobody twice running."""
    now = world.now.challenge
    if now is None:
        return ()
    again = rule_of(world, now).who == "in turn" and len(party(world)) > 1
    return [
        Choice(w, world.name(w), "tried just now" if again and w == now.last else cannot(world, w))
        for w in world.players()
    ]


def groups_of(world: HomebrewWorld) -> tuple[str, ...]:
    """The groups of stats that the roll of the open challenge mentions."""
    now = world.now.challenge
    return mentions(world.rules, rule_of(world, now).roll).groups if now else ()


def lead_stats(place: int, world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The stats of a group with which somebody could lead."""
    groups = groups_of(world)
    return stat_choices(world, fields.get("who", ""), groups[place]) if place < len(groups) else ()


def lead_shape(place: int, field: Field, world: HomebrewWorld, _fields: Mapping[str, Any]) -> Field | None:
    """A group that the roll mentions, by its title."""
    groups = groups_of(world)
    named = place < len(groups)
    return replace(field, label=group_title(world.rules, groups[place]), required=True) if named else None


def lead_ask(place: int) -> Ask:
    """The question for one of the groups."""
    return Ask(partial(lead_stats, place), "stat", first=True, shape=partial(lead_shape, place))


class Lead(Action, tag="lead"):
    """Say who leads the challenge, or who tries next."""

    title = "lead"
    done_by = "who"
    who: Annotated[str, Ask(leads)]
    stat: Annotated[str, lead_ask(0)] = ""
    stat2: Annotated[str, lead_ask(1)] = ""

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return planning(world)

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        chosen: dict[str, str] = {}
        for place, (group, stat) in enumerate(zip(groups_of(world), (self.stat, self.stat2), strict=False)):
            if not stat:
                name = f"stat{place + 1 if place else ''}"
                raise Refused(f"it is not said which {group_title(world.rules, group)}", remedy=f"Say {name}=…")
            if stat != "-":
                chosen[group] = stat
        return (LeadChosen(self.who, chosen),)


def ways(world: HomebrewWorld) -> dict[str, OptionRule]:
    """How others can support."""
    now = world.now.challenge
    if now is None:
        return {}
    roll = rule_of(world, now).roll
    return {
        n: o for n, o in world.rules.options.items() if o.offered == "support" and (not o.rolls or roll in o.rolls)
    }


def support_stats(world: HomebrewWorld, who: str, how: str) -> list[str]:
    """The stats with which somebody could support so."""
    now, option, groups = world.now.challenge, world.rules.options[how], groups_of(world)
    if now is None or not groups or not option.with_:
        return []
    group = groups[0]
    mine, same = stats_of(world, who, group), now.stats.get(group, "")
    return [stat for stat in mine if (stat == same) == (option.with_ == "same")]


def support_scope(world: HomebrewWorld, who: str, stat: str) -> Scope:
    """What sums may name in what somebody gives."""
    now = sure(world.now.challenge)
    groups = groups_of(world)
    stats = {groups[0]: stat} if groups and stat else now.stats
    says = {name: str(said) for name, said in now.plan.says.items()}
    roll = rule_of(world, now).roll
    return Scope(
        world, who, whom=now.lead, lead=now.lead, roll=roll, stats=stats, says=says, keywords=now.plan.keywords
    )


def support_closed(world: HomebrewWorld, who: str, how: str) -> str:
    """Why somebody cannot support so; empty where they can."""
    now, option = world.now.challenge, world.rules.options[how]
    if now is None:
        return "no challenge is open"
    if who == now.lead:
        return "leads"
    if why := cannot(world, who):
        return why
    if who in now.supports:
        return "supports already"
    some = support_stats(world, who, how)
    if option.with_ and not some:
        return "lacks it" if option.with_ == "same" else "has no other"
    scope = support_scope(world, who, some[0] if some else "")
    if left_of(world, how, option, scope, who) < 1:
        return "the limit is reached"
    if not scope.holds(option.when):
        return option.when
    return unpaid(option.costs, scope)


def supporters(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who could support."""
    now = world.now.challenge
    if now is None:
        return ()
    return [
        Choice(w, world.name(w), "supports already" if w in now.supports else cannot(world, w))
        for w in world.players()
        if w != now.lead
    ]


def hows(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """How somebody could support."""
    who = fields.get("who", "")
    return [Choice(n, o.title, support_closed(world, who, n), o.about) for n, o in ways(world).items()]


def how_stats(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """With what."""
    who, how = fields.get("who", ""), fields.get("how", "")
    return [Choice(stat) for stat in support_stats(world, who, how)] if how in world.rules.options else ()


def how_shape(field: Field, world: HomebrewWorld, fields: Mapping[str, Any]) -> Field | None:
    """Only where support is with a stat."""
    option = world.rules.options.get(fields.get("how", ""))
    return field if option and option.with_ else None


class Support(Action, tag="support"):
    """Support whoever leads, in one of the game's ways."""

    title = "support"
    done_by = "who"
    who: Annotated[str, Ask(supporters)]
    how: Annotated[str, Ask(hows)]
    stat: Annotated[str, Ask(how_stats, "with", first=True, shape=how_shape)] = ""

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        now = world.now.challenge
        return planning(world) or ("" if now and now.lead else "nobody leads yet")

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        some = support_stats(world, self.who, self.how)
        stat = self.stat or (some[0] if some else "")
        option, doing = world.rules.options[self.how], Doing(world, dice)
        scope = support_scope(world, self.who, stat)
        doing.happen(Supported(self.who, Supporter(self.how, stat)))
        doing.happen(Used(self.how, self.who, limit(option.limit)[1] if option.limit else "challenge"))
        doing.pay(option.costs, scope, option.title or self.how)
        doing.do(option.does, scope.but(world=doing.world))
        return tuple(doing.events)


def who_supports(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Those who support, closed where it has been paid for."""
    now = world.now.challenge
    return [Choice(w, world.name(w), paid_for(world, s)) for w, s in now.supports.items()] if now else ()


def paid_for(world: HomebrewWorld, support: Supporter) -> str:
    """Why a support cannot be withdrawn; empty where it can."""
    option = world.rules.options.get(support.how)
    return "paid for: undo takes it back" if option and (option.costs or option.does) else ""


class Withdraw(Action, tag="withdraw"):
    """Take a support back."""

    title = "withdraw"
    done_by = "who"
    who: Annotated[str, Ask(who_supports)]

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return planning(world)

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        return (Supported(self.who, None),)


ACTIONS: tuple[type[Action], ...] = (Lead, Support, Withdraw)
EVENTS: tuple[type[Event], ...] = (LeadChosen, Supported)
