"""Everybody an agent knows, and the words that give them away: names, what they are called, how they are reached."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from agentmem import patterns as re
from agentmem.agents.copying.called import latin_parts
from agentmem.agents.copying.marks import Marks
from agentmem.agents.copying.spelling import joined, plain
from agentmem.domain.attributes import Own, base_of, slot_of, value_kind
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.domain.value import JsonValue
from agentmem.language.values import canonical_value
from agentmem.memory.support import rests_on

REACHES = ("phone", "email", "account")
PERSONAL = ("place", "money", "number", "date", "title")
"""Kinds of values by which a person is reached, and by which he can be guessed."""

_TELLING = frozenset(("address", "employer"))
_LOWER = re.compile(r"(?<![^\W_])[a-z]{3,}(?![^\W_])")
_MANY = 3
"""So many people share a part of their names that stands in the agent's documents as a word: it is one, as Customer in
Customer 17."""

_NUMBER = re.compile(r"(?!(?:19|20)\d\d[-.]\d{1,2}[-.]\d{1,2}(?!\d))\+?\d(?:[\s().-]?\d){7,14}")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


@dataclass(frozen=True, slots=True)
class Trail:
    """Whom a memory is about, whether it is what was said or sensed itself, and which memories it was made from."""

    target: str
    raw: bool
    sources: frozenset[str]


@dataclass(slots=True)
class People:
    """What the memories of one agent say of people, taken in one by one; ended and deleted ones count as well.

    `own` are the agent's own attributes, `names` its names, `itself` the targets of these names. Whoever is neither the
    agent itself nor let through by name is a person here.
    """

    own: Own
    trails: dict[str, Trail] = field(default_factory=dict[str, Trail])
    spoke: set[str] = field(default_factory=set[str])
    itself: set[str] = field(default_factory=set[str])
    names: set[str] = field(default_factory=set[str])
    called: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict[str, set[str]](set))
    reached: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict[str, set[str]](set))
    personal: set[str] = field(default_factory=set[str])
    ordinary: set[str] = field(default_factory=set[str])

    def take(self, node: MemoryNode) -> None:
        """Take in one memory."""
        target, said = node.target_id, node.memory_type is MemoryType.CONVERSATION
        raw = said or node.memory_type is MemoryType.PERCEPTUAL
        self.trails[node.memory_id] = Trail(target, raw, rests_on(node) | frozenset(node.supersedes))
        name = canonical_name(node.user_name)
        self.names.add(name)
        if target == entity_id(node.tenant, node.agent_id, name):
            self.itself.add(target)
        # What a customer gave to read is filed under him, and yet bears the agent's name.
        if canonical_name(node.target_name) != name:
            self.called[target].add(node.target_name)
        if node.memory_type is MemoryType.LONGTERM and target in self.itself:
            self.ordinary.update(_LOWER.findall(node.content))
        if said:
            self.spoke.add(target)
            if node.meta_data.get("role") != "agent":
                self._heard(target, node)
        if node.attribute and node.value:
            self._told(target, node.attribute, node.value)

    def _heard(self, target: str, node: MemoryNode) -> None:
        if node.speaker:
            self.called[target].add(node.speaker)
        for number in _NUMBER.findall(node.content):
            self.reached[target].update((number, canonical_value("phone", number)))
        self.reached[target].update(_EMAIL.findall(node.content))

    def _told(self, target: str, attribute: str, value: str) -> None:
        kind = value_kind(attribute, self.own)
        if kind == "name":
            self.called[target].add(value)
        elif kind in REACHES:
            self.reached[target].update((value, canonical_value(kind, value)))
        elif base_of(slot_of(attribute)) in _TELLING or kind in PERSONAL:
            self.personal.add(value)

    def behind(self, memory_id: str) -> frozenset[str] | None:
        """The targets whose words a memory rests on, at any remove; None where not all it rests on is there."""
        found: set[str] = set()
        ahead, seen = [memory_id], {memory_id}
        while ahead:
            trail = self.trails.get(ahead.pop())
            if trail is None:
                return None
            if trail.raw or trail.target not in self.itself:
                found.add(trail.target)
            ahead += trail.sources - seen
            seen |= trail.sources
        return frozenset(found)

    def different(self, targets: Iterable[str]) -> int:
        """How many people these targets are at least: two that share a name or a way to reach them are one."""
        first: dict[str, str] = {}
        parent: dict[str, str] = {}
        for target in set(targets):
            parent[target] = target
            words = {canonical_name(name) for name in self.called[target]}
            for word in words | {joined(plain(contact)) for contact in self.reached[target]}:
                parent[_root(parent, target)] = _root(parent, first.setdefault(word, target))
        return sum(each == parent[each] for each in parent)

    def marks(self, besides: Iterable[str], *, personal: bool = False) -> Marks:
        """What gives away anybody but these targets and the agent itself; who spoke is given away by a part of his
        name as well. With `personal`, also what is only somebody's own, such as where he lives."""
        left = {*besides, *self.itself} - self.spoke
        marks = Marks()
        marks.add_words(self.personal if personal else ())
        others = [target for target in self.called.keys() | self.reached.keys() if target not in left]
        generic = self._generic(others)
        for target in others:
            marks.add_names(self._names(target), parts=target in self.spoke, generic=generic)
            marks.add_contacts(self.reached[target])
        return marks

    def _names(self, target: str) -> list[str]:
        return [name for name in self.called[target] if canonical_name(name) not in self.names]

    def _generic(self, targets: Iterable[str]) -> frozenset[str]:
        """Parts of names that are words."""
        shared = Counter(
            word for target in targets for word in {w for n in self._names(target) for w in latin_parts(n)}
        )
        return frozenset(word for word, count in shared.items() if count >= _MANY and word in self.ordinary)


def texts_of(node: MemoryNode) -> Iterator[str]:
    """Every text a memory holds, wherever it stands in it."""
    fields = (node.content, node.target_name, node.speaker, node.kind, node.attribute, node.value, node.relation)
    yield from (text for text in fields if text)
    yield from node.key
    yield from _texts(node.meta_data)


def _texts(value: JsonValue) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            yield from value
            for item in value.values():
                yield from _texts(item)
        case list():
            for item in value:
                yield from _texts(item)
        case _:
            return


def _root(parent: Mapping[str, str], target: str) -> str:
    while parent[target] != target:
        target = parent[target]
    return target
