"""backup, restore, compact: the whole store into a file, out of it, and made small."""

from pathlib import Path

from agentmem.interfaces.cli.opening import opened, owner_only
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.ports.backup import BackupManifest
from agentmem.runtime.restoring import restore_store


async def backup(session: Session, *, file: Path, force: bool) -> Answer:
    """Write the whole store into a file, beside whoever works with it."""
    owner_only(session)
    with session.terminal.busy("writing"):
        async with opened(session, index=False) as app:
            manifest = await app.upkeep.backup(file, now=app.clock.now(), force=force)
    told = f"{file}: {_counts(manifest)}; the index is not in it, and is filled anew when it is restored"
    return Answer({"file": str(file), **_told(manifest)}, [words(told)])


async def restore(session: Session, *, file: Path, force: bool) -> Answer:
    """Put a backup in the place of the whole store."""
    owner_only(session)
    with session.terminal.busy("restoring"):
        done = await restore_store(session.settings, file, force=force)
    manifest = done.manifest
    lines = [words(f"restored as of {manifest.made_at.isoformat()}: {_counts(manifest)}")]
    if done.erased:
        lines.append(words(f"{done.erased} events and memories stayed out: they were erased here since"))
    if done.aside is not None:
        lines.append(words(f"what was there before lies in {done.aside}"))
    lines.append(words(done.advice or f"the index holds {done.memories} memories"))
    data = {
        **_told(manifest),
        "erased": done.erased,
        "aside": None if done.aside is None else str(done.aside),
        "memories": done.memories,
        "advice": done.advice,
    }
    return Answer(data, lines)


async def compact(session: Session) -> Answer:
    """Fold old states as `keep.history` says, and give free room back to the disk."""
    owner_only(session)
    with session.terminal.busy("compacting"):
        async with opened(session, index=False) as app:
            done = await app.upkeep.compact(history=app.settings.keep.history, now=app.clock.now())
    folded = f"{done.folded} old states folded; " if done.folded else ""
    told = f"{folded}the journal takes {done.after:,} bytes, {done.before:,} before"
    return Answer({"folded": done.folded, "bytesBefore": done.before, "bytesAfter": done.after}, [words(told)])


def _counts(manifest: BackupManifest) -> str:
    rows = manifest.rows
    return f"{rows.get('events', 0)} events, {rows.get('memories', 0)} memories, {rows.get('ledger', 0)} changes"


def _told(manifest: BackupManifest) -> dict[str, object]:
    return {
        "madeAt": manifest.made_at.isoformat(),
        "schemaVersion": manifest.schema_version,
        "sha256": manifest.sha256,
        "rows": manifest.rows,
    }
