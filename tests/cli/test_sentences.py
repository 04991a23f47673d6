"""A sentence for everything that goes wrong on the command line."""

from __future__ import annotations

import re
from pathlib import Path

import playing
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shells import Shell

from tabletop_tui.storage.log import sessions

BAD_WORDS = [
    ["roll", "--dice", "6,x"],
    ["roll", "--dice", "0,1,1,1,1,1,1"],
    ["roll", "--dice", "7,1,1,1,1,1,1"],
    ["roll", "--dice", "9" * 400],
    ["roll", "--dice", "-1,1,1"],
    ["roll", "--dice", "1,2"],
    ["roll", "--dice", ","],
    ["roll", "--dice", "1,1,1,1,1,1,1,1,1,1"],
    ["roll", "--dice", "½"],
    ["roll", "--dice", "\x1b[31m"],
    ["rol"],
    ["undo"],
    ["edited"],
    [""],
    ["\x1b]0;x\x07"],
    ["roll", "who"],
    ["roll", "who=mira"],
    ["lead"],
    ["lead", "who=mira"],
    ["lead", "who=nobody", "skill=Warding"],
    ["lead", "who=mira", "skill=Cooking"],
    ["lead", "who=mira", "who=rook", "skill=Warding"],
    ["lead", "who=\x1b[31m", "skill=\u202e"],
    ["lead", "=", "=="],
    ["hurt", "who=mira", "points=0"],
    ["hurt", "who=mira", "points=-1"],
    ["hurt", "who=mira", "points=many"],
    ["hurt", "who=mira", "points=" + "9" * 5000],
    ["hurt", "who=mira", "points=1e3"],
    ["hurt", "who=mira", "points="],
    ["improvise", "name=x", "tier=zeta", "dice=3"],
    ["improvise", "name=x", "tier=beta", "dice=99"],
    ["improvise", "name=" + "x" * 500, "tier=beta", "dice=3"],
    ["improvise", "name= ", "tier=beta", "dice=3"],
    ["improvise", "name=x", "tier=beta", "dice=3", "keywords=easy"],
    ["improvise", "name=x", "tier=beta", "dice=3", "keywords=delicate,delicate"],
    ["improvise", "name=x", "tier=beta", "dice=3", "hidden=maybe"],
    ["note", "text="],
    ["note", "text=" + "x" * 5000],
    ["support", "who=rook", "how=sing"],
    ["support", "who=mira", "how=encourage"],
    ["reroll", "dice=0"],
    ["settle"],
    ["buy"],
    ["spend", "points=1", "on=rain"],
    ["strike", "who=mira", "what=x"],
    ["tick", "clock=sun"],
    ["begin", "who=mira,nobody"],
]


@pytest.mark.parametrize("words", BAD_WORDS, ids=lambda w: repr(" ".join(w))[:60])
def test_bad_words_get_a_sentence_and_change_nothing(shell: Shell, led: Path, words: list[str]) -> None:
    before = sessions(led)[-1].read_bytes()
    err = shell.sentence("act", led, *words)
    assert err.count("\n") == 1 or err.startswith("usage:")
    assert "Something went wrong in the program itself" not in err
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", err)
    assert sessions(led)[-1].read_bytes() == before


@pytest.mark.parametrize("command", ["check", "act", "odds", "offers", "undo", "redo", "edits", "session", "doctor"])
def test_a_campaign_that_is_not_there_gets_a_sentence(shell: Shell, command: str) -> None:
    extra = ["note", "text=x"] if command in ("act", "odds") else []
    assert "no campaign is called 'nowhere'" in shell.sentence(command, "nowhere", *extra)


@pytest.mark.parametrize("command", ["log", "replay"])
def test_a_log_that_is_not_there_or_is_none_gets_a_sentence(shell: Shell, root: Path, command: str) -> None:
    assert "no campaign is called 'nowhere'" in shell.sentence(command, "nowhere")
    assert "no session has been played yet" in shell.sentence(command, root)
    (root / "x.txt").write_text("hello")
    assert "not a log of tabletop" in shell.sentence(command, root / "x.txt")


def test_a_folder_that_is_no_campaign_gets_a_sentence(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "it has no campaign.toml" in shell.sentence("check", tmp_path / "empty")
    assert "it has no campaign.toml" in shell.sentence("act", tmp_path / "empty", "note", "text=x")


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
        | st.sampled_from(
            ["roll", "lead", "who=mira", "skill=Warding", "support", "--dice", "--json", "how=direct", "6,6"]
        ),
        max_size=6,
    )
)
def test_no_words_at_all_can_crash_it(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    root = playing.starter(tmp_path_factory.mktemp("any") / "x")
    status, _, err = Shell(capsys)("act", root, *words)
    assert status in (0, 1, 2), err


@given(
    st.sampled_from(["lead", "support", "shed", "oppose", "strike", "reroll"]),
    st.text(max_size=5),
    st.text(max_size=5),
)
def test_no_fields_asked_about_can_crash_it(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str], action: str, who: str, how: str
) -> None:
    root = playing.starter(tmp_path_factory.mktemp("any") / "x")
    status, _, err = Shell(capsys)("offers", root, action, f"who={who}", f"how={how}", f"against={who}")
    assert status in (0, 1, 2), err


def test_a_choice_between_yes_and_no_can_be_typed(shell: Shell, led: Path) -> None:
    shell.fine("act", led, "award")
    shell.fine("act", led, "bonus", "on=yes")


def test_a_choice_between_numbers_can_be_typed(shell: Shell, led: Path) -> None:
    now = led / "now.toml"
    now.write_text(now.read_text().replace("\n[picture]", "\ncomplications = 3\n[picture]"))
    shell.fine("act", led, "spend", "points=1", "on=rain")
