"""What was decided about who is who, apart from what is said of anybody: which names are one, and which are not.

A copy makes its entities anew of its own memories; what a person or a model decided does not follow from these, and
goes along by itself.
"""

from collections.abc import Callable, Iterable, Mapping

from agentmem.domain.entity import APART
from agentmem.domain.ids import is_id
from agentmem.domain.memory import MemoryNode, StoreStatus
from agentmem.domain.value import JsonValue
from agentmem.graph.identity.merging import COUNT, MERGED_BY, TALKED_TO
from agentmem.graph.identity.summary import told_of


def decided_in(entities: Iterable[MemoryNode]) -> list[MemoryNode]:
    """Those of an agent's entities that were joined or parted, with their names and without what is said of them; what
    took another one in stands before it."""
    known = {node.memory_id: node for node in entities}
    wanted = [node for node in known.values() if node.superseded_by in known or APART in node.meta_data]
    found: dict[str, MemoryNode] = {}
    for node in sorted(wanted, key=lambda node: (node.timestamp, node.memory_id)):
        for each in reversed(_chain(node, known)):
            found.setdefault(each.memory_id, _bare(each))
    return list(found.values())


def carried(
    decisions: Iterable[MemoryNode], ids: Mapping[str, str], memory_id: Callable[[str], str | None]
) -> list[MemoryNode]:
    """These decisions among entities of other `ids`. Left out is what is decided about one that has none there, and
    what rests on a memory for which `memory_id` answers None."""
    found: dict[str, MemoryNode] = {}
    for node in decisions:
        key, onward = ids.get(node.memory_id), ids.get(node.superseded_by or "")
        by = node.meta_data.get(MERGED_BY)
        told = memory_id(by) if isinstance(by, str) and is_id(by) else by
        lost = node.superseded_by is not None and (onward not in found or told is None)
        if key is not None and key not in found and not lost:
            meta = {name: value for name, value in node.meta_data.items() if name not in (MERGED_BY, APART)}
            meta |= {MERGED_BY: told} if told is not None else {}
            meta |= {APART: there} if (there := _apart(node, ids)) else {}
            found[key] = node.revised(memory_id=key, superseded_by=onward, meta_data=meta)
    return list(found.values())


def called(node: MemoryNode, names: Iterable[str]) -> MemoryNode:
    """The entity under these names, the fullest it had among them."""
    kept = tuple(names)
    return told_of(node.revised(key=kept, value=node.value if node.value in kept else kept[0]), ())


def _chain(node: MemoryNode, known: Mapping[str, MemoryNode]) -> list[MemoryNode]:
    chain: list[MemoryNode] = []
    above: MemoryNode | None = node
    while above is not None and above not in chain:
        chain.append(above)
        above = known.get(above.superseded_by or "")
    return chain


def _bare(node: MemoryNode) -> MemoryNode:
    # What was taken in is counted no further; what took it in is counted anew, of the copy's memories.
    kept = (MERGED_BY, APART, TALKED_TO) if node.store_status is StoreStatus.VALID else (MERGED_BY, APART, COUNT)
    meta = {name: node.meta_data[name] for name in kept if name in node.meta_data}
    return told_of(node, ()).revised(meta_data=meta, revision=1, obs_updated=0)


def _apart(node: MemoryNode, ids: Mapping[str, str]) -> list[JsonValue]:
    held = node.meta_data.get(APART)
    return [ids[key] for key in held if isinstance(key, str) and key in ids] if isinstance(held, list) else []
