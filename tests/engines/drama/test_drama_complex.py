"""Complex tests, prepared and made up at the table."""

from __future__ import annotations

import pytest
from drama_abbey import abbey, do, table

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.aid import LendHand
from tabletop_tui.engines.drama.campaign import ComplexPlan, Dimension
from tabletop_tui.engines.drama.challenge import Lead, OpenTask, RollTask
from tabletop_tui.engines.drama.complex import AddDimension, GiveUp, OpenComplex, attempt_words
from tabletop_tui.engines.drama.settle import LetStand, Pay
from tabletop_tui.engines.drama.task import task_sides
from tabletop_tui.engines.drama.world import Complex, DramaWorld, Penalty, Side
from tabletop_tui.rules import Action, ChallengeView, Refused, check
from tabletop_tui.session.verify import verify

NIGHT = "the-night-office/night"


def after(world: DramaWorld, *steps: Action) -> DramaWorld:
    for step in steps:
        check(step, world)
        world = do(world, step)
    return world


def view_of(world: DramaWorld) -> ChallengeView:
    view = ENGINE.view("challenge", world)
    assert isinstance(view, ChallengeView)
    return view


def chain_of(world: DramaWorld) -> Complex:
    assert world.now.complex is not None
    return world.now.complex


def begin() -> DramaWorld:
    return after(abbey(), OpenComplex(NIGHT), Lead("edmund", "Stealth"))


def sides(world: DramaWorld) -> dict[str, Side]:
    assert world.now.task is not None
    return task_sides(world, world.now.task)


@pytest.mark.parametrize(
    ("resistance", "words"),
    [
        (4, "lock: one attempt left, with 2 resistance dice less"),
        (1, "lock: one attempt left, with 1 resistance die less"),
        (0, "lock: one attempt left"),
    ],
)
def test_the_second_attempt_is_spared_what_there_is(resistance: int, words: str) -> None:
    lock = Dimension("lock", resistance)
    assert attempt_words(Complex(ComplexPlan("night", (lock,)), tried=1), lock, False) == words


def test_success_opens_the_next_dimension() -> None:
    world = do(begin(), RollTask(), 6, 6, 6, 3, 3)
    assert (chain_of(world).at, chain_of(world).tried) == (1, 0)
    view = view_of(world)
    assert view.facts[0].text == "The third lock: attempt 1 of 2"
    assert [o.label for o in view.parts] == ["Past the porter", "The third lock", "Whose hand?"]
    assert [(o.chosen, o.closed) for o in view.parts] == [(True, "done"), (False, ""), (False, "locked")]
    assert view.parts[1].note.startswith("attempt 1 of 2 · 4 resist · Agility alone")
    assert "first attempt: a candle · second: the last candle, 1 penalty die · failing: a pick" in view.parts[1].note
    assert "one attempt" in view.parts[2].note
    assert [o.label for o in view.extras] == ["give up"]


def test_the_second_attempt_has_two_resistance_dice_less_and_its_price() -> None:
    world = do(begin(), RollTask(), 1, 1, 1, 1, 1)
    assert chain_of(world).tried == 1
    assert view_of(world).parts[0].note.startswith("attempt 2 of 2 · 0 resist"), "the screen says so"
    assert "4 resist" in view_of(world).parts[1].note, "of what is locked yet all of it"
    world = after(world, Lead("edmund", "Stealth"))
    assert sides(world)["edmund"].count("resistance") == 0
    world = do(world, RollTask(), 6, 6, 1)
    assert chain_of(world).at == 1
    assert world.now.people["edmund"].penalties == {"penalty-1": Penalty("Past the porter", 1)}


def test_a_failed_second_attempt_locks_the_test() -> None:
    world = after(do(begin(), RollTask(), 1, 1, 1, 1, 1), Lead("edmund", "Stealth"))
    world = do(world, RollTask(), 1, 1, 1)
    assert chain_of(world).outcome == "failed"
    assert world.now.task is None
    assert world.now.people["edmund"].carried == 2, "the second attempt's price, and the cost of failure"
    view = view_of(world)
    assert tuple(fact.text for fact in view.facts) == ("outcome: failed",)
    assert view.outcome
    assert "price of the attempt: the second psalm, 1 penalty die; cost of failure: the po" in view.outcome.detail
    assert next(o.closed for o in view.open if o.action == OpenComplex(NIGHT)) == "locked at Past the porter"
    with pytest.raises(Refused, match="locked at Past the porter"):
        check(OpenComplex(NIGHT), world)
    check(OpenComplex(NIGHT), after(begin(), GiveUp()))


