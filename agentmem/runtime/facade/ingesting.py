"""Documents from files into the journal: what is unchanged is not even read as a document, what is hostile is told."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path, PurePath
from typing import Any

from agentmem.assets.document_facts import holds
from agentmem.assets.document_record import documents_of
from agentmem.assets.document_writer import DocumentIntake, DocumentWriter, FoundFile
from agentmem.assets.file_reading import FORMATS, is_readable, read_document
from agentmem.domain.bounds import check_text
from agentmem.domain.event import AssetReceived
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, Trust
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.ledger.listing import every
from agentmem.ports.event_log import Accepted
from agentmem.runtime.facade.chosen_files import FoundPath, asset_id, find_files, read_bytes
from agentmem.runtime.host.services import Services

TOGETHER = 16
"""Files that are read and journaled together."""
GONE = sha256(b"").hexdigest()
"""The version of a document that is not there any more."""

SENT = "upload/"
"""Before the names of documents that were sent, so that none takes the place of a file of this machine."""

MAX_SENT_NAME = 180

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that is not taken in, and why: one line that names it."""

    path: Path
    reason: str


@dataclass(slots=True)
class Ingested:
    """What became of the files: `received` are journaled and are read by the workers, `ended` are documents whose file
    is gone, by asset id; `left_out` were in a directory and are no documents."""

    received: list[Path] = field(default_factory=list[Path])
    unchanged: list[Path] = field(default_factory=list[Path])
    refused: list[Refused] = field(default_factory=list[Refused])
    ended: list[str] = field(default_factory=list[str])
    left_out: list[tuple[Path, str]] = field(default_factory=list[tuple[Path, str]])


@dataclass(frozen=True, slots=True)
class Uploaded:
    """What became of a document that was sent: the id of its record, its version, and the version as accepted; None
    where the document was in that version already."""

    document: str
    version: str
    accepted: Accepted | None


def check_sent_name(name: str) -> None:
    """Raise `InvalidInput` for a name under which no document can be sent."""
    if not is_readable(PurePath(name)):
        raise InvalidInput(f"name: there is no reader for {name!r}: it must end in one of {', '.join(FORMATS)}")
    if not name.isprintable():
        raise InvalidInput(f"name: must be printable, and one line: {name!r}")
    check_text("name", name, MAX_SENT_NAME)


