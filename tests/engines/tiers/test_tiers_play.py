"""Whatever can be done can be done: random play, and what a player's seat may know meanwhile."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import level
import playing
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec.structs import replace
from tiers_worlds import do, hero, npc, world

from tabletop_tui.conformance import check_engine, check_secrets, play, random_action
from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.attack import Attack
from tabletop_tui.engines.tiers.challenge import Lead, Open
from tabletop_tui.engines.tiers.challenge_roll import Reroll, RollChallenge
from tabletop_tui.engines.tiers.initiative import RollOrder
from tabletop_tui.engines.tiers.opposed import Oppose
from tabletop_tui.engines.tiers.settle import ForceReroll, Settle
from tabletop_tui.engines.tiers.support import GiveSupport, worth
from tabletop_tui.engines.tiers.world import Person, Plan, TiersRules, TiersScene
from tabletop_tui.plugins import guarded
from tabletop_tui.rules import Action, Clock, Dice, Refused, TableError, check, fields, offers, roller
from tabletop_tui.session import Change, Table, begin, verify


def test_the_engine_keeps_the_contract() -> None:
    check_engine(ENGINE)


def scene(**changes: Any) -> TiersScene:
    plan: dict[str, Any] = {
        "name": "Hold",
        "tier": "alpha",
        "dice": 3,
        "hidden": True,
        "stakes": "the gate",
    } | changes
    return TiersScene("Gate", challenges={"hold": Plan(**plan), "open": Plan("Climb", "alpha", 2)})


def company(rules: TiersRules | None = None) -> Any:
    here = world(
        {"gate": scene(), "hall": TiersScene("Hall")},
        rules,
        mira=hero("Mira", bonus=2, Warding={"beta": 3, "alpha": 5}, Lore={"alpha": 4}),
        rook=hero("Rook", Warding={"alpha": 1}, Dodge={"alpha": 3}),
        sil=hero("Sil", levels={"omega": 1}, Song={"omega": 2}),
        guard=npc("Guard", {"Mail": {"alpha": 2}}, {"alpha": 2}, Spear={"gamma": 3}),
    )
    return here.live(clocks={"storm": Clock("Storm", 6), "plot": Clock("Plot", 4, secret=True)})


ODD_RULES = TiersRules(
    omega_explodes_at=10, tie_rank="pool", points_above_ten=False, unlisted_skills=True, least_opposition=0,
    buy_in_challenge=True, bought_margin=0, most_rank=10,
)  # fmt: skip


@given(st.integers(0, 2**32), st.sampled_from([TiersRules(), ODD_RULES]))
def test_every_event_of_random_play_applies_survives_the_log_and_fits(seed: int, rules: TiersRules) -> None:
    steps = list(play(ENGINE, company(rules), seed, steps=60))
    assert steps


class Evening(RuleBasedStateMachine):
    """Act, undo, redo, edit by hand and fork in any order; the log always verifies."""

    @initialize(seed=st.integers(0, 2**32))
    def sit_down(self, seed: int) -> None:
        header = begin(ENGINE, company(), campaign="x", session="1", at=playing.EVENING, seed=str(seed))
        self.table = Table(ENGINE, header, clock=playing.evening())

    @rule(chance=st.integers(0, 2**32))
    def act(self, chance: int) -> None:
        action = random_action(ENGINE, self.table.world, random.Random(chance))
        assert action is not None
        try:
            self.table.do(action)
        except Refused:
            return

    @rule(far=st.integers(0, 30))
    def undo(self, far: int) -> None:
        past = self.table.timeline.past()
        if len(past) > 1:
            target = past[max(len(past) - 2 - far, 0)]
            self.table.undo(to=target)
            assert self.table.world == self.table.at(target)

    @rule()
    def redo(self) -> None:
        if self.table.timeline.ahead:
            target = self.table.timeline.ahead[-1]
            self.table.redo()
            assert self.table.world == self.table.at(target)

    @rule(who=st.sampled_from(["mira", "rook", "guard"]), hp=st.integers(-5, 60))
    def edit(self, who: str, hp: int) -> None:
        try:
            self.table.edited([Change(("now", "people", who, "hp"), None, hp)])
        except TableError:
            assert hp < 0
            return
        assert self.table.world.now.people[who].hp == hp

    @rule(who=st.sampled_from(["mira", "rook", "sil", "guard"]))
    def delete(self, who: str) -> None:
        before = self.table.world
        try:
            self.table.edited([Change(("sheets", who), None, None)])
        except Refused:
            assert self.table.world is before

    @rule(chance=st.integers(0, 2**32))
    def fork(self, chance: int) -> None:
        before = self.table.world
        playing.wander(self.table.fork(seed="fork"), chance, 3)
        assert self.table.world is before

    @invariant()
    def fits(self) -> None:
        assert not [p for p in ENGINE.problems(self.table.world) if not p.warning]

    def teardown(self) -> None:
        if hasattr(self, "table"):
            entries = self.table.timeline.entries
            found = verify(ENGINE, self.table.header, entries)
            assert not found.wrong, f"entry {found.at}: {found.wrong}"
            again = Table(ENGINE, self.table.header, entries)
            assert list(again.timeline.worlds) == list(self.table.timeline.worlds)


TestEvening = Evening.TestCase


@pytest.mark.parametrize("sample", playing.samples("tiers"), ids=lambda p: p.name)
def test_a_sample_can_be_played(sample: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        copy = Path(shutil.copytree(sample, Path(place) / sample.name))
        for seed in range(level.many(3, 10, 100)):
            for _ in play(ENGINE, playing.world(copy), seed, steps=80):
                pass


@pytest.mark.parametrize("sample", playing.samples("tiers"), ids=lambda p: p.name)
def test_the_chances_of_nothing_that_a_sample_offers_fail(sample: Path) -> None:
    engine, chance, told = guarded(ENGINE), random.Random(1), Counter[type[Action]]()
    with tempfile.TemporaryDirectory() as place:
        here = playing.world(Path(shutil.copytree(sample, Path(place) / sample.name)))
    here = here.live(complications=50)  # the GM can spend from the start
    for seed in range(level.many(5, 10, 100)):
        for now, *_ in play(ENGINE, here, seed, steps=80):
            for kind in (o.kind for o in offers(ENGINE.actions, now) if not o.closed):
                action = random_action(ENGINE, now, chance, [kind])
                told[kind] += action is not None and engine.odds(now, action) is not None
    assert {RollOrder, Attack, Oppose, RollChallenge, ForceReroll} <= {kind for kind, n in told.items() if n}


@pytest.mark.parametrize("rules", [TiersRules(), ODD_RULES])
def test_a_prompt_never_offers_what_is_then_refused(rules: TiersRules) -> None:
    taken = 0
    for seed in range(level.many(3, 12, 100)):
        for *_, here in play(ENGINE, company(rules), seed, steps=60):
            for kind in ("table", "challenge"):
                for action in pressed(ENGINE.view(kind, here)):
                    if any(f.required and getattr(action, f.name) == "" for f in fields(type(action))):
                        continue  # its form asks
                    check(action, here)
                    action.resolve(here, Dice((), roller("offered", taken)))
                    taken += 1
    assert taken > 100


def pressed(view: Any) -> list[Action]:
    """What a page offers: its prompt before everything else, or its lists and its roll."""
    if view.prompt:
        return [option.action for option in view.prompt.options if not option.closed]
    lists = [option for name in ("open", "leads", "extras") for option in getattr(view, name, ())]
    open_roll = getattr(view, "roll", None) if not getattr(view, "roll_closed", "") else None
    return [*(o.action for o in lists if not o.closed), *([open_roll] if open_roll else [])]


# ---- secrets


def twin(here: Any) -> Any:
    """The same to a player's eye: another hidden difficulty, another NPC as unhurt, another plot."""
    guard = npc("Guard", {"Mail": {"omega": 1}}, {"charlie": 9}, Spear={"beta": 1}, Lies={"gamma": 5})
    made = replace(
        here, sheets={**here.sheets, "guard": guard}, scenes={**here.scenes, "gate": scene(tier="gamma", dice=9)}
    )
    made = replace(made, scenes={**made.scenes, "hall": TiersScene("Hall", secret="a trapdoor")})
    return made.live(
        people={**here.now.people, "guard": Person(2250, boost=2)},
        clocks={**here.now.clocks, "plot": Clock("Plot", 4, 3, secret=True)},
    )


