"""What chat programs speak: a model is an agent, `user` the person. The agent remembers, so of the messages only what
the person said last is heard; what else a program sends along, such as a system prompt, says nothing to it.
"""

import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Annotated, Any, Literal
from uuid import uuid4

from fastapi import APIRouter, Path
from pydantic import ConfigDict, Field, JsonValue
from starlette.responses import Response

from agentmem.agents.talk.reply import Reply
from agentmem.domain.bounds import MAX_TEXT
from agentmem.domain.statement import Usage
from agentmem.domain.value import Checked
from agentmem.errors import InvalidInput
from agentmem.interfaces.http.asking import Asking, Calling, IdempotencyKey, JsonResponse
from agentmem.interfaces.http.callers import Bearer
from agentmem.interfaces.http.streams import STREAMED, EventStream, event
from agentmem.runtime.facade.app import App

router = APIRouter(prefix="/openai/v1", tags=["openai"])

MAX_MESSAGES = 1_000
Words = Annotated[str, Field(max_length=MAX_TEXT)]


class _Sent(Checked):
    """What programs send; what means nothing here is left alone."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)


class ContentPart(_Sent):
    """A part of a message; only text is heard."""

    type: Annotated[str, Field(max_length=50)] = "text"
    text: Words = ""


class ChatMessage(_Sent):
    """One message of those a program has."""

    role: Annotated[str, Field(max_length=50)]
    content: Words | Annotated[list[ContentPart], Field(max_length=MAX_MESSAGES)] | None = None

    @property
    def words(self) -> str:
        """Its text."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type in ("text", "input_text"))
        return self.content or ""


class StreamOptions(_Sent):
    """Whether a stream ends with what the reply cost."""

    include_usage: bool = False


class ChatCompletionRequest(_Sent):
    """As the OpenAI API has it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"model": "ada", "user": "Tom", "messages": [{"role": "user", "content": "Hi"}]}]
        }
    )

    model: Annotated[str, Field(max_length=64)]
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=MAX_MESSAGES)]
    user: Annotated[str | None, Field(max_length=200)] = None
    stream: bool = False
    stream_options: StreamOptions | None = None


class ModelResponseRequest(_Sent):
    """The same of its newer form."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"model": "ada", "user": "Tom", "input": "Hi"}]})

    model: Annotated[str, Field(max_length=64)]
    input: Words | Annotated[list[ChatMessage], Field(min_length=1, max_length=MAX_MESSAGES)]
    user: Annotated[str | None, Field(max_length=200)] = None
    stream: bool = False


@router.get("/models", response_model=dict[str, JsonValue])
async def models(app: Asking) -> Response:
    """The agents that can be talked with."""
    return JsonResponse({"object": "list", "data": [_model(app, each.id) for each in await app.records.agents()]})


@router.get("/models/{model}", response_model=dict[str, JsonValue])
async def model(model: Annotated[str, Path(max_length=64)], app: Asking) -> Response:
    """One of them."""
    return JsonResponse(_model(app, (await app.records.agent(model)).id))


@router.post("/chat/completions", response_model=dict[str, JsonValue], responses=STREAMED)
async def chat_completions(
    asked: ChatCompletionRequest, app: Asking, caller: Calling, key: IdempotencyKey = None
) -> Response:
    """Say what the last of the person's messages says, and be answered; with `stream`, piece by piece."""
    person, said = _person(caller, asked.user), _last_said(asked.messages)
    if asked.stream:
        whole = asked.stream_options is not None and asked.stream_options.include_usage
        return EventStream(caller, _chunks(app, asked.model, person, said, key, with_usage=whole))
    async with app.talks.reply(asked.model, person, said, key=key) as reply:
        text = await reply.whole()
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return JsonResponse(
        {**_completion("chat.completion", asked.model), "choices": [choice], "usage": _usage(reply.usage)}
    )


@router.post("/responses", response_model=dict[str, JsonValue], responses=STREAMED)
async def responses(asked: ModelResponseRequest, app: Asking, caller: Calling, key: IdempotencyKey = None) -> Response:
    """The same in the form of responses."""
    person = _person(caller, asked.user)
    said = asked.input if isinstance(asked.input, str) else _last_said(asked.input)
    if asked.stream:
        return EventStream(caller, _response_events(app, asked.model, person, said, key))
    async with app.talks.reply(asked.model, person, said, key=key) as reply:
        await reply.whole()
    return JsonResponse(_response(asked.model, f"resp_{uuid4().hex}", f"msg_{uuid4().hex}", reply))


