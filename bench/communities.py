"""Grouping an agent's memories into communities, from nothing, without news, and when one memory comes:
`python -m bench.communities [MEMORIES] [ENTITIES]`.

Entities live in neighbourhoods of about ten; nine facts in ten stay within one, and one fact in twenty names a product
that everybody uses. Everything goes through the keeper the workers use and a journal in SQLite.
"""

import asyncio
import random
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time

from agentmem.adapters.journal.journal import SqlJournal
from agentmem.domain.change import Change
from agentmem.domain.entity import Mention, graph_lane, named, with_mentions
from agentmem.domain.ids import TimestampGenerator, derived_id
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.graph.communities.clusters import links_of, propagate
from agentmem.graph.communities.community_keeper import WORKER, CommunityKeeper, grouping_anew
from agentmem.graph.communities.drafts import GraphReader
from agentmem.graph.feed import refresh_job
from agentmem.ports.ledger import Commit
from agentmem.ports.models import Summariser
from agentmem.ports.work_queue import NewJob
from bench.dialogue import AGENT, START, TENANT, memories
from bench.machine import command, describe

MEMORIES, ENTITIES, NEAR = 100_000, 20_000, 10
HUB = "Everyware"


def linked(count: int, entities: int, dice: random.Random) -> Iterator[MemoryNode]:
    """Memories that each name two entities."""
    for node in memories(count, 1):
        one = dice.randrange(entities)
        near = one - one % NEAR + dice.randrange(NEAR)
        other = dice.randrange(entities) if dice.random() < 0.1 else min(near, entities - 1)
        yield told(node, f"Name{one}", HUB if dice.random() < 0.05 else f"Name{other}", pair=dice.random() < 0.3)


def told(node: MemoryNode, one: str, other: str, *, pair: bool) -> MemoryNode:
    """The memory, about one and the other."""
    ids = tuple(dict.fromkeys(named(node.tenant, node.agent_id, name) for name in (one, other)))
    meta = with_mentions((Mention(name=other),))
    relation = "USES" if pair and len(ids) == 2 else None
    return node.revised(entity_ids=ids, target_id=ids[0], target_name=one, relation=relation, meta_data=meta)


def entity(name: str, node: MemoryNode) -> MemoryNode:
    """The stored entity of that name."""
    return node.revised(
        memory_id=named(node.tenant, node.agent_id, name),
        memory_type=MemoryType.ENTITY,
        target_id=graph_lane(node.tenant, node.agent_id).target,
        entity_ids=(),
        relation=None,
        content=f"{name}: {node.content}",
        value=name,
        key=(name,),
    )


async def _no_model() -> Summariser | None:
    return None


async def fill(journal: SqlJournal, count: int, entities: int) -> list[MemoryNode]:
    """Memories and entities into the ledger; the memories."""
    nodes = list(linked(count, entities, random.Random(5)))
    names = [*(f"Name{number}" for number in range(entities)), HUB]
    stored = [*nodes, *(entity(name, nodes[number % count]) for number, name in enumerate(names))]
    for first in range(0, len(stored), 1_000):
        changes = tuple(Change(act="add", after=node) for node in stored[first : first + 1_000])
        await journal.ledger.commit(Commit(TENANT, f"fill-{first}", "bench", START, changes))
    return nodes


class Watch:
    """Prints how long each part took, on the wall and on the processors."""

    def __init__(self) -> None:
        self._since = perf_counter(), process_time()

    def start(self) -> None:
        """From now on."""
        self._since = perf_counter(), process_time()

    def stop(self, part: str, more: str = "") -> None:
        """Until now; the next part begins."""
        wall, busy = perf_counter() - self._since[0], process_time() - self._since[1]
        print(f"  {part:22}  {wall:7.2f} s   processor {busy:7.2f} s{more}", flush=True)
        self.start()


async def work(journal: SqlJournal, keeper: CommunityKeeper, job: NewJob, watch: Watch, part: str) -> None:
    """One job, from the claim to the commit."""
    await journal.queue.enqueue([job])
    claim = await journal.queue.claim({job.worker: 1})
    assert claim is not None
    watch.start()
    done = await keeper.keep(claim)
    await journal.queue.finish(claim, done)
    watch.stop(part, f"   {len(done.commit.changes) if done.commit else 0} written")


async def measure(count: int, entities: int) -> None:
    """Group, group again, take one in."""
    with tempfile.TemporaryDirectory() as folder:
        async with SqlJournal(f"sqlite:///{Path(folder) / 'journal.db'}", routes={}) as journal:
            nodes = await fill(journal, count, entities)
            before, watch = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, Watch()
            _, facts = await GraphReader(journal.ledger, TENANT, AGENT).everything()
            watch.stop("reading all")
            links = links_of(facts)
            watch.stop("links")
            propagate(links, seed=AGENT)
            watch.stop("label propagation")
            keeper = CommunityKeeper(journal.ledger, journal.queue, TimestampGenerator(0), lambda: START, _no_model)
            for part in ("from nothing", "without news"):
                await work(journal, keeper, grouping_anew(TENANT, AGENT, part), watch, part)
            for part in ("one memory taken in", "another one"):
                new = told(nodes[0].revised(memory_id=derived_id(part)), "Name1", part, pair=True)
                await journal.ledger.commit(Commit(TENANT, part, "bench", START, (Change(act="add", after=new),)))
                again = refresh_job(TENANT, AGENT, [new.memory_id], await journal.ledger.head())
                one = NewJob(again.job_id, again.lane, WORKER, again.ordinal, payload=again.payload)
                await work(journal, keeper, one, watch, part)
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
            print(f"  memory at most          {grown:7.0f} MB more than before")


if __name__ == "__main__":
    wanted = [int(text) for text in sys.argv[1:]]
    how_many, of_whom = (*wanted, *(MEMORIES, ENTITIES)[len(wanted) :])
    print(command(), "·", describe(), flush=True)
    print(f"{how_many:,} memories, {of_whom:,} entities", flush=True)
    asyncio.run(measure(how_many, of_whom))
