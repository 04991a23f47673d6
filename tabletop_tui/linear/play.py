"""A campaign played in lines: what happened, what can be done by number, and what is typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from ..rules import (
    KINDS,
    Action,
    ChallengeView,
    Choice,
    ContestView,
    Field,
    Kind,
    Offer,
    Refused,
    SheetView,
    TableError,
    TableView,
    View,
    percent,
    tag_of,
    values,
)
from ..session import Proposal, Step, check_seat
from ..session.awaited import awaited
from ..session.follow import place_of_play
from ..session.meant import Filler, meant_at
from ..session.seats import SPECTATOR
from ..storage.open_campaign import Edits, OpenCampaign
from . import pages
from .doing import Doing, pairs, who_sits
from .forms import Asker, Dropped
from .offered import Numbered, Offered, gathered, offered, prepared
from .voice import Left, Voice
from .words import odds, outcome, sentence, untold

HELP = """\
Each thing that happens is a line. What you can do is a list with numbers: type a number.
A number keeps its meaning while others act; what becomes possible meanwhile comes after the last number.
list: the list again. all: every action, with numbers, and why the others are closed.
read: the page of play. read table, read challenge, read contest, or read and a name for a sheet.
odds: the exact chances of the roll that is ready. roll: roll it, or type the dice that lie on your table.
log: the last lines; log 30 for more. undo and redo. quit.
A player asks the GM for what is not theirs alone, and ask undo for what they cannot take back; decline takes it back.
The GM: allow Ana, decline Ana and why, tell Ana words, whisper Ana words.
Any action can be typed by its word: note, or note text=Hello. do before a word that is also one of these.
A full stop alone leaves a question. Nothing is lost when you leave: all is saved as it is done."""
FILES = 1.0
"""Seconds between two looks at files that people edit by hand."""
LAST = 10
"""Lines of the log that are told when none are asked for."""


class Play:
    """One seat at a table, in lines."""

    def __init__(self, root: Path, seat: str, voice: Voice) -> None:
        self.voice = voice
        self.campaign = OpenCampaign(root, seat=seat)
        self.table = self.campaign.table
        if seat and seat != SPECTATOR:
            players = (sheet.player for sheet in self.table.world.sheets.values())
            self.table.seat = check_seat(seat, players)
        self.kinds: list[Kind] = [kind for kind in KINDS if kind == "sheet" or self._view(kind) is not None]
        self.asker = Asker(voice.say, self._listen, self._choices, self.table.shaped, self._meant)
        self.doing = Doing(
            self.campaign,
            self.asker,
            view=lambda: self._view(self._page()),
            shaped=self.table.shaped,
            tell_odds=self._tell_odds,
            done=self._done,
        )
        self.now = Numbered()
        self.every: list[Offer] | None = None
        """The list whose numbers can be typed, while it is that of every action."""
        self._offered = -1
        """The entry after which it was found out what can be done."""
        self._ahead: list[str] = []
        self._listed: list[str] = []
        """What was last told of what lies ahead, and the lines of the list."""
        self._told = self.table.last
        self._session = self.table.header.session
        self._outcome = self._outcomes()
        self._looked = monotonic()
        self.campaign.sit_down()

    def close(self) -> None:
        """Give the files back."""
        self.campaign.close()

    # ---- looking

    def _view(self, kind: Kind, about: str = "") -> View | None:
        try:
            return self.table.view(kind, about)
        except Refused as fault:
            self.voice.say(str(fault))
            return None

    def _choices(self, kind: type[Action], field: Field, so_far: Mapping[str, Any]) -> Sequence[Choice]:
        try:
            return self.table.choices(kind, field, so_far)
        except Refused as fault:
            self.voice.say(str(fault))
            return ()

    def _meant(self, kind: type[Action], so_far: Mapping[str, Any]) -> Mapping[str, Any]:
        """Who would do something, to whom and with what, as a form on the screen comes filled in."""
        try:
            return Filler(self.table, kind, meant_at(self.table)).fill(so_far)
        except Refused:  # the engine fails: it is asked without
            return {}

    def _page(self) -> Kind:
        """The page on which play goes on."""
        found = place_of_play(self.table, self.kinds, self._view).page
        return next((kind for kind in self.kinds if kind == found), self.kinds[0])

    def _outcomes(self) -> dict[str, Any]:
        views = {kind: self._view(kind) for kind in self.kinds if kind != "sheet"}
        return {kind: getattr(view, "outcome", None) for kind, view in views.items()}

    # ---- telling

    def run(self) -> int:
        """Until it is left."""
        self.voice.say(f"{self.campaign.title}{who_sits(self.table)}. Type help for what can be typed.")
        if not self.table.seat:
            self._tell_found(self.campaign.look(force=True))
            if self.campaign.log.closed:
                self.voice.say(f"Read-only: {self.campaign.log.closed}.")
        self.voice.say(*self._read_now())
        self._tell_offers()
        try:
            while self._answer(self.voice.ask(">", self._wait)):
                pass
        except Left:
            pass
        except KeyboardInterrupt:
            self.voice.say("Left. All is saved.")
            return 130
        self.voice.say("Left. All is saved.")
        return 0

    def _listen(self, question: str) -> str:
        """An answer within a form: what others do is told, but no other list, as numbers are asked for."""
        return self.voice.ask(question, self._look)

    def _wait(self) -> None:
        """While nothing is asked: what others do, and what can be done after it where that has changed."""
        self._look()
        if self._told != self._offered:
            self._tell_offers(again=False)

    def _look(self) -> None:
        """What others did meanwhile, and once a second the files."""
        try:
            if monotonic() - self._looked > FILES:
                self._looked = monotonic()
                self._tell_found(self.campaign.look())
            else:
                self.table.catch_up()
        except TableError as error:
            self.voice.say(str(error))
        self._news()

    def _news(self) -> None:
        """A line for each thing that was done since."""
        table = self.table
        if table.header.session != self._session:
            self._session, self._told = table.header.session, 0
            self.voice.say("A new session has begun.")
        if table.last == self._told:
            return
        steps, self._told = table.steps(self._told, table.last), table.last
        asked = {} if table.seat else {one.seq: one for one in table.proposals()}
        for step in steps:
            if step.seq in asked:
                self._tell_asked(asked[step.seq])
            else:
                self._tell(step)
        before, self._outcome = self._outcome, self._outcomes()
        for kind, one in self._outcome.items():
            if one is not None and one != before.get(kind):
                said = {sentence(line) for step in steps for line in step.said}
                self.voice.say(*(line for line in outcome(one) if line not in said))

    def _tell(self, step: Step, whole: bool = False) -> None:
        """What was done; the `whole` of it has its dice also where a sentence names them."""
        who = f"{step.by}: " if step.by and step.by != self.table.seat else ""
        if step.said and step.said[0].startswith(step.by):
            who = ""  # it says so itself
        dice = step.dice if whole else untold(step.dice, step.said)
        self.voice.say(sentence(f"Dice, {'; '.join(dice)}") if dice else "")
        open_lines = len(step.said) - step.whispers
        for place, line in enumerate(step.said):
            self.voice.say(sentence(f"{who if not place else ''}{'' if place < open_lines else 'Secretly: '}{line}"))

    def _tell_asked(self, asked: Proposal) -> None:
        self.voice.say(f"{asked.by} asks: {asked.words}. Type allow {asked.by}, or decline {asked.by} and why.")

    def _tell_found(self, edits: Edits) -> None:
        for words in edits.came:
            self.voice.say(f"{words}.")
        for words in edits.notes:
            self.voice.say(sentence(f"Note: {words}"))
        for change in edits.done:
            self.voice.say(f"Edited by hand: {change.words()}.")
        for conflict in edits.conflicts:
            self.voice.say(f"Not applied: {conflict.words()}. Settle it with tabletop edits CAMPAIGN --take file.")
        for problem in (*edits.refused, *edits.problems, *edits.odd):
            self.voice.say(f"{problem}")

    def _read_now(self) -> list[str]:
        view = self._view(self._page())
        return pages.read(view) if view is not None else []

    def _tell_offers(self, again: bool = True) -> None:
        """What can be done where play is, with numbers; the chances first, where a roll is ready.

        Unless all of it is told `again`, as another list, what is as it was told last is not repeated.
        """
        view = self._view(self._page())
        found = [*offered(view), *prepared(self.table, view)]
        prompt = view.prompt if isinstance(view, TableView | ChallengeView | ContestView) else None
        if prompt is not None and prompt.pick:  # what the dice that the rules would pick lead to
            found = [self._with_chance(one) for one in found]
        self.now.take(gathered([one for one in found if not one.closed and self._may(one)]), again)
        self._offered, self.every = self._told, None if again else self.every
        listed_before, ahead_before = self._listed, self._ahead
        self._listed = self.now.told()
        self._ahead = self._lies_ahead(view)
        new_ahead = self._ahead if again or self._ahead != ahead_before else []
        new = self._listed != listed_before and self.every is None  # that one has numbers of its own
        self.voice.say(*new_ahead, *(self._listed if again or new else ()))
        if again and not self._listed:
            self.voice.say("Type all for every action, or read for the table.")
        for asked in self.table.proposals() if again and not self.table.seat else ():
            self._tell_asked(asked)

    def _lies_ahead(self, view: View | None) -> list[str]:
        """The question, or the chances of the roll that is ready, and what the table waits for from a player."""
        if (prompt := getattr(view, "prompt", None)) is not None:
            return [sentence(prompt.text)]
        roll: Action | None = getattr(view, "roll", None)
        seat = self.table.seat not in ("", SPECTATOR)
        waits = awaited(view, self.table.rights().owns) if seat else None
        told = [waits.text if waits.mine else waits.when] if waits else []
        return [*(self._odds_of(roll) if roll is not None else ()), *told]

    def _may(self, one: Offered) -> bool:
        """Is it this seat's to do or to ask for? A roll stands on the page for its chances, whoever it is of."""
        return self.table.standing(type(one.action), values(one.action)).how != "no"

    def _with_chance(self, one: Offered) -> Offered:
        try:
            found = self.table.odds(one.action)
        except Refused:
            found = None
        return one._replace(words=f"{one.words}, {percent(found.hope)}") if found else one

    def _odds_of(self, action: Action) -> list[str]:
        try:
            found = self.table.odds(action)
        except Refused:
            found = None
        return odds(found) if found else []

    def _tell_odds(self, action: Action) -> None:
        self.voice.say(*self._odds_of(action))

    # ---- what is typed

    def _answer(self, line: str) -> bool:
        """Do what was typed; False to leave."""
        word, _, rest = line.strip().partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self.voice.say(*HELP.splitlines()),
            "?": lambda _: self.voice.say(*HELP.splitlines()),
            "list": lambda _: self._tell_offers(),
            "": lambda _: self._tell_offers(),
            "all": lambda _: self._all(),
            "read": self._read,
            "odds": lambda _: self._odds(),
            "roll": lambda _: self._roll(),
            "log": self._log,
            "undo": lambda _: self.doing.travel(self.campaign.undo),
            "redo": lambda _: self.doing.travel(self.campaign.redo),
            "do": self._by_word,
            "ask": self.doing.ask,
            "allow": self.doing.allow,
            "decline": self.doing.decline,
            "tell": lambda words: self.doing.word(words, False),
            "whisper": lambda words: self.doing.word(words, True),
        }
        if word.lower() in ("quit", "exit", "q"):
            return False
        try:
            if word.isdecimal() and rest.strip():
                raise Refused("one number is typed alone", remedy="Dice are asked for when they are due.")
            if word.isdecimal():
                self._number(int(word[:6]))
            elif word.lower() in commands:
                commands[word.lower()](rest.strip())
            else:
                self._by_word(line.strip())
        except Dropped:
            self.voice.say("Left as it was.")
        except TableError as error:
            self.voice.say(str(error))
        return True

    def _all(self) -> None:
        found = [one for one in self.table.offers() if one.how != "no"]
        self.every = [one for one in found if not one.closed]
        for number, one in enumerate(self.every, 1):
            first = one.help.splitlines()[0] if one.help else ""
            typed = f"typed {one.tag}" if one.tag != one.title else ""
            asks = "asks the GM" if one.how == "ask" else ""
            self.voice.say(f"{number}. {sentence(one.title, typed, asks)} {first}")
        for one in found:
            if one.closed:
                self.voice.say(f"Closed: {sentence(one.title, one.closed)}")

    def _read(self, what: str) -> None:
        if not what:
            lines = self._read_now()
        elif what in self.kinds and what != "sheet":
            view = self._view(next(kind for kind in self.kinds if kind == what))
            lines = pages.read(view) if view is not None else []
        else:
            lines = self._sheet(what)
        self.voice.say(*lines)

    def _sheet(self, name: str) -> list[str]:
        world = self.table.world
        people = world.players() if self.table.seat else world.present()
        wanted = name.casefold()
        found = [who for who in people if wanted in (who.casefold(), world.name(who).casefold())]
        found = found or [who for who in people if world.name(who).casefold().startswith(wanted)]
        if len(found) != 1:
            names = ", ".join(world.name(who) for who in people)
            pages_ = ", ".join(kind for kind in self.kinds if kind != "sheet")
            raise Refused(f"There is nothing to read of {name!r}", remedy=f"Read {pages_}, or one of {names}.")
        view = self._view("sheet", found[0])
        return pages.read(view) if isinstance(view, SheetView) else []

    def _log(self, many: str) -> None:
        wanted = int(many) if many.isdecimal() and len(many) < 6 else LAST
        for step in self.table.history()[-wanted:] if wanted else ():
            self._tell(step, whole=True)

    def _odds(self) -> None:
        roll = self.doing.ready()
        if roll is None:
            raise Refused("no roll is ready", remedy="An action's own chances are told before its dice.")
        self._tell_odds(roll)

    def _roll(self) -> None:
        roll = self.doing.ready()
        if roll is not None:
            self.doing.carry_out(type(roll), values(roll))
        elif any(tag_of(kind) == "roll" for kind in self.table.engine.actions):
            self._by_word("roll")
        else:
            raise Refused("no roll is ready", remedy="Type list or all.")

    def _number(self, number: int) -> None:
        if self.every is not None:
            if not 1 <= number <= len(self.every):
                raise Refused(f"there is no number {number}", remedy="all tells the list again.")
            self.doing.start(self.every[number - 1].kind, {})
            return
        some = self.now.at(number)
        if len(some) == 1:
            self.doing.press(some[0])
            return
        picks = [Choice(place, one.words) for place, one in enumerate(some)]
        self.doing.press(some[self.asker.one(picks, f"{some[0].group}?")])

    def _by_word(self, line: str) -> None:
        """An action by its word or its title, with fields as key=value where somebody likes."""
        kinds = {tag_of(kind): kind for kind in self.table.engine.actions}
        titles = {(kind.title or tag).casefold(): kind for tag, kind in kinds.items()}
        word, _, rest = line.partition(" ")
        kind = kinds.get(word) or titles.get(line.casefold())
        if kind is None:
            raise Refused(f"There is no {word!r} here", remedy="Type help, list or all.")
        self.doing.start(kind, pairs(rest, kind) if word in kinds else {})

    def _done(self) -> None:
        self._news()
        for words in () if self.table.seat else self.campaign.news():
            self.voice.say(sentence(f"Note: {words}"))
        self._tell_offers()
