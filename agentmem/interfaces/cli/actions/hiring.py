"""hire and release: what came along or would, what stayed behind and why, and that it is over."""

from rich.console import ConsoleRenderable

from agentmem.agents.copying.hire import Hired, Prospect
from agentmem.domain.lineage import Lineage
from agentmem.domain.memory import MemoryNode
from agentmem.interfaces.cli.exits import usage
from agentmem.interfaces.cli.opening import linked, opened
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.interfaces.cli.views.memory import memory_list, plain_table

SAMPLES = 5
"""So many memories of each layer are shown."""


async def hire(session: Session, *, agent: str, new_id: str, owner: str, name: str | None, dry_run: bool) -> Answer:
    """Hire an agent, or only look at what that would come to."""
    tenant = session.settings.tenant
    async with opened(session) as app:
        with usage():
            if dry_run:
                seen = await app.copies.foresee_hire(agent, new_id, tenant=tenant, from_tenant=owner, name=name)
                return Answer({"hired": False, **_data(seen)}, _shown(seen, f"{new_id} would come with"))
            hired = await app.copies.hire(agent, new_id, tenant=tenant, from_tenant=owner, name=name)
        await linked(app)
    return Answer({"hired": True, **_recorded(hired)}, _told(hired, new_id))


async def release(session: Session, *, name: str) -> Answer:
    """Give a hired agent back."""
    tenant = session.settings.tenant
    async with opened(session) as app:
        lineage, gone = await app.copies.release(name, tenant=tenant)
    data = {"released": True, "memories": gone, "lineage": lineage.model_dump(mode="json")}
    return Answer(data, [words(f"{name} is released: {gone} memories are gone")])


def _recorded(hired: Hired) -> dict[str, object]:
    lineage: Lineage = hired.lineage
    made: dict[str, object] = {"new": hired.prospect is not None, "lineage": lineage.model_dump(mode="json")}
    return made if hired.prospect is None else {**made, **_data(hired.prospect)}


def _data(seen: Prospect) -> dict[str, object]:
    return {
        "persona": seen.persona.model_dump(mode="json"),
        "contract": seen.contract.model_dump(mode="json"),
        "goes": {layer: len(nodes) for layer, nodes in _by_layer(seen).items()},
        "samples": {layer: [node.content for node in nodes[:SAMPLES]] for layer, nodes in _by_layer(seen).items()},
        "stays": {reason.name.lower(): count for reason, count in seen.stays.items()},
        "leftBehind": list(seen.left_behind),
    }


def _by_layer(seen: Prospect) -> dict[str, list[MemoryNode]]:
    found: dict[str, list[MemoryNode]] = {}
    for node in seen.memories:
        found.setdefault(node.memory_type.value, []).append(node)
    return found


def _told(hired: Hired, new_id: str) -> list[ConsoleRenderable]:
    if hired.prospect is None:
        return [words(f"{new_id} is hired already, since {hired.lineage.began_at:%Y-%m-%d %H:%M}")]
    return _shown(hired.prospect, f"{new_id} came with")


def _shown(seen: Prospect, came: str) -> list[ConsoleRenderable]:
    layers = _by_layer(seen)
    counts = ", ".join(f"{len(nodes)} {layer}" for layer, nodes in layers.items()) or "no memories"
    shown: list[ConsoleRenderable] = [words(f"{came} {counts}", "bold")]
    for layer, nodes in layers.items():
        shown.append(memory_list(nodes[:SAMPLES]))
        if len(nodes) > SAMPLES:
            shown.append(words(f"and {len(nodes) - SAMPLES} more of {layer}", "dim"))
    if seen.stays:
        table = plain_table("stay", "because")
        for reason, count in sorted(seen.stays.items(), key=lambda item: -item[1]):
            table.add_row(words(count), words(reason.value))
        shown.append(table)
    if seen.left_behind:
        shown.append(words(f"of the persona stays behind: {', '.join(seen.left_behind)}", "dim"))
    return shown
