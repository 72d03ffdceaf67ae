"""What becomes of a memory that rested on something forgotten: it stays with what still carries it, or goes."""

from collections.abc import Mapping, Sequence

from agentmem.domain.memory import Evidence, MemoryNode
from agentmem.memory.forget_plan import FROM_WORDS, ForgetPlan, unlinked
from agentmem.memory.support import is_of_words, rests_on, still_said, tells_of


def settle(plan: ForgetPlan, node: MemoryNode, known: Mapping[str, MemoryNode]) -> None:
    """Leave a memory with what still carries it, or let it go."""
    sources = rests_on(node)
    rest = [part for old in node.evidence if old.memory_id not in plan.gone and (part := plan.moved(old))]
    # Other words of a turn that were cut away go as if the turn were gone.
    unsaid = {part.memory_id for part in node.evidence} - {part.memory_id for part in rest}
    lost = (sources & plan.gone.keys()) | unsaid
    remaining = [known[key] for key in sources - lost if key in known]
    if lost and not _carried(plan, plan.state(node), rest, remaining, known):
        plan.drop(node)
        return
    kept: dict[str, object] = {
        "source_ids": tuple(key for key in node.source_ids if key not in lost),
        "depends_on": tuple(key for key in node.depends_on if key not in lost),
        "evidence": tuple(rest),
    }
    if plan.erase:
        kept |= unlinked(plan.state(node), plan.gone)
    elif lost:
        kept["meta_data"] = {name: told for name, told in plan.state(node).meta_data.items() if name not in FROM_WORDS}
    plan.edit(node, **kept)
    _ungive(plan, node)


def _ungive(plan: ForgetPlan, node: MemoryNode) -> None:
    """Take from a memory what was given along with its turns and went with words of them."""
    gone = [pair for part in node.evidence for pair in plan.ungiven(part.memory_id).items()]
    meta = plan.state(node).meta_data
    if gone:
        plan.edit(node, meta_data={name: value for name, value in meta.items() if (name, value) not in gone})


def _carried(
    plan: ForgetPlan,
    node: MemoryNode,
    rest: Sequence[Evidence],
    remaining: Sequence[MemoryNode],
    known: Mapping[str, MemoryNode],
) -> bool:
    if not remaining:
        return False
    if is_of_words(node):
        turns = {key: plan.state(turn) for key, turn in known.items()}
        rest = [part for part in rest if part.memory_id in turns]
        before = [part for part in node.evidence if part.memory_id in known]
        return bool(rest) and still_said(node, before, rest, known, turns)
    gone = [plan.gone[key] for key in rests_on(node) if key in plan.gone]
    return not tells_of(node, gone, remaining)
