"""Where things are: what came with the program, what is the user's, and which campaigns there are."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...rules import TableError, clean
from ..campaign import load
from ..campaign.schema import write_schemas
from ..campaign.versions import MAIN, STEPS, brought_up
from ..disk import PRIVATE, PRIVATE_FOLDER, Disk, private_folder, refused, write_file
from ..toml.splice import without

PACKAGE = Path(__file__).resolve().parent.parent.parent


def bundled(kind: str) -> Path:
    """The campaigns, themes or guides that came with the program: in the wheel, or at the top of a checkout."""
    inside = PACKAGE / "_bundled" / kind
    return inside if inside.is_dir() else PACKAGE.parent / kind


def data_home() -> Path:
    """The user's own campaigns and crash reports."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "tabletop"


def config_home() -> Path:
    """The user's keys and themes."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "tabletop"


def is_campaign(folder: Path) -> bool:
    """Has it a campaign.toml that can be reached?"""
    return os.path.isfile(folder / MAIN)


def find_campaigns(*places: Path) -> list[Path]:
    """Campaigns in these folders, or right below them; each once."""
    found: dict[Path, Path] = {}
    for place in places:
        try:
            below = place.iterdir() if place.is_dir() else ()
            inside = [place, *sorted(p for p in below if p.is_dir() and not p.name.startswith("."))]
        except OSError:
            continue
        for folder in inside:
            if is_campaign(folder):
                found.setdefault(_real(folder), folder)
    return list(found.values())


def usual_places() -> list[Path]:
    """The working directory, its `campaigns` folder, and the user's own."""
    places = [data_home() / "campaigns"]
    with contextlib.suppress(OSError):  # the working directory may have been deleted meanwhile
        places = [Path.cwd(), Path.cwd() / "campaigns", *places]
    here, own = places[0], _real(bundled("campaigns"))
    # in a checkout of this program `campaigns` holds the samples: they are copied, never played in place
    checkout = here / "campaigns" if (here / PACKAGE.name / "storage").is_dir() else own
    return [p for p in places if _real(p) not in (own, _real(checkout))]


def _real(path: Path) -> Path:
    """A path without links; one that leads to itself stays as it is."""
    return Path(os.path.realpath(path))


REMEMBERED, MOST = "campaigns.txt", 50
"""Where the folders of campaigns stand that were played elsewhere, and how many of them."""


def remembered() -> list[Path]:
    """Campaigns that were played from folders of their own, the last one first."""
    try:
        lines = (data_home() / REMEMBERED).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    return [Path(line) for line in lines if line]


def remember(root: Path, disk: Disk) -> None:
    """Have Home find a campaign again from wherever it is opened; nothing is lost where that cannot be written."""
    root = _real(root)
    before = remembered()
    if root.parent == _real(data_home() / "campaigns") or before[:1] == [root] or "\n" in str(root):
        return
    kept = [str(root), *(str(path) for path in before if path != root)][:MOST]
    with contextlib.suppress(OSError, UnicodeEncodeError):
        private_folder(data_home())
        write_file(data_home() / REMEMBERED, "".join(f"{line}\n" for line in kept).encode(), disk)


def known_places() -> list[Path]:
    """Where campaigns are looked for: the usual places, and wherever one was played before."""
    return [*usual_places(), *remembered()]


FIRST = ("ember-road", "cinder-pass", "abbey-of-lynn", "fen-lanterns")
"""The samples in the order in which one gets to know the program; those of home-brew rules come after them."""


def demos() -> list[Path]:
    """The campaigns that came with the program; they are copied before they are played."""
    found = find_campaigns(bundled("campaigns"))
    return sorted(found, key=lambda p: (FIRST.index(p.name) if p.name in FIRST else len(FIRST), p.name))


def typed_path(word: str) -> Path:
    """A path as somebody typed it, with `~` for a home."""
    try:
        return Path(word).expanduser()
    except RuntimeError:
        raise TableError(f"{word.split('/')[0]!r} is not a user here", remedy="Write the path in full.") from None


