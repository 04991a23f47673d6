"""Draws the pictures of the README and of docs/engines.md: the real screens, on a copy of a sample, with typed dice.

python tools/pictures.py              all of them
python tools/pictures.py fields-table  some of them
"""

from __future__ import annotations

import asyncio
import html
import re
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.user.paths import copy_demo, demos
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.bench.screen import Workbench
from tabletop_tui.ui.screens.home import HomeScreen
from tabletop_tui.ui.screens.play import PlayScreen

DOCS = Path(__file__).parents[1] / "docs"
SHOTS = (
    ("challenge", "ember-road", (100, 30), "C 3 5 1 2 4 2"),
    ("outcome", "ember-road", (100, 30), "C 3 5 1 2 4 2 t 6 5 2 3 1 enter t 4 3 enter enter"),
    ("table", "ember-road", (100, 30), "S down enter T g enter a"),
    ("sheets", "ember-road", (100, 30), "P down"),
    ("contest", "abbey-of-lynn", (100, 30), "D 2"),
    ("initiative", "cinder-pass", (100, 30), "t 4 4 1 4 1 1 enter 1"),
)
Marks = tuple[tuple[str, str], ...]
"""Words on the screen, and the field of the view that they come from."""
FIELDS: tuple[tuple[str, str, str, Marks], ...] = (
    (
        "fields-turn", "cinder-pass", "t 4 4 1 4 1 1 enter 1",
        (
            ("round 1 · timer 4", "title, facts"), ("Momentum 0", "counters"),
            ("heroes ───", "Person.section, else side"), ("▶ ● Brann", "Person.current, allegiance"),
            ("Lucky 2/2", "Person.note, marks, meters"), ("› ● Oda", "Person.may_go, acted"),
            ("Ash runner ×4", "Person.group"), ("H3 ~", "Person.secret_note, secret"),
            ("far side   hot ash", "places"), ("1↵ Strike 3", "acts, answers of done_with"),
            ("Strike 3   3d10", "pools: source, dice, note"), ("Initiative kept 90", "odds of roll"),
            ("counters  Mom", "odds: further groups"), ("Brann Holloway is up  ", "prompt.text, else banner"),
        ),
    ),
    (
        "fields-dice", "salt-road", "T f t 3 6 enter",
        (
            ("Imre            ────", "Person.meters[0]"), ("3   6+", "Hand.faces, Face.tone"),
            ("= 10 (with +1)", "Hand.total"), ("✓ FULL HIT", "outcome.title, tone"), ("Fight: 10", "outcome.detail"),
            ("You hurt them and", "outcome.next"), ("a  Dare something", "acts: Option.key, label"),
            ("Imre → Salt rider", "Option.note"), ("Imre, Fight: 3 6", "Event.says"),
            ("~ Salt rider: Harm", "Event.whispers"),
        ),
    ),
    (
        "fields-challenge", "ember-road", "C 3 5 1 2",
        (
            ("Hold the gate ", "title"), ("Mira leads · Warding beta 3", "lead"), ("Warding        3d6", "pools"),
            ("success  ", "odds of roll"), ("b Bonus Die  1 left", "extras"), ("the gate holds until dawn", "stakes"),
            ("1 direct", "support.columns"), ("● Reroll 1   +7", "Row.cells: chosen, label"),
            ("– no Warding", "Option.closed"), ("Sefa: Crafting", "Option.note"),
        ),
    ),
    (
        "fields-contest", "abbey-of-lynn", "D 2 3",
        (
            ("round 1", "facts"), ("Joan · wants", "Party.name, wants"), ("Social 3 + Letters 3   ", "Party.bids"),
            ("narrative ······", "Party.meter"), ("if lost: her", "Party.risks"), ("7 base ", "Party.total"),
            ("holds something back", "Party.marks"), ("Joan wins ", "odds of roll"),
            ("fact or leverage", "Party.adds"),
        ),
    ),
    (
        "fields-sheet", "ember-road", "P down",
        (
            ("Mira ────", "title"), ("beta tier, damage", "facts"), ("HP 150/150", "counters"),
            ("levels", "Section.title"), ("Warding  beta 3", "Line.label, value"), ("rank 2 + 1", "Line.because"),
        ),
    ),
)  # fmt: skip
"""Of docs/engines.md: where each field of a view is drawn."""
CELL = (12.2, 24.4)
CORNER = (9.0, 41.0)
ROOM = 330
"""Beside the screen, for the names of fields."""


