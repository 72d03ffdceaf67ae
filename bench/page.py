"""What each page costs where an agent holds 100,000 memories: `python -m bench.page`.

Half of them are about one person. Processor time of the whole request, the server's guard included, and the size of
the page; the first asking of each page is told beside the median of those after it. The server has prepared itself, as
`agentmem serve` does in the seconds after its start. `python -m bench.page COUNT` measures another size.
"""

import asyncio
import gc
import random
import re
import sys
import tempfile
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final

import httpx

from agentmem.assets.document_record import new_record
from agentmem.domain.change import Change
from agentmem.domain.entity import graph_lane, named
from agentmem.domain.event import AssetReceived
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode, MemoryType, microseconds
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane, Scope
from agentmem.interfaces.http.api import guarded
from agentmem.interfaces.http.audit import Audit
from agentmem.interfaces.http.callers import Callers
from agentmem.interfaces.http.serving import prepare
from agentmem.ports.ledger import Commit
from agentmem.ports.work_queue import NewJob
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import ServerSettings, Settings
from agentmem.runtime.facade.app import App
from bench.dialogue import AGENT, START, TENANT, memories, target
from bench.machine import command, describe, load
from bench.recall import fill

COUNT, PEOPLE, RUNS, ENTITIES, DOCUMENTS, GIVEN_UP, ASKED = 100_000, 200, 300, 2_000, 300, 300, 7
FORGOTTEN, PIECES = 1_000, 1_000
BASE: Final = "http://127.0.0.1:8420"
ATTRIBUTES: Final = ("phone", "city", "employer", "need", "budget", "plan")
LIMIT_MS, LIMIT_KB = 300, 200
_CSRF: Final = re.compile(r'name="csrf" value="([^"]+)"')


def known(count: int) -> Iterator[MemoryNode]:
    """Turns, what was made of them, some of it ended, what documents say, and entities. Half are of the first
    person."""
    dice = random.Random(9)
    for number, node in enumerate(memories(count, PEOPLE)):
        whom = {} if number % 2 else {"target_id": target(0), "target_name": "客户0", "run_id": f"talk-{number // 400}"}
        match number % 10:
            case 0 | 1 | 2 | 3 | 4 | 5:
                what = {"memory_type": MemoryType.CONVERSATION, "meta_data": {"turnIndex": number}}
            case 6 | 7:
                names = whom.get("target_id", node.target_id), thing(dice.randrange(1, ENTITIES))
                what = {"attribute": dice.choice(ATTRIBUTES), "value": node.content, "entity_ids": names}
            case 8:
                what = {"memory_type": MemoryType.INSIGHT}
            case _:
                what = {"memory_type": MemoryType.LONGTERM, "target_id": graph_lane(TENANT, AGENT).target}
        made = node.model_copy(update={**whom, **what})
        over = number % 10 in (7, 9) and number % 3 == 0
        yield made.ended(at=made.valid_at + timedelta(days=1), now=made.valid_at) if over else made


def thing(number: int) -> str:
    """The id of what memories name."""
    return named(TENANT, AGENT, f"Thing {number}")


def entities() -> Iterator[MemoryNode]:
    """Whom and what memories are about."""
    lane = graph_lane(TENANT, AGENT)
    for number, node in enumerate(memories(ENTITIES, 1)):
        name = f"Thing {number}" if number else "客户0"
        key = thing(number) if number else target(0)
        changed = {"memory_id": key, "value": name, "content": name}
        where = {"target_id": lane.target, "memory_type": MemoryType.ENTITY, "kind": "thing", "key": (name,)}
        yield node.model_copy(update={**changed, **where})


def documents() -> Iterator[MemoryNode]:
    """What is kept of each document that was read."""
    for number in range(DOCUMENTS):
        asset = AssetReceived(
            event_id=f"file/{number}",
            tenant=TENANT,
            agent_id=AGENT,
            agent_name="小美",
            target_id=graph_lane(TENANT, AGENT).target,
            at=START,
            asset_id=f"upload/{number}.md",
            version=f"{number:064x}",
            title=f"Guide {number}",
            source=f"upload/{number}.md",
            media_type="text/markdown",
            text="A guide.",
        )
        yield new_record(asset, [derived_id("piece", number)], [], START, microseconds(START) + number)


async def reflected(app: App) -> None:
    """Runs of reflection, each of which looked at what another person said."""
    ledger = app.journal.ledger
    for number in range(RUNS):
        ids = [derived_id("bench", each) for each in range(number * 100 + 6, number * 100 + 86, 10)]
        held = await ledger.get(TENANT, ids)
        changes = tuple(
            Change(act="reflect", before=node, after=node.revised(obs_reflected=1), reason="reflected on")
            for node in held.values()
        )
        await ledger.commit(Commit(TENANT, f"reflection-{number}", "reflection", START, changes))
    await app.searchable.projector.catch_up()


async def forgotten(app: App, count: int) -> None:
    """Memories of the first person that were forgotten, ten at a time."""
    ledger = app.journal.ledger
    ids = [derived_id("bench", each) for each in range(0, count, 2) if each % 10 in (6, 8)][-FORGOTTEN:]
    for run in range(0, len(ids), 10):
        held = await ledger.get(TENANT, ids[run : run + 10])
        changes = tuple(Change(act="forget", before=node, after=node.forgotten()) for node in held.values())
        await ledger.commit(Commit(TENANT, f"forget-{run}", "forget", START, changes))
    await app.searchable.projector.catch_up()


