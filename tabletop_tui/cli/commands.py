"""What the commands about campaigns do: new, demo, check, engines, doctor."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from .. import plugins
from ..kit.common import plural
from ..rules import KINDS, TableError, clean
from ..storage import campaign as folder
from ..storage.campaign.now import live_problems
from ..storage.user.paths import copy_demo, data_home, demos, locate, slug, typed_path, write_starter
from ..storage.user.themes import unknown_theme
from .words import complain, out_json, say


def new(args: Namespace) -> int:
    """Write the starter files of a new campaign."""
    engine = plugins.load(args.engine)
    title = clean(args.title).strip()
    if not title:
        raise TableError("a campaign needs a title", remedy='tabletop new "The Ember Road" --engine tiers')
    target = typed_path(args.into or ".") / slug(title)
    if not engine.starter:
        raise TableError(f"the engine {engine.name!r} has no starter files", remedy="Copy one of its samples.")
    written = write_starter(engine.starter, title, target, people=not args.empty)
    say(f"{title}: {len(written)} files in {target}", "good")
    say(f"Next: tabletop check {target}   tabletop play {target}")
    return 0


def demo(args: Namespace) -> int:
    """Copy a sample campaign so that it can be played."""
    found = {p.name: p for p in demos()}
    if args.name not in found:
        remedy = f"Choose from: {', '.join(found)}."
        raise TableError(f"there is no sample {args.name!r}", remedy=remedy)
    target = copy_demo(found[args.name], typed_path(args.into) if args.into else data_home() / "campaigns")
    say(f"{target}", "good")
    return 0


def check(args: Namespace) -> int:
    """Every problem of every file at once."""
    found = folder.load(locate(args.campaign))
    live = live_problems(found)
    problems = [*found.problems, *unknown_theme(found), *live]
    if args.json:
        out_json(problems)
    else:
        for problem in problems:
            say(str(problem), "warn" if problem.warning else "bad")
        if not problems:
            count = len(found.documents)
            say(f"{found.title}: {plural(count, 'file')}, no problems", "good")
        for words in _keys(found):
            say(words, "warn")
        if found.older and found.engine_name:
            say(
                f"The files are of an older format and work: tabletop migrate {args.campaign} says what is new",
                "muted",
            )
    return 1 if found.errors or any(not problem.warning for problem in live) else 0


def _keys(found: folder.Campaign) -> list[str]:
    """What is wrong with the user's settings, keys that two commands want, and letters of the game."""
    from ..storage.user.config import load_config
    from ..ui.commands import catalogue  # without Textual

    if found.engine is None:
        return []
    own = load_config()
    keys = catalogue.problems(own.config.keys, [found.engine])
    return [*own.problems, *keys, *catalogue.letters(found.engine)]


def engines(args: Namespace) -> int:
    """What is installed, and what failed."""
    loaded = plugins.load_all()
    if args.json:
        out_json({"engines": {n: e.title for n, e in loaded.engines.items()}, "failed": loaded.failed})
        return 0
    for name, engine in loaded.engines.items():
        screens = " ".join(k for k in KINDS if _has(engine, k))
        say(f"{name:<10} {engine.title:<28} {screens}")
    for failure in loaded.failed:
        complain(f"{failure.name:<10} {failure.why}. {failure.remedy}")
    return 0


def _has(engine: Any, kind: Any) -> bool:
    from ..rules import World

    try:
        return kind == "sheet" or engine.view(kind, World(engine.rules(), engine.now())) is not None
    except Exception:  # a stranger's engine that fails on an empty world is still listed
        return False


def doctor(args: Namespace) -> int:
    """Look at everything in a campaign and say what is wrong and what to do."""
    from .doctor import examine

    return examine(locate(args.campaign), mend=args.mend)
