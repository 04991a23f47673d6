"""House rules, sheets, scenes and live state of the No1 system."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from ...kit.order import FOES, HEROES, side_of
from ...rules import Model, Now, Rules, Scene, Sheet, World

SIDES = (4, 6, 8, 10, 12)
"""The die of a skill, by its rating from 0 to 4."""
MOST_CHALLENGE = 30
MOST_POOL = 80
"""Dice in one roll, Hazard dice included. Beyond it somebody has mistyped a number."""
MOST_HAZARD = 30
MOST_COUNT = 100
"""Identical foes in one line of a scene."""
MOST_RANKS = 20
"""Ranks of one Trait."""
MOST_BOOSTS = 80
"""d4s of bonus hits on one roll."""
MOST_EFFECT = 1_000
"""What one manoeuvre can cost, or move a counter by."""
MOST_ROUNDS_OF_CONTEST = 2 * SIDES[-1]
HERE = "here"
"""The zone of everybody where no zones were prepared."""

Use = Literal["hits", "hazard", "entropy"]
USES: tuple[Use, ...] = ("hits", "hazard", "entropy")
How = Literal["defy", "advantage", "move"]
RollKind = Literal["action", "defy", "advantage", "move"]

Small = Annotated[int, Meta(ge=0, le=100)]


class Effects(Model):
    """What a manoeuvre does to the numbers of the table; nothing goes below 0, Challenge not below 1."""

    momentum: int = 0
    entropy: int = 0
    timer: int = 0
    challenge: int = 0


class Manoeuvre(Model):
    """Something that players buy with Momentum: campaign data, not code. One that nobody owns is everybody's."""

    name: str
    cost: int = 0
    """In Momentum; paid whether the check succeeds or not."""
    condition: str = ""
    """When it may be used: `momentum > entropy and timer == 1`. Empty: whenever it can be paid for."""
    check: str = ""
    """What a d20 has to show: `greater than challenge + entropy`. Empty: no check."""
    effects: Effects = Effects()
    of: tuple[str, ...] = ()
    """Whose talent it is, by id, besides those who name it under `talents` on their sheets."""
    about: str = ""


class No1Rules(Rules):
    """The rulings that a table may want otherwise."""

    target: Annotated[int, Meta(ge=2, le=12)] = 4
    """A die that shows this or more is a hit."""
    plain_die: Literal[4, 6, 8, 10, 12] = 6
    """The die where no skill is named, and of the opening test."""
    momentum_needs_initiative: bool = True
    """False: a clean roll moves the counter also while the other side holds the Initiative."""
    foes_move_counters: bool = False
    """True: a foe's clean action adds 1 Entropy, a foe's 1 adds 1 Momentum."""
    shift_momentum: bool = False
    """True: a clean Shift adds 1 Momentum, as an Action does."""
    opening_tie: Literal["heroes", "foes"] = "heroes"
    """Who acts first when both teams have as many hits in the opening test."""
    shift_after_seizure: bool = False
    """True: whoever loses the Initiative may still take their Shift."""
    keep_counters: bool = True
    """False: a new encounter begins with Momentum and Entropy at 0."""
    own_hazard: bool = True
    """False: a character who is a hazard does not roll its dice."""
    hidden_hazards: bool = False
    """True: a character who is a hazard adds its dice also while nobody has seen them."""
    own_advantage: bool = True
    """False: an advantage is for the others of the team, not for whoever made it."""
    advantage_uses: tuple[Use, ...] = USES
    """What an advantage can be spent on: +1d4 bonus hits, one hazard die less, 1 Entropy less."""
    challenge_cost: Small = 3
    """Entropy for +1 Challenge."""
    clock_cost: Small = 1
    """Entropy for a segment of a clock."""
    contest_die: Literal[4, 6, 8, 10, 12] = 4
    """Both roll it; the sum is the number of rounds of a contest."""
    contest_repeat: Small = 1
    """Hits that using a skill again costs for each earlier use."""
    contest_win: Small = 5
    """Momentum or Entropy for winning a contest."""
    contest_decline: Small = 2
    """Momentum or Entropy for the challenger's side when the contest is declined."""
    manoeuvres: dict[str, Manoeuvre] = {}
    """What players can buy with Momentum, by a name of your own: manoeuvres, and talents of those who name them."""


