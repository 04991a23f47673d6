"""`tabletop new-engine`: a whole small game as a package of its own, to be changed into yours."""

from __future__ import annotations

import keyword
import re
from argparse import Namespace
from pathlib import Path

from .. import plugins
from ..rules import Refused, clean
from ..storage.user.paths import bundled, typed_path
from .words import say

TEMPLATE = Path(__file__).resolve().parent.parent / "template"
NAME, TITLE, CLASS = "lanterns", "Lanterns", "Lantern"


def run(args: Namespace) -> int:
    """Write the package, and say what to do next."""
    name = checked(args.name)
    target = typed_path(args.into or ".") / name
    if target.exists():
        raise Refused(f"{target} is there already", remedy="Choose another name, or --into another folder.")
    for source in sorted(TEMPLATE.rglob("*")):
        if source.is_file() and "__pycache__" not in source.parts:
            path = target / renamed(str(source.relative_to(TEMPLATE)), name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(renamed(source.read_text("utf-8"), name), "utf-8")
    say(f"Written: {target}")
    say(f"  cd {target}")
    say("  pip install -e '.[test]' && python -m pytest")
    say(f'  tabletop new "First Light" --engine {name} && tabletop play first-light')
    say(f"It is a whole game: change it into yours. Each part is explained in {bundled('docs') / 'engines.md'}")
    return 0


def checked(name: str) -> str:
    """A name that Python, pip and a campaign file can all have."""
    word = clean(name).strip()
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,30}", word) or keyword.iskeyword(word):
        raise Refused(f"{word!r} cannot be the name of a game", remedy="Small letters, digits and _: moonfall, say.")
    if word in plugins.load_all().engines:
        raise Refused(f"there is a game {word!r} already", remedy="Choose another name; see tabletop engines.")
    return word


def renamed(text: str, name: str) -> str:
    """The template with the names of another game."""
    title = name.replace("_", " ").title()
    kind = "".join(part.title() for part in name.split("_"))
    text = text.replace(f"class {TITLE}(", f"class {kind}Engine(").replace(f"{TITLE}()", f"{kind}Engine()")
    text = re.sub(rf"\b{CLASS}(?=Rules|Sheet|Now|World)", kind, text)
    return text.replace(TITLE, title).replace(NAME, name)
