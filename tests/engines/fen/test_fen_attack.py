from __future__ import annotations

from typing import Any

import pytest
from fen_table import Do, Make, blow_in, odds_of, view_of
from msgspec.structs import replace

from tabletop_tui.conformance import check_odds, play
from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.attack import Attack, Struck, attackers, spends, targets
from tabletop_tui.engines.fen.changes import Modify
from tabletop_tui.engines.fen.harm import Heal, Hurt, Mend, Wound
from tabletop_tui.engines.fen.initiative import RollInitiative
from tabletop_tui.engines.fen.rounds import BeginFight
from tabletop_tui.engines.fen.turns import Act, NextTurn, next_up
from tabletop_tui.engines.fen.world import FenWorld, defense, fight, is_down, most_wounds, person
from tabletop_tui.kit.turn_events import FighterChanged
from tabletop_tui.plugins import guarded
from tabletop_tui.rules import Dice, Refused, fields, shaped
from tabletop_tui.session import Rights


def test_weapon_dice_and_skill_fall_together_against_dodge(world: FenWorld, do: Do) -> None:
    world = do(world, Attack("wren", "spear", "wight"), 5, 3, 3, 2)  # d6, 2d8 against d4
    assert blow_in(world).attack.total == 11
    assert (blow_in(world).result, blow_in(world).damage) == ("through", 9)  # bark takes 2


def test_a_bow_is_used_with_shoot_which_may_be_missing(world: FenWorld, do: Do) -> None:
    world = do(world, Attack("wren", "bow", "wight"), 3, 5, 2)
    assert sorted(d.sides for d in blow_in(world).attack.dice) == [4, 8]


def test_bare_hands_have_no_dice_of_their_own(world: FenWorld, do: Do) -> None:
    assert len(blow_in(do(world, Attack("thief", "unarmed", "wren"), 3, 2, 2)).attack.dice) == 1


def test_dodge_that_meets_the_attack_leaves_nothing(world: FenWorld, do: Do) -> None:
    world = do(world, Attack("wight", "claws", "wren"), 2, 3, 3, 3, 5)
    assert blow_in(world).result == "dodged"
    assert person(world, "wren").hp == 14
    assert defense(world, "wren", "shield") == 3


def test_shield_then_armour_take_off_their_defense(world: FenWorld, do: Do) -> None:
    world = do(world, Attack("wight", "claws", "wren"), 3, 5, 4, 1, 1)  # 12 - 3 - 2
    assert blow_in(world).damage == 7
    assert person(world, "wren").hp == 7


@pytest.mark.parametrize(
    ("faces", "shield", "armour", "hp"),
    [
        ((1, 1, 1), 3, 2, 14),  # 3 meets the shield: neither is exceeded
        ((1, 1, 2), 2, 2, 14),  # 4 exceeds the shield, 1 is left for the armour
        ((1, 1, 3), 2, 2, 14),  # 5: the armour is met
        ((1, 1, 4), 2, 1, 13),  # 6: both are exceeded and 1 comes through
    ],
)
def test_what_was_exceeded_loses_one_defense(
    world: FenWorld, do: Do, faces: Any, shield: Any, armour: Any, hp: Any
) -> None:
    world = do(world, Modify("wren", non_explosive=1))
    world = do(world, Attack("wight", "claws", "wren"), *faces, 1)
    assert (defense(world, "wren", "shield"), defense(world, "wren", "armour")) == (shield, armour)
    assert person(world, "wren").hp == hp


def test_an_item_breaks_at_nothing_and_can_be_mended(world: FenWorld, do: Do) -> None:
    for _ in range(2):
        world = do(world, Attack("wren", "unarmed", "wight"), 1, 2, 1)  # 3 - bark
    assert defense(world, "wight", "armour") == 0
    world = do(world, Attack("wren", "unarmed", "wight"), 1, 2, 1)
    assert blow_in(world).damage == 3  # nothing is left to take it off
    world = do(world, Mend("wight", "armour"))
    assert defense(world, "wight", "armour") == 2


def test_without_breakage_items_stay_whole(table: Make, do: Do) -> None:
    world = do(table(breakage=False), Attack("wren", "unarmed", "wight"), 3, 4, 1)
    assert defense(world, "wight", "armour") == 2


def test_temporary_points_are_spent_first(world: FenWorld, do: Do) -> None:
    world = do(world, Heal("wren", temporary=5))
    world = do(world, Hurt("wren", 3))
    assert (person(world, "wren").hp, person(world, "wren").temporary) == (14, 2)
    world = do(world, Hurt("wren", 4))
    assert (person(world, "wren").hp, person(world, "wren").temporary) == (12, 0)


def test_a_table_may_spend_temporary_points_last(table: Make, do: Do) -> None:
    world = do(do(table(temporary_first=False), Heal("thief", temporary=5)), Hurt("thief", 4))
    assert (person(world, "thief").hp, person(world, "thief").temporary) == (2, 5)


