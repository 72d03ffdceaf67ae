"""The tables of the journal.

Numbers of events, ledger rows, jobs and lanes come from the one row of `counters`, which every transaction that
numbers something updates: so numbers become visible in their own order, also where several processes write.
A version of a memory is stored once, as `after` of a ledger row; `memories` points at the last one, `prev` back.
Events and lanes are found by a digest of what names them: with an index over tenant and agent first, PostgreSQL read
the whole tenant for every append until it had statistics (2,445/s falling to 1,034/s within 30,000 events).
`heads` holds, per lane and worker, the first job that waits, in the order in which each tenant's are done; a claim
looks at heads only, never at the crowd.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.types import TypeDecorator, UserDefinedType

from agentmem.domain.packed import unpacked

VERSION = 11
_ZERO = text("0")

Number = BigInteger().with_variant(Integer, "sqlite")
String = Text().with_variant(Text(collation="C"), "postgresql")
"""Compared byte by byte in both databases, so both list in the same order."""


class RawBody(UserDefinedType[bytes]):
    """Bytes as the driver gives them, and text where an older store holds that."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        return "BLOB"


UNREADABLE = "!"
"""Stands for a body that cannot be unpacked; no JSON."""


class Body(TypeDecorator[str]):
    """What a memory says, kept packed. Older stores hold it as text, which reads the same."""

    impl = RawBody
    cache_ok = True

    def process_result_value(self, value: bytes | str | None, dialect: Dialect) -> str | None:
        """From the database. What cannot be unpacked comes out as what nobody can read, and hides no other row."""
        try:
            return None if value is None else unpacked(value)
        except ValueError:
            return UNREADABLE


@compiles(RawBody, "postgresql")
def _bytea(*_: object, **__: object) -> str:  # pyright: ignore[reportUnusedFunction] - called by SQLAlchemy
    return "BYTEA"


metadata = MetaData()

schema_version = Table("schema_version", metadata, Column("version", Integer, primary_key=True))

counters = Table(
    "counters",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("event", Number, nullable=False),
    Column("ledger", Number, nullable=False),
    Column("job", Number, nullable=False),
    Column("lane", Number, nullable=False),
    Column("fence", Number, nullable=False),  # where the fences of a new lane begin: above those of purged ones
    Column("backlog", Number, nullable=False),  # jobs that wait or are worked on
)

lanes = Table(
    "lanes",
    metadata,
    Column("lane_id", Number, primary_key=True, autoincrement=False),
    Column("tenant", String, nullable=False),
    Column("agent", String, nullable=False),
    Column("target", String, nullable=False),
    Column("lane_key", LargeBinary(16), nullable=False, unique=True),  # of those three
    Column("turn_seq", Number, nullable=False, server_default=_ZERO),  # the last turn, and when it was accepted
    Column("turn_at", Number, nullable=False, server_default=_ZERO),
    Column("cut_seq", Number, nullable=False, server_default=_ZERO),  # events up to here are in a window
)
Index("lanes_of_agent", lanes.c.tenant, lanes.c.agent)
_silent = text("turn_seq > cut_seq")
Index("lanes_silent", lanes.c.turn_at, sqlite_where=_silent, postgresql_where=_silent)

leases = Table(
    "leases",
    metadata,
    Column("lane_id", Number, ForeignKey(lanes.c.lane_id), primary_key=True, autoincrement=False),
    Column("holder", String),
    Column("fence", Number, nullable=False),
    Column("beat", Number, nullable=False, server_default=_ZERO),
    Column("jobs", Integer, nullable=False, server_default=_ZERO),  # how many the holder works on
    Column("worker", String),  # and whose
)
_held = text("holder IS NOT NULL")
Index("leases_held", leases.c.holder, sqlite_where=_held, postgresql_where=_held)

