"""What players know: tests and contests as they lie open, without the GM's pools and what is held back."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ...kit.known import known_world
from ...kit.seen import is_secret, unseen
from .campaign import DramaScene, DramaSheet
from .views.players import as_players
from .world import Contest, ContestLine, DramaWorld, Entry, Party, Person, Roll, Task, person


def seen_by(world: DramaWorld, seat: str) -> DramaWorld:
    """What everybody knows, and the lines that this seat holds back itself."""
    shown = as_players(world)
    now = shown.now
    people = {w: _known_person(world, w) for w in now.people if w in world.sheets and not unseen(shown, w)}
    return known_world(
        shown,
        sheet=lambda who: DramaSheet(world.sheets[who].name),
        scene=lambda one: DramaScene(one.title, one.about),
        live={
            "people": people,
            "task": _known_task(world, now.task),
            "contest": _known_contest(world, now.contest, seat),
            "roll": _known_roll(world, now.roll),
        },
        open=("momentum", "won", "favour", "complex"),
    )


def _known_person(world: DramaWorld, who: str) -> Person:
    """Of the GM's own, the penalty dice that weigh on them."""
    them = person(world, who)
    return Person(them.penalties, acts_broken=them.acts_broken) if is_secret(world, who) else them


def _known_task(world: DramaWorld, task: Task | None) -> Task | None:
    return replace(task, crew=_known_crew(world, task.crew)) if task else None


def _known_crew(world: DramaWorld, crew: Mapping[str, Entry]) -> dict[str, Entry]:
    return {
        who: Entry(entry.using, entry.attribute) if is_secret(world, who) else entry for who, entry in crew.items()
    }


def _known_contest(world: DramaWorld, contest: Contest | None, seat: str) -> Contest | None:
    if contest is None:
        return None
    parties = {who: _known_party(world, who, party, seat) for who, party in contest.parties.items()}
    return replace(contest, parties=parties)


def _known_party(world: DramaWorld, who: str, party: Party, seat: str) -> Party:
    sheet = world.sheets.get(who)
    if not (sheet and sheet.player == seat):
        party = replace(party, lines=_open(party.lines), kept=_open(party.kept))
    party = replace(party, crew=_known_crew(world, party.crew))
    if not is_secret(world, who):
        return party
    return replace(party, using="", attribute="Social", point="", turned="", used={})


def _open(lines: Mapping[str, ContestLine]) -> dict[str, ContestLine]:
    return {i: line for i, line in lines.items() if not line.hidden}


def _known_roll(world: DramaWorld, roll: Roll | None) -> Roll | None:
    """The dice lie open; what the pools of the GM's own were made of does not."""
    if roll is None:
        return None
    sides = {
        key: replace(side, pieces=(), attribute=0) if is_secret(world, side.who) else side
        for key, side in roll.sides.items()
    }
    return replace(roll, sides=sides)
