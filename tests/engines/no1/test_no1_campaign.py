"""The sample campaign and the starter fit this engine's records and play."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tabletop_tui.conformance import play
from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.encounter import Begin
from tabletop_tui.engines.no1.world import No1Now, No1World
from tabletop_tui.rules import Clock, Track, World

ROOT = Path(__file__).parents[3] / "campaigns" / "cinder-pass"


def load(files: dict[str, str]) -> tuple[dict[str, Any], No1World]:
    def part(folder: str, kind: type[Any]) -> dict[str, Any]:
        return {
            Path(name).stem: msgspec.toml.decode(text.encode(), type=kind, strict=True)
            for name, text in sorted(files.items())
            if name.startswith(f"{folder}/")
        }

    data = tomllib.loads(files["campaign.toml"])
    rules = msgspec.convert(data.get("rules", {}), ENGINE.rules)
    clocks = msgspec.convert(data.get("clocks", {}), dict[str, Clock])
    tracks = msgspec.convert(data.get("tracks", {}), dict[str, Track])
    now = No1Now(clocks=clocks, tracks=tracks)
    return data, World(rules, now, part("characters", ENGINE.sheet), part("scenes", ENGINE.scene))


def sample() -> tuple[dict[str, Any], No1World]:
    return load({str(p.relative_to(ROOT)): p.read_text() for p in ROOT.rglob("*.toml")})


def known(data: Any, kind: Any) -> list[str]:
    """Keys that a struct does not have."""
    fields = {f.name for f in msgspec.structs.fields(kind)}
    return [key for key in data if key not in fields]


def test_the_sample_campaign_names_its_engine_and_has_no_problems() -> None:
    data, world = sample()
    assert (data["title"], data["engine"], data["theme"]) == ("Cinder Pass", "no1", "ember")
    assert list(ENGINE.problems(world)) == []


def test_the_sample_campaign_has_no_key_that_nobody_reads() -> None:
    data, _ = sample()
    assert known(data["rules"], ENGINE.rules) == []
    for folder, kind in (("characters", ENGINE.sheet), ("scenes", ENGINE.scene)):
        for path in (ROOT / folder).glob("*.toml"):
            assert known(tomllib.loads(path.read_text()), kind) == [], path.name


def test_the_sample_has_four_heroes_and_scenes_with_six_foes() -> None:
    _, world = sample()
    assert len(world.players()) == 4
    assert len(world.scenes) == 2
    for id_ in world.scenes:
        turns = Begin(id_).mustered(world).turns
        assert len(turns.members("heroes")) == 4
        assert len(turns.members("foes")) >= 6
        assert any(f.hidden for f in turns.fighters.values())


@pytest.mark.parametrize("seed", range(8))
def test_the_sample_campaign_plays(seed: int) -> None:
    _, world = sample()
    assert sum(1 for _ in play(ENGINE, world, seed, 40)) > 10


def test_the_starter_fits_and_plays() -> None:
    data, world = load({name: text.replace("{title}", "A new road") for name, text in ENGINE.starter.items()})
    assert (data["title"], data["engine"]) == ("A new road", "no1")
    assert list(ENGINE.problems(world)) == []
    assert known(data["rules"], ENGINE.rules) == []
    for seed in range(4):
        assert sum(1 for _ in play(ENGINE, world, seed, 30)) > 8


def test_the_starter_and_the_reference_list_every_house_rule_with_its_usual_value() -> None:
    text = ENGINE.starter["campaign.toml"]
    keys = re.findall(r"^# (\w+) = (.*?)\s+# ", text, re.MULTILINE)
    assert {key for key, _ in keys} == {f.name for f in msgspec.structs.fields(ENGINE.rules)} - {"manoeuvres"}
    written = tomllib.loads("\n".join(f"{key} = {value}" for key, value in keys))
    assert msgspec.convert(written, ENGINE.rules) == ENGINE.rules()
    assert all(f"| `{key}` |" in ENGINE.reference for key, _ in keys)


def test_every_house_rule_is_explained_in_the_schema() -> None:
    made = json.dumps(msgspec.json.schema(ENGINE.rules))
    assert all(f'"{f.name}"' in made for f in msgspec.structs.fields(ENGINE.rules))
    shown = json.loads((ROOT / ".schema" / "campaign.json").read_text())
    assert "momentum_needs_initiative" in json.dumps(shown)
