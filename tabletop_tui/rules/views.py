"""Views are data: what a screen draws. A screen holds no rule; if it needs one, a field is missing here.

Anything with `secret` set is for the GM: `strip` takes it out, for every seat but the GM's, in one place.
"""

from typing import Any, Literal, cast

import msgspec

from .model import Action, Model
from .odds import Odds, Pool, Tone

Kind = Literal["table", "challenge", "contest", "sheet"]
KINDS: tuple[Kind, ...] = ("table", "challenge", "contest", "sheet")


class Counter(Model):
    """A number that matters: Momentum, Complication Points, a clock."""

    name: str
    value: int
    most: int | None = None
    tone: Tone = ""
    note: str = ""
    secret: bool = False


class Option(Model):
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


class Face(Model):
    """A die as it lies on the table."""

    text: str
    sides: int
    tone: Tone = ""
    choosable: bool = False
    chosen: bool = False
    """The rules' default would pick it."""
    mark: str = ""
    """"rerolled", "exploded": a word, so that no colour is the only sign."""


class Hand(Model):
    """A row of dice and what they come to."""

    who: str
    faces: tuple[Face, ...]
    total: str = ""
    secret: bool = False


class Prompt(Model):
    """A choice that the game waits for. Enter takes the first open option."""

    text: str
    options: tuple[Option, ...]
    pick: str = ""
    """The field of the first option's action that takes the places of the dice picked; empty for none."""
    most: int = 0
    """How many dice may be picked."""


class Outcome(Model):
    """How it came out, in large."""

    title: str
    tone: Tone = ""
    detail: str = ""
    next: str = ""
    """What to narrate or do now."""
    because: str = ""
    """Which rule made it so."""


class Row(Model):
    """Somebody's row in a matrix of options."""

    who: str
    cells: tuple[Option, ...]
    id: str = ""
    """Whose sheet to show beside it."""


class Matrix(Model):
    """People × actions."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


class ChallengeView(Model):
    """A challenge that several take on together."""

    title: str = ""
    facts: tuple[str, ...] = ()
    secret_facts: str = ""
    """The difficulty, where only the GM knows it; `strip` takes it out."""
    stakes: str = ""
    open: tuple[Option, ...] = ()
    """Prepared challenges that could be opened."""
    lead: str = ""
    leads: tuple[Option, ...] = ()
    """Who could lead, with which skill."""
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
    parts: tuple[Option, ...] = ()
    """What it falls into, in a row: `chosen` where done, `closed` where locked, `note` for attempts and price."""


class Line(Model):
    """A value on a sheet, and how it came to be."""

    label: str
    value: str
    because: str = ""
    tone: Tone = ""


class Person(Model):
    """Somebody in a roster."""

    id: str
    name: str
    side: str = ""
    note: str = ""
    """The number that matters: HP, a zone."""
    secret_note: str = ""
    """The same, where only the GM may see it."""
    marks: tuple[str, ...] = ()
    current: bool = False
    acted: bool = False
    out: bool = False
    may_go: bool = False
    secret: bool = False
    group: str = ""
    """Those of a side who share one may be drawn as one row: "Wardens ×4"."""


class TableView(Model):
    """The whole table: who, what now, what just fell."""

    title: str = ""
    banner: str = ""
    facts: tuple[str, ...] = ()
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
    places_title: str = "places"
    """What the places are: zones of a fight, its sides."""


class Bid(Model):
    """A line of a contest's pool: a source in words and what it adds."""

    source: str
    dice: str
    note: str = ""
    tone: Tone = ""
    remove: Action | None = None
    """Takes the line out again."""
    secret: bool = False


class Party(Model):
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
    group: str = ""
    """The group of chances that is this party's own: it stands beside its name and nowhere else."""
    secret_total: str = ""
    """The total as the GM knows it, where some of it is hidden."""
    secret_meter: Counter | None = None
    """The meter as the GM knows it."""


class ContestView(Model):
    """A contest between parties, one of them against one or many."""

    title: str = ""
    facts: tuple[str, ...] = ()
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


class Section(Model):
    """Lines of a sheet under one heading."""

    title: str
    lines: tuple[Line, ...]
    secret: bool = False


class SheetView(Model):
    """One character in full."""

    title: str
    facts: tuple[str, ...] = ()
    counters: tuple[Counter, ...] = ()
    sections: tuple[Section, ...] = ()
    secret: bool = False


View = ChallengeView | ContestView | TableView | SheetView


def strip(view: Any) -> Any:
    """The same view without what only the GM may see; None where all of it is secret."""
    if isinstance(view, tuple):
        return tuple(strip(item) for item in view if not getattr(item, "secret", False))
    if not isinstance(view, msgspec.Struct) or isinstance(view, Action):
        return view
    if getattr(view, "secret", False):
        return None
    changes: dict[str, Any] = {}
    for name in view.__struct_fields__:
        value = getattr(view, name)
        if name.startswith("secret_"):
            kept: Any = "" if isinstance(value, str) else None
        elif isinstance(value, Prompt):
            kept = _strip_prompt(value)
        else:
            kept = strip(value)
        if kept is not value:
            changes[name] = kept
    if isinstance(view, TableView) and any(pool.secret for pool in view.pools):
        changes["roll"] = None  # an action tells what it would be done with
    return msgspec.structs.replace(view, **changes) if changes else view


def _strip_prompt(prompt: Prompt) -> Prompt | None:
    """A prompt is shown while it has an option that its reader may see."""
    options = tuple(option for option in prompt.options if not option.secret)
    return msgspec.structs.replace(prompt, options=options) if options else None


def strip_odds(odds: Odds) -> Odds | None:
    """Odds that a player may see; none at all where they would give a secret away."""
    return cast("Odds | None", strip(odds))
