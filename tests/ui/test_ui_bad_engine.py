"""An engine that fails in each of its hooks, at a real terminal: it is named, nothing is lost, and undo works."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import level
import playing
import pytest
from ptys import Terminal

HERE = Path(__file__).resolve().parent.parent / "bad"
HOOKS = (
    "view", "odds", "when", "choices", "resolve", "apply", "says", "whispers", "policy", "problems", "bench", "warns",
    "outcome", "actor", "prepared", "seen_by", "people", "under_way", "in_sight",
)  # fmt: skip
REFUSED = ("when", "choices", "resolve", "apply", "says", "whispers")
"""Without these an action cannot be done."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bad engine as pip leaves it."""
    place = tmp_path_factory.mktemp("site")
    (place / "bad_engine").symlink_to(HERE / "bad_engine")
    info = place / "bad_engine-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bad-engine\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tabletop_tui.engines]\nbad = bad_engine:ENGINE\n")
    return place


@pytest.fixture(scope="module")
def played(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of it with two entries."""
    place = tmp_path_factory.mktemp("played")
    assert playing.command("new", "Bad", "--into", place, "--engine", "bad", path=str(site)).returncode == 0
    for face in "45":
        playing.command("act", place / "bad", "score", "who=ann", "--dice", face, path=str(site))
    return place / "bad"


@pytest.fixture
def campaign(played: Path, tmp_path: Path) -> Path:
    """The same for every test."""
    return Path(shutil.copytree(played, tmp_path / "bad"))


def entries(campaign: Path) -> list[str]:
    (log,) = (campaign / "sessions").glob("*.jsonl")
    return [json.loads(line)["action"]["do"] for line in log.read_text().splitlines()[1:]]


def until_logged(screen: Terminal, campaign: Path, wanted: list[str]) -> None:
    screen.until(lambda: entries(campaign) == wanted, f"{wanted} in the log, which has {entries(campaign)}")


def named(screen: Terminal) -> None:
    screen.until(lambda: re.search(r"the\s+engine\s+'bad'\s+failed", screen.text()) is not None, "the engine named")


@pytest.mark.parametrize(
    ("hook", "way"),
    level.some(
        [*((hook, "raise") for hook in HOOKS), ("view", "lie"), ("resolve", "lie"), ("choices", "recurse")], 5
    ),
)
def test_at_a_terminal_it_is_named_and_undo_works(
    site: Path, campaign: Path, terminal: Callable[..., Terminal], hook: str, way: str
) -> None:
    screen = terminal("play", str(campaign), PYTHONPATH=str(site), BAD=f"{hook}:{way}")
    screen.sees("undo")
    screen.sees("Ann has 9")
    screen.send("s")  # score: its form, or why there is none
    if hook in ("view", "odds", "when", "choices"):
        named(screen)
    screen.send("\r")
    if hook in ("resolve", "apply", "says", "whispers", "view", "warns"):
        named(screen)
    if hook in ("resolve", "apply", "says", "whispers"):  # what was refused stays in sight
        screen.send("\x1b")
        screen.sees("u undo")  # the form has gone
    acted = hook not in REFUSED
    if acted:
        until_logged(screen, campaign, ["score", "score", "score"])
    screen.send("u")
    until_logged(screen, campaign, [*["score"] * (3 if acted else 2), "undo"])
    for page in "SPLCDT":
        screen.send(page)
        screen.until(lambda: "undo" in screen.text() or "? help" in screen.text(), page)
    assert screen.status is None  # it is still there
    assert playing.command("replay", campaign, "--verify", path=str(site)).returncode == 0


def test_where_a_game_cannot_begin_home_says_which_and_why(
    site: Path, tmp_path: Path, terminal: Callable[..., Terminal]
) -> None:
    home = tmp_path / "data/tabletop/campaigns"
    assert playing.command("new", "Bad", "--into", home, "--engine", "bad", path=str(site)).returncode == 0
    screen = terminal(PYTHONPATH=str(site), BAD="start:raise")
    screen.sees("enter play")
    screen.send("\r")
    screen.sees("the engine 'bad' failed in start: KeyError: 'start on purpose'")
    screen.send("q")
    screen.until(lambda: screen.status == 0, "the end")


def test_the_workbench_says_whose_dice_it_cannot_read(
    site: Path, campaign: Path, terminal: Callable[..., Terminal]
) -> None:
    screen = terminal("play", str(campaign), PYTHONPATH=str(site), BAD="bench:raise")
    screen.sees("undo")
    screen.send("%")
    screen.sees("the engine 'bad' failed in bench: KeyError: 'bench on purpose'")


def test_a_seat_is_told_why_its_action_cannot_be_done(
    site: Path, campaign: Path, terminal: Callable[..., Terminal]
) -> None:
    screen = terminal("play", str(campaign), "--seat", "Ann", PYTHONPATH=str(site), BAD="actor:raise")
    screen.sees("Ann's seat")
    screen.send("s")
    screen.sees("score: the engine 'bad' failed")


@pytest.mark.parametrize("hook", ["odds", "resolve"])
def test_leaving_does_not_wait_for_an_engine_that_thinks(
    site: Path, campaign: Path, terminal: Callable[..., Terminal], hook: str
) -> None:
    screen = terminal("play", str(campaign), PYTHONPATH=str(site), BAD=f"{hook}:slow")
    screen.sees("undo")
    screen.send("s")
    screen.sees("esc  leave")  # chances are being worked out, for which there are 50 seconds
    screen.send("\x1b")
    screen.sees("u undo")
    screen.send("q")
    screen.sees("q quit")
    screen.send("q")
    screen.until(lambda: screen.status == 0, "the end")
    assert entries(campaign) == ["score", "score"]


def test_a_view_that_never_ends_does_not_hold_up_the_rest(
    site: Path, campaign: Path, terminal: Callable[..., Terminal]
) -> None:
    screen = terminal("play", str(campaign), PYTHONPATH=str(site), BAD="view:slow")
    screen.until(lambda: "it took longer than" in " ".join(screen.text().split()), "the limit", 60)
    screen.send("u")
    screen.until(lambda: entries(campaign) == ["score", "score", "undo"], "undo", 60)


@pytest.mark.parametrize("hook", level.some(["seen_by", "actor", "view", "when", "choices", "odds", "in_sight"], 3))
def test_a_seat_is_not_ended_by_it(site: Path, campaign: Path, terminal: Callable[..., Terminal], hook: str) -> None:
    screen = terminal("play", str(campaign), "--seat", "Ann", PYTHONPATH=str(site), BAD=f"{hook}:raise")
    screen.sees("Ann's seat")
    for page in "PLT":
        screen.send(page)
        screen.sees("? help")
    assert screen.status is None
    screen.send("q")
    screen.until(lambda: screen.status is not None, "the end")
    assert screen.status == 0
    assert b"on purpose" not in screen.raw, "what stands in an exception may be a secret"
