"""What a player may do at the table: at once, by asking the GM, or not at all.

Everything here follows from the world as the player knows it. The real world has one vote and no words: where it
disagrees, the player hears that the GM is needed, and nothing of why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import replace

from ..plugins import EngineFault, Guarded
from ..rules import ANYBODY, Action, Choice, Field, Model, Offer, Refused, fields, suggest, tag_of, values
from ..rules.ask import check_field
from ..rules.views import Bid, ChallengeView, ContestView, Matrix, Option, Party

Players = Literal["act", "propose", "look"]
"""What players do from their seats: act for their own characters, ask for everything, or look on."""
PLAYERS: tuple[Players, ...] = get_args(Players)

SPECTATOR = "*"
"""The seat of somebody who plays nobody: they look on."""

NEEDS_GM = "this needs the GM just now"
THE_GMS = "the GM's"


class Standing(Model):
    """What an action is to a seat."""

    how: Literal["do", "ask", "no"]
    why: str = ""
    """Whose it is, where it is not the seat's own."""


class Rights:
    """What one seat may do, in a world as it knows it."""

    def __init__(self, engine: Guarded, seat: str, players: Players, seen: Any) -> None:
        self.engine, self.seat, self.players, self.seen = engine, seat, players, seen

    @property
    def looks_on(self) -> bool:
        """Does nobody do anything from this seat?"""
        return self.seat == SPECTATOR or self.players == "look"

    def owns(self, who: str) -> bool:
        """Is somebody this seat's own character?"""
        sheet = self.seen.sheets.get(who)
        return bool(sheet) and self.seat not in ("", SPECTATOR) and sheet.player == self.seat

    def characters(self) -> list[str]:
        """Everybody whom this seat plays."""
        return [who for who in self.seen.sheets if self.owns(who)]

    def _by_own(self, option: Option) -> Option:
        """An option that anybody could take, as that of the first of this seat's own characters who can."""
        kind, said = type(option.action), values(option.action)
        field = next((f for f in fields(kind) if f.name == kind.done_by and f.required), None)
        if field is None or said[field.name]:
            return option
        given = {name: value for name, value in said.items() if value not in ("", ())}
        free = [choice.value for choice in self.choices(kind, field, given) if not choice.closed]
        return replace(option, action=replace(option.action, **{field.name: free[0]})) if free else option

    def standing(self, kind: type[Action], answers: Mapping[str, Any]) -> Standing:
        """What an action is to this seat, with all that it answers."""
        if self.seat == SPECTATOR:
            return Standing("no", "a spectator looks on")
        if self.players == "look":
            return Standing("no", "players look on at this table")
        actor = self.engine.actor(kind, self.seen, answers)
        if actor == ANYBODY:
            return Standing("do")
        if not actor:
            return Standing("no", THE_GMS)
        if not self.owns(actor):
            sheet = self.seen.sheets.get(actor)
            return Standing("no", f"{sheet.name}'s" if sheet and sheet.player else THE_GMS)
        asks = (
            kind.asks or self.players == "propose" or any(not self.answers(field, answers) for field in fields(kind))
        )
        return Standing("ask" if asks else "do")

    def answers(self, field: Field, answers: Mapping[str, Any]) -> bool:
        """Is a field of an action for this seat to answer, given the ones before it?"""
        if field.of is None:
            return True
        if field.of.free and answers.get(field.name, field.default) == field.default:
            return True
        owner: str = self.engine.call("of", lambda: field.of.owner(self.seen, answers))
        return self.owns(owner)

    def choices(self, kind: type[Action], field: Field, so_far: Mapping[str, Any]) -> Sequence[Choice]:
        """The answers to one field, as this seat knows them; of those who could do it only its own characters."""
        if field.of is not None and not field.of.free and not self.answers(field, so_far):
            return ()
        found = self.engine.choices(kind, field, self.seen, so_far)
        if field.name == kind.done_by:
            found = [c for c in found if self.owns(str(c.value))]
        return found

    def offers(self) -> list[Offer]:
        """Every action with what it is to this seat, and why it cannot be done now."""
        return [self._offer(offer) for offer in self.engine.offers(self.seen)]

    def _offer(self, offer: Offer) -> Offer:
        try:
            return self._stands(offer)
        except EngineFault as fault:
            return replace(offer, closed=fault.what)

    def _stands(self, offer: Offer) -> Offer:
        kind: type[Action] = offer.kind
        field = next((f for f in fields(kind) if f.name == kind.done_by), None)
        if field is None:
            standing = self._without_field(kind)
            return replace(offer, how=standing.how, closed=offer.closed or standing.why)
        mine = self.characters()
        standing = self.standing(kind, {field.name: mine[0]} if mine else {})
        if standing.how == "no" or offer.closed or not field.required:
            return replace(offer, how=standing.how, closed=offer.closed or standing.why)
        found = self.choices(kind, field, {})
        closed = "" if any(not c.closed for c in found) else next((c.closed for c in found), "not yours just now")
        return replace(offer, how=standing.how, closed=closed)

    def _without_field(self, kind: type[Action]) -> Standing:
        """What an action is that no field names the doer of: as it stands, or with an answer that makes it theirs."""
        standing = self.standing(kind, {})
        first = next(iter(fields(kind)), None)
        if standing.how != "no" or first is None or first.ask is None or self.engine.when(kind, self.seen):
            return standing
        found = [c.value for c in self.engine.choices(kind, first, self.seen, {}) if not c.closed]
        answered = (self.standing(kind, {first.name: value}) for value in found)
        return next((one for one in answered if one.how != "no"), standing)

    def check_asked(self, kind: type[Action], answers: Mapping[str, Any]) -> None:
        """Refuse what could not even be asked for, in the words of the world that this seat knows."""
        if why := self.engine.when(kind, self.seen):
            raise Refused(f"{tag_of(kind)} cannot be done now: {why}")
        so_far: dict[str, Any] = {}
        for static in fields(kind):
            field = self.engine.shaped(kind, static, self.seen, so_far)
            if field is None:
                continue
            if field.of is not None and not field.of.free and not self.answers(field, answers):
                if field.name in answers:
                    raise Refused(f"{field.label} is not for you to say", remedy=f"Leave {field.name} out.")
                continue
            if field.name not in answers:
                if field.required:
                    raise Refused(f"{tag_of(kind)} needs {field.name}", remedy=f"Add {field.name}=…")
                so_far[field.name] = field.default
                continue
            value = so_far[field.name] = answers[field.name]
            work = partial(check_field, field, value, self.seen, dict(so_far), names=True)
            self.engine.call(f"{tag_of(kind)}'s choices", work, passes=(Refused,))

    def words(self, kind: type[Action], answers: Mapping[str, Any]) -> str:
        """What is asked for, in a line."""
        out, so_far = dict[str, str](), dict[str, Any]()
        for field in fields(kind):
            if field.name not in answers:
                continue
            value = answers[field.name]
            if field.required or value != field.default:
                labels = {c.value: c.words for c in self.engine.choices(kind, field, self.seen, so_far)}
                some = value if isinstance(value, tuple | list) else (value,)
                told = ", ".join(str(labels.get(one, one)) for one in some)
                if field.bare is bool:
                    told = field.label if value else f"no {field.label}"
                out[field.name] = f"{field.label} {told}" if field.kind == "number" else told
            so_far[field.name] = value
        first = {name: out.get(name, "") for name in (kind.done_by, kind.done_to)}  # who and whom, then how
        return " · ".join(part for part in (kind.title or tag_of(kind), *(first | out).values()) if part)

    def close_options(self, view: Any) -> Any:
        """A view with its options closed where they are somebody else's, and marked where the seat has to ask."""
        if isinstance(view, tuple):
            return tuple(self.close_options(one) for one in view)
        if isinstance(view, Option):
            try:
                view = self._by_own(view)
                standing = self.standing(type(view.action), values(view.action))
            except EngineFault as fault:
                standing = Standing("no", fault.what)
            if standing.how == "no":
                return replace(view, closed=view.closed or standing.why)
            return replace(view, asks=standing.how == "ask")
        if isinstance(view, Bid) and view.remove is not None:
            theirs = self.standing(type(view.remove), values(view.remove)).how == "no"
            return replace(view, remove=None) if theirs else view
        if not isinstance(view, msgspec.Struct) or isinstance(view, Action):
            return view
        changes = {
            name: new
            for name in view.__struct_fields__
            if (new := self.close_options(old := getattr(view, name))) is not old
        }
        if isinstance(view, ChallengeView) and "leads" in changes:  # what is theirs comes first
            changes["leads"] = tuple(sorted(changes["leads"], key=lambda option: bool(option.closed)))
        if isinstance(view, Party) and "adds" in changes:
            changes["adds"] = tuple(sorted(changes["adds"], key=lambda option: bool(option.closed)))
        if isinstance(view, Matrix) and "rows" in changes:
            changes["rows"] = tuple(sorted(changes["rows"], key=lambda row: all(cell.closed for cell in row.cells)))
        if isinstance(view, ChallengeView | ContestView) and view.roll is not None and not view.roll_closed:
            standing = self.standing(type(view.roll), values(view.roll))
            changes |= {"roll_closed": standing.why} if standing.how == "no" else {}
        return replace(view, **changes) if changes else view


