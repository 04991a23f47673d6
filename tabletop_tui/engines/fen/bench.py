"""Fen on the dice workbench: 2d8+1d4 additional 1 fewer 2, contests, and skills of the campaign's people.

A side is dice, or a skill with or without a name before it: `Rook fight / Ogre vigor`. Where nobody is named, the
aggressor is that of the open contest, else whose turn it is, else the first who has the skill, players' characters
before the GM's; the defender is that of the open contest, else the first of the other side who has the skill.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...rules import Chance, Choice, Dice, Group, Model, suggest
from ...workbench import BadDice, Bench, Chances, Fell, Reading, halves, less
from .dice import ORDER, WORDS, Throw, change, fall, mods_of, parse_dice, parse_roll
from .distribution import beats, distribution
from .world import FenWorld, has_skill, known_skills, skill_dice, skill_mods


class Thrown(Model):
    """One side, and whose it is."""

    throw: Throw
    words: str
    who: str = ""


class FenBench(Bench):
    """Sums of dice that explode without limit."""

    examples: tuple[str, ...] = ("2d8+1d4 additional 1 fewer 2", "3d8 / 2d6")
    words = WORDS

    def __init__(self, world: FenWorld | None = None) -> None:
        self.world = world
        self.order = world.rules.order if world else ORDER
        if world:
            self.examples = (*self.examples, "fight/vigor")

    def claims(self, text: str) -> bool:
        return "/" in text or any(word in WORDS for word in text.lower().split())

    def names(self) -> Sequence[str]:
        if self.world is None:
            return ()
        return [*(self.world.name(who) for who in self.world.present()), *known_skills(self.world)]

    def read(self, text: str) -> Reading:
        first, second = halves(text, "/")
        mine = self._side(first)
        if not second:
            return Reading(
                f"the sum of {mine.words}" + (", a maximum explodes" if mine.throw.explosive else ""),
                "total",
                lambda: Chances.of(_pmf(mine.throw)),
                lambda dice: _one(dice, mine.throw),
            )
        theirs = self._side(second, mine.who)
        return Reading(
            f"{mine.words} against {theirs.words}; a tie is the defender's",
            "margin",
            lambda: _contest(mine.throw, theirs.throw),
            lambda dice: _clash(dice, mine.throw, theirs.throw),
            goal=1,
        )

    def _usual(self, skill: str, against: str | None) -> str:
        """Who is meant where nobody is named: an aggressor, or a defender against somebody."""
        world = self.world
        assert world is not None
        here, contest = world.present(), world.now.contest
        if against is None:
            known = [contest.who if contest else "", world.now.turns.current or ""]
        else:
            known = list(contest.defenders) if contest else []
            player = against in here and bool(world.sheets[against].player)
            others = [w for w in here if w != against]
            here = [w for w in others if bool(world.sheets[w].player) != player] or others
        likely = [w for w in known if w in world.present()]
        able = [w for w in here if has_skill(world, w, skill)]
        return next(iter([*likely, *able, *here, against or ""]), "")

    def _side(self, text: str, against: str | None = None) -> Thrown:
        begin = len(text) - len(text.lstrip())
        if re.match(r"[0-9]|[dD][0-9]|[dD]?\s*$|[^\w\s]", text[begin:]):
            throw = parse_roll(text, self.order, any_size=True, counted=True)
            return Thrown(throw, throw.words)
        if self.world is None:
            raise BadDice("names of people and skills need a campaign", begin, "Write dice: 3d8 / 2d6, say.")
        who, at = self._person(text, begin)
        skill, end = self._skill(text, at, who)
        mods = mods_of(text, end, counted=True)
        who = who or self._usual(skill, against)
        if not who:
            raise BadDice("there is nobody whose skill it could be", begin, "Write dice: 3d8, say.")
        written = skill_dice(self.world, who, skill)
        said = skill_mods(self.world, who, "any" if against is None else "contest")
        throw = change(parse_dice(written), said.plus(mods), self.order)
        missing = "" if has_skill(self.world, who, skill) else ", not on the sheet"
        changed = f" → {throw.words}" if throw.words != written else ""
        return Thrown(throw, f"{self.world.name(who)}'s {skill} ({written}{missing}{changed})", who)

    def _person(self, text: str, at: int) -> tuple[str, int]:
        """Who is named at a place, and where it goes on; nobody where it is no name."""
        assert self.world is not None
        rest = text[at:].casefold()
        skills = {s.casefold() for s in known_skills(self.world)}
        calls = [(call, who) for who in self.world.present() for call in (self.world.name(who), who)]
        for call, who in sorted(calls, key=lambda c: -len(c[0])):
            name = call.casefold()
            if rest.startswith(name) and not rest[len(name) : len(name) + 1].isalnum():
                end = at + len(name)
                while text[end : end + 1] == " ":
                    end += 1
                # somebody may be called like a skill; a name is followed by a skill
                if end < len(text) or name not in skills:
                    return who, end
        return "", at

    def _skill(self, text: str, at: int, who: str) -> tuple[str, int]:
        assert self.world is not None
        rest = text[at:].casefold()
        for skill in sorted(known_skills(self.world), key=len, reverse=True):
            name = skill.casefold()
            if rest.startswith(name) and not rest[len(name) : len(name) + 1].isalnum():
                return skill, at + len(name)
        skills = known_skills(self.world)
        word = text[at:].split(" ")[0]
        if not word:
            what = f"a skill is missing after {self.world.name(who)}" if who else "a skill is missing here"
            raise BadDice(what, at, f"Choose from: {', '.join(skills[:12])}.")
        known = skills if who else [*self.names(), *WORDS]
        what = f"{word!r} is not a skill" if who else f"{word!r} is neither a skill nor anybody here"
        raise BadDice(what, at, suggest(word, [Choice(k) for k in known]))


def _pmf(throw: Throw) -> dict[int, float]:
    return {v: p for v, p in enumerate(distribution(throw)) if p > 1e-18}


def _contest(first: Throw, second: Throw) -> Chances:
    wins = beats(first, second)
    shown = (Chance("aggressor wins", wins, "good"), Chance("defender holds", 1 - wins, "bad"))
    return Chances.of(less(_pmf(first), _pmf(second)), (Group("outcome", shown),))


def _one(dice: Dice, throw: Throw) -> Fell:
    fallen = fall(dice, "dice", throw)
    return Fell(fallen.total, fallen.words)


def _clash(dice: Dice, first: Throw, second: Throw) -> Fell:
    one, other = fall(dice, "aggressor", first), fall(dice, "defender", second)
    won = one.total > other.total
    words = f"{one.words} against {other.words}: {'the aggressor wins' if won else 'the defender holds'}"
    return Fell(one.total - other.total, words)
