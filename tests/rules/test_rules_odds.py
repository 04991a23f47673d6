"""Adding results up: the fast way gives the same as the plain one."""

from __future__ import annotations

import random

import pytest

from tabletop_tui.rules.odds import FEW, add


def plainly(first: dict[int, float], second: dict[int, float]) -> dict[int, float]:
    out: dict[int, float] = {}
    for a, p in first.items():
        for b, q in second.items():
            out[a + b] = out.get(a + b, 0.0) + p * q
    return out


@pytest.mark.parametrize("step", [1, 2, 50])
@pytest.mark.parametrize("seed", range(10))
def test_many_values_add_up_to_the_same_bits_as_few(seed: int, step: int) -> None:
    chance = random.Random(seed)
    first, second = (
        {value: chance.random() for value in range(chance.randint(-90, 0), 300, step) if chance.random() < 0.9}
        for _ in range(2)
    )
    assert step == 50 or len(first) * len(second) > FEW
    assert add(first, second) == plainly(first, second)
