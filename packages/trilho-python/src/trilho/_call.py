"""
The rules of a call, without any input or output: which try follows which, after what wait, and how
it ends. The synchronous and the asynchronous client do what it asks for.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._attempt import Failure, RawAnswer, Success, judge
from ._generated.models import Warning  # noqa: A004 - the API's name
from ._model import read_list
from ._options import AnswerInfo, OnAnswer
from ._retry_delay import retry_delay
from .errors import OutcomeUnknownError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ._limits import Limits
    from ._prepare_request import PreparedRequest


@dataclass(frozen=True)
class Try:
    """Send the request, with at most so long for its answer; give the answer, or the error."""

    timeout_seconds: float


@dataclass(frozen=True)
class Wait:
    """Wait before the next try."""

    seconds: float


@dataclass(frozen=True)
class Surroundings:
    """What a call needs besides the network: the clocks, and chance."""

    #: Seconds of a clock that is never set back.
    monotonic: Callable[[], float]
    #: Seconds since 1970.
    time: Callable[[], float]
    #: From 0 to 1.
    random: Callable[[], float]
    on_answer: OnAnswer | None


def steps(
    surroundings: Surroundings, limits: Limits, request: PreparedRequest
) -> Generator[Try | Wait, RawAnswer | Exception | None, dict[str, Any]]:
    """
    Yields what is to be done next; is sent what came of a Try, and returns the body of the answer.
    Raises ApiError, ApiConnectionError, OutcomeUnknownError.
    """
    deadline = surroundings.monotonic() + limits.total_timeout_seconds
    may_have_happened = False
    attempt = 0
    while True:
        attempt += 1
        outcome = yield Try(min(limits.timeout_seconds, deadline - surroundings.monotonic()))
        if outcome is None:
            raise RuntimeError("A try gives an answer or an error.")
        tried = judge(outcome, request.key, surroundings.time())
        if isinstance(tried, Success):
            _report(surroundings.on_answer, _info(request, tried, attempt))
            return tried.body
        may_have_happened = may_have_happened or tried.may_have_happened
        end = _end(tried, request.key, may_have_happened=may_have_happened)
        delay = retry_delay(attempt - 1, tried.retry_after_seconds, surroundings.random())
        is_late = surroundings.monotonic() + delay >= deadline
        if not tried.is_retryable or attempt > limits.max_retries or is_late:
            raise end
        yield Wait(delay)
        # A machine that sleeps wakes up late.
        if surroundings.monotonic() >= deadline:
            raise end


def _end(failure: Failure, key: str | None, *, may_have_happened: bool) -> Exception:
    if failure.is_final or key is None or not may_have_happened:
        return failure.error
    return OutcomeUnknownError(key, failure.error)


def _report(on_answer: OnAnswer | None, info: AnswerInfo) -> None:
    """A success stays one: the money has moved, and an error would look as if it had not."""
    if on_answer is not None:
        with contextlib.suppress(Exception):
            on_answer(info)


def _info(request: PreparedRequest, success: Success, attempts: int) -> AnswerInfo:
    return AnswerInfo(
        operation=request.operation,
        status=success.status,
        request_id=success.headers.get("x-request-id"),
        idempotency_key=request.key,
        is_replayed=success.headers.get("idempotent-replayed") == "true",
        warnings=read_list(Warning, success.body.get("warnings")),
        attempts=attempts,
    )
