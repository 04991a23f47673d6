"""The roll of a challenge: both roll; Fortunate, rerolls and explosions; then the outcome."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from ...kit.asking import sure
from ...kit.told import Told, altered
from ...rules import Action, Ask, Choice, Dice, Event, Refused, Tone
from .challenge import is_hidden, leader, led
from .consequences import consequence
from .dice import at_top, compare, default_rerolls, explode, reroll, throw_side, tie_words
from .opposed import Rolled, Settled
from .pools import pool, side, used_up
from .skills import has_skill
from .support import fortunate, opposing, rerolls
from .world import Challenge, Roll, Side, TiersWorld, is_out, person

SUCCESS, COMPLICATIONS, REDUCED, FAILURE = "success", "with complications", "reduced complications", "failure"
OUTCOMES: dict[str, Tone] = {SUCCESS: "good", COMPLICATIONS: "warn", REDUCED: "warn", FAILURE: "bad"}

# ---- both roll


def sides(world: TiersWorld, challenge: Challenge) -> tuple[Side, Side]:
    """The two sides before their dice fall."""
    plan = challenge.plan
    return side(world, challenge.lead, challenge.skill), Side(plan.name, "", plan.tier, plan.dice)


def unfit(world: TiersWorld, challenge: Challenge) -> str:
    """Why it cannot be rolled as it was prepared: somebody fell or left since, or spent their Bonus Die."""
    here = [w for w in world.present() if not is_out(world, w)]
    if challenge.lead not in here:
        return f"{world.name(challenge.lead)} is out: choose another Lead"
    for who, support in challenge.supports.items():
        if who not in here and support.how != "prepare":  # what was prepared is prepared
            return f"{world.name(who)} is out: withdraw their support"
        if support.how in ("direct", "indirect") and not has_skill(world, who, support.skill):
            return f"{world.name(who)} no longer has {support.skill}: withdraw their support"
    if challenge.bonus and person(world, challenge.lead).bonus_dice < 1:
        return f"{world.name(challenge.lead)} has no Bonus Die left: take it out"
    return ""


class RollChallenge(Action, tag="roll"):
    """The Lead rolls against the challenge."""

    title = "roll"
    key = "r"
    screens = ("challenge",)
    actor = staticmethod(leader)

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return led(world) or (unfit(world, world.now.challenge) if world.now.challenge else "")

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        challenge = sure(world.now.challenge)
        hidden = challenge.plan.hidden
        first, second = sides(world, challenge)
        first = throw_side(dice, first, pool(world, challenge.lead, challenge.skill, challenge.bonus))
        second = throw_side(dice, second, [challenge.plan.tier] * opposing(world, challenge), secret=hidden)
        if fortunate(challenge):
            ones = [i for i, die in enumerate(first.dice) if die.face == 1]
            first = reroll(dice, first, ones, f"{first.name}: Fortunate")
        spent = used_up(world, challenge.lead, challenge.skill, challenge.bonus)
        roll = Roll("challenge", "reroll", first, second, rerolls(world, challenge), hidden=hidden)
        if not rerollable(world, roll):
            return (*spent, Rolled(finish(world, dice, roll), f"{first.name} leads"))
        return (*spent, Rolled(roll, f"{first.name} leads, rerolls to choose"))


def rerollable(world: TiersWorld, roll: Roll) -> list[int]:
    """The dice that the Lead may still reroll: none twice."""
    return [i for i, die in enumerate(roll.first.dice) if not die.rerolled] if roll.rerolls else []


def finish(world: TiersWorld, dice: Dice, roll: Roll) -> Roll:
    """Dice at their maximum explode, and the two are compared."""
    first = explode(world.rules, dice, roll.first)
    second = explode(world.rules, dice, roll.second, secret=roll.hidden)
    return compare(world.rules, replace(roll, first=first, second=second, stage="settle", rerolls=0))


def pickable(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The Lead's dice, by place."""
    roll = world.now.roll
    if roll is None or roll.stage != "reroll":
        return []
    return [
        Choice(
            i,
            f"{die.face}{' (its maximum)' if at_top(world.rules, die) else ''}",
            "rerolled already" if die.rerolled else "",
        )
        for i, die in enumerate(roll.first.dice)
    ]


