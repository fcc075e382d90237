"""The clients of one account of a Trilho installation."""

from __future__ import annotations

import inspect
import random
import re
import time
from typing import TYPE_CHECKING, Self, TypedDict, Unpack

import anyio
import httpx

from ._call import Surroundings
from ._generated.async_resources import account as async_account
from ._generated.async_resources import disputes as async_disputes
from ._generated.async_resources import events as async_events
from ._generated.async_resources import payments as async_payments
from ._generated.async_resources import webhook_endpoints as async_webhook_endpoints
from ._limits import DEFAULT_LIMITS
from ._resources import account, disputes, events, payments, webhook_endpoints
from ._transport import AsyncTransport, SyncTransport, TransportConfig
from ._webhooks import Webhooks

if TYPE_CHECKING:
    from ._options import OnAnswer

_API_KEY = re.compile(r"[!-~]+")
_LOCAL = re.compile(r"localhost|127\.[0-9]+\.[0-9]+\.[0-9]+|::1")


class ClientOptions(TypedDict, total=False):
    """The options of a client besides its address and its key."""

    timeout_seconds: float | None
    """How long one try may take; 30 seconds unless said."""
    total_timeout_seconds: float | None
    """How long a call may take with its retries; 90 seconds unless said."""
    max_retries: int | None
    """How often a failed try is repeated; 5 times unless said, 0 for never."""
    on_answer: OnAnswer | None
    """
    Called with every success: for logs, and to see `warnings`. A plain function, of AsyncTrilho
    too; what it raises is ignored.
    """
    allow_plain_http: bool
    """Lets `base_url` be http to another machine, where the network between is your own."""


class Trilho:
    """
    A client of one account. Make one, keep it, and share it between threads; `with` or `close()`
    ends its connections.
    """

    #: `verify`, which the module exports as `verify_webhook` too: it needs no client.
    webhooks = Webhooks()

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        http_client: httpx.Client | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        """
        `base_url` is where the installation is: `https://pay.example.com`, with or without `/api`.
        `api_key` is `tr_test_…` or `tr_live_…`; it is in no error and no log of this library.
        `http_client` is one of your own, with a proxy, say, or a certificate; you close it. Raises
        ValueError for what can't be right, TypeError for an option that does not exist.
        """
        config = _config(base_url, api_key, options)
        self._is_own = http_client is None
        self._http_client = (
            httpx.Client(trust_env=_may_use_proxy(config)) if http_client is None else http_client
        )
        transport = SyncTransport(config, self._http_client, time.sleep)
        self.transactions = payments.Transactions(transport)
        self.charges = payments.Charges(transport, self.transactions)
        self.deposits = payments.Deposits(transport, self.transactions)
        self.withdrawals = payments.Withdrawals(transport, self.transactions)
        self.disputes = disputes.Disputes(transport)
        self.payees = account.Payees(transport)
        self.balance = account.Balances(transport)
        self.limits = account.Limits(transport)
        self.statement = account.Statement(transport)
        self.currencies = account.Currencies(transport)
        self.quote = account.Quotes(transport)
        self.accounts = account.Accounts(transport)
        self.events = events.Events(transport)
        self.webhook_endpoints = webhook_endpoints.WebhookEndpoints(transport)
        self.test_clock = account.TestClocks(transport)

    def close(self) -> None:
        """Ends the connections, but not those of an `http_client` of your own."""
        if self._is_own:
            self._http_client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncTrilho:
    """
    The same over `httpx.AsyncClient`, for asyncio and trio: methods are awaited, lists are read
    with `async for`, and `async with` or `await aclose()` ends the connections.
    """

    webhooks = Webhooks()

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        http_client: httpx.AsyncClient | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        """As Trilho's."""
        config = _config(base_url, api_key, options)
        self._is_own = http_client is None
        self._http_client = (
            httpx.AsyncClient(trust_env=_may_use_proxy(config))
            if http_client is None
            else http_client
        )
        transport = AsyncTransport(config, self._http_client, anyio.sleep)
        self.transactions = async_payments.AsyncTransactions(transport)
        self.charges = async_payments.AsyncCharges(transport, self.transactions)
        self.deposits = async_payments.AsyncDeposits(transport, self.transactions)
        self.withdrawals = async_payments.AsyncWithdrawals(transport, self.transactions)
        self.disputes = async_disputes.AsyncDisputes(transport)
        self.payees = async_account.AsyncPayees(transport)
        self.balance = async_account.AsyncBalances(transport)
        self.limits = async_account.AsyncLimits(transport)
        self.statement = async_account.AsyncStatement(transport)
        self.currencies = async_account.AsyncCurrencies(transport)
        self.quote = async_account.AsyncQuotes(transport)
        self.accounts = async_account.AsyncAccounts(transport)
        self.events = async_events.AsyncEvents(transport)
        self.webhook_endpoints = async_webhook_endpoints.AsyncWebhookEndpoints(transport)
        self.test_clock = async_account.AsyncTestClocks(transport)

    async def aclose(self) -> None:
        """Ends the connections, but not those of an `http_client` of your own."""
        if self._is_own:
            await self._http_client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


_OPTIONS = frozenset(ClientOptions.__annotations__)


def _config(base_url: str, api_key: str, options: ClientOptions) -> TransportConfig:
    if unknown := sorted(options.keys() - _OPTIONS):
        raise TypeError(f"A client has no option {unknown[0]}.")
    if inspect.iscoroutinefunction(options.get("on_answer")):
        raise TypeError("on_answer is a plain function: nobody awaits a coroutine.")
    return TransportConfig(
        base_url=_checked_base_url(
            base_url, is_http_allowed=options.get("allow_plain_http", False)
        ),
        api_key=_checked_api_key(api_key),
        limits=DEFAULT_LIMITS.changed_by(options),
        surroundings=Surroundings(
            monotonic=time.monotonic,
            time=time.time,
            random=random.random,
            on_answer=options.get("on_answer"),
        ),
    )


def _checked_base_url(base_url: str, *, is_http_allowed: bool) -> str:
    """A key goes over TLS, or stays on the machine."""
    try:
        url = httpx.URL(base_url)
    except (httpx.InvalidURL, TypeError) as error:
        raise ValueError("base_url is the address of the installation: https://…") from error
    if url.query or url.fragment or url.userinfo or re.search(r"[?#\s]", base_url):
        raise ValueError("base_url is an address without ?, #, @ and blanks.")
    is_safe = url.scheme == "https" or (
        url.scheme == "http" and (is_http_allowed or _LOCAL.fullmatch(url.host))
    )
    if not (url.host and is_safe):
        raise ValueError(
            "base_url is https://…; allow_plain_http lets it be http to another machine."
        )
    return base_url.rstrip("/")


def _may_use_proxy(config: TransportConfig) -> bool:
    """
    By plain HTTP a proxy of the environment (`HTTP_PROXY`) would be sent the key, also for an
    address of this machine.
    """
    url = httpx.URL(config.base_url)
    return url.scheme == "https" or not _LOCAL.fullmatch(url.host)


def _checked_api_key(api_key: str) -> str:
    if not (isinstance(api_key, str) and _API_KEY.fullmatch(api_key)):
        raise ValueError("api_key is the account's key: tr_test_… or tr_live_….")
    return api_key
