from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Literal

from trilho._json import decode_json
from trilho._model import Model


class Part(Model):
    amount: Decimal
    at: datetime | None


class Whole(Model):
    status: Literal["pending", "paid"] | str
    parts: list[Part]
    api_key: str | None
    pix_key: str


WHOLE = '{"status": "paid", "parts": [{"amount": 131072.01, "at": "2026-11-24T12:00:00.000Z"}], '
KEYS = '"api_key": "tr_live_secret", "pix_key": "a@example.com"'


def read(text: str) -> Whole:
    return Whole.model_validate(decode_json(text))


def test_an_answer_has_exact_amounts_and_times() -> None:
    (part,) = read(f"{WHOLE}{KEYS}}}").parts
    assert part == Part(amount=Decimal("131072.01"), at=datetime(2026, 11, 24, 12, tzinfo=UTC))


def test_members_and_values_that_are_newer_than_the_library_pass() -> None:
    whole = read(f'{WHOLE}{KEYS}, "newer": {{"fee": 0.1}}}}'.replace('"paid"', '"netted"'))
    assert whole.status == "netted"
    assert whole.model_extra == {"newer": {"fee": Decimal("0.1")}}


def test_a_value_that_is_not_of_its_type_passes_as_it_came_beside_the_others() -> None:
    whole = read(f"{WHOLE.replace('131072.01', '[]')}{KEYS}}}".replace('"a@example.com"', "7"))
    assert vars(whole)["pix_key"] == 7
    assert whole.status == "paid"
    (part,) = whole.parts
    assert vars(part) == {"amount": [], "at": datetime(2026, 11, 24, 12, tzinfo=UTC)}


def test_a_missing_member_does_not_hide_the_others() -> None:
    whole = read(f"{WHOLE}{KEYS.partition(', ')[0]}}}")
    assert (whole.status, whole.parts[0].amount) == ("paid", Decimal("131072.01"))
    assert not hasattr(whole, "pix_key")
    assert "131072.01" in repr(whole)


def test_secrets_are_not_printed_known_or_newer() -> None:
    whole = read(f'{WHOLE}{KEYS}, "webhook_secret": "whsec_secret"}}')
    assert (whole.api_key, whole.model_extra) == (
        "tr_live_secret",
        {"webhook_secret": "whsec_secret"},
    )
    for text in (repr(whole), str(whole), repr([whole])):
        assert "_secret'" not in text
        assert "a@example.com" in text
