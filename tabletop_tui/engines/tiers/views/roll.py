"""The roll on the table: its dice, the choice that it waits for, and its outcome."""

from __future__ import annotations

from msgspec.structs import replace

from ....kit import common
from ....rules import Counter, Face, Hand, Option, Outcome, Prompt, Tone
from ..attack import damage_of
from ..challenge_roll import FAILURE, OUTCOMES, REDUCED, SUCCESS, Reroll, default_reroll, rerollable, result_of, title
from ..dice import at_top, tie_words
from ..opposed import UNSEEN, any_hidden, called
from ..points import Boost, ForcedSpend, Spend, npcs
from ..settle import Buy, Claim, ForceReroll, Settle, Strike, die_at, first_reroll, strikeable
from ..world import SIDES, Challenge, Die, Roll, Side, TiersWorld, person


def counters(world: TiersWorld) -> tuple[Counter, ...]:
    """Complication Points, clocks and tracks."""
    now = world.now
    note = f"spend {now.due} now" if now.due else "forced spend owed" if now.owed else ""
    points = Counter(name="complications", value=now.complications, most=10, tone="warn" if note else "", note=note)
    return (points, *common.counters(world))


def face(world: TiersWorld, die: Die, choosable: bool, chosen: bool) -> Face:
    """A die as it lies."""
    return Face(
        text=die.words,
        sides=sum(SIDES[die.tier]),
        tone="good" if at_top(world.rules, die) else "",
        choosable=choosable,
        chosen=chosen,
        rerolled=die.rerolled and not die.again,
        mark="exploded" if die.again else "rerolled" if die.rerolled else "",
    )


def hands(world: TiersWorld) -> tuple[Hand, ...]:
    """Both sides' dice."""
    roll = world.now.roll
    if roll is None:
        return ()
    choosing = roll.stage == "reroll"
    free = rerollable(world, roll) if choosing else []
    default = default_reroll(world, roll).dice if choosing else ()

    def row(one: Side, first: bool) -> Hand:
        faces = tuple(face(world, d, first and i in free, first and i in default) for i, d in enumerate(one.dice))
        total = "" if choosing else str(one.result)
        secret = world.is_hidden(one.who) or (roll.hidden and not first)
        return Hand(who=one.name, faces=faces, total=total, secret=secret)

    return row(roll.first, True), row(roll.second, False)


def prompt(world: TiersWorld, *, veil: bool = False) -> Prompt | None:
    """The choice that the game waits for; veiled, it names nobody who is hidden."""
    roll = world.now.roll
    if roll is not None and roll.stage == "reroll":
        n = roll.rerolls
        default = default_reroll(world, roll)
        # dice can be picked for the first option, also where the rules would keep them all
        first = "reroll and go on" if default.dice else "keep the dice"
        options = [Option(label=first, action=default, key="enter")]
        if default.dice:
            options.append(Option(label="keep the dice", action=Reroll(), key="k"))
        text = f"Choose up to {n} {'die' if n == 1 else 'dice'} to reroll."
        return Prompt(text=text, options=tuple(options), pick="dice", most=n)
    if roll is not None and roll.stage == "settle":
        return Prompt(
            text=standing_words(world, roll, veil=veil),
            options=settle_options(world, roll, veil=veil),
            so_far=outcome_of(world, roll, veil=veil),
        )
    if n := world.now.due:
        text = f"The GM must spend {common.plural(n, 'Complication Point')} now."
        keyed = zip(spend_options(world, n), ("enter", "s"), strict=False)
        return Prompt(text=text, options=tuple(replace(option, key=key) for option, key in keyed))
    if world.now.owed:
        # by the letter of a roll: it must not throw the dice of a challenge that is open behind it
        roll_it = Option(label="roll the d10", action=ForcedSpend(), key="r", secret=True)
        return Prompt(text="A forced spend is owed: a d10 says how much.", options=(roll_it,))
    return None


def spend_options(world: TiersWorld, due: int, who: str = "") -> list[Option]:
    """What a forced spend of this size can buy now: its effect, or a turn of the story in words."""
    options = []
    if due == 2 and any(not c.closed for c in npcs(world, {})):
        options.append(Option(label="boost an NPC", action=Boost("", ""), secret=True))
    can_fail = [c.value for c in strikeable(world, {}) if not c.closed]
    if due in (5, 10) and can_fail:
        kind, who = "catastrophic" if due == 10 else "dramatic", who if who in can_fail else ""
        whose = f" of {world.name(who)}" if who else ""
        options.append(Option(label=f"{kind} failure{whose}", action=Strike(who, "", lasting=due == 10), secret=True))
    options.append(Option(label=f"spend {due} on the story", action=Spend(due), secret=True))
    return options


