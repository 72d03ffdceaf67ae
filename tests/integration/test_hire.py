"""A hired agent has what its contract lets go, and not a word of anybody's."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from agentmem.agents.copying import contract, generality, people, stripping
from agentmem.agents.copying.contract import Reason
from agentmem.domain.event import AssetReceived
from agentmem.domain.lineage import copied_id
from agentmem.domain.memory import MemoryNode, MemoryType, Trust
from agentmem.domain.persona import HirePolicy, Persona
from agentmem.domain.scope import Scope
from agentmem.errors import Conflict, InvalidInput, NotFound
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.app import App
from tests.support.canaries import CONTRACT, HIRED, HIRER, MANUAL, PRODUCT, everything_of, persona_of_hired, plant
from tests.support.known import SELLER, target_of
from tests.support.nodes import AGENT, NOON, TENANT, a_turn
from tests.support.spine import spine

THERE = Scope(HIRER, HIRED)
SHELF = HirePolicy(layers=(MemoryType.LONGTERM,))


async def hired(app: App) -> list[MemoryNode]:
    """The memories of the seller when it is hired, oldest first."""
    await app.copies.hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)
    return await known(app)


async def known(app: App, scope: Scope = THERE) -> list[MemoryNode]:
    return (await app.memories(Selection(scope, limit=10_000)))[::-1]


async def with_manual(app: App, text: str = MANUAL, policy: HirePolicy = SHELF, **fields: object) -> None:
    await app.know_agent(SELLER.revised(hire=policy, **fields))
    await app.accept([manual(text)])
    await app.drain()


def manual(text: str, version: int = 0) -> AssetReceived:
    return AssetReceived(
        event_id=f"manual-{version}",
        tenant=TENANT,
        agent_id=AGENT,
        agent_name=SELLER.name,
        target_id=target_of(SELLER.name),
        at=NOON,
        asset_id="manual",
        title="manual",
        version=f"{version}" * 64,
        media_type="text/markdown",
        text=text,
    )


async def asked(app: App, scope: Scope, question: str, k: int = 10) -> list[str]:
    found = await app.recall(RecallQuery(scope, question, types=(MemoryType.LONGTERM,), k=k))
    return [hit.memory.content for hit in found.hits]


async def test_no_canary_of_a_thousand_gets_out_and_what_may_go_is_there(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        canary = await plant(app, 26)
        assert len(canary.made) >= 1_000
        assert found(canary.made, await everything_of(app, TENANT)) == set(canary.made)
        came = await hired(app)
        assert found(canary.made, await everything_of(app, HIRER)) == set()
        assert sorted(node.content for node in came) == sorted(
            (
                *(f"手册 › 第{number}节\n{text}" for number, text in enumerate(PRODUCT, start=1)),
                *("AIP\nAIP 由平台团队维护", "AIP 每周更新", "AIP 有测试版", "至少2位客户的顾虑:价格"),
            )
        )
        assert await app.journal.registry.agent(HIRER, HIRED) == persona_of_hired()
        told = {node.content for node in came}
        for text in PRODUCT:
            before = await asked(app, Scope(TENANT, AGENT), text, k=100)
            assert await asked(app, THERE, text) == [content for content in before if content in told][:10]


def found(canaries: list[str], text: str) -> set[str]:
    return set(re.findall(r"zk\d{4}q", text)) & set(canaries)
