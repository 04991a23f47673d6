"""A referee of Tiers of Power who knows the rules by their words alone: plain data in, plain data out.

It shares no code with the engine. A state is what `now` holds as plain data, with every default filled in by `full`.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

ORDER = ("alpha", "beta", "charlie", "delta", "gamma", "omega")
SIDES = {"alpha": (4,), "beta": (6,), "charlie": (8,), "delta": (10,), "gamma": (12,), "omega": (6, 20)}
HP = {"alpha": 10, "beta": 50, "charlie": 250, "delta": 1_250, "gamma": 6_250, "omega": 31_250}
TIMES = {"alpha": 1, "beta": 5, "charlie": 25, "delta": 125, "gamma": 625, "omega": 3_125}
HOUSE = {
    "omega_hp": 31_250, "omega_multiplier": 3_125, "omega_explodes_at": 26, "most_rank": 5, "legacy_chains": True,
    "tie_rank": "written", "points_above_ten": True, "reroll_once": True, "bonus_die_from": "character",
    "unlisted_skills": False, "least_opposition": 1, "buy_in_challenge": False, "bought_margin": 1,
}  # fmt: skip


def total(levels: Any) -> int:
    """Levels of a tier: a number, or the sum over callings."""
    return sum(levels.values()) if isinstance(levels, dict) else levels


class Referee:
    """Knows the house rules and the sheets of the moment."""

    def __init__(self, rules: dict[str, Any], sheets: dict[str, Any]) -> None:
        self.house, self.sheets = {**HOUSE, **rules}, sheets

    # ---- characters

    def most_hp(self, who: str) -> int:
        hp = {**HP, "omega": self.house["omega_hp"]}
        return sum(total(n) * hp[tier] for tier, n in self.sheets[who].get("levels", {}).items())

    def tier(self, who: str) -> str:
        levels = self.sheets[who].get("levels", {})
        return max((t for t, n in levels.items() if total(n)), key=ORDER.index, default="alpha")

    def times(self, who: str) -> int:
        return int({**TIMES, "omega": self.house["omega_multiplier"]}[self.tier(who)])

    def full(self, now: dict[str, Any]) -> dict[str, Any]:
        """A state with every default filled in, as far as the rules speak of it."""
        people = {}
        for who, sheet in self.sheets.items():
            fresh = {"hp": self.most_hp(who), "bonus_dice": sheet.get("bonus_dice", 0)}
            them = now.get("people", {}).get(who, fresh)
            people[who] = {
                "hp": min(them["hp"], self.most_hp(who)),
                "bonus": them.get("bonus_dice", 0),
                "boosts": {s: n for s, n in them.get("boosts", {}).items() if n},
                "carried": sorted(
                    (c["what"], c.get("lasting", False), c.get("sessions", 1))
                    for c in them.get("consequences", {}).values()
                ),
            }
        challenge = now.get("challenge")
        if challenge is not None:
            challenge = {
                "plan": {
                    "name": challenge["plan"]["name"],
                    "tier": challenge["plan"]["tier"],
                    "dice": challenge["plan"]["dice"],
                    "keywords": sorted(challenge["plan"].get("keywords", ())),
                    "hidden": challenge["plan"].get("hidden", False),
                    "failure": challenge["plan"].get("failure", ""),
                },
                "lead": challenge.get("lead", ""),
                "skill": challenge.get("skill", ""),
                "bonus": challenge.get("bonus", False),
                "outcome": challenge.get("outcome", ""),
                "supports": {w: (s["how"], s.get("skill", "")) for w, s in challenge.get("supports", {}).items()},
            }
        turns = now.get("turns", {})
        return {
            "people": people,
            "points": (now.get("complications", 0), now.get("owed", False), now.get("due", 0)),
            "challenge": challenge,
            "roll": self.roll(now["roll"]) if now.get("roll") else None,
            "order": tuple(turns.get("order", ())),
        }

    @staticmethod
    def roll(roll: dict[str, Any]) -> dict[str, Any]:
        def side(one: dict[str, Any]) -> dict[str, Any]:
            dice = [(d["tier"], d["face"], d.get("again", 0), d.get("rerolled", False)) for d in one.get("dice", ())]
            return {"who": one.get("who", ""), "tier": one["tier"], "rank": one["rank"], "dice": dice}

        kept = {name: roll.get(name, "") for name in ("kind", "stage", "winner", "tie", "fixed", "outcome")}
        numbers = {name: roll.get(name, 0) for name in ("rerolls", "margin", "damage")}
        return {**kept, **numbers, "first": side(roll["first"]), "second": side(roll["second"])}

    def rating(self, who: str, skill: str) -> tuple[str, int]:
        """Tier and rank of a skill or item, legacy included: rank 5 one tier below gives +1, and chains."""
        name, _, wanted = skill.partition(":")
        skills, items = self.sheets[who].get("skills", {}), self.sheets[who].get("items", {})
        if name not in skills and name not in items:
            return "alpha", 1  # where the house allows it
        ranks = skills.get(name) or items[name]
        tier = wanted or max(ranks, key=ORDER.index)
        rank = before = 0
        for one in ORDER[: ORDER.index(tier) + 1]:
            written = ranks.get(one, 0)
            rank = (
                min(written + 1, self.house["most_rank"]) if written and before >= 5 and name in skills else written
            )
            before = rank if self.house["legacy_chains"] else written
        return tier, rank

    def has_skill(self, who: str, skill: str) -> bool:
        name = skill.partition(":")[0]
        anybody = any(name in sheet.get("skills", {}) for sheet in self.sheets.values())
        listed = name in self.sheets[who].get("skills", {})
        return listed or (self.house["unlisted_skills"] and anybody and name not in self.sheets[who].get("items", {}))

    # ---- dice

    def top(self, tier: str) -> int:
        return int(self.house["omega_explodes_at"]) if tier == "omega" else SIDES[tier][0]

    def thrown(self, tiers: list[str], faces: list[int]) -> list[tuple[str, int, int, bool]]:
        return [(tier, sum(faces.pop(0) for _ in SIDES[tier]), 0, False) for tier in tiers]

    def exploded(self, dice: list[Any], faces: list[int]) -> list[Any]:
        """A die at its maximum is rolled once more; the second roll never explodes."""
        out = []
        for tier, face, again, was in dice:
            bursts = face >= self.top(tier) and not again
            out.append((tier, face, sum(faces.pop(0) for _ in SIDES[tier]) if bursts else again, was))
        return out

    def pool(self, state: dict[str, Any], who: str, skill: str, bonus: bool) -> list[str]:
        tier, rank = self.rating(who, skill)
        tiers = [tier] * (rank + state["people"][who]["boosts"].get(skill.partition(":")[0], 0))
        base = self.tier(who) if self.house["bonus_die_from"] == "character" else tier
        return [*tiers, ORDER[min(ORDER.index(base) + 1, 5)]] if bonus else tiers

    def use_up(self, state: dict[str, Any], who: str, skill: str, bonus: bool) -> None:
        state["people"][who]["bonus"] -= bonus
        state["people"][who]["boosts"].pop(skill.partition(":")[0], None)

    def compare(self, roll: dict[str, Any]) -> None:
        """Higher result; then tier, rank as written, whoever began."""
        first, second = roll["first"], roll["second"]
        mine, theirs = (max((f + a for _, f, a, _ in s["dice"]), default=0) for s in (first, second))
        roll["margin"], roll["tie"] = abs(mine - theirs), ""
        if mine != theirs:
            roll["winner"] = "first" if mine > theirs else "second"
            return
        if first["tier"] != second["tier"]:
            roll["tie"], won = "tier", ORDER.index(first["tier"]) > ORDER.index(second["tier"])
        else:
            pool = self.house["tie_rank"] == "pool"
            ranks = [len(s["dice"]) if pool else s["rank"] for s in (first, second)]
            roll["tie"], won = ("first", True) if ranks[0] == ranks[1] else ("rank", ranks[0] > ranks[1])
        roll["winner"] = "first" if won else "second"

    # ---- points

    def gain(self, state: dict[str, Any], points: int) -> None:
        have, owed, due = state["points"]
        total = have + points if self.house["points_above_ten"] else min(have + points, max(10, have))
        state["points"] = (total, owed or have >= 10, due)

    @staticmethod
    def spend(state: dict[str, Any], points: int) -> None:
        have, owed, due = state["points"]
        left = have - points
        state["points"] = (left, owed, max(due - points, 0))

    @staticmethod
    def carry(state: dict[str, Any], who: str, what: str, lasting: bool, sessions: int) -> None:
        state["people"][who]["carried"] = sorted([*state["people"][who]["carried"], (what, lasting, sessions)])

    # ---- opposed rolls

    def opposed(self, state: dict[str, Any], act: dict[str, Any], faces: list[int]) -> None:
        sides = []
        for who, skill, bonus in (("who", "skill", "bonus"), ("against", "using", "their_bonus")):
            name, used, more = act[who], act[skill], act.get(bonus, False)
            tier, rank = self.rating(name, used)
            dice = self.thrown(self.pool(state, name, used, more), faces)
            sides.append({"who": name, "tier": tier, "rank": rank, "dice": dice})
        for one, (who, skill, bonus) in zip(
            sides, (("who", "skill", "bonus"), ("against", "using", "their_bonus")), strict=True
        ):
            one["dice"] = self.exploded(one["dice"], faces)
            self.use_up(state, act[who], act[skill], act.get(bonus, False))
        kind = "attack" if act["do"] == "attack" else "opposed"
        roll = {"kind": kind, "stage": "settle", "fixed": "", "outcome": "", "rerolls": 0, "damage": 0}
        state["roll"] = {**roll, "first": sides[0], "second": sides[1]}
        self.compare(state["roll"])

    def settled(self, state: dict[str, Any]) -> None:
        roll = state["roll"]
        roll["stage"] = "done"
        if roll["kind"] == "challenge":
            roll["outcome"] = self.outcome(state["challenge"], roll["winner"] == "first", roll["margin"])
            state["challenge"]["outcome"] = roll["outcome"]
            if roll["outcome"] == "failure" and roll["fixed"] != "struck":
                plan = state["challenge"]["plan"]
                words = plan["failure"] or f"shaken by {plan['name']}"
                self.carry(state, state["challenge"]["lead"], words, False, 1)
            return
        won = roll["winner"] == "first"
        roll["outcome"] = "wins" if won else "loses"
        if roll["kind"] == "attack" and won:
            roll["damage"] = roll["margin"] * self.times(roll["first"]["who"])
            them = state["people"][roll["second"]["who"]]
            them["hp"] = max(them["hp"] - roll["damage"], 0)

    # ---- challenges

    @staticmethod
    def outcome(challenge: dict[str, Any], won: bool, margin: int) -> str:
        if won:
            return "success"
        if margin >= 4:
            return "failure"
        prepared = any(how == "prepare" for how, _ in challenge["supports"].values())
        unstable = "unstable" in challenge["plan"]["keywords"]
        return "reduced complications" if prepared and not unstable else "with complications"

    def grants(self, challenge: dict[str, Any], who: str, how: str, skill: str) -> int:
        """The N of Reroll or Reduce: 2 above the challenge's tier; delicate holds Reduce at 1."""
        if not skill or not self.has_skill(who, skill):
            return 0
        above = ORDER.index(self.rating(who, skill)[0]) > ORDER.index(challenge["plan"]["tier"])
        return 1 + (above and not (how == "indirect" and "delicate" in challenge["plan"]["keywords"]))

    def given(self, challenge: dict[str, Any], wanted: str) -> list[int]:
        return [
            self.grants(challenge, who, how, skill)
            for who, (how, skill) in challenge["supports"].items()
            if how == wanted
        ]

    def led(self, state: dict[str, Any], faces: list[int]) -> None:
        challenge = state["challenge"]
        plan, lead, skill, bonus = (challenge[name] for name in ("plan", "lead", "skill", "bonus"))
        mine = self.thrown(self.pool(state, lead, skill, bonus), faces)
        prepared = sum(how == "prepare" for how, _ in challenge["supports"].values())
        dice = max(plan["dice"] - sum(self.given(challenge, "indirect")) + prepared, self.house["least_opposition"])
        theirs = self.thrown([plan["tier"]] * dice, faces)
        if any(how == "encourage" for how, _ in challenge["supports"].values()):  # natural 1s fall again, once
            mine = [
                (t, sum(faces.pop(0) for _ in SIDES[t]), 0, True) if f == 1 else (t, f, a, w) for t, f, a, w in mine
            ]
        self.use_up(state, lead, skill, bonus)
        tier, rank = self.rating(lead, skill)
        rerolls = max(self.given(challenge, "direct"), default=0)
        roll = {"kind": "challenge", "stage": "reroll", "winner": "", "tie": "", "fixed": "", "outcome": ""}
        state["roll"] = {
            **roll,
            "rerolls": rerolls,
            "margin": 0,
            "damage": 0,
            "first": {"who": lead, "tier": tier, "rank": rank, "dice": mine},
            "second": {"who": "", "tier": plan["tier"], "rank": plan["dice"], "dice": theirs},
        }
        if not rerolls or all(was for *_, was in mine):
            self.finished(state["roll"], faces)

    def finished(self, roll: dict[str, Any], faces: list[int]) -> None:
        for side in (roll["first"], roll["second"]):
            side["dice"] = self.exploded(side["dice"], faces)
        roll["stage"], roll["rerolls"] = "settle", 0
        self.compare(roll)

    def rerolled(self, state: dict[str, Any], places: list[int], faces: list[int]) -> None:
        dice = state["roll"]["first"]["dice"]
        for place in sorted(places):
            tier = dice[place][0]
            dice[place] = (tier, sum(faces.pop(0) for _ in SIDES[tier]), 0, True)
        self.finished(state["roll"], faces)

    # ---- every action

    def judge(self, now: dict[str, Any], act: dict[str, Any], faces: list[int]) -> dict[str, Any] | None:
        """What must come of an action; None where the rules leave it to the table. All faces must be used."""
        state = deepcopy(now)
        ruling = getattr(self, f"do_{act['do']}", None)
        if ruling is None:
            return None
        left = list(faces)
        ruling(state, act, left)
        assert not left, f"{act['do']}: {left} were rolled for nothing"
        return state

    def do_oppose(self, state: Any, act: Any, faces: Any) -> None:
        self.opposed(state, act, faces)

    do_attack = do_oppose

    def do_settle(self, state: Any, act: Any, faces: Any) -> None:
        self.settled(state)

    def do_roll(self, state: Any, act: Any, faces: Any) -> None:
        self.led(state, faces)

    def do_reroll(self, state: Any, act: Any, faces: Any) -> None:
        self.rerolled(state, act.get("dice", []), faces)

    def do_buy(self, state: Any, act: Any, faces: Any) -> None:
        roll = state["roll"]
        roll["winner"] = "second" if roll["winner"] == "first" else "first"
        roll["margin"], roll["fixed"] = self.house["bought_margin"], "bought"
        self.gain(state, 2)

    def do_claim(self, state: Any, act: Any, faces: Any) -> None:
        roll = state["roll"]
        low, high = (ORDER.index(self.tier(roll[s]["who"])) for s in ("first", "second"))
        assert roll["kind"] == "attack"
        assert roll["winner"] == "first"
        assert roll["margin"] >= 2
        assert low < high
        self.gain(state, 1)

    def do_force_reroll(self, state: Any, act: Any, faces: Any) -> None:
        label, _, place = act["die"].partition("/")
        dice = state["roll"][label]["dice"]
        tier, *_, was = dice[int(place)]
        assert not (was and self.house["reroll_once"])
        assert self.sheets[state["roll"][label]["who"]].get("player")
        dice[int(place)] = (tier, sum(faces.pop(0) for _ in SIDES[tier]), 0, True)
        state["roll"][label]["dice"] = self.exploded(dice, faces)
        self.compare(state["roll"])
        self.spend(state, 1)

    def do_strike(self, state: Any, act: Any, faces: Any) -> None:
        lasting = act.get("lasting", False)
        self.spend(state, 10 if lasting else 5)
        roll, who = state["roll"], act["who"]
        if roll and roll["stage"] == "settle" and who in (roll["first"]["who"], roll["second"]["who"]):
            won = "second" if roll["first"]["who"] == who else "first"
            margin = roll["margin"] if roll["winner"] == won else 0
            roll["margin"] = max(margin, 4) if roll["kind"] == "challenge" else margin
            roll["winner"], roll["fixed"] = won, "struck"
        self.carry(state, who, act["what"].strip(), lasting, act.get("sessions", 2))

    def do_spend(self, state: Any, act: Any, faces: Any) -> None:
        self.spend(state, act["points"])

    def do_forced_spend(self, state: Any, act: Any, faces: Any) -> None:
        have, _, _ = state["points"]
        size = {1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 5, 8: 5, 9: 5, 10: 10}[faces.pop(0)]
        state["points"] = (have, False, min(size, have))

    def do_boost(self, state: Any, act: Any, faces: Any) -> None:
        assert not self.sheets[act["who"]].get("player")
        boosts = state["people"][act["who"]]["boosts"]
        boosts[act["skill"]] = boosts.get(act["skill"], 0) + 1
        self.spend(state, 2)

    def do_award(self, state: Any, act: Any, faces: Any) -> None:
        away = state.get("away", ())
        everybody = [w for w, sheet in self.sheets.items() if sheet.get("player") and w not in away]
        for who in act.get("who") or everybody:
            state["people"][who]["bonus"] = min(state["people"][who]["bonus"] + act.get("dice", 1), 99)

    def do_hurt(self, state: Any, act: Any, faces: Any) -> None:
        them = state["people"][act["who"]]
        them["hp"] = max(them["hp"] - act["points"], 0)

    def do_heal(self, state: Any, act: Any, faces: Any) -> None:
        them = state["people"][act["who"]]
        them["hp"] = min(them["hp"] + act["points"], self.most_hp(act["who"]))

    def do_consequence(self, state: Any, act: Any, faces: Any) -> None:
        self.carry(state, act["who"], act["what"].strip(), act.get("lasting", False), act.get("sessions", 1))

    def do_improvise(self, state: Any, act: Any, faces: Any) -> None:
        plan = {"name": act["name"].strip(), "tier": act["tier"], "dice": act["dice"]}
        plan |= {"keywords": sorted(act.get("keywords", ())), "hidden": act.get("hidden", False)}
        plan |= {"failure": act.get("failure", "").strip()}
        empty = {"lead": "", "skill": "", "bonus": False, "outcome": "", "supports": {}}
        state["challenge"], state["roll"] = {"plan": plan, **empty}, None

    def do_bonus(self, state: Any, act: Any, faces: Any) -> None:
        state["challenge"]["bonus"] = act.get("on", True)

    def do_lead(self, state: Any, act: Any, faces: Any) -> None:
        assert self.has_skill(act["who"], act["skill"])
        name = act["skill"].partition(":")[0]
        fits = {
            who: (how, skill)
            for who, (how, skill) in state["challenge"]["supports"].items()
            if who != act["who"]
            and (how in ("encourage", "prepare") or (how == "direct") == (skill.partition(":")[0] == name))
        }
        state["challenge"] |= {"lead": act["who"], "skill": act["skill"], "bonus": False, "supports": fits}

    def do_support(self, state: Any, act: Any, faces: Any) -> None:
        challenge, who, how, skill = state["challenge"], act["who"], act["how"], act.get("skill", "")
        lead = challenge["skill"].partition(":")[0]
        rest = {w: s for w, s in challenge["supports"].items() if w != who}
        if how == "direct":
            skill = lead
        elif how != "encourage" and not skill:  # only the tier matters: the best of the others is meant
            names = set(self.sheets[who].get("skills", {}))
            if self.house["unlisted_skills"]:
                known = {n for sheet in self.sheets.values() for n in sheet.get("skills", {})}
                names |= known - set(self.sheets[who].get("items", {}))
            others = [(*self.rating(who, name), name) for name in names if name != lead]
            skill = min(others, key=lambda r: (-ORDER.index(r[0]), -r[1], r[2]))[2]
        assert who != challenge["lead"]
        assert how == "encourage" or self.has_skill(who, skill)
        assert how == "direct" or skill != lead
        if how == "indirect":
            most = 3 if "complex" in challenge["plan"]["keywords"] else 2
            assert sum(h == "indirect" for h, _ in rest.values()) < most
        challenge["supports"] = {**rest, who: (how, "" if how == "encourage" else skill)}
        if how == "prepare":
            assert "time-sensitive" not in challenge["plan"]["keywords"]
            self.gain(state, 2)

    def do_withdraw(self, state: Any, act: Any, faces: Any) -> None:
        assert state["challenge"]["supports"].pop(act["who"])[0] != "prepare"

    def do_level(self, state: Any, act: Any, faces: Any) -> None:
        """HP and their maximum rise by one level's."""
        more = {**HP, "omega": self.house["omega_hp"]}[act["tier"]]
        state["people"][act["who"]]["hp"] += more

    def do_roll_order(self, state: Any, act: Any, faces: Any) -> None:
        """Everybody who has the skill rolls it; the rest go last."""
        named = [w for w in act["taking_part"] if self.has_skill(w, act["skill"])]
        rated = {w: self.rating(w, act["skill"]) for w in named}
        pools = {w: self.pool(state, w, act["skill"], False) for w in named}

        def rank(who: str) -> int:
            return len(pools[who]) if self.house["tie_rank"] == "pool" else rated[who][1]

        by_tie = sorted(named, key=lambda w: (-ORDER.index(rated[w][0]), -rank(w), not self.sheets[w].get("player")))
        thrown = {w: self.thrown(pools[w], faces) for w in by_tie}
        results = {w: max(f + a for _, f, a, _ in self.exploded(thrown[w], faces)) for w in by_tie}
        for who in named:
            self.use_up(state, who, act["skill"], False)
        last = [w for w in act["taking_part"] if w not in named]
        rolled = sorted(by_tie, key=lambda w: -results[w])
        state["order"] = (*rolled, *sorted(last, key=lambda w: not self.sheets[w].get("player")))
        state["roll"] = None
