"""Everybody an agent knows, and the words that give them away: names, what they are called, how they are reached."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from agentmem.domain.attributes import Own, base_of, slot_of, value_kind
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import HAN, canonical_name, fold
from agentmem.domain.value import JsonValue
from agentmem.language.values import canonical_value
from agentmem.memory.support import rests_on

REACHES = ("phone", "email", "account")
PERSONAL = ("place", "money", "number", "date", "title")
"""Kinds of values by which a person is reached, and by which he can be guessed."""

_TELLING = frozenset(("address", "employer"))
_NUMBER = re.compile(r"(?!(?:19|20)\d\d[-.]\d{1,2}[-.]\d{1,2}(?!\d))\+?\d(?:[\s().-]?\d){7,14}")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_HAN_ONLY = re.compile(f"[{HAN}]{{2,4}}")
_LATIN_WORD = re.compile(f"[^\\W\\d_{HAN}]{{3,}}")
_APART = re.compile(r"[\W_]+")
_WORD = re.compile(f"[{HAN}]|[^\\W_{HAN}]+")
_SHORTEST_CONTACT = 5
_HONORIFICS = ("先生", "女士", "小姐", "太太", "总", "经理", "主任", "老师", "哥", "姐")
_DIGITS = str.maketrans("零〇一二三四五六七八九", "00123456789")


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
            for word in words | {_compact(contact) for contact in self.reached[target]}:
                parent[_root(parent, target)] = _root(parent, first.setdefault(word, target))
        return sum(each == parent[each] for each in parent)

    def marks(self, besides: Iterable[str], *, personal: bool = False) -> "Marks":
        """What gives away anybody but these targets and the agent itself; who spoke is given away by a part of his
        name as well. With `personal`, also what is only somebody's own, such as where he lives."""
        left = {*besides, *self.itself} - self.spoke
        marks = Marks()
        marks.add_words(self.personal if personal else ())
        for target in self.called.keys() | self.reached.keys():
            if target not in left:
                names = [name for name in self.called[target] if canonical_name(name) not in self.names]
                marks.add_names(names, parts=target in self.spoke)
                marks.add_contacts(self.reached[target])
        return marks


class Marks:
    """Words that give somebody away, looked for in texts however they are spaced, spelled or written in width."""

    def __init__(self) -> None:
        self._joined: defaultdict[str, set[str]] = defaultdict(set)
        self._worded: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
        self._capital: set[str] = set()

    def add_names(self, names: Iterable[str], *, parts: bool) -> None:
        """Names of one person; with `parts`, also what he may be called by them."""
        for name in names:
            self._add(name)
            for part in _parts(name) if parts else ():
                self._add(part)
            if parts:
                self._capital.update(word.casefold() for word in _LATIN_WORD.findall(name))

    def add_contacts(self, contacts: Iterable[str]) -> None:
        """Numbers and addresses, found in whatever groups they are written."""
        for contact in contacts:
            form = _compact(contact)
            if len(form) >= _SHORTEST_CONTACT:
                self._joined[form[:2]].add(form)

    def add_words(self, words: Iterable[str]) -> None:
        """Words that are nobody's name and yet somebody's own."""
        for word in words:
            self._add(word)

    def _add(self, name: str) -> None:
        plain = canonical_name(name)
        if len(plain) < 2:
            return
        if re.search(f"[{HAN}]", plain):
            self._joined[_compact(plain)[:2]].add(_compact(plain))
        elif words := tuple(_words(plain)):
            self._worded[words[0]].add(words)

    def within(self, text: str) -> str | None:
        """A mark the text holds, or None."""
        plain = fold(text)
        return self._closely(_joined(plain)) or self._word_by_word(plain) or self._capitals(text)

    def _closely(self, text: str) -> str | None:
        for place in range(len(text) - 1):
            for mark in self._joined.get(text[place : place + 2], ()):
                if text.startswith(mark, place):
                    return mark
        return None

    def _word_by_word(self, text: str) -> str | None:
        words = _words(text)
        for place, word in enumerate(words):
            for mark in self._worded.get(word, ()):
                if tuple(words[place : place + len(mark)]) == mark:
                    return " ".join(mark)
        return None

    def _capitals(self, text: str) -> str | None:
        words = (word for word in _LATIN_WORD.findall(text) if word[0].isupper())
        return next((word for word in words if word.casefold() in self._capital), None)


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


def _parts(name: str) -> Iterator[str]:
    """What a Chinese name is called by: the given name, the surname with a title."""
    plain = canonical_name(name)
    if not _HAN_ONLY.fullmatch(plain):
        return
    if len(plain) == 3:
        yield plain[1:]
    if len(plain) <= 3:
        yield from (plain[0] + title for title in _HONORIFICS)
        yield from (before + plain[0] for before in "小老")


def _root(parent: Mapping[str, str], target: str) -> str:
    while parent[target] != target:
        target = parent[target]
    return target


def _compact(text: str) -> str:
    return _joined(fold(text))


def _joined(plain: str) -> str:
    """Letters and digits alone, Chinese numerals as digits."""
    return _APART.sub("", plain).translate(_DIGITS)


def _words(text: str) -> list[str]:
    return _WORD.findall(text)
