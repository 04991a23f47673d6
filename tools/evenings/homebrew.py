"""Three evenings with home-brew games: The Salt Road, The Lamplighters and The Broken Causeway."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from tabletop_tui.rules import fields, shaped

from .table import GM, Evening


class HomebrewEvening(Evening):
    """What people do in every home-brew game: roll what the rules name, answer what the game asks."""

    def said(self, tag: str, **values: Any) -> dict[str, Any]:
        """The fields of an action with the first open answer to whatever was not said, as a form proposes it."""
        out = dict(values)
        for static in fields(self.kinds[tag]):
            field = shaped(static, self.world, out)
            if field is None or static.name in out or field.ask is None or not field.ask.first:
                continue
            free = [c.value for c in field.ask.choices(self.world, out) if not c.closed]
            if free:
                out[static.name] = free[0]
        return out

    def roll(self, who: str, roll: str, *, by_hand: bool = False, **values: Any) -> None:
        """Somebody makes a roll, and what follows from it is answered."""
        if who not in self.standing():
            return
        do = self.typed if by_hand else self.act
        do(self.player(who), "roll", **self.said("roll", roll=roll, who=who, **values))
        self.settle()

    def settle(self) -> None:
        """What is usual is done, and what is asked is answered."""
        while (answer := self.engine.policy(self.world)) is not None:
            asked = self.now.asked[0].who if self.now.asked else self.now.roll.who
            self._written(self.table.do(answer, by=self.player(asked)))

    def use(self, who: str, option: str, **values: Any) -> None:
        """An option at any time, where it can be paid for."""
        if who in self.open("use", "who", option=option):
            self.act(self.player(who), "use", **self.said("use", option=option, who=who, **values))

    def standing(self) -> list[str]:
        """Everybody who can roll."""
        return self.open("roll", "who")

    def party(self) -> list[str]:
        """The heroes who can roll."""
        return [who for who in self.world.players() if who in self.standing()]

    def until(self, entries: int, do: Callable[[], object]) -> None:
        """The evening goes on for a while; where nobody can roll any more, they tell how it ends."""
        while (before := self.last) < entries:
            do()
            if self.last == before:
                who = self.world.players()[before % len(self.world.players())]
                self.note(self.player(who), f"{self.world.name(who)} tells how it ends.")

    def slip(self, words: str) -> None:
        """A slip of the GM's, taken back."""
        self.note(GM, words)
        self.take_back()


