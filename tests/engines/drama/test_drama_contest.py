"""The social contest, from opening it to the second round, with typed dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from drama_abbey import abbey, do, fresh, table
from msgspec.structs import replace

from tabletop_tui.conformance import check_odds, check_secrets
from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.campaign import DramaRules, DramaSheet, LineKind, LinePlan, Skill
from tabletop_tui.engines.drama.contest import CloseContest, GoOn, NewContest, OpenContest, RollContest
from tabletop_tui.engines.drama.contest_lines import (
    AddLine,
    Argue,
    GiveDrama,
    HideLine,
    ShowLines,
    Stake,
    StandBy,
    StrikeLine,
    WorkFor,
)
from tabletop_tui.engines.drama.contest_pools import kinds, line_texts, plan_closed
from tabletop_tui.engines.drama.momentum import NameAdvantage, pair_of
from tabletop_tui.engines.drama.opposed import Oppose
from tabletop_tui.engines.drama.penalties import GainPenalty
from tabletop_tui.engines.drama.world import DramaNow, DramaWorld, Party
from tabletop_tui.kit.common import Retire
from tabletop_tui.kit.seen import unseen
from tabletop_tui.rules import Action, ContestView, DiceNeeded, Refused, check, choices, fields, shaped, strip
from tabletop_tui.session.verify import verify


def opened(**rules: Any) -> DramaWorld:
    return do(abbey(**rules), OpenContest("the-parlour/ledger"))


def view_of(world: DramaWorld) -> ContestView:
    view = ENGINE.view("contest", world)
    assert isinstance(view, ContestView)
    return view


def party(world: DramaWorld, who: str) -> Party:
    assert world.now.contest is not None
    return world.now.contest.parties[who]


def test_two_rounds_with_typed_dice_through_the_table() -> None:
    play = table(abbey())
    play.do(OpenContest("the-parlour/ledger"))
    play.do(Argue("joan", "Courtesy"))
    play.do(AddLine("joan", "fact", "the seal is broken"))
    play.do(GiveDrama("william", "joan", "he coughs at the right moment"))
    with pytest.raises(DiceNeeded) as needed:
        play.do(RollContest(), [6, 5, 5, 3, 2, 1, 6], roll=False)
    assert needed.value.why == "Joan: a drama 6 rolls on"
    play.do(RollContest(), [6, 5, 5, 3, 2, 1, 6, 4, 6, 5, 4, 3, 2, 2, 1], roll=False)

    view = view_of(play.world)
    assert "6→4" in [f.text for f in view.hands[0].faces]
    assert [h.total for h in view.hands] == ["net 5", "net 2"]
    assert view.outcome is not None
    assert view.outcome.title == "Joan wins by 3"
    assert view.outcome.detail == ("Prior Hugh: 3 penalty dice (discombobulated); Composure 6 → 3; momentum: Joan")
    assert view.outcome.next == "Joan gets: to see the ledger. Prior Hugh loses: the key to the chest"

    play.do(GoOn())
    assert view_of(play.world).facts[0].text == "round 2"
    with pytest.raises(Refused, match="used in round 1"):
        play.do(Argue("joan", "Courtesy"))
    with pytest.raises(Refused, match="used 'The seal is BROKEN' in round 1"):
        play.do(AddLine("joan", "character", "The seal is BROKEN"))
    play.do(Argue("joan", "Insight"))
    play.do(AddLine("joan", "bond", "he owes my father"))
    play.do(AddLine("joan", "passion", "justice", 2))
    marks = view_of(play.world).parties[0].marks
    assert marks == ("used: Courtesy (round 1)", "used: the seal is broken (round 1)")
    play.do(RollContest(), [5, 5, 6, 1, 2, 3, 1, 2, 5, 6, 3, 4, 5, 6], roll=False)

    after = view_of(play.world)
    assert after.outcome is not None
    assert after.outcome.title == "a draw, and it is Joan's"
    assert "won the last round" in after.outcome.because
    assert play.world.now.people["joan"].carried == 1, "a drama 1 costs a penalty die"
    assert play.world.now.people["hugh"].carried == 4
    assert play.world.now.people["hugh"].composure == 2

    verdict = verify(ENGINE, play.header, play.timeline.entries)
    assert not verdict.wrong
    assert verdict.typed == verdict.dice == 29


def test_neither_at_two_leaves_everything_where_it_is() -> None:
    world = do(do(opened(), Argue("joan", "Insight")), RollContest(), *[1] * 5, *[1] * 7)
    assert world.now.people == {}
    view = view_of(world)
    assert view.outcome is not None
    assert view.outcome.title == "neither Joan nor Prior Hugh gets there"


def test_a_players_marginal_result_offers_its_price() -> None:
    world = do(do(opened(), Argue("joan", "Insight")), RollContest(), *[6, 1, 1, 1, 1], *[1] * 7)
    prompt = view_of(world).prompt
    assert prompt is not None
    assert [o.label for o in prompt.options] == ["let it stand", "Joan pays: 1 penalty die"]
    paid = do(world, prompt.options[1].action)
    assert paid.now.contest is not None
    assert paid.now.contest.momentum == "joan"


def test_role_play_brings_at_most_as_many_dice_as_attribute_and_skill() -> None:
    world = do(do(opened(), Argue("joan", "Insight")), AddLine("joan", "fact", "one", 5))
    meter = view_of(world).parties[0].meter
    assert meter is not None
    assert (meter.value, meter.most, meter.tone) == (5, 5, "warn")
    with pytest.raises(Refused, match="role-play has brought all it may"):
        do(world, AddLine("joan", "risk", "a slap"))
    with pytest.raises(Refused, match="Take a line out"):
        do(do(opened(), Argue("joan", "Insight")), AddLine("joan", "fact", "one", 6))
    assert do(do(opened(narrative_cap="none"), Argue("joan", "Insight")), AddLine("joan", "fact", "one", 6))


def test_a_sixth_kind_of_line_is_data() -> None:
    world = opened(lines={"omen": {"label": "an omen", "dice": "drama"}})
    assert world.rules.lines == {"omen": LineKind("an omen", "drama")}
    view = view_of(do(world, AddLine("joan", "omen", "a raven", 2)))
    assert ("an omen: a raven", "2 drama") in [(b.source, b.dice) for b in view.parties[0].bids]


def test_lines_can_be_taken_out_again_by_the_action_on_them() -> None:
    world = do(opened(), AddLine("joan", "place", "the whole chapter listens"))
    remove = view_of(world).parties[0].bids[1].remove
    assert remove == StrikeLine("joan", "line-1")
    assert not party(do(world, remove), "joan").lines


def test_everybody_gives_one_drama_die_a_round() -> None:
    world = do(opened(), GiveDrama("william", "joan", "a cough"))
    with pytest.raises(Refused, match="has given"):
        check(GiveDrama("william", "hugh", "another"), world)
    two = do(opened(drama_dice_each=2), GiveDrama("william", "joan", "a cough"))
    again = do(two, GiveDrama("william", "joan", "a stare"))
    assert party(again, "joan").gifts["william"].dice == 2
    with pytest.raises(Refused, match="needs a reason"):
        do(opened(), GiveDrama("william", "joan", " "))


def test_a_drama_point_on_an_advantage_serves_once_in_a_contest() -> None:
    point = Stake("joan", "advantage:The bishop's letter")
    world = do(do(opened(), Argue("joan", "Insight")), point)
    world = do(world, RollContest(), *[1] * 5, 2, 2, 2, *[1] * 7)
    assert world.now.people["joan"].drama_points == 1
    with pytest.raises(Refused, match="in round 1"):
        do(do(world, GoOn()), point)


def test_an_unprepared_contest_needs_a_goal() -> None:
    with pytest.raises(Refused, match="needs a goal"):
        do(abbey(), NewContest("joan", "porter", " "))
    world = do(abbey(), NewContest("joan", "porter", "a bed for the night", their_wants="sleep"))
    assert view_of(world).title == "Joan and The porter"
    assert view_of(world).roll_closed == "Joan has not chosen a skill"


def test_momentum_is_told_before_the_first_roll() -> None:
    world = do(opened(), Argue("joan", "Insight"))
    assert view_of(world).facts[1].text == "momentum: level, the GM picks"
    world = do(world, NameAdvantage("hugh", "his own parlour"))
    assert view_of(world).facts[1].text == "momentum: Prior Hugh (an advantage that the GM named)"


def test_others_lend_a_hand_and_their_attribute_joins_the_pool() -> None:
    world = do(do(opened(), Argue("joan", "Insight")), StandBy("edmund", "joan"))
    bid = next(b for b in view_of(world).parties[0].bids if "lends a hand" in b.source)
    assert (bid.source, bid.dice) == ("Brother Edmund lends a hand: Social", "2 base")
    assert view_of(world).parties[0].total == "7 base"
    meter = view_of(world).parties[0].meter
    assert meter is not None
    assert (meter.value, meter.most) == (0, 5), "a hand is neither role-play nor the cap of it"
    with pytest.raises(Refused, match="stands by Joan"):
        check(StandBy("edmund", "hugh"), world)
    with pytest.raises(Refused):
        check(StandBy("hugh", "joan"), world)
    rolled = do(world, RollContest(), *[1] * 7, *[1] * 7)
    assert rolled.now.roll is not None
    assert rolled.now.roll.sides["joan"].count("base") == 7
    assert not party(do(rolled, GoOn()), "joan").hands, "in each round anew"


def test_in_a_test_of_the_attribute_alone_a_hand_counts_twice() -> None:
    world = do(do(opened(), Argue("joan", "Social")), StandBy("edmund", "joan"))
    assert view_of(world).parties[0].total == "10 base"


def test_a_hand_of_somebody_who_broke_meanwhile_stops_the_roll_with_a_sentence() -> None:
    world = do(do(opened(), Argue("joan", "Insight")), StandBy("edmund", "joan"))
    world = do(world, GainPenalty("edmund", "despair", 10))
    assert "Brother Edmund is" in view_of(world).roll_closed
    assert RollContest.when(world) == view_of(world).roll_closed
    assert do(world, StrikeLine("joan", "hand:edmund")) is not None
    assert not view_of(do(world, StrikeLine("joan", "hand:edmund"))).roll_closed


@pytest.mark.parametrize(
    ("put", "dice"),
    [
        (GiveDrama("william", "joan", "a cough"), "1 drama"),
        (StandBy("william", "joan"), "2 base"),
        (Stake("joan", "plain"), "1 drama"),
        (AddLine("joan", "fact", "the seal"), "1 base"),
    ],
)
def test_whatever_was_put_in_can_be_taken_out_by_the_line_itself(put: Action, dice: str) -> None:
    before = do(opened(), Argue("joan", "Insight"))
    world = do(before, put)
    bid = next(b for b in view_of(world).parties[0].bids if b.remove)
    assert bid.dice == dice
    assert bid.remove is not None
    check(bid.remove, world)
    assert do(world, bid.remove).now.contest == before.now.contest


def test_a_penalty_that_helps_for_once_can_be_a_penalty_again() -> None:
    world = do(do(opened(), Argue("joan", "Insight")), GainPenalty("joan", "drink", 2))
    turned = do(world, Stake("joan", turned="penalty-1"))
    bid = next(b for b in view_of(turned).parties[0].bids if b.remove)
    assert (bid.source, bid.dice) == ("drink, for once a help", "2 drama")
    assert bid.remove is not None
    assert do(turned, bid.remove).now.contest == world.now.contest


@pytest.mark.parametrize("momentum", ["", "joan", "hugh"])
def test_what_a_line_would_do_is_what_it_does(momentum: str) -> None:
    """Beside each addition stands what it adds to the chance of winning, draws of the party's own included."""
    world = do(do(opened(), ShowLines()), Argue("joan", "Insight"))
    world = world.live(won={pair_of("joan", "hugh"): momentum} if momentum else {})
    for who, name in (("joan", "Joan"), ("hugh", "Prior Hugh")):
        place = 0 if who == "joan" else 1
        mine = (f"{name} wins", f"draw ({name} by momentum)")
        now = hoped(world, mine)
        for option in view_of(world).parties[place].adds:
            action = option.action
            if not isinstance(action, AddLine):
                continue
            chance = hoped(do(world, replace(action, text=action.text or "words")), mine)
            told = f", {'−' if chance < now else '+'}{abs(round((chance - now) * 100))}"
            assert (option.secret_note or option.note).endswith(told), (who, option)


