"""The roll on the table: its dice, the choice that it waits for, and its outcome."""

from __future__ import annotations

from msgspec.structs import replace

from ....kit import common
from ....kit.common import is_secret
from ....rules import Counter, Face, Hand, Option, Outcome, Prompt
from ..asking import NONE, cost_words, option_words
from ..bands import facts_of, outcome_of
from ..dice import REROLLS, kept
from ..effects import gives_away, is_total_secret
from ..foretold import effect_words, roll_words
from ..making import after_scope, open_after
from ..meters import meter_title
from ..rolls import (
    Answer,
    Settle,
    Take,
    answer_closed,
    answer_order,
    answers,
    pending,
    policy,
    question_scope,
)
from ..scope import Scope, meter_ends, scope_of, shared_value
from ..thrown import tone_of, total_of
from ..world import Die, HomebrewWorld, Made, Question, Throw, roll_title, roller_name


def counters(world: HomebrewWorld) -> tuple[Counter, ...]:
    """The table's own counters, then clocks and tracks."""
    out = []
    for name, rule in world.rules.shared.items():
        least, most = meter_ends(world, "", name)
        value = shared_value(world, name)
        counter = Counter(
            name=meter_title(world, name), value=value, most=most, least=min(least, 0), secret=rule.secret
        )
        out.append(counter)
    return (*out, *common.counters(world))


def hand(
    world: HomebrewWorld,
    who: str,
    thrown: Throw,
    *,
    total: str = "",
    hits: int = 0,
    free: tuple[int, ...] = (),
    default: tuple[int, ...] = (),
    secret: bool = False,
) -> Hand:
    """A row of dice; those that do not count are muted, and hits (else the highest face) are good."""
    counted = set(kept(thrown))
    faces = tuple(
        Face(
            text="→".join(map(str, (die.face, *die.more))),
            sides=die.sides,
            tone="muted" if place not in counted else "good" if is_good(thrown, die, hits) else "",
            choosable=place in free,
            chosen=place in default,
            rerolled=bool(die.rerolled and not die.more),
            mark="exploded" if die.more else "rerolled" if die.rerolled else "",
        )
        for place, die in enumerate(thrown.dice)
    )
    plus = thrown.spec.plus
    shown = f"{total} (with {plus:+d})".replace("-", "−") if plus and total else total
    return Hand(who=who, faces=faces, total=shown, secret=secret)


def is_good(thrown: Throw, die: Die, hits: int) -> bool:
    """Is a die a hit, or one of the roll's own that shows its highest face?"""
    return die.face >= hits if hits else die.face == die.sides and not thrown.spec.groups[die.group].beside


def hands(world: HomebrewWorld, made: Made) -> tuple[Hand, ...]:
    """The dice of the roll, and those against it."""
    free, default = _picking(world, made)
    secret = gives_away(world, made.who)
    total = total_of(world, made) if not is_total_secret(world, made.who) else ""
    name = roller_name(world, made.who)
    mine = hand(world, name, made.mine, total=total, hits=made.hits, free=free, default=default, secret=secret)
    if made.theirs is None or made.roll not in world.rules.rolls:
        return (mine,)
    hidden = secret or gives_away(world, made.whom) or bool(world.rules.rolls[made.roll].secret)
    against = world.name(made.whom) if made.whom else "against it"
    return mine, hand(world, against, made.theirs, hits=made.hits, secret=hidden)


