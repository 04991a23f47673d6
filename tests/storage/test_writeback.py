"""One value of a hand-written file is changed and nothing else in it; refused, killed or without room, it stays."""

from __future__ import annotations

import errno
import random
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import level
import playing
import pytest
from failing import KillingDisk, SickDisk, in_child
from test_places import ODD

from tabletop_tui.rules import Refused, TableError
from tabletop_tui.storage import campaign as folder
from tabletop_tui.storage.campaign.writeback import Patch, keys, plan, save
from tabletop_tui.storage.toml.splice import change, same, toml, without

ROOK = "characters/rook.toml"
EDITS = level.many(300, 1_000, 10_000)
Keys = tuple[str | int, ...]


def changed(text: str, path: Keys, value: str) -> str:
    return change(text.encode(), "x.toml", path, value).decode()


# ---- the text


@pytest.mark.parametrize(
    ("text", "path", "value", "result"),
    [
        ("a = 1 # one\nb = 2", ("a",), "30", "a = 30 # one\nb = 2"),
        ("a=1   \t\r\nb = 2\r\n", ("a",), "30", "a=30   \t\r\nb = 2\r\n"),
        ("\ufeffa = 'x' # y\n", ("a",), '"z"', '\ufeffa = "z" # y\n'),
        ('a = """\none\n""" # c\n', ("a",), "1", "a = 1 # c\n"),
        ("s = { a = 1, b = 2 } # c\n", ("s", "b"), "3", "s = { a = 1, b = 3 } # c\n"),
        ("l = [1, # one\n 2, # two\n]\n", ("l", 1), "9", "l = [1, # one\n 9, # two\n]\n"),
        ("a.b.c = 1\n[t]\n", ("a", "b", "c"), "2", "a.b.c = 2\n[t]\n"),
        ("[[x]]\na = 1\n[[x]]\na = 2\n", ("x", 1, "a"), "3", "[[x]]\na = 1\n[[x]]\na = 3\n"),
        # added
        ("a = 1 # c\n\n[t]\nb = 2\n", ("n",), "3", "a = 1 # c\nn = 3\n\n[t]\nb = 2\n"),
        ("a = 1\r\n\r\n[t]\r\n  b = 2 # c", ("t", "n"), "3", "a = 1\r\n\r\n[t]\r\n  b = 2 # c\r\n  n = 3"),
        ("[t] # c\n\n[u]\nx = 1\n", ("t", "n"), "3", "[t] # c\nn = 3\n\n[u]\nx = 1\n"),
        ("a = 1\n", ("t", "n"), "3", "a = 1\n\n[t]\nn = 3\n"),
        ("a = 1\n", ("t", "n", "m"), "3", "a = 1\n\n[t]\nn = { m = 3 }\n"),
        ("s = { a = 1 }\n", ("s", "b c"), "3", 's = { a = 1, "b c" = 3 }\n'),
        ("s = {}\n", ("s", "b"), "3", "s = { b = 3 }\n"),
        ("l = [1]\n", ("l", 1), "2", "l = [1, 2]\n"),
        ("l = [ # none\n]\n", ("l", 0), "2", "l = [2 # none\n]\n"),
        ("l = [\n 1, # one\n]\n", ("l", 1), "2", "l = [\n 1, 2, # one\n]\n"),
        ("[a.b]\nx = 1\n", ("a", "y"), "2", "[a.b]\nx = 1\n\n[a]\ny = 2\n"),
        ("[t]\na.b = 1\nc = 2\n", ("t", "a", "d"), "3", "[t]\na.b = 1\na.d = 3\nc = 2\n"),
        ("#:schema x.json\n[t]\n", ("n",), "3", "#:schema x.json\nn = 3\n[t]\n"),
        ("# hello\n[t]\n", ("n",), "3", "n = 3\n# hello\n[t]\n"),
        ("", ("n",), "3", "n = 3\n"),
    ],
)
def test_a_value_is_changed_or_added_and_nothing_else(text: str, path: Keys, value: str, result: str) -> None:
    assert changed(text, path, value) == result


@pytest.mark.parametrize(
    ("text", "path", "result"),
    [
        ("a = 1 # c\nb = 2\n", ("a",), "b = 2\n"),
        ("a = 1\nb = 2", ("b",), "a = 1\n"),
        ("s = { a = 1, b = 2 }\n", ("s", "a"), "s = { b = 2 }\n"),
        ("s = { a = 1, b = 2 }\n", ("s", "b"), "s = { a = 1 }\n"),
        ("s = { a = { b = 1 } } # c\nt = 1\n", ("s",), "t = 1\n"),
        ("a = 1\n[t]\nb = 2\n[t.u]\nc = 3\n# of v\n[v]\nd = 4\n", ("t",), "a = 1\n# of v\n[v]\nd = 4\n"),
        ("a.b = 1\na.c = 2\nd = 3\n", ("a",), "d = 3\n"),
    ],
)
def test_a_key_is_taken_out_and_nothing_else(text: str, path: Keys, result: str) -> None:
    assert without(text.encode(), "x.toml", path).decode() == result


