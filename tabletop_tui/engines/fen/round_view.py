"""What the table of Fen says of the round: who stands up for each side, what they rolled, who is next."""

from __future__ import annotations

from msgspec.structs import replace

from ...rules import Counter, Option, Prompt, Tone
from ...rules.common import EnterScene
from .rounds import (
    BeginFight,
    NextTurn,
    RollInitiative,
    Stand,
    better_skill,
    is_unseen,
    may_stand,
    rolling_sides,
    stander,
    unrolled,
    upcoming,
)
from .world import FenWorld, is_hidden, is_secret, skill_dice


def facts(world: FenWorld) -> tuple[str, ...]:
    """The round and its timer; what is to be said of each side stands with the roster."""
    turns = world.now.turns
    if not turns.running:
        return ()
    return (f"round {turns.round}", *((f"timer {turns.timer}",) if turns.timer is not None else ()))


def sides(world: FenWorld) -> tuple[Counter, ...]:
    """Each side of the fight: who rolls for it or what they rolled, who has done so, who is surprised."""
    turns, rounds = world.now.turns, world.now.rounds
    if not turns.running:
        return ()
    acting = rounds.sequence or rolling_sides(world)
    order = [*rounds.sequence, *(s for s in turns.sides() if s not in rounds.sequence)]
    return tuple(
        Counter(
            side, int(side in acting), None, side_tone(world, side), side_words(world, side), is_unseen(world, side)
        )
        for side in order
        if turns.members(side)
    )


def side_tone(world: FenWorld, side: str) -> Tone:
    """Which side acts, and which cannot."""
    turns, rounds = world.now.turns, world.now.rounds
    if turns.round == 1 and side in rounds.surprised:
        return "warn"
    return "good" if rounds.sequence and side == turns.holder else ""


def side_words(world: FenWorld, side: str) -> str:
    """What is to be said of a side this round."""
    turns, rounds = world.now.turns, world.now.rounds
    if turns.round == 1 and side in rounds.surprised and side not in (rounds.sequence or rolling_sides(world)):
        return "surprised, no turn"
    words = [standing_words(world, side)]
    totals = {s: one.fallen.total for s, one in rounds.standing.items() if one.fallen and not is_unseen(world, s)}
    if side in totals and list(totals.values()).count(totals[side]) > 1:
        words.append("a tie")
    now = rounds.standing[side].who if side in rounds.standing else ""
    done = [world.name(w) for w in turns.spoke.get(side, ()) if w != now and seen(world, side, w)]
    if done:
        words.append(f"before: {', '.join(done)}")
    return "; ".join(words)


def seen(world: FenWorld, side: str, who: str) -> bool:
    """May somebody be named where their side is told? A side that is hidden as a whole is for the GM alone."""
    return is_unseen(world, side) or not is_hidden(world, who)


def standing_words(world: FenWorld, side: str) -> str:
    """Who rolls for a side, or what they rolled; sheets that players do not know say nothing here."""
    rounds = world.now.rounds
    named = rounds.standing.get(side)
    if named is None:
        waits = not rounds.sequence and side in rolling_sides(world)
        allowed = [w for w in may_stand(world, side) if seen(world, side, w)] if waits else []
        return f"next {world.name(allowed[0])}" if allowed else "–"
    name = world.name(named.who) if seen(world, side, named.who) else "somebody unseen"
    return f"{name} {named.skill} {named.fallen.total}" if named.fallen else f"{name} with {named.skill}"


def prompt(world: FenWorld) -> Prompt | None:
    """Before initiative: who stands up; after it: who is next, while nobody acts."""
    if not unrolled(world):
        options = [Option("roll initiative", RollInitiative(), "enter")]
        sides = rolling_sides(world)
        alone = sum(not is_unseen(world, s) for s in sides) < 2  # players see one side: who stands up would tell more
        for side in sides if len(sides) > 1 else ():
            options += [replace(o, secret=True) if alone else o for o in stand_options(world, side)]
        return Prompt("Who stands up for each side?" if len(sides) > 1 else "A new round.", tuple(options))
    turns = world.now.turns
    if world.now.rounds.sequence and not turns.current:
        side, waiting = upcoming(world)
        if not waiting:
            return Prompt("Everybody has acted.", (Option("next round", NextTurn(), "enter"),))
        options = [Option(world.name(w), NextTurn(w), secret=is_hidden(world, w)) for w in waiting]
        text = "Who goes?" if is_unseen(world, side) else f"The {side} act. Who goes?"
        return Prompt(text, tuple(options))
    return begin_prompt(world)


def begin_prompt(world: FenWorld) -> Prompt | None:
    """Nothing runs: the fight of the scene that is on, as it was prepared or otherwise; else the scenes."""
    if world.now.turns.running or world.now.contest or not world.scenes:
        return None
    scene = world.scenes.get(world.now.scene)
    others = [
        Option(s.title or i, EnterScene(i), secret=True) for i, s in world.scenes.items() if i != world.now.scene
    ]
    if scene is None:
        return Prompt("Which scene is it?", tuple(others))
    caught = ", ".join(scene.surprised)
    first = [
        Option(f"begin the fight: {caught} surprised" if caught else "begin the fight", BeginFight(), secret=True)
    ]
    if caught:
        first.append(Option("begin it, nobody surprised", BeginFight(nobody_surprised=True), secret=True))
    return Prompt("No fight is on.", (*first, *others))


def stand_options(world: FenWorld, side: str) -> list[Option]:
    """One option for each who may stand up, with the better of the skills; dice that are secret stay so."""
    named = world.now.rounds.standing.get(side)
    chosen = stander(world, side).who if named else ""
    return [
        Option(
            f"{'● ' if w == chosen else ''}{world.name(w)}, {side}: {(skill := better_skill(world, w))}",
            Stand(w, skill),
            chosen=w == chosen,
            note=skill_dice(world, w, skill),
            secret=is_secret(world, w) or is_hidden(world, w),
        )
        for w in may_stand(world, side)
    ]
