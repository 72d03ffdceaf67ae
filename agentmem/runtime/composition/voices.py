"""The models that speak for agents and the tools of each, loaded when they are first wanted. A persona's own tools are
functions of the user's, by dotted path, made into what a model can call."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, get_type_hints

import structlog
from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic_core import to_json

from agentmem.agents.talk.talker import Voice
from agentmem.domain.persona import Persona
from agentmem.errors import AgentMemError, InvalidInput, NotFound
from agentmem.ports.models import Arguments, ChatModel, Tool
from agentmem.runtime.composition import wiring
from agentmem.runtime.configuration.personas import find_persona
from agentmem.runtime.configuration.settings import Settings

log = structlog.get_logger()

_WAY_TO_A_MODEL = (
    "set chat_model in config.yaml, or AGENTMEM_CHAT_MODEL; "
    "without one, `agentmem run SCENARIO` plays conversations that are written out"
)


@dataclass(frozen=True, slots=True)
class Voices:
    """Voices by agent. `given` stands in for every model; models are closed by `stack`."""

    settings: Settings
    stack: AsyncExitStack
    given: ChatModel | None = None
    _models: dict[str, ChatModel] = field(default_factory=dict[str, ChatModel], init=False)
    _tools: dict[tuple[str, ...], tuple[Tool, ...]] = field(
        default_factory=dict[tuple[str, ...], tuple[Tool, ...]], init=False
    )

    async def of(self, persona: Persona) -> Voice:
        """How this agent speaks. Raises `InvalidInput` where no model is configured, or wrongly."""
        model = self.given or await self._model(persona)
        return Voice(model, wiring.token_counter(model.name), self.tools(persona))

    def tools(self, persona: Persona) -> tuple[Tool, ...]:
        """The tools that the persona's own file in this house names; what came from elsewhere runs no code here."""
        if not persona.tools:
            return ()
        try:
            local = find_persona(self.settings.personas, persona.id).tools
        except NotFound:
            local = ()
        if local != persona.tools:
            log.warning("tools_left_out", agent=persona.id, tools=len(persona.tools))
            return ()
        if local not in self._tools:
            self._tools[local] = load_tools(local)
        return self._tools[local]

    async def _model(self, persona: Persona) -> ChatModel:
        name = persona.model or self.settings.chat_model
        if name is None:
            raise InvalidInput("no chat model is configured", lacks="chat model", way=_WAY_TO_A_MODEL)
        if name not in self._models:
            self._models[name] = await self.stack.enter_async_context(wiring.chat_model(self.settings, name))
        return self._models[name]


NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def load_tools(paths: Sequence[str]) -> tuple[Tool, ...]:
    """The functions `package.module:function`, in order. Raises `InvalidInput` naming the one that is wrong."""
    found: dict[str, Tool] = {}
    for path in paths:
        tool = tool_of(path, _function(path))
        if tool.name in found:
            raise InvalidInput(f"tools: two functions are called {tool.name!r}")
        found[tool.name] = tool
    return tuple(found.values())


def _function(path: str) -> Callable[..., object]:
    module, _, name = path.partition(":")
    try:
        function = getattr(import_module(module), name)
    except Exception as error:  # a module of somebody else's fails as it likes
        raise InvalidInput(f"tools: {path!r} is no package.module:function: {error}") from error
    if not inspect.isfunction(function):
        raise InvalidInput(f"tools: {path!r} is no function")
    return function


def tool_of(path: str, function: Callable[..., object]) -> Tool:
    """What a model calls: the function's name, docstring and annotated parameters. It may be asynchronous; if not, it
    runs in a thread. Whatever it returns but text becomes JSON."""
    takes = _parameters(path, function)

    async def call(arguments: Arguments) -> str:
        try:
            checked = takes.model_validate(dict(arguments))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise InvalidInput(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
        given = {name: getattr(checked, name) for name in type(checked).model_fields}
        try:
            result = await _result(function, given)
            return result if isinstance(result, str) else to_json(result).decode()
        except AgentMemError:
            raise
        except Exception as error:
            log.warning("tool_failed", tool=path, reason=type(error).__name__)
            raise InvalidInput(f"the tool failed ({type(error).__name__})") from error

    description = inspect.getdoc(function) or function.__name__
    return Tool(function.__name__, description, takes.model_json_schema(), call)


async def _result(function: Callable[..., object], given: dict[str, Any]) -> object:
    if inspect.iscoroutinefunction(function):
        waiting: Awaitable[object] = function(**given)
        return await waiting
    return await asyncio.to_thread(function, **given)


def _parameters(path: str, function: Callable[..., object]) -> type[BaseModel]:
    try:
        hints = get_type_hints(function, include_extras=True)
    except NameError as error:
        raise InvalidInput(f"tools: {path!r}: {error}") from error
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind not in NAMED or name not in hints:
            raise InvalidInput(f"tools: {path!r}: parameter {name!r} needs a type and must be one that can be named")
        fields[name] = (hints[name], ... if parameter.default is inspect.Parameter.empty else parameter.default)
    return create_model(function.__name__, __config__=ConfigDict(extra="forbid"), **fields)