def both(worlds: tuple[Any, Any], action: Any, first: tuple[int, ...] = (), second: tuple[int, ...] = ()) -> Any:
    worlds = do(worlds[0], action, *first), do(worlds[1], action, *(second or first))
    check_secrets(ENGINE, *worlds)
    return worlds


def test_a_hidden_challenge_keeps_its_secret_from_opening_to_outcome() -> None:
    pair = (company(), twin(company()))
    check_secrets(ENGINE, *pair)
    pair = both(pair, Open("gate/hold"))
    pair = both(pair, Lead("mira", "Warding"))
    pair = both(pair, GiveSupport("rook", "direct"))  # Reroll 1 in both: nobody above the tier
    pair = both(pair, GiveSupport("sil", "indirect"))
    # the results are equal, whatever was rolled: 3 dice less 2, and 9 less 2
    pair = both(pair, RollChallenge(), (2, 3, 4, 3, 3), (2, 3, 4, 3, 3, 1, 1, 1, 1, 1, 1))
    pair = both(pair, Reroll((0,)), (2,))
    both(pair, Settle())


def test_a_supporters_worth_against_a_hidden_challenge_gives_no_secret_away() -> None:
    pair = (company(), twin(company()))
    pair = both(pair, Open("gate/hold"))
    pair = both(pair, Lead("rook", "Warding"))
    pair = both(pair, GiveSupport("mira", "direct"))
    worths = [worth(here, here.now.challenge, "direct")["mira"] for here in pair]
    assert worths == [2, 1]  # which of them is the GM's to know


