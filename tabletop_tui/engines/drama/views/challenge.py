"""What the challenge screen draws: a test with helpers, and the dimensions of a complex test."""

from __future__ import annotations

from msgspec.structs import replace

from ....kit.common import counters, is_secret
from ....kit.roster import both
from ....rules import ChallengeView, Matrix, Option, Outcome, Pool, Row, Tone, Words, as_facts
from ..aid import AddDrama, LendHand, StepBack, WorkTogether, WorkWith, shares, task_givers
from ..building import DIRECT, INDIRECT, approaches, attribute, passions_of, points_of, used_attribute
from ..campaign import ATTRIBUTES
from ..challenge import Lead as LeadAction
from ..challenge import PutIn, RollTask
from ..complex import (
    MOST_ATTEMPTS,
    GiveUp,
    OpenComplex,
    complex_plans,
    dimension_of,
    dimension_piece,
    is_locked,
    plan_closed,
    price_words,
)
from ..odds import pools as pool_views
from ..outcome import waiting
from ..penalties import able
from ..task import hand_piece, task_sides, unable
from ..world import Complex, DramaWorld, Roll, Task, person
from .players import as_players
from .roll import hands, outcome, prompt

WORDS = Words(lead="lead", support="aid", stakes="stakes", again="next test")


def challenge_view(world: DramaWorld) -> ChallengeView:
    """The challenge screen; players do not see a test of somebody who is hidden."""
    return both(world, as_players(world), _challenge_view)


def _challenge_view(world: DramaWorld) -> ChallengeView:
    busy = OpenComplex.when(world)
    prepared = tuple(
        Option(
            label=p.name,
            action=OpenComplex(i),
            note=many_dimensions(len(p.dimensions)),
            closed=busy or plan_closed(world, p),
            secret=True,
        )
        for i, p in complex_plans(world).items()
    )
    task, chain = world.now.task, world.now.complex
    roll = roll_here(world, task, chain)
    if chain and chain.outcome and roll and roll.kind != "complex":
        chain = None  # another test was rolled since it ended
    fallen = pool_views(world, roll.sides) if roll else ()
    rolled = {"hands": hands(roll), "prompt": prompt(world) if roll else None, "outcome": came(chain, task, roll)}
    if task is None and chain is None:
        none = ChallengeView(open=prepared, counters=counters(world), words=WORDS)
        led = {"lead": fallen[0].who, "led_by": led_by(world, None, roll)} if roll else {}
        return replace(none, **rolled, **led, title=roll.what, pools=fallen) if roll else none
    busy, scene = waiting(world), world.scenes.get(world.now.scene)
    pools, closed = pools_of(world, task)
    whole = chain is not None and (task is None or task.chain)
    title = chain.plan.name if chain and whole else task.name if task else ""
    leading = bool(task and task.lead)
    shown = ChallengeView(
        title=title,
        facts=as_facts(facts(world, task, chain)),
        stakes=task.stakes if task else chain.plan.stakes if chain else "",
        open=prepared,
        lead=lead_words(world, task) if task else fallen[0].who if fallen else "",
        led_by=led_by(world, task, roll),
        leads=lead_options(world, task) if task and not busy else (),
        pools=pools or fallen,
        support=matrix(world, task) if task and leading else None,
        extras=extras(world, task, chain),
        roll=RollTask() if task and leading and not busy and not closed else None,
        roll_closed=busy or closed,
        odds_secret=any(pool.secret for pool in pools),
        counters=counters(world),
        about=scene.about if scene else "",
        secret_about=scene.secret if scene else "",
        parts=tuple(dimension_option(chain, i) for i in range(len(chain.plan.dimensions))) if chain and whole else (),
        words=WORDS,
    )
    return replace(shown, **rolled)


def many_dimensions(count: int) -> str:
    """How long a complex test is."""
    return f"{count} dimension{'' if count == 1 else 's'}"


def roll_here(world: DramaWorld, task: Task | None, chain: Complex | None) -> Roll | None:
    """A roll that belongs on this screen: the last attempt stays in sight until somebody leads the next one."""
    roll = world.now.roll
    if roll is None or roll.kind not in ("test", "together", "complex", "recovery"):
        return None
    if task is None:
        return roll
    tried = chain is not None and (chain.at, chain.tried) != (0, 0)
    return roll if task.chain and not task.lead and tried and roll.kind == "complex" else None


