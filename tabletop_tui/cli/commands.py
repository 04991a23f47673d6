"""What each command does. They drive the same table as the screens."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from .. import plugins
from ..rules import KINDS, DiceNeeded, Refused, TableError, clean, fields, parse, suggest, tag_of
from ..rules.ask import Choice
from ..session import (
    AnyEntry,
    Known,
    PlainEntry,
    Reader,
    Replay,
    Table,
    begin,
    check_seat,
    do_of,
    picture,
    read,
    utc_now,
    verify,
)
from ..storage import campaign as folder
from ..storage.campaign.beginning import missing
from ..storage.campaign.now import live_problems
from ..storage.log import LogFile, open_log, played, read_plain, sessions, torn_words, unreadable
from ..storage.open_campaign import Edits, OpenCampaign
from ..storage.user.paths import copy_demo, data_home, demos, locate, slug, typed_path, write_starter
from ..storage.user.themes import unknown_theme
from .files import how_to_put_back, put_back
from .words import complain, odds_data, out_json, say, show_odds, show_prompt

# ---- campaigns


def new(args: Namespace) -> int:
    """Write the starter files of a new campaign."""
    engine = plugins.load(args.engine)
    title = clean(args.title).strip()
    if not title:
        raise TableError("a campaign needs a title", remedy='tabletop new "The Ember Road" --engine tiers')
    target = typed_path(args.into or ".") / slug(title)
    if not engine.starter:
        raise TableError(f"the engine {engine.name!r} has no starter files", remedy="Copy one of its samples.")
    written = write_starter(engine.starter, title, target, people=not args.empty)
    say(f"{title}: {len(written)} files in {target}", "good")
    say(f"Next: tabletop check {target}   tabletop play {target}")
    return 0


def demo(args: Namespace) -> int:
    """Copy a sample campaign so that it can be played."""
    found = {p.name: p for p in demos()}
    if args.name not in found:
        remedy = f"Choose from: {', '.join(found)}."
        raise TableError(f"there is no sample {args.name!r}", remedy=remedy)
    target = copy_demo(found[args.name], typed_path(args.into) if args.into else data_home() / "campaigns")
    say(f"{target}", "good")
    return 0


def check(args: Namespace) -> int:
    """Every problem of every file at once."""
    found = folder.load(locate(args.campaign))
    live = live_problems(found)
    problems = [*found.problems, *unknown_theme(found), *live]
    if args.json:
        out_json(problems)
    else:
        for problem in problems:
            say(str(problem), "warn" if problem.warning else "bad")
        if not problems:
            count = len(found.documents)
            say(f"{found.title}: {count} files, no problems", "good")
        for words in _keys(found):
            say(words, "warn")
        if found.older and found.engine_name:
            say(
                f"The files are of an older format and work: tabletop migrate {args.campaign} says what is new",
                "muted",
            )
    return 1 if found.errors or any(not problem.warning for problem in live) else 0


def _keys(found: folder.Campaign) -> list[str]:
    """Keys that two commands want: the user's own, and letters of the game."""
    from ..storage.user.config import load_config
    from ..ui.commands import catalogue  # without Textual

    if found.engine is None:
        return []
    return [*catalogue.problems(load_config().config.keys, [found.engine]), *catalogue.letters(found.engine)]


def engines(args: Namespace) -> int:
    """What is installed, and what failed."""
    loaded = plugins.load_all()
    if args.json:
        out_json({"engines": {n: e.title for n, e in loaded.engines.items()}, "failed": loaded.failed})
        return 0
    for name, engine in loaded.engines.items():
        screens = " ".join(k for k in KINDS if _has(engine, k))
        say(f"{name:<10} {engine.title:<28} {screens}")
    for failure in loaded.failed:
        complain(f"{failure.name:<10} {failure.why}. {failure.remedy}")
    return 0


def _has(engine: Any, kind: Any) -> bool:
    from ..rules import World

    try:
        return kind == "sheet" or engine.view(kind, World(engine.rules(), engine.now())) is not None
    except Exception:  # a stranger's engine that fails on an empty world is still listed
        return False


# ---- the table


@contextmanager
def at_table(args: Namespace) -> Iterator[OpenCampaign]:
    """An open campaign; what was found in its files and what happened to its log is told, before and after."""
    campaign = OpenCampaign(locate(args.campaign))
    try:
        tell_edits(campaign.look())
        yield campaign
    finally:
        tell_edits(campaign.untold())
        campaign.close()


def peek(args: Namespace) -> Table:
    """A campaign's table to ask questions of: one that was never played is not begun by a question."""
    root = locate(args.campaign)
    found = folder.load(root)
    if sessions(root) or found.engine is None or found.errors or found.newer:
        with at_table(args) as campaign:
            return campaign.table
    missing(root, ())
    header = begin(found.engine, found.world(), campaign=root.name, session="", at=utc_now())
    return Table(found.engine, header)


