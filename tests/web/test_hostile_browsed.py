"""Texts that attacks are made of in every field that a page shows or takes: in a real browser nothing of it runs,
nothing is loaded from elsewhere (which `opens` checks), and nobody else's session sees it."""

from urllib.parse import quote, urlsplit

import pytest
from playwright.async_api import Page

from agentmem.domain.scope import Grant
from tests.support.hostile_page import HOSTILE, RUNS, corpus, plant_hostile
from tests.support.site import DEMO_AGENT, Site
from tests.web.conftest import BROWSER, Opens

pytestmark = [*BROWSER, pytest.mark.longer, pytest.mark.timeout(0)]

LISTS = ("", "/memories", "/graph", "/reflection", "/documents", "/queue", "/recall", "/ask", "/context", "/talk")
NEAR = "a[href^='/memories/'], a[href*='/people/'], a[href*='/graph/'], a[href*='/documents/'], a[href*='/reflection/']"


async def unharmed(page: Page) -> None:
    """Fail where something ran, or anything stands on the page that belongs to none."""
    assert await page.evaluate("window.hostile === undefined"), page.url
    assert await page.evaluate("document.scripts.length <= 3 && !document.querySelector('iframe, object, embed, base')")
    forms: list[str] = await page.locator("form").evaluate_all("all => all.map(each => each.action)")
    assert {urlsplit(each).netloc for each in forms} <= {urlsplit(page.url).netloc}


async def near(page: Page) -> list[str]:
    """The addresses that this page leads to, of one agent's things."""
    found: list[str] = await page.locator(NEAR).evaluate_all("all => all.map(each => each.getAttribute('href'))")
    return list(dict.fromkeys(found))


async def test_nothing_that_is_kept_runs_on_any_page(opens: Opens, site: Site, longer: int) -> None:
    site.run(plant_hostile(site.app, corpus(whole=longer > 1), "stored"))
    page = await opens()
    paths: dict[str, None] = {}
    for name in LISTS:
        await page.goto(f"/agents/stored{name}")
        await unharmed(page)
        paths |= dict.fromkeys(await near(page))
    kinds = ("/memories/", "/people/", "/graph/", "/documents/", "/reflection/")
    for kind in kinds:
        there = [path for path in paths if kind in path]
        assert there, kind
        for path in there if longer > 1 else there[:6]:
            await page.goto(path)
            await unharmed(page)


async def test_nothing_that_is_typed_runs_and_it_comes_back_as_it_was(opens: Opens, longer: int) -> None:
    page = await opens()
    fields = {"recall": "#question", "ask": "#question", "context": "#question", "graph": "#name", "talk": "#person"}
    typed = [text for text in corpus(whole=longer > 1) if text.isprintable() and len(text) < 200]
    for name, field in fields.items():
        for text in typed if longer > 1 else typed[:3]:
            await page.goto(f"/agents/{DEMO_AGENT}/{name}")
            await page.locator(field).fill(text)
            await page.locator("button.first").click()
            await page.wait_for_load_state()
            await unharmed(page)
            if name == "graph":
                assert await page.locator(field).input_value() == text


async def test_nothing_in_an_address_runs(opens: Opens, site: Site) -> None:
    page = await opens()
    for text in HOSTILE[:4]:
        given = quote(text, safe="")
        for path in (
            *(f"/agents/{DEMO_AGENT}/memories?{name}={given}" for name in ("layer", "person", "cursor")),
            *(f"{site.demo_person}?{name}={given}" for name in ("day", "cursor")),
            *(f"{site.demo_person}/talk?run={given}", f"{site.demo_person}/talk?run=x&cursor={given}"),
            *(f"/agents/{DEMO_AGENT}/graph/{given}", f"/agents/{DEMO_AGENT}/graph/x?hops={given}&as_of={given}"),
            *(f"/agents/{given}", f"/memories/{given}", f"/{given}", f"/agents/{DEMO_AGENT}/reflection/{given}"),
        ):
            await page.goto(path)
            await unharmed(page)


async def test_a_token_may_be_called_anything_and_sees_nothing_of_others(opens: Opens, site: Site) -> None:
    site.run(plant_hostile(site.app, HOSTILE, "elsewhere"))
    made = site.run(site.app.tokens.create(RUNS, {DEMO_AGENT: [Grant.READ]}))
    page = await opens(secret=made.secret)
    for path in ("/", f"/agents/{DEMO_AGENT}", f"/agents/{DEMO_AGENT}/queue", site.demo_person, "/agents/elsewhere"):
        await page.goto(path)
        await unharmed(page)
        shown = await page.locator("main").inner_text()
        assert "hostile" not in shown
        assert "evil.example" not in shown
