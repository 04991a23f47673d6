"""How a form looks: a line a field, the choices of the one under the cursor, and what it all comes to."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from ...rules import Field, percent
from ..commands import Press, key_for
from ..drawing.pools import chance_lines
from ..drawing.text import ACCENT, DIM, INK, begun, cells, fit, heading, line, told, with_more
from ..panels.bars import Said
from .draft import NUMBERED, OTHER, Draft
from .listing import Hit

FEW_LINES = 6
"""Of a form, which stay in sight beside what stands below them."""
MOST_TOLD = 3
"""Rows that what a form would change has in any case."""


def sentence(draft: Draft, *, in_band: bool) -> Said:
    """The band's sentence, built from what is chosen."""
    kind = draft.kind
    named = {f.name: draft.words(f) for f in draft.fields if f.name in draft.answers and f is not draft.unsaid}
    target = named.get(kind.done_to, "")
    if in_band and draft.one is not None:
        whom = target or named.get("who", "")
        wrong = draft.wrong or draft.refused
        given = [draft.words(f) for f in draft.required if f.name in draft.answers and f is not draft.one]
        about = ": ".join(words for words in given if words != whom)
        # what Enter does is said beside it: where nobody is named, what it is about comes first
        said = begun(f"{f'{draft.title} {whom}' if whom else about or draft.title}: {draft.one.label}")
        tail = (wrong,) if wrong else _changes(draft.told, whom) or ((about,) if about and whom else ())
        short = f"{begun(draft.one.label)}:" if wrong else ""  # what is wrong comes before whom it is about
        return Said(said, loud=True, short=short, tail=tail, typed=draft.field.near)
    doer = named.get(kind.done_by, "")
    # what nobody in particular does has no one chance: the form tells them all
    chance = percent(draft.odds.hope) if draft.odds is not None and draft.odds.hoped and doer else ""
    if not doer and not target:
        told = [draft.words(f) for f in draft.required if f.name in draft.answers][:3]
        target = f"({', '.join(told)})" if told else ""
    act = " ".join(filter(None, (draft.title, kind.toward if named.get(kind.done_to) else "", target)))
    return Said(f"{doer}: {act}" if doer else begun(act), loud=True, chance=chance)


def _changes(told: Sequence[str], whom: str) -> tuple[str, ...]:
    """What an answer will change: first what is said of them alone, without the name that the question has."""
    own = f"{whom}: "
    ranked = sorted(told, key=lambda words: not words.startswith(own))
    return tuple(words.removeprefix(own) for words in ranked)


