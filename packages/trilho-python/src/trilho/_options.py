"""The options of a call, and what it reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypedDict

from ._generated.models import Warning  # noqa: A004 - the API's name


class CallOptions(TypedDict, total=False):
    """How one call differs from what the client was made with."""

    timeout_seconds: float | None
    """
    How long one try may take: each wait for the network is cut there, and an answer that is not
    complete by then is none.
    """
    total_timeout_seconds: float | None
    """How long the call may take with all its retries and the waits between them."""
    max_retries: int | None
    """How often a failed try is repeated; 0 for never."""


class PostOptions(CallOptions, total=False):
    """Those of a POST."""

    idempotency_key: str | None
    """
    1 to 255 visible ASCII characters: the number of your order, for example. The same key with the
    same request executes once, for 30 days. Without one each call gets a random UUID.
    """


@dataclass(frozen=True)
class AnswerInfo:
    """What `on_answer` gets of every successful call."""

    #: The method and path, as in the document: `POST /payments/transactions`.
    operation: str
    status: int
    #: `x-request-id`, which support asks for.
    request_id: str | None
    idempotency_key: str | None
    #: Whether the answer is that of an earlier request under the same key.
    is_replayed: bool
    #: Fields that were sent and that the operation does not have: usually a misspelt name.
    warnings: list[Warning]
    #: How often the request was sent.
    attempts: int


OnAnswer = Callable[[AnswerInfo], object]
