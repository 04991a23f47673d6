"""What players see in place of a view, while somebody in it is hidden from them."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop_tui.rules import ChallengeView, ContestView, TableView, strip


@pytest.mark.parametrize("kind", [TableView, ChallengeView, ContestView])
def test_players_see_another_view_where_the_gms_would_tell_of_somebody_hidden(kind: Any) -> None:
    view = kind(title="The thief hides", seen=kind(title="Fog"))
    assert strip(view) == kind(title="Fog")
    assert strip(kind(title="Fog")) == kind(title="Fog")
