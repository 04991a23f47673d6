"""What the commands about logs do: tell one, replay it, verify it."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from ..rules import Refused, TableError
from ..session import (
    Known,
    PlainEntry,
    Reader,
    Replay,
    check_seat,
    do_of,
    local_time,
    picture,
    read,
    verify,
)
from ..storage.campaign.beginning import missing
from ..storage.log import LogFile, open_log, played, read_plain, sessions, torn_words, unreadable
from ..storage.user.paths import demos, locate, typed_path
from .words import complain, out_json, say, telling


def find_log(word: str) -> Path:
    """A log by its file, or the latest of a campaign; of a sample, the session that came with it."""
    path = typed_path(word)
    if path.is_file():
        return path
    samples = {p.name: p for p in demos()}
    try:
        folder_ = locate(word)
    except TableError:
        if word not in samples:
            raise
        folder_ = samples[word]
    missing(folder_, logs := sessions(folder_))
    found = [*played(folder_), *logs]
    if not found:
        raise TableError("no session has been played yet", where=word, remedy="tabletop play begins one.")
    return found[-1]


def log(args: Namespace) -> int:
    """The story so far; needs neither engine nor campaign."""
    path = find_log(args.campaign)
    seat = "" if args.seat is None else check_seat(args.seat, players_of(path))
    players = args.players or args.seat is not None
    if args.follow:
        from .follow import follow

        return follow(args, path, players=players)
    plain = read_plain(path)
    known = read(plain.entries, players=players, seat=seat)
    told = known if args.all or args.json else _lasting(plain.entries, players, seat)
    hidden = len(known) - len(told)
    whole = {entry.seq: entry for entry in plain.entries}
    for one in told[-args.last :] if args.last else told:
        print_entry(whole.get(one.number), one, args.json, players=players)
    if hidden:
        say(
            f"{hidden} entries are left out: what was undone, undoing, and what players asked; --all shows them",
            "muted",
        )
    if plain.damage:
        # where and how is the GM's: it tells of entries that players do not know
        complain("The log is damaged. Tell the GM." if players else f"{plain.damage}. Run tabletop doctor.")
    elif plain.torn and not players:
        complain(f"Note: {torn_words(path, plain.torn)}.")
    return 1 if plain.damage else 0


def _lasting(entries: Sequence[PlainEntry], players: bool, seat: str) -> list[Known]:
    """The story as it came out: without what was undone, and without the undoing."""
    reader = Reader(players=players, seat=seat)
    reader.take(entries)
    past = reader.past()
    return [reader.told(entry) for entry in entries if entry.seq in past and reader.knows(entry.seq)]


def print_entry(entry: PlainEntry | None, known: Known, as_json: bool, *, players: bool) -> None:
    """An entry as its reader may know it; the GM's programs get all of it."""
    if as_json:
        out_json(_players_data(known) if players or entry is None else _data(entry))
        return
    head = f"{known.number:>5}  {local_time(known.at)}  "
    for i, line in enumerate((*known.said, *known.whispered) or ("…",)):
        say((head if not i else " " * len(head)) + line)


def _data(entry: PlainEntry) -> dict[str, Any]:
    whole: dict[str, Any] = msgspec.to_builtins(entry, builtin_types=(msgspec.Raw,))
    return whole | {"action": json.loads(bytes(entry.action))}


def _players_data(known: Known) -> dict[str, Any]:
    """An entry without what only its action and its events would tell."""
    data: dict[str, Any] = msgspec.to_builtins(known)
    return data


def replay(args: Namespace) -> int:
    """Watch a logged session again, tell it as text, show its state at an entry, or verify it."""
    path = find_log(args.log)
    seat = "" if args.seat is None else check_seat(args.seat, players_of(path))
    if args.verify:
        if seat:
            raise Refused("--verify is the GM's: it tells of every entry", remedy="Leave --seat out.")
        return _verify(open_log(path))
    if args.to is None:
        if not args.text and sys.stdin.isatty() and sys.stdout.isatty():
            from ..ui import replay as watch

            if why := unreadable(path):  # newer, or its engine is not installed: its text is still there
                complain(f"{why} Its text:")
            else:
                return watch(str(path), seat)
        args.campaign, args.last, args.players, args.json, args.follow = str(path), 0, bool(seat), False, False
        return log(args)
    file = open_log(path)
    table = Replay(file.codec.engine, file.header, file.entries, seat=seat)
    table.show_all(True)
    if not 0 <= args.to <= table.length:
        raise Refused(f"there is no entry {args.to}", remedy=f"From 0 to {table.length}.")
    table.seek(args.to)
    say(f"# {path.name}, after entry {args.to}", "muted")
    if seat:
        from ..linear import pages

        view = table.view("table")
        for line in pages.read(view) if view is not None else ():
            say(line)
        return 0
    import tomli_w

    say(tomli_w.dumps(picture(table.world.now)))
    return 0


def players_of(path: Path) -> list[str]:
    """Whoever a sheet of a log names as its player, from its beginning or since: read without the engine."""
    try:
        with path.open("rb") as file:
            world = msgspec.json.decode(file.readline(), type=dict[str, Any]).get("world")
        sheets = world["sheets"] if isinstance(world, dict) else {}
        found = [sheet.get("player", "") for sheet in sheets.values()]
    except (OSError, KeyError, AttributeError, msgspec.DecodeError):
        found = []
    for entry in read_plain(path).entries:
        if do_of(entry)[0] == "edited":
            for change in json.loads(bytes(entry.action)).get("changes", ()):
                if change["path"][0] == "sheets":
                    after = change.get("after")
                    found.append(after.get("player", "") if isinstance(after, dict) else after)
    return [name for name in found if isinstance(name, str)]


def _verify(file: LogFile) -> int:
    for note in file.notes:
        complain(f"Note: {note}.")
    with telling() as progress:
        verdict = verify(file.codec.engine, file.header, file.entries, progress)
    if verdict.wrong:
        complain(f"{file.path.name}: entry {verdict.at}: {verdict.wrong}.")
        return 1
    if file.wrong:
        complain(f"{file.wrong}.")
        return 1
    same = verdict.actions - verdict.otherwise
    entries = "1 entry" if verdict.entries == 1 else f"{verdict.entries} entries"
    actions = "1 action" if same == 1 else f"{same} actions"
    say(
        f"{file.path.name}: {entries}; {actions} resolved again to the same events "
        f"and state; {verdict.dice} dice, {verdict.typed} of them typed in, the others derived again from the seed",
        "good",
    )
    if verdict.otherwise:
        engine = file.codec.engine
        say(
            f"It was played by version {file.header.version} of {engine.title}; by version {engine.version} "
            f"{verdict.otherwise} of its actions would come out differently. What was played stays as it was."
        )
    return 0
