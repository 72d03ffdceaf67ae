"""Taking in what changed: who is new joins the community that most of what is known of him leads to, and only the
communities that gained or lost something are looked at."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from agentmem.graph.communities.draft import KNOWN, SMALLEST, Draft, drafted, new_id
from agentmem.graph.communities.links import Fact, Names, fact_of, home_of, links_of
from agentmem.graph.communities.propagation import LARGEST, Links, groups, plurality, propagate
from agentmem.graph.communities.reading import GraphReader
from agentmem.graph.communities.standing import Outline

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
    drafts: dict[str, Draft] = field(default_factory=dict[str, Draft])
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
