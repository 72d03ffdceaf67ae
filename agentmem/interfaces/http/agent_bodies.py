"""What requests and answers about agents hold: copies, files, documents, the graph, reflection and what waits."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, ConfigDict, Field, JsonValue

from agentmem.domain.bounds import MAX_TEXT
from agentmem.domain.ids import Name, Uuid
from agentmem.domain.lineage import Lineage
from agentmem.domain.memory import MemoryNode, Trust
from agentmem.domain.persona import AgentId, HirePolicy, Persona
from agentmem.domain.value import Value


class SensorReading(Value):
    """What a sensor read, at `at` (now where it is absent), at a place or none."""

    sensor: Name
    reading: float | Annotated[str, Field(max_length=MAX_TEXT)]
    unit: Annotated[str, Field(max_length=200)] = ""
    at: AwareDatetime | None = None
    latitude: float | None = Field(default=None, ge=-90, le=90)
    longitude: float | None = Field(default=None, ge=-180, le=180)


class PerceptRequest(Value):
    """Readings about `person`, in their order: all are taken in, or none."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"person": "李雷", "readings": [{"sensor": "heart_rate", "reading": 72, "unit": "bpm"}]}]
        }
    )

    person: Name
    title: Name | None = None
    readings: tuple[SensorReading, ...] = Field(min_length=1, max_length=1_000)


class PerceptsAccepted(Value):
    """The readings as events, in order."""

    event_ids: tuple[str, ...]


class ReflectRequest(Value):
    """About whom to reflect, or about everybody; with `dryRun` only tell what would change."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"about": "李雷", "dryRun": True}]})

    about: Name | None = None
    dry_run: bool = False


class ReflectResponse(Value):
    """The runs that were made, each of which `POST /v1/undo` takes back; or what would change."""

    runs: tuple[dict[str, JsonValue], ...]
    changes: tuple[dict[str, JsonValue], ...]


class CloneRequest(Value):
    """The id of the clone, and how it is called, if not as the agent."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"newId": "aip_sales_2"}]})

    new_id: AgentId
    name: Name | None = None


class CloneResponse(Value):
    """From whom the clone was made."""

    lineage: Lineage


class HiringRequest(Value):
    """The id the agent gets here, whose agent it is, and how it is called, if not as there. With `dryRun` only tell
    what would come along, and what not."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"newId": "our_sales", "fromTenant": "default", "dryRun": True}]}
    )

    new_id: AgentId
    from_tenant: Name = "default"
    name: Name | None = None
    dry_run: bool = False


class HireResponse(Value):
    """What came along, or would: how many memories of each layer with some of them, how many stay and why, and what of
    the persona stays behind. Of an agent that was hired before, only the lineage."""

    hired: bool
    new: bool = False
    lineage: Lineage | None = None
    persona: Persona | None = None
    contract: HirePolicy | None = None
    goes: dict[str, int] = Field(default_factory=dict)
    samples: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    stays: dict[str, int] = Field(default_factory=dict)
    left_behind: tuple[str, ...] = ()


class ReleaseResponse(Value):
    """How many memories went with the agent."""

    released: bool
    memories: int
    lineage: Lineage


class LeftBehind(Value):
    """What of a file was not taken over, how often, and the first names."""

    what: str
    count: int
    names: tuple[str, ...]


class ImportResponse(Value):
    """Who came out of a file. Over HTTP no file is `trusted`: its memories count as a stranger's."""

    agent: Persona
    format: str
    memories: int
    trusted: bool
    dropped: tuple[LeftBehind, ...]


class DocumentAccepted(Value):
    """A document that is on disk; `eventId` says how far it is, null where it was there in this version."""

    id: Uuid
    version: str
    event_id: str | None


class DocumentEnded(Value):
    """A document that is to end; `eventId` is null where it had ended."""

    event_id: str | None


class DocumentState(Value):
    """A document in the version that was read last: of how many pieces it is, and how many facts they say."""

    id: Uuid
    agent_id: AgentId
    name: str
    title: str
    version: str
    at: AwareDatetime
    trust: Trust
    pieces: int
    facts: int


class DocumentList(Value):
    """Documents, newest first; `next` is the `cursor` of the following page, null on the last."""

    documents: tuple[DocumentState, ...]
    next: str | None


class DocumentVersions(Value):
    """A document, and its versions, oldest first."""

    document: DocumentState
    versions: tuple[DocumentState, ...]


class GraphEntity(Value):
    """Somebody or something; `names` begin with the fullest."""

    id: Uuid
    kind: str
    names: tuple[str, ...]


class GraphLink(Value):
    """A memory that links two entities."""

    memory_id: Uuid
    source: Uuid
    target: Uuid
    relation: str
    content: str
    valid_at: AwareDatetime
    invalid_at: AwareDatetime | None


class GraphPart(Value):
    """Entities, and the memories that link them; `more`: there are others as near, which `limit` left out."""

    entities: tuple[GraphEntity, ...]
    links: tuple[GraphLink, ...]
    more: bool


class GraphLines(Value):
    """An entity and what links it, as `(name:description)` and `(a)-[RELATION:description]->(b)`."""

    entity: str
    graph: tuple[str, ...]


class GraphPath(Value):
    """Names from one end to the other, and the memory that links each with the next."""

    names: tuple[str, ...]
    memories: tuple[MemoryNode, ...]


class CommunityItem(Value):
    """Who and what belong together, and what is said of them."""

    id: Uuid
    name: str | None
    members: tuple[str, ...]
    summary: str
    sources: tuple[Uuid, ...]


class CommunityList(Value):
    """Those with most members first."""

    communities: tuple[CommunityItem, ...]


class ReflectionRun(Value):
    """A reflection of the past: how many changes by act. `POST /v1/undo` takes it back."""

    run: str
    at: AwareDatetime
    target_ids: tuple[Uuid, ...]
    acts: dict[str, int]


class ReflectionList(Value):
    """Reflections, the latest first; `next` is the `cursor` of the following page, null on the last."""

    runs: tuple[ReflectionRun, ...]
    next: str | None


class RunChange(Value):
    """What became of one memory, and why."""

    act: str
    memory_id: Uuid
    reason: str
    before: MemoryNode | None
    after: MemoryNode | None


class RunChanges(Value):
    """What a run changed, oldest first, without what was forgotten since; `next` is the `cursor` of the following page,
    null on the last."""

    run: str
    changes: tuple[RunChange, ...]
    next: str | None


class QueueDepth(Value):
    """How much work waits, is worked on, and was given up."""

    ready: int
    delayed: int
    leased: int
    dead: int


class DeadList(Value):
    """Jobs that were given up, newest first. `next` is the cursor of the page after."""

    dead: tuple[dict[str, JsonValue], ...]
    next: str | None


class JobCount(Value):
    """Of how many jobs it was done."""

    jobs: int


class StateResponse(Value):
    """How the server is."""

    status: Literal["ok", "ready"]


class JobsRequest(Value):
    """Jobs by their ids."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"jobs": ["7b1c9a52-6f0e-5d1c-9d0f-6e5f6f2b8a11"]}]})

    jobs: tuple[Name, ...] = Field(max_length=10_000)
