from __future__ import annotations

from typing import Any

import level
import msgspec
import pytest
from fen_table import Do, Make, contest_in, odds_of, view_of

from tabletop_tui.conformance import play
from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.attack import Attack
from tabletop_tui.engines.fen.changes import Modify
from tabletop_tui.engines.fen.contest import Close, NewContest, RollContest
from tabletop_tui.engines.fen.effects import ALL, Apply, NextRound
from tabletop_tui.engines.fen.harm import Heal, Hurt
from tabletop_tui.engines.fen.hiding import EnterScene
from tabletop_tui.engines.fen.initiative import RollInitiative, Stand
from tabletop_tui.engines.fen.prepared import Open
from tabletop_tui.engines.fen.rounds import BeginFight, EndFight
from tabletop_tui.engines.fen.turns import NextTurn
from tabletop_tui.engines.fen.world import FenWorld, person
from tabletop_tui.kit.order import Hide
from tabletop_tui.rules import Dice, check, offers, roller, strip


def test_a_game_without_challenges_has_no_such_screen(world: FenWorld) -> None:
    assert ENGINE.view("challenge", world) is None


def test_an_empty_contest_screen_offers_what_was_prepared(world: FenWorld) -> None:
    view = view_of("contest", world)
    assert [o.label for o in view.open] == ["Past them", "A roar", "A plea"]
    assert view.roll is None


def test_the_aggressor_is_the_first_party_and_each_defender_has_a_row(world: FenWorld, do: Do) -> None:
    world = do(do(world, Open("ford/scare")), Modify("wren", additional=1))
    view = view_of("contest", world)
    assert [p.name for p in view.parties] == ["Wren", "Wight", "Thief"]
    assert view.parties[0].total == "3d8"
    assert [b.source for b in view.parties[0].bids] == ["fight", "one more die", "what falls"]
    assert view.parties[0].wants == "they run"
    assert view.roll == RollContest()
    assert view.odds_secret


@pytest.mark.parametrize(("faces", "tone"), [((1, 1, 6, 2), "bad"), ((2, 3, 6, 2), "warn"), ((5, 3, 6, 2), "good")])
def test_the_outcome_has_the_aggressors_own_tone_whoever_that_is(
    world: FenWorld, do: Do, faces: tuple[int, ...], tone: str
) -> None:
    foe = do(world, NewContest("wight", "fight/vigor", ("wren", "teal")))
    for opened in (do(world, Open("ford/scare")), foe):
        view = view_of("contest", do(opened, RollContest(), *faces))
        assert view.outcome.tone == view.parties[0].tone == tone


def test_after_the_roll_each_row_is_won_or_lost_alone(world: FenWorld, do: Do) -> None:
    world = do(do(world, Open("ford/scare")), RollContest(), 2, 3, 6, 2)
    view = view_of("contest", world)
    assert [(p.result, p.tone) for p in view.parties] == [
        ("beats 1 of 2", "warn"),
        ("holds", "good"),
        ("beaten", "bad"),
    ]
    assert [p.total for p in view.parties] == [h.total for h in view.hands] == ["5", "6", "2"]
    assert (view.outcome.title, view.outcome.detail) == ("Wren beats 1 of 2", "Thief")
    assert view.roll is None
    first = view.prompt.options[0].action
    assert first == Apply(ALL)
    world = do(world, first)
    assert view_of("contest", world).parties[2].marks == ("applied",)


def test_how_many_of_several_were_beaten_is_said_in_few_words_and_once(world: FenWorld, do: Do) -> None:
    some = ("wight", "thief", "teal")
    for against, faces, words in (
        (some[:2], (5, 3, 6, 2), "Wren beats both"),
        (some[:2], (1, 1, 6, 2), "Wren beats nobody"),
        (some, (5, 7, 6, 2, 1), "Wren beats all three"),
    ):
        opened = do(world, NewContest("wren", "fight/vigor", against))
        view = view_of("contest", do(opened, RollContest(), *faces))
        assert view.prompt.text == f"{words}."
        assert (view.outcome.title, view.outcome.detail) == (words, "")


def test_what_is_offered_for_each_party_can_be_done_and_changes_what_falls(world: FenWorld, do: Do) -> None:
    world = do(world, Open("ford/scare"))
    for place, party in enumerate(view_of("contest", world).parties):
        assert [o.key for o in party.adds] == ["1", "2", "3", "4", "5"]
        for option in party.adds:
            check(option.action, world)
            after = view_of("contest", do(world, option.action)).parties[place]
            assert after.bids[-1].source == "what falls"
    shown = strip(ENGINE.view("contest", world)).parties
    assert [bool(p.adds) for p in shown] == [True, False, False], "what is done to the GM's dice is the GM's"


