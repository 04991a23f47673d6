"""An engine that fails in each of its hooks, in every way: it is named, nothing is lost, and play goes on."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from threading import Event, Semaphore, Thread
from types import FunctionType
from typing import Any, NamedTuple

import level
import playing
import pytest
from msgspec.structs import replace

from tabletop_tui import plugins, rules
from tabletop_tui.cli import main
from tabletop_tui.plugins import EngineFault, Guarded
from tabletop_tui.plugins.limit import TooSlow, within
from tabletop_tui.plugins.shapes import misfit
from tabletop_tui.rules import (
    Action,
    ChallengeView,
    Chance,
    Counter,
    Engine,
    Group,
    Matrix,
    Now,
    Odds,
    Person,
    Row,
    Scene,
    TableView,
)

HERE = Path(__file__).resolve().parent.parent / "bad"
HOOKS = [
    "choices",
    *(
        name
        for kind in (Engine, Action, rules.Event, Scene, Now)  # what an author extends
        for name, one in vars(kind).items()
        if isinstance(one, FunctionType | classmethod) and not name.startswith("_")
    ),
]
"""Everything that is asked of an engine."""
WAYS = ("raise", "recurse", "exit", "lie")


class Ran(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bad engine as pip leaves it: a package, and its metadata with an entry point."""
    place = tmp_path_factory.mktemp("site")
    (place / "bad_engine").symlink_to(HERE / "bad_engine")
    info = place / "bad_engine-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bad-engine\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tabletop_tui.engines]\nbad = bad_engine:ENGINE\n")
    return place


