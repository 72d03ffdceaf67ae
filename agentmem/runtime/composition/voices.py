"""The models that speak for agents and the tools of each, loaded when they are first wanted."""

from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import structlog

from agentmem.agents.talk.talker import Voice
from agentmem.domain.persona import Persona
from agentmem.errors import InvalidInput, NotFound
from agentmem.ports.models import ChatModel, Tool
from agentmem.runtime.composition import wiring
from agentmem.runtime.composition.tools import load_tools
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
