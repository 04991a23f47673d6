"""`tabletop roll` and `tabletop odds` as people type them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import playing
import pytest

SAMPLES = playing.PROJECT / "campaigns"


def fine(*words: str) -> str:
    done = playing.command(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def lanterns(tmp_path: Path) -> Path:
    target = tmp_path / "fen-lanterns"
    shutil.copytree(SAMPLES / "fen-lanterns", target, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    return target


def test_odds_need_no_campaign_and_draw_a_chart() -> None:
    out = fine("odds", "3d6+2", "--at-least", "12")
    assert "the sum of 3d6 + 2" in out
    assert re.search(r"^ +12 +12 % +█+$", out, re.MULTILINE)
    assert "mean 12.50" in out
    assert "at least 12: 62 %" in out


def test_odds_for_programs_are_exact() -> None:
    found = json.loads(fine("odds", "3d6", "--json", "--at-least", "18"))
    assert found["chances"]["10"] == 27 / 216
    assert found["at_least"] == {"18": pytest.approx(1 / 216)}
    drama = json.loads(fine("odds", "5Bd", "3Rd", "2Dd", "--json"))
    assert sum(drama["groups"]["outcome"].values()) == pytest.approx(1)


def test_dice_are_rolled_and_the_faces_add_up() -> None:
    found = json.loads(fine("roll", "3d6+2", "--times", "20", "--json"))
    assert len(found["rolls"]) == 20
    assert all(r["value"] == sum(r["dice"][0]["faces"]) + 2 for r in found["rolls"])
    assert len({r["value"] for r in found["rolls"]}) > 1
    assert re.search(r"\(\d \d \d\) \+ 2 = \d+", fine("roll", "3d6", "+2"))


def test_too_many_rolls_are_refused() -> None:
    done = playing.command("roll", "3d6", "--times", "101")
    assert done.returncode == 1
    assert "From 1 to 100" in done.stderr


def test_names_are_read_with_a_campaign_and_nothing_of_it_is_touched(lanterns: Path) -> None:
    fine("session", str(lanterns))
    before = {p: p.read_bytes() for p in lanterns.rglob("*") if p.is_file()}
    assert "Wren Tallow's fight" in fine("odds", str(lanterns), "fight/vigor")
    assert "Wren Tallow's fight" in fine("odds", str(lanterns), "wren", "fight")
    assert "the sum of 3d6, a maximum explodes" in fine("odds", str(lanterns), "3d6")
    assert "Wren Tallow's fight" in fine("roll", "fight/vigor", "--campaign", str(lanterns))
    assert {p: p.read_bytes() for p in lanterns.rglob("*") if p.is_file()} == before


def test_an_action_of_a_campaign_still_has_its_odds(lanterns: Path) -> None:
    fine("act", str(lanterns), "contest", "contest=fight/dodge", "who=wren", "against=wight")
    assert "Wren Tallow" in fine("odds", str(lanterns), "roll_contest")
    wrong = playing.command("odds", str(lanterns), "rol_contest")
    assert wrong.returncode == 1
    assert "has no action 'rol_contest'" in wrong.stderr
    alone = playing.command("odds", str(lanterns))
    assert alone.returncode == 1
    assert "an action or dice are missing after the campaign" in alone.stderr
    dice = playing.command("odds", str(lanterns), "2d8", "fewr", "2")
    assert dice.returncode == 1
    assert "Did you mean 'fewer'" in dice.stderr


@pytest.mark.parametrize("command", ["odds", "roll"])
@pytest.mark.parametrize(
    ("text", "at", "what"),
    [
        ("0d6", 0, "there are no dice"),
        ("1001d6", 0, "At most 1,000"),
        ("2d1001", 2, "From 2 to 1,000 sides"),
        ("d", 1, "number of sides is missing"),
        ("", 0, "there are no dice here"),
        ("2d8 additional", 14, "Write additional 1, say"),
        ("2d8 additoinal 2", 4, "Did you mean 'additional'?"),
        ("3d6 + ２d6", 6, "where a d was expected"),
        ("会3d6", 0, "not understood"),
        ("3d6 \x1b]0;x\x07", 4, "U+001B"),
    ],
)
def test_bad_input_is_a_sentence_with_a_caret_under_the_character(
    command: str, text: str, at: int, what: str
) -> None:
    done = playing.command(command, text)
    assert (done.returncode, done.stdout) == (1, "")
    sentence, shown, caret = done.stderr.rstrip("\n").split("\n")
    assert sentence.startswith(f"character {at + 1}: ")
    assert what in sentence
    assert caret == " " * (at + 2) + "^"
    assert shown.startswith("  ")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", done.stderr)


def test_a_very_long_text_is_shown_around_the_character() -> None:
    done = playing.command("odds", "3d6" + "+1d6" * 2_500)
    assert done.returncode == 1
    assert "At most 1,000 characters" in done.stderr
    assert max(map(len, done.stderr.split("\n"))) < 120


def test_wide_characters_do_not_shift_the_caret() -> None:
    done = playing.command("odds", "3d6 会 x")
    _, shown, caret = done.stderr.rstrip("\n").split("\n")
    assert shown == "  3d6 会 x"
    assert caret == "      ^"


def test_a_thousand_large_dice_are_answered() -> None:
    assert "mean 500,500.00" in fine("odds", "1000d1000")
    done = playing.command("odds", "1000d1000", "fen")
    assert done.returncode == 1
    assert "would take too long" in done.stderr
