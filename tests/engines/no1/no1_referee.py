"""A referee who knows the rules and not the engine.

It is given plain data (the live state before an action, the action, the faces that fell) and says what must come of
it, from the words of the rules alone. Nothing of the engine is imported here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

Data = dict[str, Any]
DICE = (4, 6, 8, 10, 12)
HEROES, FOES = "heroes", "foes"


class Referee:
    """The rules of one campaign: house rules, sheets and scenes as they were written."""

    def __init__(
        self, rules: Data, sheets: Data, scenes: Data, checks: Mapping[str, Callable[[int, Data], bool]]
    ) -> None:
        self.rules, self.sheets, self.scenes, self.checks = rules, sheets, scenes, checks

    def house(self, key: str, usual: Any) -> Any:
        return self.rules.get(key, usual)

    # ---- looking

    def sheet(self, now: Data, who: str) -> Data:
        found: Data = self.sheets.get(now.get("copies", {}).get(who, who), {})
        return found

    def side(self, now: Data, who: str) -> str:
        fighter = fighters(now).get(who)
        if fighter:
            return str(fighter["side"])
        return HEROES if self.sheet(now, who).get("player") else FOES

    def ranks(self, now: Data, who: str, trait: str) -> int:
        spent = now.get("spent", {}).get(who, {}).get(trait, 0)
        return max(int(self.sheet(now, who).get("traits", {}).get(trait, 0)) - int(spent), 0)

    def focus(self, now: Data, who: str) -> str:
        sheet = self.sheet(now, who)
        return str(sheet.get("focus") or next(iter(sheet.get("traits", {})), ""))

    def hazard(self, now: Data, roller: str) -> int:
        """The hazards of the roller's zone add up: its own, and those of characters who are one and are seen."""
        zone = now.get("positions", {}).get(roller, "here")
        total = sum(now.get("zones", {}).get(zone, {}).get("hazards", {}).values())
        for who, where in now.get("positions", {}).items():
            fighter = fighters(now).get(who, {})
            gone = fighter.get("out") or who in now.get("retired", ())
            unseen = fighter.get("hidden") and not self.house("hidden_hazards", False)
            counts = self.house("own_hazard", True) if who == roller else not unseen
            if where == zone and counts and not gone:
                total += self.sheet(now, who).get("hazard", 0)
        return int(total)

    # ---- a roll

    def pool(self, now: Data, who: str, skill: str, modifier: int) -> tuple[int, ...]:
        """Challenge and modifiers, at least one; the skill's die; then a d4 for each hazard that was not defied."""
        rating = self.sheet(now, who).get("skills", {}).get(skill)
        die = int(self.house("plain_die", 6)) if rating is None else DICE[rating]
        count: int = max(now.get("challenge", 1) + modifier, 1)
        hazards: int = max(self.hazard(now, who) - now.get("defied", {}).get(who, 0), 0)
        return (die,) * count + (4,) * hazards

    def rolled(self, now: Data, action: Data, hands: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Data:
        """An Action or a Shift."""
        who, kind = action["who"], "action" if action["do"] == "act" else action["how"]
        after = deepcopy(now)
        sides = self.pool(now, who, action.get("skill", ""), action.get("modifier", 0))
        assert tuple(hands[0][0]) == sides, f"rolled {hands[0][0]} instead of {sides}"
        boosts = now.get("boosts", {}).get(who, 0)
        bonus = sum(hands[1][1]) if boosts else 0
        assert len(hands) == 1 + bool(boosts)
        assert not boosts or tuple(hands[1][0]) == (4,) * boosts
        for used in ("defied", "boosts"):
            after.get(used, {}).pop(who, None)
        if running(now):
            after.setdefault("taken" if kind == "action" else "shifted", {})[who] = now["turns"]["round"]
        if fighters(now).get(who, {}).get("hidden"):
            after["turns"]["fighters"][who]["hidden"] = False  # whoever rolls is seen
        roll = {"kind": kind, "who": who, "faces": list(hands[0][1]), "sides": list(sides), "bonus": bonus}
        roll |= {"trait": action.get("trait") or self.focus(now, who), "to": action.get("zone", "")}
        return self.waits_or_counts(after, roll)

    def waits_or_counts(self, now: Data, roll: Data) -> Data:
        """A 1 with a rank left waits for an answer; everything else counts."""
        if 1 in roll["faces"] and self.ranks(now, roll["who"], roll["trait"]):
            return {**now, "roll": {**roll, "pending": True}}
        return self.counts(now, roll)

    def rerolled(self, now: Data, roll: Data, places: Sequence[int], faces: Sequence[int]) -> Data:
        """Each unspent rank buys the reroll of one die that shows 1."""
        after, roll = deepcopy(now), deepcopy(roll)
        assert len(places) <= self.ranks(now, roll["who"], roll["trait"])
        for place, face in zip(places, faces, strict=True):
            assert roll["faces"][place] == 1
            roll["faces"][place] = face
        spent = after.setdefault("spent", {}).setdefault(roll["who"], {})
        spent[roll["trait"]] = spent.get(roll["trait"], 0) + len(places)
        return self.waits_or_counts(after, roll)

    def counts(self, now: Data, roll: Data) -> Data:
        """Hits count either way; a 1 that stays hands over the Initiative and adds Entropy, none adds Momentum."""
        after, who = deepcopy(now), roll["who"]
        clean, mine = 1 not in roll["faces"], self.side(now, who)
        hits = sum(face >= self.house("target", 4) for face in roll["faces"]) + roll["bonus"]
        action = roll["kind"] == "action"
        holds = not running(now) or now["turns"].get("holder") == mine
        seen = [f for f in fighters(now).values() if f["side"] != mine and not f.get("out") and not f.get("hidden")]
        if running(now) and action and not clean and holds and seen:
            after["turns"]["holder"] = HEROES if mine == FOES else FOES
            if not self.house("shift_after_seizure", False):
                after.setdefault("shifted", {})[who] = now["turns"]["round"]
        counter = self.counter(mine, clean, action, holds)
        if counter:
            after[counter] = after.get(counter, 0) + 1
        if roll["kind"] == "defy" and hits:
            after.setdefault("defied", {})[who] = hits
        if roll["kind"] == "advantage" and hits:
            zone = now.get("positions", {}).get(who, "here")
            held = after.setdefault("advantages", {}).setdefault(mine, {})
            held[zone] = held.get(zone, 0) + hits
        if roll["kind"] == "move":
            after["positions"][who] = roll["to"]
        return {**after, "roll": {**roll, "pending": False, "hits": hits, "clean": clean}}

    def counter(self, mine: str, clean: bool, action: bool, holds: bool) -> str:
        if clean and not action and not self.house("shift_momentum", False):
            return ""
        if clean and not holds and self.house("momentum_needs_initiative", True):
            return ""
        if mine == HEROES:
            return "momentum" if clean else "entropy"
        if not self.house("foes_move_counters", False):
            return ""
        return "entropy" if clean else "momentum"

    # ---- rounds

    def round_ends(self, now: Data) -> Data:
        """The Timer drops by 1; at 0 the counters are compared, else everybody may go again."""
        after = deepcopy(now)
        turns = after["turns"]
        timer = turns.get("timer")
        if timer is not None and timer <= 1:
            turns |= {"timer": 0, "current": ""}
            return {**after, "verdict": compared(now)}
        if timer is not None:
            turns["timer"] = timer - 1
        return self.round_begins(after)

    def round_begins(self, after: Data) -> Data:
        turns = after["turns"]
        left = {f["side"] for f in fighters(after).values() if not f.get("out") and not f.get("hidden")}
        if left and turns.get("holder") not in left:
            turns["holder"] = HEROES if turns["holder"] == FOES else FOES
        turns |= {"round": turns["round"] + 1, "current": ""}
        for fighter in turns["fighters"].values():
            fighter["acted"] = False
        return after

    def timed(self, now: Data, challenge: int, timer: int | None) -> Data:
        """Another Challenge or Timer. More time where it had run out begins a round."""
        after = deepcopy(now)
        over = running(now) and now["turns"].get("timer") == 0
        after["challenge"] = min(max(challenge, 1), 30)
        if running(now):
            after["turns"]["timer"] = timer
        if over and timer != 0:
            self.round_begins(after)
        if timer != 0:
            after["verdict"] = ""
        elif running(now) and not over:
            after["turns"]["current"] = ""
            after["verdict"] = compared(after)
        return after

    # ---- spending

    def manoeuvre(self, now: Data, action: Data, faces: Sequence[int]) -> Data:
        """The cost is paid either way; the effects hold where the check succeeds. Nothing goes below 0."""
        name = action["manoeuvre"]
        plan = self.rules["manoeuvres"][name]
        assert now.get("momentum", 0) >= plan.get("cost", 0)
        owners = {*plan.get("of", ()), *(w for w, s in self.sheets.items() if name in s.get("talents", ()))}
        assert not owners or not action.get("who") or action["who"] in owners
        after = deepcopy(now)
        after["momentum"] = now.get("momentum", 0) - plan.get("cost", 0)
        if name in self.checks and not self.checks[name](faces[0], after):
            return after
        does = plan.get("effects", {})
        for counter in ("momentum", "entropy"):
            after[counter] = max(after.get(counter, 0) + does.get(counter, 0), 0)
        timer = now["turns"].get("timer") if running(now) else None
        later = None if timer is None else min(max(timer + does.get("timer", 0), 0), 100)
        challenge = now.get("challenge", 1) + does.get("challenge", 0)
        if (challenge, later) != (now.get("challenge", 1), timer):
            return self.timed(after, challenge, later)
        return after

    def advantage(self, now: Data, action: Data) -> Data:
        """One less in the zone: 1d4 bonus hits, a hazard die less, or 1 Entropy less."""
        after, who = deepcopy(now), action["who"]
        zone = now.get("positions", {}).get(who, "here")
        held = after["advantages"][self.side(now, who)]
        assert held[zone] > 0
        if not self.house("own_advantage", True):
            own = now.get("makers", {}).get(self.side(now, who), {}).get(zone, {}).get(who, 0)
            assert held[zone] > own, "somebody spent an advantage of their own"
        held[zone] -= 1
        if not held[zone]:
            del held[zone]
        if action["on"] == "entropy":
            return {**after, "entropy": max(now.get("entropy", 0) - 1, 0)}
        waits = after.setdefault("boosts" if action["on"] == "hits" else "defied", {})
        waits[who] = waits.get(who, 0) + 1
        return after

    def contest(self, now: Data, action: Data, hands: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Data:
        """Declined, accepted, or a round of it."""
        after = deepcopy(now)
        duel = after["duel"]
        both = (duel["challenger"], duel["other"])
        if action["do"] == "decline":
            duel |= {"stage": "over", "declined": True}
            return self.gains(after, both[0], self.house("contest_decline", 2))
        if action["do"] == "accept":
            assert list(hands[0][0]) == [self.house("contest_die", 4)] * 2
            duel |= {"stage": "fought", "rounds": sum(hands[0][1])}
            return after
        hits = []
        for who, skill, (_, faces) in zip(
            both, (action.get("skill", ""), action.get("using", "")), hands, strict=True
        ):
            used = duel.setdefault("used", {}).setdefault(who, {})
            earlier = used.get(skill, 0) * self.house("contest_repeat", 1)
            hits.append(max(sum(f >= self.house("target", 4) for f in faces) - earlier, 0))
            used[skill] = used.get(skill, 0) + 1
        duel["round"] = duel.get("round", 0) + 1
        won = duel.setdefault("won", {})
        if hits[0] != hits[1]:
            taker = both[0] if hits[0] > hits[1] else both[1]
            won[taker] = won.get(taker, 0) + 1
        if duel["round"] < duel["rounds"]:
            return after
        lead = won.get(both[0], 0) - won.get(both[1], 0)
        winner = "" if not lead else both[0] if lead > 0 else both[1]
        duel |= {"stage": "over", "winner": winner}
        return self.gains(after, winner, self.house("contest_win", 5)) if winner else after

    def gains(self, after: Data, who: str, points: int) -> Data:
        counter = "momentum" if self.side(after, who) == HEROES else "entropy"
        return {**after, counter: after.get(counter, 0) + points}


def fighters(now: Data) -> Data:
    found: Data = now.get("turns", {}).get("fighters", {})
    return found


def running(now: Data) -> bool:
    return bool(now.get("turns", {}).get("order"))


def compared(now: Data) -> str:
    lead = now.get("momentum", 0) - now.get("entropy", 0)
    return "level" if not lead else HEROES if lead > 0 else FOES
