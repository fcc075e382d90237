"""The client of a Trilho installation's REST API."""

from ._version import __version__
from ._webhooks import WebhookHeaders, verify_webhook
from .errors import (
    ApiConnectionError,
    ApiError,
    AuthenticationError,
    ConflictError,
    IdempotencyError,
    InvalidRequestError,
    NotFoundError,
    OutcomeUnknownError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    TrilhoError,
    WebhookVerificationError,
)

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "AuthenticationError",
    "ConflictError",
    "IdempotencyError",
    "InvalidRequestError",
    "NotFoundError",
    "OutcomeUnknownError",
    "PermissionDeniedError",
    "RateLimitError",
    "ServerError",
    "TrilhoError",
    "WebhookHeaders",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
]
