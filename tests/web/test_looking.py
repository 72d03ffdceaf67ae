"""The pages in a real browser: each of them, each thing that is done on them, in both languages, with keys alone."""

import re
from urllib.parse import quote

import pytest
from playwright.async_api import Page, expect

from agentmem.domain.memory import MemoryType
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant
from agentmem.ports.ledger import Selection
from tests.support.hostile_page import HOSTILE_AGENT, plant_hostile
from tests.support.site import DEMO_AGENT, DEMO_PERSON, Site
from tests.web.conftest import BROWSER, Opens, check_accessible

pytestmark = BROWSER

NARROW = {"width": 390, "height": 844}
PHONE = "555-0142"
KINDS = ("/", "agent", "memories", "person", "person then", "memory", "ended", "talk")


def memory_of(site: Site, agent: str, person: str, has: str) -> str:
    """The path of the observation that says this."""
    chosen = Selection(site.scope(agent, person), (MemoryType.OBSERVATION,))
    nodes = site.run(site.app.memories(chosen))
    return next(f"/memories/{node.memory_id}" for node in nodes if has in node.content)


def path_of(site: Site, kind: str) -> str:
    """An address of each kind of page of the demo."""
    run = quote("aip-sales/first-contact", safe="")
    return {
        "/": "/",
        "agent": f"/agents/{DEMO_AGENT}",
        "memories": f"/agents/{DEMO_AGENT}/memories",
        "person": site.demo_person,
        "person then": f"{site.demo_person}?day=739000",
        "memory": memory_of(site, DEMO_AGENT, DEMO_PERSON, "12345678901"),
        "ended": memory_of(site, DEMO_AGENT, DEMO_PERSON, "传统业务"),
        "talk": f"{site.demo_person}/talk?run={run}",
    }[kind]


async def newcomer(site: Site, agent: str, *texts: str) -> None:
    """An agent of a test's own, which Tom tells this."""
    await site.app.know_agent(Persona(id=agent, name=agent, language="en"))
    for text in texts:
        await site.app.add(agent, "Tom", text)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
async def test_every_page_can_be_used_by_everybody(opens: Opens, site: Site, kind: str, locale: str) -> None:
    page = await opens(locale=locale)
    await page.goto(path_of(site, kind))
    for form in await page.locator("details").all():
        await form.locator("summary").click()
    await check_accessible(page)


@pytest.mark.parametrize("kind", KINDS)
async def test_every_page_fits_a_phone(opens: Opens, site: Site, kind: str) -> None:
    page = await opens(viewport=NARROW)
    await page.goto(path_of(site, kind))
    assert await page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


async def test_why_something_is_believed_is_found_from_the_first_page_with_keys_alone(opens: Opens) -> None:
    page = await opens()
    for name in ("AIP导购销售专员", DEMO_PERSON, "12345678901"):
        await reach(page, name)
        async with page.expect_navigation():
            await page.keyboard.press("Enter")
    await expect(page.locator("mark")).to_contain_text("12345678901")
    await reach(page, "show in the conversation")
    await page.keyboard.press("Enter")
    await page.get_by_text("我是做传统业务的").wait_for()


async def reach(page: Page, name: str) -> None:
    """Press Tab until the link of that name has the focus."""
    for _ in range(80):
        await page.keyboard.press("Tab")
        if await page.evaluate("document.activeElement.innerText") == name:
            return
    raise AssertionError(f"no key leads to {name}")


async def test_a_memory_is_corrected_forgotten_and_brought_back(opens: Opens, site: Site) -> None:
    site.run(newcomer(site, "correcting", f"My phone number is {PHONE}."))
    page = await opens()
    await page.goto(memory_of(site, "correcting", "Tom", PHONE))
    await page.get_by_text("Correct", exact=True).click()
    await page.get_by_label("What it says").fill("Tom's phone number is 555-0143")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status").first).to_contain_text("was corrected")
    await page.get_by_role("button", name="Undo the correction").click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text(PHONE)
    await page.get_by_text("Forget", exact=True).click()
    await page.get_by_role("button", name="Preview what goes").click()
    await expect(page.locator(".prospect")).to_contain_text(f"My phone number is {PHONE}.")
    await page.locator(".prospect").get_by_role("button", name="Forget").click()
    await expect(page.get_by_role("status").first).to_contain_text("Forgotten memories")
    await expect(page.get_by_role("heading", level=1)).to_have_text("This memory is forgotten")
    await check_accessible(page)
    await page.locator("#shown").get_by_role("button", name="Bring back what was forgotten").click()
    await expect(page.get_by_role("status").first).to_contain_text("Undone")
    await expect(page.get_by_role("heading", level=1)).to_contain_text(PHONE)


