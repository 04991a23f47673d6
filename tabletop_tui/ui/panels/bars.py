"""The frame of every screen: tabs, counters, the band and the footer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from textual.content import Content

from ...rules import Counter, Model
from ..commands import Item, Press, faced
from ..drawing.meters import asked_pieces, counter_line
from ..drawing.text import ACCENT, DIM, INK, Glyphs, Span, cells, fit, line
from .panel import Panel, T

ASK = "bold $on-accent on $tone-accent"
CHIP = "bold $tone-accent on $bar"


class Tab(Model):
    """A page in the top line."""

    id: str
    label: str
    key: str
    current: bool
    waits: str = ""
    """What waits there: a number or a sign."""


class Tabs(Model):
    """The top line."""

    title: str
    tabs: tuple[Tab, ...] = ()
    facts: tuple[str, ...] = ()
    """Left out whole where there is no room, the last ones first."""
    badge: str = ""


class TabLine(Panel[Tabs]):
    """Where we are. The current page is underlined as a whole, the others by their key."""

    DEFAULT_CSS = "TabLine { height: 1; background: $bar; }"

    def lines(self, width: int) -> list[Content]:
        """One line: what it is of, the pages, the facts."""
        part = self.part or Tabs("")
        badge = line((f"{part.badge} ", "bold $warn")) if part.badge else Content("")
        tabs = [_tab(tab) for tab in part.tabs]
        need = sum(tab.cell_length + 2 for tab in tabs) + badge.cell_length
        title = fit(part.title, min(cells(part.title), max(width - need - 6, 5)))
        out = line((f" {title}", f"bold {INK}"), ("   ", ""))
        for tab, drawn in zip(part.tabs, tabs, strict=True):
            self.spot(0, Press(tab.id), out.cell_length, out.cell_length + drawn.cell_length)
            out = out + drawn + Content("  ")
        kept = part.facts[: fitting(part, width)]
        facts = line((f"{' · '.join(kept)} {'· ' if part.badge else ''}", DIM)) if kept else Content("")
        gap = max(width - out.cell_length - facts.cell_length - badge.cell_length, 0)
        return [out + Content(" " * gap) + facts + badge]


def fitting(tabs: Tabs, width: int) -> int:
    """How many of the facts have room beside the tabs; the band has the others."""
    need = 4 + cells(tabs.title) + sum(_tab(tab).cell_length + 2 for tab in tabs.tabs)
    room = width - need - (cells(tabs.badge) + 3 if tabs.badge else 0) - 1
    return next(n for n in range(len(tabs.facts), -1, -1) if not n or cells(" · ".join(tabs.facts[:n])) <= room)


def _tab(tab: Tab) -> Content:
    waits = (f" {tab.waits}" if tab.waits else "", f"bold {ACCENT}")
    if tab.current:
        own = f" {tab.key}" if tab.key and tab.key not in tab.label else ""
        return line((tab.label, f"bold underline {INK}"), (own, DIM), waits)
    at = tab.label.find(tab.key) if tab.key else -1
    if at < 0:
        return line((f"{tab.label}{' ' if tab.key else ''}", DIM), (tab.key, f"underline {DIM}"), waits)
    return line((tab.label[:at], DIM), (tab.label[at], f"underline {DIM}"), (tab.label[at + 1 :], DIM), waits)


class Counters(Model):
    """The game's counters, and those of them that can be moved now, in the order of their digits."""

    counters: tuple[Counter, ...] = ()
    asked: tuple[Counter, ...] = ()


class CounterLine(Panel[Counters]):
    """The numbers that matter: the only place where clocks stand."""

    DEFAULT_CSS = "CounterLine { height: 1; background: $bar; }"

    def lines(self, width: int) -> list[Content]:
        """One line; nothing is left out in silence."""
        part = self.part or Counters()
        if not part.asked:
            self.spot(0, Press("clock"))
            return [Content(" ") + counter_line(part.counters, width - 2)]
        at, pieces = 1, asked_pieces(part.asked, width - 2)
        for n, piece in enumerate(pieces, 1):
            self.spot(0, Press(f"count.{n}"), at, at + piece.cell_length)
            at += piece.cell_length + 3
        return [Content(" ") + Content("   ").join(pieces)]


