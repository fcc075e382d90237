"""Payments that are contested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from .._generated import operations as api
from .._pages import Cursor, Page, Pages
from .._prepare_request import Id, RequestInput
from .base import Resource

if TYPE_CHECKING:
    from .._generated.models import (
        Dispute,
        DisputeItem,
        ListDisputesAnswer,
    )
    from .._generated.params import (
        AnswerDisputeBody,
        ListDisputesQuery,
    )
    from .._options import CallOptions, PostOptions


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
