"""Tools and resources of the Model Context Protocol, in the names that Mem0's users know, and `search` and `fetch`.

Whoever calls asks as whom he was let in as; a tool takes no tenant. Descriptions are read by models: what a tool does
to memories stands in its annotations as well.
"""

import inspect
import json
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Annotated, Any, Concatenate, Final, ParamSpec
from uuid import uuid4

import structlog
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import Field, ValidationError

from agentmem.answers.answer import AskQuery
from agentmem.domain.bounds import MAX_TEXT
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Grant, Scope
from agentmem.domain.value import invalid
from agentmem.errors import AgentMemError, InternalError, InvalidInput, NotFound, told_from_outside, without_content
from agentmem.interfaces.installed import installed_version
from agentmem.interfaces.lookup import introduced_or_plain, known_agent, scope_of
from agentmem.interfaces.python.messages import moment
from agentmem.interfaces.python.results import event_of, history_entry, memory_item
from agentmem.interfaces.wire import CONTEXT_HITS, forgettings_data
from agentmem.ledger.listing import place_at
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.retrieval.context import BUDGET
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App

log = structlog.get_logger()

P = ParamSpec("P")
Data = dict[str, Any]
Call = Context[Any, Any]
AppOf = Callable[[Call], App]
"""On whose behalf a call is answered."""

DEFAULT_AGENT: Final = "default"
MAX_AGENTS: Final = 20
"""Agents that `search` looks through."""

ABOUT: Final = """A memory that lasts across conversations. Search it before you answer what depends on a person or on
earlier talks; add what people say of themselves, in their words. `user_id` is the person's name, `agent_id` says whose
memory it is."""

_LOOKS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ADDS: Final = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
_TAKES: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)
_LAYERS: Final = (MemoryType.OBSERVATION, MemoryType.INSIGHT, MemoryType.LONGTERM)

Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
UserId = Annotated[str | None, Field(description="The person's name; all of them where it is left out.")]
AgentId = Annotated[str | None, Field(description="Whose memory; needed only where there are several agents.")]
MemoryId = Annotated[str, Field(max_length=64, description="As other tools give it.")]
Since = Annotated[str | None, Field(max_length=64, description="A day or a time, such as 2026-01-31.")]
Limit = Annotated[int, Field(ge=1, le=100)]


