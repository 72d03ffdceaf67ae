"""The memory over HTTP in this process: the whole program with its guard, called without a socket."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import httpx

from agentmem import AsyncClient, AsyncMemory
from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.scope import Grant, Principal
from agentmem.interfaces.http.api import guarded
from agentmem.interfaces.http.audit import Audit
from agentmem.interfaces.http.callers import Callers
from agentmem.interfaces.http.guard import Guard
from agentmem.ports.cognition import Cognition
from agentmem.ports.models import ChatModel
from agentmem.runtime.configuration.settings import ServerSettings
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import NOON, TENANT
from tests.support.spine import quick_settings, spine

BASE = "http://127.0.0.1:8420"


@dataclass(frozen=True)
class Served:
    """A server. `client` calls it with a token that was made for it, or with what is given."""

    app: App
    callers: Callers
    program: Guard
    owner: str

    async def token(
        self,
        agents: Mapping[str, Collection[Grant]] | None = None,
        *,
        name: str = "some",
        about: str | None = None,
        tenant: str = TENANT,
        lifetime: timedelta | None = None,
    ) -> str:
        """A new token; without agents an owner's."""
        home = self.app.for_principal(Principal.owner(tenant))
        made = await home.tokens.create(name, agents or {}, about=about, for_owner=agents is None, lifetime=lifetime)
        return made.secret

    @asynccontextmanager
    async def client(
        self, secret: str | None = None, *, base: str = BASE, address: str | None = "127.0.0.1"
    ) -> AsyncGenerator[httpx.AsyncClient]:
        """Calls as the owner, or with this token; with none where it is empty. From an address, or from none."""
        shown = self.owner if secret is None else secret
        headers = {"Authorization": f"Bearer {shown}"} if shown else {}
        transport = httpx.ASGITransport(
            self.program, raise_app_exceptions=False, client=cast("Any", address and (address, 1))
        )
        async with httpx.AsyncClient(transport=transport, base_url=base, headers=headers) as client:
            yield client


@asynccontextmanager
async def served(
    folder: Path,
    cognition: Cognition | None = None,
    *,
    insecure: bool = False,
    speaks: ChatModel | None = None,
    store: Mapping[str, Any] | None = None,
    **options: object,
) -> AsyncGenerator[Served]:
    """A server on `folder`, or on the journal that `store` names, with the agent of `spine` introduced."""
    chosen = ServerSettings.model_validate(options)
    async with spine(folder, cognition, speaks=speaks, **(store or {})) as app:
        owner = (await app.tokens.create("owner", {}, for_owner=True)).secret
        callers = Callers(app, chosen, asyncio.Event(), insecure=insecure)
        audit = Audit(app.settings.data, app.clock)
        with audit.opened():
            async with guarded(chosen, callers, audit) as program:
                yield Served(app, callers, program, owner)


@asynccontextmanager
async def remote(server: Served, secret: str | None = None) -> AsyncGenerator[AsyncClient]:
    """The memory of the server, for its owner or the holder of this token."""
    transport = httpx.ASGITransport(server.program)
    async with AsyncClient(BASE, secret or server.owner, transport=transport) as client:
        yield client


@asynccontextmanager
async def a_house(folder: Path, *, at_server: bool = False) -> AsyncGenerator[AsyncMemory | AsyncClient]:
    """A memory of this process, or one that a server holds."""
    if not at_server:
        async with AsyncMemory(quick_settings(folder), clock=ManualClock(NOON)) as memory:
            yield memory
        return
    async with served(folder, RulesCognition()) as server, remote(server) as client:
        yield client
