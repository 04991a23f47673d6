"""The one family of errors: what happened, where, and what to do next."""


class TableError(Exception):
    """A problem written for the GM at the table; the front ends print it as it is."""

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what, where, remedy)
        self.what = what
        """What happened, in one sentence without its full stop."""
        self.where = where
        """The file, the line, the entry or the field; empty where there is none."""
        self.remedy = remedy
        """What to do next."""

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}. {self.remedy}" if self.remedy else f"{head}."


class Refused(TableError):
    """The rules, or the state of the table, do not allow this action now. Nothing was changed."""
