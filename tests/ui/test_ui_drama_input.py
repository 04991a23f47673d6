"""What cannot be in Drama in History is answered with a sentence, and changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from waiting import drawn, opened, playing

from tabletop_tui.cli import main
from tabletop_tui.engines.drama.contest_lines import AddLine
from tabletop_tui.storage.log import open_log, sessions
from tabletop_tui.ui.app import TabletopApp


@pytest.mark.parametrize(("typed", "sentence"), [("-3", "from 0 to 10"), ("1000", "from 0 to 10")])
async def test_dice_that_cannot_be_are_answered_on_the_form(abbey: Path, typed: str, sentence: str) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D", "2", "1", "2")
        await pilot.press(*("t", "h", "e", "space", *"seal"), "tab", "down")
        await pilot.press(*typed, "enter")
        assert sentence in drawn(app)
        await pilot.press("escape")
        assert not playing(app).game.world.now.contest.parties["joan"].lines


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("line", "party=joan", "kind=fact", "text=x", "dice=-3"), "dice -3 is out of range"),
        (("line", "party=joan", "kind=fact", "text=x", "dice=1000"), "dice 1000 is out of range"),
        (("argue", "party=joan", "using=Jugling"), "using cannot be 'Jugling'"),
        (("test", "who=joan", "using=Insight", "more_base=-1"), "more base -1 is out of range"),
        (("test", "who=joan", "using=Insigt"), "Did you mean 'Insight'"),
    ],
)
def test_bad_input_on_the_command_line_is_a_sentence(
    abbey: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    assert main(["act", str(abbey), "contest", "plan=the-parlour/ledger"]) == 0
    capsys.readouterr()
    assert main(["act", str(abbey), *words]) in (1, 2)
    out, err = capsys.readouterr()
    assert sentence in err.replace("\n", " ")
    assert not out


async def test_an_attribute_of_99_is_a_sentence_with_its_file(
    abbey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = abbey / "characters" / "joan.toml"
    sheet.write_text(sheet.read_text("utf-8").replace("Social = 3", "Social = 99"), "utf-8")
    assert main(["check", str(abbey)]) != 0
    out, err = capsys.readouterr()
    told = " ".join((out + err).split())
    assert "joan.toml" in told
    assert "Social" in told
    assert "99" in told


async def test_an_attribute_of_99_written_during_play_is_told_and_changes_nothing(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D", "2")
        sheet = abbey / "characters" / "joan.toml"
        sheet.write_text(sheet.read_text("utf-8").replace("Social = 3", "Social = 99"), "utf-8")
        screen = playing(app)
        await screen.look_now()
        await pilot.pause()
        assert "Social cannot be 99. From -5 to 10." in screen.messages["files"].words
        assert screen.game.world.sheets["joan"].attributes["Social"] == 3
        assert "Social 3 + Insight 2: 5 base" in drawn(app)


def test_the_action_behind_a_bad_line_never_reached_the_log(abbey: Path) -> None:
    assert main(["act", str(abbey), "contest", "plan=the-parlour/ledger"]) == 0
    assert main(["act", str(abbey), "line", "party=joan", "kind=fact", "text=x", "dice=11"]) != 0
    assert not any(isinstance(e.action, AddLine) for e in open_log(sessions(abbey)[-1]).entries)
