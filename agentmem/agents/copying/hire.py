"""Hiring: an agent for another tenant, with what its contract lets go and nothing else.

The contract that counts is the narrowest along the whole chain of clones and hires: what an agent never had a right to,
none made from it gets. What goes is chosen first and written then, page by page, and the hired agent appears when it is
complete; an attempt that died is begun anew.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog

from agentmem.agents.copying.clone import refuse_another
from agentmem.agents.copying.contract import Choice, Chooser, Reason
from agentmem.agents.copying.generality import PEOPLE, Removal
from agentmem.agents.copying.name_matcher import NameMatcher
from agentmem.agents.copying.renaming import decided_in_hire, decisions_of, wire_of
from agentmem.assets.pieces import place_of
from agentmem.domain.ids import derived_id
from agentmem.domain.lineage import LINEAGE, Lineage, copied_id, origin_of
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import HirePolicy, Persona
from agentmem.domain.scope import Scope
from agentmem.errors import Conflict, InvalidInput, NotFound
from agentmem.ledger.listing import every
from agentmem.memory.forget_plan import ForgetPlan
from agentmem.ports.agent_records import CopiedRow, CopyDraft, CopyStore, Lineages
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Ledger, Selection

log = structlog.get_logger()

PAGE = 1_000
MAX_ATTEMPTS = 5
"""So often a hire is begun anew because its original was erased from, or somebody else made it, too."""


@dataclass(frozen=True, slots=True)
class HireRequest:
    """Who is to be hired, by whom, under which id there, and under which name (None: its own)."""

    source: Scope
    tenant: str
    agent_id: str
    name: str | None = None

    def __post_init__(self) -> None:
        if self.source.tenant == self.tenant:
            raise InvalidInput(f"agent {self.source.agent!r} is of tenant {self.tenant!r} already: clone it")


@dataclass(frozen=True, slots=True)
class HirePreview:
    """What a hire comes to: the persona and the memories of the hired agent, what was `decided` about who is who in
    these, the contract that counts, what stays by
    reason, and what of the persona stays, in words. It names nobody who stays: whoever hires may see it."""

    persona: Persona
    contract: HirePolicy
    memories: tuple[MemoryNode, ...]
    decided: tuple[MemoryNode, ...]
    stays: Mapping[Reason, int]
    left_behind: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hired:
    """A hire as it is recorded on both sides. `prospect` is what came and what stayed; None where it had been made
    before."""

    lineage: Lineage
    prospect: HirePreview | None


async def preview_hire(journal: Journal, wish: HireRequest, *, now: datetime) -> HirePreview:
    """What the hire would come to now; nothing is written. Raises `NotFound`, and `InvalidInput` for a name that names
    somebody the agent knows."""
    source = await journal.registry.agent(wish.source.tenant, wish.source.agent)
    if source is None:
        raise NotFound(f"no agent {wish.source.agent!r}")
    contract = await contract_of(journal.lineages, wish.source.tenant, source)
    chooser = Chooser(source, contract, now)
    async for node in every(journal.ledger, Selection(wish.source, limit=PAGE)):
        chooser.take(node)
    people = chooser.people
    marks = people.marks(people.called.keys() - people.spoke)
    contract = contract.revised(targets=tuple(name for name in contract.targets if marks.within(name) is None))
    persona, left_behind = hired_persona(source, wish, contract, marks)
    # Names are looked for in all documents: 0.5 ms for each piece, which nobody else is to wait for.
    choice = await asyncio.to_thread(chooser.choose)
    removal = Removal(source.id, persona, wish.tenant, now, contract.people)
    memories = _moved(choice, people.itself, removal)
    decided = decided_in_hire(await decisions_of(journal.ledger, wish.source), memories, removal)
    return HirePreview(persona, contract, memories, tuple(decided), choice.stays, left_behind)


async def hire(journal: Journal, wish: HireRequest, *, now: datetime) -> Hired:
    """Make the hired agent. Raises as `preview_hire` does, `AlreadyThere` where another agent has its id, or had it and
    was released, or an earlier hire has it that is not as this one would be, and `Conflict` where it goes on
    changing."""
    for _ in range(MAX_ATTEMPTS):
        hired = await _attempt(journal, wish, now)
        if hired is not None:
            return hired
    raise Conflict(f"agent {wish.agent_id!r} is being hired by somebody else, or its original erased from: try again")


async def _attempt(journal: Journal, wish: HireRequest, now: datetime) -> Hired | None:
    """One try; None where somebody came in between. What goes is chosen once more when the hire is begun: what was
    erased before that is not there any more, and an erasure after it throws away what was begun."""
    before = await journal.lineages.origin(wish.tenant, wish.agent_id)
    if before is not None and _is_this(before, wish):
        if before.state == "made":
            source = await journal.registry.agent(wish.source.tenant, wish.source.agent)
            await refuse_another(journal, before, wish.name or (source.name if source else ""))
            return Hired(before, None)
        if before.state == "making":
            await journal.copies.discard(wish.tenant, wish.agent_id, now=now)
    planned = await preview_hire(journal, wish, now=now)
    source, contract = wish.source, planned.contract.model_dump(mode="json")
    draft = CopyDraft("hire", source.tenant, source.agent, wish.tenant, planned.persona, contract)
    copy = await journal.copies.begin(draft, now=now)
    prospect = await preview_hire(journal, wish, now=now)
    if copy.state != "making" or copy.reached or prospect.persona != planned.persona:
        return None
    try:
        made = await _written(journal.copies, copy, (*prospect.memories, *prospect.decided), now)
    except Conflict:
        return None
    log.info(
        "agent_hired", agent=wish.agent_id, tenant=wish.tenant, source=source.agent, memories=len(prospect.memories)
    )
    return Hired(made, prospect)


async def _written(copies: CopyStore, copy: Lineage, memories: Sequence[MemoryNode], now: datetime) -> Lineage:
    rows = [_row(node, copy, number) for number, node in enumerate(memories, start=1)]
    for begin in range(0, len(rows), PAGE):
        page = rows[begin : begin + PAGE]
        copy = await copies.write(copy, page, reached=page[-1].seq)
    return await copies.complete(copy, now=now)


async def release(journal: Journal, tenant: str, agent_id: str, *, now: datetime) -> tuple[Lineage, list[str]]:
    """End a hire: the hired agent goes with everything it has, also what it learned since, and so do the agents that
    were made from it; their names are not given again. The lineage, and the ids of the memories that went; released
    again, there are none. Raises `NotFound` for an agent that nobody hired, and `Conflict` where it is copied faster
    than its copies go."""
    hired = await journal.lineages.origin(tenant, agent_id)
    if hired is None or hired.kind != "hire" or hired.state == "making":
        raise NotFound(f"no hired agent {agent_id!r}")
    gone: list[str] = []
    for tried in range(1, MAX_ATTEMPTS + 1):
        try:
            # The last ones made first, so that who is killed halfway finds the rest of the chain again.
            for copy in reversed(await _chain(journal.lineages, hired)):
                gone += await journal.copies.release(copy.tenant, copy.agent_id, now=now)
            break
        except Conflict:
            if tried == MAX_ATTEMPTS:
                raise
    log.info("agent_released", agent=agent_id, tenant=tenant, memories=len(gone))
    return await journal.lineages.origin(tenant, agent_id) or hired, gone


async def _chain(lineages: Lineages, first: Lineage) -> list[Lineage]:
    """An agent and all that were made from it, at any remove, each behind the one it was made from."""
    chain = {first.lineage_id: first}
    ahead = [first]
    while ahead:
        made = await lineages.made_from(ahead[0].tenant, ahead.pop(0).agent_id)
        new = [copy for copy in made if copy.is_copy and copy.lineage_id not in chain]
        chain |= {copy.lineage_id: copy for copy in new}
        ahead += new
    return list(chain.values())


async def contract_of(lineages: Lineages, tenant: str, persona: Persona) -> HirePolicy:
    """What the agent's persona allows, narrowed by every contract on the way from whom it was made; what a memory or a
    file says of it counts where it narrows, and not otherwise."""
    bound = await bound_by(lineages, tenant, persona.id)
    return persona.hire if bound is None else persona.hire.narrowed(bound)


async def bound_by(lineages: Lineages, tenant: str, agent_id: str) -> HirePolicy | None:
    """What every contract on the way from whom the agent was made allows; None where nobody was hired on it."""
    bound: HirePolicy | None = None
    passed, place = set[tuple[str, str]](), (tenant, agent_id)
    while place not in passed and (origin := await lineages.origin(*place)) is not None:
        passed.add(place)
        place = origin.source_tenant, origin.source_agent
        if origin.bound is not None:
            contract = HirePolicy.model_validate(origin.bound)
            bound = contract if bound is None else bound.narrowed(contract)
    return bound


async def no_longer_shared(journal: Journal, hired: Lineage, plan: ForgetPlan) -> list[str]:
    """Which memories of a hired agent would rest on fewer people than its contract asks for, were this plan carried out
    at its source; ids. Whoever is gone without a trace no longer counts, who only changed his mind does."""
    source, scope = Scope(hired.source_tenant, hired.source_agent), Scope(hired.tenant, hired.agent_id)
    persona = await journal.registry.agent(source.tenant, source.agent)
    came = await _came(journal, hired)
    if persona is None or not came:
        return []
    chooser = Chooser(persona, HirePolicy.model_validate(hired.contract), plan.now)
    async for node in every(journal.ledger, Selection(source, limit=PAGE)):
        if node.memory_id not in plan.gone:
            chooser.take(plan.state(node))
    shared = {copied_id(scope.tenant, scope.agent, key) for key in chooser.still_shared()}
    return [memory_id for memory_id in came if memory_id not in shared]


async def _came(journal: Journal, hired: Lineage) -> list[str]:
    """The ids of what a hired agent got that rests on people; where it is gone, of what its files brought back."""
    scope = Scope(hired.tenant, hired.agent_id)
    if hired.state != "released":
        return [node.memory_id async for node in _resting_on_people(journal.ledger, scope)]
    copies = [copy for copy in await journal.lineages.made_from(hired.tenant, hired.agent_id) if copy.is_copy]
    brought = [
        origin_of(node)
        for copy in copies
        async for node in _resting_on_people(journal.ledger, Scope(copy.tenant, copy.agent_id))
    ]
    return [origin for origin in brought if origin is not None]


async def _resting_on_people(ledger: Ledger, scope: Scope) -> AsyncIterator[MemoryNode]:
    async for node in every(ledger, Selection(scope, limit=PAGE)):
        if {PEOPLE, LINEAGE} <= node.meta_data.keys():
            yield node


def hired_persona(
    source: Persona, wish: HireRequest, contract: HirePolicy, marks: NameMatcher
) -> tuple[Persona, tuple[str, ...]]:
    """Who the hired agent is, and what of the persona stays behind, in words. Tools, documents and the model are the
    owner's: they act with his rights, lead to his files and are paid by him. Lines that name who spoke with it stay."""
    name = wish.name or source.name
    if wish.name is None and marks.within(source.name) is not None:
        raise InvalidInput(f"the name of agent {source.id!r} names somebody it knows: give the hired agent another one")
    lines = {"goals": source.goals, "boundaries": source.boundaries, "role": (source.role,), "style": (source.style,)}
    clean = {key: tuple(line for line in given if marks.within(line) is None) for key, given in lines.items()}
    attributes = {key: said for key, said in source.memory.attributes.items() if marks.within(f"{key} {said}") is None}
    try:
        persona = Persona(
            id=wish.agent_id,
            name=name,
            role="".join(clean["role"]),
            language=source.language,
            goals=clean["goals"],
            boundaries=clean["boundaries"],
            style="".join(clean["style"]),
            memory=source.memory.revised(attributes=attributes),
            hire=contract,
        )
    except InvalidInput as error:
        raise InvalidInput(f"a hired agent called {wish.agent_id!r}: {error}") from error
    fields = ("model", "tools", "knowledge")
    kept = tuple(field for field in fields if getattr(source, field))
    named = tuple(f"{key}: a line that names somebody" for key in lines if clean[key] != lines[key])
    return persona, (*kept, *named)


