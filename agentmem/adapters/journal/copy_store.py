"""Making agents from others: the `CopyStore` port. One transaction writes a page of rows and how far the copy came."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import Connection, bindparam, func, or_, select

from agentmem.adapters.journal import lineages as known
from agentmem.adapters.journal.commit_rows import write_pointers
from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.dialect import Record, chunks, insert_many
from agentmem.adapters.journal.dialect import Row as Columns
from agentmem.adapters.journal.earlier_states import Edit, edits_of, redacted
from agentmem.adapters.journal.lanes import in_reach, in_scope, lane_key
from agentmem.adapters.journal.removal import purge_marked
from agentmem.adapters.journal.schema import agents, dependencies, lanes, ledger, memories
from agentmem.adapters.journal.transactions import ReadPool, Unit
from agentmem.adapters.journal.writable import checked, checked_node, node_body, read_wire, wire_body
from agentmem.domain.entity import graph_lane
from agentmem.domain.lineage import Lineage, lineage_id
from agentmem.domain.memory import MemoryNode, StoreStatus, record_by_kind
from agentmem.domain.packed import kept
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import AlreadyThere, Conflict, InvalidInput, NotFound, Unreadable, without_content
from agentmem.ports.agent_records import CopiedRow, CopyDraft, Wire

log = structlog.get_logger()

_held = memories.alias("held")
_ROWS = (
    select(
        *(
            ledger.c.seq,
            ledger.c.tenant,
            ledger.c.memory_id,
            ledger.c.target,
            ledger.c.run,
            ledger.c.cause,
            ledger.c.at,
        ),
        *(ledger.c.act, ledger.c.reason, ledger.c.prev, ledger.c.after, memories.c.attention, memories.c.fades),
    )
    .outerjoin(memories, memories.c.seq == ledger.c.seq)
    .join(_held, _held.c.memory_id == ledger.c.memory_id)
    .where(
        or_(_held.c.status.is_(None), _held.c.status != StoreStatus.DELETED.value),
        ledger.c.tenant == bindparam("tenant"),
        ledger.c.agent == bindparam("agent"),
        ledger.c.seq > bindparam("after"),
        ledger.c.seq <= bindparam("through"),
        ledger.c.target != bindparam("graph"),
    )
    .order_by(ledger.c.seq)
    .limit(bindparam("count"))
)
_EARLIER = select(ledger.c.after).where(
    ledger.c.memory_id == bindparam("id"), ledger.c.seq < bindparam("before"), ledger.c.after.is_not(None)
)
_POINTERS = select(memories).where(memories.c.memory_id.in_(bindparam("ids", expanding=True)))
_PERSONA = select(agents.c.persona).where(agents.c.tenant == bindparam("tenant"), agents.c.agent == bindparam("agent"))


class SqlCopyStore:
    """Reads beside the writer; writes through it."""

    def __init__(self, committer: Committer, reader: ReadPool) -> None:
        self._committer, self._reader = committer, reader

    async def begin(self, draft: CopyDraft, *, now: datetime) -> Lineage:
        """See `CopyStore`."""
        return await self._committer.submit("begin_copy", lambda unit: _begin(unit, draft, now))

    async def names(self, source: Scope) -> list[str]:
        """See `CopyStore`."""
        return await self._reader.read(lambda conn: _names(conn, source))

    async def rows(self, source: Scope, *, after: int, through: int, limit: int) -> list[CopiedRow]:
        """See `CopyStore`."""
        between = graph_lane(source.tenant, source.agent).target
        place = {"tenant": source.tenant, "agent": source.agent, "after": after, "through": through, "count": limit}
        place["graph"] = between
        return await self._reader.read(lambda conn: _page(conn, place))

    async def write(self, copy: Lineage, rows: Sequence[CopiedRow], *, reached: int) -> Lineage:
        """See `CopyStore`."""
        bodies = [_body(copy, row) for row in rows]
        return await self._committer.submit("copy", lambda unit: _write(unit, copy, rows, bodies, reached))

    async def complete(self, copy: Lineage, *, now: datetime) -> Lineage:
        """See `CopyStore`."""
        return await self._committer.submit("complete_copy", lambda unit: _complete(unit, copy, now), numbered=False)

    async def discard(self, tenant: str, agent: str, *, now: datetime) -> list[str]:
        """See `CopyStore`."""
        return await self._committer.submit("discard_copy", lambda unit: _discard(unit, tenant, agent, now))

    async def release(self, tenant: str, agent: str, *, now: datetime) -> list[str]:
        """See `CopyStore`."""
        return await self._committer.submit("release_copy", lambda unit: _release(unit, tenant, agent, now))


def _begin(unit: Unit, draft: CopyDraft, now: datetime) -> Lineage:
    conn, persona = unit.conn, draft.persona
    wanted = Lineage(
        kind=draft.kind,
        source_tenant=draft.source_tenant,
        source_agent=draft.source_agent,
        tenant=draft.tenant,
        agent_id=persona.id,
        head=unit.numbers.ledger,
        began_at=now,
        contract=dict(draft.contract),
    )
    found = known.find(conn, wanted.lineage_id)
    if found is not None:
        _must_be_the_same(conn, found, wanted, persona)
        return found
    source = {"tenant": draft.source_tenant, "agent": draft.source_agent}
    if draft.kind in ("clone", "hire") and conn.execute(_PERSONA, source).first() is None:
        raise NotFound(f"no agent {draft.source_agent!r}")
    if _is_there(conn, Scope(draft.tenant, persona.id)):
        raise _taken(persona.id)
    known.keep(conn, wanted, checked(persona.model_dump_json(by_alias=True), f"persona {persona.id!r}"))
    return wanted


def _must_be_the_same(conn: Connection, found: Lineage, wanted: Lineage, persona: Persona) -> None:
    origin = (found.kind, found.source_tenant, found.source_agent)
    same = origin == (wanted.kind, wanted.source_tenant, wanted.source_agent)
    if same and found.state == "making":
        drafted = Persona.model_validate_json(known.drafted(conn, found.lineage_id))
        same = (drafted.name, found.contract) == (persona.name, wanted.contract)
    if not same or found.state == "released":
        raise _taken(persona.id)


def _taken(agent: str) -> AlreadyThere:
    """Whoever has the id, and wherever he comes from: who may copy one agent learns nothing of others."""
    return AlreadyThere(f"agent {agent!r} exists already, or did once: name another")


def _is_there(conn: Connection, scope: Scope) -> bool:
    named = {"tenant": scope.tenant, "agent": scope.agent}
    return any(
        conn.execute(statement, named).first() is not None
        for statement in (
            _PERSONA,
            select(lanes.c.lane_id).where(in_scope(scope)).limit(1),
            select(memories.c.memory_id).where(in_reach(scope)).limit(1),
        )
    )


def _names(conn: Connection, source: Scope) -> list[str]:
    last = select(func.max(memories.c.seq)).where(in_reach(source), memories.c.status.is_not(None))
    bodies = select(ledger.c.after).where(ledger.c.seq.in_(last.group_by(memories.c.lane_key)))
    found: Iterable[str] = conn.execute(bodies).scalars()
    return sorted({name for body in found if (name := _name(body)) is not None})


def _name(body: str) -> str | None:
    try:
        return str(read_wire(body).get("targetName"))
    except Unreadable:
        return None


def _page(conn: Connection, place: Mapping[str, Any]) -> list[CopiedRow]:
    """So many rows as there is room for; further on, where those that cannot be read leave none."""
    asked = dict(place)
    while True:
        records: Sequence[Record] = conn.execute(_ROWS, asked).all()
        edits = edits_of(conn, sorted({record.memory_id for record in records}))
        found = [row for record in records if (row := _readable(conn, record, edits)) is not None]
        if found or len(records) < place["count"]:
            return found
        asked["after"] = records[-1].seq


def _readable(conn: Connection, record: Record, edits: Mapping[str, Sequence[Edit]]) -> CopiedRow | None:
    """The row; where its state cannot be read, that the memory was taken out, so that no earlier state comes back to
    life in a copy. None where it was never there."""
    try:
        row = _row(record, edits.get(record.memory_id, ()))
    except Unreadable as error:
        log.warning("row_left_behind", memory=record.memory_id, row=record.seq, reason=without_content(error))
        row = replace(_row(record, (), taken_out=True), act="undo", reason="its state could not be read")
    return None if row.after is None and not _was_there(conn, record) else row


def _was_there(conn: Connection, record: Record) -> bool:
    for body in conn.execute(_EARLIER, {"id": record.memory_id, "before": record.seq}).scalars():
        with suppress(Unreadable):
            checked_node(body, record.tenant, record.memory_id)
            return True
    return False


def _row(record: Record, edits: Sequence[Edit], *, taken_out: bool = False) -> CopiedRow:
    """Raises `Unreadable`, unless only what is beside the state is wanted."""
    after: str | None = None
    if record.after is not None and not taken_out:
        node = checked_node(record.after, record.tenant, record.memory_id)
        told: MemoryNode | None = redacted(node, record.seq, edits)
        after = record.after if told is node else None if told is None else node_body(told)
    return CopiedRow(
        seq=record.seq,
        memory_id=record.memory_id,
        target_id=record.target,
        run=record.run,
        cause=record.cause,
        at=record.at,
        act=record.act,
        reason=record.reason,
        after=None if after is None else read_wire(after),
        first=record.prev is None,
        attention=record.attention,
        fades=record.fades,
    )


def _body(copy: Lineage, row: CopiedRow) -> str | None:
    if row.after is None:
        return None
    owner = (row.after["tenant"], row.after["agentId"], row.after["memoryId"], row.after["targetId"])
    if owner != (copy.tenant, copy.agent_id, row.memory_id, row.target_id):
        raise InvalidInput(f"memory {row.memory_id} is not one of agent {copy.agent_id!r}")
    return wire_body(row.after, f"memory {row.memory_id}")


def _write(unit: Unit, copy: Lineage, rows: Sequence[CopiedRow], bodies: Sequence[str | None], reached: int) -> Lineage:
    _must_stand_there(unit.conn, copy)
    pointers = _pointers(unit.conn, [row.memory_id for row in rows if not row.first])
    written: list[Columns] = []
    rests: dict[tuple[str, str], Columns] = {}
    for row, body in zip(rows, bodies, strict=True):
        unit.numbers.ledger += 1
        before = pointers.get(row.memory_id)
        place = {"seq": unit.numbers.ledger, "prev": before and before["seq"]}
        written.append(_columns(copy, row) | place | {"after": body and kept(body)})
        pointers[row.memory_id] = _pointer(copy, row, before) | {"seq": unit.numbers.ledger}
        for source in _rests_on(row):
            rests[source, row.memory_id] = {"source_id": source, "memory_id": row.memory_id}
    touched = dict.fromkeys(row.memory_id for row in rows)
    insert_many(unit.conn, ledger, written)
    write_pointers(unit.conn, [pointers[memory_id] for memory_id in touched])
    insert_many(unit.conn, dependencies, list(rests.values()), "ON CONFLICT DO NOTHING")
    further = copy.revised(reached=reached)
    known.renew(unit.conn, further)
    return further


def _must_stand_there(conn: Connection, copy: Lineage) -> None:
    if copy.state != "making" or known.find(conn, copy.lineage_id) != copy:
        raise Conflict(f"the making of agent {copy.agent_id!r} was taken up by somebody else, or begun anew")


def _pointers(conn: Connection, memory_ids: Sequence[str]) -> dict[str, Columns]:
    found: dict[str, Columns] = {}
    for some in chunks(memory_ids):
        rows = conn.execute(_POINTERS, {"ids": some}).mappings()
        found.update(
            (str(row[memories.c.memory_id]), {column.name: row[column] for column in memories.c}) for row in rows
        )
    return found


def _columns(copy: Lineage, row: CopiedRow) -> Columns:
    return {
        "tenant": copy.tenant,
        "agent": copy.agent_id,
        "target": row.target_id,
        "memory_id": row.memory_id,
        "run": checked(row.run, "row field run"),
        "cause": checked(row.cause, "row field cause"),
        "at": datetime.fromisoformat(row.at).isoformat(),
        "act": row.act,
        "reason": checked(row.reason, "row field reason"),
    }


def _pointer(copy: Lineage, row: CopiedRow, before: Columns | None) -> Columns:
    """A memory that was taken out keeps what is known of it, save that it holds."""
    noted = {"attention": row.attention, "fades": row.fades}
    if row.after is None:
        if before is None:
            raise InvalidInput(f"memory {row.memory_id} is taken out before it is there")
        return {**before, **noted, "status": None}
    return {
        "memory_id": row.memory_id,
        "tenant": copy.tenant,
        "agent": copy.agent_id,
        "lane_key": lane_key(Lane(copy.tenant, copy.agent_id, row.target_id)),
        "run": row.after.get("runId"),
        "type": row.after["memoryType"],
        "status": row.after["storeStatus"],
        "timestamp": row.after["timestamp"],
        "revision": row.after["revision"],
        "record": _record(row.after),
        **noted,
    }


def _record(wire: Wire) -> str | None:
    meta = wire.get("metaData")
    known = record_by_kind(wire["memoryType"], wire.get("kind"), meta if isinstance(meta, dict) else {})
    said = wire.get("record") or known
    return None if said is None else str(said)


def _rests_on(row: CopiedRow) -> set[str]:
    wire: Wire = row.after or {}
    named = (wire.get("sourceIds"), wire.get("dependsOn"))
    return {str(each) for ids in named if isinstance(ids, list) for each in ids} - {row.memory_id}


def _complete(unit: Unit, copy: Lineage, now: datetime) -> Lineage:
    _must_stand_there(unit.conn, copy)
    persona = known.drafted(unit.conn, copy.lineage_id)
    insert_many(unit.conn, agents, [{"tenant": copy.tenant, "agent": copy.agent_id, "persona": persona}])
    made = copy.revised(state="made", made_at=now)
    known.renew(unit.conn, made, persona="")
    return made


def _discard(unit: Unit, tenant: str, agent: str, now: datetime) -> list[str]:
    found = known.find(unit.conn, lineage_id(tenant, agent))
    if found is None or found.state != "making":
        raise NotFound(f"no agent {agent!r} is being made")
    return purge_marked(unit, Scope(tenant, agent), now)


def _release(unit: Unit, tenant: str, agent: str, now: datetime) -> list[str]:
    lineage = known.find(unit.conn, lineage_id(tenant, agent))
    if lineage is None or lineage.state == "making":
        raise NotFound(f"no copy {agent!r}")
    if lineage.state == "released":
        return []
    left = [copy.agent_id for copy in known.copies_of(unit.conn, tenant, agent) if copy.state == "made"]
    if left:
        raise Conflict(f"from agent {agent!r} {left[0]!r} was made, which has to be released before it")
    gone = purge_marked(unit, Scope(tenant, agent), now)
    known.keep(unit.conn, lineage.revised(state="released", released_at=now))
    return gone
