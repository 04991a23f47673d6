"""The table of Fen: who is there, which side acts, who rolls for it, what just fell."""

from __future__ import annotations

from msgspec.structs import replace

from ....kit.ahead import refusal
from ....kit.common import counters, is_secret, lasting
from ....kit.hurt import condition_of
from ....kit.order import Reveal, turn_of
from ....kit.roster import Roster, acts, both, listed, rounds, scenery, together
from ....rules import (
    Action,
    Counter,
    Dice,
    Face,
    Hand,
    Option,
    Outcome,
    Prompt,
    Status,
    TableView,
    Tone,
    as_facts,
)
from ....rules import Person as PersonView
from ..attack import Attack
from ..changes import next_throw
from ..dice import Die, Fallen
from ..harm import worn_parts
from ..hiding import change_is_whispered, lies_in_wait
from ..initiative import RollInitiative, Stand, better_skill, may_stand, rolling_sides, stander, unrolled
from ..rounds import BeginFight, EndFight, beaten, is_unseen, seen_round
from ..skill import RollSkill
from ..turns import COSTS, Act, NextTurn, cannot_pay, spent_of_turn, upcoming
from ..world import PARTS, Blow, FenWorld, changes_of, defense, fight, is_down, most_wounds, person, skill_dice

IDLE = "no turn in this round"
"""The part of the roster for sides that were surprised, or came after initiative was rolled."""


def face(die: Die, *, counts: bool = True) -> Face:
    """A die as it lies."""
    exploded = len(die.faces) > 1
    tone: Tone = "muted" if not counts else "good" if exploded else ""
    group, mark = "" if counts else "not kept", "exploded" if exploded else ""
    return Face(text=die.words, sides=die.sides, tone=tone, group=group, mark=mark)


def hand(name: str, fallen: Fallen, *, secret: bool = False) -> Hand:
    """A throw as it lies; the higher of two totals stands behind the kept one."""
    faces = (*(face(d) for d in fallen.dice), *(face(d, counts=False) for d in fallen.other))
    return Hand(who=name, faces=faces, total=str(fallen.total), secret=secret)


def table_view(world: FenWorld) -> TableView:
    """Who is there, which side acts, who rolled for it, what just fell."""
    world = world.live(turns=fight(world))
    return both(world, seen_round(world), _table_view)


def _table_view(world: FenWorld) -> TableView:
    return TableView(
        **scenery(world),
        banner=banner(world),
        facts=as_facts(rounds(world)) if world.now.turns.running else (),
        counters=counters(world),
        people=people(world),
        places=sides(world),
        hands=table_hands(world),
        prompt=prompt(world),
        outcome=blow_outcome(world),
        conditions=lasting(world),
        places_title="sides",
        acts=next_acts(world),
    )


def next_acts(world: FenWorld) -> tuple[Option, ...]:
    """What could be done; once the major action is spent, nobody strikes, and the next turn comes before all else."""
    up = world.now.turns.current
    spent = cannot_pay(world, up, "major") if up else ""
    found = (*unseen_acts(world), *begin_acts(world), *acts(world, *usual_acts(world)))
    # a reaction may still pay for a blow: the form of an attack asks for it, this option does not
    shut = (replace(o, closed=spent) if isinstance(o.action, Attack) else o for o in found)
    return tuple(sorted(shut, key=lambda o: bool(spent) and not isinstance(o.action, NextTurn)))


def usual_acts(world: FenWorld) -> list[tuple[Action, str]]:
    """What whoever is up can do; nobody strikes unseen."""
    up = world.now.turns.current
    out: list[tuple[Action, str]] = [] if world.is_hidden(up) else [(Attack(up, "", ""), "")]
    out.append((RollSkill(up, ""), "a skill alone"))
    if not world.now.turns.running:
        out.append((BeginFight(), "say who is in it"))
    if not up:
        return out
    left = [cost for cost in COSTS if not cannot_pay(world, up, cost)]
    words = " or ".join(filter(None, (", ".join(left[:-1]), *left[-1:])))
    return [*out, *((Act(up, cost), words) for cost in left[:1]), (NextTurn(), "")]


