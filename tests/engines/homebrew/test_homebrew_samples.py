"""The sample games of this engine at the table, as a game master meets them."""

from __future__ import annotations

import playing
import pytest
from brews import rules_of

from tabletop_tui.conformance import check_odds
from tabletop_tui.engines.homebrew.mentions import is_nobodys
from tabletop_tui.engines.homebrew.options import Use
from tabletop_tui.engines.homebrew.rolls import Answer, Roll
from tabletop_tui.engines.homebrew.together import RollChallenge
from tabletop_tui.rules import Action, Odds, Option, Prompt, TableView, fields
from tabletop_tui.session import Table


def sample(name: str) -> Table:
    """The GM's table at the beginning of a sample's first evening."""
    (root,) = [path for path in playing.samples("homebrew") if path.name == name]
    return playing.table(root)


def view(table: Table) -> TableView:
    found = table.view("table")
    assert isinstance(found, TableView)
    return found


def prompt(table: Table) -> Prompt:
    found = view(table).prompt
    assert found is not None
    return found


def odds(table: Table, action: Action) -> Odds:
    found = table.odds(action)
    assert found is not None
    return found


def test_the_partys_resolve_is_offered_to_heroes_alone() -> None:
    table = sample("broken-causeway")
    playing.act(table, "roll roll=attack who=eel whom=hale stat=tail", (5,))
    assert view(table).prompt is None, "the eel has missed, and that is all"
    playing.act(table, "roll roll=attack who=hale whom=eel stat=axe", (2,))
    assert prompt(table).options[0].label == "Resolve: roll again"


def test_the_crews_coin_pays_for_nobody_elses_vices() -> None:
    table = sample("lamplighters")
    field = next(f for f in fields(Use) if f.name == "who")
    found = {c.value: c.closed for c in table.choices(Use, field, {"option": "indulge"})}
    assert found == {"marchetta": "", "quill": "", "sable": "", "warden-holt": "only when hero"}


def deed(table: Table, label: str) -> Option:
    return next(option for option in view(table).acts if option.label == label)


def test_what_whoever_is_up_has_used_up_is_closed_on_their_turn_and_open_on_the_next() -> None:
    table = sample("broken-causeway")
    playing.act(table, "begin who=wick,orla,eel", (18, 10, 2))
    playing.act(table, "use option=breather who=wick", (3,))
    assert deed(table, "Catch your breath").closed == "1 a scene is the limit"
    playing.act(table, "next")
    assert deed(table, "Catch your breath").closed == "", "it is Orla's turn"
    playing.act(table, "end")
    assert deed(table, "Catch your breath").closed == "", "somebody else can"


def test_a_player_finds_an_option_closed_while_it_is_to_whoever_is_up() -> None:
    (root,) = [path for path in playing.samples("homebrew") if path.name == "broken-causeway"]
    gm, lou = playing.seats(root, "Lou")
    playing.act(gm, "begin who=wick,orla,eel", (18, 10, 2))
    playing.act(gm, "use option=breather who=wick", (3,))
    lou.catch_up()
    assert deed(lou, "Catch your breath").closed == "1 a scene is the limit"


def whom(table: Table, kind: type[Action], **said: str) -> list[str]:
    """Whom something could be for, in the order in which the game says it."""
    field = next(f for f in fields(kind) if f.name == "whom")
    return [str(choice.value) for choice in table.choices(kind, field, said)]


def test_of_those_whom_something_helps_ones_own_side_stands_first() -> None:
    table = sample("broken-causeway")
    assert whom(table, Use, option="prayer", who="orla")[:2] == ["hale", "wick"]
    assert whom(table, Use, option="prayer", who="eel")[0] == "toll-man"
    assert whom(table, Roll, roll="attack", who="orla")[:2] == ["eel", "toll-man"]
    assert whom(sample("salt-road"), Roll, roll="aid", who="noor")[:2] == ["imre", "vesna"]


def said(table: Table) -> list[str]:
    """The log as this table reads it."""
    return [line for step in table.history() for line in step.said]


def test_a_foes_total_is_the_gms_in_the_log_and_beside_its_dice() -> None:
    (root,) = [path for path in playing.samples("homebrew") if path.name == "broken-causeway"]
    gm, sam = playing.seats(root, "Sam")
    playing.act(gm, "begin who=hale,eel", (18, 2))
    playing.act(gm, "roll roll=attack who=eel whom=hale stat=tail", (16, 3))
    sam.catch_up()
    assert said(gm)[-1] == "Causeway eel, Attack: 18", "whispered"
    assert "Causeway eel, Attack: hit" in said(sam)
    assert not any("18" in line for line in said(sam))
    shown, known = view(gm).outcome, view(sam).outcome
    assert shown is not None
    assert known is not None
    assert (shown.title, shown.secret_detail, shown.detail) == ("hit", "Attack: 18, by 3", "")
    assert (known.title, known.secret_detail, known.detail) == ("hit", "", "")


