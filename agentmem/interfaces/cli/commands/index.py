"""index rebuild, optimise, verify; embedder migrate: the search index, and what turns text into vectors."""

from agentmem.interfaces.cli.command_context import CommandSession, handed_over
from agentmem.interfaces.cli.exits import DONE, FAILED
from agentmem.interfaces.cli.output import Answer, words


async def rebuild(session: CommandSession) -> Answer:
    """Fill the index anew from the journal; no model is called."""
    with session.terminal.counted("rebuilding") as progress:
        async with session.opened() as app:
            count = await app.index.rebuild(progress)
    return Answer({"memories": count}, [words(f"the index holds {count} memories")])


async def optimise(session: CommandSession) -> Answer:
    """Build the graphs of large scopes, where index.graph is set; takes minutes for 100,000 memories."""
    with session.terminal.busy("optimising"):
        async with session.opened() as app:
            built = await app.index.optimise()
            count = (await app.upkeep.index()).memories
    told = f"graphs over {count} memories are built" if built else "nothing to build: index.graph is not set"
    return Answer({"memories": count, "built": built}, [words(told)])


@handed_over
async def verify(session: CommandSession) -> Answer:
    """Compare the index with the journal."""
    with session.terminal.busy("comparing"):
        async with session.opened() as app:
            report = await app.index.verify()
    wrong = {"missing": report.missing, "extra": report.extra, "different": report.different}
    data = {"ok": report.ok, "checked": report.checked, **{name: list(ids) for name, ids in wrong.items()}}
    if report.ok:
        return Answer(data, [words(f"index and journal agree on {report.checked} memories")], DONE)
    lines = [words(f"{name}: {len(ids)}, such as {', '.join(ids[:3])}") for name, ids in wrong.items() if ids]
    return Answer(data, [*lines, words("`agentmem index rebuild` fills the index anew")], FAILED)


async def migrate(session: CommandSession) -> Answer:
    """Embed everything with the configured embedder; may be interrupted and goes on where it stopped."""
    from agentmem.runtime.composition.embedder_choice import chosen_embedder
    from agentmem.runtime.composition.opened import migrate_embedder

    session.owner_only()
    with session.terminal.counted("embedding") as progress:
        count = await migrate_embedder(session.settings, progress)
    name = chosen_embedder(session.settings).name
    return Answer({"memories": count, "embedder": name}, [words(f"{count} memories embedded by {name}")])
