"""Which band a result falls into, and what else comes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .dice import Read, read
from .game import Band, RollRule
from .language import reading
from .scope import Scope
from .world import Made, Spec

UNNAMED = Band()


SUCCESS, FAILURE = "success", "failure"


def hoped(rule: RollRule) -> tuple[str, ...]:
    """The bands that are hoped for: what is not bad; where nothing is, the best of it."""
    tones: dict[str, str] = {}
    for band in rule.bands:
        tones.setdefault(band.title, band.tone)
    found = tuple(t for t, tone in tones.items() if tone in ("good", "warn")) or tuple(tones)[:1]
    if len(found) == len(tones):
        return tuple(t for t, tone in tones.items() if tone == "good") or found
    return found


def outcome_of(rule: RollRule, scope: Scope, facts: Mapping[str, int], steps: int = 0) -> Band:
    """The first band that fits, and as many steps beside it as options give."""
    found = band_at(rule.bands, scope, facts, bool(rule.against != ""))
    if found < 0:
        return UNNAMED
    return rule.bands[min(max(found - steps, 0), len(rule.bands) - 1)]


def band_at(bands: Sequence[Band], scope: Scope, facts: Mapping[str, int], against: bool) -> int:
    """The place of the first band that fits; -1 where there are none."""
    value, here = facts["margin" if against else "result"], scope.but(facts=facts)
    for place, band in enumerate(bands):
        if (band.at is None or value >= band.at) and here.holds(band.when):
            return place
    return len(bands) - 1


def also_of(rule: RollRule, scope: Scope, facts: Mapping[str, int]) -> list[Band]:
    """Every line besides that fits."""
    value, here = facts["margin" if rule.against != "" else "result"], scope.but(facts=facts)
    return [band for band in rule.also if (band.at is None or value >= band.at) and here.holds(band.when)]


def how(rule: RollRule) -> str:
    """The word for how a roll is read."""
    return reading(rule.read)[0]


def hits_at(rule: RollRule, scope: Scope) -> int:
    """The face from which a die is a hit."""
    _, face = reading(rule.read)
    return scope.count(face) if face is not None else 0


def facts_of(rule: RollRule, scope: Scope, made: Made) -> dict[str, int]:
    """What the dice on the table come to."""
    mine = read(made.mine, how(rule), made.hits)
    theirs = read(made.theirs, how(rule), made.hits).value if made.theirs else made.against
    facts = weighed(rule, scope, mine, theirs, made.mine.spec, made.theirs.spec if made.theirs else None)
    # whoever may not know what it is against knows how it went all the same
    return facts if theirs is not None else facts | {"margin": made.margin}


def weighed(
    rule: RollRule, scope: Scope, mine: Read, theirs: int | None, spec: Spec, other: Spec | None
) -> dict[str, int]:
    """The result and its margin; a tie that is lost counts as missing by one."""
    margin = 0
    if theirs is not None:
        margin = theirs - mine.value if how(rule) == "under" else mine.value - theirs
        if margin == 0 and _lost(rule.tie, scope, spec, other):
            margin = -1
    return {"result": mine.value, "margin": margin, "ones": mine.ones, "tops": mine.tops}


def _lost(tie: Sequence[str], scope: Scope, spec: Spec, other: Spec | None) -> bool:
    """Is a tie lost? The first that tells decides."""
    for word in tie:
        if word in ("mine", "nobody"):
            return False
        if word == "theirs":
            return True
        if word in ("sides", "count"):
            mine, theirs = _of(spec, word), _of(other, word)
        else:
            mine, theirs = (scope.look_up(owner, word).plus for owner in ("", "their"))
        if mine != theirs:
            return mine < theirs
    return False


def _of(spec: Spec | None, word: str) -> int:
    if spec is None or not spec.groups:
        return 0
    return max(g.sides for g in spec.groups) if word == "sides" else spec.count
