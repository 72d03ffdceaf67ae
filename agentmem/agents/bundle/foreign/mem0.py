"""A list of memories as Mem0 exports it, or answers `get_all` with: facts about people."""

from collections.abc import Iterator

from agentmem.agents.bundle.foreign.found import Dropped, Foreign, Passage, name_of
from agentmem.agents.bundle.foreign.loose import Mapping, first_text, items, mapping, mappings, moment, text, texts
from agentmem.domain.memory import MemoryType
from agentmem.domain.value import JsonValue

FORMAT = "mem0"
_WORDS = ("memory", "data")
_LEFT_BEHIND = (
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
    passages: list[Passage] = []
    for item in _listed(tree):
        words = first_text(item, *_WORDS)
        if not words:
            dropped.note("entries without a memory")
            continue
        for field in _LEFT_BEHIND:
            if item.get(field) not in (None, "", False, [], {}):
                dropped.note(field)
        passages.append(_passage(item, words))
    agents = {name for item in _listed(tree) if (name := text(item.get("agent_id")))}
    if len(agents) > 1:
        dropped.note("names of agents", sorted(agents))
    name = name_of(agents.pop(), "") or None if len(agents) == 1 else None
    return Foreign(FORMAT, name, "", "", tuple(passages), dropped)


def _passage(item: Mapping, words: str) -> Passage:
    about = text(item.get("user_id"))
    # What was learned later is told as of then: an updated memory holds what holds since.
    at = moment(item.get("updated_at")) or moment(item.get("created_at"))
    run = name_of(text(item.get("run_id")), "") or None
    key = tuple(name_of(word, "?") for word in texts(item.get("categories")))
    own = None if not about and item.get("agent_id") else about
    return Passage(MemoryType.OBSERVATION, words, own, at, run=run, kind="imported", key=key)
