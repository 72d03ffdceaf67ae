"""What is taken back or erased leaves what is told of whom it was about, here and in copies."""

from pathlib import Path

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.change import Change
from agentmem.domain.entity import named
from agentmem.domain.event import Person
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Commit, Selection
from agentmem.runtime.facade.app import App
from tests.support.circles import FIRST, circle, circles, communities, fact
from tests.support.nodes import AGENT, NOON, TENANT
from tests.support.spine import SCOPE, spine

WRONG = fact("Marco left Kestrel.", "Marco", "Kestrel")
RIGHT = fact("Marco uses Heron.", "Marco", "Heron")
ALIAS = fact("Marco is also called Polo.", "Marco", attribute="alias", value="Polo")


async def entity(app: App, name: str, agent: str = AGENT) -> MemoryNode:
    key = named(TENANT, agent, name)
    return (await app.journal.ledger.get(TENANT, [key]))[key]


async def learn(app: App, run: str, *nodes: MemoryNode) -> None:
    changes = tuple(Change(act="add", after=node) for node in nodes)
    await app.journal.ledger.commit(Commit(TENANT, run, "test", NOON, changes))
    await app.drain()


async def test_what_an_undo_took_out_is_told_of_nobody_any_more(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await learn(app, "right", RIGHT)
        await learn(app, "wrong", WRONG)
        assert WRONG.content in (await entity(app, "Marco")).content
        await app.undo("wrong")
        await app.drain()
        marco = await entity(app, "Marco")
        assert (marco.source_ids, RIGHT.content in marco.content) == ((RIGHT.memory_id,), True)
        assert WRONG.content not in marco.content
        assert (await entity(app, "Kestrel")).content == "Kestrel"


async def test_a_name_given_in_what_an_undo_took_out_is_somebody_else_s_again(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await learn(app, "right", RIGHT)
        await learn(app, "alias", ALIAS)
        marco = await entity(app, "Marco")
        assert (await entity(app, "Polo")).superseded_by == marco.memory_id
        await app.undo("alias")
        await app.drain()
        polo = await entity(app, "Polo")
        assert (polo.superseded_by, polo.store_status) == (None, StoreStatus.VALID)
        assert (await entity(app, "Marco")).key == ("Marco",)
        head = await app.journal.ledger.head()
        await app.drain()
        assert await app.journal.ledger.head() == head


async def test_an_erasure_leaves_a_copy_s_entities_with_what_else_is_said_of_them(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await learn(app, "told", WRONG, RIGHT)
        await app.copies.clone(AGENT, "twin")
        await app.copies.clone("twin", "triplet")
        await app.drain()
        assert WRONG.content in (await entity(app, "Marco", "triplet")).content
        await app.forget(Meant(SCOPE, ids=(WRONG.memory_id,)), erase=True)
        await app.drain()
        for agent in (AGENT, "twin", "triplet"):
            marco = await entity(app, "Marco", agent)
            assert (RIGHT.content in marco.content, WRONG.content in marco.content) == (True, False)


async def named_entities(app: App) -> set[str]:
    """The entities that are told, by name."""
    entities = Selection(SCOPE, (MemoryType.ENTITY,), limit=100)
    return {node.key[0] for node in (await app.memories(entities)).memories}


async def test_at_once_an_entity_is_told_without_what_is_forgotten(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await learn(app, "told", WRONG, RIGHT)
        await app.forget(Meant(SCOPE, ids=(WRONG.memory_id,)))
        marco = await entity(app, "Marco")
        assert (RIGHT.content in marco.content, WRONG.content in marco.content) == (True, False)
        assert marco.source_ids == (RIGHT.memory_id,)
        assert await named_entities(app) == {"Marco", "Heron"}


async def test_who_has_talked_stays_an_entity_until_all_about_him_is_forgotten(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition()) as app:
        await app.say(AGENT, Person(name="Tom"), "I live in Oslo.", run_id="r", end=True)
        await app.drain()
        assert await named_entities(app) == {"Tom", "Oslo"}
        tom = Scope(TENANT, AGENT, entity_id(TENANT, AGENT, "tom"))
        await app.forget(Meant(tom, query="forget where I live"))
        assert await named_entities(app) == {"Tom"}
        await app.forget(Meant(tom))
        assert await named_entities(app) == set()


async def test_who_goes_as_a_whole_is_no_entity_though_he_has_talked(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition()) as app:
        await app.say(AGENT, Person(name="Tom"), "I live in Oslo.", run_id="r", end=True)
        await app.drain()
        await app.forget(Meant(Scope(TENANT, AGENT, entity_id(TENANT, AGENT, "tom"))))
        assert await named_entities(app) == set()


async def test_another_name_goes_with_what_gave_it_and_with_nothing_else(tmp_path: Path) -> None:
    employer = fact("Marco works at Polo.", "Marco", attribute="employer", value="Polo")
    async with spine(tmp_path) as app:
        await learn(app, "told", RIGHT, ALIAS, employer)
        assert "Polo" in (await entity(app, "Marco")).key
        await app.forget(Meant(SCOPE, ids=(employer.memory_id,)))
        assert "Polo" in (await entity(app, "Marco")).key
        await app.forget(Meant(SCOPE, ids=(ALIAS.memory_id,)))
        assert (await entity(app, "Marco")).key == ("Marco",)


async def test_whom_a_memory_is_about_is_an_entity_though_it_mentions_nobody(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await learn(app, "told", WRONG, fact("Marco sleeps badly.", "Marco", entity_ids=()))
        await app.forget(Meant(SCOPE, ids=(WRONG.memory_id,)))
        assert "Marco" in await named_entities(app)


async def test_a_community_is_told_no_more_when_one_of_its_facts_goes_though_all_its_members_stay(
    tmp_path: Path,
) -> None:
    async with circles(tmp_path) as app:
        assert len(await communities(app)) == 2
        first = circle(FIRST)[0]
        await app.forget(Meant(SCOPE, ids=(first.memory_id,)))
        (left,) = await communities(app)
        assert not set(left.entity_ids) & set(first.entity_ids)
        assert await named_entities(app) >= set(FIRST)
