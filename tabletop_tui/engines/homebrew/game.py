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
Whom = Literal["foe", "friend"]
Whole = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]


class StatGroup(Model):
    """Numbers, dice or words on a sheet that belong together."""

    title: Title = ""
    """What the screens call it; its name where left out."""
    about: Words = ""
    """A line beside it."""
    names: tuple[str, ...] = ()
    """The stats in it. Left out: each sheet names its own."""
    least: Whole = 0
    """The lowest that a sheet may say."""
    most: Whole = 20
    """The highest."""
    usual: Amount = 0
    """What somebody has whose sheet does not say."""
    holds: Literal["number", "dice", "words"] = "number"
    """What its stats are: numbers, dice such as `1d8 + 1`, or words."""
    worked: dict[str, Amount] = field(default_factory=dict, name="is")
    """Stats that are worked out from others, by their sums."""


class Meter(Model):
    """A number that goes up and down in play."""

    title: Title = ""
    """What the screens call it; its name where left out."""
    about: Words = ""
    """A line beside it."""
    least: Whole = 0
    """Where it ends downwards."""
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
    """What the screens call it; its name where left out."""
    about: Words = ""
    """A line beside it."""
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
    """What it is called, in large."""
    at: Whole | None = None
    """From this result on, or from this margin where the roll is against something."""
    when: str = ""
    """And only where this holds."""
    tone: Tone = ""
    """How it is drawn: good, warn, bad or muted. In a challenge good and warn are successes, bad is a failure."""
    say: Words = ""
    """What to tell or do now."""
    does: Effects = {}
    """What happens."""
    wins: Annotated[int, Meta(ge=0, le=100)] | None = None
    """How many successes it counts in a challenge; 1 where its tone is good."""
    losses: Annotated[int, Meta(ge=0, le=100)] | None = None
    """How many failures it counts in a challenge; 1 where its tone is bad."""


class RollRule(Model):
    """A roll that somebody can make."""

    dice: Amount
    """`2d6 + hard`, `action d6, or if none 2d6 keep lowest 1`."""
    title: Title = ""
    """What the screens call it; its name where left out."""
    about: Words = ""
    """A line beside it."""
    read: str = "sum"
    """sum, highest, lowest, `hits at 5`, or under (the sum has to stay at or below what it is against)."""
    against: Amount = ""
    """A number, or dice that are rolled against it."""
    tie: tuple[str, ...] = ()
    """Who has it at a tie: sides, count, a stat, mine, theirs, nobody; the first that tells."""
    bands: tuple[Band, ...] = ()
    """The first that fits counts; the last has neither `at` nor `when`."""
    also: tuple[Band, ...] = ()
    """Every line that fits counts besides."""
    asks: Says = {}
    """What else is asked before it: `{ care = ["wild", "steady"], danger = "1 to 4" }`."""
    when: str = ""
    """It can only be made where this holds."""
    costs: Effects = {}
    """What it costs to make it."""
    by: Literal["roller", "gm"] = "roller"
    """gm: it is the GM who rolls, in nobody's name where the roll has nothing to do with a sheet."""
    offered: Literal["any time", "asked"] = "any time"
    """asked: only where an option, a challenge or a contest asks for it."""
    key: str = ""
    """Its letter; the first free one of the title where left out."""
    secret: tuple[str, ...] = ()
    """What of `asks` only the GM knows."""
    whom: Whom = "foe"
    """Who stands first where it is chosen whom it is for: a foe, or a friend where it helps."""


