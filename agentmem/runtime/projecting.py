"""What was set aside from the index, tried again when somebody says so: the worker behind `dead retry` of such rows."""

from typing import ClassVar

from agentmem.errors import Unreadable, lies_in_the_input, without_content
from agentmem.ledger.projection import Projector
from agentmem.ports.set_aside import PROJECTION
from agentmem.ports.work_queue import Claim, Done


class ProjectionWorker:
    """One row at a time; where it is as bad as it was, it goes back at once."""

    name: ClassVar[str] = PROJECTION
    batch: ClassVar[int] = 1
    consumes: ClassVar[tuple[str, ...]] = ()

    def __init__(self, projector: Projector) -> None:
        self._projector = projector

    async def work(self, claim: Claim) -> Done:
        """The claimed row."""
        try:
            await self._projector.again(claim.jobs[0].ordinal)
        except BaseException as error:
            if not lies_in_the_input(error):
                raise
            raise Unreadable(without_content(error)) from error
        return Done()
