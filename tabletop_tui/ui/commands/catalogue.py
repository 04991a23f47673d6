"""Every command that has an id of its own before anything is open: for `config.toml`, for `check`, for clashes.

No part of this imports Textual: the command line reads it too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...rules import Action, Engine, Model, nearest, tag_of
from .record import Command, Done, Effect, Where, nothing


class Entry(Model):
    """A command without what it runs."""

    id: str
    keys: tuple[str, ...]
    label: str
    effect: Effect = "look"
    where: Where = "footer"
    help: str = ""


SCREEN = (
    Entry("scene", ("S",), "Scene", where="list"),
    Entry("table", ("T",), "Table", where="list"),
    Entry("challenge", ("C",), "Challenge", where="list"),
    Entry("contest", ("D",), "Contest", where="list"),
    Entry("people", ("P",), "People", where="list"),
    Entry("log", ("L", "H"), "Log", where="list"),
    Entry("clock", (".",), "clock", "play", help="move a clock or another counter on by one, or back"),
    Entry("actions", ("space", "ctrl+p"), "all", where="end", help="everything, by name"),
    Entry("add", ("+",), "add", "files", "footer", "a foe, a hero, a scene, a clock"),
    Entry("edit", ("E",), "edit", "files", "footer", "any value of any file of the campaign"),
    Entry("undo", ("u",), "undo", "play", "end", "take back the last thing"),
    Entry("redo", ("ctrl+r",), "redo", "play", "list", "do it again"),
    Entry("help", ("?", "f1"), "help", where="end", help="the keys of where you are, and the rules"),
    Entry("dice", ("%",), "dice", where="list", help="the dice workbench: any expression and its chances"),
    Entry("theme", ("ctrl+t",), "next theme", where="list"),
    Entry("redraw", ("ctrl+l",), "draw again", where="list", help="after something else has written on the screen"),
    Entry("drop_edit", ("X",), "drop the edit", "files", help="an edit that cannot count: the table's own goes back"),
    Entry("put_back", ("B",), "put the file back", "files", help="a file that still says what was undone"),
    Entry("compare", ("=",), "compare", help="what is different from the real table"),
    Entry("leave", ("q",), "leave", where="list"),
)
SEATS = (
    Entry("asked.accept", ("y",), "yes", "play", "band", "do what a player asks for"),
    Entry("asked.decline", ("N",), "no", "play", "band", "say no to what a player asks for"),
    Entry("asked.look", ("A",), "look", "play", "band", "look at what a player asks for, and change it"),
    Entry("asked.word", (), "say something to a player", "play", "list"),
    Entry("asked.whisper", (), "whisper to a player", "play", "list"),
    Entry("seat.take_back", ("x",), "take it back", "play", "band", "ask no longer"),
)
PAGES = {
    "scene": (
        Entry("scene.set", ("enter",), "set", "play", "band", "the scene is the one that is played"),
        Entry("scene.go_on", ("enter",), "go on", "look", "band"),
        Entry("scene.note", ("k",), "note", "play", help="for you alone; the list of everything has one for all"),
        Entry(
            "scene.table", ("r",), "roll on a table", "play", help="a rollable table of the campaign, into the log"
        ),
    ),
    "table": (
        Entry("table.act", ("enter",), "act", "play", "band"),
        Entry("table.go_on", ("enter",), "go on with it", "look", "band"),
        Entry("table.find", ("/",), "find", where="list"),
        Entry("table.up", ("up",), "who"),
        Entry("table.down", ("down",), "who"),
        Entry("table.roll", ("r",), "roll", "play", "band"),
        Entry("table.type", ("t",), "type dice", "play", "band"),
        Entry("table.open", ("right",), "one by one"),
        Entry("table.close", ("left",), "together"),
    ),
    "challenge": (
        Entry("challenge.roll", ("r",), "roll", "play", "band"),
        Entry("challenge.type", ("t",), "type dice", "play", "band"),
        Entry("challenge.lead", ("l",), "lead", "play", help="who leads, with the chances of each"),
        Entry("challenge.skill", ("s",), "with which skill", "play", help="help with a skill of your choice"),
        Entry("challenge.browse", ("o",), "open another", help="the challenges that are prepared"),
        Entry("challenge.on", ("enter",), "go on", "play", "band"),
    ),
    "contest": (
        Entry("contest.best", ("enter",), "take the best", "play", "band"),
        Entry("contest.roll", ("r",), "roll", "play", "band"),
        Entry("contest.type", ("t",), "type dice", "play", "band"),
        Entry("contest.on", ("enter",), "go on", "play", "band"),
        Entry("contest.take_out", ("x", "delete", "backspace"), "take out", "play"),
    ),
    "people": (
        Entry("people.find", ("/",), "filter"),
        Entry("people.edit", ("e",), "edit the file", "files"),
        Entry("people.copy", ("c",), "more of them", "files"),
        Entry("people.retire", ("x",), "retire", "play"),
    ),
    "log": (
        Entry("log.go", ("enter",), "go there", "play", "band"),
        Entry("log.name", ("m",), "name this moment", "play"),
        Entry("log.what_if", ("w",), "what if", "fork"),
        Entry("log.all", ("a",), "unfold", help="what was undone stands in the list too, or not"),
        Entry("log.export", ("o",), "export", "fork", "band", "write the session as a record to read or print"),
    ),
}
REPLAY = (
    Entry("replay.play", ("space",), "play", where="band"),
    Entry("replay.back", ("left",), "step", where="band"),
    Entry("replay.forward", ("right",), "step", where="band"),
    Entry("replay.before", ("[",), "before", where="band"),
    Entry("replay.after", ("]",), "after", where="band"),
    Entry("replay.mark", ("j",), "jump by"),
    Entry("replay.find", ("/",), "find"),
    Entry("replay.next", ("n",), "next found"),
    Entry("replay.last", ("N",), "last found"),
    Entry("replay.faster", ("+",), "faster"),
    Entry("replay.slower", ("-", "−"), "slower"),
    Entry("replay.what_if", ("f",), "what if", "fork"),
    Entry("replay.all", ("a",), "with undone", help="stand at what was undone too, or not"),
    Entry("replay.export", ("o",), "export", "fork", help="write the session as a record to read or print"),
)
HOME = (
    Entry("home.replay", ("r",), "watch it again", where="band"),
    Entry("home.session", ("b",), "begin the next session", "files", "band"),
    Entry("home.new", ("n",), "new", "files", help="a campaign of your own"),
    Entry("home.bring", ("i",), "bring in", "files", help="a folder or .zip somebody gave you"),
    Entry("home.sample", ("d",), "sample", "files", "list", "the first that was not begun yet"),
    Entry("home.dice", ("%",), "dice"),
    Entry("home.theme", ("ctrl+t",), "theme"),
    Entry("home.redraw", ("ctrl+l",), "draw again", where="list"),
    Entry("home.help", ("?", "f1"), "help", where="end"),
    Entry("home.quit", ("q",), "quit", where="end"),
)
FORMER = {"sheets": "people", "history": "log", "home.demo": "home.sample", "people.add": "add"}
"""Ids of older versions, as they may still stand in somebody's `config.toml`."""
AT_HOME = {"dice": "home.dice", "theme": "home.theme", "redraw": "home.redraw", "help": "home.help"}
"""What a table and Home both have."""
EXEMPT = {
    "enter",
    "escape",
    "up",
    "down",
    "left",
    "right",
    "space",
    "tab",
    "pageup",
    "pagedown",
    "backspace",
    "delete",
}
EXEMPT |= set("0123456789")
"""Keys that every layer has its own meaning for: the front one has them."""
ENTRIES = {e.id: e for some in (SCREEN, SEATS, *PAGES.values(), REPLAY, HOME) for e in some}
NUMBERED = (
    "table.way.",
    "table.ready.",
    "form.",
    "count.",
    "challenge.support.",
    "prompt.",
    "list.",
    "contest.add.",
    "challenge.extra.",
    "contest.extra.",
    "scene.open.",
    "table.act.",
)
"""Ids that are made with the view: there is one for each thing that is offered."""


