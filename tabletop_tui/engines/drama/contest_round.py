"""The end of a contest's round: what losing costs, what has been used, who yields."""

from __future__ import annotations

from msgspec.structs import replace

from ...kit.seen import is_secret
from ...kit.told import Told
from ...rules import Event
from .campaign import COMPOSURE, line_kinds
from .penalties import gain
from .points import PoolChanged
from .world import Contest, DramaWorld, Party, Roll, Verdict, hides, many, of_contest, person

DISCOMBOBULATED = "discombobulated"


class RoundEnded(Told, tag="round_ended"):
    """A round of a contest is over: what was used in it, who has momentum, who yields."""

    rule = "the winner has momentum; the loser takes penalty dice by the level of success; Composure 0 yields"
    winner: str
    used: dict[str, dict[str, int]]
    yielded: str = ""

    def apply(self, world: DramaWorld) -> DramaWorld:
        contest = world.now.contest
        if contest is None:
            return world
        parties = {w: replace(p, used={**p.used, **self.used.get(w, {})}) for w, p in contest.parties.items()}
        ended = replace(
            contest,
            parties=parties,
            momentum=self.winner or contest.momentum,
            yielded=self.yielded or contest.yielded,
        )
        return world.live(contest=ended)

    def words(self, world: DramaWorld) -> str:
        return f"{world.name(self.yielded)} yields" if self.yielded else ""

    def is_secret(self, world: DramaWorld) -> bool:
        return hides(world, of_contest(world.now.contest))


def round_result(
    world: DramaWorld, contest: Contest, roll: Roll, verdict: Verdict
) -> tuple[list[Event], list[str], list[str]]:
    """A round was rolled: what losing costs, who has momentum, who yields; the same in words; and what of these
    words is for the GM alone."""
    used = {w: dict.fromkeys(used_now(world, w, p), contest.round) for w, p in contest.parties.items()}
    if not verdict.winner:
        return [RoundEnded("", used)], ["both fail; momentum stays where it is"], []
    won = roll.sides[verdict.winner]
    lost = roll.sides[won.against]
    dice = max(verdict.level, world.rules.contest_penalty)
    events: list[Event] = list(gain(world, lost.who, DISCOMBOBULATED, dice)) if dice else []
    after = [f"{lost.name}: {many(dice, 'penalty')} ({DISCOMBOBULATED})"] if dice else []
    yielded, quiet = "", []
    sheet = world.sheets[lost.who]
    if not sheet.player and sheet.composure > 0:
        before = person(world, lost.who).composure
        left = max(before - dice, 0)
        if left != before:
            events.append(PoolChanged(lost.who, "composure", left, "the contest", is_secret(world, lost.who)))
        after.append(f"{COMPOSURE} {before} → {left}")
        quiet = after[-1:] if is_secret(world, lost.who) else []
        if left == 0:
            yielded = lost.who
            after.append(f"{lost.name} yields")
    after.append(f"momentum: {won.name}")
    return [*events, RoundEnded(won.who, used, yielded)], after, quiet


def used_now(world: DramaWorld, who: str, party: Party) -> list[str]:
    """The skill and the advantages of a round, which cannot serve again; Composure always can."""
    skill = party.using.removeprefix("direct:").removeprefix("indirect:")
    names = [skill] if skill and party.using != COMPOSURE else []
    names += [line.text for line in party.lines.values() if line.kind in line_kinds(world.rules)]
    way, _, advantage = party.point.partition(":")
    return [*names, advantage] if way == "advantage" else names


EVENTS: tuple[type[Event], ...] = (RoundEnded,)
