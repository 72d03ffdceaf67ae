"""Schema, points, conditions and questions in the words of a Qdrant server."""

from collections.abc import Iterable, Mapping
from typing import Final, assert_never, cast

from qdrant_client import models

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
    TENANT,
    TIMES,
    ScopedFilter,
    payload_of,
    payload_with,
)
from agentmem.ports.memory_index import CUES, Copied, Point, Probe, Sparse

PER_TENANT: Final = models.HnswConfigDiff(m=0, payload_m=16)
"""A graph for each tenant and none over all: no search ever goes across tenants."""

SOON: Final = models.OptimizersConfigDiff(flush_interval_sec=1)
"""A server cannot be told to flush; it does so by itself, within this many seconds."""

SPARSE: Final = {LEXICAL: models.SparseVectorParams(modifier=models.Modifier.IDF)}


def dense(size: int) -> dict[str, models.VectorParams]:
    """One vector for the content and one per key, kept as float16."""
    best_key = models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM)
    return {CONTENT: _vector(size, None), KEYS: _vector(size, best_key)}


def _vector(size: int, several: models.MultiVectorConfig | None) -> models.VectorParams:
    return models.VectorParams(
        size=size,
        distance=models.Distance.COSINE,
        datatype=models.Datatype.FLOAT16,
        multivector_config=several,
    )


def field_indexes() -> Mapping[str, models.PayloadSchemaType | models.KeywordIndexParams | models.IntegerIndexParams]:
    """An index on each field that filters name."""
    keyword, integer = models.KeywordIndexType.KEYWORD, models.IntegerIndexType.INTEGER
    return {
        **{name: models.KeywordIndexParams(type=keyword, is_tenant=name == TENANT) for name in KEYWORDS},
        **{name: models.IntegerIndexParams(type=integer, lookup=False, range=True) for name in TIMES},
    }


def server_point(point: Point) -> models.PointStruct:
    """A memory with its vectors; those that are empty are left out."""
    vectors: dict[str, models.Vector] = {CONTENT: point.content[0].tolist()}
    if len(point.keys):
        vectors[KEYS] = point.keys.tolist()
    if point.lexical.indices:
        vectors[LEXICAL] = _sparse(point.lexical)
    return models.PointStruct(id=point.memory.memory_id, vector=vectors, payload=payload_of(point))


def sparse_of(record: models.Record) -> Sparse:
    """The sparse vector that was read with a point; empty where it has none."""
    held = record.vector.get(LEXICAL) if isinstance(record.vector, dict) else None
    if not isinstance(held, models.SparseVector):
        return Sparse((), ())
    return Sparse(tuple(held.indices), tuple(held.values))


def server_copy(copy: Copied, origin: models.Record) -> models.PointStruct:
    """A memory with the vectors and cues of the one it says the same as."""
    cues, vectors = str((origin.payload or {})[CUES]), cast("dict[str, models.Vector]", origin.vector or {})
    return models.PointStruct(
        id=copy.memory.memory_id, vector=vectors, payload=payload_with(copy.memory, cues, copy.made_from)
    )


def server_queries(scoped: ScopedFilter, probe: Probe, limit: int) -> dict[str, models.QueryRequest]:
    """One request per channel that the probe has something for."""
    visible = server_filter(scoped)
    own_words = models.SearchParams(idf=models.IdfCorpusParams(corpus=models.Filter(must=_conditions(scoped.corpus))))
    vectors: dict[str, models.Vector] = {}
    if probe.dense is not None:
        row = probe.dense[0].tolist()
        vectors |= {CONTENT: row, KEYS: [row]} if probe.by_keys else {CONTENT: row}
    if probe.lexical is not None and probe.lexical.indices:
        vectors[LEXICAL] = _sparse(probe.lexical)
    return {
        name: models.QueryRequest(
            query=vector,
            using=name,
            filter=visible,
            limit=limit,
            params=own_words if name == LEXICAL else None,
        )
        for name, vector in vectors.items()
    }


def server_filter(scoped: ScopedFilter) -> models.Filter:
    """The filter in the server's words."""
    return models.Filter(must=_conditions(scoped.all_of), must_not=_conditions(scoped.must_not))


def _sparse(lexical: Sparse) -> models.SparseVector:
    return models.SparseVector(indices=list(lexical.indices), values=list(lexical.values))


def _conditions(conditions: Iterable[Condition]) -> list[models.Condition]:
    return [_condition(each) for each in conditions]


def _condition(condition: Condition) -> models.Condition:
    match condition:
        case AnyCondition(field, (value,)):
            return models.FieldCondition(key=field, match=models.MatchValue(value=value))
        case AnyCondition(field, values):
            return models.FieldCondition(key=field, match=models.MatchAny(any=list(values)))
        case Bound(field):
            return models.FieldCondition(key=field, range=models.Range(**condition.limits))
        case Containing(field, part):
            return models.FieldCondition(key=field, match=models.MatchSubstring(substring=part))
        case Absent(field):
            return models.IsEmptyCondition(is_empty=models.PayloadField(key=field))
        case Every(parts):
            return models.Filter(must=_conditions(parts))
        case Some(parts):
            return models.Filter(should=_conditions(parts))
        case Neither(parts):
            return models.Filter(must_not=_conditions(parts))
        case _:
            assert_never(condition)
