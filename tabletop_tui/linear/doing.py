"""What somebody does in linear mode: an action with its fields and dice, undo, and what is asked of the GM."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from ..rules import Action, DiceNeeded, Field, Refused, View, fields, tag_of, values
from ..rules.ask import parse_some
from ..session import SPECTATOR, Table
from ..session.drops import warning
from ..session.proposals import UNDO, Proposal
from ..storage.open_campaign import OpenCampaign
from .forms import Asker, Dropped
from .offered import Offered
from .words import dice_asked, listed


class Doing:
    """The hands of one seat."""

    def __init__(
        self,
        campaign: OpenCampaign,
        asker: Asker,
        *,
        view: Callable[[], View | None],
        shaped: Callable[[type[Action], Field, Mapping[str, Any]], Field | None],
        tell_odds: Callable[[Action], None],
        done: Callable[[], None],
    ) -> None:
        """`view` is the page of play; `shaped` says how a field is asked now; `done` tells what came of it."""
        self.campaign, self.table, self.asker = campaign, campaign.table, asker
        self._view, self._shaped, self.tell_odds, self.done = view, shaped, tell_odds, done

    def ready(self) -> Action | None:
        """The roll that stands ready where play is."""
        roll: Action | None = getattr(self._view(), "roll", None)
        return roll

    def _mine(self, field: Field, answers: Mapping[str, Any]) -> bool:
        """Is a field for this seat to answer?"""
        return not self.table.seat or self.table.rights().answers(field, answers)

    def _missing(self, kind: type[Action], said: Mapping[str, Any]) -> list[Field]:
        """What must still be said."""
        asked = (self._shaped(kind, field, said) for field in fields(kind) if field.name not in said)
        return [field for field in asked if field is not None and field.required]

    def start(self, kind: type[Action], given: Mapping[str, Any]) -> None:
        """An action by its word or from the list of all: what it needs is asked."""
        offer = next((one for one in self.table.offers() if one.kind is kind), None)
        if offer is not None and offer.closed:
            raise Refused(f"{offer.title}: {offer.closed}")
        open_fields = self._missing(kind, given)
        whole = not any(self._mine(field, given) for field in open_fields)
        swift = whole and (kind.swift or bool(given))  # who types fields has typed those that were meant
        self.carry_out(kind, dict(given) if swift else self.asker.form(kind, given, self._mine))

    def carry_out(self, kind: type[Action], answers: Mapping[str, Any]) -> None:
        """Do it, or ask the GM for it, as it is to this seat."""
        if self.table.standing(kind, answers).how == "ask":
            mine = {f.name: answers[f.name] for f in fields(kind) if f.name in answers and self._mine(f, answers)}
            self.campaign.propose(kind, mine)
            self.done()
        else:
            self._perform(_action(kind, answers))

    def press(self, one: Offered) -> None:
        """A line of the list: at once, or after what it leaves open was asked."""
        kind, said = type(one.action), values(one.action)
        action = one.action
        if one.pick:
            action = self._picked(one)
        preset = {name: value for name, value in said.items() if value not in ("", ())}
        if self._missing(kind, preset) and not one.pick:
            self.carry_out(kind, self.asker.form(kind, preset, self._mine))
        else:
            self.carry_out(kind, values(action))

    def _picked(self, one: Offered) -> Action:
        """The prompt's first answer with the dice that are picked for it."""
        view = self._view()
        hands = getattr(view, "hands", ())
        prompt = getattr(view, "prompt", None)
        faces = hands[0].faces if hands else ()
        free = [place for place, face in enumerate(faces) if face.choosable]
        default = [place for place, face in enumerate(faces) if face.chosen]
        if not free or prompt is None:
            return one.action
        shown = ", ".join(f"die {place + 1} shows {faces[place].text}" for place in free)
        usual = " ".join(str(place + 1) for place in default)
        self.asker.say(f"Dice to pick from, at most {max(prompt.most, 1)}: {shown}.")
        while True:
            question = f"Places, or nothing for {usual}:" if usual else "Places, or nothing for none:"
            words = self.asker.line(question).replace(",", " ").split()
            places = sorted({int(word) - 1 for word in words if word.isdecimal()}) if words else default
            known = all(word.isdecimal() for word in words) and all(place in free for place in places)
            if known and len(places) <= max(prompt.most, 1):
                return msgspec.structs.replace(one.action, **{one.pick: tuple(places)})
            self.asker.say(f"Type at most {max(prompt.most, 1)} of the places that were told.")

    def _perform(self, action: Action) -> None:
        """Do it: after a warning where it would drop something, with dice that are rolled or typed."""
        title = type(action).title or tag_of(type(action))
        why = warning(self.table, action)
        if why and not self.asker.yes(why if why.endswith("?") else f"{why} {title} all the same?"):
            raise Dropped
        faces, roll = self._dice(action)
        self.campaign.do(action, faces, roll=roll)
        self.done()

    def _dice(self, action: Action) -> tuple[list[int], bool]:
        """The faces that somebody types for an action, and whether the rest is rolled."""
        faces: list[int] = []
        need = self._dice_needed(action, faces)
        if need is not None and action != self.ready():  # the chances of that one were told already
            self.tell_odds(action)
        while need is not None:
            question = f"{need.why}: {dice_asked(need.sides)}. Type what they show, or nothing to roll:"
            typed = self.asker.line(question).replace(",", " ").split()
            if not typed:
                break
            if not all(word.isdecimal() and len(word) < 5 for word in typed):
                self.asker.say("Type the faces as numbers with spaces between them.")
                continue
            if len(typed) > len(need.sides):  # they would count as the dice that are asked for next
                self.asker.say(f"{dice_asked(need.sides)}, and {len(typed)} were typed.")
                continue
            try:
                need = self._dice_needed(action, [*faces, *map(int, typed)])
                faces += map(int, typed)
            except Refused as no:  # a face that the die does not have: it is asked again
                self.asker.say(str(no))
        return faces, need is not None or not faces

    def _dice_needed(self, action: Action, faces: Sequence[int]) -> DiceNeeded | None:
        self.table.engine.check(action, self.table.seen())
        return self.table.dice_needed(action, faces)

    # ---- between a player and the GM

    def ask(self, what: str) -> None:
        """A player asks to have something taken back."""
        if what != "undo":
            raise Refused("only undo is asked for so", remedy="Everything else asks by itself where it has to.")
        self.campaign.propose_undo()
        self.done()

    def _asked_by(self, who: str) -> Proposal:
        found = self.table.proposals()
        if who:
            found = [one for one in found if one.by.casefold() == who.casefold()]
        if len(found) != 1:
            names = listed([one.by for one in self.table.proposals()])
            raise Refused(
                "say whom you answer" if found else "nobody waits for that",
                remedy=f"Asking: {names}." if names else "Nothing is asked for now.",
            )
        return found[0]

    def allow(self, who: str) -> None:
        """The GM does what a player asked for, and says what was left open."""
        asked = self._asked_by(who)
        if asked.action == UNDO:
            self.campaign.accept(asked.seq)
        else:
            kind = next(kind for kind in self.table.engine.actions if tag_of(kind) == asked.action)
            action = _action(kind, self.asker.form(kind, asked.fields, self._mine))
            faces, roll = self._dice(action)
            self.campaign.accept(asked.seq, action, faces, roll=roll)
        self.done()

    def decline(self, words: str) -> None:
        """The GM says no; a player takes back what they asked for."""
        who, _, why = words.partition(" ")
        seat = self.table.seat
        mine = self.table.asked() if seat else self._asked_by(who)
        if mine is None:
            raise Refused("you have asked for nothing")
        self.campaign.decline(mine.seq, "" if seat else why)
        self.done()

    def word(self, words: str, secret: bool) -> None:
        """The GM turns to one player."""
        to, _, text = words.partition(" ")
        self.campaign.word(to, text, secret=secret)
        self.done()

    def travel(self, way: Callable[[], object]) -> None:
        """Undo or redo; a file that says otherwise afterwards is told of."""
        way()
        self.done()
        for patch in () if self.table.seat else self.campaign.put_back():
            self.asker.say(f"{patch.file} says otherwise now: tabletop edits CAMPAIGN --put-back writes it.")


def who_sits(table: Table) -> str:
    """Who sits at a table, in words behind the campaign's title."""
    if table.seat in ("", SPECTATOR):
        return ", looking on" if table.seat else ""
    mine = [table.world.name(who) for who in table.rights().characters()]
    return f", {table.seat}'s seat" + (f": you play {listed(mine)}" if mine else "")


def _action(kind: type[Action], answers: Mapping[str, Any]) -> Action:
    try:
        made: Action = msgspec.convert(dict(answers), kind, str_keys=True)
    except msgspec.ValidationError as error:
        raise Refused(f"{tag_of(kind)} does not fit: {error}") from None
    return made


def pairs(text: str, kind: type[Action]) -> dict[str, Any]:
    """`key=value` words; a value goes on to the next key, so that no quotes are needed."""
    names = {field.name for field in fields(kind)}
    out: dict[str, str] = {}
    last = ""
    for word in text.split():
        key, equals, value = word.partition("=")
        if equals and key in names:
            last, out[key] = key, value
        elif last:
            out[last] += f" {word}"
        else:
            raise Refused(
                f"{word!r} is not key=value", remedy=f"Keys are {', '.join(sorted(names)) or 'not needed'}."
            )
    return parse_some(kind, out)
