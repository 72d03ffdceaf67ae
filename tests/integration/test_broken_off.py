"""A command handed to the process that holds the index, in which something is broken off that nobody asked to end, or
which that process cannot do."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agentmem.interfaces.cli.listening import listening
from agentmem.interfaces.cli.through import NAME, reachable
from tests.fixtures.talking_model import chatting
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import spine

pytestmark = pytest.mark.usefixtures("embedded_index")


async def _broken_off(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[str]:
    yield "I was about to"
    raise asyncio.CancelledError


async def handed_over(file: Path, line: str) -> list[dict[str, Any]]:
    """What comes back when a talk is asked for and this is said in it."""
    given = {"persona": AGENT, "speaker": "Tom", "title": None}
    request = {
        "action": "agentmem.interfaces.cli.commands.chat:chat",
        "given": given,
        "tenant": TENANT,
        "principal": None,
        "personas": str(file.parent),
        "timezone": "UTC",
        "json": True,
        "reads": False,
        "asks": True,
        "terminal": False,
        "width": 80,
        "colours": False,
    }
    with reachable(file) as name:
        reader, writer = await asyncio.open_unix_connection(name)
    frames: list[dict[str, Any]] = []
    try:
        writer.write(json.dumps(request).encode() + b"\n")
        while answer := await asyncio.wait_for(reader.readline(), 30):
            frames.append(json.loads(answer))
            if "ask" in frames[-1]:
                writer.write(line.encode() + b"\n")
    finally:
        writer.close()
    return frames


async def test_whoever_asked_is_told_so_with_a_code(tmp_path: Path) -> None:
    speaks = chatting(FunctionModel(stream_function=_broken_off, model_name="speaker"))
    async with spine(tmp_path, speaks=speaks) as app, listening(app, app.settings):
        frames = await handed_over(app.settings.data / NAME, "hello")
    assert frames[-1] == {"code": 4}
    told = json.loads("".join(frame.get("out", "") for frame in frames))
    assert told["error"]["kind"] == "BackendUnavailable"
    assert "broken off" in told["error"]["message"]


async def test_who_asks_for_a_talk_where_no_model_is_configured_is_told_what_to_do(tmp_path: Path) -> None:
    async with spine(tmp_path) as app, listening(app, app.settings):
        frames = await handed_over(app.settings.data / NAME, "hello")
    assert frames[-1] == {"code": 3}
    told = json.loads("".join(frame.get("out", "") for frame in frames))["error"]["message"]
    assert "set chat_model in config.yaml" in told
    assert told.endswith("then start the process anew that answers here")
