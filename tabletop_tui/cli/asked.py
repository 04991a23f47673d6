"""What players do and ask for from their seats, and how the GM answers: `act --seat`, `proposals`, `accept`, …"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from ..rules import DiceNeeded, Refused, parse
from ..rules.ask import parse_some
from ..session import AnyEntry, Proposal, Table, check_seat
from ..storage import campaign as folder
from ..storage.open_campaign import OpenCampaign, playable
from ..storage.user.paths import locate
from .acting import at_table, by_name, find_action, parse_dice, split_words, tell_entry, tell_prompt
from .words import out_json, say


@contextmanager
def at_seat(args: Namespace, *, write: bool = True) -> Iterator[OpenCampaign]:
    """An open campaign at a player's seat: it begins no session, and is told of no files."""
    root = locate(args.campaign)
    playable(found := folder.load(root))
    players = (sheet.player for unit, sheet in found.parts.items() if unit[0] == "sheets")
    campaign = OpenCampaign(root, write=write, seat=check_seat(args.seat, players))
    try:
        campaign.look()
        yield campaign
    finally:
        campaign.close()


def act(args: Namespace) -> int:
    """Do what is the seat's own, or ask the GM for it."""
    with at_seat(args) as campaign:
        table = campaign.table
        if args.dry_run:
            raise Refused("a dry run is the GM's", remedy="Leave --seat or --dry-run out.")
        kind = find_action(table, args.action)
        words = by_name(table, kind, split_words(args.fields))
        answers = parse_some(kind, words)
        if table.standing(kind, answers).how == "ask":
            entry = campaign.propose(kind, answers)
        else:
            faces = parse_dice(args.dice) if args.dice else ()
            try:
                entry = campaign.do(parse(kind, words), faces, roll=not faces or args.roll_rest)
            except DiceNeeded as need:
                raise _more_dice(need) from None
        tell_known(table, entry, args.json)
        if not args.json:
            tell_prompt(table, args.campaign)
    return 0


def _more_dice(need: DiceNeeded) -> Refused:
    sides = " ".join(f"d{s}" for s in need.sides)
    what = f"{len(need.sides)} more dice are needed for {need.why}: {sides}"
    return Refused(what, remedy="Add them to --dice, or add --roll-rest.")


def undo(args: Namespace) -> int:
    """Take back the seat's own last action, or ask the GM to."""
    with at_seat(args) as campaign:
        try:
            entry = campaign.undo()
        except Refused as no:
            if not no.remedy:
                raise
            entry = campaign.propose_undo()
        tell_known(campaign.table, entry, args.json)
    return 0


def tell_known(table: Table, entry: AnyEntry, as_json: bool) -> None:
    """An entry as the seat may know it: never its events, nor what only the GM is told."""
    if not table.reader.knows(entry.seq):
        say("It is for the GM alone.")
        return
    known = table.reader.told(entry)
    if as_json:
        out_json(
            {
                "number": known.number,
                "at": known.at,
                "by": known.by,
                "action": known.action,
                "said": known.said,
                "dice": [{"why": h.why, "faces": h.faces} for h in known.dice],
            }
        )
        return
    for hand in known.dice:
        say(f"  {hand.why}: {' '.join(map(str, hand.faces))}", "muted")
    for line in known.said:
        say(line)


# ---- the GM's side


def proposals(args: Namespace) -> int:
    """What players ask for."""
    with at_table(args) as campaign:
        found = campaign.table.proposals()
        if args.json:
            out_json([_data(one) for one in found])
            return 0
        for one in found:
            say(f"{one.seq:>5}  {one.by}: {one.words}")
        if not found:
            say("Nobody asks for anything.", "muted")
    return 0


def _data(one: Proposal) -> dict[str, Any]:
    return {"proposal": one.seq, "by": one.by, "action": one.action, "fields": dict(one.fields), "words": one.words}


def _which(table: Table, wanted: str) -> Proposal:
    """The proposal that is named, or the oldest."""
    found = table.proposals()
    if not found:
        raise Refused("nobody asks for anything")
    one = next((p for p in found if wanted in ("", str(p.seq))), None)
    if one is None:
        raise Refused(f"{wanted} is not asked for", remedy=f"Choose from: {', '.join(str(p.seq) for p in found)}.")
    return one


def accept(args: Namespace) -> int:
    """Do what a player asks for, as it is or with other fields."""
    with at_table(args) as campaign:
        table = campaign.table
        if "=" in args.proposal:  # the oldest, and no number before what is said differently
            args.proposal, args.fields = "", [args.proposal, *args.fields]
        asked = _which(table, args.proposal)
        action = None
        if args.fields:
            said = parse_some(find_action(table, asked.action), split_words(args.fields))
            action = table.completion(replace(asked, fields={**asked.fields, **said}))
        faces = parse_dice(args.dice) if args.dice else ()
        try:
            entry = campaign.accept(asked.seq, action, faces, roll=not faces or args.roll_rest)
        except DiceNeeded as need:
            raise _more_dice(need) from None
        tell_entry(entry, args.json)
        if not args.json:
            tell_prompt(table, args.campaign)
    return 0


def decline(args: Namespace) -> int:
    """Say no to what a player asks for, with a reason; a seat takes back what it asked for."""
    if args.seat is not None:
        with at_seat(args) as campaign:
            asked = campaign.table.asked()
            if asked is None or asked.state != "open":
                raise Refused("you ask for nothing")
            tell_known(campaign.table, campaign.decline(asked.seq), args.json)
        return 0
    with at_table(args) as campaign:
        tell_entry(campaign.decline(_which(campaign.table, args.proposal).seq, args.why), args.json)
    return 0


def word(args: Namespace) -> int:
    """Turn to one player, before everybody or in secret."""
    with at_table(args) as campaign:
        tell_entry(campaign.word(args.player, " ".join(args.text), secret=args.secret), args.json)
    return 0
