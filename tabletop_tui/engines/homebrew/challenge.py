"""Challenges that several take on together: one leads and others help, all roll, or one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.common import unseen
from ...kit.told import Told
from ...rules import Action, Ask, Choice, Dice, Event, Field, Refused
from .asking import cannot, left_of, says_at, stat_choices
from .asking import say_shape as roll_say_shape
from .bands import facts_of, outcome_of
from .dice import throw
from .effects import Doing, gives_away, unpaid
from .game import Band, ChallengeRule, OptionRule
from .gives import Source
from .making import Order, Used, faces, make, prepare
from .mentions import mentions
from .progress import plan_title, tried
from .rolls import spoken, waits
from .scope import Scope, scope_of
from .turns import SpanBegan
from .world import Challenge, HomebrewWorld, Made, Plan, Supporter, group_title, roll_title, stats_of

# ---- events


class ChallengeOpened(Told, tag="challenge_opened"):
    """A challenge lies on the table."""

    plan: Plan

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(challenge=Challenge(self.plan))

    def words(self, world: HomebrewWorld) -> str:
        stakes = f". At stake: {self.plan.stakes}" if self.plan.stakes else ""
        return f"Challenge: {plan_title(world, self.plan)}{stakes}"


class ChallengeClosed(Told, tag="challenge_closed"):
    """The challenge was put away."""

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(challenge=None)

    def words(self, world: HomebrewWorld) -> str:
        now = world.now.challenge
        return f"{plan_title(world, now.plan)} is {'over' if now.outcome else 'put aside'}" if now else ""


class LeadChosen(Told, tag="lead_chosen"):
    """Somebody leads, or tries next."""

    who: str
    stats: dict[str, str] = {}

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        now = world.now.challenge
        if now is None:
            return world
        rest = {who: support for who, support in now.supports.items() if who != self.who}
        return world.live(challenge=replace(now, lead=self.who, stats=self.stats, supports=rest))

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


class GroupRolled(Told, tag="group_rolled"):
    """Everybody rolled; one roll counts for all."""

    rule = "the best or the worst roll is everybody's"
    rolled: dict[str, str]
    """Everybody's dice in words."""
    bands: dict[str, str]
    counted: str
    """Whose roll it is that counts; empty where all do."""
    made: Made

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(roll=self.made)

    def words(self, world: HomebrewWorld) -> str:
        each = "; ".join(f"{world.name(w)} {dice}, {self.bands[w]}" for w, dice in self.rolled.items())
        whose = f". {world.name(self.counted)}'s roll counts" if self.counted else ""
        return f"Everybody rolls: {each}{whose}"

    def is_secret(self, world: HomebrewWorld) -> bool:
        return gives_away(world, *self.rolled)

    def outcome(self) -> Mapping[str, str | int]:
        return {"outcome": self.made.band}


# ---- choices


def plans(world: HomebrewWorld) -> dict[str, Plan]:
    """The challenges that are prepared: those of the scene that is on first."""
    out: dict[str, Plan] = {}
    for scene in sorted(world.scenes, key=lambda name: name != world.now.scene):
        out |= {f"{scene}/{name}": plan for name, plan in world.scenes[scene].challenges.items()}
    return out


