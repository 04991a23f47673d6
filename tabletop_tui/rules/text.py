"""Text is hostile until it is content: what may never reach a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable

# C0 and C1 controls but tab and newline, bidi controls, line and paragraph separators, lone surrogates
_HOSTILE = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff"
HOSTILE = re.compile(f"[{_HOSTILE}]")


def clean(text: str) -> str:
    """Without what could control a terminal: for what people type and what the screen prints."""
    return text if text.isprintable() else HOSTILE.sub("", text)  # nothing hostile is printable: asking that is fast


def name_of(character: str) -> str:
    """How to name a hostile character in a sentence, as it cannot be shown."""
    return f"U+{ord(character):04X}"


def nearest(word: object, words: Iterable[str]) -> str:
    """The one that was probably meant; empty where none comes near."""
    from difflib import get_close_matches  # late: hardly anything is mistyped

    known = {one.lower(): one for one in reversed(list(words))}  # of two that differ in their case the first
    found = get_close_matches(str(word).lower(), known, 1, 0.6)
    return known[found[0]] if found else ""
