"""House rules of all four games: every key is in the starter with its default, in reference and schema."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import msgspec
import pytest

from tabletop_tui import plugins
from tabletop_tui.storage.campaign.schema import rendered

GAMES = ("tiers", "no1", "drama", "fen")
KEYS = [(game, field.name) for game in GAMES for field in msgspec.structs.fields(plugins.load(game).rules)]


def written(game: str, key: str) -> Any:
    """The value of a key in the starter file, whether it is commented out or not; None where it is not there."""
    text = plugins.load(game).starter["campaign.toml"]
    if re.search(rf"^#? ?\[rules\.{key}\.", text, re.MULTILINE):
        return {}  # a table of the campaign's own: an example of it is there
    found = re.search(rf"^# ({key} = [^#\n]*)", text, re.MULTILINE)
    return tomllib.loads(found[1])[key] if found else None


@pytest.mark.parametrize(("game", "key"), KEYS, ids=[f"{game}: {key}" for game, key in KEYS])
def test_a_house_rule_stands_in_starter_reference_and_schema(game: str, key: str) -> None:
    engine = plugins.load(game)
    default = msgspec.json.decode(msgspec.json.encode(getattr(engine.rules(), key)))
    assert written(game, key) == default
    assert re.search(rf"`(rules\.)?{key}`", engine.reference)
    schema = json.loads(rendered(engine, None)["campaign.json"])
    rules = schema["$defs"][engine.rules.__name__]["properties"]
    assert rules[key]["description"]
