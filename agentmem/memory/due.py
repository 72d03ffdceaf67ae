"""When enough has happened to reflect: the triggers, and the job they queue."""

from collections.abc import Iterable

from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.payload import Reflect, Trigger
from agentmem.domain.persona import ReflectPolicy
from agentmem.domain.scope import Lane
from agentmem.ports.work_queue import NewJob


def due(memories: Iterable[MemoryNode], policy: ReflectPolicy) -> Trigger | None:
    """Whether the observations no reflection has looked at are many, or important, enough."""
    fresh = [node for node in memories if node.memory_type is MemoryType.OBSERVATION and not node.obs_reflected]
    if len(fresh) >= policy.observations:
        return "count"
    if sum(node.importance for node in fresh) >= policy.importance:
        return "importance"
    return None


def reflection_job(lane: Lane, cause: str, ordinal: int, trigger: Trigger) -> NewJob:
    """The job that reflects on this lane; the same cause asks for it once."""
    return NewJob(
        job_id=derived_id("reflect", lane.tenant, lane.agent, lane.target, cause),
        lane=lane,
        worker="reflection",
        ordinal=ordinal,
        payload=Reflect(trigger=trigger),
    )
