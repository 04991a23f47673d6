"""A player's seat at an open campaign: what campaign.toml lets players do, and the files that stay the GM's."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import playing
import pytest

from tabletop_tui.kit.common import Note
from tabletop_tui.rules import Refused, TableError
from tabletop_tui.storage.campaign import load
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.safety.backups import backups


@pytest.fixture
def root(tmp_path: Path) -> Path:
    target = tmp_path / "ember-road"
    shutil.copytree(playing.PROJECT / "campaigns" / "ember-road", target, ignore=shutil.ignore_patterns("played"))
    return target


def opened(root: Path, seat: str = "") -> OpenCampaign:
    return OpenCampaign(root, seat=seat, disk=playing.NoSync(), clock=playing.evening())


def says(root: Path, text: str) -> None:
    main = root / "campaign.toml"
    kept = main.read_text().partition("[table]")[0]
    main.write_text(f"{kept}\n[table]\n{text}\n")


def test_players_act_unless_the_campaign_says_otherwise(root: Path) -> None:
    assert load(root).players == "act"
    says(root, 'players = "propose"')
    assert (load(root).players, load(root).problems) == ("propose", [])


@pytest.mark.parametrize("text", ['players = "everything"', "players = 3", 'player = "act"'])
def test_a_setting_that_cannot_be_read_is_a_problem_with_its_line(root: Path, text: str) -> None:
    says(root, text)
    (problem,) = load(root).problems
    assert problem.file == "campaign.toml"
    assert problem.line
    assert load(root).players == ("act" if text.startswith("player ") else "look")


def test_a_seat_follows_the_setting_while_it_is_open(root: Path) -> None:
    gm, ana = opened(root), opened(root, "Ana")
    ana.do(Note("hello"))
    says(root, 'players = "look"')
    with pytest.raises(Refused, match="players look on at this table"):
        ana.do(Note("again"))
    gm.close()
    ana.close()


def test_a_seat_begins_no_session_and_writes_no_file_but_the_log(root: Path) -> None:
    with pytest.raises(TableError, match="no session has been played yet"):
        opened(root, "Ana")
    gm = opened(root)
    before = {p: p.read_bytes() for p in root.rglob("*") if p.is_file() and p.suffix != ".jsonl"}
    ana = opened(root, "Ana")
    ana.do(Note("hello"))
    assert {p: p.read_bytes() for p in root.rglob("*") if p.is_file() and p.suffix != ".jsonl"} == before
    gm.look()
    assert gm.table.history()[-1].by == "Ana"
    gm.close()
    ana.close()


def test_a_seat_that_is_the_first_to_open_the_table_on_a_day_makes_no_backup(root: Path) -> None:
    OpenCampaign(root, clock=playing.evening()).close()
    before = backups(root)
    assert before
    OpenCampaign(root, seat="Ana", clock=lambda: playing.EVENING + timedelta(days=1)).close()
    assert backups(root) == before


def test_what_players_did_is_in_now_toml_when_the_gm_has_looked(root: Path) -> None:
    gm, ana = opened(root), opened(root, "Ana")
    gm.do(next(k for k in gm.engine.actions if k.__name__ == "BeginTurns")(("mira", "rook")))
    gm.look()
    ana.look()
    ana.do(next(k for k in gm.engine.actions if k.__name__ == "PassTurn")())
    gm.look()
    assert 'current = "rook"' in (root / "now.toml").read_text()
    gm.close()
    ana.close()


def test_a_campaign_file_that_cannot_be_read_gives_players_no_more_than_they_had(root: Path) -> None:
    says(root, 'players = "look"')
    gm = opened(root)
    ana = opened(root, "Ana")
    assert str(ana.table.players) == "look"
    main = root / "campaign.toml"
    sound = main.read_bytes()
    main.write_bytes(sound + b"[oops\n")
    ana.look(force=True)
    gm.look(force=True)
    assert (str(ana.table.players), gm.title) == ("look", "Ember Road")
    main.write_bytes(sound.replace(b'"look"', b'"propose"'))
    assert ana.look().moved, "the seat is drawn again"
    assert str(ana.table.players) == "propose"
    ana.close()
    gm.close()
