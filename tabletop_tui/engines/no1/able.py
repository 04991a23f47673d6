"""When something can be done at all: while no roll waits, in a scene with zones, in an encounter with time left."""

from ...rules import Action
from .world import No1World


def waits(world: No1World) -> str:
    """Why nothing else can be rolled or decided now; empty where it can."""
    roll = world.now.roll
    return f"{world.name(roll.who)}'s roll waits: reroll the 1s or let it count" if roll and roll.pending else ""


def fighting_it_out(world: No1World) -> str:
    """Why something that ends or replaces a contest cannot be done; empty where none is under way."""
    duel = world.now.duel
    return "a contest is under way: finish it or call it off" if duel and duel.stage != "over" else ""


def running(world: No1World) -> str:
    """Why something that needs an encounter cannot be done; empty where one runs."""
    return waits(world) or ("" if world.now.turns.running else "no encounter is running")


def out_of_time(world: No1World) -> str:
    """Why nobody can go on; empty where there is time."""
    spent = world.now.turns.running and world.now.turns.timer == 0
    return "the Timer has run out: end the encounter, or give it a round more" if spent else ""


class TableAction(Action):
    """Something that is done at the table while no roll waits."""

    screens = ("table",)
    when = staticmethod(waits)


class EncounterAction(TableAction):
    """Something that is done at the table while an encounter runs."""

    when = staticmethod(running)


def turn_used(world: No1World, who: str) -> bool:
    """Has somebody taken their Action or their Shift in this round?"""
    now = world.now
    return now.turns.round in (now.taken.get(who), now.shifted.get(who))