def _is_this(lineage: Lineage, wish: HireRequest) -> bool:
    source = (lineage.source_tenant, lineage.source_agent)
    return lineage.kind == "hire" and source == (wish.source.tenant, wish.source.agent)


def _moved(choice: Choice, itself: set[str], removal: Removal) -> tuple[MemoryNode, ...]:
    places = _places(choice.goes)
    goes = [
        removal.moved(
            node,
            of_itself=node.target_id in itself,
            concluded=node.memory_id in choice.concluded,
            place=places.get(node.memory_id),
        )
        for node in choice.goes
    ]
    return (*goes, *(removal.general(item, place) for place, item in enumerate(choice.general)))


def _places(nodes: Sequence[MemoryNode]) -> dict[str, int]:
    """The pieces that go along, numbered in the order of their documents: what stands between them is not told."""
    pieces = [
        (str(node.meta_data.get("assetId")), place, node) for node in nodes if (place := place_of(node)) is not None
    ]
    in_order = sorted(pieces, key=lambda piece: (piece[0], piece[1], piece[2].timestamp))
    return {node.memory_id: number for number, (_, _, node) in enumerate(in_order)}


def _row(node: MemoryNode, copy: Lineage, number: int) -> CopiedRow:
    return CopiedRow(
        seq=number,
        memory_id=node.memory_id,
        target_id=node.target_id,
        run=derived_id("hire", copy.tenant, copy.agent_id, copy.began_at.isoformat()),
        cause="hire",
        at=copy.began_at.isoformat(),
        act="add",
        reason="came with the hire",
        after=wire_of(node),
    )