def test_by_how_much_a_hero_has_hit_a_foe_is_the_gms() -> None:
    (root,) = [path for path in playing.samples("homebrew") if path.name == "broken-causeway"]
    gm, sam = playing.seats(root, "Sam")
    playing.act(gm, "begin who=hale,eel", (18, 2))
    playing.act(gm, "roll roll=attack who=hale whom=eel stat=axe", (11, 3))
    sam.catch_up()
    shown, known = view(gm).outcome, view(sam).outcome
    assert shown is not None
    assert known is not None
    assert (shown.secret_detail, known.secret_detail, known.detail) == ("Attack: 15, by 3", "", "Attack: 15")
    assert "Hale, Attack: 15, hit" in said(sam)


def test_the_gms_own_roll_is_made_in_nobodys_name() -> None:
    (root,) = [path for path in playing.samples("homebrew") if path.name == "lamplighters"]
    gm, anna = playing.seats(root, "Anna")
    assert deed(gm, "Fortune").action == Roll("fortune", "gm")
    field = next(f for f in fields(Roll) if f.name == "who")
    assert [c.value for c in gm.choices(Roll, field, {"roll": "fortune"})] == ["gm", "warden-holt"]
    assert gm.choices(Roll, field, {"roll": "action"})[0].value == "marchetta"
    assert gm.odds(Roll("fortune", "gm", say=2)) is not None
    playing.act(gm, "roll roll=fortune who=gm say=2", (2, 5))
    anna.catch_up()
    for table in (gm, anna):
        assert said(table)[-2:] == ["The GM, Fortune: 2 5", "The GM, Fortune: 5, mixed"]
        assert [(hand.who, hand.total) for hand in view(table).hands] == [("The GM", "5")]


def test_a_roll_of_the_gms_that_looks_at_a_sheet_is_still_somebodys() -> None:
    rules = rules_of("""
    [stats.trait]
    names = ["hard"]
    [meters.harm]
    most = 3
    [rolls.fall]
    by = "gm"
    dice = "1d6"
    bands = [{ title = "hurt", does = { harm = 1 } }]
    [rolls.weigh]
    by = "gm"
    dice = "1d6 + hard"
    [rolls.luck]
    by = "gm"
    dice = "1d6"
    bands = [{ title = "on", does = { clock = 1 } }]
    """)
    assert [is_nobodys(rules, name) for name in ("fall", "weigh", "luck")] == [False, False, True]


def in_trouble(table: Table, who: str = "marchetta", stat: str = "sway", dice: int = 3) -> list[Option]:
    """What somebody may choose whose action went badly."""
    playing.act(table, f"roll roll=action who={who} stat={stat} say=risky say2=standard clock=-", (1, 2, 3)[:dice])
    return list(prompt(table).options)


def test_each_way_to_resist_tells_its_dice_its_price_and_its_chance_and_the_best_comes_first() -> None:
    table = sample("lamplighters")
    rows = in_trouble(table)
    assert [(row.label, row.note) for row in rows] == [
        ("Resist: will", "2d6 Stress −1…5"),
        ("Resist: body", "1d6 Stress 0…5"),
        ("Resist: mind", "2d6 low Stress 0…5"),
        ("Take it", "Harm +2"),
    ]
    hopes = [odds(table, row.action).hope for row in rows[:3]]
    assert hopes == pytest.approx([11 / 36, 1 / 6, 1 / 36])
    assert table.engine.policy(table.world) == rows[0].action
    for row in rows[:3]:
        check_odds(table.engine.inner, table.world, row.action)


def test_what_one_of_the_gms_own_could_resist_with_is_the_gms() -> None:
    (root,) = [path for path in playing.samples("homebrew") if path.name == "lamplighters"]
    gm, anna = playing.seats(root, "Anna")
    playing.act(gm, "scene scene=1-tallow-row")
    rows = in_trouble(gm, "warden-holt", "study", 2)
    assert [row.label for row in rows[:3]] == ["Resist: body", "Resist: mind", "Resist: will"]
    assert [bool(row.secret_note) for row in rows] == [True] * 4
    assert not any(row.note for row in rows)
    anna.catch_up()
    known = view(anna).prompt
    assert known is None or not any(row.note or row.secret_note for row in known.options)


