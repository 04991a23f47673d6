"""What goes up and down: everybody's meters and the table's counters, as events."""

from __future__ import annotations

from ...kit.common import is_secret, unseen
from ...kit.hurt import shows
from ...kit.told import Told
from .game import HomebrewRules
from .scope import meter_ends
from .world import HomebrewWorld, meter_rule, titled


def meter_title(world: HomebrewWorld, name: str) -> str:
    """What a meter is called."""
    rule = meter_rule(world.rules, name)
    return titled(name, rule.title) if rule else name


def is_hidden_meter(world: HomebrewWorld, who: str, name: str) -> bool:
    """Is what a meter shows for the GM alone?"""
    rule = meter_rule(world.rules, name)
    return bool(rule and rule.secret) or bool(who and is_secret(world, who))


def wounds(rules: HomebrewRules) -> str:
    """The one meter whose end puts somebody out: how hurt they are shows by it. Empty where there are several."""
    found = [
        name
        for name, rule in rules.meters.items()
        for end in (rule.empty, rule.full)
        if not rule.secret and (lasting := rules.lasting.get(str(end.get("condition")))) and lasting.out
    ]
    return found[0] if len(found) == 1 else ""


def left_of(world: HomebrewWorld, who: str, value: int) -> tuple[int, int]:
    """What is left before a meter that puts somebody out does so, and how much that is at the most."""
    name = wounds(world.rules)
    least, most = meter_ends(world, who, name)
    end = least if most is None else most
    return (value - least if world.rules.meters[name].empty else end - value), end - least


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

    def open_words(self, world: HomebrewWorld) -> str:
        if self.meter != wounds(world.rules) or unseen(world, self.who):
            return ""
        (was, most), (left, _) = left_of(world, self.who, self.was), left_of(world, self.who, self.value)
        # what puts somebody out is a condition, which is told by itself
        return shows(world.name(self.who), before=was, after=left, most=most) if left > 0 else ""


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