@pytest.mark.parametrize(
    "value", ["", "Rook", "1 # c", "1\nb = 2", "1, 2", "1\n[t]", '"', "[1", "{", '"\\u001b"', "\x00"]
)
def test_what_is_no_single_value_is_refused(value: str) -> None:
    with pytest.raises(Refused, match="is not a value"):
        changed("a = 1\n", ("a",), value)


@pytest.mark.parametrize(
    ("text", "path"), [("[t]\na = 1\n", ("t",)), ("t.a = 1\n", ("t",)), ("[[x]]\na = 1\n", ("x", 1))]
)
def test_a_whole_table_is_refused(text: str, path: Keys) -> None:
    with pytest.raises(Refused, match=r"whole table|no list"):
        changed(text, path, "1")


def test_a_file_that_cannot_be_read_is_not_changed() -> None:
    with pytest.raises(Refused, match=r"x.toml:1:5: the file is not changed while it cannot be read"):
        changed("a = b\n", ("a",), "1")


@pytest.mark.parametrize(("one", "other"), [(1, True), (1, 1.0), ("1", 1), ([1], [1, 2]), ({"a": 1}, {"b": 1})])
def test_values_of_different_kinds_are_not_the_same(one: Any, other: Any) -> None:
    assert not same(one, other)
    assert same(one, one)


@pytest.mark.parametrize("value", [1, True, 1.5, 'a"b\\c\nd\té', [1, [2]], {}, {"a b": {"c": [1]}}, []])
def test_a_value_is_written_as_toml_on_one_line(value: Any) -> None:
    assert tomllib.loads(f"x = {toml(value)}") == {"x": value}
    assert "\n" not in toml(value)


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("name", ("name",)),
        ("items.Oak shield.alpha", ("items", "Oak shield", "alpha")),
        ('items."St. Jude".alpha', ("items", "St. Jude", "alpha")),
        ("cast.1", ("cast", 1)),
        ("skills.Überreden", ("skills", "Überreden")),
    ],
)
def test_a_path_as_it_is_typed(words: str, path: Keys) -> None:
    assert keys(words, {"name": "x", "items": {}, "cast": ["a", "b"]}) == path


@pytest.mark.parametrize("words", ["", ".", "a..b", '"a', "cast.9", "cast.x", "name.first", ".".join("a" * 30)])
def test_what_is_no_path_is_refused(words: str) -> None:
    with pytest.raises(Refused):
        keys(words, {"name": "x", "cast": ["a", "b"]})


# ---- many random edits of the samples


def leaves(data: Any, path: Keys = ()) -> list[Keys]:
    if isinstance(data, dict):
        return [leaf for key, value in data.items() for leaf in leaves(value, (*path, key))]
    if isinstance(data, list):
        return [leaf for i, value in enumerate(data) for leaf in leaves(value, (*path, i))] or [path]
    return [path]


def tables(data: Any, path: Keys = ()) -> list[Keys]:
    if not isinstance(data, dict):
        return []
    return [path, *(table for key, value in data.items() for table in tables(value, (*path, key)))]


STRING = (
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}|\'\'\'(?:[^\']|\'{1,2}(?!\'))*\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\''
)
TOKEN = re.compile(rf"({STRING})|(#[^\r\n]*)", re.DOTALL)


def comments(raw: bytes) -> list[str]:
    return [m[2] for m in TOKEN.finditer(raw.decode("utf-8-sig")) if m[2]]


def disturbed(raw: bytes, chance: random.Random) -> bytes:
    """The same file as other editors save it."""
    if chance.random() < 0.3:
        raw = re.sub(rb"(?<![\"'])\n(?=[\[\n#]|$)", lambda _: b" \t\n", raw)
    if chance.random() < 0.3:
        raw = raw.replace(b"\n", b"\r\n")
    if chance.random() < 0.2:
        raw = b"\xef\xbb\xbf" + raw
    return raw.rstrip(b"\r\n") if chance.random() < 0.2 else raw


