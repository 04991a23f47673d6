"""A referee who knows Fen from the rules' words alone, over plain data, and shares no code with the engine.

Worlds, actions and dice come as dicts and lists, as a log writes them.
"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

LADDER = [4, 6, 8, 10, 12, 20]
NOTHING = {"increments": 0, "doubled": False, "additional": 0, "fewer": 0, "non_explosive": 0}
SHIELDS = ("shield", "armour")


def dice(text: str) -> list[int]:
    """1d4+2d8 → 4 8 8."""
    return sorted(int(d) for n, d in re.findall(r"(\d*)d(\d+)", text) for _ in range(int(n or 1)))


def both(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Changes add up; what is doubled is doubled."""
    return {k: (one.get(k, v) or other.get(k, v)) if k == "doubled" else one.get(k, v) + other.get(k, v)
            for k, v in NOTHING.items()}  # fmt: skip


class Hands:
    """The dice as they fell, handful by handful."""

    def __init__(self, hands: list[tuple[list[int], list[int]]]) -> None:
        self.left = list(hands)

    def take(self, sides: list[int]) -> list[tuple[int, int]]:
        """The next handful, which must be of these sides: each die with its face."""
        assert self.left, f"no dice fell where {sides} had to"
        fell, faces = self.left.pop(0)
        assert sorted(fell) == sorted(sides), f"{fell} fell where {sides} had to"
        return list(zip(fell, faces, strict=True))

    def total(self, throw: list[tuple[list[int], bool, bool]]) -> int:
        """A throw of some groups of dice: each its sizes, whether they explode, whether they fall twice."""
        out = 0
        for sizes, explodes, twice in throw:
            fell = self.take(sizes * 2 if twice else sizes)
            sums = [face for _, face in fell]
            live = [i for i, (side, face) in enumerate(fell) if explodes and side == face]
            while live:
                more = self.take([fell[i][0] for i in live])
                for i, (_, face) in zip(live, more, strict=True):
                    sums[i] += face
                live = [i for i, (side, face) in zip(live, more, strict=True) if side == face]
            half = len(sizes)
            out += min(sum(sums[:half]), sum(sums[half:])) if twice else sum(sums)
        return out


