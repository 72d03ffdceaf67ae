"""Schema, points, conditions and questions in the words of Qdrant Edge."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from operator import neg
from typing import Any, Final, assert_never

import qdrant_edge as qe

from agentmem.adapters.memory_index.conditions import (
    Absent,
    AnyCondition,
    Bound,
    Condition,
    Containing,
    Every,
    Neither,
    Some,
)
from agentmem.adapters.memory_index.mapping import (
    CONTENT,
    KEYS,
    KEYWORDS,
    LEXICAL,
    SCOPES,
    TENANT,
    TIMES,
    ScopedFilter,
    payload_of,
    payload_with,
    unit,
)
from agentmem.ports.memory_index import CUES, Copied, Point, Probe, Sparse

NO_GRAPH: Final = qe.HnswIndexConfig(m=0, ef_construct=16, full_scan_threshold=10_000)
"""Exact search: below 100,000 points a graph costs more to build than it saves."""

GRAPH_OVER: Final = 10_000
"""Kilobytes of vectors above which a scope is worth a graph: 20,000 memories with vectors of 256 numbers."""

EXACT: Final = qe.SearchParams(exact=True)
ALONG_GRAPH: Final = qe.SearchParams(hnsw_ef=512)
"""Of 30,000 passages of real text it finds .95 of the ten nearest; with Qdrant's own choice it was .75."""


def edge_config(size: int, graph_over: int | None = None) -> qe.EdgeConfig:
    """Two dense vectors of length 1 kept as float16, so that the product of two is their cosine, and one that is
    written as it was read stays the same to the last bit; one sparse vector weighted by IDF, and a write-ahead log.
    Only where it is optimised does it matter that each scope with more than `graph_over` KB of vectors is to get a
    graph."""
    dense: dict[str, Any] = {
        "size": size,
        "distance": qe.Distance.Dot,
        "datatype": qe.VectorStorageDatatype.Float16,
    }
    best_key = qe.MultiVectorConfig(qe.MultiVectorComparator.MaxSim)
    return qe.EdgeConfig(
        vectors={
            CONTENT: qe.EdgeVectorParams(**dense),
            KEYS: qe.EdgeVectorParams(**dense, multivector_config=best_key),
        },
        sparse_vectors={LEXICAL: qe.EdgeSparseVectorParams(modifier=qe.Modifier.Idf)},
        hnsw_config=NO_GRAPH if graph_over is None else _graph_of_each_scope(graph_over),
        optimizers=qe.EdgeOptimizersConfig(indexing_threshold=graph_over),
        payload_memory=qe.Memory.Cold,
        wal_enabled=True,
    )


def _graph_of_each_scope(over: int) -> qe.HnswIndexConfig:
    return qe.HnswIndexConfig(m=0, payload_m=16, ef_construct=100, full_scan_threshold=over)


def field_indexes() -> dict[str, qe.UpdateOperation]:
    """What makes an index on each field that filters name. Graphs are made for scopes alone: one for each value of each
    field took five times as long."""
    integer = qe.IntegerIndexParams(lookup=False, range=True, enable_hnsw=False)
    create = qe.UpdateOperation.create_field_index
    return {
        **{field: create(field, _keyword(field)) for field in KEYWORDS},
        **{field: create(field, integer) for field in TIMES},
    }


def _keyword(field: str) -> qe.KeywordIndexParams:
    return qe.KeywordIndexParams(is_tenant=field == TENANT, enable_hnsw=field == SCOPES)


def edge_point(point: Point) -> qe.Point:
    """A memory with its vectors; those that are empty are left out."""
    vectors: dict[str, Any] = {CONTENT: unit(point.content)[0].tolist()}
    if len(point.keys):
        vectors[KEYS] = unit(point.keys).tolist()
    if point.lexical.indices:
        vectors[LEXICAL] = _sparse(point.lexical)
    return qe.Point(point.memory.memory_id, vectors, payload_of(point))


def sparse_of(record: qe.Record) -> Sparse:
    """The sparse vector that was read with a point; empty where it has none."""
    vectors: Any = record.vector or {}
    held = vectors.get(LEXICAL)
    return Sparse((), ()) if held is None else Sparse(tuple(held.indices), tuple(held.values))


