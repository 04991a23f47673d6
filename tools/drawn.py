"""Where the fields of views are drawn, and what an empty one means: for those whose names say the rest."""

from __future__ import annotations

SECRET = "Drawn with ~, and taken out for every seat but the GM's."
TONE = "Its colour: good, warn, bad, muted; empty for none."
COMMON = {
    "secret": SECRET,
    "tone": TONE,
    "hands": "Dice on the table, a row each. Empty: nothing is rolled yet.",
    "prompt": "What must be answered, below the dice and in the band. None: nothing waits.",
    "outcome": "How it came out, in large below the dice. None: it is open.",
    "counters": "The second row of every page. Empty: the row is blank.",
    "odds_secret": "The chances would tell what only the GM knows: players see none.",
    "roll_closed": "Why `r` does nothing now; said when it is pressed.",
}
"""The same in every view."""
DRAWN: dict[str, dict[str, str]] = {
    "TableView": {
        "title": "Top right, while nothing in `facts` is.",
        "banner": "The band's sentence while no `prompt` waits. Empty: nobody is acting.",
        "facts": "Top right, beside the tabs: the round, a timer.",
        "people": "The list at the left, in this order.",
        "places": "Below the list of people. Empty: no such part.",
        "pools": "In the middle, above the chances: what `roll` rolls.",
        "conditions": "Below the dice, where there is room: who has which condition, and until when.",
    },
    "Person": {
        "id": "Of the sheet; what fields of actions are filled in with.",
        "name": "In the list.",
        "side": "The heading above them, where `section` is empty.",
        "marks": "At the end of the row, after the note.",
        "current": "▶ before the name.",
        "acted": "✓ before the name.",
        "out": "✗ before the name, and the row is dim.",
        "may_go": "› before the name.",
    },
    "Status": {"what": "On the people page; in the list it counts in `!1`.", "until": "Beside it."},
    "Counter": {
        "name": "Before the number.",
        "value": "The number.",
        "most": "The full bar, or 3/6. None: a plain number.",
        "note": "After it, in brackets.",
    },
    "Fact": {"text": "Between dots, in its row."},
    "Option": {
        "label": "What is pressed.",
        "action": "What pressing it does; where a field is empty, its form is asked.",
        "key": "Its letter. Empty: a digit by its place.",
        "closed": "Why not, in place of the note; it is drawn with –. Empty: it is open.",
        "chosen": "Drawn with ●.",
        "note": "At the right.",
    },
    "Prompt": {"text": "The band's sentence, coloured.", "options": "Below the dice, and in the band."},
    "Hand": {
        "who": "Before the dice.",
        "faces": "In boxes where there is room.",
        "total": "After the dice and an equals sign.",
    },
    "Face": {
        "text": "What it shows; 6→3 for one that exploded.",
        "sides": "Of which kind it is.",
        "choosable": "Can be picked with the cursor while a prompt picks dice.",
        "tone": "Besides its colour good is drawn as +, bad as !; muted for what does not count.",
    },
    "Outcome": {"title": "In capitals, with ✓ ● or ✗ by its tone.", "detail": "At the right of it."},
    "Reminder": {"text": "What the GM is told."},
    "ChallengeView": {
        "title": "Top right, and above the list of who leads. Empty: no challenge is open, and `open` is listed.",
        "facts": "At the right of the band.",
        "stakes": "Below the chances.",
        "lead": "The heading at the left. Empty: `leads` is asked first.",
        "pools": "Below it, a line a part.",
        "support": "The grid of people × ways to help. None: nobody can.",
        "words": "What the parts are called.",
    },
    "Matrix": {"columns": "Above the grid, with their digits.", "rows": "Everybody who could help."},
    "Row": {"who": "At the left of the grid.", "cells": "As many as there are columns."},
    "Words": {"lead": "Who is asked for.", "support": "In the footer.", "stakes": "Below the chances."},
    "ContestView": {
        "title": "Top right. Empty: no contest is open, and `open` is listed.",
        "facts": "Top right, beside the tabs, and at the right of the band.",
        "parties": "Beside each other, two in a row.",
    },
    "Party": {
        "id": "Of the sheet.",
        "name": "The heading of its part.",
        "side": "Whom it stands with.",
        "wants": "Beside the name.",
        "bids": "A line each.",
        "total": "Below them.",
        "result": "After the total, once the dice have fallen.",
    },
    "Bid": {"source": "At the left.", "dice": "At the right.", "note": "Between them, where there is room."},
    "SheetView": {
        "title": "The heading at the right of the people page.",
        "facts": "A line each, below it.",
        "sections": "Below the counters.",
        "counters": "Below the facts.",
    },
    "Section": {"title": "A heading.", "lines": "Below it."},
    "Line": {"label": "At the left.", "value": "Beside it.", "because": "At the right, dim: how it came to be."},
    "Prepared": {
        "name": "In the list of the scene page, by its digit.",
        "closed": "Why it cannot begin now.",
        "stakes": "Below it, where there is room.",
    },
    "Chance": {"label": "Before the bar.", "chance": "From 0 to 1; drawn as a percentage and a bar."},
    "Group": {
        "name": "Said before groups after the first one.",
        "chances": "A row each; of `at_least` groups beside each other.",
        "at_least": "They are of at least so much, and need not sum to 1.",
    },
    "Pool": {"who": "Above the parts, where there are several pools.", "parts": "A line each."},
    "Part": {"source": "At the left.", "dice": "Beside it.", "note": "After them, dim."},
    "Odds": {"groups": "The first one is *the* outcome.", "pools": "What is rolled."},
    "Choice": {"value": "What the field becomes.", "label": "What is shown; the value where empty."},
}
