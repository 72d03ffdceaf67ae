"""Letta's agent file (`.af`), the present form and the first one: blocks and talk are kept, tools are not.

An agent file carries programs: sources of tools, packages to install, servers to start, variables of the environment.
None of that is read here, let alone run; its names are told.
"""

from collections.abc import Iterator

from pydantic_core import from_json

from agentmem.agents.bundle.foreign.found import Dropped, Foreign, Passage, name_of
from agentmem.agents.bundle.foreign.loose import Mapping, first_text, items, mapping, mappings, moment, text
from agentmem.domain.memory import MemoryType
from agentmem.domain.value import JsonValue

FORMAT = "letta"
_LEFT_BEHIND = (
    *("tool_exec_environment_variables", "secrets", "memory_variables", "tool_rules", "llm_config", "model_settings"),
    *("embedding_config", "metadata", "metadata_", "response_format", "identity_ids", "multi_agent_group"),
)
_SPOKEN = {"user": False, "assistant": True}


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
    return Foreign(FORMAT, name_of(text(agent.get("name")), "") or None, role, "", passages, dropped)


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
    for field in _LEFT_BEHIND:
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


def _remembered(blocks: list[tuple[str, str]]) -> Iterator[Passage]:
    for label, value in blocks:
        if label != "persona":
            about = "" if label == "human" else None
            yield Passage(MemoryType.LONGTERM, value, about, kind="block", key=(label,) if label else ())


def _talk(whole: Mapping, agent: Mapping, dropped: Dropped) -> Iterator[Passage]:
    run = f"letta/{first_text(agent, 'id', 'name') or 'agent'}"
    for message in mappings(agent.get("messages") or whole.get("messages")):
        role = text(message.get("role"))
        said = _said(message, dropped) if role in _SPOKEN else []
        if not said:
            dropped.note(f"messages of role {name_of(role, '?')} without words of a talk")
        for words in said:
            at = moment(message.get("created_at"))
            yield Passage(MemoryType.CONVERSATION, words, "", at, by_agent=_SPOKEN[role], run=run, kind="turn")


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
