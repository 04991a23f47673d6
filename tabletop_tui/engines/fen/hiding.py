"""Hiding: a contest with somebody unseen in it is for the GM alone, and whoever is found is seen."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...kit import scenes
from ...kit.cast import Met
from ...kit.common import is_secret, unseen
from ...kit.order import changed
from ...kit.told import Told
from ...rules import Dice, Event
from .world import Contest, FenWorld


def lies_in_wait(world: FenWorld, who: str) -> bool:
    """Is somebody unseen: in the fight, or in the scene that is on before any fight has begun?"""
    scene = world.scenes.get(world.now.scene)
    waiting = bool(scene and who in scene.hidden) and who not in (*world.now.turns.fighters, *world.now.found)
    return waiting or world.is_hidden(who)


def out_of_sight(world: FenWorld, who: str) -> bool:
    """Is what somebody does for the GM alone: because players do not know of them, or not that they are here?"""
    return unseen(world, who) or lies_in_wait(world, who)


def hides_in(world: FenWorld, contest: Contest, who: str) -> bool:
    """Is somebody outside the fight unseen in a contest: because they lie in wait, or begin it behind the GM's screen
    and players have not met them?"""
    if who in world.now.turns.fighters:
        return False
    return lies_in_wait(world, who) or (contest.hidden and who == contest.who and unseen(world, who))


def is_whispered(world: FenWorld, contest: Contest | None) -> bool:
    """Is a contest for the GM alone, because somebody in it is not seen?"""
    fighters = world.now.turns.fighters
    return contest is not None and any(
        world.is_hidden(who) if who in fighters else who in contest.unseen for who in contest.parties
    )


def left_out(world: FenWorld, contest: Contest) -> list[str]:
    """Who was prepared for a contest and is not in it, as opening it must not give them away."""
    plans = [plan for scene in world.scenes.values() for plan in scene.contests.values()]
    same = (p.against for p in plans if contest.title and (p.title, p.effect) == (contest.title, contest.effect))
    absent = (who for who in next(same, ()) if who not in contest.parties)
    return [who for who in absent if world.is_here(who) and lies_in_wait(world, who)]


def for_the_gm(world: FenWorld, who: str) -> bool:
    """Are somebody's numbers for the GM alone: because they are the GM's own, or because nobody sees them?"""
    return is_secret(world, who) or world.is_hidden(who)


def change_is_whispered(world: FenWorld, who: str, scope: str) -> bool:
    """Is what is done to somebody's dice for the GM alone: as they are, or as it tells of a whispered contest?"""
    contest, throw = world.now.contest, scope.partition(" ")[2]
    inside = contest is not None and contest.fallen is None and who in contest.parties and throw in ("any", "contest")
    return for_the_gm(world, who) or (inside and is_whispered(world, contest))


class Found(Told, tag="found"):
    """Somebody who lay in wait is seen."""

    rule = "whoever is found is seen"
    who: str
    told: bool = True
    """False where everybody has seen it happen."""

    def apply(self, world: FenWorld) -> FenWorld:
        contest, rest = world.now.contest, [w for w in world.now.found if w != self.who]
        if contest is not None:
            contest = replace(contest, unseen=tuple(w for w in contest.unseen if w != self.who))
        return world.live(found=(*rest, self.who), contest=contest)

    def words(self, world: FenWorld) -> str:
        return f"{world.name(self.who)} is found" if self.told else ""


def found_in(world: FenWorld, rolled: Contest) -> Iterator[Event]:
    """Whoever hid in a contest and lost it: a hider who began it to any of the defenders."""
    losers = [*rolled.beaten, *([rolled.who] if len(rolled.beaten) < len(rolled.defenders) else [])]
    for who in losers:
        if world.is_hidden(who):
            yield changed(world, who, "is found", hidden=False)
        elif who in rolled.unseen and who not in world.now.turns.fighters:
            yield Found(who)
            yield Met((who,))


class EnterScene(scenes.EnterScene, tag="scene"):
    """Move to a prepared scene: whoever lies in wait there is not seen any more."""

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        lost = tuple(w for w in world.scenes[self.scene].hidden if w in world.now.met and w not in world.now.found)
        return (*super().resolve(world, dice), *([Met(lost, lost=True)] if lost else []))
