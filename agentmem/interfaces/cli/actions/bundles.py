"""export and import: what left, what came, and what was left behind."""

from pathlib import Path

from rich.console import ConsoleRenderable

from agentmem.agents.bundle.importing import Imported
from agentmem.domain.persona import Persona
from agentmem.errors import NotFound
from agentmem.interfaces.cli.exits import Misuse
from agentmem.interfaces.cli.lookup import known_agent
from agentmem.interfaces.cli.opening import linked, opened
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.interfaces.cli.views.memory import plain_table
from agentmem.runtime.app import App
from agentmem.runtime.personas import find_persona
from agentmem.runtime.settings import Settings

_FORMS = {".zip": "bundle", ".md": "markdown", ".markdown": "markdown", ".json": "card"}
_NAMED = 5


async def export(
    session: Session, *, agent: str, file: Path, form: str | None, sign: Path | None, force: bool
) -> Answer:
    """Write an agent into a file."""
    chosen = form or _FORMS.get(file.suffix.lower())
    if chosen is None:
        raise Misuse(f"{file}: name the form with --format, or end the name in one of {', '.join(_FORMS)}")
    if sign is not None and chosen != "bundle":
        raise Misuse(f"--sign: only a bundle can be signed, and this is {chosen}")
    async with opened(session) as app:
        await known_agent(app, agent)
        data = await _exported(app, agent, file, chosen, sign, force=force)
    counts = ", ".join(f"{data[what]} {what}" for what in ("memories", "rows", "vectors") if data.get(what))
    return Answer({"file": str(file), "format": chosen, **data}, [words(f"{file}: {counts or 'no memories'}")])


async def _exported(
    app: App, agent: str, file: Path, form: str, sign: Path | None, *, force: bool
) -> dict[str, object]:
    match form:
        case "markdown":
            return {"memories": await app.bundles.export_markdown(agent, file, force=force)}
        case "card":
            return {"memories": await app.bundles.export_card(agent, file, force=force)}
        case _:
            done = await app.bundles.export(agent, file, sign=sign, force=force)
            return {"memories": done.memories, "rows": done.rows, "vectors": done.vectors, "digest": done.digest}


async def import_agent(
    session: Session, *, file: Path, agent: str | None, signer: Path | None, person: str, accept_instructions: bool
) -> Answer:
    """Make an agent of a file."""
    async with opened(session) as app:
        done = await app.bundles.import_(
            file,
            agent_id=agent,
            signer=signer,
            person=person,
            persona=_prepared(session.settings, agent),
            accept_instructions=accept_instructions,
        )
        await linked(app)
    data = {
        "agent": done.persona.model_dump(mode="json"),
        "format": done.format,
        "memories": done.memories,
        "trusted": done.trusted,
        "dropped": [
            {"what": what, "count": count, "names": done.names.get(what, [])} for what, count in done.dropped.items()
        ],
    }
    return Answer(data, _shown(done))


def _prepared(settings: Settings, agent: str | None) -> Persona | None:
    """The persona that a file of `personas/` gives the agent, if there is one."""
    if agent is None:
        return None
    try:
        return find_persona(settings.personas, agent)
    except NotFound:
        return None


def _shown(done: Imported) -> list[ConsoleRenderable]:
    held = "trusted" if done.trusted else "untrusted"
    shown: list[ConsoleRenderable] = [
        words(f"{done.persona.id} ({done.persona.name}): {done.memories} memories from a {done.format} file, {held}")
    ]
    if done.dropped:
        table = plain_table("left behind", "how many", "of them")
        for what, count in done.dropped.items():
            names = done.names.get(what, [])
            more = ", …" if count > _NAMED and names else ""
            table.add_row(words(what), words(count), words(", ".join(names[:_NAMED]) + more))
        shown.append(table)
    return shown