class Referee:
    """Says what must come of an action."""

    def __init__(self, rules: dict[str, Any], sheets: dict[str, Any], scenes: dict[str, Any]) -> None:
        self.rules, self.sheets, self.scenes = rules, sheets, scenes

    # ---- what people are

    def person(self, now: dict[str, Any], who: str) -> dict[str, Any]:
        fresh = {"hp": self.sheets[who].get("hp", 10)}
        return {"temporary": 0, "wounds": 0, "guards": {}, "minor": 0, "major": 0, "reactions": 0,
                **deepcopy(now.get("people", {}).get(who, fresh))}  # fmt: skip

    def skill(self, who: str, name: str) -> list[int]:
        found = [d for s, d in self.sheets[who].get("skills", {}).items() if s.lower() == name.lower()]
        return dice(found[0]) if found else [4]

    def wounds(self, who: str) -> int:
        die = max(self.skill(who, self.rules["wound_skill"]))
        return die // 2 if self.rules["wound_limit"] == "half" else die

    def down(self, now: dict[str, Any], who: str) -> bool:
        them = self.person(now, who)
        return bool(them["hp"] <= 0 or them["wounds"] >= self.wounds(who))

    def defense(self, now: dict[str, Any], who: str, part: str) -> int:
        item = self.sheets[who].get(part)
        return self.person(now, who)["guards"].get(part, item["defense"]) if item else 0

    # ---- what they throw

    def changes(self, now: dict[str, Any], who: str, of: str, kind: str) -> dict[str, Any]:
        them = self.person(now, who)
        said = {"all any": them.get("mods", {}), **them.get("changes", {})}
        out = dict(NOTHING)
        for throw in {"any", kind}:
            out = both(out, said.get(f"{of} {throw}", {}))
        return out

    def spent(self, now: dict[str, Any], who: str, kind: str, weapon: bool = False) -> dict[str, dict[str, Any]]:
        """What is left of somebody's changes after a throw."""
        them = self.person(now, who)
        said = {"all any": them.get("mods", {}), **them.get("changes", {})}
        gone = {f"{of} {k}" for of in ["all", "skill", *(["weapon"] if weapon else [])] for k in ("any", kind)}
        return {k: v for k, v in said.items() if v and k not in gone}

    def throw(self, now: dict[str, Any], who: str, name: str, kind: str, weapon: str = "", still: int = 0) -> Any:
        """Groups of dice after all that is done to them, in the table's order."""
        groups: dict[str, list[Any]] = {"skill": [self.skill(who, name), True, False]}
        if weapon:
            groups["weapon"] = [dice(weapon), True, False]
        own = {of: self.changes(now, who, of, kind) for of in ("all", "skill", "weapon")}
        own["all"] = both(own["all"], {**NOTHING, "non_explosive": still})
        if not weapon:
            own["skill"], own["all"] = both(own["skill"], own["all"]), dict(NOTHING)
        for step in self.rules["order"]:
            for of in list(groups):
                self._alone(groups[of], step, own[of], own["all"])
            self._together(groups, step, own["all"])
        shown = list(groups.values())
        if len(shown) == 2 and shown[0][1] == shown[1][1] and not shown[0][2] and not shown[1][2]:
            shown = [[shown[0][0] + shown[1][0], shown[0][1], False]]
        return shown

    @staticmethod
    def _alone(group: list[Any], step: str, mine: dict[str, Any], all_of_it: dict[str, Any]) -> None:
        if step == "increments":
            by = mine["increments"] + all_of_it["increments"]
            group[0] = sorted(LADDER[max(0, min(5, LADDER.index(d) + by))] for d in group[0])
        if step == "doubled" and (mine["doubled"] or all_of_it["doubled"]):
            group[0] = sorted(group[0] + group[0])
        if step == "additional":
            group[0] = sorted(group[0] + [max(group[0])] * mine["additional"])
        for _ in range(mine["fewer"] if step == "fewer" else 0):
            if len(group[0]) > 1:
                group[0].remove(max(group[0]))
            else:
                group[2] = True
        if step == "non-explosive" and mine["non_explosive"]:
            group[0], group[1] = [max(group[0])] * mine["non_explosive"], False

    @staticmethod
    def _together(groups: dict[str, list[Any]], step: str, mods: dict[str, Any]) -> None:
        def largest() -> list[Any]:
            top = max(max(g[0]) for g in groups.values())
            return next(groups[of] for of in ("skill", "weapon") if of in groups and max(groups[of][0]) == top)

        if step == "additional" and mods["additional"]:
            group = largest()
            group[0] = sorted(group[0] + [max(group[0])] * mods["additional"])
        for _ in range(mods["fewer"] if step == "fewer" else 0):
            group = largest()
            if sum(len(g[0]) for g in groups.values()) == 1:
                group[2] = True
                continue
            group[0].remove(max(group[0]))
            for of in [of for of, g in groups.items() if not g[0]]:
                del groups[of]
        if step == "non-explosive" and mods["non_explosive"]:
            group = largest()
            group[0], group[1] = [max(group[0])] * mods["non_explosive"], False
            for of in [of for of, g in groups.items() if g is not group]:
                del groups[of]

    # ---- what happens

    def harmed(self, now: dict[str, Any], who: str, damage: int, wounds: int = 0) -> dict[str, Any]:
        them = self.person(now, who)
        first, then = ("temporary", "hp") if self.rules["temporary_first"] else ("hp", "temporary")
        had = them["hp"]
        off = min(damage, them[first])
        them[first] -= off
        them[then] = max(them[then] - (damage - off), 0)
        if self.rules["wound_at_zero"] and had > 0 == them["hp"]:
            wounds += 1
        them["wounds"] = min(them["wounds"] + wounds, self.wounds(who))
        return them

    def attack(self, now: dict[str, Any], do: dict[str, Any], hands: Hands) -> dict[str, Any]:
        who, target = do["who"], do["against"]
        item = self.sheets[who].get("weapons", {}).get(do["weapon"])
        skill = item.get("skill", "fight") if item else self.rules["attack_skills"][0]
        throw = self.throw(now, who, skill, "attack", item["dice"] if item else "")
        if not self.rules["attack_explodes"]:
            throw = [[s, False, t] for s, _, t in throw]
            throw = [[sorted(throw[0][0] + throw[1][0]), False, False]] if self._plain(throw) else throw
        force = self.fell(hands, throw)
        down = self.down(now, target)
        dodge = 0 if down else self.fell(hands, self.throw(now, target, self.rules["dodge_skill"], "dodge"))
        people = {who: self.person(now, who), target: self.person(now, target)}
        out: dict[str, Any] = {"left": {who: self.spent(now, who, "attack", bool(item))}}
        if not down:
            out["left"][target] = self.spent(now, target, "dodge")
        if dodge >= force:
            out["blow"] = ("dodged", 0)
        else:
            for part in SHIELDS:
                strength = self.defense(now, target, part)
                if strength and force > strength and self.rules["breakage"]:
                    people[target]["guards"][part] = strength - 1
                force = max(force - strength, 0)
            worn = people[target]["guards"]
            people[target] = {**self.harmed(now, target, force), "guards": worn}
            out["blow"] = ("through" if force else "stopped", force)
        if who in now.get("turns", {}).get("fighters", {}) and do.get("spends", "major") != "nothing":
            people[who]["reactions" if do.get("spends") == "reaction" else "major"] += 1
        return {**out, "people": people}

    @staticmethod
    def _plain(throw: list[Any]) -> bool:
        return len(throw) == 2 and not throw[0][2] and not throw[1][2]

    @staticmethod
    def fell(hands: Hands, throw: list[Any]) -> int:
        """A throw of two groups falls in two handfuls; which comes first is the table's business."""
        if len(throw) == 2 and sorted(throw[0][0] * (1 + throw[0][2])) != sorted(hands.left[0][0]):
            throw = throw[::-1]
        return hands.total(throw)

    def contest(self, now: dict[str, Any], hands: Hands) -> dict[str, Any]:
        """Who is beaten, who is found, and what is left of everybody's changes."""
        c, turns = now["contest"], now.get("turns", {})
        mine = self.fell(hands, self.throw(now, c["who"], c["skill"], "contest"))
        beaten = []
        for who in c["defenders"]:
            if mine > self.fell(hands, self.throw(now, who, c["using"], "contest")):
                beaten.append(who)
        lost = beaten + ([c["who"]] if len(beaten) < len(c["defenders"]) else [])
        hidden = [w for w, f in turns.get("fighters", {}).items() if f.get("hidden")]
        waits = [w for w in c.get("unseen", ()) if w not in turns.get("fighters", {})]
        return {
            "beaten": beaten,
            "found": [w for w in lost if w in hidden or w in waits],
            "secret": bool({c["who"], *c["defenders"]} & {*hidden, *waits}),
            "left": {w: self.spent(now, w, "contest") for w in (c["who"], *c["defenders"])},
        }

    def sequence(self, now: dict[str, Any], hands: Hands, standing: dict[str, Any]) -> list[str]:
        """The sides in the order of what was rolled for them; a tie is the players'."""
        turns = now["turns"]
        members: dict[str, list[str]] = {}
        for who in turns["order"]:
            if not self.down(now, who):
                members.setdefault(turns["fighters"][who]["side"], []).append(who)
        late: list[str] = []
        if turns["round"] == 1 and self.rules["surprised"] != "nothing":
            caught = [s for s in members if s in now.get("rounds", {}).get("surprised", ())]
            late = caught if len(caught) < len(members) else []
        rolling = [s for s in members if s not in late]
        totals = dict.fromkeys(rolling, 0)
        if len(rolling) > 1:
            for side in rolling:
                who = standing[side]["who"]
                before = turns.get("spoke", {}).get(side, ())
                waiting = [w for w in members[side] if w not in before]
                assert who in members[side], "somebody of the side who stands rolls for it"
                assert not self.rules["rotation"] or not waiting or who in waiting, "each before anyone repeats"
                assert standing[side]["skill"] in self.rules["initiative_skills"]
                totals[side] = self.fell(hands, self.throw(now, who, standing[side]["skill"], "any"))

        def players(side: str) -> bool:
            # whose side it is does not depend on who still stands
            return any(f["side"] == side and self.sheets[w].get("player") for w, f in turns["fighters"].items())

        first = self.rules["tie_to_players"]
        ranked = sorted(rolling, key=lambda s: (-totals[s], players(s) != first))
        return ranked + (late if self.rules["surprised"] == "last" else [])

    def next_up(self, now: dict[str, Any]) -> tuple[str, list[str]]:
        """The side that acts next and who of it may: whoever stands and has not acted."""
        turns, sequence = now["turns"], list(now.get("rounds", {}).get("sequence", ()))
        holder = turns.get("holder", "")
        for side in sequence[sequence.index(holder) if holder in sequence else 0 :]:
            free = [
                w
                for w in turns["order"]
                if (f := turns["fighters"][w])["side"] == side and not f.get("acted") and not self.down(now, w)
            ]
            free = [w for w in free if w != turns.get("current", "")]
            if free:
                return side, free
        return "", []
