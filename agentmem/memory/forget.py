"""Forgetting: what is meant goes, what was made of it alone goes with it, what still has other support stays.

Neighbours: `wish` (what a question means), `cuts` (taking words out of a text), `support` (whether a memory is still
carried), `erase` (from here to what the journal removes).
"""

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from agentmem.domain.bounds import check_fields
from agentmem.domain.change import Change
from agentmem.domain.document import is_document_fact
from agentmem.domain.item import ITEM, SESSION_ITEM
from agentmem.domain.memory import GRAPH, Evidence, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.language.tokens import tokens
from agentmem.memory.cuts import Cut, moved, pieces, still_named, widened, without
from agentmem.memory.named import VERBATIM, NamesOf, names_in
from agentmem.memory.reopening import reopened
from agentmem.memory.saying import saying
from agentmem.memory.support import is_of_words, rests_on, still_said, tells_of
from agentmem.memory.unlinked import unlinked
from agentmem.memory.wish import Asked, Wish, identifies, read_wish
from agentmem.ports.ledger import Commit, Ledger, Selection

PAGE = 1_000
NOTHING = "00000000-0000-0000-0000-000000000000"
"""The id of no memory."""

DEEPEST = 100
"""Steps along which what rests on the forgotten is followed; a chain of memories is at most a few long."""


@dataclass(frozen=True, slots=True)
class Meant:
    """What is to be forgotten, exactly one of these: memories by id, a turn with all that was made of it (`source`),
    what a wish names (`query`), or, with none of them, everything about the scope's target."""

    scope: Scope
    ids: tuple[str, ...] = ()
    source: str | None = None
    query: str | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        named = sum((bool(self.ids), self.source is not None, self.query is not None))
        if named > 1 or (not named and self.scope.target is None):
            raise InvalidInput("forget takes exactly one of: ids, a source, a query, or a person")
        if self.scope.beside:
            raise InvalidInput("forget takes the scope of one person, with nobody beside")

    @property
    def everything(self) -> bool:
        """Whether a person is forgotten as a whole."""
        return not self.ids and self.source is None and self.query is None


@dataclass(slots=True)
class Plan:
    """What becomes of which memory: those in `gone`, and those that stay in `edited`, by id, as they were and will be.
    `cuts` are taken out of contents, `stretches` what they were widened from. `named` are memories whose history speaks
    of what goes, `lost` those that an undo took out and of which only such a history is left, `left` those of other
    people's words that still name a person who goes. `early`: all that could be meant is not known yet."""

    meant: Meant
    erase: bool
    now: datetime
    head: int
    gone: dict[str, MemoryNode] = field(default_factory=dict[str, MemoryNode])
    edited: dict[str, tuple[MemoryNode, MemoryNode]] = field(default_factory=dict[str, tuple[MemoryNode, MemoryNode]])
    cuts: dict[str, tuple[Cut, ...]] = field(default_factory=dict[str, tuple[Cut, ...]])
    stretches: dict[str, set[Cut]] = field(default_factory=dict[str, set[Cut]])
    early: bool = False
    named: set[str] = field(default_factory=set[str])
    lost: set[str] = field(default_factory=set[str])
    left: set[str] = field(default_factory=set[str])

    @property
    def changes(self) -> tuple[Change, ...]:
        """What the ledger is told: edits, and, where nothing is erased, ends."""
        edits = [
            Change(act="forget", before=before, after=after, reason="part of what it rests on was forgotten")
            for before, after in self.edited.values()
        ]
        if self.erase:
            return tuple(edits)
        ends = [
            Change(act="forget", before=node, after=node.ended(at=self.now, now=self.now), reason="asked to forget it")
            for node in self.gone.values()
            if node.store_status is StoreStatus.VALID
        ]
        return (*ends, *edits)

    def commit(self, run: str) -> Commit:
        """The changes as one run."""
        return Commit(self.meant.scope.tenant, run, "forget", self.now, self.changes)

    def state(self, node: MemoryNode) -> MemoryNode:
        """The memory as this plan leaves it."""
        return self.edited[node.memory_id][1] if node.memory_id in self.edited else node

    def drop(self, node: MemoryNode) -> None:
        """Let a memory go."""
        before = self.edited.pop(node.memory_id, (node, node))[0]
        self.cuts.pop(node.memory_id, None)
        self.gone[node.memory_id] = before

    def edit(self, node: MemoryNode, **fields: object) -> None:
        """Give a memory that stays other fields; its revision rises once."""
        before, after = self.edited.get(node.memory_id, (node, node))
        given = {"revision": before.revision + 1, "obs_updated": before.obs_updated + 1, **fields}
        changed = after.revised(**given)
        if changed.revised(revision=before.revision, obs_updated=before.obs_updated) != before:
            self.edited[node.memory_id] = (before, changed)

    def cut(self, node: MemoryNode, stretches: Collection[Cut]) -> None:
        """Take stretches out of a memory's content; where nothing is left, let it go."""
        known = self.edited.get(node.memory_id, (node, node))[0]
        self.stretches.setdefault(node.memory_id, set()).update(stretches)
        cuts = widened(known.content, self.stretches[node.memory_id])
        rest = without(known.content, cuts)
        if not any(map(str.isalnum, rest)):
            self.drop(known)
            return
        self.cuts[node.memory_id] = cuts
        words = frozenset(tokens(rest))
        keys = tuple(key for key in known.key if words.issuperset(tokens(key)))
        slot = known.value is not None and not words.issuperset(tokens(known.value))
        fields: dict[str, object] = {"attribute": None, "value": None} if slot else {}
        self.edit(known, content=rest, key=keys, **fields, **still_named(known, words))


