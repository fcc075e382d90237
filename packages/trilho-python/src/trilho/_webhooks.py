"""Webhooks by Standard Webhooks (standardwebhooks.com, "Verifying webhook authenticity")."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import math
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from ._generated.models import EVENT_CLASSES, UnknownEvent, WebhookEvent
from ._json import decode_json
from .errors import WebhookVerificationError


class HeadersByName(Protocol):
    """Headers as frameworks have them: a dictionary, or a class of their own that is like one."""

    def items(self) -> Iterable[tuple[str, str | Sequence[str]]]: ...


#: Those, or pairs, of text or of bytes, as ASGI has them.
WebhookHeaders = HeadersByName | Iterable[tuple[str, str] | tuple[bytes, bytes]]

_TOLERANCE_SECONDS = 5 * 60
#: The service signs with two secrets at most, the second while one is being replaced.
_SIGNATURES_MAX = 10
#: The bounds of the standard for a secret.
_SECRET_BYTES_MIN = 24
_SECRET_BYTES_MAX = 64
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_TIMESTAMP = re.compile(r"[0-9]{1,12}")


def verify_webhook(
    body: bytes | str,
    headers: WebhookHeaders,
    secrets: str | Iterable[str],
    *,
    tolerance_seconds: float = _TOLERANCE_SECONDS,
    now: datetime | None = None,
) -> WebhookEvent:
    """
    Verifies a webhook and gives its event. `body` is the exact text or bytes of the request, before
    any parsing; `secrets` are the account's `whsec_…`, several while one is being replaced;
    `tolerance_seconds` is how far the time of sending may be from `now`: an older message may be a
    replay. An event of a type that is newer than this library is an UnknownEvent. Raises
    WebhookVerificationError; ValueError for a secret or a tolerance that can't be one.
    """
    if not (math.isfinite(tolerance_seconds) and tolerance_seconds > 0):
        raise ValueError("tolerance_seconds is a number of seconds above zero.")
    given = [secrets] if isinstance(secrets, str) else secrets
    keys = [_secret_bytes(secret) for secret in given]
    if not keys:
        raise ValueError("Without a secret no webhook can be verified.")
    message_id = _header(headers, "webhook-id")
    sent_at = _header(headers, "webhook-timestamp")
    # A dot in the id would make one signature valid for two messages.
    if not message_id or "." in message_id:
        raise WebhookVerificationError("The header webhook-id is missing or has a dot in it.")
    if not _TIMESTAMP.fullmatch(sent_at):
        raise WebhookVerificationError("The header webhook-timestamp is missing.")
    if abs(_seconds(now) - int(sent_at)) > tolerance_seconds:
        raise WebhookVerificationError(
            "The webhook was sent too long ago, or this machine's clock is wrong."
        )
    content = _encode(body) if isinstance(body, str) else bytes(body)
    signed = _encode(f"{message_id}.{sent_at}.") + content
    if not _is_signed(keys, _header(headers, "webhook-signature"), signed):
        raise WebhookVerificationError("No signature of the webhook is right.")
    return _parse_event(content)


class Webhooks:
    """What a client has of webhooks."""

    verify = staticmethod(verify_webhook)


def _encode(text: str) -> bytes:
    """Frameworks that read bytes as text put lone surrogates where they are no UTF-8."""
    return text.encode(errors="surrogatepass")


def _seconds(now: datetime | None) -> float:
    if now is None:
        return datetime.now(UTC).timestamp()
    if now.tzinfo is None:
        raise ValueError("now has no time zone.")
    return now.timestamp()


def _is_signed(keys: list[bytes], header: str, signed: bytes) -> bool:
    """Whether one of the signatures was made with one of the keys; compared in constant time."""
    digests = [hmac.digest(key, signed, hashlib.sha256) for key in keys]
    for text in header.split(" ")[:_SIGNATURES_MAX]:
        signature = _decode_base64(text.removeprefix("v1,")) if text.startswith("v1,") else None
        matches = [hmac.compare_digest(digest, signature or b"") for digest in digests]
        if any(matches):
            return True
    return False


def _secret_bytes(secret: str) -> bytes:
    """The text of the error never has the secret in it."""
    key = _decode_base64(secret.removeprefix("whsec_"))
    if key is None or not _SECRET_BYTES_MIN <= len(key) <= _SECRET_BYTES_MAX:
        raise ValueError(
            "A webhook secret is whsec_ and the base64 of 24 to 64 bytes, as the panel shows it."
        )
    return key


def _decode_base64(text: str) -> bytes | None:
    if not _BASE64.fullmatch(text):
        return None
    unpadded = text.rstrip("=")
    try:
        return base64.b64decode(unpadded + "=" * (-len(unpadded) % 4), validate=True)
    except binascii.Error:
        return None


def _header(headers: WebhookHeaders, name: str) -> str:
    items: Any = getattr(headers, "items", None)
    pairs: Any = headers if items is None else items()
    return next((_text(value) for other, value in pairs if _text(other).lower() == name), "")


def _text(value: object) -> str:
    match value:
        case str():
            return value
        case bytes():
            return value.decode("latin-1")
        case Sequence():
            return " ".join(_text(item) for item in value)
        case _:
            return ""


def _parse_event(content: bytes) -> WebhookEvent:
    try:
        event = decode_json(content.decode())
    except ValueError:
        event = None
    # Signed by the service, so it always is one.
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise WebhookVerificationError("The body of the webhook is no event.")
    return EVENT_CLASSES.get(event["type"], UnknownEvent).model_validate(event)
