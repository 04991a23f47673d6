"""Only what differs is sent, and the terminal shows the same as if everything had been."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyte
from hypothesis import given
from hypothesis import strategies as st
from ptys import Terminal
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from tabletop_tui.ui.drawing.frame import Frame

COLUMNS, ROWS = 12, 3
CONSOLE = Console(color_system="truecolor", force_terminal=True, width=COLUMNS)
TEXTS = st.text("ab ─▶龍é", max_size=6)
STYLES = st.sampled_from(
    [
        Style.parse(words)
        for words in (
            "#ff0000 on #000000",
            "bold #ff0000 on #000000",
            "#00ff00 on #000000",
            "underline #00ff00 on #333333",
            "reverse #ffffff on #333333",
            "on #333333",
        )
    ]
)
LINES = st.lists(st.tuples(TEXTS, STYLES), max_size=5).map(
    lambda pieces: Strip([Segment(text, style) for text, style in pieces]).adjust_cell_length(
        COLUMNS, Style.parse("on #000000")
    )
)
FRAMES = st.lists(st.lists(LINES, min_size=ROWS, max_size=ROWS), min_size=1, max_size=6)


def whole(lines: list[Strip]) -> LayoutUpdate:
    return LayoutUpdate([[line] for line in lines], Region(0, 0, COLUMNS, ROWS))


def some(lines: list[Strip]) -> ChopsUpdate:
    """The last line but for its ends, as Textual sends a widget that has changed."""
    strip = lines[-1]
    parts: dict[int, Strip | None] = {0: None, 4: strip.crop(4, COLUMNS)}
    return ChopsUpdate([{}] * (ROWS - 1) + [parts], [(ROWS - 1, 4, 10)], [[]] * (ROWS - 1) + [[4, COLUMNS]])


class Shown:
    """A terminal, and what it shows."""

    def __init__(self) -> None:
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.Stream(self.screen)

    def cells(self) -> list[object]:
        return [self.screen.buffer[y][x] for y in range(ROWS) for x in range(COLUMNS)]


@given(FRAMES)
def test_what_differs_is_enough(frames: list[list[Strip]]) -> None:
    frame, ours, textuals = Frame(), Shown(), Shown()
    for lines in frames:
        for update in (whole(lines), some(lines)):
            ours.stream.feed(frame.changes(update, (COLUMNS, ROWS)))
            textuals.stream.feed(update.render_segments(CONSOLE).replace("\n", "\r\n"))
            assert ours.cells() == textuals.cells()


@given(FRAMES)
def test_what_is_shown_already_is_not_sent_again(frames: list[list[Strip]]) -> None:
    frame = Frame()
    for lines in frames:
        frame.changes(whole(lines), (COLUMNS, ROWS))
        assert frame.changes(whole(lines), (COLUMNS, ROWS)) == ""


def test_a_terminal_that_was_forgotten_is_sent_everything() -> None:
    frame, lines = Frame(), [Strip([Segment("x" * COLUMNS, Style.parse("red"))])] * ROWS
    first = frame.changes(whole(lines), (COLUMNS, ROWS))
    frame.forget()
    assert frame.changes(whole(lines), (COLUMNS, ROWS)) == first


def test_a_letter_that_changes_is_sent_alone() -> None:
    look = Style.parse("red on black")
    frame, before = Frame(), [Strip([Segment("a" * COLUMNS, look)])] * ROWS
    frame.changes(whole(before), (COLUMNS, ROWS))
    after = [*before[:2], Strip([Segment("a" * 5 + "b" + "a" * 6, look)])]
    assert frame.changes(whole(after), (COLUMNS, ROWS)) == "\x1b[3;6H\x1b[31;40mb\x1b[0m"


def test_something_else_wrote_on_the_terminal_and_a_key_draws_it_again(
    terminal: Callable[..., Terminal], campaign: Path
) -> None:
    play = terminal("play", str(campaign))
    play.sees("space all")
    play.sees("complications")
    play.raw += b"\x1b[2J"  # as `wall` or a stray message would
    assert "complications" not in play.text()
    play.send("\x0c")
    for words in ("drawn again", "complications", "Brother Odo"):
        play.sees(words)
