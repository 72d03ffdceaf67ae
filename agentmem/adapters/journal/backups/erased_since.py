"""What of a backup the store has erased since it was made. That stays out; what an erasure only changed comes in as the
store has it; what was told between such memories is left out, and told anew of what is left."""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, bindparam, select

from agentmem.adapters.journal.attention import record_dependencies
from agentmem.adapters.journal.dialect import Record, Row, chunks, insert_many, key
from agentmem.adapters.journal.lanes import refresh_head
from agentmem.adapters.journal.removal import edited_key, memory_key
from agentmem.adapters.journal.schema import dependencies, done, events, jobs, ledger, memories, vectors
from agentmem.adapters.journal.writable import embedded_texts, seqs_of, stored_node
from agentmem.domain.change import Change
from agentmem.domain.entity import graph_lane
from agentmem.domain.episode import turn_id
from agentmem.domain.memory import GRAPH, MemoryNode, MemoryType, microseconds
from agentmem.domain.packed import kept, unpacked
from agentmem.domain.scope import Lane
from agentmem.domain.staleness import attention, fades_at
from agentmem.ports.embedder import EMBEDDED_CHARACTERS, text_key

Tombstones = Mapping[bytes, tuple[bytes, int]]
"""By their keys: whose each is, and its number."""
Filter = Callable[[list[Row]], Iterator[Row]]

_FIRST = select(ledger).where(ledger.c.memory_id.in_(bindparam("ids", expanding=True)), ledger.c.prev.is_(None))
_EVENTS = select(events.c.event_key, events.c.body).where(events.c.event_key.in_(bindparam("keys", expanding=True)))


@dataclass(frozen=True, slots=True)
class _Left:
    """What an erasure left of a memory: the row of the store, and the number it gets."""

    seq: int
    node: MemoryNode
    row: Record


