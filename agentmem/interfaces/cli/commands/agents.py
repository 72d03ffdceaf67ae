"""agents: who there is, and what was made from whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.memory_view import plain_table
from agentmem.interfaces.cli.output import Answer, words

if TYPE_CHECKING:
    from rich.table import Table

    from agentmem.domain.lineage import Lineage
    from agentmem.domain.persona import Persona

_MADE = {"clone": "cloned", "hire": "hired", "import": "imported", "export": "exported"}


async def agents(session: CommandSession) -> Answer:
    """List the agents of the tenant, and what was made from whom."""
    tenant = session.settings.tenant
    async with session.opened(index=False) as app:
        personas = await app.records.agents()
        lineages = await app.copies.lineages()
    shown = _table(tenant, personas, lineages) if personas else words("there are no agents yet")
    return Answer({"agents": _data(tenant, personas, lineages)}, [shown])


def _data(tenant: str, personas: Sequence[Persona], lineages: Sequence[Lineage]) -> list[dict[str, object]]:
    """Each agent with the lineages it has a part in, told from its own side."""
    found: list[dict[str, object]] = []
    for persona in personas:
        origin = _origin(tenant, persona, lineages)
        copies = [each.model_dump(mode="json") for each in _made_from(tenant, persona, lineages)]
        made = {"madeFrom": origin.model_dump(mode="json")} if origin else {}
        found.append({**persona.model_dump(mode="json"), **made, **({"copies": copies} if copies else {})})
    return found


def _table(tenant: str, personas: Sequence[Persona], lineages: Sequence[Lineage]) -> Table:
    """The same in rows."""
    table = plain_table("id", "language", "name", "made from, and into")
    for persona in personas:
        origin = _origin(tenant, persona, lineages)
        told = [_of(origin)] if origin else []
        told += [_into(each) for each in _made_from(tenant, persona, lineages)]
        table.add_row(words(persona.id), words(persona.language), words(persona.name), words("; ".join(told)))
    return table


def _origin(tenant: str, persona: Persona, lineages: Sequence[Lineage]) -> Lineage | None:
    own = (each for each in lineages if each.kind != "export" and each.state != "making")
    return next((each for each in own if (each.tenant, each.agent_id) == (tenant, persona.id)), None)


def _made_from(tenant: str, persona: Persona, lineages: Sequence[Lineage]) -> list[Lineage]:
    mine = (each for each in lineages if (each.source_tenant, each.source_agent) == (tenant, persona.id))
    return [each for each in mine if each.state != "making"]


def _of(lineage: Lineage) -> str:
    elsewhere = f" of {lineage.source_tenant}" if lineage.source_tenant != lineage.tenant else ""
    return f"{_MADE[lineage.kind]} from {lineage.source_agent}{elsewhere}{_ended(lineage)}"


def _into(lineage: Lineage) -> str:
    if lineage.kind == "export":
        return "exported"
    elsewhere = f" of {lineage.tenant}" if lineage.source_tenant != lineage.tenant else ""
    return f"{_MADE[lineage.kind]} as {lineage.agent_id}{elsewhere}{_ended(lineage)}"


def _ended(lineage: Lineage) -> str:
    return " (released)" if lineage.state == "released" else ""
