"""Cinder Pass, No1: the ash bridge and the bell furnace."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import ClassVar

from .table import GM, Evening


class CinderPass(Evening):
    """Four heroes carry the lantern over the ash bridge and into the bell furnace."""

    campaign = "cinder-pass"
    slug = "bridge-and-bell"
    began = datetime(2026, 11, 13, 19, 2, tzinfo=UTC)
    seed = "c1de4a550b13101b"
    skills: ClassVar = {"brann": ("Strike", "Endure"), "tam": ("Sneak", "Climb"), "oda": ("Shoot", "Notice"),
                        "sefa": ("Embercraft", "Notice")}  # fmt: skip
    """What each hero acts with, and shifts with."""

    def play(self) -> None:
        """Bridge, fire, furnace."""
        self.taken: dict[str, int] = {}
        self.bell = 0
        self.note(GM, "Iris, Joao, Lene, Marek. Phones in the bowl. It is the 29th, and the mountain is warm.")
        self.note("Marek", "Sefa tells the lantern what she sees. It is mostly ash, she says. You would like it.")
        self.bridge()
        self.camp()
        self.furnace()
        self.after()

    # ---- what everybody does again and again

    def settle(self) -> None:
        """1s fall again, or are let go, as sensible people do it."""
        while (answer := self.engine.policy(self.world)) is not None:
            self._written(self.table.do(answer, by=self.player(self.now.roll.who)))

    def seen(self, side: str) -> list[str]:
        """Those of a side who are in the fight and in sight."""
        fighters = self.now.turns.fighters
        return [w for w, f in fighters.items() if f.side == side and not f.out and not f.hidden]

    def unacted(self) -> list[str]:
        """The heroes who have not had their turn in this round."""
        fighters = self.now.turns.fighters
        return [w for w in self.seen("heroes") if not fighters[w].acted and w != self.now.turns.current]

    def near(self, who: str) -> list[str]:
        """The foes in sight, those in the same zone first."""
        here = self.now.positions
        return sorted(self.seen("foes"), key=lambda foe: here[foe] != here[who])

    def strike(self, who: str, *, by_hand: bool = False, boost: bool = False) -> None:
        """A hero acts against whoever is near; three hits take a foe out of the fight."""
        if boost and who in self.open("advantage", "who"):
            use = "entropy" if self.now.entropy > self.now.momentum else "hits"
            self.act(self.player(who), "advantage", who=who, on=use)
        foe = self.near(who)[0]
        do = self.typed if by_hand else self.act
        do(self.player(who), "act", who=who, skill=self.skills[who][0], target=self.world.name(foe))
        self.settle()
        self.taken[foe] = self.taken.get(foe, 0) + self.now.roll.hits
        if self.taken[foe] >= (9 if foe == "furnace-golem" else 4):
            self.act(GM, "down", who=foe)

    def shift(self, who: str) -> None:
        """Danger is defied where there is much of it; else somebody looks for an advantage."""
        zone = self.now.zones[self.now.positions[who]]
        how = "defy" if sum(zone.hazards.values()) > 1 else "advantage"
        self.act(self.player(who), "shift", who=who, how=how, skill=self.skills[who][1])
        self.settle()

    def go(self, who: str, zone: str) -> None:
        """A hero moves to another zone."""
        self.act(self.player(who), "shift", who=who, how="move", skill=self.skills[who][1], zone=zone)
        self.settle()

    def up(self, *wish: str) -> str:
        """Who goes next: of those who may, whoever comes first in the wish; nobody hidden by accident."""
        fighters = self.now.turns.fighters
        ready = [w for w in self.open("next", "who") if not fighters[w].hidden] if self.can("next") else []
        if not ready:
            return ""
        who: str = min(ready, key=lambda w: wish.index(w) if w in wish else len(wish))
        self.act(self.player(who), "next", who=who)
        return who

    def buy(self, *wish: str) -> None:
        """The first manoeuvre of the wish that can be paid for and used."""
        for name in wish:
            if name in self.open("manoeuvre", "manoeuvre"):
                who = self.open("manoeuvre", "who", manoeuvre=name)[0]
                self.act(self.player(who), "manoeuvre", manoeuvre=name, who=who)
                return

    # ---- scene by scene

    def bridge(self) -> None:
        """Runners on the far side, deserters behind, and something under the arch."""
        self.act(GM, "scene", scene="1-the-ash-bridge")
        self.whisper("The drake sleeps. Wake it when they look down, or when I have four Entropy.")
        self.moment("before the bridge")
        self.act(GM, "begin", scene="1-the-ash-bridge")
        self.note("Iris", "Brann walks out to the middle and stops there, as if the bridge were his.")
        self.challenge_to_cards()
        while self.now.turns.round < 3 and self.seen("foes"):
            who = self.up("brann", "tam", "sefa", "oda")
            if not who:
                self.act(GM, "end_round")
                continue
            self.bridge_turn(who)
            if self.now.turns.round == 2 and self.now.turns.fighters["cinder-drake"].hidden:
                self.drake()
            down = [w for w, f in self.now.turns.fighters.items() if f.out and w.startswith("Ash runner")]
            if self.now.turns.round == 2 and len(down) > 1 and not self.unacted():
                break
        self.runners_leave()
        self.act(GM, "end")
        turned = str(self.now.verdict)
        if turned == "foes":
            self.act(GM, "track", track="lantern", by=-2)
            self.note("Marek", "Two coals are gone. Sefa does not say a word until the far side, and few after it.")
        else:
            self.act(GM, "track", track="renown", by=1)
            self.note("Joao", "Tam bows to the far side. The far side, what is left of it, bows back.")

    def challenge_to_cards(self) -> None:
        """Tam calls a deserter out; a deserter knows better."""
        self.act("Joao", "contest", who="tam", against="Duke's pike 1", trait="Lucky")
        self.note("Joao", "'One cut of the deck. You win, you have the rope. I win, you have a rest.'")
        self.act(GM, "decline")

    def bridge_turn(self, who: str) -> None:
        """One turn on the bridge."""
        if self.player(who):
            if who == "brann" and "tam" in self.unacted() and self.now.turns.round == 1:
                self.act("Iris", "delay")
                self.note("Iris", "No, wait. Tam first, Brann wants to see who looks at the rope.")
                who = self.up("tam")
                if not self.player(who):
                    self.bridge_turn(who)
                    return
            if who == "sefa" and self.now.positions["sefa"] == "near":
                before = self.last
                self.go("sefa", "far")
                self.take_back(before, by="Marek")
                self.note("Marek", "Not the far side! The arch. One zone at a time, she has the lantern.")
                self.go("sefa", "arch")
            else:
                self.shift(who)
            self.strike(who, by_hand=who == "oda", boost=True)
            if self.now.entropy > 1 or who == "sefa":
                self.buy("ember-reading" if who == "sefa" else "take-heart")
        elif who.startswith("Duke's pike") and self.now.turns.round == 1:
            self.act(GM, "skip", who=who)
        else:
            mark = self.seen("heroes")[self.last % 4]
            self.act(GM, "act", who=who, skill=self.open("act", "skill", who=who)[0], target=self.world.name(mark))
            self.settle()
            if self.now.roll.hits > 2 and mark not in {c.who for c in self.now.conditions.values()}:
                self.act(GM, "condition", who=mark, what="off balance", ends="end")

    def drake(self) -> None:
        """It wakes."""
        self.act(GM, "place", who="cinder-drake", zone="near")
        self.take_back()
        self.act(GM, "reveal", who="cinder-drake")
        self.note(GM, "What they took for a buttress opens one white eye, and turns it to the lantern.")
        if self.can("spend"):
            self.act(GM, "spend", on="clock", clock="mountain", reason="the drake's breath goes down into the rock")
        self.act(GM, "condition", who="sefa", what="breathing ash")

    def runners_leave(self) -> None:
        """Two are down, and the rope is not worth a third."""
        self.note("Lene", "Oda holds up the spare rope, counts to three under her breath, and throws it over.")
        for who in [w for w in self.seen("foes") if w.startswith("Ash runner")]:
            self.act(GM, "down", who=who)
        self.act(GM, "adjust", counter="momentum", by=1, why="a good offer at the right moment")

    def camp(self) -> None:
        """A fire, a pause, new ranks."""
        self.pause(21)
        self.act(GM, "waypoint")
        self.note("Lene", "Oda stitches everybody, asked or not. Brann gets the crooked needle for arguing.")
        for condition in list(self.now.conditions)[:1]:
            self.act("Lene", "recover", condition=condition)
        if self.now.tracks["lantern"].value < 5:
            self.act("Marek", "track", track="lantern", by=1)
        self.edit((("sheets", "tam", "traits", "Lucky"), 2, 3))
        self.act(GM, "retire", who="ash-runner")
        self.act(GM, "tick", clock="betrayal")
        self.whisper("Odrun's men have not been paid. They will watch tonight, and choose.")

    def furnace(self) -> None:
        """Odrun, the golem, the bell."""
        self.act(GM, "scene", scene="2-the-bell-furnace")
        self.act(GM, "begin", scene="2-the-bell-furnace", first="roll")
        self.note(GM, "'You will forgive the heat', says Captain Odrun. 'It was like this when we came.'")
        self.moment("Odrun calls Brann out")
        self.duel()
        self.act(GM, "zone", name="crane")
        self.act(GM, "hazard", zone="crane", name="loose chain", rating=1)
        while self.now.turns.round < 4 and self.bell < 6 and self.seen("foes"):
            who = self.up("oda", "brann", "sefa", "tam", "furnace-golem", "odrun")
            if who:
                self.furnace_turn(who)
            else:
                self.act(GM, "end_round")
        if self.bell >= 6:
            self.note(GM, "The hook gives. The bell goes down into the pit, and rings once, for everybody.")
        else:
            self.note(GM, "The floor splits from wall to wall, and everybody who still can runs for the gate.")
        self.act(GM, "end")

    def duel(self) -> None:
        """The captain cannot resist an audience."""
        self.act(GM, "contest", who="odrun", against="brann", trait="Vain")
        self.act("Iris", "accept")
        while self.can("bout"):
            mine = self.open("bout", "using", skill="")[0]
            self.act("Iris", "bout", skill=self.open("bout", "skill")[0], using=mine)
        winner = self.now.duel.winner
        if winner == "brann":
            self.act(GM, "tick", clock="betrayal", by=2)
            self.note("Iris", "Brann picks up the captain's hat, dusts it off, and hands it back. That is worse.")
        elif winner:
            self.note("Iris", "Brann has never been out-talked with a sword before. He will think about it later.")
        else:
            self.note(GM, "They are both out of breath. The pikes are not sure whom to cheer.")

    def furnace_turn(self, who: str) -> None:
        """One turn in the foundry: Tam and Sefa go for the bell, the others keep people off them."""
        if who in ("tam", "sefa"):
            if self.now.positions[who] != "gantry":
                self.go(who, "gantry")
                if "Slag imp 1" not in self.seen("foes"):
                    self.imps()
            else:
                self.shift(who)
            self.act(self.player(who), "act", who=who, skill=self.skills[who][0], target="the bell's hook")
            self.settle()
            if self.now.positions[who] == "gantry":
                self.bell += self.now.roll.hits
        elif self.player(who):
            if self.now.positions[who] == "gate":
                self.go(who, "floor")
            else:
                self.shift(who)
            self.strike(who, by_hand=who == "brann", boost=True)
            self.buy("take-heart", "oath-of-the-span", "change-the-ground")
        elif who.startswith("Duke's pike"):
            self.act(GM, "skip", who=who)
        else:
            mark = self.seen("heroes")[self.last % 4]
            self.act(GM, "act", who=who, skill=self.open("act", "skill", who=who)[0], target=self.world.name(mark))
            self.settle()
            if self.now.entropy >= 3 and self.now.challenge < 5:
                self.act(GM, "spend", on="challenge", reason="the bell hums, and the floor hums back")

    def imps(self) -> None:
        """They crawl out of the pit, and two more after them."""
        self.act(GM, "place", who="Slag imp 1", zone="floor")
        self.act(GM, "reveal", who="Slag imp 1")
        self.act(GM, "join", who="slag-imp", count=2, zone="gantry", hidden=True)
        self.note("Joao", "Tam: 'It's only knee-high.' Sefa: 'So is the fire.'")
        if self.can("spend"):
            self.act(GM, "spend", on="story", reason="somebody has left the slag gate open")
        self.act(GM, "set", challenge=self.now.challenge + 1)
        self.take_back()

    def after(self) -> None:
        """What the valley says."""
        told = {
            "heroes": "They walk out by the front. The pikes hold the door, and one of them salutes the lantern.",
            "foes": "They get out, singed, with half a captain's curse behind them. The mountain is wide awake.",
        }
        self.note(GM, told.get(str(self.now.verdict), "They get out. So does Odrun. The bell does not."))
        self.act(GM, "track", track="renown", by=2)
        self.act(GM, "tick", clock="mountain")
        self.act(GM, "retire", who="odrun")
        self.take_back()
        self.after_all()
        self.act(GM, "bring_back", who="ash-runner")
        spare = self.now.momentum
        self.edit((("now", "momentum"), spare, spare + 1)) if spare else self.edit((("now", "momentum"), None, 1))
        self.note("Marek", "The lantern is warm. Sefa asks it whether it is pleased. It is, she says, it really is.")
        self.act(GM, "waypoint")
        self.moment("home, before the snow")
