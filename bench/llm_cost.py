"""What reading conversations with a model costs: calls and prompt tokens per message, counted with a stub.

    python bench/llm_cost.py FILE [--messages 400] [--turns 10] [--facts 0.3] [--reflect-after 6]

FILE is in LoCoMo's format. Turns are cut into windows as the workers cut them (so many turns, or the end of a
conversation). The stub states `facts` per message; a reflection asks the model after so many new observations that
several conversations told. Tokens are estimated, one per Han character and one
per four others, over everything that is sent: instructions, prompt and the form of the answer. Judging pairs is not
in it: a reading compares with what it is shown, and few windows leave others.
"""

import argparse
import asyncio
import json
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import structlog
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agentmem.adapters.cognition.llm.engine import LlmCognition
from agentmem.adapters.cognition.llm.limits import estimated_request
from agentmem.adapters.cognition.llm.model_connection import LlmOptions
from agentmem.domain.event import Person
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode, MemoryType, local_day
from agentmem.domain.statement import Reading, Turn, Window
from agentmem.ports.cognition import ReflectionInput
from agentmem.reflection.reflect import TALKS

START = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)
CONTEXT = 4
SHORT_WINDOW = 50
"""Observations one reflection looks at."""

LINE = re.compile(r"^(\d+) .+? \(\d{4}-\d\d-\d\d \w{3} \d\d:\d\d(?:; .+?)?\): (.*)$", re.MULTILINE)


@dataclass
class Stub:
    """A model that states facts at a steady rate, and what it was sent."""

    person: str
    rate: float
    calls: dict[str, int] = field(default_factory=dict[str, int])
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    owed: float = 0.0

    async def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        """Answer one call."""
        task = "read" if '"facts":' in (info.instructions or "") else "reflect"
        self.calls[task] = self.calls.get(task, 0) + 1
        self.tokens[task] = self.tokens.get(task, 0) + estimated_request(messages, ())
        return ModelResponse(parts=[TextPart(json.dumps(self._answer(task, messages)))])

    def _answer(self, task: str, messages: Sequence[ModelMessage]) -> dict[str, Any]:
        if task != "read":
            return {"insights": [], "verdicts": []}
        request = messages[-1]
        assert isinstance(request, ModelRequest)
        prompt = "".join(str(part.content) for part in request.parts if isinstance(part, UserPromptPart))
        lines = LINE.findall(prompt)
        self.owed += self.rate * len(lines)
        facts: list[dict[str, Any]] = []
        for number, text in lines[: int(self.owed)]:
            quote = " ".join(text.split()[:8])
            facts.append(
                {"text": f"{self.person} told: {quote}", "turn": int(number), "quote": quote, "mode": "stated"}
            )
        self.owed -= len(facts)
        return {"facts": facts, "names": [], "rejected": []}


def sessions(path: Path, messages: int) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Agent, person and turns of one conversation after another, up to so many messages."""
    for sample in json.loads(path.read_text("utf-8")):
        talk = sample["conversation"]
        numbers = sorted(int(key.split("_")[1]) for key in talk if re.fullmatch(r"session_\d+", key))
        for number in numbers:
            turns = talk[f"session_{number}"][:messages]
            messages -= len(turns)
            if turns:
                yield talk["speaker_a"], talk["speaker_b"], turns


def windows(agent: str, person: str, turns: list[dict[str, Any]], size: int) -> Iterator[Window]:
    """The turns of one conversation, as the workers cut them."""
    said = [
        Turn(
            turn_id=derived_id("bench", person, turn["dia_id"]),
            by_agent=turn["speaker"] == agent,
            speaker=turn["speaker"],
            text=turn["text"],
            at=START + timedelta(seconds=20 * place),
        )
        for place, turn in enumerate(turns)
    ]
    for start in range(0, len(said), size):
        yield Window(
            window_id=f"w{start}",
            agent_name=agent,
            person=Person(name=person),
            language="en",
            context=tuple(said[max(0, start - CONTEXT) : start]),
            turns=tuple(said[start : start + size]),
        )


def observations(reading: Reading, person: str, window: Window) -> list[MemoryNode]:
    """What a reading becomes, as far as reflection looks at it."""
    return [
        MemoryNode(
            memory_id=derived_id("bench", window.turns[0].turn_id, place),
            tenant="default",
            agent_id="bench",
            user_name=window.agent_name,
            target_id=derived_id("bench", person),
            target_name=person,
            memory_type=MemoryType.OBSERVATION,
            content=item.content,
            timestamp=place,
            dt=local_day(START),
            valid_at=START,
            created_at=START,
        )
        for place, item in enumerate(reading.statements)
    ]


async def run(options: argparse.Namespace) -> None:
    """Read, reflect, and print the counts."""
    stub = Stub("", options.facts)
    cognition = LlmCognition(LlmOptions(model=FunctionModel(stub, model_name="stub")))
    held: dict[str, list[MemoryNode]] = {}
    fresh: dict[str, int] = {}
    told: dict[str, int] = {}
    messages = 0
    for agent, person, turns in sessions(options.file, options.messages):
        stub.person = person
        messages += len(turns)
        known = held.setdefault(person, [])
        for window in windows(agent, person, turns, options.turns):
            found = observations((await cognition.read(window)).reading, person, window)
            known += found
            fresh[person] = fresh.get(person, 0) + len(found)
        told[person] = told.get(person, 0) + 1
        if fresh[person] >= options.reflect_after and told[person] >= TALKS:
            await reflect(cognition, agent, person, known)
            fresh[person] = told[person] = 0
    report(stub, messages, sum(map(len, held.values())))


async def reflect(cognition: LlmCognition, agent: str, person: str, known: list[MemoryNode]) -> None:
    """One reflection over the newest observations."""
    await cognition.reflect(
        ReflectionInput(
            agent_name=agent,
            person=Person(name=person),
            language="en",
            observations=tuple(known[-SHORT_WINDOW:]),
            insights=(),
        )
    )


def report(stub: Stub, messages: int, found: int) -> None:
    """Print the table."""
    print(f"{messages} messages, {found} observations ({found / messages:.2f} per message)\n")
    print("| task | calls | calls/message | prompt tokens/call | prompt tokens/message |")
    print("|---|---|---|---|---|")
    for task in (*stub.calls, "all"):
        calls = sum(stub.calls.values()) if task == "all" else stub.calls[task]
        tokens = sum(stub.tokens.values()) if task == "all" else stub.tokens[task]
        print(f"| {task} | {calls} | {calls / messages:.3f} | {tokens / calls:.0f} | {tokens / messages:.0f} |")


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--messages", type=int, default=400)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--facts", type=float, default=0.3)
    parser.add_argument("--reflect-after", type=int, default=6)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
