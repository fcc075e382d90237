"""The client of a Trilho installation's REST API."""

from ._client import AsyncTrilho, ClientOptions, Trilho
from ._options import AnswerInfo, CallOptions, PostOptions
from ._pages import AsyncPages, Page, Pages
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
    "AnswerInfo",
    "ApiConnectionError",
    "ApiError",
    "AsyncPages",
    "AsyncTrilho",
    "AuthenticationError",
    "CallOptions",
    "ClientOptions",
    "ConflictError",
    "IdempotencyError",
    "InvalidRequestError",
    "NotFoundError",
    "OutcomeUnknownError",
    "Page",
    "Pages",
    "PermissionDeniedError",
    "PostOptions",
    "RateLimitError",
    "ServerError",
    "Trilho",
    "TrilhoError",
    "WebhookHeaders",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
]
