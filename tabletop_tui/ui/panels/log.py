"""What happened, the newest last, and below it what is no entry of the log: refusals, files, who sat down."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from textwrap import wrap
from typing import Any, Literal

from textual.content import Content
from textual.geometry import Size

from ...rules import Model
from ...session import Step, local_time
from ..commands import key_for
from ..drawing.text import DIM, FAINT, INK, cells, fit, heading, line, safe, told
from .panel import Panel

Tone = Literal["", "good", "bad", "undo"]

SIGNS: dict[Tone, str] = {"bad": "✗", "good": "✓", "": "·", "undo": "↶"}
STYLES: dict[Tone, str] = {"bad": "bold $bad", "good": "bold $good", "": INK, "undo": INK}
MOVES = ("undo", "redo")
USUAL = 6
"""Rows of what happened on a page that gives it as many as it needs."""
LEAST_SEEN = 2
"""Rows in which the log's newest line has no room beside its heading and a message."""


class Message(Model):
    """A sentence that is no entry of the log."""

    words: str
    tone: Tone = "bad"
    logged: str = ""
    """What the log's newest line says already: it is told where that is out of sight."""


class Happened(Model):
    """The log's part."""

    steps: tuple[Step, ...] = ()
    messages: tuple[Message, ...] = ()
    asked: tuple[tuple[str, str], ...] = ()
    """What players ask for, each with who asks; the oldest stands in the band."""


class LogPanel(Panel[Happened]):
    """Steps from the bottom up, as many as there is room for; messages are never cut."""

    DEFAULT_CSS = "LogPanel { height: 1fr; min-height: 2; }"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.step_lines = lru_cache(maxsize=256)(step_lines)
        """Most of the steps in sight were there a moment ago."""

    def show(self, part: Happened) -> None:
        """On a page that gives it as many rows as it needs, these are counted again."""
        changed = part != self.part
        super().show(part)
        if changed and self.styles.height is not None and self.styles.height.is_auto:
            self.refresh(layout=True)

    def rows_said(self) -> int:
        """Rows in which every message is whole."""
        messages = self.part.messages if self.part and self.size else ()
        return sum(len(message_lines(one, self.size.width)) for one in messages)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Where the stylesheet leaves it open: every message whole, and above them what happened last."""
        part = self.part or Happened()
        said = sum(len(message_lines(one, width)) for one in part.messages)
        if not part.steps:
            return said
        told = sum(len(self.step_lines(step, width)) for step in part.steps[-USUAL:])
        return said + len(asked_lines(part.asked, width, USUAL)) + min(1 + told, USUAL)

    def lines(self, width: int) -> list[Content]:
        """Of what was undone and redone in a row the last is told: it says what it came to."""
        part = self.part or Happened()
        if not part.steps:  # a page that has the log at length, or no room for it
            return [one for message in part.messages for one in message_lines(message, width)]
        height = max(self.size.height, 1)
        asked = asked_lines(part.asked, width, height // 2)
        seen = height > LEAST_SEEN
        told = [message_lines(m, width, seen=seen) for m in part.messages]
        said = [*asked, *(one for message in shortened(told, width, height - len(asked)) for one in message)]
        room = height - len(said) - 1
        out: list[Content] = []
        moot, more = False, 0
        for step in reversed(part.steps):
            if moot and _moot(step):  # counted to the end, also where there is no room for more
                more += step.undone and step.action not in MOVES
                continue
            out, more = [*_undone_lines(more), *out], 0
            if len(out) >= room:
                break
            moot = _moot(step)
            # the line of an undo has told of one of them
            more = -1 if step.action == "undo" else 0
            out = [*begun_lines(self.step_lines(step, width, not out), width, room - len(out)), *out]
        out = [*_undone_lines(more), *out]
        head = [heading("what happened", width)] if height > len(said) else []
        return [*head, *out[-room:], *said] if room > 0 else [*head, *said]


def _undone_lines(more: int) -> list[Content]:
    """How many more were undone than is told."""
    return [line((f"        ↶ {more} more undone: {key_for('log', 'L')} shows all", FAINT))] if more > 0 else []


def shortened(told: list[list[Content]], width: int, room: int) -> list[list[Content]]:
    """Messages in so many rows: the longest gives way, from its end; of each the beginning stays."""
    while (over := sum(map(len, told)) - room) > 0 and max(map(len, told)) > 1:
        longest = max(range(len(told)), key=lambda i: len(told[i]))
        told[longest] = begun_lines(told[longest], width, max(len(told[longest]) - over, 1))
    return told


def _moot(step: Step) -> bool:
    """Was it undone, or does it only undo and redo?"""
    return step.undone or step.action in MOVES


def asked_lines(asked: Sequence[tuple[str, str]], width: int, most: int) -> list[Content]:
    """Everything that is asked for, where there is more than the band tells."""
    if len(asked) < 2 or most < 2:
        return []
    whole, cut = list[Content](), list[Content]()
    for by, words in asked:
        room = max(width - cells(by) - 3, 8)
        cut.append(line((f" {by} ", f"bold {INK}"), (fit(words, room), INK)))
        pieces = wrap(safe(words), room)
        whole += [
            line((f" {fit(by if not i else '', cells(by))} ", f"bold {INK}"), (piece, INK))
            for i, piece in enumerate(pieces)
        ]
    rows = whole if len(whole) < most else cut[: most - 1]
    return [heading("asked", width, note=f"{len(asked)} waiting"), *rows]


def message_lines(message: Message, width: int, *, seen: bool = False) -> list[Content]:
    """A message in full, under its sign; without what the log's newest line says, where that is seen."""
    style = STYLES[message.tone]
    words = " · ".join(part for part in ("" if seen else message.logged, message.words) if part)
    return told(words, style, width, sign=f"{SIGNS[message.tone]} ")


def begun_lines(told: Sequence[Content], width: int, room: int) -> list[Content]:
    """As many lines of a step as there is room for: from its beginning, in whole words, and a cut is owned up to."""
    if len(told) <= room or room <= 0:
        return list(told[: max(room, 0)])
    last = told[room - 1].rstrip()
    if last.cell_length > width - 2:
        space = last.plain.rfind(" ", 0, width - 1)
        last = last[:space] if space > 0 else last.truncate(width - 2)
    return [*told[: room - 1], last + line((" …", FAINT))]


def step_lines(step: Step, width: int, last: bool = False) -> tuple[Content, ...]:
    """One step of the history; the last one is what the eye looks for."""
    style = FAINT if step.undone else INK if last else DIM
    sign = "↶ " if step.undone else "✎ " if step.edit else ""
    words = step.said or (step.action,)
    name = f"  ★ {step.name}" if step.name else ""
    out: list[Content] = []
    for i, text in enumerate(words):
        gm = "~ " if i >= len(step.said) - step.whispers else ""
        for piece in wrap(safe(f"{sign}{gm}{text}{name if not i else ''}"), max(width - 9, 20)) or [""]:
            time = f" {local_time(step.at)}  " if not out else " " * 8
            out.append(line((time, FAINT), (piece, style)))
    return tuple(out)
