"""From a plan of forgetting to what the journal removes: the events behind the memories, and the words within them."""

from collections.abc import AsyncIterator, Iterator, Mapping

from agentmem.domain.episode import episode_id, turn_id
from agentmem.domain.event import AssetReceived, Event, PerceptSensed, TurnSpoken
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import GRAPH, MemoryNode, MemoryType
from agentmem.domain.scope import Lane
from agentmem.memory.forget_plan import ForgetPlan
from agentmem.memory.readings import span_id
from agentmem.ports.erasure import Erasure
from agentmem.ports.event_log import EventLog, Sequenced, UnreadEvent

PAGE = 1_000
_FROM_EVENTS = (MemoryType.CONVERSATION, MemoryType.PERCEPTUAL, MemoryType.LONGTERM)


def run_of(plan: ForgetPlan) -> str:
    """The id of this forgetting; the same plan at the same state of the ledger has the same."""
    scope = plan.meant.scope
    return derived_id("forget", scope.tenant, scope.agent, plan.head, *sorted({*plan.gone, *plan.edited}))


async def erasure_of(plan: ForgetPlan, events: EventLog) -> Erasure:
    """What is to be removed for this plan. A person who is forgotten goes with everything said to him and by him."""
    scope = plan.meant.scope
    person = scope.target if plan.meant.everything and not plan.early else None
    whole = (Lane(scope.tenant, scope.agent, person),) if person is not None else ()
    received = sum([await events.received(lane) for lane in whole])
    seqs: list[int] = []
    rewritten: list[tuple[int, Event]] = []
    for lane in sorted({node.lane for node in _made_of_events(plan)} - {*whole}):
        chunks = _chunk_texts(plan, lane)
        async for item in _events(events, lane):
            after = _left(item.event, plan, chunks)
            if after is None:
                seqs.append(item.seq)
            elif after != item.event:
                rewritten.append((item.seq, after))
        seqs += [item.seq for item in await events.unreadable(lane) if _goes_unread(item, lane, plan, chunks)]
    return Erasure(
        commit=plan.commit(run_of(plan)),
        agent=scope.agent,
        head=plan.head,
        received=received,
        held=len(plan.gone),
        lanes=whole,
        memory_ids=tuple(sorted({*plan.gone, *plan.lost})),
        collapsed=tuple(sorted({*_reworded(plan), *plan.named} - plan.gone.keys())),
        seqs=tuple(seqs),
        rewritten=tuple(rewritten),
        left=tuple(sorted(plan.left)),
        told_with=_told_with(plan),
    )


def _reworded(plan: ForgetPlan) -> Iterator[str]:
    """The memories that say or rest on something else from now on, and not those that are only looked at again."""
    for memory_id, (before, after) in plan.edited.items():
        looked_at = after.revised(
            obs_reflected=before.obs_reflected, obs_updated=before.obs_updated, revision=before.revision
        )
        if looked_at != before:
            yield memory_id


def _told_with(plan: ForgetPlan) -> tuple[str, ...]:
    between = (node for node in plan.gone.values() if node.memory_type in GRAPH)
    return tuple(dict.fromkeys(key for node in between for key in node.source_ids if key not in plan.gone))


def _made_of_events(plan: ForgetPlan) -> Iterator[MemoryNode]:
    yield from (node for node in plan.gone.values() if node.memory_type in _FROM_EVENTS)
    yield from (plan.edited[key][0] for key in plan.cuts if plan.edited[key][0].memory_type in _FROM_EVENTS)


def _left(event: Event, plan: ForgetPlan, chunks: Mapping[str, list[tuple[str, str]]]) -> Event | None:
    """What stays of an event; None where nothing does."""
    match event:
        case TurnSpoken():
            memory_id = episode_id(event)
            if memory_id in plan.gone:
                return None
            return event.revised(text=plan.edited[memory_id][1].content) if memory_id in plan.cuts else event
        case PerceptSensed():
            return None if span_id(event) in plan.gone else event
        case AssetReceived():
            text = event.text
            for before, after in chunks.get(event.asset_id, ()):
                text = text.replace(before, after)
            return event if text == event.text else event.revised(text=text)
        case _:
            return event


def _goes_unread(event: UnreadEvent, lane: Lane, plan: ForgetPlan, pieces: Mapping[str, list[tuple[str, str]]]) -> bool:
    """Whether an event that cannot be read goes: the turn of a memory that goes, by its id; and of documents that lose
    a piece every version that cannot be looked through, for it may hold that piece."""
    if event.kind == "asset_received":
        return bool(pieces)
    spoken = turn_id(lane.tenant, lane.agent, event.event_id)
    return spoken in plan.gone or spoken in plan.cuts


def _chunk_texts(plan: ForgetPlan, lane: Lane) -> dict[str, list[tuple[str, str]]]:
    """What becomes of the pieces of documents, without their headings, by document; longer ones first."""
    found: dict[str, list[tuple[str, str]]] = {}
    for node in _made_of_events(plan):
        asset, heading = node.meta_data.get("assetId"), f"{node.meta_data.get('heading')}\n"
        if node.lane == lane and isinstance(asset, str):
            after = "" if node.memory_id in plan.gone else plan.state(node).content
            found.setdefault(asset, []).append((node.content.removeprefix(heading), after.removeprefix(heading)))
    return {asset: sorted(texts, key=lambda text: -len(text[0])) for asset, texts in found.items()}


async def _events(log: EventLog, lane: Lane) -> AsyncIterator[Sequenced]:
    after = 0
    while page := await log.of_lane(lane, after=after, limit=PAGE):
        for item in page:
            yield item
        after = page[-1].seq
