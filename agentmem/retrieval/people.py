"""Whom the remembered facts are about, in one line each, made of what fills their slots."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from agentmem.domain.filter import holds
from agentmem.domain.hearsay import without_hearsay
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.language.normal import canonical_name, normalise
from agentmem.ports.ledger import Ledger, Selection
from agentmem.retrieval.items import Item, Telling, section_of

MOST_PEOPLE = 20
_HELD = (Modality.STATED, Modality.INFERRED)


def targets_of(memories: Iterable[MemoryNode]) -> dict[str, str]:
    """Whom the facts and insights among the memories are about: names by target id, in their order, at most 20."""
    found = {node.target_id: node.target_name for node in memories if section_of(node) in ("facts", "insights")}
    return dict(list(found.items())[:MOST_PEOPLE])


async def slot_facts(
    ledger: Ledger, scope: Scope, memories: Iterable[MemoryNode], now: datetime, known_at: datetime | None
) -> list[MemoryNode]:
    """What fills a slot, at `now` and as far as was known at `known_at`, of those the memories are about;
    nothing that others said of them."""
    found: list[MemoryNode] = []
    for target in targets_of(memories):
        own = Scope(scope.tenant, scope.agent, target, scope.run)
        layers, statuses = (MemoryType.OBSERVATION, MemoryType.INSIGHT), (StoreStatus.VALID, StoreStatus.EXPIRED)
        wanted = Selection(own, types=layers, statuses=statuses, as_of=now, known_at=known_at)
        nodes = await ledger.select(wanted)
        own = without_hearsay(target)
        found += [node for node in nodes if node.attribute and node.value and holds(own, node)]
    return found


def people(found: Sequence[MemoryNode], known: Iterable[MemoryNode], telling: Telling) -> list[Item]:
    """One line per person, without what the found memories say themselves; none for whom nothing is left to say."""
    told = {normalise(node.content) for node in found}
    slots: dict[str, dict[str, list[MemoryNode]]] = {}
    for node in sorted(known, key=lambda item: item.valid_at):
        if node.attribute and node.modality in _HELD and normalise(node.content) not in told:
            slots.setdefault(node.target_id, {}).setdefault(node.attribute, []).append(node)
    summaries = ((name, _summary(name, slots.get(target, {}), telling)) for target, name in targets_of(found).items())
    return [
        Item(
            "people",
            text,
            memories=tuple(node.memory_id for node in nodes),
            episodes=tuple(dict.fromkeys(part.memory_id for node in nodes for part in node.evidence)),
            before=f"{telling.quoting.name(name)}: ",
            order=(place,),
        )
        for place, (name, (text, nodes)) in enumerate(summaries)
        if nodes
    ]


def _summary(
    name: str, slots: Mapping[str, Sequence[MemoryNode]], telling: Telling
) -> tuple[str, tuple[MemoryNode, ...]]:
    """`occupation engineer; also called Tom`, and the memories it is made of."""
    clauses: list[str] = []
    used: list[MemoryNode] = []
    for attribute, label in telling.wording.slots.items():
        values: dict[str, str] = {}
        for node in slots.get(attribute, ()):
            value = telling.quoting.text(node.value or "")
            plain = canonical_name(value) if value else ""
            if plain and plain != canonical_name(name):
                mark = telling.wording.marks.get(node.modality)
                values.setdefault(plain, f"{value}{telling.wording.span.format(mark)}" if mark else value)
                used.append(node)
        if values:
            clauses.append(f"{label} {telling.wording.list_separator.join(values.values())}")
    return telling.wording.clause_separator.join(clauses), tuple(used)
