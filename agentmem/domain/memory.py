"""The one kind of memory there is: a statement about somebody, in time, with its evidence."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Final, Self

from pydantic import (
    AwareDatetime,
    BeforeValidator,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from agentmem.domain.ids import Name, Uuid
from agentmem.domain.scope import Lane, Scope
from agentmem.domain.value import JsonObject, JsonValue, Value


class MemoryType(StrEnum):
    """The layer a memory lives in; `entity` and `community` are what memories are about, and no layer themselves."""

    PERCEPTUAL = "perceptual"
    CONVERSATION = "conversation"
    OBSERVATION = "observation"
    INSIGHT = "insight"
    LONGTERM = "longterm"
    ENTITY = "entity"
    COMMUNITY = "community"


GRAPH: Final = (MemoryType.ENTITY, MemoryType.COMMUNITY)
"""Nodes of the graph between memories. They are listed, searched and found only where they are asked for by name."""

LAYERS: Final = tuple(kind for kind in MemoryType if kind not in GRAPH)
"""What is meant where no type is named."""


class Modality(StrEnum):
    """How a statement is held: who vouches for it, and whether it is affirmed at all."""

    STATED = "stated"
    ASSERTED_BY_AGENT = "asserted_by_agent"
    INFERRED = "inferred"
    HYPOTHESIS = "hypothesis"
    NEGATED = "negated"


class ActionStatus(StrEnum):
    """What the current unit of work wants done with a memory; a stored memory always reads `none`."""

    NONE = "none"
    NEW = "new"
    CONTENT_MODIFIED = "content_modified"
    MODIFIED = "modified"
    DELETED = "deleted"


class StoreStatus(StrEnum):
    """Whether a memory takes part in search (`valid`), in questions about the past (`expired`), or in nothing: what was
    forgotten or deleted is `deleted`, and only its owner's history tells of it."""

    VALID = "valid"
    EXPIRED = "expired"
    DELETED = "deleted"


class Ending(StrEnum):
    """Why a memory is not valid any more."""

    ENDED = "ended"
    """It was true until `invalid_at`."""

    SUPERSEDED = "superseded"
    """The same; since then `superseded_by` is true."""

    RETIRED = "retired"
    """It was never true by itself: `superseded_by` says the same, or it was taken back."""

    OVER_WHEN_TOLD = "over_when_told"
    """It was over when it was told, and nobody said when it had been true."""

    FADED = "faded"
    """It went out of scope with its age, and is as true as it was."""

    FORGOTTEN = "forgotten"
    """Somebody asked to forget it."""

    RECORD = "record"
    """It states nothing: what a program keeps beside the memories."""


class RecordType(StrEnum):
    """What a program keeps beside memories, in the form of one."""

    DOCUMENT = "document"
    """Which version of a document is known, of which pieces it consists and which facts they say."""

    ITEM = "item"
    """A value that a program stored under a key; it is found by the words it says."""

    SESSION_ITEM = "session_item"
    """What a framework handed over to get it back as it is, beside the conversation it belongs to."""


class Trust(StrEnum):
    """Where the words came from; set by code, never by text."""

    OWNER = "owner"
    PRINCIPAL = "principal"
    UNTRUSTED = "untrusted"


class Evidence(Value):
    """The words a memory rests on: characters `start` to `end` of the content of memory `memory_id`.

    They were said at `said_at` and hold from `since` on (None: unknown). A memory said more than once keeps each time,
    so that a fact which turns up later and lies between two of them can part them again.
    """

    memory_id: Uuid
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    said_at: AwareDatetime | None = None
    since: AwareDatetime | None = None

    @model_serializer(mode="wrap")
    def _as_known(self, whole: SerializerFunctionWrapHandler) -> dict[str, JsonValue]:
        """Without the times it does not know, as evidence was written before it had any."""
        return {name: value for name, value in whole(self).items() if value is not None}


def _action(value: object) -> object:
    return ActionStatus.DELETED if value == "delete" else value


