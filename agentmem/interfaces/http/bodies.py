"""What requests and answers hold, as the OpenAPI document tells it."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, ConfigDict, Field, JsonValue

from agentmem.answers.answer import AskMode
from agentmem.domain.bounds import MAX_TEXT
from agentmem.domain.change import Act, LedgerEntry
from agentmem.domain.ids import Name, Uuid
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.persona import AgentId, Persona
from agentmem.domain.value import Kept, Value
from agentmem.language.normal import Language
from agentmem.retrieval.context import BUDGET
from agentmem.retrieval.profiles import ProfileName

Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]


class TurnRequest(Value):
    """Something that was said by `person` to the agent or, with `byAgent`, by the agent to that person, at `at` (now
    where it is absent). `end`: the conversation ends with it. `run` names the conversation; without it, today's, and
    another when that was ended."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"person": "李雷", "text": "我换号码了,新号 13800138000", "end": True}]}
    )

    person: Name
    text: Text
    title: Name | None = None
    by_agent: bool = False
    run: Name | None = None
    at: AwareDatetime | None = None
    meta: Kept = Field(default_factory=dict)
    end: bool = False


class QueryRequest(Value):
    """A question to what `agent` remembers of all or of one person; as true at `asOf`, as known at `knownAt`."""

    agent: AgentId
    query: Text
    about: Name | None = None
    as_of: AwareDatetime | None = None
    known_at: AwareDatetime | None = None


class RecallRequest(QueryRequest):
    """What to search for; at most `k` memories, of these `types` alone, for which `filter` holds."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"agent": "aip_sales", "query": "怎么联系李雷?", "k": 5}]}
    )

    k: int = Field(default=10, ge=1, le=1_000)
    types: tuple[MemoryType, ...] = Field(default=(), max_length=7)
    filter: dict[str, JsonValue] | None = None
    hops: int = Field(default=0, ge=0, le=3)
    profile: ProfileName | None = None


class ContextRequest(QueryRequest):
    """What a prompt is about, and how many tokens the block may have."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"agent": "aip_sales", "query": "李雷", "about": "李雷", "budget": 800}]}
    )

    budget: int = Field(default=BUDGET, ge=200, le=1_000_000)
    language: Language | None = None


class AskRequest(QueryRequest):
    """A question to be answered from at most `k` memories, and how to look for the answer."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"agent": "aip_sales", "query": "李雷的预算是多少?", "mode": "auto"}]}
    )

    mode: AskMode = "auto"
    k: int = Field(default=8, ge=1, le=50)
    depth: int = Field(default=2, ge=1, le=3)
    choices: tuple[Text, ...] = Field(default=(), max_length=20)


class TalkRequest(Value):
    """What `person` says to the agent, who answers. `run` names the conversation; without it, it goes on where it was
    left."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"person": "Tom", "text": "Do you remember my number?"}]})

    person: Name
    text: Text
    title: Name | None = None
    run: Name | None = None


class ForgetRequest(Value):
    """What to forget, exactly one of: memories by `id`, a turn with all that was made of it (`source`), what a `query`
    names, or everything `about` a person. `erase` removes it for good; `dryRun` only tells."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"agent": "aip_sales", "about": "李雷", "query": "我的电话", "dryRun": True}]}
    )

    agent: AgentId
    about: Name | None = None
    query: Text | None = None
    id: Uuid | tuple[Uuid, ...] = ()
    source: Uuid | None = None
    dry_run: bool = False
    erase: bool = False


class UndoRequest(Value):
    """A run to take back, as `forgotten`, `history` and reflections name it; with `cascade` what rests on it too."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"run": "7b1c9a52-6f0e-5d1c-9d0f-6e5f6f2b8a11"}]})

    run: Name
    cascade: bool = False


class EditRequest(Value):
    """Other words for a memory, and more metadata. With `since` it was true until then, and a new one replaces it."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"content": "李雷的电话是13900139000"}]})

    content: Text
    since: AwareDatetime | None = None
    meta: Kept = Field(default_factory=dict)


class EndRequest(Value):
    """Since when a memory does not hold any more; now where that is absent."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"since": "2026-03-01T00:00:00+08:00"}]})

    since: AwareDatetime | None = None


class BringBackRequest(Value):
    """A memory is brought back as it was: there is nothing to say."""

    model_config = ConfigDict(json_schema_extra={"examples": [{}]})


