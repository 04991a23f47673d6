"""The dice: how they lie, what can still be done, how it came out; and dice that are being typed."""

from __future__ import annotations

from textual.content import Content

from ...rules import Hand, Line, Model, Outcome
from ..asking.host import Asked
from ..drawing.pools import Answer, answer_lines, boxed_lines, hand_lines, outcome_lines
from ..drawing.text import DIM, INK, flow, heading, line, told
from .doing import Doing, doing_lines, doing_rows, head_rows, lasting_lines, roll_lines, scene_lines
from .panel import Clicks, Panel

SPARE = 8
"""Rows for how it came out, before dice are drawn larger or what can be done or the scene is told again."""


class Typing(Model):
    """Real dice that are being typed."""

    why: str
    sides: tuple[int, ...]
    faces: tuple[int, ...]
    typing: str
    wrong: str


class Dice(Model):
    """The stage's part."""

    hands: tuple[Hand, ...] = ()
    asks: str = ""
    """What the prompt says, where the band cannot hold all of it."""
    answers: tuple[Answer, ...] = ()
    outcome: Outcome | None = None
    counts: bool = True
    """Does the outcome count already? Else it is how it comes out as the dice lie."""
    picked: tuple[int, ...] = ()
    cursor: int = -1
    typing: Typing | None = None
    lasting: tuple[Line, ...] = ()
    doing: Doing | None = None
    """What can be done, while no answer is waited for."""
    scene: Doing | None = None
    """Where we are, below all else where there is room."""
    yours: bool = True
    """Is the prompt for this seat to answer?"""


class Stage(Panel[Dice]):
    """The dice of a page."""

    asking: Asked | None = None
    """A form that is drawn in place of the dice."""

    DEFAULT_CSS = "Stage { height: 5; }"

    def lines(self, width: int) -> list[Content]:
        """The dice that fell and how they came out, then what is asked; or what can be done."""
        if self.asking is not None:
            return self.asking.lines(width, max(self.size.height, 1), self.spot)
        clicks = Clicks()
        out = self._dice(self.part or Dice(), width, clicks)
        for row, drawn in enumerate(out):
            if (press := clicks.press(drawn)) is not None:
                self.spot(row, press)
        return out

    def _dice(self, part: Dice, width: int, clicks: Clicks) -> list[Content]:
        if part.typing:
            return [heading("dice", width, active=True), *typing_lines(part.typing, width)]
        height = max(self.size.height, 1)
        asked = [
            clicks.on(drawn, answer.id)
            for drawn, answer in zip(answer_lines(part.answers, width), part.answers, strict=True)
        ]
        if part.asks:
            asked = [*told(part.asks, f"bold {INK}", width, 3), *asked]
        out: list[Content] = []
        if part.hands or part.outcome or not (part.doing or asked):
            title = "how it came out" if part.outcome and not part.hands else "dice"
            out = [heading(title, width, note="" if part.hands or part.outcome else "nothing rolled yet")]
            beside = len(asked) or (doing_rows(part.doing, width) if part.doing else 0)
            taken = beside + SPARE if part.doing or part.scene else _rows_beside(part, width)
            out += fallen_lines(part, width, height - taken)
        if part.outcome:
            above = head_rows(part.doing, width) if part.doing and not asked else 0
            out += outcome_lines(part.outcome, width, max(height - above - len(out) - len(asked), 1))
        if part.doing and not asked:
            lies = bool(part.outcome) or not part.doing.ways
            if lies:  # dice that were read give way to what whoever is up can do, then how it came out does
                came = outcome_lines(part.outcome, width, 3) if part.outcome else []
                return next(
                    found
                    for fell in (out, came, came[:1], [])
                    if (found := doing_lines(part.doing, width, height, fell, clicks)) or not fell
                )
            doing = doing_lines(part.doing, width, height, (), clicks)
            return doing if len(doing) + len(out) > height else [*doing, *out]
        if part.doing and part.doing.pools:
            out = [heading(f"{part.doing.who} acts", width), *roll_lines(part.doing, width, height - len(asked))]
        if asked:
            if part.outcome and len(out) + len(asked) > height:  # how it came out is read before dice and answers
                came = outcome_lines(part.outcome, width, 1)
                out = [*out[: max(height - len(asked) - len(came), 1)], *came]
            if height - len(out) > len(asked):
                choice = "your choice" if part.yours else "to be answered"
                title = choice if not part.outcome else "what now" if part.counts else "before it counts"
                out.append(heading(title, width, active=part.yours))
            # whoever must answer needs the answers; whoever looks on, the dice
            least = 1 + bool(part.outcome) if part.yours else min(len(out), height - 1)
            out = out[: max(height - len(asked), least)]
            if (more := len(out) + len(asked) - height) > 0:
                asked = [*asked[: -more - 1], line((f"   ▾ {more + 1} more", DIM))]
        out = [*out, *asked, *lasting_lines(part.lasting, width, height - len(out) - len(asked))]
        return [*out, *scene_lines(part.scene, width, height - len(out))] if part.scene else out


def fallen_lines(part: Dice, width: int, room: int) -> list[Content]:
    """The dice, in boxes where there is room for them."""
    boxed = boxed_lines(part.hands, set(part.picked), part.cursor, width) if room >= 3 * len(part.hands) else []
    return boxed or hand_lines(part.hands, set(part.picked), part.cursor, width)


def typing_lines(part: Typing, width: int) -> list[Content]:
    """The dice so far and the slots that are left, of which the last may find no room."""
    many = f"{len(part.sides)} to go  " if len(part.sides) > 1 else ""
    slots = []
    for i, side in enumerate(part.sides):
        text = f"{part.typing}_ of d{side}" if i == 0 else f"d{side}"
        style = f"bold underline {INK} on $bar" if i == 0 else f"{DIM} on $bar"
        slots.append(line((f" {text} ", style), (" ", "")))
    done = " ".join(map(str, part.faces))
    out = [line((" typed ", DIM), (done or "nothing yet", f"bold {INK}" if done else DIM))]
    if part.wrong:
        out.append(line((f" ✗ {part.wrong}", "$bad")))
    head = line((f" {part.why}  ", f"bold {INK}"), (many, DIM))
    if not slots or head.cell_length + slots[0].cell_length <= width:
        return [*out, *flow(slots, width, head)]
    # the die that is typed next stands whole, whatever is said of it
    return [*out, *told(f"{part.why}  {many}".rstrip(), f"bold {INK}", width), *flow(slots, width, Content(" "), 1)]


def dice_rows(part: Dice, width: int, room: int = 0) -> int:
    """How many rows the dice need, with how it came out and what is asked; larger dice where they have room."""
    if part.typing:
        return max(1 + len(typing_lines(part.typing, width)), 6)
    beside = _rows_beside(part, width)
    return beside + len(fallen_lines(part, width, room - beside))


def _rows_beside(part: Dice, width: int) -> int:
    """Those of its titles, of how it came out and of what is asked."""
    asked = 1 + len(part.answers) + (len(told(part.asks, INK, width, 3)) if part.asks else 0) if part.answers else 0
    return 1 + (len(outcome_lines(part.outcome, width)) if part.outcome else 0) + asked
