"""What the commands at a table do. They drive the same table as the screens."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from ..rules import KINDS, DiceNeeded, Refused, fields, parse, suggest, tag_of
from ..rules.ask import Choice, parse_some
from ..session import (
    AnyEntry,
    Table,
    begin,
    utc_now,
)
from ..storage import campaign as folder
from ..storage.campaign.beginning import missing
from ..storage.log import sessions
from ..storage.open_campaign import Edits, OpenCampaign
from ..storage.user.paths import locate
from .files import how_to_put_back, put_back
from .words import complain, odds_data, out_json, say, show_odds, show_prompt


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
    for problem in (*edits.problems, *edits.odd):
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
            raise Refused(f"{word!r} is not of the form key=value", remedy="Write who=mira, say.")
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
    out, so_far = dict(words), dict[str, Any](words)
    for field in fields(kind):
        if field.name in words and field.kind in ("choice", "choices"):
            answers = table.choices(kind, field, so_far)
            ids = {text.casefold(): str(c.value) for c in answers for text in (c.words, str(c.value))}
            parts = words[field.name].split(",") if field.kind == "choices" else [words[field.name]]
            out[field.name] = ",".join(ids.get(part.strip().casefold(), part) for part in parts)
            so_far |= answered(kind, {field.name: out[field.name]})
    return out


def answered(kind: Any, words: dict[str, str]) -> dict[str, Any]:
    """Answers as a form gives them to the questions that depend on them: several are a tuple, not a text."""
    return {name: tuple(v) if isinstance(v, list) else v for name, v in parse_some(kind, words).items()}


def parse_dice(word: str) -> tuple[int, ...]:
    """Faces from `4,4,2` or `4 4 2`."""
    try:
        faces = tuple(int(part[:6]) for part in word.replace(",", " ").split())
    except ValueError:
        faces = ()
    if not faces:
        raise Refused(f"{word!r} cannot be read as dice", remedy="Faces with commas: --dice 4,4,2")
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
        say("Dry run: nothing is saved, and the real dice will be different.", "muted")
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
    if why := preview.refused or preview.fault:
        raise Refused(why.rstrip("."))
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
    so_far = answered(kind, by_name(table, kind, split_words(args.fields)))
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
