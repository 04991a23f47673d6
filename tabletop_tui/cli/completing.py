"""Completion for shells: a few lines of shell that ask `tabletop complete` what could come next.

What is proposed is read from the parser, and live from the campaign at hand: its actions, fields and characters.
"""

from __future__ import annotations

import argparse
import contextlib
from argparse import Namespace
from collections.abc import Iterable, Sequence
from typing import Any

from .. import plugins
from ..rules import Refused, TableError, clean, tag_of
from ..rules import fields as fields_of
from ..session import Table, begin, players_of, utc_now
from ..storage import campaign as folder
from ..storage.log import sessions
from ..storage.open_campaign import OpenCampaign
from ..storage.user.paths import demos, find_campaigns, known_places, locate
from .words import say

SCRIPTS = {
    "bash": """\
_tabletop() {
    local IFS=$'\\n'
    COMPREPLY=($(tabletop complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
COMP_WORDBREAKS=${COMP_WORDBREAKS//=/}
complete -o default -F _tabletop tabletop
""",
    "zsh": """\
#compdef tabletop
_tabletop() {
    local -a found
    found=(${(f)"$(tabletop complete -- ${words[2,CURRENT]} 2>/dev/null)"})
    if (( $#found )); then compadd -S '' -- $found; else _files; fi
}
compdef _tabletop tabletop
""",
    "fish": """\
complete -c tabletop -f -a '(tabletop complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
""",
}


def completion(args: Namespace) -> int:
    """Print the lines for a shell."""
    say(SCRIPTS[args.shell].rstrip())
    return 0


def complete(args: Namespace) -> int:
    """What could stand in place of the last word, one a line."""
    from . import parser

    words: list[str] = args.words or [""]
    found: Iterable[str] = ()
    with contextlib.suppress(TableError, OSError):  # somebody presses Tab: no sentence would help them
        found = candidates(parser(), words)
    for one in sorted({clean(c) for c in found}):
        say(one)
    return 0


def candidates(top: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """Everything that could stand in place of the last word."""
    *before, last = words
    at, told = top, Namespace()
    waiting = _positionals(top)
    option: argparse.Action | None = None
    for word in before:
        if option is not None:
            option = None
            continue
        if word.startswith("-"):
            known = at._option_string_actions.get(word)
            option = known if known is not None and known.nargs != 0 else None
            continue
        if not waiting:
            return []
        place = waiting[0]
        if isinstance(place, argparse._SubParsersAction):
            if word not in place.choices:
                return []
            at = place.choices[word]
            waiting = _positionals(at)
            continue
        if place.nargs in ("*", "+"):
            setattr(told, place.dest, [*getattr(told, place.dest, []), word])
        else:
            setattr(told, place.dest, word)
            waiting = waiting[1:]
    if option is not None:
        found = _values(option, told)
    elif last.startswith("-"):
        found = [word for word in at._option_string_actions if word.startswith("--")]
    else:
        found = _values(waiting[0], told) if waiting else []
    return [one for one in found if one.startswith(last)]


def _positionals(at: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in at._actions if not action.option_strings]


def _values(place: argparse.Action, told: Namespace) -> list[str]:
    """What an argument can be: by its choices, or by what it is called in the help."""
    if isinstance(place, argparse._SubParsersAction):
        hidden = {"complete"}
        return [name for name in place.choices if name not in hidden]
    if place.choices is not None:
        return [str(c) for c in place.choices]
    what = str(place.metavar or place.dest)
    if what in ("CAMPAIGN", "LOG"):
        return [folder.name for folder in find_campaigns(*known_places())]
    if what == "name" and place.default == "ember-road":
        return [folder.name for folder in demos()]
    if what == "ENGINE" or place.dest == "engine":
        return sorted(plugins.load_all().engines)
    if what == "PLAYER":
        return players_of(_world(told).sheets.values())
    if what == "ACTION":
        return [tag_of(kind) for kind in _table(told).engine.actions]
    return _fields(told) if what == "key=value" else []


def _table(told: Namespace) -> Table:
    """The table to ask; Tab begins no session, and looks at nothing that somebody has edited."""
    root = locate(told.campaign)
    found = folder.load(root)
    if sessions(root) or found.engine is None or found.errors or found.newer:
        desk = OpenCampaign(root, write=False)
        desk.close()
        return desk.table
    return Table(found.engine, begin(found.engine, found.world(), campaign=root.name, session="", at=utc_now()))


def _world(told: Namespace) -> Any:
    return _table(told).world


def _fields(told: Namespace) -> list[str]:
    """Fields of the action that are not answered yet, each with what it can be as far as that is known."""
    table = _table(told)
    kind = next((k for k in table.engine.actions if tag_of(k) == told.action), None)
    if kind is None:
        return []
    answered = dict(word.split("=", 1) for word in getattr(told, "fields", []) if "=" in word)
    out = []
    for field in fields_of(kind):
        if field.name in answered:
            continue
        try:
            open_now = [c for c in table.engine.choices(kind, field, table.world, answered) if not c.closed]
        except Refused:
            open_now = []
        out += [f"{field.name}={c.value}" for c in open_now] or [f"{field.name}="]
    return out
