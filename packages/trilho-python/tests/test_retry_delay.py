from __future__ import annotations

import pytest

from trilho._retry_delay import parse_retry_after, retry_delay

from .scripted import NOW


def test_waits_double_up_to_a_cap_and_at_least_half_of_each_is_waited() -> None:
    retries = [0, 1, 2, 3, 4, 5, 10_000]
    longest = [retry_delay(retry, None, 1.0) for retry in retries]
    assert longest == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    assert [retry_delay(retry, None, 0.0) for retry in retries] == [half / 2 for half in longest]


def test_retry_after_is_never_undercut() -> None:
    assert all(retry_delay(0, 3.0, random) >= 3.0 for random in (0.0, 0.5, 1.0))
    assert retry_delay(4, 1.0, 1.0) == 8.0


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("5", 5.0),
        (" 5", 5.0),
        ("0", 0.0),
        ("Tue, 24 Nov 2026 12:00:10 GMT", 10.0),
        ("Tue, 24 Nov 2026 12:00:10 -0000", 10.0),
        ("Tue, 24 Nov 2026 11:00:00 GMT", 0.0),
        ("Tue, 99 Nov 2026 11:00:00 GMT", None),
        ("Tue, 24 Nov 99999999999 11:00:00 GMT", None),
        ("soon", None),
        ("", None),
        ("-5", None),
        ("\u0665", None),
        (None, None),
    ],
)
def test_retry_after_is_read(header: str | None, seconds: float | None) -> None:
    assert parse_retry_after(header, NOW) == seconds