class No1Sheet(Sheet):
    """A character of the No1 system."""

    skills: dict[str, Annotated[int, Meta(ge=0, le=4)]] = {}
    """Rating 0 to 4: d4, d6, d8, d10, d12."""
    traits: dict[str, Annotated[int, Meta(ge=0, le=MOST_RANKS)]] = {}
    """Ranks; each buys the reroll of one die that shows 1."""
    focus: str = ""
    """The Trait that rolls lean on; the first where empty."""
    talents: tuple[str, ...] = ()
    """The manoeuvres that are theirs, by the names under [rules.manoeuvres]."""
    hazard: int = 0
    """The hazard rating of a character who is one: it goes where they go."""


class Zone(Model):
    """A named area with its hazards."""

    name: str
    hazards: dict[str, int] = {}
    """Rating by name."""
    about: str = ""


class Foe(Model):
    """Foes of one kind in a scene."""

    zone: str = ""
    """The first zone where empty."""
    count: int = 1
    hidden: bool = False


class No1Scene(Scene):
    """A prepared encounter."""

    challenge: int = 3
    timer: int = 0
    """In rounds; 0 for no limit."""
    zones: dict[str, Zone] = {}
    heroes: dict[str, str] = {}
    """Where somebody on the players' side begins; characters that are not named stand in the first zone."""
    foes: dict[str, Foe] = {}
    """By the id of their sheet."""

    def people(self) -> tuple[str, ...]:
        """Its foes and allies too."""
        return (*self.cast, *self.heroes, *self.foes)

    def bringing(self, who: str, count: int) -> No1Scene:
        """Foes are counted here."""
        foe = self.foes.get(who, Foe(count=0))
        return replace(self, foes={**self.foes, who: replace(foe, count=foe.count + count)})


class Die(Model):
    """A die on the table."""

    sides: int
    face: int
    hazard: bool = False
    rerolled: int = 0
    """How often it was rolled again."""


class Roll(Model):
    """A roll: on the table until the next one."""

    kind: RollKind
    who: str
    dice: tuple[Die, ...]
    pending: bool = False
    """A 1 shows and ranks are left: reroll, or let go."""
    skill: str = ""
    trait: str = ""
    target: str = ""
    to: str = ""
    """The zone that a move goes to."""
    bonus: int = 0
    """Bonus hits from advantages."""
    hits: int = 0
    clean: bool = False
    """No 1 was left when it counted."""
    moves: str = ""
    """What it did to the counters."""
    away: bool = False
    """Their side did not hold the Initiative, or there was none: there is nothing to keep or to lose."""

    def ones(self) -> list[int]:
        """The places of dice that show 1, the largest die first."""
        return sorted((i for i, d in enumerate(self.dice) if d.face == 1), key=lambda i: (-self.dice[i].sides, i))


class Opening(Model):
    """The dice of an opening test."""

    heroes: tuple[int, ...]
    foes: tuple[int, ...]
    sides: int


class Bout(Model):
    """One side's dice in a round of a contest."""

    skill: str
    sides: int
    faces: tuple[int, ...]
    hits: int
    """After what a repeated skill costs."""
    cost: int = 0


class Duel(Model):
    """A contest of one against one; on the table until the next one."""

    challenger: str
    other: str
    trait: str
    stage: Literal["called", "fought", "over"] = "called"
    rounds: int = 0
    round: int = 0
    """Rounds that were fought."""
    won: dict[str, int] = {}
    """Rounds taken, by who."""
    used: dict[str, dict[str, int]] = {}
    """How often each skill was used, by who."""
    bouts: dict[str, Bout] = {}
    """The last round's dice, by who."""
    winner: str = ""
    declined: bool = False


class Check(Model):
    """A manoeuvre and its d20: on the table until the next roll, or the next turn."""

    name: str
    face: int
    """0 where it had no check."""
    needs: str
    """What it had to show."""
    works: bool
    who: str = ""
    turn: str = ""
    """The turn in which it was used."""
    paid: dict[str, int] = {}
    """The numbers of the table once its cost was paid, from which its effects moved them."""


