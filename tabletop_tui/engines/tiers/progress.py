"""Progress: a level gained, a rank or a skill learned; the sheet's file is written back."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit import Told
from ...kit.common import is_secret
from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .dice import die_words
from .health import set_hp
from .skills import known_skills, ranked
from .world import TIERS, Level, Tier, TiersSheet, TiersWorld, hp_per_level, number, person, tier_of

MOST_LEVEL, MOST_RANK = 100, 5


def written(world: TiersWorld, who: str, **changes: Any) -> TiersWorld:
    """The world with a sheet changed; copies follow it."""
    sheets = {**world.sheets, who: replace(world.sheets[who], **changes)}
    changed = replace(world, sheets=sheets)
    return changed.copied() if world.now.more else changed


class LevelGained(Told, tag="level_gained"):
    """Somebody gained a level; HP and the most of them rise by it."""

    rule = "each level gives HP by its tier; a level gained at the table raises the most and what is left"
    who: str
    tier: Tier
    levels: Level | dict[str, Level]
    """In that tier, from now on."""
    hp: int
    calling: str = ""

    def apply(self, world: TiersWorld) -> TiersWorld:
        levels = {**world.sheets[self.who].levels, self.tier: self.levels}
        return set_hp(written(world, self.who, levels=levels), self.who, self.hp)

    def words(self, world: TiersWorld) -> str:
        calling = f" {self.calling}" if self.calling else ""
        return f"{world.name(self.who)} gains a level: {self.tier}{calling}, HP {self.hp}"

    def is_secret(self, world: TiersWorld) -> bool:
        return is_secret(world, self.who)


class RankLearned(Told, tag="rank_learned"):
    """Somebody learned a rank in a skill, or the skill itself."""

    rule = "rank 5 in a skill gives +1 rank in the same skill one tier up"
    who: str
    skill: str
    tier: Tier
    rank: int
    """As written from now on, without legacy."""

    def apply(self, world: TiersWorld) -> TiersWorld:
        return written(world, self.who, skills=self._skills(world.sheets[self.who]))

    def _skills(self, sheet: TiersSheet) -> dict[str, dict[Tier, int]]:
        return {**sheet.skills, self.skill: {**sheet.skills.get(self.skill, {}), self.tier: self.rank}}

    def words(self, world: TiersWorld) -> str:
        ranks = self._skills(world.sheets[self.who])[self.skill]
        rank, legacy = ranked(world.rules, ranks, self.tier)
        more = f", {rank} with legacy" if legacy else ""
        lifted = above(world, world.sheets[self.who].skills.get(self.skill, {}), ranks)
        learned = f"{world.name(self.who)} learns {self.skill} {self.tier} {self.rank}{more}"
        return f"{learned}: {die_words(self.tier, rank)}{'; ' if lifted else ''}{lifted}"

    def is_secret(self, world: TiersWorld) -> bool:
        return is_secret(world, self.who)


# ---- choices


def learners(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody with a sheet of their own: a copy follows its original."""
    return [Choice(w, world.name(w)) for w in world.present() if w not in world.now.more]


