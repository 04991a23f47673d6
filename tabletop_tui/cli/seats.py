"""`tabletop seats`: which SSH key sits at which player's seat."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from ..rules import Refused, TableError
from ..session import check_seat, players_of
from ..storage import campaign as folder
from ..storage.user.paths import find_campaigns, locate, only, typed_path, usual_places
from ..storage.user.seat_keys import MOST, KeyFile, PublicKey, openssh_keys, read_keys, serve_keys
from .words import out_json, say

KEYLESS = "no key yet"


def run(args: Namespace) -> int:
    """Add, list or remove."""
    work = {"add": add, "list": listed, "remove": remove}
    return work[args.what](args)


def campaign_of(args: Namespace) -> Path:
    """The campaign that is named, or the only one there is."""
    if args.campaign:
        return locate(args.campaign)
    here = only(find_campaigns(*usual_places()))
    if here is None:
        raise TableError("say which campaign it is", remedy="--campaign ember-road, a folder or a name.")
    return here


def players(root: Path) -> list[str]:
    """Everybody who plays in a campaign, as the sheets spell them."""
    found = folder.load(root)
    if found.engine is None:
        raise TableError(f"the campaign cannot be played: {found.engine_missing}", where=str(root))
    return players_of(found.world().sheets.values())


def add(args: Namespace) -> int:
    """Give a player's key a seat: shows the line, and writes it when asked."""
    root = campaign_of(args)
    seat = check_seat(args.player, players(root))
    file = _file(args)
    for key in _keys(args):
        say(file.add(root, seat, key, write=args.yes))
        if args.yes:
            say(f"{seat} sits at {root.name} with {key.fingerprint}: {file.path}", "good")
    if not args.yes:
        say(f"Nothing is written yet: add --yes, or put the line into {file.path} yourself.", "muted")
    return 0


def _file(args: Namespace) -> KeyFile:
    return serve_keys() if args.serve else openssh_keys(args.into)


def _keys(args: Namespace) -> list[PublicKey]:
    if args.stdin:
        return read_keys(sys.stdin.read(MOST))
    if not args.key:
        raise Refused("a seat needs the player's public key", remedy="--key ana.pub, or --stdin to paste it.")
    path = typed_path(args.key)
    with path.open(encoding="utf-8", errors="replace") as file:
        return read_keys(file.read(MOST))


def listed(args: Namespace) -> int:
    """Every seat with a key, and the players of a campaign who have none."""
    root = campaign_of(args) if args.campaign else only(find_campaigns(*usual_places()))
    names = players(root) if root else []
    rows = [
        {
            "seat": one.seat,
            "campaign": str(one.campaign),
            "key": one.key.fingerprint,
            "comment": one.key.comment,
            "by": by,
            "file": str(file.path),
            "line": one.line,
        }
        for by, file in (("ssh", openssh_keys(args.into)), ("serve", serve_keys()))
        for one in file.seats(root)
    ]
    waiting = [name for name in names if name not in {row["seat"] for row in rows}]
    if args.json:
        out_json({"seats": rows, "without": waiting})
        return 0
    for row in rows:
        lost = "  nobody is played by this name" if root and row["seat"] not in names else ""
        place = Path(str(row["campaign"])).name
        say(f"{row['seat']:<12} {place:<16} {row['by']:<5} {row['key']}  {row['comment']}{lost}")
    for name in waiting:
        say(f"{name:<12} {root.name if root else '':<16} {KEYLESS}", "muted")
    if not rows and not waiting:
        say("No seat has a key yet: tabletop seats add NAME --key FILE.")
    return 0


def remove(args: Namespace) -> int:
    """Take a player's keys away: shows which, and writes when asked."""
    root = campaign_of(args)
    found = False
    for file in (openssh_keys(args.into), serve_keys()):
        mine = [one for one in file.seats(root) if one.seat.casefold() == args.player.strip().casefold()]
        for one in mine:
            say(f"{file.path}:{one.line}: {one.seat} at {root.name}, {one.key.fingerprint}")
        if mine and args.yes:
            file.remove(mine)
        found = found or bool(mine)
    if not found:
        raise Refused(f"{args.player!r} has no key at {root.name}", remedy="tabletop seats list shows all of them.")
    if args.yes:
        say("Removed. Whoever is connected stays until they leave.", "good")
    else:
        say("Nothing is removed yet: add --yes.", "muted")
    return 0