def plan_choices(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Prepared challenges."""
    return [Choice(name, plan_title(world, plan)) for name, plan in plans(world).items()]


def kinds(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The kinds of challenges that the game has."""
    return [Choice(name, rule.title, note=rule.about) for name, rule in world.rules.challenges.items()]


def rule_of(world: HomebrewWorld, now: Challenge) -> ChallengeRule:
    """The kind of a challenge."""
    return world.rules.challenges[now.plan.challenge]


def planning(world: HomebrewWorld) -> str:
    """Why nothing can be prepared for a challenge; empty where it can."""
    now = world.now.challenge
    if now is None:
        return "no challenge is open"
    return waits(world) or ("the challenge is over" if now.outcome else "")


def party(world: HomebrewWorld) -> list[str]:
    """Who can take it on."""
    return [who for who in world.players() if not cannot(world, who)]


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
    return replace(field, label=group_title(world.rules, groups[place])) if place < len(groups) else None


def lead_ask(place: int) -> Ask:
    """The question for one of the groups."""
    return Ask(partial(lead_stats, place), "stat", first=True, shape=partial(lead_shape, place))


def kind_says(place: int, world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the roll of a challenge asks."""
    return says_at(place, world, {**fields, "roll": _roll_of(world, fields)})


def kind_shape(place: int, field: Field, world: HomebrewWorld, fields: Mapping[str, Any]) -> Field | None:
    """The same, as a field."""
    return roll_say_shape(place, field, world, {**fields, "roll": _roll_of(world, fields)})


def _roll_of(world: HomebrewWorld, fields: Mapping[str, Any]) -> str:
    rule = world.rules.challenges.get(fields.get("challenge", ""))
    return rule.roll if rule else ""


def kind_ask(place: int) -> Ask:
    """The question for one of the things that its roll asks."""
    return Ask(partial(kind_says, place), "say", first=True, shape=partial(kind_shape, place))


def kind_words(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The keywords of a kind of challenge."""
    rule = world.rules.challenges.get(fields.get("challenge", ""))
    return [Choice(word) for word in rule.keywords] if rule else ()


def words_shape(field: Field, world: HomebrewWorld, fields: Mapping[str, Any]) -> Field | None:
    """Only where it has keywords."""
    return field if kind_words(world, fields) else None


# ---- opening and closing


class Open(Action, tag="open"):
    """Open a prepared challenge."""

    title, leads_to = "open a challenge", "challenge"
    plan: Annotated[str, Ask(plan_choices, "challenge")]

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world)

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        return opened(world, plans(world)[self.plan])


class Improvise(Action, tag="improvise"):
    """Open a challenge that nobody has prepared."""

    title, key, screens, leads_to = "improvise a challenge", "i", ("challenge",), "challenge"
    challenge: Annotated[str, Ask(kinds)]
    name: Annotated[str, Meta(max_length=60)] = ""
    say: Annotated[int | str, kind_ask(0)] = ""
    say2: Annotated[int | str, kind_ask(1)] = ""
    say3: Annotated[int | str, kind_ask(2)] = ""
    keywords: Annotated[tuple[str, ...], Ask(kind_words, shape=words_shape)] = ()

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world) or ("" if world.rules.challenges else "this game has no challenges")

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        asks = world.rules.rolls[world.rules.challenges[self.challenge].roll].asks
        says: dict[str, int | str] = {**spoken(asks, (self.say, self.say2, self.say3))}
        return opened(world, Plan(self.challenge, self.name.strip(), "", says, self.keywords))


def opened(world: HomebrewWorld, plan: Plan) -> tuple[Event, ...]:
    """A challenge begins; one that was open is over."""
    closed: tuple[Event, ...] = (ChallengeClosed(),) if world.now.challenge else ()
    return (*closed, SpanBegan("challenge"), ChallengeOpened(plan))


class Close(Action, tag="close"):
    """Put the challenge away."""

    title, key, screens = "put it away", "x", ("challenge",)

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world) or ("" if world.now.challenge else "no challenge is open")

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        return (ChallengeClosed(),)


# ---- who leads, who helps


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
    now = world.now.challenge
    assert now is not None
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
        doing.happen(Used(self.how, self.who, "challenge"))
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
    return "paid for" if option and (option.costs or option.does) else ""


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


# ---- the roll


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
    now = world.now.challenge
    assert now is not None
    says = {name: str(said) for name, said in now.plan.says.items()}
    roll = rule_of(world, now).roll
    taken = {support.how: 1 for support in now.supports.values()}
    return Order(roll, who, "", stats, says, {}, {}, "challenge", given(world), dict.fromkeys(taken, 1))


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
        made = replace(prepared.made, mine=throw(doing.dice, title, prepared.dice.mine))
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
    doing.happen(GroupRolled(told, {w: bands[w].title for w in who}, whose, made))
    scope = scope_of(doing.world, made).but(facts=facts_of(roll, scope_of(doing.world, made), made))
    lead = Scope(
        doing.world, best, lead=now.lead, roll=rule.roll, stats=made.stats, says=made.says, facts=scope.facts
    )
    doing.do(counted.does, lead)
    tried(doing, best, bands, counted, lead)


ACTIONS: tuple[type[Action], ...] = (Open, Improvise, Lead, Support, Withdraw, RollChallenge, Close)
EVENTS: tuple[type[Event], ...] = (ChallengeOpened, ChallengeClosed, LeadChosen, Supported, GroupRolled)
