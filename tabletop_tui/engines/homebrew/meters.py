"""What goes up and down: everybody's meters and the table's counters, as events."""

from __future__ import annotations

from ...kit.common import is_secret, unseen
from ...kit.told import Told
from .world import HomebrewWorld, meter_rule, titled


def meter_title(world: HomebrewWorld, name: str) -> str:
    """What a meter is called."""
    rule = meter_rule(world.rules, name)
    return titled(name, rule.title) if rule else name


def is_hidden_meter(world: HomebrewWorld, who: str, name: str) -> bool:
    """Is what a meter shows for the GM alone?"""
    rule = meter_rule(world.rules, name)
    return bool(rule and rule.secret) or bool(who and is_secret(world, who))


class MeterMoved(Told, tag="meter_moved"):
    """Somebody's meter went up or down."""

    who: str
    meter: str
    value: int
    was: int

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        mine = {**world.now.meters.get(self.who, {}), self.meter: self.value}
        return world.live(meters={**world.now.meters, self.who: mine})

    def words(self, world: HomebrewWorld) -> str:
        return f"{world.name(self.who)}: {meter_title(world, self.meter)} {self.was} → {self.value}"

    def is_secret(self, world: HomebrewWorld) -> bool:
        return is_hidden_meter(world, self.who, self.meter) or unseen(world, self.who)


class SharedMoved(Told, tag="shared_moved"):
    """A counter of the table went up or down."""

    meter: str
    value: int
    was: int

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(shared={**world.now.shared, self.meter: self.value})

    def words(self, world: HomebrewWorld) -> str:
        return f"{meter_title(world, self.meter)} {self.was} → {self.value}"

    def is_secret(self, world: HomebrewWorld) -> bool:
        return is_hidden_meter(world, "", self.meter)
