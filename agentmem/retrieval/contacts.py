"""Whose way to be reached may be told: where a question is put to the memories of many people and asks of one of them,
his alone."""

from collections.abc import Callable, Collection, Iterable
from typing import Final

from agentmem import patterns as re
from agentmem.domain.attributes import base_of, slot_of
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.language.clauses import clauses
from agentmem.questions.called import named_among
from agentmem.questions.form import is_described, is_nested
from agentmem.questions.question import CONTACT, Question, reached_in

_DATE: Final = re.compile(r"(?<!\d)\d{4}-\d\d(?:-\d\d)?(?!\d)")


def asked_of(question: Question, scope: Scope) -> frozenset[str]:
    """The names of those of whom alone something is asked; none where one person's memories are looked at, or the names
    only lead to somebody else."""
    if scope.target is not None or not question.named:
        return frozenset()
    leads_on = is_nested(question.text) or is_described(question.text) or bool(question.kin)
    return frozenset() if leads_on else question.named


def may_be_shown(named: Collection[str], nodes: Iterable[MemoryNode]) -> Callable[[MemoryNode], bool]:
    """Whether a memory, one of these nodes, tells nothing of how to reach somebody other than those who are `named`."""
    ids = {node.target_id for node in nodes if node.target_name in named}

    def shown(node: MemoryNode) -> bool:
        anothers = named and node.memory_type is not MemoryType.LONGTERM and node.target_id not in ids
        return not (anothers and _reaches_another(node, named))

    return shown


def _reaches_another(node: MemoryNode, named: Collection[str]) -> bool:
    if node.memory_type is not MemoryType.CONVERSATION and base_of(slot_of(node.attribute or "")) in CONTACT:
        return True
    text = _DATE.sub(" ", node.content)
    parts = (clause.text for clause in clauses(text)) if reached_in(text, CONTACT) else ()
    return any(reached_in(part, CONTACT) and not named_among(named, part) for part in parts)
