"""Contests of skill against skill, in the order in which they happen at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .dice import Fallen, fall, parse_pair
from .modifiers import spent
from .world import (
    Contest,
    Defender,
    FenWorld,
    Plan,
    is_down,
    is_hidden,
    is_secret,
    known_skills,
    lies_in_wait,
    skill_throw,
)

# ---- 1. a contest is opened


def plans(world: FenWorld) -> dict[str, Plan]:
    """Every prepared contest as scene/contest, those of the scene that is on first."""
    scenes = sorted(world.scenes.items(), key=lambda kv: kv[0] != world.now.scene)
    return {f"{s}/{c}": plan for s, scene in scenes for c, plan in scene.contests.items()}


def prepared(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The prepared contests."""
    return [Choice(i, p.title or p.contest) for i, p in plans(world).items()]


def standing(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, closed where they are down; a contest is open to all eyes, so a fight's unseen stay out of it."""
    return [
        Choice(w, world.name(w), cannot(world, w), "unseen so far" if lies_in_wait(world, w) else "")
        for w in world.present()
    ]


def cannot(world: FenWorld, who: str) -> str:
    """Why somebody cannot take part in a contest; empty where they can."""
    if not world.is_here(who):
        return "not here"
    return "down" if is_down(world, who) else "unseen: reveal them first" if is_hidden(world, who) else ""


def others(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else."""
    return [c for c in standing(world, fields) if c.value != fields.get("who")]


def pairs(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every contest of two known skills, as `fight/vigor`; what the aggressor can do best stands first."""
    skills = known_skills(world)
    sheet = world.sheets.get(fields.get("who", "") or (world.now.contest.who if world.now.contest else ""))
    own = {s.casefold() for s in sheet.skills} if sheet else set()
    first = sorted(skills, key=lambda s: s.casefold() not in own)
    return [Choice(f"{mine}/{theirs}") for mine in first for theirs in skills]


def is_social(world: FenWorld, pair: str) -> bool:
    """Words against wits: two social skills, articulate or will among them where the table has those."""
    skills = {s.casefold() for s in parse_pair(pair)}
    social = {s.casefold() for s in world.rules.social_skills}
    spoken = social & {"articulate", "will"}
    return skills <= social and bool(not spoken or skills & spoken)


def spelled(world: FenWorld, pair: str) -> tuple[str, str]:
    """The two skills of a contest as the table writes them, however they were typed."""
    known = {s.casefold(): s for s in known_skills(world)}
    first, second = parse_pair(pair)
    return known.get(first.casefold(), first), known.get(second.casefold(), second)


class ContestOpened(Event, tag="contest_opened"):
    """A contest is about to be rolled."""

    rule = "a contest is written skill/skill, the aggressor's first"
    contest: Contest

    def apply(self, world: FenWorld) -> FenWorld:
        return world.live(contest=self.contest)

    def says(self, world: FenWorld) -> str:
        c = self.contest
        against = ", ".join(world.name(w) for w in c.defenders) or "nobody yet"
        head = f"{c.title}: " if c.title else ""
        stakes = f". At stake: {c.stakes}" if c.stakes else ""
        return f"{head}{world.name(c.who)} against {against}, {c.pair}{stakes}"


class ContestClosed(Event, tag="contest_closed"):
    """The contest was put away."""

    def apply(self, world: FenWorld) -> FenWorld:
        return world.live(contest=None)

    def says(self, world: FenWorld) -> str:
        contest = world.now.contest
        if contest is None:
            return ""
        return f"{contest.title or 'The contest'} is {'put aside' if contest.fallen is None else 'over'}"


class Open(Action, tag="open"):
    """Open a prepared contest."""

    title = "open a contest"
    key = "o"
    screens = ("contest",)
    leads_to = "contest"
    contest: Annotated[str, Ask(prepared)]
    who: Annotated[str, Ask(standing)] = ""

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        plan = plans(world)[self.contest]
        who = self.who or plan.who
        if cannot(world, who):
            name = world.name(who) if who else "nobody"
            raise Refused(f"{name} cannot be the aggressor", remedy="Name somebody who is there and standing.")
        skill, using = spelled(world, plan.contest)
        # nobody is given away by opening what was prepared: the unseen are put in one by one
        able = [w for w in plan.against if not cannot(world, w) and not lies_in_wait(world, w)]
        against = {w: Defender() for w in able if w != who}
        opened = Contest(who, skill, using, plan.title, against, plan.stakes, plan.risk, plan.effect, plan.hidden)
        return (ContestOpened(opened),)


class NewContest(Action, tag="contest"):
    """Begin a contest: one aggressor, two skills such as fight/vigor, one defender or many."""

    title = "new contest"
    key = "n"
    screens = ("contest",)
    leads_to = "contest"
    who: Annotated[str, Ask(standing, "aggressor")]
    contest: Annotated[str, Ask(pairs)]
    against: Annotated[tuple[str, ...], Ask(others)]
    stakes: Annotated[str, Meta(max_length=400)] = ""
    risk: Annotated[str, Meta(max_length=400)] = ""
    hidden: bool = False

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        skill, using = parse_pair(self.contest)
        against = {w: Defender() for w in self.against}
        words = self.stakes.strip(), self.risk.strip()
        return (ContestOpened(Contest(self.who, skill, using, "", against, *words, hidden=self.hidden)),)


class Close(Action, tag="close"):
    """Put the contest away."""

    title = "put away"
    key = "c"
    screens = ("contest",)

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return "" if world.now.contest else "no contest is open"

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        return (ContestClosed(),)


# ---- 2. who defends, with which skills, for what


class ContestChanged(Event, tag="contest_changed"):
    """Who is in a contest, its skills or its stakes changed before the roll."""

    contest: Contest
    what: str = ""

    def apply(self, world: FenWorld) -> FenWorld:
        return world.live(contest=self.contest)

    def says(self, world: FenWorld) -> str:
        return self.what


def building(world: FenWorld) -> str:
    """Why the contest cannot be changed now; empty where it can."""
    contest = world.now.contest
    if contest is None:
        return "no contest is open"
    return "the dice have fallen" if contest.fallen else ""


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


class Defend(Action, tag="defend"):
    """Put one more defender into the contest."""

    title = "add a defender"
    key = "d"
    screens = ("contest",)
    who: Annotated[str, Ask(joinable)]

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return building(world)

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        contest = _open(world)
        more = replace(contest, defenders={**contest.defenders, self.who: Defender()})
        return (ContestChanged(more, f"{world.name(self.who)} defends too"),)


class StandAside(Action, tag="stand_aside"):
    """Take a defender out of the contest."""

    title = "drop a defender"
    key = "s"
    screens = ("contest",)
    who: Annotated[str, Ask(defending)]

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return building(world)

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        contest = _open(world)
        rest = {w: d for w, d in contest.defenders.items() if w != self.who}
        return (ContestChanged(replace(contest, defenders=rest), f"{world.name(self.who)} stands aside"),)


class NameStakes(Action, tag="stakes"):
    """Say what the aggressor wins, and what they lose. A social contest is not rolled without."""

    title = "name the stakes"
    key = "k"
    screens = ("contest",)
    stakes: Annotated[str, Meta(max_length=400)]
    risk: Annotated[str, Meta(max_length=400)] = ""

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return building(world)

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        stakes, risk = self.stakes.strip(), self.risk.strip()
        if not stakes:
            raise Refused("stakes need words", remedy="Say what the aggressor wins.")
        named = replace(_open(world), stakes=stakes, risk=risk)
        return (ContestChanged(named, f"At stake: {stakes}" + (f"; at risk: {risk}" if risk else "")),)


def fresh_pairs(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Pairs of skills, closed where a social contest has used them up."""
    return [Choice(c.value, "", used_up(world, c.value)) for c in pairs(world, fields)]


def used_up(world: FenWorld, pair: str) -> str:
    """Why a pair of skills cannot be rolled in this contest; empty where it can."""
    contest = world.now.contest
    if contest is None or not is_social(world, pair):
        return ""
    before = {name.casefold(): at for name, at in contest.used.items()}
    at = before.get(pair.casefold(), 0)
    coming = contest.round + (contest.fallen is not None)
    if not at or not (world.rules.pairs_once or at == coming - 1):
        return ""
    return f"{pair} was used in round {at}; a social contest needs another pair"


class Choose(Action, tag="skills"):
    """Roll the contest with another pair of skills."""

    title = "other skills"
    key = "p"
    screens = ("contest",)
    contest: Annotated[str, Ask(fresh_pairs)]

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return building(world)

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        skill, using = parse_pair(self.contest)
        return (ContestChanged(replace(_open(world), skill=skill, using=using), f"The contest is {self.contest}"),)


def _open(world: FenWorld) -> Contest:
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

    def _one(self, world: FenWorld, who: str, fallen: Fallen | None, *, hide: bool) -> str:
        shown = "rolls unseen" if fallen is None or (hide and is_secret(world, who)) else fallen.words
        return f"{world.name(who)} {shown}"

    def _words(self, world: FenWorld, *, hide: bool) -> str:
        c = self.contest
        rows = [self._one(world, c.who, c.fallen, hide=hide)]
        for who, d in c.defenders.items():
            rows.append(f"{self._one(world, who, d.fallen, hide=hide)}: {'beaten' if d.beaten else 'holds'}")
        return f"{c.pair}: {'; '.join(rows)}"

    def says(self, world: FenWorld) -> str:
        return self._words(world, hide=self.contest.hidden)

    def whispers(self, world: FenWorld) -> str:
        return self._words(world, hide=False) if self.contest.hidden else ""

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
    contest = world.now.contest
    if why := building(world):
        return why
    assert contest is not None
    if not contest.defenders:
        return "nobody defends"
    for who in (contest.who, *contest.defenders):
        if why := cannot(world, who):
            return f"{world.name(who)}, {why}: {'put it away' if who == contest.who else 'drop that defender'}"
    if is_social(world, contest.pair) and not contest.stakes:
        return "name the stakes first: this is a social contest"
    return used_up(world, contest.pair)


class RollContest(Action, tag="roll_contest"):
    """Roll the contest: the aggressor once, every defender alone."""

    title = "roll the contest"
    screens = ("contest",)

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return ready(world)

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        contest = _open(world)
        mine = _fall(world, dice, contest, contest.who, contest.skill)
        defenders = {}
        for who in contest.defenders:
            fallen = _fall(world, dice, contest, who, contest.using)
            defenders[who] = Defender(fallen, beaten=mine.total > fallen.total)
        rolled = replace(
            contest,
            fallen=mine,
            defenders=defenders,
            used={**contest.used, contest.pair: contest.round},
        )
        return (ContestRolled(rolled), *spent(world, contest.who, *contest.defenders))


def _fall(world: FenWorld, dice: Dice, contest: Contest, who: str, skill: str) -> Fallen:
    secret = contest.hidden and is_secret(world, who)
    return fall(dice, f"{world.name(who)}: {skill}", skill_throw(world, who, skill), secret=secret)
