"""An outage is probed and not hammered; a budget puts calls off and loses none."""

from datetime import UTC, datetime, timedelta

import pytest
from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError, ModelRequestRejectedError, ModelServerError
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from agentmem.adapters.cognition.llm.engine import LlmCognition
from agentmem.adapters.cognition.llm.limits import Breaker, TokenBudget, estimated, shortened
from agentmem.adapters.cognition.llm.model_connection import LlmOptions
from agentmem.errors import BackendUnavailable, BadAnswer
from tests.fixtures.windows import window

EMPTY = '{"facts": [], "names": [], "rejected": []}'


class Hands:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return datetime(2026, 3, 5, 12, 0, tzinfo=UTC) + timedelta(seconds=self.seconds - 1_000)


def outage() -> ModelAPIError:
    return ModelHTTPError.for_category(ModelServerError, status_code=500, model_name="m")


class Service:
    """A model that fails as long as it is told to, and counts its calls."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error, self.calls = error, 0

    async def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.calls += 1
        if self.error is not None:
            raise self.error
        usage = RequestUsage(input_tokens=900, output_tokens=100)
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, EMPTY)], usage=usage)


def engine(
    service: Service, hands: Hands, *, per_minute: int | None = None, per_day: int | None = None
) -> LlmCognition:
    options = LlmOptions(
        model=FunctionModel(service, model_name="m"),
        structured="tool",
        concurrency=2,
        max_output_tokens=500,
        tokens_per_minute=per_minute,
        tokens_per_day=per_day,
    )
    return LlmCognition(options, now=hands.now, monotonic=hands.monotonic)


async def unavailable(cognition: LlmCognition) -> BackendUnavailable:
    with pytest.raises(BackendUnavailable) as caught:
        await cognition.read(window())
    return caught.value


@pytest.mark.thorough
async def test_ten_minutes_of_outage_cost_ten_calls_and_one_probe_per_half_minute() -> None:
    hands, service = Hands(), Service(outage())
    cognition = engine(service, hands)
    error = await unavailable(cognition)
    for _ in range(600):
        hands.seconds += 1
        error = await unavailable(cognition)
    assert service.calls <= 10 + 600 / 30
    assert error.retry_after is not None
    assert 0 < error.retry_after <= 30


async def test_the_first_answer_after_an_outage_closes_the_circuit() -> None:
    hands, service = Hands(), Service(outage())
    cognition = engine(service, hands)
    for _ in range(20):
        await unavailable(cognition)
    service.error = None
    hands.seconds += 31
    before = service.calls
    for _ in range(5):
        await cognition.read(window())
    assert service.calls == before + 5


async def test_a_request_the_service_refuses_is_a_bad_answer_and_no_outage() -> None:
    refusal = ModelHTTPError.for_category(ModelRequestRejectedError, status_code=400, model_name="m", body="the talk")
    hands, service = Hands(), Service(refusal)
    cognition = engine(service, hands)
    for _ in range(15):
        with pytest.raises(BadAnswer, match="HTTP 400") as caught:
            await cognition.read(window())
        assert "the talk" not in str(caught.value)
    assert service.calls == 15


async def test_no_probe_goes_out_before_the_wait_the_service_named() -> None:
    hands = Hands()
    breaker = Breaker(1, monotonic=hands.monotonic)
    breaker.failed(BackendUnavailable("busy", retry_after=120))
    hands.seconds += 119
    with pytest.raises(BackendUnavailable) as caught:
        breaker.admit()
    assert caught.value.retry_after == pytest.approx(1)
    hands.seconds += 1
    breaker.admit()


async def test_retry_after_of_the_service_reaches_the_caller() -> None:
    error = ModelHTTPError(429, "m", headers={"Retry-After": "17"})
    assert (await unavailable(engine(Service(error), Hands()))).retry_after == 17


@pytest.mark.parametrize("asked", ["99999999999", "Wed, 21 Oct 2099 07:28:00 GMT"])
async def test_no_service_keeps_work_waiting_for_years(asked: str) -> None:
    hands, service = Hands(), Service(ModelHTTPError(429, "m", headers={"Retry-After": asked}))
    cognition = engine(service, hands)
    for _ in range(12):
        assert (await unavailable(cognition)).retry_after == pytest.approx(3_600, abs=1)
    hands.seconds += 3_601
    service.error = None
    await cognition.read(window())


async def test_over_the_daily_cap_calls_wait_for_the_next_day() -> None:
    hands, service = Hands(), Service()
    cognition = engine(service, hands, per_day=4_300)
    for _ in range(3):
        await cognition.read(window())
    error = await unavailable(cognition)
    assert error.retry_after == pytest.approx(12 * 3_600)
    hands.seconds += 12 * 3_600
    await cognition.read(window())
    assert service.calls == 4


async def test_over_the_cap_per_minute_calls_wait_for_the_next_minute() -> None:
    hands, service = Hands(), Service()
    cognition = engine(service, hands, per_minute=2_300)
    await cognition.read(window())
    hands.seconds += 20
    assert (await unavailable(cognition)).retry_after == pytest.approx(40)
    hands.seconds += 40
    await cognition.read(window())


async def test_a_failed_call_gives_its_reservation_back() -> None:
    hands, service = Hands(), Service(outage())
    cognition = engine(service, hands, per_day=3_000)
    for _ in range(5):
        await unavailable(cognition)
    service.error = None
    await cognition.read(window())


async def test_a_cap_below_one_call_lets_one_call_through_per_period() -> None:
    hands, service = Hands(), Service()
    cognition = engine(service, hands, per_minute=10)
    await cognition.read(window())
    await unavailable(cognition)
    hands.seconds += 60
    await cognition.read(window())
    assert service.calls == 2


def test_what_was_spent_before_a_restart_still_counts() -> None:
    budget = TokenBudget(per_day=1_000, now=Hands().now, spent_today=950)
    with pytest.raises(BackendUnavailable, match="1000 tokens per day"):
        budget.reserve(100)


def test_the_key_of_the_model_never_shows() -> None:
    from_settings = LlmOptions(model="openai:gpt-test", api_key=None)
    assert "api_key" not in repr(from_settings)


def test_han_characters_count_one_and_four_latin_letters_one() -> None:
    assert estimated("社保系统") == 4
    assert estimated("abcdefgh") == 2
    assert estimated(shortened("社保 system " * 500, 100)) <= 101


async def test_an_answer_that_was_cut_off_gets_more_room_once() -> None:
    rooms: list[object] = []

    async def thinking(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        rooms.append((info.model_settings or {}).get("max_tokens"))
        if len(rooms) == 1:
            return ModelResponse(parts=[], finish_reason="length")
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, EMPTY)])

    options = LlmOptions(model=FunctionModel(thinking), structured="tool", max_output_tokens=500)
    async with LlmCognition(options) as cognition:
        read = await cognition.read(window())
    assert read.usage.calls == 2
    assert rooms == [500, 2_000]
