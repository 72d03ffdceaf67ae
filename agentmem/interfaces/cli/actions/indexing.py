"""index rebuild, index optimise, index verify, embedder migrate."""

from agentmem.interfaces.cli.exits import DONE, FAILED
from agentmem.interfaces.cli.opening import opened, owner_only
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.runtime.migration import migrate_embedder


async def rebuild(session: Session) -> Answer:
    """Fill the index anew."""
    with session.terminal.counted("rebuilding") as progress:
        async with opened(session) as app:
            count = await app.index.rebuild(progress)
    return Answer({"memories": count}, [words(f"the index holds {count} memories")])


async def optimise(session: Session) -> Answer:
    """Build what the index searches along."""
    with session.terminal.busy("optimising"):
        async with opened(session) as app:
            built = await app.index.optimise()
            count = (await app.upkeep.index()).memories
    told = f"graphs over {count} memories are built" if built else "nothing to build: index.graph is not set"
    return Answer({"memories": count, "built": built}, [words(told)])


async def verify(session: Session) -> Answer:
    """Compare the index with the journal; a difference is a failed check."""
    with session.terminal.busy("comparing"):
        async with opened(session) as app:
            report = await app.index.verify()
    wrong = {"missing": report.missing, "extra": report.extra, "different": report.different}
    data = {"ok": report.ok, "checked": report.checked, **{name: list(ids) for name, ids in wrong.items()}}
    if report.ok:
        return Answer(data, [words(f"index and journal agree on {report.checked} memories")], DONE)
    lines = [words(f"{name}: {len(ids)}, such as {', '.join(ids[:3])}") for name, ids in wrong.items() if ids]
    return Answer(data, [*lines, words("`agentmem index rebuild` fills the index anew")], FAILED)


async def migrate(session: Session) -> Answer:
    """Embed everything with the configured embedder, and use that from then on."""
    owner_only(session)
    with session.terminal.counted("embedding") as progress:
        count = await migrate_embedder(session.settings, progress)
    return Answer({"memories": count, "embedder": session.settings.embedder}, [words(f"{count} memories embedded")])