async def shoot(name: str, sample: str, size: tuple[int, int], keys: str, place: Path, marks: Marks = ()) -> None:
    """One picture."""
    root = copy_demo(next(p for p in demos() if p.name == sample), place / name)
    desk = OpenCampaign(root, clock=lambda: datetime(2026, 11, 15, 19, 4, tzinfo=UTC))
    desk.close()
    app = TabletopApp(str(root))
    async with app.run_test(size=size) as pilot:
        while not isinstance(app.screen, PlayScreen):
            await pilot.pause(0.01)
        await pilot.pause()
        if keys:
            await pilot.press(*keys.split())
        await app.workers.wait_for_complete()
        await pilot.pause()
        keep(name, app, marks)


async def shoot_others() -> None:
    """A session watched again, and the dice workbench."""
    log = next((next(p for p in demos() if p.name == "cinder-pass") / "played").glob("*.jsonl"))
    app = TabletopApp()
    app.log_path = str(log)
    async with app.run_test(size=(100, 30)) as pilot:
        while not isinstance(app.screen, PlayScreen):
            await pilot.pause(0.01)
        await pilot.press("j", "j", "]", "]", "]")
        await app.workers.wait_for_complete()
        await pilot.pause()
        keep("replay", app)
    app = TabletopApp()
    async with app.run_test(size=(100, 30)) as pilot:
        while not isinstance(app.screen, HomeScreen):
            await pilot.pause(0.01)
        await pilot.press("percent_sign")
        while not isinstance(app.screen, Workbench):
            await pilot.pause(0.01)
        await pilot.press(*("space" if c == " " else c for c in "5Bd 3Rd 2Dd"))
        await pilot.pause(0.5)
        keep("workbench", app)


def keep(name: str, app: TabletopApp, marks: Marks = ()) -> None:
    """Without fonts that would be fetched from elsewhere."""
    drawn = re.sub(r"@font-face \{.*?\}", "", app.export_screenshot(title="tabletop"), flags=re.DOTALL)
    (DOCS / f"{name}.svg").write_text(marked(drawn, marks) if marks else drawn, encoding="utf-8")


def cells(drawn: str) -> list[str]:
    """The lines of a drawn screen."""
    rows: dict[int, str] = {}
    for x, y, text in re.findall(r'<text class="[^"]*-r\d+" x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', drawn):
        row, column = int(float(y) // CELL[1]), round(float(x) / CELL[0])
        rows[row] = rows.get(row, "").ljust(column) + html.unescape(text).replace("\xa0", " ")
    return [rows.get(row, "") for row in range(max(rows) + 1)]


def marked(drawn: str, marks: Marks) -> str:
    """A drawn screen with the names of fields beside it, each with a line to where it is drawn."""
    lines = cells(drawn)
    found = re.search(r'viewBox="0 0 (\d+) ([\d.]+)"', drawn)
    assert found is not None
    width, below, out = int(found[1]), 0.0, []
    places = []
    for words, field in marks:
        row = next((i for i, text in enumerate(lines) if words in text), -1)
        if row < 0:
            raise SystemExit(f"{words!r} is not on the screen:\n" + "\n".join(lines))
        places.append((row, lines[row].index(words), len(words), field))
    for row, column, long, field in sorted(places):
        x, y = CORNER[0] + column * CELL[0], CORNER[1] + row * CELL[1]
        end, told = x + long * CELL[0], max(y + 18, below + 21)
        below = told
        out.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{long * CELL[0]:.0f}" height="24" rx="4" class="field"/>'
            f'<path d="M{end - 4:.0f} {y + 24:.0f} H{width - 12} L{width - 2} {told - 6:.0f}" class="way"/>'
            f'<text x="{width + 2}" y="{told:.0f}" class="field-name">{html.escape(field)}</text>'
        )
    style = (
        "<style>.field,.way{fill:none;stroke:#e0559a;stroke-width:2}.way{stroke-width:1;stroke-opacity:.7}"
        ".field-name{fill:#e0559a;font:18px monospace}</style>"
    )
    wide = drawn.replace(found[0], f'viewBox="0 0 {width + ROOM} {found[2]}"', 1)
    return wide.replace("</svg>", f"{style}{''.join(out)}</svg>")


def main() -> None:
    """All of them, or those that are named."""
    asked = sys.argv[1:]
    every: list[tuple[str, str, tuple[int, int], str, Marks]] = [(*shot, ()) for shot in SHOTS]
    every += [(name, sample, (80, 24), keys, marks) for name, sample, keys, marks in FIELDS]
    with tempfile.TemporaryDirectory() as place:
        for name, sample, size, keys, marks in every:
            if not asked or name in asked:
                asyncio.run(shoot(name, sample, size, keys, Path(place), marks))
                print(name)
    if not asked:
        asyncio.run(shoot_others())


if __name__ == "__main__":
    main()
