"""Files on their way in or out: each in a folder of its own, for the server's user alone, gone when it is through."""

import asyncio
import shutil
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, Final

from starlette.requests import Request

_NAMED: Final = ".transfer-"
_LEFT_SECONDS: Final = 3_600.0
"""After so long without a piece a folder is of nobody: no request waits longer."""

CHUNK: Final = 1 << 18


@asynccontextmanager
async def transfer(data: Path, name: str) -> AsyncGenerator[Path]:
    """A place for one file of this name in the data directory, while the body runs. What processes that were killed
    left there goes as well."""
    folder = await asyncio.to_thread(_made, data)
    try:
        yield Path(folder.name) / name
    finally:
        await asyncio.to_thread(folder.cleanup)


def _made(data: Path) -> "TemporaryDirectory[str]":
    for left in data.glob(f"{_NAMED}*"):
        with suppress(FileNotFoundError):  # whose it was may be through at this moment
            last = max(each.stat().st_mtime for each in (left, *left.iterdir()))
            if time.time() - last > _LEFT_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
    return TemporaryDirectory(prefix=_NAMED, dir=data)


async def received(request: Request, place: Path) -> None:
    """Write the body of a request to that place; only a piece of it is held at a time."""
    with await asyncio.to_thread(place.open, "xb") as file:
        async for chunk in request.stream():
            await asyncio.to_thread(file.write, chunk)


def opened(place: Path) -> tuple[BinaryIO, int]:
    """The file there, open to be read, and its bytes."""
    return place.open("rb"), place.stat().st_size


async def sent(file: BinaryIO) -> AsyncIterator[bytes]:
    """The content of an open file, piece by piece; it is closed at the end."""
    with file:
        while chunk := await asyncio.to_thread(file.read, CHUNK):
            yield chunk
