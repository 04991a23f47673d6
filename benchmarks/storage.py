"""What the disk and the log cost: opening, folding, acting, seeking."""

from __future__ import annotations

import gc
import os
import tempfile
import time
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Union

import msgspec

from tabletop_tui import plugins
from tabletop_tui.session import CORE, Codec, Entry, Table
from tabletop_tui.storage import campaign as folder
from tabletop_tui.storage.log import LogFile, sessions
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.user.paths import demos

from . import data
from .measure import Row, best, cut, in_turn, pairs_of, ranked, timed
from .terminal import first_frame, tabletop


def decoder(engine: Any) -> msgspec.json.Decoder[Any]:
    """msgspec alone, with the types of a game's log."""
    entry: Any = Entry
    actions, events = Union[(*CORE, *engine.actions)], Union[engine.events]  # noqa: UP007  # a tuple has no other way
    return msgspec.json.Decoder(entry[actions, events])


def body(path: Path) -> bytes:
    """The entries of a log, without its header."""
    whole = path.read_bytes()
    return whole[whole.index(b"\n") + 1 :]


def decode(reads: msgspec.json.Decoder[Any], text: bytes) -> object:
    """As fast as it goes: the collector waits until the time is taken."""
    gc.disable()
    return reads.decode_lines(text)


def opening(place: Path, quick: bool) -> Iterator[Row]:
    """500 sheets and 100,000 actions, beside the bare libraries on the same bytes."""
    people, actions = (50, 10_000) if quick else (500, 100_000)
    root = data.lengthened(data.starter(place / "open", people), actions)
    tiers, path = plugins.load("tiers"), sessions(root)[-1]
    texts = [file.read_text() for file in root.rglob("*.toml") if file.name != "now.toml"]
    reads, lines = decoder(tiers), body(path)

    def plain() -> object:
        return [tomllib.loads(text) for text in texts], decode(reads, lines)

    def ours() -> None:
        desk = OpenCampaign(root, write=False)
        desk.close()

    mine, beside = in_turn(partial(best, ours, 1), partial(best, plain, 4), 3)  # one of ours lasts as long as four
    yield Row(f"open: {people} sheets, {actions:,} actions", mine, "ms", beside, "tomllib and msgspec", 2)
    yield Row(f"check: {people} sheets", best(lambda: folder.load(root), 3))
    short = data.lengthened(data.starter(place / "short", people), 100)
    little, much = (partial(first_frame, tabletop("play", str(one)), b"complications") for one in (short, root))
    little()  # the first start begins the session
    much()
    few, many = in_turn(little, much, 1 if quick else 3)
    yield Row(f"start: a log of {actions:,}", many, "ms", few, "a log of 100 actions", 2)

    def seek() -> list[float]:
        log = LogFile(path, Codec(tiers))
        table = Table(tiers, log.header, log.entries)
        log.close()
        took = []
        for n in range(500):
            begun = time.perf_counter()
            table.at(n * 7919 % table.last)
            table.view("table", world=table.at(n * 7919 % table.last))
            took.append((time.perf_counter() - begun) * 1000)
        return took

    yield Row(f"seek among {actions:,}, p95", cut(seek(), 95), "ms", None, "", 20)


def folding(place: Path, quick: bool) -> Iterator[Row]:
    """Each game's evening: every state of it, beside decoding its lines."""
    del place
    times = 5 if quick else 30
    for name, engine in sorted(plugins.load_all().engines.items()):
        played = [p for root in sorted(demos()) for p in sorted(root.glob("played/*.jsonl"))]
        logs = [p for p in played if f'"engine":"{name}"' in p.open().readline()]
        if not logs:
            continue
        text, reads = body(logs[0]) * 20, decoder(engine)
        log = LogFile(logs[0], Codec(engine), write=False)
        entries, header = log.entries, log.header
        log.close()

        def fold(engine: Any = engine, header: Any = header, entries: Any = entries) -> object:
            return [Table(engine, header, entries) for _ in range(20)]

        pairs = pairs_of(partial(best, fold, 1), partial(best, partial(decode, reads, text), 1), times, 0)
        yield ranked(f"fold: {name}, {len(entries) * 20:,} entries", pairs, 50, "decoding them", 3)


def acting(place: Path, quick: bool) -> Iterator[Row]:
    """An action until it is on the disk, beside a bare write that is synced."""
    again = 200 if quick else 1_500
    for actions in (100, 5_000 if quick else 100_000):
        root = data.lengthened(data.starter(place / f"act-{actions}", 20), actions)
        desk = OpenCampaign(root)
        with tempfile.NamedTemporaryFile(dir=root) as file:
            pairs = [(_acted(desk, n), _written(file.fileno())) for n in range(again)]
        desk.close()
        for percent in (50, 99):
            what = f"act and sync after {actions:,}, p{percent}"
            yield ranked(what, pairs, percent, "a bare write and fdatasync", 4)


def _acted(desk: OpenCampaign, n: int) -> float:
    doing = data.action(f"{'hurt' if n % 2 else 'heal'} who=mira points=1")
    return timed(lambda: desk.table.do(doing))


def _written(file: int) -> float:
    def work() -> None:
        os.write(file, b"x" * 300)
        os.fdatasync(file)

    return timed(work)