def test_each_defenders_own_chance_is_named_and_a_defender_can_be_taken_out(world: FenWorld, do: Do) -> None:
    world = do(world, Open("ford/scare"))
    first, second, third = view_of("contest", world).parties
    groups = {g.name for g in odds_of(world, RollContest()).groups}
    assert first.group == ""
    assert {second.group, third.group} <= groups
    assert (second.total, second.secret_total) == ("", "1d8")
    left = do(world, second.bids[0].remove)
    assert list(contest_in(left).defenders) == ["thief"]
    assert view_of("contest", left).parties[1].group == "", "against one there is nothing but the outcome"


def test_a_social_contest_offers_other_pairs_and_enter_never_rolls_again(world: FenWorld, do: Do) -> None:
    world = do(do(world, Open("ford/plea")), RollContest(), 1, 4, 1)
    options = view_of("contest", world).prompt.options
    assert options[0].action == Close()
    pairs = [o.action.contest for o in options if isinstance(o.action, NextRound)]
    assert "articulate/will" not in pairs
    for option in options:
        check(option.action, world)


def test_exploded_dice_and_the_throw_that_was_not_kept_carry_a_word(world: FenWorld, do: Do) -> None:
    world = do(do(world, NewContest("wren", "vigor/vigor", ("wight",))), Modify("wren", fewer=1))
    world = do(world, RollContest(), 8, 3, 2, 5)
    faces = view_of("contest", world).hands[0].faces
    assert [(f.text, f.mark) for f in faces] == [("3", ""), ("8→2", "exploded")]
    world = do(do(world, NewContest("wren", "vigor/vigor", ("wight",))), Modify("wren", fewer=1))
    world = do(world, RollContest(), 5, 3, 2)
    assert [f.group for f in view_of("contest", world).hands[0].faces] == ["", "not kept"]


def told(view: Any) -> Any:
    """Each side, and what is said of it."""
    return [(place.name, place.note) for place in view.places]


def test_whoever_could_roll_for_a_side_is_offered_with_their_dice(world: FenWorld, do: Do) -> None:
    world = do(do(world, EnterScene("bank")), BeginFight())
    offered = {o.label: o.note for o in view_of("table", world).prompt.options}
    assert (offered["Wren"], offered["Teal"], offered["Wight"]) == ("dodge 1d4+1d8", "notice 3d6", "notice 1d6")
    world = do(world, Stand("wren", "notice"))
    assert "● Wren" in {o.label for o in view_of("table", world).prompt.options}


def test_who_has_rolled_is_told_until_the_rotation_begins_anew(world: FenWorld, do: Do) -> None:
    def marks(word: str) -> dict[str, str]:
        return {p.id: mark for p in view_of("table", world).people for mark in p.marks if mark.startswith(word)}

    world = do(do(world, EnterScene("bank")), BeginFight())
    world = do(do(world, Stand("wren", "dodge")), Stand("wight", "notice"))
    assert marks("rolls") == {"wren": "rolls for the heroes", "wight": "rolls for the foes"}
    world = do(world, RollInitiative(), 2, 2, 4)
    assert marks("rolled") == {"wren": "rolled for the heroes", "wight": "rolled for the foes"}
    assert told(ENGINE.view("table", world)) == [("heroes", "Wren dodge 4; a tie"), ("foes", "Wight notice 4; a tie")]
    while world.now.turns.round == 1:
        world = do(world, NextTurn())
    assert ("heroes", "next Teal; before: Wren") in told(view_of("table", world))
    assert marks("rolled") == {"wren": "rolled initiative before", "wight": "rolled initiative before"}


def test_a_scene_with_a_surprise_can_begin_without_it(world: FenWorld, do: Do) -> None:
    world = do(world, EnterScene("ford"))
    view = view_of("table", world)
    assert view.prompt is None, "nobody must answer"
    first, second = view.acts[:2]
    assert (first.label, first.note) == ("begin the fight", "heroes surprised")
    assert second.label == "begin it, nobody surprised"
    assert do(world, first.action).now.rounds.surprised == ("heroes",)
    assert do(world, second.action).now.rounds.surprised == ()
    assert not {first, second} & set(strip(view).acts), "what is prepared is the GM's"


def test_the_table_says_who_stands_up_for_each_side(world: FenWorld, do: Do) -> None:
    world = do(do(world, EnterScene("bank")), BeginFight())
    view = view_of("table", world)
    assert view.banner == "Who rolls initiative?"
    assert view.prompt.options[0].action == RollInitiative()
    for option in view.prompt.options:
        check(option.action, world)
    world = do(do(world, Stand("wren", "dodge")), Stand("wight", "notice"))
    assert ("heroes", "Wren with dodge") in told(ENGINE.view("table", world))
    world = do(world, RollInitiative(), 2, 3, 4)
    view = view_of("table", world)
    assert ("heroes", "Wren dodge 5") in told(view)
    assert view.banner == "The heroes act"
    assert [o.action for o in view.prompt.options] == [NextTurn("teal"), NextTurn("wren")]
    assert [h.total for h in view.hands] == ["5", "4"]