def anything(chance: random.Random) -> Any:
    texts = ["", "Rook", 'a "quoted" \\ text', "two\nlines", "# no comment", "ünïcödé ▶", "[x]", "}"]
    return chance.choice(
        [
            chance.randint(-9, 999),
            chance.random() < 0.5,
            chance.choice(texts),
            1.5,
            [1, 2],
            ["a", "# b"],
            {"k": 1},
            [],
        ]
    )


def put(data: Any, path: Keys, value: Any) -> Any:
    if not path:
        return value
    copy: Any = list(data) if isinstance(data, list) else dict(data)
    if isinstance(copy, dict):
        copy[path[0]] = put(copy.get(path[0], {}), path[1:], value)
    else:
        copy[int(path[0])] = put(copy[int(path[0])], path[1:], value)
    return copy


def test_random_edits_of_the_samples_lose_no_comment_and_change_no_other_byte() -> None:
    chance = random.Random(20261116)
    files = [p.read_bytes() for s in playing.samples() for p in (s / "campaign.toml", *s.glob("[cs][hc]*/*.toml"))]
    assert len(files) > 40
    for number in range(EDITS):
        raw = disturbed(chance.choice(files), chance)
        data = tomllib.loads(raw.decode("utf-8-sig"))
        value = anything(chance)
        add = chance.random() < 0.25
        path = (*chance.choice(tables(data)), f"new {number}") if add else chance.choice(leaves(data))
        new = change(raw, "x.toml", path, toml(value))
        assert same(tomllib.loads(new.decode("utf-8-sig")), put(data, path, value)), (path, value)
        assert comments(new) == comments(raw), (path, value)
        # what is the same before and after leaves, of the old file, nothing but the old value
        before = shared(raw, new)
        after = shared(raw[before:][::-1], new[before:][::-1])
        gone = raw[before : len(raw) - after]
        if add:
            assert gone.strip() == b"", (path, gone)
            assert len(gone) <= 1, (path, gone)  # the blank of an empty inline table
        else:
            assert b"#" not in re.sub(STRING.encode(), b"", gone) or "#" in str(value), (path, gone)
            assert len(gone) <= longest(data, path), (path, gone)


def shared(one: bytes, other: bytes) -> int:
    """How many bytes are the same at the beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def longest(data: Any, path: Keys) -> int:
    """No text of a sample's value is longer than this."""
    for key in path:
        data = data[key]
    return len(toml(data).encode()) + 8


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_every_value_of_odd_forms_is_changed_and_taken_out_alone(text: str) -> None:
    for ends in ("\n", "\r\n"):
        raw = text.replace("\n", ends).encode()
        data = tomllib.loads(raw.decode())
        for path in leaves(data):
            for value in ("7", '"#"', "[1, { a = 2 }]"):
                new = change(raw, "x.toml", path, value)
                assert same(tomllib.loads(new.decode()), put(data, path, tomllib.loads(f"x = {value}")["x"])), path
                assert set(comments(raw)) <= set(comments(new)) or "#" in value, path
            if not isinstance(path[-1], int):
                gone = tomllib.loads(without(raw, "x.toml", path).decode())
                assert path not in leaves(gone), path
                assert len(leaves(gone)) <= len(leaves(data)), path
        for table in tables(data):
            new = change(raw, "x.toml", (*table, "new"), "7")
            assert same(tomllib.loads(new.decode()), put(data, (*table, "new"), 7)), table


# ---- the file


def test_the_game_reads_what_was_set(root: Path) -> None:
    patch = plan(root, ROOK, "skills.Dodge.alpha", "5")
    assert "-Dodge = { alpha = 3 }\n+Dodge = { alpha = 5 }" in patch.diff()
    assert "alpha = 3 }" in (root / ROOK).read_text()
    save(root, patch)
    assert folder.load(root).world().sheets["rook"].skills["Dodge"]["alpha"] == 5
    assert (root / f"{ROOK}.bak").read_bytes() == patch.old
    assert folder.load(root).problems == []


def test_a_new_skill_goes_into_its_table(root: Path) -> None:
    save(root, plan(root, ROOK, "skills.Stealth", "{ alpha = 2 }"))
    assert (root / ROOK).read_text().endswith("Dodge = { alpha = 3 }\nStealth = { alpha = 2 }\n")


