"""Every kind of bad file is a problem with file, line and what was expected; never an exception."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import level
import playing
import pytest
import tomlkit

from tabletop_tui import plugins
from tabletop_tui.storage import campaign as folder
from tabletop_tui.storage.toml.reading import MOST_BYTES, FileProblem, parse, read

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
    for depth in level.some([*range(1, 70), *range(100, 520, 3)], 40):
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
    (line,) = [n for n, words in enumerate(text.splitlines(), 1) if "\u202e" in words]
    assert [p.line for p in written(root, text.encode())] == [line]


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
    (line,) = [n for n, words in enumerate(main.read_text().splitlines(), 1) if "teirs" in words]
    assert (found.line, "Did you mean 'tiers'?") == (line, found.remedy)


def test_a_campaign_of_a_later_format_says_to_update(root: Path) -> None:
    main = root / "campaign.toml"
    main.write_text(main.read_text().replace("format = 2", "format = 99"))
    assert "Update" in problems(root, "campaign.toml")[0].remedy


# ---- a word that was mistyped


TYPOS = [
    ("abbey-of-lynn", "characters/joan.toml", 'attribute = "Social"', 'attribute = "Scoial"', "Social"),
    ("abbey-of-lynn", "characters/joan.toml", "[attributes]", "[atributes]", "attributes"),
    ("abbey-of-lynn", "characters/joan.toml", "Physical =", "Phisical =", "Physical"),
    ("abbey-of-lynn", "scenes/the-parlour.toml", 'cast = ["hugh"', 'cast = ["huhg"', "hugh"),
    ("abbey-of-lynn", "scenes/the-parlour.toml", '"place"', '"plaec"', "place"),
    ("cinder-pass", "characters/brann.toml", 'focus = "Immovable"', 'focus = "Imovable"', "Immovable"),
    ("cinder-pass", "characters/brann.toml", "[traits]", "[triats]", "traits"),
    ("cinder-pass", "scenes/1-the-ash-bridge.toml", 'brann = "arch"', 'brann = "arhc"', "arch"),
    ("cinder-pass", "characters/sefa.toml", '"ember-reading"', '"ember-raeding"', "ember-reading"),
    ("ember-road", "characters/rook.toml", "Dodge = { alpha", "Dodge = { alhpa", "alpha"),
    ("ember-road", "characters/rook.toml", "[skills]", "[skils]", "skills"),
    ("ember-road", "scenes/the-gate.toml", 'tier = "beta"', 'tier = "bata"', "beta"),
    ("ember-road", "scenes/the-gate.toml", '"time-sensitive"]', '"time-sensetive"]', "time-sensitive"),
    ("ember-road", "scenes/the-gate.toml", 'cast = ["reaver"', 'cast = ["raever"', "reaver"),
    ("ember-road", "campaign.toml", "tie_rank", "tie_rnak", "tie_rank"),
    ("fen-lanterns", "characters/wren.toml", 'skill = "fight"', 'skill = "figth"', "fight"),
    ("fen-lanterns", "characters/wren.toml", "[weapons.", "[wepons.", "weapons"),
    ("fen-lanterns", "scenes/the-causeway.toml", 'surprised = ["keepers"', 'surprised = ["kepers"', "keepers"),
    ("fen-lanterns", "scenes/the-causeway.toml", 'hidden = ["wight"', 'hidden = ["wigth"', "wight"),
]


@pytest.mark.parametrize(("sample", "file", "old", "new", "meant"), TYPOS, ids=[f"{t[1]}:{t[4]}" for t in TYPOS])
def test_a_mistyped_word_is_named_at_its_line_with_the_one_that_was_meant(
    sample: str, file: str, old: str, new: str, meant: str
) -> None:
    root = playing.PROJECT / "campaigns" / sample
    text = (root / file).read_text()
    assert old in text
    changed = text.replace(old, new, 1)
    lines = changed.splitlines()
    found = [p for p in folder.load(root, {file: changed.encode()}).problems if p.file == file]
    hints = [p for p in found if p.remedy.startswith(f"Did you mean {meant!r}?")]
    assert any(new in lines[p.line - 1] for p in hints), [str(p) for p in found]


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


def hand_written() -> dict[str, tuple[Path, str]]:
    found = {}
    for sample in playing.samples():
        for path in (sample / "campaign.toml", *sorted(sample.glob("[cs][hc]*/*.toml"))):
            name = path.relative_to(sample).as_posix()
            found[f"{sample.name}/{name}"] = (sample, name)
    return found


FILES = hand_written()


def at_its_line(root: Path, file: str, text: str) -> int:
    """Every leaf of a file made wrong in turn; how many there were."""
    data = tomllib.loads(text)
    paths = leaves(data)
    if data.get("engine") == "homebrew":  # a sum may be a number or a text: its own tests tell what is wrong
        paths = [path for path in paths if path[0] != "rules"]
    for path in level.some(paths, 3, 0, len(text)):
        changed = wrong(text, path)
        first, last = lines_of(changed, path)
        found = [p for p in folder.load(root, {file: changed.encode()}).errors if p.file == file]
        assert any(first <= p.line <= last for p in found), (path, [str(p) for p in found])
        if path != ("engine",):
            astray = [p for p in found if "expected" in p.what and not first <= p.line <= last]
            assert not astray, (path, [str(p) for p in astray])
    return len(paths)


@pytest.mark.parametrize(("root", "file"), FILES.values(), ids=FILES.keys())
def test_every_leaf_of_a_sample_made_wrong_is_reported_at_its_line(root: Path, file: str) -> None:
    assert at_its_line(root, file, (root / file).read_text())


@pytest.mark.parametrize("engine", plugins.names())
def test_every_leaf_of_a_starter_made_wrong_is_reported_at_its_line(tmp_path: Path, engine: str) -> None:
    root = playing.starter(tmp_path / "new", engine)
    for path in (root / "campaign.toml", *root.glob("[cs][hc]*/*.toml")):
        assert at_its_line(root, path.relative_to(root).as_posix(), path.read_text())


@pytest.mark.parametrize("sample", playing.samples(), ids=lambda path: path.name)
def test_somebody_whose_file_cannot_be_read_is_not_missing(sample: Path, tmp_path: Path) -> None:
    root = tmp_path / sample.name
    shutil.copytree(sample, root, ignore=shutil.ignore_patterns("played"))
    for path in [*(root / "characters").glob("*.toml"), *(root / "scenes").glob("*.toml")]:
        good = path.read_bytes()
        path.write_text("name = 3\ntitle = 4\n")
        told = [str(problem) for problem in folder.load(root).problems]
        assert told
        assert not [words for words in told if f"{path.name}:" not in words], path.name
        path.write_bytes(good)


def test_a_word_that_is_not_known_is_told_also_where_a_broken_file_has_that_name(tmp_path: Path) -> None:
    root = tmp_path / "abbey"
    shutil.copytree(playing.PROJECT / "campaigns" / "abbey-of-lynn", root, ignore=shutil.ignore_patterns("played"))
    joan = root / "characters" / "joan.toml"
    joan.write_text(joan.read_text().replace("[attributes]\n", "[attributes]\nJoy = 2\n"))
    (root / "characters" / "Joy.toml").write_text("name = 3\n")
    told = [str(problem) for problem in folder.load(root).problems]
    assert [words for words in told if "no attribute 'Joy'" in words], told
    assert [words for words in told if words.startswith("characters/Joy.toml:1")], told
