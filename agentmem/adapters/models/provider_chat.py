"""Any pydantic-ai model as the one that speaks.

Requests go to the model directly: pydantic-ai's own agent loop takes 6 to 10 ms of a processor for each reply, this one
0.3 ms.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from itertools import groupby
from typing import Final

import httpx2
import structlog
from pydantic_ai import ModelSettings
from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior, UserError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from agentmem.adapters.cognition.llm.limits import Breaker
from agentmem.adapters.cognition.llm.model_connection import LlmOptions, ModelBacked, open_model
from agentmem.adapters.provider import translated
from agentmem.domain.statement import Usage
from agentmem.errors import BackendUnavailable, BadAnswer, InvalidInput
from agentmem.ports.models import ChatRequest, Message, Tool
from agentmem.tracing import span

ANY_NUMBER: Final = sys.maxsize
"""Of failures in a row: a person waits for the reply, so the service is always asked."""

ELLIPSIS: Final = "…"

log = structlog.get_logger()


class PydanticAIChatModel(ModelBacked):
    """`ChatModel` by model string, or around a model of one's own. Close it with `async with` or `aclose`.

    `options.timeout` is how long the service may be silent, in seconds.
    """

    def __init__(self, options: LlmOptions) -> None:
        super().__init__(open_model(options, Breaker(ANY_NUMBER)), options)
        self._settings = ModelSettings(max_tokens=options.max_output_tokens, timeout=options.timeout)

    async def reply(self, request: ChatRequest) -> AsyncGenerator[str | Usage]:
        """See `ChatModel.reply`."""
        told = _Told(request.limits.characters)
        messages = _messages(request)
        tools = {tool.name: tool for tool in request.tools}
        spent, called = Usage(), 0
        for number in range(1, request.limits.requests + 1):
            offered = request.tools if number < request.limits.requests and called < request.limits.tool_calls else ()
            response: ModelResponse | None = None
            async with aclosing(self._pieces(messages, offered)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ModelResponse):
                        response = piece
                    elif text := told.take(piece):
                        yield text
                        if told.full:
                            return
            assert response is not None
            cost = _usage(response)
            spent = spent.plus(cost)
            yield cost
            calls = response.tool_calls
            if not calls or not offered or spent.tokens_in + spent.tokens_out > request.limits.tokens:
                break
            messages.append(response)
            allowed = request.limits.tool_calls - called
            returned = [await _carried_out(call, tools if place < allowed else {}) for place, call in enumerate(calls)]
            messages.append(ModelRequest(parts=returned, instructions=request.instructions))
            called += len(calls)
            told.part()
        if told.nothing:
            raise BadAnswer(f"{self.name} said nothing in {spent.calls} requests")

    async def _pieces(
        self, messages: Sequence[ModelMessage], tools: Sequence[Tool]
    ) -> AsyncGenerator[str | ModelResponse]:
        """The text of one answer as it comes, then the whole of it."""
        parameters = ModelRequestParameters(function_tools=[_definition(tool) for tool in tools])
        timeout = self._options.timeout
        try:
            async with AsyncExitStack() as stack:
                asking = stack.enter_context(
                    span("model talk", "CLIENT", current=False, gen_ai__request__model=self.name)
                )
                async with asyncio.timeout(timeout):
                    stream = await stack.enter_async_context(
                        model_request_stream(
                            self._opened.model,
                            messages,
                            model_settings=self._settings,
                            model_request_parameters=parameters,
                        )
                    )
                events = aiter(stream)
                while True:
                    async with asyncio.timeout(timeout):
                        event = await anext(events, None)
                    if event is None:
                        break
                    if text := _text_of(event):
                        yield text
                whole = self._whole(stream.get())
                asking.tell(
                    gen_ai__usage__input_tokens=whole.usage.input_tokens,
                    gen_ai__usage__output_tokens=whole.usage.output_tokens,
                )
                yield whole
        except ModelAPIError as error:
            raise translated(error) from error
        except httpx2.HTTPError as error:
            raise BackendUnavailable(f"{self.name} broke off ({type(error).__name__})") from error
        except TimeoutError as error:
            raise BackendUnavailable(f"{self.name} was silent for {timeout:g} s") from error
        except UserError as error:
            raise BadAnswer(f"{self.name} cannot be asked like this: {error}") from error
        except (UnexpectedModelBehavior, ValueError, RecursionError) as error:
            raise BadAnswer(f"{self.name} gave an answer that cannot be read ({type(error).__name__})") from error

    def _whole(self, response: ModelResponse) -> ModelResponse:
        if response.finish_reason == "content_filter":
            raise BadAnswer(f"{self.name} refused to answer")
        if response.state != "complete":
            raise BackendUnavailable(f"{self.name} broke off")
        return response


class _Told:
    """What was said so far, of at most so many characters; the parts before and after tools stand apart."""

    def __init__(self, most: int) -> None:
        self._most, self._length, self._parting = most, 0, ""
        self.full = False

    @property
    def nothing(self) -> bool:
        """Whether nothing that shows was said."""
        return self._length == 0

    def part(self) -> None:
        """What follows is said after tools were used."""
        self._parting = "\n\n" if self._length else ""

    def take(self, piece: str) -> str:
        """The piece as it is said, cut where it goes too far. Blanks before the first word are not said."""
        if not (self._length and not self._parting):
            piece = piece.lstrip()
        if not piece:
            return ""
        piece, self._parting = self._parting + piece, ""
        rest = self._most - self._length
        self.full = len(piece) > rest
        self._length += len(piece)
        return piece[: max(rest - 1, 0)] + ELLIPSIS if self.full else piece


def _messages(request: ChatRequest) -> list[ModelMessage]:
    """Turns of the same speaker in a row are one message: services want them to alternate."""
    found: list[ModelMessage] = []
    for by_agent, several in groupby(request.messages, _is_by_agent):
        text = "\n\n".join(message.text for message in several)
        if by_agent:
            found.append(ModelResponse(parts=[TextPart(text)]))
        else:
            found.append(ModelRequest(parts=[UserPromptPart(text)], instructions=request.instructions))
    return found


def _is_by_agent(message: Message) -> bool:
    return message.by_agent


def _definition(tool: Tool) -> ToolDefinition:
    return ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters))


def _text_of(event: object) -> str:
    match event:
        case PartStartEvent(part=TextPart(content=text)):
            return text
        case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return text
        case _:
            return ""


async def _carried_out(call: ToolCallPart, tools: Mapping[str, Tool]) -> ToolReturnPart:
    """What becomes of one call; one that cannot be carried out is told why."""
    tool = tools.get(call.tool_name)
    try:
        if tool is None:
            raise InvalidInput(f"there is no tool {call.tool_name!r} to call now")
        content = await tool.call(call.args_as_dict(raise_if_invalid=True))
    except (InvalidInput, ValueError, AssertionError) as error:
        log.info("tool_call_refused", tool=None if tool is None else tool.name, reason=type(error).__name__)
        return ToolReturnPart(call.tool_name, f"not done: {error}", tool_call_id=call.tool_call_id)
    return ToolReturnPart(call.tool_name, content, tool_call_id=call.tool_call_id)


def _usage(response: ModelResponse) -> Usage:
    cost = response.usage
    return Usage(calls=1, tokens_in=cost.input_tokens, tokens_out=cost.output_tokens)
