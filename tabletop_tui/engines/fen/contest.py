"""Contests of skill against skill, in the order in which they happen at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from ...kit.ahead import refusal
from ...kit.asking import said
from ...kit.cast import met
from ...kit.common import is_secret
from ...kit.told import Told
from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .changes import put_in, spent
from .dice import Fallen, Throw, fall, parse_pair
from .hiding import found_in, hides_in, is_whispered, left_out, lies_in_wait
from .social import fresh_pairs, is_social, pairs, used_up
from .world import Contest, Defender, FenWorld, is_down, known_skills, skill_throw

# ---- 1. a contest is opened


def standing(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, closed where they are down; a contest with somebody unseen in it is for the GM alone."""
    return [
        Choice(w, world.name(w), cannot(world, w), "unseen: for the GM alone" if lies_in_wait(world, w) else "")
        for w in world.present()
    ]


def cannot(world: FenWorld, who: str) -> str:
    """Why somebody cannot take part in a contest; empty where they can."""
    return "not here" if not world.is_here(who) else "down" if is_down(world, who) else ""


def others(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else."""
    return [c for c in standing(world, fields) if c.value != fields.get("who")]


def spelled(world: FenWorld, pair: str) -> tuple[str, str]:
    """The two skills of a contest as the table writes them, however they were typed."""
    known = {s.casefold(): s for s in known_skills(world)}
    first, second = parse_pair(pair)
    return known.get(first.casefold(), first), known.get(second.casefold(), second)


class ContestOpened(Told, tag="contest_opened"):
    """A contest is about to be rolled."""

    rule = "a contest is written skill/skill, the aggressor's first"
    contest: Contest

    def apply(self, world: FenWorld) -> FenWorld:
        return world.live(contest=self.contest)

    def is_secret(self, world: FenWorld) -> bool:
        return is_whispered(world, self.contest)

    def words(self, world: FenWorld) -> str:
        c = self.contest
        against = ", ".join(world.name(w) for w in c.defenders) or "nobody yet"
        head = f"{c.title}: " if c.title else ""
        stakes = f". At stake: {c.stakes}" if c.stakes else ""
        return f"{head}{world.name(c.who)} against {against}, {c.pair}{stakes}"

    def whispers(self, world: FenWorld) -> str:
        names = ", ".join(world.name(w) for w in left_out(world, self.contest))
        without = f"Prepared for it too, and left out while unseen: {names}" if names else ""
        return ". ".join(filter(None, (super().whispers(world), without)))


class ContestClosed(Told, tag="contest_closed"):
    """The contest was closed."""

    def apply(self, world: FenWorld) -> FenWorld:
        return world.live(contest=None)

    def is_secret(self, world: FenWorld) -> bool:
        return is_whispered(world, world.now.contest)

    def words(self, world: FenWorld) -> str:
        contest = world.now.contest
        if contest is None:
            return ""
        return f"{contest.title or 'The contest'} is {'closed' if contest.fallen is None else 'over'}"


def effect_left(world: FenWorld) -> str:
    """What is lost when a rolled contest is closed or goes on; empty where nothing is."""
    contest = world.now.contest
    if contest is None or not contest.effect.words or not contest.unstruck:
        return ""
    names = ", ".join(world.name(w) for w in contest.unstruck)
    return f"Leave out {contest.effect.words!r}? It has not been applied to {names}."


def open_anew(world: FenWorld, contest: Contest) -> tuple[Event, ...]:
    """A contest begins; one that was open is over."""
    waiting = tuple(w for w in contest.parties if hides_in(world, contest, w))
    closed = (*met(world), *put_in(world), ContestClosed()) if world.now.contest else ()
    return (*closed, ContestOpened(replace(contest, unseen=waiting)))


class BeginsContest(Action):
    """Puts a contest on the table in the place of one that may not be over."""

    screens: ClassVar[tuple[str, ...]] = ("contest",)
    leads_to = "contest"

    @classmethod
    def warns(cls, world: FenWorld) -> str:
        contest = world.now.contest
        if contest is None or contest.fallen:
            return effect_left(world)
        return f"Close {contest.title or contest.pair}? It has not been rolled yet."


class NewContest(BeginsContest, tag="contest"):
    """Begin a contest: one aggressor, two skills such as fight/vigor, one defender or many."""

    title = "new contest"
    key = "n"
    done_by = "who"
    asks = True
    who: Annotated[str, Ask(standing, "aggressor")]
    contest: Annotated[str, Ask(pairs, other=True), Meta(max_length=160)]
    against: Annotated[tuple[str, ...], Ask(others)]
    stakes: Annotated[str, Meta(max_length=400)] = ""
    risk: Annotated[str, Meta(max_length=400)] = ""
    hidden: bool = False

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return "" if sum(not c.closed for c in standing(world, {})) > 1 else "there is nobody to contest with"

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        skill, using = spelled(world, self.contest)
        against = {w: Defender() for w in self.against}
        words = self.stakes.strip(), self.risk.strip()
        return open_anew(world, Contest(self.who, skill, using, "", against, *words, hidden=self.hidden))


class Close(Action, tag="close"):
    """Close the contest."""

    title = "close it"
    key = "c"
    screens = ("contest",)
    warns = staticmethod(effect_left)

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return "" if world.now.contest else "no contest is open"

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        return (*met(world), *put_in(world), ContestClosed())


# ---- 2. who defends, with which skills, for what


class ContestChanged(Told, tag="contest_changed"):
    """Who is in a contest, its skills or its stakes changed before the roll."""

    contest: Contest
    what: str = ""

    def apply(self, world: FenWorld) -> FenWorld:
        return world.live(contest=self.contest)

    def words(self, world: FenWorld) -> str:
        return self.what

    def is_secret(self, world: FenWorld) -> bool:
        return is_whispered(world, self.contest) or is_whispered(world, world.now.contest)


def building(world: FenWorld) -> str:
    """Why the contest cannot be changed now; empty where it can."""
    contest = world.now.contest
    if contest is None:
        return "no contest is open"
    return "already rolled" if contest.fallen else ""


class Building(Action):
    """Something that is done to a contest before its dice fall."""

    screens = ("contest",)
    when = staticmethod(building)


def joinable(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who could defend as well."""
    contest = world.now.contest
    if contest is None:
        return []
    inside = {contest.who, *contest.defenders}
    return [c for c in standing(world, fields) if c.value not in inside]


def defending(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who defends."""
    contest = world.now.contest
    return [Choice(w, world.name(w)) for w in contest.defenders] if contest else []


class Defend(Building, tag="defend"):
    """Put one more defender into the contest."""

    title = "add a defender"
    key = "d"
    done_by = "who"
    who: Annotated[str, Ask(joinable)]

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        contest = opened(world)
        waits = hides_in(world, contest, self.who)
        unseen = (*contest.unseen, self.who) if waits else contest.unseen
        more = replace(contest, defenders={**contest.defenders, self.who: Defender()}, unseen=unseen)
        return (ContestChanged(more, f"{world.name(self.who)} defends too"),)


class StandAside(Building, tag="stand_aside"):
    """Take a defender out of the contest."""

    title = "drop a defender"
    key = "s"
    who: Annotated[str, Ask(defending)]

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        contest = opened(world)
        rest = {w: d for w, d in contest.defenders.items() if w != self.who}
        less = replace(contest, defenders=rest, unseen=tuple(w for w in contest.unseen if w != self.who))
        return (ContestChanged(less, f"{world.name(self.who)} stands aside"),)


class AggressorBuilds(Building):
    """The same, for whoever began the contest to do."""

    @classmethod
    def actor(cls, world: FenWorld, fields: Mapping[str, Any]) -> str:
        return world.now.contest.who if world.now.contest else ""


class NameStakes(AggressorBuilds, tag="stakes"):
    """Say what the aggressor wins, and what they lose. A social contest is not rolled without."""

    title = "name the stakes"
    key = "k"
    stakes: Annotated[str, Meta(max_length=400)]
    risk: Annotated[str, Meta(max_length=400)] = ""

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        stakes, risk = said(self.stakes, "stakes need words", "Say what the aggressor wins."), self.risk.strip()
        named = replace(opened(world), stakes=stakes, risk=risk)
        return (ContestChanged(named, f"At stake: {stakes}" + (f"; at risk: {risk}" if risk else "")),)


class Choose(AggressorBuilds, tag="skills"):
    """Roll the contest with another pair of skills."""

    title = "other skills"
    key = "p"
    asks = True
    contest: Annotated[str, Ask(fresh_pairs, other=True), Meta(max_length=160)]

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        skill, using = spelled(world, self.contest)
        changed = replace(opened(world), skill=skill, using=using)
        if why := used_up(world, changed.pair):
            raise Refused(why, remedy="Choose another pair of skills.")
        return (ContestChanged(changed, f"The contest is {changed.pair}"),)


def opened(world: FenWorld) -> Contest:
    """The contest that is open."""
    contest = world.now.contest
    if contest is None:
        raise Refused("no contest is open", remedy="Open one.")
    return contest


# ---- 3. the dice fall


class ContestRolled(Event, tag="contest_rolled"):
    """The aggressor rolled once, and each defender alone."""

    rule = "the aggressor must beat the defender; a tie is the defender's; each defender is won or lost alone"
    contest: Contest

    def apply(self, world: FenWorld) -> FenWorld:
        return world.live(contest=self.contest)

    def _behind(self, world: FenWorld, who: str) -> bool:
        """Are somebody's dice behind the GM's screen?"""
        return self.contest.hidden and is_secret(world, who)

    def _words(self, world: FenWorld, *, hide: bool) -> str:
        c = self.contest
        fell = {c.who: c.fallen, **{w: d.fallen for w, d in c.defenders.items()}}
        ends = {w: ": beaten" if d.beaten else ": holds" for w, d in c.defenders.items()}
        rows = []
        for who, fallen in fell.items():
            shown = "rolls unseen" if fallen is None or (hide and self._behind(world, who)) else fallen.words
            rows.append(f"{world.name(who)} {shown}{ends.get(who, '')}")
        then = f". {'Won' if c.beaten else 'Lost'}: {c.then}" if c.then else ""
        return f"{c.title or c.pair}: {'; '.join(rows)}{then}"

    def says(self, world: FenWorld) -> str:
        return "" if is_whispered(world, world.now.contest) else self._words(world, hide=True)

    def whispers(self, world: FenWorld) -> str:
        if is_whispered(world, world.now.contest):
            return self._words(world, hide=False)
        c = self.contest
        fell = {c.who: c.fallen, **{w: d.fallen for w, d in c.defenders.items()}}
        return "; ".join(f"{world.name(w)} {f.words}" for w, f in fell.items() if f and self._behind(world, w))

    def outcome(self) -> Mapping[str, str | int]:
        c = self.contest
        beaten = len(c.beaten)
        if len(c.defenders) == 1:
            return {"outcome": "won" if beaten else "lost"}
        every = "beats all" if beaten == len(c.defenders) else "beats some" if beaten else "beats none"
        each = {against(w): "won" if d.beaten else "lost" for w, d in c.defenders.items()}
        return {"outcome": every, "beaten": beaten, **each}


def against(who: str) -> str:
    """The name of the group of chances of one of several defenders: ids, as names need not differ."""
    return f"against {who}"


def ready(world: FenWorld) -> str:
    """Why the contest cannot be rolled; empty where it can."""
    if why := building(world):
        return why
    contest = opened(world)
    if not contest.defenders:
        return "nobody defends"
    for who in contest.parties:
        if why := cannot(world, who):
            return f"{world.name(who)}, {why}: {'close it' if who == contest.who else 'drop that defender'}"
        if why := refusal(_throw, world, contest, who):
            return f"{world.name(who)}: {why}"
    if is_social(world, contest.pair) and not contest.stakes:
        return "name the stakes first: this is a social contest"
    return used_up(world, contest.pair)


class RollContest(AggressorBuilds, tag="roll_contest"):
    """Roll the contest: the aggressor once, every defender alone."""

    title = "roll the contest"
    when = staticmethod(ready)

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        contest = opened(world)
        mine = _fall(world, dice, contest, contest.who)
        defenders = {}
        for who in contest.defenders:
            fallen = _fall(world, dice, contest, who)
            defenders[who] = Defender(fallen, beaten=mine.total > fallen.total)
        used = {**contest.used, contest.pair: contest.round}
        rolled = replace(contest, fallen=mine, defenders=defenders, used=used)
        after = [event for who in contest.parties for event in spent(world, who, "contest")]
        return (ContestRolled(rolled), *after, *found_in(world, rolled))


def _throw(world: FenWorld, contest: Contest, who: str) -> Throw:
    return skill_throw(world, who, contest.skill if who == contest.who else contest.using, "contest")


def _fall(world: FenWorld, dice: Dice, contest: Contest, who: str) -> Fallen:
    secret = is_whispered(world, contest) or (contest.hidden and is_secret(world, who))
    skill = contest.skill if who == contest.who else contest.using
    return fall(dice, f"{world.name(who)}: {skill}", _throw(world, contest, who), secret=secret, of=who)
