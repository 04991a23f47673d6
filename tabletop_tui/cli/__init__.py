"""The `tabletop` command. Textual is imported only when a screen opens."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ..rules import TableError, clean
from .words import complain, forgiving_streams

EXAMPLES = """\
examples:
  tabletop                                     home: your campaigns, and samples to try
  tabletop play ember-road                     straight in, where you left off
  tabletop new "The Salt War" --engine tiers   starter files, with comments
  tabletop check the-salt-war                  every problem of every file, with its line
  tabletop offers ember-road                   what can be done now
  tabletop act ember-road open challenge=the-gate/hold
  tabletop act ember-road lead who=mira skill=Warding
  tabletop odds ember-road roll                exact chances before anybody rolls
  tabletop act ember-road roll --dice 6,5,2,6,3
  tabletop undo ember-road                     anything can be undone, and done again
"""


class Parser(argparse.ArgumentParser):
    """Says what was mistyped without what could control the terminal in it."""

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message(clean(message), file)


class _Version(argparse.Action):
    """`--version`: ours, and that of each game that is installed."""

    def __call__(self, parser: argparse.ArgumentParser, *_rest: object) -> None:
        from .own import version

        version()
        parser.exit()


def parser(wanted: str | None = None) -> argparse.ArgumentParser:
    """Every command with its help, or the wanted one alone: to make all of them takes longer than most of them do."""
    top = Parser(
        prog="tabletop",
        description="Run tabletop role-playing sessions in a terminal: turns, challenges, contests, odds, undo.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="the version, and those of the games")
    sub = top.add_subparsers(dest="command", metavar="COMMAND")

    def add(name: str, help: str, run: str, campaign: bool = True) -> argparse.ArgumentParser | None:
        if wanted not in (None, name):
            return None
        one = sub.add_parser(name, help=help, description=help[:1].upper() + help[1:] + ".")
        one.set_defaults(run=run)
        if campaign:
            one.add_argument("campaign", metavar="CAMPAIGN", help="a campaign's folder, or its name")
        return one

    def action_words(one: argparse.ArgumentParser) -> None:
        one.add_argument("action", metavar="ACTION", help="see tabletop offers CAMPAIGN")
        one.add_argument("fields", metavar="key=value", nargs="*", help="see tabletop offers CAMPAIGN ACTION")
        one.add_argument("--json", action="store_true", help="for programs")

    if play := add("play", "open a campaign on the screen, where you left off", "play"):
        play.add_argument("--seat", metavar="PLAYER", help="a player's name: what they may not see is not shown")
        looks = play.add_mutually_exclusive_group()
        looks.add_argument("--look", action="store_true", help="look on without playing anybody")
        looks.add_argument(
            "--show", action="store_true", help="for a large screen: what players may see, and no keys"
        )
        play.add_argument("--linear", action="store_true", help="sentences and numbers, for screen readers and pipes")
    if new := add("new", "write the commented starter files of a new campaign", "new", campaign=False):
        new.add_argument("title", help="what the campaign is called")
        new.add_argument("--engine", default="tiers", help="the game; see tabletop engines")
        new.add_argument("--into", metavar="FOLDER", help="where to put it (default: the working directory)")
        new.add_argument("--empty", action="store_true", help="without example people and scenes")
    if demo := add("demo", "copy a sample campaign so that it can be played", "demo", campaign=False):
        demo.add_argument("name", nargs="?", default="ember-road")
        demo.add_argument("--into", metavar="FOLDER", help="where to put it (default: the user's data folder)")
    if check := add("check", "list every problem of every file, with line and remedy", "check"):
        check.add_argument("--json", action="store_true", help="for programs")
    if act := add("act", "perform an action, as the screens do", "acting.act"):
        action_words(act)
        act.add_argument("--dice", default="", metavar="4,4,2", help="the faces of real dice, in the order asked for")
        act.add_argument("--roll-rest", action="store_true", help="roll the dice that --dice does not give")
        act.add_argument("--dry-run", action="store_true", help="show what would happen and save nothing")
        act.add_argument("--by", default="", metavar="WHO", help="who does it; stands in the log")
        act.add_argument("--seat", metavar="PLAYER", help="from a player's seat: does it, or asks the GM for it")
    if odds := add("odds", "show the exact chances of dice, or of an action before it is done", "dice.odds", False):
        odds.add_argument(
            "words", metavar="DICE | CAMPAIGN ACTION key=value", nargs="+", help="see the examples below"
        )
        odds.add_argument(
            "--table", default="", metavar="TABLE", help="of a campaign's rollable table: odds CAMPAIGN --table …"
        )
        odds.add_argument("--at-least", type=int, metavar="N", help="the chance of N or more")
        odds.add_argument("--json", action="store_true", help="for programs")
    if roll := add("roll", "roll dice, written as in the dice workbench; needs no campaign", "dice.roll", False):
        roll.add_argument(
            "words", metavar="DICE | CAMPAIGN", nargs="+", help="2d8+1d4 additional 1, 4d4 tiers, 5Bd 3Rd 2Dd, …"
        )
        roll.add_argument(
            "--campaign", default="", metavar="CAMPAIGN", help="whose names and house rules to read it by"
        )
        roll.add_argument(
            "--table", default="", metavar="TABLE", help="on a rollable table: roll CAMPAIGN --table weather"
        )
        roll.add_argument("--log", choices=("everybody", "gm"), help="with --table: write it into the log, for whom")
        roll.add_argument("--times", type=int, default=1, metavar="N", help="how often, 1 to 100")
        roll.add_argument("--json", action="store_true", help="for programs")
    if offers := add("offers", "list what can be done now, or what an action's fields can be", "acting.offers"):
        offers.add_argument("action", metavar="ACTION", nargs="?")
        offers.add_argument("fields", metavar="key=value", nargs="*", help="fields answered so far")
        offers.add_argument("--seat", metavar="PLAYER", help="what a player can do or ask for")
        offers.add_argument("--json", action="store_true", help="for programs")
    for name, run, help in (
        ("undo", "acting.undo", "take back the last thing done, whatever it was"),
        ("redo", "acting.redo", "do again what was undone"),
    ):
        if not (one := add(name, help, run)):
            continue
        one.add_argument("--to", type=int, metavar="N", help="the entry to go to; see tabletop log")
        one.add_argument("--by", default="", metavar="WHO")
        if name == "undo":
            one.add_argument("--seat", metavar="PLAYER", help="what a player did last: undoes it, or asks the GM to")
        one.add_argument("--json", action="store_true", help="for programs")
    if proposals := add("proposals", "list what players ask the GM for", "asked.proposals"):
        proposals.add_argument("--json", action="store_true", help="for programs")
    if accept := add("accept", "do what a player asks for", "asked.accept"):
        accept.add_argument("proposal", metavar="N", nargs="?", default="", help="see tabletop proposals; the oldest")
        accept.add_argument("fields", metavar="key=value", nargs="*", help="fields that you answer differently")
        accept.add_argument("--dice", default="", metavar="4,4,2", help="the faces of real dice")
        accept.add_argument("--roll-rest", action="store_true", help="roll the dice that --dice does not give")
        accept.add_argument("--json", action="store_true", help="for programs")
    if decline := add("decline", "say no to what a player asks for", "asked.decline"):
        decline.add_argument(
            "proposal", metavar="N", nargs="?", default="", help="see tabletop proposals; the oldest"
        )
        decline.add_argument("--why", default="", metavar="WORDS", help="what the player reads")
        decline.add_argument("--seat", metavar="PLAYER", help="a player takes back what they asked for")
        decline.add_argument("--json", action="store_true", help="for programs")
    if word := add("word", "turn to one player: Ana, how does Mira help?", "asked.word"):
        word.add_argument("player", metavar="PLAYER", help="as the sheet names its player")
        word.add_argument("text", metavar="WORDS", nargs="+", help="what you say")
        word.add_argument("--secret", action="store_true", help="only they read it")
        word.add_argument("--json", action="store_true", help="for programs")
    if edits := add("edits", "look for hand edits of the files now, and settle conflicts", "acting.edits"):
        edits.add_argument("--take", choices=("file", "table"), help="which side wins where both changed a value")
        edits.add_argument("--put-back", action="store_true", help="write into the files what undo took back")
    if session := add("session", "begin a new session of a campaign", "acting.session"):
        session.add_argument(
            "--from-now",
            action="store_true",
            help="from the state in now.toml, where the last log is gone or damaged",
        )
    if log := add("log", "print the story of a campaign's last session, or of a log file", "logs.log"):
        log.add_argument("--last", type=int, default=0, metavar="N", help="only the last N entries")
        log.add_argument("--all", action="store_true", help="also what was undone, and the undoing")
        log.add_argument("--players", action="store_true", help="only what players may read")
        log.add_argument("--seat", metavar="PLAYER", help="the same, for one of them by name")
        log.add_argument("--follow", action="store_true", help="what is done from now on, as it is written")
        log.add_argument("--json", action="store_true", help="an entry a line, for programs")
    watch = "watch a logged session again in the real screens, tell it as text, or verify it"
    if replay := add("replay", watch, "logs.replay", False):
        replay.add_argument("log", metavar="LOG", help="a log file, or a campaign")
        replay.add_argument("--text", action="store_true", help="print the story, as where there is no terminal")
        replay.add_argument("--seat", metavar="PLAYER", help="a player's name: what they may not see is not shown")
        replay.add_argument("--all", action="store_true", help="also what was undone, and the undoing")
        replay.add_argument("--verify", action="store_true", help="resolve every action again and compare")
        replay.add_argument("--to", type=int, metavar="N", help="the state after entry N")
    if export := add("export", "write a logged session as a record to read, print or count", "export.export", False):
        export.add_argument("log", metavar="LOG", help="a log file, or a campaign")
        export.add_argument("--as", dest="form", choices=("md", "html", "json", "csv"), default="md")
        export.add_argument(
            "--for", dest="reader", choices=("gm", "players"), default="gm", help="players: no secrets"
        )
        export.add_argument("--all", action="store_true", help="also what was undone, and the undoing")
        export.add_argument("--to", metavar="FILE", default="", help="where to write it (default: the terminal)")
        export.add_argument("--force", action="store_true", help="write over a file that is there")
    if recap := add("recap", "tell what happened last time, in short", "export.recap"):
        recap.add_argument(
            "--for", dest="reader", choices=("gm", "players"), default="gm", help="players: no secrets"
        )
        recap.add_argument("--json", action="store_true", help="for programs")
    if schema := add("schema", "print the JSON Schema of a game's files, for editors", "files.schema", False):
        schema.add_argument("engine", metavar="ENGINE", help="see tabletop engines")
        schema.add_argument("--part", choices=("campaign", "sheet", "scene", "table"), default="sheet")
        schema.add_argument(
            "--into", metavar="CAMPAIGN", default="", help="write all of them into a campaign instead"
        )
    if put := add("set", "change one value of a hand-written file, and nothing else in it", "files.put"):
        put.add_argument("file", metavar="FILE", help="campaign.toml, characters/rook.toml, …")
        put.add_argument("path", metavar="PATH", help="skills.Warding.rank, say; list places as numbers")
        put.add_argument("value", metavar="VALUE", help='as TOML: 3, true, "a text"')
        put.add_argument("--yes", action="store_true", help="write it; otherwise only the difference is shown")
    if migrate := add(
        "migrate", "bring files of an older format up to date: shows it, writes when asked", "files.migrate"
    ):
        migrate.add_argument("--yes", action="store_true", help="write it; the old files are kept beside")
    if pack := add("pack", "put a whole campaign into one file, to move or to keep", "files.pack"):
        pack.add_argument("--to", metavar="FILE", default="", help="default: CAMPAIGN.zip")
    if unpack := add("unpack", "take a campaign out of a packed file", "files.unpack", False):
        unpack.add_argument("file", metavar="FILE")
        unpack.add_argument("--into", metavar="FOLDER", help="where to put it (default: the working directory)")
    if backups := add("backups", "list the automatic backups, or bring one back", "files.backups"):
        backups.add_argument("--restore", metavar="NAME", default="", help="beside the campaign, never over it")
    if engines := add(
        "engines", "list the games that are installed, and those that failed to load", "engines", False
    ):
        engines.add_argument("--json", action="store_true", help="for programs")
    if rules := add("rules", "print how a game is read here", "own.rules", False):
        rules.add_argument("engine", metavar="ENGINE", help="see tabletop engines")
        rules.add_argument("--guide", action="store_true", help="all of it, where a game has a guide: homebrew")
    if conform := add(
        "conform", "try an engine in every way and say what its author should change", "conform.run", False
    ):
        conform.add_argument("engine", metavar="ENGINE", help="see tabletop engines")
        conform.add_argument(
            "--campaign", metavar="CAMPAIGN", default="", help="play this one, not the starter files"
        )
        conform.add_argument("--games", type=int, default=20, metavar="N", help="random games (default: 20)")
        conform.add_argument("--edits", type=int, default=2000, metavar="N", help="hand edits (default: 2000)")
    if engine := add("new-engine", "write a small game as a package, to change into yours", "new_engine.run", False):
        engine.add_argument("name", metavar="NAME", help="in small letters: moonfall, say")
        engine.add_argument(
            "--into", metavar="FOLDER", default="", help="where to put it (default: the working directory)"
        )
    if seats := add("seats", "give players' SSH keys their seats: add, list, remove", "seats.run", False):
        _seats(seats)
    if serve := add("serve", "let players sit down over SSH, at their own seats and at nothing else", "serve.serve"):
        serve.add_argument("--port", type=int, default=8022, metavar="N", help="default: 8022")
        serve.add_argument("--listen", default="", metavar="ADDRESS", help="default: all addresses of this machine")
        serve.add_argument("--name", default="", metavar="HOST", help="the name of this machine in invitations")
        serve.add_argument("--no-screen", action="store_true", help="only serve: your screen is open elsewhere")
        serve.add_argument(
            "--invite", default="", metavar="PLAYER", help="one more invitation, for another computer, say"
        )
    if where := add("where", "say where settings, campaigns, themes and crash reports are kept", "own.where", False):
        where.add_argument("--json", action="store_true", help="for programs")
    if config := add("config", "open your settings in your editor, and check them", "own.config", False):
        config.add_argument("--check", action="store_true", help="only check them")
    if completion := add(
        "completion", "print a script with which your shell completes the words", "completing.completion", False
    ):
        completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    add("man", "print the manual page: tabletop man | man -l -", "own.man", False)
    if wanted in (None, "complete"):
        complete = sub.add_parser("complete")  # asked by the shell: it is not listed
        complete.set_defaults(run="completing.complete")
        complete.add_argument("words", nargs="*")
    if doctor := add("doctor", "look at everything in a campaign and say what is wrong", "doctor"):
        doctor.add_argument(
            "--mend", action="store_true", help="go on after the last sound entry of a damaged log; keeps it"
        )
    return top if not wanted or sub.choices else parser()


def _seats(seats: argparse.ArgumentParser) -> None:
    """The words of `tabletop seats`."""
    what = seats.add_subparsers(dest="what", metavar="add | list | remove", required=True)
    for name, help in (
        ("add", "give a player's public key a seat: shows the line, writes it when asked"),
        ("list", "every seat that has a key, and the players without one"),
        ("remove", "take a player's keys away: shows them, removes them when asked"),
    ):
        one = what.add_parser(name, help=help, description=help[:1].upper() + help[1:] + ".")
        if name == "list":
            one.add_argument("--json", action="store_true", help="for programs")
        else:
            one.add_argument("player", metavar="PLAYER", help="as the sheet names its player")
            one.add_argument("--yes", action="store_true", help="write it; otherwise it is only shown")
        one.add_argument("--campaign", default="", metavar="CAMPAIGN", help="which one, where there are several")
        where = one.add_mutually_exclusive_group() if name == "add" else one
        where.add_argument("--into", default="", metavar="FILE", help="default: ~/.ssh/authorized_keys")
        if name == "add":
            where.add_argument("--serve", action="store_true", help="among the keys of tabletop serve")
            key = one.add_mutually_exclusive_group()
            key.add_argument("--key", default="", metavar="FILE", help="the player's public key, id_ed25519.pub, say")
            key.add_argument("--stdin", action="store_true", help="the key comes on standard input")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; whatever happens, people get a sentence and never a traceback."""
    forgiving_streams()
    words = sys.argv[1:] if argv is None else argv
    args = parser(words[0] if words else "").parse_args(words)
    try:
        if args.command is None or args.command == "play":
            return _screen(args)
        _write_faults_down()
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
    except OSError as error:
        complain(f"{error.filename or 'the disk'}: {error.strerror or error}. Check the name and try again.")
        return 1
    except Exception as error:
        from ..storage.safety.crash import report

        complain(report(error))
        return 70


