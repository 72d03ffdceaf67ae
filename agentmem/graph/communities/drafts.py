"""Communities before they are written: the graph read from the ledger, the stored communities in outline, and the
drafts that take in what changed.

A new member joins the community that most of what is known of him leads to, and only communities that gained or lost
something are looked at. Outlines are cached between jobs, without text, and only the rows since the last job are read;
whatever is written is checked against the ledger, so a stale outline costs a second look and no more.
"""

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Final

from agentmem.domain.entity import graph_lane, named
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.graph.communities.clusters import (
    LARGEST,
    TELLING,
    Fact,
    Links,
    Names,
    entities_of,
    fact_of,
    groups,
    home_of,
    links_of,
    plurality,
    propagate,
    weightiest,
)
from agentmem.graph.identity.entities import load
from agentmem.ledger.listing import every
from agentmem.ports.ledger import Ledger, Selection

KNOWN: Final = 50
"""Facts that a community keeps and is summed up from, the weightiest."""

SMALLEST: Final = 2
"""Members of a community at least."""

DIGEST: Final = "digest"
SIZE: Final = "size"
DRIFT: Final = "drift"
"""In the `meta_data` of a community: what its summary was made of; how many members and facts it had when all was
grouped last, and how many came and went since."""


@dataclass(frozen=True, slots=True)
class CommunityDraft:
    """Members by their roots in the order of how often the facts name them, facts weightiest first. `before` is the
    stored community, if there is one."""

    memory_id: str
    members: tuple[str, ...]
    facts: tuple[Fact, ...]
    before: MemoryNode | None = None
    size: int = 0
    drift: int = 0

    def digest(self, names: Names) -> str:
        """The same for the same members under the same names, and the same facts in the same words."""
        called = sorted(f"{member}={names.names.get(member, '')}" for member in self.members)
        told = sorted(f"{fact.memory_id}={fact.mark}" for fact in self.facts)
        return blake2b("\n".join((*called, "", *told)).encode(), digest_size=16).hexdigest()


def drafted(memory_id: str, members: Collection[str], facts: Collection[Fact]) -> CommunityDraft:
    """A community of these members with these facts."""
    having = Counter(entity for fact in facts for entity in fact.entities)
    ordered = tuple(sorted(members, key=lambda member: (-having[member], member)))
    return CommunityDraft(memory_id, ordered, weightiest(facts, KNOWN))


def known_facts(community: MemoryNode) -> tuple[str, ...]:
    """The ids of the facts a stored community is made of."""
    return tuple(dict.fromkeys((*community.source_ids, *community.depends_on)))


def count(community: MemoryNode, name: str) -> int:
    """`SIZE` or `DRIFT` of a stored community."""
    held = community.meta_data.get(name)
    return held if isinstance(held, int) else 0


def new_id(tenant: str, agent: str, members: Iterable[str]) -> str:
    """The id of a community that begins with these members."""
    return derived_id("community", tenant, agent, *sorted(members))


def recognised(groups: Sequence[tuple[str, ...]], before: Mapping[str, Collection[str]]) -> dict[int, str]:
    """Which stored community each group, by its place, has become: the pairs that share most members first; equal
    shares go by the community's id, then by the group's place. Each is taken once."""
    homes = {member: key for key in sorted(before) for member in before[key]}
    shared = Counter(
        (homes[member], place) for place, group in enumerate(groups) for member in group if member in homes
    )
    found: dict[int, str] = {}
    taken: set[str] = set()
    for (key, place), _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        if place not in found and key not in taken:
            found[place] = key
            taken.add(key)
    return found


PAGE = 1_000


