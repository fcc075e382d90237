"""What happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from .._generated import operations as api
from .._pages import Cursor, Page, Pages
from .._prepare_request import Id, RequestInput
from .._replayed_events import ReplayedEvents
from .base import Resource

if TYPE_CHECKING:
    from .._generated.models import (
        Event,
        EventItem,
        HeldEventsSending,
        ListEventsAnswer,
    )
    from .._generated.params import (
        ListEventsQuery,
        ReplayEventsBody,
        ResendEventBody,
        SendHeldEventsBody,
    )
    from .._options import CallOptions, PostOptions


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