class MemoryServer(MCPServer):
    """Tells in one line which argument of a call is wrong, and what is allowed; an argument that no tool knows is not
    left aside, for it may have been meant to narrow what is told or taken."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """See `MCPServer`."""
        taken = next((list(_signature(tool).parameters)[:-1] for tool, _ in _TOOLS if tool.__name__ == name), None)
        if taken is not None and (unknown := next((each for each in arguments if each not in taken), None)) is not None:
            raise _wrong(name, f"{unknown[:60]!r} is not known here; allowed: {', '.join(taken)}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            raise _wrong(name, str(invalid(error.__cause__))) from None


def _wrong(name: str, line: str) -> ToolError:
    return ToolError(f"Error executing tool {name}: {InvalidInput.__name__}: {line}")


def memory_server(app_of: AppOf) -> MCPServer:
    """A server with the tools and resources, each call answered by the app of whoever calls."""
    server = MemoryServer("agentmem", version=installed_version(), instructions=ABOUT, log_level="ERROR")
    for tool, hints in _TOOLS:
        server.tool(annotations=hints)(_called(tool, app_of))
    server.resource("agentmem://memories/{memory_id}", mime_type="application/json")(_called(memory_resource, app_of))
    server.resource("agentmem://agents/{agent_id}/people/{user_id}", mime_type="text/plain")(
        _called(profile_resource, app_of)
    )
    return server


def _called(tool: Callable[Concatenate[App, P], Awaitable[Any]], app_of: AppOf) -> Callable[..., Awaitable[Any]]:
    """The tool as the server calls it; what goes wrong is told in one line, and of our own faults only that."""

    @wraps(tool)
    async def call(*given: Any, ctx: Call, **named: Any) -> Any:
        try:
            return await tool(app_of(ctx), *given, **named)
        except InternalError as error:
            log.error("tool_failed", tool=tool.__name__, reason=without_content(error))
            raise ToolError("a fault of agentmem, please report it") from None
        except AgentMemError as error:
            raise ToolError(f"{type(error).__name__}: {told_from_outside(error, {})}") from None

    hints = {name: hint for name, hint in tool.__annotations__.items() if name != "app"}
    call.__annotations__ = {**hints, "ctx": Call}
    vars(call)["__signature__"] = _signature(tool)
    return call


def _signature(tool: Callable[..., Any]) -> inspect.Signature:
    whole = inspect.signature(tool)
    own = [item for item in whole.parameters.values() if item.name != "app"]
    context = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=Call)
    return whole.replace(parameters=[*own, context])


async def add_memory(app: App, text: Text, user_id: UserId = None, agent_id: AgentId = None) -> Data:
    """Remember what a person said, in the person's own words. Tells what became of memories by it: ADD, UPDATE, DELETE
    or NONE. What the person asks to be forgotten is forgotten."""
    agent, person = await _agent(app, agent_id, text), user_id or app.access.principal.about
    if person is None:
        raise InvalidInput("user_id: the name of who said it is needed")
    read = await app.add(agent, person, text, key=f"mcp/{uuid4()}")
    events = [event_of(change).to_dict() for change in read.changes if _tells(change.before or change.after)]
    return {"results": events, "waits": read.waits, "forgotten": forgettings_data(read.forgotten)}


async def search_memories(
    app: App, query: Text, user_id: UserId = None, agent_id: AgentId = None, limit: Limit = 10
) -> Data:
    """Find memories that bear on a question, best first. `abstained`: none seems to answer it."""
    scope = await scope_of(app, await _agent(app, agent_id), user_id)
    found = await app.recall(RecallQuery(scope, query, limit, types=_LAYERS))
    now = app.clock.now()
    return {
        "results": [memory_item(hit.memory, now, hit.score).to_dict() for hit in found.hits],
        "abstained": found.abstained,
        "confidence": found.confidence,
    }


async def get_memory(app: App, memory_id: MemoryId) -> Data:
    """One memory, by its id."""
    return memory_item(await _node(app, memory_id), app.clock.now()).to_dict()


async def list_memories(
    app: App,
    user_id: UserId = None,
    agent_id: AgentId = None,
    limit: Limit = 20,
    cursor: Annotated[str | None, Field(description="`next` of the page before.")] = None,
) -> Data:
    """One page of what is remembered, newest first."""
    scope = await scope_of(app, await _agent(app, agent_id), user_id)
    after = None if cursor is None else place_at(cursor)
    page = await app.memories(Selection(scope, _LAYERS, after=after, limit=limit), valid=True)
    now = app.clock.now()
    return {"results": [memory_item(node, now).to_dict() for node in page.memories], "next": page.next}


async def update_memory(app: App, memory_id: MemoryId, text: Text, since: Since = None) -> Data:
    """Give a memory other words, where it is wrong; its history is kept. Where it was right and has changed, `since`
    says since when, and a new memory replaces it."""
    edited = await app.editing.edit(memory_id, text, since=moment(since, "since"))
    return memory_item(edited, app.clock.now()).to_dict()


async def delete_memory(app: App, memory_id: MemoryId) -> Data:
    """Forget one memory, with the words it was made of and what was made of it alone."""
    node = await _node(app, memory_id)
    scope = Scope(node.tenant, node.agent_id, app.access.own_target(node.agent_id))
    told = await app.forget(Meant(scope, ids=(node.memory_id,)))
    return {"forgotten": [each.memory_id for each in told.gone], "run": told.run}


async def memory_history(app: App, memory_id: MemoryId) -> Data:
    """What became of a memory, oldest first."""
    entries = await app.records.history(memory_id)
    if not entries:
        raise NotFound(f"no memory {memory_id!r}")
    return {"results": [history_entry(entry).to_dict() for entry in entries]}


async def context(
    app: App,
    query: Text,
    user_id: UserId = None,
    agent_id: AgentId = None,
    budget: Annotated[int, Field(ge=200, le=100_000, description="Tokens.")] = BUDGET,
) -> str:
    """What is remembered that bears on a question, with the very words, as a block for a prompt."""
    scope = await scope_of(app, await _agent(app, agent_id), user_id)
    return (await app.context(RecallQuery(scope, query, CONTEXT_HITS), budget=budget)).text


async def ask(app: App, query: Text, user_id: UserId = None, agent_id: AgentId = None) -> Data:
    """Answer a question from memory, with its sources; `answer` is null where nothing remembered answers it."""
    scope = await scope_of(app, await _agent(app, agent_id), user_id)
    reply = await app.ask(AskQuery(scope, query))
    sources = [
        {"number": each.number, "id": each.memory.memory_id, "memory": each.memory.content} for each in reply.sources
    ]
    return {"answer": reply.text, "confidence": reply.confidence, "sources": sources}


async def forget(
    app: App,
    query: Annotated[Text | None, Field(description="What, in words, such as: my phone number.")] = None,
    user_id: UserId = None,
    agent_id: AgentId = None,
    dry_run: Annotated[bool, Field(description="Only tell what would go.")] = False,
) -> Data:
    """Forget what a person asks for, or, without a query, everything about the person. It can be undone by `run`."""
    scope = await scope_of(app, await _agent(app, agent_id), user_id)
    told = await app.forget(Meant(scope, query=query), dry_run=dry_run)
    gone = [{"id": node.memory_id, "memory": node.content} for node in told.gone]
    return {"forgotten": gone, "done": told.run is not None, "run": told.run}


async def search(app: App, query: Text) -> Data:
    """Find memories of every agent that may be read. For clients that know `search` and `fetch` alone."""
    found: list[tuple[float, MemoryNode]] = []
    readable = [each.id for each in await app.records.agents() if Grant.READ in app.access.principal.grants(each.id)]
    for agent in readable[:MAX_AGENTS]:
        scope = Scope(app.tenant, agent, app.access.own_target(agent))
        hits = (await app.recall(RecallQuery(scope, query, types=_LAYERS))).hits
        found += [(hit.score, hit.memory) for hit in hits]
    best = sorted(found, key=lambda pair: -pair[0])[:10]
    return {
        "results": [{"id": node.memory_id, "title": node.content[:200], "url": _url(node)} for _, node in best],
    }


async def fetch(app: App, id: MemoryId) -> Data:
    """One memory as a document, with the words it rests on."""
    node = await _node(app, id)
    spoken = (await app.words([node]))[node.memory_id]
    text = "\n".join([node.content, *(f"{part.speaker}: {part.text}" for part in spoken)])
    told = {"about": node.target_name, "type": str(node.memory_type), "valid_at": node.valid_at.isoformat()}
    return {"id": node.memory_id, "title": node.content[:200], "text": text, "url": _url(node), "metadata": told}


async def memory_resource(app: App, memory_id: str) -> str:
    """One memory, as JSON."""
    return json.dumps(await get_memory(app, memory_id), ensure_ascii=False)


async def profile_resource(app: App, agent_id: str, user_id: str) -> str:
    """What an agent knows of a person, as a block for a prompt."""
    return await context(app, user_id, user_id, agent_id)


_TOOLS: Final[tuple[tuple[Callable[..., Awaitable[Any]], ToolAnnotations], ...]] = (
    (add_memory, _ADDS),
    (search_memories, _LOOKS),
    (get_memory, _LOOKS),
    (list_memories, _LOOKS),
    (update_memory, _TAKES),
    (delete_memory, _TAKES),
    (memory_history, _LOOKS),
    (context, _LOOKS),
    (ask, _LOOKS),
    (forget, _TAKES),
    (search, _LOOKS),
    (fetch, _LOOKS),
)


async def _agent(app: App, named: str | None, words: str | None = None) -> str:
    """The agent that is named, or the only one there is; one to whom something is said is made known where it must."""
    there = [] if named else [each.id for each in await app.records.agents()]
    if not named and len(there) > 1:
        raise InvalidInput(f"agent_id: there are several: {', '.join(there[:MAX_AGENTS])}")
    agent = named or (there[0] if there else DEFAULT_AGENT)
    if words is None:
        return (await known_agent(app, agent)).id
    return (await introduced_or_plain(app, agent, words)).id


async def _node(app: App, memory_id: str) -> MemoryNode:
    node = (await app.records.get([memory_id])).get(memory_id)
    if node is None:
        raise NotFound(f"no memory {memory_id!r}")
    return node


def _tells(node: MemoryNode | None) -> bool:
    return node is not None and node.memory_type in _LAYERS


def _url(node: MemoryNode) -> str:
    return f"agentmem://memories/{node.memory_id}"
