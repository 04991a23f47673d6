"""The sample games of this engine at the table, as a game master meets them."""

from __future__ import annotations

import playing
from brews import rules_of

from tabletop_tui.engines.homebrew.mentions import is_nobodys
from tabletop_tui.engines.homebrew.options import Use
from tabletop_tui.engines.homebrew.rolls import Roll
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
