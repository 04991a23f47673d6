"""The user's own settings: `config.toml` with a theme, keys and a plain character set."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from ...rules import Model
from ..toml.reading import read
from .paths import config_home


class Config(Model):
    """What can be set."""

    theme: str = ""
    ascii: bool = False
    """Plain characters only, for terminals that draw ▶ or ■ two cells wide."""
    keys: dict[str, str] = {}
    """Key by binding: `undo = "z"`, `"tiers.attack" = "k"`."""


class Loaded(Model):
    """The settings, and what was wrong with the file."""

    config: Config
    problems: tuple[str, ...] = ()


def load_config(place: Path | None = None) -> Loaded:
    """Read the settings; a broken file gives the defaults and says why."""
    folder = place or config_home()
    if not (folder / "config.toml").exists():
        return Loaded(_with_environment(Config()))
    document = read(folder, "config.toml")
    document.fit(Config)
    problems = tuple(str(p) for p in document.problems)
    if document.broken:
        return Loaded(_with_environment(Config()), problems)
    return Loaded(_with_environment(msgspec.convert(document.data, Config)), problems)


def _with_environment(config: Config) -> Config:
    return msgspec.structs.replace(config, ascii=True) if os.environ.get("TABLETOP_ASCII") else config
