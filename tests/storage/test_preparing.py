"""Preparing: each step writes files as a person would, is told in words, and undo puts every byte back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import level
import playing
import pytest

from tabletop_tui import plugins
from tabletop_tui.rules import Refused
from tabletop_tui.session import verify
from tabletop_tui.storage import campaign as folder
from tabletop_tui.storage.campaign.folder import Campaign
from tabletop_tui.storage.campaign.preparing import (
    Preparation,
    add_part,
    bring,
    copies,
    new_file,
    new_sheet,
    put,
    take_out,
)
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.user.paths import write_starter

Make = Callable[[OpenCampaign], Preparation]
PLANS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "tiers": (("challenges",), {"name": "Hold on", "tier": "beta", "dice": 4, "keywords": ["delicate"]}),
    "no1": (("zones",), {"name": "the far bank", "hazards": {"mud": 1}}),
    "drama": (
        ("contests",),
        {"name": "The key", "first": {"who": "joan", "wants": "it"}, "second": {"who": "hugh", "risks": "it"}},
    ),
    "fen": (("contests",), {"title": "Past him", "contest": "dodge/notice", "who": "wren"}),
}
WEATHER = {"title": "Weather", "rows": [{"text": "rain"}, {"text": "fog"}]}
MILL = {"title": "The mill", "about": "Wheels.", "secret": "It is\nempty."}
FOES = {"tiers": "guard", "no1": "guard", "drama": "hugh", "fen": "ferryman"}


def opened(tmp_path: Path, game: str) -> OpenCampaign:
    root = playing.starter(tmp_path / game, game)
    desk = OpenCampaign(root, clock=playing.evening(), disk=playing.NoSync())
    scene = next(iter(desk.table.world.scenes))
    kind = next(k for k in desk.engine.actions if k.__struct_config__.tag == "scene")
    desk.do(kind(scene))
    return desk


def files(root: Path) -> dict[str, bytes]:
    """Every file that people write, and whatever else lies beside them."""
    kept = ("sessions", "backups", ".schema")
    return {
        str(p.relative_to(root)): p.read_bytes()
        for p in root.rglob("*")
        if p.is_file() and p.name != "now.toml" and p.relative_to(root).parts[0] not in kept
    }


def scene_of(desk: OpenCampaign) -> tuple[str, str]:
    return "scenes", str(desk.table.world.now.scene)


def part(desk: OpenCampaign) -> Preparation:
    path, values = PLANS[desk.engine.name]
    return add_part(desk.campaign, scene_of(desk), path, path[0].removesuffix("s"), values)


def foes(count: int) -> Make:
    def make(desk: OpenCampaign) -> Preparation:
        numbered = any(k.__struct_config__.tag == "more" for k in desk.engine.actions)
        return bring(desk.campaign, desk.table.world, FOES[desk.engine.name], count, numbered=numbered)

    return make


STEPS: dict[str, Make] = {
    "a hero": lambda desk: new_sheet(desk.campaign, "Ysolde", "Chris"),
    "an NPC": lambda desk: new_sheet(desk.campaign, 'Old "Tom"'),
    "somebody like another": lambda desk: new_sheet(desk.campaign, "Second", like=FOES[desk.engine.name]),
    "three foes": foes(3),
    "one foe": foes(1),
    "files for each": lambda desk: copies(desk.campaign, FOES[desk.engine.name], 3),
    "a scene": lambda desk: new_file(desk.campaign, "scenes", MILL),
    "a rollable table": lambda desk: new_file(desk.campaign, "tables", WEATHER),
    "a part of a scene": part,
    "a clock": lambda desk: add_part(desk.campaign, ("rules",), ("clocks",), "clock", {"name": "Frost", "size": 6}),
    "a track": lambda desk: add_part(desk.campaign, ("rules",), ("tracks",), "track", {"name": "Days"}),
    "the title": lambda desk: put(desk.campaign, ("rules",), ("title",), "Another"),
    "a house rule": lambda desk: put(desk.campaign, ("rules",), ("rules", "open_npcs"), True),
    "a text of two lines": lambda desk: put(desk.campaign, scene_of(desk), ("secret",), "One.\nTwo."),
    "a key taken out": lambda desk: take_out(desk.campaign, scene_of(desk), ("secret",)),
}


@pytest.mark.parametrize(
    ("game", "what"), [(game, what) for n, what in enumerate(STEPS) for game in level.some(sorted(PLANS), 2, 0, n)]
)
def test_a_step_is_told_in_words_and_undone_to_the_byte(tmp_path: Path, game: str, what: str) -> None:
    desk = opened(tmp_path, game)
    root, before, world = desk.root, files(desk.root), desk.table.world
    entry = desk.prepare(STEPS[what](desk))
    (line,) = (*entry.said, *entry.whispered)
    assert "{" not in line
    assert "Edited" not in line
    after, made = files(root), desk.table.world
    assert after != before or made != world
    assert not folder.load(root).errors
    assert not desk.look().any, "what the program wrote is no edit by hand"

    undone = desk.undo()
    assert line in (*undone.said, *undone.whispered)[0]
    assert files(root) == before
    assert desk.table.world == world
    desk.redo()
    assert files(root) == after
    assert desk.table.world == made
    assert not desk.look().any

    desk.close()
    later = OpenCampaign(root, clock=playing.evening(), disk=playing.NoSync())  # a process that never saw it before
    assert not later.look().any
    later.undo()
    assert files(root) == before
    assert later.table.world == world
    assert not verify(later.engine, later.log.header, later.table.timeline.entries).wrong


def test_files_read_as_if_a_person_had_written_them(tmp_path: Path) -> None:
    desk = opened(tmp_path, "tiers")
    desk.prepare(part(desk))
    desk.prepare(put(desk.campaign, ("rules",), ("rules", "bonus_every"), 30))
    desk.prepare(new_sheet(desk.campaign, "Ysolde", "Chris"))
    desk.prepare(new_file(desk.campaign, "scenes", MILL))
    assert (
        (desk.root / "scenes/the-gate.toml")
        .read_text()
        .endswith(
            'failure = "an arm in a sling"\n\n[challenges.hold-on]\nname = "Hold on"\ntier = "beta"\ndice = 4\n'
            'keywords = ["delicate"]\n'
        )
    )
    rules = (desk.root / "campaign.toml").read_text()
    assert "\nbonus_every = 30            # minutes without an award" in rules
    assert "# bonus_every" not in rules
    hero = (desk.root / "characters/ysolde.toml").read_text()
    assert 'name = "Ysolde"\nplayer = "Chris"            # leave it out for an NPC\n' in hero
    assert (desk.root / "scenes/the-mill.toml").read_text() == (
        '#:schema ../.schema/scene.json\ntitle = "The mill"\nabout = "Wheels."\n'
        'secret = """\nIt is\nempty."""     # for you alone\n'
    )


def test_a_table_in_a_list_goes_after_its_like(tmp_path: Path) -> None:
    desk = opened(tmp_path, "drama")
    desk.prepare(
        add_part(desk.campaign, scene_of(desk), ("complex", "read", "dimensions"), "dimension", {"name": "Out"})
    )
    text = (desk.root / "scenes/the-ledger.toml").read_text()
    assert text.endswith('failure = { words = "a page is torn" }\n\n[[complex.read.dimensions]]\nname = "Out"\n')


def test_copies_take_the_next_free_numbers(tmp_path: Path) -> None:
    desk = opened(tmp_path, "fen")
    desk.prepare(new_sheet(desk.campaign, "Bully 8"))
    entry = desk.prepare(copies(desk.campaign, "bully-8", 2))
    assert entry.whispered == ("2 × Bully added",)
    desk.prepare(copies(desk.campaign, "bully-8", 8))
    names = [desk.table.world.name(w) for w in desk.table.world.present() if "bully" in w]
    assert names == [f"Bully {n}" for n in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)]


def test_what_does_not_fit_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    desk = opened(tmp_path, "tiers")
    before, last = files(desk.root), desk.table.last
    for wrong in (
        put(desk.campaign, ("sheets", "mira"), ("levels", "alpha"), "many"),
        add_part(
            desk.campaign, scene_of(desk), ("challenges",), "challenge", {"name": "x", "tier": "zeta", "dice": 1}
        ),
    ):
        with pytest.raises(Refused, match="it would not fit"):
            desk.prepare(wrong)
    assert (files(desk.root), desk.table.last) == (before, last)


def test_a_file_that_somebody_has_changed_since_is_kept_by_undo_and_offered(tmp_path: Path) -> None:
    desk = opened(tmp_path, "tiers")
    desk.prepare(copies(desk.campaign, "guard", 2))
    mine = desk.root / "characters" / "gate-guard-2.toml"
    mine.write_text(mine.read_text() + "# limps\n")
    desk.undo()
    assert not (desk.root / "characters" / "gate-guard-3.toml").exists()
    assert "limps" in mine.read_text()
    assert [(p.file, p.new) for p in desk.put_back()] == [("characters/gate-guard-2.toml", None)]


def test_the_log_keeps_the_files_so_that_anybody_can_put_them_back(tmp_path: Path) -> None:
    desk = opened(tmp_path, "tiers")
    desk.prepare(put(desk.campaign, ("sheets", "mira"), ("levels", "alpha"), 6))
    line = json.loads(desk.log.path.read_text().splitlines()[-1])
    (wrote,) = line["action"]["wrote"]
    assert wrote["file"] == "characters/mira.toml"
    assert wrote["before"].replace("alpha = 5 ", "alpha = 6 ") == wrote["after"]
    assert line["said"] == ["mira.toml: levels alpha 5 → 6"]


@pytest.mark.parametrize("game", sorted(PLANS))
def test_an_empty_campaign_has_rules_and_nobody_in_it(tmp_path: Path, game: str) -> None:
    root = tmp_path / "x"
    write_starter(plugins.load(game).starter, "Alone", root, people=False)
    assert set(files(root)) == {"campaign.toml"}
    found: Campaign = folder.load(root)
    assert not found.problems
    assert found.start == {"clocks": {}, "tracks": {}}
    assert "Clocks fill up" in (root / "campaign.toml").read_text()
    OpenCampaign(root, clock=playing.evening(), disk=playing.NoSync())