ENDS: dict[str, tuple[str, Tone]] = {
    "full": ("full success", "good"),
    "partial": ("partial success", "warn"),
    "failed": ("failed", "bad"),
}
"""How a complex test can end."""


def chain_outcome(chain: Complex, roll: Roll | None) -> Outcome:
    """How a complex test ended: with its last attempt, or given up before that was made."""
    title, tone = ENDS[chain.outcome]
    last = outcome(roll)
    if last is None or not (is_locked(chain) or chain.outcome == "full"):
        return Outcome(title=title, tone=tone, detail=f"given up at {dimension_of(chain).name}")
    return replace(last, title=title, tone=tone)


def came(chain: Complex | None, task: Task | None, roll: Roll | None) -> Outcome | None:
    """How the complex test ended, or else what was rolled."""
    return chain_outcome(chain, roll) if chain and chain.outcome and task is None else attempt_outcome(roll)


def attempt_outcome(roll: Roll | None) -> Outcome | None:
    """How a roll came out; one at a dimension of a complex test names it: the test itself goes on."""
    told = outcome(roll)
    if told is None or roll is None or roll.kind != "complex":
        return told
    return replace(told, title=f"{roll.what}: {told.title}", goes_on=True)


def pools_of(world: DramaWorld, task: Task | None) -> tuple[tuple[Pool, ...], str]:
    """The pools, or why they cannot be rolled."""
    if task is None:
        return (), "no test is being prepared"
    if not task.lead:
        return (), "nobody leads yet"
    why = unable(world, task)
    return (() if why else pool_views(world, task_sides(world, task))), why


def facts(world: DramaWorld, task: Task | None, chain: Complex | None) -> tuple[str, ...]:
    """Difficulty, who resists, which dimension and attempt."""
    found = []
    if task and task.chain and chain and not chain.outcome:
        dimension = dimension_of(chain)
        found.append(f"{dimension.name}: attempt {chain.tried + 1} of {min(dimension.attempts, MOST_ATTEMPTS)}")
    elif task:
        found.append(task.difficulty if task.difficulty != "some" else "some difficulty")
    elif chain and chain.outcome:
        found.append(f"outcome: {chain.outcome}")
    if task and task.target:
        found.append(f"{world.name(task.target)} resists: {task.resist}")
    return tuple(found)


def extras(world: DramaWorld, task: Task | None, chain: Complex | None) -> tuple[Option, ...]:
    """What the lead can put in before the roll, and giving a complex test up."""
    if waiting(world):
        return ()
    goes_on = chain and not chain.outcome and task and task.chain
    last = (Option(label="give up", action=GiveUp(), key="g"),) if goes_on else ()
    if task is None or not task.lead:
        return last
    lead = task.lead
    entry, them, mine = task.crew[lead], person(world, lead), is_secret(world, lead)
    # what was put in may be gone since: a penalty slept off, a point spent elsewhere
    turned = entry.turned if entry.turned in them.penalties else ""
    point = entry.point if them.drama_points > 0 else ""
    giver = next((c.value for c in task_givers(world, {}) if not c.closed), "")
    closed = "" if giver else "nobody has one left to give"
    switches = [
        Option(label="drama die", action=AddDrama(giver or lead, lead, ""), key="d", closed=closed),
        Option(label="put in", action=PutIn(""), key=PutIn.key, note="a passion, a point"),  # for anybody who rolls
    ]
    for choice in passions_of(world, lead)[1:]:
        on = entry.passion == choice.value
        put = PutIn(lead, "" if on else choice.value, point, turned)
        switches.append(Option(label=f"passion: {choice.words}", action=put, chosen=on, secret=mine))
    for choice in points_of(world, lead)[1:]:
        on = entry.point == choice.value
        put = PutIn(lead, entry.passion, "" if on else choice.value, turned)
        closed = "" if on else choice.closed
        label = f"Drama Point{f', {choice.note}' if choice.note else ''}: {choice.words}"
        switches.append(Option(label=label, action=put, closed=closed, chosen=on, secret=mine))
    return (*switches, *last)


