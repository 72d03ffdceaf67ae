"""The whole system in a folder, with a cognition told beforehand what to think."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from agentmem.domain.memory import GRAPH, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.persona import MemoryPolicy, Persona, ReflectPolicy, Windows
from agentmem.domain.scope import Scope
from agentmem.domain.statement import Quote, Reading, Statement, Window
from agentmem.domain.value import JsonValue
from agentmem.ports.cognition import Cognition, Read
from agentmem.ports.ledger import Selection
from agentmem.ports.models import ChatModel
from agentmem.retrieval.query import Recalled, RecallQuery
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings, WorkerSettings
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import Clock, ManualClock
from tests.support.cognition import ScriptedCognition
from tests.support.index_kind import an_index
from tests.support.nodes import AGENT, NOON, TENANT

SCOPE = Scope(TENANT, AGENT)
PATIENCE = 10.0
LATER = NOON + timedelta(minutes=10)
"""When the app is opened: a while after everything that tests let people say."""


def quick_settings(folder: Path, **changes: object) -> Settings:
    """Retries within milliseconds, three of them; the index as `index_kind` says."""
    given: dict[str, object] = {
        "tenant": TENANT,
        "data": folder / "data",
        "index": an_index(),
        "workers": WorkerSettings(attempts=3, backoff_initial=0.002, backoff_max=0.01, grace=1.0),
    }
    return Settings.model_validate({**given, **changes})


def quiet_persona(*, turns: int = 10, idle_seconds: float = 30, **policy: object) -> Persona:
    """One that does not reflect of itself unless told to."""
    reflect = ReflectPolicy.model_validate({"observations": 1_000, "importance": 10_000, **policy})
    memory = MemoryPolicy(windows=Windows(turns=turns, idle_seconds=idle_seconds), reflect=reflect)
    return Persona(id=AGENT, name="小美", memory=memory)


@asynccontextmanager
async def spine(
    folder: Path,
    cognition: Cognition | None = None,
    *,
    clock: Clock | None = None,
    persona: Persona | None = None,
    speaks: ChatModel | None = None,
    on_outage: Callable[[str], None] | None = None,
    **changes: object,
) -> AsyncGenerator[App]:
    """The app on `folder`, ten minutes past noon unless told otherwise, with the agent introduced."""
    settings = quick_settings(folder, **changes)
    given = cognition or ScriptedCognition()
    async with open_app(
        settings, clock=clock or ManualClock(LATER), cognition=given, chat=speaks, on_outage=on_outage
    ) as app:
        await app.know_agent(persona or quiet_persona())
        yield app


def quoted(window: Window, words: str) -> Quote:
    """Where these words stand in the window, context included."""
    for turn in (*window.turns, *window.context):
        if words in turn.text:
            start = turn.text.index(words)
            return Quote(turn_id=turn.turn_id, start=start, end=start + len(words))
    raise AssertionError(f"nobody said {words!r}")


def states(words: str, content: str, **fields: object) -> Callable[[Window], Reading]:
    """Reads one statement resting on these words wherever they are in a window, and nothing elsewhere."""

    def script(window: Window) -> Reading:
        if not any(words in turn.text for turn in window.turns):
            return Reading()
        given = {"content": content, "quotes": (quoted(window, words),), **fields}
        return Reading(statements=(Statement.model_validate(given),))

    return script


class Failing(ScriptedCognition):
    """Raises these errors, one after the other, before it begins to follow its script."""

    def __init__(self, errors: Sequence[Exception], **options: object) -> None:
        super().__init__(**options)  # pyright: ignore[reportArgumentType] - passed on as they are
        self.errors = list(errors)
        self.calls = 0

    async def read(self, window: Window) -> Read:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return await super().read(window)


async def memories(app: App, *types: MemoryType, scope: Scope = SCOPE) -> list[MemoryNode]:
    """Every memory of these layers, whatever became of it, oldest first."""
    return list(await app.memories(Selection(scope, types=types)))[::-1]


async def valid(app: App, *types: MemoryType) -> list[str]:
    """Contents of the memories that hold, oldest first."""
    nodes = await app.memories(Selection(SCOPE, types=types, statuses=(StoreStatus.VALID,)))
    return [node.content for node in nodes][::-1]


async def found(app: App, text: str) -> Recalled:
    """The answer to a question about everybody the agent knows."""
    return await app.recall(RecallQuery(SCOPE, text))


async def payloads(app: App) -> dict[str, dict[str, JsonValue]]:
    """Every memory that the index holds, by id; what lies between memories left out."""
    points = await app.searchable.index.scan(after=None, limit=10_000)
    return {memory_id: dict(payload) for memory_id, payload in points if payload["memoryType"] not in GRAPH}
