from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email.message import Message
from typing import Any

import httpx
import pytest

from trilho._generated.models import EVENT_CLASSES, PixInEvent, UnknownEvent
from trilho._webhooks import verify_webhook
from trilho.errors import WebhookVerificationError

#: The vector of the standard's own libraries.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105 - the standard's example
OTHER_SECRET = f"whsec_{base64.b64encode(bytes([7] * 32)).decode()}"
MESSAGE_ID = "msg_p5jXN8AQM9LWM0D4loKWxJek"
SENT_AT = 1_614_265_330
NOW = datetime.fromtimestamp(SENT_AT, UTC)
BODY = (
    '{"id": "evt_1", "type": "pix_in.paid", '
    '"data": {"amount": 131072.01, "description": "São José"}}'
)


def sign(body: str, secret: str, message_id: str = MESSAGE_ID) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{message_id}.{SENT_AT}.{body}".encode(), "sha256")
    return f"v1,{base64.b64encode(digest).decode()}"


def headers_of(body: str = BODY, secret: str = SECRET, **others: str) -> dict[str, str]:
    headers = {
        "id": MESSAGE_ID,
        "timestamp": str(SENT_AT),
        "signature": sign(body, secret),
        **others,
    }
    return {f"webhook-{name}": value for name, value in headers.items()}


def verify(body: bytes | str, headers: Any, secrets: Any = SECRET, **options: Any) -> Any:
    return verify_webhook(body, headers, secrets, **{"now": NOW, **options})


class TestVector:
    """The signature that the standard publishes of a body that is no event."""

    HEADERS = headers_of(signature="v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")

    def test_the_signature_of_the_standards_vector_is_right(self) -> None:
        with pytest.raises(WebhookVerificationError, match="no event"):
            verify('{"test": 2432232314}', self.HEADERS)

    def test_the_signature_of_the_standards_vector_is_wrong_for_another_body(self) -> None:
        with pytest.raises(WebhookVerificationError, match="No signature"):
            verify('{"test": 2432232315}', self.HEADERS)


class TestGenuine:
    @pytest.mark.parametrize("body", [BODY, BODY.encode(), bytearray(BODY.encode())])
    def test_a_webhook_gives_its_event_with_exact_amounts(self, body: bytes | str) -> None:
        event = verify(body, headers_of())
        assert isinstance(event, PixInEvent)
        assert (event.data.amount, event.data.description) == (Decimal("131072.01"), "São José")

    def test_any_form_of_headers_is_read(self) -> None:
        lower = headers_of()
        message = Message()
        for name, value in lower.items():
            message[name.title()] = value

        class Framework:
            def items(self) -> Iterator[tuple[str, str]]:
                return iter([("Host", "x"), *lower.items()])

        for headers in [
            httpx.Headers(lower),
            {name.upper(): value for name, value in lower.items()},
            {name: [value] for name, value in lower.items()},
            list(lower.items()),
            [(name.encode(), value.encode()) for name, value in lower.items()],
            message,
            Framework(),
        ]:
            assert verify(BODY, headers).id == "evt_1"

    def test_any_signature_and_any_secret_fits_while_one_is_being_replaced(self) -> None:
        both = f"v1,bm90 v2,x v1,* {sign(BODY, OTHER_SECRET)} {sign(BODY, SECRET)}"
        assert verify(BODY, headers_of(signature=both)).id == "evt_1"
        assert verify(BODY, headers_of(), [OTHER_SECRET, SECRET]).id == "evt_1"
        assert verify(BODY, headers_of(), (secret for secret in [SECRET])).id == "evt_1"

    def test_an_event_is_read_as_what_its_type_says_and_a_newer_one_as_unknown(self) -> None:
        for event_type, model in [*EVENT_CLASSES.items(), ("pix_in.netted", UnknownEvent)]:
            body = BODY.replace("pix_in.paid", event_type)
            event = verify(body, headers_of(body))
            assert type(event) is model
            assert event.type == event_type
        assert event.data == {"amount": Decimal("131072.01"), "description": "São José"}


