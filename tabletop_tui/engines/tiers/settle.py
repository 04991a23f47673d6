"""Before a roll counts: what points and people can still change, and how it is settled."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.asking import sure
from ...kit.told import altered
from ...rules import Action, Ask, Choice, Dice, Event
from .attack import damage_of, is_upset
from .bonus import players
from .challenge_roll import outcome_events, result_of
from .consequences import consequence, needs_words
from .dice import compare, explode, reroll
from .health import HpChanged
from .opposed import LOSES, WINS, Rolled, Settled, unsettled
from .points import gain, lacks, spend
from .world import SIDES, Die, Roll, Side, TiersWorld, person

CLAIMED = "the upset has been claimed: undo that first"
NO_ROLL = "no roll waits to be settled"


class Settle(Action, tag="settle"):
    """Let the roll count as it lies: apply damage, or the challenge's outcome."""

    title = "let it count"
    screens = ("table", "challenge")

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return "" if unsettled(world) else NO_ROLL

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        roll = sure(unsettled(world))
        if roll.kind == "challenge":
            return outcome_events(world, roll)
        label = WINS if roll.winner == "first" else LOSES
        winner = roll.won.name
        if roll.kind == "opposed":
            return (Settled(label, winner, roll.margin),)
        damage = damage_of(world, roll)
        hp = max(person(world, roll.second.who).hp - damage, 0)
        settled = Settled(label, winner, roll.margin, damage, hp == 0, "attack")
        return (settled, HpChanged(roll.second.who, hp)) if damage else (settled,)


class Buy(Action, tag="buy"):
    """Turn a player's failed roll into a success: the GM gains 2 Complication Points."""

    title = "buy success"
    key = "b"

    @classmethod
    def actor(cls, world: TiersWorld, fields: Mapping[str, Any]) -> str:
        roll = unsettled(world)
        return roll.lost.who if roll else ""

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        roll = unsettled(world)
        if roll is None:
            return NO_ROLL
        if roll.kind == "challenge" and not world.rules.buy_in_challenge:
            return "a Lead cannot buy success in a challenge"
        if roll.fixed:
            return "the GM has paid for this failure" if roll.fixed == "struck" else "success has been bought already"
        if roll.claimed:
            return CLAIMED
        return "" if roll.lost.player else "the roll that failed is not a player's"

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        roll = sure(unsettled(world))
        buyer = roll.lost.name
        won = "second" if roll.winner == "first" else "first"
        bought = replace(roll, winner=won, margin=world.rules.bought_margin, fixed="bought")
        return (gain(world, 2, f"{buyer} buys success"), Rolled(bought, f"{buyer} succeeds after all"))


