"""An agent with a past, made once."""

import asyncio
import shutil
from pathlib import Path

import pytest

from tests.support.bundles import make_source


@pytest.fixture(scope="session")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data of a seller with a past, `source`, and a bundle of him, `seller.zip`; to be read only."""
    folder = tmp_path_factory.mktemp("lived")
    asyncio.run(make_source(folder))
    return folder


@pytest.fixture
def bundle(lived: Path) -> Path:
    """A bundle of the seller."""
    return lived / "seller.zip"


@pytest.fixture
def source(lived: Path, tmp_path: Path) -> Path:
    """The seller's own data, to be written to."""
    return Path(shutil.copytree(lived / "source", tmp_path / "source"))
