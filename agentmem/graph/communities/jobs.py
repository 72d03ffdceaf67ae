"""The work of communities as jobs: take in what changed, or group everything anew."""

from typing import Final

from agentmem.domain.entity import graph_lane
from agentmem.domain.ids import derived_id
from agentmem.ports.work_queue import Claim, Job, NewJob

WORKER: Final = "communities"
ANEW: Final = "anew"
"""The note of a job that groups everything anew; the note of any other lists the memories that changed."""


def taking_in(job: Job) -> NewJob:
    """What follows when the entities of a job's memories were brought up to date."""
    return NewJob(derived_id(WORKER, job.job_id), job.lane, WORKER, job.ordinal, note=job.note)


def grouping_anew(tenant: str, agent: str, cause: str, *, ordinal: int = 0) -> NewJob:
    """Group everything the agent knows; the same cause asks for it once."""
    return NewJob(derived_id(WORKER, tenant, agent, cause), graph_lane(tenant, agent), WORKER, ordinal, note=ANEW)


def is_anew(claim: Claim) -> bool:
    """Whether one of the claimed jobs asks for everything."""
    return any(job.note == ANEW for job in claim.jobs)
