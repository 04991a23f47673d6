"""The challenge: who leads, who could support how, the roll, and how far it has come."""

from __future__ import annotations

from itertools import product

from msgspec.structs import replace

from ....rules import ChallengeView, Hand, Line, Matrix, Option, Outcome, Pool, Row, Tone, Words, as_facts
from ..asking import NONE, TIMES, cost_words, gives_words, stat_choices
from ..challenge import Open, is_open, planning, plans, rule_of, score
from ..effects import gives_away
from ..leading import (
    Lead,
    Support,
    Withdraw,
    groups_of,
    leads,
    paid_for,
    support_closed,
    support_scope,
    support_stats,
    ways,
)
from ..odds import fallen_pools, is_hidden, ready_pools
from ..progress import LOST, WON, plan_title
from ..rolls import pending
from ..together import RollChallenge, UseBefore, alone, lead_before, order_for
from ..world import Challenge, HomebrewWorld, Made, Plan, of_scene
from .roll import counters, hand, hands, outcome, prompt

MOST_LEADS = 80
"""Rows in the list of who could lead."""


def challenge_view(world: HomebrewWorld) -> ChallengeView:
    """The challenge screen."""
    prepared = tuple(
        Option(
            label=plan_title(world, plan),
            action=Open(name),
            closed=is_open(world, plan),
            secret=True,
            note=plan_facts(world, plan),
        )
        for name, plan in of_scene(world, plans(world)).items()
    )
    now = world.now.challenge
    scene = world.scenes.get(world.now.scene)
    about, secret = (scene.about, scene.secret) if scene else ("", "")
    if now is None:
        return ChallengeView(open=prepared, counters=counters(world), about=about, secret_about=secret)
    busy, leading = planning(world), bool(now.lead)
    made = world.now.roll if world.now.roll and world.now.roll.of == "challenge" else None
    asked, led = " · ".join(plan_says(now.plan)), now.lead or (made.who if made and lies(now, made) else "")
    hidden = now.plan.hidden or bool(world.rules.rolls[rule_of(world, now).roll].secret)
    return ChallengeView(
        title=plan_title(world, now.plan),
        facts=as_facts((*score(world, now), "" if hidden else asked, *now.plan.keywords)),
        secret_facts=asked if hidden else "",
        stakes=now.plan.stakes,
        secret_means=means(world, now),
        open=prepared,
        lead=lead_words(world, now),
        led_by="" if world.is_hidden(led) else led,
        leads=() if busy else lead_options(world, now),
        pools=pools(world, now) if leading else (),
        support=matrix(world, now) if leading and ways(world) else None,
        extras=extras(world, now) if leading and not busy else (),
        roll=RollChallenge() if leading and not busy else None,
        roll_closed=busy or ("" if leading else "nobody leads yet"),
        odds_secret=leading and odds_secret(world, now),
        hands=everybody(world, now, made) if now.thrown else hands(world, made) if made and lies(now, made) else (),
        prompt=prompt(world) if made or world.now.asked else None,
        outcome=challenge_outcome(world, now),
        counters=counters(world),
        about=about,
        secret_about=secret,
        words=Words(lead="lead" if alone(world) else "leads", again="next challenge"),
    )


def means(world: HomebrewWorld, now: Challenge) -> tuple[Line, ...]:
    """What each degree will mean, as far as the game says so."""
    bands = world.rules.rolls[rule_of(world, now).roll].bands
    return tuple(Line(label=band.title, value=band.say, tone=band.tone) for band in bands if band.title and band.say)


def odds_secret(world: HomebrewWorld, now: Challenge) -> bool:
    """Would the chances tell what only the GM knows?"""
    order = order_for(world, now.lead, now.stats)
    return is_hidden(world, order, world.rules.rolls[order.roll])


def pools(world: HomebrewWorld, now: Challenge) -> tuple[Pool, ...]:
    """What is about to be rolled, or lies there and does not count yet."""
    made, order = pending(world), order_for(world, now.lead, now.stats)
    if made is not None and made.of == "challenge":
        return fallen_pools(world, order, made)
    return () if planning(world) else ready_pools(world, order)


def plan_facts(world: HomebrewWorld, plan: Plan) -> str:
    """What it asks, and its keywords, on a line."""
    return " · ".join([*plan_says(plan), *plan.keywords])


def plan_says(plan: Plan) -> list[str]:
    """What it asks."""
    return [f"{name} {said}" for name, said in plan.says.items()]


