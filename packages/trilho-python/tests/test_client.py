from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any
from uuid import UUID

import httpx
import pytest

from trilho import AnswerInfo, AsyncTrilho, ClientOptions, Pages, Trilho
from trilho._generated.operations import ALL
from trilho.types import Balance, ReplayedEvents

from .scripted import API_KEY, Mode

ID = "01a1f8f3-e895-7c3a-9d41-5b6e7f8091a2"
BASE = "https://pay.example.com"


class Recorder:
    """Answers everything with the same, and keeps `METHOD path`, with the id replaced."""

    def __init__(self, data: object = None) -> None:
        self._data = {"entries": []} if data is None else data
        self.requests: list[httpx.Request] = []

    @property
    def sent(self) -> list[str]:
        return [f"{sent.method} {sent.url.path.replace(ID, '{}')}" for sent in self.requests]

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        body = {"success": True, "data": self._data, "next_cursor": None}
        return httpx.Response(200, json=body)

    def client(self, **options: Any) -> Trilho:
        given = {"base_url": BASE, "api_key": API_KEY, **options}
        return Trilho(http_client=httpx.Client(transport=httpx.MockTransport(self.answer)), **given)

    def async_client(self) -> AsyncTrilho:
        client = httpx.AsyncClient(transport=httpx.MockTransport(self.answer))
        return AsyncTrilho(base_url=BASE, api_key=API_KEY, http_client=client)


class Service(BaseHTTPRequestHandler):
    """A service on this machine, with a balance."""

    timeout = 5

    def do_GET(self) -> None:
        body = b'{"data": {"available_balance": 1}}'
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


def methods_of(client: object) -> list[Callable[..., Any]]:
    resources = [value for name, value in vars(client).items() if not name.startswith("_")]
    return [
        getattr(resource, name)
        for resource in resources
        for name, _ in inspect.getmembers(type(resource), inspect.isfunction)
        if not name.startswith("_")
    ]


def call(method: Callable[..., Any]) -> Any:
    """With something for each of its parameters."""
    parameters = inspect.signature(method).parameters.values()
    values = [
        {} if parameter.name == "params" else ID
        for parameter in parameters
        if parameter.kind is not parameter.VAR_KEYWORD
    ]
    return method(*values)


def call_all(mode: Mode, recorder: Recorder) -> None:
    if mode == "sync":
        for method in methods_of(recorder.client()):
            result = call(method)
            if isinstance(result, Pages):
                result.first()
        return

    async def call_each() -> None:
        for method in methods_of(recorder.async_client()):
            result = call(method)
            await (result if isinstance(result, Awaitable) else result.first())

    asyncio.run(call_each())


def missing(operations: tuple[str, ...], sent: list[str]) -> list[str]:
    """What the document has and the client does not reach."""
    return [name for name in operations if _with_plain_ids(name) not in sent]


def _with_plain_ids(operation: str) -> str:
    before, brace, after = operation.partition("{")
    return f"{before}{{}}{after.partition('}')[2]}" if brace else operation


class TestOperations:
    def test_every_operation_of_the_document_has_a_method_and_no_method_asks_for_anything_else(
        self, mode: Mode
    ) -> None:
        recorder = Recorder()
        call_all(mode, recorder)
        assert missing(ALL, recorder.sent) == []
        assert {_with_plain_ids(name) for name in ALL} >= set(recorder.sent)

    def test_planted_an_operation_without_a_method_is_found(self, mode: Mode) -> None:
        recorder = Recorder()
        call_all(mode, recorder)
        assert missing((*ALL, "GET /payments/{id}/new"), recorder.sent) == [
            "GET /payments/{id}/new"
        ]

    def test_both_clients_have_the_same_methods_with_the_same_parameters(self) -> None:
        def shape(client: object) -> list[tuple[str, list[str]]]:
            return [
                (
                    method.__qualname__.removeprefix("Async"),
                    list(inspect.signature(method).parameters),
                )
                for method in methods_of(client)
            ]

        assert shape(Recorder().client()) == shape(Recorder().async_client())

    def test_a_call_gives_the_data_of_its_answer_and_sends_what_it_got(self) -> None:
        recorder = Recorder({"transaction_id": ID, "amount": 131072.01, "status": "pending"})
        charge = recorder.client().charges.create(
            {"amount": Decimal("131072.01"), "customerName": "Maria"}, idempotency_key="pedido-1"
        )
        assert (charge.transaction_id, charge.amount) == (ID, Decimal("131072.01"))
        (request,) = recorder.requests
        assert request.content == b'{"amount":131072.01,"customerName":"Maria"}'
        assert request.headers["idempotency-key"] == "pedido-1"

    def test_a_replay_says_where_it_goes_on(self) -> None:
        replayed = Recorder({"queued": 3}).client().events.replay({"since": "2026-11-01"})
        assert isinstance(replayed, ReplayedEvents)
        assert (replayed.next_cursor, replayed.model_extra) == (None, {"queued": 3})

    def test_a_list_is_not_changed_by_what_becomes_of_its_query(self) -> None:
        recorder = Recorder([])
        query: Any = {"limit": 2}
        pages = recorder.client().transactions.list(query)
        query["limit"] = 100
        assert (list(pages), recorder.sent) == ([], ["GET /payments/transactions"])
        assert recorder.requests[0].url.query == b"limit=2"

    def test_an_id_may_be_a_uuid(self) -> None:
        recorder = Recorder({})
        recorder.client().charges.get(UUID(ID))
        assert recorder.sent == ["GET /payments/transactions/{}"]


