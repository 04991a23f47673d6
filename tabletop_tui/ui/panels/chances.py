"""Who leads and where each die comes from, and the chances of every outcome."""

from __future__ import annotations

from itertools import accumulate
from textwrap import wrap

from msgspec.structs import replace
from textual.content import Content

from ...rules import Model, Odds, Pool
from ..commands import Press, key_for
from ..drawing.pools import LEAST_NOTE, chance_lines, pool_lines
from ..drawing.text import ACCENT, DIM, INK, cells, fit, heading, line, safe, told, with_more
from .panel import Panel

AT_STAKE = " at stake "


class Leading(Model):
    """Who leads, and the pools."""

    lead: str = ""
    pools: tuple[Pool, ...] = ()


class LeadPanel(Panel[Leading]):
    """A line a part of a pool."""

    DEFAULT_CSS = "LeadPanel { height: 6; width: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """Under the Lead's name."""
        part = self.part or Leading()
        lead, pools = part.lead, part.pools
        if not (lead or pools):
            return []
        name = fit(lead, min(cells(lead), width - 2)).rstrip()  # the chances stand right beside it
        head = line((f" {name}", f"bold {INK}")) if lead else heading("the pool", width)
        rows, room = pool_lines(pools, width), max(self.size.height - 1, 1)
        return [head, *with_more(rows[:room], 0, max(len(rows) - room, 0), width)]


class Extra(Model):
    """Something else to switch before the roll."""

    key: str
    label: str
    chosen: bool
    note: str
    closed: str
    change: str
    place: int


class Hopes(Model):
    """Chances, what to say while there are none, what is at stake, what could be added."""

    odds: Odds | None = None
    waiting: str = ""
    stakes: str = ""
    extras: tuple[Extra, ...] = ()
    keyed: bool = True
    """Can they be put in by their keys? Where nobody plays they cannot."""


class ChancePanel(Panel[Hopes]):
    """A row an outcome."""

    DEFAULT_CSS = "ChancePanel { height: 6; width: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """Chances, additions, stakes as far as there is room."""
        part = self.part or Hopes()
        if part.odds is None and not part.waiting and not part.extras:  # it was rolled: nothing is a chance any more
            stakes = told(part.stakes, INK, width, max(self.size.height - 1, 1))
            return [heading("at stake", width), *stakes] if stakes else []
        title = "chances" if part.odds is not None or part.waiting else "then"
        out = [heading(title, width), *chance_lines(part.odds, width, part.waiting)]
        if part.extras and len(out) + len(part.extras) > self.size.height and part.odds is not None:
            # what can be put in comes before the chances of doing better still
            plain = tuple(group for group in part.odds.groups if not group.at_least)
            out = [out[0], *chance_lines(replace(part.odds, groups=plain), width)]
        room = max(self.size.height - len(out), 1)
        extras = part.extras
        if len(extras) > room:  # the footer has those with a letter: the others come first
            extras = tuple(sorted(extras, key=lambda x: (not x.chosen, bool(x.key))))
        shown = extras if len(extras) <= room else extras[: room - 1]
        for x in shown:
            self.spot(len(out), Press(f"challenge.extra.{x.place + 1}"))
            sign = "–" if x.closed else (part.keyed and x.key) or "·"
            label = f"{x.label}{' ●' if x.chosen else ''}"
            style = "bold $good" if x.change[:1] == "+" else DIM
            head = (f" {sign} ", f"bold {ACCENT}" if sign == x.key else DIM)
            note, number = x.closed or x.note, f"  {x.change} %" if x.change else ""
            label = fit(label, min(cells(label), width - 3 - cells(sign) - cells(number))).rstrip()
            room = width - 5 - cells(sign) - cells(label) - cells(number)  # a remark gives way before a number does
            gap = "  " if cells(note) <= room else " "
            if gap == " ":
                number, room = number[1:], room + 2
            note = (
                f"{gap}{fit(note, min(cells(note), room)).rstrip()}" if room >= min(cells(note), LEAST_NOTE) else ""
            )
            out.append(line(head, (label, DIM if x.closed else INK), (note, DIM), (number, style)))
        if rest := extras[len(shown) :]:
            more = f"{len(rest)} more"
            key = f" {key_for('actions', 'space' if part.keyed else 'ctrl+p')} "  # a replay has another use for space
            names = accumulate((x.label for x in rest), "{}, {}".format)
            told_of = [words for name in names if cells(key + (words := f"{more}: {name}")) <= width]
            out.append(line((key, f"bold {ACCENT}"), (told_of[-1] if told_of else more, INK)))
        left = self.size.height - len(out)
        if part.stakes and left > 0:
            pieces = wrap(safe(part.stakes), max(width - len(AT_STAKE), 12), max_lines=left, placeholder=" …")
            out += [line((AT_STAKE if not i else " " * len(AT_STAKE), DIM), (p, INK)) for i, p in enumerate(pieces)]
        return out