async def _chunks(
    app: App, agent: str, person: str, said: str, key: str | None, *, with_usage: bool
) -> AsyncGenerator[bytes]:
    head = _completion("chat.completion.chunk", agent)

    def chunk(delta: dict[str, str], finish: Literal["stop"] | None = None) -> bytes:
        return event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}]})

    async with app.talks.reply(agent, person, said, key=key) as reply:
        async for piece in _begun(reply):
            yield chunk({"role": "assistant", "content": piece} if piece == "" else {"content": piece})
    yield chunk({}, "stop")
    if with_usage:
        yield event({**head, "choices": [], "usage": _usage(reply.usage)})
    yield event("[DONE]")


async def _begun(reply: Reply) -> AsyncIterator[str]:
    """The pieces, with an empty one before the first: what goes wrong before there is one is no stream yet."""
    begun = False
    async for piece in reply:
        if not begun:
            yield ""
            begun = True
        yield piece


async def _response_events(app: App, agent: str, person: str, said: str, key: str | None) -> AsyncGenerator[bytes]:
    number, item, count = f"resp_{uuid4().hex}", f"msg_{uuid4().hex}", 0

    def told(kind: str, **more: Any) -> bytes:
        nonlocal count
        count += 1
        return event({"type": kind, "sequence_number": count - 1, **more}, kind=kind)

    where = {"item_id": item, "output_index": 0, "content_index": 0}
    async with app.talks.reply(agent, person, said, key=key) as reply:
        async for piece in _begun(reply):
            if piece == "":
                nothing: dict[str, Any] = {"status": "in_progress", "output": [], "usage": None}
                begun = _response(agent, number, item, reply) | nothing
                yield told("response.created", response=begun)
                yield told("response.output_item.added", output_index=0, item=_message(item, None))
                yield told("response.content_part.added", **where, part=_part(""))
                continue
            yield told("response.output_text.delta", **where, delta=piece, logprobs=[])
    yield told("response.output_text.done", **where, text=reply.text, logprobs=[])
    yield told("response.content_part.done", **where, part=_part(reply.text))
    yield told("response.output_item.done", output_index=0, item=_message(item, reply.text))
    yield told("response.completed", response=_response(agent, number, item, reply))


def _completion(kind: str, agent: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{uuid4().hex}", "object": kind, "created": int(time.time()), "model": agent}


def _response(agent: str, number: str, item: str, reply: Reply) -> dict[str, Any]:
    cost = reply.usage
    return {
        "id": number,
        "object": "response",
        "created_at": int(time.time()),
        "status": "completed",
        "model": agent,
        "output": [_message(item, reply.text)],
        "parallel_tool_calls": False,
        "tool_choice": "none",
        "tools": [],
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "usage": {
            "input_tokens": cost.tokens_in,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": cost.tokens_out,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": cost.tokens_in + cost.tokens_out,
        },
    }


def _message(item: str, text: str | None) -> dict[str, Any]:
    """What the agent says, as an item; None while it is being said."""
    status = "in_progress" if text is None else "completed"
    content = [] if text is None else [_part(text)]
    return {"id": item, "type": "message", "role": "assistant", "status": status, "content": content}


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _usage(cost: Usage) -> dict[str, int]:
    total = cost.tokens_in + cost.tokens_out
    return {"prompt_tokens": cost.tokens_in, "completion_tokens": cost.tokens_out, "total_tokens": total}


def _model(app: App, agent: str) -> dict[str, object]:
    return {"id": agent, "object": "model", "created": 0, "owned_by": app.tenant}


def _person(caller: Bearer, user: str | None) -> str:
    """Who talks: whom the program names, or whose the token is."""
    own = caller.app.access.principal.about
    return user or own or (caller.token.name if caller.token else "user")


def _last_said(messages: Sequence[ChatMessage]) -> str:
    """What the person said last."""
    said = next((each.words for each in reversed(messages) if each.role == "user"), "")
    if not said.strip():
        raise InvalidInput("messages: none of them is the user's and says anything")
    return said
