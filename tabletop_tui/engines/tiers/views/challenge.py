"""The challenge: who leads, who could support how, both pools and the roll."""

from __future__ import annotations

from ....kit.common import is_secret
from ....rules import Action, ChallengeView, Line, Matrix, Option, Row, as_facts
from ..challenge import DeclareBonus, Lead, Open, lead_skills, leaders, planning, plans
from ..challenge_roll import FAILURE, OUTCOMES, SUCCESS, RollChallenge, result_of
from ..chances import strength
from ..odds import challenge_pools, odds_secret
from ..skills import rating
from ..support import EFFECTS, GiveSupport, Withdraw, closed, gives, other_skills
from ..world import HOWS, Challenge, How, Plan, TiersWorld, is_out, person
from .roll import counters, earlier, hands, outcome, prompt


def challenge_view(world: TiersWorld) -> ChallengeView:
    """The challenge screen."""
    closed = Open.when(world)
    prepared = tuple(
        Option(label=p.name, action=Open(i), closed=closed, secret=True, note=plan_facts(p))
        for i, p in plans(world).items()
    )
    challenge = world.now.challenge
    scene = world.scenes.get(world.now.scene)
    about, secret = (scene.about, scene.secret) if scene else ("", "")
    if challenge is None:
        return ChallengeView(open=prepared, counters=counters(world), about=about, secret_about=secret)
    plan = challenge.plan
    busy = planning(world)
    leading = bool(challenge.lead)
    roll = world.now.roll
    rolled = roll is not None and roll.kind == "challenge"
    attacked = roll is not None and not rolled and roll.stage != "done"
    return ChallengeView(
        title=plan.name,
        facts=as_facts(plan.keywords if plan.hidden else (plan_facts(plan),)),
        secret_facts=f"{plan.tier} · {plan.pool} · hidden" if plan.hidden else "",
        stakes=plan.stakes,
        secret_means=means(challenge),
        open=prepared,
        lead=lead_words(world, challenge),
        led_by="" if world.is_hidden(challenge.lead) else challenge.lead,
        leads=() if busy else lead_options(world),
        pools=challenge_pools(world, challenge) if leading else (),
        support=matrix(world, challenge) if leading else None,
        extras=() if busy or not leading else (bonus_option(world, challenge),),
        roll=RollChallenge() if leading and not busy else None,
        roll_closed=RollChallenge.when(world),
        odds_secret=odds_secret(world, challenge),
        hands=hands(world) if rolled else (),
        prompt=None if attacked else prompt(world),  # an attack is decided at the table
        outcome=outcome(world) if rolled else earlier(challenge),
        counters=counters(world),
        about=about,
        secret_about=secret,
    )


def means(challenge: Challenge) -> tuple[Line, ...]:
    """What each outcome will mean, as far as it is prepared."""
    plan = challenge.plan
    partly, _ = result_of(challenge, False, 1)
    _, too = result_of(challenge, False, 4)
    fails = plan.failure or f"shaken by {plan.name}"
    said = {
        SUCCESS: plan.stakes,
        partly: plan.complication,
        FAILURE: f"the Lead: {fails}" + (f"; and {plan.complication or 'a complication'}" if too else ""),
    }
    return tuple(Line(label=label, value=words, tone=OUTCOMES[label]) for label, words in said.items() if words)


def plan_facts(plan: Plan) -> str:
    """Tier, dice and keywords on a line."""
    return " · ".join([plan.tier, plan.pool, *plan.keywords])


def lead_words(world: TiersWorld, challenge: Challenge) -> str:
    """Who leads with what."""
    if not challenge.lead:
        return ""
    found = rating(world, challenge.lead, challenge.skill)
    known = found and not is_secret(world, challenge.lead)  # how good the GM's own are is a secret
    return f"{world.name(challenge.lead)} leads · {found.words if found and known else challenge.skill}"


def lead_options(world: TiersWorld) -> tuple[Option, ...]:
    """Players' characters who stand, with each of their skills at every tier; the strongest pools first.

    Ordered by the pools alone, so that the order gives nothing of a hidden challenge away.
    """
    players = world.players()
    found = [
        (Lead(who.value, c.value), r, who.closed or c.closed)
        for who in leaders(world, {})
        if who.value in players and not is_out(world, who.value)
        for c in lead_skills(world, {"who": who.value})
        if (r := rating(world, who.value, c.value))
    ]
    found.sort(key=lambda fr: -strength(world.rules, (fr[1].tier,) * fr[1].rank))
    now = world.now.challenge
    leads = Lead(now.lead, now.skill) if now else None
    return tuple(
        Option(
            label=f"{world.name(lead.who)} · {r.words}",
            action=lead,
            # the same again would only take the Bonus Die out
            closed="leads already" if lead == leads else closed,
            chosen=lead == leads,
        )
        for lead, r, closed in found
    )


def matrix(world: TiersWorld, challenge: Challenge) -> Matrix:
    """Supporter × support action: what each would give, or why not."""
    who = [w for w in world.players() if w != challenge.lead and not is_out(world, w)]
    who += [w for w in challenge.supports if w not in who]
    over = bool(planning(world))
    return Matrix(
        columns=tuple(HOWS),
        rows=tuple(
            Row(who=world.name(w), cells=tuple(cell(world, challenge, w, how, over) for how in HOWS), id=w)
            for w in who
        ),
    )


def cell(world: TiersWorld, challenge: Challenge, who: str, how: How, over: bool) -> Option:
    """One support action of one supporter."""
    mine = challenge.supports.get(who)
    chosen = mine is not None and mine.how == how
    skill = challenge.skill.partition(":")[0] if how == "direct" else ""
    if how in ("indirect", "prepare"):
        skill = next(iter(other_skills(world, who)), "")
    if chosen and mine:
        skill = mine.skill
    n = gives(world, challenge, who, how, skill)
    label = f"{EFFECTS[how]} {n}" if n else EFFECTS[how]
    action: Action = GiveSupport(who, how)
    why = closed(world, who, how)
    if chosen:
        action = Withdraw(who)
        why = "paid for" if how == "prepare" else ""
    secret = is_secret(world, who)  # what the GM's own can do is a secret
    hidden = bool(n) and (challenge.plan.hidden or secret)
    return Option(
        label=EFFECTS[how] if hidden else label,
        action=action,
        key="",
        closed="" if over and chosen else why,
        chosen=chosen,
        note="" if secret else skill,
        secret_label=label if hidden else "",
        secret_note=skill if secret else "",
    )


def bonus_option(world: TiersWorld, challenge: Challenge) -> Option:
    """The Lead's Bonus Die as a switch, and how many more there are."""
    left = max(person(world, challenge.lead).bonus_dice - challenge.bonus, 0)
    return Option(
        label="Bonus Die",
        action=DeclareBonus(not challenge.bonus),
        key="b",
        closed=DeclareBonus.when(world),
        chosen=challenge.bonus,
        note=f"{left} left",
    )
