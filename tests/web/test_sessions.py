"""Who gets in to the pages, by what, and until when."""

import re
from collections.abc import AsyncIterator, Callable
from html import unescape
from pathlib import Path

import pytest

from agentmem.domain.scope import Grant
from agentmem.interfaces.http import callers
from agentmem.interfaces.http.callers import WRONG_AT_ONCE
from agentmem.interfaces.web import sign_in as sessions
from agentmem.interfaces.web.site import ELSEWHERE, is_page
from agentmem.interfaces.web.views.entering import MAX_ENTERING
from tests.support.nodes import AGENT
from tests.support.served import BASE, served
from tests.support.site import csrf_of, sent, visitor

HERE = f"{sessions.COOKIE}_8420"
"""What the cookie is called at the port of these tests."""


async def test_a_token_opens_the_page_by_a_cookie_that_no_script_and_no_other_site_gets(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server, "") as client:
        answer = await client.post("/enter", data={"token": server.owner})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        cookie = answer.headers["set-cookie"]
        assert {"HttpOnly", "Max-Age=43200", "Path=/", "SameSite=strict"} <= set(cookie.split("; "))
        assert "Secure" not in cookie
        assert server.owner not in cookie
        assert (await client.get("/")).status_code == 200


async def test_without_a_session_every_page_leads_to_where_one_enters(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server, "") as client:
        for path in ("/", f"/agents/{AGENT}", "/nothing/of/the/kind"):
            answer = await client.get(path)
            assert (answer.status_code, answer.headers["location"].partition("?")[0]) == (303, "/enter")
        assert (await client.post("/preferences", data={"theme": "dark"})).status_code == 401
        live = await client.get(f"/agents/{AGENT}/live", headers={"Accept": "text/event-stream"})
        assert live.status_code == 401
        assert (await client.get("/enter")).status_code == 200


@pytest.mark.parametrize(
    "path", ["/", f"/agents/{AGENT}/memories?layer=insight", f"/agents/{AGENT}/documents/%E7%BD%97"]
)
async def test_who_has_entered_sees_the_page_he_asked_for(tmp_path: Path, path: str) -> None:
    async with served(tmp_path) as server, visitor(server, "") as client:
        led = (await client.get(path)).headers["location"]
        form = await client.get(led)
        leads = re.search(r'name="next" value="([^"]*)"', form.text)
        assert leads is not None
        fields = {"token": "agm_nothing", "next": unescape(leads[1])}
        again = re.search(r'name="next" value="([^"]*)"', (await client.post("/enter", data=fields)).text)
        assert again is not None
        answer = await client.post("/enter", data={"token": server.owner, "next": unescape(again[1])})
        assert (answer.status_code, answer.headers["location"]) == (303, path)


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
async def test_nobody_is_led_to_another_site_when_he_enters(tmp_path: Path, elsewhere: str) -> None:
    async with served(tmp_path) as server, visitor(server, "") as client:
        assert "evil" not in (await client.get("/enter", params={"next": elsewhere})).text
        answer = await client.post("/enter", data={"token": server.owner, "next": elsewhere})
        assert answer.headers["location"] == "/"


@pytest.mark.parametrize("token", ["", "agm_nothing", "x" * 1_000, "罗小东", "\x00"])
async def test_what_is_no_token_opens_nothing(tmp_path: Path, token: str) -> None:
    async with served(tmp_path) as server, visitor(server, "") as client:
        answer = await client.post("/enter", data={"token": token})
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers
        assert "This token opens nothing" in answer.text


async def test_nobody_sends_files_before_it_is_known_who_he_is(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server, "") as client:
        assert (await client.post("/enter", files={"token": ("x.txt", b"x" * 20_000)})).status_code == 413
        assert (await client.post("/enter", files={"token": ("x.txt", b"x")})).status_code in (400, 401, 422)

        async def endless() -> AsyncIterator[bytes]:
            yield b"token="

        form = {"content-type": "application/x-www-form-urlencoded"}
        for size, status in ((MAX_ENTERING, 401), (MAX_ENTERING + 1, 413)):
            answer = await client.post("/enter", content=b"token=".ljust(size, b"x"), headers=form)
            assert answer.status_code == status
        assert (await client.post("/enter", content=endless(), headers=form)).status_code == 413


