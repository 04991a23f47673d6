"""The written forms: Markdown, HTML, JSON and CSV of sessions whose names are hostile."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import playing
import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace

from tabletop_tui.records.data import as_csv, as_json, cell, columns
from tabletop_tui.records.markdown import escape, markdown
from tabletop_tui.records.page import page
from tabletop_tui.records.record import Record, record
from tabletop_tui.session import Table

HOSTILE = (
    "<script>document.title='owned'</script><img src=x onerror=alert(1)>",
    "\"'><svg onload=alert(1)>",
    "[click](javascript:alert(1)) ![](http://example.invalid/x.png) <http://example.invalid>",
    "# heading\n- list\n1. list\n```\n===\n| a | b |\n> quote",
    '=HYPERLINK("http://example.invalid")',
    "&lt;b&gt; **bold** _it_ `code` ~~gone~~ <!-- -->",
    "\x1b[31mred\x1b]0;title\x07\u202eltr",
)
FORMS = (markdown, page, as_json, as_csv)


@pytest.fixture
def hostile(root: Path) -> Record:
    """A session in which every name is an attack."""
    world = playing.world(root)
    name = iter(HOSTILE * 20)
    sheets = {who: replace(sheet, name=next(name)) for who, sheet in world.sheets.items()}
    scenes = {i: replace(s, title=next(name), about=next(name)) for i, s in world.scenes.items()}
    now = world.now
    clocks = {i: replace(c, name=next(name)) for i, c in now.clocks.items()}
    base = playing.table(root)
    header = replace(
        base.header,
        world=replace(
            base.header.world, sheets=sheets, scenes=scenes, now=replace(base.header.world.now, clocks=clocks)
        ),
        campaign=HOSTILE[0],
        session=HOSTILE[1],
    )
    table = Table(base.engine, header, clock=playing.evening())
    for text in HOSTILE:
        playing.act(table, "note", text=text)
        table.name(text, by=text)
    for scene in scenes:
        playing.act(table, f"scene scene={scene}")
    for clock in clocks:
        playing.act(table, f"tick clock={clock} by=1")
    playing.act(table, "oppose who=mira skill=Warding against=rook using=Dodge")
    playing.act(table, "settle")
    return record(table.timeline, notes=HOSTILE)


VOID = {"meta", "link", "br", "img", "input", "hr"}


class Strict(HTMLParser):
    """Every element that is opened is closed in its turn; remembers what there is."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: dict[str, int] = {}
        self.attributes: list[tuple[str, str]] = []
        self.ids: list[str] = []
        self.text = ""
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.attributes += [(name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag == "p" and "p" in self.open:
            self.wrong.append("p in p")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.text += data


def strict(text: str) -> Strict:
    found = Strict()
    found.feed(text)
    found.close()
    assert not found.open
    assert not found.wrong
    assert len(found.ids) == len(set(found.ids))
    return found


def test_a_page_is_well_formed_and_asks_for_nothing_outside(session: Table) -> None:
    for reader in ("gm", "players"):
        text = page(record(session.timeline, reader))
        found = strict(text)
        assert found.tags["h1"] == found.tags["main"] == found.tags["title"] == 1
        assert not {"script", "iframe", "object", "img", "form"} & set(found.tags)
        assert not [name for name, _ in found.attributes if name.startswith("on")]
        links = [value for name, value in found.attributes if name in ("href", "src")]
        assert links
        assert all(link.startswith("#") or link == "data:," for link in links)
        assert {link[1:] for link in links if link.startswith("#")} <= set(found.ids)
        assert "url(" not in text
        assert "@import" not in text


def test_hostile_names_are_text_on_a_page(hostile: Record) -> None:
    found = strict(page(hostile))
    assert not {"script", "img", "http:"} & set(found.tags)
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    for text in HOSTILE[:2]:
        assert text in found.text


def test_hostile_names_are_text_in_markdown(hostile: Record) -> None:
    drawn = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(markdown(hostile))
    found = Strict()
    found.feed(drawn)
    assert not {"script", "img", "a", "svg", "del"} & set(found.tags)
    assert found.tags["h1"] == 1
    assert found.tags["h3"] == len(HOSTILE)
    assert "ol" not in found.tags
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    assert "**bold** _it_ `code` ~~gone~~" in found.text


@pytest.mark.parametrize(
    "text",
    ["# a", "- a", "1. a", "12) a", "+ a", "=== a", "> a", "| a |", "```", "~~~", "* a", "***", "---", "-- -", "7)"],
)
def test_a_line_of_text_opens_nothing_in_markdown(text: str) -> None:
    drawn = MarkdownIt("gfm-like", {"linkify": False}).render(f"before\n\n{escape(text)}\n")
    assert re.fullmatch(r"<p>before</p>\n<p>.*</p>\n", drawn), drawn


@pytest.mark.parametrize("text", ["2026-11-17", "-5 HP", "+1 die", "3.5", "1-2", "a - b", "=5"])
def test_what_opens_nothing_in_markdown_is_left_as_it_is(text: str) -> None:
    assert escape(text) == text
    assert MarkdownIt("gfm-like", {"linkify": False}).render(f"before\n\n{text}\n") == (
        f"<p>before</p>\n<p>{text}</p>\n"
    )


def test_no_form_holds_a_control_character(hostile: Record) -> None:
    for form in FORMS:
        found = set(re.findall(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", form(hostile)))
        assert not found
        form(hostile).encode()


def test_csv_has_a_row_an_entry_and_comes_back_as_it_was(session: Table) -> None:
    told = record(session.timeline)
    rows = list(csv.DictReader(io.StringIO(as_csv(told), newline="")))
    beats = [(chapter, beat) for chapter in told.chapters for beat in chapter.beats]
    assert len(rows) == len(beats)
    for row, (_, beat) in zip(rows, beats, strict=True):
        assert row["number"] == str(beat.number)
        assert row["said"].removeprefix("'") == "\n".join(beat.said)
        assert row["whispered"].removeprefix("'") == "\n".join(beat.whispered)
    for name, one in zip(columns(told), told.series, strict=True):
        assert [row[name] for row in rows] == ["" if v is None else str(v) for v in one.values[1:]]


def test_no_cell_of_a_spreadsheet_is_a_formula(hostile: Record) -> None:
    cells = [cell for row in csv.reader(io.StringIO(as_csv(hostile), newline="")) for cell in row]
    assert '\'=HYPERLINK("http://example.invalid")' in cells
    assert not [c for c in cells if c.lstrip()[:1] in ("=", "+", "@")]
    assert [cell(text) for text in ("-1", " =1", "@x", "\tx", "a-b", "")] == ["'-1", "' =1", "'@x", "'\tx", "a-b", ""]


def test_json_has_every_key_and_full_numbers(session: Table) -> None:
    told = record(session.timeline)
    data = json.loads(as_json(told))
    assert set(data) == {
        "record", "campaign", "session", "engine", "game", "began", "ended", "for", "notes", "taken_back", "recap",
        "scenes", "counters", "rolls", "luck", "together", "tallies", "dice",
    }  # fmt: skip
    assert data["record"] == 1
    entries = [entry for scene in data["scenes"] for entry in scene["entries"]]
    assert len(entries) == told.beats
    assert all(
        set(e) == {"number", "at", "by", "action", "kind", "said", "whispered", "undone", "dice"} for e in entries
    )  # fmt: skip
    assert [r["chance"] for r in data["rolls"]] == [r.chance for r in told.rolls]
    assert [c["values"] for c in data["counters"]] == [list(s.values) for s in told.series]


def test_a_campaign_is_called_as_people_write_it(table: Table) -> None:
    told = replace(record(table.timeline), campaign="the-bridge-of-ash")
    assert "<h1>The Bridge of Ash</h1>" in page(told)
    assert "<h1>Bob&#x27;s-Game</h1>" in page(replace(told, campaign="Bob's-Game"))
    assert json.loads(as_json(told))["campaign"] == "the-bridge-of-ash"
