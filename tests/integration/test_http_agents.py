"""Agents over HTTP: sensors, documents, files, hires, the graph and reflections, as the command line has them."""

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Semaphore, current_thread, main_thread

import pytest

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.agents.bundle.bundle_reader import Bundle, Verify
from agentmem.domain.persona import HirePolicy
from agentmem.domain.scope import Grant, Principal
from agentmem.errors import InvalidInput
from agentmem.interfaces.http.api import routes
from agentmem.interfaces.http.transfers import transfer
from agentmem.runtime.facade import bundles, graphs
from agentmem.runtime.host.services import MAX_SENT_AT_ONCE
from tests.support.nodes import AGENT, TENANT
from tests.support.served import served
from tests.support.spine import quiet_persona

HERE = f"/v1/agents/{AGENT}"
BYTES = {"Content-Type": "application/octet-stream"}
GUIDE = "# Guide\n\nThe basic plan costs 300 a month.\n"


def left_in(folder: Path) -> list[Path]:
    """Files on their way that are still there."""
    return list(folder.glob(".transfer-*"))


async def test_what_sensors_read_becomes_a_memory(tmp_path: Path) -> None:
    readings = [{"sensor": "heart", "reading": 72, "unit": "bpm"}, {"sensor": "heart", "reading": 75, "unit": "bpm"}]
    async with served(tmp_path) as server, server.client() as client:
        asked = {"person": "Tom", "readings": readings}
        keyed = {"Idempotency-Key": "1"}
        first, again = [await client.post(f"{HERE}/percepts", json=asked, headers=keyed) for _ in range(2)]
        assert (first.status_code, len(first.json()["eventIds"])) == (202, 2)
        assert first.json() == again.json()
        await server.app.drain()
        event = first.json()["eventIds"][1]
        assert (await client.get(f"/v1/events/{event}")).json()["state"] in ("read", "indexed")
        found = await client.get("/v1/memories", params={"agent": AGENT, "about": "Tom", "type": "perceptual"})
        assert "75" in found.json()["memories"][0]["content"]
        for place in ({"latitude": 91, "longitude": 1}, {"latitude": 1}, {"longitude": 1}):
            wrong = {"person": "Tom", "readings": [{"sensor": "heart", "reading": 1, **place}]}
            assert (await client.post(f"{HERE}/percepts", json=wrong)).status_code == 422


async def test_a_document_is_read_in_versions_and_ended(tmp_path: Path) -> None:
    named = {"agent": AGENT, "name": "guide.md"}
    async with served(tmp_path) as server, server.client() as client:
        sent = await client.post("/v1/documents", params=named, content=GUIDE, headers=BYTES)
        assert sent.status_code == 202, sent.text
        twice = await client.post("/v1/documents", params=named, content=GUIDE, headers=BYTES)
        assert twice.json()["eventId"] == sent.json()["eventId"]
        await server.app.drain()
        assert (await client.get(f"/v1/events/{sent.json()['eventId']}")).json()["state"] == "indexed"
        again = await client.post("/v1/documents", params=named, content=GUIDE, headers=BYTES)
        assert (again.status_code, again.json()["eventId"]) == (200, None)
        newer = await client.post("/v1/documents", params=named, content=GUIDE.replace("300", "400"), headers=BYTES)
        await server.app.drain()
        (listed,) = (await client.get("/v1/documents", params={"agent": AGENT})).json()["documents"]
        assert (listed["id"], listed["name"], listed["title"]) == (sent.json()["id"], "upload/guide.md", "Guide")
        known = (await client.get(f"/v1/documents/{listed['id']}")).json()
        assert [each["version"] for each in known["versions"]] == [sent.json()["version"], newer.json()["version"]]
        found = await client.post("/v1/recall", json={"agent": AGENT, "query": "What does the basic plan cost?"})
        assert "400" in found.json()["hits"][0]["memory"]["content"]
        assert (await client.delete(f"/v1/documents/{listed['id']}")).status_code == 202
        await server.app.drain()
        empty = await client.post("/v1/documents", params=named, content=b"", headers=BYTES)
        assert (empty.status_code, "holds no text" in empty.text) == (422, True)
        await server.app.drain()
        assert (await client.get(f"/v1/documents/{listed['id']}")).json()["document"]["pieces"] == 0
        assert (await client.delete(f"/v1/documents/{listed['id']}")).json() == {"eventId": None}
        assert left_in(tmp_path) == []


