"""The rooms of `ui`: no import cycle, imports for type checking included, and nothing large."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import tabletop_tui.ui
from tabletop_tui.ui.commands.catalogue import ENTRIES

ROOT = Path(tabletop_tui.ui.__file__).parent
FILES = {".".join(("ui", *p.relative_to(ROOT).with_suffix("").parts)): p for p in ROOT.rglob("*.py")}
FILES = {name.removesuffix(".__init__"): path for name, path in FILES.items()}


def imported(name: str, path: Path) -> set[str]:
    """The modules of `ui` that a module names at its top or under TYPE_CHECKING."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found = set()
    tree = ast.parse(path.read_text("utf-8"))
    late = {
        id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef) for n in ast.walk(f)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.level or id(node) in late:
            continue
        base = package.split(".")
        above = base[: len(base) - node.level + 1]
        whole = ".".join((*above, node.module)) if node.module else ".".join(above)
        for alias in node.names:
            one = f"{whole}.{alias.name}"
            found.add(one if one in FILES else whole)
    return {one for one in found if one in FILES and one != name}


def test_no_import_cycle_is_left() -> None:
    graph = {name: imported(name, path) for name, path in FILES.items()}
    assert sum(map(len, graph.values())) > 100, "the graph was read"
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


@pytest.mark.parametrize("name", sorted(FILES))
def test_no_file_is_large(name: str) -> None:
    assert len(FILES[name].read_text("utf-8").splitlines()) <= 400


def test_nothing_in_the_catalogue_needs_textual() -> None:
    import subprocess
    import sys

    code = "import sys; import tabletop_tui.ui.commands.catalogue; print([m for m in sys.modules if 'textual' in m])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_what_the_catalogue_says_of_a_command_is_written_there_alone() -> None:
    calls = [n for p in FILES.values() for n in ast.walk(ast.parse(p.read_text("utf-8"))) if isinstance(n, ast.Call)]
    made = [n for n in calls if isinstance(n.func, ast.Name) and n.func.id == "Command" and n.args]
    ids = {n.args[0].value for n in made if isinstance(n.args[0], ast.Constant)}
    assert len(made) > 20, "commands were found"
    assert ids & set(ENTRIES) == set()
