"""The errors of a call, and of a webhook that is not the service's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._generated.models import ErrorCode, FieldError, Warning  # noqa: A004 - the API's name
from ._model import read_list


class TrilhoError(Exception):
    """
    What every error of a call is an instance of. `idempotency_key` is the key under which a POST
    was sent; None for a GET.
    """

    idempotency_key: str | None

    def __init__(self, message: str, *, idempotency_key: str | None = None) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it passes between processes: task queues pickle what a task raises."""
        return (_restore, (type(self), self.args, dict(self.__dict__)))


class ApiConnectionError(TrilhoError):
    """
    The request did not reach the service, or it was a GET whose answer did not arrive. Nothing has
    happened: it may be sent again under any key.
    """


class OutcomeUnknownError(TrilhoError):
    """
    A POST was sent and no answer says what came of it: a time-out, a lost connection, or a failure
    of the service. The operation may have happened. Send the same request again with
    `idempotency_key`: it is executed at most once, and its answer says what happened. A new key
    could pay twice. `__cause__` is the last failure.
    """

    idempotency_key: str

    def __init__(self, idempotency_key: str, cause: TrilhoError) -> None:
        super().__init__(
            "Whether the operation happened is unknown: send it again with the idempotency_key of "
            f"this error. {cause}",
            idempotency_key=idempotency_key,
        )
        self.__cause__ = cause


class ApiError(TrilhoError):
    """
    The service answered with an error: this call did nothing. Of an earlier call under the same
    key, one that ended as unknown, 401, 403, 429 and an answer without a code say nothing.
    """

    #: The HTTP status.
    status: int
    #: The stable code, to compare; None where the answer is not the service's (a proxy's, say).
    code: ErrorCode | None
    #: `x-request-id`, which support asks for.
    request_id: str | None
    #: The fields that are wrong; empty unless the error is about fields.
    details: list[FieldError]
    #: The fields that were sent and that the operation does not have.
    warnings: list[Warning]
    #: How long to wait before the next try, by `Retry-After`; None where that is not said.
    retry_after_seconds: float | None
    #: The whole body, for members that are newer than this library.
    body: object

    def __init__(
        self,
        *,
        status: int,
        body: object,
        request_id: str | None,
        retry_after_seconds: float | None,
        idempotency_key: str | None,
    ) -> None:
        self.body = body
        said = ": ".join(part for part in (self._text("error"), self._text("message")) if part)
        super().__init__(
            said or f"The address answered {status}, without an error of the API.",
            idempotency_key=idempotency_key,
        )
        self.status = status
        self.code = self._text("code")
        self.request_id = request_id
        self.details = read_list(FieldError, self._member("details"))
        self.warnings = read_list(Warning, self._member("warnings"))
        self.retry_after_seconds = retry_after_seconds

    @property
    def paused_until(self) -> str | None:
        """`withdrawals_paused`: when the pause ends, in ISO 8601."""
        return self._text("paused_until")

    @property
    def usable_from(self) -> str | None:
        """`payee_waits`: from when on the payee is paid, in ISO 8601."""
        return self._text("usable_from")

    @property
    def kyc_status(self) -> str | None:
        """`kyc_not_approved`: pending or rejected."""
        return self._text("kyc_status")

    @property
    def transaction_id(self) -> str | None:
        """`reference_taken`: the transaction that has the reference."""
        return self._text("transaction_id")

    def _member(self, name: str) -> object:
        return self.body.get(name) if isinstance(self.body, Mapping) else None

    def _text(self, name: str) -> str | None:
        value = self._member(name)
        return value if isinstance(value, str) else None


class InvalidRequestError(ApiError):
    """400, 413, 415 and others below 500: the request, or what it is about, has to change."""


class AuthenticationError(ApiError):
    """401: the key is missing, unknown, revoked or expired."""


class PermissionDeniedError(ApiError):
    """403: the key, the account or its KYC does not allow this now."""


class NotFoundError(ApiError):
    """404: the account has nothing by this id."""


class ConflictError(ApiError):
    """409: what is there does not allow it: an account, a reference, a webhook that is off."""


class IdempotencyError(ApiError):
    """422: the idempotency key was used with another request."""


class RateLimitError(ApiError):
    """429: too many requests, also after the retries."""


class ServerError(ApiError):
    """5xx of a GET, and 503 `rail_closed` of any operation."""


class WebhookVerificationError(Exception):
    """The webhook is not the service's, was altered, or is too old: answer 400, do nothing else."""


_FAILURES = 500
_BY_STATUS: Mapping[int, type[ApiError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: IdempotencyError,
    429: RateLimitError,
}


def error_class(status: int) -> type[ApiError]:
    """The class of the error of an answer that is no success."""
    fallback = ServerError if status >= _FAILURES else InvalidRequestError
    return _BY_STATUS.get(status, fallback)


def _restore(
    cls: type[TrilhoError], args: tuple[object, ...], state: dict[str, Any]
) -> TrilhoError:
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(state)
    return error
