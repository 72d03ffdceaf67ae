"""What an agent reads: documents into long-term memory."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agentmem.answers.answer import AskQuery, AskReply, Source
from agentmem.answers.ask import WordsOf, replay
from agentmem.domain.event import AssetReceived
from agentmem.domain.memory import MemoryNode, RecordType, Trust
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant
from agentmem.errors import InvalidInput, NotFound
from agentmem.ports.event_log import Accepted
from agentmem.runtime.configuration.personas import find_persona
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.access import Access, needs, operator_only, shows_its_own
from agentmem.runtime.facade.ingesting import Ingested, Ingester, Progress, Uploaded, check_sent_name
from agentmem.runtime.facade.records import Records
from agentmem.runtime.host.services import Services


def _documents(persona: Persona, beside: Path) -> list[Path]:
    """The files of a persona's knowledge. A link that leads out of the directory counts as not there."""
    home = beside.resolve()
    files = [(home / name).resolve() for name in persona.knowledge]
    for name, file in zip(persona.knowledge, files, strict=True):
        if not file.is_file() or not file.is_relative_to(home):
            raise InvalidInput(f"persona {persona.id!r}: knowledge: no such file in {beside}: {name!r}")
    return files


def _of_file(personas: Path, agent_id: str, unknown: NotFound) -> Persona:
    try:
        return find_persona(personas, agent_id)
    except NotFound as error:
        file = personas / f"{agent_id}.yaml"
        way = f"{error}: write {file}, or call app.know_agent(Persona(id={agent_id!r}, name=...))"
        raise NotFound(str(unknown), lacks="agent", way=way) from error


def _unheard(done: int, of: int) -> None:
    """Progress that nobody follows."""


@dataclass(frozen=True, slots=True)
class Library:
    """Takes documents in, and finds again what an answer rested on."""

    access: Access
    words: WordsOf
    services: Services
    settings: Settings

    @needs(Grant.READ, of="query")
    async def replay(self, reply: AskReply, query: AskQuery) -> tuple[Source, ...]:
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

    @needs(Grant.WRITE, of="agent_id")
    async def take_in(self, agent_id: str, name: str, raw: bytes | Callable[[], bytes]) -> Uploaded:
        """Take in a document of at most 32 MiB that was sent under a name, whose ending says what it is; on return it
        is durable, and it is read by and by. The same name again is another version of it. It counts as the owner's
        only where he sends it. What reads its bytes, on a thread, is called when few others are in memory. Raises
        `NotFound` and `InvalidInput`."""
        check_sent_name(name)
        trust = Trust.OWNER if self.access.principal.operator else Trust.PRINCIPAL
        ingester = await self._for(agent_id, self.settings.personas)
        async with self.services.sent:
            content = raw if isinstance(raw, bytes) else await asyncio.to_thread(raw)
            return await ingester.take_in(name, content, trust)

    @needs(Grant.WRITE, of="record")
    async def end(self, record: MemoryNode) -> Accepted | None:
        """End a document, of which this is the record; None where it has ended. Raises `NotFound` for what is none."""
        if record.record is not RecordType.DOCUMENT:
            raise NotFound(f"no document {record.memory_id!r}")
        return await (await self._for(record.agent_id, self.settings.personas)).end(record)

    @needs(Grant.READ, Grant.WRITE, of="record")
    async def preview_end(self, record: MemoryNode) -> tuple[MemoryNode, ...]:
        """What would end with a document now: its pieces, and facts that no other piece says. Raises as `end` does."""
        if record.record is not RecordType.DOCUMENT:
            raise NotFound(f"no document {record.memory_id!r}")
        return await (await self._for(record.agent_id, self.settings.personas)).ending(record)

    @shows_its_own()
    async def introduced(self, agent_id: str) -> Persona:
        """The agent. One that nobody introduced is made known for the owner as its persona's file says, with the
        documents it names. Raises `NotFound`, which tells the owner what to do."""
        records = Records(self.access, self.services.journal)
        try:
            return await records.agent(agent_id)
        except NotFound as error:
            if not self.access.principal.operator:
                raise
            persona = _of_file(self.settings.personas, agent_id, error)
        now = self.services.clock.now()
        await self.services.journal.registry.save_agent(self.access.principal.tenant, persona, now=now)
        await self.learn(persona, self.settings.personas)
        return persona

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
        persona = await Records(self.access, self.services.journal).agent(agent_id)
        return Ingester(self.services, tenant, persona, home)
