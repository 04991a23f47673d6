from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fen_table import Do, odds_of

from tabletop_tui.conformance import play
from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.contest import RollContest
from tabletop_tui.engines.fen.hiding import EnterScene
from tabletop_tui.engines.fen.prepared import Open
from tabletop_tui.engines.fen.rounds import BeginFight
from tabletop_tui.engines.fen.world import FenNow, FenRules, FenScene, FenSheet, FenWorld
from tabletop_tui.rules import KINDS, Clock, Track
from tabletop_tui.session import Codec, Table, verify
from tabletop_tui.storage.log import LogFile

GOLDEN = Path(__file__).parents[2] / "golden" / "fen-2.jsonl"
SAMPLE = Path(__file__).parents[3] / "campaigns" / "fen-lanterns"


def known_keys(data: dict[str, Any], kind: Any) -> None:
    """Unknown keys are tolerated when read, so a slip in a sample would go unseen."""
    extra = set(data) - {f.encode_name for f in msgspec.structs.fields(kind)}
    assert not extra, extra


def read(files: dict[str, str]) -> FenWorld:
    campaign = tomllib.loads(files["campaign.toml"])
    assert campaign["engine"] == "fen"
    assert campaign["title"]
    known_keys(campaign.get("rules", {}), FenRules)
    parts: dict[str, dict[str, Any]] = {"characters": {}, "scenes": {}}
    for path, text in files.items():
        folder, _, name = path.rpartition("/")
        if folder in parts:
            kind = FenSheet if folder == "characters" else FenScene
            data = tomllib.loads(text)
            known_keys(data, kind)
            parts[folder][name.removesuffix(".toml")] = msgspec.convert(data, kind)
    now = FenNow(
        clocks=msgspec.convert(campaign.get("clocks", {}), dict[str, Clock]),
        tracks=msgspec.convert(campaign.get("tracks", {}), dict[str, Track]),
    )
    rules = msgspec.convert(campaign.get("rules", {}), FenRules)
    world = FenWorld(rules, now, parts["characters"], parts["scenes"])
    return FenWorld(rules, ENGINE.start(world), parts["characters"], parts["scenes"])


def sample() -> FenWorld:
    return read({str(p.relative_to(SAMPLE)): p.read_text() for p in SAMPLE.rglob("*.toml")})


def starter() -> FenWorld:
    return read({path: text.replace("{title}", "A title") for path, text in ENGINE.starter.items()})


@pytest.mark.parametrize("make", [sample, starter])
def test_the_files_fit_the_records_and_have_no_problems(make: Any) -> None:
    assert ENGINE.problems(make()) == []


@pytest.mark.parametrize("make", [sample, starter])
def test_every_prepared_contest_opens_and_has_chances(make: Any, do: Do) -> None:
    world = make()
    for where, scene in world.scenes.items():
        for name in scene.contests:
            opened = do(world, Open(f"{where}/{name}"))
            assert 0 < odds_of(opened, RollContest()).hope < 1


@pytest.mark.parametrize("seed", range(500, 510))
def test_the_sample_can_be_played(seed: int) -> None:
    assert sum(1 for _ in play(ENGINE, sample(), seed)) > 20


def test_the_ambush_surprises_the_keepers_and_hides_what_is_in_the_water(do: Do) -> None:
    world = do(do(sample(), EnterScene("the-causeway")), BeginFight())
    assert world.now.rounds.surprised == ("keepers",)
    assert world.now.turns.fighters["wight"].hidden


def test_the_starter_lists_every_house_rule_with_its_default() -> None:
    section = ENGINE.starter["campaign.toml"].split("[rules]\n")[1].split("\n\n")[0]
    written = tomllib.loads("\n".join(line.removeprefix("# ") for line in section.splitlines()))
    assert set(written) == {f.name for f in msgspec.structs.fields(FenRules)}
    assert msgspec.convert(written, FenRules) == FenRules()


@pytest.mark.parametrize("key", [f.name for f in msgspec.structs.fields(FenRules)])
def test_the_reference_names_every_house_rule(key: str) -> None:
    assert f"`{key}`" in ENGINE.reference


def test_an_evening_of_the_older_rules_is_sound_at_every_step() -> None:
    log = LogFile(GOLDEN, Codec(ENGINE), write=False)
    assert log.header.version == "2"
    found = verify(ENGINE, log.header, log.entries)
    assert not found.wrong
    # somebody went down, a contest was replaced, players go on knowing whom they saw, an unmet thief hid
    assert found.otherwise == 11
    session = Table(ENGINE, log.header, log.entries)
    for entry in range(session.timeline.last + 1):
        world = session.at(entry)
        assert [p for p in ENGINE.problems(world) if not p.warning] == [], entry
        for kind in KINDS:
            ENGINE.view(kind, world, "wren")
    log.close()
