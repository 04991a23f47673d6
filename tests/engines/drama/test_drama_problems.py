"""What a hand edit can break: each gets a path, a sentence and a remedy; and files that have none."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from drama_abbey import CAMPAIGN, abbey, do, table
from msgspec.structs import replace

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.campaign import ComplexPlan, Dimension, DramaRules, Skill
from tabletop_tui.engines.drama.challenge import MakeTest
from tabletop_tui.engines.drama.contest import OpenContest
from tabletop_tui.engines.drama.opposed import Oppose
from tabletop_tui.engines.drama.settle import LetStand
from tabletop_tui.engines.drama.starter import STARTER
from tabletop_tui.engines.drama.world import (
    Complex,
    Contest,
    Die,
    DramaNow,
    DramaWorld,
    Entry,
    Party,
    Penalty,
    Person,
    Roll,
    Side,
    Task,
)
from tabletop_tui.rules import KINDS, Problem, Refused, World
from tabletop_tui.rules.turns import Turns


def with_sheet(**changes: Any) -> DramaWorld:
    world = abbey()
    return replace(world, sheets={**world.sheets, "joan": replace(world.sheets["joan"], **changes)})


def with_now(**changes: Any) -> DramaWorld:
    return abbey(DramaNow(**changes))


def contest(**changes: Any) -> DramaWorld:
    opened = do(abbey(), OpenContest("the-parlour/ledger")).now.contest
    assert opened is not None
    return with_now(contest=replace(opened, **changes))


def serious(world: DramaWorld) -> list[Problem]:
    return [p for p in ENGINE.problems(world) if not p.warning]


BROKEN: list[tuple[DramaWorld, tuple[str | int, ...], str]] = [
    (with_sheet(attributes={"Social": 99}), ("sheets", "joan", "attributes", "Social"), "Social cannot be 99"),
    (
        with_sheet(attributes={"Socail": 2}),
        ("sheets", "joan", "attributes", "Socail"),
        "there is no attribute 'Socail'",
    ),
    (with_sheet(skills={"Wit": Skill(-1)}), ("sheets", "joan", "skills", "Wit", "value"), "Wit cannot be -1"),
    (
        with_sheet(skills={"Wit": Skill(1, "Luck")}),
        ("sheets", "joan", "skills", "Wit", "attribute"),
        "there is no attribute 'Luck'",
    ),
    (
        with_sheet(skills={"Social": Skill(1)}),
        ("sheets", "joan", "skills", "Social"),
        "'Social' cannot be the name of a skill or background",
    ),
    (with_sheet(passions={"x": 1000}), ("sheets", "joan", "passions", "x"), "x cannot be 1000"),
    (with_sheet(backgrounds={"Sea": 0}), ("sheets", "joan", "backgrounds", "Sea"), "Sea cannot be 0"),
    (with_sheet(drama_points=-1), ("sheets", "joan", "drama_points"), "drama_points cannot be -1"),
    (with_sheet(composure=1000), ("sheets", "joan", "composure"), "composure cannot be 1000"),
    (
        with_now(people={"joan": Person({"p": Penalty("cold", -2)})}),
        ("now", "people", "joan", "penalties", "p", "dice"),
        "penalty dice cannot be -2",
    ),
    (
        with_now(people={"joan": Person({"p": Penalty("a", 60), "q": Penalty("b", 60)})}),
        ("now", "people", "joan", "penalties"),
        "all penalty dice together cannot be 120",
    ),
    (with_now(momentum="nemo"), ("now", "momentum"), "nobody is called 'nemo'"),
    (
        with_now(turns=Turns(order=("nemo",))),
        ("now", "turns", "order"),
        "'nemo' is in the order and not among the fighters",
    ),
    (
        with_now(task=Task("x", difficulty="hard")),
        ("now", "task", "difficulty"),
        "there is no difficulty 'hard'",
    ),
    (
        with_now(task=Task("x", lead="joan", crew={"joan": Entry("Juggling")})),
        ("now", "task", "crew", "joan", "using"),
        "Joan has no skill or background 'Juggling'",
    ),
    (with_now(task=Task("x", lead="joan")), ("now", "task", "lead"), "'joan' leads and does not roll"),
    (
        with_now(complex=Complex(ComplexPlan("x", ()))),
        ("now", "complex", "plan", "dimensions"),
        "x has no dimensions",
    ),
    (
        with_now(complex=Complex(ComplexPlan("x", (Dimension("y"),)), tried=2)),
        ("now", "complex", "tried"),
        "tried cannot be 2",
    ),
    (contest(first="nemo"), ("now", "contest", "parties"), "a contest has two parties, the first and the second"),
    (contest(momentum="william"), ("now", "contest", "momentum"), "'william' is not a party of the contest"),
    (
        contest(parties={"joan": Party(using="Juggling"), "hugh": Party()}),
        ("now", "contest", "parties", "joan", "using"),
        "Joan has no skill or background 'Juggling'",
    ),
    (
        contest(parties={"joan": Party(hands={"hugh": "Social"}), "hugh": Party()}),
        ("now", "contest", "parties", "joan", "hands", "hugh"),
        "'hugh' cannot lend a hand with 'Social'",
    ),
    (
        contest(parties={"joan": Party(hands={"edmund": "Charm"}), "hugh": Party()}),
        ("now", "contest", "parties", "joan", "hands", "edmund"),
        "'edmund' cannot lend a hand with 'Charm'",
    ),
    (
        with_now(roll=Roll("contest", {"joan": Side("joan", "Joan", against="hugh")})),
        ("now", "roll"),
        "a contest's dice wait without their contest",
    ),
    (
        with_now(roll=Roll("test", {"joan": Side("joan", "Joan", dice=(Die("base", 7),))})),
        ("now", "roll", "sides", "joan", "dice", 0),
        "the face of a d6 cannot be 7",
    ),
    (
        with_now(roll=Roll("test", {"joan": Side("joan", "Joan", dice=(Die("drama", 6, (3, 5)),))})),
        ("now", "roll", "sides", "joan", "dice", 0, "again"),
        "only a drama 6 rolls on",
    ),
]


@pytest.mark.parametrize(("world", "path", "what"), BROKEN, ids=[what for _, _, what in BROKEN])
def test_a_hand_edit_that_does_not_fit(world: DramaWorld, path: tuple[str | int, ...], what: str) -> None:
    found = {(p.path, p.what): p for p in serious(world)}
    assert (path, what) in found
    assert found[path, what].remedy or found[path, what].known


def test_a_pool_that_is_fuller_than_its_sheet_is_told() -> None:
    world = with_now(people={"joan": Person(grit=4)})
    (problem,) = ENGINE.problems(world)
    assert problem.warning
    assert problem.path == ("now", "people", "joan", "grit")
    assert (problem.what, problem.remedy) == ("grit 4 is more than the sheet gives", "At most 3.")
    assert not ENGINE.problems(with_now(people={"joan": Person(grit=3)}))


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (MakeTest("joan", "Insihgt"), "using cannot be 'Insihgt'. Did you mean 'Insight'?"),
        (MakeTest("joan", "Insight", more_base=-1), "more base -1 is out of range"),
        (MakeTest("joan", "Insight", more_drama=1000), "more drama 1000 is out of range"),
        (MakeTest("joan", "Insight", difficulty="dificult"), "Did you mean 'difficult'?"),
        (MakeTest("nemo", "Insight"), "who cannot be 'nemo'"),
        (MakeTest("joan", "direct:Guild merchant life"), "needs an attribute to go with"),
        (MakeTest("joan", "Insight", given_by=("hugh",)), "a drama die needs a reason"),
    ],
)
def test_bad_input_is_answered_with_a_sentence(action: MakeTest, sentence: str) -> None:
    play = table(abbey())
    with pytest.raises(Refused) as refused:
        play.do(action)
    assert sentence in str(refused.value)


def test_the_sample_campaign_has_no_problems() -> None:
    data = msgspec.toml.decode((CAMPAIGN / "campaign.toml").read_bytes())
    assert (data["title"], data["engine"], data["theme"]) == ("Abbey of Lynn", "drama", "vellum")
    now = msgspec.convert({"clocks": data["clocks"], "tracks": data["tracks"]}, DramaNow)
    world = replace(abbey(now, **data["rules"]), now=now)
    assert ENGINE.problems(world) == []
    assert not set(data["rules"]) - set(DramaRules.__struct_fields__)
    for part, kind in (("characters", ENGINE.sheet), ("scenes", ENGINE.scene)):
        for path in (CAMPAIGN / part).glob("*.toml"):
            unknown = set(msgspec.toml.decode(path.read_bytes())) - set(kind.__struct_fields__)
            assert not unknown, f"{path.name}: {unknown}"


def test_the_starter_fits_the_records() -> None:
    files = {name: msgspec.toml.decode(text.replace("{title}", "Lynn")) for name, text in STARTER.items()}
    sheets, scenes = (
        {n.split("/")[1][:-5]: msgspec.convert(d, kind) for n, d in files.items() if n.startswith(part)}
        for part, kind in (("characters", ENGINE.sheet), ("scenes", ENGINE.scene))
    )
    campaign = files["campaign.toml"]
    assert campaign["title"] == "Lynn"
    world: Any = World(msgspec.convert(campaign["rules"], DramaRules), DramaNow(), sheets, scenes)
    world = replace(world, now=ENGINE.start(world))
    assert ENGINE.problems(world) == []
    assert do(world, OpenContest("the-ledger/ledger")).now.contest


def test_every_house_rule_of_the_starter_has_its_default() -> None:
    lines = [line[2:] for line in STARTER["campaign.toml"].splitlines() if line.startswith("# ") and " = " in line]
    rules = "\n".join(line for line in lines if line.split(" = ")[0] in DramaRules.__struct_fields__)
    assert msgspec.toml.decode(rules, type=DramaRules) == DramaRules()
    assert {line.split(" = ")[0] for line in rules.splitlines()} == set(DramaRules.__struct_fields__) - {"lines"}


def test_problems_of_a_half_written_contest_do_not_stop_the_screens() -> None:
    world = with_now(contest=Contest("x", "joan", "hugh", {"joan": Party(), "hugh": Party()}))
    assert not serious(world)
    for kind in ("table", "contest", "challenge", "sheet"):
        ENGINE.view(kind, world, "joan")


def test_a_sheet_can_be_put_away_after_a_round_against_them() -> None:
    world = abbey().live(won={"hugh/joan": "joan"})
    sheets = {who: sheet for who, sheet in world.sheets.items() if who != "hugh"}
    (found,) = (p for p in ENGINE.problems(replace(world, sheets=sheets)) if p.path[:2] == ("now", "won"))
    assert (found.what, found.warning) == ("nobody is called 'hugh'", True)
    (wrong,) = ENGINE.problems(world.live(won={"hugh/joan": "peter"}))
    assert not wrong.warning


def test_a_roll_that_is_over_does_not_keep_a_sheet_from_being_put_away() -> None:
    waits = do(abbey(), Oppose("joan", "Social", "hugh", "Social"), *[5] * 12)
    assert waits.now.roll is not None
    assert waits.now.roll.stage == "choose"
    for world, warned in ((waits, False), (do(waits, LetStand()), True)):
        sheets = {who: sheet for who, sheet in world.sheets.items() if who != "hugh"}
        without = replace(world, sheets=sheets)
        found = [p for p in ENGINE.problems(without) if p.path[:2] == ("now", "roll")]
        assert [p.warning for p in found] == [warned]
        if warned:
            for kind in KINDS:
                ENGINE.view(kind, without, "joan")
