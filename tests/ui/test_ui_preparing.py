"""A campaign from nothing to its first challenge and its first fight, prepared at the table alone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import level
import pytest
from playing import act
from waiting import drawn, opened, playing

from tabletop_tui import plugins
from tabletop_tui.rules import tag_of
from tabletop_tui.storage import campaign as folder
from tabletop_tui.storage.user.paths import write_starter
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.preparing.adding import Addable, Adding
from tabletop_tui.ui.preparing.editing import Editor


def done(app: TabletopApp) -> list[str]:
    return [tag_of(type(e.action)) for e in playing(app).game.table.timeline.entries]


def told(app: TabletopApp) -> list[str]:
    return [line for e in playing(app).game.table.timeline.entries for line in (*e.said, *e.whispered)]


def files(root: Path) -> dict[str, bytes]:
    kept = ("sessions", "backups", ".schema", "now.toml")
    return {
        str(p.relative_to(root)): p.read_bytes()
        for p in sorted(root.rglob("*"))
        if p.is_file() and p.relative_to(root).parts[0] not in kept
    }


async def settled(app: TabletopApp, pilot: Any) -> None:
    await app.workers.wait_for_complete()
    await pilot.pause()


async def typed(pilot: Any, *keys: str) -> None:
    """Keys; a text between quotes is typed letter by letter."""
    for key in keys:
        if key.startswith("'"):
            await pilot.press(*("space" if c == " " else "slash" if c == "/" else c for c in key[1:]))
        else:
            await pilot.press(key)
    await settled(pilot.app, pilot)


def empty(tmp_path: Path, game: str) -> Path:
    root = tmp_path / game
    write_starter(plugins.load(game).starter, "From nothing", root, people=False)
    return root


async def people(pilot: Any) -> None:
    """A hero, one of the GM's own, and a scene that is set."""
    await typed(pilot, "plus", "'new h", "enter", "'Mira", "enter", "'Ana", "enter", "enter")
    await typed(pilot, "plus", "'npc", "enter", "'Wolf", "enter", "enter")
    await typed(pilot, "plus", "'scene", "enter", "'The ford", "enter", "enter")
    await typed(pilot, "S", "enter")


@pytest.mark.parametrize("game", level.some(["tiers", "no1", "drama", "fen"], 2))
async def test_a_campaign_gets_its_people_its_scene_and_passes_check(tmp_path: Path, game: str) -> None:
    root = empty(tmp_path, game)
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await people(pilot)
        world = playing(app).game.world
        assert [world.name(w) for w in world.present()] == ["Mira", "Wolf"]
        assert world.scenes[world.now.scene].title == "The ford"
        assert not folder.load(root).problems
        assert not any("Edited by hand" in line or "{" in line for line in told(app)), told(app)
        assert "#" in (root / "characters/mira.toml").read_text().partition("\n")[2], "with the game's comments"
        await typed(pilot, "T", "plus", "'wolf", "3", "enter")
        assert any(line.startswith("3 × Wolf added") for line in told(app))
        await typed(pilot, "u", "u", "u", "u", "u")
        assert set(files(root)) == {"campaign.toml"}
        assert playing(app).game.world.sheets == {}


async def test_a_hero_whom_nobody_plays_yet_is_added_with_one_more_enter(tmp_path: Path) -> None:
    root = empty(tmp_path, "tiers")
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await typed(pilot, "plus", "'new h", "enter", "'Mira", "enter", "enter")
        world = playing(app).game.world
        assert world.players() == ["mira"], "she is a hero all the same"
        assert world.sheets["mira"].player == "nobody yet"


CHALLENGES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tiers": (
        ("plus", "'challenge", "enter", "'Cross", "enter", "1", "'2", "enter", "enter"),
        ("S", "1", "1", "r", "enter"),
    ),
    "no1": (("plus", "'wolf", "3", "enter"), ("T", "enter", "enter", "r")),
    "drama": (
        ("plus", "'complex", "enter", "'Wade", "enter", "'Cold water", "enter", "enter"),
        ("S", "1", "1", "r", "enter"),
    ),
    "fen": (
        ("plus", "'contest", "enter", "'dodge/notice", "down", "down", "1", "down", "2", "enter"),
        ("S", "1", "r"),
    ),
}
"""By game: how something to roll for is prepared, and how it is rolled."""
FIGHTS = {"tiers": ("g", "enter"), "no1": ("enter",), "drama": ("g", "enter"), "fen": ("f", "enter")}


@pytest.mark.parametrize("game", level.some(sorted(CHALLENGES), 2, turn=1))
async def test_from_nothing_to_the_first_challenge_rolled(tmp_path: Path, game: str) -> None:
    root = empty(tmp_path, game)
    prepare, roll = CHALLENGES[game]
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await people(pilot)
        await typed(pilot, *prepare)
        assert not folder.load(root).problems
        await typed(pilot, *roll)
        assert playing(app).game.table.timeline.entries[-1].dice or any(
            e.dice for e in playing(app).game.table.timeline.entries[-3:]
        ), done(app)
        assert not any("Edited by hand" in line for line in told(app))


