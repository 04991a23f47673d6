"""A record as one HTML page: nothing outside it is asked for, nothing in it can run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from ..rules import Handful
from ..session import local_day, local_time
from .chart import charts, sign, svg
from .counters import Series
from .luck import Luck
from .record import Beat, Chapter, Record
from .style import CSS
from .words import (
    EXPLAINED,
    IN_SHORT,
    TOGETHER,
    UNDONE,
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

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def page(record: Record) -> str:
    """The whole record."""
    return "".join(_page(record))


def _page(record: Record) -> Iterator[str]:
    name = escape(title(record))
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
    yield f"<title>{name}, {escape(record.session or local_day(record.began))}</title>\n"
    yield f"<style>\n{CSS}</style>\n</head>\n<body>\n"
    yield f'<header>\n<p class="over">Session {escape(record.session)}</p>\n<h1>{name}</h1>\n'
    facts = [record.game, span(record), f"{record.beats} steps", for_whom(record)]
    yield '<ul class="facts">' + "".join(f"<li>{escape(fact)}</li>" for fact in facts) + "</ul>\n"
    for note in record.notes:
        yield f'<p class="warning"><strong>Note.</strong> {escape(note)}</p>\n'
    yield "</header>\n"
    moved = charts(record.series)
    totals = bool(record.luck or record.tallies or record.dice)
    yield from _contents(record, bool(moved), totals)
    yield "<main>\n"
    yield from _recap(record)
    for number, chapter in enumerate(record.chapters, 1):
        yield from _chapter(record, number, chapter)
    if not record.chapters:
        yield '<p class="back">Nothing has happened yet.</p>\n'
    if words := taken_back(record):
        yield f'<p class="back">↶ {words}</p>\n'
    if moved:
        yield '<section id="counters">\n<h2>Counters</h2>\n'
        starts = [chapter.beats[0].number for chapter in record.chapters]
        for chart in moved:
            yield f"<figure>{svg(chart, starts)}\n<figcaption>{''.join(_legend(chart))}</figcaption></figure>\n"
        yield "</section>\n"
    if totals:
        yield from _totals(record)
    yield "</main>\n</body>\n</html>\n"


def _contents(record: Record, counters: bool, totals: bool) -> Iterator[str]:
    yield '<nav aria-label="Contents">\n<ol>\n'
    for number, chapter in enumerate(record.chapters, 1):
        steps = f"{len(chapter.beats)} step{'s' if len(chapter.beats) != 1 else ''}"
        yield (
            f'<li><a href="#scene-{number}">{escape(heading(record, chapter))}</a> '
            f"<small>{escape(local_time(chapter.beats[0].at) if chapter.beats else '')} · {steps}</small></li>\n"
        )
    yield "</ol>\n<p>"
    yield " · ".join(
        f'<a href="#{w.lower()}">{w}</a>' for w, on in (("Counters", counters), ("Totals", totals)) if on
    )
    yield "</p>\n</nav>\n"


# ---- the story


def _recap(record: Record) -> Iterator[str]:
    if record.recap is None or not record.chapters:
        return
    yield f'<section id="short">\n<h2>{IN_SHORT}</h2>\n'
    for part in record.recap.parts:
        if part.title:
            yield f"<h3>{escape(part.title)}</h3>\n"
        if part.lines:
            yield "<ul>\n" + "".join(f"<li>{escape(line)}</li>\n" for line in part.lines) + "</ul>\n"
    yield "</section>\n"


def _chapter(record: Record, number: int, chapter: Chapter) -> Iterator[str]:
    words = escape(heading(record, chapter))
    yield f'<section id="scene-{number}">\n<h2><span class="no">§{number}</span> {words}</h2>\n'
    if chapter.about:
        yield f'<p class="about">{_text(chapter.about)}</p>\n'
    # a heading cannot stand in a list of steps, so a moment ends one list and begins the next
    for moment, beats in groupby(chapter.beats, lambda beat: beat.kind == "moment"):
        if moment:
            for beat in beats:
                words = " ".join(beat.said).removeprefix("Moment: ")
                yield f'<h3 id="e{beat.number}">◆ {escape(words)}</h3>\n'
        else:
            yield '<ol class="beats">\n'
            for beat in beats:
                yield from _beat(beat)
            yield "</ol>\n"
    yield "</section>\n"


def _beat(beat: Beat) -> Iterator[str]:
    kind = (f" {beat.kind}" if beat.kind else "") + (" undone" if beat.undone else "")
    yield f'<li class="beat{kind}" id="e{beat.number}"><time>{escape(local_time(beat.at))}</time><div>'
    by = f'<b class="by">{escape(beat.by)}</b> ' if beat.by else ""
    if beat.undone:
        by = f'<span class="tag">{UNDONE}</span> {by}'
    if not (beat.said or beat.whispered):
        yield f'<p class="quiet">{by}{escape(beat.title)}</p>'
    for text in beat.said:
        yield f"<p>{by}{_text(text)}</p>"
        by = ""
    for text in beat.whispered:
        yield f'<p class="whisper"><span class="tag">GM only</span> {by}{_text(text)}</p>'
        by = ""
    if beat.dice:
        yield '<div class="dice">' + "".join(map(_hand, beat.dice)) + "</div>"
    yield "</div></li>\n"


def _text(text: str) -> str:
    return "<br>".join(map(escape, text.splitlines()))


def _hand(hand: Handful) -> str:
    pairs = zip(hand.sides, hand.faces, strict=False)
    dice = "".join(
        f'<span class="size">d{sides}</span>' + "".join(f'<span class="die">{face}</span>' for _, face in some)
        for sides, some in groupby(pairs, lambda pair: pair[0])
    )
    marks = [word for word, on in (("typed in", hand.typed), ("GM only", hand.secret)) if on]
    tail = f'<span class="size">{", ".join(marks)}</span>' if marks else ""
    return f'<span class="hand"><span class="why">{escape(hand.why)}</span>{dice}{tail}</span>'


# ---- counters and totals


def _legend(chart: Sequence[Series]) -> Iterator[str]:
    rows = []
    for number, one in enumerate(chart):
        known = [v for v in one.values if v is not None]
        name = f"{sign(number)} {escape(one.name)}"
        rows.append((name, *map(str, (known[0], min(known), max(known), known[-1]))))
    yield from _table(("Counter", "began at", "lowest", "highest", "ended at"), rows)


def _totals(record: Record) -> Iterator[str]:
    yield '<section id="totals">\n<h2>Totals</h2>\n'
    if record.luck:
        yield "<h3>Rolls against the odds</h3>\n"
        rows = [_luck(escape(who(luck.who)), luck) for luck in record.luck]
        if record.together:
            rows.append(_luck(f"<i>{escape(TOGETHER)}</i>", record.together))
        yield from _table(("Who", "rolls", "expected", "came true", "luck", "in a word"), rows)
        yield f'<p class="fine">{escape(EXPLAINED)}</p>\n'
    if record.tallies:
        yield "<h3>How it came out</h3>\n"
        yield from _table(
            ("Action", "what", "came out"),
            [(escape(t.action), escape(t.group), escape(ways(t))) for t in record.tallies],
            words=3,
        )
    if record.dice:
        yield "<h3>Dice</h3>\n"
        rows4 = [(f"d{d.sides}", str(d.count), f"{d.mean:.2f}", f"{d.expected:.2f}") for d in record.dice]
        yield from _table(("Dice", "fell", "mean", "expected"), rows4)
    yield "</section>\n"


def _luck(name: str, luck: Luck) -> tuple[str, ...]:
    at = 2 + luck.luck * 76
    dial = (
        '<svg class="dial" viewBox="0 0 80 10" width="80" height="10" aria-hidden="true"><path class="grid" '
        f'd="M2 5H78M40 1V9"/><circle class="m0" cx="{at:.1f}" cy="5" r="3.5"/></svg>'
    )
    word = f'<span class="word">{verdict(luck)}</span>'
    return name, str(luck.rolls), f"{luck.expected:.1f}", str(luck.hopes), f"{dial} {share(luck.luck)}", word


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> Iterator[str]:
    """Cells are HTML already; the first `words` columns are words, the others numbers."""
    yield '<div class="wide"><table>\n<thead><tr>'
    yield "".join(f'<th scope="col"{_side(i, words)}>{cell}</th>' for i, cell in enumerate(head))
    yield "</tr></thead>\n<tbody>\n"
    for row in rows:
        yield "<tr>" + "".join(f"<td{_side(i, words)}>{cell}</td>" for i, cell in enumerate(row)) + "</tr>\n"
    yield "</tbody></table></div>\n"


def _side(column: int, words: int) -> str:
    return "" if column < words else ' class="n"'
