"""Views are data: what a screen draws. A screen holds no rule; if it needs one, a field is missing here.

Anything with `secret` set is for the GM: `strip` takes it out, for every seat but the GM's, in one place.
"""

from collections.abc import Iterable
from typing import Literal

from .model import Action, Model
from .odds import Pool, Tone

Kind = Literal["table", "challenge", "contest", "sheet"]
KINDS: tuple[Kind, ...] = ("table", "challenge", "contest", "sheet")
Allegiance = Literal["", "party", "foe", "other"]
"""Where somebody stands as the players see it; empty where the game does not say."""


class Fact(Model, kw_only=True):
    """A short remark in the title's row: tier and dice of a challenge, the round."""

    text: str
    tone: Tone = ""


def as_facts(texts: Iterable[str]) -> tuple[Fact, ...]:
    """Facts without a tone; empty ones are left out."""
    return tuple(Fact(text=text) for text in texts if text)


class Status(Model, kw_only=True):
    """A condition on somebody, and when it ends."""

    what: str
    until: str = ""
    tone: Tone = ""
    secret: bool = False


class Counter(Model, kw_only=True):
    """A number that matters: Momentum, Complication Points, a clock, somebody's HP."""

    name: str
    value: int
    most: int | None = None
    least: int = 0
    """Where it ends downwards: below 0 in games in which HP are."""
    tone: Tone = ""
    note: str = ""
    secret: bool = False
    more: Action | None = None
    """Moves it on by one, where a screen may do so with one key."""
    less: Action | None = None
    """Moves it back by one."""


class Option(Model, kw_only=True):
    """Something that can be pressed, and the action that it performs."""

    label: str
    action: Action
    key: str = ""
    closed: str = ""
    chosen: bool = False
    note: str = ""
    secret_label: str = ""
    """What the GM reads in place of the label, where it would give a secret away."""
    secret: bool = False
    secret_note: str = ""
    """The same for the note."""
    asks: bool = False
    """Whoever presses it asks the GM for it: the table says so of a player's options."""
    best: bool = False
    """Of several from which one has to be chosen: what Enter takes."""


class Face(Model, kw_only=True):
    """A die as it lies on the table."""

    text: str
    sides: int
    tone: Tone = ""
    choosable: bool = False
    chosen: bool = False
    """The rules' default would pick it."""
    group: str = ""
    """What kind of dice it is one of, where a hand has several: said before the first of them."""
    rerolled: bool = False
    """It was thrown again: it has a sign of its own."""
    mark: str = ""
    """What became of it, in a word or two for those who are read to: "rerolled", "exploded"."""


class Hand(Model, kw_only=True):
    """A row of dice and what they come to."""

    who: str
    faces: tuple[Face, ...]
    total: str = ""
    secret: bool = False


class Line(Model, kw_only=True):
    """A value on a sheet, and how it came to be."""

    label: str
    value: str
    because: str = ""
    tone: Tone = ""


class Outcome(Model, kw_only=True):
    """How it came out, in large."""

    title: str
    tone: Tone = ""
    detail: str = ""
    secret_detail: str = ""
    """For the GM, in place of the detail."""
    next: str = ""
    """What to narrate or do now."""
    because: str = ""
    """Which rule made it so."""
    goes_on: bool = False
    """It is that of a part, a try or a round, and the challenge or the contest goes on."""


class Prompt(Model, kw_only=True):
    """A choice that the game waits for. Enter takes the first open option."""

    text: str
    options: tuple[Option, ...]
    pick: str = ""
    """The field of the first option's action that takes the places of the dice picked; empty for none."""
    most: int = 0
    """How many dice may be picked."""
    so_far: Outcome | None = None
    """How it comes out if it counts as the dice lie. None: that is not known yet, or there is nothing to say."""


class Row(Model, kw_only=True):
    """Somebody's row in a matrix of options."""

    who: str
    cells: tuple[Option, ...]
    id: str = ""
    """Whose sheet to show beside it."""


