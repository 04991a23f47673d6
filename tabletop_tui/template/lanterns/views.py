"""What the screens draw. A screen holds no rule: whatever it shows stands here."""

from __future__ import annotations

from tabletop_tui.kit import common, roster
from tabletop_tui.rules import (
    ChallengeView,
    Counter,
    Face,
    Fact,
    Hand,
    Line,
    Matrix,
    Option,
    Outcome,
    Part,
    Person,
    Pool,
    Prompt,
    Row,
    Section,
    SheetView,
    TableView,
)

from .acting import Act, LetStand, PressOn
from .together import Help, Lead, RollTask
from .world import LanternWorld, Roll, kept, nerve


def meter(world: LanternWorld, who: str) -> Counter:
    """Somebody's nerve."""
    return Counter(name="nerve", value=nerve(world, who), most=world.rules.nerve, secret=kept(world, who))


def hands(world: LanternWorld) -> tuple[Hand, ...]:
    """The dice as they lie."""
    roll = world.now.roll
    if roll is None:
        return ()
    faces = tuple(Face(text=str(face), sides=6) for face in roll.faces)
    total = f"{roll.total} (with +{roll.bonus})" if roll.bonus else f"{roll.total}"  # drawn after an equals sign
    return (Hand(who=world.name(roll.who), faces=faces, total=total, secret=kept(world, roll.who)),)


def prompt(world: LanternWorld) -> Prompt | None:
    """What must be answered: Enter takes the first option."""
    roll = world.now.roll
    if roll is None or not roll.pending:
        return None
    text = f"{roll.total} does not reach {roll.number}."
    stand = Option(label="let it count", action=LetStand(), secret=kept(world, roll.who))
    press = Option(
        label="press on", key="p", action=PressOn(), note="1 nerve, the lower die again", secret=kept(world, roll.who)
    )
    return Prompt(text=text, options=(stand, press))


def outcome(roll: Roll | None) -> Outcome | None:
    """How it came out, once it counts."""
    if roll is None or roll.pending:
        return None
    if roll.succeeds:
        return Outcome(title="success", tone="good", detail=f"{roll.total} against {roll.number}")
    return Outcome(title="failure", tone="bad", detail=f"{roll.total} against {roll.number}")


def table_view(world: LanternWorld) -> TableView:
    """Everybody, whose turn it is, and the last roll."""
    now, turns = world.now, world.now.turns
    task = now.task is not None and bool(now.task.lead)  # its dice lie on the challenge page
    scene = world.scenes.get(now.scene)
    up = turns.current
    rows = roster.Roster(world, turns.may_go())
    return TableView(
        title=scene.title if scene else "",
        about=scene.about if scene else "",
        secret_about=scene.secret if scene else "",
        facts=(Fact(text=f"round {turns.round}"),) if turns.running else (),
        banner=f"{world.name(up)} is up" if up and not world.is_hidden(up) else "",
        counters=common.counters(world),
        people=tuple(person(rows, who) for who in roster.listed(world)),
        conditions=common.lasting(world),
        acts=roster.acts(world, (Act(up, ""), "two dice and a skill")),
        hands=() if task else hands(world),
        prompt=None if task else prompt(world),
        outcome=None if task else outcome(now.roll),
    )


def person(rows: roster.Roster, who: str) -> Person:
    """A row of the roster: the kit knows the rest of it."""
    fighter = rows.world.now.turns.fighters.get(who)
    return rows.person(who, meters=(meter(rows.world, who),), number=fighter.number if fighter else None)


def challenge_view(world: LanternWorld) -> ChallengeView:
    """The task: who leads, who helps, what is rolled."""
    task, roll = world.now.task, world.now.roll
    if task is None:
        return ChallengeView(counters=common.counters(world))
    facts = (Fact(text=f"number {task.number}"),)
    leads = tuple(
        Option(label=f"{world.name(who)} · {skill} +{bonus}", action=Lead(who, skill), secret=kept(world, who))
        for who in world.present()
        for skill, bonus in world.sheets[who].skills.items()
        if not task.done
    )
    if not task.lead:
        return ChallengeView(title=task.name, facts=facts, leads=leads, counters=common.counters(world))
    rows = tuple(
        Row(
            who=world.name(who),
            id=who,
            cells=(
                Option(
                    label="+1",
                    action=Help(who),
                    chosen=who in task.helpers,
                    closed="" if nerve(world, who) else "no nerve left",
                ),
            ),
        )
        for who in world.present()
        if who != task.lead and not kept(world, who)
    )
    bonus = world.sheets[task.lead].skills.get(task.skill, 0)
    parts = (
        Part(source=task.skill, dice="2d6", note=f"+{bonus}"),
        *(Part(source=world.name(who), dice="+1") for who in task.helpers),
    )
    return ChallengeView(
        title=task.name,
        facts=facts,
        lead=f"{world.name(task.lead)} leads with {task.skill}",
        led_by="" if world.is_hidden(task.lead) else task.lead,
        leads=leads,
        pools=(Pool(who=world.name(task.lead), parts=parts),),
        support=Matrix(columns=("help",), rows=rows),
        roll=None if roll or task.done else RollTask(),
        roll_closed="it is rolled" if roll or task.done else "",
        hands=hands(world),
        prompt=prompt(world),
        outcome=outcome(roll),
        counters=common.counters(world),
    )


def sheet_view(world: LanternWorld, who: str) -> SheetView:
    """One character in full."""
    sheet = world.sheets[who]
    lines = tuple(Line(label=name, value=f"+{bonus}") for name, bonus in sheet.skills.items())
    return SheetView(
        title=sheet.name,
        facts=(Fact(text=sheet.about),) if sheet.about else (),
        counters=(meter(world, who),),
        sections=(Section(title="skills", lines=lines, secret=kept(world, who)),),
    )
