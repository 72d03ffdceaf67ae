"""The `Backups` port over SQL."""

import asyncio
from datetime import datetime
from pathlib import Path

from agentmem.adapters.journal.backups.restoring import is_empty, replace_all, unpack_checked
from agentmem.adapters.journal.backups.snapshot import scratch, write_backup
from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.engine import Store
from agentmem.adapters.journal.reader import Reader
from agentmem.errors import InvalidInput
from agentmem.ports.backup import BackupManifest, Restored


class SqlBackups:
    """Reads on a connection of its own; writes through the committer. `folder` holds what is made on the way."""

    def __init__(self, store: Store, committer: Committer, reader: Reader, folder: Path | None) -> None:
        self._store, self._committer, self._reader, self._aside = store, committer, reader, folder

    async def write(self, file: Path, *, now: datetime, force: bool = False) -> BackupManifest:
        """See `Backups`."""
        folder = file.parent if self._store.read_only else self._folder
        return await asyncio.to_thread(write_backup, self._store, file, folder, now=now, force=force)

    async def check(self, file: Path) -> BackupManifest:
        """See `Backups`."""
        with scratch(self._folder) as database:
            return await asyncio.to_thread(unpack_checked, file, database)

    async def is_empty(self) -> bool:
        """See `Backups`."""
        return await self._reader.read(is_empty)

    async def restore(self, file: Path) -> Restored:
        """See `Backups`."""
        with scratch(self._folder) as database:
            manifest = await asyncio.to_thread(unpack_checked, file, database)
            return await self._committer.submit(
                "restore", lambda unit: replace_all(unit, file, database, manifest), numbered=False
            )

    @property
    def _folder(self) -> Path:
        if self._aside is None:
            raise InvalidInput("a backup needs a folder to be made in: open the journal with `backups`")
        return self._aside