class Matrix(Model, kw_only=True):
    """People × actions."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


class Words(Model, kw_only=True):
    """What a game calls the parts of a challenge."""

    lead: str = "Lead"
    support: str = "support"
    stakes: str = "stakes"
    again: str = "next challenge"
    """What follows when one has ended."""


class ChallengeView(Model, kw_only=True):
    """A challenge that several take on together."""

    title: str = ""
    facts: tuple[Fact, ...] = ()
    secret_facts: str = ""
    """The difficulty, where only the GM knows it; `strip` takes it out."""
    stakes: str = ""
    secret_means: tuple[Line, ...] = ()
    """What each outcome will mean, for the GM before the roll."""
    open: tuple[Option, ...] = ()
    """Prepared challenges that could be opened."""
    lead: str = ""
    led_by: str = ""
    """The id of whoever leads, or led what lies there, unless they are hidden: their sheet stands beside the dice."""
    leads: tuple[Option, ...] = ()
    """Who could lead, with which skill; none once it is over."""
    pools: tuple[Pool, ...] = ()
    support: Matrix | None = None
    extras: tuple[Option, ...] = ()
    """Other things to switch before the roll."""
    roll: Action | None = None
    """What `r` does, and whose odds stand on the screen."""
    roll_closed: str = ""
    odds_secret: bool = False
    hands: tuple[Hand, ...] = ()
    prompt: Prompt | None = None
    outcome: Outcome | None = None
    counters: tuple[Counter, ...] = ()
    about: str = ""
    """The scene, as everybody may read it."""
    secret_about: str = ""
    """The scene, as only the GM knows it."""
    words: Words = Words()
    parts: tuple[Option, ...] = ()
    """What it falls into, in a row: `chosen` where done, `closed` where locked, `note` for attempts and price."""
    seen: "ChallengeView | None" = None
    """What players see in its place, while somebody in it is hidden from them."""


class Person(Model, kw_only=True):
    """Somebody in a roster."""

    id: str
    name: str
    side: str = ""
    section: str = ""
    """The part of the roster in which they stand: the turn order, those outside it. Empty: their side."""
    allegiance: Allegiance = ""
    """With the players' characters, against them, or neither."""
    note: str = ""
    """The number that matters: HP, a zone."""
    secret_note: str = ""
    """The same, where only the GM may see it."""
    marks: tuple[str, ...] = ()
    current: bool = False
    acted: bool = False
    out: bool = False
    away: bool = False
    """Not where play goes on: outside the turn order, or in another scene. Nobody acts against them unasked."""
    may_go: bool = False
    secret: bool = False
    group: str = ""
    """Those of a side who share one may be drawn as one row: "Wardens ×4"."""
    number: int | None = None
    """Their initiative, in games that count it."""
    meters: tuple[Counter, ...] = ()
    """Counters of their own: HP, stress, spirit. The first one is drawn wherever there is room for one."""
    conditions: tuple[Status, ...] = ()
    """What lasts on them."""


class Reminder(Model, kw_only=True):
    """What the GM is reminded of when some time was played without an action."""

    text: str
    since: str
    """The word of the action."""
    minutes: int
    """How long is played without it, or from the beginning of the session on."""


class TableView(Model, kw_only=True):
    """The whole table: who, what now, what just fell."""

    title: str = ""
    banner: str = ""
    facts: tuple[Fact, ...] = ()
    counters: tuple[Counter, ...] = ()
    people: tuple[Person, ...] = ()
    places: tuple[Counter, ...] = ()
    hands: tuple[Hand, ...] = ()
    pools: tuple[Pool, ...] = ()
    prompt: Prompt | None = None
    outcome: Outcome | None = None
    conditions: tuple[Line, ...] = ()
    about: str = ""
    """The scene, as everybody may read it."""
    secret_about: str = ""
    """The scene, as only the GM knows it."""
    roll: Action | None = None
    """What `r` does for whoever is up, and whose odds stand on the screen until the dice fall."""
    acts: tuple[Option, ...] = ()
    """What whoever is up can do, or what could happen while nobody is: the likeliest first, which Enter does.

    Whatever such an action leaves empty, a screen fills in from the cursor and from what was done last.
    """
    places_title: str = "places"
    """What the places are: zones of a fight, its sides."""
    reminders: tuple[str, ...] = ()
    """What the GM should not forget now: a reward that is due, a clock that was not touched for long."""
    later: tuple[Reminder, ...] = ()
    """Reminders that come with time: the table puts those that are due among the others."""
    seen: "TableView | None" = None
    """What players see in its place, while somebody hidden is in the turn order: see `order.as_seen`."""


