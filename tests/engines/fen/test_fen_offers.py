"""What cannot be done is closed where it is chosen, not refused when it is sent."""

from __future__ import annotations

from fen_table import Do, odds_of, view_of
from msgspec.structs import replace

from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.attack import Attack
from tabletop_tui.engines.fen.changes import Modify
from tabletop_tui.engines.fen.contest import NewContest
from tabletop_tui.engines.fen.harm import Heal, Hurt
from tabletop_tui.engines.fen.hiding import EnterScene
from tabletop_tui.engines.fen.rounds import BeginFight
from tabletop_tui.engines.fen.world import FenWorld
from tabletop_tui.kit.order import Reveal
from tabletop_tui.plugins import guarded
from tabletop_tui.rules import Action, choices, fields, offers, shaped, strip
from tabletop_tui.session.seats import completed


def test_the_last_side_that_sees_it_coming_cannot_be_surprised_too(world: FenWorld) -> None:
    (field,) = (f for f in fields(BeginFight) if f.name == "surprised")

    def closed(*caught: str) -> dict[str, str]:
        return {c.value: c.closed for c in choices(field, world, {"who": (), "surprised": caught})}

    sides = [*closed()]
    assert {*closed().values()} == {""}
    assert closed(*sides[:-1]) == {**dict.fromkeys(sides, ""), sides[-1]: "one side must see it coming"}


def test_a_hidden_foe_who_is_up_is_revealed_before_they_strike(world: FenWorld, do: Do) -> None:
    world = do(do(world, EnterScene("weir")), BeginFight())
    world = world.live(
        turns=replace(world.now.turns, current="thief", holder="foes"),
        rounds=replace(world.now.rounds, sequence=("foes", "heroes")),
    )
    view = view_of("table", world)
    assert next((o.label, o.action, o.note) for o in view.acts) == ("reveal", Reveal("thief"), "before they strike")
    assert not any(isinstance(o.action, Attack) for o in view.acts), "nobody strikes unseen"
    assert not strip(view).acts
    after = view_of("table", do(world, Reveal("thief")))
    assert next(type(o.action) for o in after.acts) is Attack


def test_where_nobody_can_dodge_the_chance_of_it_is_nought_and_not_a_crumb(world: FenWorld, do: Do) -> None:
    world = do(world, Hurt("wight", 9))
    for weapon in ("spear", "bow"):
        outcome = odds_of(world, Attack("wren", weapon, "wight")).groups[0]
        chances = {c.label: c.chance for c in outcome.chances}
        assert chances["dodged"] == 0.0
        assert abs(sum(chances.values()) - 1) < 1e-12


def test_alone_there_is_nobody_to_attack_or_to_contest_with(world: FenWorld) -> None:
    alone = replace(world, sheets={"wren": world.sheets["wren"]})
    closed = {offer.tag: offer.closed for offer in offers((Attack, NewContest), alone)}
    assert closed == {"attack": "there is nobody to do it to", "contest": "there is nobody to contest with"}
    assert {offer.closed for offer in offers((Attack, NewContest), world)} == {""}


def test_what_a_form_proposes_for_dice_or_wounds_can_be_done_as_it_stands(world: FenWorld, do: Do) -> None:
    def proposed(here: FenWorld, kind: type[Action], **said: object) -> Action:
        return completed(guarded(ENGINE), kind, here, {"who": "wren", **said})

    assert proposed(world, Modify) == Modify("wren", additional=1)
    assert proposed(world, Modify, fewer=1) == Modify("wren", fewer=1), "another change takes its place"
    assert proposed(world, Modify, clear=True) == Modify("wren", clear=True)
    assert proposed(world, Heal) == Heal("wren"), "nothing is missing, and nothing is given unasked"
    assert proposed(do(world, Hurt("wren", 3)), Heal) == Heal("wren", 3)
    hurt = do(world, Hurt("wren", 3))
    for here, kind in ((world, Modify), (hurt, Modify), (hurt, Heal)):
        do(here, proposed(here, kind))


def test_numbers_that_are_proposed_are_typed_within_their_range(world: FenWorld) -> None:
    for kind, name in ((Modify, "additional"), (Heal, "hp"), (Heal, "temporary")):
        (field,) = (f for f in fields(kind) if f.name == name)
        asked = shaped(field, world, {"who": "wren"})
        assert asked is not None
        assert (asked.kind, asked.low, asked.required) == ("number", 0, False)
