"""A folder full of other people's memories, for what asks from outside."""

import asyncio
import shutil
from pathlib import Path

import pytest

from tests.support.homes import plant_homes
from tests.support.served import served


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where several people have what is theirs, to be copied."""
    folder = tmp_path_factory.mktemp("homes")

    async def made() -> None:
        async with served(folder) as server:
            await plant_homes(server.app)
            await server.app.tokens.revoke("owner")

    asyncio.run(made())
    return folder


@pytest.fixture
def homes(planted: Path, tmp_path: Path) -> Path:
    """A folder of one's own with all of that."""
    return Path(shutil.copytree(planted, tmp_path / "homes"))
