"""Random play with random hand edits of now.toml and of the sheets in between: the state is what a model says."""

from __future__ import annotations

import contextlib
import random
import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import playing
import tomli_w
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tabletop_tui.conformance import random_action
from tabletop_tui.rules import COPY, Refused
from tabletop_tui.session import AnyEntry, Change, Edited, Redo, Undo, picture, value_at, verify
from tabletop_tui.storage.open_campaign import OpenCampaign

SEEDS = st.integers(0, 2**32)


def leaves(data: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if isinstance(data, dict):
        return [leaf for key, value in data.items() for leaf in leaves(value, (*path, key))]
    return [path]


def put(data: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """Plain data with a value at a path; None takes it out."""
    if not path:
        return value
    held = dict(data) if isinstance(data, Mapping) else {}
    inner = put(held.get(path[0]), path[1:], value)
    if inner is None:
        held.pop(path[0], None)
    else:
        held[path[0]] = inner
    return held


def full(data: Any) -> Any:
    """Without what is empty: a record leaves it out, a model that takes the last thing out does not."""
    if not isinstance(data, Mapping):
        return list(data) if isinstance(data, tuple) else data
    held = {key: full(value) for key, value in data.items()}
    return {key: value for key, value in held.items() if value != {}}


def without_copies(state: Any) -> Any:
    """Copies of a sheet follow it; the model knows of the files alone."""
    return {**state, "sheets": {who: sheet for who, sheet in state.get("sheets", {}).items() if COPY not in who}}


class Evening(RuleBasedStateMachine):
    """A table, its files, and a model that is nothing but the state after every entry as plain data."""

    engine = ""

    def __init__(self) -> None:
        super().__init__()
        self.place = Path(tempfile.mkdtemp())
        self.states: list[Any] = []

    @initialize()
    def sit_down(self) -> None:
        (sample,) = playing.samples(self.engine)
        self.root = Path(shutil.copytree(sample, self.place / "game"))
        self.open()
        self.states = [full(picture(self.desk.table.world))]
        self.desk.publish()

    def open(self) -> None:
        self.desk = OpenCampaign(self.root, clock=playing.evening(), disk=playing.NoSync())

    def follow(self) -> None:
        """Take the entries that are new into the model, each by what it says."""
        for entry in self.desk.table.timeline.entries[len(self.states) - 1 :]:
            self.states.append(self.after(entry))

    def after(self, entry: AnyEntry) -> Any:
        action = entry.action
        if isinstance(action, Undo | Redo):
            return self.states[action.to]
        if isinstance(action, Edited):
            state = self.states[-1]
            for change in action.changes:
                state = put(state, change.path, change.after)
            return full(state)
        return full(picture(self.desk.table.at(entry.seq)))

    @rule(seed=SEEDS, steps=st.integers(1, 4))
    def play(self, seed: int, steps: int) -> None:
        chance = random.Random(seed)
        for _ in range(steps):
            action = random_action(self.desk.engine, self.desk.table.world, chance)
            if action is not None:
                try:
                    self.desk.table.do(action)
                except Refused:
                    continue
        self.follow()

    @rule()
    def publish(self) -> None:
        self.desk.publish()

    @rule(seed=SEEDS)
    def edit_now(self, seed: int) -> None:
        self.edit(self.root / "now.toml", random.Random(seed), spare=("picture",))

    @rule(seed=SEEDS)
    def edit_by_hand(self, seed: int) -> None:
        chance = random.Random(seed)
        files = [self.root / "campaign.toml", *sorted(self.root.glob("[cs][hc]*/*.toml"))]
        self.edit(chance.choice(files), chance, spare=("engine", "format", "title", "theme"))

    def edit(self, path: Path, chance: random.Random, spare: tuple[str, ...]) -> None:
        try:
            data = tomllib.loads(path.read_text())
        except (OSError, ValueError):
            return
        some = [leaf for leaf in leaves(data) if leaf and leaf[0] not in spare]
        if not some:
            return
        if path.name == "now.toml" and chance.random() < 0.5:  # what the table has changed meanwhile: a conflict
            here = picture(self.desk.table.world.now)
            some = [leaf for leaf in some if value_at(here, leaf) != value_at(data, leaf)] or some
        leaf = chance.choice(some)
        old = value_at(data, leaf)
        kinds: list[Any] = ["other", "x", old]
        if isinstance(old, bool):
            kinds = [not old]
        elif isinstance(old, int):
            kinds = [old + 1, old - 1, 0]
        new = chance.choice(kinds) if chance.random() < 0.8 else chance.choice(["wrong", 7, None])
        text = tomli_w.dumps(put(data, leaf, new))
        # without its campaign.toml a table that is open plays on, but none can be opened
        broken = chance.random() < 0.05 and path.name != "campaign.toml"
        path.write_text(text + "\n= broken" if broken else text)

    @rule()
    def mend(self) -> None:
        """Somebody gives up on what the table does not take: the file is written anew, or taken away."""
        for problem in self.desk.look().problems:
            part, _, name = problem.file.removesuffix(".toml").partition("/")
            held = getattr(self.desk.table.world, {"characters": "sheets"}.get(part, part), {})
            if problem.file == "now.toml" or (name and name not in held):
                (self.root / problem.file).unlink(missing_ok=True)
            elif name:
                (self.root / problem.file).write_text(tomli_w.dumps(picture(held[name])))
        self.follow()

    @rule(seed=SEEDS, play=st.integers(0, 3))
    def change_ones_mind(self, seed: int, play: int) -> None:
        """Edit a file, see it at the table, undo it, and have the file put back."""
        self.look("table")
        before = self.desk.table.timeline.last
        self.edit_by_hand(seed)
        self.look("table")
        if self.desk.table.timeline.last > before:
            self.play(seed, play)
            self.desk.table.undo(before and self.desk.table.timeline.parents[before + 1])
            self.follow()
            self.put_back()

    @rule(take=st.sampled_from(["", "file", "table"]))
    def look(self, take: str) -> None:
        before = self.desk.table.world
        found = self.desk.look(take=take)
        self.follow()
        here = picture(self.desk.table.world)
        for change in found.done:
            assert full(value_at(here, change.path)) == full(change.after), change
            self.stands_in_its_file(change)
        if not found.done:
            assert self.desk.table.world == before
        for conflict in found.conflicts:
            assert value_at(here, conflict.change.path) == conflict.table

    def stands_in_its_file(self, change: Change) -> None:
        """What was applied is what the file says, unless it says nothing and the record has a default."""
        part = str(change.path[0])
        names = {"now": "now.toml", "rules": "campaign.toml"}
        name = names.get(part) or f"{'characters' if part == 'sheets' else part}/{change.path[1]}.toml"
        inner = change.path[1:] if part == "now" else change.path if part == "rules" else change.path[2:]
        # clocks and tracks stand in campaign.toml as well
        both = part == "now" and inner[0] in ("clocks", "tracks")
        said = []
        for one in [name, "campaign.toml"] if both else [name]:
            with contextlib.suppress(FileNotFoundError, tomllib.TOMLDecodeError):
                said.append(full(value_at(tomllib.loads((self.root / one).read_text()), inner)))
        if change.after is not None:
            assert full(change.after) in said, change

    @rule()
    def undo(self) -> None:
        if self.desk.table.timeline.head:
            self.desk.table.undo()
            self.follow()

    @rule()
    def redo(self) -> None:
        if self.desk.table.timeline.ahead:
            self.desk.table.redo()
            self.follow()

    @rule()
    def put_back(self) -> None:
        """After it, the files that were read and the table agree, and nothing more is found."""
        self.look("table")
        here = self.desk.table.world
        for patch in self.desk.put_back():
            if patch.old != patch.new:
                assert not self.desk.write(patch).done
        self.follow()
        assert [p for p in self.desk.put_back() if p.old != p.new] == []
        assert self.desk.table.world == here

    @rule()
    def come_back(self) -> None:
        """Close the table and open it again: nothing is different."""
        here = self.desk.table.world
        self.desk.close()
        self.open()
        assert self.desk.table.world == here

    @invariant()
    def the_state_is_the_models(self) -> None:
        if self.states:
            assert len(self.states) == self.desk.table.timeline.last + 1
            assert without_copies(full(picture(self.desk.table.world))) == without_copies(self.states[-1])

    def teardown(self) -> None:
        if self.states:
            verdict = verify(self.desk.engine, self.desk.log.header, self.desk.table.timeline.entries)
            assert not verdict.wrong, verdict
            self.desk.close()
        shutil.rmtree(self.place)


class TiersEvening(Evening):
    engine = "tiers"


class No1Evening(Evening):
    engine = "no1"


SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
TestTiers = TiersEvening.TestCase
# an evening takes half a second of disk and play, so there are fewer of them than of other examples
MOST = min(settings.default.max_examples, 80) if settings.default else 25
TestTiers.settings = settings(max_examples=MOST, stateful_step_count=20, deadline=None, suppress_health_check=SLOW)
TestNo1 = No1Evening.TestCase
TestNo1.settings = TestTiers.settings
