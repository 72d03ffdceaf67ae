"""What an agent reads, and what it can be asked: documents into long-term memory, questions answered from memory."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agentmem.answers.ask import Asker, WordsOf
from agentmem.answers.question import AskQuery, Reply, Source
from agentmem.answers.replay import replay
from agentmem.answers.sight import Recaller
from agentmem.domain.access import Grant
from agentmem.domain.event import AssetReceived
from agentmem.domain.persona import Persona
from agentmem.errors import BackendUnavailable, InvalidInput, NotFound
from agentmem.ports.narrator import Narrator
from agentmem.runtime.access import Access, needs, operator_only
from agentmem.runtime.ingesting import Ingested, Ingester, Progress
from agentmem.runtime.opened import Opened
from agentmem.runtime.settings import Settings
from agentmem.runtime.worker import Services


def _documents(persona: Persona, beside: Path) -> list[Path]:
    """The files of a persona's knowledge. A link that leads out of the directory counts as not there."""
    home = beside.resolve()
    files = [(home / name).resolve() for name in persona.knowledge]
    for name, file in zip(persona.knowledge, files, strict=True):
        if not file.is_file() or not file.is_relative_to(home):
            raise InvalidInput(f"persona {persona.id!r}: knowledge: no such file in {beside}: {name!r}")
    return files


def _unheard(done: int, of: int) -> None:
    """Progress that nobody follows."""


@dataclass(frozen=True, slots=True)
class Library:
    """Takes documents in and answers questions. `narrator` loads the model that tells answers; with None for one they
    are extractive."""

    access: Access
    recall: Recaller
    opened: Opened | None
    words: WordsOf
    narrator: Callable[[], Awaitable[Narrator | None]]
    services: Services
    settings: Settings

    @needs(Grant.READ, of="query")
    async def ask(self, query: AskQuery) -> Reply:
        """Answer a question from memory, with its sources. Raises `BackendUnavailable`, and `BadAnswer` where a
        model's answer cannot be used."""
        if self.opened is None:
            raise BackendUnavailable("this process does not hold the index")
        reply = await Asker(self.opened.recall.gather, self.recall, self.words, await self.narrator())(query)
        await self.opened.touch((source.memory.memory_id for source in reply.sources), self.services.clock.now())
        return reply

    @needs(Grant.READ, of="query")
    async def replay(self, reply: Reply, query: AskQuery) -> tuple[Source, ...]:
        """The sources of an earlier reply once more, from its trace and the ledger, without a search."""
        known_at = query.known_at or reply.asked_at
        return await replay(self.services.journal.ledger, self.words, query.scope, reply.trace, known_at)

    @operator_only
    async def ingest(
        self, agent_id: str, paths: Sequence[Path], *, prune: bool = False, progress: Progress = _unheard
    ) -> Ingested:
        """Journal what is new in files, directories and patterns, for the workers to make long-term memory of; what is
        known already costs a look at its bytes. `prune` ends documents of these directories whose file is gone.

        A file that cannot be taken in is among the refused, and the others are. Raises `NotFound` for an agent that
        nobody introduced, and `InvalidInput` for a path that is not there.
        """
        ingester = await self._for(agent_id, self.settings.personas)
        return await ingester.ingest(paths, prune=prune, progress=progress)

    @operator_only
    async def learn(self, persona: Persona, beside: Path) -> Ingested:
        """Journal what is new in the documents of a persona, whose paths are relative to the directory `beside` and
        lead nowhere out of it. Raises `InvalidInput` for a document that is not there or cannot be read."""
        if not persona.knowledge:
            return Ingested()
        files = await asyncio.to_thread(_documents, persona, beside)
        ingester = await self._for(persona.id, beside)
        told = await ingester.ingest(files, prune=False, progress=_unheard)
        if told.refused:
            raise InvalidInput(f"persona {persona.id!r}: knowledge: {told.refused[0].reason}")
        return told

    @needs(Grant.WRITE, of="asset")
    async def admitted(self, asset: AssetReceived) -> AssetReceived:
        """A document as it may be journaled: without what was erased from its agent's memory."""
        return await (await self._for(asset.agent_id, self.settings.personas)).admitted(asset)

    async def _for(self, agent_id: str, home: Path) -> Ingester:
        tenant = self.access.principal.tenant
        persona = await self.services.journal.registry.agent(tenant, agent_id)
        if persona is None:
            raise NotFound(f"no agent {agent_id!r}")
        return Ingester(self.services, tenant, persona, home)