def unseen_acts(world: FenWorld) -> tuple[Option, ...]:
    """Whoever is up and hidden comes out first."""
    up = world.now.turns.current
    if not up or not world.is_hidden(up):
        return ()
    return (Option(label="reveal", action=Reveal(up), key="b", note="before they strike", secret=True),)


def people(world: FenWorld) -> tuple[PersonView, ...]:
    """By the sides in the order in which they act, those of a kind together; then those outside the fight."""
    turns, sequence = world.now.turns, world.now.rounds.sequence
    sides = [*dict.fromkeys((*sequence, *turns.sides()))]

    def rank(who: str) -> int:
        return sides.index(turns.fighters[who].side) if who in turns.fighters else len(sides)

    roster = Roster(world, upcoming(world)[1] if sequence else ())
    return together(person_view(roster, world, w) for w in sorted(listed(world), key=rank))


def banner(world: FenWorld) -> str:
    """Whose turn it is, in large."""
    turns = world.now.turns
    if not turns.running:
        return ""
    if not world.now.rounds.sequence:
        return "Who rolls initiative?"
    side = f"The {turns.holder} act"
    return f"{side}: {world.name(turns.current)} is up" if turns.current else side


def person_view(roster: Roster, world: FenWorld, who: str) -> PersonView:
    """A row of the roster."""
    turns, them, sheet = world.now.turns, person(world, who), world.sheets[who]
    secret, note = is_secret(world, who), f"{them.hp}/{sheet.hp}"
    tally = [f"wounds {them.wounds}/{most_wounds(world, who)}"] if them.wounds else []
    tally += [f"+{them.temporary} temporary"] if them.temporary else []
    waits = lies_in_wait(world, who)
    marks = [spent] if who == turns.current and (spent := spent_of_turn(world, who)) else []
    marks += ["hidden"] if waits and not world.is_hidden(who) else []
    named = [(side, one.fallen) for side, one in world.now.rounds.standing.items() if one.who == who]
    marks += [f"{'rolled' if fallen else 'rolls'} for the {side}" for side, fallen in named]
    if not named and any(who in done for done in turns.spoke.values()):
        marks.append("rolled initiative before")
    marks += ["reacted"] if who in turns.fighters and them.reactions >= world.rules.reactions > 0 else []
    marks += [f"{guard_name(world, who, part)} broken" for part in PARTS if them.guards.get(part, 1) == 0]
    sequence = world.now.rounds.sequence
    idle = bool(sequence) and who in turns.fighters and turns.fighters[who].side not in sequence
    found = roster.person(
        who,
        section=IDLE if idle else roster.section(who),
        note=condition_of(world, who, them.hp, sheet.hp),
        secret_note=note if secret else "",
        marks=marks,
        out=is_out(world, who),
        meters=meters(world, who),
        conditions=(*(Status(what=what, tone="warn", secret=secret) for what in tally), *pending(world, who)),
    )
    return replace(found, secret=True) if waits else found


def pending(world: FenWorld, who: str) -> tuple[Status, ...]:
    """What is done to somebody's next throws."""
    return tuple(
        Status(what=", ".join(mods.parts), until=next_throw(scope), secret=change_is_whispered(world, who, scope))
        for scope, mods in changes_of(world, who).items()
    )


def meters(world: FenWorld, who: str) -> tuple[Counter, ...]:
    """HP, temporary points and wounds; those of the GM's characters are the GM's."""
    them, secret, most = person(world, who), is_secret(world, who), most_wounds(world, who)
    hp = Counter(
        name="HP", value=them.hp, most=world.sheets[who].hp, tone="bad" if them.hp == 0 else "", secret=secret
    )
    more = [Counter(name="temporary", value=them.temporary, secret=secret)] if them.temporary else []
    tone: Tone = "bad" if them.wounds >= most else "warn"
    more += [Counter(name="wounds", value=them.wounds, most=most, tone=tone, secret=secret)] if them.wounds else []
    return (hp, *more)


