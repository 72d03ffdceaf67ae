"""Houses that say the same words of people of the same names, each with a canary of its own in everything it says.

A house is one agent of one tenant. What is done in it is drawn at random; what it must never show is known.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from itertools import product
from random import Random

from agentmem.domain.change import Change
from agentmem.domain.event import Person, TurnSpoken
from agentmem.domain.filter import parse_filter
from agentmem.domain.ids import derived_id, entity_id
from agentmem.domain.memory import LAYERS, MemoryNode, MemoryType, Modality, StoreStatus
from agentmem.domain.scope import Principal, Scope
from agentmem.domain.value import JsonValue
from agentmem.ledger.undo import undo
from agentmem.ports.ledger import Commit
from agentmem.retrieval.context import Context
from agentmem.retrieval.gathering import Gathered
from agentmem.retrieval.query import Recalled, RecallQuery
from agentmem.runtime.facade.app import App
from tests.support.nodes import NOON, a_memory, a_turn
from tests.support.spine import quiet_persona

TENANTS = ("acme", "ACME", "acme2", "a%me", "acme/seller", "社保局")
AGENTS = ("seller", "SELLER", "seller2")
PEOPLE = ("罗小东", "王芳")
RUNS = (None, "talk", "talk2", "talk/0")
CANARY = re.compile(r"canary\d+x\d+")
WORDS = ("电话是138", "想给社保系统加自动能力", "住在上海", "怎么联系他?", "likes tea", "called last Saturday")
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Spot:
    """Whom a house remembers something about, and in which conversation."""

    tenant: str
    agent: str
    person: str
    run: str | None

    @property
    def target(self) -> str:
        """The entity id of the person, another one in every house."""
        return _entity_id(self.tenant, self.agent, self.person)

    def within(self, scope: Scope) -> bool:
        """The words of `Scope`, once more."""
        own = (self.tenant, self.agent) == (scope.tenant, scope.agent)
        told = scope.target is None or self.target in (scope.target, *scope.beside)
        return own and told and (scope.run is None or self.run is None or self.run == scope.run)


_entity_id = cache(entity_id)
SPOTS = [Spot(*each) for each in product(TENANTS, AGENTS, PEOPLE, RUNS)]


class Houses:
    """Houses in one app, which knows them only by what is done through it. `done` counts operations, `seen` the
    canaries that were shown to their own."""

    def __init__(self, app: App, random: Random, *, spots: Sequence[Spot] = SPOTS) -> None:
        self.app, self.random, self.spots = app, random, spots
        self.generation = dict.fromkeys(spots, 0)
        self.held: dict[str, MemoryNode] = {}
        self.runs: list[tuple[str, str]] = []
        self.done = self.seen = 0

    async def open(self) -> None:
        """Introduce every agent."""
        for tenant, agent in {(spot.tenant, spot.agent) for spot in self.spots}:
            await self._introduce(tenant, agent)

    def canary(self, spot: Spot) -> str:
        """What everything said there has in it, until it is purged."""
        return f"canary{self.spots.index(spot)}x{self.generation[spot]}"

    async def write(self, count: int) -> None:
        """So many memories in one house, in one commit, some of them leaning on what is not theirs."""
        house = self.random.choice(self.spots)
        nodes = [self._memory(spot) for spot in self.random.choices(self._beside(house), k=count)]
        await self._commit(house.tenant, [Change(act="add", after=node) for node in nodes])

    async def end(self, count: int) -> None:
        """End so many memories of one tenant."""
        tenant = self.random.choice(self.spots).tenant
        held = [node for node in self.held.values() if (node.tenant, node.store_status) == (tenant, StoreStatus.VALID)]
        chosen = self.random.sample(held, min(count, len(held)))
        stored = await self.app.journal.ledger.get(
            tenant, [one.memory_id for one in chosen]
        )  # some are in doubt by now
        now = self.app.clock.now()
        ending = [node for node in stored.values() if node.store_status is StoreStatus.VALID]
        await self._commit(tenant, [Change(act="end", before=one, after=one.ended(at=now, now=now)) for one in ending])

    async def undo(self) -> None:
        """Take a run back, with all that was built on it."""
        if not self.runs:
            return
        tenant, run = self.runs.pop(self.random.randrange(len(self.runs)))
        ledger = self.app.journal.ledger
        report = await undo(ledger, tenant, run, now=self.app.clock.now(), cascade=True)
        left = await ledger.get(tenant, report.restored)
        self.held = {key: node for key, node in self.held.items() if key not in report.restored} | left
        self.done += 1

    async def purge(self) -> None:
        """Forget a person, or a whole agent; from then on what was said there is shown to nobody at all."""
        spot = self.random.choice(self.spots)
        scope = Scope(spot.tenant, spot.agent, self.random.choice((None, spot.target)))
        await self.app.searchable.index.remove(await self.app.journal.purge(scope))
        for other in self.spots:
            self.generation[other] += other.within(scope)
        self.held = {key: node for key, node in self.held.items() if not node.within(scope)}
        self.runs = [run for run in self.runs if await self.app.journal.ledger.of_run(*run)]
        await self._introduce(spot.tenant, spot.agent)
        self.done += 1

    async def speak(self, count: int) -> None:
        """So many turns of one conversation, read by nobody yet."""
        spot = self.random.choice([spot for spot in self.spots if spot.run is not None])
        await self._of(spot.tenant).accept([self._turn(spot, number) for number in range(count)])
        self.done += count

    async def ask(self) -> None:
        """One question in any of the ways there are; nothing that is not in its scope may show."""
        query = self.query()
        app = self._of(query.scope.tenant)
        look = self.random.choices((app.recall, app.context, app.searchable.recall.gather), (4, 2, 2))[0]
        shown = _shown(await look(query))
        self.done += 1
        self.seen += len(shown)
        foreign = shown - self._allowed(query.scope)
        assert not foreign, f"{foreign} shown to {query} by {look}"

    def query(self) -> RecallQuery:
        """A question somebody might ask, or somebody who is after what others have."""
        random, spot = self.random, self.random.choice(self.spots)
        moments = (*(None,) * 4, *(NOON + number * DAY for number in (-3, 0, 1, 2, 40)))
        target = random.choice((None, spot.target))
        beside = random.choices(self.spots, k=random.choice((0, 0, 0, 1, 3))) if target else []
        run, others = random.choice((None, spot.run)), tuple(other.target for other in beside)
        return RecallQuery(
            Scope(spot.tenant, spot.agent, target, run, others),
            random.choice(
                (*WORDS, *PEOPLE, "canary", self.canary(random.choice(self.spots)), "what happened last week")
            ),
            k=random.choice((1, 3, 10, 60)),
            as_of=random.choice(moments),
            known_at=random.choice(moments),
            types=tuple(random.sample(LAYERS, random.choice((0, 0, 0, 1, 2)))),
            filter=parse_filter(self._wish(random.choice(self.spots))),
            profile=random.choice((None, "verbatim", "memories", "generative")),
            fusion=random.choice((None, None, "score", "rank")),
            hops=random.choice((0, 0, 0, 1, 3)),
        )

    def _wish(self, other: Spot) -> JsonValue:
        """A filter, if any; most are after another house."""
        theirs: list[JsonValue] = [{"tenant": other.tenant}, {"agentId": other.agent}, {"content": "*"}]
        wishes: list[JsonValue] = [
            {"OR": theirs},
            {"NOT": [{"tenant": other.tenant}]},
            {"targetId": other.target},
            {"content": {"contains": self.canary(other)}},
            {"importance": {"gte": 3}},
        ]
        return self.random.choice(wishes) if self.random.random() < 0.4 else {}

    def _allowed(self, scope: Scope) -> set[str]:
        inside = [(spot, number) for number, spot in enumerate(self.spots) if spot.within(scope)]
        return {f"canary{number}x{self.generation[spot]}" for spot, number in inside} | {
            spot.target for spot, _ in inside
        }

    def _beside(self, house: Spot) -> list[Spot]:
        return [spot for spot in self.spots if (spot.tenant, spot.agent) == (house.tenant, house.agent)]

    def _memory(self, spot: Spot) -> MemoryNode:
        random, canary = self.random, self.canary(spot)
        strangers = self._strangers(spot) if random.random() < 0.2 else []
        return a_memory(
            f"{spot.person}{random.choice(WORDS)} {canary}",
            tenant=spot.tenant,
            agent_id=spot.agent,
            target_id=spot.target,
            target_name=spot.person,
            run_id=spot.run,
            memory_type=random.choice([layer for layer in LAYERS if layer is not MemoryType.CONVERSATION]),
            modality=random.choice(list(Modality)),
            key=("社保系统", spot.person, canary),
            attribute=random.choice((None, "phone", "city")),
            value=canary,
            speaker=spot.person,
            importance=random.randrange(10),
            valid_at=NOON + random.randrange(-3, 3) * DAY,
            source_ids=tuple(strangers),
            conflicts_with=tuple(strangers),
            evidence=tuple({"memory_id": stranger, "start": 0, "end": 40} for stranger in strangers),
        )

    def _strangers(self, spot: Spot) -> list[str]:
        own = Scope(spot.tenant, spot.agent)
        drawn = self.random.sample(sorted(self.held), min(3, len(self.held)))
        return [key for key in drawn if not self.held[key].within(own)]

    def _turn(self, spot: Spot, number: int) -> TurnSpoken:
        turn_index = self.random.randrange(20)
        return a_turn(
            f"{self.random.choice(WORDS)} {self.canary(spot)}",
            turn_index,
            by_agent=self.random.random() < 0.3,
            run=spot.run or "",
            event_id=derived_id("said", spot.tenant, self.done, number),
            tenant=spot.tenant,
            agent_id=spot.agent,
            target_id=spot.target,
            person=Person(name=spot.person),
        )

    def _of(self, tenant: str) -> App:
        return self.app.for_principal(Principal.owner(tenant))

    async def _commit(self, tenant: str, changes: Sequence[Change]) -> None:
        if changes:
            run = derived_id("house", self.done)
            await self.app.journal.ledger.commit(Commit(tenant, run, "test", self.app.clock.now(), tuple(changes)))
            self.held |= {change.memory_id: change.after for change in changes if change.after}
            self.runs.append((tenant, run))
        self.done += len(changes)

    async def _introduce(self, tenant: str, agent: str) -> None:
        persona = quiet_persona().revised(id=agent)
        await self.app.journal.registry.save_agent(tenant, persona, now=self.app.clock.now())


def _shown(answer: Recalled | Context | Gathered) -> set[str]:
    """Canaries and targets that an answer lets see, however deep inside."""
    match answer:
        case Recalled():
            memories = [hit.memory for hit in answer.hits]
            return _canaries(memory.model_dump_json() for memory in memories) | {one.target_id for one in memories}
        case Context():
            return _canaries([answer.text])
        case Gathered():
            fields = [item.fields for item in answer.pool.candidates]
            places = [str(known["_place"]) for known in fields if known.get("_place")]
            return _canaries(json.dumps(dict(known)) for known in fields) | {place.split("/")[0] for place in places}


def _canaries(texts: Iterable[str]) -> set[str]:
    return {canary for text in texts for canary in CANARY.findall(text)}
