"""The contract by itself: walked odds, what lists show as the chance, choices and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

import msgspec
import pytest

from tabletop_tui.kit import common
from tabletop_tui.rules import (
    Action,
    Chance,
    Counter,
    Dice,
    Engine,
    Event,
    Group,
    Now,
    Odds,
    Option,
    Problem,
    Refused,
    Required,
    Rules,
    World,
    fields,
    parse,
)
from tabletop_tui.rules import views as view_records


class Fell(Event, tag="fell"):
    """Dice lie there."""

    total: int

    def apply(self, world: Any) -> Any:
        return world

    def outcome(self) -> Mapping[str, str | int]:
        return {"outcome": "hit" if self.total >= 10 else "miss", "total": self.total}


class Throw(Action, tag="throw"):
    """Throw some dice."""

    count: int = 2

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        return (Fell(sum(dice.roll("a throw", *[6] * self.count))),)


class Dicey(Engine):
    """A game with one throw and no odds of its own."""

    name, title, reference = "dicey", "Dicey", "#"
    hopes = ("hit",)
    actions: ClassVar[tuple[type[Action], ...]] = (Throw, *common.ACTIONS)
    events: ClassVar[tuple[type[Event], ...]] = (Fell, *common.EVENTS)


WORLD: Any = World(Rules(), Now())


def test_odds_come_for_free_and_are_exact() -> None:
    odds = Dicey().odds(WORLD, Throw())
    assert odds is not None
    assert {c.label: c.chance for c in odds.groups[0].chances} == pytest.approx({"hit": 6 / 36, "miss": 30 / 36})
    assert odds.hope == pytest.approx(6 / 36)
    at_least = {c.value: c.chance for c in odds.groups[1].chances}
    assert at_least[2] == pytest.approx(1.0)
    assert at_least[12] == pytest.approx(1 / 36)


def test_what_rolls_nothing_has_no_odds() -> None:
    assert Dicey().odds(WORLD, common.Note("a word")) is None


def test_a_walk_that_does_not_end_in_time_gives_none() -> None:
    assert Dicey().odds(WORLD, Throw(12)) is None


def test_the_chance_is_chosen_by_the_engine_and_not_by_a_tone() -> None:
    group = Group("outcome", (Chance("falls", 0.25, "good"), Chance("stands", 0.75, "bad")))
    assert Odds((group,)).hope == 0.25
    assert Odds((group,), hopes=("stands",)).hope == 0.75
    assert Odds((group,), hopes=()).hope == 0.0
    assert Odds(()).hope == 0.0


def test_view_records_take_keywords_only() -> None:
    with pytest.raises(TypeError):
        Counter("Momentum", 3)  # type: ignore[call-arg]
    kinds = [k for k in vars(view_records).values() if isinstance(k, type) and issubclass(k, msgspec.Struct)]
    ours = [k for k in kinds if k.__module__ == view_records.__name__]
    assert len(ours) > 15
    for kind in ours:
        assert all(p.kind is p.KEYWORD_ONLY for p in __import__("inspect").signature(kind).parameters.values()), kind


def test_an_option_performs_an_action() -> None:
    assert Option(label="throw", action=Throw()).action == Throw()


def test_a_problem_names_what_was_found_and_what_is_known() -> None:
    problem = Problem(("sheets", "ann"), "no such thing", found="tow", known=("two", "three"))
    assert (problem.found, problem.known) == ("tow", ("two", "three"))


class Tell(Action, tag="tell"):
    """Tell something; older logs have it without the words."""

    words: Annotated[str, Required(), msgspec.Meta(max_length=80)] = ""

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        return ()


def test_a_field_that_has_to_be_answered_may_be_missing_from_an_older_log() -> None:
    (words,) = fields(Tell)
    assert words.required
    with pytest.raises(Refused, match="tell needs words"):
        parse(Tell, {})
    assert msgspec.json.decode(b'{"do":"tell"}', type=Tell) == Tell()