LEAST_SENTENCE = 12
"""Cells that the band's sentence keeps, however many keys there are."""
LEAST_TAIL = 20
"""Cells in which a reason is worth cutting rather than dropping, where somebody must answer."""


class Said(Model):
    """What the band says, besides its keys."""

    text: str = ""
    loud: bool = False
    """Somebody must answer."""
    short: str = ""
    """The same in fewer words, where there is no room for all of it; empty where it has none."""
    tail: tuple[str, ...] = ()
    """What else is to be known, at the right end, as far as there is room."""
    typed: str = ""
    """What is being typed, with its cursor: its end stays in sight, whatever else is cut."""
    keys: frozenset[str] = frozenset()
    """The ids of its own keys: the others of the band stand on the footer meanwhile. Empty: all of them."""
    chance: str = ""
    """Behind the sentence, and never cut."""


class Band(Model):
    """The band: a sentence and the keys that fit it."""

    said: Said
    items: tuple[Item, ...] = ()


def arranged(said: Said, chips: Sequence[int], width: int) -> tuple[str, int]:
    """The band's sentence as it is drawn, and how many keys of these widths stand beside it.

    Keys give way before words do, and stand on the footer then; the first one stays, and so does what is typed.
    """
    room, keys = width - 4, [one + (1 if said.loud else 2) for one in chips]
    chance = f": {said.chance}" if said.chance else ""
    if not said.typed and cells(said.text + chance) + sum(keys) <= room:
        return said.text + chance, len(keys)
    text = said.short or said.text
    least = cells(text + chance)
    if said.typed:
        least = min(least + cells(said.typed) + 1, max(width // 2, LEAST_SENTENCE))
    while keys[1:] and sum(keys) + least > room:
        keys.pop()
    return _sentence(said, text, max(room - sum(keys) - cells(chance), 8)) + chance, len(keys)


def beside(said: Said, items: Sequence[Item], width: int) -> tuple[Item, ...]:
    """The items that find room beside the band's sentence."""
    groups = merged(items)
    kept = arranged(said, [chip(*one, loud=said.loud).width for one in groups], width)[1]
    ids = {id for _, keys in groups[:kept] for _, id in keys}
    return tuple(item for item in items if item.id in ids)


class Bar(Panel[T]):
    """A line with chips."""

    def put(self, one: Chip, spans: list[Span], at: int, gap: Span) -> int:
        """Add a chip behind a gap to a line; where it ends."""
        at += cells(gap[0])
        for press, first, after in one.spots:
            self.spot(0, press, at + first, at + after)
        spans += (gap, *one.spans)
        return at + one.width


class BandLine(Bar[Band]):
    """Who is up and what fits, or what must be answered: the only accent-filled thing on a screen."""

    DEFAULT_CSS = "BandLine { height: 1; background: $raised; }"

    def lines(self, width: int) -> list[Content]:
        """One line: the sentence, and the keys that fit beside it."""
        part = self.part or Band(Said())
        loud = part.said.loud
        base = ASK if loud else INK
        drawn = [chip(*one, loud=loud) for one in merged(part.items)]
        text, kept = arranged(part.said, [one.width for one in drawn], width)
        drawn = drawn[:kept]
        least = " " if loud else "  "
        chips = sum(one.width + len(least) for one in drawn)
        spans = [(" ▲ " if loud else " ▶ ", base if loud else ACCENT), (f"{text} ", ASK if loud else f"bold {INK}")]
        at = sum(cells(text) for text, _ in spans)
        gap = "   " if not loud and width - at - chips >= len(drawn) else least
        for one in drawn:
            at = self.put(one, spans, at, (gap, base))
        left = width - at
        more = part.said.tail
        while more[1:] and cells(" · ".join(more)) + 3 > left:
            more = more[:-1]
        if more and cells(more[0]) + 3 > left:
            more = (fit(more[0], left - 3).rstrip(),) if loud and left > LEAST_TAIL else ()
        more = tuple(filter(None, more))
        tail = f"{' · '.join(more)} " if more else ""
        return [line(*spans, (" " * max(left - cells(tail), 0) + tail, base if loud else DIM))]


def _sentence(said: Said, text: str, room: int) -> str:
    """As much of it as fits; of what is typed the end, where the cursor stands."""
    if not said.typed:
        cut = fit(text, min(cells(text), room))
        head, space, last = cut.rpartition(" ")
        return f"{head} …" if space and last.endswith("…") and last != "…" and cells(head) > room // 2 else cut
    head = fit(text, min(cells(text), max(room - cells(said.typed) - 1, room // 3)))
    left = max(room - cells(head) - 1, 4)
    typed = said.typed if cells(said.typed) <= left else f"…{said.typed[-(left - 1) :]}"
    return f"{head} {typed}"


class FooterLine(Bar[tuple[Item, ...]]):
    """What else can be pressed: whole items or none; undo and help always stay, at the right end."""

    DEFAULT_CSS = "FooterLine { height: 1; background: $bar; }"

    def lines(self, width: int) -> list[Content]:
        """One line."""
        items = self.part or ()
        end = [chip(*one) for one in merged([i for i in items if i.where == "end"])]
        tail = sum(one.width + 3 for one in end)
        spans, at = [(" ", "")], 1
        for one in (chip(*one) for one in merged([i for i in items if i.where == "footer"])):
            if at + one.width + 2 + tail <= width:
                at = self.put(one, spans, at, ("  " if at > 1 else "", ""))
        room = max(width - at - tail, 0)
        spans.append((" " * room, ""))
        at += room
        for one in end:
            at = self.put(one, spans, at, ("  ", ""))
        return [line(*spans)]


def merged(items: Sequence[Item]) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """Items as (label, ((key, id), …)): neighbours of one group are one."""
    out: list[tuple[str, tuple[tuple[str, str], ...]]] = []
    last = ""
    for item in items:
        key = (faced(item.keys[0]), item.id)
        if item.group and item.group == last:
            out[-1] = (out[-1][0], (*out[-1][1], key))
        else:
            out.append((item.group or item.label, (key,)))
        last = item.group
    return out


class Chip(Model):
    """A key, or several, and what they do."""

    spans: tuple[Span, ...]
    width: int
    spots: tuple[tuple[Press, int, int], ...]
    """Where each of them can be clicked."""


def chip(label: str, keys: tuple[tuple[str, str], ...], loud: bool = False) -> Chip:
    """An item of a bar, drawn."""
    return _chip(label, keys, loud, Glyphs.plain)


@lru_cache(512)
def _chip(label: str, keys: tuple[tuple[str, str], ...], loud: bool, _plain: bool) -> Chip:
    """Bars are drawn at every key, and most of what they show was there before."""
    faces = [face for face, _ in keys]
    signs = all(len(face) == 1 and not face.isalnum() for face in faces)
    style = CHIP if loud else f"bold {ACCENT}"
    pad = " " if loud else ""
    text, spots = pad, []
    for at, (face, id) in enumerate(keys):
        if _runs(faces[at - 1 : at + 2]) and at:  # the middle of 1-4
            continue
        gap = "-" if at > 1 and _runs(faces[at - 2 : at + 1]) else " " * (at > 0 and not signs)
        first = cells(text + gap)
        text += gap + face
        spots.append((Press(id), first, cells(text)))
    text += pad
    width = cells(f"{text} {label}")
    return Chip(((text, style), (f" {label}", ASK if loud else INK)), width, ((Press(keys[0][1]), 0, width), *spots))


def _runs(faces: Sequence[str]) -> bool:
    """Do three digits follow each other?"""
    return len(faces) == 3 and "".join(faces) in "123456789"
