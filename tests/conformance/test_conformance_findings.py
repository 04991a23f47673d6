"""What the kit tells the author of an engine, before and while it is played."""

from __future__ import annotations

import gc
from typing import Any

import level
import pytest
import sound_engine
from msgspec.structs import replace
from sound_engine import Sound

from tabletop_tui import plugins
from tabletop_tui.conformance import check_engine, check_secrets, conform, findings, twin_of, world_of
from tabletop_tui.conformance.report import play_section
from tabletop_tui.kit import common
from tabletop_tui.plugins import guarded
from tabletop_tui.rules import Action, Clock, Dice, Event, Now, Refused, TableView, World


def told(**changes: Any) -> str:
    made = type("Changed", (Sound,), changes)()
    return " / ".join(map(str, findings(made)))


class Shout(Action, tag="shout"):
    """Shout."""

    key = "u"
    screens = ("table",)


class Whisper(Action, tag="whisper"):
    """Whisper."""

    key = "w"
    screens = ("table",)


class Wave(Action, tag="wave"):
    """Wave."""

    key = "w"
    screens = ("table",)


class Titled(Action, tag="titled"):
    """It has a field of a name that is taken."""

    title: str = ""  # type: ignore[misc]


class Mute(Event, tag="mute"):
    pass


class Odd(Now, kw_only=True):
    """Its clocks are not clocks."""

    clocks: dict[str, int] = {}  # type: ignore[assignment]
    points: int


def test_a_sound_engine_has_no_findings() -> None:
    check_engine(Sound())