@pytest.mark.parametrize("game", level.some(sorted(FIGHTS), 2))
async def test_from_nothing_to_the_first_fight_ended(tmp_path: Path, game: str) -> None:
    root = empty(tmp_path, game)
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await people(pilot)
        await typed(pilot, "plus", "w", "3", "enter", "T", *FIGHTS[game])
        world = playing(app).game.world
        assert world.now.turns.running
        fighters = [world.name(w) for w in world.now.turns.order]
        assert "Mira" in fighters
        assert sum(name.startswith("Wolf") for name in fighters) >= 3, fighters
        await typed(pilot, "plus", "w", "2", "enter")
        more = playing(app).game.world
        assert len(more.now.turns.order) == len(fighters) + 2
        await typed(pilot, "u")
        assert playing(app).game.world == world, "one undo takes both back"
        await typed(pilot, "x", "y")
        assert not playing(app).game.world.now.turns.running
        assert not folder.load(root).problems


async def test_three_foes_are_four_keys_and_one_undo(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        before, world = files(campaign), playing(app).game.world
        await typed(pilot, "plus", "r", "3", "enter")
        assert told(app)[-1] == "3 × Ash reaver added"
        assert len(playing(app).game.world.sheets) == len(world.sheets) + 3
        await typed(pilot, "u")
        assert playing(app).game.world == world
        assert files(campaign) == before


async def test_whoever_fights_in_several_copies_is_counted_where_more_can_be_added(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        act(play.game.table, "begin who=rook,reaver")
        await typed(pilot, "plus", "'reaver", "2", "enter", "plus", "'reaver")
        (row,) = [one for one in rows(app, "Ash reaver") if "in the order" in one]
        assert "3 in the order" in row


def rows(app: TabletopApp, *words: str) -> list[str]:
    """The lines that have all of these words."""
    return [one for one in drawn(app).splitlines() if all(word in one for word in words)]


LAMPS = Path(__file__).parents[2] / "campaigns" / "lamplighters"


@pytest.fixture
def lamps(tmp_path: Path) -> Path:
    return Path(shutil.copytree(LAMPS, tmp_path / "lamps", ignore=shutil.ignore_patterns("sessions", "now.toml")))


async def test_all_that_can_be_added_has_a_name_of_its_own_and_says_whole_what_it_is(lamps: Path) -> None:
    app = TabletopApp(str(lamps))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await typed(pilot, "plus")
        adding = playing(app).host.asked
        assert isinstance(adding, Adding)
        names = [one.label for one in adding.some]
        assert {"clock", "scene's clock"} <= set(names)
        assert len(set(names)) == len(names)
        assert "…" not in drawn(app)


async def test_what_has_no_room_beside_a_long_name_is_told_below_the_list() -> None:
    async def run(_count: int, _hidden: bool) -> None: ...

    long = "whatever else is read aloud at the ford"
    adding = Adding([Addable("The captain of the watch", "one more", run), Addable("scene", long, run)])

    def lines() -> list[str]:
        return [one.plain.strip() for one in adding.lines(44, 12, lambda _row, _press: None)]

    first = lines()
    assert "scene" in first, "without a part of its note"
    assert long not in first
    adding.list.move(1)
    assert long in lines()
    assert len(lines()) == len(first), "heights stay put"


async def test_what_the_log_says_is_not_said_again_below_it(lamps: Path) -> None:
    app = TabletopApp(str(lamps))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await typed(pilot, "plus", "'warden", "enter")
        assert len(rows(app, "Warden Holt added")) == 1
        await typed(pilot, "plus", "'scene", "enter", "'The ford", "enter")
        assert len(rows(app, "The ford", "added")) == 1
        assert rows(app, "✓ scenes/the-ford.toml · u takes it back")
        await typed(pilot, "P", "plus", "'scene", "enter", "'The mill", "enter")
        assert rows(app, "✓", "The mill · scenes/the-mill.toml · u takes it back"), "there is no log on this page"


@pytest.mark.parametrize("name", ["salt-road", "lamplighters", "broken-causeway"])
async def test_somebody_new_fits_a_campaign_whose_rules_are_its_own(name: str, tmp_path: Path) -> None:
    root = tmp_path / name
    shutil.copytree(LAMPS.parent / name, root, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await typed(pilot, "plus", "'npc", "enter", "'Watchman", "enter")
        assert rows(app, "Watchman added · characters/watchman.toml")
        await typed(pilot, "plus", "'hero", "enter", "'Nell", "enter", "enter")
        assert rows(app, "Nell added · characters/nell.toml")
    found = folder.load(root)
    assert found.errors == []
    assert not found.parts["sheets", "watchman"].player
    assert found.parts["sheets", "nell"].player


# ---- any value of any file


async def test_a_file_keeps_its_name_and_its_arrow_and_the_band_has_its_path(lamps: Path) -> None:
    app = TabletopApp(str(lamps))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await typed(pilot, "E", "down")
        assert rows(app, "1 The Lamplighters ", "campaign.toml ›")
        assert rows(app, "9 What they whisper about  tables ›")
        assert rows(app, "▶ Marchetta", "characters/marchetta.toml"), "the band"
        await pilot.resize_terminal(140, 45)
        await settled(app, pilot)
        assert rows(app, "2 Marchetta ", "characters/marchetta.toml ›")


async def test_a_value_is_changed_in_a_form_and_nothing_else_in_the_file(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        before = files(campaign)
        await typed(pilot, "P", "slash", "'mira", "enter", "E")
        editor = playing(app).host.asked
        assert isinstance(editor, Editor)
        rows = [pick.value.label for pick in editor.list.picks]
        await typed(pilot, str(rows.index("about") + 1), "'Tall.", "enter")
        text = (campaign / "characters/mira.toml").read_text()
        assert text.count("Tall.") == 1
        assert told(app)[-1].startswith("mira.toml: about ")
        await typed(pilot, "u")
        assert files(campaign) == before
        assert isinstance(playing(app).host.asked, Editor), "undo does not leave the form"


async def test_a_skill_is_added_as_a_person_would_write_it(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        before = (campaign / "characters/rook.toml").read_text()
        await typed(pilot, "P", "slash", "'rook", "enter", "E")
        editor = playing(app).host.asked
        assert isinstance(editor, Editor)
        rows = [pick.value.label for pick in editor.list.picks]
        await typed(pilot, str(rows.index("skills") + 1), "plus", "'Song", "enter", "2", "'3", "enter")
        added = set((campaign / "characters/rook.toml").read_text().splitlines()) - set(before.splitlines())
        assert added == {"Song = { beta = 3 }"}
        await typed(pilot, "left")
        assert editor.path == ()


async def test_what_does_not_fit_is_told_in_the_form_and_not_written(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        before = files(campaign)
        await typed(pilot, "T", "E", "1")
        editor = playing(app).host.asked
        assert isinstance(editor, Editor)
        rows = [pick.value.label for pick in editor.list.picks]
        await typed(pilot, str(rows.index("hours") + 1), *["backspace"] * 3, "'many", "enter")
        assert "a whole number" in editor.wrong
        assert files(campaign) == before


async def test_without_an_editor_of_ones_own_the_form_is_what_opens(campaign: Path, monkeypatch: Any) -> None:
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await typed(pilot, "P", "e")
        assert isinstance(playing(app).host.asked, Editor)


async def test_texts_of_a_list_keep_their_commas(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await typed(pilot, "S", "E")
        editor = playing(app).host.asked
        assert isinstance(editor, Editor)
        scene, rows = editor.unit[1], [pick.value.label for pick in editor.list.picks]
        before = playing(app).game.world.scenes[scene].notes
        place = str(rows.index("notes") + 1)
        await pilot.press(place)
        editor.inner.asked.paste("; Rain, at last")  # type: ignore[union-attr]
        await typed(pilot, "enter")
        assert playing(app).game.world.scenes[scene].notes == (*before, "Rain, at last")


async def test_what_a_prepared_challenge_leaves_open_is_asked_when_it_is_opened(lamps: Path) -> None:
    app = TabletopApp(str(lamps))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await typed(pilot, "S", "enter", "plus", "'challenge", "enter", "'Over the wall", "enter")
        assert not folder.load(lamps).problems
        await typed(pilot, "2")
        shown = drawn(app)
        assert play.game.world.now.challenge is None, "nothing is opened before it is said"
        assert "position" in shown
        assert "effect" in shown
        await typed(pilot, "2", "3", "enter")
        now: Any = play.game.world.now
        said = now.challenge.plan.says
        assert set(said) == {"position", "effect"}
        assert done(app)[-1] == "open"
        await typed(pilot, "S", "1")
        assert play.host.asked is None, "the file of the other one says it"
        now = play.game.world.now
        assert now.challenge.plan.name == "Over the rooftops"


async def test_a_file_that_cannot_be_read_shows_why_and_no_empty_fields(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        (campaign / "scenes" / "the-gate.toml").write_text('title = "Broken\n')
        await screen.look_now()
        await pilot.press("S", "E")
        await pilot.pause()
        told = " ".join(drawn(app).split())
        assert "✗ scenes/the-gate.toml:1:" in told
        assert "secret" not in told
