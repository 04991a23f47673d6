"""What the challenge screen draws: a test with helpers, and the dimensions of a complex test."""

from __future__ import annotations

from ...rules import ChallengeView, Matrix, Option, Pool, Refused, Row
from .building import approaches, attribute, passions_of, points_of
from .chain import GiveUp, OpenChain
from .chain import plans as chains
from .chances import pools as pool_views
from .crew import hand_piece, task_givers, task_sides
from .fallen import counters, hands, outcome, prompt
from .penalties import able
from .reading import waiting
from .task import AddDrama, LendHand, PutIn, RollTask, StepBack, WorkTogether, default_work, lead_attribute
from .task import Lead as LeadAction
from .world import Complex, Dimension, DramaWorld, Price, Roll, Task, many, person


def challenge_view(world: DramaWorld) -> ChallengeView:
    """The challenge screen."""
    prepared = tuple(
        Option(p.name, OpenChain(i), note=many_dimensions(len(p.dimensions)), secret=True)
        for i, p in chains(world).items()
    )
    task, chain = world.now.task, world.now.complex
    roll = roll_here(world, task, chain)
    if task is None and chain is None:
        return ChallengeView(
            roll.what if roll else "",
            open=prepared,
            lead=next(iter(roll.sides.values())).name if roll else "",
            pools=pool_views(roll.sides) if roll else (),
            hands=hands(roll),
            prompt=prompt(world) if roll else None,
            outcome=outcome(roll),
            counters=counters(world),
        )
    busy, scene = waiting(world), world.scenes.get(world.now.scene)
    pools, closed = pools_of(world, task)
    fallen = pool_views(roll.sides) if roll else ()
    title = chain.plan.name if chain and (task is None or task.chain) else task.name if task else ""
    leading = bool(task and task.lead)
    return ChallengeView(
        title,
        facts(world, task, chain),
        "",
        task.stakes if task else chain.plan.stakes if chain else "",
        prepared,
        lead_words(world, task) if task else fallen[0].who if fallen else "",
        lead_options(world, task) if task and not busy else (),
        pools or fallen,
        matrix(world, task) if task and leading else None,
        extras(world, task, chain),
        RollTask() if task and leading and not busy and not closed else None,
        busy or closed,
        False,
        hands(roll),
        prompt(world) if roll else None,
        outcome(roll),
        counters(world),
        about=scene.about if scene else "",
        secret_about=scene.secret if scene else "",
        parts=dimensions(chain) if chain and (task is None or task.chain) else (),
    )


def many_dimensions(count: int) -> str:
    """How long a complex test is."""
    return f"{count} dimension{'' if count == 1 else 's'}"


def roll_here(world: DramaWorld, task: Task | None, chain: Complex | None) -> Roll | None:
    """A roll that belongs on this screen: the last attempt stays in sight until somebody leads the next one."""
    roll = world.now.roll
    if roll is None or roll.kind not in ("test", "together", "complex"):
        return None
    if task is None:
        return roll
    tried = chain is not None and (chain.at, chain.tried) != (0, 0)
    return roll if task.chain and not task.lead and tried and roll.kind == "complex" else None


def pools_of(world: DramaWorld, task: Task | None) -> tuple[tuple[Pool, ...], str]:
    """The pools, or why they cannot be rolled."""
    if task is None:
        return (), "no test is being prepared"
    if not task.lead:
        return (), "nobody leads yet"
    for who in task.crew:
        if why := able(world, who):
            return (), f"{world.name(who)} is {why}"
    try:
        return pool_views(task_sides(world, task)), ""
    except Refused as refused:
        return (), refused.what


def facts(world: DramaWorld, task: Task | None, chain: Complex | None) -> tuple[str, ...]:
    """Difficulty, who resists, which dimension and attempt."""
    found = []
    if task and task.chain and chain and not chain.outcome:
        dimension = chain.plan.dimensions[chain.at]
        found.append(f"{dimension.name}: attempt {chain.tried + 1} of {min(dimension.attempts, 2)}")
    elif task:
        found.append(task.difficulty if task.difficulty != "some" else "some difficulty")
    elif chain and chain.outcome:
        found.append(f"outcome: {chain.outcome}")
    if task and task.target:
        found.append(f"{world.name(task.target)} resists: {task.resist}")
    return tuple(found)


def price_words(price: Price) -> str:
    """A price on a line."""
    words = [price.words] if price.words else []
    return ", ".join([*words, *([many(price.penalty, "penalty")] if price.penalty else [])])


