"""Every command that is shown, on every page, in every mode and at every kind of prompt of all samples.

What is shown is what happens: its key and its click run it, help and the list name it, and with another key of the
user's own it is shown and works under that and not under the old one. Then, one by one, what is open changes
something and what is closed says why. TABLETOP_TESTS=all tries every state in full, for a quarter of an hour; some of
them by default.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import level
import pytest
from msgspec.structs import replace
from textual.keys import _character_to_key
from textual.pilot import Pilot
from waiting import drawn, looks, opened
from walking import LOGS, PLAYERS, ROOT, at_place, empty, named, put_up, states, take_down

from tabletop_tui import plugins
from tabletop_tui.cli import main
from tabletop_tui.session import Replay, Table
from tabletop_tui.storage.log import LogFile, open_log
from tabletop_tui.storage.log.scratch import Scratch
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.commands import Command, Deck, Item, Layer
from tabletop_tui.ui.commands.catalogue import ENTRIES, NUMBERED, own_keys, problems
from tabletop_tui.ui.commands.deck import typed
from tabletop_tui.ui.game import Game
from tabletop_tui.ui.panels.bars import merged
from tabletop_tui.ui.panels.panel import Panel
from tabletop_tui.ui.screens.base import FROM_KEY
from tabletop_tui.ui.screens.play import PlayScreen

BESIDE = {"replay.what_if", "log.what_if", "replay.export", "log.export"}
"""What a replay still allows: it makes something of its own."""
MODES = ("play", "seat", "replay", "what if")
FREE = "ctrl+y"
"""A key that nothing has."""


def test_there_are_recorded_evenings_of_all_samples() -> None:
    assert {log.parents[1].name for log in LOGS} == set(PLAYERS)


def event(face: str) -> tuple[str, str | None]:
    """A key as a terminal sends it."""
    if face == "space":
        return "space", " "
    return (_character_to_key(face), face) if len(face) == 1 else (face, None)


async def routed(deck: Deck, face: str) -> str:
    """The id of the command that a key runs."""
    ran: list[str] = []

    async def record(command: Command) -> None:
        ran.append(command.id)

    quiet = [replace(layer, rest=None) for layer in deck.layers]
    silent = Deck.__new__(Deck)
    silent.__dict__ = {**deck.__dict__, "layers": quiet}
    await silent.key(*event(face), record)
    return ran[0] if ran else ""


def bar_text(panel: Panel[Any]) -> str:
    return "".join(panel.render_line(y).text for y in range(max(panel.size.height, 1)))


async def walk_bars(screen: PlayScreen) -> None:
    """Keys, clicks, help, the list and the user's own keys, for all that the screen shows now."""
    screen.draw_bars()
    deck = screen.deck
    where = f"{screen.front} {screen.mode.badge}"
    helped = " ".join(f"{keys} {label}" for keys, label in screen.help_rows())
    stack = screen.stack()
    asked = screen.host.layer()
    layers: list[Layer] = [*([asked] if asked else []), *stack]
    ids = [item.id for item in deck.items]
    assert len(ids) == len(set(ids)), (where, [id for id in ids if ids.count(id) > 1])
    for item in deck.items:
        for face in item.keys:
            assert await routed(deck, face) == item.id, (where, face, item)
        if item.keys and not item.closed:
            assert (item.group or item.label) in helped, (where, item)
            await walk_own_key(layers, screen, item)
    assert not {s.press.id for s in screen.band.spots} & {s.press.id for s in screen.footer.spots}, where
    # what finds no room in the band stands on the footer
    for panel, items in ((screen.band, deck.shown("band")), (screen.footer, deck.shown("band", "footer", "end"))):
        text = bar_text(panel)
        assert all(spot.press.id in {i.id for i in items} for spot in panel.spots), where
        for spot in panel.spots:
            ran: list[str] = []

            async def record(command: Command, ran: list[str] = ran) -> None:
                ran.append(command.id)

            assert await deck.press(spot.press, record)
            assert ran == [spot.press.id], where
        shown = {spot.press.id for spot in panel.spots}
        for label, keys in merged(items):
            if any(id in shown for _, id in keys):
                assert label in text, (where, label, text)
                assert keys[0][0] in text, (where, keys, text)