@pytest.fixture
def run(site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """The command line with the bad engine installed, failing where it is told to."""
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def command(*words: str | Path, bad: str = "") -> Ran:
        monkeypatch.setenv("BAD", bad)
        capsys.readouterr()
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return command


@pytest.fixture
def campaign(run: Run, tmp_path: Path) -> Path:
    """A campaign of the bad engine with one entry."""
    assert run("new", "Bad", "--into", tmp_path, "--engine", "bad").code == 0
    done = run("act", tmp_path / "bad", "score", "who=ann", "--dice", "4")
    assert (done.code, done.out.splitlines()[-1]) == (0, "Ann has 4")
    return tmp_path / "bad"


def entries(run: Run, campaign: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in run("log", campaign, "--json").out.splitlines()]


@pytest.mark.parametrize(
    ("hook", "way"), [(hook, way) for n, hook in enumerate(HOOKS) for way in level.some(WAYS, 1, 4, n)]
)
def test_whatever_it_does_it_is_named_nothing_is_lost_and_undo_works(
    run: Run, campaign: Path, hook: str, way: str
) -> None:
    bad = f"{hook}:{way}"
    for words in (
        ("act", campaign, "score", "who=ann"),
        ("odds", campaign, "score", "who=ann"),
        ("offers", campaign),
        ("replay", campaign, "--to", "1"),
        ("replay", campaign, "--seat", "Ann", "--to", "1"),
        ("export", campaign),
        ("recap", campaign),
        ("check", campaign),
        ("schema", "bad", "--into", campaign),
        ("engines",),
    ):
        done = run(*words, bad=bad)
        assert done.code in (0, 1), done.err
        assert "Traceback" not in done.err + done.out
        if done.code and words[0] != "recap":  # which says to ask the doctor
            assert re.search("the engine 'bad' failed|this version of Bad", done.err + done.out), done.err
    logged = len(entries(run, campaign))
    assert logged in (1, 2)  # the action was done where the hook has no part in it
    undone = run("undo", campaign, bad=bad)
    assert undone.code == 0, undone.err
    assert len(entries(run, campaign)) == logged + 1
    assert run("replay", campaign, "--verify").code == 0
    assert run("doctor", campaign).code == 0


@pytest.mark.parametrize("hook", HOOKS)
def test_lines_go_on_whatever_fails(run: Run, campaign: Path, hook: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("act", campaign, "scene", "scene=inn").code == 0
    typed = campaign.parent / "typed"
    typed.write_text("all\n1\n\nread\nundo\nquit\n")
    with typed.open() as lines:
        monkeypatch.setattr("sys.stdin", lines)
        done = run("play", campaign, "--linear", bad=f"{hook}:raise")
    assert (done.code, done.out.splitlines()[-1]) == (0, "Left. All is saved."), done.err
    assert run("replay", campaign, "--verify").code == 0


@pytest.mark.parametrize(
    "hook", level.some(["choices", "view", "odds", "when", "resolve", "says", "policy", "problems"], 3)
)
def test_what_is_raised_need_not_be_an_exception(run: Run, campaign: Path, hook: str) -> None:
    for words in (
        ("act", campaign, "score", "who=ann"),
        ("odds", campaign, "score", "who=ann"),
        ("offers", campaign),
    ):
        done = run(*words, bad=f"{hook}:cancel")
        assert not done.code or "the engine 'bad' failed in" in done.err
    assert run("undo", campaign, bad=f"{hook}:cancel").code == 0


def test_the_bad_engine_fails_in_every_hook_of_the_contract() -> None:
    text = (HERE / "bad_engine/__init__.py").read_text()
    assert [hook for hook in HOOKS if f'fails("{hook}")' not in text] == []


@pytest.mark.parametrize("bad", ["event:unlisted", "event:type", "state:none", "state:type"])
def test_nothing_is_logged_that_cannot_be_read_back(run: Run, campaign: Path, bad: str) -> None:
    before = (next((campaign / "sessions").glob("*.jsonl"))).read_bytes()
    done = run("act", campaign, "score", "who=ann", "--dice", "2", bad=bad)
    assert done.code == 1
    assert "the engine 'bad' failed in" in done.err
    assert (next((campaign / "sessions").glob("*.jsonl"))).read_bytes() == before
    assert run("act", campaign, "score", "who=ann", "--dice", "2").out.splitlines()[-1] == "Ann has 6"


@pytest.mark.parametrize("bad", ["state:none", "state:type"])
def test_a_log_that_folds_into_a_state_that_cannot_be_kept_is_opened_and_undone(
    run: Run, campaign: Path, bad: str
) -> None:
    assert run("act", campaign, "score", "who=ann", "--dice", "2").code == 0
    before, log = (campaign / "now.toml").read_bytes(), next((campaign / "sessions").glob("*.jsonl"))
    logged = log.read_bytes()
    for words in (("offers", campaign), ("act", campaign, "score", "who=ann"), ("check", campaign)):
        done = run(*words, bad=bad)
        assert "Traceback" not in done.err + done.out
        assert done.code in (0, 1)
    assert (campaign / "now.toml").read_bytes() == before
    assert log.read_bytes() == logged, "nobody edited anything"
    assert run("undo", campaign, bad=bad).code == 0
    assert run("replay", campaign, "--verify").code == 0


@pytest.mark.parametrize(
    ("hook", "way"), level.some(list(product(["view", "resolve", "when", "apply"], ["slow", "spin", "stay"])), 3)
)
def test_a_hook_that_never_ends_is_ended(
    run: Run, campaign: Path, hook: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins.load("bad"), "seconds", 0.2, raising=False)
    words = ("offers", campaign) if hook == "view" else ("act", campaign, "score", "who=ann")
    done = run(*words, bad=f"{hook}:{way}")
    assert done.code in (0, 1)
    if hook != "view":
        assert "the engine 'bad' failed in" in done.err
        assert "it took" in done.err
    assert len(entries(run, campaign)) == 1


def test_what_took_too_long_once_is_not_waited_for_as_long_again_until_it_answers() -> None:
    engine = Guarded(plugins.load("tiers"))
    engine.seconds = 0.5
    never, told = Event(), []
    for work in (never.wait, never.wait, lambda: True, never.wait):
        try:
            engine.call("view", work)
        except EngineFault as fault:
            told.append(fault.what.rpartition("than ")[2])
    assert told == ["0.5 seconds", "0.1 seconds", "0.5 seconds"]


@pytest.mark.parametrize("way", ["raise", "recurse", "exit"])
def test_one_that_fails_at_import_is_listed_and_its_campaign_can_be_read(
    run: Run, campaign: Path, site: Path, way: str
) -> None:
    def fresh(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return playing.command(*words, path=str(site), BAD=f"import:{way}")

    listed = fresh("engines")
    assert (listed.returncode, "fails to load" in listed.stderr) == (0, True)
    assert "Ann has 4" in fresh("log", campaign).stdout
    done = fresh("act", campaign, "score", "who=ann")
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert "the engine 'bad' of bad-engine fails to load" in done.stderr


def test_the_details_are_written_down_with_the_place_and_what_was_asked(
    run: Run, campaign: Path, tmp_path: Path
) -> None:
    done = run("act", campaign, "score", "who=ann", bad="resolve:raise")
    assert "__init__.py:" in done.err
    (report,) = (tmp_path / "data/tabletop/crashes").iterdir()
    text = report.read_text()
    assert "KeyError: 'resolve on purpose'" in text
    assert "Score(who='ann')" in text
    assert "score.resolve" in text


def test_the_kit_tells_its_author_instead_of_raising(run: Run) -> None:
    for hook in ("view", "resolve", "apply", "problems"):
        done = run("conform", "bad", "--games", "2", "--edits", "20", bad=f"{hook}:raise")
        assert done.code == 1
        assert "Traceback" not in done.err
        assert "the engine 'bad' failed in" in done.out, done.out


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (
            Odds((Group("outcome", (Chance("hits", math.nan),)),)),
            ".groups[0].chances[0].chance is nan, not from 0 to 1",
        ),
        (
            Odds((Group("outcome", (Chance("hits", math.inf),)),)),
            ".groups[0].chances[0].chance is inf, not from 0 to 1",
        ),
        (Odds((Group("outcome", ()),)), ".groups[0].chances is empty"),
        (
            ChallengeView(support=Matrix(columns=("direct",), rows=(Row(who="Ann", cells=()),))),
            ".support.rows[0] has another number of cells than there are columns",
        ),
    ],
)
def test_what_no_screen_could_draw_is_a_fault(record: Odds | Group | ChallengeView, told: str) -> None:
    assert misfit(record, type(record)) == told


def test_what_was_found_fit_once_is_looked_at_again_in_another_record() -> None:
    def table(**of_ann: Any) -> TableView:
        return TableView(people=(Person(id="ben", name="Ben"), Person(**{"id": "ann", "name": "Ann", **of_ann})))

    assert misfit(table(), TableView) == ""
    assert misfit(table(allegiance="friend"), TableView) == ".people[1].allegiance is 'friend'"
    assert misfit(table(marks=("hidden", 3)), TableView) == ".people[1].marks[1] is a int, not str"
    assert misfit(table(marks=["hidden"]), TableView) == ".people[1].marks is a list, not a tuple"
    assert misfit(table(number="first"), TableView) == ".people[1].number is a str, not int"
    assert misfit(table(number=3), TableView) == misfit(table(number=None), TableView) == ""
    meter = Counter(name="HP", value=3, tone="loud")  # type: ignore[arg-type]  # it lies
    assert misfit(table(meters=(meter,)), TableView) == ".people[1].meters[0].tone is 'loud'"
    assert misfit(replace(table(), roll="now"), TableView) == ".roll is a str, not Action"


def test_a_broken_bench_is_listed(run: Run, campaign: Path) -> None:
    done = run("roll", "2d6", "plain", bad="bench:raise")
    assert done.code == 0
    assert "the engine 'bad' failed in bench" in done.err


def test_what_another_thread_waits_for_is_ended_when_somebody_leaves() -> None:
    ended: dict[str, list[float]] = {"soon": [], "late": []}
    begun, let_go = Semaphore(0), Event()

    def wait(name: str, seconds: float) -> None:
        def work() -> bool:
            begun.release()
            return let_go.wait()

        try:
            within(seconds, work)
        except TooSlow as slow:
            ended[name] += slow.args

    waiting = {name: Thread(target=wait, args=(name, seconds)) for name, seconds in (("soon", 600), ("late", 6000))}
    for thread in waiting.values():
        thread.start()
        assert begun.acquire(timeout=60)
    plugins.hurry(0.0, most=600)
    waiting["soon"].join(60)
    assert not waiting["soon"].is_alive()
    assert waiting["late"].is_alive()
    assert len(ended["soon"]) == 1
    assert ended["soon"][0] < 600
    plugins.hurry(0.0)
    waiting["late"].join(60)
    assert not waiting["late"].is_alive()
    let_go.set()


@pytest.mark.parametrize("way", ["slow", "spin", "stay"])
def test_in_another_thread_it_is_ended_too_or_left_behind(way: str) -> None:
    script = """
import threading, bad_engine
from tabletop_tui.plugins import EngineFault, guarded
from tabletop_tui.rules import Dice, World
engine = guarded(bad_engine.ENGINE)
engine.seconds = 0.3
world = World(engine.rules(), engine.now(), {"ann": engine.sheet("Ann", "Ann")}, {})
told = []
def work():
    try:
        engine.resolve(bad_engine.Score("ann"), world, Dice([3]))
    except EngineFault as fault:
        told.append(fault.what)
    told.append(sum(range(1000)))  # and the thread goes on
thread = threading.Thread(target=work)
thread.start()
thread.join(60)
print(told)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(HERE), "BAD": f"resolve:{way}"},
        timeout=60,
    )
    assert done.stdout == "[\"the engine 'bad' failed in score.resolve: it took longer than 0.3 seconds\", 499500]\n"