def test_locked_after_a_dimension_is_partial_and_giving_up_too() -> None:
    world = do(begin(), RollTask(), 6, 6, 6, 3, 3)
    assert chain_of(after(world, GiveUp())).outcome == "partial"
    assert chain_of(after(begin(), GiveUp())).outcome == "failed"


def test_all_dimensions_done_is_full_through_the_table() -> None:
    play = table(abbey())
    play.do(OpenComplex(NIGHT))
    play.do(Lead("edmund", "Stealth"))
    play.do(RollTask(), [6, 6, 6, 3, 3], roll=False)
    play.do(Lead("william", "Agility"))
    play.do(LendHand("edmund"))
    play.do(RollTask(), [6] * 10 + [1, 2, 3, 4], roll=False)
    play.do(Lead("joan", "Letters"))
    entry = play.do(RollTask(), [6, 5, 5, 1, 1, 1, 1, 2], roll=False)
    assert not chain_of(play.world).outcome, "a marginal result waits for its price"
    assert "wait" in OpenComplex.when(play.world)
    assert entry.said
    play.do(Pay("joan"))
    assert chain_of(play.world).outcome == "full"
    assert not verify(ENGINE, play.header, play.timeline.entries).wrong


def test_a_single_attempt_locks_at_once() -> None:
    world = do(begin(), RollTask(), 6, 6, 6, 3, 3)
    world = do(after(world, Lead("william", "Agility")), RollTask(), *[6] * 6, *[3] * 4)
    world = do(after(world, Lead("edmund", "Latin")), RollTask(), *[1] * 5, *[3] * 3)
    assert chain_of(world).outcome == "partial"
    assert world.now.people["edmund"].carried == 2


def test_a_marginal_attempt_that_nobody_pays_for_fails() -> None:
    world = do(begin(), RollTask(), 6, 3, 3, 3, 3)
    assert chain_of(do(world, LetStand())).tried == 1


def test_a_complex_test_is_made_up_at_the_table_dimension_by_dimension() -> None:
    first = AddDimension("The ford", 2, second="a wheel", second_penalty=1, test="To Lynn before night")
    world = after(abbey(), first)
    assert (chain_of(world).plan.name, chain_of(world).at) == ("To Lynn before night", 0)
    world = after(world, AddDimension("The gate", 4, attempts=1), Lead("william", "Riding"))
    assert [o.label for o in view_of(world).parts] == ["The ford", "The gate"]
    world = do(world, RollTask(), *[6] * 5, 3, 3)
    assert chain_of(world).at == 1
    world = do(after(world, Lead("william", "Riding")), RollTask(), *[6] * 5, 3, 3, 3, 3)
    assert chain_of(world).outcome == "full"
    world = after(world, AddDimension("The parlour"))
    assert (chain_of(world).at, chain_of(world).outcome) == (2, "")
    assert world.now.task is not None
    assert world.now.task.name == "The parlour"


def test_a_locked_test_is_not_made_longer_but_another_begins() -> None:
    world = do(after(abbey(), AddDimension("The wall", 2, 1), Lead("joan", "Physical")), RollTask(), 1, 1, 1, 1)
    assert chain_of(world).outcome == "failed"
    assert chain_of(after(world, AddDimension("The gate"))).plan.name == "The gate"
    with pytest.raises(Refused, match="needs a name"):
        do(abbey(), AddDimension(" "))


def test_a_prepared_test_is_not_left_behind_without_a_question() -> None:
    world = after(abbey(), OpenTask("The cart"))
    for action in (OpenTask, OpenComplex, AddDimension):
        assert action.warns(world) == "The cart is prepared and not rolled. Leave it?"
        assert action.warns(abbey()) == ""


def test_while_a_complex_test_runs_no_prepared_one_is_open() -> None:
    assert {option.closed for option in view_of(abbey()).open} == {""}
    running = view_of(begin())
    assert {option.closed for option in running.open} == {f"{running.title} is under way"}
    for action in (OpenTask, OpenComplex):
        assert action.when(begin()) == f"{running.title} is under way"


def test_an_attempt_that_came_out_names_its_dimension_and_not_the_whole_test() -> None:
    play = table(abbey())
    play.do(OpenComplex(NIGHT))
    play.do(Lead("edmund", "Stealth"))
    play.do(RollTask(), [6, 6, 6, 3, 3], roll=False)
    view = view_of(play.world)
    assert view.outcome
    assert view.outcome.title == "Past the porter: success"