def command(
    id: str,
    run: Callable[[], Done] = nothing,
    closed: str = "",
    *,
    keys: tuple[str, ...] = (),
    label: str = "",
    where: Where | None = None,
    help: str = "",
    group: str = "",
    section: str = "here",
    instead: str = "",
    point: Callable[[tuple[int, ...]], Done] | None = None,
) -> Command:
    """A command with all that the list above says of it; what else it is called depends on what it would do now."""
    known = ENTRIES[id]
    shown = (keys or known.keys, label or known.label, run, closed, known.effect, where or known.where)
    return Command(id, *shown, group, help or known.help, section, instead, point)


def action_id(engine: Engine, kind: type[Action]) -> str:
    """The id of an engine's action."""
    return f"{engine.name}.{tag_of(kind)}"


def own_keys(config: Mapping[str, str]) -> dict[str, str]:
    """The user's keys by today's ids and by the names that commands use for keys; of what a table and Home both have
    they are Home's, too."""
    mine = {FORMER.get(id, id): NAMES.get(key, key) for id, key in config.items()}
    return {at_home: mine[id] for id, at_home in AT_HOME.items() if id in mine} | mine


NAMES = {
    "question_mark": "?",
    "percent_sign": "%",
    "equals_sign": "=",
    "slash": "/",
    "full_stop": ".",
    "comma": ",",
    "plus": "+",
    "minus": "-",
    "esc": "escape",
    "pgup": "pageup",
    "pgdn": "pagedown",
    " ": "space",
}
"""Keys by the names that Textual or people have for them."""


