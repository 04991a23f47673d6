"""Damage to a log is found, wherever it is: bytes cut off, bits flipped, lines taken out, doubled, swapped."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import msgspec
import playing
import pytest

from tabletop_tui import plugins
from tabletop_tui.kit.common import Note
from tabletop_tui.rules import TableError
from tabletop_tui.session import AnyEntry, Codec
from tabletop_tui.storage.log import LogFile, read_plain, scan, sessions, with_crc
from tabletop_tui.storage.open_campaign import OpenCampaign


@pytest.fixture
def log(root: Path) -> Path:
    """A small log: a header and five entries."""
    desk = OpenCampaign(root, clock=playing.evening(), disk=playing.NoSync())
    for number in range(5):
        desk.table.do(Note(f"note {number}"))
    desk.close()
    return sessions(root)[-1]


@pytest.fixture
def codec() -> Codec:
    return Codec(plugins.load("tiers"))


def opened(path: Path, codec: Codec) -> LogFile | None:
    """The log as it opens; None where it is refused in words."""
    try:
        file = LogFile(path, codec, playing.NoSync())
    except TableError:
        return None
    file.close()
    return file


def prefix(found: list[AnyEntry], whole: list[AnyEntry]) -> bool:
    return list(found) == list(whole)[: len(found)]


def test_a_log_cut_off_at_any_byte_gives_its_whole_lines_and_says_what_was_cut(log: Path, codec: Codec) -> None:
    data = log.read_bytes()
    whole = opened(log, codec)
    assert whole is not None
    ends = [i + 1 for i, byte in enumerate(data) if byte == 0x0A]
    for length in range(len(data)):
        log.write_bytes(data[:length])
        file = opened(log, codec)
        lines = sum(end <= length for end in ends)
        if not lines:
            assert file is None, f"cut at {length}"
            continue
        assert file is not None
        assert list(file.entries) == list(whole.entries)[: lines - 1], f"cut at {length}"
        torn = data[ends[lines - 1] : length]
        assert bool(file.notes) == bool(torn), f"cut at {length}"
        assert log.read_bytes() == data[: ends[lines - 1]]
        for aside in log.parent.glob("*.torn-*"):
            assert aside.read_bytes() == torn
            aside.unlink()


def test_every_bit_that_flips_is_found(log: Path) -> None:
    data = log.read_bytes()
    whole = scan(data)
    assert not whole.damage
    for place in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[place] ^= 1 << bit
            found = scan(bytes(flipped))
            assert found.damage or found.torn, f"bit {bit} of byte {place}"
            assert data.startswith(found.header + b"\n" + found.body if found.header else b"")


def test_a_log_with_a_flipped_bit_opens_read_only_or_says_why_not(log: Path, codec: Codec) -> None:
    data = log.read_bytes()
    whole = opened(log, codec)
    assert whole is not None
    chance = random.Random(1)
    for place in range(len(data)):
        flipped = bytearray(data)
        flipped[place] ^= 1 << chance.randrange(8)
        log.write_bytes(flipped)
        file = opened(log, codec)
        if file is None:
            continue
        assert file.closed or file.notes, f"byte {place}"
        assert prefix(list(file.entries), list(whole.entries))
        if file.closed:
            assert "doctor" in file.closed
            assert log.read_bytes() == bytes(flipped)  # a damaged log is not touched


def lines_changed(lines: list[bytes]) -> dict[str, list[bytes]]:
    """Every single line deleted but the last, every one doubled, every two swapped."""
    out = {f"without {i}": lines[:i] + lines[i + 1 :] for i in range(len(lines) - 1)}
    out |= {f"{i} doubled": lines[: i + 1] + lines[i:] for i in range(len(lines))}
    for i, j in combinations(range(len(lines)), 2):
        swapped = list(lines)
        swapped[i], swapped[j] = swapped[j], swapped[i]
        out[f"{i} and {j} swapped"] = swapped
    return out


def test_lines_that_are_deleted_doubled_or_swapped_are_found(log: Path, codec: Codec) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    whole = opened(log, codec)
    assert whole is not None
    for what, changed in lines_changed(lines).items():
        log.write_bytes(b"".join(changed))
        assert scan(log.read_bytes()).damage, what
        file = opened(log, codec)
        if file is not None:
            assert file.closed, what
            assert prefix(list(file.entries), list(whole.entries)), what


def test_the_damage_is_named_by_its_line(log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b"note", b"nota")
    assert scan(b"".join(lines)).damage.startswith("line 4 is damaged")


def test_a_damaged_log_is_read_only_and_can_still_be_read_as_text(log: Path, root: Path) -> None:
    data = log.read_bytes()
    log.write_bytes(data.replace(b"note 3", b"nite 3"))
    desk = OpenCampaign(root)
    assert desk.table.timeline.last == 3
    with pytest.raises(TableError, match=r"read-only.*line 5 is damaged"):
        desk.table.do(Note("more"))
    assert [entry.said for entry in read_plain(log).entries] == [("note 0",), ("note 1",), ("note 2",)]


def test_damage_that_happens_while_the_table_is_open_makes_it_read_only(log: Path, root: Path) -> None:
    desk = OpenCampaign(root)
    log.write_bytes(log.read_bytes() + b'{"seq":6,"nonsense":true,"crc":"00000000"}\n')
    with pytest.raises(TableError, match="line 7 is damaged"):
        desk.table.do(Note("more"))
    assert desk.table.timeline.last == 5


@pytest.mark.parametrize("content", [b"", b"\n", b"{}\n", b"hello\nthere\n", b"\x00" * 500, b'{"log":"tabletop"}\n'])
def test_what_is_no_log_at_all_is_refused_in_words(log: Path, codec: Codec, content: bytes) -> None:
    log.write_bytes(content)
    assert opened(log, codec) is None
    assert log.read_bytes() == content


def _rewritten(data: bytes, change: dict[int, dict[str, object]]) -> bytes:
    """The same log with some lines' keys changed, and sound checksums."""
    out, crc = b"", 0
    for number, line in enumerate(data.splitlines()):
        plain = msgspec.json.decode(line)
        del plain["crc"]
        written, crc = with_crc(msgspec.json.encode(plain | change.get(number, {})), crc)
        out += written
    return out


