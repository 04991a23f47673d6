"""What the contest screen and the sheets draw of the No1 system."""

from __future__ import annotations

from ...rules import (
    Bid,
    ContestView,
    Counter,
    Face,
    Hand,
    Line,
    Option,
    Outcome,
    Party,
    Prompt,
    Section,
    SheetView,
    Tone,
)
from ...rules.order import HEROES
from .dice import challenge_dice
from .duel import Accept, ContestAnswered, ContestWon, Decline, FightBout, cost, priced
from .manoeuvres import closed, effect_words
from .views import counters
from .world import (
    SIDES,
    Duel,
    No1World,
    focus_of,
    hidden,
    is_hero,
    plural,
    ranks_left,
    sheet_of,
    side,
    zone_name,
    zone_of,
)


def best(world: No1World, duel: Duel, who: str) -> str:
    """The skill that costs least and counts most."""
    return str(priced(world, duel, who)[0].value)


def contest_view(world: No1World) -> ContestView:
    """The contest that is called, fought or over."""
    duel = world.now.duel
    if duel is None or hidden(world, duel.challenger) or hidden(world, duel.other):
        return ContestView(counters=counters(world))
    first, second = world.name(duel.challenger), world.name(duel.other)
    facts = [f"Challenge {world.now.challenge}", f"over {duel.trait}"]
    if duel.stage != "called" and not duel.declined:
        facts.insert(0, f"round {duel.round} of {duel.rounds}")
    fought = duel.stage == "fought"
    roll = FightBout(best(world, duel, duel.challenger), best(world, duel, duel.other)) if fought else None
    why = {"called": f"{second} has not answered yet", "over": "the contest is over"}
    return ContestView(
        f"{first} against {second}",
        tuple(facts),
        parties=(party(world, duel, duel.challenger), party(world, duel, duel.other)),
        extras=extras(world, duel) if fought else (),
        roll=roll,
        roll_closed=why.get(duel.stage, ""),
        hands=tuple(hand(world, duel, w) for w in duel.bouts),
        prompt=answer(world, duel) if duel.stage == "called" else None,
        outcome=outcome(world, duel),
        counters=counters(world),
    )


def party(world: No1World, duel: Duel, who: str) -> Party:
    """One side of a contest: the skill that comes next, rounds taken, skills used up."""
    used = duel.used.get(who, {})
    bids: tuple[Bid, ...] = ()
    if duel.stage == "fought":
        skill = best(world, duel, who)
        less = cost(world, duel, who, skill)
        sheet = sheet_of(world, who)
        sides = SIDES[sheet.skills[skill]] if sheet and skill else world.rules.plain_die
        note = f"−{plural(less, 'hit')}: used before" if less else f"Challenge {world.now.challenge}"
        bids = (Bid(skill or "no skill", f"{challenge_dice(world)}d{sides}", note),)
    won = duel.won.get(who, 0)
    return Party(
        who,
        world.name(who),
        side(world, who),
        f"{world.rules.contest_win} {'Momentum' if is_hero(world, who) else 'Entropy'}",
        bids=bids,
        total=f"{plural(won, 'round')} taken",
        marks=tuple(f"{name or 'no skill'} ×{n}" for name, n in used.items()),
        result="wins" if duel.winner == who else "",
        tone="good" if duel.winner == who else "",
    )


def extras(world: No1World, duel: Duel) -> tuple[Option, ...]:
    """A round with each of the challenger's skills against the other's best."""
    theirs = best(world, duel, duel.other)
    return tuple(Option(c.words, FightBout(str(c.value), theirs)) for c in priced(world, duel, duel.challenger))


def hand(world: No1World, duel: Duel, who: str) -> Hand:
    """The dice of the last round."""
    bout, target = duel.bouts[who], world.rules.target
    faces = tuple(Face(str(f), bout.sides, "good" if f >= target else "") for f in bout.faces)
    less = f" after −{bout.cost}" if bout.cost else ""
    return Hand(world.name(who), faces, plural(bout.hits, "hit") + less)


def answer(world: No1World, duel: Duel) -> Prompt:
    """Accept or decline."""
    gains = f"{world.rules.contest_decline} {'Momentum' if is_hero(world, duel.challenger) else 'Entropy'}"
    return Prompt(
        f"{world.name(duel.other)} is called out over {duel.trait}.",
        (Option("accept", Accept(), "a"), Option(f"decline: {gains}", Decline(), "d")),
    )


def outcome(world: No1World, duel: Duel) -> Outcome | None:
    """How the contest came out."""
    if duel.stage != "over":
        return None
    if duel.declined:
        tone: Tone = "good" if is_hero(world, duel.challenger) else "bad"
        return Outcome(f"{world.name(duel.other)} declines".upper(), tone, because=ContestAnswered.rule)
    score = f"{duel.won.get(duel.challenger, 0)} to {duel.won.get(duel.other, 0)} rounds"
    if not duel.winner:
        return Outcome("A DRAW", "warn", score, because=ContestWon.rule)
    hero = side(world, duel.winner) == HEROES
    gained = f"{'Momentum' if hero else 'Entropy'} +{world.rules.contest_win}"
    title = f"{world.name(duel.winner)} wins".upper()
    return Outcome(title, "good" if hero else "bad", f"{score}, {gained}", because=ContestWon.rule)


# ---- sheets


def sheet_view(world: No1World, who: str) -> SheetView | None:
    """A character in full, with how each number came to be."""
    sheet = sheet_of(world, who)
    if sheet is None:
        return None
    focus = focus_of(world, who)
    skills = tuple(
        Line(name, f"{rating}  d{SIDES[rating]}", f"rating {rating}: {world.now.challenge} of them at this Challenge")
        for name, rating in sorted(sheet.skills.items(), key=lambda s: -s[1])
    )
    traits = tuple(
        Line(
            name, f"{ranks_left(world, who, name)}/{ranks}", "focused: rerolls 1s" if name == focus else "ranks left"
        )
        for name, ranks in sheet.traits.items()
    )
    talents = tuple(
        Line(
            p.name, f"{p.cost} Momentum", closed(world, p) or effect_words(p), "muted" if closed(world, p) else "good"
        )
        for p in world.rules.manoeuvres.values()
        if who in p.of or (not p.of and sheet.player)
    )
    held = tuple(
        Line(c.what, f"{c.left} left" if c.ends else "until removed", "condition", "warn")
        for c in world.now.conditions.values()
        if c.who == who
    )
    facts = [*([f"played by {sheet.player}"] if sheet.player else []), *([sheet.about] if sheet.about else [])]
    if who in world.now.positions:
        facts.append(f"stands in {zone_name(world, zone_of(world, who))}")
    sections = (
        Section("skills", skills),
        Section("traits", traits),
        Section("talents", talents),
        Section("conditions", held),
    )
    return SheetView(
        world.name(who),
        tuple(facts),
        (Counter("Hazard", sheet.hazard, tone="bad"),) if sheet.hazard else (),
        tuple(s for s in sections if s.lines),
        secret=not sheet.player,
    )
