"""Building a round of a contest: the skill, the lines, what is hidden, drama dice, Drama Points."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Of, Refused, suggest
from .aid import add_gift
from .building import foundation, point_piece
from .contest import change, new_line, revealed, shown_words
from .contest_pools import (
    GIFT,
    HAND,
    MOST_LINE,
    POINT,
    WORK,
    WithPools,
    argue_attributes,
    building,
    check_cap,
    check_unused,
    contest_givers,
    contest_helpers,
    contest_now,
    entry_of,
    helper_approaches,
    hiding,
    kind_of,
    kinds,
    line_parties,
    line_piece,
    line_shape,
    line_texts,
    lines_of,
    open_lines,
    parties,
    party_approaches,
    party_penalties,
    party_points,
    striking,
)
from .world import ContestLine, DramaWorld, Entry, Party


class Argue(WithPools, tag="argue"):
    """Choose what a party argues with: skill, background, attribute or Composure."""

    title = "skill"
    done_by = "party"
    key = "s"
    party: Annotated[str, Ask(parties)]
    using: Annotated[str, Ask(party_approaches)]
    attribute: Annotated[str, Ask(argue_attributes)] = "Social"

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        party = replace(contest_now(world).parties[self.party], using=self.using, attribute=self.attribute)
        check_unused(world, self.party, party, self.using)
        foundation(world, self.party, entry_of(party))
        words = f"{world.name(self.party)} argues with {self.using.rpartition(':')[2]}"
        return (change(world, self.party, words, using=self.using, attribute=self.attribute),)


class AddLine(WithPools, tag="line"):
    """Add a line: an advantage that role-play brought, with dice on it, open or hidden."""

    title = "add a line"
    done_by = "party"
    key = "a"
    party: Annotated[str, Ask(line_parties)]
    kind: Annotated[str, Ask(kinds)]
    text: Annotated[str, Ask(line_texts, other=True, shape=line_shape), Meta(max_length=120)]
    dice: Annotated[int, Meta(ge=0, le=MOST_LINE, description="a passion's own, else 1"), Of(free=True)] = 0
    hidden: bool = False

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        party = contest_now(world).parties[self.party]
        line = ContestLine(self.kind, self.text.strip(), self.dice or 1, self.hidden)
        if not self.dice and kind_of(world, line).passion:
            line = replace(line, dice=world.sheets[self.party].passions.get(line.text, 1))
        check_line(world, self.party, party, line)
        lines = new_line(party.lines, line)
        check_cap(world, self.party, replace(party, lines=lines))
        name = world.name(self.party)
        words = f"{name}: {line_piece(world, line).source} (+{line.dice} {kind_of(world, line).dice})"
        if self.hidden:
            return (change(world, self.party, f"{name} holds something back", words, lines=lines),)
        return (change(world, self.party, words, lines=lines),)


def check_line(world: DramaWorld, who: str, party: Party, line: ContestLine) -> None:
    """Refuse a line without words, one that was used, and a passion that is not on the sheet."""
    if not line.text:
        raise Refused("a line needs words", remedy="Say what gives them the dice.")
    check_unused(world, who, party, line.text)
    if any(line.text.casefold() == other.text.casefold() for other in party.lines.values()):
        raise Refused(f"{world.name(who)} has that line already", remedy="Bring something else.")
    if kind_of(world, line).passion:
        held = world.sheets[who].passions
        if line.text not in held:
            remedy = suggest(line.text, [Choice(name) for name in held])
            raise Refused(f"{world.name(who)} has no passion {line.text!r}", remedy=remedy)
        if line.dice > held[line.text]:
            raise Refused(f"the passion {line.text} is worth {held[line.text]} dice, not {line.dice}")


class StrikeLine(WithPools, tag="strike_line"):
    """Take a line out again, or a hand, a drama die or a Drama Point that was put in."""

    title = "take a line out"
    done_by = "party"
    key = "x"
    party: Annotated[str, Ask(striking)]
    line: Annotated[str, Ask(lines_of)]

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        party = contest_now(world).parties[self.party]
        name = world.name(self.party)
        if self.line not in party.lines:
            return (self._others(world, party, name),)
        gone = party.lines[self.line]
        words = f"{name} takes back: {gone.text}"
        lines = {i: one for i, one in party.lines.items() if i != self.line}
        return (change(world, self.party, *(("", words) if gone.hidden else (words, "")), lines=lines),)

    def _others(self, world: DramaWorld, party: Party, name: str) -> Event:
        who = self.line.partition(":")[2]
        if self.line.startswith(HAND):
            hands = {w: a for w, a in party.hands.items() if w != who}
            return change(world, self.party, f"{world.name(who)} no longer lends {name} a hand", hands=hands)
        if self.line.startswith(WORK):
            crew = {w: e for w, e in party.crew.items() if w != who}
            return change(world, self.party, f"{world.name(who)} no longer works with {name}", crew=crew)
        if self.line.startswith(GIFT):
            gifts = {w: g for w, g in party.gifts.items() if w != who}
            return change(world, self.party, f"{world.name(who)} takes the drama die for {name} back", gifts=gifts)
        if self.line == POINT:
            return change(world, self.party, f"{name} takes the Drama Point back", point="")
        return change(world, self.party, f"{name}'s penalty is a penalty again", turned="")


class ShowLines(WithPools, tag="show_lines"):
    """Show all hidden lines of both parties at once."""

    title = "show hidden"
    key = "h"

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        contest = world.now.contest
        hides = contest and any(line.hidden for p in contest.parties.values() for line in p.lines.values())
        return building(world) or ("" if hides else "nothing is hidden")

    @classmethod
    def warns(cls, world: DramaWorld) -> str:
        contest = world.now.contest
        lines = [line for p in contest.parties.values() for line in p.lines.values()] if contest else []
        count = sum(line.hidden for line in lines)
        what = "One hidden line is" if count == 1 else f"{count} hidden lines are"
        return f"{what} shown to everybody. Show {'it' if count == 1 else 'them'}?" if count else ""

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        contest = contest_now(world)
        hiding = [w for w, p in contest.parties.items() if any(line.hidden for line in p.lines.values())]
        return tuple(
            change(
                world, w, shown_words(world, contest) if w == hiding[0] else "", lines=revealed(contest.parties[w])
            )
            for w in hiding
        )


class HideLine(WithPools, tag="hide_line"):
    """Hide a line from the players until it is shown or rolled."""

    title = "hide a line"
    done_by = "party"
    key = "e"
    party: Annotated[str, Ask(hiding)]
    line: Annotated[str, Ask(open_lines)]

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        party = contest_now(world).parties[self.party]
        rest = {i: one for i, one in party.lines.items() if i != self.line}
        lines = new_line(rest, replace(party.lines[self.line], hidden=True))
        return (change(world, self.party, f"{world.name(self.party)} holds something back", lines=lines),)


class GiveDrama(WithPools, tag="drama_die"):
    """Give a party a drama die, with a reason: anybody at the table may."""

    title = "drama die"
    done_by = "who"
    key = "d"
    who: Annotated[str, Ask(contest_givers, "from")]
    party: Annotated[str, Ask(parties, "to")]
    reason: Annotated[str, Meta(max_length=120)]

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        contest = contest_now(world)
        everyone = {w: g for p in contest.parties.values() for w, g in p.gifts.items()}
        gift = add_gift(everyone, self.who, self.party, self.reason, world.rules.drama_dice_each)
        words = f"{world.name(self.who)} adds to the drama for {world.name(self.party)}: {self.reason.strip()}"
        given = {**contest.parties[self.party].gifts, self.who: gift}
        return (change(world, self.party, words, gifts=given),)


class StandBy(WithPools, tag="stand_by"):
    """Lend a party a hand: the helper's attribute joins its pool."""

    title = "lend a hand"
    done_by = "who"
    key = "l"
    who: Annotated[str, Ask(contest_helpers)]
    party: Annotated[str, Ask(parties, "for")]
    attribute: Annotated[str, Ask(argue_attributes)] = "Social"

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        hands = {**contest_now(world).parties[self.party].hands, self.who: self.attribute}
        words = f"{world.name(self.who)} lends {world.name(self.party)} a hand with {self.attribute}"
        return (change(world, self.party, words, hands=hands),)


