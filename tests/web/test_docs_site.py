"""The documentation as a site: opened as a file or served, it can be searched, loads nothing from elsewhere and
complains of nothing."""

import subprocess
import sys
from collections.abc import Generator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final

import pytest
from playwright.async_api import Browser

from tests.web.conftest import BROWSER

pytestmark = BROWSER

ROOT: Final = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as `make docs` builds it."""
    pytest.importorskip("mkdocs", reason="left out: the extra `docs` is not installed")
    folder = tmp_path_factory.mktemp("docs")
    build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=300)
    return folder


@pytest.fixture(params=["as a file", "served"])
def address(built: Path, request: pytest.FixtureRequest) -> Generator[str]:
    """Where it begins."""
    if request.param == "as a file":
        yield f"{built.as_uri()}/"
        return
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=built)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.parametrize("page", ["index.html", "decisions/0011-forgetting.html"])
async def test_the_documentation_can_be_searched(browser: Browser, address: str, page: str) -> None:
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    shown, complaints = await context.new_page(), list[str]()
    shown.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    shown.on(
        "request",
        lambda asked: None if asked.url.startswith((address, "data:", "blob:")) else complaints.append(asked.url),
    )
    await shown.goto(f"{address}{page}")
    await shown.locator(".md-search__input").click()
    await shown.keyboard.type("erase receipt")
    await shown.locator(".md-search-result__link").first.wait_for()
    await context.close()
    assert complaints == []


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Tell nothing of requests."""