def is_out(world: FenWorld, who: str) -> bool:
    """Down for all to see. Somebody secret is out of the turns only by what happened, not by a number."""
    fighter = world.now.turns.fighters.get(who)
    if fighter:
        return fighter.out
    return person(world, who).hp <= 0 if is_secret(world, who) else is_down(world, who)


def guard_name(world: FenWorld, who: str, part: str) -> str:
    """What it is called; of the GM's characters only what kind of thing it is."""
    item = getattr(world.sheets[who], part)
    return item.name if item and not is_secret(world, who) else part


def table_hands(world: FenWorld) -> tuple[Hand, ...]:
    """The dice of the last attack; where nobody has struck since initiative was rolled, those of initiative."""
    turns, rounds, blow = world.now.turns, world.now.rounds, world.now.blow
    if blow is not None and blow.turn == turn_of(world):
        attack = hand(f"{world.name(blow.who)}, {blow.weapon}", blow.attack)
        dodge = hand(f"{world.name(blow.against)}, {world.rules.dodge_skill}", blow.dodge)
        return (attack, dodge) if blow.dodge.dice else (attack,)
    if not rounds.sequence or turns.current or any(f.acted for f in turns.fighters.values()):
        return ()
    return tuple(
        hand(f"{side}: {world.name(s.who)}", s.fallen, secret=world.is_hidden(s.who))
        for side, s in rounds.standing.items()
        if s.fallen
    )


RESULTS: dict[str, Tone] = {"through": "good", "stopped": "warn", "dodged": "bad"}


def for_the_players(tone: Tone) -> Tone:
    """What goes well for a foe goes ill for the table."""
    return "bad" if tone == "good" else "good" if tone == "bad" else tone


def blow_outcome(world: FenWorld) -> Outcome | None:
    """How the last attack ended; damage to the GM's characters is told to the GM by the log and the roster."""
    blow = world.now.blow
    if blow is None or blow.turn != turn_of(world):
        return None
    tone = RESULTS[blow.result]
    if world.sheets[blow.against].player and not world.sheets[blow.who].player:
        tone = for_the_players(tone)
    known = blow.damage and not is_secret(world, blow.against)
    met = f"{world.name(blow.against)}'s {blow.dodge.total}" if blow.dodge.dice else "no dodge"
    rolled, left = f"{world.name(blow.who)} {blow.attack.total} against {met}", blow_left(world, blow)
    return Outcome(
        title=f"{blow.damage} through" if known else blow.result,
        tone=tone,
        detail=left or rolled,
        next=rolled if left else "",
        because="dodge that meets the attack stops it; then shield, then armour",
    )


def blow_left(world: FenWorld, blow: Blow) -> str:
    """How a blow that was not dodged left somebody; shield and armour where these are not the GM's."""
    who, name = blow.against, world.name(blow.against)
    if blow.result == "dodged" or world.is_hidden(who):
        return ""
    how, known = condition_of(world, who, person(world, who).hp, world.sheets[who].hp), not is_secret(world, who)
    words = f"{name} is down" if is_out(world, who) else f"{name} {how} HP" if known else f"{name} is {how}"
    worn = {part: defense(world, who, part) for part in worn_parts(world, who)} if known else {}
    return ", ".join((words, *(f"{part} {n} left" if n else f"{part} broken" for part, n in worn.items())))


# ---- the round