def tell_edits(edits: Edits) -> None:
    """What was found in the files, and what happened to the log."""
    for note in edits.notes:
        complain(f"Note: {note}.")
    for change in edits.done:
        complain(f"Edited by hand: {change.words()}")
    for conflict in edits.conflicts:
        complain(f"Not applied: {conflict.words()}. Settle it: tabletop edits CAMPAIGN --take file, or --take table.")
    for words in edits.refused:
        complain(f"Not applied: {words}")
    for problem in edits.problems:
        complain(str(problem))


def find_action(table: Table, word: str) -> Any:
    """An action by its word."""
    kinds = {tag_of(kind): kind for kind in table.engine.actions}
    if word not in kinds:
        raise Refused(
            f"{table.engine.title} has no action {word!r}", remedy=suggest(word, [Choice(k) for k in kinds])
        )
    return kinds[word]


def split_words(words: list[str]) -> dict[str, str]:
    """`key=value` words."""
    out: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise Refused(f"{word!r} is no key=value", remedy="Write who=mira, say.")
        if key in out:
            raise Refused(f"{key!r} is given twice")
        out[key] = value
    return out


def read_action(table: Table, word: str, words: list[str]) -> Any:
    """An action as it was typed."""
    kind = find_action(table, word)
    try:
        return parse(kind, by_name(table, kind, split_words(words)))
    except msgspec.ValidationError as error:
        fault = str(error).replace(" - at `$.", " for `")
        raise Refused(
            f"{word} cannot be read: {fault}", remedy=f"tabletop offers CAMPAIGN {word} says more."
        ) from None


def by_name(table: Table, kind: Any, words: dict[str, str]) -> dict[str, str]:
    """The same words with ids in the place of names: either may be typed, and players are shown names alone."""
    out = dict(words)
    for field in fields(kind):
        if field.name in words and field.kind in ("choice", "choices"):
            answers = table.choices(kind, field, out)
            ids = {text.casefold(): str(c.value) for c in answers for text in (c.words, str(c.value))}
            parts = words[field.name].split(",") if field.kind == "choices" else [words[field.name]]
            out[field.name] = ",".join(ids.get(part.strip().casefold(), part) for part in parts)
    return out


def parse_dice(word: str) -> tuple[int, ...]:
    """Faces from `4,4,2` or `4 4 2`."""
    try:
        faces = tuple(int(part[:6]) for part in word.replace(",", " ").split())
    except ValueError:
        faces = ()
    if not faces:
        raise Refused(f"{word!r} are no dice", remedy="Faces with commas: --dice 4,4,2")
    return faces


def act(args: Namespace) -> int:
    """Perform an action."""
    if args.seat is not None:
        from .asked import act as act_from_a_seat

        return act_from_a_seat(args)
    with at_table(args) as campaign:
        action = read_action(campaign.table, args.action, args.fields)
        faces = parse_dice(args.dice) if args.dice else ()
        table = campaign.table.fork() if args.dry_run else campaign.table
        do = table.do if args.dry_run else campaign.do
        try:
            entry = do(action, faces, roll=not faces or args.roll_rest, by=args.by)
        except DiceNeeded as need:
            sides = " ".join(f"d{s}" for s in need.sides)
            raise Refused(
                f"{len(need.sides)} more dice are needed for {need.why}: {sides}",
                remedy="Add them to --dice, or add --roll-rest.",
            ) from None
        tell_entry(entry, args.json, dry=args.dry_run)
        if not args.json:
            tell_prompt(table, args.campaign)
    return 0


def tell_entry(entry: AnyEntry, as_json: bool, *, dry: bool = False) -> None:
    """What was done and what fell, in words or for programs."""
    if as_json:
        out_json({**msgspec.to_builtins(entry), "dry_run": dry})
        return
    if dry:
        say("Dry run, nothing is saved; real dice will fall otherwise:", "muted")
    for hand in entry.dice:
        typed = " (typed in)" if hand.typed else ""
        say(f"  {hand.why}: {' '.join(map(str, hand.faces))}{typed}", "muted")
    for line in (*entry.said, *entry.whispered):
        say(line)


def tell_prompt(table: Table, campaign: str) -> None:
    """The choice that the game waits for, where there is one."""
    if table.engine.policy(table.world) is None:
        return
    for kind in KINDS[:3]:
        view = table.view(kind)
        prompt = getattr(view, "prompt", None)
        if prompt:
            show_prompt(prompt, "" if table.seat else campaign)
            return


def odds(args: Namespace) -> int:
    """The exact chances of an action."""
    table = peek(args)
    action = read_action(table, args.action, args.fields)
    preview = table.preview(action)
    if preview.refused:
        raise Refused(preview.refused.rstrip("."))
    if preview.odds is None:
        raise Refused(f"{args.action} rolls no dice", remedy="tabletop act does it.")
    if args.json:
        out_json(odds_data(preview.odds))
    else:
        show_odds(preview.odds)
    return 0