def test_an_option_tells_its_dice_before_and_after_and_that_nothing_changed() -> None:
    table = sample("lamplighters")
    assert deed(table, "Indulge a vice").note == "Stress −1d6, Coin −1"
    playing.act(table, "use option=indulge who=marchetta", (4,))
    assert said(table) == ["Marchetta: Indulge a vice", "Coin 4 → 3", "Marchetta: Stress −1d6 = −4, stays 0"]
    playing.act(table, "adjust who=marchetta meter=stress by=6")
    playing.act(table, "use option=indulge who=marchetta", (2,))
    assert said(table)[-2:] == ["Marchetta: Stress −1d6 = −2", "Marchetta: Stress 6 → 4"]


def test_a_breath_at_full_hp_says_what_fell_and_that_it_changed_nothing() -> None:
    table = sample("broken-causeway")
    assert deed(table, "Bless somebody").note == "blessed"
    assert deed(table, "Catch your breath").note == "HP +1d8 + might"
    playing.act(table, "begin who=wick,eel", (18, 2))
    assert deed(table, "Catch your breath").note == "HP +1d8 + might", "it is true at every seat"
    assert deed(table, "Catch your breath").secret_note == "HP +1d8 + 1"
    playing.act(table, "use option=breather who=wick", (5,))
    assert said(table)[-2:] == ["Wick: Catch your breath", "Wick: HP 1d8 + 1 = 6, stays 19"]


def test_whose_wound_is_bound_and_who_is_blessed_stands_in_the_log() -> None:
    table = sample("salt-road")
    playing.act(table, "use option=bandage who=noor whom=imre")
    assert said(table) == ["Noor: Bind a wound, for Imre", "Imre: Harm stays 0"]
    table = sample("broken-causeway")
    playing.act(table, "use option=prayer who=orla whom=wick")
    assert said(table)[0] == "Orla: Bless somebody, for Wick"


def test_what_an_option_does_for_one_of_the_gms_own_is_whispered() -> None:
    (root,) = [path for path in playing.samples("homebrew") if path.name == "broken-causeway"]
    gm, sam = playing.seats(root, "Sam")
    playing.act(gm, "begin who=eel,hale", (18, 2))
    assert deed(gm, "Catch your breath").note == "HP +1d8 + might", "not with the eel's own might"
    playing.act(gm, "use option=breather who=eel", (5,))
    sam.catch_up()
    assert said(gm)[-1] == "Causeway eel: HP 1d8 + 2 = 7, stays 14"
    assert said(sam)[-1] == "Causeway eel: Catch your breath"


def test_chances_that_assume_a_point_of_resolve_stand_beside_those_without_it() -> None:
    table = sample("broken-causeway")
    strike = Roll("attack", "hale", whom="eel", stat="axe")
    check_odds(table.engine.inner, table.world, strike)
    with_it, without = odds(table, strike).groups
    assert without.name == "without Resolve"
    good = [sum(c.chance for c in group.chances if c.tone == "good") for group in (with_it, without)]
    assert good == pytest.approx([1 - 0.35 * 0.35, 0.65])


def test_without_a_point_to_spend_there_is_one_row_of_chances() -> None:
    table = sample("broken-causeway")
    playing.act(table, "adjust_shared meter=resolve by=-3")
    assert [group.name for group in odds(table, Roll("attack", "hale", whom="eel", stat="axe")).groups] == ["outcome"]
    assert len(odds(table, Roll("attack", "eel", whom="hale", stat="tail")).groups) == 1, "nobody pays for a foe"


def test_a_try_at_a_challenge_says_its_chances_without_resolve_too() -> None:
    table = sample("broken-causeway")
    playing.act(table, "open plan=1-the-first-gap/gap")
    playing.act(table, "lead who=hale stat=might stat2=climbing")
    check_odds(table.engine.inner, table.world, RollChallenge())
    assert "without Resolve" in [group.name for group in odds(table, RollChallenge()).groups]


def test_a_roll_that_helps_is_made_for_somebody_and_not_against_them() -> None:
    table = sample("salt-road")
    playing.act(table, "roll roll=aid who=noor whom=imre stat=hard say=helping", (6, 5))
    assert said(table)[0] == "Noor, Help or hinder (hard) for Imre: 6 5"
    aim = next(f for f in fields(Roll) if f.name == "whom")
    labels = [table.shaped(Roll, aim, {"roll": roll, "who": "noor"}) for roll in ("aid", "fight")]
    assert [field.label for field in labels if field] == ["for", "against"]


def test_an_answer_to_what_nobody_asks_has_no_chances() -> None:
    table = sample("lamplighters")
    assert table.odds(Answer("resist", "will")) is None
