"""
What the library does with a service that runs, where answers get lost on the way. Usage:
against_service.py BASE_URL API_KEY WEBHOOK_SECRET. Reports a step each; whoever runs it pays.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import httpx
from harness import report, until_paid

from trilho import (
    AnswerInfo,
    ApiConnectionError,
    ApiError,
    AsyncTrilho,
    OutcomeUnknownError,
    Trilho,
    TrilhoError,
    verify_webhook,
)
from trilho.types import CreatePixWithdrawalBody, PixInEvent

base_url, api_key, secret = sys.argv[1:]
infos: list[AnswerInfo] = []


class Losing(httpx.HTTPTransport):
    """Throws the next answers away, after the service has made them."""

    to_lose = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        if self.to_lose > 0:
            self.to_lose -= 1
            response.read()
            raise httpx.ReadError("lost")
        return response


def failure(call: Callable[[], object]) -> TrilhoError:
    try:
        call()
    except TrilhoError as error:
        return error
    raise AssertionError("It succeeded.")


def picked(error: TrilhoError) -> dict[str, Any]:
    if not isinstance(error, ApiError):
        raise error
    name = type(error).__name__
    return {
        "name": name,
        "status": error.status,
        "code": error.code,
        "hasRequestId": bool(error.request_id),
    }


losing = Losing()
trilho = Trilho(
    base_url=base_url,
    api_key=api_key,
    http_client=httpx.Client(transport=losing),
    on_answer=infos.append,
)

losing.to_lose = 1
charge = trilho.charges.create({"amount": Decimal("131072.01")})
once = infos[-1]
count = len(list(trilho.transactions.list()))
report(
    "lost once",
    attempts=once.attempts,
    isReplayed=once.is_replayed,
    charges=count,
    amount=charge.amount,
)
read = trilho.charges.get(charge.transaction_id)
listed = trilho.transactions.list({"limit": 1}).first().items[0]
assert read.amount == listed.amount == Decimal("131072.01")
report("exact", read=read.amount, listed=listed.amount, sum=read.amount + Decimal("0.30"))
until_paid(trilho, charge.transaction_id)

before = trilho.balance.get().available_balance
withdrawal: CreatePixWithdrawalBody = {
    "amount": 50.0,
    "pixKey": "11987654321",
    "pixKeyType": "PHONE",
}
losing.to_lose = 1
unknown = failure(lambda: trilho.withdrawals.pix(withdrawal, max_retries=0))
assert isinstance(unknown, OutcomeUnknownError)
key = unknown.idempotency_key
withdrawn = trilho.withdrawals.pix(withdrawal, idempotency_key=key)
is_replayed = infos[-1].is_replayed
moved = before - trilho.balance.get().available_balance
report("unknown, then known", isReplayed=is_replayed, total=withdrawn.amount_total, moved=moved)

reused = failure(lambda: trilho.charges.create({"amount": 1}, idempotency_key=key))
report("other request", **picked(reused))
wallet = failure(
    lambda: trilho.withdrawals.crypto({"amount": 900_000, "wallet": "x", "currency": "USDT_BSC"})
)
report("too much", **picked(wallet))
report("missing", **picked(failure(lambda: trilho.events.get("evt_none"))))
stranger = Trilho(base_url=base_url, api_key="tr_test_wrong")
report("wrong key", **picked(failure(stranger.balance.get)))
with socket.socket() as closed:
    closed.bind(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{closed.getsockname()[1]}"
nowhere = Trilho(base_url=address, api_key=api_key, max_retries=0)
unsent = failure(lambda: nowhere.charges.create({"amount": 1}))
report("nowhere", notSent=isinstance(unsent, ApiConnectionError))
misspelt: Any = {"amount": 10, "callbackURL": "https://example.com"}
trilho.charges.create(misspelt)
report("misspelt", suggestions=[warning.suggestion for warning in infos[-1].warnings])

pages = [len(page.items) for page in trilho.transactions.list({"limit": 2}).pages()]
report("pages", pages=pages)
cancelled = trilho.charges.create({"amount": 10})
report("cancelled", status=trilho.charges.cancel(cancelled.transaction_id).status)

deposit = trilho.deposits.crypto({"amount": 100, "currency": "USDT_TRX"})
found = trilho.deposits.get(deposit.transaction_id)
report("deposit", currency=found.currency, type=found.type)
refund = trilho.charges.refund(charge.transaction_id, {"amount": Decimal("0.01")})
quote = trilho.quote.get({"currency": "USDT_TRX", "amount": 10.5})
report(
    "rest",
    refunded=refund.amount,
    quoted=quote.amount_brl,
    mode=trilho.accounts.get().mode,
    limits=trilho.limits.get().limits is not None,
    currencies=any(currency.currency == "USDT_TRX" for currency in trilho.currencies.list()),
    payees=trilho.payees.list(),
    disputes=trilho.disputes.list({"limit": 1}).first().items,
    entries=trilho.statement.list({"from": "2026-01-01", "to": "2026-01-31"}).first().items,
)


async def main_flow() -> None:
    """The same over the asynchronous client: a charge, its copy under the same key, a list."""
    async with AsyncTrilho(base_url=base_url, api_key=api_key, on_answer=infos.append) as client:
        first, second = await asyncio.gather(
            client.charges.create({"amount": Decimal("0.30")}, idempotency_key="async-1"),
            client.charges.create({"amount": Decimal("0.30")}, idempotency_key="async-1"),
        )
        assert first.transaction_id == second.transaction_id
        listed = [item.amount async for item in client.transactions.list({"max_amount": 0.30})]
        try:
            await client.charges.get("00000000-0000-7000-8000-000000000000")
        except ApiError as error:
            report("async", listed=listed, missing=error.code)


asyncio.run(main_flow())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        event = verify_webhook(body, self.headers, secret)
        self.send_response(204)
        self.end_headers()
        if isinstance(event, PixInEvent) and event.type == "pix_in.paid":
            report("webhook", type=event.type, amount=event.data.amount)
            query = trilho.events.list({"transaction_id": event.data.transaction_id})
            report("event", same=query.first().items[0].event_id == event.id)

    def log_message(self, *_: object) -> None:
        pass


with HTTPServer(("127.0.0.1", 0), Receiver) as server:
    callback = f"http://127.0.0.1:{server.server_port}/"
    until_paid(
        trilho, trilho.charges.create({"amount": 37.5, "callbackUrl": callback}).transaction_id
    )
    server.handle_request()