class SaltRoad(HomebrewEvening):
    """A caravan, a dry well and riders on the flats."""

    campaign = "salt-road"
    slug = "the-white-ford"
    began = datetime(2026, 11, 6, 19, 10, tzinfo=UTC)
    seed = "5a17f1a75c0f0023"

    def play(self) -> None:
        """Well, bargain, ford."""
        self.note(GM, "Dora, Elif and Pavel. Salted almonds, as is proper.")
        self.act(GM, "scene", scene="1-the-dry-well")
        self.whisper("The cut rope: let them find it by themselves.")
        self.road()
        self.bargain()
        self.moment("The well fills")
        self.pause(14)
        self.act(GM, "scene", scene="2-the-white-ford")
        self.whisper("Three riders in sight, one under the crust.")
        self.ford()
        self.night()

    def road(self) -> None:
        """They look round, dare a little, and ask."""
        for who, stat in (("imre", "sharp"), ("noor", "quick"), ("vesna", "strange")):
            self.roll(who, "read", by_hand=who == "imre")
            self.roll(who, "dare", stat=stat, clock="riders")
            self.use(who, "question")
            self.use(who, "question", say="what is hidden?")
        self.roll("noor", "aid", whom="vesna", say="helping")
        self.slip("The mules bolt. No: they only look as if they might.")
        self.act(GM, "track", track="water", by=-2)
        self.act(GM, "tick", clock="debt", by=1)
        self.edit(
            (("sheets", "imre", "about"), self.world.sheets["imre"].about, "Drives the last wagon. Lost a mule.")
        )
        self.act(GM, "condition", who="imre", what="footsore")
        self.roll("imre", "dare", stat="hard", clock="riders")
        for condition in list(self.now.conditions):
            self.act(GM, "recover", condition=condition)

    def bargain(self) -> None:
        """Vesna talks to what is under the well."""
        self.act(GM, "open_contest", bout="1-the-dry-well/water")
        for turn in range(6):
            now = self.now.contest
            if now is None or now.stage == "over":
                break
            self.act("Pavel", "choose_stat", party="vesna", stat="strange")
            self.act(GM, "choose_stat", party="salt-mother", stat="sharp")
            if turn == 0:
                self.act("Pavel", "put_in", party="vesna", line="a gift")
                self.act("Pavel", "take_out", party="vesna", line="a gift")
            self.act("Pavel", "put_in", party="vesna", line="a true word")
            self.act("Pavel", "roll_contest") if turn else self.typed("Pavel", "roll_contest")
            self.settle()
            self.act(GM, "next_round")
        self.act(GM, "close_contest")
        self.act(GM, "tick", clock="debt", by=1)
        self.whisper("The salt-mother is owed a name now.")

    def ford(self) -> None:
        """Riders, side against side."""
        self.act(GM, "more", of="rider", count=3)
        self.take_back()
        self.after_all()
        foes = ["rider", "rider#2", "rider#3"]
        self.act(GM, "begin", who=(*self.party(), *foes), timer=6)
        self.act(GM, "join", who="rider#4", hidden=True)
        self.whisper("The fourth one waits until the wagon is on the crust.")
        for _ in range(30):
            turns = self.now.turns
            live = [w for w in turns.order if turns.fighters[w].side == "foes" and not turns.fighters[w].out]
            seen = [w for w in live if not turns.fighters[w].hidden]
            if not seen or turns.round > 4 or not self.party():
                break
            up = turns.current
            if up in self.world.players():
                self.roll(up, "fight", whom=seen[0], say=2, by_hand=up == "noor" and turns.round == 1)
                if self.now.meters.get(seen[0], {}).get("harm", 0) >= 4 and len(turns.order) > 1:
                    self.act(GM, "leave", who=seen[0])
            elif up in seen and self.party():
                self.roll(up, "fight", whom=self.party()[0], say=1)
            if self.can("next"):
                self.act(GM, "next")
        if "rider#4" in self.now.turns.fighters:
            self.act(GM, "reveal", who="rider#4")
            self.moment("The crust breaks")
        self.act(GM, "end")

    def night(self) -> None:
        """Wounds are bound, water is counted."""
        people = self.party() or ["imre"]
        for who in people:
            self.use(who, "bandage", whom=next(w for w in self.world.players() if w != who))
        self.slip("Dawn already? No, it is still night.")
        self.act(GM, "adjust", who="noor", meter="harm", by=-2)
        self.act(GM, "add_clock", name="What the salt-mother wants", size=6, secret=True)
        self.act(GM, "drop_clock", clock="riders")
        self.act(GM, "add_track", name="Wagons", value=3)
        self.act(GM, "drop_track", track="wagons")
        self.act(GM, "retire", who="salt-mother")
        self.act(GM, "bring_back", who="salt-mother")
        self.edit((("now", "tracks", "water", "value"), self.now.tracks["water"].value, 7))
        for who in self.world.players():
            for stat in ("hard", "quick", "sharp", "strange"):
                if who in self.party():
                    self.roll(who, "dare", stat=stat, clock="-")
            self.note(self.player(who), f"{self.world.name(who)} sleeps by the wheel.")
        self.whisper("Next time: the name.")
        self.whisper("And the rope.")
        self.moment("Across")
        self.until(112, self.all_help)

    def all_help(self) -> None:
        """Everybody helps somebody."""
        for who in self.party():
            self.roll(who, "aid", whom="vesna" if who != "vesna" else "imre")


