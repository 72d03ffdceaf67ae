"""What comes in by files, frameworks, models and the command line meets the same bounds as what is handed in."""

import json
import math
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from langgraph.store.base import GetOp, ListNamespacesOp, PutOp, SearchOp
from pydantic_ai.models.function import FunctionModel

from agentmem.adapters.embedder.cached import unit_rows
from agentmem.agents.bundle.foreign.loose_json import moment
from agentmem.errors import BackendUnavailable, BadAnswer, InvalidInput
from agentmem.interfaces.integrations.langgraph import AgentmemStore
from agentmem.interfaces.integrations.openai_agents import MemorySession
from agentmem.interfaces.python.async_memory import AsyncMemory
from tests.attacks.test_entrances import goes_on, stored, tried
from tests.integration.test_talk import chatting, told
from tests.support import refused
from tests.support.bundles import make_source, rewritten
from tests.support.callers import wrong_for
from tests.support.cli import agentmem
from tests.support.nodes import AGENT
from tests.support.spine import quick_settings, spine

MOMENTS = [at.isoformat() for name, at in refused.TIMES.items() if name != "in a zone that fails"]
NUMBERS = [number for name, number in refused.INTS.items() if name != "no text either"]
IN_A_FILE: list[dict[str, object]] = [
    *({"validAt": at} for at in MOMENTS),
    *({"lastAccess": at} for at in MOMENTS),
    *({"timestamp": number} for number in NUMBERS),
    *({"metaData": {"order": number}} for number in NUMBERS),
    {"metaData": {"x": refused.JSON["too deep"]}},
    {"importance": True},
    {"latitude": math.nan, "longitude": 1.0},
    {"content": "a\x00b"},
]
"""Fields of a memory, as a bundle may say them."""


@pytest.mark.thorough
async def test_a_bundle_with_what_no_store_holds_is_refused_whole(tmp_path: Path) -> None:
    await make_source(tmp_path)
    file = tmp_path / "hostile.zip"
    async with spine(tmp_path / "there") as there:
        before = stored(tmp_path / "there")
        for fields in IN_A_FILE:

            def change(rows: list[dict[str, Any]], fields: dict[str, object] = fields) -> None:
                next(row["after"] for row in reversed(rows) if "after" in row).update(fields)

            file.write_bytes(rewritten(tmp_path / "seller.zip", change))
            with pytest.raises(InvalidInput, match=r"hostile\.zip: ledger-0001\.jsonl:\d+: "):
                await there.bundles.import_(file, agent_id="twin")
            assert stored(tmp_path / "there") == before, fields
        await goes_on(there)


@pytest.mark.parametrize("at", [*MOMENTS, *NUMBERS, "9" * 400])
async def test_a_time_in_a_foreign_file_that_cannot_be_kept_is_no_time(at: object, tmp_path: Path) -> None:
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps([{"memory": "likes tea", "user_id": "Tom", "created_at": at}]), encoding="utf-8")
    async with spine(tmp_path) as app:
        assert (await app.bundles.import_(file, agent_id="twin")).memories == 1
        await goes_on(app)


def test_a_number_that_is_no_time_is_none() -> None:
    assert [moment(number) for number in (*NUMBERS, math.nan, math.inf, True)] == [None] * (len(NUMBERS) + 3)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e308, 10**400, None, "x", [1.0]])
def test_a_vector_of_what_is_no_number_is_an_outage_of_its_model(value: object) -> None:
    with pytest.raises(BackendUnavailable, match="sent vectors"):
        unit_rows(cast(Any, [[0.5, value]]), rows=1, size=2, name="a model")
    assert np.isfinite(unit_rows([[0.0, 0.0]], rows=1, size=2, name="a model")).all()


@pytest.mark.parametrize("said", ["half \ud800", "a\x00b"])
async def test_what_a_chat_model_says_and_nobody_can_keep_is_a_bad_answer(said: str, tmp_path: Path) -> None:
    async def speak(messages: Any, info: Any) -> AsyncIterator[str]:
        yield said

    async with spine(tmp_path, speaks=chatting(FunctionModel(stream_function=speak))) as app:
        with pytest.raises(BadAnswer, match="cannot be kept"):
            await told(app, "hello")
        await goes_on(app)


