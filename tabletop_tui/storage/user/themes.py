"""Themes: colours in TOML, the program's own and the user's; a broken one is listed with its reason."""

from __future__ import annotations

import re
from pathlib import Path

from ...rules import Model
from ..campaign import Campaign
from ..toml.reading import FileProblem, read
from ..toml.shape import Misfit, near
from .paths import bundled, config_home

COLOURS = (
    "background",
    "surface",
    "bar",
    "ink",
    "dim",
    "faint",
    "accent",
    "on_accent",
    "good",
    "warn",
    "bad",
    "rule",
)
_HEX = re.compile(r"#[0-9a-fA-F]{6}")


class ThemeFile(Model):
    """A theme as written: every colour as #rrggbb."""

    name: str
    background: str
    surface: str
    bar: str
    ink: str
    dim: str
    faint: str
    accent: str
    on_accent: str
    good: str
    warn: str
    bad: str
    rule: str
    dark: bool = True


class Themes(Model):
    """What loaded, and what did not and why."""

    themes: dict[str, ThemeFile]
    failed: tuple[str, ...] = ()


def load_themes(*places: Path) -> Themes:
    """Every theme in these folders; a later one of the same name wins."""
    import msgspec

    found: dict[str, ThemeFile] = {}
    failed: list[str] = []
    for place in places or (bundled("themes"), config_home() / "themes"):
        for path in sorted(place.glob("*.toml")) if place.is_dir() else ():
            document = read(place, path.name)
            document.fit(ThemeFile)
            if document.data is not None:
                for name in COLOURS:
                    value = document.data.get(name)
                    # a colour that cannot be parsed would register and crash later, while drawing
                    if isinstance(value, str) and not _HEX.fullmatch(value):
                        misfit = Misfit((name,), f"{value!r} is not a colour", "Write it as #rrggbb.")
                        document.problems.append(document.problem(misfit))
            if document.broken:
                failed += [str(p) for p in document.problems if not p.warning]
            else:
                theme = msgspec.convert(document.data, ThemeFile)
                found[theme.name] = theme
    return Themes(found, tuple(failed))


def unknown_theme(campaign: Campaign) -> list[FileProblem]:
    """A warning where a campaign names a theme that there is not."""
    names = load_themes().themes if campaign.theme else {}
    if campaign.theme in ("", *names):
        return []
    misfit = Misfit(("theme",), f"there is no theme {campaign.theme!r}", near(campaign.theme, names), warning=True)
    return [campaign.documents[("rules",)].problem(misfit)]
