from __future__ import annotations

from typing import Any

import pytest

from trilho.errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    IdempotencyError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    error_class,
)


def made(status: int, body: object) -> ApiError:
    return error_class(status)(
        status=status, body=body, request_id="req-1", retry_after_seconds=None, idempotency_key="k"
    )


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (302, InvalidRequestError),
        (400, InvalidRequestError),
        (401, AuthenticationError),
        (403, PermissionDeniedError),
        (404, NotFoundError),
        (409, ConflictError),
        (413, InvalidRequestError),
        (415, InvalidRequestError),
        (422, IdempotencyError),
        (429, RateLimitError),
        (500, ServerError),
        (503, ServerError),
    ],
)
def test_an_answer_has_an_error_of_the_class_of_its_status(
    status: int, expected: type[ApiError]
) -> None:
    error = made(status, {})
    assert type(error) is expected
    assert (error.status, error.request_id, error.idempotency_key) == (status, "req-1", "k")


def test_an_error_has_what_the_api_says_of_both_families_of_bodies() -> None:
    details = [{"field": "pixKey", "message": "Envie a chave.", "code": "empty"}]
    body = {"error": "Entrada inválida", "message": "Corrija.", "code": "invalid_input"}
    ordinary = made(400, {**body, "details": details})
    assert (str(ordinary), ordinary.code) == ("Entrada inválida: Corrija.", "invalid_input")
    (detail,) = ordinary.details
    assert (detail.field, detail.code, ordinary.warnings) == ("pixKey", "empty", [])
    assert ordinary.body == {**body, "details": details}
    crypto = made(400, {"message": "Saldo insuficiente", "code": "insufficient_funds"})
    assert (str(crypto), crypto.details) == ("Saldo insuficiente", [])


@pytest.mark.parametrize("name", ["paused_until", "usable_from", "kyc_status", "transaction_id"])
def test_an_error_has_its_further_members_and_none_without_them(name: str) -> None:
    assert getattr(made(403, {name: "x"}), name) == "x"
    assert getattr(made(403, {}), name) is None


@pytest.mark.parametrize("body", [None, "text", [], {"code": 7, "details": "x", "warnings": [1]}])
def test_a_body_that_is_not_the_apis_has_no_code(body: Any) -> None:
    error = made(502, body)
    assert str(error) == "The address answered 502, without an error of the API."
    assert (error.code, error.details, error.warnings) == (None, [], [])
