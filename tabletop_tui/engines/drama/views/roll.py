"""What every screen draws of a roll: hands, the choice that it waits for, the outcome."""

from __future__ import annotations

from msgspec.structs import replace

from ....rules import Face, Hand, Option, Outcome, Prompt, Tone
from ..dice import die_words, net, number, ones_price, result, worth
from ..outcome import (
    FAILURE,
    MARGINAL,
    NEITHER,
    OPPOSED,
    SUCCESS,
    compare,
    pairs,
    payable,
    pending,
    raisable,
    reading,
    successes,
    total,
    undecided,
)
from ..settle import Favour, LetStand, Pay, Raise
from ..world import Die, DramaWorld, Roll, Side, Verdict, many

TONES: dict[str, Tone] = {SUCCESS: "good", MARGINAL: "warn", FAILURE: "bad", NEITHER: "muted"}


BECAUSE = {
    "test": "two net successes or more succeed; one is marginal: yes, but",
    "together": "everybody's net successes are added, negatives too",
    "complex": "success opens the next dimension; a failed last attempt locks the test",
    "recovery": "two net successes take penalty dice away",
    "opposed": "two net successes or more, and more than the other",
    "contest": "two net successes or more, and more than the other; a draw is whose momentum it is",
}


def face(die: Die) -> Face:
    """A die as it lies, with its pool and what befell it."""
    value = worth(die)
    tone: Tone = "good" if value > 0 else "bad" if value < 0 else ""
    pool = {"base": "", "resistance": "resist", "drama": "drama"}[die.pool]
    mark = "raised" if die.raised else "exploded" if die.again else ""
    return Face(text=die_words(die), sides=6, tone=tone, group=pool, mark=mark)


def hand(side: Side) -> Hand:
    """A pool that fell."""
    paid = ", counts as 2" if side.paid and result(side) != net(side) else ""
    return Hand(who=side.name, faces=tuple(face(die) for die in side.dice), total=f"net {number(net(side))}{paid}")


def hands(roll: Roll | None) -> tuple[Hand, ...]:
    """Everybody's dice."""
    return tuple(hand(side) for side in roll.sides.values()) if roll else ()


def prompt(world: DramaWorld) -> Prompt | None:
    """The choice that the dice wait for; Enter lets them stand."""
    roll = pending(world)
    if roll is None:
        return None
    names = {key: side.name for key, side in roll.sides.items()}
    level = undecided(world, roll)
    whose = f", {names[level[0][0]]}'s draw" if level else ""  # the parts of a split are all one person's
    options = [Option(label=f"let it stand{whose}", action=LetStand(), key="enter")]
    price = many(world.rules.price, "penalty")
    # a letter belongs to the first of its kind; a screen numbers the others
    for i, k in enumerate(payable(world, roll)):
        options.append(Option(label=f"{names[k]} pays: {price}", action=Pay(k), key="" if i else "i"))
    for i, k in enumerate(raisable(world, roll)):
        options.append(Option(label=f"{names[k]}: 4 → 5 for a Drama Point", action=Raise(k), key="" if i else "b"))
    for i, (_, k) in enumerate(level):  # letting it stand leaves it with the first
        options.append(Option(label=f"{names[k]}'s draw", action=Favour(k), key="" if i else "v", secret=True))
    cost = [f"{words}." for words, _ in ones_words(roll)]
    text = " ".join([standing(world, roll), *cost])
    return Prompt(text=text, options=tuple(options), so_far=so_far(world, roll))


def so_far(world: DramaWorld, roll: Roll) -> Outcome | None:
    """How it comes out if it stands as it lies; a draw that the GM picks is open."""
    if undecided(world, roll):
        return None
    if roll.kind in OPPOSED:
        verdicts = {key: compare(world, roll, key, other)[0] for key, other in pairs(roll.sides)}
    else:
        verdicts = {key: Verdict(reading(total(roll)), "", total(roll)) for key in roll.sides}
    return outcome(replace(roll, stage="done", verdicts=verdicts))


def ones_words(roll: Roll) -> list[tuple[str, str]]:
    """Who takes how many penalty dice for the 1s on their drama dice, and why, whatever comes of the roll."""
    prices = ((side.name, *ones_price(side)) for side in roll.sides.values())
    return [(f"{name}: {many(dice, 'penalty')}", cause) for name, dice, cause in prices if dice]


def standing(world: DramaWorld, roll: Roll) -> str:
    """How it stands before it counts."""
    if not pairs(roll.sides):
        return f"Net {number(total(roll))}: {reading(total(roll))}."
    words = []
    for key, other in pairs(roll.sides):
        a, b = roll.sides[key], roll.sides[other]
        asks = ": whose draw?" if (key, other) in undecided(world, roll) else "."
        mine, theirs = (number(successes(roll, one)) for one in (key, other))
        words.append(f"{a.name} {mine}, {b.name} {theirs}{asks}")
    return " ".join(words)


def outcome(roll: Roll | None, goal: str = "") -> Outcome | None:
    """A roll that counts, in large."""
    if roll is None or roll.stage != "done" or not roll.verdicts:
        return None
    ones = [f"{words} ({cause})" for words, cause in ones_words(roll)]  # first: somebody's sheet has changed
    because = BECAUSE[roll.kind]
    if roll.kind not in OPPOSED:
        verdict = next(iter(roll.verdicts.values()))
        paid = " at a price" if any(side.paid for side in roll.sides.values()) else ""
        rolled = " and ".join(side.name for side in roll.sides.values())  # it may not be whoever is up
        return Outcome(
            title=verdict.outcome + paid,
            tone=TONES.get(verdict.outcome, ""),
            detail="; ".join([*ones, f"{rolled}, net {number(verdict.level)}", *roll.after]),
            next=goal,
            because=because,
        )
    titles = [title(roll, key) for key in roll.verdicts if key in roll.sides]
    tone = pair_tone(roll, next(iter(roll.verdicts)))
    by = [v.by for v in roll.verdicts.values() if v.by]
    told, why = "; ".join([*ones, *roll.after]), "; ".join([because, *by])
    return Outcome(title=" · ".join(titles), tone=tone, detail=told, next=goal, because=why)


def title(roll: Roll, key: str) -> str:
    """A verdict in a few words."""
    verdict = roll.verdicts[key]
    if verdict.winner not in roll.sides:
        side = roll.sides[key]
        return f"neither {side.name} nor {roll.sides.get(side.against, side).name} gets there"
    name = roll.sides[verdict.winner].name
    return f"a draw, and it is {name}'s" if verdict.by else f"{name} wins by {verdict.level}"


def pair_tone(roll: Roll, key: str) -> Tone:
    """Good where the players' side wins; between equals, where whoever began does."""
    winner = roll.verdicts[key].winner
    if winner not in roll.sides or key not in roll.sides:
        return "muted"
    won = roll.sides[winner]
    other = roll.sides.get(won.against, won)
    if won.player != other.player:
        return "good" if won.player else "bad"
    return "good" if winner == key else "bad"