class Bid(Model, kw_only=True):
    """A line of a contest's pool: a source in words and what it adds."""

    source: str
    dice: str
    note: str = ""
    tone: Tone = ""
    remove: Action | None = None
    """Takes the line out again."""
    secret: bool = False


class Party(Model, kw_only=True):
    """One party of a contest."""

    id: str
    name: str
    side: str = ""
    wants: str = ""
    risks: str = ""
    """What losing costs."""
    bids: tuple[Bid, ...] = ()
    total: str = ""
    meter: Counter | None = None
    """The share of dice that role-play brought, against its cap."""
    marks: tuple[str, ...] = ()
    """Penalties, what was used in which round, how it went this round."""
    result: str = ""
    tone: Tone = ""
    adds: tuple[Option, ...] = ()
    """What can be put in for this party, each by its key: an action that is ready, or whose form is asked."""
    asks: str = ""
    """The question that its `adds` answer, while one of them has to be chosen before it can be rolled."""
    group: str = ""
    """The group of chances that is this party's own: it stands beside its name and nowhere else."""
    secret_total: str = ""
    """The total as the GM knows it, where some of it is hidden."""
    secret_meter: Counter | None = None
    """The meter as the GM knows it."""
    secret_marks: tuple[str, ...] = ()
    """Marks that only the GM sees, beside the others."""


class ContestView(Model, kw_only=True):
    """A contest between parties, one of them against one or many."""

    title: str = ""
    facts: tuple[Fact, ...] = ()
    open: tuple[Option, ...] = ()
    """Prepared contests that could be opened."""
    parties: tuple[Party, ...] = ()
    extras: tuple[Option, ...] = ()
    """What to press while building: each is an action that is ready, or whose form is asked."""
    roll: Action | None = None
    """What `r` does, and whose odds stand on the screen."""
    roll_closed: str = ""
    odds_secret: bool = False
    hands: tuple[Hand, ...] = ()
    prompt: Prompt | None = None
    outcome: Outcome | None = None
    counters: tuple[Counter, ...] = ()
    seen: "ContestView | None" = None
    """What players see in its place, while somebody in it is hidden from them."""


class Prepared(Model, kw_only=True):
    """Something that a scene has ready, and the action that begins it."""

    what: str
    """A word for its kind: challenge, contest, fight."""
    name: str
    action: Action
    """Where it leaves something open that must be said, its form is asked."""
    note: str = ""
    """What the GM wants to see beforehand: tier and dice, who stands against whom."""
    more: str = ""
    """The same at length: left out where there is no room."""
    closed: str = ""
    stakes: str = ""


class Section(Model, kw_only=True):
    """Lines of a sheet under one heading."""

    title: str
    lines: tuple[Line, ...]
    secret: bool = False


class SheetView(Model, kw_only=True):
    """One character in full."""

    title: str
    facts: tuple[Fact, ...] = ()
    counters: tuple[Counter, ...] = ()
    sections: tuple[Section, ...] = ()
    secret: bool = False


View = ChallengeView | ContestView | TableView | SheetView
VIEWS: dict[Kind, type[View]] = {
    "table": TableView,
    "challenge": ChallengeView,
    "contest": ContestView,
    "sheet": SheetView,
}
"""What each screen draws."""
