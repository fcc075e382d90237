from __future__ import annotations

import pickle
import re
import traceback
from typing import Any

import httpx
import pytest

from trilho._generated.models import Warning  # noqa: A004 - the API's name
from trilho._limits import Limits
from trilho._options import AnswerInfo
from trilho.errors import (
    ApiConnectionError,
    ApiError,
    ConflictError,
    IdempotencyError,
    InvalidRequestError,
    OutcomeUnknownError,
    RateLimitError,
    ServerError,
    TrilhoError,
)

from .scripted import API_KEY, CHARGE, CREATED, OK, Answer, Mode, Script, Step, error_answer

UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
LOST = httpx.ReadError("lost")
PROXY = Answer(502, text="<html>")


class TestPost:
    def test_a_post_gets_a_random_key_another_with_each_call(self, mode: Mode) -> None:
        script = Script(mode, [OK, OK])
        script.charge()
        script.charge(idempotency_key=None)
        assert all(key and UUID4.fullmatch(key) for key in script.keys)
        assert len(set(script.keys)) == 2

    def test_a_post_is_repeated_under_the_same_key_the_callers_or_its_own(self, mode: Mode) -> None:
        steps: list[Step] = [LOST, error_answer(500, "internal"), OK]
        own = Script(mode, steps)
        own.charge()
        assert own.keys == [own.keys[0]] * 3
        given = Script(mode, steps)
        given.charge(idempotency_key="pedido-42")
        assert given.keys == ["pedido-42"] * 3
        assert {request.content for request in given.sent} == {b'{"amount":10}'}

    @pytest.mark.parametrize(
        "step",
        [
            LOST,
            httpx.ReadTimeout("late"),
            ValueError("A hook of the merchant's own client failed."),
            Answer(200, text="<html>"),
            Answer(200, text="null"),
            Answer(200, body={"success": True}),
            Answer(200, text='{"data": NaN}'),
            Answer(200, text="[" * 100_000),
            Answer(200, text=f'{{"data": 1e{"9" * 30}}}'),
            error_answer(409, "idempotency_key_running"),
            error_answer(429, "rate_limited"),
            error_answer(503, "unavailable"),
            error_answer(
                503, "unavailable", {"retry-after": "Tue, 24 Nov 99999999999 12:00:00 GMT"}
            ),
            PROXY,
        ],
    )
    def test_a_post_is_sent_again_after(self, mode: Mode, step: Step) -> None:
        script = Script(mode, [step, OK])
        assert script.charge() == CREATED["data"]
        assert len(script.sent) == 2

    @pytest.mark.parametrize(
        "step",
        [
            error_answer(400, "invalid_amount"),
            error_answer(401, "api_key_invalid"),
            error_answer(403, "withdrawals_paused"),
            error_answer(409, "reference_taken"),
            error_answer(422, "idempotency_key_reused"),
            error_answer(503, "rail_closed", {"retry-after": "1"}),
            Answer(302, headers={"location": "https://elsewhere.example.com"}),
        ],
    )
    def test_a_post_is_not_sent_again_after(self, mode: Mode, step: Answer) -> None:
        script = Script(mode, [step])
        with pytest.raises(ApiError) as caught:
            script.charge()
        assert caught.value.status == step.status
        assert len(script.sent) == 1

    def test_a_lost_post_ends_as_unknown_with_the_key_that_settles_it(self, mode: Mode) -> None:
        script = Script(mode, [LOST] * 6)
        with pytest.raises(OutcomeUnknownError, match="idempotency_key") as caught:
            script.charge(idempotency_key="pedido-42")
        assert caught.value.idempotency_key == "pedido-42"
        assert isinstance(caught.value.__cause__, ApiConnectionError)
        assert len(script.sent) == 6

    @pytest.mark.parametrize(
        ("step", "cause"),
        [
            (error_answer(500, "internal"), ServerError),
            (Answer(504, text="<html>"), ServerError),
            (error_answer(409, "idempotency_key_running"), ConflictError),
            (Answer(200, text="<html>"), ApiConnectionError),
        ],
    )
    def test_a_post_is_unknown_that_ends_with(
        self, mode: Mode, step: Step, cause: type[TrilhoError]
    ) -> None:
        with pytest.raises(OutcomeUnknownError) as caught:
            Script(mode, [step]).charge(max_retries=0)
        assert UUID4.fullmatch(caught.value.idempotency_key)
        assert type(caught.value.__cause__) is cause

    @pytest.mark.parametrize(
        "step",
        [
            error_answer(401, "api_key_invalid"),
            error_answer(403, "ip_not_allowed"),
            error_answer(503, "rail_closed"),
            Answer(404, text="<html>"),
        ],
    )
    def test_a_lost_post_stays_unknown_when_its_repetition_is_rejected_before_the_key_is_read(
        self, mode: Mode, step: Answer
    ) -> None:
        with pytest.raises(OutcomeUnknownError) as caught:
            Script(mode, [LOST, step]).charge()
        cause = caught.value.__cause__
        assert isinstance(cause, ApiError)
        assert cause.status == step.status

    def test_a_lost_post_is_known_again_once_its_repetition_is_answered(self, mode: Mode) -> None:
        with pytest.raises(InvalidRequestError) as caught:
            Script(mode, [LOST, error_answer(400, "insufficient_funds")]).charge()
        assert caught.value.code == "insufficient_funds"

    @pytest.mark.parametrize(
        "step",
        [
            httpx.ConnectError("[Errno 111] Connection refused"),
            httpx.ConnectTimeout("late"),
            httpx.PoolTimeout("full"),
            httpx.ProxyError("407"),
        ],
    )
    def test_a_post_that_was_never_sent_is_no_unknown_outcome(
        self, mode: Mode, step: Exception
    ) -> None:
        script = Script(mode, [step] * 3)
        with pytest.raises(ApiConnectionError) as caught:
            script.charge(max_retries=2)
        assert caught.value.idempotency_key == script.keys[0]
        assert type(step).__name__ in str(caught.value)
        assert len(script.sent) == 3


