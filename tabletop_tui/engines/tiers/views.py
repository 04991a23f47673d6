"""What the screens draw of Tiers of Power."""

from __future__ import annotations

from collections.abc import Sequence

from ...rules import (
    Action,
    ChallengeView,
    Counter,
    Face,
    Hand,
    Line,
    Matrix,
    Option,
    Outcome,
    Part,
    Pool,
    Prompt,
    Row,
    Section,
    SheetView,
    TableView,
    Tone,
)
from ...rules import Person as PersonView
from ...rules.common import lasting
from ...rules.order import turn_of
from .after import Buy, Claim, ForceReroll, Settle, player_dice
from .challenge import DeclareBonus, Lead, Open, planning, plans
from .climax import (
    COMPLICATIONS,
    FAILURE,
    REDUCED,
    SUCCESS,
    Reroll,
    RollChallenge,
    default_reroll,
    rerollable,
    result_of,
    title,
)
from .contest import abilities, damage_of
from .dice import at_top
from .odds import highest
from .points import ForcedSpend, Spend
from .support import GiveSupport, Withdraw, closed, gives, opposing, other_skills, rerolls
from .world import (
    HOWS,
    SIDES,
    TIERS,
    Challenge,
    Die,
    How,
    Roll,
    Side,
    Tier,
    TiersWorld,
    hp_per_level,
    most_hp,
    multiplier,
    next_tier,
    number,
    person,
    rating,
    tier_of,
)

TONES: dict[str, Tone] = {SUCCESS: "good", COMPLICATIONS: "warn", REDUCED: "warn", FAILURE: "bad"}
EFFECTS: dict[How, str] = {
    "direct": "Reroll",
    "indirect": "Reduce",
    "prepare": "Increase 1",
    "encourage": "Fortunate",
}


def die_words(tier: Tier, count: int) -> str:
    """Dice as they are written: 3d6; omega dice are d6+d20."""
    sides = "+".join(f"d{n}" for n in SIDES[tier])
    return f"{count}{sides}" if tier != "omega" else f"{count}×({sides})"


def counters(world: TiersWorld) -> tuple[Counter, ...]:
    """Complication Points, clocks and tracks."""
    now = world.now
    note = f"spend {now.due} now" if now.due else "forced spend owed" if now.owed else ""
    points = Counter("complications", now.complications, 10, "warn" if note else "", note)
    clocks = tuple(Counter(c.name, c.filled, c.size, secret=c.secret) for c in now.clocks.values())
    tracks = tuple(Counter(t.name, t.value, t.most, secret=t.secret) for t in now.tracks.values())
    return (points, *clocks, *tracks)


# ---- dice on the table


def face(world: TiersWorld, die: Die, *, tone: Tone = "", choosable: bool = False, chosen: bool = False) -> Face:
    """A die as it lies."""
    text = f"{die.face}→{die.again}" if die.again else str(die.face)
    mark = "exploded" if die.again else "rerolled" if die.rerolled else ""
    top: Tone = "good" if at_top(world.rules, die) else tone
    return Face(text, sum(SIDES[die.tier]), top, choosable, chosen, mark)


def hands(world: TiersWorld) -> tuple[Hand, ...]:
    """Both sides' dice."""
    roll = world.now.roll
    if roll is None:
        return ()
    choosing = roll.stage == "reroll"
    free = rerollable(world, roll) if choosing else []
    default = default_reroll(world, roll).dice if choosing else ()

    def row(one: Side, first: bool) -> Hand:
        faces = tuple(
            face(world, d, choosable=first and i in free, chosen=first and i in default)
            for i, d in enumerate(one.dice)
        )
        total = "" if choosing else str(one.result)
        return Hand(one.name, faces, total, secret=roll.hidden and not first)

    return row(roll.first, True), row(roll.second, False)


def prompt(world: TiersWorld) -> Prompt | None:
    """The choice that the game waits for."""
    roll = world.now.roll
    if roll is not None and roll.stage == "reroll":
        n = roll.rerolls
        text = f"Choose up to {n} {'die' if n == 1 else 'dice'} to reroll."
        return Prompt(text, (Option("reroll and go on", default_reroll(world, roll), "enter"),), "dice", n)
    if roll is not None and roll.stage == "settle":
        return Prompt(standing_words(world, roll), settle_options(world))
    if world.now.due:
        n = world.now.due
        return Prompt(
            f"The GM must spend {n} Complication Point{'s' if n != 1 else ''} now.",
            (Option(f"spend {n}", Spend(n), "enter", secret=True),),
        )
    if world.now.owed:
        return Prompt(
            "A forced spend is owed: a d10 says how much.",
            (Option("roll the d10", ForcedSpend(), "enter", secret=True),),
        )
    return None