async def test_a_session_takes_or_refuses_whatever_it_is_given(tmp_path: Path) -> None:
    async with AsyncMemory(quick_settings(tmp_path)) as memory:
        session = MemorySession(memory, "one", user_id="Tom", agent_id=AGENT)
        for wrong in wrong_for(str):
            for field in ("session_id", "user_id", "agent_id"):
                given = {"session_id": "one", "user_id": "Tom", "agent_id": AGENT, field: wrong.value}
                await tried(lambda: MemorySession(memory, **cast(Any, given)), wrong, f"MemorySession.{field}")  # noqa: B023 - called at once
            item = {"role": "user", "content": wrong.value}
            before = stored(tmp_path)
            if await tried(lambda: session.add_items([cast(Any, item)]), wrong, "MemorySession.add_items"):  # noqa: B023 - called at once
                assert stored(tmp_path) == before, wrong.name
        for wrong in wrong_for(int):
            await tried(lambda: session.get_items(cast(Any, wrong.value)), wrong, "MemorySession.get_items")  # noqa: B023 - called at once
        await memory.flush()
        await goes_on(memory.app)


async def test_a_store_takes_or_refuses_whatever_it_is_given(tmp_path: Path) -> None:
    async with AsyncMemory(quick_settings(tmp_path)) as memory:
        store = AgentmemStore(memory, agent_id=AGENT)
        for wrong in wrong_for(str):
            value = cast(Any, wrong.value)
            for op in (
                PutOp(("Tom",), value, {"text": "x"}),
                PutOp(("Tom", value), "k", {"text": "x"}),
                PutOp(("Tom",), "k", {"text": value}),
                PutOp(("Tom",), "k", value),
                GetOp(("Tom",), value),
                GetOp((value,), "k"),
                SearchOp(("Tom",), query=value),
                SearchOp(("Tom",), filter={"text": value}),
                SearchOp(("Tom",), limit=value),
                SearchOp(("Tom",), offset=value),
                ListNamespacesOp(limit=value),
            ):
                before = stored(tmp_path)
                loose = type(wrong)(wrong.name, wrong.value, never=False)
                if await tried(lambda: store.abatch([op]), loose, type(op).__name__):  # noqa: B023 - called at once
                    assert stored(tmp_path) == before, (type(op), wrong.name)
        for name, value in refused.JSON.items():
            with pytest.raises(InvalidInput, match=r"^[^\n]+$"):
                await store.abatch([PutOp(("Tom",), name, cast(Any, value))])
        await goes_on(memory.app)


COMMAND_LINE = [
    (["say", AGENT, "--from", "\udcff", "hello"], 2),
    (["say", AGENT, "--from", "Tom", "\udcff"], 2),
    (["recall", "x", "--agent", AGENT, "-k", "9" * 30], 2),
    (["recall", "x", "--agent", AGENT, "--as-of", "0001-01-01T00:00:00+14:00"], 2),
    (["recall", "x", "--agent", AGENT, "--known-at", "9999-12-31T23:59:59.999999+00:00"], 2),
    (["recall", "x", "--agent", AGENT, "--filter", '{"metaData.order": 1' + "0" * 400 + "}"], 2),
    (["queue", "--set", "workers.heartbeat=1e99"], 2),
    (["queue", "--set", "tenant=\udcff"], 2),
    (["queue", "--tenant", "\udcff"], 2),
]


@pytest.mark.parametrize(("line", "code"), COMMAND_LINE)
def test_what_is_typed_is_within_the_same_bounds(line: list[str], code: int, tmp_path: Path) -> None:
    ran = agentmem(*line, "--data", tmp_path / "d")
    assert (ran.code, ran.err.count("\n")) == (code, 1), ran.err
    assert ran.err.startswith("agentmem: ")


def test_a_file_whose_name_is_no_text_is_refused_and_the_others_are_taken(tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "good.md").write_text("# Prices\n\nA bike costs 300.\n", encoding="utf-8")
    Path(os.fsdecode(os.fsencode(documents) + b"/\xff.md")).write_text("x", encoding="utf-8")
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / f"{AGENT}.yaml").write_text(f"{{id: {AGENT}, name: A}}", encoding="utf-8")
    ran = agentmem(
        *("ingest", documents, "--agent", AGENT, "--json", "--data", tmp_path / "d"),
        *("--set", f"personas={tmp_path / 'personas'}"),
    )
    assert len(ran.json["received"]) == 1
    assert "surrogate" in ran.json["refused"][0]["reason"]
