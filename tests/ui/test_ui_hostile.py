"""Text is hostile until it is content: a campaign whose every string attacks is drawn on every screen."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from ptys import Terminal
from waiting import opened

from tabletop_tui.storage.log import sessions
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.ui.app import TabletopApp

PAYLOADS = (
    "[@click=app.quit]x[/]",
    "[/]",
    "[b][red]x",
    "漢字かな",
    "e\u0301\u0301\u0301",
    "שלום",
    "$accent {x} %s \\\\",
    "[link=https://x]y[/link]",
)


def hostile_campaign(root: Path) -> Path:
    """Every string that TOML may hold and `check` lets through."""
    (root / "characters").mkdir(parents=True)
    (root / "scenes").mkdir()
    evil = "".join(PAYLOADS)
    (root / "campaign.toml").write_text(
        f"title = '{evil}'\nengine = 'tiers'\n[clocks.c]\nname = '{evil}'\n[tracks.t]\nname = '{evil}'\n",
        encoding="utf-8",
    )
    for i, payload in enumerate(PAYLOADS):
        (root / "characters" / f"p{i}.toml").write_text(
            f"name = '{payload}'\nplayer = '{payload}'\nabout = '{evil}'\nbonus_dice = 1\n"
            f"[levels]\nalpha = 3\n[skills]\n'{payload.replace(':', '')}' = {{ alpha = 3 }}\nLore = {{ beta = 2 }}\n",
            encoding="utf-8",
        )
    (root / "scenes" / "s.toml").write_text(
        f"title = '{evil}'\nabout = '{evil}'\nsecret = '{evil}'\n[challenges.c]\nname = '{evil}'\nstakes = '{evil}'\n"
        f"tier = 'alpha'\ndice = 2\ncomplication = '{evil}'\nfailure = '{evil}'\n",
        encoding="utf-8",
    )
    return root


async def test_no_markup_in_a_file_is_obeyed_on_any_page(tmp_path: Path) -> None:
    app = TabletopApp(str(hostile_campaign(tmp_path / "evil")))
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await opened(pilot)
        for key in (
            "down",
            "C",
            "1",
            "1",
            "4",
            "4",
            "r",
            "enter",
            "enter",
            "S",
            "down",
            "H",
            "T",
            "a",
            "1",
            "escape",
            "space",
        ):
            await pilot.press(key)
        await pilot.press("escape", "ctrl+p")
        await pilot.pause()
        await pilot.press("x", "escape", "question_mark")
        await pilot.pause()
        await pilot.press("escape")
        for y in range(2, 28, 3):
            await pilot.click(offset=(4, y))
        assert app.is_running
        assert app.return_code is None


@pytest.mark.parametrize(
    "character", ["\x1b]52;c;ZXZpbA==\x07", "\x1b]0;owned\x07", "\u202eabc", "\x9b31m", "a\x00b"]
)
async def test_what_players_type_loses_its_control_characters(campaign: Path, character: str) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        from textual.events import Paste

        screen = app.screen
        await pilot.press("H", "m")
        screen.post_message(Paste(character + "ok"))
        await pilot.pause()
        await pilot.press("enter")
    log = sessions(campaign)[-1].read_bytes()
    assert b"ok" in log
    assert not any(byte < 32 and byte != 10 for byte in log)
    assert b"\\u001b" not in log


def test_no_payload_byte_reaches_a_real_terminal(tmp_path: Path, terminal: Callable[..., Terminal]) -> None:
    """A log written by somebody else can hold anything; the last gate holds it back."""
    root = hostile_campaign(tmp_path / "evil")
    desk = OpenCampaign(root)
    note = next(k for k in desk.engine.actions if k.__name__ == "Note")
    desk.table.do(note("plain"))
    from msgspec.structs import replace

    last = desk.table.timeline.entries[-1]
    evil = "\x1b]52;c;RVZJTA==\x07\x1b]0;OWNED\x07\u202eRTL\x9b31mRED"
    desk.log.append(replace(last, seq=2, said=(evil,)))
    desk.close()
    one = terminal("play", str(root), size=(100, 30))
    one.sees("complications")
    one.send("L")
    one.sees("RTL31mRED")  # it is drawn, without what makes it one
    for keys in ("C", "1", "1", "4", "r", "\r", "\r", "S", "H", "T", "?"):
        one.send(keys)
        one.pump(0.2)
    one.sees("keys")
    one.send("\x1b")
    one.pump(0.5)
    for keys in ("a", "1", "1", "\x7f", "\x1b", " ", "\x1b", "\x10"):  # a form, all actions, the palette
        one.send(keys)
        one.pump(0.3)
    one.signal(signal.SIGTERM)
    home = terminal("play", str(root.parent), size=(100, 30))
    home.sees("campaigns")
    home.sees("Tiers of Power")
    home.signal(signal.SIGTERM)
    one.raw += home.raw
    for bad in (b"\x1b]52", b"OWNED\x07", b"\x1b]0;", b"\x9b31m", "\u202e".encode()):
        assert bad not in one.raw
    assert one.status == 0


def test_the_sentence_after_the_screens_controls_no_terminal(
    tmp_path: Path, terminal: Callable[..., Terminal]
) -> None:
    odd = tmp_path / "\x1b]0;OWNED\x07 \x9b31m \u202eRTL"
    odd.mkdir()
    one = terminal("play", str(odd))
    one.until(lambda: one.status is not None, "the end")
    assert one.status == 1
    said = one.raw.rpartition(b"\x1b[?1049l")[2]  # the shell's screen is back
    assert b"OWNED" in said
    assert b"RTL" in said
    for bad in (b"\x1b]0;", b"\x07", "\x9b".encode(), "\u202e".encode()):
        assert bad not in said


def test_check_names_control_characters_with_their_line(campaign: Path) -> None:
    from tabletop_tui.storage.campaign import load

    file = campaign / "characters" / "rook.toml"
    file.write_text(file.read_text().replace('"Rook"', '"Ro\\u001b]0;x\\u0007ok"'))
    (problem,) = load(campaign).errors
    assert (problem.file, problem.line) == ("characters/rook.toml", 2)
    assert "U+001B" in problem.what
