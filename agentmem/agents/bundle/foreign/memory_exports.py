"""The exports of ChatGPT (trees of messages, of which the branch shown last is kept), Mem0 (a list of memories, or what
`get_all` answers) and Letta (agent file `.af`, present and first form: blocks and conversation are kept).

A Letta file carries programs: sources of tools, packages to install, servers to start, environment variables. None of
that is read here, let alone run; only its names are reported.
"""

from collections.abc import Iterator
from datetime import datetime

from pydantic_core import from_json

from agentmem.agents.bundle.foreign.loose_json import (
    Dropped,
    Foreign,
    ForeignPassage,
    Mapping,
    first_text,
    items,
    mapping,
    mappings,
    moment,
    name_of,
    text,
    texts,
)
from agentmem.domain.memory import MemoryType
from agentmem.domain.value import JsonValue

CHATGPT_FORMAT = "chatgpt"
_SPOKEN = {"user": False, "assistant": True}
_WORDED = ("text", "multimodal_text")


def is_chatgpt(tree: JsonValue) -> bool:
    """Whether these are conversations of ChatGPT."""
    return any(isinstance(talk.get("mapping"), dict) for talk in _talks(tree))


def _talks(tree: JsonValue) -> Iterator[Mapping]:
    return mappings(tree if isinstance(tree, list) else [tree])


def read_chatgpt(tree: JsonValue) -> Foreign:
    """Every conversation as turns between the person and the agent, oldest conversation first."""
    dropped = Dropped()
    talks = [talk for talk in _talks(tree) if isinstance(talk.get("mapping"), dict)]
    begun = sorted(enumerate(talks), key=lambda pair: (_begun(pair[1]), pair[0]))
    passages = tuple(turn for number, talk in begun for turn in _turns(talk, number, dropped))
    return Foreign(CHATGPT_FORMAT, None, "", "", passages, dropped)


def _begun(talk: Mapping) -> float:
    at = moment(talk.get("create_time"))
    return at.timestamp() if at else 0.0


def _turns(talk: Mapping, number: int, dropped: Dropped) -> Iterator[ForeignPassage]:
    run = f"chatgpt/{name_of(first_text(talk, 'conversation_id', 'id'), str(number))[:150]}"
    title = name_of(text(talk.get("title")), "")
    last = moment(talk.get("create_time"))
    for message in _branch(talk, dropped):
        role = text(mapping(message.get("author")).get("role"))
        words = _words(message, dropped) if role in _SPOKEN and not _hidden(message) else ""
        if not words:
            dropped.note(f"messages of role {name_of(role, '?')} without words of a talk")
            continue
        last = _later(last, moment(message.get("create_time")))
        key = (title,) if title else ()
        yield ForeignPassage(
            MemoryType.CONVERSATION, words, "", last, by_agent=_SPOKEN[role], run=run, kind="turn", key=key
        )


def _later(last: datetime | None, at: datetime | None) -> datetime | None:
    return at if last is None or (at is not None and at > last) else last


def _branch(talk: Mapping, dropped: Dropped) -> list[Mapping]:
    """The messages from the root to the current node; what stands on other branches is counted."""
    nodes = mapping(talk.get("mapping"))
    place = text(talk.get("current_node")) or _last_leaf(nodes)
    path: dict[str, Mapping] = {}
    while place in nodes and place not in path:
        node = mapping(nodes[place])
        path[place] = node
        place = text(node.get("parent"))
    beside = (mapping(node) for key, node in nodes.items() if key not in path)
    dropped.note("messages of other branches", count=sum(1 for node in beside if node.get("message")))
    return [mapping(node.get("message")) for node in reversed(path.values()) if node.get("message")]


def _last_leaf(nodes: Mapping) -> str:
    """Where a conversation does not say where it stands: at the last node that has nothing below it."""
    return next((key for key in reversed(nodes) if not items(mapping(nodes[key]).get("children"))), "")


def _hidden(message: Mapping) -> bool:
    return message.get("weight") == 0 or bool(
        mapping(message.get("metadata")).get("is_visually_hidden_from_conversation")
    )


