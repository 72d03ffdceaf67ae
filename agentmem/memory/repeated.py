"""What is forgotten, said once more elsewhere, such as by who confirms it; and taking it out beside what is to stay."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final

from agentmem.characters import has_han
from agentmem.domain.document import is_document_fact
from agentmem.domain.entity import mentions_of
from agentmem.domain.episode import BLOT, blotted, order_in_talk
from agentmem.domain.memory import MemoryNode, MemoryType, RecordType
from agentmem.language.normal import identifiers_in, identifies, says_any
from agentmem.language.tokens import tokens
from agentmem.language.typed_values import typed_values
from agentmem.memory.cuts import VERBATIM, Cut, clauses_said, made_of, pieces
from agentmem.memory.forget_plan import ForgetPlan
from agentmem.memory.sought import Asked, Sought
from agentmem.memory.support import is_of_words


def take(plan: ForgetPlan, node: MemoryNode, stretches: Collection[Cut]) -> None:
    """Take clauses out of a memory of words; one that was concluded, measured, is a value or a fact goes whole."""
    whole = node.record in (RecordType.ITEM, RecordType.SESSION_ITEM) or is_document_fact(node)
    words = is_of_words(node) or node.memory_type in VERBATIM
    plan.cut(node, stretches) if words and not whole else plan.drop(node)


def shorten(plan: ForgetPlan, sought: Sought, node: MemoryNode, asked: Asked) -> bool:
    """Take the clauses out of a memory that tell what is meant, where others tell something else; whether it stays so.
    Else it goes."""
    cuts = [cut for cut in pieces(node.content) if sought.told_in(node.content[slice(*cut)], asked)]
    if cuts and not sought.fills(node) and not _leaves_names(node, cuts):
        take(plan, node, cuts)
    else:
        plan.drop(node)
    return node.memory_id not in plan.gone


def _leaves_names(node: MemoryNode, cuts: Collection[Cut]) -> bool:
    """Whether nothing of a memory but names would be left, which tells nothing of those who bear them."""
    left = frozenset(tokens(blotted(node.content, cuts).replace(BLOT, " ")))
    return left <= frozenset(token for each in mentions_of(node) for token in tokens(each.name))


def shorten_made(plan: ForgetPlan, turn: MemoryNode, cuts: Sequence[Cut], made: Collection[MemoryNode]) -> None:
    """Take what says the same as clauses of a turn that go out of what was made of them."""
    for node in (each for cut in cuts for each in made if made_of([each], turn.memory_id, cut)):
        if again := clauses_said(node, [turn.content[slice(*cut)] for cut in cuts]):
            take(plan, node, again)


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
        number = len(fact.value) > 1 and any(map(str.isdigit, fact.value)) and _is_same_unit(clause, fact)
        return fact.attribute in self.asked(clause) or (number and node.run_id == fact.run_id)


def _is_same_unit(clause: str, fact: MemoryNode) -> bool:
    """Whether what stands behind the number in a clause, where that is Chinese, stands behind it in the fact as well:
    43号 is no 43岁."""
    _, _, behind = clause.partition(fact.value or "")
    return not has_han(behind[:1]) or f"{fact.value}{behind[:1]}" in fact.content


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


def values_gone(changes: Iterable[tuple[MemoryNode, MemoryNode | None]]) -> frozenset[str]:
    """The values that memories told before and tell no more, as it was said; None stands for one that went whole."""
    found = set[str]()
    for before, after in changes:
        said = {before.value} if before.value else set[str]()
        said |= set(_values_in(before.content, before.valid_at))
        left = after.content if after is not None else ""
        found |= {value for value in said if value not in left and len(value) > 1}
    return frozenset(found)


def _values_in(text: str, at: datetime) -> Iterator[str]:
    """The values of a text that have two digits and more."""
    for value in typed_values(text, at):
        said = text[value.start : value.end]
        if sum(map(str.isdigit, said)) >= MIN_VALUE:
            yield said
    for start, end, _ in identifiers_in(text):
        yield text[start:end]


MIN_VALUE: Final = 2
"""Digits of a value that is known again by itself."""


def confirmed(turns: Iterable[MemoryNode], cuts: Iterable[tuple[MemoryNode, Cut]]) -> Iterator[tuple[MemoryNode, Cut]]:
    """The clauses in which the agent, right behind a turn, says a value once more that stands in this stretch of it."""
    order = sorted((at, turn.memory_id, turn) for turn in turns if (at := order_in_talk(turn)) is not None)
    behind = {one[2].memory_id: other[2] for one, other in pairwise(order)}
    for turn, (start, end) in cuts:
        answer = behind.get(turn.memory_id)
        if answer is None or answer.run_id != turn.run_id or answer.speaker == turn.speaker:
            continue
        values = set(_values_in(turn.content[start:end], turn.valid_at))
        yield from (
            (answer, cut)
            for cut in pieces(answer.content)
            if any(value in answer.content[slice(*cut)] for value in values)
        )