def settle_options(world: TiersWorld) -> tuple[Option, ...]:
    """What can be done before the roll counts; Enter lets it count."""
    options = [Option("let it count", Settle(), "enter")]
    if not Buy.when(world):
        options.append(Option("buy success: the GM gains 2", Buy(), "b"))
    if not Claim.when(world):
        options.append(Option("GM claims 1 for the upset", Claim(), "p", secret=True))
    dice = player_dice(world, {})
    if dice and not ForceReroll.when(world):
        best = max(dice, key=lambda c: int(c.words.rpartition(" ")[2]))
        options.append(
            Option(
                f"GM: 1 point rerolls the {best.words.rpartition(' ')[2]}", ForceReroll(best.value), "g", secret=True
            )
        )
    return tuple(options)


def standing_words(world: TiersWorld, roll: Roll) -> str:
    """How it stands before it counts."""
    winner = roll.first if roll.winner == "first" else roll.second
    if roll.kind == "challenge" and world.now.challenge:
        result, _ = result_of(world.now.challenge, roll.winner == "first", roll.margin)
        return f"{title(result).capitalize()}{'' if roll.hidden else f', margin {roll.margin}'}."
    damage = damage_of(world, roll)
    return f"{winner.name} wins by {roll.margin}" + (f": {damage} damage." if damage else ".")


def outcome(world: TiersWorld) -> Outcome | None:
    """A settled roll, in large."""
    roll, challenge = world.now.roll, world.now.challenge
    if roll is None or roll.stage != "done":
        return None
    how = " (bought)" if roll.fixed == "bought" else " (the GM's doing)" if roll.fixed == "struck" else ""
    if roll.kind == "challenge" and challenge is not None:
        result, complication = result_of(challenge, roll.winner == "first", roll.margin)
        return Outcome(
            title(result),
            TONES[result],
            how.strip(" ()") if roll.hidden else f"margin {roll.margin}{how}",
            next_words(challenge, result, complication),
            "the Lead's highest die against the challenge's; by 4 or more is outright failure",
        )
    won = roll.winner == "first"
    winner, other = (roll.first, roll.second) if won else (roll.second, roll.first)
    detail = f"margin {roll.margin}{how}" + (f", {roll.damage} damage to {other.name}" if roll.damage else "")
    tone: Tone = "good" if winner.player or not other.player else "bad"
    because = "tie broken by tier, then rank, then initiator" if roll.margin == 0 else "the single highest die wins"
    return Outcome(f"{winner.name.upper()} WINS", tone, detail, "", because)


def next_words(challenge: Challenge, result: str, complication: str) -> str:
    """What to narrate now."""
    plan = challenge.plan
    if result == SUCCESS:
        return f"Say how it comes off{': ' + plan.stakes if plan.stakes else ''}"
    if result == FAILURE:
        more = " A complication strikes too." if complication == "full" else ""
        return f"They must find another way; the Lead carries it away.{more}"
    if result == REDUCED:
        detail = f": {plan.complication}" if plan.complication else ""
        return f"It works; the preparation softens what goes wrong{detail}"
    return f"It works, but{': ' + plan.complication if plan.complication else ' something goes wrong'}"


# ---- the challenge


def challenge_view(world: TiersWorld) -> ChallengeView:
    """The challenge screen."""
    prepared = tuple(Option(p.name, Open(i), secret=True, note=plan_facts(p)) for i, p in plans(world).items())
    challenge = world.now.challenge
    scene = world.scenes.get(world.now.scene)
    about, secret = (scene.about, scene.secret) if scene else ("", "")
    if challenge is None:
        return ChallengeView(open=prepared, counters=counters(world), about=about, secret_about=secret)
    plan = challenge.plan
    busy = planning(world)
    leading = bool(challenge.lead)
    return ChallengeView(
        plan.name,
        tuple(plan.keywords) if plan.hidden else (plan_facts(plan),),
        f"{plan.tier} · {plan.dice} dice · hidden" if plan.hidden else "",
        plan.stakes,
        prepared,
        lead_words(world, challenge),
        () if busy else lead_options(world),
        pools(world, challenge) if leading else (),
        matrix(world, challenge) if leading else None,
        () if busy or not leading else (bonus_option(world, challenge),),
        RollChallenge() if leading and not busy else None,
        busy or ("" if leading else "nobody leads yet"),
        odds_secret(world, challenge),
        hands(world),
        prompt(world),
        outcome(world),
        counters(world),
        about,
        secret,
    )


def plan_facts(plan: object) -> str:
    """Tier, dice and keywords on a line."""
    from .world import Plan

    assert isinstance(plan, Plan)
    return " · ".join([plan.tier, f"{plan.dice} dice", *plan.keywords])