def _words(message: Mapping, dropped: Dropped) -> str:
    content = mapping(message.get("content"))
    kind = text(content.get("content_type"))
    if kind not in _WORDED:
        dropped.note(f"content of type {name_of(kind, '?')}")
        return ""
    parts = items(content.get("parts"))
    dropped.note("pictures, sound and files", count=sum(1 for part in parts if not isinstance(part, str)))
    return "\n".join(filter(None, map(text, parts)))


MEM0_FORMAT = "mem0"
_WORDS = ("memory", "data")
_LEFT_BEHIND_BY_MEM0 = (
    "metadata",
    "expiration_date",
    "immutable",
    "score",
    "hash",
    "app_id",
    "actor_id",
    "structured_attributes",
)


def is_mem0(tree: JsonValue) -> bool:
    """Whether these are memories of Mem0."""
    return any(first_text(item, *_WORDS) and "mapping" not in item for item in _listed(tree))


def _listed(tree: JsonValue) -> Iterator[Mapping]:
    """The memories, whichever way they are wrapped."""
    whole = mapping(tree)
    return mappings(tree if isinstance(tree, list) else whole.get("results") or whole.get("memories"))


def read_mem0(tree: JsonValue) -> Foreign:
    """Each memory as an observation about its user, in the order of the file."""
    dropped = Dropped()
    dropped.note("relations", count=len(items(mapping(tree).get("relations"))))
    passages: list[ForeignPassage] = []
    for item in _listed(tree):
        words = first_text(item, *_WORDS)
        if not words:
            dropped.note("entries without a memory")
            continue
        for field in _LEFT_BEHIND_BY_MEM0:
            if item.get(field) not in (None, "", False, [], {}):
                dropped.note(field)
        passages.append(_passage(item, words))
    agents = {name for item in _listed(tree) if (name := text(item.get("agent_id")))}
    if len(agents) > 1:
        dropped.note("names of agents", sorted(agents))
    name = name_of(agents.pop(), "") or None if len(agents) == 1 else None
    return Foreign(MEM0_FORMAT, name, "", "", tuple(passages), dropped)


def _passage(item: Mapping, words: str) -> ForeignPassage:
    about = text(item.get("user_id"))
    # What was learned later is told as of then: an updated memory holds what holds since.
    at = moment(item.get("updated_at")) or moment(item.get("created_at"))
    run = name_of(text(item.get("run_id")), "") or None
    key = tuple(name_of(word, "?") for word in texts(item.get("categories")))
    own = None if not about and item.get("agent_id") else about
    return ForeignPassage(MemoryType.OBSERVATION, words, own, at, run=run, kind="imported", key=key)


LETTA_FORMAT = "letta"
_LEFT_BEHIND_BY_LETTA = (
    *("tool_exec_environment_variables", "secrets", "memory_variables", "tool_rules", "llm_config", "model_settings"),
    *("embedding_config", "metadata", "metadata_", "response_format", "identity_ids", "multi_agent_group"),
)


def is_letta(tree: JsonValue) -> bool:
    """Whether this is an agent file."""
    whole = mapping(tree)
    present = isinstance(whole.get("agents"), list) and isinstance(whole.get("blocks"), list)
    return present or (isinstance(whole.get("core_memory"), list) and "agent_type" in whole)


def read_letta(tree: JsonValue, *, accept_instructions: bool) -> Foreign:
    """The first agent of the file; others are told among what was left behind."""
    whole = mapping(tree)
    agents = list(mappings(whole.get("agents"))) or [whole]
    agent, dropped = agents[0], Dropped()
    _leave_behind(whole, agent, dropped)
    dropped.note("other agents", (first_text(other, "name", "id") for other in agents[1:]))
    blocks = _blocks(whole, agent)
    persona = [value for label, value in blocks if label == "persona"]
    system = text(agent.get("system"))
    if system and not accept_instructions:
        dropped.note("system prompt")
        system = ""
    passages = (*_remembered(blocks), *_talk(whole, agent, dropped))
    role = "\n\n".join(filter(None, (system, text(agent.get("description")), *persona)))
    return Foreign(LETTA_FORMAT, name_of(text(agent.get("name")), "") or None, role, "", passages, dropped)


