"""What is offered: not what there is nobody to do it to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from tabletop_tui.rules import Action, Ask, Choice, Now, Rules, Sheet, World, offers


def people(world: Any, fields: Mapping[str, Any]) -> Sequence[Choice]:
    return [Choice(who, world.name(who)) for who in world.present() if who != fields.get("who")]


def prey(world: Any, fields: Mapping[str, Any]) -> Sequence[Choice]:
    return [Choice(who) for who in world.present() if fields["how"] == "from afar"]


class Wrestle(Action, tag="wrestle"):
    """Against somebody else."""

    done_by, done_to = "who", "against"
    who: Annotated[str, Ask(people)]
    against: Annotated[str, Ask(people)]


class Shoot(Action, tag="shoot"):
    """At somebody whom the answer before it decides."""

    done_by, done_to = "who", "against"
    who: Annotated[str, Ask(people)]
    how: str
    against: Annotated[str, Ask(prey)]


def table(*who: str) -> World[Any, Any, Any, Any]:
    return World(Rules(), Now(), {one: Sheet(one.title(), one) for one in who})


def closed(*who: str) -> dict[str, str]:
    return {offer.tag: offer.closed for offer in offers((Wrestle, Shoot), table(*who))}


def test_an_action_without_anybody_to_do_it_to_is_closed_with_the_reason() -> None:
    assert closed("ann")["wrestle"] == "there is nobody to do it to"
    assert closed("ann", "ben")["wrestle"] == ""
    assert closed()["wrestle"] == "there is nobody to choose"


def test_a_target_that_depends_on_another_answer_is_not_judged_before_it() -> None:
    assert closed("ann")["shoot"] == ""