@dataclass(frozen=True, slots=True)
class GraphReader:
    """One agent's graph."""

    ledger: Ledger
    tenant: str
    agent: str

    async def communities(self) -> dict[str, MemoryNode]:
        """Those that stand, by id."""
        wanted = Selection(self._between, types=(MemoryType.COMMUNITY,), statuses=(StoreStatus.VALID,), limit=PAGE)
        return {node.memory_id: node async for node in every(self.ledger, wanted)}

    async def everything(self) -> tuple[Names, list[Fact]]:
        """All names and all facts."""
        names = Names()
        entities = Selection(self._between, types=(MemoryType.ENTITY,), limit=PAGE)
        async for node in every(self.ledger, entities):
            names.learn((node,))
        facts: list[Fact] = []
        memories = Selection(Scope(self.tenant, self.agent), types=TELLING, statuses=(StoreStatus.VALID,), limit=PAGE)
        async for node in every(self.ledger, memories):
            names.overhear(node)
            if (fact := fact_of(node, names)) is not None:
                facts.append(fact)
        return names, facts

    async def memories(self, ids: Collection[str]) -> dict[str, MemoryNode]:
        """Memories by id."""
        return await self.ledger.get(self.tenant, ids) if ids else {}

    async def learn(self, names: Names, nodes: Iterable[MemoryNode], more: Collection[str] = ()) -> None:
        """The names behind these memories and these entities, and whom they lead on to."""
        nodes = list(nodes)
        wanted = {entity for node in nodes for entity in entities_of(node)} | {*more}
        wanted |= {
            named(self.tenant, self.agent, node.value) for node in nodes if node.attribute == "alias" and node.value
        }
        stored = await load(self.ledger, self.tenant, wanted - names.names.keys())
        names.learn(stored.values())
        for node in nodes:
            names.overhear(node)

    @property
    def _between(self) -> Scope:
        return graph_lane(self.tenant, self.agent).scope


AGENTS: Final = 16
"""Agents whose communities are kept in mind, those worked on last."""

BEHIND: Final = 2_000
"""Changes in the whole store from which on an agent's communities are read again rather than what changed."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A stored community without its words."""

    members: tuple[str, ...]
    facts: tuple[str, ...]
    size: int
    drift: int


Outlines = dict[str, Outline]


@dataclass(slots=True)
class Standing:
    """What is known of each agent's communities, and up to which row of the ledger."""

    _known: OrderedDict[tuple[str, str], tuple[int, Outlines]] = field(
        default_factory=OrderedDict[tuple[str, str], tuple[int, Outlines]]
    )

    async def of(self, reader: GraphReader, *, anew: bool = False) -> Outlines:
        """Those that stand, by id; `anew` reads all of them."""
        whose = reader.tenant, reader.agent
        through, known = self._known.pop(whose, (-1, Outlines()))
        head = await reader.ledger.head()
        versions = await reader.ledger.since(through, limit=BEHIND) if through >= 0 and not anew else []
        if through < 0 or anew or len(versions) == BEHIND:
            known = {key: outlined(node) for key, node in (await reader.communities()).items()}
        for version in versions if len(versions) < BEHIND else ():
            if version.node is None or not _stands(version.node, reader):
                known.pop(version.memory_id, None)
            else:
                known[version.memory_id] = outlined(version.node)
        self._known[whose] = head, known
        if len(self._known) > AGENTS:
            self._known.popitem(last=False)
        return dict(known)


def outlined(node: MemoryNode) -> Outline:
    """The outline of a stored community."""
    return Outline(node.entity_ids, known_facts(node), count(node, SIZE), count(node, DRIFT))


def _stands(node: MemoryNode, reader: GraphReader) -> bool:
    own = (node.tenant, node.agent_id) == (reader.tenant, reader.agent)
    return own and node.memory_type is MemoryType.COMMUNITY and node.store_status is StoreStatus.VALID


DRIFTED = 0.2
"""Share of members and facts that came or went since all was grouped last, from which on all is grouped anew."""