class TestGet:
    def test_a_get_has_no_key_and_is_repeated(self, mode: Mode) -> None:
        script = Script(mode, [LOST, error_answer(500, "internal"), OK])
        script.balance()
        assert script.keys == [None, None, None]

    @pytest.mark.parametrize(
        ("step", "error"),
        [(LOST, ApiConnectionError), (error_answer(500, "internal"), ServerError)],
    )
    def test_a_get_never_ends_as_unknown(
        self, mode: Mode, step: Step, error: type[TrilhoError]
    ) -> None:
        with pytest.raises(error):
            Script(mode, [step]).balance(max_retries=0)


class TestTime:
    def test_waits_grow_and_are_never_shorter_than_retry_after(self, mode: Mode) -> None:
        later = error_answer(429, "rate_limited", {"retry-after": "7"})
        script = Script(mode, [LOST, error_answer(503, "unavailable"), later, OK])
        script.charge()
        assert script.clock.slept == [0.375, 0.75, 7.125]

    def test_a_wait_that_would_pass_the_limit_of_the_call_is_not_begun(self, mode: Mode) -> None:
        late = Script(mode, [error_answer(429, "rate_limited", {"retry-after": "61"})])
        with pytest.raises(RateLimitError) as caught:
            late.charge()
        assert caught.value.retry_after_seconds == 61.0
        assert late.clock.slept == []
        short = Script(mode, [error_answer(429, "rate_limited")] * 6)
        with pytest.raises(RateLimitError):
            short.charge(total_timeout_seconds=2.0)
        assert short.clock.slept == [0.375, 0.75]

    def test_a_call_that_woke_up_late_sends_nothing_more(self, mode: Mode) -> None:
        script = Script(mode, [LOST])

        def oversleep() -> None:
            script.clock.passed += 3_600

        script.clock.on_sleep = oversleep
        with pytest.raises(OutcomeUnknownError):
            script.charge()

    def test_a_try_waits_as_long_as_it_may_and_never_beyond_the_call(self, mode: Mode) -> None:
        script = Script(mode, [LOST, LOST])
        with pytest.raises(OutcomeUnknownError):
            script.charge(timeout_seconds=1.0, total_timeout_seconds=1.125, max_retries=1)
        timeouts = [request.extensions["timeout"] for request in script.sent]
        assert [timeout["read"] for timeout in timeouts] == [1.0, 0.75]
        assert all(len(set(timeout.values())) == 1 for timeout in timeouts)

    def test_an_answer_that_comes_too_slowly_is_none(self, mode: Mode) -> None:
        slow = Answer(body=CREATED, slow_seconds=0.75)
        script = Script(mode, [slow, OK], Limits(1.0, 60.0, 5))
        assert script.charge() == CREATED["data"]
        assert len(script.sent) == 2

    @pytest.mark.parametrize(
        "options",
        [
            {"timeout_seconds": float("nan")},
            {"timeout_seconds": 30_000_000},
            {"total_timeout_seconds": 0},
            {"max_retries": -1},
            {"max_retries": 1.5},
            {"max_retries": True},
        ],
    )
    def test_what_is_no_limit_is_rejected(self, mode: Mode, options: dict[str, Any]) -> None:
        script = Script(mode, [])
        with pytest.raises(ValueError, match=next(iter(options))):
            script.charge(**options)
        assert script.sent == []

    @pytest.mark.parametrize("name", ["timeout", "idempotencyKey"])
    def test_an_option_that_does_not_exist_is_rejected(self, mode: Mode, name: str) -> None:
        script = Script(mode, [])
        with pytest.raises(TypeError, match=name):
            script.charge(**{name: 1})
        with pytest.raises(TypeError, match="idempotency_key"):
            script.balance(idempotency_key="x")
        assert script.sent == []


