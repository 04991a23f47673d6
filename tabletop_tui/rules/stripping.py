"""What players see of a view: all but what is secret, taken out in one place for every seat but the GM's."""

from typing import Any, cast

import msgspec

from .model import Action
from .odds import Odds
from .views import ChallengeView, ContestView, Hand, Prompt, TableView


def strip(view: Any) -> Any:
    """The same view without what only the GM may see; None where all of it is secret."""
    if isinstance(view, tuple):
        return tuple(strip(item) for item in view if not getattr(item, "secret", False))
    if not isinstance(view, msgspec.Struct) or isinstance(view, Action):
        return view
    if getattr(view, "secret", False):
        return None
    if isinstance(view, TableView | ChallengeView | ContestView) and view.seen is not None:
        return strip(view.seen)
    changes: dict[str, Any] = {}
    for name in view.__struct_fields__:
        value = getattr(view, name)
        if name.startswith("secret_"):
            kept: Any = type(value)() if isinstance(value, str | tuple) else None
        else:
            kept = strip(value)
        changes[name] = kept
    if isinstance(view, Prompt) and not changes["options"]:
        return None  # a prompt is shown while it has an option that its reader may see
    if isinstance(view, TableView):
        # what is open now may tell of a roll that nobody but the GM sees
        changes["reminders"] = changes["later"] = changes["acts"] = ()
    if _roll_tells(view):
        changes["roll"] = None
    if isinstance(view, TableView | ChallengeView | ContestView) and view.prompt and changes["prompt"] is None:
        changes["hands"] = tuple(map(_unmarked, changes["hands"]))
    return msgspec.structs.replace(view, **changes)


def _roll_tells(view: Any) -> bool:
    """Would the roll's action tell what the GM's own would roll with?"""
    if isinstance(view, TableView):
        return any(pool.secret for pool in view.pools)
    return isinstance(view, ChallengeView | ContestView) and view.odds_secret


def _unmarked(hand: Hand) -> Hand:
    """Dice that only the GM picks from: which of them the rules would pick tells what the one who rolled has left."""
    faces = tuple(msgspec.structs.replace(face, choosable=False, chosen=False) for face in hand.faces)
    return msgspec.structs.replace(hand, faces=faces)


def strip_odds(odds: Odds) -> Odds | None:
    """Odds that a player may see; none at all where they would give a secret away."""
    return cast("Odds | None", strip(odds))
