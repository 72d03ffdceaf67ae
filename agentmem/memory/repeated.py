"""What is forgotten, said once more elsewhere, such as by who confirms it; and taking it out beside what is to stay."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from agentmem.domain.document import is_document_fact
from agentmem.domain.episode import blotted
from agentmem.domain.memory import MemoryNode, MemoryType, RecordType
from agentmem.memory.cuts import VERBATIM, Cut, pieces
from agentmem.memory.forget_plan import ForgetPlan
from agentmem.memory.support import is_of_words
from agentmem.memory.wish import Asked, identifiers_in, identifies, says_any


def take(plan: ForgetPlan, node: MemoryNode, stretches: Collection[Cut]) -> None:
    """Take clauses out of a memory of words; one that was concluded, measured, is a value or a fact goes whole."""
    whole = node.record in (RecordType.ITEM, RecordType.SESSION_ITEM) or is_document_fact(node)
    words = is_of_words(node) or node.memory_type in VERBATIM
    plan.cut(node, stretches) if words and not whole else plan.drop(node)


@dataclass(frozen=True, slots=True)
class Repeated:
    """What is said again where somebody confirms it: the values of facts, and identifiers."""

    facts: Sequence[MemoryNode]
    asked: Asked
    identifiers: frozenset[str] = frozenset()

    @property
    def codes(self) -> frozenset[str]:
        """The identifiers, those among the values too."""
        return self.identifiers | {code for fact in self.facts for _, _, code in identifiers_in(fact.value or "")}

    def values_in(self, clause: str) -> list[Cut]:
        """Where a clause says one of these values, whatever it means by it."""
        values = [fact.value for fact in self.facts if fact.value and fact.value in clause]
        found = [(clause.index(value), clause.index(value) + len(value)) for value in values]
        return [*found, *says_any(clause, self.codes)]

    def told_in(self, node: MemoryNode, clause: str) -> bool:
        """Whether a clause of a memory tells one of them."""
        return bool(says_any(clause, self.codes)) or any(self._says(node, clause, fact) for fact in self.facts)

    def _says(self, node: MemoryNode, clause: str, fact: MemoryNode) -> bool:
        """Whether a clause says the value of a fact and can mean nothing else by it: the value is one of a kind, its
        slot is named beside it, or it is a number that was said in the same conversation."""
        if not fact.value or fact.value not in clause:
            return False
        if identifies(fact.value):
            return True
        if node.memory_type is not MemoryType.CONVERSATION or node.target_id != fact.target_id:
            return False
        number = len(fact.value) > 1 and any(map(str.isdigit, fact.value))
        return fact.attribute in self.asked(clause) or (number and node.run_id == fact.run_id)


def unrepeat(plan: ForgetPlan, held: Iterable[MemoryNode], repeated: Repeated, staying: Sequence[MemoryNode]) -> None:
    """Take out the clauses in which somebody says once more what is forgotten, such as who confirms it."""
    for node in held:
        if node.memory_id not in plan.gone:
            told = [cut for cut in pieces(node.content) if repeated.told_in(node, node.content[slice(*cut)])]
            if told:
                take(plan, node, sparing(node, told, repeated, staying))


def sparing(node: MemoryNode, cuts: Iterable[Cut], repeated: Repeated, staying: Iterable[MemoryNode]) -> list[Cut]:
    """These clauses of a turn; of one that says the value of a fact that stays as well, what is forgotten alone."""
    values = {
        fact.value for fact in staying if fact.value and any(part.memory_id == node.memory_id for part in fact.evidence)
    }
    found: list[Cut] = []
    for start, end in cuts:
        clause = node.content[start:end]
        meant = repeated.values_in(clause)
        rest = blotted(clause, meant)
        spared = meant and any(value in rest for value in values)
        found += ((start + begin, start + stop) for begin, stop in meant) if spared else [(start, end)]
    return found