def level_tiers(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every tier, their own and the next one first, with the HP that a level brings."""
    who = fields.get("who", "")
    if who not in world.sheets:
        return []
    own, held = number(tier_of(world, who)), world.sheets[who].levels
    tiers = sorted(TIERS, key=lambda t: (number(t) not in (own, own + 1), number(t)))
    full = {t: f"{MOST_LEVEL} levels are the most" for t in tiers if held.get(t) == MOST_LEVEL}
    return [Choice(t, t, full.get(t, ""), f"HP +{hp_per_level(world.rules, t)}") for t in tiers]


def callings(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The callings that they have in that tier; any other word will do."""
    sheet = world.sheets.get(fields.get("who", ""))
    held = sheet.levels.get(fields["tier"], 0) if sheet and fields.get("tier") else 0
    return [] if isinstance(held, int) else [Choice(name, f"{name} {n}") for name, n in held.items()]


def ranks_to_learn(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every skill of theirs at every tier, with what the next rank is and what legacy adds."""
    sheet = world.sheets.get(fields.get("who", ""))
    out = []
    for skill, ranks in sheet.skills.items() if sheet else ():
        for tier in sorted(ranks, key=number, reverse=True):
            full = ranks[tier] >= MOST_RANK
            note = "" if full else legacy_note(world, ranks, tier, ranks[tier] + 1)
            label = f"{skill} {tier} {ranks[tier]}" + ("" if full else f" → {ranks[tier] + 1}")
            out.append(Choice(f"{skill}:{tier}", label, "rank 5 is the most" if full else "", note))
    return out


def legacy_note(world: TiersWorld, ranks: dict[Tier, int], tier: Tier, learned: int) -> str:
    """What legacy brings to a skill that rises to this rank in a tier, there and in the tiers above."""
    after = {**ranks, tier: learned}
    rank, legacy = ranked(world.rules, after, tier)
    notes = [f"legacy: rolls {die_words(tier, rank)}" if legacy else "", above(world, ranks, after)]
    return "; ".join(filter(None, notes))


def above(world: TiersWorld, before: dict[Tier, int], after: dict[Tier, int]) -> str:
    """What legacy adds in tiers in which nothing was learned: rank 5 lifts the one above."""
    now = {t: ranked(world.rules, after, t)[0] for t in TIERS if t in before and before[t] == after[t]}
    lifted = [f"{t} {rank}" for t, rank in now.items() if rank > ranked(world.rules, before, t)[0]]
    return f"legacy: {', '.join(lifted)}" if lifted else ""


def skills_to_learn(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every skill that anybody has; any other word will do."""
    return [Choice(skill) for skill in known_skills(world)]


def tiers_to_learn(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The tiers in which they do not have the skill yet, with what legacy brings."""
    sheet = world.sheets.get(fields.get("who", ""))
    held = sheet.skills.get(fields.get("skill", ""), {}) if sheet else {}
    return [
        Choice(t, t, "learned already" if t in held else "", "" if t in held else legacy_note(world, held, t, 1))
        for t in TIERS
    ]


# ---- actions


class GainLevel(Action, tag="level"):
    """Gain a level: maximum HP and present HP rise by it. Writes the sheet."""

    title = "gain a level"
    who: Annotated[str, Ask(learners)]
    tier: Annotated[Tier, Ask(level_tiers)]
    calling: Annotated[str, Ask(callings, other=True, first=True), Meta(max_length=60, description="none")] = ""

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        held, name = world.sheets[self.who].levels.get(self.tier, 0), self.calling.strip()
        if isinstance(held, dict) and not name:
            if len(held) != 1:
                raise Refused(f"{world.name(self.who)} has callings in {self.tier}", remedy="Name the calling.")
            name = next(iter(held))
        if isinstance(held, int) and held and name:
            what = f"the {self.tier} levels of {world.name(self.who)} have no callings"
            raise Refused(what, remedy="Leave the calling out, or name the callings on the sheet.")
        before = held if isinstance(held, int) else held.get(name, 0)
        if before >= MOST_LEVEL:
            raise Refused(f"{before} levels are the most", remedy="Choose another tier.")
        after: int | dict[str, int] = before + 1
        if name:
            after = {**(held if isinstance(held, dict) else {}), name: before + 1}
        hp = person(world, self.who).hp + hp_per_level(world.rules, self.tier)
        return (LevelGained(self.who, self.tier, after, hp, name),)


class LearnRank(Action, tag="rank"):
    """Learn a rank in a skill that they have. Writes the sheet."""

    title = "learn a rank"
    who: Annotated[str, Ask(learners)]
    skill: Annotated[str, Ask(ranks_to_learn)]

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        name, _, named = self.skill.partition(":")
        tier = next(t for t in TIERS if t == named)
        return (RankLearned(self.who, name, tier, world.sheets[self.who].skills[name][tier] + 1),)


class LearnSkill(Action, tag="learn"):
    """Learn a skill, or one that they have in another tier. Writes the sheet."""

    title = "learn a skill"
    who: Annotated[str, Ask(learners)]
    skill: Annotated[str, Ask(skills_to_learn, other=True), Meta(max_length=60)]
    tier: Annotated[Tier, Ask(tiers_to_learn)]

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        name, sheet = self.skill.strip(), world.sheets[self.who]
        if not name or ":" in name:
            raise Refused("a skill needs a name without a colon", remedy="Say what they learn.")
        if name in sheet.items:
            raise Refused(f"{name} is an item of {sheet.name}", remedy="Choose another name.")
        if self.tier in sheet.skills.get(name, {}):
            raise Refused(f"{sheet.name} has {name} {self.tier} already", remedy="Learn a rank in it.")
        return (RankLearned(self.who, name, self.tier, 1),)
