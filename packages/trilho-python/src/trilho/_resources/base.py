"""What the resources of a client share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .._transport import SyncTransport


class Resource:
    """Some operations of one client."""

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport
