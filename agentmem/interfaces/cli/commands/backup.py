"""backup, restore, compact: the whole store into a file, out of it, and made small."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.memory_view import moment
from agentmem.interfaces.cli.options import Force
from agentmem.interfaces.cli.output import Answer, words

if TYPE_CHECKING:
    from agentmem.ports.upkeep import BackupManifest


async def backup(
    session: CommandSession,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    force: Force = False,
) -> Answer:
    """Write the whole store into a file, checked, while it runs."""
    session.owner_only()
    with session.terminal.busy("writing"):
        async with session.opened(index=False) as app:
            manifest = await app.upkeep.backup(file, now=app.clock.now(), force=force)
    told = f"{file}: {_counts(manifest)}; the index is not in it, and is filled anew when it is restored"
    return Answer({"file": str(file), **_told(manifest)}, [words(told)])


async def restore(
    session: CommandSession,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `backup` wrote.")],
    force: Annotated[bool, typer.Option("--force", help="Also where something is there, which is put aside.")] = False,
) -> Answer:
    """Put a backup in the place of the whole store, or change nothing."""
    from agentmem.runtime.composition.restore_store import restore_store

    session.owner_only()
    with session.terminal.busy("restoring"):
        done = await restore_store(session.settings, file, force=force)
    manifest = done.manifest
    lines = [words(f"restored as of {moment(manifest.made_at)}: {_counts(manifest)}")]
    if done.erased:
        lines.append(words(f"{done.erased} events and memories stayed out: they were erased here since"))
    if done.aside is not None:
        lines.append(words(f"what was there before lies in {done.aside}"))
    lines.append(words(done.advice or f"the index holds {done.memories} memories, those that are not forgotten"))
    data = {
        **_told(manifest),
        "erased": done.erased,
        "aside": None if done.aside is None else str(done.aside),
        "memories": done.memories,
        "advice": done.advice,
    }
    return Answer(data, lines)


async def compact(session: CommandSession) -> Answer:
    """Fold old states as keep.history says, and give free room of the journal back to the disk."""
    session.owner_only()
    with session.terminal.busy("compacting"):
        async with session.opened(index=False) as app:
            done = await app.upkeep.compact(history=app.settings.keep.history, now=app.clock.now())
    folded = f"{done.folded} old states folded; " if done.folded else ""
    told = f"{folded}the journal takes {done.after:,} bytes, {done.before:,} before"
    return Answer({"folded": done.folded, "bytesBefore": done.before, "bytesAfter": done.after}, [words(told)])


def _counts(manifest: BackupManifest) -> str:
    rows = manifest.rows
    memories = f"{rows.get('memories', 0)} memories with the forgotten ones"
    return f"{rows.get('events', 0)} events, {memories}, {rows.get('ledger', 0)} changes"


def _told(manifest: BackupManifest) -> dict[str, object]:
    return {
        "madeAt": manifest.made_at.isoformat(),
        "schemaVersion": manifest.schema_version,
        "sha256": manifest.sha256,
        "rows": manifest.rows,
    }
