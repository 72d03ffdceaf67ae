"""What is traced where an SDK listens: a turn from its acceptance to the index, a recall by its stages; ids and counts,
and nobody's words."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from agentmem import tracing
from agentmem.adapters.cognition.llm.engine import LlmCognition
from agentmem.adapters.cognition.llm.model_connection import LlmOptions
from agentmem.errors import InvalidInput
from tests.fixtures.openai_server import completion, serving
from tests.support.nodes import AGENT
from tests.support.served import served
from tests.support.spine import Failing, found, quiet_persona, spine

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SECRET = "I live in Oslo with Canaryella."


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """What was done, as an exporter gets it."""
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    return exporter


def named(spans: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [span for span in spans.get_finished_spans() if span.name == name]


def trace_of(span: ReadableSpan) -> str:
    assert span.context is not None
    return f"{span.context.trace_id:032x}"


def words(spans: Sequence[ReadableSpan]) -> str:
    return "\n".join(span.to_json() for span in spans)


async def test_a_turn_is_one_trace_from_the_request_over_the_queue_to_the_index(
    tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    async with served(tmp_path) as server, server.client() as client:
        headers = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
        body = {"person": "Canaryella", "text": SECRET, "end": True}
        answer = await client.post(f"/v1/agents/{AGENT}/turns", json=body, headers=headers)
        assert answer.status_code == 202
        await server.app.drain()
    request = named(spans, "POST /v1/agents/{agent}/turns")[0]
    assert request.parent is not None
    assert (trace_of(request), f"{request.parent.span_id:016x}") == (TRACE, PARENT)
    told = {"http.request.method": "POST", "http.route": "/v1/agents/{agent}/turns", "http.response.status_code": 202}
    assert request.attributes is not None
    assert told.items() <= request.attributes.items()
    accepted = named(spans, "events.accept")[0]
    jobs = [*named(spans, "job conversation"), *named(spans, "job observation")]
    commits, projected = named(spans, "journal.commit"), named(spans, "index.project")
    assert {trace_of(span) for span in (accepted, *jobs)} == {TRACE}
    assert accepted.context is not None
    assert {span.parent and span.parent.span_id for span in jobs} == {accepted.context.span_id}
    assert TRACE in {trace_of(span) for span in commits}
    assert TRACE in {trace_of(span) for span in projected}
    assert "Canaryella" not in words(spans.get_finished_spans())
    assert "Oslo" not in words(spans.get_finished_spans())


async def test_work_of_a_later_process_belongs_to_the_trace_of_the_turn(
    tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    async with spine(tmp_path) as app:
        await app.say(AGENT, "Ben", SECRET, end=True)
    before = trace_of(named(spans, "events.accept")[0])
    async with spine(tmp_path) as app:
        await app.drain()
    assert {trace_of(span) for span in named(spans, "job conversation")} == {before}


async def test_a_turn_repeated_in_another_trace_is_the_same_turn(tmp_path: Path, spans: InMemorySpanExporter) -> None:
    async with spine(tmp_path) as app:
        first = await app.say(AGENT, "Ben", SECRET, key="once")
        again = await app.say(AGENT, "Ben", SECRET, key="once")
    assert len({trace_of(span) for span in named(spans, "events.accept")}) == 2
    assert (again.turn.duplicate, again.turn.seq) == (True, first.turn.seq)


async def test_a_recall_is_traced_by_its_stages(tmp_path: Path, spans: InMemorySpanExporter) -> None:
    async with spine(tmp_path) as app:
        await app.say(AGENT, "Ben", SECRET, end=True)
        await app.drain()
        spans.clear()
        recalled = await found(app, "Where does Canaryella live?")
    whole = named(spans, "recall")[0]
    assert whole.attributes is not None
    assert whole.attributes["hits"] == len(recalled.hits)
    stages = {span.name for span in spans.get_finished_spans() if trace_of(span) == trace_of(whole)}
    gathering = {"recall.gather", "recall.glance", "recall.embed", "recall.search"}
    assert stages >= {"recall", *gathering, "recall.rank", "recall.read"}
    assert "Canaryella" not in words(spans.get_finished_spans())


async def test_a_call_of_a_model_says_what_it_cost_and_is_part_of_its_job(
    tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    async with serving(completion({"facts": [], "names": [], "rejected": []})) as server:
        options = LlmOptions(model="openai-chat:test-model", base_url=server.base_url, api_key=None, structured="tool")
        async with LlmCognition(options) as cognition, spine(tmp_path, cognition) as app:
            await app.say(AGENT, "Ben", SECRET, end=True)
            await app.drain()
    asked = next(span for span in spans.get_finished_spans() if span.name.startswith("model "))
    assert trace_of(asked) == trace_of(named(spans, "events.accept")[0])
    assert asked.attributes is not None
    assert asked.attributes["gen_ai.usage.input_tokens"] == 120
    assert "Canaryella" not in words(spans.get_finished_spans())


async def test_what_fails_is_told_by_its_class_alone(tmp_path: Path, spans: InMemorySpanExporter) -> None:
    failing = Failing([InvalidInput("Canaryella lives there")])
    async with spine(tmp_path, failing, persona=quiet_persona()) as app:
        await app.say(AGENT, "Ben", "I live in Rome.", end=True)
        await app.drain(patience=10)
    failed = [span for span in named(spans, "job observation") if not span.status.is_ok]
    assert [dict(span.attributes or {})["error.type"] for span in failed] == ["InvalidInput"]
    assert "Canaryella" not in words(spans.get_finished_spans())


NO_TRACES = (
    *("", "00", f"00-{TRACE}-{PARENT}", f"00-{'0' * 32}-{PARENT}-01"),
    *(f"00-{TRACE}-{PARENT}-0x", f"01-{TRACE}-{PARENT}-01"),
)


@pytest.mark.parametrize("told", NO_TRACES)
async def test_what_tells_of_no_trace_begins_a_new_one(told: str, tmp_path: Path, spans: InMemorySpanExporter) -> None:
    async with served(tmp_path) as server, server.client() as client:
        answer = await client.get("/v1/agents", headers={"traceparent": told})
    assert answer.status_code == 200
    assert named(spans, "GET /v1/agents")[0].parent is None


@pytest.mark.thorough
def test_the_api_is_not_loaded_by_us_and_without_it_spans_are_nothing() -> None:
    code = """
import sys
import agentmem.runtime.composition.opening
from agentmem import tracing
with tracing.span("something", agent="ada") as doing:
    doing.tell(more=1)
    doing.fail("Nothing")
    assert tracing.traceparent() is None
print([name for name in sys.modules if name.startswith("opentelemetry")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_what_was_done_is_remembered_for_so_many(spans: InMemorySpanExporter) -> None:
    trail = tracing.SpanTrail()
    with tracing.span("one"):
        trail.leave(map(str, range(tracing.MAX_TRAIL + 10)))
    assert trail.of(["0"]) == []
    assert len(trail.of(["10", str(tracing.MAX_TRAIL)])) == 2
