"""Counters over time: what a plot is drawn from."""

from __future__ import annotations

import re
from collections.abc import Callable

import playing
import pytest

from tabletop_tui.records import series
from tabletop_tui.records.chart import charts, svg, ticks
from tabletop_tui.records.counters import Series, sample
from tabletop_tui.records.markdown import plot
from tabletop_tui.records.style import CSS
from tabletop_tui.session import Table


def test_the_values_are_those_of_the_table_view_after_each_step(session: Table) -> None:
    found = series(session, points=10_000)
    assert found
    path = session.timeline.past()
    for place, seq in enumerate(path):
        view = session.view("table", world=session.at(seq))
        shown = sorted((c.name, c.value) for c in view.counters)  # type: ignore[union-attr]
        assert sorted((s.name, s.values[place]) for s in found if s.values[place] is not None) == shown
    assert all(s.entries == tuple(path) for s in found)


def test_undone_steps_leave_no_trace(table: Table) -> None:
    playing.act(table, "tick clock=storm by=2")
    playing.act(table, "tick clock=storm by=2")
    table.undo()
    playing.act(table, "tick clock=storm by=-1")
    storm = next(s for s in series(table) if s.name == table.world.now.clocks["storm"].name)
    begin = table.header.world.now.clocks["storm"].filled
    assert storm.values == (begin, begin + 2, begin + 1)
    assert storm.entries == (0, 1, 4)
    assert storm.most == table.world.now.clocks["storm"].size


def test_a_player_sees_no_counter_of_the_gms(sessions: Callable[..., Table]) -> None:
    gm = sessions("no1")
    clocks = gm.header.world.now.clocks.values()  # random play may make others of the same name, secret or not
    secret = {c.name for c in clocks if c.secret}
    assert secret, "the sample needs a secret clock for this"
    player = Table(gm.engine, gm.header, gm.timeline.entries, seat="Ada")
    assert secret <= {s.name for s in series(gm)}
    assert not secret & {s.name for s in series(player)}


def test_a_long_session_is_sampled_with_its_ends(table: Table) -> None:
    for number in range(50):
        playing.act(table, f"tick clock=storm by={1 if number % 2 else -1}")
    found = series(table, points=7)
    assert all(len(s.values) == len(s.entries) == 7 for s in found)
    assert found[0].entries[0] == 0
    assert found[0].entries[-1] == 50
    assert sample(range(5), 7) == (0, 1, 2, 3, 4)
    assert sample(range(1000), 3) == (0, 500, 999)


def test_two_counters_of_one_name_stay_apart(table: Table) -> None:
    from msgspec.structs import replace

    clocks = table.header.world.now.clocks
    one = next(iter(clocks.values()))
    world = table.header.world.live(clocks={"a": replace(one, filled=1), "b": replace(one, filled=3)})
    twins = Table(table.engine, replace(table.header, world=world))
    playing.act(twins, "tick clock=b by=-1")
    assert [s.values for s in series(twins) if s.name == one.name] == [(1, 1), (3, 2)]


def test_a_text_plot_stands_between_its_lowest_and_highest() -> None:
    assert plot((0, 4, 8, None, 8), height=2) == ["8 ┤  █ █", "0 ┤▁██ █"]
    wide = plot(tuple(range(1000)), width=40)
    assert all(len(row) <= 40 + len("999 ┤") for row in wide)


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [(0, 1, [0, 1]), (0, 5, [0, 1, 2, 3, 4, 5]), (0, 14, [0, 5, 10, 15]), (-3, 40, [-10, 0, 10, 20, 30, 40])],
)
def test_axes_carry_round_numbers_around_the_values(low: int, high: int, found: list[int]) -> None:
    assert list(ticks(low, high)) == found


def test_lines_of_a_chart_differ_in_dashes_and_marks_and_not_in_colour_alone() -> None:
    entries = tuple(range(30))
    some = [Series(f"n{i}", tuple((n * (i + 1)) % 7 for n in entries), entries) for i in range(4)]
    (chart,) = charts(some)
    drawn = svg(chart)
    marks = set(re.findall(r'class="mark (m\d)" d="M[-\d.]+ [-\d.]+([^"]+)"', drawn))
    assert len(marks) == len({line for line, _ in marks}) == len({shape for _, shape in marks}) == 4
    assert set(re.findall(r'class="line (l\d)"', drawn)) == {"l0", "l1", "l2", "l3"}
    dashes = re.findall(r"\.l\d \{ stroke: [^;]+;( stroke-dasharray: [^;]+;)? \}", CSS)
    assert len(dashes) == len(set(dashes)) == 4


def test_what_never_moved_is_not_drawn_and_what_is_of_another_size_stands_apart() -> None:
    entries = (0, 1, 2)
    still, small = Series("still", (3, 3, 3), entries), Series("small", (0, 1, 4), entries)
    large = Series("large", (0, 900, 4), entries)
    assert charts([still, small, large]) == [[small], [large]]


def test_a_gap_in_a_counter_is_a_gap_in_its_line() -> None:
    drawn = svg([Series("x", (1, 2, None, 3, 4), (0, 1, 2, 3, 4))])
    path = drawn.split('class="line l0" d="')[1].split('"')[0]
    assert path.count("M") == 2
