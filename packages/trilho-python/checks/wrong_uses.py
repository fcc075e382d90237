"""What the types must reject: mypy fails when one of these lines is right. Nobody runs this."""

from trilho import AsyncTrilho, Trilho, verify_webhook
from trilho.types import PixInEvent

trilho = Trilho(base_url="https://pay.example.com", api_key="tr_test_x")

# A client needs an address.
Trilho(api_key="tr_test_x")  # type: ignore[call-arg]
# No option is called timeout.
Trilho(base_url="https://pay.example.com", api_key="tr_test_x", timeout=3)  # type: ignore[call-arg]
# No field is called amout.
trilho.charges.create({"amout": 10})  # type: ignore[typeddict-item, typeddict-unknown-key]
# An amount is a number.
trilho.charges.create({"amount": "10"})  # type: ignore[typeddict-item]
# A withdrawal needs a key.
trilho.withdrawals.pix({"amount": 10, "pixKeyType": "EVP"})  # type: ignore[typeddict-item]
# A status query is of two kinds only.
trilho.transactions.status("x", "pix")  # type: ignore[arg-type]
# A page's size is a number.
trilho.transactions.list({"limit": "10"})  # type: ignore[arg-type]
# A statement needs its days.
trilho.statement.list()  # type: ignore[call-arg]
# A GET has no idempotency key.
trilho.balance.get(idempotency_key="x")  # type: ignore[call-arg]
# A balance has no such member.
trilho.balance.get().total_balance  # type: ignore[attr-defined]
# An amount is no float.
total: float = trilho.balance.get().available_balance  # type: ignore[assignment]


async def never(client: AsyncTrilho) -> None:
    # It has to be awaited.
    client.balance.get().available_balance  # type: ignore[attr-defined]
    for _ in client.transactions.list():  # type: ignore[attr-defined]
        pass


event = verify_webhook(b"", {}, "whsec_")
# Which event it is has to be known first.
event.data.transaction_id  # type: ignore[union-attr]
if isinstance(event, PixInEvent):
    event.data.transaction_id
