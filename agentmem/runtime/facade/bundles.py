"""`App.bundles`: agents into files and out of them."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from hashlib import file_digest
from pathlib import Path

from agentmem.agents.bundle.archive import EntrySeal
from agentmem.agents.bundle.bundle_reader import open_bundle
from agentmem.agents.bundle.exporting import Exported, export_bundle
from agentmem.agents.bundle.foreign.foreign_agent import Planting, is_zip, read_foreign
from agentmem.agents.bundle.importing import Imported, import_bundle
from agentmem.agents.bundle.readable_exports import export_card, export_markdown
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.language.normal import Language
from agentmem.ledger.projection import Projector
from agentmem.private_files import open_named
from agentmem.runtime.composition import wiring
from agentmem.runtime.facade.access import Access, needs, needs_tenant
from agentmem.runtime.facade.reading_turns import read_what_waits
from agentmem.runtime.host.services import Services

PERSON = "user"


@dataclass(frozen=True, slots=True)
class Bundles:
    """Exports and imports agents of one tenant. `drain` works off what waits in a scope."""

    access: Access
    services: Services
    projector: Projector | None
    drain: Callable[[Scope], Awaitable[None]]

    @needs(Grant.HIRE, of="agent_id")
    async def export(self, agent_id: str, file: Path, *, sign: Path | None = None, force: bool = False) -> Exported:
        """Write an agent with all its history into a bundle, signed with the private key in `sign`. What waits to be
        read is read first. Raises `NotFound`, and `InvalidInput` where the file is there and `force` is not given."""
        scope, persona = await self._known(agent_id)
        seal = None if sign is None else partial(_sealed, sign)
        now = self.services.clock.now()
        return await export_bundle(self.services.journal, scope, persona, file, force=force, seal=seal, now=now)

    @needs(Grant.HIRE, of="agent_id")
    async def export_markdown(
        self, agent_id: str, file: Path, *, language: Language | None = None, force: bool = False
    ) -> int:
        """Write what an agent knows for people to read, with headings in this language, or its own; how many memories.
        Raises as `export` does."""
        scope, persona = await self._known(agent_id)
        spoken, now = language or persona.language, self.services.clock.now()
        return await export_markdown(self.services.journal, scope, persona, file, language=spoken, force=force, now=now)

    @needs(Grant.HIRE, of="agent_id")
    async def export_card(self, agent_id: str, file: Path, *, force: bool = False) -> int:
        """Write an agent as a Character Card V3, with what it was taught and nothing about people; how many memories.
        Raises as `export` does."""
        scope, persona = await self._known(agent_id)
        now = self.services.clock.now()
        return await export_card(self.services.journal, scope, persona, file, force=force, now=now)

    @needs_tenant(Grant.ADMIN)
    async def import_(
        self,
        file: Path,
        *,
        agent_id: str | None = None,
        signer: Path | None = None,
        person: str = PERSON,
        persona: Persona | None = None,
        accept_instructions: bool = False,
    ) -> Imported:
        """Make an agent of a file: a bundle, or a file of another system, as what it is by its content.

        It gets `agent_id`, else the id in the file. `signer` is the public key that a bundle must be signed with, and
        only then it is trusted. Of files of other systems: `person` names a user whom they do not name, `persona` goes
        before theirs, `accept_instructions` takes over what they order a model to do. Raises `InvalidInput`, having
        left nothing behind.
        """
        now = self.services.clock.now()
        if is_zip(file):
            expected = None if signer is None else wiring.signing().public_key(signer)
            with ExitStack() as held:
                opening = open_bundle(file, _holds, signer=expected)
                bundle = await asyncio.to_thread(held.enter_context, opening)  # its directory may be a large one
                done = await import_bundle(
                    self.services.journal,
                    bundle,
                    tenant=self.tenant,
                    agent_id=agent_id,
                    trusted=expected is not None,
                    now=now,
                )
        else:
            if signer is not None:
                raise InvalidInput(f"{file}: is not signed")
            foreign = await asyncio.to_thread(
                read_foreign, file, accept_instructions=accept_instructions, person=person
            )
            digest = await asyncio.to_thread(_digest, file)
            planting = Planting(self.tenant, digest, person, self.services.timestamps, now)
            done = await planting.plant(self.services.journal, foreign, agent_id=agent_id, persona=persona)
        if self.projector is not None:
            await self.projector.catch_up()
        return done

    @property
    def tenant(self) -> str:
        """The principal's."""
        return self.access.principal.tenant

    async def _known(self, agent_id: str) -> tuple[Scope, Persona]:
        persona = await self.services.journal.registry.agent(self.tenant, agent_id)
        if persona is None:
            raise NotFound(f"no agent {agent_id!r}")
        scope = Scope(self.tenant, agent_id)
        await read_what_waits(self.services, scope, self.drain)
        return scope, persona


def _sealed(key: Path, content: bytes) -> EntrySeal:
    public_key, signature = wiring.signing().sign(key, content)
    return EntrySeal(public_key=public_key, signature=signature)


def _holds(content: bytes, seal: EntrySeal) -> bool:
    return wiring.signing().verify(seal.public_key, seal.signature, content)


def _digest(file: Path) -> str:
    with open_named(file) as content:
        return file_digest(content, "sha256").hexdigest()