class MemoryNode(Value):
    """One memory. Wire names are camelCase.

    Identity and scope: `memory_id` (also the point id in Qdrant), `tenant`, `agent_id`, `user_name` (display name
    of the agent that remembers), `target_id` and `target_name` (whom or what it is about), `run_id` (conversation).

    Statement: `content` names its subject and stands alone; `key` are the things it is about; `attribute` and
    `value` make it a slot fact, `relation` a pair fact between the first two `entity_ids`.

    Four times: true from `valid_at` until `invalid_at` (None: open); believed from `created_at` until `expired_at`.
    `ending` says why one that is not valid is not. One that was never separately true (a duplicate, a rejected
    paraphrase) has `invalid_at == valid_at`: an empty interval, which no as-of question finds. `record` says what it is
    that a program keeps in this form; None for a memory.

    `timestamp` is the creation time in microseconds, unique in a process; `dt` the local day (yyyy-MM-dd) of the event.
    `source_ids` lead to the memories it was made from, `evidence` to the very words. `importance` runs from 0 to 9.
    `needs_review` names the memories whose end or change put this one in doubt; None where nothing does.
    `revision` counts writes and guards against lost updates. Scores are set by recall and never stored.
    """

    memory_id: Uuid
    tenant: Name
    agent_id: Name
    user_name: Name
    target_id: Uuid
    target_name: Name
    run_id: Name | None = None

    memory_type: MemoryType
    record: RecordType | None = None
    kind: str | None = None
    content: str = Field(min_length=1)
    key: tuple[str, ...] = ()
    attribute: str | None = None
    value: str | None = None
    relation: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")] | None = None
    entity_ids: tuple[Uuid, ...] = ()
    modality: Modality = Modality.STATED
    speaker: str | None = None
    language: str | None = None

    action_status: Annotated[ActionStatus, BeforeValidator(_action)] = ActionStatus.NONE
    store_status: StoreStatus = StoreStatus.VALID
    ending: Ending | None = None
    timestamp: int = Field(ge=0)
    dt: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]
    valid_at: AwareDatetime
    invalid_at: AwareDatetime | None = None
    created_at: AwareDatetime
    expired_at: AwareDatetime | None = None

    source_ids: tuple[Uuid, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    depends_on: tuple[Uuid, ...] = ()
    supersedes: tuple[Uuid, ...] = ()
    superseded_by: Uuid | None = None
    conflicts_with: tuple[Uuid, ...] = ()
    needs_review: Annotated[tuple[Uuid, ...], Field(min_length=1)] | None = None

    importance: int = Field(default=5, ge=0, le=9)
    trust: Trust = Trust.PRINCIPAL
    obs_reflected: int = Field(default=0, ge=0)
    obs_updated: int = Field(default=0, ge=0)
    revision: int = Field(default=1, ge=1)
    last_access: AwareDatetime | None = None
    latitude: float | None = Field(default=None, ge=-90, le=90)
    longitude: float | None = Field(default=None, ge=-180, le=180)
    meta_data: JsonObject = Field(default_factory=dict)

    vector: tuple[float, ...] | None = None
    key_vector: tuple[tuple[float, ...], ...] | None = None
    score_recall: float | None = None
    score_rank: float | None = None
    score_rerank: float | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.invalid_at is not None and self.invalid_at < self.valid_at:
            raise ValueError("invalidAt lies before validAt")
        if (self.latitude is None) != (self.longitude is None):
            raise ValueError("latitude and longitude go together")
        if self.memory_id in self.supersedes or self.superseded_by == self.memory_id:
            raise ValueError("a memory cannot supersede itself")
        if self.record is None:
            object.__setattr__(self, "record", record_by_kind(self.memory_type, self.kind, self.meta_data))
        if self.store_status is StoreStatus.VALID and self.ending is not None:
            raise ValueError("a valid memory has no ending")
        if self.store_status is not StoreStatus.VALID and self.ending is None:
            object.__setattr__(self, "ending", _ending_by_times(self))
        return self

    @property
    def lane(self) -> Lane:
        """The lane whose lease holder may write this memory."""
        return Lane(self.tenant, self.agent_id, self.target_id)

    @property
    def place(self) -> str | None:
        """Where a turn stands in its talk, as `place_of` writes it; None for anything but a turn."""
        turn = self.meta_data.get("turnIndex")
        if not isinstance(turn, int) or isinstance(turn, bool):
            return None
        if self.memory_type is not MemoryType.CONVERSATION or self.run_id is None:
            return None
        return place_of(f"{self.target_id}/{self.run_id}", turn)

    def within(self, scope: Scope) -> bool:
        """Whether the scope sees this memory. One without a run is seen in every run of its target."""
        return (
            (self.tenant, self.agent_id) == (scope.tenant, scope.agent)
            and (scope.target is None or self.target_id in scope.targets)
            and (scope.run is None or self.run_id in (None, scope.run))
        )

    def is_valid(self, at: datetime) -> bool:
        """Whether the memory counts as true at `at`, as far as is known now."""
        return self.store_status is StoreStatus.VALID and (self.invalid_at is None or self.invalid_at > at)

    def holds_at(self, valid: datetime, known: datetime | None = None) -> bool:
        """Whether `valid` lies in the memory's interval (`valid_at <= valid < invalid_at`), as far as was known at
        `known` (None: as far as it says): nothing before `created_at`, and no end learned of later (`expired_at`)."""
        heard = known is None or self.created_at <= known
        unheard = known is not None and self.expired_at is not None and self.expired_at > known
        over = self.invalid_at is not None and self.invalid_at <= valid and not unheard
        return heard and self.valid_at <= valid and not over

    @property
    def told_at(self) -> datetime:
        """When it was first said, as far as its evidence tells; else when it was written down."""
        return min((part.said_at for part in self.evidence if part.said_at is not None), default=self.created_at)

    def is_shown(self, now: datetime, *, as_of: datetime | None = None, known_at: datetime | None = None) -> bool:
        """Whether this state, the one the ledger had at `known_at`, answers who asks at `now`.

        With `as_of`: what was true then, whether or not it has ended since, and what had been told and was to begin.
        Without: what counts as true, plans included, to somebody who asks at `known_at` (None: now).
        """
        if as_of is not None:
            at = max(as_of, self.valid_at) if self.told_at <= as_of else as_of
            return not self.is_forgotten and self.holds_at(at, known_at)
        return self.is_valid(known_at or now) and (known_at is None or self.created_at <= known_at)

    @property
    def never_held(self) -> bool:
        """Whether it held at no time, and nobody ever thought it did: no question finds it, whatever it asks."""
        believed = self.ending is Ending.RETIRED and self.expired_at != self.created_at
        return self.ending in (Ending.RETIRED, Ending.OVER_WHEN_TOLD, Ending.RECORD) and not believed

    @property
    def is_forgotten(self) -> bool:
        """Whether no answer may tell it, whatever time is asked about."""
        return self.store_status is StoreStatus.DELETED

    @property
    def is_searchable(self) -> bool:
        """Whether an index is to have it. What nothing can find would only make its words look less rare."""
        return not self.is_forgotten and not self.never_held

    def ended(self, *, at: datetime, now: datetime, by: str | None = None) -> Self:
        """This memory, no longer true from `at` on, as learned at `now`; `by` names its successor."""
        end = max(at, self.valid_at)
        return self.revised(
            store_status=StoreStatus.EXPIRED,
            ending=Ending.ENDED if by is None else Ending.SUPERSEDED,
            invalid_at=min(end, self.invalid_at or end),
            expired_at=now,
            superseded_by=by,
            obs_updated=self.obs_updated + 1,
            revision=self.revision + 1,
        )

    def retired(self, *, now: datetime, by: str | None = None) -> Self:
        """This memory taken back as never separately true: a duplicate, or a rejected paraphrase."""
        return self.ended(at=self.valid_at, now=now, by=by).revised(ending=Ending.RETIRED)

    def faded(self, *, now: datetime) -> Self:
        """This memory, out of scope since `now`. It is as true as it was, so its interval stays."""
        return self.revised(store_status=StoreStatus.EXPIRED, ending=Ending.FADED, expired_at=now)

    def forgotten(self) -> Self:
        """This memory, taken out of all answers. When it was true and believed stays as it was, for an undo."""
        return self.revised(
            store_status=StoreStatus.DELETED,
            ending=Ending.FORGOTTEN,
            obs_updated=self.obs_updated + 1,
            revision=self.revision + 1,
        )

    def stored(self) -> Self:
        """What goes into a store: no intent, no vectors, no scores."""
        return self.revised(
            action_status=ActionStatus.NONE,
            vector=None,
            key_vector=None,
            score_recall=None,
            score_rank=None,
            score_rerank=None,
        )


def _ending_by_times(node: MemoryNode) -> Ending:
    """Why a memory is over that was written before memories said why: its times tell."""
    if node.store_status is StoreStatus.DELETED:
        return Ending.FORGOTTEN
    if node.superseded_by is None and (node.invalid_at is None or node.memory_type is MemoryType.PERCEPTUAL):
        return Ending.FADED
    if node.invalid_at != node.valid_at:
        return Ending.ENDED if node.superseded_by is None else Ending.SUPERSEDED
    if node.superseded_by is not None or node.created_at != node.expired_at or node.modality is Modality.NEGATED:
        return Ending.RETIRED
    return Ending.OVER_WHEN_TOLD if node.record is None else Ending.RECORD


_WRITTEN_BY_RECORDS = {
    RecordType.DOCUMENT: ("assetId", "pieces"),
    RecordType.ITEM: ("place", "itemKey"),
    RecordType.SESSION_ITEM: (),
}
"""What each has in its `meta_data`."""


def record_by_kind(memory_type: object, kind: object, meta: Mapping[str, JsonValue]) -> RecordType | None:
    """Which record one is that was written before records said so."""
    if memory_type != MemoryType.LONGTERM or kind not in _WRITTEN_BY_RECORDS:
        return None
    record = RecordType(str(kind))
    return record if all(name in meta for name in _WRITTEN_BY_RECORDS[record]) else None


TRANSIENT = frozenset({"action_status", "vector", "key_vector", "score_recall", "score_rank", "score_rerank"})
"""Fields that are of the moment, and never stored."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_OPTIONAL = tuple(
    name for name, field in MemoryNode.model_fields.items() if field.default is None and name not in TRANSIENT
)


def left_out(node: MemoryNode) -> set[str]:
    """The fields that the stored form of this memory does not have: those of the moment, and absent ones."""
    return {*TRANSIENT, *(name for name in _OPTIONAL if getattr(node, name) is None)}


def place_of(talk: str, turn: int) -> str:
    """The place of turn number `turn` in a talk, which is named by its target and its run."""
    return f"{talk}/{turn}"


def local_day(moment: datetime) -> str:
    """The day of `moment` in its own UTC offset, yyyy-MM-dd."""
    return moment.date().isoformat()


def end_of_day(moment: datetime) -> datetime:
    """The first instant of the next day, in the UTC offset of `moment`."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)


def microseconds(moment: datetime) -> int:
    """Whole microseconds since 1970 in UTC."""
    return (moment - _EPOCH) // timedelta(microseconds=1)
