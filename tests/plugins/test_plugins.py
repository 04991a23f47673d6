"""Plug-ins: names without importing; a broken one is listed with its reason, and the rest works."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import playing
import pytest

from tabletop_tui import plugins
from tabletop_tui.plugins import points
from tabletop_tui.rules import TableError

GOOD = """
from tabletop_tui.kit import common
from tabletop_tui.rules import Engine
class Made(Engine):
    name = "{name}"
    title = "Made"
    actions = common.ACTIONS
    events = common.EVENTS
    reference = "made"
ENGINE = Made()
"""

BROKEN = {
    "raises": ("raise RuntimeError('boom at import')", "RuntimeError: boom at import"),
    "leaves": ("import sys\nsys.exit('goodbye')", "SystemExit: goodbye"),
    "missing": ("import a_module_that_is_nowhere", "ModuleNotFoundError"),
    "syntax": ("def (", "SyntaxError"),
    "empty": ("", "has no attribute 'ENGINE'"),
    "thing": ("ENGINE = 7", "int is not a tabletop_tui.rules.Engine"),
    "older": (GOOD.format(name="older") + "Made.api = 0", "made for contract 0 and this program has 2"),
    "misnamed": (GOOD.format(name="other"), "it calls itself 'other'"),
    "nameless": (GOOD.format(name="nameless") + "del Made.name", "name"),
    "twice": (GOOD.format(name="twice") + "Made.actions = common.ACTIONS * 2", "use the tag 'add_clock' twice"),
    "reserved": (
        GOOD.format(name="reserved")
        + "from tabletop_tui.rules import Action\nclass Undo(Action, tag='undo'): pass\nMade.actions = (Undo,)",
        "'undo' twice, or it is the log's own",
    ),
    "sheetless": (GOOD.format(name="sheetless") + "Made.sheet = dict", "its sheet does not extend Sheet"),
    "actionless": (GOOD.format(name="actionless") + "Made.actions = (int,)", "one of its actions does not extend"),
    "untitled": (GOOD.format(name="untitled") + "del Made.title", "its title is a NoneType, not str"),
    "numbered": (
        GOOD.format(name="numbered")
        + "from tabletop_tui.rules import Action\nclass Go(Action, tag='go'): title = 7\nMade.actions = (Go,)",
        "the go action's title is a int, not str",
    ),
    "untyped": (
        GOOD.format(name="untyped")
        + "from tabletop_tui.rules import Action\nclass Go(Action, tag='go'):\n who: 'Nowhere'\nMade.actions = (Go,)",
        "the types of Go cannot be read: NameError: name 'Nowhere' is not defined",
    ),
    "partless": (GOOD.format(name="partless") + "Made.events = 3", "TypeError"),
}


def install(site: Path, package: str, name: str, source: str) -> str:
    """A package as pip leaves it: a module, and its metadata with an entry point."""
    module = f"{package}_module"
    (site / f"{module}.py").write_text(source)
    info = site / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[tabletop_tui.engines]\n{name} = {module}:ENGINE\n")
    return str(site)


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """What `tabletop engines` says with every broken package there is, and a good one among them."""
    site = tmp_path_factory.mktemp("broken")
    for name, (source, _) in BROKEN.items():
        install(site, f"pkg_{name}", name, source)
    install(site, "pkg_good", "good", GOOD.format(name="good"))
    for package in ("pkg_first", "pkg_second"):
        install(site, package, "contested", GOOD.format(name="contested"))
    done = playing.command("engines", "--json", path=str(site))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    found = json.loads(done.stdout)
    assert {"tiers", "good"} <= set(found["engines"])
    return {failure["name"]: failure for failure in found["failed"]}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_plug_in_is_listed_with_its_reason_and_remedy(listed: dict[str, dict[str, str]], name: str) -> None:
    failure = listed[name]
    assert BROKEN[name][1] in failure["why"]
    assert failure["package"] == f"pkg_{name}"
    assert f"pkg_{name}" in failure["remedy"]


def test_two_packages_that_bring_one_name_are_both_named(listed: dict[str, dict[str, str]]) -> None:
    assert "pkg_first and pkg_second both bring an engine 'contested'" in listed["contested"]["why"]


def test_nothing_else_is_listed_as_failed(listed: dict[str, dict[str, str]]) -> None:
    assert set(listed) == {*BROKEN, "contested"}


def test_with_a_broken_plug_in_the_other_games_are_played_on(root: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    install(site, "pkg_raises", "raises", BROKEN["raises"][0])
    assert playing.command("act", root, "note", "text=on", path=str(site)).returncode == 0
    doctor = playing.command("doctor", root, path=str(site))
    assert "plug-in raises" in doctor.stderr
    assert "boom at import" in doctor.stderr
    listed = playing.command("engines", path=str(site))
    assert (listed.returncode, "tiers" in listed.stdout, "boom at import" in listed.stderr) == (0, True, True)


def test_a_campaign_of_a_broken_engine_says_why_at_its_line(root: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    install(site, "pkg_raises", "raises", BROKEN["raises"][0])
    main = root / "campaign.toml"
    main.write_text(main.read_text().replace('"tiers"', '"raises"'))
    done = playing.command("check", root, path=str(site))
    assert done.returncode == 1
    assert "campaign.toml:4:10" in done.stdout
    assert "boom at import" in done.stdout


def test_one_whose_import_never_ends_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(install(tmp_path, "pkg_sleeper", "sleeper", "import time\ntime.sleep(3_600)"))
    monkeypatch.setattr(plugins, "SECONDS", 0.2)
    with pytest.raises(TableError, match=r"'sleeper' of pkg_sleeper fails to load: it took longer than 0\.2 seconds"):
        plugins.load("sleeper")


def test_the_same_are_installed_as_python_itself_finds() -> None:
    found = {(one.name, one.value, one.package) for some in points.installed().values() for one in some}
    assert {(one.name, one.value, one.dist and one.dist.name) for one in entry_points(group=plugins.GROUP)} == found
    assert "tiers" in {name for name, *_ in found}


def test_entry_points_are_read_however_they_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for site, words in ((first, "odd = a.b:C.d [extra]\n# no = x:y\n\n"), (second, "odd = other:ENGINE\n")):
        info = site / ("Odd_Game-1.0.dist-info" if site is first else "odd.game.egg-info")
        info.mkdir(parents=True)
        (info / "entry_points.txt").write_text(
            f"[console_scripts]\nrun = r:r\n\n[ {plugins.GROUP} ]\n{words}[x]\ny = z:z"
        )
    monkeypatch.setattr(sys, "path", [str(tmp_path / "nowhere"), str(first), str(second)])
    (odd,) = points.installed()["odd"]  # the first on the path counts
    assert (odd.value, odd.package) == ("a.b:C.d", "Odd_Game")
    assert set(points.installed()) == {"odd"}


def test_an_engine_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(TableError, match=r"the engine 'chess' is not installed.*use one of: .*tiers"):
        plugins.load("chess")


def modules_after(script: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{script}\nimport sys\nprint('\\n'.join(['@@', *sys.modules]))"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.partition("@@")[2].split())


def heavy(modules: set[str]) -> set[str]:
    return {m for m in modules if m.split(".")[0] in ("textual", "rich", "icepool", "tomlkit", "asyncio")}


def test_names_imports_nothing() -> None:
    found = modules_after("from tabletop_tui import plugins; assert 'tiers' in plugins.names()")
    assert not {m for m in found if m.startswith("tabletop_tui.engines")}


def test_the_command_line_imports_no_engine_and_no_screen_until_it_must() -> None:
    found = modules_after("import tabletop_tui.cli")
    assert not heavy(found)
    assert not {m for m in found if m.startswith(("tabletop_tui.engines", "tabletop_tui.ui"))}


@pytest.mark.parametrize("words", [["--help"], ["engines"], ["act", "ROOT", "note", "text=x"], ["check", "ROOT"]])
def test_commands_import_neither_textual_nor_rich(root: Path, words: list[str]) -> None:
    given = [str(root) if word == "ROOT" else word for word in words]
    script = (
        f"import contextlib\nfrom tabletop_tui.cli import main\nwith contextlib.suppress(SystemExit): main({given!r})"
    )
    found = modules_after(script)
    assert not heavy(found)
    # what the keys are called is known without drawing anything
    ui = {m for m in found if m.startswith("tabletop_tui.ui.") and not m.startswith("tabletop_tui.ui.commands")}
    assert not ui


def test_a_game_imports_only_its_own_engine(root: Path) -> None:
    found = modules_after(f"from tabletop_tui.cli import main; main(['offers', {str(root)!r}])")
    assert {m.split(".")[2] for m in found if m.startswith("tabletop_tui.engines.")} == {"tiers"}