def hoped(world: DramaWorld, labels: Sequence[str]) -> float:
    """The chance of some outcomes of a contest."""
    odds = ENGINE.odds(world, RollContest())
    assert odds is not None
    return sum(c.chance for c in odds.groups[0].chances if c.label in labels)


def test_role_play_that_is_full_says_so_on_each_line() -> None:
    world = do(do(opened(), Argue("joan", "Insight")), AddLine("joan", "fact", "one", 5))
    lines = [o for o in view_of(world).parties[0].adds if isinstance(o.action, AddLine)]
    assert lines
    assert {o.closed for o in lines} == {"role-play has brought all it may"}


def test_a_digit_that_means_a_line_goes_on_meaning_it() -> None:
    world = do(opened(), Argue("joan", "Insight"))
    before = [(o.key, o.label) for o in view_of(world).parties[0].adds]
    after = view_of(do(world, AddLine("joan", "passion", "justice", 2))).parties[0].adds
    assert [(o.key, o.label) for o in after] == before
    assert [o.closed for o in after if o.label == "passion: justice"] == ["in the pool"]


def test_a_skill_of_an_earlier_round_is_closed_with_its_round() -> None:
    world = do(do(opened(), Argue("joan", "Insight")), RollContest(), *[1] * 5, *[1] * 7)
    adds = view_of(do(world, GoOn())).parties[0].adds
    assert [o.closed for o in adds if o.action == Argue("joan", "Insight")] == ["used in round 1"]
    assert not view_of(world).parties[0].adds, "nothing is put in once the dice have fallen"


