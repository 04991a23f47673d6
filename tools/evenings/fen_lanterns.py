"""The Lantern Road, Fen: the causeway, the toll house, the last lantern."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import ClassVar

from tabletop_tui.rules import TableView

from .table import GM, Evening


class FenLanterns(Evening):
    """Three keepers light the causeway, are ambushed, and ask the reeve whose oil that is."""

    campaign = "fen-lanterns"
    slug = "the-third-lantern"
    began = datetime(2026, 11, 27, 18, 50, tzinfo=UTC)
    seed = "fe11a47e20261150"
    weapons: ClassVar = {"wren": "lamp-pole", "teal": "sling", "sedge": "eel-spear", "thief-1": "hatchet",
                         "thief-2": "net-weights", "wight": "cold-hands"}  # fmt: skip
    keepers = ("wren", "teal", "sedge")

    def play(self) -> None:
        """Dusk, the ambush, the toll house, the last lantern."""
        self.driven = self.shouted = False
        self.dusk()
        self.ambush()
        self.pause(19)
        self.bandages()
        self.toll_house()
        self.last_lantern()

    # ---- what everybody does again and again

    def standing(self, *who: str) -> list[str]:
        """Those of them who are in the fight and can act."""
        view = self.table.view("table")
        assert isinstance(view, TableView)
        down = {person.id for person in view.people if person.out}
        return [w for w in who if w in self.now.turns.fighters and w not in down]

    def hit(self, who: str, against: str, *, by_hand: bool = False, spends: str = "major") -> None:
        """An attack with what they carry."""
        do = self.typed if by_hand else self.act
        do(self.player(who), "attack", who=who, weapon=self.weapons[who], against=against, spends=spends)

    def lit(self, by: str) -> None:
        """One lantern more, one measure of oil less."""
        self.act(by, "track", track="oil", by=-1)
        self.act(by, "track", track="lit", by=1)

    # ---- scene by scene

    def dusk(self) -> None:
        """The row of lanterns, and what sits in the reeds."""
        self.note(GM, "Ana, Ben, Caro. Fog outside as well, which is cheating. We begin at the third lantern.")
        self.act(GM, "scene", scene="the-causeway")
        self.act(GM, "tick", clock="dusk")
        self.note("Caro", "Sedge: 'That one was lit yesterday. I lit it. I remember because I burnt my thumb.'")
        self.lit("Ana")
        self.act("Ben", "roll_skill", who="teal", skill="lore of lamps", non_explosive=1)
        self.note("Ben", "Teal has no lore of lamps. Teal says that the wick is wet, as anybody would.")
        self.whisper("Two in the reeds, one in the water. The one in the water was here first.")
        self.moment("before the reeds")
        self.act(GM, "open", contest="the-causeway/reeds")
        self.act(GM, "modify", who="thief-1", additional=1)
        self.act("Ana", "help", who="wren", whom="teal")
        self.take_back(by="Ana")
        self.note("Ana", "Not Teal. Teal is talking. Wren holds the pole up for Sedge.")
        self.act("Ana", "help", who="wren", whom="sedge")
        self.act(GM, "stand_aside", who="teal")
        self.act(GM, "defend", who="teal")
        self.act(GM, "roll_contest")
        self.seen = not self.now.contest.beaten
        if self.seen:
            self.note("Caro", "Sedge points with her chin. 'Frogs don't wear boots.'")
            self.whisper("All three have seen it. Nobody is surprised, whatever I had planned.")
        else:
            self.note("Caro", "Sedge hears something. Sedge always hears something.")
        self.act(GM, "close")

    def ambush(self) -> None:
        """Sides act whole; the thieves run when one of them is down; the keeper in the water does not."""
        self.act(GM, "begin", who=[*self.keepers, "thief-1", "wight"], nobody_surprised=self.seen)
        while self.now.turns.running:
            if not self.now.rounds.sequence:
                self.stand_up()
                if self.now.turns.round == 2:
                    self.act(GM, "reveal", who="wight")
                    self.note(GM, "A hand on the plank, then a sleeve: a keeper's coat, thirty years out of date.")
            self.act(GM, "next")
            if who := self.now.turns.current:
                self.turn(who)
            elif self.now.turns.round == 2:
                self.act(GM, "join", who="thief-2", side="thieves", hidden=True)
                self.hides("thief-2")
                self.act(GM, "tick", clock="drowned")
            foes = self.standing("thief-1", "thief-2", "wight")
            if self.driven or self.now.turns.round > 4 or not (foes and self.standing(*self.keepers)):
                self.act(GM, "end")
        if self.driven:
            self.note("Ana", "Wren hums until it is gone. Then she sits down on the planks and stops humming.")
        elif self.now.people["wight"].hp == 0:
            self.note("Caro", "Sedge folds the coat. There was a keeper in it once. She buttons it up to the neck.")
        else:
            self.note(GM, "It goes under as it came, without a ring in the water. It has what it wanted: the dark.")
            self.act(GM, "tick", clock="drowned")

    def hides(self, who: str) -> None:
        """Somebody unseen hides from the keepers who stand; only the GM reads of it, unless they are found."""
        self.act(GM, "contest", who=who, contest="dodge/notice", against=self.standing(*self.keepers))
        self.act(GM, "roll_contest")
        self.act(GM, "close")
        if who in self.visible():
            self.note("Caro", "Sedge, without turning round: 'And one behind us. With a net.'")

    def stand_up(self) -> None:
        """Somebody is named for the keepers, and initiative is rolled."""
        free = self.open("stand", "who")
        mine = [w for w in ("sedge", "wren", "teal") if w in free]
        if mine:
            self.act(self.player(mine[0]), "stand", who=mine[0], skill="notice" if mine[0] != "teal" else "dodge")
        if "thief-1" in free and self.now.turns.round == 1:
            self.act(GM, "stand", who="thief-1", skill="dodge")
        do = self.typed if self.now.turns.round == 3 else self.act
        do(GM, "initiative")

    def turn(self, who: str) -> None:
        """One turn in the fight."""
        thieves, hidden = self.standing("thief-1", "thief-2"), self.now.turns.fighters[who].hidden
        if who == "wight" and hidden and self.now.turns.round == 1:
            self.act(GM, "act", who="wight", cost="minor", what="comes up under the planks")
        elif who not in self.keepers:
            if hidden:
                self.act(GM, "reveal", who=who)
                self.note(GM, "The reeds stand up. They have a net.")
            target = max(self.standing(*self.keepers), key=lambda w: self.now.people[w].hp)
            self.hit(who, target)
            wren_can = "wren" in self.standing("wren") and not self.now.people["wren"].reactions
            if target != "wren" and wren_can and self.now.blow.result == "through" and self.standing(who):
                self.hit("wren", who, spends="reaction")
        elif who == "wren" and self.now.turns.round > 2 and "wight" in self.visible() and not self.driven:
            self.flare()
        else:
            self.keeper_turn(who, thieves)
        if len(thieves) > len(self.standing("thief-1", "thief-2")) and not self.shouted:
            self.thieves_run()

    def visible(self) -> list[str]:
        """Foes in sight who can still act."""
        fighters = self.now.turns.fighters
        return [w for w in self.standing("thief-1", "thief-2", "wight") if not fighters[w].hidden]

    def keeper_turn(self, who: str, thieves: Sequence[str]) -> None:
        """Somebody of the keepers: a minor action, then a blow."""
        what = {
            "wren": "puts the pole across the planks",
            "teal": "talks, to nobody in particular, as if at a fair",
            "sedge": "is somewhere else now",
        }
        if not self.visible():
            self.act(self.player(who), "act", who=who, cost="major", what="looks, and sees nothing but fog")
            return
        if self.now.people[who].hp < 4:
            self.act(self.player(who), "act", who=who, cost="major", what="gets behind the lantern post, and stays")
            return
        self.act(self.player(who), "act", who=who, cost="minor", what=what[who])
        target = next((w for w in self.visible() if w in thieves), self.visible()[0])
        if who == "wren" and self.now.turns.round == 2:
            self.note("Ana", "The lamp at the end of the pole is still burning. It should count for something.")
            self.act(GM, "modify", who="wren", additional=1, of="weapon")
        if who == "teal" and self.now.turns.round == 2:
            slip = self.last
            self.hit("teal", self.visible()[-1])
            self.take_back(slip, by="Ben")
            self.note("Ben", "Forgot the fog. One die fewer, I know, I know.")
            self.act(GM, "modify", who="teal", fewer=1)
        self.hit(who, target, by_hand=who == "sedge")

    def flare(self) -> None:
        """Fire is what the drowned fear."""
        if self.now.contest and self.now.contest.title == "Swing the burning lantern":
            self.act("Ana", "next_round", contest="fight/will")
        else:
            self.act("Ana", "open", contest="the-causeway/flare")
            for gone in [w for w in self.now.contest.defenders if w not in self.visible()]:
                self.act(GM, "stand_aside", who=gone)
            self.act(GM, "track", track="oil", by=-1)
        for friend in self.standing("teal", "sedge")[:1]:
            self.act(self.player(friend), "help", who=friend, whom="wren")
        self.typed("Ana", "roll_contest")
        self.act("Ana", "act", who="wren", cost="major", what="the burning lantern, once around her head")
        beaten = list(self.now.contest.beaten)
        if beaten:
            self.act(GM, "apply", who="all")
        if "wight" in beaten:
            self.driven = True
            self.act(GM, "leave", who="wight")
        for foe in [w for w in beaten if w != "wight" and w in self.standing(w)]:
            self.act(GM, "leave", who=foe)

    def thieves_run(self) -> None:
        """One is down: the other has seen enough."""
        self.shouted = True
        for foe in self.standing("thief-1", "thief-2"):
            if self.now.turns.fighters[foe].hidden:
                self.whisper("The one with the net has seen enough, and nobody has seen him.")
            else:
                self.note(GM, "The other one lets go of everything he holds, and the fog has him.")
            self.act(GM, "leave", who=foe)

    def bandages(self) -> None:
        """What the fight cost."""
        people = self.now.people
        for who in self.keepers:
            if people[who].hp < self.world.sheets[who].hp:
                self.act(self.player(who), "heal", who=who, hp=3)
        self.act("Ben", "heal", who="teal", temporary=2)
        if "wren" in self.open("mend", "who"):
            self.act("Ana", "mend", who="wren", part=self.open("mend", "part", who="wren")[0])
        self.act(GM, "hurt", who="sedge", damage=1)
        self.note("Caro", "Sedge has stepped on a fish hook. She has had worse. She has had it in the same foot.")
        for condition in [i for i, c in self.now.conditions.items() if c.what == "driven back"][:1]:
            self.act(GM, "recover", condition=condition)
        self.act(GM, "wound", who="thief-1", by=1)
        self.lit("Caro")
        self.act(GM, "tick", clock="dusk")
        self.act(GM, "condition", who="wren", what="cold to the bone")
        self.moment("the third lantern burns")

    def toll_house(self) -> None:
        """A dry room, and a man who would like to be found out."""
        self.act(GM, "scene", scene="the-toll-house")
        self.whisper("If Teal is kind to him, give it away. If Teal is clever, make it hard.")
        self.note("Ben", "Teal: 'Oswin, son of Hild. She'd be ashamed of the state of this lamp glass.'")
        self.act(
            "Ana", "contest", who="wren", contest="will/cognition", against=["reeve"], stakes="a chair, and soup"
        )
        self.act("Ana", "roll_contest")
        soup = "Soup." if self.now.contest.beaten else "No soup."
        self.note("Ana", f"{soup} Wren has been looked at by worse, across better tables.")
        self.act(GM, "close")
        won = self.ledger()
        if won:
            self.note(GM, "He turns the book round, so that they can read it. He has wanted to for a month.")
        else:
            self.note(GM, "The reeve stands up. 'The road is closed for the night', he says. It is his road.")
        self.act("Caro", "contest", who="sedge", contest="notice/articulate", against=["reeve"], hidden=True)
        self.act("Caro", "stakes", stakes="where the oil goes when it is dark", risk="he stops talking")
        self.act("Caro", "roll_contest")
        if self.now.contest.beaten:
            self.note("Caro", "Sedge: 'He looks at the trapdoor every time somebody says barrel. Barrel. See?'")
        self.act(GM, "close")
        self.note("Ana", "'Not that door', says the reeve, and stands in front of it. So it is that door.")
        self.act(GM, "open", contest="the-toll-house/shoulder")
        self.act("Caro", "help", who="sedge", whom="wren")
        self.act("Ana", "roll_contest")
        self.act(GM, "apply", who=self.open("apply", "who")[0])
        self.act(GM, "close")

    def ledger(self) -> bool:
        """Three rounds of words, each with another pair of skills; who has two has the ledger."""
        self.act("Ben", "open", contest="the-toll-house/ledger")
        self.act(GM, "modify", who="reeve", increments=1)
        won = 0
        for pair in ("", "cognition/will", "articulate/cognition"):
            if pair:
                self.act("Ben", "next_round", contest=pair)
            if pair == "articulate/cognition":
                self.act("Ben", "skills", contest="articulate/notice")
            (self.act if pair else self.typed)("Ben", "roll_contest")
            won += bool(self.now.contest.beaten)
        if self.now.contest.beaten:
            self.act(GM, "apply", who="reeve")
        self.act(GM, "close")
        return won > 1

    def last_lantern(self) -> None:
        """Oil, light, and who keeps the road."""
        self.act(GM, "track", track="oil", by=4)
        self.note("Ana", "Wren carries the barrel. She carries the reeve's lamp glass, too, and pays for it.")
        self.act(GM, "scene", scene="the-causeway")
        self.act(GM, "tick", clock="dusk", by=2)
        self.lit("Ben")
        oil = self.now.tracks["oil"].value
        self.edit((("now", "tracks", "oil", "value"), oil, oil - 1))
        self.edit((("sheets", "sedge", "skills", "vigor"), "1d6", "1d8"))
        self.note("Caro", "Sedge's vigor is a d8 from tonight. She is nearly fifteen.")
        self.act(GM, "retire", who="thief-1")
        self.act(GM, "retire", who="reeve")
        self.take_back()
        self.after_all()
        self.act(GM, "bring_back", who="reeve")
        for condition in [i for i, c in self.now.conditions.items() if c.who == "wren"]:
            self.act(GM, "recover", condition=condition)
        self.note(GM, "Behind them, under the water, somebody lights a lantern of their own. We stop there.")
        self.act(GM, "tick", clock="drowned")
        self.moment("a light under the water")
