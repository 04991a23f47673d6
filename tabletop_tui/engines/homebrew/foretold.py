"""What something would do, in words, before it is done: beside what can be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .bands import hits_at, how, outcome_of, weighed
from .dice import spelled
from .fold import Fold, TooMuch
from .game import Effects, RollRule
from .gives import Ready, ready, sources
from .language import TermError, owned, target
from .making import Order
from .meters import meter_title
from .scope import Scope
from .world import HomebrewWorld, Spec, titled

UNTOLD = ("ask", "initiative", "timer")
"""Effects that say nothing beside a choice."""


def effect_words(world: HomebrewWorld, effects: Effects, scope: Scope | None = None) -> str:
    """What effects do: Harm +2, their HP −1d6; as its author wrote it where nobody's numbers are known."""
    return ", ".join(word for key, value in effects.items() if (word := _effect(world, key, value, scope)))


def _effect(world: HomebrewWorld, key: str, value: object, scope: Scope | None) -> str:
    owner, name = owned(key)
    if name in UNTOLD or not isinstance(value, int | str):
        return ""
    if name in ("condition", "cure"):
        rule = world.rules.lasting.get(str(value))
        word = titled(str(value), rule.title if rule else "")
        return f"no longer {word}" if name == "cure" else word
    title = "clock" if name == "clock" or name.startswith("clock ") else meter_title(world, name)
    return " ".join(filter(None, (owner, title, _amount(value, scope))))


def _amount(value: int | str, scope: Scope | None) -> str:
    text = str(value)
    if scope is not None:
        try:
            fixed, term = target(value)
            text = ("to " if fixed else "") + spelled(scope.spec(term))
        except TermError:
            text = str(value)
    return text if text.startswith("to ") else signed(text)


def signed(text: str) -> str:
    """A number or dice with their sign."""
    return f"−{text[1:]}" if text[:1] in "-−" else f"+{text}"


# ---- a roll


def dice_of(world: HomebrewWorld, order: Order) -> Ready:
    """The dice of a roll, with what holds by itself."""
    rule, scope = world.rules.rolls[order.roll], order.scope(world)
    return ready(scope, rule, list(sources(scope, rule, dict(order.taken), dict(order.helpers))))


def roll_words(world: HomebrewWorld, order: Order) -> str:
    """The dice of a roll, and between what its bands move meters, short enough to stand beside a choice."""
    rule, told = world.rules.rolls[order.roll], dice_of(world, order)
    moves = ", ".join(_moves(world, rule, order.scope(world), told))
    return " ".join(filter(None, (_short(spelled(told.mine)), moves)))


def _short(dice: str) -> str:
    for end, word in ((" keep highest 1", " high"), (" keep lowest 1", " low")):
        if dice.endswith(end):
            return dice.removesuffix(end) + word
    return dice


def _moves(world: HomebrewWorld, rule: RollRule, scope: Scope, told: Ready) -> Iterator[str]:
    """Of each meter or counter that a band moves by a number, the least and the most."""
    found: dict[str, set[int]] = {}
    ways = list(_ways(rule, scope, told))
    some = dict.fromkeys(key for effects, _ in ways for key in effects)
    for key in some:
        if owned(key)[1] not in (*world.rules.meters, *world.rules.shared):
            continue
        for effects, facts in ways:
            try:
                fixed, term = target(effects.get(key, 0))
                spec = scope.but(facts=facts).spec(term)
            except TermError:
                continue
            if not fixed and not spec.groups:
                found.setdefault(key, set()).add(spec.plus)
    for key, values in found.items():
        owner, name = owned(key)
        low, high = min(values), max(values)
        ends = f"{low}…{high}".replace("-", "−") if low < high else signed(str(low))
        if low or high:
            yield " ".join(filter(None, (owner, meter_title(world, name), ends)))


def _ways(rule: RollRule, scope: Scope, told: Ready) -> Iterator[tuple[dict[str, int | str], Mapping[str, int]]]:
    """What comes of everything that the dice can show."""
    hits = hits_at(rule, scope)
    try:
        mine = Fold(how(rule), hits).spec(told.mine)
        theirs = Fold(how(rule), hits, marks=False).spec(told.theirs) if told.theirs else None
    except TooMuch:
        return
    against = {read.value for read in theirs} if theirs is not None else {None}
    for read in mine:
        for value in against:
            facts = weighed(rule, scope, read, value, told.mine, told.theirs)
            does = outcome_of(rule, scope, facts, told.steps).does
            yield {key: v for key, v in does.items() if isinstance(v, int | str)}, facts


def promise(world: HomebrewWorld, order: Order) -> float:
    """By how much a roll comes out well on average."""
    rule, told = world.rules.rolls[order.roll], dice_of(world, order)
    hits = hits_at(rule, order.scope(world))
    try:
        mine, theirs = (_mean(Fold(how(rule), hits, marks=False), spec) for spec in (told.mine, told.theirs))
    except TooMuch:
        return 0.0
    return theirs - mine if how(rule) == "under" else mine - theirs


def _mean(fold: Fold, spec: Spec | None) -> float:
    return sum(read.value * p for read, p in fold.spec(spec).items()) if spec else 0.0