async def walk_own_key(layers: list[Layer], screen: PlayScreen, item: Item) -> None:
    other = Deck(layers, {item.id: FREE}, screen.closes)
    now = next(i for i in other.items if i.id == item.id)
    if any(layer.text_first for layer in layers) and typed(FREE):
        return
    assert now.keys == (FREE,), item
    assert now.label == item.label
    assert await routed(other, FREE) == item.id
    for face in item.keys:
        assert await routed(other, face) != item.id, (item, face)


@pytest.mark.parametrize(
    ("path", "mode"), [(path, mode) for n, path in enumerate(LOGS) for mode in level.some(MODES, 1, 4, n)], ids=named
)
async def test_what_is_shown_is_what_happens(
    path: Path, mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = open_log(path)
    turn = LOGS.index(path) + MODES.index(mode)
    places = level.some(states(log), 1, 2, turn)
    seat = PLAYERS[path.parents[1].name] if mode == "seat" else ""
    async with empty(tmp_path, monkeypatch, (100, 30)) as pilot:
        for place in places:
            if mode == "replay":
                table = Replay(log.codec.engine, log.header, log.entries)
                table.seek(place)
                game = Game(table, "walk")
            elif mode == "what if":
                origin = Table(log.codec.engine, log.header, log.entries[:place])
                scratch = Scratch(origin, place, None, folder=tmp_path)
                game = Game(scratch.table, "walk", scratch=scratch)
                game.origin = origin
            else:
                game = at_place(log, place, seat)
            screen = await put_up(pilot, game)
            for page in screen.names:
                await screen.show_page(page)
                await pilot.pause()
                assert not screen.deck.clashes, (page, place, screen.deck.clashes)
                await walk_bars(screen)
                if mode in ("seat", "replay"):
                    shown = {i.id for i in screen.deck.items if i.keys and not i.closed}
                    # a player may act from a seat, and never reaches files or a table of one's own
                    free = ("look",) if mode == "replay" else ("look", "play")
                    changing = {c.id for layer in screen.stack() for c in layer.commands if c.effect not in free}
                    assert not shown & changing - BESIDE, (page, mode)
            await take_down(pilot, screen)


@pytest.mark.parametrize("path", LOGS, ids=named)
async def test_what_is_open_does_something_and_what_is_closed_says_why(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, turn = open_log(path), LOGS.index(path)
    places = level.some(states(log), 1, 1, turn + 1)
    async with empty(tmp_path, monkeypatch, (100, 30)) as pilot:
        for place in places:
            screen = await put_up(pilot, at_place(log, place))
            pages = level.some(screen.names, 1, 1, turn)
            await take_down(pilot, screen)
            for page in pages:
                await walk_effects(pilot, log, place, page, turn)


async def walk_effects(pilot: Pilot[None], log: LogFile, place: int, page: str, turn: int) -> None:
    """Each key on its own, from the same state."""
    app = pilot.app
    assert isinstance(app, TabletopApp)
    screen = await put_up(pilot, at_place(log, place), page)
    items = [i for i in screen.deck.items if i.keys and i.id != "people.edit"]  # which opens the user's editor
    for item in level.some(items, 7, 0, turn):
        if not await as_it_was(pilot, screen, page, place, item):
            await take_down(pilot, screen)
            screen = await put_up(pilot, at_place(log, place), page)
        before = (looks(app), app.theme, app.screen, screen.game.table.last)
        await pilot.press(event(item.keys[0])[0] if len(item.keys[0]) == 1 else item.keys[0])
        await pilot.pause()
        if item.closed:
            assert screen.message, (page, place, item)
            assert screen.game.table.last == place
        else:
            after = (looks(app), app.theme, app.screen, screen.game.table.last)
            here = item.id == screen.front == page
            edge = item.id.endswith((".up", ".down", ".pageup", ".pagedown", ".home", ".end"))
            assert after != before or here or edge, (page, place, item)
    await take_down(pilot, screen)


async def as_it_was(pilot: Pilot[None], screen: PlayScreen, page: str, place: int, item: Item) -> bool:
    """Back on the page after a key that only looked, with the next command as it was listed: then no new game."""
    if screen.game.table.last != place or screen.host.asked is not None or pilot.app.screen is not screen:
        return False
    screen.untell(FROM_KEY)
    await screen.show_page(page)
    await pilot.pause()
    return item in screen.deck.items


# ---- the user's own keys


def readme_config() -> str:
    block = re.search(r"```toml\n(theme = .*?)```", (ROOT / "docs" / "table.md").read_text("utf-8"), re.DOTALL)
    assert block is not None
    return block[1]


async def test_the_readmes_own_config_holds_word_for_word(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "config" / "tabletop"
    home.mkdir(parents=True)
    (home / "config.toml").write_text(readme_config(), "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    keys = own_keys(tomllib.loads(readme_config())["keys"])
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(140, 45)) as pilot:
        screen = await opened(pilot)
        assert not problems(tomllib.loads(readme_config())["keys"], [screen.game.table.engine])
        await own_key(screen, "tiers.attack", keys["tiers.attack"], "a")
        await own_key(screen, "undo", keys["undo"], "u")
        attack = keys["tiers.attack"]
        await pilot.press(attack)
        assert screen.host.asked is not None
        assert screen.host.asked.title == "attack"
        await pilot.press("escape", "a")
        assert screen.host.asked is None
        await pilot.press("C", "3", keys["undo"])
        assert [type(e.action).__name__ for e in screen.game.table.timeline.entries] == ["Open", "Undo"]
        assert f" {keys['undo']} undo" not in drawn(app), "nothing is left to undo"
        await pilot.press("3", "1")
        assert f" {keys['undo']} undo" in drawn(app)
        assert " u undo" not in drawn(app)
        await own_key(screen, "challenge.lead", keys["challenge.lead"], "l")
        await pilot.press("l")
        assert "who leads?" not in drawn(app)
        await pilot.press(keys["challenge.lead"])
        assert "who leads?" in drawn(app)


async def own_key(screen: PlayScreen, id: str, key: str, old: str) -> None:
    item = next(i for i in screen.deck.items if i.id == id)
    assert item.keys == (key,)
    assert await routed(screen.deck, key) == id
    assert await routed(screen.deck, old) != id


def test_a_key_of_ones_own_that_somebody_has_is_told_with_both_owners() -> None:
    engines = list(plugins.load_all().engines.values())
    twice = problems({"undo": "f9", "redo": "f9"}, engines)
    assert twice == ["config.toml: 'f9' is the key of 'undo' and of 'redo'. Give one of them another."], "told once"
    told = problems({"tiers.attack": "e", "undoo": "x", "sheets": "Z", "challenge.support.2": "9"}, engines)
    assert any("'e'" in words and "tiers.attack" in words and "tiers.hurt" in words for words in told), told
    assert any("undoo" in words for words in told)
    assert not any("sheets" in words or "support" in words for words in told)


def test_check_tells_of_a_key_that_two_commands_want(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "config" / "tabletop"
    home.mkdir(parents=True)
    (home / "config.toml").write_text('[keys]\n"tiers.attack" = "e"\n"no1.act" = "e"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert main(["check", str(campaign)]) == 0
    told = capsys.readouterr().out
    assert "'e' is the key of 'tiers.attack' and of 'tiers.hurt'" in told.replace("\n", " ")
    assert "no1" not in told


def test_every_id_that_can_be_remapped_is_known() -> None:
    assert all("." not in id or not id.startswith(NUMBERED) for id in ENTRIES)


@pytest.mark.parametrize(
    ("id", "key", "told"),
    [
        ("redo", "hyper+9", "'hyper+9' is not a key, and 'redo' has none now"),
        ("undo", "", "'' is not a key, and 'undo' has none now"),
        ("scene", "1", "'1' is for choosing on every page. Give 'scene' a letter."),
        ("tier.attack", "m", "there is no command 'tier.attack'. Did you mean 'tiers.attack'?"),
        ("moonfall.attack", "m", ""),
        ("redo", "ctrl+y", ""),
        ("redo", "f12", ""),
    ],
)
def test_what_is_wrong_with_a_key_of_ones_own_is_told(id: str, key: str, told: str) -> None:
    found = problems({id: key}, list(plugins.load_all().engines.values()))
    assert [told in words for words in found] == [True] if told else not found, found


def test_a_key_that_many_have_is_told_in_one_sentence() -> None:
    (told,) = problems({"undo": "e"}, list(plugins.load_all().engines.values()))
    assert "'e' is the key of 'undo' and of" in told
    assert "more. Give one of them another." in told
