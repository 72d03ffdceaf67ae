"""What a job carries beside its events, by kind. It is stored as JSON and checked when it is read."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from agentmem.domain.statement import Statement
from agentmem.domain.value import JsonValue, Value

Trigger = Literal["count", "importance", "end", "cron", "hand"]
"""Why a reflection is asked for."""


class CloseWindow(Value):
    """Close the lane's open window, because nobody said anything for a while or somebody wants it read now."""

    kind: Literal["close_window"] = "close_window"


class FoundStatement(Value):
    """A statement and its place in what reading the window found, which its memory's id is made of."""

    slot: int
    statement: Statement


class KeepInsights(Value):
    """Keep the deeper statements that were found in the job's events: the turns of a window, and before them those
    earlier ones that a statement quotes. `trigger`: why to reflect afterwards, None where that is not due."""

    kind: Literal["keep_insights"] = "keep_insights"
    found: tuple[FoundStatement, ...]
    trigger: Trigger | None = None


class Reflect(Value):
    """Reflect on the lane."""

    kind: Literal["reflect"] = "reflect"
    trigger: Trigger


class LinkMemories(Value):
    """Bring entities, or communities, up to date with these memories, which changed."""

    kind: Literal["link_memories"] = "link_memories"
    memory_ids: tuple[str, ...]


class RegroupCommunities(Value):
    """Group everything the agent knows anew."""

    kind: Literal["regroup_communities"] = "regroup_communities"


class ExtractFacts(Value):
    """Let a model look for facts in these pieces of a document."""

    kind: Literal["extract_facts"] = "extract_facts"
    piece_ids: tuple[str, ...]


class ProjectMemory(Value):
    """Give the index the memory once more that it could not take in."""

    kind: Literal["project_memory"] = "project_memory"
    memory_id: str


class CustomPayload(Value):
    """Whatever a worker that is not built in hands on."""

    kind: Literal["custom"] = "custom"
    data: JsonValue


Payload = Annotated[
    CloseWindow
    | KeepInsights
    | Reflect
    | LinkMemories
    | RegroupCommunities
    | ExtractFacts
    | ProjectMemory
    | CustomPayload,
    Field(discriminator="kind"),
]
PAYLOADS: TypeAdapter[Payload] = TypeAdapter(Payload)