@dataclass(slots=True)
class ErasedSince:
    """`gone` memories stay out, `changed` ones come in as the last erasure left them. Of erased `events`, by their
    keys, the body that the store has, None where it has none; `seqs` are their numbers in the backup. `lanes` are those
    of agents that erased something since, by number. `told_anew`: what is told between memories is among what stays
    out. `count` tells how much was left out."""

    gone: set[str] = field(default_factory=set[str])
    changed: dict[str, _Left] = field(default_factory=dict[str, _Left])
    events: dict[bytes, str | None] = field(default_factory=dict[bytes, str | None])
    seqs: dict[int, bytes] = field(default_factory=dict[int, bytes])
    vectors: set[bytes] = field(default_factory=set[bytes])
    lanes: dict[int, Lane] = field(default_factory=dict[int, Lane])
    told_anew: bool = False
    count: int = 0
    _shortened: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])

    @classmethod
    def of(cls, source: sqlite3.Connection, conn: Connection, erased: Tombstones, head: int) -> "ErasedSince":
        """Compare a backup with the store that has erased these, while all is there still; rows of the ledger that are
        written anew get numbers above `head`."""
        since = cls()
        if not erased:
            return since
        known = dict(source.execute("SELECT key, seq FROM tombstones"))
        newer = {each for each, (_, seq) in erased.items() if known.get(each, -1) < seq}
        owners = {erased[each][0] for each in newer}
        rows = source.execute("SELECT lane_id, tenant, agent, target FROM lanes")
        since.lanes = {row[0]: Lane(*row[1:]) for row in rows if key(row[1], row[2]) in owners}
        since._find_events(source, conn, erased)
        kinds, suspects = since._find_memories(source, erased, newer)
        since._find_told(source, conn, kinds, suspects, head)
        return since

    def _find_events(self, source: sqlite3.Connection, conn: Connection, erased: Tombstones) -> None:
        found = source.execute("SELECT seq, event_key FROM events")
        self.seqs = {seq: event_key for seq, event_key in found if event_key in erased}
        self.events = dict.fromkeys(self.seqs.values())
        for some in chunks([*self.events]):
            self.events.update((bytes(row[0]), row[1]) for row in conn.execute(_EVENTS, {"keys": some}))

    def _find_memories(
        self, source: sqlite3.Connection, erased: Tombstones, newer: Collection[bytes]
    ) -> tuple[dict[str, str], set[str]]:
        """The types of memories of those who erased something, and which of them an erasure may have changed."""
        owners = {(lane.tenant, lane.agent) for lane in self.lanes.values()}
        kinds: dict[str, str] = {}
        suspects: set[str] = set()
        for tenant, agent, memory_id, kind in source.execute("SELECT tenant, agent, memory_id, type FROM memories"):
            if (tenant, agent) in owners:
                kinds[memory_id] = kind
            if memory_key(tenant, memory_id) in erased:
                self.gone.add(memory_id)
            elif edited_key(tenant, memory_id) in newer:
                suspects.add(memory_id)
        for lane_id, event_key, event_id in source.execute("SELECT lane_id, event_key, event_id FROM events"):
            if event_key in newer and lane_id in self.lanes:
                lane = self.lanes[lane_id]
                suspects.add(turn_id(lane.tenant, lane.agent, event_id))
        return kinds, suspects & kinds.keys()

    def _find_told(
        self, source: sqlite3.Connection, conn: Connection, kinds: Mapping[str, str], suspects: set[str], head: int
    ) -> None:
        """What rests on any of these; what the store has of it; and whatever tells between them."""
        resting = source.execute("SELECT source_id, memory_id FROM dependencies").fetchall()
        suspects |= {memory_id for source_id, memory_id in resting if source_id in self.gone} & kinds.keys()
        lost = self.gone | suspects
        told = suspects | {memory_id for source_id, memory_id in resting if source_id in lost}
        between = {each for each in told if kinds.get(each) in [kind.value for kind in GRAPH]}
        if lost:
            between |= {each for each, kind in kinds.items() if kind == MemoryType.COMMUNITY.value}
        self.changed = _left(conn, sorted(suspects - self.gone - between), head)
        self.gone |= between | (suspects - self.changed.keys())
        self.told_anew = bool(between)
        self.vectors = _vectors_of(source, {*self.gone, *self.changed})

    @property
    def filters(self) -> Mapping[str, Filter]:
        """What comes in of the rows of a table, by its name; of others everything does."""
        return {
            events.name: self._of_events,
            memories.name: self._of_memories,
            ledger.name: lambda rows: (row for row in rows if row["memory_id"] not in self.gone | self.changed.keys()),
            dependencies.name: lambda rows: (
                row for row in rows if self.gone.isdisjoint((row["memory_id"], row["source_id"]))
            ),
            vectors.name: lambda rows: (row for row in rows if row["key"] not in self.vectors),
            jobs.name: self._of_jobs,
            done.name: lambda rows: (row for row in rows if not self._is_between(row["lane_id"])),
        }

    def put_in_place(self, conn: Connection) -> None:
        """When the rows came in: write what was changed, and find out which jobs are first now."""
        rows = [{**left.row._mapping, "seq": left.seq, "after": kept(left.row.after)} for left in self.changed.values()]
        insert_many(conn, ledger, rows)
        record_dependencies(conn, [Change(act="add", after=left.node) for left in self.changed.values()])
        for lane_id, worker in self._shortened:
            refresh_head(conn, lane_id, worker)

    def _of_events(self, rows: list[Row]) -> Iterator[Row]:
        for row in rows:
            body = self.events.get(row["event_key"], row["body"])
            if body is None:
                self.count += 1
            else:
                yield row | {"body": body}

    def _of_memories(self, rows: list[Row]) -> Iterator[Row]:
        for row in rows:
            if (left := self.changed.get(row["memory_id"])) is not None:
                yield row | _pointer(left)
            elif row["memory_id"] not in self.gone:
                yield row
            else:
                self.count += 1

    def _of_jobs(self, rows: list[Row]) -> Iterator[Row]:
        """What a model made of words that were erased since is thought anew, of those that are left."""
        for row in rows:
            seqs = seqs_of(row["seqs"])
            rest = [seq for seq in seqs if seq not in self.seqs or self.events[self.seqs[seq]] is not None]
            if (seqs and not rest) or (row["payload"] and not self.seqs.keys().isdisjoint(seqs)):
                self._shortened.add((row["lane_id"], row["worker"]))
                continue
            if row["lane_id"] in self.lanes:
                reason = None if row["died"] is None else "its words were erased"
                row = row | {"seqs": json.dumps(rest), "staged": None, "reason": reason}
            yield row

    def _is_between(self, lane_id: int) -> bool:
        lane = self.lanes.get(lane_id)
        return lane is not None and lane == graph_lane(lane.tenant, lane.agent)


def _left(conn: Connection, memory_ids: Collection[str], head: int) -> dict[str, _Left]:
    """What the store has of these: the first row of each, which is the one that the last erasure left."""
    found: dict[str, _Left] = {}
    for some in chunks(list(memory_ids)):
        for row in conn.execute(_FIRST, {"ids": some}).all():
            node = row.after and stored_node(row.after, row.tenant, row.memory_id)
            if node:
                found[row.memory_id] = _Left(head + len(found) + 1, node, row)
    return found


def _pointer(left: _Left) -> Row:
    due, look = fades_at(left.node, left.row.act), attention(left.node, left.row.act)
    return {
        "run": left.node.run_id,
        "status": left.node.store_status.value,
        "timestamp": left.node.timestamp,
        "revision": left.node.revision,
        "seq": left.seq,
        "attention": None if look is None else look.value,
        "fades": None if due is None else microseconds(due),
    }


def _vectors_of(source: sqlite3.Connection, memory_ids: Collection[str]) -> set[bytes]:
    """The keys of the vectors of all texts that these memories ever had."""
    found: set[bytes] = set()
    for memory_id, after in source.execute("SELECT memory_id, after FROM ledger WHERE after IS NOT NULL"):
        if memory_id in memory_ids:
            found.update(
                bytes.fromhex(text_key(text[:EMBEDDED_CHARACTERS])) for text in embedded_texts(unpacked(after))
            )
    return found
