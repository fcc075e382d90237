"""How long and how often a call is tried."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._options import CallOptions

#: A wait that is longer is a mistake: milliseconds, usually.
_TIMEOUT_SECONDS_MAX = 86_400.0


@dataclass(frozen=True)
class Limits:
    """How long one try may take, the call with all its retries, and how often it is repeated."""

    timeout_seconds: float
    total_timeout_seconds: float
    max_retries: int

    def __post_init__(self) -> None:
        for name in ("timeout_seconds", "total_timeout_seconds"):
            seconds = getattr(self, name)
            if not (math.isfinite(seconds) and 0 < seconds <= _TIMEOUT_SECONDS_MAX):
                raise ValueError(f"{name} is a number of seconds above zero and up to a day.")
        retries: object = self.max_retries
        if not isinstance(retries, int) or isinstance(retries, bool) or retries < 0:
            raise ValueError("max_retries is 0 or a whole number above it.")

    def changed_by(self, options: CallOptions) -> Limits:
        """With what a call says. Raises ValueError for a time or a number that can't be one."""
        said: dict[str, Any] = {
            name: value
            for name, value in options.items()
            if name in self.__dataclass_fields__ and value is not None
        }
        return replace(self, **said)


#: What holds where neither the client nor the call says otherwise.
DEFAULT_LIMITS = Limits(
    # Longer than the service waits for a provider.
    timeout_seconds=30.0,
    # Three tries that time out, or a restart of the service waited for.
    total_timeout_seconds=90.0,
    # With waits that double from half a second on, about fifteen seconds of them.
    max_retries=5,
)
