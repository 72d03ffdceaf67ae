"""Graph, queue, documents, reflection and talk in a real browser: with a keyboard, without scripts, and with a token
that is revoked in the middle of an answer."""

import pytest
from playwright.async_api import Page

from agentmem.domain.scope import Grant, Lane
from tests.support.site import DEMO_AGENT, DEMO_PERSON, Site
from tests.web.conftest import BROWSER, Opens, check_accessible

pytestmark = BROWSER

HERE = f"/agents/{DEMO_AGENT}"


async def begin(page: Page, person: str) -> None:
    """Go to the talk of this person, by keyboard. It returns once the page's scripts run: what is sent before that is
    sent as without scripts, and the page comes back anew."""
    await page.goto(f"{HERE}/talk")
    await page.locator("#person").focus()
    await page.keyboard.type(person)
    await page.keyboard.press("Enter")
    await page.locator("#say").wait_for()
    await page.wait_for_load_state()


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
@pytest.mark.parametrize("name", ["graph", "reflection", "queue", "documents", "talk"])
async def test_nothing_stands_in_the_way_of_anybody(opens: Opens, name: str, locale: str) -> None:
    page = await opens(locale=locale, viewport={"width": 390, "height": 800})
    await page.goto(f"{HERE}/{name}")
    await check_accessible(page)
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390


async def test_one_goes_through_the_graph_by_keyboard(opens: Opens) -> None:
    page = await opens()
    await page.goto(f"{HERE}/graph")
    await page.locator("#name").focus()
    await page.keyboard.type(DEMO_PERSON)
    await page.keyboard.press("Enter")
    await page.locator("svg.graph").wait_for()
    await check_accessible(page)
    other = page.locator("svg.graph a:has(.dot.step1)").first
    name = await other.locator("text").text_content()
    await other.focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("heading", name=name or "", level=1).wait_for()


async def test_a_talk_is_held_by_keyboard_and_tells_what_each_answer_used(opens: Opens) -> None:
    page = await opens()
    await begin(page, DEMO_PERSON)
    await page.locator("#text").focus()
    await page.keyboard.type("你还记得我的电话吗?")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.locator("#talk[aria-busy=false] .used").wait_for()
    assert await page.evaluate("document.activeElement.id") == "text"
    # The talk is drawn anew while its turns are taken in: focus and key in one.
    await page.locator("#talk .used summary").last.press("Enter")
    await page.locator("#talk .used[open]").wait_for()
    assert "12345678901" in await page.locator("#talk").inner_text()
    await check_accessible(page)
    await page.get_by_role("button", name="End the conversation").click()
    await page.get_by_text("The conversation has ended.").wait_for()


async def in_view(page: Page, selector: str) -> bool:
    """Whether the lower edge of the last of these is in sight, and nothing before it."""
    box = await page.locator(selector).last.bounding_box()
    assert box is not None
    return 0 < box["y"] + box["height"] <= 800


@pytest.mark.parametrize("width", [1280, 390])
async def test_one_goes_on_typing_and_sees_the_newest_turn(opens: Opens, width: int) -> None:
    page = await opens(viewport={"width": width, "height": 800})
    await begin(page, f"Typist {width}")
    for number in range(1, 8):
        await page.keyboard.type(f"What do you remember of the day number {number}?")
        await page.keyboard.press("Enter")
        await page.locator(f"#talk[aria-busy=false] article:nth-of-type({2 * number}).by_agent").wait_for()
        assert await page.evaluate("document.activeElement.id") == "text"
        assert await in_view(page, "#say")
    await page.wait_for_function("innerHeight + scrollY >= document.documentElement.scrollHeight - 1")
    # Both in one go: the page may be drawn anew between two questions.
    ends, begins = await page.evaluate(
        "[[...document.querySelectorAll('#talk .said')].at(-1).getBoundingClientRect().bottom,"
        " document.querySelector('#say').getBoundingClientRect().top]"
    )
    assert ends <= begins
    await page.evaluate("scrollTo(0, 0)")
    assert await in_view(page, "#say")


async def test_what_was_noted_shows_by_itself_and_leaves_alone_what_is_being_typed(opens: Opens, site: Site) -> None:
    page = await opens()
    await begin(page, "Mia")
    await page.locator("#text").fill("I live in Oslo.")
    await page.get_by_role("button", name="Send").click()
    await page.locator("#talk .by_agent").wait_for()
    await page.locator("#text").fill("And I wo")
    scope = site.scope(DEMO_AGENT, "Mia")
    site.run(site.app.editing.read(Lane(scope.tenant, scope.agent, str(scope.target))))
    await page.locator("#talk .made-of-it a:has-text('Oslo')").wait_for()
    assert await page.locator("#text").input_value() == "And I wo"
    assert await page.evaluate("document.activeElement.id") == "text"
    await check_accessible(page)
    await page.locator("#talk .made-of-it a").first.click()
    await page.get_by_role("heading", name="Why").wait_for()


async def test_without_scripts_a_talk_works_as_well(opens: Opens, site: Site) -> None:
    page = await opens(secret="", java_script_enabled=False)
    await page.goto("/enter")
    await page.get_by_label("Token").fill(site.secret)
    await page.get_by_role("button", name="Sign in").click()
    await begin(page, "Eve")
    for number in range(1, 8):
        await page.keyboard.type(f"Hello <b>there</b> {number}")
        await page.get_by_role("button", name="Send").click()
        await page.locator(f"#talk article:nth-of-type({2 * number}).by_agent").wait_for()
    assert "Hello <b>there</b> 7" in await page.locator("#talk").inner_text()
    assert await page.locator("#text:focus").count() == 1
    assert await in_view(page, "#text")
    assert await in_view(page, "#talk .said")


async def test_a_talk_of_a_revoked_token_ends_in_the_middle_of_an_answer(opens: Opens, site: Site) -> None:
    grants = {DEMO_AGENT: [Grant.TALK, Grant.READ]}
    made = site.run(site.app.tokens.create("short", grants))
    page = await opens(secret=made.secret)
    await begin(page, "Sam")
    await page.locator("#text").fill("Tell me slowly")
    await page.get_by_role("button", name="Send").click()
    await page.locator("#talk .by_agent .said:has-text('And on.')").wait_for()
    site.run(site.app.tokens.revoke("short"))
    await page.wait_for_url("**/enter?next=*")


async def test_a_document_is_taken_in_and_found_in_the_list(opens: Opens, site: Site) -> None:
    page = await opens()
    await page.goto(f"{HERE}/documents")
    content = b"# Opening hours <img src=x onerror=alert(1)>\n\nThe desk is open from nine to five."
    await page.locator("#file").set_input_files([{"name": "hours.md", "mimeType": "text/markdown", "buffer": content}])
    await page.get_by_role("button", name="Upload").focus()
    await page.keyboard.press("Enter")
    await page.get_by_text("The document was uploaded").wait_for()
    site.run(site.app.drain(patience=5))
    await page.reload()
    await page.get_by_role("link", name="Opening hours").click()
    await page.get_by_text("open from nine to five").wait_for()
    await check_accessible(page)
