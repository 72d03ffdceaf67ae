"""Erasing reaches hired agents: what rests on too few people afterwards goes there, too."""

from pathlib import Path

from agentmem.domain.change import Change
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import HirePolicy
from agentmem.domain.scope import Principal, Scope
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Commit, Selection
from agentmem.runtime.facade.app import App
from tests.support.canaries import CONTRACT, HIRED, HIRER
from tests.support.known import SELLER, target_of, told_by
from tests.support.nodes import AGENT, NOON, TENANT
from tests.support.spine import spine

ONWARD = Scope("third", "onward")


async def told(app: App, value: str, *names: str) -> None:
    """Let these people say that they are worried about it."""
    nodes = [node for name in names for node in told_by(name, f"我担心{value}", "concern", value)]
    await app.journal.ledger.commit(
        Commit(TENANT, f"told {value}", "test", NOON, tuple(Change(act="add", after=node) for node in nodes))
    )


async def known(app: App, scope: Scope) -> list[str]:
    nodes: list[MemoryNode] = list(await app.for_principal(Principal.owner(scope.tenant)).memories(Selection(scope)))
    return sorted(node.value or "" for node in nodes)


async def test_what_too_few_people_are_left_for_goes_along_the_whole_chain(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.know_agent(SELLER.revised(hire=CONTRACT))
        await told(app, "价格", "罗小东", "王芳", "李雷")
        await told(app, "交付", "罗小东", "王芳")
        await app.copies.clone(AGENT, "twin")
        await app.copies.hire("twin", HIRED, tenant=HIRER, from_tenant=TENANT)
        await app.copies.hire(HIRED, ONWARD.agent, tenant=ONWARD.tenant, from_tenant=HIRER)
        assert await known(app, Scope(HIRER, HIRED)) == await known(app, ONWARD) == ["交付", "价格"]
        done = await app.forget(Meant(Scope(TENANT, AGENT, target_of("罗小东"))), erase=True)
        assert await known(app, Scope(HIRER, HIRED)) == await known(app, ONWARD) == ["价格"]
        assert done.erased is not None
        assert {(copy.tenant, copy.agent_id) for copy in done.erased.copies} >= {(HIRER, HIRED), tuple_of(ONWARD)}


def tuple_of(scope: Scope) -> tuple[str, str]:
    return scope.tenant, scope.agent


async def test_who_had_it_forgotten_is_counted_no_more(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.know_agent(SELLER.revised(hire=CONTRACT))
        await told(app, "价格", "罗小东", "王芳", "李雷")
        await app.copies.hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)
        await app.forget(Meant(Scope(TENANT, AGENT, target_of("王芳"))))
        assert await known(app, Scope(HIRER, HIRED)) == ["价格"]
        await app.forget(Meant(Scope(TENANT, AGENT, target_of("罗小东"))), erase=True)
        assert await known(app, Scope(HIRER, HIRED)) == []


async def test_what_was_erased_before_a_hire_is_begun_is_not_in_it(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.know_agent(SELLER.revised(hire=HirePolicy(layers=CONTRACT.layers, about_customers=True)))
        await told(app, "价格", "罗小东", "王芳")
        await app.forget(Meant(Scope(TENANT, AGENT, target_of("罗小东"))), erase=True)
        await app.copies.hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)
        assert await known(app, Scope(HIRER, HIRED)) == []
