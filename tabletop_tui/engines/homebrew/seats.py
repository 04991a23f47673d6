"""What players know: the world without the GM's numbers and without what a roll asks in secret."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ...kit.known import known_world
from ...kit.seen import is_secret, unseen
from .effects import gives_away, is_total_secret
from .making import after_scope
from .world import Challenge, Contest, HomebrewScene, HomebrewSheet, HomebrewWorld, Made, Question, Side, Throw


def seen_by(world: HomebrewWorld, _seat: str) -> HomebrewWorld:
    """Everybody at the table knows the same."""
    rules, now = world.rules, world.now
    open_meters = [name for name, rule in rules.meters.items() if not rule.secret]
    meters = {
        who: {name: value for name, value in held.items() if name in open_meters}
        for who, held in now.meters.items()
        if who in world.sheets and not is_secret(world, who) and not unseen(world, who)
    }
    players = world.players()
    used = {
        span: {name: {w: n for w, n in people.items() if w in players} for name, people in options.items()}
        for span, options in now.used.items()
    }
    last = {
        roll: {name: said for name, said in answers.items() if _told(world, roll, name)}
        for roll, answers in now.last.items()
        if roll in rules.rolls
    }
    return known_world(
        world,
        sheet=lambda who: HomebrewSheet(world.name(who)),
        scene=lambda one: HomebrewScene(one.title, one.about),
        live={
            "meters": meters,
            "shared": {
                name: n for name, n in now.shared.items() if name in rules.shared and not rules.shared[name].secret
            },
            "used": used,
            "last": last,
            "roll": _known_roll(world, now.roll),
            "asked": tuple(_known_question(world, asked) for asked in now.asked if not gives_away(world, asked.who)),
            "challenge": _known_challenge(world, now.challenge),
            "contest": _known_contest(world, now.contest),
        },
    )


def _told(world: HomebrewWorld, roll: str, name: str) -> bool:
    """May players know what was answered last?"""
    whose = name.rpartition(" of ")[2] if " of " in name else ""
    if whose:
        return whose in world.players()
    return name != "clock" and name not in world.rules.rolls[roll].secret


def _open_says(world: HomebrewWorld, roll: str, says: Mapping[str, str]) -> dict[str, str]:
    rule = world.rules.rolls.get(roll)
    clocks = world.now.clocks
    hidden = [*(rule.secret if rule else ()), *(("clock",) if _secret_clock(clocks, says) else ())]
    return {name: said for name, said in says.items() if name not in hidden}


def _secret_clock(clocks: Mapping[str, object], says: Mapping[str, str]) -> bool:
    clock = clocks.get(says.get("clock", ""))
    return bool(getattr(clock, "secret", False))


def _known_roll(world: HomebrewWorld, made: Made | None) -> Made | None:
    """The dice that lie open; what is added by one of the GM's own, and what a roll is against, may be a secret."""
    if made is None or gives_away(world, made.who) or made.roll not in world.rules.rolls:
        return None
    rule, margin = world.rules.rolls[made.roll], after_scope(world, made).facts.get("margin", 0)
    # that it went well or not is told, and options look at it; by how much is the GM's
    side = (margin > 0) - (margin < 0)
    says = _open_says(world, made.roll, made.says)
    made = replace(made, says=says)
    if is_total_secret(world, made.who):
        mine = Throw(replace(made.mine.spec, plus=0), made.mine.dice)
        made = replace(made, mine=mine, stats={}, result=0, margin=side)
    if made.whom and gives_away(world, made.whom):
        made = replace(made, whom="", theirs=None, against=None, margin=side)
    if rule.secret or (made.whom and is_secret(world, made.whom)):
        theirs = (
            None if rule.secret or made.theirs is None else Throw(replace(made.theirs.spec, plus=0), made.theirs.dice)
        )
        made = replace(made, theirs=theirs, against=None, margin=side)
    return made


def _known_question(world: HomebrewWorld, asked: Question) -> Question:
    whom = "" if asked.whom and gives_away(world, asked.whom) else asked.whom
    rule = world.rules.rolls.get(asked.roll)
    facts = {} if (rule and rule.secret) or is_secret(world, asked.who) else asked.facts
    return replace(asked, whom=whom, says=_open_says(world, asked.roll, asked.says), facts=facts)


def _known_challenge(world: HomebrewWorld, now: Challenge | None) -> Challenge | None:
    rule = world.rules.challenges.get(now.plan.challenge) if now else None
    if now is None or rule is None:
        return None
    hidden = list(now.plan.says) if now.plan.hidden else world.rules.rolls[rule.roll].secret
    says = {name: said for name, said in now.plan.says.items() if name not in hidden}
    return replace(now, plan=replace(now.plan, says=says))


def _known_contest(world: HomebrewWorld, now: Contest | None) -> Contest | None:
    if now is None or gives_away(world, *now.sides):
        return None
    sides = {who: _known_side(world, who, side) for who, side in now.sides.items()}
    return replace(now, sides=sides)


def _known_side(world: HomebrewWorld, who: str, side: Side) -> Side:
    if not is_secret(world, who):
        return side
    thrown = Throw(replace(side.throw.spec, plus=0), side.throw.dice) if side.throw else None
    return replace(side, stat="", used=(), throw=thrown, result=0)
