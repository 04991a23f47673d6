"""Ember Road, Tiers of Power: the gate, the bridge, the hollow."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import ClassVar

import msgspec

from tabletop_tui.rules import tag_of

from .table import GM, Evening


class EmberRoad(Evening):
    """Five heroes bring the ember from the gate at Lynn over the bridge into the hollow."""

    campaign = "ember-road"
    slug = "the-first-night"
    began = datetime(2026, 11, 7, 18, 34, tzinfo=UTC)
    seed = "e3be60ad071120b5"
    weapons: ClassVar = {"mira": "Warding", "rook": "Shooting", "sefa": "Hammer:beta"}

    def play(self) -> None:
        """Gate, bridge, hollow."""
        self.note(GM, "Present: Ana, Ben, Chris, Dana, Eli. Pizza is ordered. The mule is called Bishop.")
        self.note("Chris", "Tam hums to the ember. It has been a long road, and it is awake more than it sleeps.")
        self.gate()
        self.reavers()
        self.pause(4)
        self.bridge()
        self.pause(17)
        self.note(GM, "Back from the pizza. One hour played: a Bonus Die for everybody.")
        self.act(GM, "award")
        self.hollow()
        self.morning()

    # ---- what everybody does again and again

    def challenge(
        self, plan: str, lead: tuple[str, str], *supports: tuple[str, ...], bonus: bool = False, by_hand: bool = False
    ) -> str:
        """A challenge from its opening to its outcome; supports are who, how and with what."""
        if plan:
            self.act(GM, "open", challenge=plan)
        who, skill = lead
        for name in (who, *(name for name, *_ in supports)):
            if self.now.people[name].hp <= 0:  # whoever fell in a fight is brought round first
                self.act("Eli", "heal", who=name, points=10)
        if self.now.challenge.lead != who:
            self.act(self.player(who), "lead", who=who, skill=skill)
        for name, how, *using in supports:
            self.act(self.player(name), "support", who=name, how=how, skill=using[0] if using else "")
        if bonus and self.can("bonus"):
            self.act(self.player(who), "bonus", on=True)
        (self.typed if by_hand else self.act)(self.player(who), "roll")
        while (answer := self.engine.policy(self.world)) is not None:
            if tag_of(type(answer)) == "settle":
                self.meddle()
            self._written(self.table.do(answer, by=self.player(who)))
        outcome = str(self.now.challenge.outcome)
        self.act(GM, "close")
        return outcome

    def meddle(self) -> None:
        """The GM looks at a roll that a player is about to win by a hair: a point for another throw of one die."""
        roll = self.now.roll
        mine = roll.first if roll.winner == "first" else roll.second
        if mine.player and roll.margin <= 1 and not roll.fixed and self.now.complications > 2:
            place = max(range(len(mine.dice)), key=lambda i: mine.dice[i].value)
            self.act(GM, "force_reroll", die=f"{roll.winner}/{place}")

    def attack(self, who: str, against: str, *, bonus: bool = False, by_hand: bool = False) -> None:
        """An attack: the best defence against it, what people buy and claim, and then it counts."""
        skill = self.weapons.get(who) or self.open("attack", "skill", who=who)[0]
        using = self.shield(who, skill, against)
        do = self.typed if by_hand else self.act
        do(self.player(who), "attack", who=who, skill=skill, against=against, using=using, bonus=bonus)
        roll = self.now.roll
        loser = roll.second if roll.winner == "first" else roll.first
        if self.can("claim"):
            self.act(GM, "claim")
        few = self.now.complications < 9
        if loser.player and loser is roll.second and roll.margin >= 2 and few and self.can("buy"):
            self.act(self.player(loser.who), "buy")
        else:
            self.meddle()
        self.act(GM, "settle")

    def shield(self, who: str, skill: str, against: str) -> str:
        """What somebody defends with: what leaves the attacker the least hope."""

        def hope(using: str) -> float:
            odds = self.table.odds(self.make("attack", who=who, skill=skill, against=against, using=using))
            return odds.hope if odds else 1.0

        sheet = self.world.sheets[against]
        fits = {"Dodge", "Warding", "Spear", "Hammer", "Club", "Ashcraft", *sheet.items}
        open_ = self.open("attack", "using", who=who, skill=skill, against=against)
        return str(min((using for using in open_ if using in fits), key=hope))

    def standing(self, *who: str) -> list[str]:
        """Those of them who are in the fight and can act."""
        fighters = self.now.turns.fighters
        return [w for w in who if w in fighters and not fighters[w].out]

    def missing(self, who: str) -> int:
        """Health Points that somebody has lost."""
        full = {"alpha": 10, "beta": 50, "charlie": 250}
        most = sum(full[tier] * int(n) for tier, n in self.world.sheets[who].levels.items())
        return most - int(self.now.people[who].hp)

    # ---- scene by scene

    def gate(self) -> None:
        """The gate must hold until dawn."""
        self.act(GM, "scene", scene="the-gate")
        self.whisper("The postern: bribe paid in salt, two nights ago. Keep an eye on who talks to the captain.")
        self.act(GM, "condition", who="odo", what="soaked to the bone")
        self.note("Eli", "Odo: 'If I drown standing up, bury me sitting down.'")
        self.moment("before the gate")
        self.act(GM, "open", challenge="the-gate/hold")
        self.act("Dana", "lead", who="sefa", skill="Hammer:beta")
        self.take_back(by="Dana")
        self.note("Dana", "Sefa would rather brace the hinges. Mira leads: it is a ward after all.")
        self.act("Ana", "lead", who="mira", skill="Warding")
        self.act("Dana", "support", who="sefa", how="indirect", skill="Crafting")
        self.act("Ben", "support", who="rook", how="direct", skill="Warding")
        self.act("Eli", "support", who="odo", how="direct", skill="Warding")
        self.act("Eli", "withdraw", who="odo")
        held = self.challenge(
            "", ("mira", "Warding"), ("odo", "encourage"), ("tam", "indirect", "Lore"), bonus=True, by_hand=True
        )
        told = {
            "success": "The bar holds. Somebody on the other side swears, then laughs, then goes away.",
            "failure": "The bar cracks, and Mira with it. They hold the gap with their backs.",
        }
        self.note(GM, told.get(held, "The gate holds, but a hinge is gone, and Bishop is on the wrong side of it."))
        if held != "success":
            self.act(GM, "tick", clock="snow")
        read = self.challenge(
            "the-gate/captain",
            ("tam", "Lore"),
            ("mira", "direct", "Lore"),
            ("rook", "prepare", "Stealth"),
        )
        if read == "failure":
            self.note(GM, "The captain refills Tam's cup, and smiles, and has told him nothing at all.")
        else:
            self.whisper("They know now that he was paid, and by somebody with soot under the nails.")
        self.note("Ben", "Rook has been on the wall meanwhile. Two of them, and one who does not blink.")

    def reavers(self) -> None:
        """A fight outside the gate; somebody watches it unseen."""
        again = msgspec.to_builtins(self.world.sheets["reaver"])
        self.edit((("sheets", "reaver-2"), None, {**again, "name": "Ash reaver with the hook"}))
        foes = ("reaver", "reaver-2")
        self.act(GM, "roll_order", skill="Dodge", who=["mira", "rook", "tam", "sefa", "odo", *foes])
        self.act(GM, "join", who="cinder-priest", hidden=True)
        self.whisper("The priest does nothing but watch. It wants to know which of them carries the ember.")
        turns = 0
        while self.now.turns.round < 2 and self.standing(*foes):
            self.reaver_turn(self.now.turns.current, self.standing(*foes), turns)
            turns += 1
            self.act(GM, "next")
        for foe in self.standing(*foes):
            self.act(GM, "leave", who=foe)
        self.note(GM, "A horn, far down the road. Whoever still stands among the ash folk runs to it.")
        self.act(GM, "reveal", who="cinder-priest")
        self.note(
            GM, "A tall figure in a robe of soot. It bows to Tam, and to nobody else, and is not there any more."
        )
        self.act(GM, "end")
        self.act(GM, "tick", clock="ash-king")

    def reaver_turn(self, who: str, foes: Sequence[str], turns: int) -> None:
        """One turn: fighters strike, Odo mends people, Tam keeps the ember."""
        hurt = max(self.world.players(), key=self.missing)
        if who in foes:
            if self.now.complications >= 4:
                self.act(GM, "boost", who=who, skill="Spear")
            target = self.standing("rook", "mira", "odo", "tam")[turns % 3]
            self.attack(who, target)
        elif who in self.weapons:
            if who == "rook" and turns < 9 and not self.now.conditions.get("rook-1"):
                slip = self.last
                self.act("Ben", "attack", who="rook", skill="Shooting", against=foes[-1], using="Rags")
                self.take_back(slip)
                self.note("Ben", "No, not that one! The one who has Odo by the sleeve.")
                self.act(GM, "condition", who="rook", what="short of dry arrows", ends="end")
            bonus = who == "mira" and self.now.people["mira"].bonus_dice > 0
            self.attack(who, foes[0], bonus=bonus, by_hand=who == "sefa")
        elif who == "odo":
            if self.missing(hurt):
                self.act("Eli", "heal", who=hurt, points=10)
            else:
                self.note("Eli", "Odo has bandages for everybody, and nobody to put them on. He is almost sorry.")
        elif who == "tam":
            self.act("Chris", "condition", who=foes[0], what="dazzled by the ember", ends="end")
            self.act(GM, "tick", clock="ash-king")

    def bridge(self) -> None:
        """The wagon goes over; then the one who lives below wants its toll."""
        self.act(GM, "scene", scene="the-bridge")
        self.act(GM, "track", track="supplies", by=-1)
        self.act(GM, "tick", clock="snow")
        self.moment("before the bridge")
        crossed = self.challenge(
            "the-bridge/cross",
            ("sefa", "Climbing"),
            ("mira", "indirect", "Warding"),
            ("tam", "indirect", "Lore"),
            ("rook", "indirect", "Stealth"),
            ("odo", "prepare", "Healing"),
        )
        if crossed == "success":
            self.note("Dana", "Sefa carries the last wheel over on her shoulder, and does not look down once.")
        else:
            self.note(GM, "A rope parts. Bishop hangs in his harness and looks deeply unsurprised.")
            self.act(GM, "hurt", who="sefa", points=25)
            self.act(GM, "track", track="supplies", by=-1)
        self.act(GM, "spend", points=1, on="under the planks, something large turns over in its sleep")
        self.note("Ben", "Rook goes to see what it is. Of course he does.")
        self.act("Ben", "oppose", who="rook", skill="Stealth", against="ogre", using="Roar")
        if self.can("buy"):
            self.act("Ben", "buy")
        self.act("Ben", "settle")
        self.act(GM, "hurt", who="rook", points=5)
        self.note("Ben", "Rook looked. Rook also met the underside of the bridge on the way up.")
        sung = self.challenge(
            "the-bridge/sing",
            ("tam", "Lore"),
            ("odo", "direct", "Lore"),
            ("rook", "indirect", "Stealth"),
            ("sefa", "indirect", "Crafting"),
            ("mira", "encourage"),
            by_hand=True,
        )
        if sung == "failure":
            self.note(GM, "It is not asleep. It is listening, and it does not like the second verse.")
            self.attack("ogre", "tam")
            self.act(GM, "track", track="supplies", by=-2)
            self.note("Eli", "Odo gives it the cheese. All of the cheese.")
        else:
            self.note("Chris", "Tam sings what his grandmother sang to kettles. It snores in the right key.")
        self.act(GM, "retire", who="ogre")
        self.act(GM, "recover", condition="odo-1")

    def hollow(self) -> None:
        """Something in the ash listens; the ember has to be banked."""
        self.act(GM, "scene", scene="the-hollow")
        self.act(GM, "tick", clock="ash-king")
        self.note("Ana", "Mira stops at the first footprint. It points towards them, and there is none before it.")
        self.act(
            GM,
            "improvise",
            name="Through the drifts unheard",
            tier="alpha",
            dice=4,
            stakes="they reach the well before whatever walks here",
            hidden=True,
        )
        quiet = self.challenge("", ("rook", "Stealth"))
        if quiet != "success":
            self.act(GM, "tick", clock="ash-king")
            self.note(GM, "Behind them, one by one, the footprints turn round.")
        self.priest()
        self.pause(6)
        self.moment("before the ritual")
        begun = self.last
        self.act(GM, "open", challenge="the-hollow/ritual")
        self.act("Chris", "lead", who="tam", skill="Lore")
        self.act("Eli", "support", who="odo", how="direct", skill="Lore")
        self.take_back(begun)
        self.note("Chris", "Tam cannot do this one. He holds the ember out to Sefa, and his hands shake.")
        banked = self.challenge(
            "the-hollow/ritual",
            ("sefa", "Crafting"),
            ("tam", "direct", "Crafting"),
            ("mira", "indirect", "Warding"),
            ("odo", "prepare", "Healing"),
            ("rook", "encourage"),
            by_hand=True,
        )
        if banked == "success":
            self.note("Dana", "Sefa closes the lid. For the first time in nine days it is quiet in their heads.")
        else:
            self.act(GM, "tick", clock="ash-king", by=2)
            self.note(GM, "The ember sleeps. Far below, something that was asleep does not.")

    def priest(self) -> None:
        """The priest is back, and will bargain; it comes to blows."""
        self.act(GM, "begin", who=["mira", "cinder-priest", "sefa", "rook", "odo"], timer=2)
        self.act("Ana", "delay", after="sefa")
        self.note(GM, "'The ember', says the priest, 'for the way out. I never lie twice in a night.'")
        while self.standing("cinder-priest") and self.now.turns.round < 2:
            who = self.now.turns.current
            if who == "cinder-priest":
                self.attack("cinder-priest", self.standing("mira", "sefa", "rook")[0])
            elif who in self.weapons:
                bonus = self.now.people[who].bonus_dice > 0
                self.attack(who, "cinder-priest", bonus=bonus)
            elif who == "odo" and self.now.complications >= 5 and not self.now.people["odo"].consequences:
                self.act(GM, "strike", who="odo", what="ash in the lungs", sessions=1)
            if self.standing("cinder-priest"):
                self.act(GM, "next")
        if self.now.owed:
            self.act(GM, "forced_spend")
            self.act(GM, "spend", points=self.now.due, on="the ash remembers their names")
        self.note("Ben", "Rook picks up the robe. There is nobody in it, and it is still warm.")
        self.act(GM, "end")

    def morning(self) -> None:
        """Rest, wounds, and what is written up."""
        self.note(GM, "They sleep at the well, two and two. Nobody dreams, which is worse.")
        for who in [w for w in self.world.players() if self.now.people[w].consequences][:1]:
            self.act(self.player(who), "shed", who=who, consequence=next(iter(self.now.people[who].consequences)))
        hurt = max(self.world.players(), key=self.missing)
        if self.missing(hurt):
            self.act("Eli", "heal", who=hurt, points=40)
        self.act(GM, "bring_back", who="ogre")
        self.take_back()
        self.after_all()
        ranks = self.world.sheets["rook"].skills["Stealth"]["alpha"]
        self.act("Ben", "learn", who="rook", skill="Stealth", tier="beta")
        self.edit((("now", "tracks", "supplies", "value"), self.now.tracks["supplies"].value, 6))
        self.note("Ben", f"Rook's Stealth had been at alpha {ranks} for three sessions. Beta at last.")
        self.note(GM, "Next time: who paid the captain, and why the snow is warm. Eli brings the crisps.")
        self.moment("the end of the first night")
