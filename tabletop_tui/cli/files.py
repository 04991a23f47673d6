"""The commands that look after a campaign's files: schema, set, migrate, pack, unpack, backups."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from .. import plugins
from ..kit.common import plural
from ..rules import Refused, TableError
from ..storage import campaign as folder
from ..storage.campaign.preparing import Preparation
from ..storage.campaign.schema import rendered, write_schemas
from ..storage.campaign.writeback import Patch, plan, save
from ..storage.disk import Disk, write_file
from ..storage.log import sessions
from ..storage.open_campaign import OpenCampaign
from ..storage.safety.backups import backups as listed
from ..storage.safety.backups import restore
from ..storage.safety.migrate import migrate as bring_up
from ..storage.safety.migrate import pending
from ..storage.safety.packing import pack as packed
from ..storage.safety.packing import unpack as unpacked
from ..storage.user.paths import locate, typed_path
from .words import complain, say

TONES = {"+": "good", "-": "bad", "@": "muted"}


def show(patch: Patch) -> None:
    """What would be changed in a file, line by line."""
    for line in patch.diff().split("\n"):
        say(line, TONES.get(line[:1], ""))
    for warning in patch.warnings:
        say(str(warning), "warn")


def schema(args: Namespace) -> int:
    """Print the schema of one kind of file, or write all of them into a campaign."""
    engine = plugins.load(args.engine)
    if not args.into:
        say(rendered(engine)[f"{args.part}.json"].decode().rstrip("\n"))
        return 0
    root = locate(args.into)
    found = folder.load(root)
    if found.engine_name != engine.name:
        raise TableError(
            f"the campaign is played with {found.engine_name!r}, not with {engine.name!r}",
            where=str(root),
            remedy=f"tabletop schema {found.engine_name} --into {args.into}",
        )
    try:
        written = write_schemas(root, engine)
    except OSError as error:
        raise TableError(f"the schemas cannot be written: {error.strerror}", where=str(root)) from None
    say(f"{found.title}: {len(written)} written into {root / '.schema'}", "good")
    return 0


def put(args: Namespace) -> int:
    """Change one value of a hand-written file: shown first, written when asked."""
    root = locate(args.campaign)
    campaign = OpenCampaign(root, write=args.yes) if sessions(root) else None
    if campaign and args.yes:
        _tell(campaign)
    ask = campaign.change if campaign else lambda *words: plan(root, *words)
    patch = ask(args.file, args.path, args.value)
    if patch.old == patch.new:
        say(f"{args.file}: {args.path} is {args.value} already", "good")
        return 0
    show(patch)
    if not args.yes:
        kept = "tabletop undo puts it back." if campaign else "The old file is kept as .bak."
        say(f"Nothing is written yet: add --yes. {kept}", "muted")
        return 0
    if campaign is None:
        save(root, patch)
        return 0
    entry = campaign.prepare(Preparation(f"{args.file}: {args.path} = {args.value}", (patch,)))
    say((*entry.said, *entry.whispered)[0], "good")
    return 0


def _tell(campaign: OpenCampaign) -> None:
    from .acting import tell_edits

    tell_edits(campaign.look())


def _written(campaign: OpenCampaign, patches: list[Patch]) -> int:
    from .acting import tell_edits

    wrong = 0
    for patch in patches:
        found = campaign.write(patch)
        tell_edits(found)
        wrong += bool(found.refused or found.problems)
    return 1 if wrong else 0


def put_back(args: Namespace) -> int:
    """Write into the hand-written files what undo or redo made of them at the table."""
    campaign = OpenCampaign(locate(args.campaign))
    _tell(campaign)
    patches = campaign.put_back()
    if not patches:
        say("The files and the table agree.", "good")
    for patch in patches:
        show(patch)
    ready = [p for p in patches if p.old != p.new]
    return _written(campaign, ready) or int(len(ready) < len(patches))


def how_to_put_back(opened: OpenCampaign, campaign: str) -> str:
    """What to tell after an undo or redo: which files now say something else than the table; empty where none."""
    files = [p.file for p in opened.put_back()]
    if not files:
        return ""
    return f"{', '.join(files)} still says something else. To put it back: tabletop edits {campaign} --put-back"


def migrate(args: Namespace) -> int:
    """Bring the files of an older format up to date: shown first, written when asked."""
    from ..session import utc_now

    root = locate(args.campaign)
    steps, patches = pending(root)
    if not patches:
        say("The files are of the newest format.", "good")
        return 0
    for patch in patches:
        show(patch)
    for step in steps:
        say(f"Format {step.to}: {step.words}.")
    if not args.yes:
        say("Nothing is written yet: add --yes. A backup is made, and the old files are kept as .bak.", "muted")
        return 0
    try:
        bring_up(root, patches, utc_now())
    except OSError as error:
        raise TableError(f"the files cannot be written: {error.strerror}", where=str(root)) from None
    say(f"{len(patches)} files are up to date", "good")
    return 0


def pack(args: Namespace) -> int:
    """Put a whole campaign into one file."""
    root = locate(args.campaign)
    target = typed_path(args.to) if args.to else Path(f"{root.resolve().name}.zip")
    if target.exists() or target.is_symlink():
        raise Refused("there is something already", where=str(target), remedy="Choose another name with --to.")
    try:
        found = packed(root)
        write_file(target, found.data, Disk())
    except OSError as error:
        raise TableError(f"it cannot be packed: {error.strerror}", where=str(error.filename or target)) from None
    for name in found.left_out:
        complain(f"Left out: {name} is not a plain file, is packed itself, is larger than 16 MB, or has an odd name.")
    say(f"{target}: {plural(found.files, 'file')}, {len(found.data):,} bytes", "good")
    say("It holds everything, the GM's secrets too. To take it out again: tabletop unpack", "muted")
    return 0


def unpack(args: Namespace) -> int:
    """Take a campaign out of a packed file."""
    target = unpacked(typed_path(args.file), typed_path(args.into or "."))
    say(f"{target}", "good")
    say(f"Next: tabletop check {target}   tabletop play {target}")
    return 0


def backups(args: Namespace) -> int:
    """List the backups, or bring one back beside the campaign."""
    root = locate(args.campaign)
    if args.restore:
        say(f"{restore(root, args.restore)}", "good")
        return 0
    found = listed(root)
    for path in found:
        say(f"{path.stem}  {path.stat().st_size:>9} bytes")
    if found:
        say(
            f"To bring one back beside the campaign: tabletop backups {args.campaign} --restore {found[-1].stem}",
            "muted",
        )
    else:
        say("None yet: one is made when a session begins, and when a table is first opened on a day.")
    return 0