def _leave_behind(whole: Mapping, agent: Mapping, dropped: Dropped) -> None:
    tools = list(mappings(whole.get("tools")))
    dropped.note("tools", (first_text(tool, "name", "id") for tool in tools))
    sources = [first_text(tool, "name", "id") for tool in tools if tool.get("source_code")]
    dropped.note("source code of tools", sources)
    for field in ("pip_requirements", "npm_requirements"):
        packages = (item for tool in tools for item in items(tool.get(field)))
        dropped.note(field, (first_text(mapping(item), "name") or str(item)[:80] for item in packages))
    servers = mappings(whole.get("mcp_servers"))
    dropped.note("mcp_servers", (first_text(server, "server_name", "id") for server in servers))
    for field, name in (("files", "file_name"), ("sources", "name"), ("groups", "id")):
        dropped.note(field, (first_text(item, name, "id") for item in mappings(whole.get(field))))
    for field in _LEFT_BEHIND_BY_LETTA:
        value = agent.get(field)
        if isinstance(value, list):
            dropped.note(field, (first_text(item, "key", "tool_name", "name") for item in mappings(value)))
        else:
            dropped.note_given(field, value)


def _blocks(whole: Mapping, agent: Mapping) -> list[tuple[str, str]]:
    """Label and words of the agent's blocks, in its order."""
    if "core_memory" in agent:
        held = list(mappings(agent["core_memory"]))
    else:
        by_id = {text(block.get("id")): block for block in mappings(whole.get("blocks"))}
        named = [by_id[key] for item in items(agent.get("block_ids")) if (key := text(item)) in by_id]
        held = [*named, *mappings(agent.get("memory_blocks"))]
    return [(text(block.get("label")).casefold(), value) for block in held if (value := text(block.get("value")))]


def _remembered(blocks: list[tuple[str, str]]) -> Iterator[ForeignPassage]:
    for label, value in blocks:
        if label != "persona":
            about = "" if label == "human" else None
            yield ForeignPassage(MemoryType.LONGTERM, value, about, kind="block", key=(label,) if label else ())


def _talk(whole: Mapping, agent: Mapping, dropped: Dropped) -> Iterator[ForeignPassage]:
    run = f"letta/{first_text(agent, 'id', 'name') or 'agent'}"
    for message in mappings(agent.get("messages") or whole.get("messages")):
        role = text(message.get("role"))
        said = _said(message, dropped) if role in _SPOKEN else []
        if not said:
            dropped.note(f"messages of role {name_of(role, '?')} without words of a talk")
        for words in said:
            at = moment(message.get("created_at"))
            yield ForeignPassage(MemoryType.CONVERSATION, words, "", at, by_agent=_SPOKEN[role], run=run, kind="turn")


def _said(message: Mapping, dropped: Dropped) -> list[str]:
    """What somebody said in a message: its text, or what it has the tool `send_message` say."""
    content = message.get("content", message.get("text"))
    parts = [text(content)] if isinstance(content, str) else []
    for part in items(content):
        if text(mapping(part).get("type")) == "text":
            parts.append(text(mapping(part).get("text")))
        else:
            dropped.note(f"parts of messages: {name_of(text(mapping(part).get('type')), '?')}")
    calls = [mapping(call.get("function")) for call in mappings(message.get("tool_calls"))]
    sent = [call for call in calls if text(call.get("name")) == "send_message"]
    dropped.note("tool calls", (text(call.get("name")) for call in calls if call not in sent))
    if sent:
        # What stands beside a call of `send_message` are thoughts, which nobody heard.
        dropped.note("thoughts", count=len([part for part in parts if part]))
        parts = [text(mapping(_parsed(text(call.get("arguments")))).get("message")) for call in sent]
    return [words for part in parts if (words := _unpacked(part))]


def _unpacked(words: str) -> str:
    """A message of a person may be wrapped in JSON, and so are beats and log-ins, which nobody said."""
    inner = mapping(_parsed(words)) if words.startswith("{") else {}
    if text(inner.get("type")) == "user_message":
        return text(inner.get("message"))
    return "" if text(inner.get("type")) in ("heartbeat", "login", "system_alert") else words


def _parsed(words: str) -> JsonValue:
    try:
        return from_json(words, allow_inf_nan=False)
    except ValueError:
        return None
