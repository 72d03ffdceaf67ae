"""Agents: who there is, and of each who it is, how much it remembers of whom, and what is made of it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response, StreamingResponse

from agentmem.agents.copying.hire import HirePreview
from agentmem.domain.lineage import Lineage
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import Conflict, InvalidInput
from agentmem.interfaces.http.transfers import opened, sent, transfer
from agentmem.interfaces.lookup import check_agent_id
from agentmem.interfaces.web.page import FormFault, Page, get, post, text_of
from agentmem.interfaces.web.sign_in import Notice
from agentmem.runtime.facade.inspecting import PAGE, Overview

SAMPLES: Final = 5
"""Memories of each layer of which a hire tells beforehand."""

FORMS: Final = {"bundle": "zip", "markdown": "md", "card": "json"}
"""What an agent is exported as, and how the file's name ends."""

MAX_CURSOR: Final = 2**63 - 1
"""What a database counts to."""


@dataclass(frozen=True, slots=True)
class ListedAgent:
    """An agent in the list, with what it was made from and what was made from it."""

    persona: Persona
    origin: Lineage | None
    copies: Sequence[Lineage]


async def agents(page: Page) -> Response:
    """All of those that the reader may do anything with."""
    personas = await page.app.records.agents()
    lineages = await _lineages(page)
    listed = [listed_agent(page.app.tenant, persona, lineages) for persona in personas]
    return page.show("agents.html", agents=listed)


async def agent(page: Page) -> Response:
    """One of them."""
    return await _agent(page)


async def _agent(
    page: Page, prospect: HirePreview | None = None, *, fault: FormFault | None = None, **asked: str
) -> Response:
    persona = await page.app.records.agent(page.of_path("agent"))
    scope = Scope(page.app.tenant, persona.id, page.app.access.own_target(persona.id))
    reads = page.app.access.may(Grant.READ, scope)
    live = await page.live(f"/agents/{persona.id}/live", scope) if reads else None
    there = await page.app.records.inspecting.overview(scope, before=cursor_of(page)) if reads else Overview((), ())
    return page.show(
        "agent.html",
        200 if fault is None else fault.status,
        fault=fault,
        agent=persona,
        live=live,
        layers=there.layers,
        people=there.people,
        next=there.people[-1].cursor if len(there.people) >= PAGE else None,
        paged=cursor_of(page) is not None,
        lineage=listed_agent(page.app.tenant, persona, await _lineages(page)),
        may_copy=page.app.access.may(Grant.HIRE, Scope(page.app.tenant, persona.id)),
        may_hire=page.app.access.principal.operator,
        tenant=page.app.tenant,
        forms=tuple(FORMS),
        prospect=prospect,
        samples=_samples(prospect.memories if prospect else ()),
        asked=asked,
    )


def listed_agent(tenant: str, persona: Persona, lineages: Sequence[Lineage]) -> ListedAgent:
    """The agent with its part in these lineages."""
    made = (each for each in lineages if each.kind != "export" and (each.tenant, each.agent_id) == (tenant, persona.id))
    copies = [each for each in lineages if (each.source_tenant, each.source_agent) == (tenant, persona.id)]
    return ListedAgent(persona, next(made, None), copies)


def cursor_of(page: Page) -> int | None:
    """Where a list goes on, None at its beginning. Raises `InvalidInput` for what is no cursor."""
    given = page.asked("before")
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and len(given) <= len(str(MAX_CURSOR)) and int(given) <= MAX_CURSOR):
        raise InvalidInput(f"{given[:30]!r} is no cursor: use the one that came with the previous page")
    return int(given)


async def cloned(page: Page) -> Response:
    """A new agent that knows what this one knows."""
    form = await page.form()
    new_id = text_of(form, "new_id")
    try:
        check_agent_id(new_id)
        made = await page.app.copies.clone(page.of_path("agent"), new_id, name=text_of(form, "name") or None)
    except (InvalidInput, Conflict) as error:
        return await _agent(page, fault=page.fault("clone", ("new_id", "name"), form, error))
    word = "agents.cloned" if made.made else "agents.cloned_before"
    return page.go(f"/agents/{new_id}", Notice(word, {"agent": new_id, "source": made.lineage.source_agent}))


async def hired(page: Page) -> Response:
    """This agent in the service of another tenant: first what would go along and what stays, then it is done."""
    form = await page.form()
    source, new_id, tenant = page.of_path("agent"), text_of(form, "new_id"), text_of(form, "tenant")
    own = page.app.tenant
    try:
        check_agent_id(new_id)
        if text_of(form, "step") != "done":
            prospect = await page.app.copies.preview_hire(source, new_id, tenant=tenant, from_tenant=own)
            return await _agent(page, prospect, new_id=new_id, tenant=tenant)
        made = await page.app.copies.hire(source, new_id, tenant=tenant, from_tenant=own)
    except (InvalidInput, Conflict) as error:
        return await _agent(page, fault=page.fault("hire", ("new_id", "tenant"), form, error))
    word = "agents.hired" if made.prospect else "agents.hired_before"
    return page.go(f"/agents/{source}", Notice(word, {"agent": new_id, "tenant": tenant}))


async def exported(page: Page) -> Response:
    """The agent in a file."""
    form = await page.form()
    persona = await page.app.records.agent(page.of_path("agent"))
    kind = text_of(form, "form")
    if kind not in FORMS:
        raise InvalidInput(f"form: must be one of {', '.join(FORMS)}, not {kind[:30]!r}")
    name = f"{persona.id}.{FORMS[kind]}"
    bundles = page.app.bundles
    async with transfer(page.app.settings.data, name) as file:
        match kind:
            case "bundle":
                await bundles.export(persona.id, file)
            case "markdown":
                await bundles.export_markdown(persona.id, file, language=page.words.language)
            case _:
                await bundles.export_card(persona.id, file)
        content, size = await asyncio.to_thread(opened, file)
    told = {"Content-Length": str(size), "Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(sent(content), headers=told, media_type="application/octet-stream")


async def _lineages(page: Page) -> list[Lineage]:
    return [each for each in await page.app.copies.lineages() if each.state != "making"]


def _samples(nodes: Sequence[MemoryNode]) -> dict[str, tuple[int, list[MemoryNode]]]:
    """By layer how many memories there are, and a few of them."""
    found: dict[str, tuple[int, list[MemoryNode]]] = {}
    for node in nodes:
        count, few = found.get(node.memory_type, (0, []))
        found[node.memory_type] = count + 1, few if count >= SAMPLES else [*few, node]
    return found


ROUTES: Final = (
    get("/", agents),
    get("/agents/{agent}", agent),
    post("/agents/{agent}/clone", cloned),
    post("/agents/{agent}/hire", hired),
    post("/agents/{agent}/export", exported),
)
