import tomllib
from pathlib import Path

import msgspec
import pytest

from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.contest import Open, RollContest
from tabletop_tui.engines.fen.rounds import BeginFight
from tabletop_tui.engines.fen.world import FenNow, FenRules, FenScene, FenSheet, FenWorld
from tabletop_tui.rules import Clock, Track
from tabletop_tui.rules.common import EnterScene
from tabletop_tui.rules.conformance import play

SAMPLE = Path(__file__).parents[3] / "campaigns" / "fen-lanterns"


def known_keys(data: dict, kind) -> None:
    """Unknown keys are tolerated when read, so a slip in a sample would go unseen."""
    extra = set(data) - {f.encode_name for f in msgspec.structs.fields(kind)}
    assert not extra, extra


def read(files: dict[str, str]) -> FenWorld:
    campaign = tomllib.loads(files["campaign.toml"])
    assert campaign["engine"] == "fen"
    assert campaign["title"]
    known_keys(campaign.get("rules", {}), FenRules)
    parts: dict[str, dict] = {"characters": {}, "scenes": {}}
    for path, text in files.items():
        folder, _, name = path.rpartition("/")
        if folder:
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
    return read({path: text.format(title="A title") for path, text in ENGINE.starter.items()})


@pytest.mark.parametrize("make", [sample, starter])
def test_the_files_fit_the_records_and_have_no_problems(make):
    assert ENGINE.problems(make()) == []


@pytest.mark.parametrize("make", [sample, starter])
def test_every_prepared_contest_opens_and_has_chances(make, do):
    world = make()
    for where, scene in world.scenes.items():
        for name in scene.contests:
            opened = do(world, Open(f"{where}/{name}"))
            assert 0 < ENGINE.odds(opened, RollContest()).hope < 1


@pytest.mark.parametrize("seed", range(500, 510))
def test_the_sample_can_be_played(seed):
    assert sum(1 for _ in play(ENGINE, sample(), seed)) > 20


def test_the_ambush_surprises_the_keepers_and_hides_what_is_in_the_water(do):
    world = do(do(sample(), EnterScene("the-causeway")), BeginFight())
    assert world.now.rounds.surprised == ("keepers",)
    assert world.now.turns.fighters["wight"].hidden
