"""The `tabletop` command. Textual is imported only when a screen opens."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

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
    action_words(add("odds", "show the exact chances of an action before it is done", "odds"))
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
    add("session", "begin a new session of a campaign", "session")
    log = add("log", "print the story of a campaign's last session, or of a log file", "log")
    log.add_argument("--last", type=int, default=0, metavar="N", help="only the last N entries")
    log.add_argument("--players", action="store_true", help="only what players may read")
    log.add_argument("--json", action="store_true", help="an entry a line, for programs")
    replay = add("replay", "tell a logged session again, show its state at an entry, or verify it", "replay", False)
    replay.add_argument("log", metavar="LOG", help="a log file, or a campaign")
    replay.add_argument("--verify", action="store_true", help="resolve every action again and compare")
    replay.add_argument("--to", type=int, metavar="N", help="the state after entry N")
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
        from . import commands  # late: the screens do without them

        done: int = getattr(commands, args.run)(args)
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
