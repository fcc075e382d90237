"""What `events.replay` gives."""

from __future__ import annotations

from ._generated.models import EventReplay


class ReplayedEvents(EventReplay):
    """How many deliveries wait now, and where the next call goes on."""

    next_cursor: str | None
    """None at the end."""
