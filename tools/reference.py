"""Writes the tables of `docs/engines.md` and `docs/homebrew.md` from the docstrings of what they are about.

python tools/reference.py             writes them
python tools/reference.py --check     says whether they are up to date; exits 1 if not
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from drawn import COMMON, DRAWN

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "tabletop_tui" / "rules"
KIT = ROOT / "tabletop_tui" / "kit"
HOMEBREW = ROOT / "tabletop_tui" / "engines" / "homebrew"
PARTS = {
    "engine": ("engine.py", ("Engine",)),
    "action": ("model.py", ("Action", "Event", "World", "Now", "Sheet", "Scene", "Rules", "Problem")),
    "turns": ("turns.py", ("Turns", "Fighter")),
    "dice": ("dice.py", ("Dice",)),
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
GAME = {
    "rules": "HomebrewRules", "rules.stats.GROUP": "StatGroup", "rules.meters.NAME, rules.shared.NAME": "Meter",
    "rules.conditions.NAME": "ConditionRule", "rules.rolls.NAME": "RollRule", "each of bands and also": "Band",
    "rules.options.NAME": "OptionRule", "rules.challenges.NAME": "ChallengeRule",
    "rules.contests.NAME": "ContestRule", "rules.turns": "TurnRule", "rules.moments": "Moments",
}  # fmt: skip
"""The tables of a home-brew game, and the records that they are read as."""
SCENE = {"challenges.ID": "Plan", "contests.ID": "Bout"}
MODULES = (
    "order", "turn_events", "conditions", "clocks", "scenes", "roster", "asking", "acting", "ahead", "seen", "known",
    "told", "problems",
)  # fmt: skip


def first_line(text: str | None) -> str:
    """The first paragraph of a docstring on one line."""
    return " ".join((text or "").strip().split("\n\n")[0].split())


def told_of(kind: ast.ClassDef) -> Iterator[tuple[ast.stmt, str]]:
    """What stands in a class, each with the docstring below it."""
    for one, after in zip(kind.body, [*kind.body[1:], None], strict=True):
        below = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        yield one, first_line(str(after.value.value)) if below else ""  # type: ignore[union-attr]  # looked at


def fields(kind: ast.ClassDef) -> Iterator[tuple[ast.AnnAssign, str]]:
    """The fields of a class."""
    for one, told in told_of(kind):
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            yield one, told


def classes_of(path: Path) -> dict[str, ast.ClassDef]:
    """The classes in a file."""
    tree = ast.parse(path.read_text("utf-8"))
    return {one.name: one for one in tree.body if isinstance(one, ast.ClassDef)}


def members(kind: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Fields and methods of a class with what their docstrings say."""
    for one, told in told_of(kind):
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            shape = ast.unparse(one.annotation)
            shape = shape.removeprefix("ClassVar[").removesuffix("]") if shape.startswith("ClassVar[") else shape
            default = f" = {ast.unparse(one.value)}" if one.value is not None else ""
            yield f"`{one.target.id}: {shape}{default}`", told
        elif isinstance(one, ast.FunctionDef) and not one.name.startswith("_"):
            words = ", ".join(a.arg for a in one.args.args if a.arg not in ("self", "cls"))
            yield f"`{one.name}({words})`", first_line(ast.get_docstring(one))


def drawn(kind: str, head: str) -> str:
    """Where a field is drawn whose name says the rest."""
    field = head.strip("`").partition(":")[0]
    return DRAWN[kind].get(field) or COMMON.get(field, "") if kind in DRAWN else ""


def made_of(kind: ast.ClassDef) -> str:
    """What a class that is no record is made from."""
    made = [one for one in kind.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    words = [a.arg for one in made for a in (*one.args.args[1:], *one.args.kwonlyargs)]
    return f"({', '.join(words)})" if words else ""


def table(file: str, names: tuple[str, ...]) -> str:
    """The tables of some classes."""
    kinds = classes_of(RULES / file)
    out = []
    for name in names:
        out += [f"**`{name}{made_of(kinds[name])}`**: {first_line(ast.get_docstring(kinds[name]))}", ""]
        rows = [
            f"| {head.replace('|', chr(92) + '|')} | {told or drawn(name, head)} |"
            for head, told in members(kinds[name])
        ]
        out += ["| field | |", "| --- | --- |", *rows, ""] if rows else []
    return "\n".join(out)


def keys(kind: ast.ClassDef) -> Iterator[str]:
    """The keys of a table of TOML: its fields by the names that they have there, with what holds without them."""
    for one, told in fields(kind):
        name, default = one.target.id, one.value  # type: ignore[union-attr]  # fields have names
        if isinstance(default, ast.Call):
            words = {word.arg: word.value for word in default.keywords}
            name = str(ast.literal_eval(words["name"])) if "name" in words else name
            default = words.get("default")
        usual = ast.unparse(default).replace("'", '"').replace("False", "false") if default is not None else ""
        said = isinstance(default, ast.Constant) and default.value not in ("", None)
        yield f"| `{name}{f' = {usual}' if said else ''}` | {told} |"


def game(file: str, kinds: dict[str, str]) -> str:
    """The tables of a home-brew game's file."""
    classes = classes_of(HOMEBREW / file)
    out = []
    for head, name in kinds.items():
        heads = ", ".join(f"`[{part}]`" if "." in part or part == "rules" else part for part in head.split(", "))
        out += [f"**{heads}**: {first_line(ast.get_docstring(classes[name]))}", ""]
        out += ["| key | |", "| --- | --- |", *keys(classes[name]), ""]
    return "\n".join(out)


def kit() -> str:
    """What the modules of the kit have: actions and events by name, functions with what they are handed."""
    out = []
    for module in MODULES:
        tree = ast.parse((KIT / f"{module}.py").read_text("utf-8"))
        out += [f"**`kit.{module}`**: {first_line(ast.get_docstring(tree))}", "", "| | |", "| --- | --- |"]
        for one in tree.body:
            if isinstance(one, ast.ClassDef | ast.FunctionDef) and not one.name.startswith("_"):
                given = one.args.args if isinstance(one, ast.FunctionDef) else ()
                words = f"({', '.join(a.arg for a in given)})" if isinstance(one, ast.FunctionDef) else ""
                out.append(f"| `{one.name}{words}` | {first_line(ast.get_docstring(one))} |")
        out.append("")
    return "\n".join(out)


def pages() -> Iterator[tuple[Path, str, str]]:
    """Each part of each page, and what stands in it."""
    engines, homebrew = ROOT / "docs" / "engines.md", ROOT / "docs" / "homebrew.md"
    for part, (file, names) in PARTS.items():
        yield engines, part, table(file, names)
    yield engines, "kit", kit()
    yield homebrew, "keys", game("game.py", GAME)
    yield homebrew, "scene", game("world.py", SCENE)


def made() -> dict[Path, str]:
    """The pages with their tables made again."""
    out: dict[Path, str] = {}
    for path, part, told in pages():
        text = out.get(path) or path.read_text("utf-8")
        begin, end = f"<!-- {part} -->", f"<!-- end of {part} -->"
        before, found, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise SystemExit(f"{path.name} has no place for {part}: {begin} … {end}")
        out[path] = f"{before}{begin}\n\n{told}\n{end}{after}"
    return out


def main() -> int:
    """Write, or compare."""
    differ = [path for path, text in made().items() if text != path.read_text("utf-8")]
    if "--check" in sys.argv:
        for path in differ:
            print(f"docs/{path.name} is not up to date: python tools/reference.py")
        return int(bool(differ))
    for path in differ:
        path.write_text(made()[path], "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
