"""A record as Markdown: readable as it is, and wherever Markdown is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..rules import Handful
from ..session import local_time
from .counters import Series, sample
from .record import Beat, Chapter, Record
from .words import (
    EXPLAINED,
    IN_SHORT,
    TOGETHER,
    UNDONE,
    dice_words,
    for_whom,
    heading,
    share,
    span,
    taken_back,
    title,
    verdict,
    ways,
    who,
)

WIDTH, HEIGHT = 64, 4
BLOCKS = " ▁▂▃▄▅▆▇█"

_SPECIAL = re.compile(r"[\\`*_\[\]<>|~#&$!]")
_OPENING = re.compile(r"^(?:\d{1,9}(?=[.)](?:\s|$))|(?=[-+](?:\s|$))|(?=[-=\s]+$))")


def escape(text: str) -> str:
    """Text of a player or a file on one line, without any meaning for Markdown."""
    plain = _SPECIAL.sub(lambda found: "\\" + found[0], " ".join(text.split()))
    # what would open a list or a heading at the start of a line
    return _OPENING.sub(lambda found: found[0] + "\\", plain)


def markdown(record: Record) -> str:
    """The whole record."""
    return "\n".join(_lines(record)).rstrip() + "\n"


def _lines(record: Record) -> Iterator[str]:
    yield f"# {escape(title(record))}"
    yield ""
    facts = [f"Session {record.session}" if record.session else "", record.game, span(record), for_whom(record)]
    yield " · ".join(escape(fact) for fact in facts if fact)
    for note in record.notes:
        yield ""
        yield f"> **Note.** {escape(note)}"
    yield from _recap(record)
    for chapter in record.chapters:
        yield from _chapter(record, chapter)
    if not record.chapters:
        yield ""
        yield "Nothing has happened yet."
    if words := taken_back(record):
        yield ""
        yield f"*{words}*"
    yield from _counters([s for s in record.series if s.moved])
    yield from _totals(record)


def _recap(record: Record) -> Iterator[str]:
    if record.recap is None or not record.chapters:
        return
    yield ""
    yield f"## {IN_SHORT}"
    for part in record.recap.parts:
        yield ""
        if part.title:
            yield f"**{escape(part.title)}**"
            yield ""
        yield from (f"- {escape(line)}" for line in part.lines)


def _chapter(record: Record, chapter: Chapter) -> Iterator[str]:
    yield ""
    yield f"## {escape(heading(record, chapter))}"
    yield ""
    if chapter.about:
        yield f"*{escape(chapter.about)}*"
        yield ""
    for beat in chapter.beats:
        yield from _moment(beat) if beat.kind == "moment" else _beat(beat)


def _moment(beat: Beat) -> Iterator[str]:
    words = " ".join(beat.said).removeprefix("Moment: ")
    yield ""
    yield f"### ◆ {escape(words)}"
    yield ""


def _beat(beat: Beat) -> Iterator[str]:
    head = f"- {local_time(beat.at)} "
    if beat.undone:
        head += f"*{UNDONE}* "
    if beat.by:
        head += f"**{escape(beat.by)}** "
    lines = [escape(line) for text in beat.said for line in text.splitlines() if line.strip()]
    lines += [f"(GM only) {escape(line)}" for text in beat.whispered for line in text.splitlines() if line.strip()]
    lines = lines or [f"({escape(beat.title)})"]
    yield head + lines[0]
    for line in lines[1:]:
        yield f"  - {line}"
    if beat.dice:
        yield f"  - dice: {'; '.join(map(hand_words, beat.dice))}"


def hand_words(hand: Handful) -> str:
    """A handful on one line."""
    faces = " ".join(map(str, hand.faces))
    marks = [word for word, on in (("typed in", hand.typed), ("GM only", hand.secret)) if on]
    return f"{escape(hand.why)} {dice_words(hand.sides)}: {faces}" + (f" ({', '.join(marks)})" if marks else "")


# ---- counters


def plot(values: Sequence[int | None], width: int = WIDTH, height: int = HEIGHT) -> list[str]:
    """Values as columns of blocks with the lowest and the highest beside them; gaps stay empty."""
    shown = [values[i] for i in sample(range(len(values)), width)]
    known = [v for v in shown if v is not None]
    low, high = min((*known, 0)), max((*known, 0))
    steps = height * (len(BLOCKS) - 1)
    # the lowest value still gets a sliver, so that it is told from a gap
    fills = [None if v is None else max(round((v - low) * steps / max(high - low, 1)), 1) for v in shown]
    edge = max(len(str(low)), len(str(high)))
    rows = []
    for row in range(height - 1, -1, -1):
        label = str(high) if row == height - 1 else str(low) if not row else ""
        cells = (0 if f is None else min(max(f - row * 8, 0), 8) for f in fills)
        rows.append(f"{label:>{edge}} {'┤' if label else '│'}{''.join(BLOCKS[c] for c in cells)}".rstrip())
    return rows


def _counters(series: Sequence[Series]) -> Iterator[str]:
    if not series:
        return
    yield ""
    yield "## Counters"
    for one in series:
        yield ""
        yield f"**{escape(one.name)}**"
        yield ""
        yield "```text"
        yield from plot(one.values)
        yield "```"
    yield ""
    rows = []
    for one in series:
        known = [v for v in one.values if v is not None]
        rows.append((escape(one.name), *map(str, (known[0], min(known), max(known), known[-1]))))
    yield from _table(("Counter", "began at", "lowest", "highest", "ended at"), rows)


# ---- totals


def _totals(record: Record) -> Iterator[str]:
    if not (record.luck or record.tallies or record.dice):
        return
    yield ""
    yield "## Totals"
    if record.luck:
        people = [*record.luck, *([record.together] if record.together else [])]
        names = [escape(who(luck.who)) for luck in record.luck] + [f"*{TOGETHER}*"]
        rows = [
            (name, str(p.rolls), f"{p.expected:.1f}", str(p.hopes), share(p.luck), verdict(p))
            for name, p in zip(names, people, strict=False)
        ]
        yield ""
        yield from _table(("Who", "rolls", "expected", "came true", "luck", ""), rows)
        yield ""
        yield EXPLAINED
    if record.tallies:
        yield ""
        rows3 = [(escape(t.action), escape(t.group), escape(ways(t))) for t in record.tallies]
        yield from _table(("Action", "what", "came out"), rows3)
    if record.dice:
        yield ""
        rows4 = [(f"d{d.sides}", str(d.count), f"{d.mean:.2f}", f"{d.expected:.2f}") for d in record.dice]
        yield from _table(("Dice", "fell", "mean", "expected"), rows4)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"