def _write_faults_down() -> None:
    from ..plugins import EngineFault, on_fault

    def note(fault: EngineFault) -> None:
        from ..storage.safety.crash import note as write  # late: engines rarely fail

        write(fault)

    on_fault(note)


def entry() -> None:
    """The installed command."""
    code = main()
    _end_threads(code)
    sys.exit(code)


def _end_threads(code: int) -> None:
    """A terminal that goes away while the screen is being put up leaves Textual's threads running without end: the
    process would stay behind and use the processor. Nothing is saved in those threads."""
    import threading

    if any(thread.name.startswith("textual-") for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)


def _screen(args: argparse.Namespace) -> int:
    seat = getattr(args, "seat", None)
    if seat is not None and not seat.strip():  # a variable that was never set must not open the GM's table
        raise TableError("a seat needs the name of a player", remedy="--seat Ana, as a sheet names its player.")
    show = getattr(args, "show", False)
    if show or getattr(args, "look", False):
        if seat is not None:
            raise TableError("somebody who looks on has no seat", remedy="Leave --seat out.")
        from ..session import SPECTATOR

        seat = SPECTATOR
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if getattr(args, "linear", False) or (terminal and os.environ.get("TERM") == "dumb" and args.command == "play"):
        from ..linear import run as play_in_lines

        return play_in_lines(args.campaign, seat or "")
    if not terminal:
        raise TableError("the screens need a terminal", remedy="tabletop --help lists what works without one.")
    from ..ui import run

    return run(getattr(args, "campaign", ""), seat or "", show=show)


if __name__ == "__main__":
    sys.exit(main())