class TestInterruption:
    def test_an_interruption_passes_at_once_and_notes_the_key_of_a_post(self, mode: Mode) -> None:
        with pytest.raises(KeyboardInterrupt) as caught:
            Script(mode, [LOST, KeyboardInterrupt()]).charge(idempotency_key="pedido-42")
        assert "pedido-42" in caught.value.__notes__[0]
        with pytest.raises(KeyboardInterrupt) as caught:
            Script(mode, [KeyboardInterrupt()]).balance()
        assert not hasattr(caught.value, "__notes__")

    def test_an_interrupted_wait_sends_nothing_more(self, mode: Mode) -> None:
        script = Script(mode, [LOST])

        def interrupt() -> None:
            raise KeyboardInterrupt

        script.clock.on_sleep = interrupt
        with pytest.raises(KeyboardInterrupt) as caught:
            script.charge(idempotency_key="pedido-42")
        assert "pedido-42" in caught.value.__notes__[0]
        assert len(script.sent) == 1


class TestNotices:
    def test_on_answer_gets_what_stands_beside_the_data_and_what_it_raises_is_ignored(
        self, mode: Mode
    ) -> None:
        infos: list[AnswerInfo] = []

        def keep(info: AnswerInfo) -> None:
            infos.append(info)
            raise OSError("The log is full.")

        warnings = [{"field": "callbackURL", "message": "…", "code": "unknown_field"}]
        answer = Answer(
            body={**CREATED, "warnings": warnings}, headers={"idempotent-replayed": "true"}
        )
        script = Script(mode, [LOST, answer], on_answer=keep)
        assert script.charge(idempotency_key="k") == CREATED["data"]
        read = [Warning.model_validate(warning) for warning in warnings]
        assert infos == [AnswerInfo(CHARGE.name, 200, "req-2", "k", True, read, 2)]


class TestSecrets:
    @pytest.mark.parametrize(
        "step", [error_answer(401, "api_key_invalid"), LOST, error_answer(500, "internal"), PROXY]
    )
    def test_the_api_key_is_sent_and_in_no_error(self, mode: Mode, step: Step) -> None:
        script = Script(mode, [step])
        with pytest.raises(TrilhoError) as caught:
            script.charge(max_retries=0)
        assert [headers["x-api-key"] for headers in script.headers] == [API_KEY]
        assert API_KEY not in _everything(caught.value)
        assert all("x-api-key" not in request.headers for request in script.sent)

    def test_an_error_passes_between_processes(self, mode: Mode) -> None:
        with pytest.raises(OutcomeUnknownError) as caught:
            Script(mode, [LOST]).charge(idempotency_key="k", max_retries=0)
        copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
        assert (type(copy), str(copy), copy.idempotency_key) == (
            OutcomeUnknownError,
            str(caught.value),
            "k",
        )
        details = [{"field": "amount", "code": "changed", "message": "…"}]
        step = Answer(422, {"code": "idempotency_key_reused", "details": details})
        with pytest.raises(IdempotencyError) as rejected:
            Script(mode, [step]).charge()
        assert rejected.value.details[0].field == "amount"
        copied = pickle.loads(pickle.dumps(rejected.value))  # noqa: S301 - our own bytes
        assert vars(copied) == vars(rejected.value)


def _everything(error: BaseException) -> str:
    """What programs that report errors see: the whole chain, with the variables of its frames."""
    report = traceback.TracebackException.from_exception(error, capture_locals=True)
    return "".join(report.format()) + repr(vars(error)) + repr(vars(error.__cause__ or error))
