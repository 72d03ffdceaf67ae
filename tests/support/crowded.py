"""`python -m tests.support.crowded FOLDER`: a process on a small disk, mounted at FOLDER, that others fill up.

It prints what it saw. Where it is ended by SIGBUS it prints nothing, which is what must not be.
"""

import asyncio
import json
import os
import sys
from contextlib import suppress
from pathlib import Path

from agentmem.errors import BackendUnavailable
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.composition.telemetry import configure_logging
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from tests.support.cognition import ScriptedCognition
from tests.support.index_kind import an_index
from tests.support.nodes import a_turn
from tests.support.spine import quiet_persona

BLOCK = 4_096


class Ballast:
    """A file that takes the room on a disk."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "ballast"

    def leave(self, free: int) -> None:
        """Take all but so many bytes."""
        descriptor = os.open(self._file, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        with suppress(OSError):
            while (there := os.statvfs(self._file).f_bavail * os.statvfs(self._file).f_frsize) > free:
                os.write(descriptor, bytes(max(BLOCK, min(1 << 20, there - free))))
        os.close(descriptor)

    def go(self) -> None:
        """Give it all back."""
        self._file.unlink()


async def turns(app: App, first: int, last: int) -> int:
    """Say these turns; how many were taken in."""
    said = [a_turn(f"sentence {number}", number, tenant=app.tenant) for number in range(first, last)]
    return len([await app.accept([turn]) for turn in said])


async def crowded(folder: Path) -> dict[str, object]:
    """Fill the disk by and by, then give the room back."""
    ballast, seen = Ballast(folder), dict[str, object]()
    async with open_app(Settings(data=folder / "data", index=an_index()), cognition=ScriptedCognition()) as app:
        await app.know_agent(quiet_persona())
        await turns(app, 0, 20)
        await app.drain()
        ballast.leave(2 << 20)
        seen["taken in without an index"] = await turns(app, 20, 40)
        await app.drain()
        ballast.leave(0)
        try:
            await turns(app, 40, 41)
            seen["at the very end"] = "taken in"
        except BackendUnavailable as error:
            seen["at the very end"] = " ".join(str(error).split()[:5])
        with suppress(BackendUnavailable):
            await app.drain()
        with suppress(BackendUnavailable):
            await app.searchable.index.count()
        ballast.go()
        await turns(app, 40, 41)
        await app.drain(patience=10)
        seen["recalled"] = "all" if await app.searchable.index.count() >= 41 else "not all"
        seen["in agreement"] = "all" if (await app.index.verify()).ok else "not all"
    return seen


if __name__ == "__main__":
    configure_logging("error")
    sys.stdout.write(json.dumps(asyncio.run(crowded(Path(sys.argv[1])))) + "\n")
