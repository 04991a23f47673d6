"""What stands in large: how the last roll came out, or which way the scene turned."""

from __future__ import annotations

from msgspec.structs import asdict

from ....kit.common import plural
from ....kit.order import FOES, HEROES
from ....rules import Outcome, Tone
from ..challenge import VERDICTS, SceneTurned, verdict
from ..initiative import may_go
from ..manoeuvres import FAILS, WORKS, Manoeuvred, change_words, effect_words, used
from ..roll import lying
from ..world import Check, Manoeuvre, No1World, Roll, other_side, side, zone_name


def outcome(world: No1World) -> Outcome | None:
    """How the last manoeuvre came out, which way the scene turned, or how the last roll came out."""
    if (checked := used(world)) is not None:
        return manoeuvre_outcome(world, checked)
    if world.now.verdict:
        return verdict_outcome(world)
    roll = lying(world)
    if roll is None or roll.pending or world.is_hidden(roll.who):
        return None
    title, tone, then = action_words(world, roll) if roll.kind == "action" else shift_words(world, roll)
    return Outcome(
        title=title,
        tone=tone,
        detail=", ".join([plural(roll.hits, "hit"), *([roll.moves] if roll.moves else [])]),
        next=then,
        because="no 1 in the result set" if roll.clean else "a 1 is left in the result set",
    )


def manoeuvre_outcome(world: No1World, checked: Check) -> Outcome:
    """What a manoeuvre did, what its d20 had to show, and what was paid for it."""
    plan = next((p for p in world.rules.manoeuvres.values() if p.name == checked.name), Manoeuvre(checked.name))
    die = f"{checked.face} on the d20, {checked.needs} was needed" if checked.face else ""
    paid = f"{plan.cost} Momentum paid" if plan.cost else ""
    known = all(name in checked.paid for name in asdict(plan.effects))
    did = change_words(plan, checked.paid) if known else effect_words(plan)
    return Outcome(
        title=f"{checked.name} {WORKS if checked.works else FAILS}" if checked.face else checked.name,
        tone="good" if checked.works else "bad",
        detail=did if checked.works else "no effect",
        next="; ".join(x for x in (die, paid) if x),
        because=Manoeuvred.rule,
    )


def shift_words(world: No1World, roll: Roll) -> tuple[str, Tone, str]:
    """What a Shift brought."""
    off, made = plural(roll.hits, "hit"), plural(roll.hits, "advantage")
    done = {
        "defy": ("defies danger", f"{off} off the Hazard dice of the next roll", "No dice come off"),
        "advantage": ("finds an opening", f"{made} in the zone", "Nothing to build on"),
        "move": (f"moves to {zone_name(world, roll.to)}", "", ""),
    }
    what, some, none = done[roll.kind]
    return f"{world.name(roll.who)} {what}", "good" if roll.clean else "warn", some if roll.hits else none


def action_words(world: No1World, roll: Roll) -> tuple[str, Tone, str]:
    """What an Action did to the Initiative."""
    name, mine = world.name(roll.who), side(world, roll.who)
    tone: Tone = "good" if roll.clean == (mine == HEROES) else "bad"
    if roll.away:
        stays = "the Initiative stays where it is" if world.now.turns.running else ""
        return f"{name}: {'no 1' if roll.clean else 'a 1'}", tone, _then(roll, "Say what the hits do", stays)
    if roll.clean:
        return f"{name} keeps the Initiative", tone, _then(roll, "Say what the hits do", "pick who goes next")
    ready = [w for w in may_go(world) if not world.is_hidden(w)]
    goes = f"the {side(world, ready[0])} pick who goes" if ready else "everybody has acted"
    return f"the {other_side(mine)} seize the Initiative", tone, _then(roll, "The hits count all the same", goes)


def _then(roll: Roll, of_hits: str, rest: str) -> str:
    """What is to be done now; of hits only where there are any."""
    words = "; ".join(part for part in (of_hits if roll.hits else "", rest) if part)
    return f"{words[0].upper()}{words[1:]}." if words else ""


def verdict_outcome(world: No1World) -> Outcome:
    """The comparison, in large."""
    now = world.now
    tones: dict[str, Tone] = {HEROES: "good", FOES: "bad", "level": "warn"}
    # while the encounter runs it is still open to a correction
    way = verdict(now.momentum, now.entropy) if now.turns.running else now.verdict
    detail = f"Momentum {now.momentum}, Entropy {now.entropy}"
    more = "End the encounter, or give it more time." if now.turns.running else ""
    return Outcome(title=VERDICTS[way], tone=tones[way], detail=detail, next=more, because=SceneTurned.rule)
