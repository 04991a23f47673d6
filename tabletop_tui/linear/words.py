"""Words in place of signs: what a screen draws, as it is read aloud."""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Iterable, Sequence

from ..rules import Counter, Hand, Odds, Outcome, Pool, clean, percent

SPOKEN = {
    "→": " to ",
    "≥": "at least ",
    "≤": "at most ",
    "×": " times ",
    "±": "plus or minus ",
    "−": "-",
    "–": "-",
    "—": "-",
    "·": ",",
    "|": ",",
    "◆": "marker ",
    "…": "...",
    "’": "'",
    "\t": " ",
    "\n": " ",
}
_ROLLED_ON = re.compile("(?<=\\d)→(?=\\d)")
"""A die that exploded, and what it showed then."""
_SIGN = re.compile("|".join(map(re.escape, SPOKEN)))
_DRAWN = re.compile("[\u2190-\u2bff\ue000-\uf8ff\ufe0e\ufe0f]")
"""Arrows, boxes, blocks, shapes and dingbats: signs that a reader spells out, or passes over."""


def plain(text: str) -> str:
    """A text on one line without signs, whatever file or player it comes from."""
    words = _DRAWN.sub(" ", _SIGN.sub(lambda found: SPOKEN[found[0]], _ROLLED_ON.sub(" then ", clean(text))))
    return re.sub(r"\s+([,.;:])", r"\1", " ".join(words.split()))


def sentence(*parts: str) -> str:
    """Parts that say something, as one sentence with a full stop."""
    said = ", ".join(part.strip().rstrip(".") for part in parts if part and part.strip())
    return f"{said}." if said and said[-1] not in "!?:" else said


def listed(words: Sequence[str]) -> str:
    """Ana, Ben and Chris."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else list(words))


def counter(one: Counter) -> str:
    """Supplies 5 of 8."""
    most = f" of {one.most}" if one.most is not None else ""
    note = f", {one.note}" if one.note else ""
    hidden = ", hidden from players" if one.secret else ""
    return f"{one.name} {one.value}{most}{note}{hidden}"


def counters(some: Iterable[Counter]) -> str:
    """All of them in a sentence."""
    return sentence("; ".join(counter(one) for one in some))


def hand(one: Hand) -> str:
    """Mira rolled 4, 2 rerolled and 6, which makes 12."""
    faces = [" ".join(word for word in (face.text, face.group, face.mark) if word) for face in one.faces]
    total = f", total {one.total}" if one.total else ""
    between = ", " if any(face.group or face.mark for face in one.faces) else " "
    return sentence(f"{one.who}: {between.join(faces)}{total}")


def untold(dice: Sequence[str], said: Iterable[str]) -> list[str]:
    """The dice whose faces no sentence has: what was rolled is not told twice."""
    told = Tally(re.findall(r"\d+", " ".join(said)))
    return [one for one in dice if not Tally(one.rpartition(": ")[2].split()) <= told]


def pool(one: Pool) -> str:
    """Whose dice, and where they come from."""
    parts = [" ".join(word for word in (part.source, part.dice, part.note) if word) for part in one.parts]
    return sentence(f"{one.who} has {'; '.join(parts)}" if one.who else "; ".join(parts))


def outcome(one: Outcome) -> list[str]:
    """How it came out, what it means, and what to do now."""
    title = f"{one.title[:1].upper()}{one.title[1:]}"
    return [said for said in (sentence(title), sentence(one.detail), sentence(one.next)) if said]


def odds(found: Odds) -> list[str]:
    """The chances, a sentence a group."""
    out = []
    for place, group in enumerate(found.groups):
        told = [f"{_ended(c.label)} {percent(c.chance)}" for c in group.chances if c.chance > 0 or not place]
        if told:
            out.append(sentence(f"{'Chances' if not place else group.name}: {'; '.join(told)}"))
    return out


def _ended(label: str) -> str:
    """A number is kept from the one after it: at least 5, 53 %."""
    return f"{label}," if label[-1:].isdecimal() else label


def dice_asked(sides: Sequence[int]) -> str:
    """3 d6 and 1 d4: the dice in the order in which they are asked for."""
    runs: list[list[int]] = []
    for side in sides:
        if runs and runs[-1][0] == side:
            runs[-1][1] += 1
        else:
            runs.append([side, 1])
    return listed([f"{count} d{side}" for side, count in runs])
