"""The simpler halves of the other games, written as TOML, have the odds of those games' own engines."""

from __future__ import annotations

from typing import Any

import pytest
from brews import ENGINE, problems, rules_of, world_of
from playing import sure

from tabletop_tui.engines.fen import ENGINE as FEN
from tabletop_tui.engines.fen.contest import NewContest, RollContest
from tabletop_tui.engines.fen.world import FenNow, FenRules, FenSheet, FenWorld
from tabletop_tui.engines.homebrew.contest import ChooseStat
from tabletop_tui.engines.homebrew.contest import NewContest as NewBout
from tabletop_tui.engines.homebrew.rolls import Roll
from tabletop_tui.engines.homebrew.rounds import RollContest as RollBout
from tabletop_tui.engines.no1 import ENGINE as NO1
from tabletop_tui.engines.no1.roll import Act
from tabletop_tui.engines.no1.world import No1Now, No1Rules, No1Sheet, Zone
from tabletop_tui.engines.tiers import ENGINE as TIERS
from tabletop_tui.engines.tiers.opposed import Oppose
from tabletop_tui.engines.tiers.world import SIDES, TiersNow, TiersRules, TiersSheet
from tabletop_tui.rules import Dice, World

NO1_ACT = """
[rules.stats.skill]
most = 4
[rules.stats.trait]
names = ["ranks"]
most = 6
[rules.meters.focus]
usual = "ranks"
most = "ranks"
[rules.shared.challenge]
usual = 3
most = 12
[rules.rolls.act]
asks = { hazards = "0 to 12" }
dice = "challenge d(4 + 2 * skill) + hazards d4"
read = "hits at 4"
BANDS
[rules.options.rank]
offered = "after"
when = "ones > 0"
costs = { focus = -1 }
usual = "focus >= ones"
gives = { reroll = "a one" }
"""
INITIATIVE = (
    'bands = [{ when = "ones is 0", title = "keeps it", tone = "good" }, { title = "loses it", tone = "bad" }]'
)
TIERS_OPPOSED = """
[rules.stats.skill]
holds = "dice"
[rules.rolls.oppose]
dice = "skill exploding once"
against = "their knots exploding once"
read = "highest"
tie = ["sides", "count", "mine"]
bands = [{ at = 0, title = "wins", tone = "good" }, { title = "loses", tone = "bad" }]
"""
FEN_CONTEST = """
[rules.stats.skill]
holds = "dice"
[rules.rolls.throw]
dice = "skill exploding"
[rules.contests.contest]
roll = "throw"
tie = "other"
"""


def run(world: Any, *actions: Any) -> Any:
    for action in actions:
        for event in action.resolve(world, Dice()):
            world = event.apply(world)
    return world


@pytest.mark.parametrize(
    ("challenge", "hazards", "skill", "ranks"), [(2, 2, 2, 2), (3, 0, 0, 0), (4, 1, 4, 1), (1, 3, 1, 3)]
)
def test_an_act_of_no1_keeps_the_initiative_and_hits_as_in_no1(
    challenge: Any, hazards: Any, skill: Any, ranks: Any
) -> None:
    sheet = No1Sheet("Rook", "Ana", skills={"Strike": skill}, traits={"Stubborn": ranks})
    table: Any = World(No1Rules(), No1Now(challenge=challenge), {"rook": sheet})
    zoned = table.live(positions={"rook": "pit"}, zones={"pit": Zone("pit", {"fall": hazards} if hazards else {})})
    theirs = {group.name: group for group in sure(NO1.odds(zoned, Act("rook", "Strike"))).groups}
    roll = Roll("act", "ana", stat="knots", say=hazards)
    for bands, name in ((INITIATIVE, "outcome"), ("", "hits")):
        world = world_of(rules_of(NO1_ACT.replace("BANDS", bands)), ranks=ranks, knots=skill)
        mine, *rest = sure(ENGINE.odds(world.live(shared={"challenge": challenge}), roll)).groups
        want = {c.value: c.chance for c in theirs[name].chances}
        if name == "outcome":
            assert mine.chances[0].chance == pytest.approx(theirs["outcome"].chances[0].chance, abs=1e-12)
            assert len(rest) == bool(ranks)
            for group in rest:
                assert group.name == "without focus"
                plain = theirs["without ranks"].chances[0].chance
                assert group.chances[0].chance == pytest.approx(plain, abs=1e-12)
        else:
            assert {c.value: c.chance for c in mine.chances if c.value} == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize(
    ("mine", "theirs"), [(("alpha", 4), ("beta", 2)), (("beta", 3), ("beta", 3)), (("gamma", 5), ("delta", 1))]
)
def test_an_opposed_roll_of_tiers_is_won_as_often_as_in_tiers(mine: Any, theirs: Any) -> None:
    assert not problems(TIERS_OPPOSED.replace("their knots", "4d6"))
    sheets = {
        "a": TiersSheet("A", "Ana", levels={"alpha": 5}, skills={"Skill": {mine[0]: mine[1]}}),
        "b": TiersSheet("B", "Ben", levels={"alpha": 5}, skills={"Skill": {theirs[0]: theirs[1]}}),
    }
    table: Any = World(TiersRules(legacy_chains=False), TiersNow(), sheets)
    want = sure(TIERS.odds(table, Oppose("a", "Skill", "b", "Skill"))).groups[0].chances
    dice = {who: f"{rank}d{SIDES[tier][0]}" for who, (tier, rank) in (("a", mine), ("b", theirs))}
    world = world_of(rules_of(TIERS_OPPOSED.replace("their knots", dice["b"])), knots=dice["a"])
    found = sure(ENGINE.odds(world, Roll("oppose", "ana", stat="knots"))).groups[0].chances
    assert [c.chance for c in found] == pytest.approx([c.chance for c in want], abs=1e-12)


@pytest.mark.parametrize(
    ("mine", "theirs"), [("2d8", "1d8"), ("1d4+1d8", "2d6"), ("3d6", "1d4+1d10"), ("1d4", "1d4")]
)
def test_a_contest_of_fen_is_won_as_often_as_in_fen(mine: Any, theirs: Any) -> None:
    sheets = {
        "a": FenSheet("Ana", "Ana", hp=9, skills={"fight": mine}),
        "b": FenSheet("Bo", "Ben", hp=9, skills={"vigor": theirs}),
    }
    table = FenWorld(FenRules(), FenNow(), sheets)
    table = FenWorld(table.rules, FEN.start(table), sheets)
    table = run(table, NewContest("a", "fight/vigor", ("b",)))
    want = sure(FEN.odds(table, RollContest())).groups[0].chances
    world = world_of(rules_of(FEN_CONTEST), knots=mine.replace("+", " + "), songs=theirs.replace("+", " + "))
    world = run(world, NewBout("contest", "ana", ("bo",)), ChooseStat("ana", "knots"), ChooseStat("bo", "songs"))
    found = {c.label: c.chance for c in sure(ENGINE.odds(world, RollBout())).groups[0].chances}
    assert found["Ana has the round"] == pytest.approx(want[0].chance, abs=1e-9)
    assert found["a tie"] == 0
