"""A process that tells what it is given, four things at a time, while its workers read.

Run as `python -m tests.support.telling`; its input is a `Task` and then one event a line.
"""

import asyncio
import json
import sys
from collections.abc import Sequence

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.event import EVENTS, Event
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.composition.telemetry import configure_logging
from tests.support.beside import Task

ABREAST = 4


async def _tell(task: Task, events: Sequence[Event]) -> None:
    async with open_app(task.settings, cognition=RulesCognition(), index=False) as app:
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(app.serve(stop))
            for start in range(0, len(events), ABREAST):
                await asyncio.gather(*(app.accept([event]) for event in events[start : start + ABREAST]))
            stop.set()


if __name__ == "__main__":
    configure_logging("error")
    first, *rest = sys.stdin.read().splitlines()
    asyncio.run(_tell(Task(**json.loads(first)), [EVENTS.validate_json(text) for text in rest]))
