"""Rounds: sides act whole; one of each stands up and rolls for it, each in turn before anyone repeats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Fighter, Refused, Turns
from ...rules.common import ConditionTicked, moment
from ...rules.order import (
    FOES,
    HEROES,
    EncounterBegan,
    EncounterEnded,
    FighterChanged,
    RoundBegan,
    TurnBegan,
    not_fighting,
)
from .dice import fall, parse_dice
from .modifiers import spent
from .odds import mean
from .world import FenWorld, Rounds, Standing, is_down, is_hidden, skill_dice, skill_throw

# ---- 1. sides


def planned_sides(world: FenWorld) -> dict[str, tuple[str, ...]]:
    """The sides of the scene that is on; without any, players' characters against all others."""
    scene = world.scenes.get(world.now.scene)
    if scene and scene.sides:
        return scene.sides
    here = world.present()
    split = {
        HEROES: tuple(w for w in here if world.sheets[w].player),
        FOES: tuple(w for w in here if not world.sheets[w].player),
    }
    return {side: members for side, members in split.items() if members}


def side_names(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The sides of a fight that is about to begin, or of the one that runs."""
    running = world.now.turns.sides()
    return [Choice(side) for side in dict.fromkeys([*running, *planned_sides(world)])]


def side_of(world: FenWorld, who: str) -> str:
    """Where somebody fights: as the scene has it, else on the players' side, or against it."""
    planned, fighters = planned_sides(world), world.now.turns.fighters
    if found := next((side for side, members in planned.items() if who in members), ""):
        return found
    mine = bool(world.sheets[who].player)
    sides = {side: list(members) for side, members in planned.items()}
    for one, fighter in fighters.items():
        sides.setdefault(fighter.side, []).append(one)
    players = set(world.players())
    fits = [side for side, members in sides.items() if bool(players & set(members)) == mine]
    return fits[0] if fits else HEROES if mine else FOES


def is_players(world: FenWorld, side: str) -> bool:
    """Does a player's character fight on this side?"""
    turns = world.now.turns
    return any(f.side == side and w in world.sheets and world.sheets[w].player for w, f in turns.fighters.items())


def fighting(world: FenWorld) -> str:
    """Empty while a fight is on."""
    return "" if world.now.turns.running else "no fight is on"


def is_unseen(world: FenWorld, side: str) -> bool:
    """Is everybody on a side hidden, so that the players do not know of it?"""
    members = [f for f in world.now.turns.fighters.values() if f.side == side]
    return bool(members) and all(f.hidden for f in members)


class RoundReadied(Event, tag="round_readied"):
    """Everybody has their actions and reactions again; nobody has stood up yet."""

    rule = "a turn is one minor and one major action; one reaction a round"
    surprised: tuple[str, ...] = ()

    def apply(self, world: FenWorld) -> FenWorld:
        people = {w: replace(p, minor=0, major=0, reactions=0) for w, p in world.now.people.items()}
        turns = replace(world.now.turns, holder="", current="")
        return world.live(people=people, turns=turns, rounds=Rounds(surprised=self.surprised))

    def says(self, world: FenWorld) -> str:
        seen = [side for side in self.surprised if not is_unseen(world, side)]
        return f"Surprised: {', '.join(seen)}" if seen else ""


class BeginFight(Action, tag="begin"):
    """Begin a fight: the sides of the scene, or those named; say which sides are surprised."""

    title = "begin a fight"
    key = "f"
    screens = ("table",)
    who: Annotated[tuple[str, ...], Ask(not_fighting)] = ()
    surprised: Annotated[tuple[str, ...], Ask(side_names)] = ()
    timer: Annotated[int, Meta(ge=0, le=100)] = 0
    nobody_surprised: bool = False
    """Whatever the scene says."""

    @classmethod
    def when(cls, world: FenWorld) -> str:
        if world.now.turns.running:
            return "a fight is on"
        return "" if world.present() else "there is nobody to fight"

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        here = world.present()
        scene = world.scenes.get(world.now.scene)
        named = self.who or tuple(dict.fromkeys(w for side in planned_sides(world).values() for w in side))
        order = tuple(w for w in named if w in here and not is_down(world, w))
        if not order:
            raise Refused("nobody of those can fight", remedy="Name somebody who is there and standing.")
        unseen = scene.hidden if scene else ()
        fighters = {w: Fighter(side_of(world, w), hidden=w in unseen) for w in order}
        sides = {f.side for f in fighters.values()}
        planned = scene.surprised if scene and not self.nobody_surprised else ()
        surprised = tuple(s for s in self.surprised or planned if s in sides)
        if sides <= set(surprised):
            raise Refused("a side must have seen it coming", remedy="Name fewer sides as surprised.")
        turns = Turns("sides", 1, self.timer or None, order=order, fighters=fighters)
        return (EncounterBegan(turns), RoundReadied(surprised))


def new_sides(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The side that fits, then the others."""
    who = fields.get("who", "")
    first = side_of(world, who) if who in world.sheets else ""
    names = [c.value for c in side_names(world, fields)]
    return [Choice(s) for s in dict.fromkeys([first, *names]) if s]


class Join(Action, tag="join"):
    """Put somebody into the running fight, hidden or not."""

    title = "join"
    key = "j"
    screens = ("table",)
    who: Annotated[str, Ask(not_fighting)]
    side: Annotated[str, Ask(new_sides)] = ""
    hidden: bool = False

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return fighting(world)

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        side = self.side or side_of(world, self.who)
        fighter = Fighter(side, out=is_down(world, self.who), hidden=self.hidden)
        return (FighterChanged(self.who, fighter, len(world.now.turns.order), "joins"),)


class EndFight(Action, tag="end"):
    """End the fight: no more rounds."""

    title = "end the fight"
    key = "x"
    screens = ("table",)

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return fighting(world)

    @classmethod
    def warns(cls, world: FenWorld) -> str:
        return f"The fight is in round {world.now.turns.round}. End it?"

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        ended = tuple(ConditionTicked(i, 0) for i, c in world.now.conditions.items() if c.ends)
        return (*ended, EncounterEnded(), RoundReadied())


# ---- 2. somebody stands up for each side


def rolling_sides(world: FenWorld) -> list[str]:
    """The sides that roll in this round: all that can act, but for those that surprise keeps from it."""
    turns, rules = world.now.turns, world.rules
    sides = [s for s in turns.sides() if turns.members(s)]
    if turns.round != 1 or rules.surprised == "nothing":
        return sides
    ready = [s for s in sides if s not in world.now.rounds.surprised]
    return ready or sides  # nobody is there any more who surprised them


def may_stand(world: FenWorld, side: str) -> list[str]:
    """Who may roll for a side."""
    turns = world.now.turns
    return turns.may_speak(side) if world.rules.rotation else turns.members(side)


def unrolled(world: FenWorld) -> str:
    """Why nobody stands up now; empty while initiative is to be rolled."""
    if why := fighting(world):
        return why
    if world.now.rounds.sequence:
        return "initiative has been rolled in this round"
    return "" if rolling_sides(world) else "nobody is left who could act"


def candidates(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who fights on a side that rolls; closed where others of it come first."""
    turns, found = world.now.turns, []
    for side in rolling_sides(world):
        allowed = may_stand(world, side)
        for who in turns.members(side):
            closed = "" if who in allowed else "stood up already; others of the side come first"
            found.append(Choice(who, f"{world.name(who)} for the {side}", closed))
    return found


def initiative_skills(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Notice or dodge."""
    return [Choice(skill) for skill in world.rules.initiative_skills]


def better_skill(world: FenWorld, who: str) -> str:
    """The initiative skill with the higher average, as somebody sensible would choose."""
    return max(world.rules.initiative_skills, key=lambda s: mean(parse_dice(skill_dice(world, who, s))))


def stander(world: FenWorld, side: str) -> Standing:
    """Who rolls for a side: who was named, or else the first who may."""
    named = world.now.rounds.standing.get(side)
    if named and named.who in may_stand(world, side):
        return named
    who = may_stand(world, side)[0]
    return Standing(who, better_skill(world, who))


class StoodUp(Event, tag="stood_up"):
    """Somebody will roll for their side."""

    rule = "each of a side stands up in turn before anyone repeats"
    side: str
    standing: Standing

    def apply(self, world: FenWorld) -> FenWorld:
        rounds = world.now.rounds
        return world.live(rounds=replace(rounds, standing={**rounds.standing, self.side: self.standing}))

    def _words(self, world: FenWorld) -> str:
        return f"{world.name(self.standing.who)} stands up for the {self.side} with {self.standing.skill}"

    def says(self, world: FenWorld) -> str:
        return "" if is_hidden(world, self.standing.who) else self._words(world)

    def whispers(self, world: FenWorld) -> str:
        return self._words(world) if is_hidden(world, self.standing.who) else ""


class Stand(Action, tag="stand"):
    """Name who rolls initiative for a side in this round."""

    title = "stand up"
    key = "s"
    screens = ("table",)
    who: Annotated[str, Ask(candidates)]
    skill: Annotated[str, Ask(initiative_skills)]

    @classmethod
    def when(cls, world: FenWorld) -> str:
        alone = len(rolling_sides(world)) == 1
        return unrolled(world) or ("one side has the round to itself: nobody has to roll" if alone else "")

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        side = world.now.turns.fighters[self.who].side
        return (StoodUp(side, Standing(self.who, self.skill)),)


# ---- 3. initiative


class InitiativeRolled(Event, tag="initiative_rolled"):
    """The sides act in this order."""

    rule = "the highest side first; a tie goes to the players' side; a surprised side has no turn in round one"
    standing: dict[str, Standing]
    sequence: tuple[str, ...]
    spoke: dict[str, tuple[str, ...]]

    def apply(self, world: FenWorld) -> FenWorld:
        first = self.sequence[0] if self.sequence else ""
        turns = replace(world.now.turns, holder=first, current="", spoke=self.spoke)
        rounds = replace(world.now.rounds, standing=self.standing, sequence=self.sequence)
        return world.live(turns=turns, rounds=rounds)

    def _words(self, world: FenWorld, *, hide: bool) -> str:
        rolls = []
        for side, s in self.standing.items():
            if hide and is_unseen(world, side):
                continue
            if hide and is_hidden(world, s.who):
                continue  # not even that somebody is there
            rolls.append(
                f"{side}: {world.name(s.who)} {s.fallen.words}" if s.fallen else f"{side}: {world.name(s.who)}"
            )
        if hide and len(rolls) == 1:
            rolls = []  # nobody rolls alone: it would tell that there is somebody else
        shown = [s for s in self.sequence if not (hide and is_unseen(world, s))]
        head = f"Initiative: {', then '.join(shown)}"
        return f"{head} ({'; '.join(rolls)})" if rolls else head

    def says(self, world: FenWorld) -> str:
        return self._words(world, hide=True)

    def whispers(self, world: FenWorld) -> str:
        unseen = any(f.hidden for f in world.now.turns.fighters.values())
        return self._words(world, hide=False) if unseen else ""

    def outcome(self) -> Mapping[str, str | int]:
        return {"first": self.sequence[0]}


def tie_order(world: FenWorld, sides: Sequence[str]) -> list[str]:
    """Sides as ties between them are settled: the players' first, unless the table rules otherwise."""
    return sorted(sides, key=lambda side: is_players(world, side) != world.rules.tie_to_players)


class RollInitiative(Action, tag="initiative"):
    """Roll for the sides; where nobody was named for one, the next in the rotation stands up."""

    title = "roll initiative"
    key = "i"
    screens = ("table",)

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return unrolled(world)

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        turns = world.now.turns
        sides = rolling_sides(world)
        standing = {}
        for side in sides if len(sides) > 1 else ():  # a side that nobody contends with need not roll
            one = stander(world, side)
            throw = skill_throw(world, one.who, one.skill)
            why = f"{side}: {world.name(one.who)}, {one.skill}"
            fallen = fall(dice, why, throw, secret=is_hidden(world, one.who))
            standing[side] = replace(one, fallen=fallen)
        totals = {side: s.fallen.total for side, s in standing.items() if s.fallen}
        sequence = sorted(tie_order(world, sides), key=lambda side: -totals.get(side, 0))
        if turns.round == 1 and world.rules.surprised == "last":
            sequence += [s for s in turns.sides() if turns.members(s) and s not in sequence]
        spoke = {**turns.spoke, **{side: _spoken(turns, side, s.who) for side, s in standing.items()}}
        rolled = InitiativeRolled(standing, tuple(sequence), spoke)
        return (rolled, *spent(world, *(s.who for s in standing.values())))


def _spoken(turns: Turns, side: str, who: str) -> tuple[str, ...]:
    """Who has stood up; when all of the side have, the rotation begins anew."""
    done = turns.spoke.get(side, ())
    return (who,) if who in done else (*done, who)


# ---- 4. turns


def upcoming(world: FenWorld) -> tuple[str, list[str]]:
    """The side that acts next and who of it has not acted; empty at the end of the round."""
    turns, sequence = world.now.turns, world.now.rounds.sequence
    begin = sequence.index(turns.holder) if turns.holder in sequence else 0
    for side in sequence[begin:]:
        if waiting := turns.waiting(side):
            return side, waiting
    return "", []


def next_up(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who of the side that acts can take the next turn."""
    return [Choice(w, world.name(w)) for w in upcoming(world)[1]]


class SideActs(Event, tag="side_acts"):
    """It is another side's turn."""

    side: str

    def apply(self, world: FenWorld) -> FenWorld:
        return world.live(turns=replace(world.now.turns, holder=self.side))

    def says(self, world: FenWorld) -> str:
        return "" if is_unseen(world, self.side) else f"The {self.side} act"

    def whispers(self, world: FenWorld) -> str:
        return f"The {self.side} act, unseen" if is_unseen(world, self.side) else ""


class NextTurn(Action, tag="next"):
    """End the turn; another of the side is up, then the next side, then a new round begins."""

    swift = True
    title = "next"
    key = "n"
    screens = ("table",)
    who: Annotated[str, Ask(next_up)] = ""

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return fighting(world) or ("" if world.now.rounds.sequence else "initiative has not been rolled")

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        turns = world.now.turns
        events: list[Event] = [*moment(world, "end", turns.current)] if turns.current else []
        side, waiting = upcoming(world)
        if not waiting:
            timer = None if turns.timer is None else max(turns.timer - 1, 0)
            events += moment(world, "round")
            return (*events, RoundBegan(turns.round + 1, timer), RoundReadied())
        up = self.who or waiting[0]
        if side != turns.holder:
            events.append(SideActs(side))
        return (*events, TurnBegan(up), *moment(world, "start", up))
