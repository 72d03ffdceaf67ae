"""What docs/page.md proposes to try on the demo's data: why, correct, talk, and a reflection that is undone."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.support.site import DEMO_AGENT, DEMO_PERSON, Site, csrf_of, site_of_the_demo

HERE = f"/agents/{DEMO_AGENT}"
PAGE = Path(__file__).parents[2] / "docs" / "page.md"


@contextmanager
def opened(site: Site) -> Generator[httpx.Client]:
    """A browser without scripts that follows where it is led."""
    headers = {"Origin": site.address}
    with httpx.Client(base_url=site.address, headers=headers, follow_redirects=True, timeout=60) as client:
        client.post("/enter", data={"token": site.secret})
        yield client


def press(client: httpx.Client, page: httpx.Response, action: str, **fields: str) -> httpx.Response:
    """A form of the page, sent."""
    assert f'action="{action}"' in page.text
    return client.post(action, data={"csrf": csrf_of(page), **fields})


@pytest.mark.thorough
def test_the_page_is_tried_as_its_documentation_says(tmp_path: Path) -> None:
    need = re.search(r"say `([^`]+)`", PAGE.read_text(encoding="utf-8"))
    assert need is not None
    with site_of_the_demo(tmp_path) as site, opened(site) as client:
        person = client.get(site.demo_person)
        phone = re.search(r'href="(/memories/[^"]+)">12345678901', person.text)
        assert phone is not None
        why = client.get(phone[1])
        assert "<mark>这个是我的联系方式 小东 12345678901</mark>" in why.text

        revision = re.search(r'name="revision" value="(\d+)"', why.text)
        assert revision is not None
        words = {"content": "罗小东的联系方式是13900001111", "revision": revision[1]}
        corrected = press(client, why, f"{phone[1]}/edit", **words)
        assert "The memory was corrected." in corrected.text
        assert "13900001111" in client.get(site.demo_person).text

        talk = press(client, client.get(site.demo_person), f"{HERE}/talk", person=DEMO_PERSON)
        said = press(client, talk, talk.url.path, text=need[1])
        press(client, said, f"{talk.url.path}/end")
        site.run(site.app.drain())
        assert need[1].removesuffix("。").removeprefix("我") in client.get(site.demo_person).text

        reflection = client.get(f"{HERE}/reflection")
        preview = client.post(f"{HERE}/reflection/preview", data={"csrf": csrf_of(reflection), "about": ""})
        assert "主要需求" in preview.text
        done = press(client, reflection, f"{HERE}/reflection", about="")
        run = re.search(r'name="run" value="([^"]+)"', done.text)
        assert run is not None
        assert "主要需求" in client.get(f"{HERE}/reflection/{run[1]}").text
        undone = press(client, done, "/undo", run=run[1], back=f"{HERE}/reflection")
        assert "undone since" in undone.text
        assert "主要需求" not in client.get(f"{HERE}/memories?layer=insight").text
