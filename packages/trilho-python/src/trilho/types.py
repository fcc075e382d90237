"""
What is sent (`…Body`, `…Query`) and what comes, under the names that the API's document has.
"""

from ._generated import models as _models
from ._generated import params as _params
from ._generated.models import *  # noqa: F403
from ._generated.params import *  # noqa: F403
from ._replayed_events import ReplayedEvents

__all__ = ["ReplayedEvents"]
__all__ += _models.__all__
__all__ += _params.__all__
