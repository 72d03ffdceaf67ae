"""What is forgotten, said once more elsewhere, such as by who confirms it; and taking it out beside what is to stay."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final

from agentmem import patterns as re
from agentmem.characters import HAN, has_han
from agentmem.domain.document import is_document_fact
from agentmem.domain.episode import blotted
from agentmem.domain.memory import MemoryNode, MemoryType, RecordType
from agentmem.domain.scope import Scope
from agentmem.language.normal import identifiers_in, identifies, says_any
from agentmem.language.tokens import tokens
from agentmem.language.typed_values import typed_values
from agentmem.ledger.listing import every
from agentmem.memory.cuts import VERBATIM, Cut, pieces
from agentmem.memory.forget_plan import ForgetPlan
from agentmem.memory.sought import Asked
from agentmem.memory.support import is_of_words
from agentmem.ports.ledger import Ledger, Selection


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
    """The values of a text that have two digits and more, be they written in words."""
    for value in typed_values(text, at):
        said = text[value.start : value.end]
        in_words = len(said) > MIN_VALUE and not any(map(str.isdigit, said))
        if sum(map(str.isdigit, value.value if in_words else said)) >= MIN_VALUE:
            yield said
    for start, end, _ in identifiers_in(text):
        yield text[start:end]
    yield from _NUMBERED.findall(text)


_NUMBERED: Final = re.compile(rf"[{HAN}]\d{{2,}}[{HAN}]")
"""A number between the characters beside which it is known again: 路17号."""

MIN_VALUE: Final = 2
"""Digits of a value that is known again by itself."""


def confirmed(
    turns: Collection[MemoryNode], cuts: Iterable[tuple[MemoryNode, Cut]], facts: Iterable[MemoryNode]
) -> Iterator[tuple[MemoryNode, Cut]]:
    """The clauses in which the agent, right behind a turn, says a value once more that stands in this stretch of it, or
    that one of these facts was told there with."""
    behind, known = _answers(turns), {turn.memory_id: turn for turn in turns}
    told = [(turn, set(_values_in(turn.content[start:end], turn.valid_at))) for turn, (start, end) in cuts]
    told += [
        (known[part.memory_id], _value_of(fact)) for fact in facts for part in fact.evidence if part.memory_id in known
    ]
    for turn, values in told:
        answer = behind.get(turn.memory_id)
        if answer is not None:
            yield from (
                (answer, cut)
                for cut in pieces(answer.content)
                if any(value in answer.content[slice(*cut)] for value in values)
            )


def _value_of(fact: MemoryNode) -> set[str]:
    """What a fact says that is known again by itself."""
    if fact.value:
        return {value for value in (fact.value, *_values_in(fact.value, fact.valid_at)) if len(value) > 1}
    return set(_values_in(fact.content, fact.valid_at))


def unname(plan: ForgetPlan, names_in: Callable[[str], list[Cut]], nodes: Iterable[MemoryNode]) -> None:
    """Take names out of turns wherever they stand; what else says one goes, as its turn tells the rest."""
    for node in nodes:
        found = names_in(node.content)
        if found and node.memory_id not in plan.gone:
            plan.cut(node, found) if node.memory_type in VERBATIM else plan.drop(node)


async def unecho(ledger: Ledger, plan: ForgetPlan, said: Iterable[MemoryNode]) -> None:
    """Take out of what the agent says right behind a turn the clauses in which it says any word of it once more."""
    for turn in (node for node in said if node.memory_type is MemoryType.CONVERSATION):
        talk = Scope(turn.tenant, turn.agent_id, turn.target_id, turn.run_id)
        turns = [node async for node in every(ledger, Selection(talk, (MemoryType.CONVERSATION,)))]
        answer, words = _answers(turns).get(turn.memory_id), frozenset(tokens(turn.content))
        if answer is not None and answer.memory_id not in plan.gone:
            plan.cut(answer, [cut for cut in pieces(answer.content) if words & {*tokens(answer.content[slice(*cut)])}])


def _answers(turns: Iterable[MemoryNode]) -> dict[str, MemoryNode]:
    """What the agent says right behind each turn of the person's, by the turn's id."""
    order = sorted((turn.place, turn.memory_id, turn) for turn in turns if turn.place is not None)
    following = ((one[2], other[2]) for one, other in pairwise(order))
    return {
        turn.memory_id: answer
        for turn, answer in following
        if answer.run_id == turn.run_id and answer.speaker != turn.speaker
    }
