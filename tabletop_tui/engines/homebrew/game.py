"""A game as TOML: the records that `[rules]` of the campaign is read as."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from ...rules import Model, Rules, Tone

Amount = int | str
"""A number, or a sum in words: `effect + 1`."""
Effects = dict[str, int | str | tuple[str, ...]]
"""What happens, in the order written: `{ "their hp" = "-1d6", condition = "prone" }`."""
Says = dict[str, str | tuple[str, ...]]
"""What is asked before a roll: a list of words, `5 to 30`, `dice` or `words`."""
Title = Annotated[str, Meta(max_length=60)]
Words = Annotated[str, Meta(max_length=400)]
Offered = Literal["before", "always", "after", "asked", "support", "any time"]
By = Literal["roller", "helper", "gm", "anyone"]
Whole = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]


class StatGroup(Model):
    """Numbers, dice or words on a sheet that belong together."""

    title: Title = ""
    about: Words = ""
    names: tuple[str, ...] = ()
    """The stats in it. Left out: each sheet names its own."""
    least: Whole = 0
    most: Whole = 20
    usual: Amount = 0
    """What somebody has whose sheet does not say."""
    holds: Literal["number", "dice", "words"] = "number"
    worked: dict[str, Amount] = field(default_factory=dict, name="is")
    """Stats that are worked out from others, by their sums."""


class Meter(Model):
    """A number that goes up and down in play."""

    title: Title = ""
    about: Words = ""
    least: Whole = 0
    most: Amount | None = None
    """Where it ends; a number, or a sum of stats."""
    usual: Amount = 0
    """Where it begins."""
    full: Effects = {}
    """What happens when it reaches its most."""
    empty: Effects = {}
    """What happens when it reaches its least."""
    secret: bool = False
    """Only the GM sees it. Numbers of the GM's own characters are the GM's anyway."""


class ConditionRule(Model):
    """Something that lasts on somebody."""

    title: Title = ""
    about: Words = ""
    ends: str = ""
    """Until it is taken away; or start of turn, end of turn, 3 ends of turn, round, scene, session, save."""
    roll: str = ""
    """The roll that ends it, where it ends by a save."""
    gives: dict[str, Amount] = {}
    """What it does to rolls of whoever has it; `their advantage` is for rolls against them."""
    rolls: tuple[str, ...] = field(default=(), name="for")
    """The rolls that it touches; all where left out."""
    out: bool = False
    """Whoever has it takes no turns and makes no rolls."""


class Band(Model):
    """A degree of a result."""

    title: Title = ""
    at: Whole | None = None
    """From this result on, or from this margin where the roll is against something."""
    when: str = ""
    """And only where this holds."""
    tone: Tone = ""
    say: Words = ""
    """What to tell or do now."""
    does: Effects = {}
    wins: Annotated[int, Meta(ge=0, le=100)] | None = None
    """How many successes it counts in a challenge; 1 where its tone is good."""
    losses: Annotated[int, Meta(ge=0, le=100)] | None = None
    """How many failures it counts in a challenge; 1 where its tone is bad."""


class RollRule(Model):
    """A roll that somebody can make."""

    dice: Amount
    """`2d6 + hard`, `action d6, or if none 2d6 keep lowest 1`."""
    title: Title = ""
    about: Words = ""
    read: str = "sum"
    """sum, highest, lowest, `hits at 5`, or under (the sum has to stay below what it is against)."""
    against: Amount = ""
    """A number, or dice that are rolled against it."""
    tie: tuple[str, ...] = ()
    """Who has it at a tie: sides, count, a stat, mine, theirs, nobody; the first that tells."""
    bands: tuple[Band, ...] = ()
    """The first that fits counts; the last has neither `at` nor `when`."""
    also: tuple[Band, ...] = ()
    """Every line that fits counts besides."""
    asks: Says = {}
    when: str = ""
    costs: Effects = {}
    by: Literal["roller", "gm"] = "roller"
    offered: Literal["any time", "asked"] = "any time"
    """asked: only where an option, a challenge or a contest asks for it."""
    key: str = ""
    """Its letter; the first free one of the title where left out."""
    secret: tuple[str, ...] = ()
    """What of `asks` only the GM knows."""


class OptionRule(Model):
    """Something that can be chosen: before or after a roll, when the game asks, or at any time."""

    title: Title = ""
    about: Words = ""
    offered: Offered = "any time"
    by: By = "roller"
    rolls: tuple[str, ...] = field(default=(), name="for")
    """The rolls that it is for; all where left out."""
    with_: Literal["", "same", "another"] = field(default="", name="with")
    """Of support: with the same stat as the lead's, or with another one."""
    when: str = ""
    limit: str = ""
    """`1 a roll`, `2 a scene`; the spans are roll, turn, round, scene, session, challenge and contest."""
    costs: Effects = {}
    """As `does`, but refused where there is no room for all of it."""
    gives: dict[str, Amount] = {}
    """To the roll at hand: dice, bonus, hits, against, advantage, reroll, band."""
    does: Effects = {}
    roll: str = ""
    """The roll that is made."""
    asks: Says = {}
    usual: str = ""
    """When Enter takes it, and the chances assume it."""
    key: str = ""


class ChallengeRule(Model):
    """How several take something on together."""

    roll: str
    title: Title = ""
    about: Words = ""
    who: Literal["lead", "best of all", "worst of all", "all together", "in turn"] = "lead"
    keywords: tuple[str, ...] = ()
    wins: Annotated[int, Meta(ge=1, le=100)] = 1
    losses: Annotated[int, Meta(ge=1, le=100)] = 1
    failed: Effects = {}
    """Once for each in it who failed."""
    won: Effects = {}
    lost: Effects = {}


class ContestRule(Model):
    """How some argue, race or wrestle against each other, in rounds."""

    roll: str
    title: Title = ""
    about: Words = ""
    lines: dict[str, Annotated[int, Meta(ge=-20, le=20)]] = {}
    """What role-play brings, in dice."""
    most: Amount | None = None
    """No more dice than this from lines."""
    limit: Literal["", "1 a contest"] = ""
    """A stat or a line serves once."""
    tie: Literal["nobody", "first", "other"] = "nobody"
    won: Effects = {}
    """For whoever wins a round."""
    lost: Effects = {}
    """For whoever loses a round."""
    wins: Annotated[int, Meta(ge=1, le=100)] = 1
    """Rounds that win it."""


class TurnRule(Model):
    """Who acts when."""

    order: Literal["free", "listed", "number", "sides", "popcorn"] = "listed"
    roll: str = ""
    """What is rolled for it."""
    tie: tuple[str, ...] = ()
    """Stats that break a tie; for sides, the side that begins."""


class Moments(Model):
    """What happens when a turn, a round, a scene or a session begins."""

    turn: Effects = {}
    round: Effects = {}
    scene: Effects = {}
    session: Effects = {}


class HomebrewRules(Rules):
    """The game."""

    stats: dict[str, StatGroup] = {}
    """What stands on a sheet, in groups."""
    meters: dict[str, Meter] = {}
    """What each person has that goes up and down."""
    shared: dict[str, Meter] = {}
    """What the table has that goes up and down."""
    lasting: dict[str, ConditionRule] = field(default_factory=dict, name="conditions")
    rolls: dict[str, RollRule] = {}
    options: dict[str, OptionRule] = {}
    challenges: dict[str, ChallengeRule] = {}
    contests: dict[str, ContestRule] = {}
    turns: TurnRule = TurnRule()
    moments: Moments = Moments()
