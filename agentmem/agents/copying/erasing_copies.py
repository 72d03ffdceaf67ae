"""Erasing reaches copies: what an agent erases is erased in every agent that was made from it, in the same operation.

Ids of a copy follow from the original's, so what it has is computed and not searched for. In a clone a person who is
erased goes as a whole, with what he told the clone himself. In what left the tenant, by hire, a memory of which the
original only kept a part goes whole, and so does what too few people are left for.
"""

from collections.abc import Collection
from dataclasses import replace

from agentmem.agents.copying.hire import no_longer_shared
from agentmem.agents.copying.renaming import Renaming
from agentmem.domain.lineage import Lineage
from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Scope
from agentmem.memory.erase import erasure_of
from agentmem.memory.forget import Forgetter
from agentmem.memory.forget_plan import ForgetPlan, Traces
from agentmem.ports.erasure import Erasure, Owed
from agentmem.ports.journal import Journal

Agent = tuple[str, str]
"""Tenant and id."""


async def erasure_with_copies(journal: Journal, forgetter: Forgetter, plan: ForgetPlan) -> Erasure:
    """What is to be removed for this plan, here and in all copies, copies of copies included."""
    scope = plan.meant.scope
    return await _erasure(journal, forgetter, plan, {(scope.tenant, scope.agent)})


async def _erasure(journal: Journal, forgetter: Forgetter, plan: ForgetPlan, seen: Collection[Agent]) -> Erasure:
    erasure = await erasure_of(plan, journal.events)
    scope = plan.meant.scope
    copies: list[Erasure] = []
    for lineage in await journal.lineages.made_from(scope.tenant, scope.agent):
        copy = (lineage.tenant, lineage.agent_id)
        if lineage.is_copy and copy not in seen:
            traces = await traces_in(journal, lineage, plan)
            reached = await forgetter.plan_traces(traces)
            planned = await _erasure(journal, forgetter, reached, {*seen, copy})
            copies.append(replace(planned, owed=_owed(traces, erasure.commit.run)))
    return replace(erasure, copies=tuple(copies))


def _owed(traces: Traces, run: str) -> Owed:
    """What to take from the copy later, if it cannot be now. What would be cut goes whole then: to cut it, the words
    would have to be kept until it is done."""
    scope = traces.scope
    ids = tuple(sorted({*traces.ids, *traces.cuts}))
    return Owed(run=run, tenant=scope.tenant, agent_id=scope.agent, memory_ids=ids, target=traces.target)


async def erasure_owed(journal: Journal, forgetter: Forgetter, owed: Owed) -> Erasure:
    """What is to be removed from a copy that an erasure could not reach then, and from all made of it."""
    scope = Scope(owed.tenant, owed.agent_id)
    plan = await forgetter.plan_traces(Traces(scope, owed.memory_ids, {}, owed.target))
    return await _erasure(journal, forgetter, plan, {(owed.tenant, owed.agent_id)})


async def traces_in(journal: Journal, lineage: Lineage, plan: ForgetPlan) -> Traces:
    """What the copy has of what this plan erases."""
    source = await journal.registry.agent(lineage.source_tenant, lineage.source_agent)
    persona = await journal.registry.agent(lineage.tenant, lineage.agent_id)
    about = {node.target_name for node in (*plan.gone.values(), *(before for before, _ in plan.edited.values()))}
    name = lineage.agent_id if persona is None else persona.name
    to = Renaming.of(lineage, name, source_name=source.name if source else lineage.source_agent, about=about)
    hired = lineage.kind == "hire"
    gone = {*plan.gone, *plan.lost, *(plan.edited if hired else ())}
    between = {key: to.entity_of(node) for key, node in plan.gone.items() if node.memory_type is MemoryType.ENTITY}
    few = await no_longer_shared(journal, lineage, plan) if hired else []
    cuts = {} if hired else {key: stretches for key, stretches in plan.stretches.items() if key in plan.cuts}
    person = plan.meant.scope.target if plan.meant.everything and lineage.kind == "clone" else None
    return Traces(
        scope=Scope(lineage.tenant, lineage.agent_id),
        ids=(*(between.get(key) or to.memory_id(key) for key in sorted(gone)), *few),
        cuts={to.memory_id(key): (plan.edited[key][0].content, frozenset(each)) for key, each in sorted(cuts.items())},
        target=None if person is None else to.entity_id(person),
    )
