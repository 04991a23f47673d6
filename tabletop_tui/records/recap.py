"""Last time: a session in short, written from its log, for the GM or without secrets for players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..plugins import Guarded
from ..rules import ChallengeView, ContestView, Model, Person, TableView, Turns, clean, percent
from ..session import AnyEntry, Named, Timeline
from ..session import Reader as LogReader
from .luck import Roll, Scorer
from .standing import Standing, counter_words, standing

SURPRISE = 0.25
"""What had at most this chance and happened, or did not although it was as sure, went against the odds."""
MOST_TURNING = 5
MOST_LINES = 12
"""Told of one scene; the rest is counted."""
MOST_NAMES = 8
SCORED = 400
"""Rolls, the last ones, whose chances are worked out: it keeps a recap quick however long the session was."""


class Passage(Model):
    """What came of one scene."""

    title: str
    """Empty before the first scene."""
    lines: tuple[str, ...] = ()


class Recap(Model, kw_only=True):
    """A session in short: sentences, ready to be drawn."""

    campaign: str
    """The name of its folder."""
    session: str
    began: str
    ended: str
    players: bool
    """Is it written for the players, without secrets?"""
    passages: tuple[Passage, ...] = ()
    """Scene by scene, how things came out."""
    turning: tuple[str, ...] = ()
    """What went against the odds, the least likely first."""
    now: str = ""
    """Where the session ended."""
    counters: tuple[str, ...] = ()
    """Clocks and other counters as they stand."""
    lasting: tuple[str, ...] = ()
    """What lasts on whom."""

    @property
    def parts(self) -> tuple[Passage, ...]:
        """All of it under headings, in the order in which it is read; empty ones are left out."""
        stands = (*([self.now] if self.now else ()), *self.counters)
        rest = (
            Passage("Against the odds", self.turning),
            Passage("Where it stands", stands),
            Passage("Conditions", self.lasting),
        )
        return (*self.passages, *(part for part in rest if part.lines))


def recap(line: Timeline, *, players: bool = False, rolls: Sequence[Roll] | None = None) -> Recap:
    """A session in short. `rolls` are its scored rolls with their entries, where somebody has them already."""
    reader = LogReader(players=players)
    reader.take(line.entries)
    path = line.past()[1:]
    known = [seq for seq in path if reader.knows(seq)]
    if rolls is None:
        rolls = _scored(line, path)
    last = standing(line.engine, line.worlds[line.head], stripped=players)
    ended = line.entries[known[-1] - 1].at if known else line.header.began
    return Recap(
        campaign=clean(line.header.campaign),
        session=clean(line.header.session),
        began=clean(line.header.began),
        ended=clean(ended),
        players=players,
        passages=_passages(line, known, players),
        turning=_turning([r for r in rolls if not players or (r.player and r.open and reader.knows(r.entry))]),
        now=clean(_now(line.worlds[line.head], last)),
        counters=tuple(counter_words(c) for c in last.table.counters) if last.table else (),
        lasting=tuple(clean(words) for words in _lasting(last.table)),
    )


def _scored(line: Timeline, path: Sequence[int]) -> Sequence[Roll]:
    scorer = Scorer(line.engine)
    dice = [seq for seq in path if line.entries[seq - 1].dice]
    since = dice[-SCORED] if len(dice) > SCORED else 0
    for seq in path:
        if seq >= since:
            scorer.step(seq, line.worlds[line.parents[seq]], line.entries[seq - 1])
    return scorer.rolls


# ---- scene by scene


def _passages(line: Timeline, known: Sequence[int], players: bool) -> tuple[Passage, ...]:
    found: list[tuple[str, list[str]]] = [("", [])]
    for seq in known:
        entry, before, after = line.entries[seq - 1], line.worlds[line.parents[seq]], line.worlds[seq]
        if after.now.scene and after.now.scene != before.now.scene:
            scene = after.scenes.get(after.now.scene)
            found.append((clean(scene.title if scene else after.now.scene), []))
        found[-1][1].extend(map(clean, _lines(line.engine, entry, before, after, players)))
    return tuple(Passage(title, _short(lines)) for title, lines in found if title or lines)


def _short(lines: Sequence[str]) -> tuple[str, ...]:
    if len(lines) <= MOST_LINES:
        return tuple(lines)
    shown = MOST_LINES - 1
    return (*lines[:shown], f"and {len(lines) - shown} things more")


def _lines(engine: Guarded, entry: AnyEntry, before: Any, after: Any, players: bool) -> Iterator[str]:
    """How something came out; of a fight its end alone, as its blows are too many to tell."""
    if isinstance(entry.action, Named):
        yield f"★ {entry.action.name}"
        return
    if before.now.turns.running and not after.now.turns.running:
        yield _fight(standing(engine, before, stripped=players).table, before.now.turns)
    begins = after.now.turns.running and not before.now.turns.running  # who goes first is no outcome
    if begins or not engine.outcome(entry.events) or engine.waits(after):
        return
    if before.now.turns.running and not _came_out(engine, before, after, players):
        return
    told = _settled(engine, entry, before, players)
    told = told or (list(entry.said) if players else _for_gm(entry.said, entry.whispered))
    yield from told
    for whole in _ended(engine, before, after, players):
        if not any(whole.title in line for line in told) and whole.outcome:
            yield f"{whole.title}: {whole.outcome.title}"


def _settled(engine: Guarded, entry: AnyEntry, before: Any, players: bool) -> list[str]:
    """What is told of the events that settled it; of the others, dice and prices, there is enough in the log."""
    found: list[str] = []
    for event in entry.events:
        said, whispered = engine.tell(before, (event,))
        if engine.outcome((event,)):
            found += said if players else _for_gm(said, whispered)
        before = engine.apply(before, (event,))
    return found


def _for_gm(said: Sequence[str], whispered: Sequence[str]) -> list[str]:
    """All that was told, but for what the GM was told in other words: of the same thing, before a colon."""
    retold = {words.partition(":")[0] for words in whispered}
    return [*(words for words in said if words.partition(":")[0] not in retold), *whispered]


def _came_out(engine: Guarded, before: Any, after: Any, players: bool) -> list[ChallengeView | ContestView]:
    """Of which challenge or contest did something come out: the whole, a part, a round?"""
    old, new = (standing(engine, world, stripped=players) for world in (before, after))
    pairs = ((old.challenge, new.challenge), (old.contest, new.contest))
    return [two for one, two in pairs if two and two.outcome and two.outcome != (one.outcome if one else None)]


def _ended(engine: Guarded, before: Any, after: Any, players: bool) -> list[ChallengeView | ContestView]:
    """Which came to their end?"""
    return [one for one in _came_out(engine, before, after, players) if one.outcome and not one.outcome.goes_on]


def _fight(view: TableView | None, turns: Turns) -> str:
    words = f"A fight of {turns.round} rounds" if turns.round > 1 else "A fight of one round"
    out = [p.name for p in view.people if p.out and p.id in turns.fighters] if view else []
    return f"{words}; out: {_names(out)}" if out else f"{words}; nobody is out"


def _names(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


# ---- against the odds, and where it stands


def _turning(rolls: Sequence[Roll]) -> tuple[str, ...]:
    def chance(roll: Roll) -> float:
        return roll.chance if roll.hoped else 1 - roll.chance

    found = sorted((r for r in rolls if 0 < chance(r) <= SURPRISE), key=lambda r: (chance(r), r.entry))
    return tuple(clean(_against(roll)) for roll in found[:MOST_TURNING])


def _against(roll: Roll) -> str:
    head = f"{roll.who}, {roll.action}" if roll.who else roll.action
    how = "with a chance of" if roll.hoped else "against a chance of"
    return f"{head}: {roll.result}, {how} {percent(roll.chance)}"


def _now(world: Any, last: Standing) -> str:
    view = last.table
    if view is None:
        scene = world.scenes.get(world.now.scene)
        return scene.title if scene else ""
    said = [part for part in (view.title, ", ".join(fact.text for fact in view.facts)) if part]
    up = [p.name for p in view.people if p.current] if world.now.turns.running else []
    if up:
        said.append(f"{' and '.join(up)} {'are' if len(up) > 1 else 'is'} up")
    return ". ".join(part[:1].upper() + part[1:] for part in said)


def _lasting(view: TableView | None) -> Iterator[str]:
    for person in view.people if view else ():
        if words := ", ".join(_on(person)):
            yield f"{person.name}: {words}"


def _on(person: Person) -> Iterator[str]:
    if person.out:
        yield "out"
    for status in person.conditions:
        yield f"{status.what} ({status.until})" if status.until else status.what
    for meter in person.meters:
        if meter.tone in ("warn", "bad"):
            most = f" of {meter.most}" if meter.most is not None else ""
            yield f"{meter.value}{most} {meter.name}"
