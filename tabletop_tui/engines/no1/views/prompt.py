"""What the table asks: reroll or let it count, who goes next, what to do when time is up."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence
from typing import Any

from ....kit.common import is_secret, plural
from ....rules import Option, Prompt
from ..challenge import SetChallenge
from ..dice import default_reroll
from ..encounter import End, EndRound
from ..initiative import Next, may_go
from ..roll import LetGo, Reroll, Shift, usual
from ..world import No1World, Roll, ranks_left, side, zone_name, zone_of

ASKED: Any = ""
"""What an option leaves open: its form asks for it."""


def prompt(world: No1World) -> Prompt | None:
    """Reroll or let it count; else, between turns, who goes next."""
    roll = world.now.roll
    if roll is not None and roll.pending:
        return reroll_prompt(world, roll)
    turns = world.now.turns
    if not turns.running:
        return None
    if turns.timer == 0:
        more = Option(label="a round more", action=SetChallenge(world.now.challenge, 1), key="+")
        end = Option(label="end the encounter", action=End(), key="x", closed=End.when(world))
        return Prompt(text="Time is up.", options=(end, more))
    up = turns.current if turns.current and not world.is_hidden(turns.current) else ""
    if up and world.now.taken.get(up) != turns.round:
        return None
    ready = may_go(world)
    options = tuple(
        Option(label=name, action=Next(w), secret=world.is_hidden(w)) for w, name in one_of_each(world, ready)
    )
    act, end_round = usual(world), Option(label="end the round", action=EndRound(), key="d")
    if act is not None:  # a hidden one is up: the GM goes on with it, the players see what they saw before
        with_ = f" with {act.skill}" if act.skill else ""
        own = Option(label=f"act{with_}: is seen", action=act, key="r", secret=True)
        return Prompt(text=f"{world.name(act.who)} is up, unseen.", options=(own, *options, end_round))
    seen = [w for w in ready if not world.is_hidden(w)]
    spare = ""
    if up and world.now.shifted.get(up) != turns.round:
        spare = f"{world.name(up)} still has a Shift. "
        options = (*options, Option(label="shift", action=Shift(up, ASKED), key="s"))
    options = (*options, end_round)
    if not seen:
        return Prompt(text=f"{spare}Everybody has acted.", options=options)
    theirs = side(world, seen[0])
    gone = "" if theirs == turns.holder else f"The {turns.holder} have all acted. "
    return Prompt(text=f"{spare}{gone}Which of the {theirs} goes next?", options=options)


def one_of_each(world: No1World, ready: Sequence[str]) -> list[tuple[str, str]]:
    """Of identical foes that stand together it makes no difference who goes: one of them, and how many there are."""
    kinds: dict[tuple[str, str, bool, str], list[str]] = {}
    for who in ready:
        alike = (world.now.copies.get(who) or who, zone_of(world, who), world.is_hidden(who))
        marked = any(c.who == who for c in world.now.conditions.values())
        kinds.setdefault((*alike, who if marked else ""), []).append(who)
    often = Tally((kind[0], kind[2]) for kind in kinds)

    def where(kind: tuple[str, str, bool, str]) -> str:
        return f", {zone_name(world, kind[1])}" if often[kind[0], kind[2]] > 1 else ""

    return [
        (some[0], world.name(some[0]) if len(some) == 1 else f"{world.name(kind[0])} (1 of {len(some)}{where(kind)})")
        for kind, some in kinds.items()
    ]


def reroll_prompt(world: No1World, roll: Roll) -> Prompt:
    """The 1s on the table; the first option is the default, and dice can be picked for it."""
    left, ones = ranks_left(world, roll.who, roll.trait), roll.ones()
    # the ranks that one of the GM's own has left are a secret, and each option tells of them
    unseen = world.is_hidden(roll.who) or is_secret(world, roll.who)
    some = tuple(ones[:1]) if left else ()
    default = default_reroll(world, roll)
    again = Option(
        label=f"reroll {'it' if len(ones) == 1 else f'a d{roll.dice[ones[0]].sides}'}",
        action=Reroll(some),
        key="g",
        closed="" if some else f"no ranks of {roll.trait} are left",  # a sheet was edited while the roll lay there
        secret=unseen,
    )
    # with no dice to pick by default, the same action lets go, so that dice can still be picked instead
    keep = Option(label="let it count", action=LetGo() if default else Reroll(), key="n", secret=unseen)
    shown = "A die shows 1" if len(ones) == 1 else f"{len(ones)} dice show 1"
    text = f"{shown}: reroll? {plural(left, 'rank')} of {roll.trait} left"
    return Prompt(text=text, options=(again, keep) if default else (keep, again), pick="dice", most=left)