# ---- what is hidden


def test_hidden_lines_are_seen_by_the_gm_alone_until_they_are_shown() -> None:
    world = do(opened(), Argue("joan", "Insight"))
    view = view_of(world)
    assert view.odds_secret
    assert "his parlour, his rules" in str(view)
    assert "his parlour, his rules" not in str(strip(view))
    odds = ENGINE.odds(world, RollContest())
    assert odds is not None
    assert odds.secret
    assert "his parlour, his rules" in str(strip(view_of(do(world, ShowLines()))))
    assert view_of(do(world, ShowLines())).odds_secret, "what Hugh can do is the GM's, unless the campaign opens it"
    shown = do(replace(world, rules=replace(world.rules, open_npcs=True)), ShowLines())
    assert not view_of(shown).odds_secret
    kinds = [o.note for o in view_of(shown).parties[0].adds if o.key.isdigit()]
    assert kinds
    assert all(", +" in note for note in kinds), "what one more line would do"
    assert not any(", +" in o.note for o in strip(view).parties[0].adds), "nor while something is hidden"
    assert any(", +" in o.secret_note for o in view.parties[0].adds), "but the GM knows"


def test_hidden_lines_are_whispered_and_told_at_the_roll() -> None:
    play = table(abbey())
    play.do(OpenContest("the-parlour/ledger"))
    play.do(Argue("joan", "Insight"))
    entry = play.do(AddLine("joan", "risk", "a bluff", 2, hidden=True))
    assert entry.said == ("Joan holds something back",)
    assert "a bluff" in entry.whispered[0]
    told = play.do(RollContest())
    assert told.said[0].startswith("Shown: Joan: bold risk: a bluff (2)")