def test_a_log_of_a_later_format_says_to_update(log: Path, codec: Codec) -> None:
    log.write_bytes(_rewritten(log.read_bytes(), {0: {"format": 99}}))
    with pytest.raises(TableError, match=r"format 99.*Update"):
        LogFile(log, codec)


@pytest.mark.parametrize("change", [{"world": {"x": 1}}, {"engine": "chess"}], ids=["its world", "its game"])
def test_a_sound_header_that_does_not_fit_names_the_way_out_and_that_way_is_open(
    log: Path, change: dict[str, object]
) -> None:
    root = log.parent.parent
    OpenCampaign(root).publish()
    log.write_bytes(_rewritten(log.read_bytes(), {0: change}))
    with pytest.raises(TableError, match="tabletop session CAMPAIGN --from-now"):
        OpenCampaign(root)
    desk = OpenCampaign(root, from_now=True)
    desk.do(Note("on"))
    desk.close()
    assert OpenCampaign(root).table.last == 1


def test_an_entry_of_an_unknown_kind_is_kept_and_the_table_is_read_only(log: Path, codec: Codec) -> None:
    log.write_bytes(_rewritten(log.read_bytes(), {4: {"action": {"do": "teleport", "to": "the moon"}}}))
    before = log.read_bytes()
    file = opened(log, codec)
    assert file is not None
    assert len(file.entries) == 3
    assert "entry 4 is of a kind that this version does not know" in file.closed
    assert log.read_bytes() == before
    assert len(read_plain(log).entries) == 5
