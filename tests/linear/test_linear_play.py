"""Whole scenes played in linear mode alone, in a real terminal: sentences, numbers, and nothing that is drawn."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from lines import Lines, checked, wander
from msgspec.structs import replace

from tabletop_tui.cli import main
from tabletop_tui.linear.words import counter, dice_asked, listed, odds, plain, sentence
from tabletop_tui.rules import Chance, Counter, Group, Odds

Sample = Callable[[str], Path]
Linear = Callable[..., Lines]


# ---- scenes


def test_a_challenge_with_real_dice(sample: Sample, linear: Linear) -> None:
    root = sample("ember-road")
    gm = linear(root)  # a terminal that can do nothing gets lines by itself
    gm.hears("Ember Road. Type help")
    gm.types("open")
    gm.chooses("Hold the gate")
    gm.hears("At stake: the gate holds until dawn")
    gm.chooses("Lead, ")
    gm.chooses("Mira, Warding beta 3")
    assert "Chances: success 36 %; with complications 37 %; failure 27 %." in gm.hears("Mira leads with Warding")
    gm.chooses("support, ")
    gm.chooses("Rook, direct")
    gm.hears("Rook")
    gm.types("roll")
    gm.hears("Mira: Warding: 3 d6. Type what they show")
    gm.types("6 6 9")
    gm.hears("a d6 cannot show 9")
    gm.types("6 6")
    gm.hears("1 d6. Type what they show")
    gm.types("5")
    gm.hears("Hold the gate: ")
    gm.types("1 1 1 1")
    gm.hears("Choose up to 1 die to reroll.")
    gm.chooses("reroll and go on")
    gm.hears("die 1 shows 6, die 2 shows 6, die 3 shows 5")
    gm.types("4")
    gm.hears("Type at most 1 of the places")
    gm.types("3")
    gm.hears("1 d6. Type what they show")
    gm.types("")  # it is rolled here
    gm.hears("let it count")
    gm.chooses("let it count")
    assert "Say how it succeeds: the gate holds until dawn." in gm.hears("Success.")
    gm.types("undo")
    gm.hears("Undone")
    gm.types("redo")
    gm.hears("Done again")
    assert gm.quits() == 0
    assert checked(root)[:5] == ["open", "lead", "support", "roll", "reroll"]
    assert gm.drawn == ""


def test_a_fight(sample: Sample, linear: Linear) -> None:
    root = sample("ember-road")
    gm = linear(root)
    gm.types("begin")
    gm.chooses("who, now players")
    gm.hears("Numbers, in their order")
    gm.types(f"{gm.number('Mira')} {gm.number('Rook')} {gm.number('Ash reaver')}")
    gm.hears("who, now Mira, Rook, Ash reaver")
    gm.types("")
    gm.hears("Mira")
    gm.types("attack")
    dice = {"Mira: Warding": "3 3 3 3 3", "Ash reaver: Spear": "1 1 1"}
    gm.answers({"who?": "Mira", "skill?": "Warding alpha", "against?": "Ash reaver", "it uses?": "Spear", **dice})
    assert "Chances: hurts 53 %; wins, no harm 18 %; loses 29 %." in gm.transcript
    gm.chooses("let it count")
    gm.hears("10")
    gm.types("next")
    gm.hears("Rook")
    gm.types("read table")
    assert re.search(r"^Rook, turn order, up now", gm.hears("up now"), re.MULTILINE)
    gm.types("undo")
    gm.hears("Undone")
    assert gm.quits() == 0
    assert checked(root) == ["begin", "attack", "settle", "next", "undo"]
    assert gm.drawn == ""


def test_nothing_typed_means_whoever_is_up_and_the_foe(sample: Sample, linear: Linear) -> None:
    root = sample("ember-road")
    gm = linear(root)
    gm.types("begin")
    gm.chooses("who, now players")
    gm.hears("Numbers, in their order")
    gm.types(f"{gm.number('Mira')} {gm.number('Ash reaver')}")
    gm.hears("who, now Mira, Ash reaver")
    gm.types("")
    gm.hears("Mira")
    gm.types("attack")
    for usual in ("Mira", "Warding beta 3", "Ash reaver", "Spear alpha 3"):
        gm.hears(f"A number, or nothing for {usual}:")
        gm.types("")
    gm.answers({})
    gm.quits()
    assert checked(root) == ["begin", "attack"]
    (log,) = (root / "sessions").glob("*.jsonl")
    attack = json.loads(log.read_text("utf-8").splitlines()[-1])["action"]
    assert (attack["who"], attack["against"], attack["using"]) == ("mira", "reaver", "Spear")


def test_a_social_contest(sample: Sample, linear: Linear) -> None:
    root = sample("abbey-of-lynn")
    gm = linear(root)
    gm.chooses("The parlour")
    gm.hears(">")
    gm.types("contest")
    gm.answers({})
    gm.types("read contest")
    assert "risks" in gm.hears("wants")
    gm.types("")
    gm.chooses("Joan, ")
    gm.chooses("Social 3 + Letters")
    gm.hears("Chances: Joan wins 30 %")
    gm.types("line")
    gm.answers({"who?": "Joan", "words:": "The seal is false"})
    gm.types("roll")
    gm.answers({"Joan: ": "6 6 6 5 5 5 5", "Prior Hugh: ": "1 1 1 1 1 1 1"})
    assert "Joan wins by 7." in gm.hears("Joan gets: to see the ledger. Prior Hugh loses: the key to the chest.")
    assert gm.quits() == 0
    assert checked(root) == ["scene", "contest", "argue", "line", "roll_contest"]
    assert "The seal is false" in gm.transcript
    assert gm.drawn == ""


# ---- at random


@pytest.mark.parametrize("name", ["ember-road", "cinder-pass", "abbey-of-lynn", "fen-lanterns"])
def test_any_numbers_play_a_game_that_verifies(sample: Sample, linear: Linear, name: str) -> None:
    root = sample(name)
    one = linear(root)
    wander(one, 11, 60)
    one.until(lambda: one.asked, "a question")
    assert one.terminal.status is None
    assert len(checked(root)) > 3
    assert one.drawn == ""


# ---- others, and how it begins and ends


def test_what_others_do_comes_as_lines(sample: Sample, linear: Linear) -> None:
    root = sample("ember-road")
    gm = linear(root)
    gm.hears(">")
    assert main(["act", str(root), "note", "text=The bell rings", "--by", "Ben"]) == 0
    gm.hears("Ben: The bell rings")
    assert main(["session", str(root)]) == 0
    gm.hears("A new session has begun.")
    rook = root / "characters" / "rook.toml"
    rook.write_text(rook.read_text().replace("Dodge = { alpha = 4 }", "Dodge = { alpha = 5 }"))
    gm.hears("Edited by hand: rook.toml: skills.Dodge.alpha 4 to 5")


def test_it_works_in_a_pipe_and_ends_with_the_input(sample: Sample) -> None:
    root = sample("ember-road")
    done = subprocess.run(
        [sys.executable, "-m", "tabletop_tui", "play", str(root), "--linear"],
        input="note text=It \x1b[31mrains\n.\nnonsense\n99\nread Mira\nlog",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "There is no 'nonsense' here. Type help, list or all." in done.stdout
    assert "there is no number 99" in done.stdout
    assert "Warding: beta 3" in done.stdout
    assert done.stdout.endswith("Left. All is saved.\n")


def test_a_terminal_that_can_draw_gets_the_screens_unless_lines_are_asked_for(sample: Sample, linear: Linear) -> None:
    root = sample("ember-road")
    drawn = linear(root, term="xterm-256color")
    drawn.until(lambda: "\x1b[?1049h" in drawn.heard, "a screen")
    lines = linear(root, "--linear", term="xterm-256color")
    lines.hears("Type help")
    assert lines.drawn == ""


def test_no_part_of_the_screens_is_loaded(sample: Sample) -> None:
    root = sample("ember-road")
    program = (
        "import sys; from tabletop_tui.cli import main\n"
        f"assert main(['play', {str(root)!r}, '--linear']) == 0\n"
        "assert not {'textual', 'rich'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], input="list\n", capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


# ---- words


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("6→5", "6 then 5"),
        ("HP 4 → 2", "HP 4 to 2"),
        ("≥3 hits · ×5", "at least 3 hits, times 5"),
        ("▶ ■■□ Rook ✓", "Rook"),
        ("\x1b[31mred\x1b[0m\nnext", "[31mred[0m next"),
        ("naïve 龍 [/b]", "naïve 龍 [/b]"),
    ],
)
def test_signs_become_words(text: str, spoken: str) -> None:
    assert plain(text) == spoken


def test_sentences_are_made_of_what_there_is_to_say() -> None:
    assert sentence("Mira", "", "up now.") == "Mira, up now."
    assert sentence("") == ""
    assert listed(["Ana", "Ben", "Chris"]) == "Ana, Ben and Chris"
    assert dice_asked((6, 6, 4, 6)) == "2 d6, 1 d4 and 1 d6"


def test_odds_are_a_sentence_a_group() -> None:
    found = Odds(
        (
            Group("outcome", (Chance("success", 0.36), Chance("failure", 0.64))),
            Group("margin", (Chance("≥1", 0.3), Chance("≥9", 0.0)), at_least=True),
        )
    )
    assert [plain(line) for line in odds(found)] == [
        "Chances: success 36 %; failure 64 %.",
        "margin: at least 1, 30 %.",
    ]


def test_a_counter_that_players_do_not_see_is_called_so() -> None:
    snow = Counter(name="The pass closes", value=2, most=6)
    assert counter(snow) == "The pass closes 2 of 6"
    assert counter(replace(snow, secret=True)) == "The pass closes 2 of 6, hidden from players"
