"""The bytes of a log: lines that each end in a checksum, which is chained to the one before."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from zlib import crc32

from ...rules import Model

SUFFIX = len(b',"crc":"00000000"}')


class Scan(Model):
    """The bytes of a log, as far as they are sound."""

    header: bytes
    body: bytes
    """Every sound entry line, newlines included."""
    good: int
    """How many bytes are sound."""
    chain: Sequence[int]
    """The checksum of each sound line, the header's first."""
    torn: bytes = b""
    """What stands after the last newline: a line that was never finished."""
    damage: str = ""
    """What is wrong in the middle, and where."""

    @property
    def lines(self) -> int:
        """How many lines are sound."""
        return len(self.chain)


def scan(data: bytes, crc: int = 0, first: int = 1) -> Scan:
    """Follow the chain of checksums; stop at the first line that breaks it."""
    *lines, torn = data.split(b"\n")
    chain, last, damage = array("I"), crc, ""
    for line in lines:
        last = crc32(line[:-SUFFIX], last)
        if line[-SUFFIX:] != b',"crc":"%08x"}' % last:
            number = first + len(chain)
            damage = f"line {number} is damaged, or lines before it are missing, doubled or out of order"
            break
        chain.append(last)
    good = sum(map(len, lines[: len(chain)])) + len(chain)
    head = lines[0] if chain and first == 1 else b""
    body = data[len(head) + 1 if head else 0 : good]
    return Scan(head, body, good, chain, b"" if damage else torn, damage)


def with_crc(line: bytes, crc: int) -> tuple[bytes, int]:
    """A line with its checksum and newline, and the checksum to chain the next one to."""
    body = line[:-1]
    chained = crc32(body, crc)
    return body + b',"crc":"%08x"}\n' % chained, chained


def unix_lines(data: bytes) -> bytes:
    """The same log with the line ends that it was written with: git and some editors turn them into CRLF.

    Nothing else can be meant by one: within a line JSON writes it as an escape.
    """
    return data.replace(b"\r\n", b"\n") if b"\r\n" in data else data
