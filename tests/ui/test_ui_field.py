"""The one text field: forms, questions, searches and the workbench all type into it."""

from __future__ import annotations

import pytest

from tabletop_tui.ui.asking.field import TextField


def typed(keys: str, text: str = "", **given: object) -> TextField:
    """Words are names of keys; what stands in quotes is typed."""
    field = TextField(text, **given)  # type: ignore[arg-type]
    for word in keys.split():
        if word.startswith("'"):
            for character in word.strip("'").replace("_", " "):
                assert field.key(character, character)
        else:
            field.key(word, None)
    return field


@pytest.mark.parametrize(
    ("keys", "text", "after", "cursor"),
    [
        ("'abc'", "", "abc", 3),
        ("left left 'x'", "abc", "axbc", 2),
        ("home 'x' end 'y'", "abc", "xabcy", 5),
        ("ctrl+left 'x'", "one two", "one xtwo", 5),
        ("home ctrl+right 'x'", "one two", "onex two", 4),
        ("ctrl+w", "one two", "one", 3),
        ("ctrl+w ctrl+w", "one two", "", 0),
        ("left left left ctrl+u", "one two", "two", 0),
        ("home ctrl+right ctrl+k", "one two", "one", 3),
        ("backspace backspace", "abc", "a", 1),
        ("home delete", "abc", "bc", 0),
        ("left left left left left 'x'", "ab", "xab", 1),
    ],
)
def test_moves_and_deletes(keys: str, text: str, after: str, cursor: int) -> None:
    field = typed(keys, text)
    assert (field.text, field.cursor) == (after, cursor)


def test_what_it_does_not_take_is_left_to_others() -> None:
    field = TextField("abc")
    assert not field.key("enter", None)
    assert not field.key("escape", None)
    assert not field.key("up", None), "without a history the arrows are somebody else's"


def test_pasted_text_is_one_harmless_line() -> None:
    field = TextField("ab")
    field.key("left", None)
    field.type("x\ny\x1b[31m\u202ez")
    assert field.text == "ax y[31mzb"


def test_numbers_take_digits_alone_and_no_field_grows_without_end() -> None:
    assert typed("'1a2-'", only="0123456789-").text == "12-"
    field = TextField(most=5)
    field.type("x" * 100)
    assert field.text == "xxxxx"


def test_history_comes_back_with_the_arrows() -> None:
    field = TextField(history=["first", "second"])
    field.key("up", None)
    assert field.text == "second"
    field.key("up", None)
    assert field.text == "first"
    field.key("down", None)
    field.key("down", None)
    assert field.text == ""


def test_the_cursor_is_always_in_sight() -> None:
    field = TextField("x" * 200)
    shown = field.spans(20)
    assert sum(len(text) for text, _ in shown) <= 20
    assert any("reverse" in style for _, style in shown)
