"""`tabletop export` and `tabletop recap`: a logged session as a record to read, print or count, or in short."""

from __future__ import annotations

import sys
from argparse import Namespace

from ..kit.common import plural
from ..records.logs import check_target, last_time, record_of, save, written
from ..records.words import title_of
from ..rules import Refused, TableError
from ..session import local_day
from ..storage.user.paths import locate, typed_path
from .logs import find_log
from .words import complain, out_json, say, telling


def export(args: Namespace) -> int:
    """Write the record of a log; 1 where the log is not sound, with a record of what is."""
    path = find_log(args.log)
    target = typed_path(args.to) if args.to else None
    if target:
        check_target(target, path)
        if target.is_file() and not args.force:
            raise Refused("there is something already", where=str(target), remedy="Name another file, or --force.")
    with telling() as progress:
        made, wrong = record_of(path, args.reader, undone=args.all, progress=progress)
    data = written(made, args.form)
    if target:
        save(target, data, players=args.reader == "players")
        say(f"{target}: {plural(made.beats, 'step')}, {len(data):,} bytes", "good")
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    # a table has no place for remarks
    for words in dict.fromkeys([*wrong, *(made.notes if args.form == "csv" else ())]):
        complain(words)
    return 1 if wrong else 0


def recap(args: Namespace) -> int:
    """What happened last time."""
    found = last_time(locate(args.campaign), players=args.reader == "players")
    if found is None:
        raise TableError(
            "there is nothing to tell: nothing was played yet, or the last log cannot be read",
            remedy="tabletop doctor looks at the logs.",
        )
    if args.json:
        out_json(found)
        return 0
    day = local_day(found.began)
    when = "" if found.session.endswith(day) else f", {day}"
    say(f"{title_of(found.campaign)}, session {found.session}{when}", "bold")
    for part in found.parts:
        if part.title:
            say(part.title, "bold")
        for line in part.lines:
            say(f"  {line}")
    return 0