@dataclass(slots=True)
class Extension:
    """The stored communities of an agent, with changed memories being taken in."""

    reader: GraphReader
    before: Mapping[str, Outline]
    names: Names = field(default_factory=Names)
    homes: dict[str, str] = field(default_factory=dict[str, str])
    fresh: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    drafts: dict[str, CommunityDraft] = field(default_factory=dict[str, CommunityDraft])
    over: set[str] = field(default_factory=set[str])

    async def take_in(self, changed: Collection[str]) -> None:
        """Work out what becomes of the communities around these memories: `drafts` and those that are `over`."""
        nodes = await self.reader.memories(changed)
        await self.reader.learn(self.names, nodes.values())
        knowing = {key: home for home, known in self.before.items() for key in known.facts}
        self.homes = {self.names.root(member): home for home, known in self.before.items() for member in known.members}
        facts = [fact for node in nodes.values() if (fact := fact_of(node, self.names)) is not None]
        touched = {knowing[key] for key in changed if key in knowing} | self._merged()
        self._settle(facts)
        for fact in facts:
            if (home := home_of(fact, self.homes)) is not None:
                self.fresh.setdefault(home, set()).add(fact.memory_id)
        for home in sorted(touched | self.fresh.keys()):
            await self._redraft(home, {key for key in changed if knowing.get(key) == home})

    @property
    def drift(self) -> float:
        """How much of all came and went since all was grouped last; a new community counts whole."""
        now = {key: (known.drift, known.size) for key, known in self.before.items()}
        now |= {key: (draft.drift, draft.size) for key, draft in self.drafts.items()}
        lost = sum(self.before[key].size - self.before[key].drift for key in self.over)
        return (sum(drift for drift, _ in now.values()) + lost) / max(1, sum(size for _, size in now.values()))

    def _merged(self) -> set[str]:
        """The communities of entities that lead on to others now."""
        return {home for home, known in self.before.items() if not self.names.onward.keys().isdisjoint(known.members)}

    def _settle(self, facts: Collection[Fact]) -> None:
        """Give those without a home that of most of their neighbours; let the rest find together among themselves."""
        links = links_of(facts)
        waiting = sorted(entity for entity in links if entity not in self.homes)
        sizes = Counter(self.homes.values())
        while True:
            before = len(self.homes)
            for entity in waiting:
                if (home := self._leading(links, entity, sizes)) is not None:
                    self.homes[entity] = home
                    sizes[home] += 1
            if len(self.homes) == before:
                break
            waiting = [entity for entity in waiting if entity not in self.homes]
        among = {one: {other: links[one][other] for other in links[one] if other in set(waiting)} for one in waiting}
        for group in groups(propagate(among, seed=self.reader.agent)):
            if len(group) >= SMALLEST:
                self.homes |= dict.fromkeys(group, new_id(self.reader.tenant, self.reader.agent, group))

    def _leading(self, links: Links, entity: str, sizes: Mapping[str, int]) -> str | None:
        near = ((self.homes[other], weight) for other, weight in links[entity].items() if other in self.homes)
        return plurality((home, weight) for home, weight in near if sizes.get(home, 0) < LARGEST)

    async def _redraft(self, home: str, changed: Collection[str]) -> None:
        """The community with what it has now."""
        before = self.before.get(home)
        members = {entity for entity, at in self.homes.items() if at == home}
        held = {self.names.root(member) for member in before.members} if before else set[str]()
        known = set(before.facts) if before else set[str]()
        entities = await self.reader.memories(members - held)
        more = {source for node in entities.values() for source in node.source_ids}
        nodes = await self.reader.memories(known | more | self.fresh.get(home, set()))
        await self.reader.learn(self.names, nodes.values(), members)
        facts = [fact for node in nodes.values() if (fact := fact_of(node, self.names)) is not None]
        facts = [fact for fact in facts if home_of(fact, self.homes) == home]
        told = {fact.memory_id for fact in facts}
        if known - told and len(known) < KNOWN:
            members &= {entity for fact in facts for entity in fact.entities}
        if len(members) < SMALLEST or not facts:
            self.over |= {home} & self.before.keys()
            return
        came_and_went = len(members ^ held) + len((told ^ known) | (known & set(changed)))
        draft = drafted(home, members, facts)
        size, drift = (before.size, before.drift) if before else (0, 0)
        self.drafts[home] = replace(draft, size=size, drift=drift + came_and_went)
