"""The contract: everything that the author of an engine imports, and nothing else of ours.

An engine is a subclass of `Engine` with four record types (`Rules`, `Sheet`, `Scene`, `Now`), the `Action`s
that people can perform and the `Event`s that come of them. `tabletop_tui.rules.conformance` checks it.
"""

from . import common, order
from .ask import Ask, Choice, Field, Offer, check, choices, fields, offers, parse, suggest, values
from .bench import Bench, Benches, Chances, Fell, Reading, less, public, still_wanted
from .dice import MOST_DICE, Dice, DiceNeeded, Handful, Roller, roller
from .engine import API, RESERVED, Engine
from .errors import Refused, TableError
from .model import (
    FIRST_MEETING,
    Action,
    Clock,
    Condition,
    Event,
    Model,
    Now,
    Problem,
    Rules,
    Scene,
    Sheet,
    Track,
    World,
    tag_of,
)
from .odds import (
    Chance,
    Group,
    Odds,
    Part,
    Pmf,
    Pool,
    Tone,
    add,
    add_all,
    below,
    cumulative,
    from_cumulative,
    percent,
)
from .scan import BadDice, Scan, halves
from .text import HOSTILE, clean, name_of
from .turns import Fighter, Turns
from .views import (
    KINDS,
    Bid,
    ChallengeView,
    ContestView,
    Counter,
    Face,
    Hand,
    Kind,
    Line,
    Matrix,
    Option,
    Outcome,
    Party,
    Person,
    Prompt,
    Row,
    Section,
    SheetView,
    TableView,
    View,
    strip,
    strip_odds,
)

__all__ = [
    "API", "FIRST_MEETING", "HOSTILE", "KINDS", "MOST_DICE", "RESERVED", "Action", "Ask", "BadDice", "Bench",
    "Benches", "Bid", "ChallengeView", "Chance", "Chances", "Choice", "Clock", "Condition", "ContestView",
    "Counter", "Dice", "DiceNeeded", "Engine", "Event", "Face", "Fell", "Field", "Fighter", "Group", "Hand",
    "Handful", "Kind", "Line", "Matrix", "Model", "Now", "Odds", "Offer", "Option", "Outcome", "Part",
    "Party", "Person", "Pmf", "Pool", "Problem", "Prompt", "Reading", "Refused", "Roller", "Row", "Rules",
    "Scan", "Scene", "Section", "Sheet", "SheetView", "TableError", "TableView", "Tone", "Track", "Turns",
    "View", "World", "add", "add_all", "below", "check", "choices", "clean", "common", "cumulative", "fields",
    "from_cumulative", "halves", "less", "name_of", "offers", "order", "parse", "percent", "public", "roller",
    "still_wanted", "strip", "strip_odds", "suggest", "tag_of", "values",
]  # fmt: skip
