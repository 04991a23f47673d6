"""What chances and dice cost, beside icepool and beside random."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import icepool
import msgspec

from tabletop_tui import plugins
from tabletop_tui.engines.tiers import chances as closed_form
from tabletop_tui.rules import Dice, roller
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.workbench import Benches

from . import data
from .measure import Row, afresh, best, best_of_both, pairs_of, ranked

SUMS: dict[str, Callable[[], Any]] = {
    "10d6+2": lambda: 10 @ icepool.d6 + 2,
    "4d6kh3": lambda: icepool.d6.highest(4, 3),
    "20d20kh10": lambda: icepool.d20.highest(20, 10),
    "400d6": lambda: 400 @ icepool.d6,  # with more, icepool comes to the end of Python's stack
    "3d8 / 1d4+2d10 fen": lambda: (
        sum((icepool.d8.explode(depth=20) for _ in range(3)), icepool.Die([0]))
        > icepool.d4.explode(depth=20) + 2 @ icepool.d10.explode(depth=20)
    ),
    "10d20 / 10d20 fen": lambda: 10 @ icepool.d20 > 10 @ icepool.d20,  # the easier half: these do not explode
    "4d4 vs 2d6 tiers": lambda: (
        icepool.d4.explode(depth=1).highest(4) > icepool.d6.explode(depth=1).highest(2)  # a maximum explodes once
    ),
    "5d8 no1": lambda: 5 @ (icepool.d8 >= 5),
    "9Bd 6Rd 4Dd": lambda: 15 @ (icepool.d6 >= 5),
}
"""An expression of the workbench, and the same question, or an easier one, asked of icepool."""
SIMILAR = ("2d3+1", "4d4+3", "1d3 / 1d3 fen", "1d4 vs 1d4 tiers", "2d4 no1", "1Bd 1Rd 1Dd")
"""What is asked before, so that nothing is done for the first time."""


def odds(place: Path, quick: bool) -> Iterator[Row]:
    """The workbench's chances, nothing cached, and a challenge with every option of four supporters beside it."""
    benches = Benches(tuple(plugins.load_all().engines.values()))

    def warm() -> object:
        return [benches.read(one).work() for one in SIMILAR]

    def warm_icepool() -> object:
        return [2 @ icepool.d3 + 1, 4 @ icepool.d4 + 3, icepool.d4.highest(2) > icepool.d3.explode(depth=2)]

    for text, question in SUMS.items():
        if quick and text.startswith("400"):
            continue

        def ours(text: str = text) -> object:
            return benches.read(text).work()

        # each in a new process, as both remember
        runs = (partial(afresh, ours, warm), partial(afresh, question, warm_icepool))
        pairs = pairs_of(*runs, times=3, seconds=0 if quick else 0.2)
        yield ranked(f"odds: {text}", pairs, 50, "icepool", 1)
    yield _seventeen(place)


def _seventeen(place: Path) -> Row:
    desk = OpenCampaign(data.starter(place / "odds"))
    for words in (
        "improvise name=x tier=charlie dice=8",
        "lead who=mira skill=Warding",
        "support who=rook how=direct",
    ):
        desk.do(data.action(words))
    here, roll, tiers = desk.table.world, data.action("roll"), plugins.load("tiers")
    challenge = here.now.challenge
    desk.close()

    def seventeen() -> None:
        for n in range(17):
            sheet = msgspec.structs.replace(here.sheets["mira"], skills={"Warding": {"charlie": n % 5 + 1}})
            world = msgspec.structs.replace(here, sheets={**here.sheets, "mira": sheet})
            world = world.live(challenge=msgspec.structs.replace(challenge, bonus=n % 2 == 0))
            closed_form.led.cache_clear()
            tiers.odds(world, roll)

    return Row("odds: the 17 of a challenge", best(seventeen, 3), "ms", None, "", 50)


def dice(place: Path, quick: bool) -> Iterator[Row]:
    """Many dice through the contract, beside a plain loop."""
    del place
    many = 100_000 if quick else 1_000_000

    def ours() -> object:
        tray = Dice((), roller(data.SEED, 1))
        return [tray.roll("many", *([6] * 100)) for _ in range(many // 100)]

    def plain() -> object:
        source = random.Random(7)
        return [source.randint(1, 6) for _ in range(many)]

    mine, beside = best_of_both(ours, plain, 5)
    yield Row(f"{many:,} dice", mine, "ms", beside, "random.randint in a loop", 3)
