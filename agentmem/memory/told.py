"""What a wish may mean, person by person, and the names of those whom it means as a whole."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agentmem.domain.entity import mentions_of
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.language.people import Whom
from agentmem.memory.owned import OwnedTurns
from agentmem.memory.owners import OWN, Cast, Owner
from agentmem.memory.wish import Wish


class ToldByOne(NamedTuple):
    """What is held of one person, what his turns tell of others, and whose each clause is."""

    held: Sequence[MemoryNode]
    others: Sequence[MemoryNode]
    owned: OwnedTurns


@dataclass(frozen=True, slots=True)
class AllTold:
    """What a wish may mean: of each person, with all `turns`, what was `made` of them, and what is `unmade` as yet."""

    read: Sequence[ToldByOne]
    turns: Mapping[str, MemoryNode]
    made: Sequence[MemoryNode]
    unmade: frozenset[str]

    @property
    def facts(self) -> list[MemoryNode]:
        """All but the turns."""
        held = (node for person in self.read for node in (*person.held, *person.others))
        return [node for node in held if node.memory_type is not MemoryType.CONVERSATION]


def by_person(
    held: Iterable[MemoryNode], others: Sequence[MemoryNode]
) -> Iterable[tuple[list[MemoryNode], list[MemoryNode]]]:
    """What is held of each person, and what his turns tell of others."""
    persons: dict[str | None, list[MemoryNode]] = {}
    for node in held:
        persons.setdefault(node.target_id, []).append(node)
    for target, nodes in persons.items():
        ids = {node.memory_id for node in nodes}
        yield nodes, [each for each in others if each.target_id == target or {*_ids_of(each)} & ids]


def _ids_of(node: MemoryNode) -> Iterable[str]:
    return (part.memory_id for part in node.evidence)


def names_meant(cast: Cast, wish: Wish, found: Iterable[str]) -> frozenset[str]:
    """The names of those whom a wish means as a whole: those `found` for them but such as somebody else has, and those
    that they alone have; none of these where one of several is meant."""
    each = [(whom, cast.owners(whom)) for whom in wish.forget.people]
    meant = frozenset[Owner]().union(*(owners for _, owners in each))
    surely = frozenset[Owner]().union(*(owners for whom, owners in each if len(owners) == 1 or whom.many)) - {OWN}
    borne = {name: cast.owners(Whom(None, name)) for name in cast.names}
    theirs = {name for name, owners in borne.items() if owners and owners <= surely}
    others = {name for name, owners in borne.items() if cast.paths[name] and owners.isdisjoint(meant)}
    return frozenset(name for name in (*found, *theirs) if canonical_name(name) not in others)


def others_named(node: MemoryNode, wish: Wish, person: str | None) -> Iterable[str]:
    """Who else than the person is meant as a whole, as a memory names him."""
    if node.target_id != person and (wish.forget.is_only(node.target_name) or _says_kin(node, wish)):
        yield node.target_name
    if node.target_id == person and _says_kin(node, wish):
        yield from (each.name for each in mentions_of(node) if each.kind == "person")


def _says_kin(node: MemoryNode, wish: Wish) -> bool:
    return wish.forget.of_kin and wish.forget.said_in(node.content)


def all_in(node: MemoryNode, turns: Collection[str]) -> bool:
    """Whether a memory was made of nothing but these turns."""
    return all(part.memory_id in turns for part in node.evidence)