def dimension_option(chain: Complex, place: int) -> Option:
    """One dimension, with its attempts and their prices; the open one is pressed to say who tries it."""
    dimension = chain.plan.dimensions[place]
    done = place < chain.at or chain.outcome == "full"
    here = place == chain.at and not chain.outcome
    most = min(dimension.attempts, MOST_ATTEMPTS)
    words = [f"attempt {chain.tried + 1} of {most}" if here else "one attempt" if most == 1 else f"{most} attempts"]
    words.append(f"{(dimension_piece(chain) if here else dimension).resistance} resist")
    words += [dimension.hint] if dimension.hint else []
    if price := price_words(dimension.first):
        words.append(f"{'first ' if most > 1 else ''}attempt: {price}")
    if most > 1 and (price := price_words(dimension.second)):
        words.append(f"second: {price}")
    if price := price_words(dimension.failure):
        words.append(f"failing: {price}")
    return Option(
        label=dimension.name,
        action=LeadAction("", ""),
        closed="done" if done else "" if here else "locked",
        chosen=done,
        note=" · ".join(words),
    )


def lead_words(world: DramaWorld, task: Task | None) -> str:
    """Who leads with what."""
    if task is None or not task.lead:
        return ""
    entry = task.crew[task.lead]
    return f"{world.name(task.lead)} leads · {entry.using.rpartition(':')[2]}"


def led_by(world: DramaWorld, task: Task | None, roll: Roll | None) -> str:
    """Who leads, or led what lies there."""
    who = task.lead if task else next(iter(roll.sides.values())).who if roll else ""
    return "" if world.is_hidden(who) else who


def lead_options(world: DramaWorld, task: Task) -> tuple[Option, ...]:
    """Every player's character who can act, with each of their skills and attributes."""
    return tuple(
        Option(
            label=f"{world.name(who)} · {choice.words}",
            action=LeadAction(who, choice.value),
            closed=choice.closed,
            chosen=task.lead == who and task.crew[who].using == choice.value,
        )
        for who in world.players()
        if not able(world, who)
        for choice in approaches(world, who)
        # a background needs an attribute: its form is asked
        if not str(choice.value).startswith((DIRECT, INDIRECT))
    )


COLUMNS = ("lend a hand", "work together")


def matrix(world: DramaWorld, task: Task) -> Matrix:
    """Helper × way of helping, with what each would bring or why not."""
    who = [w for w in world.players() if w != task.lead]
    who += [w for w in (*task.hands, *task.crew) if w not in who and w != task.lead]
    return Matrix(
        columns=COLUMNS,
        rows=tuple(
            Row(who=world.name(w), cells=(hand_cell(world, task, w), work_cell(world, task, w)), id=w) for w in who
        ),
    )


def cannot(world: DramaWorld, who: str) -> str:
    """Why somebody cannot help: away, or broken."""
    return able(world, who) if who in world.present() else "away"


def hand_cell(world: DramaWorld, task: Task, who: str) -> Option:
    """Lending a hand: base dice for the lead's pool."""
    chosen = who in task.hands
    which = task.hands.get(who) or used_attribute(world, task.lead, task.crew[task.lead])
    dice = hand_piece(world, who, which, task.crew[task.lead].using).base
    closed = waiting(world) or ("" if chosen else cannot(world, who))
    action = StepBack(who) if chosen else LendHand(who)
    told = f"{which} {attribute(world.sheets[who], which)}"
    shown = Option(label=f"+{dice} base", action=action, closed=closed, chosen=chosen, note=told)
    if not is_secret(world, who):
        return shown
    # what the GM's own can do is a secret
    return replace(shown, label="lends a hand", note="", secret_label=shown.label, secret_note=told)


def work_cell(world: DramaWorld, task: Task, who: str) -> Option:
    """Working together: a pool of their own. Who does not have the Lead's skill is asked for theirs."""
    chosen, lead = who in task.crew, task.crew[task.lead].using
    using = task.crew[who].using if chosen else lead if shares(world, who, lead) else ""
    closed = waiting(world) or ("" if chosen else cannot(world, who))
    if not closed and who in task.hands:
        closed = "lends a hand"
    action = StepBack(who) if chosen else WorkTogether(who) if using else WorkWith(who, "")
    skill = f"{using} alone" if using in ATTRIBUTES else using.rpartition(":")[2]
    told, mine = skill or "with another skill", is_secret(world, who)
    shown = Option(label="rolls too", action=action, closed=closed, chosen=chosen)
    return replace(shown, secret_note=told) if mine else replace(shown, note=told)