def problems(config: Mapping[str, str], engines: Sequence[Engine]) -> list[str]:
    """What is wrong with the user's own keys: ids that nobody has, what is not a key, and keys that others have."""
    mine = own_keys(config)
    known = set(ENTRIES) | {action_id(e, k) for e in engines for k in e.actions}
    games = {e.name for e in engines}
    out = []
    for id in mine:
        if id in known or id.startswith(NUMBERED):
            continue
        room, _, rest = id.partition(".")
        foreign = rest and room not in games and room not in (*PAGES, "replay")
        meant = f"{nearest(room, games)}.{rest}" if foreign else nearest(id, known)
        meant = meant if meant in known else ""
        if meant or not foreign or id.startswith("home."):  # else it may be of a game that is not installed here
            meant = f". Did you mean {meant!r}?" if meant else ""
            out.append(f"config.toml: there is no command {id!r}{meant}")
    told: set[frozenset[str]] = set()  # where both have it from the user, it is one thing that is wrong
    for id, key in mine.items():
        if not _is_key(key):
            out.append(f"config.toml: {key!r} is not a key, and {id!r} has none now. Write u, ctrl+u or f5, say.")
            continue
        if key.isdigit() and not id.startswith(NUMBERED):
            out.append(f"config.toml: {key!r} is for choosing on every page. Give {id!r} a letter.")
            continue
        others = [other for other in sorted(_owners(key, mine, engines, id)) if frozenset((id, other)) not in told]
        told |= {frozenset((id, other)) for other in others}
        if others:
            more = f" and {len(others) - 3} more" if len(others) > 4 else ""
            words = ", ".join(map(repr, others[:3] if more else others))
            out.append(f"config.toml: {key!r} is the key of {id!r} and of {words}{more}. Give one of them another.")
    return out


def _is_key(key: str) -> bool:
    """Is it something that a terminal sends: a character, a named key, or one with ctrl, alt or shift?"""
    *held, last = key.split("+") if len(key) > 1 else [key]
    named = last in EXEMPT | {"home", "end", "insert"} or (last[:1] == "f" and last[1:].isdigit())
    return set(held) <= {"ctrl", "alt", "shift"} and (
        named or (len(last) == 1 and last.isprintable() and last != " ")
    )


def _owners(key: str, mine: Mapping[str, str], engines: Sequence[Engine], id: str) -> set[str]:
    """Who else has a key on a page where a command is offered."""
    pages = _pages(id, engines)
    if key in EXEMPT or not pages:
        return set()
    found = {e.id for e in ENTRIES.values() if key in ((mine[e.id],) if e.id in mine else e.keys)}
    for engine in engines:
        found |= {one for k in engine.actions if key == mine.get(one := action_id(engine, k), k.key)}
    games = {e.name for e in engines}
    game = id.partition(".")[0]
    rivals = {one for one in found if game not in games or one.partition(".")[0] not in games - {game}}
    return {one for one in rivals if one != id and pages & _pages(one, engines)}


def _pages(id: str, engines: Sequence[Engine]) -> set[str]:
    """The pages on which a command may be offered; none where nobody here knows it."""
    room = id.partition(".")[0]
    if id in ENTRIES or id.startswith(NUMBERED):
        return {room} if "." in id else set(PAGES)
    screens = [k.screens for e in engines for k in e.actions if action_id(e, k) == id]
    return set(screens[0]) & set(PAGES) if screens else set()


def letters(engine: Engine) -> list[str]:
    """Letters of a game that the screen has for itself: its actions would never get them.

    Two actions of a game may share a letter where only one of them is open at a time; the deck finds out.
    """
    screen = {key: e.id for e in SCREEN for key in e.keys}
    return [
        f"{kind.key!r} is the key of {action_id(engine, kind)!r} and of {screen[kind.key]!r}"
        for kind in engine.actions
        if kind.screens and kind.key in screen
    ]