class Lamplighters(HomebrewEvening):
    """A crew, forty lamps and a watch that counts windows."""

    campaign = "lamplighters"
    slug = "tallow-row"
    began = datetime(2026, 11, 12, 20, 0, tzinfo=UTC)
    seed = "1a3b11647e20f00d"

    def play(self) -> None:
        """Row, roofs, oil house."""
        self.note(GM, "Mona, Teo, Anna. The good candles.")
        self.act(GM, "scene", scene="1-tallow-row")
        self.whisper("Holt knows Quill's hand.")
        self.together("1-tallow-row/rooftops", "sable", "prowl")
        self.jobs("lamps", "risky", 2)
        self.slip("Somebody coughs in the dark. Nobody does.")
        self.whisper("The watch comes back early.")
        self.act(GM, "tick", clock="watch", by=2)
        self.moment("Half the Row is lit")
        self.pause(16)
        self.downtime()
        self.act(GM, "scene", scene="2-the-oil-house")
        self.whisper("The vats are empty.")
        self.together("2-the-oil-house/lock", "quill", "tinker")
        self.jobs("lamps", "desperate", 2)
        self.close()

    def together(self, plan: str, lead: str, stat: str) -> None:
        """Everybody rolls, the best roll counts."""
        self.act(GM, "open", plan=plan)
        lead = lead if lead in self.party() else next(iter(self.party()), "")
        if lead:
            self.act(self.player(lead), "lead", **self.said("lead", who=lead, stat=stat))
            self.typed(self.player(lead), "roll_challenge")
            self.settle()
        self.act(GM, "close")

    def jobs(self, clock: str, position: str, often: int) -> None:
        """Each does what they are good at."""
        best = {"sable": "prowl", "quill": "tinker", "marchetta": "sway"}
        for turn in range(often):
            for who, stat in best.items():
                if who not in self.party():
                    continue
                using: tuple[str, ...] = ("bargain",) if turn else ()
                if not turn and self.now.meters.get(who, {}).get("stress", 0) <= 5:
                    using = ("push",)
                helper = next((w for w in self.party() if w != who and self._calm(w)), "")
                using += (f"assist@{helper}",) if helper and turn else ()
                self.roll(who, "action", stat=stat, say=position, say2="standard", clock=clock, using=using,
                          by_hand=who == "quill" and not turn)  # fmt: skip
            self.roll("warden-holt", "fortune", say=2)

    def _calm(self, who: str) -> bool:
        return bool(self.now.meters.get(who, {}).get("stress", 0) <= 6)

    def downtime(self) -> None:
        """Coin goes, stress goes."""
        self.act(GM, "adjust_shared", meter="coin", by=4)
        for who in self.world.players():
            self.use(who, "indulge")
            self.use(who, "patch")
        self.act(GM, "more", of="warden-holt", count=2)
        self.take_back()
        self.after_all()
        self.take_back()
        self.edit((("sheets", "quill", "about"), self.world.sheets["quill"].about, "Knows which wick burns blue."))
        self.edit((("now", "tracks", "nights", "value"), self.now.tracks["nights"].value, 2))
        self.act(GM, "condition", who="marchetta", what="wanted")
        self.act(GM, "recover", condition=next(iter(self.now.conditions)))
        self.act(GM, "add_clock", name="The mayor's patience", size=4, secret=True)

    def close(self) -> None:
        """What is left of the night."""
        self.act(GM, "improvise", **self.said("improvise", challenge="group", name="Out by the canal"))
        lead = next(iter(self.party()), "")
        if lead:
            self.act(self.player(lead), "lead", **self.said("lead", who=lead, stat="prowl"))
            self.act(self.player(lead), "roll_challenge")
            self.settle()
        self.act(GM, "close")
        self.slip("A light in Holt's window? Not tonight.")
        self.act(GM, "tick", clock="betrayal", by=1)
        self.whisper("It was the lamp-boy who sold them.")
        self.act(GM, "track", track="nights", by=-1)
        self.act(GM, "add_track", name="Favours", value=1)
        self.act(GM, "drop_track", track="favours")
        self.act(GM, "drop_clock", clock="watch")
        self.act(GM, "retire", who="warden-holt")
        self.act(GM, "bring_back", who="warden-holt")
        for who in self.world.players():
            if who in self.open("adjust", "who"):
                self.act(GM, "adjust", who=who, meter="xp", by=1)
        self.moment("The oil house")
        self.whisper("Next time: the empty vats.")
        self.jobs("lamps", "controlled", 2)
        self.moment("Dawn")
        self.until(112, lambda: self.jobs("lamps", "controlled", 1))