class WorkFor(WithPools, tag="work_for"):
    """Work together with a party: roll a pool of your own; the nets add up, negatives too."""

    title = "work together"
    done_by = "who"
    key = "w"
    who: Annotated[str, Ask(contest_helpers)]
    party: Annotated[str, Ask(parties, "with")]
    using: Annotated[str, Ask(helper_approaches)]
    attribute: Annotated[str, Ask(argue_attributes)] = "Social"

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        entry = Entry(self.using, self.attribute)
        foundation(world, self.who, entry)
        crew = {**contest_now(world).parties[self.party].crew, self.who: entry}
        words = f"{world.name(self.who)} works with {world.name(self.party)}: {self.using.rpartition(':')[2]}"
        return (change(world, self.party, words, crew=crew),)


class Stake(WithPools, tag="stake"):
    """Put a Drama Point, or a penalty that helps for once, into the round before it is rolled."""

    title = "Drama Point"
    done_by = "party"
    key = "p"
    party: Annotated[str, Ask(parties)]
    point: Annotated[str, Ask(party_points, "Drama Point", first=True)] = ""
    turned: Annotated[str, Ask(party_penalties, "penalty that helps")] = ""

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        party = contest_now(world).parties[self.party]
        way, _, advantage = self.point.partition(":")
        if way == "advantage":
            check_unused(world, self.party, party, advantage)
        if self.point:
            point_piece(world, self.party, self.point)
        what = [self.point and "a Drama Point", self.turned and "a penalty, for once a help"]
        words = f"{world.name(self.party)} puts in {', '.join(w for w in what if w) or 'nothing more'}"
        return (change(world, self.party, words, point=self.point, turned=self.turned),)


ACTIONS: tuple[type[Action], ...] = (
    Argue,
    AddLine,
    StrikeLine,
    ShowLines,
    HideLine,
    GiveDrama,
    StandBy,
    WorkFor,
    Stake,
)
