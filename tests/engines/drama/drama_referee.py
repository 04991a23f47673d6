"""A referee who has read the rules and nothing of the engine: outcomes derived again from what lies on the table.

It sees only plain data, as it stands in logs and files: sheets, live state, the words of an action, faces of dice.
"""

from __future__ import annotations

from typing import Any

Data = dict[str, Any]
BASE = {"very easy": 4, "straightforward": 2}
AGAINST = {"troublesome": 2, "difficult": 4, "very challenging": 6, "extremely hard": 8, "formidable": 10}
ATTRIBUTES = ("Physical", "Agility", "Mental", "Social")
POINT = {"plain": 1, "connection": 2}
Pool = tuple[int, int, int]
"""Base, resistance and drama dice."""


def add(*pools: Pool) -> Pool:
    """Pools put together."""
    return sum(p[0] for p in pools), sum(p[1] for p in pools), sum(p[2] for p in pools)


# ---- reading dice


def net(side: Data) -> int:
    """Base 5, 6: +1. Resistance 1, 2: −1. Drama 4, 5, 6: +1, and 1: −1, with whatever its 6s brought."""
    count = 0
    for die in side.get("dice", ()):
        faces = [die["face"], *die.get("again", ())]
        if die["pool"] == "base":
            count += (5 if die.get("raised") else faces[0]) in (5, 6)
        elif die["pool"] == "resistance":
            count -= faces[0] in (1, 2)
        else:
            count += sum(face in (4, 5, 6) for face in faces) - faces.count(1)
    return count


def ones(side: Data) -> int:
    """1s on drama dice."""
    drama = [die for die in side.get("dice", ()) if die["pool"] == "drama"]
    return sum([die["face"], *die.get("again", ())].count(1) for die in drama)


def chains(side: Data) -> bool:
    """Does every drama 6 bring one more die, and nothing else any?"""
    for die in side.get("dice", ()):
        faces = [die["face"], *die.get("again", ())]
        if die["pool"] != "drama" and len(faces) > 1:
            return False
        if die["pool"] == "drama" and (any(face != 6 for face in faces[:-1]) or faces[-1] == 6):
            return False
    return True


def team(roll: Data, key: str) -> list[Data]:
    """A side, and those who work together with it."""
    return [roll["sides"][key], *(s for s in roll["sides"].values() if s.get("joins") == key)]


def reached(sides: list[Data]) -> int:
    """Nets are added, negatives too; the price makes two of one."""
    found = sum(net(side) for side in sides)
    return 2 if found == 1 and any(side.get("paid") for side in sides) else found


def fell(side: Data) -> Pool:
    """How many dice of each kind lie there."""
    pools = [die["pool"] for die in side.get("dice", ())]
    return pools.count("base"), pools.count("resistance"), pools.count("drama")


# ---- building


class Sheets(Data):
    """Sheets by id; one of several of a kind, porter#2, has that of the first."""

    def __missing__(self, who: str) -> Any:
        stem, copy, _ = who.partition("#")
        if not copy:
            raise KeyError(who)
        return self[stem]


