"""Themes, and keys of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from waiting import done, opened, playing, settled

from tabletop_tui.storage.user.themes import load_themes
from tabletop_tui.ui.app import TabletopApp, variables
from tabletop_tui.ui.asking.form import Form
from tabletop_tui.ui.screens.home import HomeScreen


def test_there_are_at_least_four_themes_and_one_is_light() -> None:
    found = load_themes()
    assert not found.failed
    assert len(found.themes) >= 4
    assert any(not t.dark for t in found.themes.values())
    assert "contrast" in found.themes


@pytest.mark.parametrize("name", sorted(load_themes().themes))
def test_text_can_be_read_in_every_theme(name: str) -> None:
    """WCAG contrast: 4.5 for what is read, 3 for what is faint on purpose; 7 in the high-contrast theme."""
    from textual.color import Color

    theme = load_themes().themes[name]

    def light(text: str) -> float:
        parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in Color.parse(text).normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    def contrast(one: str, two: str) -> float:
        low, high = sorted((light(one), light(two)))
        return (high + 0.05) / (low + 0.05)

    for ground in (theme.background, theme.surface, theme.bar):
        assert contrast(theme.ink, ground) >= (7 if name == "contrast" else 4.5)
        assert contrast(theme.faint, ground) >= 2.2
    for tone in (theme.dim, theme.good, theme.warn, theme.bad, theme.accent):
        assert contrast(tone, theme.background) >= 4.0
    names = variables(theme)
    for ground in (theme.bar, names["raised"]):  # closed reasons and remarks stand there
        assert contrast(theme.dim, ground) >= 4.5
    for tone in ("good", "warn", "bad"):
        assert contrast(names[tone], names[f"{tone}-tint"]) >= 4.0
    assert contrast(theme.on_accent, theme.accent) >= 4.5


async def test_a_broken_theme_and_an_unknown_key_are_listed_and_the_rest_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "config" / "tabletop"
    (home / "themes").mkdir(parents=True)
    (home / "themes" / "mine.toml").write_text('name = "mine"\nbackground = "blurple"\n')
    (home / "config.toml").write_text('[keys]\nundo = "z"\nundoo = "x"\n"tiers.attack" = "k"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        assert any("mine.toml" in c and "blurple" in c for c in app.complaints)
        first = app.screen
        assert isinstance(first, HomeScreen)
        assert any("undoo" in words for words in first.failed)


async def test_keys_can_be_remapped(campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "config" / "tabletop"
    home.mkdir(parents=True)
    (home / "config.toml").write_text('[keys]\nundo = "z"\n"tiers.attack" = "k"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C", "3", "z")
        assert done(app) == ["open", "undo"]
        await pilot.press("T", "k")
        assert isinstance(playing(app).host.asked, Form)


async def test_themes_switch_live(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        before = app.theme
        await pilot.press("ctrl+t")
        assert app.theme != before