async def test_who_goes_on_trying_tokens_has_to_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "WRONG_PER_SECOND", 1e-9)  # none is forgiven while this runs
    async with served(tmp_path) as server:
        for address in ("192.0.2.1", "192.0.2.2"):  # nobody waits for what another does
            async with visitor(server, "", address=address) as client:
                tried = [await client.post("/enter", data={"token": f"agm_{n}"}) for n in range(int(WRONG_AT_ONCE) + 1)]
                assert [answer.status_code for answer in tried] == [401] * int(WRONG_AT_ONCE) + [429]
                assert tried[-1].headers["Retry-After"] == "1"


async def test_a_revoked_token_ends_its_session(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        secret = await server.token({AGENT: [Grant.READ]}, name="short")
        async with visitor(server, secret) as client:
            assert (await client.get("/")).status_code == 200
            await server.app.tokens.revoke("short")
            assert (await client.get("/")).headers["location"] == "/enter"  # in this process at once


async def test_a_session_ends_at_leaving_and_with_its_time(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        async with visitor(server) as client:
            cookie = client.cookies[HERE]
            left = await sent(client, "/leave", {}, on="/")
            assert left.status_code == 303
            assert {f'{HERE}=""', "Max-Age=0", "Path=/"} <= set(left.headers["set-cookie"].split("; "))
            assert HERE not in client.cookies
            client.cookies.set(HERE, cookie)
            assert (await client.get("/")).status_code == 303
        time = [0.0]
        kept = sessions.Sessions(server.callers, clock=lambda: time[0])
        opened = await kept.enter(server.owner, "127.0.0.1")
        headers = {b"cookie": f"{sessions.COOKIE}={opened}".encode()}
        time[0] = sessions.LIFETIME - 1
        await kept.of(headers)
        time[0] = sessions.LIFETIME
        with pytest.raises(Exception, match="not open any more"):
            await kept.of(headers)


async def test_sessions_are_bounded_and_the_oldest_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_SESSIONS", 2)
    async with served(tmp_path) as server:
        kept = sessions.Sessions(server.callers)
        opened = [await kept.enter(server.owner, "127.0.0.1") for _ in range(3)]
        headers = [{b"cookie": f"{sessions.COOKIE}={each}".encode()} for each in opened]
        with pytest.raises(Exception, match="not open any more"):
            await kept.of(headers[0])
        for each in headers[1:]:
            await kept.of(each)


def _question(session: sessions.PageSession, number: int) -> Callable[[], object]:
    kept = session.keep({"query": str(number)})
    return lambda: session.questions.get(kept)


def _used(session: sessions.PageSession, number: int) -> Callable[[], object]:
    session.keep_used("run", str(number), (sessions.UsedMemory("memory", 1.0),))
    return lambda: session.used_by("run", str(number))


def _notice(session: sessions.PageSession, number: int) -> Callable[[], object]:
    session.notify(f"/{number}", sessions.Notice("done"))
    return lambda: session.noticed(f"/{number}")


@pytest.mark.parametrize(
    ("keep", "most"), [(_question, sessions.MAX_KEPT), (_used, sessions.MAX_USED), (_notice, sessions.MAX_NOTICES)]
)
def test_a_session_keeps_the_last_of_what_it_was_given(
    keep: Callable[[sessions.PageSession, int], Callable[[], object]], most: int
) -> None:
    for given in (most, most + 1):
        session = sessions.PageSession(b"", "csrf", 0.0)
        kept = [keep(session, number) for number in range(given)]
        assert [look() is not None for look in kept] == [False] * (given - most) + [True] * most


async def test_a_session_opens_no_api_and_a_token_no_page(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        async with visitor(server) as client:
            for path in ("/v1/agents", "/mcp", "/openai/v1/models", "/readyz", "/metrics", "/openapi.json"):
                assert (await client.get(path)).status_code == 401, path
        async with server.client() as client:
            assert (await client.get("/")).status_code == 303
        assert not any(is_page(path) for path in ELSEWHERE)
        assert is_page("/v1x")


async def test_nobody_enters_where_everybody_is_let_in(tmp_path: Path) -> None:
    async with served(tmp_path, insecure=True) as server, visitor(server, "") as client:
        page = await client.get("/")
        assert page.status_code == 200
        assert (await client.get("/enter")).headers["location"] == "/"
        assert (await client.post("/preferences", data={"csrf": "x", "theme": "dark"})).status_code == 403
        sure = await client.post("/preferences", data={"csrf": csrf_of(page), "theme": "dark"})
        assert sure.status_code == 303


async def test_a_form_counts_only_where_it_was_made_for_this_session(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as one, visitor(server) as other:
        theirs = csrf_of(await other.get("/"))
        for csrf in ("", theirs, theirs[:-1]):
            answer = await one.post("/preferences", data={"csrf": csrf, "theme": "dark"})
            assert answer.status_code == 403
            assert "set-cookie" not in answer.headers
        assert (await one.post("/leave")).status_code == 403
        assert (await one.get("/")).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost:8420"])
async def test_a_form_of_another_site_is_refused(tmp_path: Path, origin: str) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        fields = {"csrf": csrf_of(await client.get("/")), "theme": "dark"}
        assert (await client.post("/preferences", data=fields, headers={"Origin": origin})).status_code == 403
        assert (await client.post("/enter", data={"token": "x"}, headers={"Origin": origin})).status_code == 403


async def test_pages_of_other_sites_that_may_call_the_api_may_not_use_the_page(tmp_path: Path) -> None:
    proxied = "https://127.0.0.1:8420"
    async with served(tmp_path, origins=["https://friend.example", proxied]) as server, visitor(server, "") as client:
        friend = {"Origin": "https://friend.example"}
        assert (await client.post("/enter", data={"token": server.owner}, headers=friend)).status_code == 403
        own = await client.post("/enter", data={"token": server.owner}, headers={"Origin": proxied})
        assert own.status_code == 303
        assert "Secure" in own.headers["set-cookie"].split("; ")
        answer = await client.get("/", headers=friend)
        assert "access-control-allow-origin" not in answer.headers


async def test_pages_load_and_tell_nothing_from_or_to_elsewhere(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        answer = await client.get("/")
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert answer.headers["cache-control"] == "no-store"
        links = re.findall(r'(?:src|href|action)="([^"]*)"', answer.text)
        assert all(link.startswith(("/", "#")) and not link.startswith("//") for link in links)
        assert "<style" not in answer.text
        assert not re.search(r"<[^>]+\s(?:style|on\w+)=", answer.text)
        assert not re.search(r"<script[^>]*>[^<]", answer.text)
        for link in links:
            if link.startswith("/static/"):
                asset = await client.get(link)
                assert (asset.status_code, asset.headers["cache-control"].split(", ")[-1]) == (200, "immutable")


async def test_files_beside_the_pages_need_no_session_and_are_only_those(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server, "") as client:
        assert (await client.get("/static/page.css")).status_code == 200
        for name in ("nothing.css", "../page.py", "..%2Fpage.py", "__init__.py"):
            answer = await client.get(f"/static/{name}")
            assert answer.status_code in (303, 404), name


async def test_preferences_are_kept_and_lead_back_to_pages_of_this_server_alone(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        answer = await sent(client, "/preferences", {"language": "zh", "theme": "dark", "back": "/x"}, on="/")
        assert answer.headers["location"] == "/x"
        page = (await client.get("/")).text
        assert '<html lang="zh-Hans" data-theme="dark">' in page
        assert "智能体" in page
        for back in ("//evil.example", "https://evil.example", "/\\evil.example", "evil", "", "/\r\nX: y"):
            answer = await sent(client, "/preferences", {"back": back}, on="/")
            assert answer.headers["location"] == "/", back


async def test_what_is_not_there_is_told_in_the_readers_language(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server, language="zh-CN") as client:
        answer = await client.get("/agents/nobody/nothing")
        assert answer.status_code == 404
        assert "这里没有内容" in answer.text
        assert "Not Found" not in answer.text  # the line says it all
        assert (await client.get("/leave")).status_code == 405
        refused = await client.post("/", json={})
        assert refused.status_code == 415
        assert "a body must be a form" in refused.text


async def test_the_audit_log_tells_pages_by_their_kind(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        await client.get("/")
        assert client.base_url == BASE
    lines = (server.app.settings.data / "audit.jsonl").read_text()
    assert '"route": "/"' in lines
    assert server.owner not in lines


async def test_servers_at_two_ports_of_one_host_leave_each_other_s_sessions_alone(tmp_path: Path) -> None:
    here, there = {b"host": b"127.0.0.1:8420"}, {b"host": b"127.0.0.1:8421"}
    async with served(tmp_path) as server:
        one, two = sessions.Sessions(server.callers), sessions.Sessions(server.callers)
        kept = {
            sessions.cookie_name(here): await one.enter(server.owner, "127.0.0.1"),
            sessions.cookie_name(there): await two.enter(server.owner, "127.0.0.1"),
        }
        cookie = "; ".join(f"{name}={value}" for name, value in kept.items()).encode()
        await one.of({**here, b"cookie": cookie})
        await two.of({**there, b"cookie": cookie})