@dataclass(frozen=True, slots=True)
class Traces:
    """What another agent, a copy, has of what is forgotten: memories that go, and stretches to be cut out of contents
    that are still the ones given, by id. `target`: a person who goes as a whole."""

    scope: Scope
    ids: tuple[str, ...]
    cuts: Mapping[str, tuple[str, frozenset[Cut]]]
    target: str | None = None

    @property
    def meant(self) -> Meant:
        """The same as a wish; where the copy has nothing of it, one for nothing."""
        if self.target is not None:
            return Meant(Scope(self.scope.tenant, self.scope.agent, self.target))
        return Meant(self.scope, ids=(*self.ids, *self.cuts) or (NOTHING,))


@dataclass(frozen=True, slots=True)
class Forgetter:
    """Plans what is forgotten; writes nothing. `asked` tells which slots a question asks for."""

    ledger: Ledger
    asked: Asked
    now: Callable[[], datetime]

    async def plan(self, meant: Meant, *, erase: bool = False) -> Plan:
        """What forgetting comes to. Raises `NotFound` where what is meant is not there, `InvalidInput` for a query that
        names nothing."""
        plan = Plan(meant, erase, self.now(), await self.ledger.head())
        if meant.query is not None:
            await self._wished(plan, meant.query)
        elif meant.everything:
            await self._person(plan)
        else:
            await self._named(plan, (meant.source,) if meant.source is not None else meant.ids)
        named = set(meant.ids)
        await self._cascade(plan)
        if meant.source is not None:
            for node, before in await reopened(self.ledger, plan.gone):
                plan.edit(node, **before)
        await self._think_again(plan, [node for key, node in plan.gone.items() if key not in named])
        await self._look_for_names(plan)
        return plan

    async def plan_traces(self, traces: Traces) -> Plan:
        """What erasing comes to in a copy: what it has of it, and what it has made of that since. What says something
        else by now than what was to be cut goes whole."""
        plan = Plan(traces.meant, True, self.now(), await self.ledger.head())
        if traces.target is not None:
            await self._person(plan)
        named = {*traces.ids, *traces.cuts}
        found = {
            key: node
            for key, node in (await self.ledger.get(traces.scope.tenant, named)).items()
            if node.within(traces.scope)
        }
        plan.lost |= named - found.keys()
        plan.gone |= {key: node for key, node in found.items() if key not in traces.cuts}
        for key, (content, stretches) in traces.cuts.items():
            node = found.get(key)
            if node is not None and key not in plan.gone:
                if node.content == content:
                    plan.cut(node, stretches)
                else:
                    plan.drop(node)
        await self._cascade(plan)
        await self._think_again(plan, plan.gone.values())
        await self._look_for_names(plan)
        return plan

    async def _person(self, plan: Plan) -> None:
        """A person goes with all that is about him; who is erased, also with the words that others said it in."""
        plan.gone |= {node.memory_id: node for node in await self._held(plan)}
        if plan.erase:
            await self._unsay(plan, list(plan.gone.values()))

    async def _look_for_names(self, plan: Plan) -> None:
        """Find what others said, and what documents say, that names who is erased by a name he is known by and stays:
        nobody knows what of it is about him."""
        if not (plan.erase and plan.meant.everything) or plan.early:
            return
        names = NamesOf(name for node in plan.gone.values() for name in names_in(node, plan.meant.scope.target))
        whole = Scope(plan.meant.scope.tenant, plan.meant.scope.agent)
        async for node in self._all(Selection(whole, types=VERBATIM, limit=PAGE)):
            if node.memory_id not in plan.gone and names.stand_in(plan.state(node).content):
                plan.left.add(node.memory_id)

    async def _named(self, plan: Plan, ids: Collection[str]) -> None:
        found = await self.ledger.get(plan.meant.scope.tenant, ids)
        nodes = [node for node in found.values() if node.within(plan.meant.scope)]
        missing = sorted(set(ids) - {node.memory_id for node in nodes})
        if missing:
            raise NotFound(f"agent {plan.meant.scope.agent!r} has no memory {', '.join(missing)}")
        plan.gone |= {node.memory_id: node for node in nodes if plan.erase or _holds(node)}
        if plan.erase and plan.meant.source is None:
            await self._unsay(plan, nodes)

    async def _wished(self, plan: Plan, query: str) -> None:
        # Also what is over: the turns in which it was said still say it.
        ever = await self._held(plan, over=True)
        held = [node for node in ever if plan.erase or _holds(node)]
        wish = read_wish(query, self.asked, {node.target_name for node in ever})
        facts = [node for node in ever if node.memory_type is not MemoryType.CONVERSATION]
        meant = [node for node in facts if wish.forget.fills(node) and not wish.keep.fills(node)]
        for node in meant:
            if plan.erase or _holds(node):
                plan.drop(node)
        for node in held:
            if node.memory_id not in plan.gone:
                _take_out(plan, node, wish)
        await self._unsay(plan, meant)
        numbers = [node.value for node in meant if identifies(node.value)]
        for node in held:
            said = [cut for cut in pieces(node.content) if any(n in node.content[slice(*cut)] for n in numbers if n)]
            if said and node.memory_id not in plan.gone and not wish.keep.fills(node):
                _take(plan, node, said)

    async def _unsay(self, plan: Plan, nodes: Iterable[MemoryNode]) -> None:
        """Take the words these memories were made of out of the turns they stand in."""
        facts = [node for node in nodes if is_of_words(node)]
        said_in = {part.memory_id for node in facts for part in node.evidence} - plan.gone.keys()
        turns = await self.ledger.get(plan.meant.scope.tenant, said_in)
        if not turns:
            return
        names = await self.ledger.naming(plan.meant.scope, turns.keys())
        others = await self.ledger.get(plan.meant.scope.tenant, names - {node.memory_id for node in facts})
        for node in facts:
            for part in node.evidence:
                turn = turns.get(part.memory_id)
                if turn is not None and turn.memory_id not in plan.gone and (plan.erase or _holds(turn)):
                    beside = [other for other in others.values() if other.memory_id not in plan.gone]
                    said = saying(node, turn.content, part, beside)
                    if not (plan.erase or _holds(node)):
                        # Its evidence points into the turn as it was; words may have been cut from that since.
                        said = [cut for cut in said if node.value and node.value in turn.content[slice(*cut)]]
                    if said:
                        plan.cut(turn, said)

    async def _cascade(self, plan: Plan) -> None:
        """Follow what rests on the forgotten until nothing changes any more. Entities are made anew of what stays."""
        looked_at: set[str] = set()
        for _ in range(DEEPEST):
            ahead = {*plan.gone, *plan.cuts} - looked_at
            if not ahead:
                return
            looked_at |= ahead
            names = {*await self.ledger.naming(plan.meant.scope, ahead), *plan.named, *plan.cuts}
            found = await self.ledger.get(plan.meant.scope.tenant, names)
            plan.named |= found.keys()
            plan.lost |= names - found.keys()
            sources = {source for node in found.values() for source in rests_on(node)}
            known = await self.ledger.get(plan.meant.scope.tenant, sources)
            for node in found.values():
                if node.memory_type in GRAPH:
                    plan.gone |= {node.memory_id: node} if plan.erase else {}
                elif node.memory_id not in plan.gone and (plan.erase or _holds(node)):
                    _settle(plan, plan.edited.get(node.memory_id, (node, node))[0], known)

    async def _think_again(self, plan: Plan, gone: Iterable[MemoryNode]) -> None:
        """Let the next reflection look as if they were new at the observations from which more was concluded together
        with what is forgotten."""
        sources = {key for node in gone if not is_of_words(node) for key in rests_on(node) if key not in plan.gone}
        for node in (await self.ledger.get(plan.meant.scope.tenant, sources)).values():
            known = plan.state(node)
            if known.memory_type is MemoryType.OBSERVATION and known.obs_reflected and _holds(known):
                plan.edit(node, obs_reflected=0)

    async def _held(self, plan: Plan, *, over: bool = False) -> list[MemoryNode]:
        """What may be meant, `over`: with what holds no longer. Where the clock was set back, as when a scenario is
        played again, what is not known yet is left alone."""
        statuses = () if plan.erase or over else (StoreStatus.VALID,)
        found = [node async for node in self._all(Selection(plan.meant.scope, statuses=statuses, limit=PAGE))]
        known = [node for node in found if node.created_at <= plan.now]
        plan.early = bool(found) and not known
        return known

    async def _all(self, selection: Selection) -> AsyncIterator[MemoryNode]:
        while page := await self.ledger.select(selection):
            for node in page:
                yield node
            selection = replace(selection, after=(page[-1].timestamp, page[-1].memory_id))


