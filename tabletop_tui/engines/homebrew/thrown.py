"""What is told of a roll: the dice that fell, what was taken, and that it counts."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ...kit.told import Told
from ...rules import Event, Tone
from .bands import how
from .dice import kept, read
from .effects import gives_away, is_total_secret
from .world import HomebrewWorld, Made, Throw, roll_title, roller_name


class Thrown(Told, tag="thrown"):
    """Dice lie on the table."""

    rule = "the roll's own dice, with what options and conditions give"
    made: Made
    again: bool = False
    """They were rolled again."""
    falls: dict[str, str] = {}
    """How it comes out if nothing is done about it, by what the chances of that are called: without Resolve."""

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        made = self.made
        stats = {f"{group} of {made.who}": stat for group, stat in made.stats.items()}
        last = {**world.now.last, made.roll: {**world.now.last.get(made.roll, {}), **stats, **made.says}}
        return world.live(roll=made, last=last)

    def is_secret(self, world: HomebrewWorld) -> bool:
        return gives_away(world, self.made.who)

    def outcome(self) -> Mapping[str, str | int]:
        return self.falls

    def words(self, world: HomebrewWorld) -> str:
        made = self.made
        stats = ", ".join(made.stats.values())
        rule, title = world.rules.rolls.get(made.roll), roll_title(world.rules, made.roll)
        toward = "for" if rule and rule.whom == "friend" else "against"
        whom = f" {toward} {world.name(made.whom)}" if made.whom and not gives_away(world, made.whom) else ""
        head = f"{roller_name(world, made.who)}, {title}{f' ({stats})' if stats else ''}{whom}"
        theirs = f" against {faces(made.theirs)}" if made.theirs and made.theirs.dice else ""
        return f"{head}{', again' if self.again else ''}: {faces(made.mine) or 'no dice'}{theirs}"


class Counted(Told, tag="counted"):
    """A roll counts."""

    rule = "the first band that fits"
    band: str
    tone: str
    result: int
    margin: int
    say: str = ""
    told: str = ""
    answers: str = ""
    """The roll, where it answers what another one led to: that one is what chances are of."""

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        made = world.now.roll
        if made is None:
            return world
        done = replace(
            made,
            stage="done",
            band=self.band,
            tone=self.tone,
            result=self.result,
            margin=self.margin,
            told=self.told,
        )
        return world.live(roll=done)

    def is_secret(self, world: HomebrewWorld) -> bool:
        return bool(world.now.roll and gives_away(world, world.now.roll.who))

    def words(self, world: HomebrewWorld) -> str:
        made = world.now.roll
        if made is None:
            return ""
        both = [] if self._is_total_secret(world, made) else [str(self.result)]
        return ". ".join(word for word in (self._told(world, made, *both, self.band), self.told, self.say) if word)

    def whispers(self, world: HomebrewWorld) -> str:
        made = world.now.roll
        if made is not None and not self.is_secret(world) and self._is_total_secret(world, made):
            return self._told(world, made, str(self.result))
        return super().whispers(world)

    def _is_total_secret(self, world: HomebrewWorld, made: Made) -> bool:
        return bool(self.band) and is_total_secret(world, made.who)

    def _told(self, world: HomebrewWorld, made: Made, *some: str) -> str:
        # with the roll's title, as a band may be told of the other one: Wick's bite, bitten
        head = f"{roller_name(world, made.who)}, {roll_title(world.rules, made.roll)}"
        return f"{head}: {', '.join(word for word in some if word)}"

    def outcome(self) -> Mapping[str, str | int]:
        if self.answers:
            return {self.answers: self.band or self.result}
        return {"outcome": self.band, "result": self.result} if self.band else {"result": self.result}


class Used(Told, tag="used"):
    """An option was taken."""

    option: str
    who: str
    span: str
    what: str = ""
    whom: str = ""
    """For whom, or against whom, where it is about somebody else."""

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        spans = world.now.used
        mine = dict(spans.get(self.span, {}).get(self.option, {}))
        mine[self.who] = mine.get(self.who, 0) + 1
        return world.live(used={**spans, self.span: {**spans.get(self.span, {}), self.option: mine}})

    def words(self, world: HomebrewWorld) -> str:
        option = world.rules.options.get(self.option)
        if option is not None and option.offered == "support":
            return ""  # told as support
        title = (option.title if option else "") or self.option
        if self.whom and not gives_away(world, self.whom):
            title += f"{', for' if option and option.whom == 'friend' else ' against'} {world.name(self.whom)}"
        return f"{roller_name(world, self.who)}: {title}"

    def is_secret(self, world: HomebrewWorld) -> bool:
        return gives_away(world, self.who)


def faces(thrown: Throw) -> str:
    """Dice in words, those that do not count in brackets: 6 (2) 3→5."""
    counted = set(kept(thrown))
    words = [("→".join(map(str, (die.face, *die.more))), place) for place, die in enumerate(thrown.dice)]
    return " ".join(word if place in counted else f"({word})" for word, place in words)


def tone_of(made: Made) -> Tone:
    """How it went."""
    known: tuple[Tone, ...] = ("good", "warn", "bad", "muted")
    return next((tone for tone in known if tone == made.tone), "")


def total_of(world: HomebrewWorld, made: Made) -> str:
    """What the dice come to, with what is added."""
    rule = world.rules.rolls.get(made.roll)
    if rule is None:
        return ""
    value = read(made.mine, how(rule), made.hits).value
    return f"{value} hit{'s' if value != 1 else ''}" if how(rule) == "hits" else str(value)


EVENTS: tuple[type[Event], ...] = (Thrown, Counted, Used)