def settle_options(world: TiersWorld, roll: Roll, *, veil: bool) -> tuple[Option, ...]:
    """What can be done before the roll counts; Enter lets it count."""
    options = [Option(label="let it count", action=Settle(), key="enter")]
    if not Buy.when(world):
        buyer = called(world, roll.lost, UNSEEN.capitalize()) if veil else roll.lost.name
        options.append(Option(label=f"{buyer} buys success: the GM gains 2", action=Buy(), key="b"))
    if not Claim.when(world):
        options.append(Option(label="GM claims 1 for the upset", action=Claim(), key="p", secret=True))
    if best := first_reroll(world):
        whose = roll.first if best.startswith("first") else roll.second
        label = f"GM: 1 point rerolls {whose.name}'s {die_at(roll, best).words}"
        options.append(Option(label=label, action=ForceReroll(best), key="g", secret=True))
    if world.now.due:  # a forced spend waits for its opportunity, and this may be one
        struck = [one.who for one in (roll.first, roll.second) if one.player]
        options += spend_options(world, world.now.due, struck[0] if len(struck) == 1 else "")
    return tuple(options)


def standing_words(world: TiersWorld, roll: Roll, *, veil: bool) -> str:
    """How it stands before it counts."""
    tie = tie_words(world.rules, roll)
    if roll.kind == "challenge" and world.now.challenge:
        result, _ = result_of(world.now.challenge, roll.winner == "first", roll.margin)
        how = "" if roll.hidden else f", {tie}" if tie else f", margin {roll.margin}"
        return f"{title(result).capitalize()}{how}."
    if veil and any_hidden(world, roll):
        return f"{called(world, roll.won, UNSEEN.capitalize())} wins."
    damage = damage_of(world, roll)
    how = f", {tie}" if tie else f" by {roll.margin}"
    return f"{roll.won.name} wins{how}" + (f": {damage} damage." if damage else ".")


def outcome(world: TiersWorld, *, veil: bool = False) -> Outcome | None:
    """A settled roll, in large."""
    roll = world.now.roll
    return outcome_of(world, roll, veil=veil) if roll is not None and roll.stage == "done" else None


def outcome_of(world: TiersWorld, roll: Roll, *, veil: bool) -> Outcome:
    """How a roll comes out as it lies, whether it counts already or not."""
    challenge = world.now.challenge
    how = " (bought)" if roll.fixed == "bought" else " (by the GM's points)" if roll.fixed == "struck" else ""
    tie = tie_words(world.rules, roll)
    margin = tie or f"margin {roll.margin}{how}"
    if roll.kind == "challenge" and challenge is not None:
        result, _ = result_of(challenge, roll.winner == "first", roll.margin)
        told = challenge_outcome(challenge, result, how.strip(" ()") if roll.hidden else margin)
        # with the Lead's dice in sight it would tell players of the hidden ones
        return replace(told, secret_detail=margin) if roll.hidden else told
    winner, other = roll.won, roll.lost
    tone: Tone = "good" if winner.player or not other.player else "bad"
    because = "ties go to the higher tier, then rank, then whoever began" if tie else "the single highest die wins"
    if veil and any_hidden(world, roll):
        return Outcome(title=f"{called(world, winner)} wins", tone=tone, because="the single highest die wins")
    if roll.stage == "done":
        detail = margin + (f", {roll.damage} damage to {other.name}" if roll.damage else "")
        return Outcome(title=f"{winner.name} wins", tone=tone, detail=detail, because=because)
    by = "wins" if tie else f"wins by {roll.margin}"
    told = Outcome(title=f"{winner.name} {by}", tone=tone, detail=tie, because=because)
    if not (damage := damage_of(world, roll)):
        return told
    hp, words = person(world, other.who).hp, f"{damage} damage"
    change = f"{words}: HP {hp} → {max(hp - damage, 0)}"
    secret = common.is_secret(world, other.who)  # how much they have left is the GM's affair
    return replace(told, detail=words if secret else change, secret_detail=change if secret else "")


def earlier(challenge: Challenge) -> Outcome | None:
    """How a challenge came out whose dice have left the table: a fight went on since."""
    return challenge_outcome(challenge, challenge.outcome, "") if challenge.outcome else None


def challenge_outcome(challenge: Challenge, result: str, detail: str) -> Outcome:
    """A challenge that is over."""
    because = "the Lead's highest die against the challenge's; by 4 or more is outright failure"
    tone, then = OUTCOMES[result], next_words(challenge, result)
    return Outcome(title=title(result), tone=tone, detail=detail, next=then, because=because)


def next_words(challenge: Challenge, result: str) -> str:
    """What to narrate now."""
    plan = challenge.plan
    what = f": {plan.complication}" if plan.complication else ""
    if result == SUCCESS:
        return f"Say how it succeeds{': ' + plan.stakes if plan.stakes else ''}"
    if result == FAILURE:
        more = f" A complication strikes too{what}" if "unstable" in plan.keywords else ""
        carried = f": {plan.failure}" if plan.failure else ""
        return f"They must find another way, and the Lead carries a penalty{carried}.{more}"
    if result == REDUCED:
        return f"It works; the preparation softens what goes wrong{what}"
    return f"It works, but{what or ' something goes wrong'}"