async def renewed(app: App) -> None:
    """Another version of the first document, of which no piece stayed; its pieces are told by what documents say."""
    ids = [derived_id("bench", each) for each in range(9, 10 * 2 * PIECES, 10)]
    before = next(documents())
    first = before.revised(meta_data={**before.meta_data, "pieces": ids[:PIECES]}, revision=2)
    later = {**first.meta_data, "pieces": ids[PIECES:], "assetVersion": f"{1:064x}"}
    after = first.revised(meta_data=later, revision=3)
    for number, (old, new) in enumerate(((before, first), (first, after))):
        change = Change(act="refresh", before=old, after=new)
        await app.journal.ledger.commit(Commit(TENANT, f"version-{number}", "ingest", START, (change,)))


async def given_up(app: App) -> None:
    """Jobs that failed for good."""
    queue, scope = app.journal.queue, Scope(TENANT, AGENT)
    lanes = [Lane(TENANT, AGENT, target(number % PEOPLE)) for number in range(GIVEN_UP)]
    await queue.enqueue([NewJob(f"job/{number}", lane, "bench", number) for number, lane in enumerate(lanes)])
    while claim := await queue.claim({"bench": 1}, scope=scope):
        await queue.fail(claim, claim.jobs[0].job_id, reason="BadAnswer in read_window", retry_in=None)


@asynccontextmanager
async def visited(app: App, folder: Path) -> AsyncGenerator[httpx.AsyncClient]:
    """A browser without scripts, which has entered as the owner."""
    chosen = ServerSettings()
    secret = (await app.tokens.create("owner", {}, for_owner=True)).secret
    callers, audit = Callers(app, chosen, asyncio.Event()), Audit(folder, app.clock)
    with audit.opened():
        async with guarded(chosen, callers, audit) as program:
            transport = httpx.ASGITransport(program, client=("127.0.0.1", 1))
            headers = {"Origin": BASE, "Accept-Language": "en"}
            async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as client:
                await client.post("/enter", data={"token": secret})
                yield client


async def pages(client: httpx.AsyncClient) -> Mapping[str, str]:
    """By name where each page is."""
    agent, most, few = f"/agents/{AGENT}", target(0), target(1)
    csrf = _CSRF.search((await client.get(f"{agent}/recall")).text)
    assert csrf is not None
    guide = f"{agent}/documents/{next(documents()).memory_id}"
    version = re.search(rf'href="({guide}\?version=\d+)#text"', (await client.get(guide)).text)
    assert version is not None
    asked: dict[str, str] = {}
    for name in ("recall", "ask", "context"):
        for whom, about in (("", ""), (" of one person", "客户0")):
            form = {"csrf": csrf[1], "question": "预算大概多少,升级哪里的系统?", "about": about}
            asked[name + whom] = (await client.post(f"{agent}/{name}", data=form)).headers["location"]
    return {
        "agents": "/",
        "agent": agent,
        "memories": f"{agent}/memories",
        "memories of a layer": f"{agent}/memories?layer=insight",
        "memories of one person": f"{agent}/memories?person={most}",
        "person with half of all": f"{agent}/people/{most}",
        "the same, as of a day": f"{agent}/people/{most}?day={START.toordinal() + 30}",
        "person with few": f"{agent}/people/{few}",
        "conversation": f"{agent}/people/{most}/talk?run=talk-1",
        "memory": f"/memories/{derived_id('bench', 6)}",
        "graph": f"{agent}/graph",
        "graph around an entity": f"{agent}/graph/{most}?hops=3",
        "reflection": f"{agent}/reflection",
        "a run of it": f"{agent}/reflection/reflection-7",
        "queue": f"{agent}/queue",
        "documents": f"{agent}/documents",
        "a version of one": version[1],
        "forgotten": f"{agent}/forgotten",
        "talk": f"{agent}/talk",
        **asked,
    }


async def measure(count: int) -> None:
    """Each page of an agent with so many memories, of a server that was started on them."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(tenant=TENANT, data=Path(folder))
        async with open_app(settings) as app:
            await app.know_agent(Persona(id=AGENT, name="小美"))
            await fill(app, (*entities(), *documents(), *known(count)))
            await reflected(app)
            await given_up(app)
            await forgotten(app, count)
            await renewed(app)
        async with open_app(settings) as app:
            begun = process_time()
            app.cognition.ready()
            await prepare()
            print(f"prepared in {process_time() - begun:.1f} s of processor", flush=True)
            gc.collect()
            gc.freeze()
            async with visited(app, Path(folder)) as client:
                for name, path in (await pages(client)).items():
                    await _told(client, name, path)


async def _told(client: httpx.AsyncClient, name: str, path: str) -> None:
    spent: list[float] = []
    size = status = 0
    for _ in range(ASKED):
        begun = process_time()
        answer = await client.get(path)
        spent.append((process_time() - begun) * 1e3)
        size, status = len(answer.content), answer.status_code
    over = " <- over" if max(spent[0], median(spent[1:])) > LIMIT_MS or size > LIMIT_KB * 1_000 else ""
    told = f"{name:26} {median(spent[1:]):7.1f} ms   at first {spent[0]:7.1f} ms   {size / 1e3:6.1f} kB"
    print(f"{told}   {status}{over}", flush=True)


if __name__ == "__main__":
    print(command(), f"; load {load():.1f} on", describe(), flush=True)
    asyncio.run(measure(int(sys.argv[1]) if sys.argv[1:] else COUNT))
