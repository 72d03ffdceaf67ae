"""A question and its answer, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from agentmem.domain.bounds import MAX_TEXT, check_fields, check_text
from agentmem.domain.episode import title_told
from agentmem.domain.filter import Filter
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.retrieval.pool import Fusion, Stage
from agentmem.retrieval.profiles import ProfileName

MAX_HOPS = 3
_TALKS = (MemoryType.CONVERSATION, MemoryType.PERCEPTUAL)


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """What to look for. `as_of`: true at that time, or told by then and to begin; `known_at`: as far as was known then;
    empty `types`: all layers.

    Only memories for which `filter` holds are found, see `domain.filter`. `profile` and `fusion` stand in for those of
    the agent's persona. With `hops`, what shares keys with the hits joins them, so many steps on. `rerank` False leaves
    the configured reranker out, True insists on one.
    Raises `InvalidInput`, also for a time without a UTC offset.
    """

    scope: Scope
    text: str
    k: int = 10
    as_of: datetime | None = None
    known_at: datetime | None = None
    types: tuple[MemoryType, ...] = ()
    filter: Filter | None = None
    profile: ProfileName | None = None
    fusion: Fusion | None = None
    hops: int = 0
    rerank: bool | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        check_text("a recall", self.text, MAX_TEXT)
        if not self.text.strip():
            raise InvalidInput("a recall needs a question, this one is empty")
        if not 0 <= self.hops <= MAX_HOPS:
            raise InvalidInput(f"hops is {self.hops}, allowed: 0 to {MAX_HOPS}")
        if not 1 <= self.k <= 1_000:
            raise InvalidInput(f"k is {self.k}, allowed: 1 to 1000")


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was found; `signals` are the shares that make up `score`, `stage` is where it entered."""

    memory: MemoryNode
    score: float
    signals: dict[str, float] = field(default_factory=dict[str, float])
    stage: Stage = Stage.SEARCH


@dataclass(frozen=True, slots=True)
class Words:
    """What was said, when and by whom: the part of a turn that a memory rests on."""

    memory_id: str
    speaker: str
    at: datetime
    text: str


def words_of(memory: MemoryNode, sources: Mapping[str, MemoryNode], *, said_to: str | None = None) -> list[Words]:
    """The words a memory rests on, in the order of its evidence, as far as their turns are among `sources` and were
    said to the same agent: evidence that names what another one was told is not shown. `said_to` is the person whose
    talks alone may be quoted. What a title tells was said by nobody."""
    if title_told(memory) is not None:
        return []
    own = Scope(memory.tenant, memory.agent_id)
    return [
        Words(
            source.memory_id,
            source.speaker or source.target_name,
            source.valid_at,
            source.content[part.start : part.end],
        )
        for part in memory.evidence
        if (source := sources.get(part.memory_id)) is not None
        and source.within(own)
        and (said_to is None or source.memory_type not in _TALKS or source.target_id == said_to)
    ]


@dataclass(frozen=True, slots=True)
class Recalled:
    """Hits, best first. `confidence`, from 0 to 1, says how likely they answer the question; `abstained` that nothing
    here does: the hits, where there are any, are only what came nearest. `alone`: names of those of whom it was asked,
    of all people; how to reach anybody else is not told then. `of_another`: it is asked of somebody whom no hit is
    about. `among`: candidates of which these are the best."""

    hits: tuple[Hit, ...]
    abstained: bool = False
    confidence: float = 0.0
    alone: frozenset[str] = frozenset()
    of_another: bool = False
    among: int = 0