def lead_words(world: TiersWorld, challenge: Challenge) -> str:
    """Who leads with what."""
    if not challenge.lead:
        return ""
    found = rating(world, challenge.lead, challenge.skill)
    known = found and world.sheets[challenge.lead].player  # how good the GM's own are is a secret
    return f"{world.name(challenge.lead)} leads · {found.words if found and known else challenge.skill}"


def odds_secret(world: TiersWorld, challenge: Challenge) -> bool:
    """Would the odds tell of a hidden difficulty, or of how good one of the GM's own is?"""
    return challenge.plan.hidden or not (challenge.lead in world.sheets and world.sheets[challenge.lead].player)


def lead_options(world: TiersWorld) -> tuple[Option, ...]:
    """Players' characters who stand, with each of their skills; the strongest pools first.

    Ordered by the pools alone, so that the order gives nothing of a hidden challenge away.
    """
    found = [
        (who, r)
        for who in world.players()
        if person(world, who).hp > 0
        for c in abilities(world, who, items=False)
        if ":" not in c.value and (r := rating(world, who, c.value))
    ]
    found.sort(key=lambda fr: -sum(v * p for v, p in highest(world.rules, [fr[1].tier] * fr[1].rank).items()))
    now = world.now.challenge
    return tuple(
        Option(
            f"{world.name(who)} · {r.words}",
            Lead(who, r.skill),
            chosen=bool(now and (now.lead, now.skill) == (who, r.skill)),
        )
        for who, r in found
    )


def pools(world: TiersWorld, challenge: Challenge) -> tuple[Pool, ...]:
    """Both pools, with where each die comes from."""
    found = rating(world, challenge.lead, challenge.skill)
    if found is None:
        return ()
    plan, hidden = challenge.plan, challenge.plan.hidden
    parts = [Part(found.skill, die_words(found.tier, found.rank), f"{found.tier} {found.rank}{legacy(found.legacy)}")]
    if boost := person(world, challenge.lead).boost:
        parts.append(Part("boost", die_words(found.tier, boost), "2 Complication Points"))
    if challenge.bonus:
        left = person(world, challenge.lead).bonus_dice
        parts.append(Part("Bonus Die", die_words(next_tier(found.tier), 1), f"1 of {left}", "good"))
    by = {how: [world.name(w) for w, s in challenge.supports.items() if s.how == how] for how in HOWS}
    if by["direct"]:
        best = max((s for s in challenge.supports.items() if s[1].how == "direct"), key=lambda s: s[1].gives)
        parts.append(Part("Reroll", str(rerolls(challenge)), f"from {world.name(best[0])}", "good", secret=hidden))
    if by["encourage"]:
        parts.append(Part("Fortunate", "1s again", f"from {by['encourage'][0]}", "good"))
    dice = opposing(world, challenge)
    reduce = sum(s.gives for s in challenge.supports.values() if s.how == "indirect")
    sums = [str(plan.dice), *([f"− {reduce}"] if reduce else []), *([f"+ {n}"] if (n := len(by["prepare"])) else [])]
    note = " ".join(sums) if len(sums) > 1 else f"{plan.tier} {plan.dice}"
    if len(sums) > 1 and plan.dice - reduce + len(by["prepare"]) < dice:
        note += f", at least {dice}"
    against = Part(plan.name, die_words(plan.tier, dice), note, "bad")
    mine = Pool(world.name(challenge.lead), tuple(parts), secret=not world.sheets[challenge.lead].player)
    return mine, Pool(plan.name, (against,), secret=hidden)


def legacy(has: bool) -> str:
    """A remark on a rank that legacy raised."""
    return " (legacy +1)" if has else ""