class TestClient:
    @pytest.mark.parametrize(
        "base_url",
        [
            "https://pay.example.com/",
            "https://pay.example.com/api/",
            "http://localhost:3000",
            "http://127.0.0.1:3000",
            "http://[::1]:3000",
        ],
    )
    def test_a_client_takes_the_address(self, base_url: str) -> None:
        recorder = Recorder({})
        recorder.client(base_url=base_url).balance.get()
        (request,) = recorder.requests
        assert str(request.url) == f"{base_url.removesuffix('/')}/payments/balance"

    @pytest.mark.parametrize(
        "base_url",
        [
            "",
            "pay.example.com",
            "https://",
            "http://pay.example.com",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com",
            "ftp://x",
            "https://x/?a=1",
            "https://x/?",
            "https://x/#",
            "https://u@x",
            "https://x:port",
            "https://x\n",
            "https://x/ ",
            "https://x /",
            None,
        ],
    )
    def test_a_client_does_not_take_the_address(self, base_url: str) -> None:
        with pytest.raises(ValueError, match="base_url"):
            Trilho(base_url=base_url, api_key=API_KEY)

    def test_plain_http_to_another_machine_is_taken_only_where_that_is_allowed_by_name(
        self,
    ) -> None:
        recorder = Recorder({})
        recorder.client(base_url="http://trilho.internal", allow_plain_http=True).balance.get()
        assert recorder.sent == ["GET /payments/balance"]

    @pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
    def test_a_key_sent_by_plain_http_stays_on_the_machine_where_a_proxy_is_set(
        self, mode: Mode, monkeypatch: pytest.MonkeyPatch, host: str
    ) -> None:
        # Nothing listens there: a request that goes by this proxy fails.
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
        monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
        with HTTPServer(("127.0.0.1", 0), Service) as server:
            server.timeout = 5
            Thread(target=server.handle_request).start()
            base_url = f"http://{host}:{server.server_port}"
            limits: ClientOptions = {"max_retries": 0, "timeout_seconds": 5}

            async def get() -> Balance:
                async with AsyncTrilho(base_url=base_url, api_key=API_KEY, **limits) as client:
                    return await client.balance.get()

            if mode == "async":
                balance: Any = asyncio.run(get())
            else:
                with Trilho(base_url=base_url, api_key=API_KEY, **limits) as client:
                    balance = client.balance.get()
        assert balance.available_balance == 1

    @pytest.mark.parametrize("api_key", ["", "a b", "x\n", None, 7])
    def test_a_client_does_not_take_the_key(self, api_key: str) -> None:
        with pytest.raises(ValueError, match="api_key"):
            Trilho(base_url=BASE, api_key=api_key)

    def test_a_client_does_not_take_what_is_no_option_or_no_limit(self) -> None:
        options: dict[str, Any] = {"timeout": 3}
        with pytest.raises(TypeError, match="timeout"):
            Recorder().client(**options)
        with pytest.raises(ValueError, match="max_retries"):
            Recorder().client(max_retries=-1)

    def test_the_limits_of_a_client_hold_where_a_call_says_nothing(self) -> None:
        recorder = Recorder({})
        client = recorder.client(timeout_seconds=7.0)
        client.balance.get()
        client.balance.get(timeout_seconds=3.0)
        timeouts = [request.extensions["timeout"]["read"] for request in recorder.requests]
        assert timeouts == [7.0, 3.0]

    def test_a_client_does_not_take_an_on_answer_that_would_never_run(self) -> None:
        async def log(_: AnswerInfo) -> None: ...

        with pytest.raises(TypeError, match="on_answer"):
            AsyncTrilho(base_url=BASE, api_key=API_KEY, on_answer=log)

    def test_a_client_does_not_show_its_key(self) -> None:
        client = Trilho(base_url=BASE, api_key=API_KEY)
        shown = [client, vars(client), client.charges, vars(client.charges)]
        transport = vars(client.charges)["_transport"]
        assert API_KEY not in repr([*shown, transport, vars(transport)])
        with pytest.raises(TypeError):
            json.dumps(vars(client))

    def test_a_client_that_is_closed_sends_nothing(self) -> None:
        with Trilho(base_url="http://127.0.0.1:1", api_key=API_KEY) as client:
            pass
        with pytest.raises(RuntimeError, match="closed"):
            client.balance.get()

        async def close() -> None:
            async with AsyncTrilho(base_url="http://127.0.0.1:1", api_key=API_KEY) as other:
                pass
            with pytest.raises(RuntimeError, match="closed"):
                await other.balance.get()

        asyncio.run(close())

    def test_an_http_client_of_ones_own_stays_open(self) -> None:
        recorder = Recorder({})
        with recorder.client() as client:
            pass
        client.balance.get()
        assert recorder.sent == ["GET /payments/balance"]
