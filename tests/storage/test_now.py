"""now.toml: what has not changed is not written anew, and the file says the same as if all of it had been."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import level
import msgspec
import pytest

from tabletop_tui.session import Table, picture
from tabletop_tui.storage.campaign.now import Picture, Writer
from tabletop_tui.storage.log import open_log

LOGS = sorted(Path(__file__).parents[2].glob("campaigns/*/played/*.jsonl"))


class Any_(msgspec.Struct):
    """A state of any shape."""

    here: Any = None


@pytest.mark.parametrize("path", level.some(LOGS, 2), ids=lambda path: path.parents[1].name)
def test_every_state_of_an_evening_is_written_as_it_is(path: Path) -> None:
    log, writer = open_log(path), Writer()
    for entry, world in enumerate(Table(log.codec.engine, log.header, log.entries).timeline.worlds):
        shown = Picture("s", entry, "c")
        raw = writer.render(world.now, shown)
        said = tomllib.loads(raw.decode())
        assert said.pop("picture") == msgspec.to_builtins(shown)
        assert said == msgspec.json.decode(msgspec.json.encode(picture(world.now)))
        assert raw == Writer().render(world.now, shown)


@pytest.mark.parametrize(
    "states",
    [
        [{"a": 1}, {"a": True}, {"a": 1.0}, {"a": "1"}],
        [{"a": {}}, {"a": {"b": {}}}, {"a": {"b": {"c": 1}}}, {}],
        [{"a b": {'"': 1}}, {"a b": {'"': 2}}],
        [{"a": [{"b": 1}], "c": {"d": 1}}, {"a": [{"b": "x" * 200}], "c": {"d": 1}}],
        [{"a": [{"b": {"c": 1}}]}, {"a": [{"b": {"c": 2}}]}, {"a": []}],
    ],
)
def test_a_value_that_changes_its_kind_or_goes_is_written_too(states: list[dict[str, Any]]) -> None:
    writer = Writer()
    for state in (*states, *reversed(states)):
        found = tomllib.loads(writer.render(Any_(state), Picture("s", 1)).decode())["here"]
        assert msgspec.json.encode(found) == msgspec.json.encode(state)
