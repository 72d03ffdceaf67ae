"""Several homes in one store, a person with one agent of one tenant each, with a canary of its own in every place; and
everything that an answer says, read out of whatever it is."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import cast

from pydantic import BaseModel

from agentmem.assets.document_record import record_id
from agentmem.domain.change import Change
from agentmem.domain.entity import Mention, with_mentions
from agentmem.domain.episode import episode_id
from agentmem.domain.event import AssetReceived, Person
from agentmem.domain.ids import derived_id, entity_id
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType, microseconds
from agentmem.domain.naming import canonical_name
from agentmem.domain.payload import CustomPayload
from agentmem.domain.scope import Principal, Scope
from agentmem.ports.ledger import Commit
from agentmem.ports.work_queue import NewJob
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT, NOON, TENANT, a_memory, a_turn
from tests.support.spine import quiet_persona

DOCUMENTS = "Docs"
OTHER_AGENT, OTHER_TENANT = "other", "globex"


@dataclass(frozen=True)
class Home:
    """Somebody's place in the store, and what of it can be asked for by id. `ghost`: it is not there."""

    tenant: str
    agent: str
    person: str
    ghost: bool = False

    @property
    def scope(self) -> Scope:
        return Scope(self.tenant, self.agent, entity_id(self.tenant, self.agent, canonical_name(self.person)))

    @property
    def canary(self) -> str:
        """What every canary of this home begins with."""
        return f"zk{self.tenant}x{self.agent}x{self.person}x".casefold()

    def id_of(self, what: str) -> str:
        return derived_id("home", self.tenant, self.agent, self.person, what)

    @property
    def document(self) -> str:
        """The id of the agent's document."""
        return record_id(self.tenant, self.agent, "manual")

    @property
    def memory(self) -> MemoryNode:
        """What the agent observed of the person."""
        turn = self.turn_id
        return a_memory(
            f"{self.person}'s PIN is {self.canary}pin",
            memory_id=self.id_of("memory"),
            timestamp=microseconds(NOON) + 1_000_000 + int(self.id_of("time")[:4], 16),
            tenant=self.tenant,
            agent_id=self.agent,
            target_id=self.scope.target,
            target_name=self.person,
            attribute="pin",
            value=f"{self.canary}value",
            key=(f"{self.canary}key",),
            meta_data={"note": f"{self.canary}meta"},
            source_ids=(turn,),
            evidence=(Evidence(memory_id=turn, start=0, end=5),),
        )

    @property
    def turn_id(self) -> str:
        return episode_id(self.turn)

    @property
    def turn(self):
        return a_turn(
            f"My PIN is {self.canary}said. Ben's budget is high, so is Ann's.",
            1,
            run=f"{self.canary}run",
            tenant=self.tenant,
            agent_id=self.agent,
            target_id=self.scope.target,
            person=Person(name=self.person),
            meta={"note": f"{self.canary}turnmeta"},
        )


BEN, ANN = Home(TENANT, AGENT, "Ben"), Home(TENANT, AGENT, "Ann")
BESIDE, ELSEWHERE = Home(TENANT, OTHER_AGENT, "Ann"), Home(OTHER_TENANT, AGENT, "Ann")
GHOST = Home(TENANT, "nobody", "Nobody", ghost=True)
HOMES = (BEN, ANN, BESIDE, ELSEWHERE)


async def plant_homes(app: App) -> None:
    """Everybody says something; memories are made of it, some of which rest on what two people said."""
    for tenant, agent in dict.fromkeys((home.tenant, home.agent) for home in HOMES):
        await _owner(app, tenant).know_agent(quiet_persona().revised(id=agent))
    for home in HOMES:
        owner = _owner(app, home.tenant)
        await owner.accept([home.turn, document_of(home)])
    await app.drain()
    for home in HOMES:
        await _write(app, home.tenant, home.id_of("run"), [home.memory, _link(home)])
    await _write(app, TENANT, "shared", _shared())
    changed = [(home, home.memory) for home in HOMES]
    for home, node in changed:
        after = node.revised(content=f"{home.person}'s PIN is {home.canary}later", revision=2)
        await _commit(app, home.tenant, home.id_of("edit"), [Change(act="refresh", before=node, after=after)])
    await app.drain()
    for tenant, agent in dict.fromkeys((home.tenant, home.agent) for home in HOMES):
        await _owner(app, tenant).graph.rebuild(agent)
    await app.drain()
    for home in HOMES:
        await _give_up(app, home)
    await app.searchable.projector.catch_up()


def _owner(app: App, tenant: str) -> App:
    return app.for_principal(Principal.owner(tenant))


def _link(home: Home) -> MemoryNode:
    names = (home.person, f"{home.canary}thing")
    return a_memory(
        f"{home.person} uses {home.canary}thing",
        memory_id=home.id_of("link"),
        tenant=home.tenant,
        agent_id=home.agent,
        target_id=home.scope.target,
        target_name=home.person,
        entity_ids=tuple(entity_id(home.tenant, home.agent, canonical_name(name)) for name in names),
        relation="USES",
        meta_data=with_mentions(tuple(Mention(name=name) for name in names)),
        source_ids=(home.turn_id,),
    )


