"""Writes the tables of `docs/engines.md` from the contract's own docstrings.

python tools/reference.py             writes them
python tools/reference.py --check     says whether they are up to date; exits 1 if not
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "engines.md"
RULES = ROOT / "tabletop_tui" / "rules"
PARTS = {
    "engine": ("engine.py", ("Engine",)),
    "action": ("model.py", ("Action", "Event", "World", "Now", "Sheet", "Scene", "Rules", "Problem")),
    "ask": ("ask.py", ("Ask", "Of", "Choice")),
    "odds": ("odds.py", ("Odds", "Group", "Chance", "Pool", "Part")),
    "views": (
        "views.py",
        (
            "TableView", "Person", "Status", "Counter", "Option", "Prompt", "Hand", "Face", "Outcome", "Reminder",
            "ChallengeView", "Matrix", "Row", "Words", "ContestView", "Party", "Bid", "SheetView", "Section", "Line",
            "Prepared",
        ),
    ),
}  # fmt: skip


def first_line(text: str | None) -> str:
    """The first paragraph of a docstring on one line."""
    return " ".join((text or "").strip().split("\n\n")[0].split())


def members(kind: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Fields and methods of a class with what their docstrings say."""
    for one, after in zip(kind.body, [*kind.body[1:], None], strict=True):
        told = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            told = first_line(str(after.value.value))
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            shape = ast.unparse(one.annotation)
            shape = shape.removeprefix("ClassVar[").removesuffix("]") if shape.startswith("ClassVar[") else shape
            default = f" = {ast.unparse(one.value)}" if one.value is not None else ""
            yield f"`{one.target.id}: {shape}{default}`", told
        elif isinstance(one, ast.FunctionDef) and not one.name.startswith("_"):
            words = ", ".join(a.arg for a in one.args.args if a.arg not in ("self", "cls"))
            yield f"`{one.name}({words})`", first_line(ast.get_docstring(one))


def table(file: str, names: tuple[str, ...]) -> str:
    """The tables of some classes."""
    tree = ast.parse((RULES / file).read_text("utf-8"))
    kinds = {one.name: one for one in tree.body if isinstance(one, ast.ClassDef)}
    out = []
    for name in names:
        out += [f"**`{name}`**: {first_line(ast.get_docstring(kinds[name]))}", ""]
        rows = [f"| {head.replace('|', chr(92) + '|')} | {told} |" for head, told in members(kinds[name])]
        out += ["| field | |", "| --- | --- |", *rows, ""]
    return "\n".join(out)


def page(text: str) -> str:
    """The page with its tables made again."""
    for part, (file, names) in PARTS.items():
        begin, end = f"<!-- {part} -->", f"<!-- end of {part} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n\n{table(file, names)}\n{end}{after}"
    return text


def main() -> int:
    """Write, or compare."""
    text = PAGE.read_text("utf-8")
    made = page(text)
    if "--check" in sys.argv:
        if made != text:
            print("docs/engines.md is not up to date: python tools/reference.py")
        return int(made != text)
    PAGE.write_text(made, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