def test_wounds_end_at_half_the_vigor_die(world: FenWorld, do: Do) -> None:
    assert most_wounds(world, "wren") == 4  # 1d8
    assert most_wounds(world, "thief") == 2  # no vigor, so 1d4
    world = do(world, Wound("thief", 2))
    assert is_down(world, "thief")
    with pytest.raises(Refused, match="stay at 2"):
        do(world, Wound("thief", 1))


def test_at_no_hp_one_is_down_and_takes_a_wound(world: FenWorld, do: Do) -> None:
    world = do(world, Hurt("thief", 6))
    assert (person(world, "thief").hp, person(world, "thief").wounds) == (0, 1)
    assert is_down(world, "thief")
    with pytest.raises(Refused, match="nothing left to lose"):  # nor another wound
        do(world, Hurt("thief", 6))
    world = do(world, Heal("thief", 100))
    assert person(world, "thief").hp == 6
    assert not is_down(world, "thief")


def test_who_is_brought_down_leaves_the_turns_and_comes_back_when_healed(world: FenWorld, do: Do) -> None:
    world = do(world, BeginFight())
    world = do(world, Hurt("thief", 6))
    assert "thief" not in fight(world).members("foes")
    assert "thief" in fight(do(world, Heal("thief", 1))).members("foes")


def test_being_down_follows_from_hp_however_it_was_changed(world: FenWorld, do: Do) -> None:
    """A hand edit of HP neither leaves somebody out of the turn order nor gives the dead a turn."""
    world = do(do(do(world, BeginFight()), RollInitiative(), 5, 5, 5, 1), NextTurn("wren"))

    def edited(world: FenWorld, who: Any, hp: Any) -> FenWorld:
        return world.live(people={**world.now.people, who: replace(person(world, who), hp=hp)})

    dead = edited(world, "wren", 0)
    assert fight(dead).current == ""
    assert view_of("table", dead).banner == "The heroes act"
    assert [o.action for o in view_of("table", dead).prompt.options] == [NextTurn("teal")]
    with pytest.raises(Refused, match="down"):
        do(dead, Act("wren", "minor"))
    with pytest.raises(Refused, match="who cannot be Wren: down"):
        do(dead, Attack("wren", "spear", "wight"), 1, 1, 1, 1)
    risen = edited(do(world, Hurt("teal", 50)), "teal", 3)
    assert "teal" in [c.value for c in next_up(risen, {})]
    assert not next(p for p in view_of("table", risen).people if p.id == "teal").out


def test_old_logs_that_stored_who_is_out_change_nothing(world: FenWorld, do: Do) -> None:
    world = do(world, BeginFight())
    old = FighterChanged("thief", replace(world.now.turns.fighters["thief"], out=True), 3, "is down")
    assert "thief" in fight(old.apply(world)).members("foes")


def test_somebody_who_is_down_can_be_struck_and_does_not_dodge(world: FenWorld, do: Do) -> None:
    world = do(world, Hurt("wight", 9))
    assert next(c for c in targets(world, {"who": "wren"}) if c.value == "wight").note == "down: no dodge"
    world = do(world, Attack("wren", "spear", "wight"), 1, 1, 1)  # no die for the wight; bark takes 2 of 3
    assert blow_in(world).dodge.dice == ()
    assert (blow_in(world).result, blow_in(world).damage) == ("through", 1)
    assert (person(world, "wight").hp, person(world, "wight").wounds) == (0, 1)
    assert [h.who for h in view_of("table", world).hands] == ["Wren, spear"]


def test_odds_against_somebody_who_is_down_are_those_of_the_walk(table: Make, do: Do) -> None:
    world = do(table(attack_explodes=False), Wound("wight", 4))
    check_odds(ENGINE, world, Attack("wren", "spear", "wight"))
    assert {c.label: c.chance for c in odds_of(world, Attack("wren", "spear", "wight")).groups[0].chances}[
        "dodged"
    ] == pytest.approx(0, abs=1e-12)


def test_the_first_target_offered_is_no_ally(world: FenWorld, do: Do) -> None:
    world = do(do(do(world, BeginFight()), RollInitiative(), 5, 5, 5, 1), NextTurn("wren"))
    assert attackers(world, {})[0].value == "wren"
    assert targets(world, {"who": "wren"})[0].value in ("wight", "thief", "second")
    assert targets(world, {"who": "wight"})[0].value in ("wren", "teal")


def test_no_blow_is_told_twice(world: FenWorld, do: Do) -> None:
    """Neither what was said is whispered again, nor is the damage of an effect told beside the HP that it took."""
    for weapon, faces, whispers in (
        ("spear", (5, 3, 3, 2), ["9 came through to Wight"]),
        ("spear", (1, 1, 1, 3), []),  # dodged
        ("unarmed", (1, 1, 1), []),  # stopped
    ):
        events = Attack("wren", weapon, "wight").resolve(world, Dice(faces))
        struck = next(e for e in events if isinstance(e, Struck))
        assert f"Wren attacks Wight ({weapon})" in struck.says(world)
        assert [w for w in [struck.whispers(world)] if w] == whispers
    for seed in range(700, 715):
        for before, _, events, _ in play(ENGINE, world, seed, steps=30):
            here = before
            for event in events:
                assert not event.says(here) or event.says(here) != event.whispers(here)
                here = event.apply(here)


