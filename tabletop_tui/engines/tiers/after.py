"""After the roll: what points and people can still change before it counts, and how it is settled."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .climax import outcome_events
from .contest import Claimed, Rolled, Settled, damage_of, is_upset, loser, unsettled
from .dice import at_top, compare, throw
from .points import HpChanged, consequence, gain, lacks, spend
from .world import Die, Side, TiersWorld, person


class Settle(Action, tag="settle"):
    """Let the roll count as it lies: apply damage, or the challenge's outcome."""

    title = "settle"
    screens = ("table", "challenge")

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return "" if unsettled(world) else "no roll waits to be settled"

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        roll = unsettled(world)
        assert roll is not None
        if roll.kind == "challenge":
            return outcome_events(world, roll)
        winner = roll.first if roll.winner == "first" else roll.second
        label = "wins" if roll.winner == "first" else "loses"
        damage = damage_of(world, roll)
        if roll.kind == "opposed":
            return (Settled(label, winner.name, roll.margin),)
        hp = max(person(world, roll.second.who).hp - damage, 0)
        settled = Settled(label, winner.name, roll.margin, damage, hp == 0, "attack")
        return (settled, HpChanged(roll.second.who, hp)) if damage else (settled,)


class Buy(Action, tag="buy"):
    """Turn a player's failed roll into a success: the GM gains 2 Complication Points."""

    title = "buy success"
    key = "b"

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        roll = unsettled(world)
        if roll is None:
            return "no roll waits to be settled"
        if roll.kind == "challenge" and not world.rules.buy_in_challenge:
            return "a Lead cannot buy success in a challenge"
        if roll.fixed == "struck":
            return "the GM has paid for this failure"
        if roll.fixed == "bought":
            return "success has been bought already"
        if roll.claimed:
            return "the upset has been claimed: undo that first"
        return "" if loser(roll).player else "the roll that failed is not a player's"

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        roll = unsettled(world)
        assert roll is not None
        buyer = loser(roll)
        won: Literal["first", "second"] = "second" if roll.winner == "first" else "first"
        bought = replace(roll, winner=won, margin=world.rules.bought_margin, fixed="bought")
        return (gain(world, 2, f"{buyer.name} buys success"), Rolled(bought, f"{buyer.name} succeeds after all"))


def player_dice(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every die that a player rolled, by side and place: "first/0"."""
    roll = unsettled(world)
    if roll is None:
        return []
    sides: list[tuple[str, Side]] = [("first", roll.first), ("second", roll.second)]
    return [
        Choice(f"{label}/{i}", f"{one.name}: {die.value}")
        for label, one in sides
        if one.player
        for i, die in enumerate(one.dice)
    ]


class ForceReroll(Action, tag="force_reroll"):
    """Spend 1 Complication Point: one die that a player rolled falls again."""

    title = "reroll a player's die"
    key = "g"
    die: Annotated[str, Ask(player_dice)]

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        roll = unsettled(world)
        if roll is None:
            return "no roll waits to be settled"
        if roll.claimed:
            return "the upset has been claimed: undo that first"
        return "the roll no longer depends on dice" if roll.fixed else lacks(world, 1)

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        roll = unsettled(world)
        assert roll is not None
        label, place = self.die.split("/")
        one: Side = getattr(roll, label)
        old = one.dice[int(place)]
        (face,) = throw(dice, f"{one.name}: a die falls again", [old.tier])
        fallen = Die(old.tier, face, rerolled=True)
        if at_top(world.rules, fallen):
            (again,) = throw(dice, f"{one.name}: explodes", [old.tier])
            fallen = replace(fallen, again=again)
        kept = tuple(fallen if i == int(place) else die for i, die in enumerate(one.dice))
        changed = compare(world.rules, replace(roll, **{label: replace(one, dice=kept)}))
        what = f"{one.name}'s {old.value} falls again as {fallen.value}"
        return (spend(world, 1, what), Rolled(changed, what))


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


def strikeable(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Players' characters: whom the GM's points can bring down."""
    return [Choice(w, world.name(w)) for w in world.players()]


class Strike(Action, tag="strike"):
    """Spend 5 or 10 Complication Points: an action fails dramatically and leaves a Consequence."""

    title = "dramatic failure"
    screens = ("table",)
    who: Annotated[str, Ask(strikeable)]
    what: Annotated[str, Meta(max_length=200)]
    lasting: bool = False
    sessions: Annotated[int, Meta(ge=1, le=2)] = 2

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return lacks(world, 5)

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        if not self.what.strip():
            raise Refused("a Consequence needs words", remedy="Say what happens to them.")
        cost = 10 if self.lasting else 5
        kind = "catastrophic" if self.lasting else "dramatic"
        events: list[Event] = [spend(world, cost, f"{kind} failure for {world.name(self.who)}")]
        lies = world.now.roll
        if lies and lies.stage == "reroll" and self.who in (lies.first.who, lies.second.who):
            raise Refused("their dice can still be rerolled", remedy="Let the rerolls be chosen, then strike.")
        roll = unsettled(world)
        if roll and self.who in (roll.first.who, roll.second.who):
            won: Literal["first", "second"] = "second" if roll.first.who == self.who else "first"
            lost = roll.margin if roll.winner == won else 0  # a failure that is worse already stays so
            struck = replace(roll, winner=won, margin=max(lost, 4 * (roll.kind == "challenge")), fixed="struck")
            events.append(Rolled(struck, f"{world.name(self.who)} fails after all"))
        events.append(consequence(world, self.who, self.what.strip(), lasting=self.lasting, sessions=self.sessions))
        return tuple(events)