def matrix(world: TiersWorld, challenge: Challenge) -> Matrix:
    """Supporter × support action: what each would give, or why not."""
    who = [w for w in world.players() if w != challenge.lead and person(world, w).hp > 0]
    who += [w for w in challenge.supports if w not in who]
    over = bool(planning(world))
    return Matrix(
        tuple(HOWS),
        tuple(Row(world.name(w), tuple(cell(world, challenge, w, how, over) for how in HOWS), w) for w in who),
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
    n = mine.gives if chosen and mine else gives(world, who, how, skill)
    label = f"{EFFECTS[how]} {n}" if n else EFFECTS[how]
    action: Action = GiveSupport(who, how)
    why = closed(world, who, how)
    if chosen:
        action = Withdraw(who)
        why = "paid for" if how == "prepare" else ""
    hidden = bool(n) and (challenge.plan.hidden or not world.sheets[who].player)
    return Option(
        EFFECTS[how] if hidden else label,
        action,
        "",
        "" if over and chosen else why,
        chosen,
        skill,
        label if hidden else "",
    )


def bonus_option(world: TiersWorld, challenge: Challenge) -> Option:
    """The Lead's Bonus Die as a switch."""
    left = person(world, challenge.lead).bonus_dice
    return Option(
        "Bonus Die", DeclareBonus(not challenge.bonus), "b", DeclareBonus.when(world), challenge.bonus, f"{left} left"
    )


# ---- the table


def table_view(world: TiersWorld) -> TableView:
    """The table screen: who, how they are, what just fell."""
    turns = world.now.turns
    scene = world.scenes.get(world.now.scene)
    who = [*turns.order, *(w for w in world.present() if w not in turns.order)]
    fighter = turns.fighters.get(turns.current)
    up = world.name(turns.current) if fighter and not fighter.hidden else ""
    banner = f"{up} is up".upper() if up else ""
    facts = (f"round {turns.round}",) if turns.running else ()
    if turns.timer is not None:
        facts = (*facts, f"timer {turns.timer}")
    roll, ready = world.now.roll, turns.may_go()
    lies = roll is not None and roll.kind != "challenge" and not _past(world, roll)
    return TableView(
        scene.title if scene else "",
        banner,
        facts,
        counters(world),
        tuple(person_view(world, w, ready) for w in who if w in world.sheets),
        (),
        hands(world) if lies else (),
        (),
        prompt(world) if not (roll and roll.kind == "challenge") else None,
        outcome(world) if lies else None,
        lasting(world),
        scene.about if scene else "",
        scene.secret if scene else "",
    )


def _past(world: TiersWorld, roll: Roll) -> bool:
    """Is a roll settled, and of another turn?"""
    return roll.stage == "done" and roll.turn != turn_of(world)


def person_view(world: TiersWorld, who: str, ready: Sequence[str]) -> PersonView:
    """A row of the roster."""
    turns, them, sheet = world.now.turns, person(world, who), world.sheets[who]
    fighter = turns.fighters.get(who)
    hp = f"{them.hp}/{most_hp(world, who)}"
    marks = [c.what for c in world.now.conditions.values() if c.who == who]
    marks += [c.what for c in them.consequences.values()]
    if them.bonus_dice:
        marks.insert(0, f"◆{them.bonus_dice}")
    if fighter and fighter.hidden:
        marks.insert(0, "hidden")
    return PersonView(
        who,
        sheet.name,
        fighter.side if fighter else ("heroes" if sheet.player else "others"),
        hp if sheet.player else "",
        "" if sheet.player else hp,
        tuple(marks),
        who == turns.current,
        bool(fighter and fighter.acted),
        them.hp == 0,
        who in ready,
        # whom the GM has prepared is nobody's business until they stand on the table
        fighter.hidden if fighter else not sheet.player,
    )


# ---- sheets


def sheet_view(world: TiersWorld, who: str) -> SheetView | None:
    """A character in full, with how each number came to be."""
    sheet = world.sheets.get(who)
    if sheet is None:
        return None
    them, tier, rules = person(world, who), tier_of(world, who), world.rules
    levels = tuple(
        Line(t, str(sheet.levels[t]), f"{sheet.levels[t]} × {hp_per_level(rules, t)} HP")
        for t in TIERS
        if sheet.levels.get(t)
    )
    sums = " + ".join(str(n * hp_per_level(rules, t)) for t, n in sheet.levels.items() if n)
    hp = Counter("HP", them.hp, most_hp(world, who), "bad" if them.hp == 0 else "", sums and f"most = {sums}")
    carried = tuple(
        Line(c.what, "lasting" if c.lasting else f"{c.sessions} left", "Consequence", "warn")
        for c in them.consequences.values()
    )
    sections = [
        Section("levels", levels),
        Section("skills", skill_lines(world, who, [*sheet.skills])),
        Section("items", skill_lines(world, who, [*sheet.items])),
        Section("consequences", carried),
    ]
    facts = (
        f"{tier} tier, damage × {multiplier(rules, tier)}",
        *((f"played by {sheet.player}",) if sheet.player else ()),
    )
    if sheet.about:
        facts = (*facts, sheet.about)
    return SheetView(
        sheet.name,
        facts,
        (hp, Counter("Bonus Dice", them.bonus_dice)) if sheet.player else (hp,),
        tuple(s for s in sections if s.lines),
        secret=not sheet.player,
    )


def skill_lines(world: TiersWorld, who: str, names: list[str]) -> tuple[Line, ...]:
    """Skills or items at every tier, the highest first."""
    sheet = world.sheets[who]
    lines = []
    for name in names:
        ranks = sheet.skills.get(name) or sheet.items.get(name) or {}
        for tier in sorted(ranks, key=number, reverse=True):
            found = rating(world, who, f"{name}:{tier}")
            if found:
                why = f"rank {ranks[tier]} + 1: rank 5 one tier below" if found.legacy else f"rank {ranks[tier]}"
                lines.append(Line(name, f"{tier} {found.rank}  {die_words(tier, found.rank)}", why))
    return tuple(lines)


__all__ = ["Reroll", "challenge_view", "sheet_view", "table_view"]
