"""Recall, ask and context in a real browser, with a keyboard alone and in both languages."""

import pytest

from tests.support.site import DEMO_AGENT
from tests.web.conftest import BROWSER, Opens, check_accessible

pytestmark = BROWSER


@pytest.mark.parametrize("name", ["recall", "ask", "context"])
async def test_a_question_is_asked_by_keyboard_and_stays_when_the_language_changes(opens: Opens, name: str) -> None:
    page = await opens()
    await page.goto(f"/agents/aip_sales/{name}")
    await page.get_by_role("textbox").first.focus()
    await page.keyboard.type("怎么联系罗小东?")
    for _ in range(8):
        if await page.evaluate("document.activeElement.type") == "submit":
            break
        await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.locator("section").first.wait_for()
    await check_accessible(page)
    assert "12345678901" in await page.locator("main").inner_text()
    await page.get_by_role("button", name="中文").click()
    await page.locator("html[lang=zh-Hans]").wait_for()
    assert "12345678901" in await page.locator("main").inner_text()


async def test_enter_asks_and_with_shift_begins_a_line(opens: Opens) -> None:
    page = await opens()
    await page.goto("/agents/aip_sales/recall")
    await page.get_by_label("What to look for").focus()
    await page.keyboard.type("罗小东")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("的电话")
    await page.keyboard.press("Enter")
    await page.locator("#hits").wait_for()
    assert await page.get_by_label("What to look for").input_value() == "罗小东\n的电话"


async def test_what_a_score_is_made_of_opens_by_keyboard(opens: Opens) -> None:
    page = await opens()
    await page.goto("/agents/aip_sales/recall")
    await page.get_by_label("What to look for").fill("罗小东的电话")
    await page.get_by_role("button", name="Search").click()
    await page.locator("details.signals summary").first.focus()
    await page.keyboard.press("Enter")
    await page.locator("details.signals[open] tbody tr").first.wait_for()
    await check_accessible(page)


@pytest.mark.parametrize(("language", "told"), [("zh", "请填写此项。"), ("en", "Fill this in.")])
async def test_an_empty_field_is_told_in_the_language_of_the_page_and_not_of_the_browser(
    opens: Opens, language: str, told: str
) -> None:
    page = await opens(locale="en-GB" if language == "zh" else "zh-CN")
    await page.locator(f"button[name=language][value={language}]").click()
    await page.goto(f"/agents/{DEMO_AGENT}/recall")
    question = page.locator("#question")
    await page.locator("button.first").click()
    assert await question.evaluate("(field) => field.validationMessage") == told
    await question.fill("x")
    assert await question.evaluate("(field) => field.validity.valid")
