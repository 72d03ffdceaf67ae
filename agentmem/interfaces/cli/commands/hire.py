"""hire, release: an agent of one tenant in the service of another; what came along, and what stayed behind and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import ConsoleRenderable

from agentmem.interfaces.cli.command_context import CommandSession, drain_if_indexed, handed_over
from agentmem.interfaces.cli.exits import usage
from agentmem.interfaces.cli.memory_view import memory_list, moment, plain_table
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.wire import MAX_SAMPLES, hire_data, hired_data

if TYPE_CHECKING:
    from agentmem.agents.copying.hire import Hired, HirePreview
    from agentmem.domain.memory import MemoryNode


@handed_over
async def hire(
    session: CommandSession,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent's id at its owner.")],
    new_id: Annotated[str, typer.Option("--as", metavar="NAME", help="The id of the hired agent.")],
    owner: Annotated[str, typer.Option("--from-tenant", help="Whose agent it is.")] = "default",
    name: Annotated[
        str | None, typer.Option("--name", help="How the hired agent is called, if not as the agent.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would come along, and what not.")] = False,
) -> Answer:
    """Hire an agent for --tenant: a copy with what its owner's contract lets go, and nothing else."""
    tenant = session.settings.tenant
    async with session.opened() as app:
        with usage():
            if dry_run:
                seen = await app.copies.preview_hire(agent, new_id, tenant=tenant, from_tenant=owner, name=name)
                return Answer({"hired": False, **hire_data(seen)}, _shown(seen, f"{new_id} would come with"))
            hired = await app.copies.hire(agent, new_id, tenant=tenant, from_tenant=owner, name=name)
        await drain_if_indexed(app)
    return Answer({"hired": True, **hired_data(hired)}, _told(hired, new_id))


@handed_over
async def release(
    session: CommandSession,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The hired agent's id.")],
) -> Answer:
    """Give a hired agent back: it goes with everything it has, also what it learned here; export it before."""
    tenant = session.settings.tenant
    async with session.opened() as app:
        lineage, gone = await app.copies.release(name, tenant=tenant)
    data = {"released": True, "memories": gone, "lineage": lineage.model_dump(mode="json")}
    return Answer(data, [words(f"{name} is released: {gone} memories are gone")])


def _by_layer(seen: HirePreview) -> dict[str, list[MemoryNode]]:
    found: dict[str, list[MemoryNode]] = {}
    for node in seen.memories:
        found.setdefault(node.memory_type.value, []).append(node)
    return found


def _told(hired: Hired, new_id: str) -> list[ConsoleRenderable]:
    if hired.prospect is None:
        return [words(f"{new_id} is hired already, since {moment(hired.lineage.began_at)}; nothing came now")]
    return _shown(hired.prospect, f"{new_id} came with")


def _shown(seen: HirePreview, came: str) -> list[ConsoleRenderable]:
    layers = _by_layer(seen)
    counts = ", ".join(f"{len(nodes)} {layer}" for layer, nodes in layers.items()) or "no memories"
    shown: list[ConsoleRenderable] = [words(f"{came} {counts}", "bold")]
    for layer, nodes in layers.items():
        shown.append(memory_list(nodes[:MAX_SAMPLES]))
        if len(nodes) > MAX_SAMPLES:
            shown.append(words(f"and {len(nodes) - MAX_SAMPLES} more of {layer}", "dim"))
    if seen.stays:
        table = plain_table("stay", "because")
        for reason, count in sorted(seen.stays.items(), key=lambda item: -item[1]):
            table.add_row(words(count), words(reason.value))
        shown.append(table)
    if seen.left_behind:
        shown.append(words(f"of the persona stays behind: {', '.join(seen.left_behind)}", "dim"))
    return shown
