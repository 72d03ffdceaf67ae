"""Worker processes side by side on one journal: `python -m tests.support.beside` is what `agentmem worker` does.

Reads its task as JSON, says `ready` when it works, and works until its input is closed or it is killed.
"""

import asyncio
import json
import sys
from dataclasses import asdict, dataclass

from agentmem.domain.statement import Quote, Reading, Statement, Window
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.composition.telemetry import configure_logging
from agentmem.runtime.configuration.settings import PostgresSettings, Settings, SqliteSettings, WorkerSettings
from tests.support.cognition import ScriptedCognition


@dataclass(frozen=True, slots=True)
class Task:
    """What one process does: under this name, on this journal (SQLite in `data` where `schema` is None)."""

    name: str
    data: str
    tenant: str
    url: str = ""
    schema: str | None = None

    @property
    def settings(self) -> Settings:
        """As for every process of the same place."""
        journal = (
            SqliteSettings()
            if self.schema is None
            else PostgresSettings.model_validate({"url": self.url, "schema": self.schema})
        )
        workers = WorkerSettings(concurrency=16)
        return Settings.model_validate(
            {"tenant": self.tenant, "data": self.data, "journal": journal, "workers": workers}
        )


def signed(name: str) -> ScriptedCognition:
    """One statement per window, holding all its words and the name of the process that read it."""

    def script(window: Window) -> Reading:
        content = f"{name} {' '.join(turn.text for turn in window.turns)}"
        quotes = tuple(Quote(turn_id=turn.turn_id, start=0, end=len(turn.text)) for turn in window.turns)
        return Reading(statements=(Statement(content=content, quotes=quotes),))

    return ScriptedCognition(script)


async def _work(task: Task) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(sys.stdin, lambda: stop.set() if not sys.stdin.readline() else None)
    async with open_app(task.settings, cognition=signed(task.name), index=False) as app:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await app.serve(stop)


def line(task: Task) -> bytes:
    """The task as it is read."""
    return (json.dumps(asdict(task)) + "\n").encode()


if __name__ == "__main__":
    configure_logging("error")
    asyncio.run(_work(Task(**json.loads(sys.stdin.readline()))))
