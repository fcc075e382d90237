"""When a call is tried again."""

from __future__ import annotations

import re
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .errors import ApiError

#: The first wait; doubled with each retry.
_BASE_SECONDS = 0.5
#: No wait of our own is longer; the service's `Retry-After` may be.
_CAP_SECONDS = 8.0
#: Doubled so often a wait is at its cap: a power of a large retry would be a huge number.
_DOUBLINGS_MAX = 10
#: How a date of HTTP begins: `Tue, 24 Nov`. The parser takes other texts for dates, too.
_HTTP_DATE = re.compile(r"[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} ")
_TOO_MANY_REQUESTS, _CONFLICT, _FAILURES = 429, 409, 500


def retry_delay(retry: int, retry_after_seconds: float | None, random: float) -> float:
    """
    How long to wait before retry number `retry` (from 0), in seconds: doubled each time, at least
    half of it, and never less than the service asked for. The random part keeps clients that failed
    together from coming back together.
    """
    backoff = min(_BASE_SECONDS * 2.0 ** min(retry, _DOUBLINGS_MAX), _CAP_SECONDS)
    jittered = backoff * (0.5 + random / 2)
    if retry_after_seconds is None:
        return jittered
    return max(jittered, retry_after_seconds + _BASE_SECONDS * random / 2)


def is_retryable(error: ApiError) -> bool:
    """
    Whether the same request may succeed by itself: too many requests, a first request under the
    same key that is still running, and failures of the service. A rail that is off is turned on by
    hand: who asked decides whether to wait.
    """
    if error.code == "rail_closed":
        return False
    is_running = error.status == _CONFLICT and error.code == "idempotency_key_running"
    return error.status == _TOO_MANY_REQUESTS or error.status >= _FAILURES or is_running


def parse_retry_after(header: str | None, now: float) -> float | None:
    """
    `Retry-After` in seconds: as a number, or as a date, as proxies write it; None for anything
    else. `now` is in seconds since 1970.
    """
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header.strip()):
        return float(header)
    if not _HTTP_DATE.match(header):
        return None
    try:
        at = parsedate_to_datetime(header)
    except (ValueError, OverflowError):
        return None
    # The parser has no zone for `-0000`; dates of HTTP are in UTC.
    return max(0.0, at.replace(tzinfo=at.tzinfo or UTC).timestamp() - now)