@dataclass(frozen=True, slots=True)
class Ingester:
    """Takes documents in for one agent. `home` is what short asset ids are relative to."""

    services: Services
    tenant: str
    persona: Persona
    home: Path

    async def ingest(self, paths: Sequence[Path], *, prune: bool, progress: Progress) -> Ingested:
        """Take in what is new in these files and directories; with `prune`, end documents of the directories whose
        file is not there any more. May be interrupted: what was journaled is not taken in again."""
        found = await asyncio.to_thread(find_files, paths)
        told = Ingested(left_out=found.left_out)
        done = 0
        files = iter(found.files.items())
        while some := dict(islice(files, TOGETHER)):
            await self._take_in(some, told)
            done += len(some)
            progress(done, len(found.files))
        if prune:
            await self._prune(found, told)
        return told

    async def take_in(self, name: str, raw: bytes, trust: Trust) -> "Uploaded":
        """Take in a document that was sent under a name, as the kind of file that the name says. Raises
        `InvalidInput`, which names it."""
        paper = FoundFile(f"{SENT}{name}", None, sha256(_filled(Path(name), raw)).hexdigest())
        news, record = await self._desk.news([paper]), await self._desk.record_of(paper.asset_id)
        if paper.asset_id not in news:
            return Uploaded(record, paper.version, None)
        event = await self._event(Path(name), raw, paper, news[paper.asset_id], trust)
        [accepted] = await self.services.journal.events.append([event], now=self.services.clock.now())
        return Uploaded(record, paper.version, accepted)

    async def end(self, record: MemoryNode) -> Accepted | None:
        """Take in that a document is there no more; None where that is known."""
        events = await self._endings({str(record.meta_data["assetId"]): record})
        accepted = await self.services.journal.events.append(events, now=self.services.clock.now())
        return accepted[0] if accepted else None

    async def ending(self, record: MemoryNode) -> tuple[MemoryNode, ...]:
        """What would end with a document now; nothing is written."""
        journal, clock = self.services.journal, self.services.clock
        writer = DocumentWriter(journal.ledger, journal.lineages, self.services.timestamps, clock.now, lambda: False)
        events = await self._endings({str(record.meta_data["assetId"]): record})
        plans = [await writer.planned(event, clock.now()) for event in events]
        changed = [change for changes, _ in plans for change in changes if not holds(change.after)]
        return tuple(change.before for change in changed if change.before is not None and holds(change.before))

    async def admitted(self, asset: AssetReceived) -> AssetReceived:
        """The document without what was erased from the agent's memory."""
        return await self._desk.admitted(asset)

    @property
    def _desk(self) -> DocumentIntake:
        journal = self.services.journal
        return DocumentIntake(journal.ledger, journal.eraser, journal.lineages, self.tenant, self.persona.id)

    async def _take_in(self, files: dict[Path, Path], told: Ingested) -> None:
        contents: dict[str, tuple[Path, bytes]] = {}
        for real, path in files.items():
            try:
                check_text("its name", str(real))
                contents[asset_id(real, self.home)] = path, _filled(path, await asyncio.to_thread(read_bytes, path))
            except InvalidInput as error:
                told.refused.append(Refused(path, str(error)))
        papers = [
            FoundFile(name, str(path.resolve()), sha256(raw).hexdigest()) for name, (path, raw) in contents.items()
        ]
        news = await self._desk.news(papers)
        events: list[AssetReceived] = []
        for paper in papers:
            path, raw = contents[paper.asset_id]
            if paper.asset_id not in news:
                told.unchanged.append(path)
                continue
            try:
                events.append(await self._event(path, raw, paper, news[paper.asset_id]))
                told.received.append(path)
            except InvalidInput as error:
                told.refused.append(Refused(path, str(error)))
        await self.services.journal.events.append(events, now=self.services.clock.now())

    async def _event(
        self, path: Path, raw: bytes, paper: FoundFile, event_id: str, trust: Trust = Trust.OWNER
    ) -> AssetReceived:
        document = await asyncio.to_thread(read_document, path, raw)
        try:
            asset = self._asset(paper, event_id, document.title, document.text, document.media_type, trust)
        except InvalidInput as error:
            raise InvalidInput(f"{path}: {error}") from error
        return await self.admitted(asset)

    def _asset(
        self, paper: FoundFile, event_id: str, title: str, text: str, media_type: str, trust: Trust = Trust.OWNER
    ) -> AssetReceived:
        fields: dict[str, Any] = {
            "event_id": event_id,
            "tenant": self.tenant,
            "agent_id": self.persona.id,
            "agent_name": self.persona.name,
            "target_id": entity_id(self.tenant, self.persona.id, canonical_name(self.persona.name)),
            "at": self.services.clock.now(),
            "asset_id": paper.asset_id,
            "title": title,
            "version": paper.version,
            "media_type": media_type,
            "source": paper.source,
            "trust": trust,
            "text": text,
        }
        return AssetReceived(**fields)

    async def _prune(self, found: FoundPath, told: Ingested) -> None:
        """An empty version for every document of these directories whose file is gone."""
        gone = {str(record.meta_data["assetId"]): record for record in await self._records() if _is_gone(record, found)}
        events = await self._endings(gone)
        await self.services.journal.events.append(events, now=self.services.clock.now())
        told.ended += [event.asset_id for event in events]

    async def _endings(self, gone: Mapping[str, MemoryNode]) -> list[AssetReceived]:
        """An empty version of each document, by asset id, that has not ended yet; as trusted as what it ends."""
        sources = {name: record.meta_data.get("source") for name, record in gone.items()}
        papers = [FoundFile(name, str(source) if source else None, GONE) for name, source in sources.items()]
        news = await self._desk.news(papers)
        return [
            self._asset(paper, news[paper.asset_id], record.content, "", "text/plain", record.trust)
            for paper, record in zip(papers, gone.values(), strict=True)
            if paper.asset_id in news
        ]

    async def _records(self) -> list[MemoryNode]:
        """The records of all documents of the agent."""
        wanted = documents_of(Scope(self.tenant, self.persona.id))
        return [node async for node in every(self.services.journal.ledger, wanted)]


def _filled(path: Path, raw: bytes) -> bytes:
    """The bytes of a file. Raises `InvalidInput` where there are none, which is the version of what is gone."""
    if not raw:
        raise InvalidInput(f"{path}: holds no text")
    return raw


def _is_gone(record: MemoryNode, found: FoundPath) -> bool:
    """Whether a document lay in one of the directories and is there no more."""
    source = record.meta_data.get("source")
    if not isinstance(source, str):
        return False
    path = Path(source)
    return any(path.is_relative_to(home) for home in found.directories) and not path.is_file()
