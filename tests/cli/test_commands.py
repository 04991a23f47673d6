"""Every command: what it prints, and what programs read."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import sys
import tomllib
from pathlib import Path

import playing
import pytest
from shells import Shell

from tabletop_tui.cli import parser
from tabletop_tui.storage.log import sessions
from tabletop_tui.storage.open_campaign import OpenCampaign

COMMANDS = [
    "play", "new", "demo", "check", "act", "odds", "offers", "undo", "redo", "edits", "session", "log", "replay",
    "engines", "doctor", "roll", "export", "schema", "set", "migrate", "pack", "unpack", "backups", "conform",
    "recap", "seats", "serve", "proposals", "accept", "decline", "word",
    "where", "config", "completion", "man", "rules", "new-engine",
]  # fmt: skip


# ---- help


def test_there_is_a_test_for_every_command() -> None:
    (sub,) = [
        action for action in parser()._actions if hasattr(action, "choices") and isinstance(action.choices, dict)
    ]
    assert set(sub.choices or ()) == {*COMMANDS, "complete"}  # asked by shells alone


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_worth_reading(shell: Shell, command: str) -> None:
    out = shell.fine(command, "--help")
    assert out.startswith(f"usage: tabletop {command}")
    first = out.split("\n\n")[1]
    assert first[0].isupper()
    assert len(first) > 20


def test_the_main_help_has_examples_and_every_command(shell: Shell) -> None:
    out = shell.fine("--help")
    assert "examples:" in out
    assert all(command in out for command in COMMANDS)


def test_the_version_is_told(shell: Shell) -> None:
    assert re.match(r"tabletop \d+\.\d+\.\d+ \(Python ", shell.fine("--version"))


@pytest.mark.parametrize("words", [[], ["play", "x"]])
def test_the_screens_need_a_terminal_and_say_so(words: list[str]) -> None:
    done = playing.command(*words)
    assert done.returncode == 1
    assert done.stderr == "the screens need a terminal. tabletop --help lists what works without one.\n"


# ---- campaigns


def test_new_writes_a_campaign_that_passes_check(shell: Shell, tmp_path: Path) -> None:
    out = shell.fine("new", "The Salt War", "--engine", "tiers", "--into", tmp_path)
    root = tmp_path / "the-salt-war"
    assert str(root) in out
    assert shell.fine("check", root) == "The Salt War: 5 files, no problems\n"


@pytest.mark.parametrize("title", ['He said "no"', "back\\slash", "{braces}", "ünï ☂", "a\nb", "[b]x[/b]", "x" * 300])
def test_new_takes_any_title(shell: Shell, tmp_path: Path, title: str) -> None:
    shell.fine("new", title, "--into", tmp_path)
    (root,) = [p for p in tmp_path.iterdir() if (p / "campaign.toml").exists()]
    assert "no problems" in shell.fine("check", root)
    assert tomllib.loads((root / "campaign.toml").read_text())["title"] == title.replace("\n", " ")


def test_new_overwrites_nothing(shell: Shell, tmp_path: Path) -> None:
    shell.fine("new", "Salt", "--into", tmp_path)
    assert "something already" in shell.sentence("new", "Salt", "--into", tmp_path)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["new", ""], "needs a title"),
        (["new", "\x1b\x07"], "needs a title"),
        (["new", "X", "--engine", "chess"], "chess"),
    ],
)
def test_new_refuses_in_words(shell: Shell, words: list[str], says: str) -> None:
    assert says in shell.sentence(*words)


def test_check_lists_every_problem_of_every_file_with_its_line(shell: Shell, root: Path) -> None:
    (root / "characters/mira.toml").write_text("name = Mira\n")
    (root / "characters/rook.toml").write_text('name = "Rook"\n[levels]\nalpha = "six"\n[skils]\n')
    status, out, _ = shell("check", root)
    assert status == 1
    lines = out.splitlines()
    assert [line.split(": ")[0] for line in lines] == [
        "characters/mira.toml:1:8", "characters/rook.toml:3:9", "characters/rook.toml:4:1",
    ]  # fmt: skip
    found = json.loads(shell("check", root, "--json")[1])
    assert [(p["file"], p["line"]) for p in found] == [
        ("characters/mira.toml", 1), ("characters/rook.toml", 3), ("characters/rook.toml", 4),
    ]  # fmt: skip


def test_check_looks_at_the_live_state_too(shell: Shell, root: Path) -> None:
    shell("act", root, "hurt", "who=rook", "points=1")
    now = root / "now.toml"
    (root / "characters/rook.toml").write_text('name = "Rook"\nplayer = "Ben"\n[levels]\nalpha = 3\n')
    status, out, _ = shell("check", root)
    assert status == 0, "play goes on with what the levels give"
    at = next(i for i, line in enumerate(now.read_text().splitlines(), 1) if line == "hp = 59")
    assert f"now.toml:{at}:6: 59 HP are more than their levels give" in out
    now.write_text(now.read_text().replace("hp = 59", "hp = -4"))
    status, out, _ = shell("check", root)
    assert (status, "HP cannot be -4" in out) == (1, True)
    now.write_text("hp = = 3\n")
    status, out, _ = shell("check", root)
    assert (status, "now.toml:1:6" in out) == (1, True)


def test_a_warning_alone_is_no_failure(shell: Shell, root: Path) -> None:
    (root / "characters/rook.toml").write_text('name = "Rook"\nnick = "R"\n[levels]\nalpha = 6\n')
    status, out, _ = shell("check", root)
    assert (status, "the key 'nick' is not known" in out) == (0, True)


def test_demo_copies_a_sample_once(shell: Shell, tmp_path: Path) -> None:
    samples = playing.samples()
    if not samples:
        pytest.skip("no sample of an installed engine")
    name = samples[0].name
    out = shell.fine("demo", name, "--into", tmp_path)
    assert (tmp_path / name / "campaign.toml").exists()
    (tmp_path / name / "mine.txt").write_text("kept")
    assert shell.fine("demo", name, "--into", tmp_path) == out
    assert (tmp_path / name / "mine.txt").exists()
    assert "no problems" in shell.fine("check", tmp_path / name)
    assert "there is no sample 'nope'" in shell.sentence("demo", "nope")


def test_a_campaign_is_found_by_its_name(shell: Shell, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root.parent)
    assert "no problems" in shell.fine("check", "the-gate")
    assert "Choose from: the-gate" in shell.sentence("check", "the-gat")


# ---- the table


def test_act_tells_what_happened_and_writes_now_toml(shell: Shell, root: Path) -> None:
    out = shell.fine("act", root, "hurt", "who=mira", "points=10")
    assert out == "Mira: HP 100 → 90\n"
    assert "hp = 90" in (root / "now.toml").read_text()


def test_act_with_typed_dice_shows_them_and_what_the_game_waits_for(shell: Shell, led: Path) -> None:
    out = shell.fine("act", led, "roll", "--dice", "5,2,3 1 1,2,2")
    assert "Mira: Warding: 5 2 3 (typed in)" in out
    assert f"tabletop act {led} settle" in out


def test_act_rolls_the_rest_when_asked_to(shell: Shell, led: Path) -> None:
    entry = json.loads(shell.fine("act", led, "roll", "--dice", "5,2", "--roll-rest", "--json"))
    assert entry["dice"][0]["faces"][:2] == [5, 2]
    assert entry["dice"][0]["typed"] == 2


def test_act_as_json_is_the_entry(shell: Shell, led: Path) -> None:
    entry = json.loads(shell.fine("act", led, "roll", "--json", "--by", "Ana"))
    assert (entry["seq"], entry["by"], entry["action"], entry["dry_run"]) == (3, "Ana", {"do": "roll"}, False)


def test_a_dry_run_saves_nothing(shell: Shell, led: Path) -> None:
    before = sessions(led)[-1].read_bytes(), (led / "now.toml").read_bytes()
    assert "Dry run: nothing is saved" in shell.fine("act", led, "roll", "--dry-run")
    assert json.loads(shell.fine("act", led, "roll", "--dry-run", "--json"))["dry_run"] is True
    assert (sessions(led)[-1].read_bytes(), (led / "now.toml").read_bytes()) == before


def test_odds_are_shown_for_people_and_exact_for_programs(shell: Shell, led: Path) -> None:
    assert "success" in shell.fine("odds", led, "roll")
    groups = json.loads(shell.fine("odds", led, "roll", "--json"))["groups"]
    assert sum(groups["outcome"].values()) == pytest.approx(1, abs=1e-9)
    assert "rolls no dice" in shell.sentence("odds", led, "close")
    assert "there is nothing to reroll" in shell.sentence("odds", led, "reroll")


def test_offers_list_what_can_be_done_and_why_the_rest_cannot(shell: Shell, led: Path) -> None:
    out = shell.fine("offers", led)
    assert re.search(r"^  roll ", out, re.MULTILINE)
    assert re.search(r"^– settle +no roll waits", out, re.MULTILINE)
    found = {o["action"]: o["closed"] for o in json.loads(shell.fine("offers", led, "--json"))}
    assert found["roll"] == ""
    assert found["settle"]


def test_offers_of_one_action_list_its_fields_and_their_answers(shell: Shell, led: Path) -> None:
    assert "how: choice" in shell.fine("offers", led, "support", "who=rook")
    found = json.loads(shell.fine("offers", led, "support", "who=rook", "--json"))
    assert {c["value"]: c["closed"] for c in found["how"]}["prepare"] == "no time: time-sensitive"


def test_offers_know_that_several_were_named_by_the_time_they_ask_on(shell: Shell, tmp_path: Path) -> None:
    shell.fine("demo", "abbey-of-lynn", "--into", tmp_path)
    words = ("split", "who=william", "using=Hunting", "against=joan,The porter")
    found = json.loads(shell.fine("offers", tmp_path / "abbey-of-lynn", *words, "--json"))
    assert [c["value"] for c in found["into"]] == ["joan", "porter"]
    assert "no field 'agaisnt'" in shell.sentence("offers", tmp_path / "abbey-of-lynn", "split", "agaisnt=joan")


def test_undo_and_redo_go_back_and_forth(shell: Shell, led: Path) -> None:
    assert "Undone: Mira leads" in shell.fine("undo", led)
    assert "Done again: Mira leads" in shell.fine("redo", led)
    assert json.loads(shell.fine("undo", led, "--to", "0", "--json"))["action"] == {"do": "undo", "to": 0}
    assert "nothing to undo" in shell.sentence("undo", led)
    shell.fine("redo", led, "--to", "2")
    assert "nothing to redo" in shell.sentence("redo", led)


def test_log_tells_the_story_and_replay_verifies_it(shell: Shell, led: Path) -> None:
    shell.fine("act", led, "note", "text=for the GM", "secret=yes")
    assert "Mira leads with Warding" in shell.fine("log", led)
    assert "for the GM" in shell.fine("log", led, "--last", "1")
    assert "for the GM" not in shell.fine("log", led, "--players")
    lines = [json.loads(line) for line in shell.fine("log", led, "--json").splitlines()]
    assert [line["seq"] for line in lines] == [1, 2, 3]
    assert "3 actions resolved again" in shell.fine("replay", led, "--verify")
    assert "Mira leads" in shell.fine("replay", sessions(led)[-1])
    assert tomllib.loads(shell.fine("replay", led, "--to", "1"))["challenge"]["plan"]["name"] == "Hold the gate"
    assert "there is no entry 99" in shell.sentence("replay", led, "--to", "99")


def test_session_begins_a_new_one(shell: Shell, led: Path) -> None:
    shell.fine("act", led, "hurt", "who=mira", "points=10")
    shell.fine("session", led)
    assert len(sessions(led)) == 2
    assert "hp = 90" in (led / "now.toml").read_text()


def test_edits_are_told_and_conflicts_are_settled(shell: Shell, led: Path) -> None:
    shell.fine("act", led, "hurt", "who=mira", "points=10")
    assert shell.fine("edits", led) == "The files and the table agree.\n"
    now = led / "now.toml"
    now.write_text(now.read_text().replace("hp = 90", "hp = 55"))
    status, _, err = shell("edits", led)
    assert (status, "Edited by hand: now.toml: people.mira.hp 90 → 55" in err) == (0, True)
    now.write_text(now.read_text().replace("hp = 55", "hp = 44"))
    playing.act(OpenCampaign(led).table, "hurt who=mira points=5")
    status, _, err = shell("edits", led)
    assert (status, "55 → 44; the table has meanwhile made it 50" in err) == (1, True)
    assert shell("edits", led, "--take", "file")[0] == 0
    assert "hp = 44" in now.read_text()


def test_an_action_goes_on_beside_a_conflict_and_the_file_is_kept(shell: Shell, led: Path) -> None:
    now = led / "now.toml"
    now.write_text(now.read_text().replace("hp = 100", "hp = lots"))
    status, _, err = shell("act", led, "note", "text=on")
    assert (status, "now.toml" in err) == (0, True)
    assert "hp = lots" in now.read_text()


def test_engines_are_listed(shell: Shell) -> None:
    assert re.search(r"^tiers +Tiers of Power", shell.fine("engines"), re.MULTILINE)


# ---- looks


ESC = "\x1b["


def on_a_terminal(words: list[str], **env: str) -> str:
    """What a command prints on a real terminal."""
    reading, writing = pty.openpty()
    child = os.fork()
    if not child:
        for fd in (0, 1, 2):
            os.dup2(writing, fd)
        os.execve(
            sys.executable,
            [sys.executable, "-m", "tabletop_tui", *words],
            {**os.environ, "TERM": "xterm", **env},
        )
    os.close(writing)
    seen = b""
    while True:
        try:
            if not (more := os.read(reading, 65536)):
                break
        except OSError:
            break
        seen += more
    os.close(reading)
    os.waitpid(child, 0)
    return seen.decode()


def test_a_terminal_gets_colour_unless_it_asks_for_none(root: Path) -> None:
    words = ["check", str(root)]
    assert ESC in on_a_terminal(words)
    assert ESC not in on_a_terminal(words, NO_COLOR="1")
    assert ESC not in on_a_terminal(words, TERM="dumb")


def test_a_pipe_gets_plain_text(root: Path) -> None:
    done = playing.command("check", root)
    assert (done.returncode, done.stdout) == (0, "The Gate: 5 files, no problems\n")
    assert ESC not in playing.command("act", root, "nothing").stderr


def test_nothing_in_a_file_controls_the_terminal(root: Path) -> None:
    sheet = root / "characters/mira.toml"
    sheet.write_text(sheet.read_text().replace('"Mira"', '"\\u001b]0;owned\\u0007"'))
    done = playing.command("check", root)
    assert "\x1b" not in done.stdout + done.stderr
    assert "U+001B" in done.stdout


# ---- the doctor


def test_the_doctor_finds_a_sound_campaign_sound(shell: Shell, led: Path) -> None:
    out = shell.fine("doctor", led)
    assert "2 entries, verified" in out
    assert "5 files and 1 session are sound" in out


def test_the_doctor_tells_of_a_torn_line(shell: Shell, led: Path) -> None:
    log = sessions(led)[-1]
    log.write_bytes(log.read_bytes() + b'{"seq":3')
    assert "unfinished last line" in shell.fine("doctor", led)
    status, _, err = shell("act", led, "note", "text=on")
    assert (status, "was never finished" in err) == (0, True)


def test_the_doctor_names_the_damaged_line_and_mends_after_keeping_a_copy(shell: Shell, led: Path) -> None:
    for text in ("one", "two", "three"):
        shell.fine("act", led, "note", f"text={text}")
    log = sessions(led)[-1]
    damaged = log.read_bytes().replace(b'"two"', b'"tvo"')
    log.write_bytes(damaged)
    status, _, err = shell("doctor", led)
    assert status == 1
    assert "line 5 is damaged" in err
    assert "The 3 entries before it are sound" in err
    assert "line 5 is damaged" in shell.sentence("act", led, "note", "text=no")
    assert log.read_bytes() == damaged
    shell("doctor", led, "--mend")
    (kept,) = log.parent.glob("*.damaged*")
    assert kept.read_bytes() == damaged
    assert "3 actions resolved again" in shell.fine("replay", led, "--verify")


def test_after_mending_play_goes_on(shell: Shell, led: Path) -> None:
    for text in ("one", "two", "three"):
        shell.fine("act", led, "note", f"text={text}")
    log = sessions(led)[-1]
    log.write_bytes(log.read_bytes().replace(b'"two"', b'"tvo"'))
    shell("doctor", led, "--mend")
    shell.fine("act", led, "note", "text=on")
    assert "on" in shell.fine("log", led, "--last", "1")


def test_the_doctor_misses_entries_that_now_toml_has_seen(shell: Shell, led: Path) -> None:
    shell.fine("act", led, "note", "text=one")
    log = sessions(led)[-1]
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    status, _, err = shell("doctor", led)
    assert (status, "now.toml shows entry 3" in err) == (1, True)


def test_verify_tells_the_entry_that_differs(shell: Shell, led: Path) -> None:
    from tabletop_tui.storage.log import with_crc

    log = sessions(led)[-1]
    out, crc = b"", 0
    for line in log.read_bytes().splitlines():
        plain = json.loads(line)
        del plain["crc"]
        if plain.get("seq") == 2:
            plain["events"][0]["who"] = "rook"
        written, crc = with_crc(json.dumps(plain).encode(), crc)
        out += written
    log.write_bytes(out)
    err = shell.sentence("replay", led, "--verify")
    assert "entry 2: its event 1 differs" in err
    status, _, err = shell("doctor", led)
    assert (status, "entry 2: its event 1 differs" in err) == (1, True)


def test_the_first_session_is_begun_once(shell: Shell, root: Path) -> None:
    assert "session 001-" in shell.fine("session", root)
    assert "session 002-" in shell.fine("session", root)
    assert len(list((root / "sessions").glob("*.jsonl"))) == 2


def test_sessions_that_are_gone_are_told_of_whoever_asks(shell: Shell, root: Path) -> None:
    shell.fine("session", root)
    shutil.rmtree(root / "sessions")
    for words in (("log",), ("offers",), ("replay",), ("session",), ("export",)):
        assert "is gone" in shell.sentence(words[0], root)
    assert not (root / "sessions").exists()


def test_a_sample_whose_sessions_are_gone_is_not_told_by_the_evening_that_came_with_it(
    shell: Shell, tmp_path: Path
) -> None:
    shell.fine("demo", "ember-road", "--into", tmp_path)
    root = tmp_path / "ember-road"
    assert "Pizza is ordered" in shell.fine("log", root)
    shell.fine("session", root)
    shutil.rmtree(root / "sessions")
    for command in ("log", "replay", "export"):
        assert "is gone" in shell.sentence(command, root)


def test_names_are_typed_as_well_as_ids(shell: Shell, root: Path) -> None:
    shell.fine("act", root, "open", "challenge=the-gate/hold")
    assert "Mira leads" in shell.fine("act", root, "lead", "who=mIRA", "skill=warding")
    assert "Turn order: Mira, Rook" in shell.fine("act", root, "begin", "who=Mira,rook")


def test_a_name_in_the_log_controls_no_terminal(shell: Shell, root: Path) -> None:
    shell.fine("act", root, "note", "text=it rains", "--by", "\x1b]0;x\x07Ana\u202e")
    assert json.loads(shell.fine("log", root, "--json"))["by"] == "]0;xAna"


def test_a_question_begins_no_session(shell: Shell, root: Path) -> None:
    shell.fine("offers", root)
    shell.fine("odds", root, "attack", "who=rook", "skill=Shooting", "against=guard", "using=Mail")
    assert not sessions(root)
    assert not (root / "now.toml").exists()
    assert not (root / "backups").exists()
