"""The schemas say what the program accepts: every sample and starter fits them, what is wrong does not."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import playing
import pytest
from jsonschema import Draft202012Validator

from tabletop_tui import plugins
from tabletop_tui.storage import campaign as folder
from tabletop_tui.storage.campaign.preparing import copies, new_sheet
from tabletop_tui.storage.campaign.schema import rendered, schemas, write_schemas
from tabletop_tui.storage.campaign.writeback import save

PARTS = {"": "campaign", "characters": "sheet", "scenes": "scene"}


def hand_written(root: Path) -> list[Path]:
    return [root / "campaign.toml", *sorted(root.glob("characters/*.toml")), *sorted(root.glob("scenes/*.toml"))]


def validators(root: Path) -> dict[str, Draft202012Validator]:
    found = folder.load(root)
    assert found.engine
    some = schemas(found.engine, found.parts.get(("rules",)))
    return {part: Draft202012Validator(schema) for part, schema in some.items()}


def part_of(root: Path, path: Path) -> str:
    return PARTS[path.parent.relative_to(root).as_posix().strip(".")]


def faults(root: Path, path: Path) -> list[str]:
    found = validators(root)[part_of(root, path)].iter_errors(tomllib.loads(path.read_text()))
    return [error.message for error in found]


@pytest.mark.parametrize("engine", plugins.names())
def test_a_schema_is_a_schema_with_a_title_and_words(engine: str) -> None:
    for part, schema in schemas(plugins.load(engine)).items():
        Draft202012Validator.check_schema(schema)
        assert schema["title"].endswith(part)
        assert schema["description"]


def test_the_words_under_a_field_are_its_description() -> None:
    sheet = schemas(plugins.load("tiers"))["sheet"]["properties"]
    assert sheet["player"]["description"] == "Who plays it; empty for the GM's own."
    assert sheet["bonus_dice"]["description"] == "Bonus Dice at the start of the campaign."


@pytest.mark.parametrize("root", playing.samples(), ids=lambda p: p.name)
def test_every_file_of_a_sample_fits_its_schema(root: Path) -> None:
    fits = validators(root)
    for path in hand_written(root):
        fits[part_of(root, path)].validate(tomllib.loads(path.read_text()))


@pytest.mark.parametrize("root", playing.samples(), ids=lambda p: p.name)
def test_the_schemas_in_a_sample_are_the_engines_own(root: Path) -> None:
    # a stale one: tabletop schema ENGINE --into campaigns/…
    found = folder.load(root)
    assert found.engine
    own = rendered(found.engine, found.parts[("rules",)])
    assert {p.name: p.read_bytes() for p in (root / ".schema").iterdir()} == own


def names_its_schema(path: Path) -> bool:
    line = path.read_text().splitlines()[0]
    where = line.removeprefix("#:schema ")
    return where != line and (path.parent / where).resolve().is_file()


@pytest.mark.parametrize("engine", plugins.names())
def test_the_files_of_a_new_campaign_fit_and_name_their_schema(tmp_path: Path, engine: str) -> None:
    root = playing.starter(tmp_path / "new", engine, 'A "new" road')
    (patch,) = new_sheet(folder.load(root), "Sir Nobody").patches
    save(root, patch)
    for patch in copies(folder.load(root), "sir-nobody", 2).patches:
        save(root, patch)
    assert not folder.load(root).problems
    for path in hand_written(root):
        assert faults(root, path) == [], path
        assert names_its_schema(path), path


@pytest.mark.parametrize("root", playing.samples(), ids=lambda p: p.name)
def test_the_files_of_a_sample_name_their_schema(root: Path) -> None:
    assert all(names_its_schema(path) for path in hand_written(root))


def leaves(data: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if isinstance(data, dict):
        return [leaf for key, value in data.items() for leaf in leaves(value, (*path, key))]
    if isinstance(data, list):
        return [leaf for i, value in enumerate(data) for leaf in leaves(value, (*path, i))]
    return [path]


@pytest.mark.parametrize("root", playing.samples(), ids=lambda p: p.name)
def test_a_value_of_the_wrong_type_does_not_fit_wherever_it_stands(root: Path) -> None:
    fits, homebrew = validators(root), folder.load(root).engine_name == "homebrew"
    for path in hand_written(root):
        data = tomllib.loads(path.read_text())
        for leaf in leaves(data):
            here: Any = data
            for key in leaf[:-1]:
                here = here[key]
            right = here[leaf[-1]]
            # in a game that is data a sum may be a number or a text
            here[leaf[-1]] = [["wrong"]] if homebrew else 12345 if isinstance(right, str) else "wrong"
            assert not fits[part_of(root, path)].is_valid(data), (path, leaf)
            here[leaf[-1]] = right


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("characters/rook.toml", "[skills]", "[skils]"),
        ("characters/rook.toml", "alpha = 3", "alhpa = 3"),
        ("characters/rook.toml", "alpha = 3", "alpha = 9"),
        ("characters/rook.toml", 'name = "Rook"', ""),
        ("scenes/the-gate.toml", '"beta"', '"bate"'),
        ("campaign.toml", "# tie_rank", "tie_rang"),
        ("campaign.toml", "size = 6", 'size = "six"'),
    ],
)
def test_what_check_names_an_editor_underlines(root: Path, file: str, old: str, new: str) -> None:
    text = (root / file).read_text()
    assert old in text
    (root / file).write_text(text.replace(old, new, 1))
    assert [p for p in folder.load(root).problems if p.file == file]
    assert faults(root, root / file)


def test_schemas_that_are_there_are_left_alone_and_stale_ones_written_again(root: Path) -> None:
    engine = plugins.load("tiers")
    assert write_schemas(root, engine) == []
    (root / ".schema/sheet.json").write_text("{}")
    assert write_schemas(root, engine) == [".schema/sheet.json"]
