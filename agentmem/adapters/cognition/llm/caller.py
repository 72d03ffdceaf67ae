"""One question to the model and at most one repair; the budget counts what it cost even when it was no use."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

import structlog
from pydantic_ai import Agent, ModelSettings, StructuredDict, TextOutput, ToolOutput
from pydantic_ai.exceptions import (
    IncompleteToolCall,
    ModelAPIError,
    OutputTokenLimitExceeded,
    UnexpectedModelBehavior,
    UsageLimitExceeded,
    UserError,
)
from pydantic_ai.models import Model
from pydantic_ai.usage import RunUsage, UsageLimits

from agentmem.adapters.cognition.llm.extracting import from_triples
from agentmem.adapters.cognition.llm.model_connection import LlmOptions
from agentmem.adapters.cognition.llm.output_schemas import TASKS, Json, Unusable, from_text, shaped
from agentmem.adapters.cognition.llm.prompts import Prompt, explained
from agentmem.adapters.provider import translated
from agentmem.domain.statement import Usage
from agentmem.errors import BackendUnavailable, BadAnswer
from agentmem.tracing import span

REPAIRS: Final = 1
MORE_ROOM: Final = 4
"""So many times the tokens are allowed to an answer when it was cut off: a model that thinks may need them before it
begins."""

_TOOL: Final = "answer"

Log = structlog.stdlib.BoundLogger
T = TypeVar("T")


class _CutOff(Exception):
    """The answer did not end within its tokens."""


class ModelCaller:
    """Sends prompts through pydantic-ai agents, one per task, a few at a time."""

    def __init__(self, model: Model, options: LlmOptions) -> None:
        self._name, self._timeout = options.name, options.timeout
        self._tools = options.structured == "tool"
        self._slots = asyncio.Semaphore(options.concurrency)
        self._log: Log = structlog.get_logger(__name__)
        self._model = model
        self._room = options.max_output_tokens
        self._settings = ModelSettings(
            timeout=options.timeout,
            request_timeout=options.timeout,
            max_retries=0,
        )
        self._agents: dict[str, Agent[object, Json]] = {}

    async def ask(self, prompt: Prompt, check: Callable[[Json], T]) -> tuple[T, Usage]:
        """What `check` makes of the answer, and the cost.

        Raises `BadAnswer` where neither the answer nor its one repair pass, and `BackendUnavailable`.
        """
        spent = RunUsage()
        text, reason, room = prompt.text, "", self._room
        for _ in range(1 + REPAIRS):
            answer: Json | None = None
            try:
                answer = await self._call(prompt, text, spent, room)
                return check(shaped(answer, TASKS[prompt.task].keys)), _usage(spent)
            except _CutOff:
                reason, room = explained(Unusable("form")), room * MORE_ROOM
                self._log.info("model_answer_cut_off", task=prompt.task, model=self._name)
            except Unusable as error:
                reason = explained(error)
                text = prompt.again(error, answer)
                self._log.info("model_answer_refused", task=prompt.task, model=self._name)
        raise BadAnswer(f"{self._name}: no usable answer to {prompt.task}: {reason}")

    async def _call(self, prompt: Prompt, text: str, spent: RunUsage, room: int) -> Json:
        instructions = prompt.instructions if self._tools else f"{prompt.instructions}\n{prompt.shape}"
        limits = UsageLimits(request_limit=spent.requests + 1)
        try:
            async with self._slots, asyncio.timeout(self._timeout + 1):
                with span(f"model {prompt.task}", "CLIENT", gen_ai__request__model=self._name) as asking:
                    before = _usage(spent)
                    run = await self._agent(prompt.task).run(
                        text,
                        instructions=instructions,
                        model_settings=ModelSettings(max_tokens=room),
                        usage=spent,
                        usage_limits=limits,
                    )
                    cost = _usage(spent)
                    asking.tell(
                        gen_ai__usage__input_tokens=cost.tokens_in - before.tokens_in,
                        gen_ai__usage__output_tokens=cost.tokens_out - before.tokens_out,
                    )
        except ModelAPIError as error:
            raise translated(error) from error
        except TimeoutError as error:
            raise BackendUnavailable(f"{self._name} did not answer within {self._timeout:g} s") from error
        except UserError as error:
            raise BadAnswer(f"{self._name} cannot be asked like this: {error}") from error
        except (IncompleteToolCall, OutputTokenLimitExceeded) as error:
            raise _CutOff from error
        # A ValueError is text that cannot even be decoded, a RecursionError JSON nested without end.
        except (UnexpectedModelBehavior, UsageLimitExceeded, ValueError, RecursionError) as error:
            raise Unusable("form") from error
        return run.output

    def _agent(self, task: str) -> Agent[object, Json]:
        # Built at first use: one takes 7 ms, and most processes need only the reader.
        if task not in self._agents:
            self._agents[task] = _agent(task, self._model, self._settings, tools=self._tools)
        return self._agents[task]


def _agent(task: str, model: Model, settings: ModelSettings, *, tools: bool) -> Agent[object, Json]:
    def read_text(text: str) -> Json:
        if task == "extract" and "{" not in text:
            return from_triples(text)
        return from_text(text, TASKS[task].keys)

    plain = TextOutput(read_text)
    if not tools:
        return Agent(model, output_type=plain, model_settings=settings, retries=0)
    structured = ToolOutput(StructuredDict(TASKS[task].schema, name=_TOOL), name=_TOOL, description=TASKS[task].name)
    return Agent(model, output_type=[structured, plain], model_settings=settings, retries=0)


def _usage(spent: RunUsage) -> Usage:
    return Usage(calls=spent.requests, tokens_in=spent.input_tokens, tokens_out=spent.output_tokens)
