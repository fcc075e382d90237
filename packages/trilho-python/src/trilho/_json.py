"""JSON with exact numbers: a fraction is read as the Decimal that its text says."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from uuid import UUID


def decode_json(text: str) -> object:
    """The value of a JSON text. Raises ValueError where it is none."""
    try:
        return json.loads(text, parse_float=_decimal, parse_constant=_reject_constant)
    except RecursionError as error:
        raise ValueError("The JSON is nested too deeply.") from error


def encode_json(value: object) -> str:
    """
    The JSON text of a value. A Decimal is written with all its digits, a date in ISO 8601. Raises
    ValueError for a number that JSON has no text for and for a time without a time zone, TypeError
    for what is no JSON.
    """
    return "".join(_parts(value, "The body"))


def encode_text(value: object, name: str) -> str:
    """A single value as it stands in a query, where lists are separated by commas."""
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return ",".join(encode_text(item, name) for item in value)
    if isinstance(value, date | UUID):
        return _iso(value, name)
    return "".join(_parts(value, name))


def _parts(value: object, name: str) -> list[str]:
    match value:
        case None | bool() | str():
            return [json.dumps(value, ensure_ascii=False)]
        case int():
            return [int.__repr__(value)]
        case float() | Decimal():
            return [_number(value, name)]
        case date() | UUID():
            return [json.dumps(_iso(value, name))]
        case Mapping():
            return ["{", *_joined([_member(key, item) for key, item in value.items()]), "}"]
        case Sequence() if not isinstance(value, bytes | bytearray | memoryview):
            return ["[", *_joined([_parts(item, name) for item in value]), "]"]
        case _:
            raise TypeError(f"{name} is of type {type(value).__name__}, which JSON does not have.")


def _member(key: object, value: object) -> list[str]:
    if not isinstance(key, str):
        raise TypeError(f"A field's name is text, not of type {type(key).__name__}.")
    return [json.dumps(key, ensure_ascii=False), ":", *_parts(value, key)]


def _joined(groups: list[list[str]]) -> list[str]:
    return [part for at, group in enumerate(groups) for part in ([","] if at else []) + group]


def _number(value: float | Decimal, name: str) -> str:
    """JSON would have null in the place of a NaN, and a part that is null is no part."""
    if not (value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)):
        raise ValueError(f"{name} is {value}, not a number.")
    return format(value, "f") if isinstance(value, Decimal) else float.__repr__(value)


def _iso(value: date | UUID, name: str) -> str:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime) and value.tzinfo is None:
        raise ValueError(f"{name} has no time zone: the service would not know which moment it is.")
    return value.isoformat()


def _decimal(text: str) -> Decimal:
    """Its own error for an exponent that it can't hold is no ValueError."""
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise ValueError(f"{text[:40]} is no number.") from error


def _reject_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON.")
