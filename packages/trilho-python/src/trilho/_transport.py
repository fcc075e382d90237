"""Sends requests, again where that may help and always under the same key."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import httpx

from ._attempt import RawAnswer
from ._call import Surroundings, Try, steps
from ._model import Model
from ._options import CallOptions, PostOptions
from ._prepare_request import PreparedRequest, RequestInput, prepare_request

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from ._limits import Limits
    from ._operation import Operation

AnswerT = TypeVar("AnswerT", bound=Model)

#: No answer of the service is as large: what is, is something else's.
_ANSWER_BYTES_MAX = 64 * 1024 * 1024
_CALL_OPTIONS = frozenset(CallOptions.__annotations__)
_POST_OPTIONS = _CALL_OPTIONS | frozenset(PostOptions.__annotations__)


@dataclass(frozen=True)
class TransportConfig:
    """What both transports are made with."""

    base_url: str
    api_key: str = field(repr=False)
    limits: Limits
    surroundings: Surroundings

    def prepare(
        self, operation: str, given: RequestInput, options: CallOptions | PostOptions
    ) -> tuple[PreparedRequest, Limits]:
        """Raises ValueError and TypeError for what can't be right: nothing was sent by then."""
        said: dict[str, Any] = {**options}
        request = prepare_request(self.base_url, operation, given, said.get("idempotency_key"))
        allowed = _CALL_OPTIONS if request.key is None else _POST_OPTIONS
        if unknown := sorted(options.keys() - allowed):
            raise TypeError(f"{operation} has no option {unknown[0]}.")
        return request, self.limits.changed_by(options)


class SyncTransport:
    """Over `httpx.Client`."""

    def __init__(
        self, config: TransportConfig, client: httpx.Client, sleep: Callable[[float], None]
    ) -> None:
        self._config = config
        self._client = client
        self._sleep = sleep

    def request(
        self,
        operation: Operation[AnswerT],
        given: RequestInput,
        options: CallOptions | PostOptions,
    ) -> AnswerT:
        """
        Returns the whole answer. Raises ApiError, ApiConnectionError, OutcomeUnknownError. Nothing
        was sent where it raises ValueError or TypeError, for what can't be right, or RuntimeError,
        when the client is closed.
        """
        request, limits = self._config.prepare(operation.name, given, options)
        _reject_closed(self._client)
        call = steps(self._config.surroundings, limits, request)
        outcome: RawAnswer | Exception | None = None
        while True:
            try:
                step = call.send(outcome)
            except StopIteration as end:
                return operation.answer.model_validate(end.value)
            with _key_noted(request):
                outcome = None
                if isinstance(step, Try):
                    outcome = self._try_once(request, step.timeout_seconds)
                else:
                    self._sleep(step.seconds)

    def _try_once(self, request: PreparedRequest, timeout_seconds: float) -> RawAnswer | Exception:
        http = _build(self._client, request, timeout_seconds)
        content = _Content(self._config.surroundings, timeout_seconds)
        try:
            with _key_added(http, self._config.api_key):
                # A redirect is no answer of the service, and the API's key goes nowhere else.
                response = self._client.send(http, stream=True, follow_redirects=False)
                try:
                    for chunk in response.iter_bytes():
                        content.add(chunk)
                finally:
                    response.close()
        except Exception as error:  # noqa: BLE001 - whatever it was, the request may have been sent
            return error
        return RawAnswer(response.status_code, response.headers, content.bytes())


class AsyncTransport:
    """Over `httpx.AsyncClient`; the rules are SyncTransport's."""

    def __init__(
        self,
        config: TransportConfig,
        client: httpx.AsyncClient,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._config = config
        self._client = client
        self._sleep = sleep

    async def request(
        self,
        operation: Operation[AnswerT],
        given: RequestInput,
        options: CallOptions | PostOptions,
    ) -> AnswerT:
        """As SyncTransport.request. A task that is cancelled ends at once, with its own error."""
        request, limits = self._config.prepare(operation.name, given, options)
        _reject_closed(self._client)
        call = steps(self._config.surroundings, limits, request)
        outcome: RawAnswer | Exception | None = None
        while True:
            try:
                step = call.send(outcome)
            except StopIteration as end:
                return operation.answer.model_validate(end.value)
            with _key_noted(request):
                outcome = None
                if isinstance(step, Try):
                    outcome = await self._try_once(request, step.timeout_seconds)
                else:
                    await self._sleep(step.seconds)

    async def _try_once(
        self, request: PreparedRequest, timeout_seconds: float
    ) -> RawAnswer | Exception:
        http = _build(self._client, request, timeout_seconds)
        content = _Content(self._config.surroundings, timeout_seconds)
        try:
            with _key_added(http, self._config.api_key):
                response = await self._client.send(http, stream=True, follow_redirects=False)
                try:
                    async for chunk in response.aiter_bytes():
                        content.add(chunk)
                finally:
                    await response.aclose()
        except Exception as error:  # noqa: BLE001 - as above
            return error
        return RawAnswer(response.status_code, response.headers, content.bytes())


class _AnswerTooLargeError(Exception):
    pass


class _Content:
    """The body of an answer as it comes: too much of it, or too slow, is no answer."""

    def __init__(self, surroundings: Surroundings, timeout_seconds: float) -> None:
        self._monotonic = surroundings.monotonic
        self._deadline = surroundings.monotonic() + timeout_seconds
        self._chunks: list[bytes] = []
        self._size = 0

    def add(self, chunk: bytes) -> None:
        self._size += len(chunk)
        if self._size > _ANSWER_BYTES_MAX:
            raise _AnswerTooLargeError(f"more than {_ANSWER_BYTES_MAX} bytes")
        if self._monotonic() > self._deadline:
            raise httpx.ReadTimeout("The answer came too slowly.")
        self._chunks.append(chunk)

    def bytes(self) -> bytes:
        return b"".join(self._chunks)


def _reject_closed(client: httpx.Client | httpx.AsyncClient) -> None:
    if client.is_closed:
        raise RuntimeError("The client is closed.")


def _build(
    client: httpx.Client | httpx.AsyncClient, request: PreparedRequest, timeout_seconds: float
) -> httpx.Request:
    return client.build_request(
        request.method,
        request.url,
        headers=request.headers,
        content=request.content,
        timeout=timeout_seconds,
    )


@contextmanager
def _key_added(http: httpx.Request, api_key: str) -> Iterator[None]:
    """The errors of httpx hold their request: the API's key is gone from it by then."""
    http.headers["x-api-key"] = api_key
    try:
        yield
    finally:
        del http.headers["x-api-key"]


@contextmanager
def _key_noted(request: PreparedRequest) -> Iterator[None]:
    """
    Who interrupts a POST (Ctrl-C, a task that is cancelled) may have to know under which key it was
    sent: it is noted on the error.
    """
    try:
        yield
    except BaseException as interruption:
        if request.key is not None:
            interruption.add_note(
                f"{request.operation} may have been executed; its idempotency key: {request.key}"
            )
        raise