def sides(world: FenWorld) -> tuple[Counter, ...]:
    """Each side of the fight: who rolls for it or what they rolled, who has done so, who is surprised."""
    turns, rounds = world.now.turns, world.now.rounds
    if not turns.running:
        return ()
    acting = rounds.sequence or rolling_sides(world)
    order = [*rounds.sequence, *(s for s in turns.sides() if s not in rounds.sequence)]
    shown = [side for side in order if turns.members(side)]
    return tuple(
        Counter(name=s, value=int(s in acting), tone=side_tone(world, s), note=side_words(world, s), secret=hidden)
        for s, hidden in ((s, is_unseen(world, s)) for s in shown)
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
    if done and sum(f.side == side for f in turns.fighters.values()) > 1:  # of one it is plain
        words.append(f"before: {', '.join(done)}")
    return "; ".join(words)


def seen(world: FenWorld, side: str, who: str) -> bool:
    """May somebody be named where their side is told? A side that is hidden as a whole is for the GM alone."""
    return is_unseen(world, side) or not world.is_hidden(who)


def standing_words(world: FenWorld, side: str) -> str:
    """Who rolls for a side, or what they rolled; sheets that players do not know say nothing here."""
    rounds = world.now.rounds
    named = rounds.standing.get(side)
    if named is None:
        waits = not rounds.sequence and side in rolling_sides(world)
        allowed = (w for w in may_stand(world, side) if seen(world, side, w)) if waits else iter(())
        first = next(allowed, "")
        return f"next {world.name(first)}" if first else "–"
    name = world.name(named.who) if seen(world, side, named.who) else "somebody unseen"
    return f"{name} {named.skill} {named.fallen.total}" if named.fallen else f"{name} with {named.skill}"


def prompt(world: FenWorld) -> Prompt | None:
    """Where one side alone still stands: to end the fight; else whatever the round asks."""
    asked, down = round_prompt(world), beaten(world)
    if not down:
        return asked
    end = Option(label="end the fight", action=EndFight(), key="x", secret=True)
    # for the GM alone: whoever is up is asked what they do all the same
    on = Option(label="go on", action=NextTurn(), key="n", closed=NextTurn.when(world), secret=True)
    rest = (replace(o, key="" if o.key == "enter" else o.key) for o in asked.options) if asked else (on,)
    return Prompt(text=f"None of the {' or the '.join(down)} is left standing.", options=(end, *rest))


def round_prompt(world: FenWorld) -> Prompt | None:
    """Before initiative: who rolls; after it: who is next, while nobody acts."""
    if not unrolled(world):
        options = [Option(label="roll initiative", action=RollInitiative(), key="enter")]
        sides = rolling_sides(world)
        alone = sum(not is_unseen(world, s) for s in sides) < 2  # players see one side: who rolls would tell more
        for side in sides if len(sides) > 1 else ():
            options += [replace(o, secret=True) if alone else o for o in stand_options(world, side)]
        text = "Who rolls initiative for each side?" if len(sides) > 1 else "A new round."
        return Prompt(text=text, options=tuple(options))
    turns = world.now.turns
    if world.now.rounds.sequence and not turns.current:
        side, waiting = upcoming(world)
        if not waiting:
            on = Option(label="next round", action=NextTurn(), key="enter")
            return Prompt(text="Everybody has acted.", options=(on,))
        options = [Option(label=world.name(w), action=NextTurn(w), secret=world.is_hidden(w)) for w in waiting]
        text = "Who goes?" if is_unseen(world, side) else f"The {side} act. Who goes?"
        return Prompt(text=text, options=tuple(options))
    return None


def begin_acts(world: FenWorld) -> tuple[Option, ...]:
    """The fight of the scene that is on, as prepared, and without its surprise; the GM's."""
    scene = world.scenes.get(world.now.scene)
    if scene is None or world.now.turns.running or world.now.contest:
        return ()
    caught = ", ".join(scene.surprised)
    fights = [(BeginFight(), "b", "begin the fight", f"{caught} surprised" if caught else "as the scene says")]
    fights += [(BeginFight(nobody_surprised=True), "z", "begin it, nobody surprised", "")] if caught else []
    return tuple(
        Option(label=label, action=action, key=key, note=note, secret=True)
        for action, key, label, note in fights
        if not refusal(action.resolve, world, Dice())
    )


def stand_options(world: FenWorld, side: str) -> list[Option]:
    """One option for each who may roll, with the better of the skills; dice that are secret stay so."""
    named = world.now.rounds.standing.get(side)
    chosen = stander(world, side).who if named else ""
    return [
        Option(
            label=f"{'● ' if w == chosen else ''}{world.name(w)}",
            action=Stand(w, (skill := better_skill(world, w))),
            chosen=w == chosen,
            note=f"{skill} {skill_dice(world, w, skill)}",
            secret=is_secret(world, w) or world.is_hidden(w),
        )
        for w in may_stand(world, side)
    ]