def test_what_is_said_of_a_hidden_challenge_gives_no_secret_away() -> None:
    heard = []
    for here in (company(), twin(company())):
        header = begin(ENGINE, here, campaign="x", session="1", at=playing.EVENING)
        table = Table(ENGINE, replace(header, world=here), clock=playing.evening())
        table.do(Open("gate/hold"))
        table.do(Lead("mira", "Warding"))
        table.do(GiveSupport("sil", "indirect"))
        heard.append(Table(ENGINE, table.header, table.timeline.entries, seat="Ana").history())
    assert heard[0] == heard[1]


@pytest.mark.parametrize("kind", [Oppose, Attack])
@pytest.mark.parametrize(("mine", "theirs"), [("mira", "guard"), ("guard", "mira")])
def test_the_odds_of_a_roll_with_an_npc_give_nothing_of_it_away(kind: Any, mine: str, theirs: str) -> None:
    skills = {"mira": "Warding", "guard": "Spear"}
    action = kind(mine, skills[mine], theirs, skills[theirs])
    seen = []
    for here in (company(), twin(company())):
        header = replace(begin(ENGINE, here, campaign="x", session="1", at=playing.EVENING), world=here)
        assert Table(ENGINE, header).odds(action) is not None
        seen.append(Table(ENGINE, header, seat="Ana").odds(action))
    assert seen[0] == seen[1]


def test_the_odds_between_two_players_are_theirs_to_see() -> None:
    header = begin(ENGINE, company(), campaign="x", session="1", at=playing.EVENING)
    assert Table(ENGINE, header, seat="Ana").odds(Oppose("mira", "Lore", "rook", "Dodge")) is not None


def test_a_challenge_that_an_npc_leads_gives_nothing_of_them_away() -> None:
    pair = (company(), twin(company()))
    pair = both(pair, Open("gate/open"))
    both(pair, Lead("guard", "Spear"))
