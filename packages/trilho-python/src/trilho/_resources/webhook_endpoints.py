"""Where events go."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Unpack

from .._generated import operations as api
from .._prepare_request import Id, RequestInput
from .base import Resource

if TYPE_CHECKING:
    from .._generated.models import (
        RemovedWebhookEndpoint,
        TestedWebhookEndpoint,
        WebhookEndpoint,
        WebhookEndpointWithSecret,
    )
    from .._generated.params import (
        CreateWebhookEndpointBody,
        RotateWebhookEndpointSecretBody,
        UpdateWebhookEndpointBody,
    )
    from .._options import CallOptions, PostOptions


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