def test_in_a_fight_an_attack_is_the_major_action(world: FenWorld, do: Do) -> None:
    world = do(do(do(world, BeginFight()), RollInitiative(), 5, 5, 5, 1), NextTurn("wren"))
    world = do(world, Attack("wren", "spear", "wight"), 1, 1, 1, 3)
    with pytest.raises(Refused, match="no major action left"):
        do(world, Attack("wren", "spear", "wight"), 1, 1, 1, 3)
    with pytest.raises(Refused, match="not their turn"):
        do(world, Attack("wight", "claws", "wren"), 1, 1, 1, 3)
    world = do(world, Attack("wight", "claws", "wren", "reaction"), 1, 1, 1, 3, 3)
    assert person(world, "wight").reactions == 1
    assert do(world, Attack("wren", "spear", "wight", "nothing"), 1, 1, 1, 3).now.blow


def test_once_the_major_action_is_spent_the_next_turn_comes_first_and_it_is_said_what_is_left(
    world: FenWorld, do: Do
) -> None:
    def acts(world: FenWorld) -> list[tuple[str, str]]:
        return [(o.label, o.closed or o.note) for o in view_of("table", world).acts]

    def marks(world: FenWorld) -> tuple[str, ...]:
        row = next(p for p in view_of("table", world).people if p.id == "wren")
        return tuple(m for m in row.marks if "left" in m or "spent" in m)

    world = do(do(do(world, BeginFight()), RollInitiative(), 5, 5, 5, 1), NextTurn("wren"))
    assert acts(world)[0] == ("attack", "")
    assert acts(world)[-2:] == [("act", "minor, major or reaction"), ("next", "")]
    assert marks(world) == ()
    world = do(world, Attack("wren", "spear", "wight"), 1, 1, 1, 3)
    assert acts(world)[:2] == [("next", ""), ("attack", "no major action left in this turn")]
    assert acts(world)[-1] == ("act", "minor or reaction")
    assert [o.label for o in view_of("table", world).acts if o.closed] == ["attack"], "no digit strikes again"
    assert marks(world) == ("major spent",)
    world = do(world, Act("wren", "minor"))
    assert marks(world) == ("both spent",)
    world = do(world, Act("wren", "reaction"))
    assert [label for label, _ in acts(world)] == ["next", "attack", "roll a skill"]
    assert marks(do(world, NextTurn("teal"))) == (), "another is up"


def test_a_form_proposes_a_reaction_out_of_ones_turn_alone(world: FenWorld, do: Do) -> None:
    (field,) = (f for f in fields(Attack) if f.name == "spends")

    def proposes(world: FenWorld, who: str) -> bool:
        asked = shaped(field, world, {"who": who})
        return asked is not None and asked.ask.first

    world = do(do(do(world, BeginFight()), RollInitiative(), 5, 5, 5, 1), NextTurn("wren"))
    spent = do(world, Attack("wren", "spear", "wight"), 1, 1, 1, 3)
    assert (proposes(spent, "wren"), proposes(spent, "teal")) == (False, True)
    assert [c.value for c in spends(spent, {"who": "wren"}) if not c.closed] == ["reaction", "nothing"], "if said"


def test_attack_odds_are_those_of_the_walk(table: Make, do: Do) -> None:
    world = do(table(attack_explodes=False), Modify("wight", non_explosive=1))
    world = do(world, Hurt("wight", 4))
    check_odds(ENGINE, world, Attack("wren", "spear", "wight"))


def test_attack_odds_with_shield_armour_and_temporary_points_are_those_of_the_walk(table: Make, do: Do) -> None:
    world = do(table(attack_explodes=False), Modify("wren", non_explosive=2))
    world = do(do(world, Hurt("wren", 12)), Heal("wren", temporary=2))
    check_odds(ENGINE, world, Attack("wight", "claws", "wren"))


def test_players_attack_in_their_turn_and_ask_for_a_reaction_or_one_for_nothing(world: FenWorld) -> None:
    player = next(sheet.player for sheet in world.sheets.values() if sheet.name == "Wren")
    rights = Rights(guarded(ENGINE), player, "act", world)

    def standing(spends: str) -> str:
        return rights.standing(Attack, {"who": "wren", "weapon": "spear", "against": "wight", "spends": spends}).how

    assert [standing(spends) for spends in ("major", "reaction", "nothing")] == ["do", "ask", "ask"]


def test_a_blow_at_another_players_character_is_asked_for(world: FenWorld) -> None:
    sheets = {**world.sheets, "second": replace(world.sheets["second"], player="Ana")}
    rights = Rights(guarded(ENGINE), "Ana", "act", replace(world, sheets=sheets))

    def standing(against: str) -> str:
        return rights.standing(Attack, {"who": "wren", "weapon": "spear", "against": against, "spends": "major"}).how

    assert [standing(who) for who in ("wight", "teal", "second")] == ["do", "ask", "do"]
    assert "teal" in [c.value for c in rights.choices(Attack, fields(Attack)[2], {"who": "wren", "weapon": "spear"})]
    rights.check_asked(Attack, {"who": "wren", "weapon": "spear", "against": "teal"})
