"""Whose expression it is, how it reads, and where it goes wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import playing
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop_tui import plugins
from tabletop_tui.rules import Dice, Engine, Refused, roller
from tabletop_tui.workbench import BadDice, Bench, Benches, Reading, public
from tabletop_tui.workbench.bench import MOST_TEXT

ENGINES = tuple(plugins.load_all().engines.values())
BENCHES = Benches(ENGINES)
SAMPLES = playing.PROJECT / "campaigns"


def bench_of(name: str, sample: str, seat: bool = False) -> Benches:
    world = playing.world(SAMPLES / sample)
    return Benches(ENGINES, plugins.load(name), public(world) if seat else world)


@pytest.fixture(scope="module")
def fen() -> Benches:
    return bench_of("fen", "fen-lanterns")


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("3d6+2", "", "the sum of 3d6 + 2"),
        (" 3D6 - 1 ", "", "the sum of 3d6 − 1"),
        ("d%", "", "the sum of 1d100"),
        ("4d6kh3", "", "the sum of 4d6 (the highest 3)"),
        ("4d6KL1", "", "the sum of 4d6 (the lowest 1)"),
        ("4d6kh4", "", "the sum of 4d6"),
        ("3d6 vs 2d8+1", "", "3d6 against 2d8 + 1"),
        ("4d4 tiers", "Tiers of Power", "the highest die of 4 alpha (4d4), a maximum explodes once"),
        ("3 gamma", "Tiers of Power", "the highest die of 3 gamma (3d12), a maximum explodes once"),
        ("4d6 vs 3d6 TIERS", "Tiers of Power", "4 beta (4d6) against 3 beta (3d6), the highest die each"),
        ("4d8 hazard 3", "No1", "4d8 and 3 Hazard d4, a face of 4 or more hits"),
        ("4d8 no1", "No1", "4d8, a face of 4 or more hits"),
        ("5Bd 3Rd 2Dd", "Drama in History", "5 base + 3 resist + 2 drama, net successes"),
        ("5bd+bd", "Drama in History", "6 base, net successes"),
        ("2Dd vs 4Bd", "Drama in History", "2 drama against 4 base"),
        ("2d8+1d4 additional 1 fewer 2", "Fen", "the sum of 1d4+1d8, a maximum explodes"),
        ("3d8 / 2d6", "Fen", "3d8 against 2d6; a tie is the defender's"),
        ("3d8 fen", "Fen", "the sum of 3d8, a maximum explodes"),
        ("3d8 plain", "", "the sum of 3d8"),
    ],
)
def test_an_expression_is_read_by_its_game_or_as_a_plain_sum(text: str, game: str, words: str) -> None:
    found = BENCHES.read(text)
    assert (found.game, found.words) == (game, words)


@pytest.mark.parametrize(
    ("name", "sample", "text", "game"),
    [
        ("fen", "fen-lanterns", "3d6", "Fen"),
        ("fen", "fen-lanterns", "3d6 plain", ""),
        ("fen", "fen-lanterns", "3d6+2", ""),
        ("fen", "fen-lanterns", "5Bd 3Rd", "Drama in History"),
        ("fen", "fen-lanterns", "4d4 tiers", "Tiers of Power"),
        ("tiers", "ember-road", "4d4", "Tiers of Power"),
        ("tiers", "ember-road", "4d4 vs 2d6", "Tiers of Power"),
        ("tiers", "ember-road", "1d20+5", ""),
        ("drama", "abbey-of-lynn", "3d6", ""),
        ("no1", "cinder-pass", "4d8", "No1"),
    ],
)
def test_in_a_campaign_its_own_game_is_asked_first(name: str, sample: str, text: str, game: str) -> None:
    assert bench_of(name, sample).read(text).game == game


@pytest.mark.parametrize(
    ("text", "goal"),
    [("3d6 >= 12", 12), ("3d6≥12", 12), ("3d6 vs 2d6 >= -3", -3), ("3d6 >= 12 fen", 12), ("5Bd", 2), ("3d6", None)],
)
def test_the_number_to_meet_can_be_written(text: str, goal: int | None) -> None:
    assert BENCHES.read(text).goal == goal


BAD = [
    ("", 0, "no dice here"),
    ("   ", 0, "no dice here"),
    ("tiers", 0, "no dice here"),
    ("0d6", 0, "there are no dice"),
    ("1001d6", 0, "more than 1,000 dice"),
    ("600d6+500d6", 6, "more than 1,000 dice"),
    ("600d6 vs 500d6", 14, "more than 1,000 dice"),
    ("9" * 400 + "d6", 0, "more than 1,000 dice"),
    ("2d1001", 2, "1,001 sides cannot be thrown"),
    ("2d1", 2, "1 sides cannot be thrown"),
    ("d", 1, "number of sides is missing"),
    ("3d6+", 4, "dice are missing here"),
    ("3d6 +", 5, "dice are missing here"),
    ("3x6", 1, "'x' is not understood"),
    ("3d6!", 3, "'!' does not belong"),
    ("²d6", 0, "'²' where a d was expected"),
    ("1+2", 3, "no dice here"),
    ("3d6+9999999", 4, "too large a number"),
    ("4d6kh", 5, "a number is missing after 'kh'"),
    ("4d6kh5", 5, "kh 5 is out of range"),
    ("4d6kl0", 5, "kl 0 is out of range"),
    ("3d6 >=", 6, "a number is missing after '>='"),
    ("3d6 >= 4 5", 9, "'5' does not belong here"),
    ("3d6 vs", 6, "nothing after this"),
    ("vs 3d6", 0, "nothing before this"),
    ("1d6 vs 1d6 vs 1d6", 11, "only two"),
    ("2d8 additional", 14, "a number is missing after 'additional'"),
    ("2d8 additional x", 14, "a number is missing after 'additional'"),
    ("2d8 additional 1 fewr 2", 17, "'fewr'"),
    ("2d8 / 2d6 / 2d4", 10, "only two"),
    ("2d8 / 0d6", 6, "there are no dice"),
    ("2d8 /", 5, "nothing after this"),
    ("fight/vigor", 0, "need a campaign"),
    ("5Bd 3Zd", 5, "Bd, Rd or Dd was expected"),
    ("5Bd 0Rd", 4, "there are no dice"),
    ("101Bd", 0, "101 base dice are too many"),
    ("5d7 tiers", 2, "the game has no d7"),
    ("4d4 reroll tiers", 10, "a number is missing after 'reroll'"),
    ("4d4+2d6 reroll 1", 0, "no rule says how"),
    ("0 omega", 0, "cannot be thrown"),
    ("4d8 hazard", 10, "a number is missing after 'hazard'"),
    ("4d8 hazard 99", 11, "hazard 99 is out of range"),
    ("79d8 hazard 9", 0, "88 dice are too many"),
    ("4d20 no1", 2, "the game has no d20"),
    ("3d6\x1b[2J", 3, "U\\+001B does not belong"),
    ("3d6\u202e", 3, "U\\+202E does not belong"),
    ("3d6 " + "+1d6" * 3_000, MOST_TEXT, "too long for dice"),
]


@pytest.mark.parametrize(("text", "at", "what"), BAD, ids=lambda x: repr(x)[:30])
def test_what_does_not_read_is_pointed_at(text: str, at: int, what: str) -> None:
    with pytest.raises(BadDice, match=what) as bad:
        BENCHES.read(text)
    assert bad.value.at == at
    assert bad.value.remedy


def test_a_mistyped_word_gets_a_suggestion() -> None:
    for text, meant in (("2d8 additonal 1", "additional"), ("4d4 tierz", "tiers"), ("4d8 hazrd 3", "hazard")):
        with pytest.raises(BadDice, match=f"Did you mean '{meant}'"):
            BENCHES.read(text)


@given(st.text(st.sampled_from("0123456789dDkhlBRvs+-/>=% .²é\x1b\n") | st.characters(), max_size=30))
def test_whatever_is_typed_reads_or_is_pointed_at(text: str) -> None:
    for benches in (BENCHES, FEN):
        bad: BadDice | None = None
        found: Reading | None = None
        try:
            found = benches.read(text)
        except BadDice as error:
            bad = error
        assert found is None or found.throw(Dice((), roller("seed", 1))).words
        assert bad is None or (0 <= bad.at <= len(text) and bad.remedy)


@given(st.text(st.sampled_from("0123456789dwrentalfigh/ vomske"), max_size=30), st.integers(0, 30))
def test_completion_never_fails_and_only_finishes_what_was_begun(text: str, cursor: int) -> None:
    at, found = FEN.complete(text, min(cursor, len(text)))
    begun = text[at : min(cursor, len(text))].casefold()
    assert all(name.casefold().startswith(begun) and len(name) > len(begun) for name in found)


FEN = bench_of("fen", "fen-lanterns")

# ---- names


def test_skills_of_people_are_read_from_their_sheets(fen: Benches) -> None:
    found = fen.read("wren tallow FIGHT / The drowned keeper vigor")
    assert found.words.startswith("Wren Tallow's fight (2d8) against The drowned keeper's vigor")
    assert fen.read("Wren Tallow fight additional 1").words.startswith("the sum of Wren Tallow's fight (2d8 → 3d8)")
    assert fen.read("wren fight").words == fen.read("Wren Tallow fight").words  # by the id too
    assert fen.read("Wren Tallow fight / 2d6").words.endswith("against 2d6; a tie is the defender's")


def test_who_is_not_named_is_the_first_who_can_and_stands_against_the_other_side(fen: Benches) -> None:
    words = fen.read("fight/vigor").words
    assert words.startswith("Wren Tallow's fight")
    assert "against Mire thief's vigor" in words


def test_an_open_contest_and_the_turn_say_who_is_meant() -> None:
    table = playing.table(SAMPLES / "fen-lanterns")
    playing.act(table, "contest contest=fight/dodge who=wight against=teal")
    read = Benches(ENGINES, table.engine, table.world).read
    assert read("fight/dodge").words.startswith("The drowned keeper's fight")
    assert "against Teal's dodge" in read("fight/dodge").words


@pytest.mark.parametrize(
    ("text", "at", "what"),
    [
        ("Wren Tallow", 11, "a skill is missing after Wren Tallow"),
        ("Wren Tallow figt", 12, "'figt' is not a skill"),
        ("fight / nobody vigor", 8, "neither a skill nor anybody"),
        ("fight fewer", 11, "a number is missing"),
    ],
)
def test_names_that_go_wrong_are_pointed_at(fen: Benches, text: str, at: int, what: str) -> None:
    with pytest.raises(BadDice, match=what) as bad:
        fen.read(text)
    assert bad.value.at == at


def test_names_are_completed_in_the_middle_of_an_expression(fen: Benches) -> None:
    assert fen.complete("wr", 2) == (0, ["Wren Tallow"])
    assert fen.complete("Wren Tallow fi / x", 14) == (12, ["fight"])
    assert fen.complete("fight / mire th", 15) == (8, ["Mire thief", "Mire thief with the net"])
    assert fen.complete("3d6", 3) == (3, [])
    assert fen.complete("fight ", 6)[1] == []
    assert BENCHES.complete("2d8 addi", 8) == (4, ["additional"])


def test_a_players_seat_sees_no_names_and_no_dice_of_the_gms(fen: Benches) -> None:
    seat = bench_of("fen", "fen-lanterns", seat=True)
    assert "The drowned keeper" in fen.complete("the", 3)[1]
    assert seat.complete("the", 3)[1] == []
    with pytest.raises(BadDice):
        seat.read("The drowned keeper vigor")
    assert "Mire thief" not in seat.read("fight/vigor").words


# ---- strangers


class Broken(Bench):
    """A stranger's bench that fails at everything."""

    examples = ("1x",)

    def claims(self, text: str) -> bool:
        raise ZeroDivisionError(text)

    def read(self, text: str) -> Reading:
        raise ZeroDivisionError(text)


