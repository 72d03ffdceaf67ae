"""`agentmem worker` as a process of its own, with what it tells while it works."""

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from tests.support.cli import ROOT


@asynccontextmanager
async def worker(*options: str | Path) -> AsyncGenerator[Process]:
    """A worker process; told to stop when the body is through."""
    command = (sys.executable, "-m", "agentmem", "worker", *map(str, options))
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, cwd=ROOT)
    try:
        yield process
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 20) == 0
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def said(process: Process, words: str) -> None:
    """Read what it tells until these words come up."""
    assert process.stderr is not None
    async with asyncio.timeout(60):
        while words not in (line := (await process.stderr.readline()).decode()):
            assert line, "it ended"
