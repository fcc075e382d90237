"""The account of the key: what it has, may do and did."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Unpack

from .._generated import operations as api
from .._pages import Cursor, Page, Pages
from .._prepare_request import RequestInput
from .base import Resource

if TYPE_CHECKING:
    from .._generated.models import (
        Account,
        AccountLimits,
        Balance,
        CreatedAccount,
        Currency,
        GetStatementAnswer,
        Payee,
        Quote,
        StatementEntry,
        TestClock,
    )
    from .._generated.params import (
        CreateAccountBody,
        GetQuoteQuery,
        GetStatementQuery,
    )
    from .._options import CallOptions, PostOptions


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
