"""Coming in with a real browser."""

from urllib.parse import urlsplit

import pytest

from agentmem.interfaces.web.sign_in import COOKIE
from tests.support.site import Site
from tests.web.conftest import BROWSER, Opens, check_accessible

pytestmark = BROWSER


async def test_the_printed_link_opens_the_page_and_leaves_no_token_in_the_address(opens: Opens, site: Site) -> None:
    page = await opens()
    assert page.url == f"{site.address}/"
    assert await page.get_by_role("heading", level=1).inner_text() == "Agents"
    cookie = next(
        each for each in await page.context.cookies() if each.get("name") == f"{COOKIE}_{urlsplit(site.address).port}"
    )
    assert (cookie.get("httpOnly"), cookie.get("sameSite")) == (True, "Strict")
    await page.go_back()
    assert site.secret not in page.url


async def test_the_link_opens_the_page_in_a_tab_that_shows_where_one_enters(opens: Opens, site: Site) -> None:
    page = await opens(secret="")
    await page.goto("/enter")
    await page.goto(f"/enter#{site.secret}")  # the same page to a browser: nothing is loaded
    await page.wait_for_url(f"{site.address}/")


async def test_the_link_opens_the_page_that_was_asked_for_first(opens: Opens, site: Site) -> None:
    page = await opens(secret="")
    await page.goto(site.demo_person)
    await page.get_by_label("Token").fill(site.secret)
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"{site.address}{site.demo_person}")


async def test_one_enters_and_leaves_with_the_keyboard_alone(opens: Opens, site: Site) -> None:
    page = await opens(secret="")
    await page.goto("/")
    await page.get_by_label("Token").focus()
    await page.keyboard.type(site.secret)
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"{site.address}/")
    await page.keyboard.press("Tab")
    assert await page.locator(":focus").inner_text() == "Skip to the content"
    await page.get_by_role("button", name="Sign out").focus()
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/enter")


async def test_without_scripts_the_page_is_entered_by_its_form(opens: Opens, site: Site) -> None:
    page = await opens(secret="", java_script_enabled=False)
    await page.goto("/")
    await page.get_by_label("Token").fill(site.secret)
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_url(f"{site.address}/")


async def test_language_and_light_are_chosen_on_the_page(opens: Opens) -> None:
    page = await opens()
    await page.get_by_role("button", name="中文").click()
    await page.get_by_role("heading", name="智能体", level=1).wait_for()
    await page.get_by_role("button", name="外观：跟随系统").click()
    await page.locator("html[data-theme=dark]").wait_for()
    assert await page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


@pytest.mark.parametrize("path", ["/enter", "/", "/nothing"])
async def test_nothing_stands_in_the_way_of_anybody(opens: Opens, path: str) -> None:
    page = await opens()
    await page.goto(path)
    await check_accessible(page)