def form_lines(draft: Draft, width: int, height: int, hit: Hit) -> list[Content]:
    """Every line that fits around the cursor; the chances are in sight whatever there is."""
    note = "chances change as you choose" if draft.odds is not None else ""
    out = [heading(draft.title, width, active=True, note=note)]
    if draft.closed:
        out.append(line((f" – {draft.closed}", "$bad")))
    wrong = draft.wrong or draft.refused
    below = told(f"✗ {wrong}", "$bad", width, max(height - len(out) - FEW_LINES, MOST_TOLD)) if wrong else []
    listed = _listed(draft)
    fields = draft.fields
    if draft.told and draft.odds is None and not wrong:
        most = max(height - len(out) - len(fields) - min(listed, NUMBERED + 1), MOST_TOLD)
        below += told(" · ".join(draft.told), DIM, width, most)
    room = height - len(out) - len(below)
    if draft.odds is not None:
        full = [heading("chances", width), *chance_lines(draft.odds, width)]
        few = chance_lines(draft.odds, width, compact=True)
        left = room - min(len(fields), FEW_LINES) - min(listed, NUMBERED)
        shown = full if len(full) <= left else few if len(few) <= left else few[:1]  # a choice comes before how much
        below += shown
        room -= len(shown)
    choices = min(listed, max(room - min(len(fields), 5), 3)) if listed else 0
    window = max(room - choices, 2)
    first = min(max(draft.at - window + 1, 0), max(len(fields) - window, 0))
    if (hidden := len(fields) - window - first) > 0:
        out[0] = heading(draft.title, width, active=True, note=f"▾ {hidden} more")
    name = min(max((cells(f.label) for f in fields), default=0), max(width * 2 // 5, 8))
    for place, field in list(enumerate(fields))[first : first + window]:
        hit(len(out), Press("form.point", (place,)))
        out.append(_line(draft, field, place == draft.at, name, width))
        if place == draft.at and choices:
            out += _choices(draft, field, choices, name, width, hit, len(out))
    return [*out, *below]


def _line(draft: Draft, field: Field, here: bool, name: int, width: int) -> Content:
    """Its label, its answer, and at the right what can be done about it: dropped whole where it does not fit."""
    ground = " on $raised" if here else ""
    head = [("▸" if here else " ", f"{ACCENT}{ground}"), (f"{fit(field.label, name)}  ", f"{DIM}{ground}")]
    room = width - name - 4
    if here and draft.writes:
        spans = [(text, f"{style}{ground}") for text, style in draft.field.spans(max(room - 12, 8))]
        limits = f"{field.low} to {field.high}" if field.kind == "number" and field.high < 1_000_000 else ""
        note = field.hint if field.hint and not draft.field.text.strip() else limits  # it tells what nothing means
    else:
        said = draft.words(field)
        missing = field.required and field.name not in draft.answers and not field.hint  # which stands for nothing
        given = field.required or field.name in draft.own
        style = f"bold {INK}" if given else INK if field.name in draft.answers else DIM
        spans = [("required" if missing else fit(said, min(cells(said), room)), f"{style}{ground}")]
        note = _hint(draft, field, here)
    left = room - sum(cells(text) for text, _ in spans)
    tail = note if note and cells(note) + 2 <= left else ""
    return line(*head, *spans, (f"{tail:>{max(left, 0)}} ", f"{DIM}{ground}"))


def _hint(draft: Draft, field: Field, here: bool) -> str:
    count = len(draft.open(field)) if field.kind in ("choice", "yes", "choices") else 0
    if here and _in_roster(draft, field):
        people = sum(c.value is not OTHER for c in draft.open(field))
        if people < count <= NUMBERED:  # the list has the digits before it
            return f"{count} in words"
        return f"1-{min(people, NUMBERED)} in the list" if people > 1 else "1 in the list"
    value = draft.answers.get(field.name, field.default)
    if not here and field.hint and value == field.default and field.kind != "choices":
        return field.hint
    found = next((c for c in draft.choices(field) if c.value == value), None) if count else None
    if found and found.note:
        return found.note
    if field.kind == "choices" or all(c.value != value for c in draft.open(field)):
        return f"‹ › {count} to choose from" if count > 1 else ""
    return f"‹ › {count - 1} other{'s' if count > 2 else ''}" if count > 1 else ""


def _in_roster(draft: Draft, field: Field) -> bool:
    """Do its choices stand in the roster beside the form?"""
    return field.name == draft.kind.done_to and bool(draft.shown)


def _listed(draft: Draft) -> int:
    """How many choices the line under the cursor lists."""
    field = draft.line
    if field is None or draft.writes or _in_roster(draft, field):
        return 0
    found = draft.choices(field)
    return len(found) if len(found) > 1 else 0


def rows_wanted(draft: Draft) -> int:
    """Rows in which every choice with a digit can be read, beside the fields and what they come to."""
    return 3 + len(draft.fields) + min(_listed(draft), NUMBERED + 1)


def _choices(draft: Draft, field: Field, most: int, indent: int, width: int, hit: Hit, offset: int) -> list[Content]:
    """The choices of a line, numbered; closed ones begin with a dash and give the reason."""
    found, free = list(draft.choices(field)), draft.open(field)
    value = draft.answers.get(field.name, field.default)
    ticked = value if isinstance(value, tuple | list) else (value,)
    at = next((i for i, c in enumerate(found) if c.value in ticked), 0)
    if field.kind == "choices" and free:
        at = found.index(free[draft.under % len(free)])
    top = min(max(at - most + 2, 0), max(len(found) - most, 0))
    widest = max((cells(c.words) for c in found), default=0) + (8 if field.kind == "choices" else 4)
    indent = max(min(indent, 8, width - widest), 0)  # a choice is not cut for the look of it
    out: list[Content] = []
    for i, c in list(enumerate(found))[top : top + most]:
        place = free.index(c) if c in free else -1
        number = key_for(f"form.{place + 1}", str(place + 1)) if 0 <= place < NUMBERED else " "
        on = c.value in ticked and c.value is not OTHER
        box = ("[x] " if on else "[ ] ") if field.kind == "choices" else ""
        if place >= 0:
            hit(offset + len(out), Press("form.point", (draft.at, place)))
        here = on if field.kind != "choices" else i == at
        out.append(
            line(
                (f"{' ' * indent}  {'–' if c.closed else number} ", DIM if c.closed else f"bold {ACCENT}"),
                (f"{box}{c.words}", DIM if c.closed else f"bold {INK}" if here else INK),
                (f"  {c.closed or c.note}" if c.closed or c.note else "", DIM),
            )
        )
    return with_more(out, top, max(len(found) - top - most, 0), width)
