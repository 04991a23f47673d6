"""The program itself: where things are, the user's settings, its manual page."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from argparse import Namespace

from .. import __version__, plugins
from ..rules import TableError
from ..storage.disk import Disk, private_folder, write_file
from ..storage.user.config import load_config
from ..storage.user.paths import bundled, config_home, data_home, known_places
from .words import out_json, say

STARTER = """\
# Settings of tabletop. Everything may be left out; `tabletop config` checks it.

# ember, vellum (light), marsh, slate, contrast, or one of your own in themes/ beside this file
# theme = "vellum"

# plain characters, for terminals that draw ▶ or ■ two cells wide
# ascii = true

# keys by the name of what they do; the list of everything (space) and ? follow them
[keys]
# undo = "z"
# "challenge.lead" = "v"
# "tiers.attack" = "m"
"""


def where(args: Namespace) -> int:
    """Where everything is kept."""
    found = {
        "settings": config_home() / "config.toml",
        "themes": config_home() / "themes",
        "campaigns": data_home() / "campaigns",
        "what-ifs": data_home() / "what-if",
        "crash reports": data_home() / "crashes",
        "samples": bundled("campaigns"),
    }
    if args.json:
        looked = [str(p) for p in known_places()]
        out_json({**{name: str(path) for name, path in found.items()}, "looked for campaigns in": looked})
        return 0
    for name, path in found.items():
        say(f"{name:<14} {path}{'' if path.exists() else '  (not there yet)'}")
    say(f"\nCampaigns are looked for in {', '.join(str(p) for p in known_places())}.")
    say("A campaign's logs are in its own folder, under sessions/.")
    return 0


def config(args: Namespace) -> int:
    """Open the settings in an editor, written with comments where there were none; then check them."""
    path = config_home() / "config.toml"
    if not path.exists():
        private_folder(path.parent)
        write_file(path, STARTER.encode(), Disk())
        say(f"Written: {path}")
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if editor and not args.check and sys.stdin.isatty():
        try:
            subprocess.run([*shlex.split(editor), str(path)], check=False)
        except (OSError, ValueError) as error:
            raise TableError(f"the editor {editor!r} could not be started: {error}", remedy="Set EDITOR.") from None
    elif not args.check:
        say(f"{path}", "muted")
        say("At a terminal your editor opens it." if editor else "Set EDITOR to have it opened here.", "muted")
    return _checked()


def _checked() -> int:
    from ..ui.commands.catalogue import problems

    loaded = load_config()
    found = [*loaded.problems, *problems(loaded.config.keys, list(plugins.load_all().engines.values()))]
    for words in found:
        say(words)
    if not found:
        say("The settings are in order.")
    return 1 if found else 0


def rules(args: Namespace) -> int:
    """A game's rules at a glance, as `?` shows them; or its whole guide."""
    engine, guide = plugins.load(args.engine), bundled("docs") / f"{args.engine}.md"
    if args.guide and not guide.is_file():
        raise TableError(f"{engine.title} has no guide", remedy=f"tabletop rules {args.engine} is all there is.")
    say(guide.read_text("utf-8") if args.guide else engine.reference)
    return 0


def version() -> None:
    """Ours, and that of each game that is installed."""
    loaded = plugins.load_all()
    say(f"tabletop {__version__} (Python {sys.version.split()[0]})")
    for name, engine in sorted(loaded.engines.items()):
        say(f"  {name:<10} {engine.title}, rules version {engine.version}")
    for failure in loaded.failed:
        say(f"  {failure.name:<10} failed to load: see tabletop engines")


def man(args: Namespace) -> int:
    """The manual page, made from the parser: tabletop man | man -l -"""
    del args
    from . import EXAMPLES, parser

    top = parser()
    out = [
        f'.TH TABLETOP 1 "" "tabletop {__version__}"',
        ".SH NAME\ntabletop \\- " + _roff(top.description or ""),
        ".SH SYNOPSIS\n.B tabletop\n[COMMAND] [OPTIONS]",
        ".SH COMMANDS",
    ]
    commands = next(a for a in top._actions if isinstance(a, argparse._SubParsersAction))
    for name, one in commands.choices.items():
        if name == "complete":
            continue
        words = " ".join(str(a.metavar or a.dest) for a in one._actions if not a.option_strings)
        out.append(f".SS {name} {_roff(words)}\n{_roff(one.description or '')}")
        for option in one._actions:
            if option.option_strings and option.dest != "help":
                face = ", ".join(option.option_strings) + (f" {option.metavar}" if option.metavar else "")
                out.append(f".TP\n.B {_roff(face)}\n{_roff((option.help or '').replace('%%', '%'))}")
    out += [".SH EXAMPLES\n.nf", _roff(EXAMPLES.partition("\n")[2]), ".fi"]
    say("\n".join(out))
    return 0


def _roff(text: str) -> str:
    """Text that troff takes as it is."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{one}" if one.startswith((".", "'")) else one for one in escaped.splitlines())
