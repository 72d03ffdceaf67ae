"""`agentmem restore`: a backup in the place of the whole store; what was there is put aside first.

Nothing is half restored: the file is checked whole before anything is touched, the rows change in one transaction, and
the index is filled anew from them, now or when the store is opened next.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from agentmem.errors import AgentMemError, AlreadyThere, EmbedderChanged
from agentmem.ports.journal import Journal
from agentmem.ports.upkeep import BackupManifest, Restored
from agentmem.runtime.composition import wiring
from agentmem.runtime.composition.backups import FOLDER, put_journal_aside
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings, SqliteSettings
from agentmem.runtime.host.services import load_workers, routes


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """What was put in place, and how many memories the index holds of it. `aside` is where the store that was there
    before lies, None where there was none; `erased` counts what stayed out as erased since; `advice` says what is left
    to do."""

    manifest: BackupManifest
    rows: Mapping[str, int]
    erased: int
    aside: Path | None
    memories: int | None
    advice: str | None


async def restore_store(settings: Settings, file: Path, *, force: bool = False) -> RestoreReport:
    """Put a backup in the place of the store; a journal that cannot be read is put aside as it is.

    Raises `InvalidInput` for a file that is no sound backup, `AlreadyThere` where the store is not empty and `force` is
    not given, `HeldElsewhere` where another process works with the index.
    """
    await _journal(settings).backups.check(file)
    folder = isinstance(settings.journal, SqliteSettings) and (settings.data / "journal.db").is_dir()
    try:
        before = put_journal_aside(settings.data.absolute(), datetime.now(UTC)) if folder and force else None
        done, aside = await _restore(settings, file, force=force, aside=before)
    except AgentMemError as error:
        if not (isinstance(settings.journal, SqliteSettings) and wiring.is_damage(error)):
            raise
        await wiring.discard_every_index(settings)
        done, aside = await _restore(
            settings, file, force=True, aside=put_journal_aside(settings.data.absolute(), datetime.now(UTC))
        )
    memories, advice = await _indexed(settings)
    return RestoreReport(done.manifest, done.rows, done.erased, aside, memories, advice)


async def _restore(settings: Settings, file: Path, *, force: bool, aside: Path | None) -> tuple[Restored, Path | None]:
    async with _journal(settings) as journal:
        empty = await journal.backups.is_empty()
        if not (empty or force):
            raise AlreadyThere("the store is not empty; --force puts what is there aside, and the backup in its place")
        await wiring.discard_every_index(settings)
        if not empty:
            aside = settings.data.absolute() / FOLDER / f"before-restore-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}.backup"
            await journal.backups.write(aside, now=datetime.now(UTC))
        return await journal.backups.restore(file), aside


async def _indexed(settings: Settings) -> tuple[int | None, str | None]:
    """Fill the index; how many memories it holds, or why it could not be filled now."""
    try:
        async with open_app(settings) as app:
            return (await app.upkeep.index()).memories, None
    except EmbedderChanged as error:
        return None, str(error)


def _journal(settings: Settings) -> Journal:
    return wiring.journal(settings, routes(load_workers(settings.worker_modules)))
