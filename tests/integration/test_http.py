"""What is said, asked, corrected and forgotten over HTTP is what it is in the app."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.scope import Grant
from agentmem.runtime.facade import store_upkeep
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import AGENT, NOON, TENANT
from tests.support.served import Served, served

PHONE = {"person": "Tom", "text": "My phone number is 555-0142."}
TURNS = f"/v1/agents/{AGENT}/turns"


async def said(client: httpx.AsyncClient, text: str, **more: object) -> Any:
    """What came of a turn of Tom's."""
    answer = await client.post(TURNS, params={"wait": "read"}, json={"person": "Tom", "text": text, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_turn_is_taken_in_at_once_and_read_by_and_by(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, server.client() as client:
        taken = await client.post(TURNS, json={**PHONE, "end": True})
        assert taken.status_code == 202
        event = taken.json()["eventId"]
        assert (await client.get(f"/v1/events/{event}")).json() == {"state": "accepted", "reason": None}
        await server.app.drain()
        assert (await client.get(f"/v1/events/{event}")).json() == {"state": "indexed", "reason": None}
        found = await client.post("/v1/recall", json={"agent": AGENT, "query": "How do I reach Tom?", "about": "Tom"})
        assert "555-0142" in found.json()["hits"][0]["memory"]["content"]


async def test_who_waits_is_told_what_came_of_a_turn(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, server.client() as client:
        read = await said(client, PHONE["text"])
        assert [(change["act"], change["memory"]["value"]) for change in read["changes"]] == [("add", "555-0142")]
        newer = await said(client, "I have a new phone number: 555-0199.", end=True)
        assert {change["memory"]["storeStatus"] for change in newer["changes"]} == {"valid", "expired"}
        assert (await client.get(f"/v1/events/{newer['eventId']}")).json()["state"] == "indexed"


async def test_a_turn_repeated_under_its_key_is_the_same_turn(tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        keyed = {"Idempotency-Key": "42"}
        first, again = [await client.post(TURNS, json=PHONE, headers=keyed) for _ in range(2)]
        assert first.json()["eventId"] == again.json()["eventId"]
        assert (first.json()["duplicate"], again.json()["duplicate"]) == (False, True)
        other = await client.post(TURNS, json={**PHONE, "text": "something else"}, headers=keyed)
        assert (other.status_code, other.json()["code"]) == (422, "InvalidInput")


async def test_questions_are_answered_as_by_the_command_line(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, server.client() as client:
        await said(client, "I live in Oslo.")
        block = (await client.post("/v1/context", json={"agent": AGENT, "query": "Tom", "budget": 400})).json()
        assert "Oslo" in block["text"]
        assert block["budget"] == 400
        asked = {"agent": AGENT, "query": "Where does Tom live?", "about": "Tom"}
        reply = (await client.post("/v1/ask", json=asked)).json()
        assert "Oslo" in reply["answer"]
        assert reply["sources"][0]["memory"]["memoryId"]
        assert (await client.post("/v1/recall", json={**asked, "filter": {"kind": "nothing of the kind"}})).json()[
            "hits"
        ] == []


async def test_memories_are_listed_page_by_page_corrected_and_forgotten(tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    store = {"clock": clock}
    async with served(tmp_path, RulesCognition(), store=store) as server, server.client() as client:
        for text in ("I live in Oslo.", PHONE["text"]):
            await said(client, text)
        pages: list[str] = []
        cursor: str | None = ""
        while cursor is not None:
            given = {"agent": AGENT, "limit": "1", "type": "observation", **({"cursor": cursor} if cursor else {})}
            page = (await client.get("/v1/memories", params=given)).json()
            pages += [node["memoryId"] for node in page["memories"]]
            cursor = page["next"]
        assert len(set(pages)) == 2
        one = await client.get(f"/v1/memories/{pages[0]}")
        assert one.json()["evidence"][0]["words"] in PHONE["text"]
        edited = await client.patch(
            f"/v1/memories/{pages[0]}", json={"content": "Tom's phone is 1"}, headers={"If-Match": one.headers["ETag"]}
        )
        assert edited.json()["memory"]["content"] == "Tom's phone is 1"
        late = await client.patch(
            f"/v1/memories/{pages[0]}", json={"content": "x"}, headers={"If-Match": one.headers["ETag"]}
        )
        assert late.status_code == 412
        assert len((await client.get(f"/v1/memories/{pages[0]}/history")).json()["history"]) == 2
        clock.advance(timedelta(days=1))
        since = clock.now().isoformat()
        changed = await client.patch(f"/v1/memories/{pages[0]}", json={"content": "Tom's phone is 2", "since": since})
        new = changed.json()["memory"]
        assert (new["memoryId"] != pages[0], new["supersedes"]) == (True, [pages[0]])
        assert (await client.get(f"/v1/memories/{pages[0]}")).json()["memory"]["supersededBy"] == new["memoryId"]
        gone = (await client.delete(f"/v1/memories/{pages[0]}")).json()
        assert pages[0] in [node["memoryId"] for node in gone["forgotten"]]
        assert (await client.get(f"/v1/memories/{pages[0]}")).status_code == 404
        assert (await client.post("/v1/undo", json={"run": gone["run"]})).json()["blocked"] == []
        assert (await client.get(f"/v1/memories/{pages[0]}")).status_code == 200


async def test_forgetting_tells_before_and_leaves_nothing_behind(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, server.client() as client:
        await said(client, PHONE["text"])
        wish = {"agent": AGENT, "about": "Tom"}
        told = (await client.post("/v1/forget", json={**wish, "dryRun": True})).json()
        assert (told["done"], bool(told["forgotten"])) == (False, True)
        erased = (await client.post("/v1/forget", json={**wish, "erase": True})).json()
        assert (erased["done"], erased["erased"]) == (True, True)
        assert (await client.get("/v1/memories", params={"agent": AGENT})).json()["memories"] == []


async def test_an_agent_is_made_known_and_changed_by_whoever_knows_how_it_is(tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        made = await client.put("/v1/agents/ada", json={"id": "ada", "name": "Ada 😀"})
        assert (made.status_code, made.json()["name"]) == (201, "Ada 😀")
        yaml = {"Content-Type": "application/yaml"}
        changed = await client.put("/v1/agents/ada", content="id: ada\nname: Eva\n", headers=yaml)
        assert (changed.status_code, changed.json()["name"]) == (200, "Eva")
        as_told = await client.put("/v1/agents/ada", json=changed.json())
        assert (as_told.status_code, as_told.json()) == (200, changed.json())
        late = await client.put(
            "/v1/agents/ada", json={"id": "ada", "name": "Ida"}, headers={"If-Match": made.headers["ETag"]}
        )
        assert late.status_code == 412
        wrong = await client.put("/v1/agents/ada", content="id: ada\nname: Eva\nlanguage: fr\n", headers=yaml)
        assert wrong.json()["detail"].startswith("persona:3: language: ")
        other = await client.put("/v1/agents/eva", json={"id": "ada", "name": "Ada"})
        assert "must be 'eva'" in other.json()["detail"]
        assert [agent["id"] for agent in (await client.get("/v1/agents")).json()["agents"]] == ["ada", AGENT]


@pytest.mark.parametrize(("field", "value"), [("tools", ["os:system"]), ("knowledge", ["a.md"]), ("model", "openai:x")])
async def test_nobody_from_outside_names_what_runs_here(field: str, value: object, tmp_path: Path) -> None:
    persona = {"id": AGENT, "name": "A", field: value}
    async with served(tmp_path) as server:
        admin = await server.token({AGENT: [Grant.ADMIN]})
        async with server.client(admin) as client:
            refused = await client.put(f"/v1/agents/{AGENT}", json=persona)
            assert (refused.status_code, refused.json()["code"]) == (422, "InvalidInput")
        async with server.client() as client:
            assert (await client.put(f"/v1/agents/{AGENT}", json=persona)).status_code == 200
        async with server.client(admin) as client:
            assert (await client.put(f"/v1/agents/{AGENT}", json={**persona, "name": "B"})).status_code == 200


async def test_the_server_tells_whether_it_is_ready_and_what_it_counts(tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        await client.post(TURNS, json=PHONE)
        assert (await client.get("/readyz")).json() == {"status": "ready"}
        counted = (await client.get("/metrics")).text
        assert 'agentmem_requests_total{method="POST",route="/v1/agents/{agent}/turns",status="202"} 1.0' in counted
        assert 'agentmem_jobs{state="ready"} 1.0' in counted
        assert PHONE["text"] not in counted
        assert TENANT not in counted


async def test_the_audit_log_says_who_did_what_and_nothing_that_was_said(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, server.client() as client:
        await said(client, PHONE["text"])
        await client.post("/v1/recall", json={"agent": AGENT, "query": "555-0142"})
        file = server.app.settings.data / "audit.jsonl"
        lines = file.read_text()
        assert '"route": "/v1/agents/{agent}/turns"' in lines
        assert '"caller": "owner/' in lines
        assert "555-0142" not in lines
        assert server.owner not in lines
        assert file.stat().st_mode & 0o777 == 0o600


async def test_many_callers_at_once_are_all_answered(tmp_path: Path) -> None:
    async def one(server: Served, number: int) -> int:
        async with server.client() as client:
            body = {"person": f"P{number % 8}", "text": f"I like {number}."}
            return (await client.post(TURNS, json=body)).status_code

    async with served(tmp_path) as server:
        assert await asyncio.gather(*(one(server, number) for number in range(64))) == [202] * 64


async def test_what_is_not_understood_is_one_problem(tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        for wrong, code in (
            (client.get("/v1/nothing"), 404),
            (client.delete("/v1/recall"), 405),
            (client.post("/v1/recall", json={"agent": AGENT, "query": "x", "tenant": "globex"}), 422),
            (client.post("/v1/recall", content=b"[" * 100_000, headers={"Content-Type": "application/json"}), 400),
            (client.get("/v1/memories", params={"agent": AGENT, "cursor": "x"}), 422),
            (client.get("/v1/memories/nothing"), 404),
        ):
            answer = await wrong
            problem = answer.json()
            assert (answer.status_code, answer.headers["Content-Type"]) == (code, "application/problem+json")
            assert set(problem) == {"type", "title", "status", "code", "detail"}
            assert "\n" not in problem["detail"]


@pytest.mark.parametrize("known", [True, False], ids=["of a caller", "before the caller is known"])
async def test_a_fault_of_ours_tells_nothing_but_that_it_is_one_and_the_log_tells_what_it_was(
    tmp_path: Path, *, known: bool
) -> None:
    async with served(tmp_path) as server, server.client() as client:
        if known:
            object.__setattr__(server.app.opened, "recall", None)  # as no index there is
        else:
            object.__setattr__(server.program, "callers", None)
        with capture_logs([merge_contextvars]) as logs:
            answer = await client.post("/v1/recall", json={"agent": AGENT, "query": "secret words"})
        assert (answer.status_code, answer.json()["code"]) == (500, "InternalError")
        assert "NoneType" not in answer.text
        [fault] = [line for line in logs if line["event"] == "request_failed"]
        assert fault["request"] == answer.headers["x-request-id"]
        assert "secret words" not in str(logs)


async def test_several_turns_are_taken_in_all_or_none(tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        turns = [{"text": "I live in Oslo."}, {"text": "Noted.", "byAgent": True}]
        keyed = {"Idempotency-Key": "b"}
        batch = {"person": "Tom", "turns": turns, "end": True}
        first, again = [await client.post(f"{TURNS}/batch", json=batch, headers=keyed) for _ in range(2)]
        assert (first.status_code, len(first.json()["eventIds"])) == (202, 2)
        assert first.json()["eventIds"] == again.json()["eventIds"]
        wrong = await client.post(f"{TURNS}/batch", json={**batch, "turns": [*turns, {"text": "x\x00"}]})
        assert wrong.status_code == 422
        await server.app.drain()
        listed = (await client.get("/v1/memories", params={"agent": AGENT, "type": "conversation"})).json()
        assert len(listed["memories"]) == 2


async def test_agents_are_looked_after(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, server.client() as client:
        await said(client, "My friend Ann lives in Oslo.")
        assert (await client.get("/v1/queue")).json()["dead"] == 0
        assert (await client.get("/v1/dead")).json() == {"dead": [], "next": None}
        assert (await client.post("/v1/dead/retry", json={"jobs": ["x"]})).json() == {"jobs": 0}
        previewed = await client.post(f"/v1/agents/{AGENT}/reflect", json={"dryRun": True})
        assert (previewed.status_code, previewed.json()["runs"]) == (200, [])
        assert (await client.post(f"/v1/agents/{AGENT}/reflect", json={})).status_code == 200
        await server.app.drain()
        drawn = await client.get(f"/v1/agents/{AGENT}/graph", params={"entity": "Oslo"})
        assert "Ann" in "".join(drawn.json()["graph"])
        way = await client.get(f"/v1/agents/{AGENT}/graph/path", params={"one": "Ann", "other": "Oslo"})
        assert way.json()["names"] == ["Ann", "Oslo"]
        cloned = await client.post(f"/v1/agents/{AGENT}/clone", json={"newId": "twin"})
        assert cloned.status_code == 201
        assert (await client.post(f"/v1/agents/{AGENT}/clone", json={"newId": "twin"})).status_code == 200
        assert (await client.get("/v1/memories", params={"agent": "twin"})).json()["memories"]
        assert (await client.delete("/v1/agents/twin")).status_code == 204
        assert (await client.get("/v1/agents/twin")).status_code == 404


async def test_what_was_given_up_is_listed_page_by_page_and_each_may_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_upkeep, "PAGE", 2)
    async with served(tmp_path) as server, server.client() as client:
        for number in range(5):
            turn = {"person": f"Person {number}", "text": "Hello."}
            await client.post(f"/v1/agents/{AGENT}/turns", json=turn)
        while (claim := await server.app.journal.queue.claim({"conversation": 1})) is not None:
            await server.app.journal.queue.fail(claim, claim.jobs[0].job_id, reason="no", retry_in=None)
        told, cursor = list[str](), None
        while cursor is not None or not told:
            asked = {"limit": 2} if cursor is None else {"limit": 2, "cursor": cursor}
            page = (await client.get("/v1/dead", params=asked)).json()
            told += [each["jobId"] for each in page["dead"]]
            cursor = page["next"]
        assert len(set(told)) == len(told) == 5
        assert (await client.post("/v1/dead/retry", json={"jobs": told})).json() == {"jobs": 5}


async def test_letters_that_the_caller_may_not_see_are_passed_over_by_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(tmp_path) as server:
        letters, read, pages = server.app.journal.dead, type(server.app.journal.dead).dead, list[int]()

        async def counted(*given: Any, **named: Any) -> Any:
            pages.append(named["limit"])
            return await read(*given, **named)

        async with server.client() as client:
            for number in range(5):
                await client.post(TURNS, json={"person": f"Person {number}", "text": "Hello."})
        while (claim := await server.app.journal.queue.claim({"conversation": 1})) is not None:
            await server.app.journal.queue.fail(claim, claim.jobs[0].job_id, reason="no", retry_in=None)
        monkeypatch.setattr(store_upkeep, "PAGE", 3)
        monkeypatch.setattr(type(letters), "dead", counted)
        async with server.client(await server.token({"other": [Grant.ADMIN]})) as client:
            assert (await client.get("/v1/dead", params={"limit": 1})).json() == {"dead": [], "next": None}
        assert pages == [3, 3, 3]
