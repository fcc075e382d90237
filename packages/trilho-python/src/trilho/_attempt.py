"""What one try came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx

from ._json import decode_json
from ._retry_delay import is_retryable, parse_retry_after
from .errors import ApiConnectionError, ApiError, error_class

if TYPE_CHECKING:
    from collections.abc import Mapping

_FAILURES = 500
#: The service says these before it looks at the key, so nothing about what the key has done.
_BEFORE_THE_KEY = frozenset({401, 403, 429})
#: By these no connection was made, or one whose certificate was rejected: nothing has been sent.
_NOT_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
)


@dataclass(frozen=True)
class RawAnswer:
    """An answer as it came: any status, any body."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True)
class Success:
    """A successful answer: a JSON object with `data`."""

    status: int
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(frozen=True)
class Failure:
    """A try that failed."""

    error: ApiError | ApiConnectionError
    #: Whether the same request may succeed by itself.
    is_retryable: bool
    retry_after_seconds: float | None
    #: Whether the operation may have happened all the same.
    may_have_happened: bool
    #: Whether it says what came of every earlier try under the same key, too.
    is_final: bool


def judge(outcome: RawAnswer | Exception, key: str | None, now: float) -> Success | Failure:
    """What an answer, or an error in its place, means; `now` is in seconds since 1970."""
    if isinstance(outcome, Exception):
        return _unanswered(_connection_message(outcome), outcome, key)
    body = _decode(outcome.content)
    if not httpx.codes.is_success(outcome.status):
        return _failure(outcome, body, key, now)
    if not isinstance(body, dict) or "data" not in body:
        return _unanswered("The answer was not the API's.", None, key)
    return Success(outcome.status, outcome.headers, body)


def _failure(answer: RawAnswer, body: object, key: str | None, now: float) -> Failure:
    retry_after_seconds = parse_retry_after(answer.headers.get("retry-after"), now)
    status = answer.status
    error = error_class(status)(
        status=status,
        body=body,
        request_id=answer.headers.get("x-request-id"),
        retry_after_seconds=retry_after_seconds,
        idempotency_key=key,
    )
    is_running = error.code == "idempotency_key_running"
    is_failure = status >= _FAILURES
    return Failure(
        error=error,
        is_retryable=is_retryable(error),
        retry_after_seconds=retry_after_seconds,
        may_have_happened=is_running or (is_failure and error.code != "rail_closed"),
        # What has no code is a proxy's.
        is_final=not is_failure
        and error.code is not None
        and not is_running
        and status not in _BEFORE_THE_KEY,
    )


def _unanswered(message: str, cause: Exception | None, key: str | None) -> Failure:
    error = ApiConnectionError(message, idempotency_key=key)
    error.__cause__ = _without_frames(cause)
    return Failure(
        error=error,
        is_retryable=True,
        retry_after_seconds=None,
        may_have_happened=not isinstance(cause, _NOT_SENT),
        is_final=False,
    )


def _decode(content: bytes) -> object:
    try:
        return decode_json(content.decode())
    except ValueError:
        return None


def _connection_message(cause: Exception) -> str:
    """With the reason, which distinguishes a wrong certificate from a wrong address."""
    if isinstance(cause, httpx.TimeoutException):
        return f"No answer in time: {type(cause).__name__}."
    reason = str(cause)
    return f"The connection failed: {type(cause).__name__}{f' ({reason})' if reason else ''}."


def _without_frames(error: Exception | None) -> Exception | None:
    """
    The HTTP library's frames have the headers of the request in their variables, which programs
    that report errors send on: the API's key would be among them.
    """
    if error is None:
        return None
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)
