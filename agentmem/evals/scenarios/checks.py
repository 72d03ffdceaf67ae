"""What must be known after a scenario, checked against what is known. Pure: memories in, verdicts out."""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from agentmem import patterns as re
from agentmem.domain.entity import TOLD_IN
from agentmem.domain.memory import MemoryNode, MemoryType, Modality
from agentmem.domain.scenario import Expectations, Expected, ExpectedEnd, ExpectedRecall, Has

DERIVED = (MemoryType.OBSERVATION, MemoryType.INSIGHT, MemoryType.LONGTERM)
HELD = (Modality.STATED, Modality.ASSERTED_BY_AGENT, Modality.INFERRED, Modality.NEGATED)

_BLANKS = re.compile(r"\s+")
_QUOTED = re.compile(r"[^:说]{1,40}(?::|说|said|says)+(.{4,})", re.DOTALL)
_EDGES = " .。!?！？…,，;；、~～:：\"'“”‘’「」"


@dataclass(frozen=True, slots=True)
class Check:
    """One verdict. `found` is the content that decided it, or None; `why` what the scenario says about the item."""

    kind: str
    id: str
    passed: bool
    expected: Has | tuple[()]
    found: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What is known when the last turn has been digested: memories of every agent, layer and status, at `now`.

    `about` gives the entity ids a name stands for, and those of the scenario's customer for None.
    """

    agent_id: str
    memories: Sequence[MemoryNode]
    now: datetime
    about: Callable[[str | None, str], Collection[str]]

    def candidates(self, item: Expected) -> list[MemoryNode]:
        """The memories an item may mean by agent, person and type, valid or not: those about the person, and what he
        told of others.

        An item that asks for long-term memories and names nobody means all of them: a document is about no customer.
        """
        return self._of(item, lambda node, ids: node.target_id in ids or node.meta_data.get(TOLD_IN) in ids)

    def about_person(self, item: Expected) -> list[MemoryNode]:
        """Those of the candidates that are about the person himself."""
        return self._of(item, lambda node, ids: node.target_id in ids)

    def _of(self, item: Expected, belongs: Callable[[MemoryNode, Collection[str]], bool]) -> list[MemoryNode]:
        agent = item.agent or self.agent_id
        ids = self.about(item.about, agent)
        types = (item.type,) if item.type else DERIVED
        anybody = item.about is None and item.type is MemoryType.LONGTERM
        return [
            node
            for node in self.memories
            if node.agent_id == agent and node.memory_type in types and (anybody or belongs(node, ids))
        ]

    def held(self, item: Expected) -> list[MemoryNode]:
        """The valid ones of these, a hypothesis only where the item asks for it."""
        modalities = (item.modality,) if item.modality else HELD
        return [node for node in self.candidates(item) if node.modality in modalities and node.is_valid(self.now)]


def fold(text: str) -> str:
    """The form in which words are looked for: NFKC, case folded, without white space."""
    return _BLANKS.sub("", unicodedata.normalize("NFKC", text).casefold())


def holds(content: str, has: Has) -> bool:
    """Whether the content has every item, of an inner list at least one."""
    folded = fold(content)
    return all(any(fold(form) in folded for form in ((item,) if isinstance(item, str) else item)) for item in has)


def examine(expect: Expectations, known: Known) -> list[Check]:
    """Every check that needs no search, and those that always run."""
    return [
        *(_remembered(item, known) for item in expect.memories),
        *(_never(item, known) for item in expect.never),
        *(_ended(item, known) for item in expect.ended),
        *(_once(item, known) for item in expect.once),
        verbatim(known.memories),
    ]


def recalled(kind: str, item: ExpectedRecall, hits: Iterable[MemoryNode]) -> Check:
    """Whether the words stand among the first `within` hits, best first."""
    first = list(hits)[: item.within]
    return _verdict(kind, item, _matching(first, item.has))


def narrowed(item: Expected, hits: Iterable[MemoryNode], ids: Collection[str]) -> list[MemoryNode]:
    """The hits an item may mean: about the person, or told by him. What is known from documents counts unless the item
    names a person."""
    return [
        node
        for node in hits
        if (
            node.target_id in ids
            or node.meta_data.get(TOLD_IN) in ids
            or (item.about is None and node.memory_type is MemoryType.LONGTERM)
        )
        and item.type in (None, node.memory_type)
        and item.modality in (None, node.modality)
    ]


def verbatim(memories: Sequence[MemoryNode]) -> Check:
    """A turn stored as it was said, under the name of an observation or insight, is a defect and no memory."""
    turns: dict[str, set[str]] = {}
    for node in memories:
        if node.memory_type is MemoryType.CONVERSATION:
            turns.setdefault(node.agent_id, set()).add(_bare(node.content))
    found = next((node for node in memories if _is_copy(node, turns.get(node.agent_id, ()))), None)
    return Check("verbatim", "verbatim", found is None, (), found.content if found else None)


def _is_copy(node: MemoryNode, turns: Collection[str]) -> bool:
    """A sentence that names whom it is about stands alone, also where it was spoken just so."""
    if node.memory_type not in (MemoryType.OBSERVATION, MemoryType.INSIGHT):
        return False
    content, name = _bare(node.content), _bare(node.target_name)
    if content in turns:
        return content == name or name not in content
    quoted = _QUOTED.match(content)
    return quoted is not None and _bare(quoted[1]) in turns


def _bare(text: str) -> str:
    return fold(text).strip(_EDGES)


def _matching(nodes: Iterable[MemoryNode], has: Has) -> list[MemoryNode]:
    return [node for node in nodes if holds(node.content, has)]


def _verdict(kind: str, item: Expected, found: Sequence[MemoryNode], *, passed: bool | None = None) -> Check:
    shown = " | ".join(node.content for node in found) if kind == "once" else next((n.content for n in found), None)
    return Check(kind, item.id, bool(found) if passed is None else passed, item.has, shown or None, item.why)


def _remembered(item: Expected, known: Known) -> Check:
    return _verdict("memories", item, _matching(known.held(item), item.has))


def _never(item: Expected, known: Known) -> Check:
    modality = item.modality or Modality.STATED
    found = [
        node
        for node in _matching(known.about_person(item), item.has)
        if node.modality is modality and node.is_valid(known.now)
    ]
    return _verdict("never", item, found, passed=not found)


def _once(item: Expected, known: Known) -> Check:
    found = [node for node in _matching(known.held(item), item.has) if node.memory_type is MemoryType.OBSERVATION]
    return _verdict("once", item, found, passed=len(found) == 1)


def _ended(item: ExpectedEnd, known: Known) -> Check:
    modalities = (item.modality,) if item.modality else HELD
    over = [
        node
        for node in _matching(known.candidates(item), item.has)
        if node.modality in modalities and not node.is_valid(known.now)
    ]
    if item.replaced_by is not None:
        successors = {
            node.memory_id
            for node in known.memories
            if node.memory_type in DERIVED
            and node.modality in HELD
            and node.is_valid(known.now)
            and holds(node.content, item.replaced_by)
        }
        over = [node for node in over if successors & _after(node, known.memories)]
    return _verdict("ended", item, over)


def _after(node: MemoryNode, memories: Sequence[MemoryNode]) -> set[str]:
    """The ids of all that took over from this memory, directly or in turn."""
    following: dict[str, set[str]] = {}
    for other in memories:
        if other.superseded_by:
            following.setdefault(other.memory_id, set()).add(other.superseded_by)
        for earlier in other.supersedes:
            following.setdefault(earlier, set()).add(other.memory_id)
    found: set[str] = set()
    ahead = [node.memory_id]
    while ahead:
        for later in following.get(ahead.pop(), set()) - found:
            found.add(later)
            ahead.append(later)
    return found