def offers(args: Namespace) -> int:
    """What can be done now; for one action, what its fields can be."""
    if args.seat is not None:
        from .asked import at_seat

        with at_seat(args, write=False) as campaign:
            return _offers(campaign.table, args)
    return _offers(peek(args), args)


def _offers(table: Table, args: Namespace) -> int:
    if args.action:
        return _offer(table, args)
    found = [offer for offer in table.offers() if offer.how != "no"]
    if args.json:
        out_json([{"action": o.tag, "title": o.title, "closed": o.closed, "asks": o.how == "ask"} for o in found])
        return 0
    if not found:
        say("There is nothing for you to do here.", "muted")
        return 0
    width = max(len(o.tag) for o in found)
    for offer in found:
        if offer.closed:
            say(f"– {offer.tag:<{width}}  {offer.closed}", "muted")
        else:
            asks = "ask the GM: " if offer.how == "ask" else ""
            say(f"  {offer.tag:<{width}}  {asks}{offer.help.splitlines()[0] if offer.help else ''}")
    tell_prompt(table, args.campaign)
    return 0


def _offer(table: Table, args: Namespace) -> int:
    kind = find_action(table, args.action)
    so_far: dict[str, Any] = dict(by_name(table, kind, split_words(args.fields)))
    data: dict[str, Any] = {}
    if not args.json:
        say((kind.__doc__ or "").strip())
        if why := table.engine.when(kind, table.seen()):
            say(f"Not now: {why}", "warn")
    for static in fields(kind):
        field = table.engine.shaped(kind, static, table.seen(), so_far)
        if field is None:
            continue
        answers = table.choices(kind, field, so_far)
        ids = [c.words if table.seat else c.value for c in answers]  # those are the names of the GM's files
        data[field.name] = [
            {"value": id, "label": c.words, "closed": c.closed, "note": c.note}
            for id, c in zip(ids, answers, strict=True)
        ]
        if not field.required:  # what must be said and was not stays open
            so_far.setdefault(field.name, field.default)
        if args.json:
            continue
        meaning = f": {field.default} is {field.hint}" if field.hint else ""
        note = "" if field.required else f" (may be left out{meaning})"
        called = f" ({field.label})" if field.label != static.label else ""
        say(f"{field.name}{called}{note}: {field.kind}", "bold")
        for id, c in zip(ids, answers, strict=True):
            note = f"  {c.note}" if c.note else ""
            said = f"– {c.closed}" if c.closed else "" if id == c.words else c.words
            say(f"  {id!s:<20} {said}{note}".rstrip(), "muted" if c.closed else "")
    if args.json:
        out_json(data)
    return 0


def undo(args: Namespace) -> int:
    """Take back the last thing, or everything after an entry."""
    if args.seat is not None:
        from .asked import undo as undo_from_a_seat

        return undo_from_a_seat(args)
    with at_table(args) as campaign:
        return _stepped(args, campaign, campaign.undo(args.to, by=args.by))


def redo(args: Namespace) -> int:
    """Do again what was undone."""
    with at_table(args) as campaign:
        return _stepped(args, campaign, campaign.redo(args.to, by=args.by))


def _stepped(args: Namespace, campaign: OpenCampaign, entry: AnyEntry) -> int:
    tell_entry(entry, args.json)
    if told := how_to_put_back(campaign, args.campaign):
        complain(told)
    return 0


def edits(args: Namespace) -> int:
    """Look for hand edits now, and settle conflicts; or put back into the files what was undone."""
    if args.put_back:
        return put_back(args)
    campaign = OpenCampaign(locate(args.campaign))
    found = campaign.look(take=args.take or "")
    tell_edits(found)
    if not found.any:
        say(how_to_put_back(campaign, args.campaign) or "The files and the table agree.", "good")
    return 1 if found.conflicts or found.refused or found.problems else 0


def session(args: Namespace) -> int:
    """Begin a new session of a campaign."""
    root = locate(args.campaign)
    if sessions(root) and not args.from_now:
        with at_table(args):
            pass  # what was edited by hand belongs to the session before
    campaign = OpenCampaign(root, new_session=bool(sessions(root)), from_now=args.from_now)
    say(f"{campaign.title}: session {campaign.table.header.session}", "good")
    return 0


# ---- logs


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
        say(f"{hidden} entries that were undone, undo or ask are left out; --all has them", "muted")
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
    head = f"{known.number:>5}  {known.at[11:16]}  "
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
    verdict = verify(file.codec.engine, file.header, file.entries)
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


def doctor(args: Namespace) -> int:
    """Look at everything in a campaign and say what is wrong and what to do."""
    from .doctor import examine

    return examine(locate(args.campaign), mend=args.mend)