def test_the_scene_is_told_and_its_secret_is_the_gms(world: FenWorld, do: Do) -> None:
    ford = msgspec.structs.replace(world.scenes["ford"], about="cold water", secret="a rope is cut")
    world = do(msgspec.structs.replace(world, scenes={"ford": ford}), EnterScene("ford"))
    view = view_of("table", world)
    assert (view.about, view.secret_about) == ("cold water", "a rope is cut")
    assert (strip(view).about, strip(view).secret_about) == ("cold water", "")


def test_the_table_says_who_is_surprised(world: FenWorld, do: Do) -> None:
    world = do(do(world, EnterScene("ford")), BeginFight())
    world = do(world, RollInitiative())
    view = view_of("table", world)
    assert tuple(fact.text for fact in view.facts) == ("round 1",)
    assert told(view) == [("foes", "–"), ("heroes", "surprised, no turn")]
    assert [p.tone for p in view.places] == ["good", "warn"], "who acts, and who cannot"
    assert {p.id for p in view.people if p.may_go} == {"wight", "thief", "second"}


def test_hidden_dice_are_not_in_the_rows_that_players_see(world: FenWorld, do: Do) -> None:
    world = do(do(world, Open("ford/sneak")), RollContest(), 2, 3, 5, 3, 2)
    assert [p.total for p in view_of("contest", world).parties] == ["5", "", "", ""]


def test_numbers_of_the_gms_characters_are_secret_notes(world: FenWorld, do: Do) -> None:
    world = do(do(world, Hurt("wight", 4)), Heal("wren", temporary=3))
    people = {p.id: p for p in view_of("table", world).people}
    assert (people["wren"].note, people["wren"].secret_note) == ("14/14", "")
    assert "+3 temporary" in [status.what for status in people["wren"].conditions]
    assert (people["wight"].note, people["wight"].secret_note) == ("hurt", "5/9")
    # whom the GM has prepared is nobody's business until they stand on the table
    assert "wight" not in {p.id for p in strip(ENGINE.view("table", world)).people}


def test_the_last_attack_lies_on_the_table(world: FenWorld, do: Do) -> None:
    world = do(world, Attack("wight", "claws", "wren"), 3, 5, 4, 1, 1)
    view = view_of("table", world)
    assert (view.outcome.title, view.outcome.tone) == ("7 through", "bad")
    assert view.outcome.detail == "Wren 7/14 HP, shield 2 left, armour 1 left"
    assert view.outcome.next == "Wight 12 against Wren's 2"
    world = do(world, Attack("wren", "spear", "wight"), 5, 3, 3, 2)
    outcome = view_of("table", world).outcome
    assert (outcome.title, outcome.detail) == ("through", "Wight is down"), "how much is the GM's"


CLAWS = Attack("wight", "claws", "wren")


@pytest.mark.parametrize(
    ("blow", "faces", "title", "detail"),
    [
        (CLAWS, (3, 5, 4, 1, 1), "8 through", "Wren is down, shield 2 left, armour broken"),
        (CLAWS, (1, 1, 2, 1, 1), "stopped", "Wren 6/14 HP, shield 2 left, armour 1 left"),
        (CLAWS, (1, 1, 2, 3, 3), "dodged", "Wight 4 against Wren's 6"),
        (Attack("wren", "unarmed", "wight"), (1, 3, 2), "through", "Wight is hurt"),
    ],
)
def test_the_result_of_an_attack_says_first_how_it_left_whom_it_struck(
    world: FenWorld, do: Do, blow: Any, faces: Any, title: str, detail: str
) -> None:
    worn = msgspec.structs.replace(person(world, "wren"), hp=6, guards={"armour": 1})
    world = do(world.live(people={**world.now.people, "wren": worn}), blow, *faces)
    outcome = view_of("table", world).outcome
    assert (outcome.title, outcome.detail) == (title, detail)


def test_of_somebody_who_hides_since_they_were_struck_nothing_more_is_said(world: FenWorld, do: Do) -> None:
    world = do(do(world, BeginFight()), Attack("wren", "spear", "wight", "nothing"), 1, 1, 1, 1)
    assert view_of("table", world).outcome.detail == "Wight is hurt"
    assert view_of("table", do(world, Hide("wight"))).outcome.detail == "Wren 3 against Wight's 1"