class BrokenCauseway(HomebrewEvening):
    """A road in the sea, eels, and a man who takes the toll."""

    campaign = "broken-causeway"
    slug = "nine-stones"
    began = datetime(2026, 11, 20, 18, 45, tzinfo=UTC)
    seed = "b0b0ca5e3a7e11e5"

    def play(self) -> None:
        """Gap, fight, stairs."""
        self.note(GM, "Sam, Lou and Fern. The big dice.")
        self.act(GM, "scene", scene="1-the-first-gap")
        self.whisper("Difficulty 14, and they need not know.")
        self.crossing("1-the-first-gap/gap")
        self.moment("The far side")
        self.fight(["eel", "eel#2", "eel#3"], hidden="eel#3")
        self.pause(18)
        self.act(GM, "scene", scene="2-the-toll-house")
        self.whisper("He wants a name.")
        self.crossing("2-the-toll-house/stairs")
        self.fight(["toll-man"], hidden="")
        self.end()

    def crossing(self, plan: str) -> None:
        """One after the other, nobody twice running."""
        best = {"hale": ("might", "climbing"), "wick": ("wits", "tides"), "orla": ("presence", "courage")}
        self.act(GM, "open", plan=plan)
        for turn in range(12):
            now = self.now.challenge
            free = [who for who in self.open("lead", "who") if who in self.party()]
            if now is None or now.outcome or not free:
                break
            who = free[turn % len(free)]
            ability, skill = best[who]
            self.act(self.player(who), "lead", who=who, stat=ability, stat2=skill)
            do = self.typed if turn == 0 else self.act
            do(self.player(who), "roll_challenge")
            self.settle()
        self.act(GM, "close")
        self.act(GM, "tick", clock="tide", by=1)

    def fight(self, foes: list[str], hidden: str) -> None:
        """Numbered turns until one side is down."""
        if any("#" in foe for foe in foes):
            self.act(GM, "more", of=foes[0], count=len(foes) - 1)
        self.use("orla", "prayer", whom="hale")
        first = [foe for foe in foes if foe != hidden]
        self.act(GM, "begin", who=(*self.party(), *first))
        if hidden:
            self.act(GM, "join", who=hidden, hidden=True)
            self.whisper("One more lies under the third stone.")
        for _ in range(40):
            turns = self.now.turns
            live = [w for w in first if w in turns.fighters and not turns.fighters[w].out]
            if not live or not self.party() or turns.round > 5:
                break
            self.turn(turns.current, live)
            if self.can("next"):
                self.act(self.player(self.now.turns.current), "next")
        if hidden in self.now.turns.fighters:
            self.act(GM, "reveal", who=hidden)
        self.act(GM, "end")

    def turn(self, up: str, live: list[str]) -> None:
        """Heroes strike, eels bite, the toll-man swings his pole."""
        for condition in self.open("save", "condition"):
            if self.now.conditions[condition].who == up and up in self.standing():
                self.act(self.player(up), "save", **self.said("save", condition=condition))
                self.settle()
        if up in self.world.players() and live:
            using = ("advantage",) if self.now.turns.round == 2 else ()
            self.roll(up, "attack", whom=live[0], using=using, by_hand=up == "wick" and self.now.turns.round == 1)
        elif up in live and self.party():
            kind = "bite" if up.startswith("eel") else "attack"
            self.roll(up, kind, whom=self.party()[self.now.turns.round % len(self.party())])

    def end(self) -> None:
        """Breath, cold water, torches."""
        for who in self.world.players():
            self.use(who, "breather")
        self.slip("The bell rings. It does not, yet.")
        self.act(GM, "adjust", who="hale", meter="hp", by=-1)
        self.act(GM, "adjust_shared", meter="resolve", by=1)
        self.take_back()
        self.after_all()
        self.slip("Somebody is in the water. It is a coat.")
        self.act(GM, "track", track="torches", by=-2)
        self.act(GM, "tick", clock="queen", by=1)
        self.whisper("The queen turns over.")
        self.act(GM, "condition", who="wick", what="prone")
        self.act(GM, "recover", condition=list(self.now.conditions)[-1])
        self.act(GM, "condition", who="hale", what="soaked")
        self.act(GM, "improvise", **self.said("improvise", challenge="crossing", name="Back by night"))
        self.act(GM, "close")
        self.act(GM, "add_clock", name="The bell", size=3, secret=True)
        self.act(GM, "drop_clock", clock="tide")
        self.act(GM, "add_track", name="Names", value=1)
        self.act(GM, "drop_track", track="names")
        self.act(GM, "retire", who="eel")
        self.act(GM, "bring_back", who="eel")
        self.edit((("sheets", "wick", "about"), self.world.sheets["wick"].about, "Reads the water."))
        self.edit((("now", "tracks", "torches", "value"), self.now.tracks["torches"].value, 4))
        self.moment("The toll is paid")
        self.whisper("Nobody asked whose name it was.")
        for who in self.world.players():
            self.roll(who, "check", say=12, by_hand=True)
            self.note(self.player(who), f"{self.world.name(who)} does not look back.")
        self.whisper("Next time: the bell.")
        self.moment("Land")
        self.until(112, self.all_try)

    def all_try(self) -> None:
        """Everybody tries something."""
        for who in self.party():
            self.roll(who, "check", say=15)