def test_hidden_lines_are_shown_only_after_a_question() -> None:
    world = do(opened(), AddLine("joan", "fact", "the seal", hidden=True))
    assert ShowLines.warns(world) == "2 hidden lines are shown to everybody. Show them?", "one was prepared"
    assert ShowLines.warns(do(world, ShowLines())) == ""


@pytest.mark.parametrize("dice", [1, 3])
@pytest.mark.parametrize("kind", ["fact", "risk"])
def test_worlds_that_differ_in_hidden_lines_look_the_same_to_players(dice: int, kind: str) -> None:
    world = do(opened(), Argue("joan", "Insight"))
    mine = do(world, AddLine("joan", "place", "a full church", 1, hidden=True))
    twin = do(
        do(world, AddLine("joan", kind, "a forged seal", dice, hidden=True)), AddLine("hugh", kind, "x", dice, True)
    )
    for step in (AddLine("joan", "bond", "an old debt"), GiveDrama("william", "joan", "a cough")):
        mine, twin = do(mine, step), do(twin, step)
    check_secrets(ENGINE, mine, twin)


def test_an_open_line_can_be_hidden_again() -> None:
    world = do(opened(), AddLine("joan", "bond", "an old debt"))
    hidden = do(world, HideLine("joan", "line-1"))
    assert list(party(hidden, "joan").lines) == ["hidden-1"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (AddLine("joan", "fact", "x", -3), "dice -3 is out of range"),
        (AddLine("joan", "fact", "x", 1000), "dice 1000 is out of range"),
        (AddLine("joan", "fcat", "x"), "kind cannot be 'fcat'. Did you mean 'fact'"),
        (AddLine("joan", "fact", "  "), "a line needs words"),
        (AddLine("joan", "passion", "justise"), "text cannot be 'justise'. Did you mean 'justice'"),
        (AddLine("joan", "passion", "justice", 3), "worth 2 dice, not 3"),
        (AddLine("john", "fact", "x"), "party cannot be 'john'. Did you mean 'joan'"),
        (Argue("joan", "Juggling"), "using cannot be 'Juggling'"),
    ],
)
def test_bad_input_is_answered_with_a_sentence(line: AddLine | Argue, sentence: str) -> None:
    play = table(opened())
    with pytest.raises(Refused) as refused:
        play.do(line)
    assert sentence in str(refused.value)


