"""Chances and outcomes as every screen draws them."""

from __future__ import annotations

from tabletop_tui.rules import Chance, Group, Odds, Outcome, Part, Pool
from tabletop_tui.ui.drawing.pools import chance_lines, outcome_lines, pool_lines
from tabletop_tui.ui.panels.picks import Coming, coming_lines


def _texts(lines: list[object]) -> str:
    return "\n".join(str(one) for one in lines)


def test_what_is_certain_beside_the_outcome_is_no_chance() -> None:
    outcome = Group("outcome", (Chance("no 1", 0.33), Chance("a 1", 0.67)))

    def drawn(*counters: float) -> str:
        names = ("Momentum +1", "Entropy +1", "no change")
        beside = Group("counters", tuple(map(Chance, names, counters)))
        return _texts([*chance_lines(Odds((outcome, beside)), 40)])

    assert "no change" in drawn(0.0, 0.6, 0.4)
    assert "no change" not in drawn(0.0, 0.0, 1.0)
    assert "33 %" in drawn(0.0, 0.0, 1.0)


def test_an_outcome_does_not_say_the_same_twice() -> None:
    assert _texts([*outcome_lines(Outcome(title="Teal wins", detail="Teal wins"), 60)]).count("eal wins") == 0
    assert "by 3" in _texts([*outcome_lines(Outcome(title="Teal wins", detail="by 3"), 60)])


def test_an_outcome_that_is_cut_says_so() -> None:
    came = Outcome(
        title="Prior Hugh wins", detail="1 penalty die", next="Joan loses: her welcome in the house of Lynn"
    )
    whole = [str(one) for one in outcome_lines(came, 30)]
    assert whole[-1].endswith("the house of Lynn")
    cut = [str(one) for one in outcome_lines(came, 30, len(whole) - 1)]
    assert cut[-1].endswith(" …")
    assert "…" not in str(outcome_lines(came, 30, 1)[0]), "the title alone is whole"


def test_a_remark_without_room_is_dropped_and_not_a_lone_dot() -> None:
    parts = (Part(source="Agility 3 + Hunting 3", dice="6 base", note="Agility 3 + Hunting 3"),)
    assert _texts([*pool_lines((Pool(who="William", parts=parts),), 34)]).rstrip().endswith("6 base")
    assert "Hunting 3" in _texts([*pool_lines((Pool(who="William", parts=parts),), 60)]).partition("base")[2]


def test_a_look_ahead_has_no_title_without_a_row() -> None:
    coming = Coming("Still water", who="who brings what", rows=(("Wren", "1d8"), ("Teal", "1d6"), ("Sedge", "3d8")))
    for most in range(1, 9):
        told = [str(one).strip() for one in coming_lines(coming, 40, most)]
        assert len(told) <= most
        assert "who brings what" not in told or told[told.index("who brings what") + 1].startswith("Wren")
    assert "and 1 more" not in told