def edge_copy(copy: Copied, origin: qe.Record) -> qe.Point:
    """A memory with the vectors and cues of the one it says the same as."""
    cues = str((origin.payload or {})[CUES])
    return qe.Point(copy.memory.memory_id, origin.vector or {}, payload_with(copy.memory, cues, copy.made_from))


def edge_queries(scoped: ScopedFilter, probe: Probe, limit: int, *, exact: bool = True) -> dict[str, qe.QueryRequest]:
    """One request per channel that the probe has something for; unless `exact`, along graphs where there are some."""
    visible = edge_filter(scoped)
    own_words = qe.SearchParams(idf=qe.IdfParams(qe.Filter(must=_conditions(scoped.corpus))))
    vectors: dict[str, Any] = {}
    if probe.dense is not None:
        row = unit(probe.dense)[0].tolist()
        vectors |= {CONTENT: row, KEYS: [row]} if probe.by_keys else {CONTENT: row}
    if probe.lexical is not None and probe.lexical.indices:
        vectors[LEXICAL] = _sparse(probe.lexical)
    return {
        name: qe.QueryRequest(
            limit,
            query=qe.Query.Nearest(vector, using=name),
            filter=visible,
            params=own_words if name == LEXICAL else EXACT if exact else ALONG_GRAPH,
        )
        for name, vector in vectors.items()
    }


def edge_filter(scoped: ScopedFilter) -> qe.Filter:
    """The filter in Edge's words."""
    return qe.Filter(must=_conditions(scoped.all_of), must_not=_conditions(scoped.must_not))


def _sparse(lexical: Sparse) -> qe.SparseVector:
    return qe.SparseVector(list(lexical.indices), list(lexical.values))


def _conditions(conditions: Iterable[Condition]) -> list[Any]:
    return [_condition(each) for each in conditions]


def _condition(condition: Condition) -> qe.FieldCondition | qe.IsEmptyCondition | qe.Filter:
    match condition:
        case AnyCondition(field, (value,)):
            return qe.FieldCondition(field, match=qe.MatchValue(value))
        case AnyCondition(field, values):
            return qe.FieldCondition(field, match=qe.MatchAny(list(values)))
        case Bound(field):
            return qe.FieldCondition(field, range=qe.RangeFloat(**condition.limits))
        case Containing(field, part):
            return qe.FieldCondition(field, match=qe.MatchSubstring(part))
        case Absent(field):
            return qe.IsEmptyCondition(field)
        case Every(parts):
            return qe.Filter(must=_conditions(parts))
        case Some(parts):
            return qe.Filter(should=_conditions(parts))
        case Neither(parts):
            return qe.Filter(must_not=_conditions(parts))
        case _:
            assert_never(condition)


Hit = tuple[str, float]

BEYOND: Final = 14
"""Hits asked for beyond those that are wanted: as many alike at the cut cost no second question."""

FURTHER: Final = 8
"""So many times as many hits are asked for where those beyond were all alike."""

MOST: Final = 20_000
"""Hits beyond which nobody looks further: of so many memories that score alike the question says nothing."""


def reaches_too_short(scores: Sequence[float], asked: int, limit: int) -> bool:
    """Whether memories may score as the last wanted one does and yet be missing, of `asked` scores, best first."""
    return limit < len(scores) == asked < MOST and scores[-1] == scores[limit - 1]


def worth_naming(scores: Sequence[float], limit: int) -> int:
    """How many of these, best first, are as good as the last wanted one: an id costs more to read than a score."""
    return len(scores) if len(scores) <= limit else bisect_right(scores, -scores[limit - 1], key=neg)


def at_the_cut(hits: Sequence[Hit], limit: int) -> list[str]:
    """The ids of those alike of which some stay and some go; none where no two are parted."""
    if len(hits) <= limit or hits[limit - 1][1] != hits[limit][1]:
        return []
    return [memory_id for memory_id, score in hits if score == hits[limit][1]]


def cut(hits: Sequence[Hit], limit: int, timestamps: Mapping[str, int]) -> tuple[Hit, ...]:
    """The best, at most `limit`, best first, equal ones in the order of their ids; at the cut the newest stay."""
    newest = sorted(hits, key=lambda hit: (-hit[1], -timestamps.get(hit[0], 0), hit[0]))
    return tuple(sorted(newest[:limit], key=lambda hit: (-hit[1], hit[0])))
