"""What somebody is told of a forgetting of his own, and of anything else: nothing of what belongs to others."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import pytest

from agentmem.domain.change import Change
from agentmem.domain.scope import Grant, Principal, Scope
from agentmem.errors import NotFound
from agentmem.ledger.listing import ALL
from agentmem.memory.forget import Meant
from agentmem.ports.erasure import Erased
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.access import Access, needs, shows_its_own
from agentmem.runtime.facade.forget_requests import Forgotten, told_to
from tests.support.homes import ANN, BEN, plant_homes
from tests.support.nodes import AGENT, NOON, TENANT
from tests.support.spine import spine

BOUND = Principal("ben", TENANT, {AGENT: frozenset(Grant)}, about="Ben")
READER = Principal("here", TENANT, {AGENT: frozenset({Grant.READ, Grant.WRITE})})


async def test_forgetting_tells_nobody_what_else_there_is(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await plant_homes(app)
        await app.copies.clone(AGENT, "copy")
        own = {node.memory_id for node in await app.memories(Selection(BEN.scope, limit=ALL))}
        others = {node.memory_id for node in await app.memories(Selection(Scope(TENANT, AGENT), limit=ALL))} - own
        whole = await app.forget(Meant(BEN.scope), erase=True, dry_run=True)
        assert {*whole.left, *(node.memory_id for node in whole.gone)} & others
        assert whole.copies
        here = await app.for_principal(READER).forget(Meant(BEN.scope), erase=True, dry_run=True)
        assert (here.gone, here.left, here.copies) == (whole.gone, whole.left, ())
        for dry_run in (True, False):
            told = await app.for_principal(BOUND).forget(Meant(BEN.scope), erase=True, dry_run=dry_run)
            assert {node.memory_id for node in told.gone} <= own
            assert {node.memory_id for pair in told.edited for node in pair} <= own
            assert (told.left, told.copies, told.receipt) == ((), (), None)
        assert told.erased is not None
        named = {*told.erased.everywhere, *told.erased.anew, *told.erased.edited, *told.erased.left}
        assert named <= own
        assert told.erased.memory_ids
        assert ANN.memory.memory_id in await app.records.get([ANN.memory.memory_id])


async def test_of_what_stays_he_is_told_what_he_may_read(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await plant_homes(app)
        own, others = BEN.memory.memory_id, ANN.memory.memory_id
        whole = Forgotten(AGENT, None, (), (), left=(own, others, BEN.id_of("nothing")))
        assert (await told_to(app.for_principal(BOUND).access, app.journal, whole)).left == (own,)
        assert (await told_to(app.for_principal(READER).access, app.journal, whole)).left == (own, others)


async def test_of_copies_hears_who_may_copy_and_nobody_else(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await plant_homes(app)
        copy = Erased(run="r", tenant=TENANT, agent_id="copy", at=NOON)
        erased = copy.revised(agent_id=AGENT, copies=(copy,), waiting=((TENANT, "other"),))
        whole = Forgotten(AGENT, "r", (), (), erased, copies=((TENANT, "copy", 1),))
        owner = Principal("owner", TENANT, {AGENT: frozenset(Grant)})
        heard = await told_to(app.for_principal(READER).access, app.journal, whole)
        assert (heard.copies, heard.erased) == ((), erased.revised(copies=(), waiting=()))
        heard = await told_to(app.for_principal(owner).access, app.journal, whole)
        assert (heard.copies, heard.erased) == (whole.copies, erased)


@dataclass(frozen=True)
class Held:
    """One memory, which may be anybody's."""

    node: object


@dataclass(frozen=True)
class Careless:
    """An operation that hands out whatever it is told to, under a rule that is kept."""

    access: Access
    answer: object

    @needs(Grant.READ, of="scope")
    async def tell(self, scope: Scope) -> object:
        return self.answer

    @shows_its_own(Grant.READ, Grant.WRITE)
    async def show(self) -> object:
        return self.answer


MINE, THEIRS = BEN.memory, ANN.memory
CHANGE = Change(act="refresh", before=MINE, after=MINE.revised(content="x"))
ANSWERS: dict[str, tuple[object, object]] = {
    "a list": ([MINE, THEIRS], [MINE]),
    "a tuple": ((THEIRS, MINE), (MINE,)),
    "a set of pairs": (((MINE, MINE), (MINE, THEIRS)), ((MINE, MINE),)),
    "a mapping": ({"a": MINE, "b": THEIRS}, {"a": MINE}),
    "a mapping of lists": ({"a": [MINE], "b": [MINE, THEIRS]}, {"a": [MINE]}),
    "values": ([Held(THEIRS), Held(MINE), Held(None)], [Held(MINE), Held(None)]),
    "changes": ([CHANGE, Change(act="add", after=THEIRS)], [CHANGE]),
    "deep": (Held([{"a": (Held(MINE), Held(THEIRS))}]), Held([])),
    "text": (["x", 1, None, MINE], ["x", 1, None, MINE]),
}


@pytest.mark.parametrize("name", ANSWERS)
async def test_what_an_operation_hands_out_carelessly_is_left_out(name: str) -> None:
    answer, left = ANSWERS[name]
    assert await Careless(Access(BOUND), answer).tell(BEN.scope) == left
    assert await Careless(Access(BOUND), answer).show() == left
    assert await Careless(Access(Principal.owner(TENANT)), answer).tell(BEN.scope) == answer


@pytest.mark.parametrize("answer", [THEIRS, Held(THEIRS), Change(act="add", after=THEIRS)], ids=repr)
async def test_where_nothing_may_be_handed_out_nothing_is_there(answer: object) -> None:
    with pytest.raises(NotFound, match="no such memory"):
        await Careless(Access(BOUND), answer).tell(BEN.scope)


async def test_every_grant_of_the_rule_is_needed_for_what_is_handed_out() -> None:
    reader = Principal("reader", TENANT, {AGENT: frozenset({Grant.READ})})
    assert await Careless(Access(reader), [MINE]).show() == []
    assert await Careless(Access(reader), [MINE]).tell(BEN.scope) == [MINE]


async def test_no_kind_of_operation_tells_anything_after_its_access_was_revoked() -> None:
    access = Access(BOUND)

    class Kinds:
        @property
        def access(self) -> Access:
            return access

        @needs(Grant.READ, of="scope")
        async def answer(self, scope: Scope) -> str:
            access.revoked.revoke(TENANT, BOUND.name, AGENT)
            return f"told of {scope}"

        @needs(Grant.READ, of="scope")
        async def stream(self, scope: Scope) -> AsyncGenerator[str]:
            yield "first"
            access.revoked.revoke(TENANT, BOUND.name, AGENT)
            yield f"told of {scope}"

        @needs(Grant.READ, of="scope")
        def begin(self, scope: Scope) -> str:
            return f"begun for {scope}"

    assert Kinds().begin(BEN.scope) == f"begun for {BEN.scope}"
    streamed: list[str] = []
    with pytest.raises(NotFound):
        streamed.extend([part async for part in _noted(Kinds().stream(BEN.scope), streamed)])
    assert streamed == ["first"]
    access.revoked.ended.clear()
    with pytest.raises(NotFound):
        await Kinds().answer(BEN.scope)
    with pytest.raises(NotFound):
        Kinds().begin(BEN.scope)


async def _noted(parts: AsyncGenerator[str], noted: list[str]) -> AsyncGenerator[str]:
    async for part in parts:
        noted.append(part)
        yield part