async def test_a_document_that_cannot_be_read_is_one_problem(tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        for name, content in (("a.exe", b"x"), ("a.pdf", b"no pdf"), ("a.json", b"{")):
            answer = await client.post(
                "/v1/documents", params={"agent": AGENT, "name": name}, content=content, headers=BYTES
            )
            assert answer.status_code == 422, (name, answer.text)
            assert str(tmp_path) not in answer.text
        large = b"x" * (32 * 1024 * 1024 + 1)
        params = {"agent": AGENT, "name": "a.md"}
        assert (await client.post("/v1/documents", params=params, content=large, headers=BYTES)).status_code == 413


async def test_only_what_its_owner_sends_counts_as_his(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        writer = await server.token({AGENT: [Grant.READ, Grant.WRITE]})
        for secret, trust in ((server.owner, "owner"), (writer, "principal")):
            async with server.client(secret) as client:
                named = {"agent": AGENT, "name": f"{trust}.md"}
                sent = await client.post("/v1/documents", params=named, content=GUIDE, headers=BYTES)
                await server.app.drain()
                known = (await client.get(f"/v1/documents/{sent.json()['id']}")).json()
                assert known["document"]["trust"] == trust


async def test_an_agent_goes_into_a_file_and_comes_out_of_it(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, server.client() as client:
        await client.post(
            f"{HERE}/turns", params={"wait": "read"}, json={"person": "Tom", "text": "I live in Oslo.", "end": True}
        )
        await server.app.drain()
        file = await client.post(f"/v1/bundles/{AGENT}")
        assert (file.status_code, file.headers["Content-Type"]) == (200, "application/zip")
        assert file.headers["Content-Disposition"] == f'attachment; filename="{AGENT}.zip"'
        assert "manifest.json" in zipfile.ZipFile(io.BytesIO(file.content)).namelist()
        markdown = await client.post(f"/v1/bundles/{AGENT}", params={"format": "markdown"})
        assert "Oslo" in markdown.text
        card = await client.post(f"/v1/bundles/{AGENT}", params={"format": "card"})
        assert card.json()["spec"] == "chara_card_v3"
        made = await client.post("/v1/bundles", params={"as": "twin"}, content=file.content, headers=BYTES)
        assert (made.status_code, made.json()["agent"]["id"], made.json()["trusted"]) == (201, "twin", False)
        listed = await client.get("/v1/memories", params={"agent": "twin", "type": "observation"})
        assert "Oslo" in listed.json()["memories"][0]["content"]
        foreign = await client.post("/v1/bundles", params={"as": "card"}, json=card.json())
        assert foreign.json()["format"].startswith("chara")
        assert left_in(tmp_path) == []


async def test_files_are_looked_at_beside_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[bool] = []
    swept, unpacked = Path.glob, bundles.open_bundle

    def sweeping(folder: Path, pattern: str) -> Iterator[Path]:
        looked.append(current_thread() is main_thread())
        return swept(folder, pattern)

    @contextmanager
    def opening(file: Path, verify: Verify, *, signer: str | None = None) -> Generator[Bundle]:
        looked.append(current_thread() is main_thread())
        with unpacked(file, verify, signer=signer) as bundle:
            yield bundle

    async with served(tmp_path) as server, server.client() as client:
        monkeypatch.setattr(Path, "glob", sweeping)
        monkeypatch.setattr(bundles, "open_bundle", opening)
        file = await client.post(f"/v1/bundles/{AGENT}")
        await client.post("/v1/bundles", params={"as": "twin"}, content=file.content, headers=BYTES)
        assert looked == [False, False, False]


async def test_no_more_documents_are_in_memory_than_are_allowed(tmp_path: Path) -> None:
    begun, free = Semaphore(0), Event()

    def raw() -> bytes:
        begun.release()
        free.wait(10)
        return GUIDE.encode()

    async with served(tmp_path) as server, asyncio.TaskGroup() as tasks:
        for number in range(MAX_SENT_AT_ONCE + 2):
            tasks.create_task(server.app.library.take_in(AGENT, f"{number}.md", raw))
        came = [await asyncio.to_thread(begun.acquire, timeout=10) for _ in range(MAX_SENT_AT_ONCE)]
        one_more = await asyncio.to_thread(begun.acquire, timeout=0.2)
        free.set()
    assert (all(came), one_more) == (True, False)


@pytest.mark.parametrize("name", ["guide", "guide.exe", "gu\nide.md", f"{'g' * 180}.md", "../\x00.md"])
async def test_a_document_has_a_name_that_says_what_it_is_wherever_it_comes_from(tmp_path: Path, name: str) -> None:
    async with served(tmp_path) as server:
        with pytest.raises(InvalidInput, match=r"^name: "):
            await server.app.library.take_in(AGENT, name, GUIDE.encode())


async def test_what_is_no_agent_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        for content in (b"", b"{}", b"PK\x03\x04 and no more", b"[" * 100_000, b"\x89PNG\r\n\x1a\n"):
            answer = await client.post("/v1/bundles", content=content, headers=BYTES)
            assert (answer.status_code, answer.json()["code"]) == (422, "InvalidInput"), answer.text
            assert str(tmp_path) not in answer.text
        assert (await client.post("/v1/bundles", params={"as": "../x"}, json={})).status_code == 422
        assert [agent["id"] for agent in (await client.get("/v1/agents")).json()["agents"]] == [AGENT]
        assert left_in(tmp_path) == []


async def test_an_agent_of_another_tenant_is_hired_and_given_back(tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        policy = HirePolicy(layers=("longterm",))  # pyright: ignore[reportArgumentType] - as YAML has it
        globex = server.app.for_principal(Principal.owner("globex"))
        await globex.know_agent(quiet_persona().revised(id="expert", hire=policy))
        await globex.library.take_in("expert", "guide.md", GUIDE.encode())
        await server.app.drain()
        wish = {"newId": "ours", "fromTenant": "globex"}
        seen = await client.post("/v1/agents/expert/hire", json={**wish, "dryRun": True})
        assert (seen.status_code, seen.json()["hired"], seen.json()["goes"]) == (200, False, {"longterm": 1})
        assert (await client.get("/v1/agents/ours")).status_code == 404
        first, again = [await client.post("/v1/agents/expert/hire", json=wish) for _ in range(2)]
        assert (first.status_code, again.status_code) == (201, 200)
        assert (first.json()["new"], again.json()["new"]) == (True, False)
        assert first.json()["lineage"]["tenant"] == TENANT
        gone = await client.post("/v1/agents/ours/release")
        assert (gone.status_code, gone.json()["released"]) == (200, True)
        assert (await client.get("/v1/agents/ours")).status_code == 404
        assert (await client.post(f"{HERE}/release")).status_code == 404


async def test_an_agent_that_is_there_is_told_without_an_option_of_the_command_line(tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        file = await client.post(f"/v1/bundles/{AGENT}")
        refused = await client.post("/v1/bundles", content=file.content, headers=BYTES)
        assert refused.status_code == 422
        assert "here already" in refused.text
        assert "--as" not in refused.text


async def test_a_file_takes_as_long_as_its_pieces_go_on_coming(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(tmp_path) as server, server.client() as client:
        file = (await client.post(f"/v1/bundles/{AGENT}")).content
        loop = asyncio.get_running_loop()
        began, passed = loop.time, 0.0
        monkeypatch.setattr(loop, "time", lambda: began() + passed)

        async def pieces() -> AsyncGenerator[bytes]:
            nonlocal passed
            for at in range(3):
                passed += server.program.options.request_seconds / 2
                await asyncio.sleep(0)
                yield file[at * len(file) // 3 : (at + 1) * len(file) // 3]

        made = await client.post("/v1/bundles", params={"as": "twin"}, content=pieces(), headers=BYTES)
        assert made.status_code == 201


async def test_a_folder_that_goes_while_it_is_looked_at_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def listed(folder: Path, _pattern: str) -> Iterator[Path]:
        yield folder / ".transfer-gone"

    monkeypatch.setattr(Path, "glob", listed)
    async with transfer(tmp_path, "file") as place:
        assert place.parent.is_dir()


async def test_a_graph_that_is_too_large_is_not_drawn_in_one_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(tmp_path, RulesCognition()) as server, server.client() as client:
        told = {"person": "Tom", "text": "My friend Ann lives in Oslo."}
        await client.post(f"{HERE}/turns", params={"wait": "read"}, json=told)
        await server.app.drain()
        monkeypatch.setattr(graphs, "MAX_EDGES", 0)
        refused = await client.get(f"{HERE}/graph/export")
        assert refused.status_code == 422
        assert "the graph has more than 0 edges" in refused.text
        assert (await client.get(f"{HERE}/graph/neighbourhood", params={"entity": "Ann"})).status_code == 200


async def test_the_graph_is_walked_now_and_as_of_earlier(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, server.client() as client:
        for text in ("My friend Ann lives in Oslo.", "My friend Bob works at Initech.", "Ann lives in Bergen."):
            await client.post(f"{HERE}/turns", params={"wait": "read"}, json={"person": "Tom", "text": text})
        await server.app.drain()
        at = {"entity": "Ann", "hops": 1}
        near = (await client.get(f"{HERE}/graph/neighbourhood", params=at)).json()
        names = [name for each in near["entities"] for name in each["names"]]
        assert ("Bergen" in names, "Oslo" in names) == (True, False)
        assert "Initech" not in json.dumps(near)
        far = (await client.get(f"{HERE}/graph/neighbourhood", params={"entity": "Ann", "hops": 3})).json()
        assert len(far["entities"]) >= len(near["entities"])
        assert (near["more"], far["more"]) == (False, False)
        few = (await client.get(f"{HERE}/graph/neighbourhood", params={**at, "limit": 1})).json()
        assert (len({each["memoryId"] for each in few["links"]}) <= 1, few["more"]) == (True, True)
        early = await client.get(f"{HERE}/graph/neighbourhood", params={**at, "asOf": "2020-01-01T00:00:00Z"})
        assert early.status_code == 404
        assert "<graphml" in (await client.get(f"{HERE}/graph/export")).text
        linked = (await client.get(f"{HERE}/graph/export", params={"format": "jsonld"})).json()
        assert "Bergen" in json.dumps(linked)
        empty = (await client.get(f"{HERE}/graph/export", params={"asOf": "2020-01-01T00:00:00Z"})).text
        assert "Bergen" not in empty
        assert "communities" in (await client.get(f"{HERE}/graph/communities")).json()


async def test_reflections_are_listed_looked_at_and_taken_back(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, server.client() as client:
        for text in ("I live in Oslo.", "I like tea.", "I like coffee.", "I work at Initech."):
            await client.post(f"{HERE}/turns", params={"wait": "read"}, json={"person": "Tom", "text": text})
        made = (await client.post(f"{HERE}/reflect", json={})).json()["runs"]
        listed = (await client.get(f"{HERE}/reflections", params={"about": "Tom"})).json()
        assert {each["run"] for each in listed["runs"]} >= {each["run"] for each in made}
        assert listed["runs"]
        page = (await client.get(f"{HERE}/reflections", params={"limit": 1})).json()
        assert page["next"] is not None
        run = listed["runs"][0]["run"]
        changed = (await client.get(f"/v1/runs/{run}")).json()["changes"]
        assert sum(listed["runs"][0]["acts"].values()) == len(changed)
        assert {each["act"] for each in changed} == set(listed["runs"][0]["acts"])
        paged, cursor = list[object](), "0"
        while cursor is not None:
            asked = {"limit": 1, "cursor": cursor}
            part = (await client.get(f"/v1/runs/{run}", params=asked)).json()
            assert len(part["changes"]) <= 1
            paged, cursor = [*paged, *part["changes"]], part["next"]
        assert paged == changed
        taken = await client.post("/v1/undo", json={"run": run})
        assert (taken.status_code, taken.json()["run"] is not None) == (200, True)
        assert (await client.get("/v1/runs/no such run")).status_code == 404


async def test_an_answer_comes_as_events_with_its_sources_and_the_way_to_it(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, server.client() as client:
        said = {"person": "Tom", "text": "I live in Oslo."}
        await client.post(f"{HERE}/turns", params={"wait": "read"}, json=said)
        asked = {"agent": AGENT, "query": "Where does Tom live?", "about": "Tom"}
        plain = (await client.post("/v1/ask", json=asked)).json()
        streamed = await client.post("/v1/ask", json=asked, params={"stream": True})
        assert streamed.headers["Content-Type"].startswith("text/event-stream")
        parts = [part.split("\n") for part in streamed.text.strip().split("\n\n")]
        events = [(part[0].removeprefix("event: "), json.loads(part[1].removeprefix("data: "))) for part in parts]
        kinds = [kind for kind, _ in events]
        assert kinds == ["begun", *["step"] * len(plain["trace"]), *["source"] * len(plain["sources"]), "done"]
        assert events[-1][1]["answer"] == plain["answer"]
        accepting = await client.post("/v1/ask", json=asked, headers={"Accept": "text/event-stream"})
        assert accepting.text.startswith("event: begun")
        missing = await client.post("/v1/ask", json={**asked, "about": "Nobody"}, params={"stream": True})
        assert missing.status_code == 404


def test_every_body_in_json_has_an_example() -> None:
    document = routes().openapi()
    without: list[str] = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            schema = body.get("schema", {})
            named = document["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], schema)
            if schema and not (named.get("examples") or "example" in body):
                without.append(f"{method.upper()} {path}")
    assert without == []
