"""Abbey of Lynn, Drama in History: the parlour and the night office."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from .table import GM, Evening


class AbbeyOfLynn(Evening):
    """Three people want to see the almoner's ledger: first by asking, then by night."""

    campaign = "abbey-of-lynn"
    slug = "the-winter-pages"
    began = datetime(2026, 11, 20, 19, 15, tzinfo=UTC)
    seed = "1a77ed6e201120db"

    def play(self) -> None:
        """The road, the parlour, the night office."""
        self.road()
        self.parlour()
        self.supper()
        self.pause(24)
        self.night()
        self.gatehouse()
        self.morning()

    # ---- what everybody does again and again

    def settle(self) -> None:
        """What people choose when the dice lie there: a point where it helps, else the price, else nothing."""
        while self.can("let_stand"):
            people, sides = self.now.people, self.now.roll.sides
            level, pay, lift = (self.open(tag, "side") for tag in ("favour_draw", "pay", "raise"))
            point = [key for key in lift if self.helps(key)]
            whole = [key for key in pay if people[sides[key].who].carried < 5]
            if level:
                self.act(GM, "favour_draw", side=level[0], reason="nobody would believe it the other way round")
            elif point:
                self.act(self.player(sides[point[0]].who), "raise", side=point[0])
            elif whole:
                self.act(self.player(sides[whole[0]].who), "pay", side=whole[0])
            else:
                self._written(self.table.do(self.engine.policy(self.world) or self.make("let_stand")))

    def helps(self, key: str) -> bool:
        """Would a Drama Point on a 4 make a success of somebody's roll?"""
        after = self.table.after(self.make("raise", side=key))
        verdicts = after.now.roll.verdicts.values() if after else ()
        return any(v.winner == key or v.outcome == "success" for v in verdicts)

    def ready(self, *who: str) -> None:
        """Whoever is broken acts all the same: the GM lets them."""
        for one in [w for w in who if w in self.open("override", "who") and not self.now.people[w].acts_broken]:
            self.act(GM, "override", who=one)

    def outcome(self) -> str:
        """How the roll on the table came out for whoever began it."""
        return str(next(iter(self.now.roll.verdicts.values())).outcome)

    def test(self, who: str, using: str, *, by_hand: bool = False, **more: Any) -> str:
        """A test in one go."""
        (self.typed if by_hand else self.act)(self.player(who), "test", who=who, using=using, **more)
        self.settle()
        return self.outcome()

    def line(self, by: str, party: str, kind: str, text: str, dice: int = 1, *, hidden: bool = False) -> None:
        """A line for one of the parties."""
        self.act(by, "line", party=party, kind=kind, text=text, dice=dice, hidden=hidden)

    def argue(self, *, by_hand: bool = False) -> bool:
        """Roll a round of the contest; is there anybody left to go on with?"""
        contest = self.now.contest
        self.ready(contest.first, contest.second)
        (self.typed if by_hand else self.act)(self.player(contest.first), "roll_contest")
        self.settle()
        return not self.now.contest.yielded

    # ---- scene by scene

    def road(self) -> None:
        """They come to the abbey wet."""
        self.note(GM, "Ana, Ben and Cleo. Late October, the ford is up, and Compline is not for another hour.")
        forded = self.test("william", "Riding", difficulty="troublesome", by_hand=True)
        if forded == "success":
            self.note("Ben", "William stands in the ford to his belt and holds the cart by the tail. He is singing.")
        else:
            self.note("Ben", "The cart is across. William's dinner is on its way to the sea.")
            self.act(GM, "track", track="alms", by=-3)
        self.act(GM, "penalty", who="joan", cause="wet through", dice=1)
        self.act(GM, "penalty", who="joan", cause="wet through", dice=1)
        self.take_back()
        self.note(GM, "Once is wet enough.")
        self.act(GM, "pool", who="william", pool="grit", by=-1, why="the ford")

    def parlour(self) -> None:
        """The prior is courteous; Joan does not stop."""
        self.act(GM, "scene", scene="the-parlour")
        self.whisper("Hugh has two keys of three. He will give way on anything but the winter pages.")
        read = self.test("joan", "Insight", resisted_by="hugh", resist="Authority", difficulty="straightforward")
        if read == "success":
            self.note("Ana", "Joan: he looks at the chest when he says 'charity'. Not at me. At the chest.")
            self.act(GM, "tick", clock="forger")
        else:
            self.note("Ana", "Joan cannot read him. He has been not-read by better, and for longer.")
        self.moment("before the contest")
        self.act(GM, "contest", plan="the-parlour/ledger")
        self.first_round()
        again = self.argue(by_hand=True)
        if again:
            self.act(GM, "go_on")
            self.second_round()
            again = self.argue()
        if again:
            self.act(GM, "go_on")
            self.third_round()
            again = self.argue()
        self.act(GM, "end_contest")
        if again:
            self.note(GM, "The bell saves him. 'After the visitation', says the prior, and is already leaving.")
            self.act(GM, "tick", clock="visitation")
        else:
            self.note(GM, "Hugh puts a key on the table, and then, as if it weighed more, a second one.")

    def first_round(self) -> None:
        """Courtesy, and sums."""
        self.act("Ana", "argue", party="joan", using="Courtesy")
        self.line("Ana", "joan", "character", "asks after his chilblains, and means it")
        self.line("Ana", "joan", "fact", "forty loaves a day, and flour for thirty", 2)
        self.line(GM, "hugh", "fact", "her guild is late with its tithe", hidden=True)
        self.line("Cleo", "joan", "saint", "Saint Margaret sees the poor box")
        self.take_back(by="Cleo")
        self.note("Cleo", "Edmund would never. In front of the prior!")
        self.act("Ben", "drama_die", who="william", party="joan", reason="sneezes at exactly the right moment")
        self.act(GM, "advantage", who="hugh", reason="it is his brazier, and she is shivering")
        self.act(GM, "show_lines")

    def second_round(self) -> None:
        """The letter."""
        self.act(GM, "drop_advantage")
        self.note(GM, "The brazier has gone out. They are equally cold now.")
        self.act("Ana", "argue", party="joan", using="Insight")
        self.line("Ana", "joan", "passion", "justice", 2)
        if self.now.people["joan"].drama_points:
            self.act("Ana", "stake", party="joan", point="advantage:The bishop's letter")
            self.note("Ana", "She does not open the letter. She lays it on the chest, seal up, and lets go of it.")
        self.line(GM, "hugh", "character", "pours her wine, and forgets his own")
        self.act(GM, "hide_line", party="hugh", line="line-1")
        if self.can("drama_die"):
            self.act("Cleo", "drama_die", who="edmund", party="joan", reason="for once does not look at his shoes")

    def third_round(self) -> None:
        """Business."""
        self.act("Ana", "argue", party="joan", using="direct:Guild merchant life")
        self.line("Ana", "joan", "risk", "offers to open her own books to him first")
        self.line("Ana", "joan", "bond", "her brother is buried in this house")
        self.act("Ana", "strike_line", party="joan", line="line-2")
        self.note("Ana", "No. She would not use him for this. Take the brother out.")

    def supper(self) -> None:
        """A test with many hands."""
        self.ready("joan", "william", "edmund")
        self.note("Ben", "William has found the kitchen. The kitchen has found William.")
        self.act(GM, "track", track="alms", by=-2)
        self.act(GM, "task", name="Teach the novices a song", stakes="somebody in the house is fond of them")
        self.act(GM, "close_task")
        self.act(
            GM,
            "task",
            name="Hear what the brethren will not say",
            difficulty="troublesome",
            stakes="the cellarer's name",
        )
        self.act("Cleo", "lead", who="edmund", using="direct:Religious life", attribute="Social")
        self.act("Ben", "work_with", who="william", using="direct:Town life", attribute="Social")
        self.act("Ana", "lend", who="joan", attribute="Social")
        self.act("Ben", "step_back", who="william")
        self.act("Ben", "lend", who="william", attribute="Social")
        self.act(GM, "situation", because="new ale", base=1)
        self.act("Cleo", "roll_task")
        forgot = self.last
        self.take_back(forgot - 1, by="Cleo")
        self.note("Cleo", "Wait, wait: his vow! He swore to the poor, not to the cellarer.")
        self.act("Cleo", "put_in", who="edmund", passion="his vow")
        self.act("Ana", "add_drama", who="joan", to="edmund", reason="passes him the bread without a word")
        self.typed("Cleo", "roll_task")
        self.settle()
        if self.outcome() == "success":
            self.note(
                "Cleo", "Brother Anselm, to his soup: the cellarer writes a lovely hand. He writes everybody's."
            )
            self.act(GM, "tick", clock="forger")
        else:
            self.note("Cleo", "They stop talking when Edmund sits down. They have never done that before.")
        self.act(GM, "award", who="edmund")

    def night(self) -> None:
        """Past the porter, the lock, the hand."""
        self.act(GM, "scene", scene="the-night-office")
        self.note(GM, "Matins. Forty voices, and not one foot in the cloister.")
        self.act(GM, "condition", who="edmund", what="missed in the choir")
        self.moment("before the ledger")
        self.act(GM, "complex", plan="the-night-office/night")
        while self.now.complex and not self.now.complex.outcome:
            self.ready("joan", "william", "edmund")
            self.attempt(self.now.complex.at, self.now.complex.tried)
        told = {
            "full": "It is the cellarer's hand, all winter. Joan reads it twice, and then to the end, and shuts it.",
            "partial": "They have been further in than anybody since Michaelmas, and come away with a doubt.",
        }
        self.note("Ana", told.get(str(self.now.complex.outcome), "The psalm ends before they do."))

    def attempt(self, at: int, tried: int) -> None:
        """One attempt: who is good at it leads, the others help."""
        again = " again" if tried else ""
        if at == 0:
            self.act("Cleo", "lead", who="edmund", using="Stealth")
            self.act("Ben", "lend", who="william", attribute="Agility")
            if not tried:
                self.act("Ana", "add_drama", who="joan", to="edmund", reason="has his sandals in her bag")
        elif at == 1:
            self.act("Ben", "lead", who="william", using="Agility")
            self.act("Cleo", "lend", who="edmund", attribute="Agility")
            self.act("Ana", "add_drama", who="joan", to="william", reason=f"holds the candle{again}, and her breath")
        else:
            self.act("Ana", "lead", who="joan", using="Letters")
            self.act("Cleo", "work_together", who="edmund", using="Latin")
            if self.now.people["joan"].drama_points:
                self.act("Ana", "put_in", who="joan", passion="justice", point="plain")
        self.act(("Cleo", "Ben", "Ana")[at], "roll_task")
        self.settle()

    def gatehouse(self) -> None:
        """The porter does not sleep."""
        self.ready("joan", "william", "edmund")
        self.act(GM, "begin", who=["william", "edmund"])
        self.act(GM, "join", who="porter", hidden=True)
        self.whisper("He has stood behind the yew for the whole of the second psalm.")
        self.act("Ben", "delay", after="edmund")
        self.act("Cleo", "next")
        self.act(GM, "reveal", who="porter")
        self.note(GM, "A lantern, and behind it a man who would rather be in bed.")
        self.act("Ben", "oppose", who="william", using="Brawling", against="porter", their_using="Brawling")
        self.settle()
        self.act(GM, "next")
        self.ready("william", "edmund", "porter")
        self.act(GM, "split", who="porter", using="Brawling", against=["william", "edmund"])
        self.settle()
        self.act(GM, "leave", who="edmund")
        self.act(GM, "end")
        self.act(GM, "contest", plan="the-night-office/gatehouse")
        self.act("Cleo", "argue", party="edmund", using="direct:Religious life")
        self.line("Cleo", "edmund", "character", "says the porter's own name, which nobody does")
        self.act("Ben", "stand_by", who="william", party="edmund", attribute="Social")
        self.ready("joan", "william")
        self.act("Ana", "work_for", who="joan", party="edmund", using="Courtesy")
        self.line("Cleo", "edmund", "place", "matins is still being sung, and they both should be in it")
        self.argue(by_hand=True)
        if self.now.contest.momentum == "edmund":
            self.note("Cleo", "'Go to bed, brother', says the porter. 'I have seen a cat. I will say it was a cat.'")
        else:
            self.note("Cleo", "The porter writes four names on his slate. His spelling is slow, and very clear.")
        self.act(GM, "end_contest")

    def morning(self) -> None:
        """Sleep, and what it does not take away."""
        tired = [w for w in ("joan", "edmund", "william") if self.now.people[w].carried]
        for who in tired[:1]:
            self.act(self.player(who), "recovery", who=who)
            self.settle()
        for who in [w for w in tired[:1] if w in self.open("rest", "who")]:
            self.act(self.player(who), "rest", who=who, hours=3)
        if self.can("rest_all"):
            self.act(GM, "rest_all", hours=3)
        for who in [w for w in self.open("relieve", "who") if self.player(w)][:1]:
            self.act(GM, "relieve", who=who, cause=self.open("relieve", "cause", who=who)[0])
        for condition in self.now.conditions:
            self.act(GM, "recover", condition=condition)
        self.act(GM, "dimension", name="Out before Prime", resistance=2, attempts=1, failure="the sacristan counts")
        self.ready("joan", "william", "edmund", "hugh")
        self.act("Ben", "lead", who="william", using="Agility")
        self.act("Ben", "roll_task")
        self.settle()
        willing = self.open("new_contest", "against", who="joan")
        host = next(w for w in ("hugh", "edmund", "william") if w in willing)
        self.act(GM, "new_contest", who="joan", against=host, wants="breakfast", name="Breakfast")
        self.take_back()
        self.note(GM, "No. Nobody should roll for porridge.")
        self.act(GM, "retire", who="porter")
        self.act(GM, "bring_back", who="porter")
        self.take_back()
        self.after_all()
        self.edit((("sheets", "edmund", "backgrounds", "Religious life"), 2, 3))
        loaves = self.now.tracks["alms"].value
        self.edit((("now", "tracks", "alms", "value"), loaves, loaves - 5))
        self.act(GM, "tick", clock="visitation")
        self.note(GM, "Next time: the cellarer has gone to market, with two mules and all of his pens.")
        self.moment("the morning after")