def _holds(node: MemoryNode) -> bool:
    return node.store_status is StoreStatus.VALID


def _take_out(plan: Plan, node: MemoryNode, wish: Wish) -> None:
    """Take the clauses out of a memory that say what the wish names; the whole, where only the whole says it."""
    stretches = [cut for cut in pieces(node.content) if _meant_by(wish, node.content[slice(*cut)])]
    if stretches:
        _take(plan, node, stretches)
    elif wish.forget.said_in(_whole(node)) and not wish.keep.said_in(node.content) and not wish.keep.fills(node):
        plan.drop(node)


def _take(plan: Plan, node: MemoryNode, stretches: Collection[Cut]) -> None:
    """Take clauses out of a memory of words; one that was concluded, measured, is a value or a fact goes whole."""
    whole = node.kind in (ITEM, SESSION_ITEM) or is_document_fact(node)
    words = is_of_words(node) or node.memory_type in (MemoryType.CONVERSATION, MemoryType.LONGTERM)
    plan.cut(node, stretches) if words and not whole else plan.drop(node)


def _whole(node: MemoryNode) -> str:
    caption = node.meta_data.get("caption")
    return "\n".join((node.content, *node.key, caption if isinstance(caption, str) else ""))


def _meant_by(wish: Wish, text: str) -> bool:
    return wish.forget.said_in(text) and not wish.keep.said_in(text)


