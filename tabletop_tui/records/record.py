"""A session as a record: what happened by scene, the counters over time, the totals; for the GM or for players."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from ..rules import Handful, Model, clean
from ..session import ABOUT, AnyEntry, Edited, Header, Known, Named, PlainEntry, Progress, Timeline, do_of
from ..session import Reader as LogReader
from .counters import Series, along, sample
from .luck import MOST, Dice, Luck, Roll, Scorer, Settled, Tally, by_person, dice_of, luck_of, name_of_action, tallies
from .recap import Recap, recap

Reader = Literal["gm", "players"]

POINTS = 2_000
"""Counters are looked at after at most so many steps."""
EVERY = 500
"""Steps between two words of progress."""


class Beat(Model):
    """One step of the story."""

    number: int
    """Its entry in the log; in a players' record, where hidden steps would show as gaps, its place in the record."""
    at: str
    by: str
    action: str
    """The action's word in the log."""
    title: str
    """What the action is called."""
    kind: Literal["", "moment", "edit", "note"] = ""
    said: tuple[str, ...] = ()
    whispered: tuple[str, ...] = ()
    dice: tuple[Handful, ...] = ()
    undone: bool = False
    """Was it taken back for good? Told only where a record tells all."""


class Chapter(Model):
    """What happened in one scene."""

    title: str
    """Empty before the first scene."""
    about: str = ""
    beats: tuple[Beat, ...] = ()


class Record(Model):
    """All that a record tells, whatever its form."""

    campaign: str
    session: str
    engine: str
    """Its name."""
    game: str
    """Its title; the name where it is not installed."""
    began: str
    ended: str
    reader: Reader
    chapters: tuple[Chapter, ...] = ()
    series: tuple[Series, ...] = ()
    rolls: tuple[Roll, ...] = ()
    luck: tuple[Luck, ...] = ()
    together: Luck | None = None
    """The players' characters as one; None where that would be one person's again."""
    tallies: tuple[Tally, ...] = ()
    dice: tuple[Dice, ...] = ()
    taken_back: int = 0
    """How many steps were undone for good."""
    notes: tuple[str, ...] = ()
    """What the reader must know about the record itself, in sentences."""
    recap: Recap | None = None
    """The session in short; None without the engine."""
    undone: bool = False
    """Does it tell what was taken back, and the taking back?"""

    @property
    def beats(self) -> int:
        """How many steps are told."""
        return sum(len(c.beats) for c in self.chapters)


def record(
    line: Timeline,
    reader: Reader = "gm",
    *,
    undone: bool = False,
    notes: Sequence[str] = (),
    progress: Progress | None = None,
) -> Record:
    """The record of a session whose engine is here. `undone`: also what was taken back, and the taking back."""
    path = line.past()[1:]
    taken = set(path)
    known = _known(line.entries, reader)
    gone = [e for e in line.entries if _is_moot(e, taken)]
    told: list[tuple[AnyEntry, Beat]] = []
    scorer = Scorer(line.engine)
    for done, seq in enumerate(path):
        scorer.step(seq, line.worlds[line.parents[seq]], line.entries[seq - 1])
        if progress and not done % EVERY:
            progress(done, len(path))
    for entry in line.entries if undone else [line.entries[seq - 1] for seq in path]:
        if known.knows(entry.seq):
            kind, title = _kind(entry.action), name_of_action(type(entry.action))
            beat = _beat(known.told(entry), title, kind)
            told.append((entry, msgspec.structs.replace(beat, undone=_is_moot(entry, taken))))
    # hidden steps would show as gaps in the numbers, and so would what was undone and done again
    numbers = {e.seq: e.seq if reader == "gm" else place for place, (e, _) in enumerate(told, 1)}
    beats = [msgspec.structs.replace(b, number=numbers[e.seq]) for e, b in told]
    chapters = _by_scene(line, [e.seq for e, _ in told], beats)
    head = _head(line.header, line.engine.title, beats, reader)
    rolls = [r for r in scorer.rolls if reader == "gm" or (r.player and r.open and r.entry in numbers)]
    lasting = [beat for beat in beats if not beat.undone]
    luck, ours = by_person(rolls), [r for r in rolls if r.player]
    notes = [*notes]
    if scorer.beyond:
        notes.append(f"The totals of rolls are of the first {MOST:,} rolls; {scorer.beyond:,} more were not counted.")
    if scorer.failed:
        notes.append(f"The game gave no chances for {scorer.failed} of the rolls, so the totals are without them.")
    return msgspec.structs.replace(
        head,
        chapters=chapters,
        series=_series(line, {seq: n for seq, n in numbers.items() if seq in taken}, reader),
        rolls=tuple(_clean_roll(r, numbers[r.entry]) for r in rolls),
        luck=tuple(msgspec.structs.replace(one, who=clean(one.who)) for one in luck),
        together=luck_of("", ours) if len({r.who for r in ours}) > 1 else None,
        tallies=tuple(map(_clean_tally, tallies(_told(scorer.settled, rolls, reader)))),
        dice=dice_of(hand for beat in lasting for hand in beat.dice),
        taken_back=sum(known.knows(e.seq) for e in gone),
        notes=tuple(map(clean, notes)),
        recap=recap(line, players=reader == "players", rolls=scorer.rolls),
        undone=undone,
    )