def lies(now: Challenge, made: Made) -> bool:
    """Does a roll belong to what is open: to this challenge, and to whoever tried last?"""
    return made.stage == "open" or bool(now.outcome) or bool(now.last and not now.lead)


def lead_words(world: HomebrewWorld, now: Challenge) -> str:
    """Who leads with what."""
    if not now.lead:
        return ""
    rule = rule_of(world, now)
    verb = "tries" if rule.who == "in turn" else "leads"
    everybody = "" if alone(world) else ", everybody rolls"
    stats = ", ".join(now.stats.values())
    return f"{world.name(now.lead)} {verb}{f' · {stats}' if stats else ''}{everybody}"


def lead_options(world: HomebrewWorld, now: Challenge) -> tuple[Option, ...]:
    """Who could lead, with which stats."""
    out = []
    for choice in leads(world, {}):
        who = str(choice.value)
        groups = groups_of(world)[:2]
        some = [
            [c for c in stat_choices(world, who, group) if c.value != NONE or group != groups[0]] for group in groups
        ]
        for picked in product(*some):
            stats = [str(c.value) for c in picked]
            words = ", ".join(f"{c.words} {c.note}".strip() for c in picked if c.value != NONE)
            chosen = now.lead == who and list(now.stats.values()) == [s for s in stats if s != NONE]
            label = f"{choice.words} · {words}" if words else choice.words
            out.append(Option(label=label, action=Lead(who, *stats), closed=choice.closed, chosen=chosen))
    return tuple(out[:MOST_LEADS])


def matrix(world: HomebrewWorld, now: Challenge) -> Matrix:
    """Supporter × way of supporting: what each would give, or why not."""
    who = [w for w in world.players() if w != now.lead]
    names = list(ways(world))
    over = bool(planning(world))
    return Matrix(
        columns=tuple(world.rules.options[name].title or name for name in names),
        rows=tuple(
            Row(who=world.name(w), cells=tuple(cell(world, now, w, name, over) for name in names), id=w) for w in who
        ),
    )


def cell(world: HomebrewWorld, now: Challenge, who: str, how: str, over: bool) -> Option:
    """One way of one supporter."""
    mine = now.supports.get(who)
    chosen = mine is not None and mine.how == how
    some = support_stats(world, who, how)
    stat = mine.stat if mine and chosen else (some[0] if some else "")
    why = paid_for(world, mine) if mine and chosen else support_closed(world, who, how)
    option, scope = world.rules.options[how], support_scope(world, who, stat)
    return Option(
        label=gives_words(option, scope) or option.title or how,
        action=Withdraw(who) if chosen else Support(who, how),
        closed="" if over and chosen else why,
        chosen=chosen,
        note=", ".join(word for word in (stat, cost_words(option, scope)) if word),
    )


def extras(world: HomebrewWorld, now: Challenge) -> tuple[Option, ...]:
    """What the lead can choose before the roll."""
    keys = iter("bdfghmvwyz")  # those that the page leaves free
    return tuple(
        Option(
            label=choice.words,
            key=next(keys, ""),
            action=UseBefore(str(choice.value)),
            closed=choice.closed,
            chosen=choice.value in now.using,
            note=choice.note,
        )
        for choice in lead_before(world, {})
        if TIMES not in str(choice.value) or choice.value in now.using
    )


def everybody(world: HomebrewWorld, now: Challenge, made: Made | None) -> tuple[Hand, ...]:
    """The dice of all who rolled, the one that counts first."""
    hits, first = made.hits if made else 0, made.who if made else ""
    some = sorted(now.thrown.items(), key=lambda one: one[0] != first)
    return tuple(
        hand(world, world.name(who), thrown, total=now.rolled.get(who, ""), hits=hits, secret=gives_away(world, who))
        for who, thrown in some
    )


def challenge_outcome(world: HomebrewWorld, now: Challenge) -> Outcome | None:
    """How it came out; of one that goes on, how the last try went."""
    made = world.now.roll
    last = outcome(world, made) if made and made.of == "challenge" and now.last else None
    if not now.outcome:
        return replace(last, goes_on=True) if last and not now.lead else None
    tone: Tone = "good" if now.outcome == WON else "bad" if now.outcome == LOST else last.tone if last else ""
    return Outcome(
        title=now.outcome,
        tone=tone,
        detail=last.detail if last else "",
        next=last.next if last else "",
        because=rule_of(world, now).about,
    )