events = Table(
    "events",
    metadata,
    Column("seq", Number, primary_key=True, autoincrement=False),
    Column("lane_id", Number, nullable=False),
    Column("event_key", LargeBinary(16), nullable=False, unique=True),  # of tenant, agent and event id
    Column("event_id", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("run_id", String),
    Column("accepted_at", Number, nullable=False),
    Column("body", String, nullable=False),
)
_turns = text("kind = 'turn_spoken'")
Index("events_of_lane", events.c.lane_id, events.c.seq)
Index(
    "events_of_run",
    events.c.lane_id,
    events.c.run_id,
    events.c.seq,
    sqlite_where=_turns,
    postgresql_where=_turns,
)

jobs = Table(
    "jobs",
    metadata,
    Column("job_no", Number, primary_key=True, autoincrement=False),
    Column("job_id", String, nullable=False, unique=True),
    Column("lane_id", Number, ForeignKey(lanes.c.lane_id), nullable=False),
    Column("worker", String, nullable=False),
    Column("ordinal", Number, nullable=False),
    Column("seqs", String, nullable=False),
    Column("payload", String, nullable=False),  # empty where its events are all there is
    Column("attempts", Integer, nullable=False, server_default=_ZERO),
    Column("due", Number, nullable=False, server_default=_ZERO),  # microseconds; 0: at once
    Column("staged", String),
    Column("died", Number),  # rises with each death; NULL: alive
    Column("died_at", Number),
    Column("reason", String),
    Column("crashes", Integer, nullable=False, server_default=_ZERO),  # holders that went away while they did it
)
_dead = text("died IS NOT NULL")
Index("jobs_in_line", jobs.c.lane_id, jobs.c.worker, jobs.c.ordinal, jobs.c.job_no)
Index("jobs_dead", jobs.c.died, sqlite_where=_dead, postgresql_where=_dead)

heads = Table(
    "heads",
    metadata,
    Column("lane_id", Number, ForeignKey(lanes.c.lane_id), primary_key=True, autoincrement=False),
    Column("worker", String, primary_key=True),
    Column("ordinal", Number, nullable=False),
    Column("job_no", Number, nullable=False),
    Column("due", Number, nullable=False),
    Column("tenant", String, nullable=False),
)
Index("heads_of_tenant", heads.c.tenant, heads.c.ordinal, heads.c.job_no, heads.c.worker, heads.c.due, heads.c.lane_id)

done = Table(
    "done",
    metadata,
    Column("job_key", LargeBinary(16), primary_key=True),
    Column("lane_id", Number, nullable=False),
    sqlite_with_rowid=False,
)

windows = Table(
    "windows",
    metadata,
    Column("lane_id", Number, primary_key=True, autoincrement=False),
    Column("last_seq", Number, primary_key=True, autoincrement=False),
    Column("first_seq", Number, nullable=False),
    Column("job_id", String, nullable=False),  # of the job that reads the events between
    sqlite_with_rowid=False,
)

ledger = Table(
    "ledger",
    metadata,
    Column("seq", Number, primary_key=True, autoincrement=False),
    Column("tenant", String, nullable=False),
    Column("agent", String, nullable=False),
    Column("target", String, nullable=False),
    Column("memory_id", String, nullable=False),
    Column("run", String, nullable=False),
    Column("cause", String, nullable=False),
    Column("at", String, nullable=False),
    Column("act", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("prev", Number),  # the row before this one of the same memory: its `after` is our `before`
    Column("after", Body()),
)
Index("ledger_of_memory", ledger.c.memory_id, ledger.c.seq)
Index("ledger_of_run", ledger.c.tenant, ledger.c.run, ledger.c.seq)
Index("ledger_of_agent", ledger.c.tenant, ledger.c.agent, ledger.c.seq)

memories = Table(
    "memories",
    metadata,
    Column("memory_id", String, primary_key=True),
    Column("tenant", String, nullable=False),
    Column("agent", String, nullable=False),
    Column("lane_key", LargeBinary(16), nullable=False),  # of tenant, agent and target
    Column("run", String),
    Column("type", String, nullable=False),
    Column("status", String),  # NULL: taken out
    Column("timestamp", Number, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("seq", Number, nullable=False),
    Column("attention", Integer),  # why reflection should look at it, `domain.staleness.Attention`; NULL: it need not
    Column("fades", Number),  # microseconds: when it goes out of scope by itself; NULL: never
    Column("record", String),  # what a program keeps in this form; NULL: a memory
)
Index("memories_by_change", memories.c.seq, unique=True)
Index("memories_by_timestamp", memories.c.timestamp)
_newest = (memories.c.type, memories.c.timestamp.desc(), memories.c.memory_id)
Index("memories_of_agent", memories.c.tenant, memories.c.agent, *_newest)
Index("memories_of_target", memories.c.lane_key, *_newest)
_wanted, _fading = text("attention IS NOT NULL"), text("fades IS NOT NULL")
Index(
    "memories_to_look_at",
    *(memories.c.tenant, memories.c.agent, memories.c.lane_key, memories.c.timestamp),
    sqlite_where=_wanted,
    postgresql_where=_wanted,
)
Index("memories_fading", memories.c.lane_key, memories.c.fades, sqlite_where=_fading, postgresql_where=_fading)
_recorded = text("record IS NOT NULL")
Index(
    "memories_recorded",
    *(memories.c.tenant, memories.c.agent, memories.c.record, memories.c.timestamp.desc(), memories.c.memory_id),
    sqlite_where=_recorded,
    postgresql_where=_recorded,
)

dependencies = Table(
    "dependencies",
    metadata,
    Column("source_id", String, primary_key=True),
    Column("memory_id", String, primary_key=True),  # rests on that, or did in an earlier state
    sqlite_with_rowid=False,
)
Index("dependencies_of_memory", dependencies.c.memory_id)

marks = Table("marks", metadata, Column("name", String, primary_key=True), Column("value", String, nullable=False))

agents = Table(
    "agents",
    metadata,
    Column("tenant", String, primary_key=True),
    Column("agent", String, primary_key=True),
    Column("persona", String, nullable=False),
)

vectors = Table(
    "vectors",
    metadata,
    Column("fingerprint", String, primary_key=True),
    Column("key", LargeBinary(32), primary_key=True),
    Column("vector", LargeBinary, nullable=False),
)

tombstones = Table(
    "tombstones",
    metadata,
    Column("key", LargeBinary(16), primary_key=True),  # of an erased event or memory
    Column("owner", LargeBinary(16), nullable=False),  # of tenant and agent
    Column("seq", Number, nullable=False),  # the event's number; 0 for a memory
    sqlite_with_rowid=False,
)
Index("tombstones_of_owner", tombstones.c.owner)

lineages = Table(
    "lineages",
    metadata,
    Column("lineage_id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("state", String, nullable=False),
    Column("source_tenant", String, nullable=False),
    Column("source_agent", String, nullable=False),
    Column("tenant", String, nullable=False),
    Column("agent", String, nullable=False),
    Column("body", String, nullable=False),  # all of it
    Column("persona", String, nullable=False),  # whom the copy will be; empty once it is
)
_unfinished = text("state = 'making'")
Index("lineages_of_source", lineages.c.source_tenant, lineages.c.source_agent)
Index("lineages_of_copy", lineages.c.tenant, lineages.c.agent)
Index(
    "lineages_unfinished",
    *(lineages.c.tenant, lineages.c.agent),
    sqlite_where=_unfinished,
    postgresql_where=_unfinished,
)

tokens = Table(
    "tokens",
    metadata,
    Column("digest", LargeBinary(32), primary_key=True),  # of the secret, which is nowhere
    Column("tenant", String, nullable=False),
    Column("name", String, nullable=False),
    Column("body", String, nullable=False),  # all of it
    sqlite_with_rowid=False,
)
Index("tokens_of_tenant", tokens.c.tenant, tokens.c.name, unique=True)
