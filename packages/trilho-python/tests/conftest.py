from __future__ import annotations

import pytest

from .scripted import Mode


@pytest.fixture(params=["sync", "async"])
def mode(request: pytest.FixtureRequest) -> Mode:
    """Both clients: what a test says of one holds for the other."""
    chosen: Mode = request.param
    return chosen
