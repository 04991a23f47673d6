"""Fen on the dice workbench."""

from __future__ import annotations

from fen_table import Do

from tabletop_tui.engines.fen.bench import FenBench
from tabletop_tui.engines.fen.changes import Help, Modify
from tabletop_tui.engines.fen.world import FenWorld


def test_the_workbench_doubles_once_and_keeps_the_tables_order(world: FenWorld, do: Do) -> None:
    helped = do(world, Help("teal", "wren"))
    assert "4d8" in FenBench(helped).read("wren fight doubled").words
    assert "8d8" not in FenBench(helped).read("wren fight doubled").words
    fewer = do(world, Modify("wren", fewer=2))
    assert "1d8" in FenBench(fewer).read("wren fight additional 1").words
    assert "twice" not in FenBench(fewer).read("wren fight additional 1").words