def extras(world: DramaWorld, task: Task | None, chain: Complex | None) -> tuple[Option, ...]:
    """What the lead can put in before the roll, and giving a complex test up."""
    last = (Option("give up", GiveUp(), "g"),) if chain and not chain.outcome and task and task.chain else ()
    if waiting(world):
        return ()
    if task is None or not task.lead:
        return last
    lead = task.lead
    entry, them = task.crew[lead], person(world, lead)
    # what was put in may be gone since: a penalty slept off, a point spent elsewhere
    turned = entry.turned if entry.turned in them.penalties else ""
    point = entry.point if them.drama_points > 0 else ""
    givers = task_givers(world, {})
    giver = next((c for c in givers if not c.closed), None)
    first = giver.value if giver else lead
    switches = [Option("drama die", AddDrama(first, lead, ""), "d", "" if giver else "nobody has one left to give")]
    for choice in passions_of(world, lead)[1:]:
        on = entry.passion == choice.value
        put = PutIn(lead, "" if on else choice.value, point, turned)
        switches.append(Option(f"passion: {choice.words}", put, "", "", on))
    for choice in points_of(world, lead)[1:]:
        on = entry.point == choice.value
        put = PutIn(lead, entry.passion, "" if on else choice.value, turned)
        switches.append(Option(f"Drama Point: {choice.words}", put, "", "" if on else choice.closed, on))
    return (*switches, *last)


def dimensions(chain: Complex) -> tuple[Option, ...]:
    """Every dimension in its order: done, open or locked. The open one is pressed to say who tries it."""
    return tuple(dimension_option(chain, i, d) for i, d in enumerate(chain.plan.dimensions))


def dimension_option(chain: Complex, place: int, dimension: Dimension) -> Option:
    """One dimension, with its attempts and their prices."""
    done = place < chain.at or chain.outcome == "full"
    here = place == chain.at and not chain.outcome
    most = min(dimension.attempts, 2)
    words = [f"attempt {chain.tried + 1} of {most}" if here else "one attempt" if most == 1 else f"{most} attempts"]
    words.append(f"{dimension.resistance} resist")
    words += [dimension.hint] if dimension.hint else []
    if price := price_words(dimension.first):
        words.append(f"{'first ' if most > 1 else ''}attempt: {price}")
    if most > 1 and (price := price_words(dimension.second)):
        words.append(f"second: {price}")
    if price := price_words(dimension.failure):
        words.append(f"failing: {price}")
    return Option(
        dimension.name, LeadAction("", ""), "", "done" if done else "" if here else "locked", done, " · ".join(words)
    )


def lead_words(world: DramaWorld, task: Task | None) -> str:
    """Who leads with what."""
    if task is None or not task.lead:
        return ""
    entry = task.crew[task.lead]
    return f"{world.name(task.lead)} leads · {entry.using.rpartition(':')[2]}"


def lead_options(world: DramaWorld, task: Task) -> tuple[Option, ...]:
    """Every player's character who can act, with each of their skills and attributes."""
    return tuple(
        Option(
            f"{world.name(who)} · {choice.words}",
            LeadAction(who, choice.value),
            "",
            choice.closed,
            task.lead == who and task.crew[who].using == choice.value,
        )
        for who in world.players()
        if not able(world, who)
        for choice in approaches(world, who)
        if ":" not in str(choice.value)  # a background needs an attribute: its form is asked
    )


COLUMNS = ("lend a hand", "work together")


def matrix(world: DramaWorld, task: Task) -> Matrix:
    """Helper × way of helping, with what each would bring or why not."""
    who = [w for w in world.players() if w != task.lead]
    who += [w for w in (*task.hands, *task.crew) if w not in who and w != task.lead]
    return Matrix(
        COLUMNS, tuple(Row(world.name(w), (hand_cell(world, task, w), work_cell(world, task, w)), w) for w in who)
    )


def cannot(world: DramaWorld, who: str) -> str:
    """Why somebody cannot help: away, or broken."""
    return able(world, who) if who in world.present() else "away"


def hand_cell(world: DramaWorld, task: Task, who: str) -> Option:
    """Lending a hand: base dice for the lead's pool."""
    chosen = who in task.hands
    which = task.hands.get(who) or lead_attribute(world, task)
    dice = hand_piece(world, who, which, task.crew[task.lead].using).base
    closed = waiting(world) or ("" if chosen else cannot(world, who))
    action = StepBack(who) if chosen else LendHand(who)
    return Option(f"+{dice} base", action, "", closed, chosen, f"{which} {attribute(world.sheets[who], which)}")


def work_cell(world: DramaWorld, task: Task, who: str) -> Option:
    """Working together: a pool of their own."""
    chosen = who in task.crew
    using = task.crew[who].using if chosen else default_work(world, who, task)
    closed = waiting(world) or ("" if chosen else cannot(world, who))
    if not closed and who in task.hands:
        closed = "lends a hand"
    action = StepBack(who) if chosen else WorkTogether(who)
    return Option("rolls too", action, "", closed, chosen, using.rpartition(":")[2])
