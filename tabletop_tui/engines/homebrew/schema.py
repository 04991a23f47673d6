"""What an editor should know of a campaign's own game: its stats, meters, conditions, rolls and options by name."""

from __future__ import annotations

from typing import Any

from .game import HomebrewRules, StatGroup

Schemas = dict[str, dict[str, Any]]
AMOUNT = {"type": ["integer", "string"]}
EFFECTS = ("does", "costs", "full", "empty", "failed", "won", "lost", "turn", "round", "scene", "session")
"""Keys under which effects stand."""


def narrowed(schemas: Schemas, rules: HomebrewRules) -> Schemas:
    """The schemas with the names of the game in them."""
    _sheet(schemas["sheet"], rules)
    _campaign(schemas["campaign"], rules)
    _scene(schemas["scene"], rules)
    return schemas


def _closed(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False, **more}


def _one_of(names: Any) -> dict[str, Any]:
    return {"enum": list(names)}


def _sheet(schema: dict[str, Any], rules: HomebrewRules) -> None:
    groups = {name: _group(rule) for name, rule in rules.stats.items() if not (rule.worked and not rule.names)}
    schema["properties"]["stats"] = {**_closed(groups), "description": "By group, then by name."}


def _group(rule: StatGroup) -> dict[str, Any]:
    value: dict[str, Any] = {"type": "string"}
    if rule.holds == "number":
        value = {"type": "integer", "minimum": rule.least, "maximum": rule.most}
    about = {"description": rule.about or rule.title} if rule.about or rule.title else {}
    if rule.names:
        return {**_closed(dict.fromkeys(rule.names, value)), **about}
    return {"type": "object", "additionalProperties": value, **about}


def _campaign(schema: dict[str, Any], rules: HomebrewRules) -> None:
    conditions = _one_of(rules.lasting)
    effects: dict[str, Any] = dict.fromkeys((*rules.shared, "clock", "timer"), AMOUNT)
    for owner in ("", "their ", "lead ", "all "):
        effects |= {f"{owner}{name}": AMOUNT for name in rules.meters}
        effects |= {f"{owner}condition": conditions, f"{owner}cure": conditions}
    asked = [name for name, option in rules.options.items() if option.offered == "asked"]
    effects |= {"initiative": _one_of(["passes"]), "ask": {"type": "array", "items": _one_of(asked)}}
    for record in [schema, *schema.get("$defs", {}).values()]:
        fields = record.get("properties", {})
        for key in EFFECTS:
            if fields.get(key, {}).get("type") == "object" and "additionalProperties" in fields[key]:
                about = {k: v for k, v in fields[key].items() if k == "description"}
                fields[key] = {**about, **_closed(effects, patternProperties={"^clock .": AMOUNT})}
        if fields.get("for", {}).get("type") == "array":
            fields["for"]["items"] = _one_of(rules.rolls)
        if "roll" in fields and rules.rolls:
            about = {k: v for k, v in fields["roll"].items() if k == "description"}
            fields["roll"] = {**about, **_one_of([*rules.rolls, ""])}


def _scene(schema: dict[str, Any], rules: HomebrewRules) -> None:
    records = schema.get("$defs", {})
    for record, field, names in (("Plan", "challenge", rules.challenges), ("Bout", "contest", rules.contests)):
        if record in records and names:
            fields = records[record]["properties"]
            about = {k: v for k, v in fields[field].items() if k == "description"}
            fields[field] = {**about, **_one_of(names)}
