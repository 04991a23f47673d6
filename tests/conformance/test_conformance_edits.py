"""Hand edits that an engine accepts and cannot play are found; so are prompts that never end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec
import pytest

from tabletop_tui.conformance import check_edits, try_edits
from tabletop_tui.conformance.edits import leaves, plain, put
from tabletop_tui.kit import common, problems
from tabletop_tui.rules import Action, Dice, Engine, Event, Now, Problem, Refused, Sheet, TableView, World


class CountNow(Now):
    """Somebody's turn in a list, and a question that may be open."""

    turn: int = 0
    asked: bool = False


class Answered(Event, tag="answered"):
    """The question was answered."""

    def apply(self, world: Any) -> Any:
        return world.live(asked=False)


class Answer(Action, tag="answer"):
    """Answer the question."""

    @classmethod
    def when(cls, world: Any) -> str:
        return "" if world.now.asked else "nothing was asked"

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        if world.now.turn > 300:
            raise Refused("nobody can answer so late")
        return (Answered(),)


class Counting(Engine):
    """It draws whose turn it is, and does not look whether there is such a one."""

    name, title, reference, now = "counting", "Counting", "#", CountNow
    actions: ClassVar[tuple[type[Action], ...]] = (Answer, *common.ACTIONS)
    events: ClassVar[tuple[type[Event], ...]] = (Answered, *common.EVENTS)

    def view(self, kind: Any, world: Any, about: str = "") -> Any:
        return TableView(title=list(world.sheets)[min(world.now.turn, 0)]) if kind == "table" else None

    def policy(self, world: Any) -> Action | None:
        return Answer() if world.now.asked else None

    def problems(self, world: Any) -> Sequence[Problem]:
        return list(problems.problems(world))


class Careful(Counting):
    """The same, and it looks."""

    def problems(self, world: Any) -> Sequence[Problem]:
        return [*super().problems(world), *problems.outside(("now", "turn"), world.now.turn, 0, 300, "the turn")]


def worlds() -> list[Any]:
    sheets = {"ann": Sheet("Ann", "Ann"), "ben": Sheet("Ben")}
    return [World(Counting.rules(), CountNow(turn=t, asked=asked), sheets) for t in (1, 2) for asked in (False, True)]


def test_an_edit_that_breaks_a_view_is_found() -> None:
    found = try_edits(Counting(), worlds(), most=200)
    assert any("turn = -50" in f.edit and "failed in view: IndexError" in f.wrong for f in found.faults)


def test_an_edit_that_leaves_a_prompt_without_an_answer_is_found() -> None:
    found = try_edits(Counting(), worlds(), most=200)
    assert any("the prompt is stuck" in f.wrong and "nobody can answer so late" in f.wrong for f in found.faults)


def test_an_engine_that_refuses_such_edits_passes() -> None:
    found = check_edits(Careful(), worlds(), most=200)
    assert 0 < found.accepted < found.states
    with pytest.raises(AssertionError, match="edits break the table"):
        check_edits(Counting(), worlds(), most=200)


def test_what_the_file_leaves_out_can_be_put_in() -> None:
    at_its_defaults: Any = World(Counting.rules(), CountNow(), {"ann": Sheet("Ann", "Ann")})
    found = try_edits(Counting(), [at_its_defaults], most=200)
    assert any("turn = -50" in f.edit for f in found.faults)


def test_a_record_with_a_tag_is_read_again() -> None:
    assert plain(Answer()) == {"do": "answer"}
    assert msgspec.convert(plain(CountNow(turn=3)), CountNow) == CountNow(turn=3)


def test_every_leaf_can_be_changed_and_taken_out() -> None:
    data = {"a": {"b": 1}, "c": [{"d": 2}, {"d": 3}]}
    assert {path for path, _ in leaves(data)} == {
        ("a", "b"),
        ("a",),
        ("c",),
        ("c", 0, "d"),
        ("c", 1, "d"),
        ("c", 0),
        ("c", 1),
    }
    assert put(data, ("c", 1, "d"), 9) == {"a": {"b": 1}, "c": [{"d": 2}, {"d": 9}]}
    assert put(data, ("a", "b"), None) == {"a": {}, "c": [{"d": 2}, {"d": 3}]}
    assert put(data, ("c", 0), None) == {"a": {"b": 1}, "c": [{"d": 3}]}


class Owing(Counting):
    """It leaves a None where a file cannot hold one."""

    class OwedNow(CountNow):
        owed: tuple[int | None, ...] = ()

    class Owed(Event, tag="owed"):
        def apply(self, world: Any) -> Any:
            return world.live(owed=(1, None))

    class Owe(Action, tag="owe"):
        """Owe something."""

        def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
            return (Owing.Owed(),)

    now = OwedNow
    actions: ClassVar[tuple[type[Action], ...]] = (Answer, Owe)
    events: ClassVar[tuple[type[Event], ...]] = (Answered, Owed)

    def problems(self, world: Any) -> Sequence[Problem]:
        return [*super().problems(world), *problems.outside(("now", "turn"), world.now.turn, 0, 300, "the turn")]


def test_a_state_that_no_file_can_hold_is_found() -> None:
    here: Any = World(Owing.rules(), Owing.OwedNow(), {"ann": Sheet("Ann", "Ann")})
    found = try_edits(Owing(), [here], most=20)
    assert found.accepted
    assert all("failed in apply: TypeError" in f.wrong for f in found.faults)
    assert len(found.faults) == found.accepted
