"""A network that answers by a script, and clocks that pass only while a call waits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

import httpx
import pytest

from trilho._call import Surroundings
from trilho._limits import Limits
from trilho._model import Model
from trilho._operation import Operation
from trilho._options import AnswerInfo
from trilho._prepare_request import RequestInput
from trilho._transport import AsyncTransport, SyncTransport, TransportConfig

Mode = Literal["sync", "async"]
API_KEY = "tr_test_secret"
#: 2026-11-24T12:00:00Z.
NOW = 1_795_521_600.0
CREATED: dict[str, Any] = {"success": True, "data": {"transaction_id": "x"}}


class AnyAnswer(Model):
    data: dict[str, Any] | list[Any]


CHARGE = Operation("POST /payments/transactions", AnyAnswer)
BALANCE = Operation("GET /payments/balance", AnyAnswer)


@dataclass(frozen=True)
class Answer:
    """An answer: `text` goes over the wire as it is, else `body` as JSON."""

    status: int = 200
    body: object = None
    headers: dict[str, str] = field(default_factory=dict)
    text: str | None = None
    #: So many seconds pass before each part of the body.
    slow_seconds: float = 0.0


Step = Answer | BaseException
OK = Answer(body=CREATED)


def error_answer(status: int, code: str, headers: dict[str, str] | None = None) -> Answer:
    """An error of the API as it is on the wire."""
    body = {"success": False, "error": "Erro", "message": "O que fazer.", "code": code}
    return Answer(status, body, headers or {})


class Clock:
    """Both clocks; seconds pass when somebody sleeps."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.slept: list[float] = []
        #: What happens in the middle of a wait.
        self.on_sleep: Callable[[], None] = lambda: None

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.passed += seconds
        self.on_sleep()

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)


class Body(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body in two parts, each of them as slow as the answer is."""

    def __init__(self, content: bytes, answer: Answer, clock: Clock) -> None:
        middle = len(content) // 2
        self._parts = [content[:middle], content[middle:]]
        self._slow_seconds = answer.slow_seconds
        self._clock = clock

    def __iter__(self) -> Iterator[bytes]:
        for part in self._parts:
            self._clock.passed += self._slow_seconds
            yield part

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self:
            yield part


class Script:
    """Gives its steps in their order, one a request; keeps what was sent."""

    def __init__(
        self,
        mode: Mode,
        steps: list[Step],
        limits: Limits | None = None,
        on_answer: Callable[[AnswerInfo], object] | None = None,
    ) -> None:
        self._mode = mode
        self._steps = steps
        self._limits = limits or Limits(1.0, 60.0, 5)
        self._on_answer = on_answer
        self.clock = Clock()
        self.sent: list[httpx.Request] = []
        #: The headers of each request, as they were when it was sent.
        self.headers: list[httpx.Headers] = []

    def config(self, base_url: str = "https://pay.example.com") -> TransportConfig:
        return TransportConfig(
            base_url=base_url,
            api_key=API_KEY,
            limits=self._limits,
            surroundings=Surroundings(
                monotonic=lambda: self.clock.passed,
                time=lambda: NOW + self.clock.passed,
                random=lambda: 0.5,
                on_answer=self._on_answer,
            ),
        )

    @property
    def keys(self) -> list[str | None]:
        return [headers.get("idempotency-key") for headers in self.headers]

    def request(self, operation: Operation[AnyAnswer], given: RequestInput, **options: Any) -> Any:
        """One call; the answer's data."""
        transport = httpx.MockTransport(self._answer)
        if self._mode == "sync":
            client = httpx.Client(transport=transport)
            call: Any = SyncTransport(self.config(), client, self.clock.sleep)
            return call.request(operation, given, options).data
        return asyncio.run(self._request_async(transport, operation, given, options))

    async def _request_async(
        self,
        transport: httpx.MockTransport,
        operation: Operation[AnyAnswer],
        given: RequestInput,
        options: Any,
    ) -> Any:
        async with httpx.AsyncClient(transport=transport) as client:
            call = AsyncTransport(self.config(), client, self.clock.sleep_async)
            return (await call.request(operation, given, options)).data

    def charge(self, **options: Any) -> Any:
        return self.request(CHARGE, RequestInput(body={"amount": 10}), **options)

    def balance(self, **options: Any) -> Any:
        return self.request(BALANCE, RequestInput(), **options)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        self.headers.append(request.headers.copy())
        if len(self.sent) > len(self._steps):
            pytest.fail(f"The script has no step {len(self.sent)}.")
        step = self._steps[len(self.sent) - 1]
        if isinstance(step, BaseException):
            _fail_as_httpcore(request.headers.raw, step)
        text = json.dumps(step.body) if step.text is None else step.text
        return httpx.Response(
            step.status,
            headers={"x-request-id": f"req-{len(self.sent)}", **step.headers},
            stream=Body(text.encode(), step, self.clock),
        )


def _fail_as_httpcore(headers: list[tuple[bytes, bytes]], error: BaseException) -> NoReturn:
    """With an error beneath its error, and frames in whose variables the headers are."""
    try:
        raise OSError(len(headers))  # noqa: TRY301 - its frame is what is tested
    except OSError as beneath:
        raise error from beneath