def locate(word: str) -> Path:
    """A campaign by path, or by its folder's name in one of the usual places."""
    path = typed_path(word)
    with contextlib.suppress(OSError, ValueError):  # a name that is too long, or has a zero in it
        if path.is_dir():
            return path
    if "/" not in word and word not in ("", ".", ".."):
        for folder in find_campaigns(*usual_places()):
            if folder.name == word:
                return folder
        far = [folder for folder in find_campaigns(*remembered()) if folder.name == word]
        if len(far) > 1:
            places = ", ".join(map(str, far))
            raise TableError(f"several campaigns are called {word!r}", remedy=f"Write the path of one: {places}.")
        if far:
            return far[0]
    names = dict.fromkeys(p.name for p in find_campaigns(*known_places()))
    remedy = (
        f"Choose from: {', '.join(names)}." if names else "tabletop new makes one; tabletop demo copies a sample."
    )
    if word in [p.name for p in demos()]:
        remedy = f"It is a sample: tabletop demo {word} makes a copy to play."
    raise TableError(f"no campaign is called {word!r}", remedy=remedy)


def slug(title: str) -> str:
    """A folder's name from a title."""
    words = re.sub(r"[^\w]+", "-", clean(title).lower(), flags=re.UNICODE).strip("-_")
    return words[:60] or "campaign"


def copy_demo(source: Path, into: Path) -> Path:
    """A copy of a sample that may be played; an earlier copy is left alone and found again."""
    target = into / source.name
    return target if is_campaign(target) else _copy(source, into)


def _copy(source: Path, into: Path) -> Path:
    """A copy of a campaign that is its owner's alone; there is all of it or nothing."""
    target = into / source.name
    import shutil  # late: it brings every way to pack files with it

    with _whole(target) as part:
        # what a file may be read or written by is not copied: an installed sample is often read-only
        shutil.copytree(source, part, symlinks=True, copy_function=shutil.copyfile)
        for place, _, names in os.walk(part):
            os.chmod(place, PRIVATE_FOLDER)
            for name in names:
                os.chmod(os.path.join(place, name), PRIVATE)
    return target


@contextlib.contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """A folder beside another that takes its place at the end: there is all of it or nothing."""
    import shutil

    part = target.with_name(f".{target.name}.part")
    try:
        private_folder(target.parent)
        shutil.rmtree(part, ignore_errors=True)
        yield part
        part.rename(target)
    except OSError as error:
        raise refused(str(target), error) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


def bring_in(source: Path, into: Path) -> Path:
    """A campaign that somebody gave you, a folder or a packed file, among your own; it returns where it is now."""
    from ..safety.packing import unpack

    if not source.exists():
        raise TableError("there is no such file or folder", where=str(source), remedy="Write the path in full.")
    if source.is_file():
        return unpack(source, into)
    if not is_campaign(source):
        raise TableError(
            "this folder is not a campaign: it has no campaign.toml",
            where=str(source),
            remedy="Name the folder that campaign.toml is in.",
        )
    if (into / source.resolve().name).exists():
        raise TableError("there is one of that name already", where=str(into), remedy="Rename the folder first.")
    return _copy(source.resolve(), into)


def write_starter(files: dict[str, str], title: str, target: Path, *, people: bool = True) -> list[str]:
    """A new campaign from an engine's starter files, with the example people and scenes in them or without.

    Nothing that exists is overwritten.
    """
    if not people:
        main = without(without(files[MAIN].encode(), MAIN, ("clocks",)), MAIN, ("tracks",))
        files = {MAIN: main.decode()}
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise TableError("there is something already", where=str(target), remedy="Choose another name or folder.")
    quoted = clean(title).replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    with _whole(target) as part:
        for name, text in files.items():
            path = part / name
            if not path.resolve().is_relative_to(part.resolve()):
                raise TableError(f"the starter file {name!r} would leave the campaign's folder")
            private_folder(path.parent)
            write_file(path, brought_up(name, text.replace("{title}", quoted).encode(), STEPS), Disk(), sync=False)
        if engine := load(part).engine:
            write_schemas(part, engine)
    return list(files)


def only(folders: Sequence[Path]) -> Path | None:
    """The one campaign there is, if there is just one."""
    return folders[0] if len(folders) == 1 else None
