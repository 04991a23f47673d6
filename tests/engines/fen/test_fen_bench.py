"""Fen on the dice workbench."""

from tabletop_tui.engines.fen.bench import FenBench
from tabletop_tui.engines.fen.changes import Help, Modify


def test_the_workbench_doubles_once_and_keeps_the_tables_order(world, do):
    helped = do(world, Help("teal", "wren"))
    assert "4d8" in FenBench(helped).read("wren fight doubled").words
    assert "8d8" not in FenBench(helped).read("wren fight doubled").words
    fewer = do(world, Modify("wren", fewer=2))
    assert "1d8" in FenBench(fewer).read("wren fight additional 1").words
    assert "twice" not in FenBench(fewer).read("wren fight additional 1").words
