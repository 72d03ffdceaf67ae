"""A Chromium and a server for all tests of the pages. Without a browser they are left out, and say so.

A page that a test was given may have asked for nothing from elsewhere and complained of nothing, its policy included.
Tests with a browser are marked `BROWSER`: they share one event loop, as the browser needs.
"""

import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from pathlib import Path
from typing import Any, Final, Literal

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, async_playwright

from tests.support.site import Site, site_of_the_demo

CHROMIUM: Final = Path(os.environ.get("AGENTMEM_TEST_CHROMIUM", "/usr/bin/chromium"))
QUIET: Final = (
    *("--no-sandbox", "--headless", "--disable-gpu", "--disable-background-networking", "--no-first-run"),
    *("--disable-component-update", "--disable-sync"),
)
PATIENCE_MS: Final = 60_000
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")

Opens = Callable[..., Awaitable[Page]]
BROWSER: Final = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what needs a browser that is not there, or fail where it was promised to be there."""
    if item.get_closest_marker("browser") is None or CHROMIUM.exists():
        return
    reason = f"no browser at {CHROMIUM} (AGENTMEM_TEST_CHROMIUM)"
    if os.environ.get("AGENTMEM_REQUIRE_EXTERNAL") == "1":
        pytest.fail(f"AGENTMEM_REQUIRE_EXTERNAL=1, but {reason}", pytrace=False)
    pytest.skip(f"left out: {reason}")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncGenerator[Browser]:
    """One browser for all."""
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield opened
        await opened.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Generator[Site]:
    """The demo, served; to be looked at, or changed where no other test looks."""
    with site_of_the_demo(tmp_path_factory.mktemp("site")) as shown:
        yield shown


@pytest_asyncio.fixture(loop_scope="session")
async def opens(browser: Browser, site: Site) -> AsyncGenerator[Opens]:
    """Makes pages that have entered with the owner's token, or with `secret`; with an empty one they have not. All else
    is for `Browser.new_context`."""
    seen: list[str] = []
    contexts: list[Any] = []

    async def make(*, secret: str | None = None, **options: Any) -> Page:
        chosen: dict[str, Any] = {"locale": "en-GB", **options}
        context = await browser.new_context(base_url=site.address, **chosen)
        contexts.append(context)
        page = await context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda said: seen.append(said.text) if _complains(said) else None)
        page.on("pageerror", lambda error: seen.append(str(error)))
        page.on("request", lambda asked: seen.append(asked.url) if not asked.url.startswith(site.address) else None)
        shown = site.secret if secret is None else secret
        if shown:
            await page.goto(f"/enter#{shown}")
            await page.wait_for_url(f"{site.address}/")
        return page

    yield make
    for context in contexts:
        await context.close()
    assert seen == []


async def check_accessible(page: Page) -> None:
    """Fail with what axe finds on the page that is open, by day and by night."""
    for scheme in SCHEMES:
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # nothing is looked at half faded
        found = await Axe().run(page)  # pyright: ignore[reportUnknownMemberType] - its parameters are bare
        assert found.violations_count == 0, f"{scheme}: {found.generate_report()}"


def _complains(said: Any) -> bool:
    """Whether a line of the console tells of a fault; that an answer has a status of its own does not."""
    return said.type in ("error", "warning") and "Failed to load resource" not in said.text
