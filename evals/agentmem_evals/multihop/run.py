"""One measurement: a world taken in as the product takes it in, into a folder that is thrown away, and asked about."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from agentmem.answers.answer import AskMode, AskQuery
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Selection
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import EdgeIndexSettings, RulesSettings, Settings, SqliteSettings
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from agentmem_evals.multihop.report import AskedOutcome, MultihopReport
from agentmem_evals.multihop.world import PACE, World, WorldQuestion, WorldSupport, WorldTalk, turn_name

READER = Persona(id="reader", name="Rowan")
PATIENCE = 60.0
"""Seconds to wait for work that is retried."""

Progress = Callable[[int, int], None]


async def measure(
    settings: Settings,
    world: World,
    modes: Sequence[AskMode],
    *,
    k: int = 8,
    depths: Sequence[int] = (2,),
    told: Progress = lambda _done, _total: None,
) -> MultihopReport:
    """Ask every question in each of these modes, walking to each of these depths where a mode walks; `k` memories at
    most are looked at. Nothing of the configured stores is read or written, and no model is asked. Raises
    `InvalidInput`."""
    ways: list[tuple[AskMode, int]] = []
    for mode in modes:
        ways.extend((mode, depth) for depth in (depths if _walks(mode) else depths[:1]))
    total = len(world.talks) + len(ways) * len(world.questions)
    outcomes: list[AskedOutcome] = []
    with TemporaryDirectory(prefix="agentmem-eval-") as folder:
        start = min((talk.at for talk in world.talks.values()), default=datetime(2026, 1, 1, tzinfo=UTC))
        clock = ManualClock(start)
        async with open_app(_apart(settings, Path(folder)), clock=clock) as app:
            examination = MultihopExam(app, clock)
            await examination.take_in(world, lambda done: told(done, total))
            memories = {one.memory_id: one for one in await examination.remembered()}
            for mode, depth in ways:
                for question in world.questions:
                    query = AskQuery(examination.scope, question.text, mode, k, depth=depth)
                    outcomes.append(await examination.ask(question, query, memories))
                    told(len(world.talks) + len(outcomes), total)
    return MultihopReport(len(world.documents), world.turns, k, tuple(outcomes))


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory: what it says, and the names of the documents and turns it rests on."""

    memory_id: str
    text: str
    sources: frozenset[str]

    def gives(self, support: WorldSupport) -> bool:
        """Whether it is this support, or tells what that says."""
        return support.source in self.sources and (support.says or "") in self.text


@dataclass(frozen=True, slots=True)
class MultihopExam:
    """One app that has read one world."""

    app: App
    clock: ManualClock

    @property
    def scope(self) -> Scope:
        """All that the reader remembers."""
        return Scope(self.app.settings.tenant, READER.id)

    async def take_in(self, world: World, told: Callable[[int], None]) -> None:
        """Documents first, then the talks in their order, each read to its end; `told` how many talks are done."""
        await self.app.know_agent(READER)
        if world.documents:
            await self.app.library.ingest(READER.id, list(world.documents.values()))
        for done, (name, talk) in enumerate(world.talks.items(), start=1):
            await self._hear(name, talk)
            told(done)
        await self.app.drain(patience=PATIENCE)

    async def _hear(self, name: str, talk: WorldTalk) -> None:
        for number, turn in enumerate(talk.turns):
            self.clock.set(max(talk.at + number * PACE, self.clock.now()))
            await self.app.say(
                READER.id,
                talk.person,
                turn.text,
                by_agent=turn.them is None,
                run_id=name,
                key=turn_name(name, number + 1),
                end=number + 1 == len(talk.turns),
            )

    async def remembered(self) -> list[Remembered]:
        """All memories with what they rest on: their document, or the turns that are their evidence."""
        nodes = await self.app.memories(Selection(self.scope))
        own = {node.memory_id: name for node in nodes if (name := _own_name(node)) is not None}
        return [Remembered(node.memory_id, node.content, frozenset(_rests_on(node, own))) for node in nodes]

    async def ask(self, question: WorldQuestion, query: AskQuery, memories: Mapping[str, Remembered]) -> AskedOutcome:
        """One question, and how much of its support is among the memories that were looked at for it."""
        reply = await self.app.ask(query)
        found = [memories[memory_id] for memory_id in reply.looked_at[: query.k] if memory_id in memories]
        supported = sum(any(one.gives(support) for one in found) for support in question.support)
        return AskedOutcome(question, query.mode, query.depth if _walks(query.mode) else None, supported, reply.text)


def _walks(mode: AskMode) -> bool:
    """Whether it takes steps; else depth is nothing to it."""
    return mode not in ("vector", "global")


def _own_name(node: MemoryNode) -> str | None:
    """The name a chunk's document or a turn has in the world."""
    match node.memory_type, node.meta_data.get("source"), node.meta_data.get("turnIndex"):
        case MemoryType.LONGTERM, str(source), _:
            return Path(source).stem
        case MemoryType.CONVERSATION, _, int(number) if node.run_id is not None:
            return turn_name(node.run_id, number)
        case _:
            return None


def _rests_on(node: MemoryNode, own: dict[str, str]) -> Iterable[str]:
    if node.memory_id in own:
        yield own[node.memory_id]
    yield from (own[part.memory_id] for part in node.evidence if part.memory_id in own)


def _apart(settings: Settings, folder: Path) -> Settings:
    """The same settings with stores of their own in `folder`, and no model."""
    stores = {"data": folder, "journal": SqliteSettings(), "index": EdgeIndexSettings(), "cognition": RulesSettings()}
    return settings.model_copy(update=stores)