def _settle(plan: Plan, node: MemoryNode, known: dict[str, MemoryNode]) -> None:
    """Leave a memory with what still carries it, or let it go."""
    sources = rests_on(node)
    rest = [part for old in node.evidence if old.memory_id not in plan.gone and (part := _moved(plan, old))]
    # Other words of a turn that were cut away go as if the turn were gone.
    unsaid = {part.memory_id for part in node.evidence} - {part.memory_id for part in rest}
    lost = (sources & plan.gone.keys()) | unsaid
    remaining = [known[key] for key in sources - lost if key in known]
    if lost and not _carried(plan, plan.state(node), rest, remaining, known):
        plan.drop(node)
        return
    kept = {
        "source_ids": tuple(key for key in node.source_ids if key not in lost),
        "depends_on": tuple(key for key in node.depends_on if key not in lost),
        "evidence": tuple(rest),
    }
    plan.edit(node, **kept, **(unlinked(plan.state(node), plan.gone) if plan.erase else {}))


def _carried(
    plan: Plan,
    node: MemoryNode,
    rest: list[Evidence],
    remaining: list[MemoryNode],
    known: dict[str, MemoryNode],
) -> bool:
    if not remaining:
        return False
    if is_of_words(node):
        turns = {key: plan.state(turn) for key, turn in known.items()}
        rest = [part for part in rest if part.memory_id in turns]
        before = [part for part in node.evidence if part.memory_id in known]
        return bool(rest) and still_said(node, before, rest, known, turns)
    gone = [plan.gone[key] for key in rests_on(node) if key in plan.gone]
    return not tells_of(node, gone, remaining)


def _moved(plan: Plan, part: Evidence) -> Evidence | None:
    return moved(part, plan.cuts.get(part.memory_id, ()))