def test_a_line_that_is_a_passion_is_chosen_from_the_sheet() -> None:
    world = opened()
    assert [c.value for c in line_texts(world, {"party": "joan", "kind": "passion"})] == ["justice"]
    assert not line_texts(world, {"party": "joan", "kind": "fact"})
    none = replace(world, sheets={**world.sheets, "joan": replace(world.sheets["joan"], passions={})})
    assert {c.value: c.closed for c in kinds(none, {"party": "joan"}) if c.closed} == {
        "passion": "no passion on the sheet"
    }


def test_whoever_argued_in_everybodys_sight_stays_known_when_the_contest_is_closed() -> None:
    assert unseen(fresh(), "hugh")
    world = do(opened(), CloseContest())
    assert world.now.met == ("hugh",)
    assert not unseen(world, "hugh")


def test_a_round_is_not_rolled_before_both_have_said_what_with() -> None:
    assert RollContest.when(opened()) == "Joan has not chosen a skill"
    assert not RollContest.when(do(opened(), Argue("joan", "Insight")))


def test_parties_of_one_name_are_told_apart() -> None:
    world = abbey()
    sheets = {**world.sheets, "second": replace(world.sheets["porter"])}
    world = do(replace(world, sheets=sheets), NewContest("porter", "second", "the blanket"))
    names = [p.name for p in view_of(world).parties]
    assert names == ["The porter", "The porter (2)"]
    odds = ENGINE.odds(world, RollContest())
    assert odds is not None
    assert len({c.label for c in odds.groups[0].chances}) == 4


# ---- lines before the skill


def test_lines_may_come_before_the_skill_and_those_above_the_cap_wait() -> None:
    world = do(do(opened(), AddLine("joan", "fact", "four loaves", 4)), AddLine("joan", "bond", "his sister", 2))
    world = do(world, AddLine("joan", "place", "a full church"))
    assert "waits" not in str(view_of(world).parties[0].bids), "there is no cap before the skill"
    weak = do(world, Argue("joan", "Bargaining"))
    waiting = [b.source for b in view_of(weak).parties[0].bids if b.note == "the skill has no room for it"]
    assert waiting == ["waits: bond: his sister", "waits: place or company: a full church"]
    assert view_of(weak).parties[0].total == "8 base"
    strong = do(world, Argue("joan", "Letters", "Mental"))
    assert view_of(strong).parties[0].total == "12 base", "six more, and one waits"
    meter = view_of(strong).parties[0].meter
    assert meter is not None
    assert (meter.value, meter.most) == (6, 6)


def test_a_line_that_waited_is_not_used_up_and_is_there_in_the_next_round() -> None:
    world = do(do(opened(), AddLine("joan", "fact", "four loaves", 4)), AddLine("joan", "bond", "his sister"))
    world = do(world, Argue("joan", "Bargaining"))
    rolled = do(world, RollContest(), *[1] * 8, *[1] * 7)
    assert set(party(rolled, "joan").used) == {"Bargaining", "four loaves"}
    again = do(rolled, GoOn())
    assert [line.text for line in party(again, "joan").lines.values()] == ["his sister"]
    assert not party(again, "joan").kept


