"""Memories that may concern one matter: told apart or joined, and linked as a conflict where nobody can decide."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from agentmem.domain.change import Act, Change
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus
from agentmem.domain.statement import Comparison, Related, Verdict, Withdrawal
from agentmem.domain.value import Value
from agentmem.language.normal import normalise
from agentmem.ledger.plan import Plan
from agentmem.memory.candidates import Open
from agentmem.memory.edit import PUT_RIGHT
from agentmem.memory.intervals import SlotClaims, is_claim, weave
from agentmem.memory.relation import JUDGED, Relation, Relations, judged_before, related


class Decision(Value):
    """A verdict by the ids of its pair, as it is staged: numbers would mean other pairs after a retry."""

    new_id: str
    old_id: str
    relation: Related


def decided(pairs: Iterable[Open], verdicts: Iterable[Verdict]) -> tuple[Decision, ...]:
    """Verdicts with the ids of their pairs; those on pairs nobody asked about are left out."""
    asked = {item.pair.number: item for item in pairs}
    return tuple(
        Decision(new_id=item.new_id, old_id=item.old_id, relation=verdict.relation)
        for verdict in verdicts
        if (item := asked.get(verdict.number)) is not None
    )


def as_compared(
    compared: Mapping[str, Iterable[Comparison]], looked_at: Iterable[tuple[str, str]]
) -> tuple[Decision, ...]:
    """What a reading said of its statements, by the ids of their drafts, beside those held: of a pair it looked at (the
    ids of the newer and the older), and said nothing of, that the two are unrelated."""
    found: dict[tuple[str, str], Related] = dict.fromkeys(looked_at, "unrelated")
    found |= {(new, each.held): each.relation for new, those in compared.items() for each in those}
    return tuple(Decision(new_id=new, old_id=old, relation=relation) for (new, old), relation in found.items())


def by_pair(decisions: Iterable[Decision]) -> dict[tuple[str, str], Relation]:
    """Relations by (new id, old id)."""
    return {(item.new_id, item.old_id): item.relation for item in decisions}


def reconcile(
    plan: Plan,
    drafts: Sequence[MemoryNode],
    relations: Relations,
    verdicts: Mapping[tuple[str, str], Relation],
    now: datetime,
) -> None:
    """Work the drafts into the plan, one after the other, in the order in which they were said."""
    for draft in drafts:
        if draft.memory_id not in plan:
            lay_out(plan, _matter(plan, draft, relations, verdicts), relations, verdicts, now)


def _matter(
    plan: Plan, draft: MemoryNode, relations: Relations, verdicts: Mapping[tuple[str, str], Relation]
) -> list[MemoryNode]:
    """The draft, and all that competes with it or says the same: its slot, and the like of its wording; of what is held
    of others that which it was said to take the place of."""
    slot = relations.slot(draft)
    found = [draft]
    for node in plan.held():
        if node.target_id != draft.target_id and verdicts.get((draft.memory_id, node.memory_id)) == "replaces":
            found.append(node)
        if node.target_id != draft.target_id or node.memory_type is not draft.memory_type:
            continue
        if (slot is not None and relations.slot(node) == slot) or related(draft, node, relations, verdicts) not in (
            "unrelated",
            "undecided",
        ):
            found.append(node)
    return found


def lay_out(
    plan: Plan,
    matter: Sequence[MemoryNode],
    relations: Relations,
    verdicts: Mapping[tuple[str, str], Relation],
    now: datetime,
) -> None:
    """Put into the plan what becomes of memories that say the same or exclude each other."""
    known = frozenset(node.memory_id for node in matter)
    thread = [node for node in matter if node.memory_id not in plan or is_claim(node, known)]
    weave(plan, thread, SlotClaims(relations, verdicts, frozenset(node.memory_id for node in thread)), now)


def replacing(replaced: Mapping[str, Sequence[str]], nodes: Iterable[MemoryNode]) -> dict[tuple[str, str], Relation]:
    """The verdicts that a reading gave itself: by the id of each new memory the contents it takes the place of."""
    return dict.fromkeys(named_by(replaced, nodes), "replaces")


def named_by(contents: Mapping[str, Sequence[str]], nodes: Iterable[MemoryNode]) -> Iterator[tuple[str, str]]:
    """By the id of each new memory the contents it names: its id with that of each memory of its target so worded."""
    by_id = {node.memory_id: node for node in nodes}
    for new_id, those in contents.items():
        wanted = {normalise(content) for content in those}
        for node in by_id.values():
            if node.target_id == by_id[new_id].target_id and normalise(node.content) in wanted:
                yield new_id, node.memory_id


def withdraw(
    plan: Plan,
    withdrawn: Iterable[Withdrawal],
    target_id: str,
    now: datetime,
    *,
    spoken_at: datetime,
    fresh: Collection[str] = (),
) -> None:
    """End what the person has taken back, but for what one of the `fresh` takes the place of at its own time. What he
    let go on up to a day after `spoken_at`, when he last spoke, holds until then; that day puts nothing in doubt that
    rests on it."""
    said = tuple(withdrawn)
    by_id = {item.memory_id: item.at for item in said if item.memory_id is not None}
    at = {normalise(item.content): item.at for item in said if item.memory_id is None}
    for node in list(plan.valid()):
        own = at.get(normalise(node.content)) if node.target_id == target_id else None
        if (when := by_id.get(node.memory_id, own)) is not None and node.superseded_by not in fresh:
            over = _held_up_to(node, when) if when > spoken_at else node.ended(at=when, now=now)
            if over != node:
                plan.put(over, "end", "taken back by the person")


def put_right(
    plan: Plan,
    drafts: Sequence[MemoryNode],
    withdrawn: Iterable[Withdrawal],
    target_id: str,
    verdicts: Mapping[tuple[str, str], Relation],
    now: datetime,
) -> None:
    """Retire the slips, which were said once and never true, so that they have no say in what is known: those held, and
    those drafted along with what puts them right. What a slip had ended is over by what was meant."""
    slips = [item for item in withdrawn if item.slip]
    by_id = {item.memory_id for item in slips}
    own = {normalise(item.content) for item in slips if item.memory_id is None}
    heirs = {old: new for (new, old), relation in verdicts.items() if relation == "replaces"}
    told = {node.memory_id for node in drafts}
    for node in (*plan.valid(), *drafts):
        named = (node.target_id == target_id or node.memory_id in told) and normalise(node.content) in own
        if (named or node.memory_id in by_id) and len({part.said_at for part in node.evidence}) <= 1:
            known_until = now if node.memory_id in plan else node.created_at
            plan.put(node.retired(now=known_until), "retire", PUT_RIGHT)
            for other in [each for each in plan.held() if each.superseded_by == node.memory_id]:
                plan.put(other.revised(superseded_by=heirs.get(node.memory_id)), "end", PUT_RIGHT)


def _held_up_to(node: MemoryNode, at: datetime) -> MemoryNode:
    """The memory with this end, where it has no earlier one; what begins later never holds."""
    end = max(at, node.valid_at)
    return node.revised(invalid_at=end if node.invalid_at is None else min(end, node.invalid_at))


def take_back(plan: Plan, rejected: Iterable[str], now: datetime) -> None:
    """Retire what the agent asserted or guessed in turns that the person has denied."""
    denied = set(rejected)
    own = (Modality.ASSERTED_BY_AGENT, Modality.HYPOTHESIS)
    for node in list(plan.valid()):
        if node.modality in own and denied.intersection(node.source_ids):
            plan.put(node.retired(now=now), "retire", "denied by the person")


UndecidedPair = tuple[str, str]
"""The ids of a newer and an older memory."""


def undecided(asked: Iterable[Open], decisions: Iterable[Decision]) -> tuple[UndecidedPair, ...]:
    """The pairs that were put before cognition and came back without a verdict."""
    answered = {(item.new_id, item.old_id) for item in decisions}
    return tuple((item.new_id, item.old_id) for item in asked if (item.new_id, item.old_id) not in answered)


def link(plan: Plan, pairs: Iterable[UndecidedPair]) -> None:
    """Link each pair of which both still hold in the plan."""
    for one, other in pairs:
        first, second = plan.get(one), plan.get(other)
        if first is not None and second is not None and _hold(first, second):
            _add(plan, first, other)
            _add(plan, second, one)


def unlink(plan: Plan, decisions: Iterable[Decision]) -> None:
    """Take the links off pairs about which a verdict came, and off all that no longer hold."""
    for item in decisions:
        _part(plan, item.new_id, item.old_id)
    for node in plan.touched():
        if node.store_status is not StoreStatus.VALID:
            for other in node.conflicts_with:
                _part(plan, node.memory_id, other)


def tell_apart(plan: Plan, decisions: Iterable[Decision], fresh: Collection[str]) -> None:
    """Keep with the `fresh` one of each pair that it was told from the other, so that no pair is put twice."""
    for item in decisions:
        kept, other = (item.new_id, item.old_id) if item.new_id in fresh else (item.old_id, item.new_id)
        node = plan.get(kept)
        if item.relation == "unrelated" and node is not None and other not in judged_before(node):
            meta = {**node.meta_data, JUDGED: [*judged_before(node), other]}
            plan.touch(node.revised(meta_data=meta), "reflect", "distinguished from others")


def _hold(*nodes: MemoryNode) -> bool:
    return all(node.store_status is StoreStatus.VALID for node in nodes)


def _add(plan: Plan, node: MemoryNode, other: str) -> None:
    if other not in node.conflicts_with:
        _write(plan, node, (*node.conflicts_with, other), "link", "undecided between the two")


def _part(plan: Plan, one: str, other: str) -> None:
    for memory_id, partner in ((one, other), (other, one)):
        node = plan.get(memory_id)
        if node is not None and partner in node.conflicts_with:
            rest = tuple(key for key in node.conflicts_with if key != partner)
            _write(plan, node, rest, "link", "decided")


def _write(plan: Plan, node: MemoryNode, linked: tuple[str, ...], act: Act, reason: str) -> None:
    plan.touch(node.revised(conflicts_with=linked), act, reason)


def settled(held: Iterable[MemoryNode], returned: Collection[str], relations: Relations, now: datetime) -> list[Change]:
    """What becomes of observations about one person where those in `returned`, once forgotten, are among them again:
    the claims of one slot are laid out by time as if they had come in together."""
    plan = Plan(node for node in held if node.memory_type is MemoryType.OBSERVATION and not node.is_forgotten)
    slots = {relations.slot(plan[key]) for key in returned if key in plan and _holds(plan[key])} - {None}
    for slot in sorted(filter(None, slots)):
        matter = [node for node in plan.held() if relations.slot(node) == slot]
        if sum(map(_holds, matter)) > 1:
            lay_out(plan, matter, relations, {}, now)
    return list(plan.changes())


def _holds(node: MemoryNode) -> bool:
    return node.store_status is StoreStatus.VALID
