"""What each command does. They drive the same table as the screens."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import msgspec

from .. import plugins
from ..rules import KINDS, DiceNeeded, Refused, TableError, choices, clean, fields, parse, suggest, tag_of
from ..rules.ask import Choice
from ..session import AnyEntry, Table, begin, picture, utc_now, verify
from ..storage import campaign as folder
from ..storage.desk import Desk, Edits, sessions
from ..storage.log import LogFile, open_log, played, read_plain, torn_words, unreadable
from ..storage.paths import copy_demo, data_home, demos, locate, slug, write_starter
from ..storage.themes import unknown_theme
from .files import how_to_put_back, put_back
from .words import complain, odds_data, paint, say, show_odds, show_prompt


def out_json(data: Any) -> None:
    """Data on one line, for programs."""
    print(msgspec.json.encode(data).decode())


# ---- campaigns


def new(args: Namespace) -> int:
    """Write the starter files of a new campaign."""
    engine = plugins.load(args.engine)
    title = clean(args.title).strip()
    if not title:
        raise TableError("a campaign needs a title", remedy='tabletop new "The Ember Road" --engine tiers')
    target = Path(args.into or ".") / slug(title)
    if not engine.starter:
        raise TableError(f"the engine {engine.name!r} has no starter files", remedy="Copy one of its samples.")
    written = write_starter(engine.starter, title, target)
    say(f"{title}: {len(written)} files in {target}", "good")
    say(f"Next: tabletop check {target}   tabletop play {target}")
    return 0


def demo(args: Namespace) -> int:
    """Copy a sample campaign so that it can be played."""
    found = {p.name: p for p in demos()}
    if args.name not in found:
        remedy = f"There is: {', '.join(found)}."
        raise TableError(f"there is no sample {args.name!r}", remedy=remedy)
    target = copy_demo(found[args.name], Path(args.into) if args.into else data_home() / "campaigns")
    say(f"{target}", "good")
    return 0


def check(args: Namespace) -> int:
    """Every problem of every file at once."""
    found = folder.load(locate(args.campaign))
    problems = [*found.problems, *unknown_theme(found)]
    if args.json:
        out_json(problems)
    else:
        for problem in problems:
            print(paint(str(problem), "warn" if problem.warning else "bad"))
        if not problems:
            count = len(found.documents)
            say(f"{found.title}: {count} files, no problems", "good")
        if found.older:
            say(
                f"The files are of an older format and work: tabletop migrate {args.campaign} says what is new",
                "muted",
            )
    return 1 if found.errors else 0


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


def open_desk(args: Namespace) -> Desk:
    """Open a campaign, tell what was mended and which hand edits were found."""
    desk = Desk(locate(args.campaign))
    for note in desk.log.notes:
        complain(f"Note: {note}.")
    tell_edits(desk.look())
    return desk


def peek(args: Namespace) -> Table:
    """A campaign's table to ask questions of: one that was never played is not begun by a question."""
    root = locate(args.campaign)
    found = folder.load(root)
    if sessions(root) or found.engine is None or found.errors or found.newer:
        return open_desk(args).table
    header = begin(found.engine, found.world(), campaign=root.name, session="", at=utc_now())
    return Table(found.engine, header)


def tell_edits(edits: Edits) -> None:
    """What was found in the files."""
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
    try:
        return parse(find_action(table, word), split_words(words))
    except msgspec.ValidationError as error:
        fault = str(error).replace(" - at `$.", " for `")
        raise Refused(
            f"{word} cannot be read: {fault}", remedy=f"tabletop offers CAMPAIGN {word} says more."
        ) from None


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
    desk = open_desk(args)
    table = desk.table
    action = read_action(table, args.action, args.fields)
    faces = parse_dice(args.dice) if args.dice else ()
    target = table.fork() if args.dry_run else table
    try:
        entry = target.do(action, faces, roll=not faces or args.roll_rest, by=args.by)
    except DiceNeeded as need:
        sides = " ".join(f"d{s}" for s in need.sides)
        raise Refused(
            f"{len(need.sides)} more dice are needed for {need.why}: {sides}",
            remedy="Add them to --dice, or add --roll-rest.",
        ) from None
    if not args.dry_run:
        desk.publish()
    _tell_entry(entry, args.json, dry=args.dry_run)
    if not args.json:
        _tell_prompt(target, args.campaign)
    return 0


def _tell_entry(entry: AnyEntry, as_json: bool, *, dry: bool = False) -> None:
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


def _tell_prompt(table: Table, campaign: str) -> None:
    if table.engine.policy(table.world) is None:
        return
    for kind in KINDS[:3]:
        view = table.view(kind)
        prompt = getattr(view, "prompt", None)
        if prompt:
            show_prompt(prompt, campaign)
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
    table = peek(args)
    if args.action:
        return _offer(table, args)
    found = table.offers()
    if args.json:
        out_json([{"action": o.tag, "title": o.title, "closed": o.closed} for o in found])
        return 0
    width = max(len(o.tag) for o in found)
    for offer in found:
        if offer.closed:
            say(f"– {offer.tag:<{width}}  {offer.closed}", "muted")
        else:
            say(f"  {offer.tag:<{width}}  {offer.help.splitlines()[0] if offer.help else ''}")
    _tell_prompt(table, args.campaign)
    return 0