class Referee:
    """Knows the sheets and the house rules, and remembers who won the last round between two."""

    def __init__(self, rules: Data, sheets: Data) -> None:
        self.rules, self.sheets = rules, Sheets(sheets)

    def attribute(self, who: str, name: str) -> int:
        """One that is not written is 0."""
        return int(self.sheets[who].get("attributes", {}).get(name, 0))

    def built(self, who: str, using: str, which: str, now: Data) -> tuple[Pool, str]:
        """What somebody uses, as dice, and the attribute that goes with it."""
        sheet = self.sheets[who]
        if using in ATTRIBUTES:
            return (max(2 * self.attribute(who, using), 0), 0, 0), using
        if using == "Composure":
            return (self.left(who, "composure", now), 0, 0), which or "Social"
        if using.startswith("pool:"):
            return (self.left(who, using[5:], now), 0, 0), which or "Social"
        if using in sheet.get("skills", {}):
            skill = sheet["skills"][using]
            which = which or skill.get("attribute", "Mental")
            value, trained = self.attribute(who, which), skill["value"]
            weak = value < trained if self.rules["weak_attribute"] == "lower" else 2 * value <= trained
            return (max(value + trained, 0), 2 if value <= 0 else int(weak), 0), which
        how, name = using.split(":", 1)
        lived, value = min(sheet["backgrounds"][name], 3), self.attribute(who, which)
        stretch = lived if how == "indirect" else 0
        return (max(value + lived, 0), stretch + (2 if value <= 0 else int(lived > value)), 0), which

    def left(self, who: str, pool: str, now: Data) -> int:
        """What is left of a currency pool."""
        people = now.get("people", {})
        return int(people[who].get(pool, 0) if who in people else self.sheets[who].get(pool, 0))

    def penalties(self, who: str, now: Data) -> dict[str, int]:
        """Penalty dice by their ids."""
        carried = now.get("people", {}).get(who, {}).get("penalties", {})
        return {i: penalty["dice"] for i, penalty in carried.items()}

    def put_in(self, who: str, now: Data, passion: str = "", point: str = "", turned: str = "") -> Pool:
        """Penalties in every test; a passion, a Drama Point, and a penalty that helps for once."""
        carried = self.penalties(who, now)
        drama = self.sheets[who].get("passions", {}).get(passion, 0) + carried.get(turned, 0)
        drama += POINT.get(point, 3) if point else 0
        return 0, sum(dice for i, dice in carried.items() if i != turned), drama

    def hand(self, who: str, which: str, using: str) -> Pool:
        """The helper's attribute; twice in a test of the attribute alone."""
        return max(self.attribute(who, which) * (2 if using in ATTRIBUTES else 1), 0), 0, 0

    # ---- whole pools, by the words of an action

    def test(self, do: Data, now: Data) -> dict[str, Pool]:
        """A test in one go."""
        who, using = do["who"], do["using"]
        base, which = self.built(who, using, do.get("attribute", ""), now)
        level = do.get("difficulty", "some")
        found = [base, (BASE.get(level, 0), AGAINST.get(level, 0), 0)]
        found.append(self.put_in(who, now, do.get("passion", ""), do.get("point", ""), do.get("turned", "")))
        found.append((do.get("more_base", 0), do.get("more_resistance", 0), do.get("more_drama", 0)))
        if target := do.get("resisted_by", ""):
            sheet, resist = self.sheets[target], do.get("resist", "")
            skill = sheet.get("skills", {}).get(resist)
            found.append((0, max(skill["value"] if skill else self.attribute(target, resist), 0), 0))
        if helper := do.get("hand", ""):
            found.append(self.hand(helper, which or "Social", using))
        return {who: add(*found, (0, 0, len(do.get("given_by", ()))))}

    def opposed(self, do: Data, now: Data) -> dict[str, Pool]:
        """Two pools, and those who work together with either."""
        found: dict[str, Pool] = {}
        for who, mine, word in ((do["who"], "", "more_"), (do["against"], "their_", "their_")):
            using = do[f"{mine}using"]
            base, which = self.built(who, using, do.get(f"{mine}attribute", ""), now)
            more = (do.get(f"{word}base", 0), do.get(f"{word}resistance", 0), do.get(f"{word}drama", 0))
            extras = [do.get(f"{mine}{what}", "") for what in ("passion", "point", "turned")]
            hands = [self.hand(one, which or "Social", using) for one in do.get(f"{mine}hands", ())]
            given = (0, 0, len(do.get(f"{mine}given_by", ())))
            found[who] = add(base, more, self.put_in(who, now, *extras), given, *hands)
            if mate := do.get(f"{mine}together", ""):
                with_what = do.get(f"{mine}together_using", "") or using
                lived = with_what.startswith(("direct:", "indirect:"))
                own, _ = self.built(mate, with_what, (do.get(f"{mine}attribute") or "Social") if lived else "", now)
                found[mate] = add(own, (0, more[1], 0), self.put_in(mate, now))
        return found

    def task(self, now: Data) -> dict[str, Pool]:
        """A test that was prepared: everybody who rolls has all that is against them, the lead what helps."""
        task, found = now["task"], {}
        level, more = task.get("difficulty", "some"), task.get("more", {})
        against = [(BASE.get(level, 0), AGAINST.get(level, 0) + more.get("resistance", 0), 0)]
        if target := task.get("target", ""):
            skill = self.sheets[target].get("skills", {}).get(task["resist"])
            against.append((0, max(skill["value"] if skill else self.attribute(target, task["resist"]), 0), 0))
        if task.get("chain"):
            chain = now["complex"]
            dice = chain["plan"]["dimensions"][chain.get("at", 0)].get("resistance", 0)
            against.append((0, max(dice - (2 if chain.get("tried", 0) else 0), 0), 0))
        for who, entry in task["crew"].items():
            base, _ = self.built(who, entry["using"], entry.get("attribute", ""), now)
            extras = [entry.get(what, "") for what in ("passion", "point", "turned")]
            given = sum(gift.get("dice", 1) for gift in task.get("gifts", {}).values() if gift["to"] == who)
            found[who] = add(base, *against, self.put_in(who, now, *extras), (0, 0, given))
            if who == task["lead"]:
                hands = [self.hand(one, which, entry["using"]) for one, which in task.get("hands", {}).items()]
                found[who] = add(found[who], (more.get("base", 0), 0, more.get("drama", 0)), *hands)
        return found

    def split(self, do: Data, now: Data) -> dict[str, Pool]:
        """A base pool divided, each part with all the resistance; what is put in goes into the named part."""
        who, using, foes = do["who"], do["using"], do["against"]
        (base, weak, _), which = self.built(who, using, do.get("attribute", ""), now)
        shares = [int(word) for word in do.get("shares", "").replace(",", " ").split()]
        shares = shares or [base // len(foes) + (i < base % len(foes)) for i in range(len(foes))]
        assert sum(shares) == base
        assert min(shares) >= 1
        answers = {
            foe: a.removeprefix(f"{foe}:") for foe in foes for a in do.get("answers", ()) if a.startswith(f"{foe}:")
        }
        named, found = do.get("into") or foes[0], {}
        for place, foe in enumerate(foes):
            theirs = answers.get(foe) or self.best(foe, now)
            own, at = self.built(foe, theirs, "", now)
            mine, other = [(shares[place], weak, 0)], [own]
            if foe == named:
                mine += [self.put_in(who, now, *(do.get(what, "") for what in ("passion", "point", "turned")))]
                mine += [(do.get("more_base", 0), do.get("more_resistance", 0), do.get("more_drama", 0))]
                mine += [self.hand(one, which or "Social", using) for one in do.get("hands", ())]
                mine += [(0, 0, len(do.get("given_by", ())))]
                other += [
                    self.put_in(foe, now, *(do.get(f"their_{what}", "") for what in ("passion", "point", "turned")))
                ]
                other += [(0, 0, len(do.get("their_given_by", ())))]
                other += [self.hand(one, at or "Social", theirs) for one in do.get("their_hands", ())]
                for word, led, extra in (("", using, do.get("more_resistance", 0)), ("their_", theirs, 0)):
                    if mate := do.get(f"{word}together", ""):
                        with_what = do.get(f"{word}together_using", "") or led
                        lived = with_what.startswith(("direct:", "indirect:"))
                        asked = "" if word else do.get("attribute", "")
                        pool, _ = self.built(mate, with_what, (asked or "Social") if lived else "", now)
                        found[mate] = add(pool, (0, extra, 0), self.put_in(mate, now))
            else:
                mine, other = [*mine, self.put_in(who, now)], [*other, self.put_in(foe, now)]
            found[f"{who}/{place + 1}"], found[foe] = add(*mine), add(*other)
        return found

    def best(self, who: str, now: Data) -> str:
        """The skill, or attribute alone, with the most base dice."""
        ways = [*self.sheets[who].get("skills", {}), *ATTRIBUTES]
        return str(max(ways, key=lambda using: self.built(who, using, "", now)[0][0]))

    def contest(self, now: Data) -> dict[str, Pool]:
        """Both parties: what they argue with, the lines that it has room for, hands, drama dice, penalties."""
        found = {}
        for who, party in now["contest"]["parties"].items():
            base, _ = self.built(who, party["using"], party.get("attribute", "Social"), now)
            room, told = base[0], [0, 0]
            for line in sorted(party.get("lines", {}).values(), key=lambda one: one.get("hidden", False)):
                dice = line.get("dice", 1)
                if dice <= room:  # narrative dice are at most as many as mechanical ones
                    room -= dice
                    told[line["kind"] in ("passion", "risk")] += dice
            hands = [self.hand(one, which, party["using"]) for one, which in party.get("hands", {}).items()]
            given = sum(gift.get("dice", 1) for gift in party.get("gifts", {}).values())
            mine = self.put_in(who, now, "", party.get("point", ""), party.get("turned", ""))
            found[who] = add(base, (told[0], 0, told[1] + given), mine, *hands)
            for mate, entry in party.get("crew", {}).items():
                own, _ = self.built(mate, entry["using"], entry.get("attribute", ""), now)
                found[mate] = add(own, self.put_in(mate, now))
        return found

    def attempt(self, chain: Data, passed: bool) -> Data:
        """Where a complex test stands: success opens the next dimension, a failed last attempt locks it."""
        at, tried, dimensions = chain.get("at", 0), chain.get("tried", 0) + 1, chain["plan"]["dimensions"]
        if passed:
            last = at + 1 == len(dimensions)
            return {"at": at if last else at + 1, "tried": 0, "outcome": "full" if last else ""}
        locked = tried >= min(dimensions[at].get("attempts", 2), 2)
        return {"at": at, "tried": tried, "outcome": ("partial" if at else "failed") if locked else ""}

    def price(self, chain: Data, passed: bool) -> int:
        """Penalty dice of an attempt: its price, and what failing costs where no attempt is left."""
        dimension, tried = chain["plan"]["dimensions"][chain.get("at", 0)], chain.get("tried", 0)
        cost = dimension.get("second" if tried else "first", {}).get("penalty", 0)
        locked = self.attempt(chain, passed)["outcome"] and not passed
        return int(cost + (dimension.get("failure", {}).get("penalty", 0) if locked else 0))

    # ---- how it comes out

    def momentum(self, roll: Data, now: Data, won: dict[frozenset[str], str], first: str, second: str) -> str:
        """Whose a draw is: "first", "second", or nobody's."""
        one, other = roll["sides"][first], roll["sides"][second]
        last = won.get(frozenset((one["who"], other["who"])))
        if last:
            return "first" if last == one["who"] else "second"
        a, b = one.get("attribute", 0), other.get("attribute", 0)
        if a != b:
            return "first" if a > b else "second"
        contest = (now.get("contest") or {}) if roll["kind"] == "contest" else {}
        named = contest.get("favour") or now.get("favour", "")
        return "first" if named == one["who"] else "second" if named == other["who"] else ""

    def verdict(self, roll: Data, now: Data, won: dict[frozenset[str], str], key: str) -> tuple[str, int, bool]:
        """Who wins between a side and whoever is opposed to it, by how much, and whether it was a draw."""
        other = roll["sides"][key]["against"]
        a, b = reached(team(roll, key)), reached(team(roll, other))
        if a < 2 and b < 2:
            return "", 0, False
        if a != b:
            return (key if a > b else other), abs(a - b), False
        held = self.momentum(roll, now, won, key, other)
        if held:
            return (key if held == "first" else other), 0, True
        return str(roll.get("picks", {}).get(key, key)), 0, True