@pytest.mark.parametrize(
    ("locale", "opened", "done"), [("en-GB", "It is over", "ended"), ("zh-CN", "它已不再成立", "结束")]
)
async def test_a_memory_is_ended_with_keys_alone_on_a_phone(
    opens: Opens, site: Site, locale: str, opened: str, done: str
) -> None:
    agent = f"ending_{locale[:2]}"
    site.run(newcomer(site, agent, "I live in Oslo."))
    page = await opens(locale=locale, viewport=NARROW)
    await page.goto(memory_of(site, agent, "Tom", "Oslo"))
    await page.locator("#end summary", has_text=opened).focus()
    await page.keyboard.press("Enter")
    await check_accessible(page)
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    await page.locator("#over_since").focus()
    for _ in range(5):  # the parts of the day, and the button that opens a calendar
        if await page.evaluate("document.activeElement.type") == "submit":
            break
        await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status").first).to_contain_text(done)
    await check_accessible(page)
    await page.get_by_role("status").get_by_role("button").first.click()
    await page.locator("#end").wait_for()


async def test_an_agent_is_hired_and_exported(opens: Opens, site: Site) -> None:
    site.run(newcomer(site, "lent", f"My phone number is {PHONE}."))
    page = await opens()
    await page.goto("/agents/lent")
    await page.get_by_text("Hire", exact=True).click()
    await page.get_by_label("For which tenant").fill("globex")
    await page.locator("#hire").get_by_label("Id of the new agent").fill("lent_out")
    await page.get_by_role("button", name="Preview what goes along").click()
    await page.locator(".prospect").get_by_role("button", name="Hire").click()
    await page.get_by_text("hired as lent_out by globex").wait_for()
    await page.get_by_text("Export", exact=True).click()
    async with page.expect_download() as started:
        await page.get_by_role("button", name="Character card").click()
    assert (await started.value).suggested_filename == "lent.json"


async def test_the_day_is_told_while_the_slider_moves_and_shown_once_it_stays_there(opens: Opens, site: Site) -> None:
    page = await opens()
    await page.goto(site.demo_person)
    slider = page.get_by_label("As of")
    today = await page.locator("output").inner_text()
    await slider.focus()
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator("output")).not_to_have_text(today)
    told = await page.locator("output").inner_text()
    await page.get_by_role("heading", name=f"What was true on {told}").wait_for()
    await page.get_by_role("link", name="Today").click()
    await page.get_by_role("heading", name="What is believed").wait_for()


async def test_what_workers_write_appears_by_itself(opens: Opens, site: Site) -> None:
    site.run(newcomer(site, "live", "I live in Oslo."))
    target = site.scope("live", "Tom").target
    page = await opens()
    async with page.expect_response(lambda answer: "/live?since=" in answer.url):
        await page.goto(f"/agents/live/people/{target}")
    await expect(page.locator("main")).not_to_contain_text(PHONE)
    await page.locator("main").evaluate("main => main.dataset.mark = 'the same page'")
    site.run(site.app.add("live", "Tom", f"My phone number is {PHONE}."))
    await expect(page.locator("main")).to_contain_text(PHONE)
    assert await page.locator("main").get_attribute("data-mark") == "the same page"


async def test_what_is_based_on_a_memory_follows_its_correction_by_itself(opens: Opens, site: Site) -> None:
    site.run(newcomer(site, "followed", f"My phone number is {PHONE}."))
    site.run(site.app.drain())
    page = await opens()
    await page.goto(f"/agents/followed/people/{site.scope('followed', 'Tom').target}")
    await page.get_by_role("link", name=PHONE, exact=True).click()
    based = page.locator("section:has(#resting)")
    await expect(based).to_contain_text(PHONE)
    memory = page.url.rpartition("/")[2]
    site.run(site.app.editing.edit(memory, "Tom's phone number is 555-0199"))
    site.run(site.app.drain())
    await expect(based).to_contain_text("555-0199")


async def test_a_revoked_token_ends_an_open_page(opens: Opens, site: Site) -> None:
    made = site.run(site.app.tokens.create("short", {DEMO_AGENT: [Grant.READ]}))
    page = await opens(secret=made.secret)
    await page.goto(site.demo_person)
    await page.get_by_role("heading", name=DEMO_PERSON).wait_for()
    site.run(site.app.tokens.revoke("short"))
    await page.wait_for_url("**/enter?next=*")


async def test_nothing_that_was_said_runs_on_any_page(opens: Opens, site: Site) -> None:
    site.run(plant_hostile(site.app))
    page = await opens()
    await page.goto(f"/agents/{HOSTILE_AGENT}")
    people = await page.locator("a[href*='/people/']").evaluate_all("links => links.map(each => each.href)")
    assert len(people) > 10
    for person in people:
        await page.goto(person)
        near = await page.locator("a[href*='/talk'], a[href*='/memories/']").evaluate_all("all => all.map(a => a.href)")
        for path in dict.fromkeys(near):
            await page.goto(path)
            assert re.match(r"\S+/(memories|agents)/", page.url)
            assert await page.evaluate("window.hostile === undefined && document.scripts.length <= 2")
    await page.goto("/")
    assert await page.evaluate("window.hostile === undefined")
