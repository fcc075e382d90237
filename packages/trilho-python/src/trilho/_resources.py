"""The operations, by what they are about. The asynchronous ones are generated from this file."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Literal, Unpack

from ._generated import operations as api
from ._pages import Cursor, Page, Pages
from ._prepare_request import Id, RequestInput
from ._replayed_events import ReplayedEvents

if TYPE_CHECKING:
    from ._generated.models import (
        Account,
        AccountLimits,
        Balance,
        Cancellation,
        CreatedAccount,
        CryptoDeposit,
        CryptoWithdrawal,
        Currency,
        Dispute,
        DisputeItem,
        Event,
        EventItem,
        GetStatementAnswer,
        HeldEventsSending,
        ListDisputesAnswer,
        ListEventsAnswer,
        ListTransactionsAnswer,
        Payee,
        PixCharge,
        PixTransaction,
        PixWithdrawal,
        Quote,
        Refund,
        RemovedWebhookEndpoint,
        StatementEntry,
        TestClock,
        TestedWebhookEndpoint,
        Transaction,
        TransactionItem,
        WebhookEndpoint,
        WebhookEndpointWithSecret,
    )
    from ._generated.params import (
        AnswerDisputeBody,
        CreateAccountBody,
        CreateCryptoDepositBody,
        CreateCryptoWithdrawalBody,
        CreatePixChargeBody,
        CreatePixWithdrawalBody,
        CreateWebhookEndpointBody,
        GetQuoteQuery,
        GetStatementQuery,
        ListDisputesQuery,
        ListEventsQuery,
        ListTransactionsQuery,
        RefundTransactionBody,
        ReplayEventsBody,
        ResendEventBody,
        RotateWebhookEndpointSecretBody,
        SendHeldEventsBody,
        UpdateWebhookEndpointBody,
    )
    from ._options import CallOptions, PostOptions
    from ._transport import SyncTransport


class Resource:
    """Some operations of one client."""

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport


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


class Disputes(Resource):
    """Payments that their payers contest (MED)."""

    def list(
        self, params: ListDisputesQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[DisputeItem, ListDisputesAnswer]:
        """A list, newest first: `for` gives all that match."""
        query: ListDisputesQuery = {**params} if params else {}

        def read(cursor: Cursor) -> Page[DisputeItem, ListDisputesAnswer]:
            given = RequestInput(query={**query, "cursor": cursor})
            answer = self._transport.request(api.LIST_DISPUTES, given, options)
            return Page(answer.data, answer.next_cursor, answer)

        return Pages(read, query.get("cursor"))

    def get(self, dispute_id: Id, **options: Unpack[CallOptions]) -> Dispute:
        """One dispute with its answer. 404 `dispute_not_found`."""
        given = RequestInput(ids=[dispute_id])
        answer = self._transport.request(api.GET_DISPUTE, given, options)
        return answer.data

    def answer(
        self, dispute_id: Id, params: AnswerDisputeBody, **options: Unpack[PostOptions]
    ) -> Dispute:
        """
        Agrees, or defends the payment, once and before `answer_by`. 400 `dispute_answered`,
        `dispute_too_late`.
        """
        given = RequestInput(ids=[dispute_id], body=params)
        answer = self._transport.request(api.ANSWER_DISPUTE, given, options)
        return answer.data


class Events(Resource):
    """What happened, and whether your system received it."""

    def list(
        self, params: ListEventsQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[EventItem, ListEventsAnswer]:
        """A list, newest first: `for` gives all that match."""
        query: ListEventsQuery = {**params} if params else {}

        def read(cursor: Cursor) -> Page[EventItem, ListEventsAnswer]:
            given = RequestInput(query={**query, "cursor": cursor})
            answer = self._transport.request(api.LIST_EVENTS, given, options)
            return Page(answer.data, answer.next_cursor, answer)

        return Pages(read, query.get("cursor"))

    def get(self, event_id: Id, **options: Unpack[CallOptions]) -> Event:
        """One event with its exact body and its deliveries. 404 `event_not_found`."""
        given = RequestInput(ids=[event_id])
        answer = self._transport.request(api.GET_EVENT, given, options)
        return answer.data

    def resend(
        self, event_id: Id, params: ResendEventBody | None = None, **options: Unpack[PostOptions]
    ) -> EventItem:
        """
        Sends an event again, with the same `webhook-id`, to wherever it goes, or with
        `endpoint_id` to this one of `webhook_endpoints`.
        """
        given = RequestInput(ids=[event_id], body=params)
        answer = self._transport.request(api.RESEND_EVENT, given, options)
        return answer.data

    def replay(self, params: ReplayEventsBody, **options: Unpack[PostOptions]) -> ReplayedEvents:
        """
        Sends the events of a time again, oldest first. A call looks at a part of them: while
        `next_cursor` is not None, call again with it as `cursor`.
        """
        given = RequestInput(body=params)
        answer = self._transport.request(api.REPLAY_EVENTS, given, options)
        return ReplayedEvents.model_validate(
            {**dict(answer.data), "next_cursor": answer.next_cursor}
        )

    def send_held(
        self, params: SendHeldEventsBody, **options: Unpack[PostOptions]
    ) -> HeldEventsSending:
        """Sends what was held while the webhook of a topic was off. 409 `webhook_disabled`."""
        given = RequestInput(body=params)
        answer = self._transport.request(api.SEND_HELD_EVENTS, given, options)
        return answer.data


class WebhookEndpoints(Resource):
    """Where events go, besides the webhooks of the panel. All of it needs `webhooks:write`."""

    def list(self, **options: Unpack[CallOptions]) -> builtins.list[WebhookEndpoint]:
        """Those that the account has, the oldest first."""
        answer = self._transport.request(api.LIST_WEBHOOK_ENDPOINTS, RequestInput(), options)
        return answer.data

    def create(
        self, params: CreateWebhookEndpointBody, **options: Unpack[PostOptions]
    ) -> WebhookEndpointWithSecret:
        """
        Makes one. Its `secret` verifies what it gets, and comes with the first answer only: a
        repetition has None in its place. 409 `too_many_endpoints`.
        """
        given = RequestInput(body=params)
        answer = self._transport.request(api.CREATE_WEBHOOK_ENDPOINT, given, options)
        return answer.data

    def get(self, endpoint_id: Id, **options: Unpack[CallOptions]) -> WebhookEndpoint:
        """One of them. 404 `endpoint_not_found`."""
        given = RequestInput(ids=[endpoint_id])
        answer = self._transport.request(api.GET_WEBHOOK_ENDPOINT, given, options)
        return answer.data

    def update(
        self, endpoint_id: Id, params: UpdateWebhookEndpointBody, **options: Unpack[PostOptions]
    ) -> WebhookEndpoint:
        """Changes what is sent; the rest stays as it is."""
        given = RequestInput(ids=[endpoint_id], body=params)
        answer = self._transport.request(api.UPDATE_WEBHOOK_ENDPOINT, given, options)
        return answer.data

    def remove(self, endpoint_id: Id, **options: Unpack[PostOptions]) -> RemovedWebhookEndpoint:
        """Nothing more is sent there, and what waited is given up."""
        given = RequestInput(ids=[endpoint_id])
        answer = self._transport.request(api.REMOVE_WEBHOOK_ENDPOINT, given, options)
        return answer.data

    def rotate_secret(
        self,
        endpoint_id: Id,
        params: RotateWebhookEndpointSecretBody | None = None,
        **options: Unpack[PostOptions],
    ) -> WebhookEndpointWithSecret:
        """
        Gives it a new secret, shown this once; the one before signs too for a day, unless
        `overlap` is False. 409 `secret_overlap`.
        """
        given = RequestInput(ids=[endpoint_id], body=params)
        answer = self._transport.request(api.ROTATE_WEBHOOK_ENDPOINT_SECRET, given, options)
        return answer.data

    def test(self, endpoint_id: Id, **options: Unpack[PostOptions]) -> TestedWebhookEndpoint:
        """Sends it an event about nothing, once. 409 `endpoint_disabled`."""
        given = RequestInput(ids=[endpoint_id])
        answer = self._transport.request(api.TEST_WEBHOOK_ENDPOINT, given, options)
        return answer.data


class Statement(Resource):
    """What moved a balance."""

    def list(
        self, params: GetStatementQuery, **options: Unpack[CallOptions]
    ) -> Pages[StatementEntry, GetStatementAnswer]:
        """
        The entries from one day to another: `for` gives all of them. The balances of the days are
        in `answer.data.summary` of the first page.
        """
        query: GetStatementQuery = {**params}

        def read(cursor: Cursor) -> Page[StatementEntry, GetStatementAnswer]:
            given = RequestInput(query={**query, "cursor": cursor})
            answer = self._transport.request(api.GET_STATEMENT, given, options)
            return Page(answer.data.entries, answer.next_cursor, answer)

        return Pages(read, query.get("cursor"))


class Accounts(Resource):
    """The account of the API key, and accounts that it opens."""

    def get(self, **options: Unpack[CallOptions]) -> Account:
        """The account of the key: fees, webhooks, and what it may do."""
        answer = self._transport.request(api.GET_ACCOUNT, RequestInput(), options)
        return answer.data

    def create(self, params: CreateAccountBody, **options: Unpack[PostOptions]) -> CreatedAccount:
        """
        Opens an account for somebody else, where the key may. `api_key` and `secret_key` come with
        the first answer only: a repetition has None in their place.
        """
        given = RequestInput(body=params)
        answer = self._transport.request(api.CREATE_ACCOUNT, given, options)
        return answer.data


class Balances(Resource):
    """What the account has."""

    def get(self, **options: Unpack[CallOptions]) -> Balance:
        """Available, pending, blocked and owed, in reais. 403 `kyc_not_approved`."""
        answer = self._transport.request(api.GET_BALANCE, RequestInput(), options)
        return answer.data


class Limits(Resource):
    """What the account may move."""

    def get(self, **options: Unpack[CallOptions]) -> AccountLimits:
        """The limits in reais, None for none, and how much of them is used today."""
        answer = self._transport.request(api.GET_LIMITS, RequestInput(), options)
        return answer.data


class Payees(Resource):
    """The address book, which is changed in the panel."""

    def list(self, **options: Unpack[CallOptions]) -> builtins.list[Payee]:
        """To whom the account sends, and from when on."""
        answer = self._transport.request(api.LIST_PAYEES, RequestInput(), options)
        return answer.data


class Currencies(Resource):
    """Cryptocurrencies that can be used now."""

    def list(self, **options: Unpack[CallOptions]) -> builtins.list[Currency]:
        """All of them, with the smallest deposit of each."""
        answer = self._transport.request(api.LIST_CURRENCIES, RequestInput(), options)
        return answer.data


class Quotes(Resource):
    """Prices."""

    def get(self, params: GetQuoteQuery | None = None, **options: Unpack[CallOptions]) -> Quote:
        """The price of one unit in reais, and with `amount` what would come of it."""
        given = RequestInput(query=params or {})
        answer = self._transport.request(api.GET_QUOTE, given, options)
        return answer.data


class TestClocks(Resource):
    """The time of a test account."""

    def get(self, **options: Unpack[CallOptions]) -> TestClock:
        """What time it is for the account, and up to when its clock is being moved (`target`)."""
        answer = self._transport.request(api.GET_TEST_CLOCK, RequestInput(), options)
        return answer.data

    def advance(self, by: str, **options: Unpack[PostOptions]) -> TestClock:
        """
        Moves the clock forward by `90s`, `15m`, `12h` or `30d`; it has arrived once `target` of
        get() is None. 409 `live_account_clock`, `clock_moving`.
        """
        given = RequestInput(body={"by": by})
        answer = self._transport.request(api.ADVANCE_TEST_CLOCK, given, options)
        return answer.data
