"""What an agent should know of somebody before a word is said: a name, what must not be forgotten, how to reach him and
what is agreed next. Taken from what holds now; each item is a memory."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from agentmem.domain.attributes import base_of, slot_of
from agentmem.domain.entity import without_hearsay
from agentmem.domain.filter import Compare, Filter, holds
from agentmem.domain.memory import MemoryNode, MemoryType, Modality
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.language.cues import cues_of, topics_of
from agentmem.language.tokens import term_ids
from agentmem.ledger.projection import Projector
from agentmem.ports.ledger import Ledger
from agentmem.ports.memory_index import AsOf, MemoryIndex, Probe, Sparse, Where

NAMES: Final = frozenset({"name"})
LIMITS: Final = frozenset({"constraint"})
CONTACTS: Final = frozenset({"phone", "work_phone", "home_phone", "email", "work_email", "wechat", "whatsapp", "qq"})
AGREED: Final = frozenset({"appointment", "deadline", "plan"})
NOT_TO_FORGET: Final = "restriction"
"""The topic of what somebody cannot eat, take or bear."""

MAX_NAMES, MAX_LIMITS, MAX_AGREED = 1, 6, 3
CONSIDERED: Final = 60
"""Memories of each kind that are looked at."""

REMEMBERED_SCOPES: Final = 1_024

_HELD: Final = (Modality.STATED, Modality.NEGATED)
_READ: Final = (MemoryType.OBSERVATION, MemoryType.INSIGHT)


@dataclass(frozen=True, slots=True)
class PersonProfile:
    """The memories of which a person's profile consists. What may belong to it is looked up once until something is
    written; what of it still holds is read from the ledger each time."""

    index: MemoryIndex
    ledger: Ledger
    projector: Projector
    now: Callable[[], datetime]
    _known: dict[Scope, tuple[int, tuple[str, ...]]] = field(
        default_factory=dict[Scope, tuple[int, tuple[str, ...]]], init=False
    )

    async def __call__(self, scope: Scope, wanted: Filter | None = None) -> list[MemoryNode]:
        """In the order they are to be told; none for a scope of many people. Raises `BackendUnavailable`."""
        if scope.target is None:
            return []
        now, held = self.now(), await self.ledger.get(scope.tenant, await self._candidates(scope))
        own = without_hearsay(scope.target)
        standing = [
            node
            for node in held.values()
            if node.is_valid(now) and node.needs_review is None and node.modality in _HELD and node.within(scope)
            if node.target_id == scope.target and holds(own, node) and (wanted is None or holds(wanted, node))
        ]
        told = {key for node in held.values() for key in node.source_ids if node.memory_type in _READ}
        return chosen([node for node in standing if node.memory_id not in told], now)

    async def _candidates(self, scope: Scope) -> tuple[str, ...]:
        position, known = self.projector.position, self._known.pop(scope, None)
        if known is None or known[0] != position:
            known = position, await self._looked_up(scope)
        self._known[scope] = known
        if len(self._known) > REMEMBERED_SCOPES:
            del self._known[next(iter(self._known))]
        return known[1]

    async def _looked_up(self, scope: Scope) -> tuple[str, ...]:
        """What fills one of the slots, and what speaks of what must not be forgotten, with what was made of that."""
        named = Compare("attribute", "in", tuple(sorted(NAMES | LIMITS | CONTACTS | AGREED)))
        now = AsOf(self.now())
        slots = Where(scope, now, upcoming=True, types=_READ, filter=named)
        spoken = Where(scope, now, current=False, upcoming=True, ended=True, types=(*_READ, MemoryType.CONVERSATION))
        topic = term_ids([f"topic:{NOT_TO_FORGET}"])
        asked = Probe(lexical=Sparse(tuple(topic), (1.0,) * len(topic)))
        found = await self.index.select(slots, ["memoryId"], limit=CONSIDERED)
        about = await self.index.search(spoken, asked, limit=CONSIDERED)
        return tuple(dict.fromkeys([*found, *(key for key, _ in about.lexical)]))


def chosen(nodes: Iterable[MemoryNode], now: datetime) -> list[MemoryNode]:
    """Of these the newest name, the limits by importance, the newest of each contact and the one that is to take its
    place, the soonest that is agreed."""
    ordered = sorted(nodes, key=lambda node: (node.valid_at > now, -node.valid_at.timestamp(), node.memory_id))
    read = [node for node in ordered if node.memory_type is not MemoryType.CONVERSATION]
    limits = [node for node in ordered if is_limit(node)]
    agreed = sorted((at, node.memory_id, node) for node in _of(read, AGREED) if (at := _ahead(node, now)) is not None)
    return [
        *_of(read, NAMES)[:MAX_NAMES],
        *sorted(limits, key=lambda node: -node.importance)[:MAX_LIMITS],
        *_contacts([node for node in read if node.valid_at <= now]),
        *_contacts([node for node in read if node.valid_at > now]),
        *(node for _, _, node in agreed[:MAX_AGREED]),
    ]


def _contacts(ordered: Iterable[MemoryNode]) -> list[MemoryNode]:
    """The first of each slot by which somebody is reached."""
    return [*{slot_of(str(node.attribute)): node for node in reversed(_of(ordered, CONTACTS))}.values()]


def _of(nodes: Iterable[MemoryNode], attributes: frozenset[str]) -> list[MemoryNode]:
    return [node for node in nodes if node.attribute is not None and base_of(slot_of(node.attribute)) in attributes]


def is_limit(node: MemoryNode) -> bool:
    """Whether it says what must not be forgotten of somebody: what he rules out, or cannot eat, take or bear."""
    if node.memory_type is MemoryType.OBSERVATION and node.attribute in LIMITS:
        return True
    return NOT_TO_FORGET in topics_of(node.content) and (_is_read(node) or _is_own_statement(node))


def _is_read(node: MemoryNode) -> bool:
    return node.memory_type is MemoryType.OBSERVATION


def _is_own_statement(node: MemoryNode) -> bool:
    """Whether it is a turn of the person's own that nothing was made of, and no question."""
    speaker = canonical_name(node.speaker or "")
    return speaker == canonical_name(node.target_name) and not cues_of(node.content, node.valid_at).asks


def _ahead(node: MemoryNode, now: datetime) -> datetime | None:
    """When what is agreed comes, where that lies ahead: the end of the first time it names, or its own beginning."""
    ends = (datetime.fromtimestamp(end, now.tzinfo) for _, end in cues_of(node.content, node.valid_at).times)
    return next((end for end in sorted(ends) if end > now), node.valid_at if node.valid_at > now else None)
