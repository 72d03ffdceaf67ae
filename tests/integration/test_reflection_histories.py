"""Whatever was written and reflected on before, and whatever a model answers: undo is exact, nothing is lost."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.adapters.journal import SqlJournal
from agentmem.domain.change import Change
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Lane, Scope
from agentmem.domain.statement import Insight, Pair, Review, Usage, Verdict
from agentmem.errors import BadAnswer, Conflict
from agentmem.ledger.undo import undo
from agentmem.memory.relation import Relations
from agentmem.ports.cognition import Cognition, Judged, Reflected, ReflectionInput
from agentmem.ports.ledger import Commit, Selection
from tests.fixtures.hostile import MISCHIEF, Mischief
from tests.support.cognition import ScriptedCognition
from tests.support.journals import Place
from tests.support.nodes import AGENT, NOON, TENANT, a_memory
from tests.support.reflecting import TOMORROW, added, changed, reflected

pytestmark = pytest.mark.thorough

SENTENCES = (
    "罗小东喜欢喝咖啡",
    "罗小东不喜欢喝咖啡",
    "罗小东很喜欢喝热咖啡",
    "罗小东觉得方案太贵了",
    "罗小东觉得方案不算太贵",
    "罗小东需要换系统",
)
SCOPE = Scope(TENANT, AGENT)
UNFOUNDED = "nothing it was based on still holds"


class Hostile(ScriptedCognition):
    """Answers by one kind of mischief, and keeps what it was offered and what it validly decided."""

    def __init__(self, kind: str, dice: Random) -> None:
        super().__init__()
        self.kind, self.dice = kind, dice
        self.decided: set[str] = set()

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        verdicts = Mischief(self.kind, self.dice).verdicts(pairs)
        offered = {pair.number: pair for pair in pairs}
        for verdict in verdicts:
            if verdict.number in offered and verdict.relation != "unrelated":
                self.decided |= {offered[verdict.number].new, offered[verdict.number].old}
        return Judged(verdicts, Usage(calls=1))

    async def reflect(self, request: ReflectionInput) -> Reflected:
        answer = Mischief(self.kind, self.dice)
        insights, reviews = answer.insights(request.observations), answer.reviews(request.doubtful)
        if self.kind == "completed":
            raise BadAnswer("there was no JSON in the answer")
        self.decided |= {node.content for node in request.doubtful if any(_ends(item, node) for item in reviews)}
        return Reflected(insights, Usage(calls=1), reviews)


def _ends(item: Review, node: MemoryNode) -> bool:
    return item.memory_id == node.memory_id and not item.stands


def observations(draw: st.DrawFn, count: int) -> list[MemoryNode]:
    found: list[MemoryNode] = []
    for _ in range(count):
        slot = draw(st.sampled_from((None, None, "phone", "need")))
        value = draw(st.sampled_from(("13800138000", "13900139000", "换系统", "加报表"))) if slot else None
        content = f"罗小东的{slot}是{value}" if slot else draw(st.sampled_from(SENTENCES))
        at = NOON - timedelta(days=draw(st.integers(0, 100)))
        talk, weight = f"talk-{draw(st.integers(0, 4))}", draw(st.integers(0, 9))
        found.append(a_memory(content, attribute=slot, value=value, valid_at=at, run_id=talk, importance=weight))
    return found


async def state(journal: SqlJournal) -> dict[str, str]:
    nodes = await journal.ledger.select(Selection(SCOPE, limit=10_000))
    return {node.memory_id: node.model_dump_json() for node in nodes}


def played(history: Callable[[SqlJournal], Awaitable[None]]) -> None:
    async def play() -> None:
        with tempfile.TemporaryDirectory() as folder:
            async with Place(f"sqlite:///{folder}/journal.db").journal() as journal:
                await history(journal)

    asyncio.run(play())


async def doubt_something(journal: SqlJournal) -> None:
    """An insight of whose two grounds one is over: only cognition can say whether it stands."""
    grounds = [a_memory("罗小东住在巴黎"), a_memory("罗小东爱喝红酒")]
    ids = tuple(node.memory_id for node in grounds)
    insight = a_memory("罗小东偏爱法国", memory_type=MemoryType.INSIGHT, kind="reflected", depends_on=ids)
    await added(journal, [*grounds, insight], "doubted")
    await changed(journal, grounds[0], grounds[0].ended(at=TOMORROW, now=TOMORROW), "over")


async def write_something(journal: SqlJournal, data: st.DataObject, step: int) -> None:
    """Something new, an insight on something held, or the end of something."""
    held = [
        node
        for node in await journal.ledger.select(Selection(SCOPE, statuses=(StoreStatus.VALID,)))
        if node.memory_type in (MemoryType.OBSERVATION, MemoryType.INSIGHT)
    ]
    what = data.draw(st.sampled_from(("new", "new", "insight", "end")))
    if what == "new" or not held:
        await added(journal, data.draw(st.composite(observations)(count=data.draw(st.integers(1, 4)))), f"new/{step}")
        return
    chosen = data.draw(st.lists(st.sampled_from(held), min_size=1, max_size=3, unique_by=lambda node: node.memory_id))
    if what == "end":
        await changed(journal, chosen[0], chosen[0].ended(at=TOMORROW, now=TOMORROW), f"end/{step}")
    else:
        ids = tuple(node.memory_id for node in chosen)
        insight = a_memory(
            f"罗小东{step}", memory_type=MemoryType.INSIGHT, kind="reflected", attribute=f"特点{step}", depends_on=ids
        )
        await added(journal, [insight], f"insight/{step}")


@given(st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_undo_takes_each_reflection_of_a_random_history_back_exactly(data: st.DataObject) -> None:
    async def history(journal: SqlJournal) -> None:
        kind = data.draw(st.sampled_from(("rules", *MISCHIEF)))
        dice = Random(data.draw(st.integers(0, 1_000)))
        cognition: Cognition = RulesCognition() if kind == "rules" else Hostile(kind, dice)
        for step in range(data.draw(st.integers(1, 5))):
            await write_something(journal, data, step)
            before = await state(journal)
            later = TOMORROW + timedelta(days=40 * step)
            run = await reflected(journal, cognition, f"reflection/{step}", now=later)
            if await journal.ledger.of_run(TENANT, run) and data.draw(st.booleans()):
                report = await undo(journal.ledger, TENANT, run, now=later)
                assert report.blocked == ()
                assert await state(journal) == before
                await reflected(journal, cognition, f"reflection/{step}/again", now=later)
                assert await state(journal) == before, "what an undo restored is left as it is"

    played(history)


@given(st.data(), st.sampled_from(MISCHIEF))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_a_hostile_model_ends_nothing_it_was_not_offered_and_did_not_validly_decide(
    data: st.DataObject, kind: str
) -> None:
    async def history(journal: SqlJournal) -> None:
        cognition = Hostile(kind, Random(data.draw(st.integers(0, 1_000))))
        await doubt_something(journal)
        for step in range(data.draw(st.integers(1, 4))):
            await write_something(journal, data, step)
            before = await journal.ledger.select(Selection(SCOPE, limit=10_000))
            cognition.decided.clear()
            run = await reflected(journal, cognition, f"reflection/{step}")
            entries = await journal.ledger.of_run(TENANT, run)
            assert all(entry.change.after is not None for entry in entries), "nothing is removed"
            words = _decided_by_words(before)
            for entry in entries:
                old, new = entry.change.before, entry.change.after
                if old is not None and new is not None and _ended(old, new):
                    allowed = old.content in cognition.decided or old.memory_id in words
                    by_code = entry.change.act == "decay" or entry.change.reason == UNFOUNDED
                    assert allowed or by_code

    played(history)


def _ended(old: MemoryNode, new: MemoryNode) -> bool:
    return old.store_status is StoreStatus.VALID and new.store_status is not StoreStatus.VALID


def _decided_by_words(nodes: Sequence[MemoryNode]) -> set[str]:
    """Memories of a pair about which words alone say something."""
    relations, found = Relations({}), set[str]()
    for one in nodes:
        for other in nodes:
            if one is not other and relations.of(one, other) not in ("unrelated", "undecided"):
                found |= {one.memory_id, other.memory_id}
    return found


@pytest.mark.longer
async def test_reflections_beside_writes_lose_no_write(tmp_path: Path, longer: int) -> None:
    each = 20 if longer == 1 else 100
    lanes = [Lane(TENANT, AGENT, entity_id(TENANT, AGENT, f"客户{number}")) for number in range(5)]
    async with Place(f"sqlite:///{tmp_path}/journal.db").journal() as journal:
        counted = [a_memory("被改了又改的一条", target_id=lane.target, importance=9) for lane in lanes]
        await added(journal, counted)
        async with asyncio.TaskGroup() as tasks:
            for lane, node in zip(lanes, counted, strict=True):
                tasks.create_task(_reflecting(journal, lane, each))
                tasks.create_task(_writing(journal, lane, node, each))
        held = await journal.ledger.get(TENANT, [node.memory_id for node in counted])
        assert [node.meta_data["writes"] for node in held.values()] == [each] * len(lanes)
        every = await journal.ledger.select(Selection(SCOPE, limit=10_000))
        assert len({node.memory_id for node in every if node.content.startswith("写下")}) == each * len(lanes)
        assert await journal.dead.dead(tenant=TENANT, limit=9) == []


async def _reflecting(journal: SqlJournal, lane: Lane, times: int) -> None:
    for number in range(times):
        await reflected(journal, RulesCognition(), f"{lane.target}/{number}", lane=lane)


async def _writing(journal: SqlJournal, lane: Lane, counted: MemoryNode, times: int) -> None:
    """So many times: something new, and one more written on the same memory, whatever reflection does to it."""
    for number in range(times):
        await added(journal, [a_memory(f"写下{lane.target}{number}", target_id=lane.target)], f"{lane.target}/{number}")
        written = False
        while not written:
            node = (await journal.ledger.get(TENANT, [counted.memory_id]))[counted.memory_id]
            count = node.meta_data.get("writes", 0)
            assert isinstance(count, int)
            after = node.revised(meta_data={"writes": count + 1}, revision=node.revision + 1)
            change = Change(act="refresh", before=node, after=after)
            try:
                await journal.ledger.commit(Commit(TENANT, f"count/{number}", "test", NOON, (change,)))
            except Conflict:
                continue
            written = True


@pytest.mark.parametrize("kind", MISCHIEF)
def test_each_kind_of_mischief_answers_something_else_than_an_honest_model(kind: str) -> None:
    """A double that never misbehaves would prove nothing."""
    pairs = [Pair(number=1, new="甲", old="乙"), Pair(number=2, new="丙", old="丁")]
    nodes = [a_memory("甲"), a_memory("乙")]
    answer = Mischief(kind, Random(1))
    honest = tuple(Verdict(number=pair.number, relation="unrelated") for pair in pairs)
    misled = (answer.verdicts(pairs), answer.insights(nodes), answer.reviews(nodes))
    stands = tuple(Review(memory_id=node.memory_id, stands=True, source_ids=(node.memory_id,)) for node in nodes)
    assert misled != (honest, tuple[Insight, ...](), stands)