def player_dice(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every die that a player rolled, by side and place: "first/0"; each is rerolled once."""
    roll = unsettled(world)
    if roll is None:
        return []
    once = world.rules.reroll_once
    return [
        Choice(f"{label}/{i}", f"{one.name}: {die.value}", "rerolled already" if die.rerolled and once else "")
        for label, one in (("first", roll.first), ("second", roll.second))
        if one.player
        for i, die in enumerate(one.dice)
    ]


def die_at(roll: Roll, place: str) -> Die:
    """The die that a choice names: "first/0"."""
    label, _, index = place.partition("/")
    return (roll.first if label == "first" else roll.second).dice[int(index)]


def first_reroll(world: TiersWorld) -> str:
    """The die whose reroll the GM is offered: the highest of a player's that can turn it; empty where none can."""
    roll = unsettled(world)
    if roll is None or ForceReroll.when(world):
        return ""
    free = [str(choice.value) for choice in player_dice(world, {}) if not choice.closed]
    free = [place for place in free if can_turn(world, roll, place)]
    return max(free, key=lambda place: die_at(roll, place).value, default="")


def can_turn(world: TiersWorld, roll: Roll, place: str) -> bool:
    """Could it come out worse for the player once a die is rerolled? The lowest face is the worst that can fall."""
    label, _, index = place.partition("/")
    one: Side = getattr(roll, label)
    tier = one.dice[int(index)].tier
    low = Die(tier, len(SIDES[tier]))
    dice = tuple(low if i == int(index) else die for i, die in enumerate(one.dice))
    worst = compare(world.rules, replace(roll, **{label: replace(one, dice=dice)}))
    now = world.now.challenge
    if roll.kind == "challenge" and now:
        ends = [result_of(now, each.winner == "first", each.margin) for each in (roll, worst)]
        return ends[0] != ends[1]
    return (worst.winner, damage_of(world, worst)) != (roll.winner, damage_of(world, roll))


class ForceReroll(Action, tag="force_reroll"):
    """Spend 1 Complication Point: one die that a player rolled is rerolled."""

    title = "reroll a player's die"
    key = "g"
    die: Annotated[str, Ask(player_dice)]

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        roll = unsettled(world)
        if roll is None:
            return NO_ROLL
        if roll.claimed:
            return CLAIMED
        return "the roll no longer depends on dice" if roll.fixed else lacks(world, 1)

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        roll = sure(unsettled(world))
        label, _, place = self.die.partition("/")
        one: Side = getattr(roll, label)
        fallen = reroll(dice, one, [int(place)], f"{one.name}: a die is rerolled")
        fallen = explode(world.rules, dice, fallen)
        old, new = one.dice[int(place)], fallen.dice[int(place)]
        changed = compare(world.rules, replace(roll, **{label: fallen}))
        what = f"{one.name}'s {old.value} is rerolled: {new.value}"
        return (spend(world, 1, what), Rolled(changed, what))


class Claimed(Event, tag="claimed"):
    """The GM took the point for an upset."""

    def apply(self, world: TiersWorld) -> TiersWorld:
        return altered(world, "roll", claimed=True)


class Claim(Action, tag="claim"):
    """The GM gains 1 Complication Point: a lower tier beat a higher one by 2 or more."""

    title = "claim the upset"
    key = "p"

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        roll = unsettled(world)
        if roll is None or not is_upset(world, roll):
            return "no lower tier has just beaten a higher one by 2 or more"
        return "it was claimed already" if roll.claimed else ""

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return (gain(world, 1, "an upset"), Claimed())


def strikeable(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Players' characters, closed while their dice can still be rerolled, and for the winner of a claimed upset."""
    lies, closed = world.now.roll, {}
    if lies and lies.stage == "reroll":
        closed = dict.fromkeys((lies.first.who, lies.second.who), "their dice can still be rerolled")
    elif lies and lies.stage == "settle" and lies.claimed:
        closed = {lies.first.who: CLAIMED}
    return [replace(c, closed=closed.get(c.value, "")) for c in players(world, fields)]


def how_long(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """A failure for a session or two, or one that lasts."""
    return [Choice(False, "no: 5 points"), Choice(True, "yes: 10 points", lacks(world, 10))]


class Strike(Action, tag="strike"):
    """Spend 5 or 10 Complication Points: an action fails dramatically and leaves a Consequence."""

    title = "force a failure"
    screens = ("table",)
    who: Annotated[str, Ask(strikeable)]
    what: Annotated[str, Meta(max_length=200)]
    lasting: Annotated[bool, Ask(how_long)] = False
    sessions: Annotated[int, Meta(ge=1, le=2)] = 2

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return lacks(world, 5)

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        what = needs_words(self.what)
        cost = 10 if self.lasting else 5
        kind = "catastrophic" if self.lasting else "dramatic"
        events: list[Event] = [spend(world, cost, f"{kind} failure for {world.name(self.who)}")]
        roll = unsettled(world)
        if roll and self.who in (roll.first.who, roll.second.who):
            won = "second" if roll.first.who == self.who else "first"
            lost = roll.margin if roll.winner == won else 0  # a failure that is worse already stays so
            struck = replace(roll, winner=won, margin=max(lost, 4 * (roll.kind == "challenge")), fixed="struck")
            events.append(Rolled(struck, f"{world.name(self.who)} fails after all"))
        events.append(consequence(world, self.who, what, lasting=self.lasting, sessions=self.sessions))
        return tuple(events)
