"""The rooms of `ui`: no import cycle, imports for type checking included, and nothing large."""

from __future__ import annotations

import ast
import io
import tokenize
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


MOST_CODE = 9_700
"""Lines of code that the screens have at most: whoever raises it says what that buys, and what went instead."""


def code_lines(path: Path) -> int:
    """Lines without blanks, comments, docstrings and imports."""
    text = path.read_text("utf-8")
    told: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        told_of = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and (told_of or isinstance(node, ast.Import | ast.ImportFrom)):
            told |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    quiet = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    lines = {n for one in tokens if one.type not in quiet for n in range(one.start[0], one.end[0] + 1)}
    return len(lines - told)


def test_the_screens_do_not_grow_unnoticed() -> None:
    assert sum(map(code_lines, FILES.values())) <= MOST_CODE