def test_a_sheet_explains_its_numbers(world: FenWorld, do: Do) -> None:
    view = view_of("sheet", do(world, Modify("wren", fewer=1)), "wren")
    wounds = next(c for c in view.counters if c.name == "wounds")
    assert (wounds.most, wounds.note) == (4, "ends at 4, half vigor's d8")
    titles = [s.title for s in view.sections]
    assert titles == ["skills", "weapons", "shield and armour", "dice"]
    spear = view.sections[1].lines[0]
    assert (spear.value, spear.because) == ("1d6 + 2d8", "with fight")
    assert ENGINE.view("sheet", world, "nobody") is None


def test_every_closed_offer_says_why(world: FenWorld) -> None:
    for offer in offers(ENGINE.actions, world):
        assert offer.help
        if offer.closed:
            assert len(offer.closed) > 5


def pressable(view: Any) -> Any:
    """Every option of a view that is not closed."""
    found = [*(view.prompt.options if view.prompt else ()), *getattr(view, "open", ())]
    found += [add for party in getattr(view, "parties", ()) for add in party.adds]
    actions = [option.action for option in found if not option.closed]
    actions += [bid.remove for party in getattr(view, "parties", ()) for bid in party.bids if bid.remove]
    roll = getattr(view, "roll", None)
    return [*actions, *([roll] if roll and not view.roll_closed else [])]


@pytest.mark.parametrize("seed", range(800, 800 + level.many(6, 30, 300)))
def test_nothing_is_offered_that_is_then_refused(table: Make, seed: int) -> None:
    for _, _, _, world in play(ENGINE, table(), seed, steps=40):
        for kind in ("table", "contest"):
            for action in pressable(ENGINE.view(kind, world)):
                check(action, world)
                action.resolve(world, Dice((), roller("offered", seed)))


def test_a_side_that_is_down_as_a_whole_is_said_and_the_fight_can_end_at_once(world: FenWorld, do: Do) -> None:
    world = do(do(do(world, EnterScene("bank")), BeginFight()), RollInitiative(), 1, 2, 3, 5)
    world = do(do(do(world, NextTurn()), Hurt("wight", 99)), Hurt("thief", 99))
    assert view_of("table", world).prompt is None, "one of them stands"
    world = do(world, Hurt("second", 99))
    prompt = view_of("table", world).prompt
    assert prompt.text == "None of the foes is left standing."
    assert [o.label for o in prompt.options] == ["end the fight", "go on"]
    assert not EndFight.warns(world), "nobody asks whether it is over"
    assert strip(view_of("table", world)).prompt is None, "whoever is up is asked what they do"


def test_players_read_the_same_of_a_side_that_is_down_whoever_of_it_hides(world: FenWorld, do: Do) -> None:
    world = do(do(do(world, EnterScene("bank")), BeginFight()), RollInitiative(), 1, 2, 3, 5)
    world = do(do(do(do(world, NextTurn()), Hide("wight")), Hurt("thief", 99)), Hurt("second", 99))
    assert view_of("table", world).prompt is None, "the wight stands unseen"
    down = do(world, Hurt("wight", 99))
    assert view_of("table", down).prompt is not None
    assert strip(view_of("table", world)).prompt == strip(view_of("table", down)).prompt


def test_each_thing_that_is_done_to_dice_is_taken_out_by_itself(world: FenWorld, do: Do) -> None:
    world = do(world, Open("ford/plea"))
    for change in ({"additional": 2}, {"fewer": 1}, {"doubled": True}):
        world = do(world, Modify("teal", throw="contest", **change))

    def lines() -> dict[str, Any]:
        return {b.source: b.remove for b in view_of("contest", world).parties[0].bids}

    assert [*lines()] == ["articulate", "doubled", "2 more dice", "one die fewer", "what falls"]
    world = do(world, lines()["one die fewer"])
    assert [*lines()] == ["articulate", "doubled", "2 more dice", "what falls"]
    world = do(world, lines()["2 more dice"])
    world = do(world, lines()["doubled"])
    assert [*lines()] == ["articulate"]


def test_the_dice_beside_an_attacks_result_are_the_attacks(world: FenWorld, do: Do) -> None:
    world = do(do(do(world, EnterScene("bank")), BeginFight()), RollInitiative(), 1, 2, 3, 5)
    assert all(":" in hand.who for hand in view_of("table", world).hands), "who rolled for which side"
    world = do(world, Attack("wren", "spear", "wight", "reaction"), 5, 3, 3, 2)
    view = view_of("table", world)
    assert view.outcome is not None
    assert [hand.who for hand in view.hands] == ["Wren, spear", "Wight, dodge"]
