"""A bare Textual app with the layout of the table page, filled with plain text: `python -m benchmarks.bare`.

On a key it does what a plain app does: `x` refreshes the panel on the left, `p` shows another page, `f` refreshes the
panel in the middle, `a` all of them.
"""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.events import Key
from textual.widget import Widget


class Panel(Widget):
    """Lines of text."""

    DEFAULT_CSS = "Panel { height: 1fr; }"
    n = 0

    def render(self) -> Content:
        """As many as there is room for."""
        width, height = self.size
        rows = [Content.assemble((f"READY {self.n} line {i} ", "bold"), "x" * (width - 20)) for i in range(height)]
        return Content("\n").join(rows)


class Bare(App[None]):
    """Nothing but panels."""

    CSS = """
    #top, #meters, #bar, #foot { height: 1; }
    #page { height: 19; }
    #roster { width: 35; }
    #stage { height: 12; }
    """

    def compose(self) -> ComposeResult:
        """As the table page has them."""
        yield Panel(id="top")
        yield Panel(id="meters")
        with Container(id="body"):
            with Container(id="page"), Horizontal():
                yield Panel(id="roster")
                with Vertical():
                    yield Panel(id="stage")
                    yield Panel()
            yield Panel()
            for n in range(12):  # pages that wait out of sight
                hidden = Panel(id=f"hidden-{n}")
                hidden.display = False
                yield hidden
        yield Panel(id="bar")
        yield Panel(id="foot")

    def on_key(self, event: Key) -> None:
        """What the docstring above says."""
        if event.key == "p":
            page, other = self.query_one("#page"), self.query_one("#hidden-0")
            page.display, other.display = not page.display, page.display
            return
        wanted = {"f": "#stage", "a": "Panel"}.get(event.key, "#roster")
        for panel in self.query(wanted).results(Panel):
            panel.n += 1
            panel.refresh()


if __name__ == "__main__":
    Bare().run()