def completed(engine: Guarded, kind: type[Action], world: Any, answers: Mapping[str, Any]) -> Action:
    """An action with the fields that were left open answered as its form would propose: the first open choice."""
    so_far: dict[str, Any] = {}
    for static in fields(kind):
        shaped = engine.shaped(kind, static, world, so_far)
        field = shaped or static
        if field.name in answers:
            so_far[field.name] = answers[field.name]
        elif shaped is None:
            so_far[field.name] = field.default  # it is not asked here
        elif field.required or (field.ask is not None and field.ask.first):
            free = [c.value for c in engine.choices(kind, field, world, so_far) if not c.closed]
            if not free and field.required:
                raise Refused(f"{field.label} is for you to say", remedy="Look at it and fill it in.")
            so_far[field.name] = free[0] if free else field.default
        else:
            so_far[field.name] = field.default
    return read_back(kind, so_far)


def read_fields(kind: type[Action], answers: Mapping[str, Any]) -> dict[str, Any]:
    """Some fields of an action, each of its own type."""
    known = {field.name: field for field in fields(kind)}
    if strange := next((name for name in answers if name not in known), ""):
        raise Refused(f"{tag_of(kind)} has no field {strange!r}", remedy=suggest(strange, [Choice(n) for n in known]))
    try:
        return {name: msgspec.convert(value, known[name].bare) for name, value in answers.items()}
    except msgspec.ValidationError as error:
        raise Refused(f"{tag_of(kind)} does not fit: {error}") from None


def read_back(kind: type[Action], answers: Mapping[str, Any]) -> Action:
    """An action from its fields as plain data."""
    try:
        return msgspec.convert(dict(answers), kind, str_keys=True)
    except msgspec.ValidationError as error:
        raise Refused(f"{tag_of(kind)} does not fit: {error}") from None
