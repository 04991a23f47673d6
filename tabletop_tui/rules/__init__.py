"""The contract: everything that the author of an engine imports, and nothing else of ours.

An engine is a subclass of `Engine` with four record types (`Rules`, `Sheet`, `Scene`, `Now`), the `Action`s
that people can perform and the `Event`s that come of them. `tabletop_tui.conformance` checks it.
"""

from .ask import (
    Ask,
    Choice,
    Field,
    Of,
    Offer,
    Required,
    check,
    choices,
    fields,
    offers,
    parse,
    shaped,
    suggest,
    values,
)
from .dice import MOST_DICE, Dice, DiceNeeded, Handful, Roller, roller
from .engine import API, LETTERS, RESERVED, Engine
from .errors import Refused, TableError
from .model import (
    ANYBODY,
    COPY,
    FIRST_MEETING,
    Action,
    Clock,
    Condition,
    Event,
    Model,
    Now,
    Problem,
    RandomRow,
    RandomTable,
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
from .stripping import strip, strip_odds
from .text import HOSTILE, clean, name_of, nearest
from .turns import Fighter, Turns
from .views import (
    KINDS,
    Bid,
    ChallengeView,
    ContestView,
    Counter,
    Face,
    Fact,
    Hand,
    Kind,
    Line,
    Matrix,
    Option,
    Outcome,
    Party,
    Person,
    Prepared,
    Prompt,
    Reminder,
    Row,
    Section,
    SheetView,
    Status,
    TableView,
    View,
    Words,
    as_facts,
)

__all__ = [
    "ANYBODY", "API", "COPY", "FIRST_MEETING", "HOSTILE", "KINDS", "LETTERS", "MOST_DICE", "RESERVED", "Action",
    "Ask", "Bid", "ChallengeView", "Chance", "Choice", "Clock", "Condition", "ContestView", "Counter",
    "Dice", "DiceNeeded", "Engine", "Event", "Face", "Fact", "Field", "Fighter", "Group", "Hand", "Handful",
    "Kind", "Line", "Matrix", "Model", "Now", "Odds", "Of", "Offer", "Option", "Outcome", "Part", "Party",
    "Person", "Pmf", "Pool", "Prepared", "Problem", "Prompt", "RandomRow", "RandomTable", "Refused", "Reminder",
    "Required", "Roller", "Row", "Rules", "Scene", "Section", "Sheet", "SheetView", "Status", "TableError",
    "TableView", "Tone", "Track", "Turns", "View", "Words", "World", "add", "add_all", "as_facts", "below", "check",
    "choices", "clean", "cumulative", "fields", "from_cumulative", "name_of", "nearest", "offers", "parse", "percent",
    "roller", "shaped", "strip", "strip_odds", "suggest", "tag_of", "values",
]  # fmt: skip
