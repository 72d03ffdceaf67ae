"""Whom besides the person a wish means: as a whole, or in one detail ("my mother's allergy" is Lucia's, once it is said
who she is). Who he is stays where only a detail of him goes.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from agentmem import patterns as re
from agentmem.domain.entity import mentions_of
from agentmem.domain.memory import Evidence, MemoryNode
from agentmem.domain.naming import fold
from agentmem.language.lookalikes import simplified
from agentmem.language.tokens import terms
from agentmem.memory.cuts import Cut, saying
from agentmem.memory.matters import says
from agentmem.memory.wish import FAMILY, Wish

MAX_WORDS = 2
"""Words that say what somebody is to a person, besides their names."""

_ENDING = re.compile(r"[a-z]*")


@dataclass(frozen=True, slots=True)
class Relatives:
    """Those whom a wish names a detail of, by name, each with the words of the wish that his name stands for. `person`:
    the names of who asks."""

    wish: Wish
    person: frozenset[str]
    words: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    @classmethod
    def named_in(cls, wish: Wish, person: Collection[str], facts: Iterable[MemoryNode]) -> "Relatives":
        """As these facts say who they are."""
        alone = cls(wish, frozenset(person))
        found: dict[str, frozenset[str]] = {}
        for node in facts:
            bond = alone.bond(node)
            stands = frozenset(word for word in wish.forget.words if says(word, bond))
            if stands and (wish.forget.words - stands or wish.forget.attributes):
                found[node.target_name] = found.get(node.target_name, frozenset()) | stands
        return cls(wish, alone.person, found)

    def bond(self, node: MemoryNode) -> frozenset[str]:
        """What somebody is to the person, where a memory says that and nothing else."""
        said, names = terms(node.content), terms(" ".join(self.person))
        if node.target_name in self.person or node.value or not said & names:
            return frozenset()
        rest = said - names - terms(node.target_name)
        return rest if len(rest) <= MAX_WORDS else frozenset()

    def says(self, text: str) -> bool:
        """Whether a text says what is to be forgotten and nothing that is to be kept."""
        return self.wish.forget.said_in(text) and not self.wish.keep.said_in(text)

    def means(self, node: MemoryNode) -> bool:
        """Whether a memory about somebody else says of him what is to be forgotten."""
        forget, stands = self.wish.forget, self.words.get(node.target_name, frozenset[str]())
        named = terms(simplified(node.target_name)) - terms(" ".join(self.person))
        if self.bond(node) or not (stands or (named and named <= forget.words)):
            return False
        return (forget.fills(node, stands) or forget.said_in(node.content, stands)) and not self.wish.keeps(node)

    def who_stays(
        self, turns: Mapping[str, MemoryNode], staying: Iterable[MemoryNode], said: Iterable[MemoryNode]
    ) -> dict[str, set[Cut]]:
        """The stretches of turns, by id, that say who somebody is, or more of him, and nothing of what goes."""
        gone = self.wish.forget.words - frozenset[str]().union(*self.words.values())
        gone |= frozenset(word for node in said for word in terms(f"{node.content} {node.value or ''}"))
        found: dict[str, set[Cut]] = {}
        for node in staying:
            lost = gone - terms(node.content)
            for part in node.evidence if lost and self._is_told_apart(node) else ():
                turn = turns.get(part.memory_id)
                if turn is not None:
                    found.setdefault(part.memory_id, set()).update(self._without(node, turn, part, lost))
        return found

    def _is_told_apart(self, node: MemoryNode) -> bool:
        """Whether a memory says who somebody else is, or fills a slot of his that may stay."""
        of_another = node.attribute == FAMILY or node.target_name not in self.person
        other = node.attribute is not None and node.attribute not in self.wish.forget.attributes
        return (of_another and other) or bool(self.bond(node))

    def _without(self, node: MemoryNode, turn: MemoryNode, part: Evidence, lost: Collection[str]) -> Iterator[Cut]:
        """The clauses that say a memory, or where they say what goes too, their beginnings that say who somebody is."""
        for start, end in saying(node, turn.content, part, ()):
            clause = turn.content[start:end]
            begin = _said_until(clause, node.target_name, self.bond(node))
            stretch = next((each for each in (clause, clause[:begin]) if not _says_any(each, lost)), "")
            if stretch:
                yield start, start + len(stretch)


def _says_any(text: str, words: Collection[str]) -> bool:
    said = terms(simplified(text))
    return any(says(word, said) for word in words)


def _said_until(clause: str, name: str, words: Collection[str]) -> int:
    """Where a clause has said a name and these words; 0 where it does not say them all."""
    plain, last = fold(clause), 0
    if not words or len(plain) != len(clause):
        return 0
    for word in (fold(name), *words):
        at = plain.find(word)
        if at < 0:
            return 0
        ending = _ENDING.match(plain, at + len(word)) if word.isascii() else None
        last = max(last, ending.end() if ending else at + len(word))
    return last


def others_named(node: MemoryNode, wish: Wish, person: str | None) -> Iterable[str]:
    """Who else than the person is meant as a whole, as a memory names him."""
    if node.target_id != person and (wish.forget.is_only(node.target_name) or _says_kin(node, wish)):
        yield node.target_name
    if node.target_id == person and _says_kin(node, wish):
        yield from (each.name for each in mentions_of(node) if each.kind == "person")


def _says_kin(node: MemoryNode, wish: Wish) -> bool:
    return wish.forget.of_kin and wish.forget.said_in(node.content)