class TestForged:
    @pytest.mark.parametrize(
        ("what", "change"),
        [
            ("another body", {"body": BODY.replace("131072.01", "131072.02")}),
            ("another id", {"headers": headers_of(id="msg_2")}),
            ("another time", {"headers": headers_of(timestamp=str(SENT_AT + 1))}),
            ("another secret", {"secrets": OTHER_SECRET}),
            ("no signature", {"headers": headers_of(signature="")}),
            (
                "another version",
                {"headers": headers_of(signature=sign(BODY, SECRET).replace("1", "2", 1))},
            ),
            ("a cut signature", {"headers": headers_of(signature=sign(BODY, SECRET)[:-8])}),
            ("an empty signature", {"headers": headers_of(signature="v1,")}),
            (
                "too many signatures",
                {"headers": headers_of(signature="v1,bm90 " * 10 + sign(BODY, SECRET))},
            ),
            ("no id", {"headers": headers_of(id="")}),
            ("no time", {"headers": headers_of(timestamp="")}),
            ("a time that is none", {"headers": headers_of(timestamp="1e9")}),
            ("a time in other digits", {"headers": headers_of(timestamp="١٦١٤٢٦٥٣٣٠")}),
            ("no headers", {"headers": {}}),
            ("a body of bytes that are no text, as aiohttp reads them", {"body": "\udcff"}),
            ("an id of such bytes", {"headers": headers_of(id="\udcff")}),
            ("a signature of such bytes", {"headers": headers_of(signature="v1,\udcff")}),
        ],
    )
    def test_a_webhook_is_rejected_with(self, what: str, change: dict[str, Any]) -> None:
        given = {"body": BODY, "headers": headers_of(), **change}
        with pytest.raises(WebhookVerificationError):
            verify(**given)
        assert what

    def test_an_id_with_a_point_would_let_one_signature_fit_two_messages(self) -> None:
        headers = headers_of(id="msg_1.2", signature=sign(BODY, SECRET, "msg_1.2"))
        with pytest.raises(WebhookVerificationError, match="webhook-id"):
            verify(BODY, headers)

    def test_a_webhook_older_or_newer_than_the_tolerance_is_rejected(self) -> None:
        def at(seconds: int, **options: Any) -> Any:
            return verify(BODY, headers_of(), now=NOW + timedelta(seconds=seconds), **options)

        for seconds in (300, -300):
            assert at(seconds).id == "evt_1"
        for seconds in (301, -301):
            with pytest.raises(WebhookVerificationError):
                at(seconds)
        assert at(301, tolerance_seconds=600).id == "evt_1"
        with pytest.raises(WebhookVerificationError):
            at(31, tolerance_seconds=30)

    @pytest.mark.parametrize("body", ["[]", "null", '{"id": "x"}', '{"type": 7}', "\ud800", "{"])
    def test_a_signed_body_that_is_no_event_is_rejected(self, body: str) -> None:
        raw = body.encode(errors="surrogatepass")
        key = base64.b64decode(SECRET.removeprefix("whsec_"))
        digest = hmac.digest(key, f"{MESSAGE_ID}.{SENT_AT}.".encode() + raw, "sha256")
        signature = f"v1,{base64.b64encode(digest).decode()}"
        with pytest.raises(WebhookVerificationError, match="no event"):
            verify(raw, headers_of(signature=signature))


class TestMistakes:
    @pytest.mark.parametrize(
        "secret", ["", "whsec_", "whsec_c2hvcnQ=", "whsec_não é base64", f"whsec_{'A' * 200}"]
    )
    def test_what_is_no_secret_is_an_error_of_the_program_which_does_not_repeat_it(
        self, secret: str
    ) -> None:
        with pytest.raises(ValueError, match="24 to 64 bytes") as caught:
            verify(BODY, headers_of(), secret)
        assert secret == "" or secret not in str(caught.value).replace("whsec_ and", "")

    @pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
    def test_what_is_no_tolerance_is_an_error_of_the_program(self, seconds: float) -> None:
        with pytest.raises(ValueError, match="tolerance_seconds"):
            verify(BODY, headers_of(), tolerance_seconds=seconds)

    def test_without_a_secret_nothing_is_verified(self) -> None:
        with pytest.raises(ValueError, match="Without a secret"):
            verify(BODY, headers_of(), [])

    def test_a_body_that_was_parsed_and_written_again_is_not_the_one_that_was_signed(self) -> None:
        with pytest.raises(WebhookVerificationError, match="No signature"):
            verify(json.dumps(json.loads(BODY)), headers_of())