def plain_record(
    header: Any,
    entries: Sequence[PlainEntry],
    reader: Reader = "gm",
    *,
    undone: bool = False,
    notes: Sequence[str] = (),
) -> Record:
    """The record of a session without its engine: the story and the dice, no counters and no chances."""
    known = _known(entries, reader)
    path = known.past()
    gone = [entry.seq for entry in entries if _is_moot(entry, path)]
    chapters: list[tuple[str, list[Beat]]] = [("", [])]
    every = range(1, len(entries) + 1) if undone else sorted(path)
    for number, seq in enumerate(filter(known.knows, every), 1):
        entry = entries[seq - 1]
        do = do_of(entry)[0]
        kinds: dict[str, Any] = {"named": "moment", "edited": "edit", "note": "note"}
        beat = _beat(known.told(entry), do, kinds.get(do, ""))
        beat = msgspec.structs.replace(beat, undone=_is_moot(entry, path))
        if do == "scene" and beat.said:
            chapters.append((beat.said[0].removeprefix("Scene: "), []))
        chapters[-1][1].append(msgspec.structs.replace(beat, number=entry.seq if reader == "gm" else number))
    shown = tuple(Chapter(title, "", tuple(beats)) for title, beats in chapters if beats or title)
    beats = [beat for chapter in shown for beat in chapter.beats]
    return msgspec.structs.replace(
        _head(header, header.engine, beats, reader),
        chapters=shown,
        dice=dice_of(hand for beat in beats if not beat.undone for hand in beat.dice),
        taken_back=sum(map(known.knows, gone)),
        notes=tuple(map(clean, notes)),
        undone=undone,
    )


# ---- inside


def _head(header: Header | Any, game: str, beats: Sequence[Beat], reader: Reader) -> Record:
    ended = beats[-1].at if beats else clean(header.began)
    campaign, session, engine, game, began = (
        clean(word) for word in (header.campaign, header.session, header.engine, game, header.began)
    )
    return Record(campaign, session, engine, game, began, ended, reader)


def _kind(action: Any) -> Literal["", "moment", "edit", "note"]:
    if isinstance(action, Named):
        return "moment"
    if isinstance(action, Edited):
        return "edit"
    return "note" if action.__struct_config__.tag == "note" else ""


def _is_moot(entry: AnyEntry | PlainEntry, past: set[int]) -> bool:
    """Was it undone for good?"""
    return entry.seq not in past and do_of(entry)[0] not in ABOUT


def _known(entries: Sequence[AnyEntry | PlainEntry], reader: Reader) -> LogReader:
    found = LogReader(players=reader == "players")
    found.take(entries)
    return found


def _beat(known: Known, title: str, kind: Literal["", "moment", "edit", "note"]) -> Beat:
    dice = tuple(msgspec.structs.replace(h, why=clean(h.why)) for h in known.dice)
    said, whispered = tuple(map(clean, known.said)), tuple(map(clean, known.whispered))
    if kind == "moment" and not said:
        said, whispered = whispered, ()  # its heading: a record that shows it is the GM's
    return Beat(
        known.number, clean(known.at), clean(known.by), clean(known.action), clean(title), kind, said, whispered, dice
    )


def _by_scene(line: Timeline, seqs: Sequence[int], beats: Sequence[Beat]) -> tuple[Chapter, ...]:
    """A step that is told and that changes the scene begins a chapter; one that is hidden gives nothing away."""
    found: list[tuple[str, str, list[Beat]]] = [("", "", [])]
    for seq, beat in zip(seqs, beats, strict=True):
        world = line.worlds[seq]
        scene = world.now.scene
        if scene and scene != line.worlds[line.parents[seq]].now.scene:
            prepared = world.scenes.get(scene)
            found.append((clean(prepared.title), clean(prepared.about), []) if prepared else (clean(scene), "", []))
        found[-1][2].append(beat)
    return tuple(Chapter(title, about, tuple(some)) for title, about, some in found if some)


def _series(line: Timeline, numbers: dict[int, int], reader: Reader) -> tuple[Series, ...]:
    steps = sample((0, *numbers), POINTS)
    found = along(line.engine, line.worlds, steps, stripped=reader == "players")
    shown = tuple(numbers.get(seq, 0) for seq in steps)
    return tuple(msgspec.structs.replace(s, name=clean(s.name), entries=shown) for s in found)


def _told(settled: Iterable[Settled], rolls: Iterable[Roll], reader: Reader) -> Iterable[Settled]:
    mine = {roll.entry for roll in rolls}
    return (one for one in settled if reader == "gm" or one.roll in mine)


def _clean_roll(roll: Roll, number: int) -> Roll:
    return msgspec.structs.replace(roll, entry=number, who=clean(roll.who), result=clean(roll.result))


def _clean_tally(tally: Tally) -> Tally:
    counts = {clean(word): n for word, n in tally.counts.items()}
    return msgspec.structs.replace(tally, group=clean(tally.group), counts=counts)