def _shared() -> list[MemoryNode]:
    """What was concluded of one from what both said, what one said of the other, and what links both."""
    both = (BEN.turn_id, ANN.turn_id)
    about_ann: dict[str, object] = {"target_id": ANN.scope.target, "target_name": "Ann"}
    about_ben: dict[str, object] = {"target_id": BEN.scope.target, "target_name": "Ben"}
    insight: dict[str, object] = {"memory_type": MemoryType.INSIGHT, "source_ids": both}
    names = ("Ben", "Ann")
    return [
        a_memory(f"Ann and Ben agree {ANN.canary}shared", memory_id=derived_id("shared", 1), **insight, **about_ann),
        a_memory(
            f"Ann hears Ben {ANN.canary}only", memory_id=derived_id("shared", 2), source_ids=both[:1], **about_ann
        ),
        a_memory(
            f"Ben's budget is high {BEN.canary}told",
            memory_id=derived_id("shared", 3),
            attribute="budget",
            value="high",
            speaker="Ann",
            source_ids=both[1:],
            evidence=(Evidence(memory_id=ANN.turn_id, start=30, end=50),),
            **about_ben,
        ),
        a_memory(
            f"Ann knows Ben {ANN.canary}link",
            memory_id=derived_id("shared", 4),
            entity_ids=tuple(entity_id(TENANT, AGENT, canonical_name(name)) for name in names),
            meta_data=with_mentions(tuple(Mention(name=name) for name in names)),
            depends_on=(BEN.memory.memory_id,),
            **about_ann,
        ),
    ]


def document_of(home: Home) -> AssetReceived:
    """A document of the agent's."""
    canary = Home(home.tenant, home.agent, DOCUMENTS).canary
    return AssetReceived(
        event_id=f"manual/{home.person}",
        tenant=home.tenant,
        agent_id=home.agent,
        agent_name="小美",
        target_id=entity_id(home.tenant, home.agent, "小美"),
        at=NOON,
        asset_id="manual",
        title=f"{canary}title",
        version="0" * 64,
        media_type="text/markdown",
        text=f"# Manual\nA PIN has four figures {canary}manual\n",
    )


async def _give_up(app: App, home: Home) -> None:
    lane = home.turn.lane
    received = await app.journal.events.of_lane(lane, after=0, limit=1)
    job = home.id_of("job")
    await app.journal.queue.enqueue(
        [NewJob(job, lane, "observation", 0, (received[0].seq,), CustomPayload(data=f"{home.canary}note"))]
    )
    claim = await app.journal.queue.claim({"observation": 1})
    assert claim
    await app.journal.queue.stage(claim, job, f"{home.canary}staged")
    await app.journal.queue.fail(claim, job, reason=f"ValueError: {home.canary}reason", retry_in=None)


async def _write(app: App, tenant: str, run: str, nodes: list[MemoryNode]) -> None:
    await _commit(app, tenant, run, [Change(act="add", after=node) for node in nodes])


async def _commit(app: App, tenant: str, run: str, changes: list[Change]) -> None:
    await app.journal.ledger.commit(Commit(tenant, run, "observation", NOON, tuple(changes)))


def everything(value: object) -> str:
    """All that an answer or an error says, in all its fields, whatever it is made of."""
    return "\n".join(_told(value, set()))


def _told(value: object, seen: set[int]) -> Iterator[str]:
    if isinstance(value, str | bytes | int | float | None | Enum | Path):
        yield str(value)
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    yield repr(value)
    for part in _parts(value):
        yield from _told(part, seen)


def _parts(value: object) -> Iterator[object]:
    if isinstance(value, BaseException):
        yield from (str(value), *value.args, value.__cause__, value.__context__, vars(value))
    elif isinstance(value, Mapping):
        yield from (part for item in cast("Mapping[object, object]", value).items() for part in item)
    elif isinstance(value, Collection):
        yield from cast("Collection[object]", value)
    elif isinstance(value, BaseModel):
        yield from (getattr(value, name) for name in type(value).model_fields)
    elif is_dataclass(value) and not isinstance(value, type):
        yield from (getattr(value, field.name) for field in fields(value) if hasattr(value, field.name))
    else:
        yield from getattr(value, "__dict__", {}).values()


_CANARY = re.compile(r"zk([a-z]+)x([a-z]+)x([a-z]+)x\w*", re.IGNORECASE)


def homes_in(text: str) -> dict[tuple[str, str, str], str]:
    """Whose canaries stand in a text: tenant, agent and person, with one of them."""
    return {
        (found[1].casefold(), found[2].casefold(), found[3].casefold()): found[0] for found in _CANARY.finditer(text)
    }
