"""Graph: whom and what an agent's memories are about, around one of them, and what belongs together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from starlette.responses import Response

from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.interfaces.lookup import whole_day
from agentmem.interfaces.web.graph_drawing import HEIGHT, WIDTH, drawn_around
from agentmem.interfaces.web.page import FormFault, Page, get, post, text_of
from agentmem.interfaces.web.question_page import moment_of
from agentmem.ledger.listing import place_at
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.graphs import entity_of

LISTED: Final = 60
GROUPS: Final = 12
MEMBERS: Final = 12
"""Members of a community that are named."""

LINKS: Final = 100
"""Memories around an entity that are listed."""

HOPS: Final = ("1", "2", "3")


@dataclass(frozen=True, slots=True)
class ShownCommunity:
    """A community with the members that are named, by id, and how many there are besides."""

    node: MemoryNode
    members: Mapping[str, str]
    more: int


async def graph(page: Page, fault: FormFault | None = None) -> Response:
    """The entities, the newest first; who may see one person alone is led to that person."""
    persona = await page.app.records.agent(page.of_path("agent"))
    if (own := page.app.access.own_target(persona.id)) is not None:
        return page.go(f"/agents/{persona.id}/graph/{own}")
    scope, cursor = Scope(page.app.tenant, persona.id), page.asked("after")
    live = await page.live(f"/agents/{persona.id}/live", scope)
    wanted = Selection(scope, (MemoryType.ENTITY,), (StoreStatus.VALID,), limit=LISTED)
    listed = await page.app.memories(wanted if cursor is None else replace(wanted, after=place_at(cursor)))
    return page.show(
        "graph.html",
        200 if fault is None else fault.status,
        fault=fault,
        agent=persona,
        entities=[entity_of(node) for node in listed],
        communities=() if cursor else await _communities(page.app, scope),
        more=listed.next,
        paged=cursor is not None,
        live=live,
    )


async def looked_up(page: Page) -> Response:
    """On to the entity of a name."""
    form = await page.form()
    persona = await page.app.records.agent(page.of_path("agent"))
    name = text_of(form, "name")
    entity = named(page.app.tenant, persona.id, name) if name else ""
    scope = Scope(page.app.tenant, persona.id, page.app.access.own_target(persona.id))
    found = await page.app.graph.around(scope, entity) if name else None
    if found is None or found.middle not in found.names:
        error = InvalidInput("name: nothing that is remembered is called so")
        return await graph(page, page.fault("graph", ("name",), form, error))
    return page.go(f"/agents/{persona.id}/graph/{found.middle}")


async def around(page: Page) -> Response:
    """One entity, what it is linked with and by which memories."""
    persona = await page.app.records.agent(page.of_path("agent"))
    entity, hops, at = page.of_path("entity"), page.asked("hops") or HOPS[0], page.asked("as_of")
    if hops not in HOPS:
        raise InvalidInput(f"hops: {hops[:20]!r}; allowed: {', '.join(HOPS)}")
    scope = Scope(page.app.tenant, persona.id, page.app.access.own_target(persona.id))
    live = await page.live(f"/agents/{persona.id}/live", scope)
    then = whole_day(at or "", page.app.settings.zone) or moment_of(at or "", page.app)
    found = await page.app.graph.around(scope, entity, hops=int(hops), as_of=then)
    if found.middle not in found.names:
        raise NotFound(f"no entity {entity!r}")
    links = [(link.memory.memory_id, link.entities) for link in found.links]
    shown = found.links[:LINKS]
    return page.show(
        "graph_around.html",
        agent=persona,
        found=found,
        name=found.names[found.middle],
        is_known=bool(await page.app.memories(Selection(Scope(scope.tenant, scope.agent, found.middle), limit=1))),
        linking=[link for link in shown if {*link.entities} - {found.middle}],
        others=[link for link in shown if not {*link.entities} - {found.middle}],
        drawing=drawn_around(found.middle, found.names, found.steps, links),
        width=WIDTH,
        height=HEIGHT,
        hops=hops,
        all_hops=HOPS,
        as_of=at or "",
        live=live,
    )


async def _communities(app: App, scope: Scope) -> Sequence[ShownCommunity]:
    wanted = Selection(scope, (MemoryType.COMMUNITY,), (StoreStatus.VALID,), limit=GROUPS)
    nodes = await app.memories(wanted)
    members = await app.records.get({key for node in nodes for key in node.entity_ids[:MEMBERS]})
    return [
        ShownCommunity(
            node,
            {key: str(members[key].value) for key in node.entity_ids[:MEMBERS] if key in members},
            max(0, len(node.entity_ids) - MEMBERS),
        )
        for node in sorted(nodes, key=lambda node: (-len(node.entity_ids), node.memory_id))
    ]


ROUTES: Final = (
    get("/agents/{agent}/graph", graph),
    post("/agents/{agent}/graph", looked_up),
    get("/agents/{agent}/graph/{entity}", around),
)