def test_an_open_line_never_waits_because_of_a_hidden_one() -> None:
    world = do(do(opened(), Argue("joan", "Bargaining")), AddLine("joan", "fact", "a forged seal", 4, hidden=True))
    both = do(world, AddLine("joan", "bond", "his sister", 1))
    notes = {b.source: b.note for b in view_of(both).parties[0].bids}
    assert notes["bond: his sister"] == ""
    assert notes["waits: fact or leverage: a forged seal"] == "the skill has no room for it"


def test_a_prepared_contest_over_its_cap_is_a_problem() -> None:
    world = abbey()
    scene = world.scenes["the-parlour"]
    plan = scene.contests["ledger"]
    lines = (LinePlan("fact", "the seal", 4), LinePlan("place", "his parlour", 3))
    over = replace(scene, contests={"ledger": replace(plan, second=replace(plan.second, lines=lines))})
    (found,) = ENGINE.problems(replace(world, scenes={**world.scenes, "the-parlour": over}))
    assert found.path == ("scenes", "the-parlour", "contests", "ledger", "second", "lines")
    assert found.what == "the lines bring 7 dice, and Prior Hugh has room for 6"
    assert found.warning, "play can go on: the line waits"


# ---- working together


def test_somebody_works_together_with_a_party_and_their_nets_add_up() -> None:
    world = do(do(opened(), Argue("joan", "Insight")), WorkFor("william", "joan", "Awareness"))
    bid = next(b for b in view_of(world).parties[0].bids if "rolls too" in b.source)
    assert (bid.source, bid.dice) == ("William rolls too: Awareness", "4 base")
    assert bid.remove == StrikeLine("joan", "work:william")
    assert not party(do(world, bid.remove), "joan").crew
    rolled = do(world, RollContest(), *[6, 1, 1, 1, 1], *[6, 6, 1, 1, 1, 1, 1], *[6, 6, 1, 1])
    assert rolled.now.roll is not None
    assert rolled.now.roll.verdicts["joan"].winner == "joan", "one and two against two"
    with pytest.raises(Refused, match="stands by Joan"):
        check(StandBy("william", "hugh"), world)


def test_the_odds_of_a_contest_with_somebody_who_works_together_equal_the_walk() -> None:
    names = (("a", "Ann", "Ana"), ("b", "Bo", ""), ("c", "Cy", "Cleo"))
    wits = {"Wits": Skill(0, "Social")}
    sheets = {w: DramaSheet(n, p, attributes={"Social": 1}, skills=wits) for w, n, p in names}
    world = DramaWorld(DramaRules(), DramaNow(), sheets)
    for step in (
        NewContest("a", "b", "the last word"),
        Argue("a", "Wits"),
        Argue("b", "Wits"),
        WorkFor("c", "a", "Wits"),
    ):
        world = do(world, step)
    check_odds(ENGINE, world, RollContest())


def test_momentum_between_two_is_the_same_in_a_contest_and_outside() -> None:
    won = do(abbey(), Oppose("joan", "Social", "hugh", "Social"), 6, 6, 1, 1, 1, 1, *[1] * 6)
    world = do(do(won, OpenContest("the-parlour/ledger")), Argue("joan", "Insight"))
    assert view_of(world).facts[1].text == "momentum: Joan (won the last round)"
    lost = do(world, RollContest(), *[1] * 5, *[6] * 7)
    assert lost.now.won == {"hugh/joan": "hugh"}


def test_a_contest_with_somebody_who_left_is_not_opened() -> None:
    plan = fresh().scenes["the-parlour"].contests["ledger"]
    assert plan_closed(fresh(), plan) == ""
    assert plan_closed(do(fresh(), Retire("hugh")), plan) == "Prior Hugh is not here"


def test_a_passion_is_chosen_from_the_sheet() -> None:
    world = opened()
    text = next(f for f in fields(AddLine) if f.name == "text")
    said = {"party": "joan", "kind": "passion"}
    shown = shaped(text, world, said)
    assert shown is not None
    assert not shown.ask.other
    assert [c.value for c in choices(shown, world, said)] == ["justice"]
