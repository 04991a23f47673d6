"""Every kind of bad file is a problem with file, line and what was expected; never an exception."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import playing
import pytest
import tomlkit

from tabletop_tui import plugins
from tabletop_tui.storage import campaign as folder
from tabletop_tui.storage.reading import MOST_BYTES, FileProblem, parse, read

MIRA = "characters/mira.toml"


def problems(root: Path, file: str) -> list[FileProblem]:
    return [p for p in folder.load(root).problems if p.file == file]


def written(root: Path, data: bytes, file: str = MIRA) -> list[FileProblem]:
    (root / file).write_bytes(data)
    return problems(root, file)


def test_the_starter_files_have_no_problem(root: Path) -> None:
    assert folder.load(root).problems == []


@pytest.mark.parametrize("campaign", playing.samples(), ids=lambda p: p.name)
def test_a_sample_has_no_problem(campaign: Path) -> None:
    assert folder.load(campaign).problems == []


def test_a_byte_order_mark_and_windows_line_ends_are_no_problem(root: Path) -> None:
    text = (root / MIRA).read_bytes()
    assert written(root, b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")) == []


BAD: dict[str, tuple[bytes, str]] = {
    "UTF-16": ('name = "Mira"\n'.encode("utf-16"), "UTF-16"),
    "UTF-16 without a mark": ('name = "Mira"\n'.encode("utf-16-le"), "not TOML"),
    "Latin-1": ('name = "Míra"\n'.encode("latin-1"), "not text in UTF-8"),
    "binary": (bytes(range(256)) * 10, "not text in UTF-8"),
    "zeros": (b"\0" * 100, "not TOML"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "not text in UTF-8"),
    "JSON": (b'{"name": "Mira"}', "not TOML"),
    "no quotes": (b"name = Mira\n", "not TOML"),
    "an open quote": (b'name = "Mira\n', "not TOML"),
    "a key twice": (b'name = "a"\nname = "b"\n', "not TOML"),
    "huge": (b"#" * (MOST_BYTES + 1), "too many"),
    "deep lists": (b"x = " + b"[" * 5000 + b"]" * 5000, "nested deeper"),
    "deep lists with items between": (
        b"x = " + b"[1," * 5000 + b"]" * 5000,
        "nested too deeply|cannot be read|deeper",
    ),
    "deep tables": (b"x = " + b"{a=" * 5000 + b"1" + b"}" * 5000, "nested|cannot be read"),
    "a 40 KB dotted key": (b"a" + b".a" * 20_000 + b" = 1", "nested deeper"),
    "a 40 KB quoted dotted key": (b'"a b"' + b'."a b"' * 8_000 + b" = 1", "nested deeper"),
    "a 40 KB dotted heading": (b"[a" + b".a" * 20_000 + b"]", "nested deeper"),
    "a long number": (b"x = " + b"9" * 5000, "cannot be read"),
    "an empty file": (b"", "'name' is missing"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_a_problem_in_words(root: Path, kind: str) -> None:
    data, words = BAD[kind]
    found = [p for p in written(root, data) if not p.warning]
    assert found
    assert re.search(words, str(found[0]))
    assert found[0].remedy


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_campaign_file_is_a_problem_in_words(root: Path, kind: str) -> None:
    assert [p for p in written(root, BAD[kind][0], "campaign.toml") if not p.warning]


def test_the_other_files_are_looked_at_all_the_same(root: Path) -> None:
    (root / MIRA).write_text("name = Mira\n")
    (root / "characters/rook.toml").write_text("name = 3\n")
    (root / "scenes/the-gate.toml").write_text('title = "The gate"\n[challenges.hold]\nname = "Hold"\ndice = 0\n')
    files = [p.file for p in folder.load(root).errors]
    assert set(files) == {MIRA, "characters/rook.toml", "scenes/the-gate.toml"}
    assert files.count("scenes/the-gate.toml") == 2  # no tier, and no dice


@pytest.mark.parametrize("length", [1_000, 50_000, 1_000_000])
def test_a_very_long_word_is_read_without_delay(length: int) -> None:
    # a search that tries every place of the word again would not come back
    document = parse("long.toml", b'name = "' + b"a" * length + b'"')
    assert document.data == {"name": "a" * length}


@pytest.mark.parametrize("digits", [100, 4_000, 20_000])
def test_a_very_long_hexadecimal_number_is_a_problem(root: Path, digits: int) -> None:
    data = b'name = "Mira"\n[levels]\nalpha = 0x' + b"f" * digits
    assert [p.line for p in written(root, data)] == [3]


def nested(depth: int) -> dict[str, str]:
    return {
        "lists": "x = " + "[" * depth + "]" * depth,
        "lists with items": "x = " + "[1," * depth + "]" * depth,
        "tables": "x = " + "{a=" * depth + "1" + "}" * depth,
        "both": "x = " + "[{a=" * depth + "1" + "}]" * depth,
        "headings": "\n".join(f"[{'.'.join('a' * n)}]" for n in range(1, min(depth, 80))),
    }


@pytest.mark.parametrize("kind", nested(1))
def test_no_depth_of_nesting_raises(kind: str) -> None:
    sheet = plugins.load("tiers").sheet
    for depth in [*range(1, 70), *range(100, 520, 3)]:
        document = parse("deep.toml", nested(depth)[kind].encode())
        document.fit(sheet)
        assert document.problems


def test_a_folder_in_the_place_of_a_file_is_a_problem(root: Path) -> None:
    (root / MIRA).unlink()
    (root / MIRA).mkdir()
    assert "folder" in str(problems(root, MIRA)[0])


def test_a_pipe_in_the_place_of_a_file_is_a_problem_and_does_not_wait(root: Path) -> None:
    (root / MIRA).unlink()
    os.mkfifo(root / MIRA)
    assert "not a regular file" in str(problems(root, MIRA)[0])


def test_a_link_out_of_the_campaign_is_a_problem_and_is_not_read(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.toml").write_text('name = "Secret"\nplayer = 3\n')
    (root / MIRA).unlink()
    (root / MIRA).symlink_to(tmp_path / "secret.toml")
    found = problems(root, MIRA)
    assert len(found) == 1
    assert "link that leads out" in str(found[0])


def test_a_link_to_nowhere_and_a_link_to_itself_are_problems(root: Path) -> None:
    (root / MIRA).unlink()
    (root / MIRA).symlink_to("nowhere.toml")
    (root / "characters/loop.toml").symlink_to("loop.toml")
    assert "cannot be read" in str(problems(root, MIRA)[0])
    assert "cannot be read" in str(problems(root, "characters/loop.toml")[0])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read_is_a_problem(root: Path) -> None:
    (root / MIRA).chmod(0)
    assert "cannot be read" in str(problems(root, MIRA)[0])


def test_a_file_that_is_not_there_is_a_problem(root: Path) -> None:
    assert "cannot be read" in str(read(root, "characters/nobody.toml").problems[0])


@pytest.mark.parametrize("name", ["a:b", "\x1b[31m", "a\u202eb", "x" * 81, "*"])
def test_a_file_whose_name_cannot_be_an_id_is_a_problem(root: Path, name: str) -> None:
    (root / "characters" / f"{name}.toml").write_text('name = "X"\n[levels]\nalpha = 1\n')
    assert any("name is used as an id" in p.what for p in folder.load(root).errors)


HOSTILE = ["\\u001b[31m", "\\u0007", "\\u0000", "\\u009b", "\\u202e", "\\u2066", "\\u200f", "\\u061c", "\\u2028"]


@pytest.mark.parametrize("character", HOSTILE)
def test_control_and_bidi_characters_are_problems_with_their_line(root: Path, character: str) -> None:
    text = (root / MIRA).read_text() + f'\n[skills."A{character}"]\nalpha = 1\n'
    text = text.replace('player = "Ana"', f'player = "A{character}na"')
    found = [p for p in written(root, text.encode()) if not p.warning]
    lines = text.splitlines()
    assert {lines[p.line - 1].split()[0] for p in found} >= {"player"}
    assert any(lines[p.line - 1].startswith("[skills.") for p in found)
    assert all("U+" in p.what for p in found)


def test_raw_bidi_characters_in_the_file_itself_are_problems_too(root: Path) -> None:
    text = (root / MIRA).read_text().replace("Ana", "A\u202ena")
    assert [p.line for p in written(root, text.encode())] == [3]


def test_an_unknown_key_is_a_warning_with_a_suggestion(root: Path) -> None:
    text = (root / MIRA).read_text().replace("[skills]", "[skils]")
    found = written(root, text.encode())
    assert [p.warning for p in found] == [True]
    assert "Did you mean 'skills'?" in found[0].remedy
    assert text.splitlines()[found[0].line - 1].startswith("[skils]")


def test_an_unknown_house_rule_is_a_warning_at_its_line(root: Path) -> None:
    main = root / "campaign.toml"
    main.write_text(main.read_text().replace('# tie_rank = "written"', 'tie_rang = "pool"'))
    (found,) = problems(root, "campaign.toml")
    assert found.warning
    assert "tie_rank" in found.remedy
    assert main.read_text().splitlines()[found.line - 1].startswith("tie_rang")


def test_an_unknown_engine_is_a_problem_with_a_suggestion(root: Path) -> None:
    main = root / "campaign.toml"
    main.write_text(main.read_text().replace('"tiers"', '"teirs"'))
    (found,) = [p for p in problems(root, "campaign.toml") if not p.warning]
    assert (found.line, "Did you mean 'tiers'?") == (3, found.remedy)


def test_a_campaign_of_a_later_format_says_to_update(root: Path) -> None:
    main = root / "campaign.toml"
    main.write_text("format = 99\n" + main.read_text())
    assert "Update" in problems(root, "campaign.toml")[0].remedy


# ---- every leaf made wrong in turn


def leaves(data: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if isinstance(data, dict):
        return [leaf for key, value in data.items() for leaf in leaves(value, (*path, key))]
    if isinstance(data, list):
        return [leaf for i, value in enumerate(data) for leaf in leaves(value, (*path, i))]
    return [path]


def has(data: Any, path: tuple[str | int, ...]) -> bool:
    for key in path:
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def lines_of(text: str, path: tuple[str | int, ...]) -> tuple[int, int]:
    """First and last line on which a value can stand: the smallest valid beginning of the text that holds it."""
    lines = text.splitlines()
    before = 0
    for count in range(1, len(lines) + 1):
        try:
            data = tomllib.loads("\n".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue
        if has(data, path):
            return before + 1, count
        before = count
    raise AssertionError(f"{path} is nowhere")


def wrong(text: str, path: tuple[str | int, ...]) -> str:
    document = tomlkit.parse(text)
    here: Any = document
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = 12345 if isinstance(here[path[-1]], str) else "wrong"
    return tomlkit.dumps(document)


def every_leaf() -> list[tuple[str, str, tuple[str | int, ...]]]:
    sources = {f"starter/{name}": text.format(title="X") for name, text in plugins.load("tiers").starter.items()}
    for sample in playing.samples("tiers"):
        for path in (sample / "campaign.toml", *sorted(sample.glob("[cs][hc]*/*.toml"))):
            sources[str(path.relative_to(sample.parent))] = path.read_text()
    return [(name, text, path) for name, text in sources.items() for path in leaves(tomllib.loads(text))]


LEAVES = every_leaf()


@pytest.mark.parametrize(("name", "text", "path"), LEAVES, ids=[f"{n}:{'.'.join(map(str, p))}" for n, _, p in LEAVES])
def test_a_leaf_made_wrong_is_reported_at_its_line(
    root: Path, name: str, text: str, path: tuple[str | int, ...]
) -> None:
    file = name.partition("/")[2]
    changed = wrong(text, path)
    first, last = lines_of(changed, path)
    (root / file).write_text(changed)
    found = [p for p in folder.load(root).errors if p.file == file]
    assert any(first <= p.line <= last for p in found), [str(p) for p in found]
    if path != ("engine",):
        assert all(first <= p.line <= last for p in found if "expected" in p.what)