class No1Now(Now):
    """Live state. Sides are "heroes" and "foes"."""

    momentum: int = 0
    entropy: int = 0
    momentum_moved: int = 0
    """By how much Momentum moved when either counter last did."""
    entropy_moved: int = 0
    """By how much Entropy moved when either counter last did."""
    challenge: int = 1
    zones: dict[str, Zone] = {}
    positions: dict[str, str] = {}
    """Who stands in which zone."""
    copies: dict[str, str] = {}
    """The sheet of each of several identical foes."""
    advantages: dict[str, dict[str, int]] = {}
    """By side, then by zone."""
    makers: dict[str, dict[str, dict[str, int]]] = {}
    """By side, then by zone: how many of them each one made."""
    defied: dict[str, int] = {}
    """Hazard dice that come off somebody's next roll."""
    boosts: dict[str, int] = {}
    """d4s of bonus hits on somebody's next roll."""
    spent: dict[str, dict[str, int]] = {}
    """Ranks spent since the last Waypoint, by who and Trait."""
    shifted: dict[str, int] = {}
    """The round in which somebody last took their Shift."""
    taken: dict[str, int] = {}
    """The round in which somebody last took their Action."""
    roll: Roll | None = None
    checked: Check | None = None
    opening: Opening | None = None
    duel: Duel | None = None
    verdict: str = ""
    """Which way the scene turned: "heroes", "foes" or "level"; empty while it is open."""

    def in_sight(self) -> tuple[str, ...]:
        """The parties of a contest, whoever stands in a zone, and whoever rolled last."""
        duel = (self.duel.challenger, self.duel.other) if self.duel else ()
        return (*duel, *((self.roll.who,) if self.roll else ()), *self.positions)


No1World = World[No1Rules, No1Sheet, No1Scene, No1Now]

CLEARED: dict[str, Any] = {
    **{name: {} for name in ("advantages", "makers", "defied", "boosts", "shifted", "taken")},
    **dict.fromkeys(("roll", "checked", "opening", "duel")),
}
"""What one encounter leaves to no other."""


# ---- looking things up


def sheet_of(world: No1World, who: str) -> No1Sheet | None:
    """Somebody's sheet; identical foes share one."""
    return world.sheets.get(world.now.copies.get(who, who))


def side(world: No1World, who: str) -> str:
    """The side that somebody is on."""
    fighter = world.now.turns.fighters.get(who)
    if fighter:
        return fighter.side
    return FOES if who in world.now.copies else side_of(world, who)


def is_hero(world: No1World, who: str) -> bool:
    """Do they belong to the players' team?"""
    return side(world, who) == HEROES


def other_side(one: str) -> str:
    """Who is up against a side."""
    return FOES if one == HEROES else HEROES


def is_about(world: No1World, who: str) -> bool:
    """Are they in play: not retired, nor taken out of the fight?"""
    fighter = world.now.turns.fighters.get(who)
    return world.is_here(world.now.copies.get(who, who)) and not (fighter and fighter.out)


def cast(world: No1World) -> list[str]:
    """Everybody who can do something: the fighters while an encounter runs, else all who are about."""
    turns = world.now.turns
    return list(turns.order) if turns.running else world.present()


def zone_of(world: No1World, who: str) -> str:
    """Where somebody stands."""
    return world.now.positions.get(who, HERE)


def zone_name(world: No1World, zone: str) -> str:
    """What the table calls a zone."""
    found = world.now.zones.get(zone)
    return found.name if found else zone


def focus_of(world: No1World, who: str) -> str:
    """The focused Trait; empty for somebody who has none."""
    sheet = sheet_of(world, who)
    if sheet is None:
        return ""
    return sheet.focus if sheet.focus in sheet.traits else next(iter(sheet.traits), "")


def spent_on(world: No1World, who: str, trait: str) -> int:
    """Ranks of a Trait that are spent."""
    return world.now.spent.get(who, {}).get(trait, 0)


def ranks_left(world: No1World, who: str, trait: str) -> int:
    """Unspent ranks of a Trait."""
    sheet = sheet_of(world, who)
    return max(sheet.traits.get(trait, 0) - spent_on(world, who, trait), 0) if sheet else 0