class Stranger(Engine):
    name = "stranger"
    title = "Stranger"
    actions = ()
    events = ()

    def bench(self, world: Any = None) -> Bench | None:
        return Broken()


class Worse(Stranger):
    name = "worse"

    def bench(self, world: Any = None) -> Bench | None:
        raise ZeroDivisionError


def test_a_game_that_fails_leaves_the_others_working() -> None:
    benches = Benches((Stranger(), Worse(), *ENGINES))
    assert benches.read("3d6+2").words == "the sum of 3d6 + 2"
    assert benches.read("5Bd").game == "Drama in History"
    with pytest.raises(BadDice, match="Stranger fails to read this"):
        benches.read("3d6 stranger")


def test_an_engine_without_a_bench_is_asked_nothing() -> None:
    assert Engine().bench() is None


def test_house_rules_of_the_campaign_count(tmp_path: Path) -> None:
    root = playing.starter(tmp_path / "x", "no1")
    text = (root / "campaign.toml").read_text()
    (root / "campaign.toml").write_text(text.replace("[rules]", "[rules]\ntarget = 6", 1))
    world = playing.world(root)
    assert world.rules.target == 6
    chances = Benches(ENGINES, plugins.load("no1"), world).read("1d6").work()
    assert chances.at_least(1) == pytest.approx(1 / 6)


def test_real_dice_can_be_laid_for_an_expression() -> None:
    assert BENCHES.read("4d4 tiers").throw(Dice((2, 3, 4, 4, 3, 1))).value == 7
    assert BENCHES.read("4Bd 4Rd").throw(Dice((5, 5, 3, 1, 4, 4, 3, 1))).value == 1
    with pytest.raises(Refused, match="cannot show 7"):
        BENCHES.read("1d6").throw(Dice((7,)))
