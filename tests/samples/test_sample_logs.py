"""The sample logs are whole evenings that verify, can be walked through both ways, and keep the GM's secrets."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from unicodedata import category

import level
import msgspec
import playing
import pytest
from evenings import EVENINGS, kept, played

from tabletop_tui import plugins
from tabletop_tui.rules import tag_of, values
from tabletop_tui.session import Codec, Edited, Named, Redo, Table, Timeline, Undo, verify
from tabletop_tui.storage.log import LogFile, scan

SCRIPT = Path("tools") / "sessions.py"
LEFT_OUT = {
    "ember-road": {
        "forced_spend": "it takes a gain at ten Complication Points, which one evening hardly sees",
        "boost": "the GM had better uses for the points",
    },
    "cinder-pass": {},
    "abbey-of-lynn": {
        "give_up": "they read the ledger to its end",
    },
    "fen-lanterns": {},
    "salt-road": {},
    "lamplighters": {},
    "broken-causeway": {},
}
"""Actions that an evening does without, and why that is no loss."""
STORY = {
    "ember-road": ["the-gate", "the-bridge", "the-hollow"],
    "cinder-pass": ["1-the-ash-bridge", "2-the-bell-furnace"],
    "abbey-of-lynn": ["the-parlour", "the-night-office"],
    "fen-lanterns": ["the-causeway", "the-toll-house"],
    "salt-road": ["1-the-dry-well", "2-the-white-ford"],
    "lamplighters": ["1-tallow-row", "2-the-oil-house"],
    "broken-causeway": ["1-the-first-gap", "2-the-toll-house"],
}


@pytest.fixture(params=list(EVENINGS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def log(name: str) -> Iterator[LogFile]:
    engine = plugins.load(msgspec.json.decode(kept(name).read_bytes().splitlines()[0])["engine"])
    found = LogFile(kept(name), Codec(engine), write=False)
    yield found
    found.close()


def tags(log: LogFile) -> Counter[str]:
    return Counter(tag_of(type(entry.action)) for entry in log.entries)


def prepared(scenes: dict[str, Any]) -> Iterator[str]:
    """Every challenge, contest and complex test of every scene, by its name in the log; encounters by their scene."""
    for scene, plan in scenes.items():
        kinds = [getattr(plan, kind) for kind in ("challenges", "contests", "complex") if hasattr(plan, kind)]
        yield from (f"{scene}/{one}" for some in kinds for one in some)
        if not kinds:
            yield scene


def strings(data: Any) -> Iterator[str]:
    """Every text in a line of a log, keys included."""
    if isinstance(data, str):
        yield data
    for part in (*data, *data.values()) if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from strings(part)


def seated(log: LogFile, seat: str = "") -> Table:
    return Table(log.codec.engine, log.header, log.entries, seat=seat)


def test_every_campaign_that_comes_with_the_program_has_an_evening() -> None:
    assert sorted(EVENINGS) == [root.name for root in playing.samples()]


def test_every_entry_verifies(log: LogFile) -> None:
    verdict = verify(log.codec.engine, log.header, log.entries)
    assert not verdict.wrong, f"entry {verdict.at}: {verdict.wrong}"
    assert verdict.entries == len(log.entries)


def test_the_file_is_sound_and_small(name: str) -> None:
    data = kept(name).read_bytes()
    found = scan(data)
    assert (found.damage, found.torn, found.good) == ("", b"", len(data))
    assert len(data) < 150_000


def test_it_is_a_whole_evening(log: LogFile) -> None:
    verdict = verify(log.codec.engine, log.header, log.entries)
    assert verdict.actions >= 100
    assert verdict.typed >= 5
    assert verdict.dice - verdict.typed >= 50
    core = Counter(type(entry.action) for entry in log.entries)
    assert core[Undo] >= 3
    assert core[Redo] >= 1
    assert core[Edited] >= 2
    assert core[Named] >= 3


def test_most_of_what_the_game_offers_is_done(name: str, log: LogFile) -> None:
    engine, table = log.codec.engine, seated(log)
    known, used = {tag_of(kind) for kind in engine.actions}, set(tags(log))
    worlds = [table.at(count) for count in range(len(log.entries) + 1)]
    # a game that is data may have no contests, say: what never stands open is not missed
    able = {tag_of(kind) for kind in engine.actions if any(not engine.when(kind, world) for world in worlds)}
    assert len(used & known) >= 0.6 * len(able), sorted(able - used)
    # the list of what is left out is kept honest both ways
    assert not used & set(LEFT_OUT[name])
    assert set(LEFT_OUT[name]) <= known


def test_every_player_and_the_gm_take_their_part(log: LogFile) -> None:
    players = {sheet.player for sheet in log.header.world.sheets.values() if sheet.player}
    by = Counter(entry.by for entry in log.entries)
    assert set(by) == {"", *players}
    assert all(by[player] >= 5 for player in players), by


def test_the_scenes_are_entered_in_the_order_of_the_story(name: str, log: LogFile) -> None:
    entered = [entry.action.scene for entry in log.entries if tag_of(type(entry.action)) == "scene"]
    assert list(dict.fromkeys(entered)) == STORY[name]
    assert set(entered) == set(log.header.world.scenes)


def test_what_the_scenes_have_prepared_is_played(log: LogFile) -> None:
    for plan in prepared(log.header.world.scenes):
        assert any(plan in values(entry.action).values() for entry in log.entries), plan


def test_what_is_said_before_a_roll_counts_is_how_it_comes_out(name: str, log: LogFile) -> None:
    table, told = seated(log), 0
    worlds, views = table.timeline.worlds, table.engine.view
    for world in (worlds[entry.seq] for entry in log.entries):
        for kind in ("table", "challenge", "contest"):
            before: Any = views(kind, world)
            if before is None or not before.prompt or not before.prompt.so_far or before.outcome:
                continue
            so_far, answers = before.prompt.so_far, before.prompt.options
            counts = next(o.action for o in answers if o.label.startswith(("let it count", "let it stand")))
            after = table.after(counts, world)
            then: Any = views(kind, after) if after is not None else None
            if then and then.outcome and so_far.title.startswith(then.outcome.title):  # a whole has words of its own
                told += 1
                assert so_far.tone == then.outcome.tone
    assert told or name not in ("ember-road", "abbey-of-lynn", "broken-causeway"), "nothing was said"


def test_time_goes_on_as_in_an_evening(log: LogFile) -> None:
    times = [datetime.fromisoformat(at) for at in (log.header.began, *(entry.at for entry in log.entries))]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert (times[0].year, times[0].month) == (2026, 11)
    assert all(gap >= timedelta(0) for gap in gaps)
    assert max(gaps) > timedelta(minutes=10), "nobody had a break"
    assert timedelta(hours=1) < times[-1] - times[0] < timedelta(hours=5)


def test_no_text_holds_a_control_character(name: str) -> None:
    for line in kept(name).read_bytes().splitlines():
        for text in strings(msgspec.json.decode(line)):
            # only what a scene's secret says may run over several lines
            assert not {c for c in text if category(c) in ("Cc", "Cf", "Cs")} - {"\n"}, text


def test_what_is_said_stays_on_one_line(log: LogFile) -> None:
    for entry in log.entries:
        assert not any("\n" in line for line in (*entry.said, *entry.whispered)), entry.seq


def test_stepping_forward_and_back_is_folding_from_the_beginning(log: LogFile) -> None:
    engine, header = log.codec.engine, log.header
    direct = []
    for count in range(len(log.entries) + 1):
        fold = Timeline(engine, header)
        fold.extend(log.entries[:count])
        direct.append(fold)
    line = Timeline(engine, header)
    for entry in log.entries:
        line.add(entry)
        fold = direct[entry.seq]
        assert (line.world, line.head, line.ahead, line.names) == (fold.world, fold.head, fold.ahead, fold.names)
    table = seated(log)
    for count in reversed(range(len(direct))):
        assert table.at(count) == direct[count].world, count


def test_undo_and_redo_lead_back_to_states_that_were(log: LogFile) -> None:
    table = seated(log)
    for entry in log.entries:
        if isinstance(entry.action, Undo | Redo):
            assert table.at(entry.seq) == table.at(entry.action.to)


def test_the_log_reads_the_same_from_its_own_lines(log: LogFile) -> None:
    again = [log.codec.entry(log.codec.line(entry)) for entry in log.entries]
    assert again == list(log.entries)


def test_players_read_nothing_that_was_whispered(log: LogFile) -> None:
    player = next(sheet.player for sheet in log.header.world.sheets.values() if sheet.player)
    gm, mine = seated(log).history(), seated(log, player).history()
    said = {line for entry in log.entries for line in entry.said}
    secret = {line for entry in log.entries for line in entry.whispered} - said
    assert len(secret) >= 5
    assert secret <= {line for step in gm for line in step.said}
    assert not secret & {line for step in mine for line in step.said}


def test_nobody_who_hides_is_named_before_they_are_seen(log: LogFile) -> None:
    player = next(sheet.player for sheet in log.header.world.sheets.values() if sheet.player)
    table = seated(log, player)
    hidden = 0
    for step in table.history():
        before, after = table.at(step.seq - 1), table.at(step.seq)
        unseen = [
            before.name(who)
            for who, fighter in before.now.turns.fighters.items()
            if fighter.hidden and who in after.now.turns.fighters and after.now.turns.fighters[who].hidden
        ]
        hidden += len(unseen)
        for who in unseen:
            assert not any(who in line for line in (*step.said, *step.dice)), (step.seq, who)
    ordered = any(table.at(step.seq).now.turns.running for step in table.history())
    assert hidden or not ordered, "nobody ever hid"


# ---- played again


def script(root: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(root / SCRIPT), *words],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        cwd=root.parent,
        env={**os.environ, "PYTHONPATH": str(playing.PROJECT), **env},
        timeout=120,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The script, the people and the campaigns, where they may be changed."""
    root = tmp_path / "elsewhere"
    for part in ("tools", "campaigns"):
        shutil.copytree(playing.PROJECT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
    return root


def test_playing_again_gives_the_same_bytes(name: str) -> None:
    assert played(name) == kept(name).read_bytes(), f"run python {SCRIPT} {name}"


def test_another_process_elsewhere_plays_the_same_evenings(copy: Path) -> None:
    done = script(copy, "--check", PYTHONHASHSEED="7", TZ="Pacific/Auckland", LC_ALL="C")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("as it was") == len(EVENINGS)


def test_the_check_finds_a_log_that_differs_and_playing_mends_it(copy: Path) -> None:
    path = copy / kept("fen-lanterns").relative_to(playing.PROJECT)
    good = path.read_bytes()
    path.write_bytes(good[:-1])
    found = script(copy, "--check", "fen-lanterns")
    assert found.returncode == 1
    assert "fen-lanterns" in found.stdout
    assert "differs" in found.stdout
    assert path.read_bytes() == good[:-1], "a check writes nothing"
    assert script(copy, "fen-lanterns").returncode == 0
    assert path.read_bytes() == good


def test_an_evening_that_is_not_there_is_said_so(copy: Path) -> None:
    done = script(copy, "salt-war")
    assert done.returncode == 2
    assert "there is no evening of 'salt-war'" in done.stderr


def test_other_dice_make_another_evening_and_nobody_is_refused(name: str, tmp_path: Path) -> None:
    """The players react to what falls: any seed can be played to its end."""
    for number in range(level.many(1, 5, 50)):
        kind = type("Other", (EVENINGS[name],), {"seed": f"{number:016x}"})
        evening = kind(tmp_path)
        evening.play()
        assert evening.table.header.seed != EVENINGS[name].seed
        assert not verify(evening.engine, evening.table.header, evening.table.timeline.entries).wrong
        evening.log.close()
