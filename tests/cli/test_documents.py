"""What the documents tell people to type is what the program takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import playing
import pytest

from tabletop_tui.cli import parser

BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
DOCUMENTS = [playing.PROJECT / "docs" / "seats.md"]


def commands(path: Path) -> list[str]:
    """Every `tabletop …` line of a document's shell blocks."""
    lines = [line.strip() for block in BLOCK.findall(path.read_text()) for line in block.splitlines()]
    return [line for line in lines if line.startswith("tabletop ")]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_of_a_document_is_understood(path: Path) -> None:
    found = commands(path)
    assert len(found) > 5
    for line in found:
        args = parser().parse_args(shlex.split(line, comments=True)[1:])
        assert args.command


def test_every_file_that_a_document_names_is_there() -> None:
    for path in DOCUMENTS:
        for name in re.findall(r"\]\(([^):#]+)\)", path.read_text()):
            assert (path.parent / name).exists(), f"{path.name} names {name}"
