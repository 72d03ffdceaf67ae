"""What time alone does to memories: it is done at the next tick, without news and without a thought, and done once."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from agentmem.domain.memory import LAYERS, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.statement import Pair, Usage
from agentmem.ports.cognition import Judged, Reflected, ReflectionInput
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from tests.support.cognition import ScriptedCognition
from tests.support.journals import Place
from tests.support.nodes import AGENT, NOON, TENANT, a_memory
from tests.support.reflecting import added, reflected
from tests.support.spine import LATER, PATIENCE, SCOPE, quiet_persona, spine

DAY = timedelta(days=1)
NIGHTLY = quiet_persona(cron="0 3 * * *")


class Silent(ScriptedCognition):
    """Counts what it is asked."""

    asked = 0

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        self.asked += 1
        return Judged((), Usage(calls=1))

    async def reflect(self, request: ReflectionInput) -> Reflected:
        self.asked += 1
        return Reflected((), Usage(calls=1))


async def put(app: App, *nodes: MemoryNode) -> None:
    await added(app.journal, nodes, run=f"put/{nodes[0].memory_id}")  # pyright: ignore[reportArgumentType] - a journal


async def held(app: App, node: MemoryNode) -> MemoryNode:
    return (await app.journal.ledger.get(TENANT, [node.memory_id]))[node.memory_id]


async def ticked(app: App, due: datetime) -> int:
    """One tick of the clock and the work it asks for; the memories it changed."""
    before = await app.journal.ledger.head()
    await app.reflection_clock.tick(TENANT, AGENT, due, app.clock.now())
    await app.drain(patience=PATIENCE)
    versions = await app.journal.ledger.since(before, limit=10_000)
    return sum(version.node is not None and version.node.memory_type in LAYERS for version in versions)


def small_talk(number: int) -> MemoryNode:
    words = f"罗小东说到{chr(0x4E00 + 7 * number)}{chr(0x6000 + 3 * number)}"
    return a_memory(words, obs_reflected=1, importance=1)


def stable(*talks: MemoryNode) -> MemoryNode:
    ids = tuple(node.memory_id for node in talks)
    given = {"memory_type": MemoryType.INSIGHT, "kind": "reflected", "attribute": "愿望", "value": "换系统"}
    return a_memory("罗小东总想换系统", source_ids=ids, depends_on=ids, **given)


def a_talk(number: int) -> MemoryNode:
    when = NOON - number * DAY
    return a_memory(f"罗小东第{number}次说要换系统", obs_reflected=1, run_id=f"talk-{number}", valid_at=when)


async def test_a_tick_without_news_fades_and_promotes_once_and_asks_nobody(tmp_path: Path) -> None:
    clock, cognition = ManualClock(LATER), Silent()
    async with spine(tmp_path, cognition, clock=clock, persona=NIGHTLY) as app:
        talks = [a_talk(number) for number in range(3)]
        lasting, once = stable(*talks), stable(talks[0])
        small, number = (
            small_talk(1),
            a_memory("罗小东的工号是7", obs_reflected=1, importance=1, attribute="badge", value="7"),
        )
        await put(app, a_memory("罗小东养了一只猫"))
        await app.reflect(SCOPE)
        await put(app, *talks, lasting, once, small, number)
        asked = cognition.asked
        assert await ticked(app, clock.now()) == 0
        clock.advance(15 * DAY)
        assert await ticked(app, clock.now()) == 2
        assert [(await held(app, node)).memory_type for node in (lasting, once)] == [
            MemoryType.LONGTERM,
            MemoryType.INSIGHT,
        ]
        clock.advance(DAY)
        assert await ticked(app, clock.now()) == 0
        clock.advance(90 * DAY)
        assert await ticked(app, clock.now()) == 1
        assert [(await held(app, node)).store_status for node in (small, number)] == [
            StoreStatus.EXPIRED,
            StoreStatus.VALID,
        ]
        clock.advance(DAY)
        assert await ticked(app, clock.now()) == 0
        assert cognition.asked == asked


async def test_what_somebody_recalls_does_not_fade(tmp_path: Path) -> None:
    clock = ManualClock(LATER)
    async with spine(tmp_path, Silent(), clock=clock) as app:
        used, unused = (a_memory(f"罗小东说他爱{what}", obs_reflected=1, importance=1) for what in ("钓鱼", "爬山"))
        await put(app, a_memory("罗小东养了一只猫"))
        await app.reflect(SCOPE)
        await put(app, used, unused)
        clock.advance(80 * DAY)
        hits = (await app.recall(RecallQuery(SCOPE, "钓鱼", k=1))).hits
        assert [hit.memory.memory_id for hit in hits] == [used.memory_id]
        clock.advance(15 * DAY)
        assert len(await app.reflect(SCOPE)) == 1
        assert [(await held(app, node)).store_status for node in (used, unused)] == [
            StoreStatus.VALID,
            StoreStatus.EXPIRED,
        ]
        assert await app.reflect(SCOPE) == []
        clock.advance(90 * DAY)
        await app.reflect(SCOPE)
        assert (await held(app, used)).store_status is StoreStatus.EXPIRED, "long enough unused"


async def test_more_than_fade_in_one_run_fade_in_several_whatever_is_used_before_them(tmp_path: Path) -> None:
    clock = ManualClock(LATER)
    async with spine(tmp_path, Silent(), clock=clock, persona=NIGHTLY) as app:
        nodes = [small_talk(number) for number in range(450)]
        await put(app, a_memory("罗小东养了一只猫"))
        await app.reflect(SCOPE)
        await put(app, *nodes)
        clock.advance(90 * DAY)
        await app.searchable.projector.catch_up()
        await app.searchable.touch((node.memory_id for node in nodes[:220]), clock.now())
        clock.advance(DAY)
        assert await ticked(app, clock.now()) == 230
        left = [node for node in nodes if (await held(app, node)).store_status is StoreStatus.VALID]
        assert left == nodes[:220]


async def test_a_dry_run_tells_what_time_will_do(tmp_path: Path) -> None:
    clock = ManualClock(LATER)
    async with spine(tmp_path, Silent(), clock=clock) as app:
        small = small_talk(1)
        await put(app, a_memory("罗小东养了一只猫"))
        await app.reflect(SCOPE)
        await put(app, small)
        clock.advance(91 * DAY)
        [previewed] = await app.preview_reflection(SCOPE)
        assert [(item.act, item.memory_id) for item in previewed.changes] == [("decay", small.memory_id)]


async def test_without_the_index_nothing_that_was_said_fades(tmp_path: Path) -> None:
    async with Place(f"sqlite:///{tmp_path}/journal.db").journal() as journal:
        small = small_talk(1)
        reading = a_memory("室温22度", memory_type=MemoryType.PERCEPTUAL, invalid_at=NOON + DAY)
        await added(journal, [small, reading])
        await reflected(journal, Silent(), "later", now=NOON + 91 * DAY)
        nodes = await journal.ledger.get(TENANT, [small.memory_id, reading.memory_id])
        assert nodes[small.memory_id].store_status is StoreStatus.VALID
        assert nodes[reading.memory_id].store_status is StoreStatus.EXPIRED