@pytest.mark.parametrize(("root", "part"), [(Action, "actions"), (Event, "events")])
def test_what_a_package_has_and_its_engine_does_not_list_is_told(root: type[Any], part: str) -> None:
    made = type("Forgotten", (root,), {"__module__": sound_engine.__name__, "__doc__": "It is nowhere."})
    assert [str(f) for f in findings(Sound())] == [f"Forgotten is not in `{part}`. List it, or take it out."]
    del made
    gc.collect()  # classes stay until then, and other tests look at all that there are
    check_engine(Sound())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"actions": (Shout,)}, "the letter 'u' of shout is the screens' own"),
        ({"actions": (Whisper, Wave)}, "whisper and wave both have the letter 'w' on the table page"),
        ({"actions": (Titled,)}, "the field 'title' of Titled hides Action.title"),
        ({"events": (*common.EVENTS, Mute)}, "Mute has no docstring"),
        ({"events": ()}, "it has no events"),
        ({"now": Odd}, "Odd.clocks is not of the type that Now.clocks has"),
        ({"now": Odd}, "Odd.points has no default"),
        ({"sheet": dict}, "its sheet does not extend Sheet"),
        ({"api": 1}, "it is made for contract 1 and this is 2"),
        ({"actions": common.ACTIONS * 2}, "is used twice"),
        ({"reference": " "}, "its reference is empty"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_an_author_should_change_is_told_with_the_remedy(changes: dict[str, Any], words: str) -> None:
    assert words in told(**changes)


def test_all_letters_of_the_bundled_games_are_their_own() -> None:
    for engine in plugins.load_all().engines.values():
        assert [str(f) for f in findings(engine)] == []


@pytest.mark.parametrize(
    "name", level.some(["tiers", "no1", "drama", "fen"], 1, turn=1)
)  # its parts: in tests/engines
def test_a_bundled_game_keeps_the_contract(name: str) -> None:
    report = conform(plugins.load(name), games=level.many(1, 3, 30), edits=level.many(20, 100, 2_000))
    assert report.sound, [str(f) for section in report.sections for f in section.found]
    assert {section.title for section in report.sections} == {
        "the engine itself", "starter files", "random play", "odds", "secrets", "hand edits",
    }  # fmt: skip


def test_a_world_comes_from_the_starter_files_in_one_call() -> None:
    world = world_of(plugins.load("tiers"))
    assert world.players()
    assert world.now.people


def test_a_view_that_tells_a_secret_is_caught() -> None:
    class Leaky(Sound):
        def view(self, kind: Any, world: Any, about: str = "") -> Any:
            clocks = ", ".join(clock.name for clock in world.now.clocks.values())
            return TableView(title=clocks) if kind == "table" else None

    world: Any = World(Sound.rules(), Now(clocks={"a": Clock("The traitor wakes", secret=True)}))
    check_secrets(Sound(), world, twin_of(world))
    with pytest.raises(AssertionError, match="the table view '' gives a secret away"):
        check_secrets(Leaky(), world, twin_of(world))


class Told(Event, tag="told"):
    """It says what it should not."""

    def apply(self, world: Any) -> Any:
        return world

    def says(self, world: Any) -> str:
        return ", ".join(clock.name for clock in world.now.clocks.values())


class Tell(Action, tag="tell"):
    """Tell it."""

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        return (Told(),)


class Ask(Action, tag="ask"):
    """Refuse with a secret in the sentence."""

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        raise Refused(", ".join(clock.name for clock in world.now.clocks.values()))


class Spell(Action, tag="spell"):
    """Spell a name that it wants to be a colour, and does not say so."""

    name: str

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        if self.name not in ("red", "green"):
            raise Refused("no such colour")
        return (Told(),)


def told_of_play(*actions: type[Action], events: tuple[type[Event], ...] = (Told,)) -> str:
    starter = {"campaign.toml": 'title = "{title}"\nengine = "sound"\n', "characters/ann.toml": 'name = "Ann"\n'}
    made = guarded(type("Plays", (Sound,), {"actions": actions, "events": events, "starter": starter})())
    world: Any = World(made.rules(), made.now())
    return str(play_section(made, world, 3))


def test_a_text_that_was_refused_whatever_it_was_is_told() -> None:
    assert "spell was refused whatever stood in name" in told_of_play(Spell)


def test_an_event_that_is_made_and_not_listed_is_told() -> None:
    assert "Tell() makes Told, which is not in `events`" in told_of_play(Tell, events=(Mute,))


def test_actions_and_events_that_play_never_reached_are_told() -> None:
    found = told_of_play(Tell, Spell, events=(Told, Mute))
    assert "never reached: spell" in found
    assert "events never seen: mute" in found


@pytest.mark.parametrize(("action", "words"), [(Tell, "what is said of"), (Ask, "the refusal of")])
def test_words_and_refusals_that_tell_a_secret_are_caught(action: type[Action], words: str) -> None:
    made = type("Talks", (Sound,), {"actions": (action,), "events": (Told,)})()
    world: Any = World(Sound.rules(), Now(clocks={"a": Clock("The traitor wakes", secret=True)}))
    with pytest.raises(AssertionError, match=words):
        check_secrets(made, world, twin_of(world), steps=3, acting=True)


class Fallen(Event, tag="fallen"):
    """It falls."""

    def apply(self, world: Any) -> Any:
        return world

    def says(self, world: Any) -> str:
        return "Something falls"


class Fall(Action, tag="fall"):
    """Throw a die for a secret, in the open."""

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        dice.roll(", ".join(clock.name for clock in world.now.clocks.values()), 6)
        return (Fallen(),)


def test_a_record_that_tells_a_secret_is_caught() -> None:
    made = type("Throws", (Sound,), {"actions": (Fall,), "events": (Fallen,)})()
    world: Any = World(Sound.rules(), Now(clocks={"a": Clock("The traitor wakes", secret=True)}))
    with pytest.raises(AssertionError, match="the players' record gives a secret away"):
        check_secrets(made, world, twin_of(world), steps=3)


def test_offers_and_choices_that_tell_a_secret_are_caught() -> None:
    world: Any = World(Sound.rules(), Now(clocks={"a": Clock("The traitor wakes", secret=True)}))
    with pytest.raises(AssertionError, match="what is offered"):
        check_secrets(Sound(), world, twin_of(world), acting=True)  # ticking a clock names every clock


def test_the_twin_differs_only_in_what_is_secret() -> None:
    world: Any = World(Sound.rules(), Now(clocks={"a": Clock("Rain"), "b": Clock("The traitor", secret=True)}))
    twin = twin_of(world)
    assert twin.now.clocks["a"] == world.now.clocks["a"]
    assert twin.now.clocks["b"] != world.now.clocks["b"]
    assert replace(twin, now=world.now) == world