@pytest.mark.parametrize(
    ("file", "path", "value", "why"),
    [
        (ROOK, "skills.Dodge.alpha", "9", "of at most 5"),
        (ROOK, "skills.Dodge.alpha", '"three"', "expected a whole number"),
        (ROOK, "levels", "{}", "whole table"),
        (ROOK, "levels.alpha", "0", "no level in any tier"),
        (ROOK, "name", "Rook", "is not a value"),
        ("campaign.toml", "engine", '"teirs"', "Did you mean 'tiers'"),
        ("characters/rok.toml", "name", '"x"', "Did you mean 'characters/rook.toml'"),
        ("../x.toml", "name", '"x"', "has no file"),
        ("/etc/passwd", "name", '"x"', "has no file"),
        ("now.toml", "people.rook.hp", "3", "the table's"),
    ],
)
def test_what_the_game_could_not_read_is_refused(root: Path, file: str, path: str, value: str, why: str) -> None:
    before = sorted((p, p.read_bytes()) for p in root.rglob("*.toml"))
    with pytest.raises(Refused, match=re.escape(why)):
        plan(root, file, path, value)
    assert sorted((p, p.read_bytes()) for p in root.rglob("*.toml")) == before


def test_an_unknown_key_is_a_warning(root: Path) -> None:
    patch = plan(root, ROOK, "skils.Dodge", "{ alpha = 5 }")
    assert [w.remedy for w in patch.warnings] == ["Did you mean 'skills'?"]


def test_a_place_that_was_wrong_before_may_be_made_less_wrong_or_right(root: Path) -> None:
    text = (root / ROOK).read_text()
    (root / ROOK).write_text(text.replace("Dodge = { alpha = 3 }", 'Dodge = { alpha = "x" }'))
    assert plan(root, ROOK, "skills.Dodge.alpha", "9")
    assert plan(root, ROOK, "name", '"Rookie"')
    save(root, plan(root, ROOK, "skills.Dodge.alpha", "3"))
    assert (root / ROOK).read_text() == text


def test_a_file_that_was_changed_meanwhile_is_not_written(root: Path) -> None:
    patch = plan(root, ROOK, "skills.Dodge.alpha", "5")
    (root / ROOK).write_text("# mine\n" + (root / ROOK).read_text())
    with pytest.raises(Refused, match="changed meanwhile"):
        save(root, patch)
    assert (root / ROOK).read_text().startswith("# mine\n")
    assert not (root / f"{ROOK}.bak").exists()


def test_what_others_may_do_with_the_file_stays(root: Path) -> None:
    (root / ROOK).chmod(0o600)
    save(root, plan(root, ROOK, "skills.Dodge.alpha", "5"))
    assert (root / ROOK).stat().st_mode & 0o777 == 0o600
    assert (root / f"{ROOK}.bak").stat().st_mode & 0o777 == 0o600


def test_a_link_to_a_file_of_the_campaign_stays_a_link(root: Path) -> None:
    (root / ROOK).rename(root / "the-rook")
    (root / ROOK).symlink_to("../the-rook")
    save(root, plan(root, ROOK, "skills.Dodge.alpha", "5"))
    assert (root / ROOK).is_symlink()
    assert "alpha = 5 }" in (root / "the-rook").read_text()


def test_nothing_is_written_through_a_folder_that_leads_out(root: Path, tmp_path: Path) -> None:
    shutil.move(root / "characters", tmp_path / "outside")
    (root / "characters").symlink_to(tmp_path / "outside")
    old = (tmp_path / "outside/rook.toml").read_bytes()
    with pytest.raises(Refused, match="leads out"):
        save(root, Patch(ROOK, old, b"name = 'x'\n"))
    assert (tmp_path / "outside/rook.toml").read_bytes() == old


@pytest.mark.parametrize("at", range(1, 11))
def test_a_disk_without_room_leaves_the_old_file(root: Path, at: int) -> None:
    patch = plan(root, ROOK, "skills.Dodge.alpha", "5")
    disk = SickDisk(at, errno.ENOSPC, lasting=True)
    if at <= 9:
        with pytest.raises(TableError, match="No space left"):
            save(root, patch, disk)
    else:
        save(root, patch, disk)
    # the ninth call is the sync of the folder, when the new file has taken its place
    assert (root / ROOK).read_bytes() == (patch.old if at < 9 else patch.new)
    assert not [p for p in (root / "characters").iterdir() if p.name.startswith(".")]


@pytest.mark.parametrize("moment", ["before", "half", "after"])
@pytest.mark.parametrize("at", range(1, 10))
def test_a_killed_write_leaves_the_old_file_or_the_new(root: Path, at: int, moment: str) -> None:
    patch = plan(root, ROOK, "skills.Dodge.alpha", "5")
    _, ended = in_child(lambda _: save(root, patch, KillingDisk(at, moment)))
    assert ended == -9
    assert (root / ROOK).read_bytes() in (patch.old, patch.new)
    assert folder.load(root).problems == []
