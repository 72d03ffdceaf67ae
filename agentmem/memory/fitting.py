"""Which memories fit what somebody asks to be forgotten, word by word: one says it, or fills the slot that is named, or
tells of the same topic."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.errors import InvalidInput
from agentmem.language.cues import topics_of
from agentmem.language.details import tells, values_of
from agentmem.language.lookalikes import simplified
from agentmem.language.tokens import tokens
from agentmem.ledger.listing import every
from agentmem.memory.cuts import VERBATIM
from agentmem.memory.forget_plan import ForgetPlan
from agentmem.memory.request import pleaded_in
from agentmem.memory.request_pleaded import Pleading
from agentmem.memory.sought import LIGHT, MAX_NEAR, Asked, Sought
from agentmem.memory.wish import read_wish
from agentmem.memory.wish_words import is_related
from agentmem.ports.ledger import Ledger, Selection

BY_TOPIC: Final = 0.7
"""How much a word counts that is only of the same topic as one of a memory, where one that is said counts 1."""

ENOUGH: Final = 0.5
"""Share of what is asked for that a memory must have."""

NEARLY_AS_WELL: Final = 0.75
"""Share of the best memory's that another must have to be offered beside it."""


def fitting(pleading: Pleading, sought: Sought, nodes: Iterable[MemoryNode]) -> list[MemoryNode]:
    """At most `MAX_NEAR` of these memories, those that fit best first, and of such as fit as well the newest. A turn is
    left out where a memory made of it is among them."""
    least = BY_TOPIC if pleading.loosely else ENOUGH
    found = [(_fit(sought, node), node) for node in nodes]
    found = [(fit, node) for fit, node in found if fit >= least]
    best = max((fit for fit, _ in found), default=0.0)
    found = [(fit, node) for fit, node in found if fit >= NEARLY_AS_WELL * best]
    found.sort(key=lambda each: (-each[0], -each[1].valid_at.timestamp(), each[1].memory_id))
    told = {part.memory_id for _, node in found for part in node.evidence}
    return [node for _, node in found if node.memory_id not in told][:MAX_NEAR]


async def unplead(plan: ForgetPlan, ledger: Ledger, asked: Asked) -> None:
    """Take out of the turns of those with whom something goes what asked in vain for it to be forgotten: it names what
    is not to be told."""
    gone = [node for node in plan.gone.values() if node.memory_type not in VERBATIM]
    names = {node.target_id: node.target_name for node in gone}
    for target in sorted(names):
        scope = replace(plan.meant.scope, target=target, run=None)
        async for turn in every(ledger, Selection(scope, (MemoryType.CONVERSATION,))):
            if turn.memory_id in plan.gone or turn.created_at > plan.now:
                continue
            pleading, where = pleaded_in(turn.content)
            if pleading is not None and _pleads_for(pleading, gone, asked, names.values()):
                plan.cut(turn, [where])


def _pleads_for(pleading: Pleading, nodes: Iterable[MemoryNode], asked: Asked, selves: Iterable[str]) -> bool:
    try:
        sought = read_wish(f"forget {pleading.words}", asked, tuple(selves), own=True).forget
    except InvalidInput:
        return False
    return bool(fitting(pleading, sought, nodes))


def _fit(sought: Sought, node: MemoryNode) -> float:
    """The share of what is named that a memory has: each word, and what is called by a slot."""
    plain = simplified(f"{node.content}\n{node.value or ''}")
    said = frozenset(tokens(plain))
    named = bool(sought.attributes or sought.details)
    words = (sought.besides if named else sought.words) - LIGHT
    fills = node.attribute in sought.attributes or any(
        tells(node.content, detail) or values_of(node.content, detail) for detail in sought.details
    )
    about = topics_of(plain)
    have = sum(1.0 if is_related(word, plain, said) else BY_TOPIC * bool(topics_of(word) & about) for word in words)
    return (have + fills) / (len(words) + named) if words or named else 0.0
