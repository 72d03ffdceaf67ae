"""From what was found to what it names: names that the question does not say, the memories they lead to, and what the
whole way to each is worth.

The best find of a question of several hops is where the way begins; the far end shares hardly a word with the question
and is found by a name alone (Trivedi et al. 2023, Gutiérrez et al. 2024). A way is worth what its beginning is, times
how much the sentence with the name says of the question, times how near the memory is to the name and how much it says
of what is still unsaid.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agentmem.answers.asking import LONGEST, Asking, says
from agentmem.answers.passages import Passage
from agentmem.domain.entity import mentions_of, named
from agentmem.domain.memory import MemoryNode, MemoryType, place_of
from agentmem.domain.naming import canonical_name
from agentmem.language.clauses import sentences
from agentmem.language.names import names_of

CROSSED: Final = 10
"""Bridges that are crossed in one step, the best."""

BEGINNINGS: Final = 6
"""Passages that bridges begin in, the best."""

WORTHY: Final = 0.3
"""Passages worth less of the best one begin no bridge."""

EACH: Final = 5
"""Bridges that begin in one passage."""

SENTENCE: Final = 0.4
"""What a name is worth whose sentence says nothing of what the passage says of the question, beside 1 for all."""

ASIDE: Final = 0.5
"""What a name is worth that a passage has as its title, or that it was told by."""

ABOUT: Final = 0.6
"""How near a memory is that is about the name or said by who bears it, if there is no other."""

MENTIONED: Final = 0.2
"""How near one is that has the name in it, if there is no other."""

SPREAD: Final = 0.3
"""The power of the number of memories as near as this one by which its nearness thins out."""

GAINED: Final = 0.6
"""What saying all that is still unsaid adds to nearness."""

FILLED: Final = 0.5
"""By how much of what is still unsaid a memory comes nearer that fills the slot which is asked for."""

ANSWERED: Final = 0.6
"""What a turn gains by what the turn before it asked."""


@dataclass(frozen=True, slots=True)
class Bridge:
    """A name to go on from, said `behind`; the passages of the way have `said` these words of the question, and it is
    `worth` so much up to the name."""

    name: str
    entity: str
    behind: Passage
    said: frozenset[str]
    worth: float


def bridges(passages: Sequence[Passage], asking: Asking, crossed: Collection[str]) -> list[Bridge]:
    """The best ways on from the best passages, which come first, each entity once and none that was `crossed`."""
    best: dict[str, Bridge] = {}
    for passage in passages[:BEGINNINGS]:
        if passage.score < WORTHY * passages[0].score:
            break
        for bridge in _beginning_in(passage, asking)[:EACH]:
            held = best.get(bridge.entity)
            if bridge.entity not in crossed and (held is None or held.worth < bridge.worth):
                best[bridge.entity] = bridge
    return _best_first(best.values())[:CROSSED]


def _best_first(found: Iterable[Bridge]) -> list[Bridge]:
    return sorted(found, key=lambda one: (-one.worth, one.entity))


def _beginning_in(passage: Passage, asking: Asking) -> list[Bridge]:
    node, best = passage.memory, dict[str, Bridge]()
    for name, said, worth in _named_in(node, asking):
        entity = named(node.tenant, node.agent_id, name)
        bridge = Bridge(name, entity, passage, passage.said | said, passage.score * worth)
        if not asking.names(name) and (entity not in best or best[entity].worth < bridge.worth):
            best[entity] = bridge
    return _best_first(best.values())


def _named_in(node: MemoryNode, asking: Asking) -> Iterator[tuple[str, frozenset[str], float]]:
    """Names with the words of the question that stand beside them, and their worth."""
    whole, linked = asking.said(node), [mention.name for mention in mentions_of(node)]
    for span in sentences(node.content[:LONGEST]):
        said, plain = asking.in_text(span.text), canonical_name(span.text)
        worth = SENTENCE + (1 - SENTENCE) * (asking.share(said, whole) if whole else 0.5)
        names = [mention.name for mention in names_of(span.text)]
        for name in dict.fromkeys((*names, *(each for each in linked if says(plain, canonical_name(each))))):
            yield name, said, worth
    teller = () if node.memory_type is MemoryType.LONGTERM else (node.target_name,)
    for name in (*node.key, *teller):
        yield name, whole, ASIDE


def across(
    bridge: Bridge, same: Collection[str], nodes: Sequence[MemoryNode], asking: Asking, hop: int
) -> list[Passage]:
    """The memories that a bridge leads to; `same` are all the ids of its entity."""
    asked_before = _turns_before(nodes, asking)
    near = {node.memory_id: _nearness(node, bridge, same, asking) for node in nodes}
    alike = Counter(near.values())
    rest = asking.words - bridge.said
    found: list[Passage] = []
    for node in nodes:
        nearness = near[node.memory_id]
        if nearness > 0 and node.memory_id != bridge.behind.memory.memory_id:
            gain = asking.share(asking.said(node) & rest, rest)
            gain = max(gain, ANSWERED * asking.share(asked_before.get(node.memory_id, frozenset()) & rest, rest))
            if node.attribute in asking.slots:
                gain += FILLED * (1 - gain)
            worth = bridge.worth * (nearness / alike[nearness] ** SPREAD + GAINED * gain)
            said = bridge.said | asking.said(node)
            found.append(Passage(node, worth, hop, bridge.behind.memory.memory_id, said))
    return found


def _nearness(node: MemoryNode, bridge: Bridge, same: Collection[str], asking: Asking) -> float:
    name = canonical_name(bridge.name)
    if node.target_id in same and node.memory_type is not MemoryType.LONGTERM:
        heard = node.memory_type is MemoryType.CONVERSATION and node.speaker != node.target_name
        return MENTIONED / 2 if heard else ABOUT
    if node.memory_type is MemoryType.LONGTERM and any(says(canonical_name(key), name) for key in node.key):
        return ABOUT
    return MENTIONED if any(each in same for each in node.entity_ids) or says(asking.plain(node), name) else 0.0


def _turns_before(nodes: Iterable[MemoryNode], asking: Asking) -> Mapping[str, frozenset[str]]:
    """By turn, the words of the question in the turn before it."""
    turns = {node.place: node for node in nodes if node.place is not None}
    found: dict[str, frozenset[str]] = {}
    for place, node in turns.items():
        talk, _, number = place.rpartition("/")
        if before := turns.get(place_of(talk, int(number) - 1)):
            found[node.memory_id] = asking.said(before)
    return found
