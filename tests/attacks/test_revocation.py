"""Access that ends while something is under way ends that too, and what is only the operator's stays his."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import pytest

from agentmem.domain.scope import ALL, Grant, Principal, Scope
from agentmem.errors import NotFound
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.access import Access, needs
from tests.support.nodes import AGENT, TENANT, a_memory
from tests.support.obedient import keep
from tests.support.spine import SCOPE, spine

READER = Principal("reader", TENANT, {AGENT: frozenset({Grant.READ})})


@dataclass(frozen=True)
class Slow:
    access: Access
    go: asyncio.Event

    @needs(Grant.READ, of="scope")
    async def answer(self, scope: Scope) -> str:
        await self.go.wait()
        return "secret"

    @needs(Grant.READ, of="scope")
    async def tell(self, scope: Scope) -> AsyncGenerator[str]:
        yield "first"
        yield "second"


async def test_an_answer_that_was_under_way_is_not_handed_out_after_revocation() -> None:
    slow = Slow(Access(READER), asyncio.Event())
    answering = asyncio.ensure_future(slow.answer(SCOPE))
    await asyncio.sleep(0)
    slow.access.revoked.revoke(TENANT, "reader", ALL)
    slow.go.set()
    with pytest.raises(NotFound):
        await answering


async def test_a_stream_ends_at_revocation() -> None:
    slow = Slow(Access(READER), asyncio.Event())
    parts = slow.tell(SCOPE)
    assert await anext(parts) == "first"
    slow.access.revoked.revoke(TENANT, "reader", AGENT)
    with pytest.raises(NotFound):
        await anext(parts)


async def test_a_context_that_is_being_built_is_not_shown_after_revocation(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await keep(app, a_memory("罗小东 likes tea"))
        reader = app.for_principal(READER)

        def count(text: str) -> int:
            reader.access.revoked.revoke(TENANT, "reader", AGENT)
            return len(text)

        with pytest.raises(NotFound):
            await reader.context(RecallQuery(SCOPE, "tea"), count=count, budget=4_000)


async def test_revoked_is_who_was_named_and_nobody_else(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        reader, other = app.for_principal(READER), app.for_principal(Principal("other", TENANT, READER.agents))
        await app.revoke("reader", agent=AGENT)
        with pytest.raises(NotFound):
            await reader.recall(RecallQuery(SCOPE, "tea"))
        assert await reader.records.agents() == []
        assert await other.recall(RecallQuery(SCOPE, "tea"))


async def test_nobody_but_the_operator_acts_for_others_or_on_the_whole_store(tmp_path: Path) -> None:
    boss = Principal("boss", TENANT, {ALL: frozenset(Grant)})
    async with spine(tmp_path) as app:
        theirs = app.for_principal(boss)
        with pytest.raises(NotFound):
            theirs.for_principal(Principal.owner(TENANT))
        for refused in (
            theirs.index.verify,
            theirs.index.optimise,
            theirs.upkeep.depth,
            theirs.upkeep.index,
            theirs.upkeep.changes,
        ):
            with pytest.raises(NotFound):
                await refused()
        with pytest.raises(NotFound):
            await theirs.index.rebuild(lambda _done, _total: None)
        with pytest.raises(NotFound):
            await app.for_principal(READER).revoke("boss")
