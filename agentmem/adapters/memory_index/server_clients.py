"""Qdrant clients for `server.ServerIndex`, each closed when its block ends."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import structlog
from qdrant_client import AsyncQdrantClient

from agentmem.adapters.memory_index.folder import FolderLock
from agentmem.private_files import make_folder, make_private

LONGEST: Final = 60
"""Seconds; the index that uses a client has a limit of its own, and a lower one."""

_log = structlog.get_logger()


@asynccontextmanager
async def remote_client(url: str, *, api_key: str | None = None) -> AsyncGenerator[AsyncQdrantClient]:
    """A client of a server or cluster. The version check is left out: it would block in here."""
    client = AsyncQdrantClient(url=url, api_key=api_key, timeout=LONGEST, check_compatibility=False)
    try:
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def local_client(folder: Path) -> AsyncGenerator[AsyncQdrantClient]:
    """A client that is its own store, for places without Qdrant Edge: slow beyond a few thousand memories.

    Raises `HeldElsewhere` where another process has it open.
    """
    _log.warning("slow_index_chosen", folder=str(folder), reason="every search reads every memory")
    lock = FolderLock(folder)
    lock.take()
    try:
        make_folder(folder)
        make_private(folder)
        # told not to ask SQLite about threads, for which the client opens a connection that it never closes
        client = AsyncQdrantClient(path=str(folder), force_disable_check_same_thread=True)
        try:
            yield client
        finally:
            await client.close()
    finally:
        lock.release()
