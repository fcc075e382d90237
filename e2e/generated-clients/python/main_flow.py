"""A merchant's program that knows nothing but the OpenAPI document.

It charges, waits until the charge is paid, reads it everywhere, withdraws, and gives a part back.
Usage: main_flow.py BASE_URL API_KEY. Prints one line of JSON a step; whoever runs it pays the charge.
"""

import datetime
import json
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from trilho_api import AuthenticatedClient
from trilho_api.api.account import get_balance
from trilho_api.api.events import get_event, list_events
from trilho_api.api.pix import create_pix_charge, create_pix_withdrawal, get_transaction_status
from trilho_api.api.transactions import get_transaction, list_transactions, refund_transaction
from trilho_api.models import (
    CreatePixChargeAnswer,
    CreatePixChargeBody,
    CreatePixWithdrawalAnswer,
    CreatePixWithdrawalBody,
    ErrorBody,
    EventType,
    GetBalanceAnswer,
    GetEventAnswer,
    GetTransactionAnswer,
    GetTransactionStatusAnswer,
    ListEventsAnswer,
    ListTransactionsAnswer,
    PixInEvent,
    PixKeyType,
    PixTransaction,
    PixTransactionType,
    RefundTransactionAnswer,
    RefundTransactionBody,
    Transaction,
    TransactionRefundStatus,
    TransactionType,
)

WAIT_S = 20
PAUSE_S = 0.05
T = TypeVar("T")


def main(base_url: str, api_key: str) -> None:
    trilho = AuthenticatedClient(
        base_url=base_url, token=api_key, auth_header_name="x-api-key", prefix=""
    )
    beginning = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=1)

    charge = value(
        create_pix_charge.sync(
            client=trilho,
            body=CreatePixChargeBody(
                amount=131072.01, customer_name="Maria da Silva", description="Pedido 1042"
            ),
            idempotency_key="pedido-1042-python",
        ),
        CreatePixChargeAnswer,
    ).data
    show(
        "charged",
        transactionId=str(charge.transaction_id),
        amount=charge.amount,
        code=charge.payment_data.qr_code,
    )

    def look_paid() -> PixTransaction | None:
        data = value(
            get_transaction_status.sync(
                charge.transaction_id, client=trilho, type_=PixTransactionType.PIX_IN
            ),
            GetTransactionStatusAnswer,
        ).data
        return None if data.paid_at is None else data

    paid = until(look_paid)
    show("paid", status=paid.status.value, amount=paid.amount, fees=paid.amount_fees)

    balance = value(get_balance.sync(client=trilho), GetBalanceAnswer).data
    show("balance", available=balance.available_balance)

    withdrawal = value(
        create_pix_withdrawal.sync(
            client=trilho,
            body=CreatePixWithdrawalBody(
                amount=50, pix_key="11987654321", pix_key_type=PixKeyType.PHONE
            ),
        ),
        CreatePixWithdrawalAnswer,
    ).data
    show(
        "withdrawn",
        transactionId=str(withdrawal.transaction_id),
        total=withdrawal.amount_total,
        key=withdrawal.pix_key,
    )

    listed = value(
        list_transactions.sync(
            client=trilho,
            type_=[TransactionType.PIX_IN, TransactionType.PIX_OUT],
            from_=beginning,
            limit=10,
        ),
        ListTransactionsAnswer,
    )
    amounts = {transaction.type_.value: transaction.amount for transaction in listed.data}
    show("listed", amounts=amounts, more=listed.next_cursor is not None)

    refund = value(
        refund_transaction.sync(
            charge.transaction_id, client=trilho, body=RefundTransactionBody(amount=1072.01)
        ),
        RefundTransactionAnswer,
    ).data
    show("refunded", amount=refund.amount, status=refund.status)

    def look_refunded() -> Transaction | None:
        data = value(
            get_transaction.sync(charge.transaction_id, client=trilho), GetTransactionAnswer
        ).data
        return (
            None
            if any(one.status == TransactionRefundStatus.PENDING for one in data.refunds)
            else data
        )

    detail = until(look_refunded)
    history = [str(item.event) for item in detail.history]
    show("read", amount=detail.amount, refunded=detail.refunded_amount, history=history)

    events = value(
        list_events.sync(
            client=trilho, transaction_id=str(charge.transaction_id), type_=[EventType.PIX_IN_PAID]
        ),
        ListEventsAnswer,
    ).data
    event = value(get_event.sync(events[0].event_id, client=trilho), GetEventAnswer).data
    body = PixInEvent.from_dict(json.loads(event.body))
    show("event", type=body.type_.value, amount=body.data.amount)

    refused = create_pix_withdrawal.sync_detailed(
        client=trilho,
        body=CreatePixWithdrawalBody(amount=1e6, pix_key="1", pix_key_type=PixKeyType.CPF),
    )
    error = value(refused.parsed, ErrorBody)
    show("refused", status=refused.status_code.value, error=error.error, code=error.code)


def value(answer: object, kind: type[T]) -> T:
    """The answer as what it has to be; anything else ends the program."""
    if not isinstance(answer, kind):
        raise SystemExit(f"No {kind.__name__}, but {answer}")
    return answer


def until(look: Callable[[], T | None]) -> T:
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        found = look()
        if found is not None:
            return found
        time.sleep(PAUSE_S)
    raise SystemExit(f"It did not happen in {WAIT_S} s.")


def show(step: str, **values: object) -> None:
    print(json.dumps({"step": step, **values}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
