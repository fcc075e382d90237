"""What the test puts around the README's examples: one line of JSON a step, after a `@`."""

import json
import time
from typing import Any

from trilho import Trilho

WAIT_SECONDS = 20


def report(step: str, **values: Any) -> None:
    print(f"@{json.dumps({'step': step, **values}, default=str)}", flush=True)


def until_paid(trilho: Trilho, transaction_id: str) -> None:
    """Reports a charge, which the test then pays, and waits until it is."""
    report("charged", transactionId=transaction_id)
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        if trilho.transactions.status(transaction_id, "pix_in").paid_at is not None:
            return
        time.sleep(0.05)
    raise TimeoutError(f"The charge was not paid in {WAIT_SECONDS} s.")
