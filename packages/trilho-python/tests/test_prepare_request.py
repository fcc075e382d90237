from __future__ import annotations

from datetime import date
from decimal import Decimal
from uuid import UUID

import pytest

from trilho._prepare_request import RequestInput, prepare_request

BASE = "https://pay.example.com"
EVENT = "GET /events/{eventId}"
ID = "01a1f8f3-e895-7c3a-9d41-5b6e7f8091a2"


def test_a_body_has_its_amount_as_it_was_given() -> None:
    body = {"amount": Decimal("131072.01"), "description": "São José"}
    request = prepare_request(BASE, "POST /payments/transactions", RequestInput(body=body), "k")
    assert (request.method, request.url) == ("POST", f"{BASE}/payments/transactions")
    assert request.content == '{"amount":131072.01,"description":"São José"}'.encode()
    assert request.headers == {
        "accept": "application/json",
        "user-agent": request.headers["user-agent"],
        "content-type": "application/json",
        "idempotency-key": "k",
    }


def test_a_query_has_lists_separated_by_commas_and_nothing_for_what_is_not_given() -> None:
    query = {
        "type": ["pix_in", "pix_out"],
        "limit": 5,
        "text": "João & Cia",
        "from": date(2026, 11, 1),
        "min_amount": Decimal("10.50"),
        "cursor": None,
    }
    request = prepare_request(BASE, "GET /payments/transactions", RequestInput(query=query), None)
    assert request.url.partition("?")[2] == (
        "type=pix_in%2Cpix_out&limit=5&text=Jo%C3%A3o+%26+Cia&from=2026-11-01&min_amount=10.50"
    )
    assert request.content is None
    assert "idempotency-key" not in request.headers


@pytest.mark.parametrize("event_id", [ID, UUID(ID), "evt_1"])
def test_an_id_stands_in_the_path(event_id: str | UUID) -> None:
    given = RequestInput(ids=[event_id])
    assert prepare_request(BASE, EVENT, given, None).url == f"{BASE}/events/{event_id}"


@pytest.mark.parametrize("event_id", ["", "..", "a/b", "a?b", " x", "x\n", None, 7])
def test_no_address_is_made_of_what_is_no_id(event_id: str) -> None:
    with pytest.raises(ValueError, match="eventId is not an id"):
        prepare_request(BASE, EVENT, RequestInput(ids=[event_id]), None)


def test_a_path_without_its_id_is_rejected() -> None:
    with pytest.raises(ValueError, match="eventId is not an id"):
        prepare_request(BASE, EVENT, RequestInput(), None)


@pytest.mark.parametrize("key", ["", "com espaço", "ação", "x" * 256, "a\nb", "a\n", 7])
def test_a_key_that_is_none_is_rejected(key: str) -> None:
    with pytest.raises(ValueError, match="visible ASCII"):
        prepare_request(BASE, "POST /payments/transactions", RequestInput(), key)
