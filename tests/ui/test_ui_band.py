"""The band says its sentence whole; keys that find no room beside it stand on the footer."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from waiting import drawn, opened, until

from tabletop_tui.cli import main
from tabletop_tui.rules import Counter
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.drawing.meters import asked_pieces
from tabletop_tui.ui.panels.bars import Said, arranged, chip


def copied(name: str, folder: Path) -> str:
    skip = shutil.ignore_patterns("sessions", "now.toml", "played")
    return str(shutil.copytree(Path(__file__).parents[2] / "campaigns" / name, folder / name, ignore=skip))


def test_keys_give_way_before_words_do() -> None:
    said = Said("Rook shoots The bridge ogre", loud=True, chance="49 %")
    assert arranged(said, [13, 13, 12], 100) == ("Rook shoots The bridge ogre: 49 %", 3)
    assert arranged(said, [13, 13, 12], 70) == ("Rook shoots The bridge ogre: 49 %", 2)
    assert arranged(said, [13, 13, 12], 40) == ("Rook shoots …: 49 %", 1), "and a chance is never cut"


def test_where_two_sentences_find_no_room_the_question_is_the_one_that_stays() -> None:
    said = Said("Brann still has a Shift. Which of the heroes goes next?", True, "Which of the heroes goes next?")
    assert arranged(said, [14], 80) == (said.text, 1)
    assert arranged(said, [14, 8], 80) == (said.short, 2)


@pytest.mark.parametrize(
    ("digits", "shown"),
    [("1234", "1-4 lead"), ("124", "1 2 4 lead"), ("12456789", "1 2 4-9 lead"), ("12", "1 2 lead")],
)
def test_a_range_of_digits_has_none_that_is_closed(digits: str, shown: str) -> None:
    assert "".join(text for text, _ in chip("lead", tuple((key, key) for key in digits)).spans) == shown


async def test_a_form_says_its_chance_and_how_to_leave_it(tmp_path: Path) -> None:
    app = TabletopApp(copied("cinder-pass", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("t", *"441411", "enter", "1", "a")
        await app.workers.wait_for_complete()
        await pilot.pause()
        *_, band, footer = drawn(app).rstrip("\n").splitlines()
        assert "%" in band
        assert "…" not in band
        assert "leave" in band + footer


async def test_the_whole_prompt_stands_on_the_stage_where_the_band_has_its_question_alone(tmp_path: Path) -> None:
    app = TabletopApp(copied("cinder-pass", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("t", *"441411", "enter", "1", "a", "t", *"55544", "enter")
        text = " ".join(drawn(app).split())
        assert "▲ Which of the heroes goes next?" in text
        assert "Brann Holloway still has a Shift. Which of" in text


def test_a_counter_that_is_asked_for_keeps_what_it_is_known_by_and_its_number() -> None:
    counters = [
        Counter(name=name, value=1, most=8) for name in ("The lamps go out", "The night watch", "Nights left")
    ]

    def asked(width: int) -> str:
        return "   ".join(piece.plain for piece in asked_pieces(counters, width))

    assert asked(80) == "1 The lamps go out 1/8   2 The night watch 1/8   3 Nights left 1/8"
    assert asked(60) == "1 The lamps g… 1/8   2 The night w… 1/8   3 Nights left 1/8"
    assert asked(40).count("…") == 3


async def test_in_plain_characters_friend_and_foe_differ_and_a_cut_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "config" / "tabletop"
    home.mkdir(parents=True)
    (home / "config.toml").write_text("ascii = true\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    root = copied("ember-road", tmp_path)
    for _ in range(12):  # more than can be told whole
        assert main(["act", root, "note", "text=" + "a long way to go " * 9]) == 0
    app = TabletopApp(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("T")
        text = drawn(app)
        assert text.isascii()
        assert "@ Mira" in text
        assert "& The bridge ogre" in text
        await pilot.press("L")
        await until(pilot, lambda: "way>" in drawn(app).replace(" >", ">"), "the cut")


async def test_on_a_small_screen_a_remark_gives_way_before_a_name(tmp_path: Path) -> None:
    app = TabletopApp(copied("abbey-of-lynn", tmp_path))
    async with app.run_test(size=(60, 20)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "1", "enter", "t", *"5555511111155", "enter", "c", "P")
        assert "Prior Hugh  " in drawn(app), "it goes whole: half a number would be another one"
        assert "The porter" in drawn(app)
