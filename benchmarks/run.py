"""What things cost: `python benchmarks/run.py`. Prints a table; nothing here is a test."""

from __future__ import annotations

import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Union

import msgspec

from tabletop_tui import plugins
from tabletop_tui.engines.tiers import odds as closed_form
from tabletop_tui.rules import parse, tag_of
from tabletop_tui.session import CORE, Codec, Entry, Table
from tabletop_tui.storage import campaign as folder
from tabletop_tui.storage.desk import Desk, sessions
from tabletop_tui.storage.log import LogFile, with_crc
from tabletop_tui.storage.now import render
from tabletop_tui.storage.paths import write_starter

PEOPLE, ACTIONS = 200, 100_000
TIERS = plugins.load("tiers")


def best(work: Callable[[], object], times: int = 5) -> float:
    """The shortest of a few runs, in milliseconds; what a run made is thrown away outside the time."""
    took = []
    for _ in range(times):
        gc.collect()
        begun = time.perf_counter()
        made = work()
        took.append((time.perf_counter() - begun) * 1000)
        del made
    return min(took)


def row(what: str, value: str, limit: str = "") -> None:
    """One line of the table."""
    print(f"{what:<66} {value:>16}   {limit}")


def campaign(place: Path, people: int) -> Path:
    """A starter campaign with many characters."""
    root = place / "many"
    write_starter(TIERS.starter, "Many", root)
    for n in range(people - 3):
        text = f'name = "Soldier {n}"\n\n[levels]\nalpha = 3\nbeta = 1\n\n[skills]\nSpear = {{ beta = 2 }}\n'
        (root / f"characters/soldier-{n}.toml").write_text(text)
    return root


def action(words: str) -> Any:
    """An action as on the command line."""
    tag, *pairs = words.split()
    kind = next(k for k in TIERS.actions if tag_of(k) == tag)
    return parse(kind, dict(pair.split("=", 1) for pair in pairs))


def long_log(root: Path) -> Path:
    """A log of many actions: people are hurt and healed, challenges are rolled."""
    desk = Desk(root)
    fork = desk.table.fork()
    turns = [
        "hurt who=mira points=1", "heal who=mira points=1", "tick clock=storm by=1", "tick clock=storm by=-1",
        "oppose who=mira skill=Warding against=rook using=Dodge", "settle", "hurt who=rook points=2",
        "heal who=rook points=2", "note text=on", "award who=rook",
    ]  # fmt: skip
    codec, path = Codec(TIERS), sessions(root)[-1]
    whole = len(path.read_bytes())
    crc = int(path.read_bytes()[-11:-3], 16)
    ready = [action(words) for words in turns]
    lines = []
    for n in range(ACTIONS):
        entry: Any = fork.do(ready[n % len(ready)])
        line, crc = with_crc(codec.line(entry), crc)
        lines.append(line)
    with path.open("ab") as file:
        file.writelines(lines)
    desk.close()
    assert path.stat().st_size > whole
    return path


def opening(place: Path) -> None:
    """A long log opened, against nothing but decoding its bytes."""
    root = campaign(place / "long", 8)
    path = long_log(root)
    data = path.read_bytes()
    body = data[data.index(b"\n") + 1 :]
    entry: Any = Entry
    decoder = msgspec.json.Decoder(entry[Union[(*CORE, *TIERS.actions)], Union[TIERS.events]])  # noqa: UP007  # of tuples

    def decode() -> object:
        gc.disable()
        made = decoder.decode_lines(body)
        gc.enable()
        return made

    def load() -> Table:
        file = LogFile(path, Codec(TIERS))
        file.close()
        return Table(TIERS, file.header, file.entries)

    plain, whole = best(decode), best(load)
    row(f"decoding {ACTIONS:,} entries with msgspec ({len(data) / 1e6:.0f} MB)", f"{plain:.0f} ms")
    row(
        "opening the same log: checksums, decoding, every state",
        f"{whole:.0f} ms",
        f"× {whole / plain:.2f} of at most 3",
    )


def acting(place: Path) -> None:
    """One action through `Table.do`, synced to the disk."""
    desk = Desk(campaign(place / "acting", PEOPLE))
    took, with_picture = [], []
    for n in range(1_000):
        doing = action(f"{'hurt' if n % 2 else 'heal'} who=mira points=1")
        begun = time.perf_counter()
        desk.table.do(doing)
        took.append((time.perf_counter() - begun) * 1000)
        desk.publish()
        with_picture.append((time.perf_counter() - begun) * 1000)
    cuts, more = statistics.quantiles(took, n=100), statistics.quantiles(with_picture, n=100)
    row(f"Table.do, synced, {PEOPLE} characters: p50, p99", f"{cuts[49]:.2f}, {cuts[98]:.2f} ms", "p99 under 10 ms")
    row("the same, with now.toml written after it", f"{more[49]:.2f}, {more[98]:.2f} ms")
    now = desk.table.world.now
    row(f"now.toml of {PEOPLE} characters rendered", f"{best(lambda: render(now, 'x', 1), 10):.2f} ms")


def chances(place: Path) -> None:
    """A challenge's odds with every option of four supporters beside them."""
    root = place / "odds"
    write_starter(TIERS.starter, "Odds", root)
    desk = Desk(root)
    for words in (
        "improvise name=x tier=charlie dice=8",
        "lead who=mira skill=Warding",
        "support who=rook how=direct",
    ):
        desk.table.do(action(words))
    here, roll = desk.table.world, action("roll")
    challenge = here.now.challenge

    def seventeen() -> None:
        closed_form._led.cache_clear()
        for n in range(17):
            rank = n % 5 + 1
            sheet = msgspec.structs.replace(here.sheets["mira"], skills={"Warding": {"charlie": rank}})
            world = msgspec.structs.replace(here, sheets={**here.sheets, "mira": sheet})
            world = world.live(challenge=msgspec.structs.replace(challenge, bonus=n % 2 == 0))
            closed_form._led.cache_clear()
            TIERS.odds(world, roll)

    row("17 evaluations of a challenge's odds, nothing cached", f"{best(seventeen, 5):.1f} ms", "within 150 ms")


def checking(place: Path) -> None:
    """Every file of a large campaign."""
    root = campaign(place / "check", PEOPLE)
    row(f"check: {PEOPLE} sheets read and looked at", f"{best(lambda: folder.load(root)):.0f} ms")


def main() -> int:
    """Run everything."""
    with tempfile.TemporaryDirectory() as place:
        for part in (opening, acting, chances, checking):
            part(Path(place))
    return 0


if __name__ == "__main__":
    sys.exit(main())