class Reroll(Action, tag="reroll"):
    """Reroll some of the Lead's dice, or none, with both pools in sight; then dice explode."""

    title = "reroll"
    dice: Annotated[tuple[int, ...], Ask(pickable)] = ()

    @classmethod
    def actor(cls, world: TiersWorld, fields: Mapping[str, Any]) -> str:
        return world.now.roll.first.who if world.now.roll else ""

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        roll = world.now.roll
        return "" if roll and roll.stage == "reroll" else "there is nothing to reroll"

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        roll = sure(world.now.roll)
        if len(self.dice) > roll.rerolls:
            raise Refused(f"{len(self.dice)} dice are too many to reroll", remedy=f"At most {roll.rerolls}.")
        fallen = reroll(dice, roll.first, self.dice, f"{roll.first.name}: reroll") if self.dice else roll.first
        done = finish(world, dice, replace(roll, first=fallen))
        was = ", ".join(str(roll.first.dice[i].face) for i in self.dice)
        return (Rolled(done, f"{roll.first.name} rerolls {was}" if was else f"{roll.first.name} keeps the dice"),)


def default_reroll(world: TiersWorld, roll: Roll) -> Reroll:
    """The reroll that is offered first, and that odds assume."""
    return Reroll(default_rerolls(world.rules, roll.first, roll.rerolls))


# ---- the outcome


class ChallengeEnded(Told, tag="challenge_ended"):
    """The challenge has its outcome."""

    rule = "the Lead wins: success; loses by less than 4: success with complications; by 4 or more: outright failure"
    name: str
    result: str
    margin: int
    complication: str = ""
    """ "", "full" or "reduced"."""
    what: str = ""
    """What the complication is."""

    def apply(self, world: TiersWorld) -> TiersWorld:
        return altered(world, "challenge", outcome=self.result)

    def words(self, world: TiersWorld) -> str:
        tie = tie_words(world.rules, world.now.roll) if world.now.roll else ""
        return self._told(f" ({tie or f'margin {self.margin}'})")

    def is_secret(self, world: TiersWorld) -> bool:
        return is_hidden(world)  # with the Lead's dice in sight the margin would tell the hidden ones

    def open_words(self, world: TiersWorld) -> str:
        return self._told("")

    def _told(self, how: str) -> str:
        extra = " and a full complication" if self.result == FAILURE and self.complication == "full" else ""
        softened = " (softened)" if self.complication == "reduced" else ""
        what = f": {self.what}{softened}" if self.what else ""
        return f"{self.name}: {title(self.result).upper()}{extra}{how}{what}"


def title(result: str) -> str:
    """An outcome in a few words."""
    return {
        SUCCESS: "success",
        COMPLICATIONS: "success with complications",
        REDUCED: "success with reduced complications",
        FAILURE: "failure",
    }[result]


def result_of(challenge: Challenge, won: bool, margin: int) -> tuple[str, str]:
    """The outcome and how large its complication is."""
    if won:
        return SUCCESS, ""
    unstable = "unstable" in challenge.plan.keywords
    prepared_for = any(s.how == "prepare" for s in challenge.supports.values())
    if margin >= 4:
        return FAILURE, "full" if unstable else ""
    return (REDUCED, "reduced") if prepared_for and not unstable else (COMPLICATIONS, "full")


def outcome_events(world: TiersWorld, roll: Roll) -> tuple[Event, ...]:
    """What a settled challenge brings."""
    challenge = sure(world.now.challenge)
    won = roll.winner == "first"
    result, complication = result_of(challenge, won, roll.margin)
    went_wrong = challenge.plan.complication if complication else ""
    events: list[Event] = [
        Settled(result, roll.won.name, roll.margin, kind="challenge"),
        ChallengeEnded(challenge.plan.name, result, roll.margin, complication, went_wrong),
    ]
    if result == FAILURE and roll.fixed != "struck":  # a GM's strike brought its own Consequence
        words = challenge.plan.failure or f"shaken by {challenge.plan.name}"
        events.append(consequence(world, challenge.lead, words, lasting=False, sessions=1))
    return tuple(events)