class SettleRequest(Value):
    """The `other` memory of a dispute, and which of the two is `wrong`: null where they concern different things."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"other": "7b1c9a52-6f0e-5d1c-9d0f-6e5f6f2b8a11"}]})

    other: Uuid
    wrong: Uuid | None = None


class OfferedMemory(Value):
    """A memory that may have been meant, which `POST /v1/forget` takes by its id."""

    memory_id: Uuid
    content: str


class ForgetOutcome(Value):
    """What became of one thing that a person asked to be forgotten; `run` is null where nothing was, and `candidates`
    are then what may have been meant; else what stays and still says a value that went."""

    run: str | None
    memory_ids: tuple[Uuid, ...]
    candidates: tuple[OfferedMemory, ...] = ()


class TurnAccepted(Value):
    """A turn that is on disk. `duplicate`: it was there before, under the same key."""

    event_id: str
    duplicate: bool
    forgotten: tuple[ForgetOutcome, ...] = ()


class MemoryChange(Value):
    """What became of one memory: `memory` as it is now or, where it is gone, as it was last."""

    act: Act
    memory: MemoryNode


class TurnRead(Value):
    """A turn that was read, and what came of it. `waits`: not all of it could be read yet; it will be."""

    event_id: str
    changes: tuple[MemoryChange, ...]
    waits: bool
    forgotten: tuple[ForgetOutcome, ...] = ()


class EventStatus(Value):
    """How far the work on an event is. `reason` is the owner's alone."""

    state: Literal["accepted", "read", "indexed", "parked"]
    reason: str | None = None


class SourceWords(Value):
    """The words a memory rests on: when, and by whom."""

    memory_id: Uuid
    speaker: str
    at: AwareDatetime
    text: str


class RecallHit(Value):
    """A memory that was found, and what its score is made of."""

    memory: MemoryNode
    score: float
    signals: dict[str, float]
    stage: str
    words: tuple[SourceWords, ...]


class RecallResponse(Value):
    """Hits, best first. `abstained`: none seems to answer."""

    hits: tuple[RecallHit, ...]
    abstained: bool
    confidence: float


class BlockLine(Value):
    """One line of a block, and the memories it was made of."""

    text: str
    memory_ids: tuple[Uuid, ...]
    section: str


class ContextResponse(Value):
    """What is remembered, for a prompt."""

    text: str
    tokens: int
    budget: int
    lines: tuple[BlockLine, ...]
    left_out: int
    abstained: bool


class AskResponse(Value):
    """An answer with its sources and the way to it; null where nothing that is remembered answers."""

    model_config = ConfigDict(extra="allow")

    question: str
    mode: str
    answer: str | None
    extractive: bool
    confidence: float
    asked_at: AwareDatetime


class MemoryList(Value):
    """Memories, newest first; `next` is the `cursor` of the following page, null on the last."""

    memories: tuple[MemoryNode, ...]
    next: str | None


class MemoryDetail(Value):
    """One memory with the words it rests on."""

    memory: MemoryNode
    evidence: tuple[dict[str, JsonValue], ...]
    sources: tuple[MemoryNode, ...]


class MemoryHistory(Value):
    """Every change of a memory, oldest first."""

    history: tuple[LedgerEntry, ...]


class ForgetResponse(Value):
    """What was forgotten, or would be. `run` is what `POST /v1/undo` takes back."""

    model_config = ConfigDict(extra="allow")

    run: str | None
    done: bool
    erased: bool
    forgotten: tuple[dict[str, JsonValue], ...]
    edited: tuple[dict[str, JsonValue], ...]


class UndoResponse(Value):
    """What taking a run back did: the run that did it, null where it was taken back before, and what it restored."""

    run: str | None
    restored: tuple[str, ...]
    blocked: tuple[str, ...]


class AgentList(Value):
    """The agents that there are for the caller."""

    agents: tuple[Persona, ...]


class BatchedTurn(Value):
    """One turn of several, as in `TurnRequest`."""

    text: Text
    by_agent: bool = False
    at: AwareDatetime | None = None
    meta: Kept = Field(default_factory=dict)


class BatchRequest(Value):
    """Several turns of one conversation, in their order: all are taken in, or none."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"person": "Tom", "turns": [{"text": "I live in Oslo."}, {"text": "Noted.", "byAgent": True}]}]
        }
    )

    person: Name
    title: Name | None = None
    run: Name | None = None
    turns: tuple[BatchedTurn, ...] = Field(min_length=1, max_length=1_000)
    end: bool = False


class BatchAccepted(Value):
    """The turns as events, in order."""

    event_ids: tuple[str, ...]
    forgotten: tuple[dict[str, JsonValue], ...] = ()
