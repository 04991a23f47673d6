"""What actions of several games have in common: where they are offered, and whom they are done to."""

from ..rules import Action


class ToSomebody(Action):
    """Done at the table to whoever is named in the field `who`."""

    screens = ("table",)
    done_to = "who"
