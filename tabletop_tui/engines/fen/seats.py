"""What players know: fights and contests as they lie open, without the dice, harm and ambushes of the GM's own."""

from __future__ import annotations

from msgspec.structs import replace

from ...kit.hurt import as_known
from ...kit.known import known_world
from ...kit.seen import is_secret, unseen
from .dice import Fallen, Mods
from .hiding import change_is_whispered, is_whispered
from .rounds import is_unseen, seen_round
from .world import ANY, Contest, Effect, FenScene, FenSheet, FenWorld, Person, Rounds, changes_of, person


def seen_by(world: FenWorld, seat: str) -> FenWorld:
    """Everybody at the table knows the same."""
    shown = seen_round(world)
    people = {w: _known_person(world, w) for w in world.now.people if w in world.sheets and not unseen(world, w)}
    blow = world.now.blow
    known = known_world(
        shown,
        sheet=lambda who: FenSheet(world.sheets[who].name),
        scene=lambda one: FenScene(one.title, one.about),
        live={
            "people": people,
            "rounds": _known_rounds(world, shown.now.rounds),
            "contest": _known_contest(world, world.now.contest),
            "blow": None if blow and (world.is_hidden(blow.who) or world.is_hidden(blow.against)) else blow,
            "found": tuple(who for who in world.now.found if not unseen(world, who)),
        },
    )
    # a side of which players do not know waits for nobody
    turns = replace(
        known.now.turns, spoke={s: w for s, w in known.now.turns.spoke.items() if not is_unseen(world, s)}
    )
    return known.live(turns=turns)


def _known_person(world: FenWorld, who: str) -> Person:
    """Of the GM's own, how hurt they look, and which actions they have taken; of others all but whispered changes."""
    them = person(world, who)
    if not is_secret(world, who):
        known = {s: mods for s, mods in changes_of(world, who).items() if not change_is_whispered(world, who, s)}
        return replace(them, mods=known.pop(ANY, Mods()), changes=known)
    hp = as_known(them.hp, world.sheets[who].hp, FenSheet("").hp)
    return Person(hp, minor=them.minor, major=them.major, reactions=them.reactions)


def _known_rounds(world: FenWorld, rounds: Rounds) -> Rounds:
    standing = {
        side: one
        for side, one in rounds.standing.items()
        if not is_unseen(world, side) and not world.is_hidden(one.who)
    }
    return replace(
        rounds, standing=standing, surprised=tuple(side for side in rounds.surprised if not is_unseen(world, side))
    )


def _known_contest(world: FenWorld, contest: Contest | None) -> Contest | None:
    """None where somebody in it hides; hidden dice count, and are not told."""
    if contest is None or is_whispered(world, contest):
        return None
    shown = replace(contest, effect=Effect(), unseen=())
    if not contest.hidden:
        return shown
    defenders = {
        who: replace(one, fallen=Fallen(())) if one.fallen and is_secret(world, who) else one
        for who, one in contest.defenders.items()
    }
    mine = Fallen(()) if contest.fallen and is_secret(world, contest.who) else contest.fallen
    return replace(shown, fallen=mine, defenders=defenders)
