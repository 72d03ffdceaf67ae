"""Writes each turn down as one conversation memory, and cuts windows for the observation worker."""

from agentmem.domain.episode import episode_id
from agentmem.domain.event import TurnSpoken
from agentmem.memory.episodes import Recorder
from agentmem.ports.work_queue import Claim, Done
from agentmem.runtime.host.services import Services


class ConversationWorker:
    """Turns and endings in; episodes, windows to read and reflections to make out."""

    name = "conversation"
    batch = 100
    consumes = ("turn_spoken", "conversation_ended")

    def __init__(self, services: Services) -> None:
        self._services = services
        self._recorder = Recorder(services.timestamps, services.clock.now)

    async def work(self, claim: Claim) -> Done:
        """The claimed turns, in order."""
        persona = await self._services.persona(claim.lane)
        uncut = await self._services.journal.events.uncut(claim.lane, through=claim.jobs[-1].ordinal)
        said = (item.event for job in claim.jobs for item in job.events)
        ids = {episode_id(event) for event in said if isinstance(event, TurnSpoken)}
        stored = await self._services.journal.ledger.get(claim.lane.tenant, ids, forgotten=True)
        return self._recorder.record(claim, uncut, persona.memory.windows, stored)
