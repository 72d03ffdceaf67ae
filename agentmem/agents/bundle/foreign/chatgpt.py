"""The conversations of a ChatGPT export: trees of messages, of which the branch that was shown last is kept."""

from collections.abc import Iterator
from datetime import datetime

from agentmem.agents.bundle.foreign.found import Dropped, Foreign, Passage, name_of
from agentmem.agents.bundle.foreign.loose import Mapping, first_text, items, mapping, mappings, moment, text
from agentmem.domain.memory import MemoryType
from agentmem.domain.value import JsonValue

FORMAT = "chatgpt"
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
    return Foreign(FORMAT, None, "", "", passages, dropped)


def _begun(talk: Mapping) -> float:
    at = moment(talk.get("create_time"))
    return at.timestamp() if at else 0.0


def _turns(talk: Mapping, number: int, dropped: Dropped) -> Iterator[Passage]:
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
        yield Passage(MemoryType.CONVERSATION, words, "", last, by_agent=_SPOKEN[role], run=run, kind="turn", key=key)


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