def _offer(table: Table, args: Namespace) -> int:
    kind = find_action(table, args.action)
    so_far: dict[str, Any] = dict(split_words(args.fields))
    data: dict[str, Any] = {}
    if not args.json:
        say((kind.__doc__ or "").strip())
        if why := kind.when(table.world):
            say(f"Not now: {why}", "warn")
    for field in fields(kind):
        answers = choices(field, table.world, so_far)
        data[field.name] = [{"value": c.value, "label": c.words, "closed": c.closed, "note": c.note} for c in answers]
        so_far.setdefault(field.name, field.default)
        if args.json:
            continue
        meaning = f": {field.default} is {field.hint}" if field.hint else ""
        note = "" if field.required else f" (may be left out{meaning})"
        say(f"{field.name}{note}: {field.kind}", "bold")
        for c in answers:
            note = f"  {c.note}" if c.note else ""
            said = f"– {c.closed}" if c.closed else c.words
            say(f"  {c.value!s:<20} {said}{note}", "muted" if c.closed else "")
    if args.json:
        out_json(data)
    return 0


def undo(args: Namespace) -> int:
    """Take back the last thing, or everything after an entry."""
    return _step(args, "undo")


def redo(args: Namespace) -> int:
    """Do again what was undone."""
    return _step(args, "redo")


def _step(args: Namespace, way: str) -> int:
    desk = open_desk(args)
    entry = getattr(desk.table, way)(args.to, by=args.by)
    desk.publish()
    _tell_entry(entry, args.json)
    if told := how_to_put_back(desk, args.campaign):
        complain(told)
    return 0


def edits(args: Namespace) -> int:
    """Look for hand edits now, and settle conflicts; or put back into the files what was undone."""
    if args.put_back:
        return put_back(args)
    desk = Desk(locate(args.campaign))
    found = desk.look(take=args.take or "")
    tell_edits(found)
    if not found.any:
        say(how_to_put_back(desk, args.campaign) or "The files and the table agree.", "good")
    if not found.conflicts and not found.refused and not found.problems:
        desk.publish()
    return 1 if found.conflicts or found.refused or found.problems else 0


def session(args: Namespace) -> int:
    """Begin a new session of a campaign."""
    before = Desk(locate(args.campaign))
    tell_edits(before.look())
    before.publish()
    before.close()
    desk = Desk(locate(args.campaign), new_session=True)
    desk.publish()
    say(f"{desk.campaign.title}: session {desk.table.header.session}", "good")
    return 0


# ---- logs


def find_log(word: str) -> Path:
    """A log by its file, or the latest of a campaign; of a sample, the session that came with it."""
    path = Path(word)
    if path.is_file():
        return path
    samples = {p.name: p for p in demos()}
    try:
        folder_ = locate(word)
    except TableError:
        if word not in samples:
            raise
        folder_ = samples[word]
    found = [*played(folder_), *sessions(folder_)]
    if not found:
        raise TableError("no session has been played yet", where=word, remedy="tabletop play begins one.")
    return found[-1]


def log(args: Namespace) -> int:
    """The story so far; needs neither engine nor campaign."""
    path = find_log(args.campaign)
    plain = read_plain(path)
    entries = plain.entries[-args.last :] if args.last else plain.entries
    for entry in entries:
        if args.json:
            out_json(
                msgspec.to_builtins(entry, builtin_types=(msgspec.Raw,)) | {"action": json.loads(bytes(entry.action))}
            )
            continue
        if args.players and entry.whispered and not entry.said:
            continue  # players are not to know that there was anything
        head = f"{entry.seq:>5}  {entry.at[11:16]}  "
        lines = (*entry.said, *(() if args.players else entry.whispered)) or ("…",)
        for i, line in enumerate(lines):
            say((head if not i else " " * len(head)) + line)
    if plain.damage:
        complain(f"{plain.damage}. Run tabletop doctor.")
    elif plain.torn:
        complain(f"Note: {torn_words(path, plain.torn)}.")
    return 1 if plain.damage else 0


def replay(args: Namespace) -> int:
    """Watch a logged session again, tell it as text, show its state at an entry, or verify it."""
    path = find_log(args.log)
    if args.verify:
        return _verify(open_log(path))
    if args.to is None:
        if not args.text and sys.stdin.isatty() and sys.stdout.isatty():
            from ..ui import replay as watch

            if why := unreadable(path):  # newer, or its engine is not installed: its text is still there
                complain(f"{why} Its text:")
            else:
                return watch(str(path), args.seat)
        args.campaign, args.last, args.players, args.json = str(path), 0, bool(args.seat), False
        return log(args)
    file = open_log(path)
    world = Table(file.codec.engine, file.header, file.entries).at(args.to)
    import tomli_w

    say(f"# {path.name}, after entry {args.to}", "muted")
    print(clean(tomli_w.dumps(picture(world.now))))
    return 0


def _verify(file: LogFile) -> int:
    for note in file.notes:
        complain(f"Note: {note}.")
    verdict = verify(file.codec.engine, file.header, file.entries)
    if verdict.wrong:
        complain(f"{file.path.name}: entry {verdict.at}: {verdict.wrong}.")
        return 1
    if file.closed and "look at only" not in file.closed:
        complain(file.closed + ".")
        return 1
    same = verdict.actions - verdict.otherwise
    say(
        f"{file.path.name}: {verdict.entries} entries; {same} actions resolved again to the same events "
        f"and state; {verdict.dice} dice, {verdict.typed} of them typed in, the others derived again from the seed",
        "good",
    )
    if verdict.otherwise:
        engine = file.codec.engine
        say(
            f"It was played by version {file.header.version} of {engine.title}; by version {engine.version} "
            f"{verdict.otherwise} of its actions would come out otherwise. What was played stays as it was."
        )
    return 0


def doctor(args: Namespace) -> int:
    """Look at everything in a campaign and say what is wrong and what to do."""
    from .doctor import examine

    return examine(locate(args.campaign), mend=args.mend)
