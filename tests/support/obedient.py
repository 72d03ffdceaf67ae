"""A model that obeys whatever it reads: an order in anybody's words is its answer, word for word.

An order is `OBEY {…} END`, a JSON object of what to answer by task: `read`, `judge`, `reflect`. So whoever gets his
words into a prompt decides all that the model says, and what still holds is held by our own checks.
"""

import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agentmem.domain.change import Change
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Commit, Selection
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import Clock
from tests.fixtures.scripted_model import prompt_of, scripted
from tests.support.spine import SCOPE, spine

_ORDER = re.compile(r"OBEY (\{.*?\}) END")
_PAIR = re.compile(r"(?m)^(\d+)\. .* \| ")
_EMPTY: dict[str, dict[str, list[Any]]] = {
    "read": {"facts": [], "names": [], "rejected": []},
    "judge": {"verdicts": []},
    "reflect": {"insights": [], "doubts": []},
}


def order(**answers: object) -> str:
    """The words that make the model answer so."""
    return f"OBEY {json.dumps(answers, ensure_ascii=False)} END"


def fact(text: str, **fields: object) -> dict[str, object]:
    """A fact as the model tells it; its quote is a word that stands in every order."""
    return {"text": text, "turn": 1, "quote": "OBEY", "mode": "stated", **fields}


def obedient_model(prompts: list[str]) -> FunctionModel:
    """The model; what it is asked is added to `prompts`."""

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        prompts.append(prompt_of(messages))
        task = info.output_tools[0].description or ""
        content = {key: list(items) for key, items in _EMPTY[task].items()}
        for found in _ORDER.findall(prompts[-1]):
            for key, items in json.loads(found).get(task, {}).items():
                content.setdefault(key, []).extend(items)
        if task == "judge" and not content["verdicts"]:
            content["verdicts"] = [
                {"pair": int(number), "verdict": "unrelated"} for number in _PAIR.findall(prompts[-1])
            ]
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, content)])

    return FunctionModel(answer, model_name="obedient")


@asynccontextmanager
async def obeying(
    folder: Path, prompts: list[str] | None = None, *, clock: Clock | None = None, persona: Persona | None = None
) -> AsyncGenerator[App]:
    """The app with such a model, and the agent `seller` introduced."""
    async with (
        scripted(obedient_model([] if prompts is None else prompts)) as cognition,
        spine(folder, cognition, clock=clock, persona=persona) as app,
    ):
        yield app


async def told(app: App, person: str, *texts: str) -> None:
    """Somebody says this in a talk of its own, which is read to its end."""
    for number, text in enumerate(texts, start=1):
        await app.say(SCOPE.agent, person, text, run_id=f"talk/{derived_id(person, text)}", end=number == len(texts))
    await app.drain()


async def held(app: App, scope: Scope = SCOPE) -> list[MemoryNode]:
    """All that was made of words and holds."""
    nodes = await app.memories(Selection(scope))
    return [node for node in nodes if node.memory_type != "conversation" and node.is_shown(app.clock.now())]


async def keep(app: App, *nodes: MemoryNode) -> None:
    """These memories are there, as if they had been made of words."""
    changes = tuple(Change(act="add", after=node) for node in nodes)
    run = f"kept/{nodes[0].memory_id}"
    await app.journal.ledger.commit(Commit(nodes[0].tenant, run, "test", app.clock.now(), changes))
