"""The list of campaigns: at first sight it says what it says after the games were loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import playing
import pytest
from msgspec.structs import replace

from tabletop_tui.storage.log.scratch import Scratch, left_behind
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.user.paths import demos
from tabletop_tui.storage.user.survey import glance, look


def test_at_first_sight_every_sample_is_told_as_after_a_whole_look() -> None:
    for path in demos():
        whole = look(path, sample=True)
        assert not whole.problems
        assert glance(path, sample=True) == replace(whole, engine=""), path.name


def test_files_that_cannot_be_read_are_no_matter_at_first_sight(tmp_path: Path) -> None:
    (tmp_path / "characters").mkdir()
    (tmp_path / "campaign.toml").write_text('title = 3\nhours = "two"\nabout = ["a"]')
    (tmp_path / "characters" / "ana.toml").write_text("name = ")
    found = glance(tmp_path)
    assert (found.title, found.hours, found.about, found.party, found.others) == (tmp_path.name, 0, "", (), 1)


def test_no_game_is_loaded_for_it() -> None:
    code = (
        "import sys; from tabletop_tui.storage.user.survey import survey; found = survey([], briefly=True); "
        "print(len(found), [name for name in sys.modules if name.startswith('tabletop_tui.engines.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{len(demos())} []\n"


def test_a_what_if_that_was_left_is_found_by_its_own_campaign_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    mine, twin = (playing.starter(tmp_path / place / "the-gate") for place in ("one", "two"))
    campaign = OpenCampaign(mine)
    scratch = Scratch(campaign.table, 0, mine)
    scratch.close()
    campaign.close()
    assert left_behind(mine) == [scratch.path]
    assert left_behind(twin) == []
    earlier = scratch.path.with_name("the-gate-2026-11-19-221500-ab12.jsonl")
    earlier.write_bytes(scratch.path.read_bytes())
    assert set(left_behind(mine)) == {scratch.path, earlier}