def _picking(world: HomebrewWorld, made: Made) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The dice that may be picked to be rolled again, and those that the rules would pick."""
    default = policy(world) if made is pending(world) else None
    if not isinstance(default, Take) or world.rules.options[default.option].gives.get("reroll") in (None, *REROLLS):
        return (), ()
    return tuple(kept(made.mine)), default.dice


def prompt(world: HomebrewWorld) -> Prompt | None:
    """The choice that the game waits for; Enter takes what is usual, else the roll counts."""
    if world.now.asked:
        return _question(world)
    made = pending(world)
    if made is None:
        return None
    rule, scope = world.rules.rolls[made.roll], scope_of(world, made)
    facts = facts_of(rule, scope, made)
    band = outcome_of(rule, scope, facts, made.steps)
    stands = band.title or str(facts["result"])
    name = roller_name(world, made.who)
    text = f"{name}: {stands}." if band.title else f"{name} has {stands}."
    settle = Option(label=f"let it count: {stands}", action=Settle())
    counted = replace(
        made, stage="done", band=band.title, tone=band.tone, result=facts["result"], margin=facts["margin"]
    )
    so_far = outcome(world, counted)
    default = policy(world)
    usual = default.option if isinstance(default, Take) else ""
    rest = [one for name in open_after(world, made) if name != usual for one in _after_options(world, made, name)]
    if not isinstance(default, Take):
        return Prompt(text=text, options=(settle, *rest), so_far=so_far)
    first = _after_option(world, usual, default.dice, "")
    free, _ = _picking(world, made)
    if not free:
        return Prompt(text=text, options=(first, settle, *rest), so_far=so_far)
    most = after_scope(world, made).number(world.rules.options[usual].gives["reroll"])
    keyed = [replace(one, key=key) for one, key in zip((settle, *rest), "kabcdefghij", strict=False)]
    return Prompt(
        text=text, options=(first, *keyed), pick="dice", most=most, so_far=so_far
    )  # digits pick dice: letters for the rest


def _after_options(world: HomebrewWorld, made: Made, name: str) -> list[Option]:
    """An option that can be taken; of one that rolls a single die again, one for each face that shows."""
    value = world.rules.options[name].gives.get("reroll")
    if value is None or value in REROLLS:
        return [_after_option(world, name, (), "")]
    many = after_scope(world, made).number(value)
    if many > 1:
        return [_after_option(world, name, (), f": the lowest {many}")]
    dice = {(die.sides, die.face): place for place, die in enumerate(made.mine.dice) if place in kept(made.mine)}
    return [_after_option(world, name, (dice[one],), f": the {one[1]}") for one in sorted(dice)]


def _after_option(world: HomebrewWorld, name: str, dice: tuple[int, ...], more: str) -> Option:
    option = world.rules.options[name]
    made = world.now.roll
    scope = after_scope(world, made) if made else Scope(world)
    label, note = f"{option.title or name}{more}", option_words(option, scope)
    return Option(label=label, action=Take(name, dice), note=note, secret=option.by == "gm")


def _question(world: HomebrewWorld) -> Prompt:
    asked = world.now.asked[0]
    options = []
    for name, stat in answers(world):
        option = world.rules.options[name]
        title, note = option.title or name, answer_note(world, asked, name, stat)
        secret = is_total_secret(world, asked.who)
        options.append(
            Option(
                label=f"{title}: {stat}" if stat else title,
                action=Answer(name, stat),
                closed=answer_closed(world, asked, name),
                note=option.about if secret else note,
                secret_note=note if secret else "",
            )
        )
    if not any(not o.closed for o in options):
        options.append(Option(label="let it go", action=Answer(NONE)))
    default = policy(world)
    options.sort(key=lambda o: o.action != default)
    return Prompt(text=f"{world.name(asked.who)} has to choose.", options=tuple(options))


def answer_note(world: HomebrewWorld, asked: Question, name: str, stat: str) -> str:
    """What an answer would bring: its dice and what they may move, what it does, what it costs."""
    option, scope = world.rules.options[name], question_scope(world, asked, name)
    order = answer_order(world, asked, name, stat)
    words = (
        roll_words(world, order) if order else "",
        effect_words(world, option.does, scope),
        cost_words(option, Scope(world, asked.who)),
    )
    return ", ".join(filter(None, words)) or option.about


def outcome(world: HomebrewWorld, made: Made) -> Outcome | None:
    """A roll that counts, in large."""
    rule = world.rules.rolls.get(made.roll)
    if made.stage != "done" or rule is None:
        return None
    band = next((band for band in rule.bands if band.title == made.band), None)
    open_numbers = not is_total_secret(world, made.who) and not rule.secret
    total, margin = f"{roll_title(world.rules, made.roll)}: {made.result}", ""
    if rule.against != "":
        margin = f", by {made.margin}" if made.margin >= 0 else f", short by {-made.margin}"
    open_margin = margin if not (made.whom and is_secret(world, made.whom)) else ""
    known, whole = (total + open_margin) if open_numbers else "", total + margin
    detail, all_of_it = (" · ".join(word for word in (words, made.told) if word) for words in (known, whole))
    return Outcome(
        title=made.band or str(made.result),
        tone=tone_of(made),
        detail=detail,
        secret_detail=all_of_it if all_of_it != detail else "",
        next=band.say if band else "",
        because=rule.about,
    )
