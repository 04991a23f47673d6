"""The `tabletop` command. Textual is imported only when a screen opens."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from .. import __version__
from ..rules import TableError
from .words import complain

EXAMPLES = """\
examples:
  tabletop                                     home: your campaigns, and samples to try
  tabletop play ember-road                     straight in, where you left off
  tabletop new "The Salt War" --engine tiers   starter files, with comments
  tabletop check salt-war                      every problem of every file, with its line
  tabletop offers ember-road                   what can be done now
  tabletop act ember-road open challenge=the-gate/hold
  tabletop act ember-road lead who=mira skill=Warding
  tabletop odds ember-road roll                exact chances before anybody rolls
  tabletop act ember-road roll --dice 6,5,2,6,3
  tabletop undo ember-road                     anything can be undone, and done again
"""


def parser() -> argparse.ArgumentParser:
    """Every command with its help."""
    top = argparse.ArgumentParser(
        prog="tabletop",
        description="Run tabletop role-playing sessions in a terminal: turns, challenges, contests, odds, undo.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"tabletop {__version__}")
    sub = top.add_subparsers(dest="command", metavar="COMMAND")

    def add(name: str, help: str, run: str, campaign: bool = True) -> argparse.ArgumentParser:
        one = sub.add_parser(name, help=help, description=help[:1].upper() + help[1:] + ".")
        one.set_defaults(run=run)
        if campaign:
            one.add_argument("campaign", metavar="CAMPAIGN", help="a campaign's folder, or its name")
        return one

    def action_words(one: argparse.ArgumentParser) -> None:
        one.add_argument("action", metavar="ACTION", help="see tabletop offers CAMPAIGN")
        one.add_argument("fields", metavar="key=value", nargs="*", help="see tabletop offers CAMPAIGN ACTION")
        one.add_argument("--json", action="store_true", help="for programs")

    play = add("play", "open a campaign on the screen, where you left off", "play")
    play.add_argument("--seat", default="", help="a player's name: what they may not see is not shown")
    new = add("new", "write the commented starter files of a new campaign", "new", campaign=False)
    new.add_argument("title", help="what the campaign is called")
    new.add_argument("--engine", default="tiers", help="the game; see tabletop engines")
    new.add_argument("--into", metavar="FOLDER", help="where to put it; the working directory otherwise")
    demo = add("demo", "copy a sample campaign so that it can be played", "demo", campaign=False)
    demo.add_argument("name", nargs="?", default="ember-road")
    demo.add_argument("--into", metavar="FOLDER", help="where to put it; the user's data folder otherwise")
    check = add("check", "list every problem of every file, with line and remedy", "check")
    check.add_argument("--json", action="store_true", help="for programs")
    act = add("act", "perform an action, as the screens do", "act")
    action_words(act)
    act.add_argument("--dice", default="", metavar="4,4,2", help="the faces of real dice, in the order asked for")
    act.add_argument("--roll-rest", action="store_true", help="roll the dice that --dice does not give")
    act.add_argument("--dry-run", action="store_true", help="show what would happen and save nothing")
    act.add_argument("--by", default="", metavar="WHO", help="who does it; stands in the log")
    odds = add("odds", "show the exact chances of dice, or of an action before it is done", "dice.odds", False)
    odds.add_argument("words", metavar="DICE | CAMPAIGN ACTION key=value", nargs="+", help="see the examples below")
    odds.add_argument("--at-least", type=int, metavar="N", help="the chance of N or more")
    odds.add_argument("--json", action="store_true", help="for programs")
    roll = add("roll", "roll dice, written as in the dice workbench; needs no campaign", "dice.roll", False)
    roll.add_argument("words", metavar="DICE", nargs="+", help="2d8+1d4 additional 1, 4d4 tiers, 5Bd 3Rd 2Dd, …")
    roll.add_argument("--campaign", default="", metavar="CAMPAIGN", help="whose names and house rules to read it by")
    roll.add_argument("--times", type=int, default=1, metavar="N", help="so often, 1 to 100")
    roll.add_argument("--json", action="store_true", help="for programs")
    offers = add("offers", "list what can be done now, or what an action's fields can be", "offers")
    offers.add_argument("action", metavar="ACTION", nargs="?")
    offers.add_argument("fields", metavar="key=value", nargs="*", help="fields answered so far")
    offers.add_argument("--json", action="store_true", help="for programs")
    for name, run, help in (
        ("undo", "undo", "take back the last thing done, whatever it was"),
        ("redo", "redo", "do again what was undone"),
    ):
        one = add(name, help, run)
        one.add_argument("--to", type=int, metavar="N", help="the entry to go to; see tabletop log")
        one.add_argument("--by", default="", metavar="WHO")
        one.add_argument("--json", action="store_true", help="for programs")
    edits = add("edits", "look for hand edits of the files now, and settle conflicts", "edits")
    edits.add_argument("--take", choices=("file", "table"), help="which side wins where both changed a value")
    edits.add_argument("--put-back", action="store_true", help="write into the files what undo took back")
    add("session", "begin a new session of a campaign", "session")
    log = add("log", "print the story of a campaign's last session, or of a log file", "log")
    log.add_argument("--last", type=int, default=0, metavar="N", help="only the last N entries")
    log.add_argument("--players", action="store_true", help="only what players may read")
    log.add_argument("--json", action="store_true", help="an entry a line, for programs")
    replay = add(
        "replay", "watch a logged session again in the real screens, tell it as text, or verify it", "replay", False
    )
    replay.add_argument("log", metavar="LOG", help="a log file, or a campaign")
    replay.add_argument("--text", action="store_true", help="print the story; so it is where there is no terminal")
    replay.add_argument("--seat", default="", help="a player's name: what they may not see is not shown")
    replay.add_argument("--verify", action="store_true", help="resolve every action again and compare")
    replay.add_argument("--to", type=int, metavar="N", help="the state after entry N")
    export = add("export", "write a logged session as a record to read, print or count", "export.export", False)
    export.add_argument("log", metavar="LOG", help="a log file, or a campaign")
    export.add_argument("--as", dest="form", choices=("md", "html", "json", "csv"), default="md")
    export.add_argument("--for", dest="reader", choices=("gm", "players"), default="gm", help="players: no secrets")
    export.add_argument("--to", metavar="FILE", default="", help="where to write it; the terminal otherwise")
    schema = add("schema", "print the JSON Schema of a game's files, for editors", "files.schema", False)
    schema.add_argument("engine", metavar="ENGINE", help="see tabletop engines")
    schema.add_argument("--part", choices=("campaign", "sheet", "scene"), default="sheet")
    schema.add_argument("--into", metavar="CAMPAIGN", default="", help="write all of them into a campaign instead")
    put = add("set", "change one value of a hand-written file, and nothing else in it", "files.put")
    put.add_argument("file", metavar="FILE", help="campaign.toml, characters/rook.toml, …")
    put.add_argument("path", metavar="PATH", help="skills.Warding.rank, say; list places as numbers")
    put.add_argument("value", metavar="VALUE", help='as TOML: 3, true, "a text"')
    put.add_argument("--yes", action="store_true", help="write it; otherwise only the difference is shown")
    migrate = add(
        "migrate", "bring files of an older format up to date: shows it, writes when asked", "files.migrate"
    )
    migrate.add_argument("--yes", action="store_true", help="write it; the old files are kept beside")
    pack = add("pack", "put a whole campaign into one file, to move or to keep", "files.pack")
    pack.add_argument("--to", metavar="FILE", default="", help="CAMPAIGN.zip otherwise")
    unpack = add("unpack", "take a campaign out of a packed file", "files.unpack", False)
    unpack.add_argument("file", metavar="FILE")
    unpack.add_argument("--into", metavar="FOLDER", help="where to put it; the working directory otherwise")
    backups = add("backups", "list the backups that were made by themselves, or bring one back", "files.backups")
    backups.add_argument("--restore", metavar="NAME", default="", help="beside the campaign, never over it")
    engines = add("engines", "list the games that are installed, and those that failed to load", "engines", False)
    engines.add_argument("--json", action="store_true", help="for programs")
    doctor = add("doctor", "look at everything in a campaign and say what is wrong", "doctor")
    doctor.add_argument(
        "--mend", action="store_true", help="go on after the last sound entry of a damaged log; keeps it"
    )
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; whatever happens, people get a sentence and never a traceback."""
    args = parser().parse_args(argv)
    try:
        if args.command is None or args.command == "play":
            return _screen(args)
        module, _, name = args.run.rpartition(".")  # late: the screens do without them
        found = import_module(f"{__package__}.{module or 'commands'}")
        done: int = getattr(found, name)(args)
        sys.stdout.flush()
        return done
    except TableError as error:
        complain(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        from ..storage.crash import report

        complain(report(error))
        return 70


def entry() -> None:
    """The installed command."""
    sys.exit(main())


def _screen(args: argparse.Namespace) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise TableError("the screens need a terminal", remedy="tabletop --help lists what works without one.")
    from ..ui import run

    return run(getattr(args, "campaign", ""), getattr(args, "seat", ""))


if __name__ == "__main__":
    sys.exit(main())