class OptionRule(Model):
    """Something that can be chosen: before or after a roll, when the game asks, or at any time."""

    title: Title = ""
    """What the screens call it; its name where left out."""
    about: Words = ""
    """A line beside it."""
    offered: Offered = "any time"
    """before or after a roll; always (by itself, where `when` holds); asked; support (in a challenge); any time."""
    by: By = "roller"
    """Who takes it, and pays: the roller, a helper, the GM, or anyone."""
    rolls: tuple[str, ...] = field(default=(), name="for")
    """The rolls that it is for; all where left out."""
    with_: Literal["", "same", "another"] = field(default="", name="with")
    """Of support: with the same stat as the lead's, or with another one."""
    when: str = ""
    """Only where this holds."""
    limit: str = ""
    """`1 a roll`, `2 a scene`; the spans are roll, turn, round, scene, session, challenge and contest."""
    costs: Effects = {}
    """As `does`, but refused where there is no room for all of it."""
    gives: dict[str, Amount] = {}
    """To the roll at hand: dice, bonus, hits, against, advantage, reroll, band."""
    does: Effects = {}
    """What happens when it is taken."""
    roll: str = ""
    """The roll that is made."""
    asks: Says = {}
    """What is asked when it is taken: one thing."""
    usual: str = ""
    """When Enter takes it, and the chances assume it; those without what it costs stand beside them."""
    key: str = ""
    """Its letter, where it is offered any time."""
    whom: Whom = "foe"
    """Who stands first where it is chosen whom it is for: a foe, or a friend where it helps."""


class ChallengeRule(Model):
    """How several take something on together."""

    roll: str
    """What is rolled."""
    title: Title = ""
    """What the screens call it; its name where left out."""
    about: Words = ""
    """A line beside it."""
    who: Literal["lead", "best of all", "worst of all", "all together", "in turn"] = "lead"
    """lead: one rolls and others support. best or worst of all: everybody rolls, one roll counts. all together: each
    counts. in turn: nobody twice running."""
    keywords: tuple[str, ...] = ()
    """Words that a challenge of this kind may be marked with; in sums each counts 1 where it is."""
    wins: Annotated[int, Meta(ge=1, le=100)] = 1
    """Successes that win it."""
    losses: Annotated[int, Meta(ge=1, le=100)] = 1
    """Failures that lose it."""
    failed: Effects = {}
    """Once for each in it who failed."""
    won: Effects = {}
    """What happens when it is won."""
    lost: Effects = {}
    """What happens when it is lost."""


class ContestRule(Model):
    """How some argue, race or wrestle against each other, in rounds."""

    roll: str
    """What each party rolls."""
    title: Title = ""
    """What the screens call it; its name where left out."""
    about: Words = ""
    """A line beside it."""
    lines: dict[str, Annotated[int, Meta(ge=-20, le=20)]] = {}
    """What role-play brings, in dice."""
    most: Amount | None = None
    """No more dice than this from lines."""
    limit: Literal["", "1 a contest"] = ""
    """A stat or a line serves once."""
    tie: Literal["nobody", "first", "other"] = "nobody"
    """Who has a round that is even: nobody, the first (who began it), or the other."""
    won: Effects = {}
    """For whoever wins a round."""
    lost: Effects = {}
    """For whoever loses a round."""
    wins: Annotated[int, Meta(ge=1, le=100)] = 1
    """Rounds that win it."""


class TurnRule(Model):
    """Who acts when."""

    order: Literal["free", "listed", "number", "sides", "popcorn"] = "listed"
    """free: nobody keeps one. listed: as they stand. number: by `roll`, the highest first. sides: a side acts whole.
    popcorn: whoever acted names the next."""
    roll: str = ""
    """What is rolled for it."""
    tie: tuple[str, ...] = ()
    """Stats that break a tie; for sides, the side that begins every round."""


class Moments(Model):
    """What happens when a turn, a round, a scene or a session begins."""

    turn: Effects = {}
    """When somebody's turn begins."""
    round: Effects = {}
    """When a round begins, for everybody in it."""
    scene: Effects = {}
    """When a scene is set."""
    session: Effects = {}
    """When a session begins."""


class HomebrewRules(Rules):
    """The game."""

    stats: dict[str, StatGroup] = {}
    """What stands on a sheet, in groups."""
    meters: dict[str, Meter] = {}
    """What each person has that goes up and down."""
    shared: dict[str, Meter] = {}
    """What the table has that goes up and down."""
    lasting: dict[str, ConditionRule] = field(default_factory=dict, name="conditions")
    """What lasts on people."""
    rolls: dict[str, RollRule] = {}
    """What can be rolled."""
    options: dict[str, OptionRule] = {}
    """What can be chosen."""
    challenges: dict[str, ChallengeRule] = {}
    """What several take on together."""
    contests: dict[str, ContestRule] = {}
    """What some do against each other."""
    turns: TurnRule = TurnRule()
    """Who acts when."""
    moments: Moments = Moments()
    """What happens by itself."""
