"""Money that comes and goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Unpack

from .._generated import operations as api
from .._pages import Cursor, Page, Pages
from .._prepare_request import Id, RequestInput
from .base import Resource

if TYPE_CHECKING:
    from .._generated.models import (
        Cancellation,
        CryptoDeposit,
        CryptoWithdrawal,
        ListTransactionsAnswer,
        PixCharge,
        PixTransaction,
        PixWithdrawal,
        Refund,
        Transaction,
        TransactionItem,
    )
    from .._generated.params import (
        CreateCryptoDepositBody,
        CreateCryptoWithdrawalBody,
        CreatePixChargeBody,
        CreatePixWithdrawalBody,
        ListTransactionsQuery,
        RefundTransactionBody,
    )
    from .._options import CallOptions, PostOptions
    from .._transport import SyncTransport


class Transactions(Resource):
    """Transactions of every kind. Amounts are reais with at most two decimals."""

    def list(
        self, params: ListTransactionsQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[TransactionItem, ListTransactionsAnswer]:
        """A list, newest first: `for` gives all that match."""
        query: ListTransactionsQuery = {**params} if params else {}

        def read(cursor: Cursor) -> Page[TransactionItem, ListTransactionsAnswer]:
            given = RequestInput(query={**query, "cursor": cursor})
            answer = self._transport.request(api.LIST_TRANSACTIONS, given, options)
            return Page(answer.data, answer.next_cursor, answer)

        return Pages(read, query.get("cursor"))

    def get(self, transaction_id: Id, **options: Unpack[CallOptions]) -> Transaction:
        """One transaction with its history. 404 `transaction_not_found`."""
        given = RequestInput(ids=[transaction_id])
        answer = self._transport.request(api.GET_TRANSACTION, given, options)
        return answer.data

    def status(
        self,
        transaction_id: Id,
        type: Literal["pix_in", "pix_out"],  # noqa: A002 - the API's name
        **options: Unpack[CallOptions],
    ) -> PixTransaction:
        """The short status of a PIX transaction. 404 where the id is of the other type."""
        given = RequestInput(ids=[transaction_id], query={"type": type})
        answer = self._transport.request(api.GET_TRANSACTION_STATUS, given, options)
        return answer.data

    def refund(
        self,
        transaction_id: Id,
        params: RefundTransactionBody | None = None,
        **options: Unpack[PostOptions],
    ) -> Refund:
        """
        Gives a PIX payment back: `amount` of it, all that is left unless said. 400
        `not_refundable`.
        """
        given = RequestInput(ids=[transaction_id], body=params or {})
        answer = self._transport.request(api.REFUND_TRANSACTION, given, options)
        return answer.data

    def cancel(self, transaction_id: Id, **options: Unpack[PostOptions]) -> Cancellation:
        """Cancels a PIX charge that is not paid. 400 `not_cancellable`."""
        given = RequestInput(ids=[transaction_id])
        answer = self._transport.request(api.CANCEL_TRANSACTION, given, options)
        return answer.data


class Charges(Resource):
    """PIX charges."""

    def __init__(self, transport: SyncTransport, transactions: Transactions) -> None:
        super().__init__(transport)
        self._transactions = transactions

    def create(self, params: CreatePixChargeBody, **options: Unpack[PostOptions]) -> PixCharge:
        """
        Creates a charge: `payment_data.qr_code` is the payload for copy and paste, `payment_url`
        its page.
        """
        given = RequestInput(body=params)
        answer = self._transport.request(api.CREATE_PIX_CHARGE, given, options)
        return answer.data

    def get(self, transaction_id: Id, **options: Unpack[CallOptions]) -> Transaction:
        """The charge with its history. 404 `transaction_not_found`."""
        return self._transactions.get(transaction_id, **options)

    def cancel(self, transaction_id: Id, **options: Unpack[PostOptions]) -> Cancellation:
        """Cancels a charge that is not paid. 400 `not_cancellable`."""
        return self._transactions.cancel(transaction_id, **options)

    def refund(
        self,
        transaction_id: Id,
        params: RefundTransactionBody | None = None,
        **options: Unpack[PostOptions],
    ) -> Refund:
        """
        Gives a paid charge back: `amount` of it, all that is left unless said. 400
        `not_refundable`.
        """
        return self._transactions.refund(transaction_id, params, **options)


class Deposits(Resource):
    """Deposits in a cryptocurrency."""

    def __init__(self, transport: SyncTransport, transactions: Transactions) -> None:
        super().__init__(transport)
        self._transactions = transactions

    def crypto(
        self, params: CreateCryptoDepositBody, **options: Unpack[PostOptions]
    ) -> CryptoDeposit:
        """Creates an invoice: the payer goes to `invoice_url`, or pays to `wallet_hash`."""
        given = RequestInput(body=params)
        answer = self._transport.request(api.CREATE_CRYPTO_DEPOSIT, given, options)
        return answer.data

    def get(self, transaction_id: Id, **options: Unpack[CallOptions]) -> Transaction:
        """The deposit with its history. 404 `transaction_not_found`."""
        return self._transactions.get(transaction_id, **options)


class Withdrawals(Resource):
    """Money that leaves the account."""

    def __init__(self, transport: SyncTransport, transactions: Transactions) -> None:
        super().__init__(transport)
        self._transactions = transactions

    def pix(self, params: CreatePixWithdrawalBody, **options: Unpack[PostOptions]) -> PixWithdrawal:
        """Sends exactly `amount` to a PIX key, now or on `scheduledFor`; the fee comes on top."""
        given = RequestInput(body=params)
        answer = self._transport.request(api.CREATE_PIX_WITHDRAWAL, given, options)
        return answer.data

    def crypto(
        self, params: CreateCryptoWithdrawalBody, **options: Unpack[PostOptions]
    ) -> CryptoWithdrawal:
        """Sends crypto for `amount` reais to a wallet; the fee comes out of `amount`."""
        given = RequestInput(body=params)
        answer = self._transport.request(api.CREATE_CRYPTO_WITHDRAWAL, given, options)
        return answer.data

    def get(self, transaction_id: Id, **options: Unpack[CallOptions]) -> Transaction:
        """The withdrawal with its history. 404 `transaction_not_found`."""
        return self._transactions.get(transaction_id, **options)

    def cancel(self, transaction_id: Id, **options: Unpack[PostOptions]) -> Cancellation:
        """Cancels a scheduled PIX withdrawal that has not begun. 400 `payout_started`."""
        given = RequestInput(ids=[transaction_id])
        answer = self._transport.request(api.CANCEL_PIX_WITHDRAWAL, given, options)
        return answer.data
