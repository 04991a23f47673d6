"""What does not fit after a hand edit: on sheets, in scenes and in the live state."""

from collections.abc import Iterator

from ...kit import problems as kit
from ...kit.order import FOES, HEROES
from ...rules import MOST_DICE, Problem
from .challenge_roll import OUTCOMES
from .dice import at_top
from .skills import known_skills, rating
from .world import MOST_BONUS, MOST_BOOST, SIDES, Roll, Side, TiersWorld, most_hp

MOST_DAMAGE = 100_000_000


def problems(world: TiersWorld) -> Iterator[Problem]:
    """All of it."""
    order, known = world.rules.order_skill, known_skills(world)
    if order and order not in known:
        yield kit.unknown(("rules", "order_skill"), f"nobody has the skill {order!r}", order, known, warning=True)
    yield from sheet_problems(world)
    yield from kit.problems(world, (HEROES, FOES))
    yield from people_problems(world)
    if world.now.due > world.now.complications:
        yield Problem(("now", "due"), f"{world.now.due} points are due and there are fewer", "Write 0.")
    yield from challenge_problems(world)
    if world.now.roll:
        yield from roll_problems(world, world.now.roll)


def sheet_problems(world: TiersWorld) -> Iterator[Problem]:
    """Levels, and the names and ranks of skills and items."""
    for who, sheet in world.sheets.items():
        at = ("sheets", who)
        if not most_hp(world, who):
            yield Problem((*at, "levels"), f"{sheet.name} has no level in any tier, so no HP", "Add alpha = 1, say.")
        if both := sorted(set(sheet.skills) & set(sheet.items)):
            yield Problem((*at, "items", both[0]), f"{both[0]} is both a skill and an item", "Rename one.")
        for place, held in (("skills", sheet.skills), ("items", sheet.items)):
            for name, ranks in held.items():
                if not ranks:
                    yield Problem((*at, place, name), f"{name} has no rank", "Write { alpha = 1 }, say.")
                if ":" in name or not name.strip():
                    what = "the name of a skill or item cannot be empty or hold a colon"
                    yield Problem((*at, place, name), what, "Rename it.")


def people_problems(world: TiersWorld) -> Iterator[Problem]:
    """HP, Bonus Dice, boosts and Consequences."""
    for who, them in world.now.people.items():
        at = ("now", "people", who)
        if who not in world.sheets:
            yield kit.nobody(at, who, world, "Add their sheet, or take this out.", warning=True)
            continue
        most = most_hp(world, who)
        if them.hp < 0:
            yield Problem((*at, "hp"), f"HP cannot be {them.hp}", "0 means that they are out.")
        elif them.hp > most:
            yield Problem((*at, "hp"), f"{them.hp} HP are more than their levels give", f"At most {most}.", True)
        yield from kit.outside((*at, "bonus_dice"), them.bonus_dice, 0, MOST_BONUS, "the number of Bonus Dice")
        yield from kit.outside((*at, "boost"), them.boost, 0, MOST_BOOST, "a boost")
        for skill, boost in them.boosts.items():
            yield from kit.outside((*at, "boosts", skill), boost, 1, MOST_BOOST, "a boost")
        for name, carried in them.consequences.items():
            if not carried.what.strip():
                yield Problem((*at, "consequences", name), "a Consequence needs words", "Say what it is.")
            yield from kit.outside((*at, "consequences", name, "sessions"), carried.sessions, 1, 100, "sessions left")


def challenge_problems(world: TiersWorld) -> Iterator[Problem]:
    """The open challenge: who leads, who supports."""
    now, at = world.now.challenge, ("now", "challenge")
    if now is None:
        return
    if now.lead and now.lead not in world.sheets:
        yield kit.nobody((*at, "lead"), now.lead, world, "Name one who can lead.")
    elif now.lead and rating(world, now.lead, now.skill) is None:
        has = [*world.sheets[now.lead].skills]
        yield kit.unknown((*at, "skill"), f"{now.lead!r} cannot lead with {now.skill!r}", now.skill, has)
    if now.outcome and now.outcome not in OUTCOMES:
        yield kit.unknown((*at, "outcome"), f"{now.outcome!r} is not an outcome", now.outcome, OUTCOMES)
    for who, support in now.supports.items():
        yield from kit.missing((*at, "supports", who), who, world)
        if who == now.lead:
            yield Problem((*at, "supports", who), "the Lead does not support", kit.TAKE_OUT)
        yield from kit.outside((*at, "supports", who, "gives"), support.gives, 0, 2, "what a support gives")


def roll_problems(world: TiersWorld, roll: Roll) -> Iterator[Problem]:
    """The roll on the table: known people, dice that can lie so, numbers that can come of them."""
    at, now = ("now", "roll"), world.now.challenge
    if roll.kind == "challenge" and (now is None or not now.lead):
        yield Problem(at, "a challenge's roll lies there without its challenge", kit.TAKE_OUT)
    if roll.stage == "reroll" and roll.kind != "challenge":
        yield Problem((*at, "stage"), "only a Lead chooses rerolls", 'Write "settle".')
    if roll.stage != "reroll" and not roll.winner:
        yield Problem((*at, "winner"), "dice that have fallen have a winner", 'Write "first" or "second".')
    yield from kit.outside((*at, "rerolls"), roll.rerolls, 0, 2, "the number of rerolls")
    yield from kit.outside((*at, "margin"), roll.margin, 0, 2 * sum(SIDES["omega"]), "a margin")
    yield from kit.outside((*at, "damage"), roll.damage, 0, MOST_DAMAGE, "damage")
    yield from side_problems(world, (*at, "first"), roll.first, somebody=True)
    yield from side_problems(world, (*at, "second"), roll.second, somebody=roll.kind != "challenge")


def side_problems(world: TiersWorld, at: kit.Path, one: Side, *, somebody: bool) -> Iterator[Problem]:
    """One side of it; a challenge is nobody."""
    if somebody or one.who:
        yield from kit.missing((*at, "who"), one.who, world, "Take the roll out.")
    yield from kit.outside((*at, "rank"), one.rank, 1, 20, "a rank")
    least = 1 if somebody else world.rules.least_opposition
    yield from kit.outside((*at, "dice"), len(one.dice), least, MOST_DICE, "the number of dice")
    for place, die in enumerate(one.dice):
        low, high = len(SIDES[die.tier]), sum(SIDES[die.tier])
        for name in ("face", "again") if die.again else ("face",):
            yield from kit.outside((*at, "dice", place, name), getattr(die, name), low, high, f"a face of {die.tier}")
        if die.again and not at_top(world.rules, die):
            what = f"a {die.tier} die that shows {die.face} does not explode"
            yield Problem((*at, "dice", place, "again"), what, kit.TAKE_OUT, warning=die.tier == "omega")
