"""Customers with a canary in every field and layer that could carry them out, beside documents that may go."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count, pairwise
from pathlib import Path

from agentmem.domain.change import Change
from agentmem.domain.entity import Mention, with_mentions
from agentmem.domain.event import AssetReceived, Person
from agentmem.domain.ids import TimestampGenerator
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType, Modality
from agentmem.domain.packed import readable_in
from agentmem.domain.payload import CustomPayload
from agentmem.domain.persona import HirePolicy, Persona
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Commit, Selection
from agentmem.ports.work_queue import NewJob
from agentmem.runtime.facade.app import App
from tests.support.known import SELLER, a_piece, about, target_of
from tests.support.nodes import AGENT, NOON, TENANT, a_turn

HIRER, HIRED = "globex", "hired_seller"
PRODUCT = tuple(
    f"产品{name}支持{use},可以{way}部署"
    for name in "甲乙丙丁"
    for use in ("对账", "排班", "质检")
    for way in ("私有", "混合")
)
MANUAL = "# 手册\n" + "\n".join(f"## 第{number}节\n{text}\n" for number, text in enumerate(PRODUCT, start=1))
CONTRACT = HirePolicy(
    layers=(MemoryType.LONGTERM, MemoryType.INSIGHT, MemoryType.OBSERVATION), targets=("AIP",), about_customers=True
)


@dataclass(slots=True)
class Canaries:
    """Makes them, and remembers those it made."""

    made: list[str] = field(default_factory=list[str])
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def __call__(self, what: str = "") -> str:
        """A word that stands nowhere else."""
        canary = f"zk{next(self._numbers):04}q"
        self.made.append(canary)
        return f"{canary}{what}"


async def plant(app: App, customers: int) -> Canaries:
    """Let so many customers speak and be remembered; the persona, a private document and what is left of failed work
    name them as well."""
    canary = Canaries()
    people = [Person(name=canary("先生"), title=canary("工")) for _ in range(customers)]
    hire = CONTRACT.revised(targets=("AIP", people[0].name))
    goals = ("说明产品", f"照顾好{people[0].name}")
    await app.know_agent(
        SELLER.revised(
            hire=hire, goals=goals, knowledge=(f"{canary()}.md",), tools=(f"shop.{canary()}:refund",), model=canary()
        )
    )
    turns = [
        a_turn(
            f"{canary()} 我的电话是 555{number:04}{number:04},{canary()}@{canary()}.cn",
            number,
            run=canary(),
            person=person,
            target_id=target_of(person.name),
            event_id=canary(),
            meta={canary(): {"deep": [canary()]}},
        )
        for number, person in enumerate(people)
    ]
    await app.accept(turns)
    await app.accept([_document("manual", target_of(SELLER.name), MANUAL)])
    await app.accept([_document("aip", target_of(SELLER.name), "# AIP\nAIP 由平台团队维护\n")])
    await app.accept([_document(canary(), target_of(people[0].name), f"# 合同\n{canary()}\n")])
    pump = f"{canary('Pump')} depends on {canary('Valve')}."
    await app.accept([_document(canary(), target_of(people[0].name), f"# Contract\n\n{pump}\n")])
    await app.accept(
        [_document("cases", target_of(SELLER.name), f"# 案例\n{people[1].name}很满意\n\n他还买了{canary()}\n")]
    )
    await app.drain()
    turned = await app.memories(Selection(Scope(TENANT, AGENT), types=(MemoryType.CONVERSATION,)))
    by_target = {node.target_id: node for node in turned}
    clock = TimestampGenerator(turned[0].timestamp + 1_000_000)
    made = [
        node.revised(timestamp=clock.next(0))
        for person in people
        for node in _of(person, by_target[target_of(person.name)], canary)
    ]
    made += [node.revised(timestamp=clock.next(0)) for node in _in_between(canary)]
    await _write(app, canary(), [Change(act="add", after=node) for node in made])
    changed = [
        Change(act="refresh", before=node, after=node.revised(content=canary(), revision=2)) for node in made[:20]
    ]
    await _write(app, canary(), changed)
    await _link(app, people[0], by_target[target_of(people[0].name)], canary)
    await _fail(app, turned[0], canary)
    await app.searchable.projector.catch_up()
    return canary


def _document(asset: str, target: str, text: str) -> AssetReceived:
    return AssetReceived(
        event_id=f"asset-{asset}",
        tenant=TENANT,
        agent_id=AGENT,
        agent_name=SELLER.name,
        target_id=target,
        at=NOON,
        asset_id=asset,
        title=asset,
        version="0" * 64,
        media_type="text/markdown",
        text=text,
    )


def _of(person: Person, turn: MemoryNode, canary: Canaries) -> Iterator[MemoryNode]:
    """Every layer of what is known about one customer, with canaries in all fields that hold text."""
    name = person.name
    rests: dict[str, object] = {
        "source_ids": (turn.memory_id,),
        "evidence": (Evidence(memory_id=turn.memory_id, start=0, end=3),),
    }
    yield about(name, canary(), attribute="alias", value=canary(), **rests)
    yield about(name, canary(), attribute="email", value=f"{canary()}@a.cn", **rests)
    yield about(name, canary(), attribute="employer", value=canary(), **rests)
    yield about(name, canary(), attribute="concern", value=canary(), **rests)
    yield about(name, canary(), attribute="concern", value="价格", **rests)
    yield about(name, canary(), attribute="concern", value=f"{name}的意见", **rests)
    yield about(
        name,
        canary(),
        memory_type=MemoryType.INSIGHT,
        kind=canary(),
        key=(canary(), canary()),
        attribute=canary(),
        value=canary(),
        speaker=canary(),
        run_id=canary(),
        modality=Modality.INFERRED,
        meta_data={"title": canary(), "history": [canary()], "deep": {canary(): [canary()]}},
        **rests,
    )
    yield about(name, canary(), memory_type=MemoryType.LONGTERM, kind="insight", depends_on=(turn.memory_id,))
    yield about(canary(), canary(), key=(canary(),), **rests)
    yield about("AIP", f"AIP {canary()}", key=(canary(),), **rests)
    yield about(SELLER.name, canary(), memory_type=MemoryType.INSIGHT, **rests)


def _in_between(canary: Canaries) -> Iterator[MemoryNode]:
    """What may go, with canaries in those of its fields that may not."""
    hidden: dict[str, object] = {
        "run_id": canary(),
        "speaker": canary(),
        "meta_data": {"note": canary(), canary(): canary()},
    }
    yield about("AIP", "AIP 每周更新", **hidden)
    meta = {"assetId": canary(), "title": canary(), "heading": "", "place": 1, "history": [canary()]}
    meta |= with_mentions((Mention(name="AIP", kind="product"), Mention(name=canary())))
    yield a_piece("AIP 有测试版", meta_data=meta, speaker=canary())
    yield about("AIP", canary("旧"), invalid_at=NOON)


async def _link(app: App, person: Person, turn: MemoryNode, canary: Canaries) -> None:
    """Entities, other names of theirs, summaries and a community that rest on what a customer said, and what the
    documents name taken for one with what he named."""
    names = [canary("Heron"), canary("Linnet"), canary("Osprey")]
    clock = TimestampGenerator(turn.timestamp + 2_000_000)
    said = [
        about(
            person.name,
            f"{one} uses {other} {canary()}.",
            entity_ids=tuple(target_of(name) for name in (one, other)),
            relation="USES",
            meta_data=with_mentions((Mention(name=one), Mention(name=other))),
            source_ids=(turn.memory_id,),
        ).revised(timestamp=clock.next(0))
        for one, other in (*pairwise(names), (names[0], names[2]), ("AIP", names[0]))
    ]
    await _write(app, canary(), [Change(act="add", after=node) for node in said])
    await app.drain()
    await app.graph.merge(Scope(TENANT, AGENT), "AIP", names[1])
    await app.graph.merge(Scope(TENANT, AGENT), names[2], person.name)
    await app.graph.rebuild(AGENT)
    await app.drain()


async def _write(app: App, run: str, changes: list[Change]) -> None:
    await app.journal.ledger.commit(Commit(TENANT, run, "observation", NOON, tuple(changes)))


async def _fail(app: App, turn: MemoryNode, canary: Canaries) -> None:
    lane = turn.lane
    received = await app.journal.events.of_lane(lane, after=0, limit=1)
    await app.journal.queue.enqueue(
        [NewJob("dies", lane, "observation", 0, (received[0].seq,), CustomPayload(data=canary()))]
    )
    claim = await app.journal.queue.claim({"observation": 1})
    assert claim
    await app.journal.queue.stage(claim, "dies", canary())
    await app.journal.queue.fail(claim, "dies", reason=canary(), retry_in=None)


async def everything_of(app: App, tenant: str) -> str:
    """All that the journal and the index hold of a tenant, as one text."""
    points = await app.searchable.index.scan(after=None, limit=100_000)
    indexed = [str(dict(payload)) for _, payload in points if payload["tenant"] == tenant]
    [journal] = (app.settings.data).glob("*.db")
    return "\n".join((*indexed, *_rows_of(journal, tenant)))


def _rows_of(journal: Path, tenant: str) -> Iterator[str]:
    """The rows of every table that are that tenant's, by its own column or by its lanes."""
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            columns = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
            if "tenant" in columns:
                yield from map(_legible, db.execute(f"SELECT * FROM {table} WHERE tenant = ?", (tenant,)))
            elif "lane_id" in columns:
                lanes = "SELECT lane_id FROM lanes WHERE tenant = ?"
                yield from map(_legible, db.execute(f"SELECT * FROM {table} WHERE lane_id IN ({lanes})", (tenant,)))


def _legible(row: Sequence[object]) -> str:
    packed = [b"".join(readable_in(value)).decode() for value in row if isinstance(value, bytes)]
    return f"{row}{packed}"


def persona_of_hired() -> Persona:
    """Who the hired seller is to be."""
    return SELLER.revised(id=HIRED, goals=("说明产品",), hire=CONTRACT)
