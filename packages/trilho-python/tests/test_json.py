from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from types import MappingProxyType
from typing import Any
from uuid import UUID

import pytest

from trilho._json import decode_json, encode_json

ID = UUID("01a1f8f3-e895-7c3a-9d41-5b6e7f8091a2")


class TestDecode:
    @pytest.mark.parametrize("text", ["131072.01", "0.1", "1e-8", "999999.99", "-0.30"])
    def test_a_fraction_is_exactly_what_its_text_says(self, text: str) -> None:
        assert decode_json(f'{{"amount": {text}}}') == {"amount": Decimal(text)}

    def test_sums_of_amounts_are_exact(self) -> None:
        amounts: Any = decode_json("[0.1, 0.2, 131072.01]")
        assert sum(amounts) == Decimal("131072.31")

    @pytest.mark.parametrize("text", ["", "{", "NaN", "[Infinity]", "-Infinity", "[" * 200_000])
    def test_what_is_no_json_is_rejected(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"JSON|Expecting|property name"):
            decode_json(text)

    @pytest.mark.parametrize("text", [f"1e{'9' * 30}", f"1.5E-{'9' * 30}"])
    def test_a_number_that_no_decimal_can_hold_is_rejected(self, text: str) -> None:
        with pytest.raises(ValueError, match="is no number"):
            decode_json(text)


class TestEncode:
    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (Decimal("131072.01"), "131072.01"),
            (Decimal("10.50"), "10.50"),
            (Decimal("1E-8"), "0.00000001"),
            (Decimal("1E+3"), "1000"),
            (150.75, "150.75"),
            (131072.01, "131072.01"),
            (10, "10"),
            (True, "true"),
            (None, "null"),
            ('São "José"\n', '"São \\"José\\"\\n"'),
            (ID, f'"{ID}"'),
            (date(2026, 11, 24), '"2026-11-24"'),
            (datetime(2026, 11, 24, 12, tzinfo=UTC), '"2026-11-24T12:00:00+00:00"'),
            (
                datetime(2026, 11, 24, 9, tzinfo=timezone(-timedelta(hours=3))),
                '"2026-11-24T09:00:00-03:00"',
            ),
            ([], "[]"),
            ((1, [Decimal("0.01")]), "[1,[0.01]]"),
            (MappingProxyType({"a": {"b": 1}, "c": []}), '{"a":{"b":1},"c":[]}'),
        ],
    )
    def test_a_value_is_written_exactly(self, value: object, text: str) -> None:
        assert encode_json(value) == text
        json.loads(text)

    @pytest.mark.parametrize(
        "value", [float("nan"), float("-inf"), Decimal("NaN"), Decimal("Infinity")]
    )
    def test_what_json_has_no_number_for_is_rejected_with_its_field(
        self, value: float | Decimal
    ) -> None:
        with pytest.raises(ValueError, match="splitAmount is"):
            encode_json({"amount": 10, "parts": [{"splitAmount": value}]})

    @pytest.mark.parametrize("value", [object(), {1, 2}, b"bytes", {1: "x"}, 1j])
    def test_what_is_no_json_is_rejected(self, value: object) -> None:
        with pytest.raises(TypeError):
            encode_json({"field": value})

    def test_a_time_without_a_zone_is_rejected(self) -> None:
        naive: Mapping[str, object] = {"scheduledFor": datetime(2026, 11, 24)}  # noqa: DTZ001
        with pytest.raises(ValueError, match="scheduledFor has no time zone"):
            encode_json(naive)
